"""Which subcommand; ``jaxlint PATHS`` is ``jaxlint check PATHS``."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

COMMANDS = ("check", "rule", "version")

USAGE = """\
usage: jaxlint [check] [PATH ...] [options]
       jaxlint rule CODE | NAME | --all [--output-format text|json]
       jaxlint version

jaxlint reads JAX programs the way JAX would trace them and reports what will go wrong, without running them.

commands:
  check    report findings in files and folders (default: the working folder)
  rule     explain a rule
  version  print the version

`jaxlint check --help` lists all options. Exit codes: 0 clean, 1 findings, 2 wrong usage or internal error.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (default: the process's own) and return its exit code: 0, 1 or 2; 130 if interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _tolerant_streams()
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`). Give the interpreter's last flush somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception:
        # Errors on one file are findings. This one concerns the whole run, and must not exit 1: that means findings.
        import traceback

        traceback.print_exc()
        sys.stderr.write("jaxlint: internal error, nothing was checked; please report it with the lines above\n")
        return 2


def entry() -> None:
    """The console script.

    Leaves without taking the process's memory apart: freeing the trees of a large project one object at a time costs
    as much as parsing them. Not where something watches the exit (coverage, a profiler, a debugger).
    """
    gc.disable()  # what is made here lives until the end
    code = main()
    if sys.gettrace() is None and sys.getprofile() is None and "coverage" not in sys.modules:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            code = code or 1
        os._exit(code)
    sys.exit(code)


def _dispatch(arguments: list[str]) -> int:
    command = arguments[0] if arguments else "check"
    if command in ("-h", "--help", "help"):
        sys.stdout.write(USAGE)
        return 0
    if command in ("-V", "--version", "version"):
        from jaxlint import __version__

        sys.stdout.write(f"jaxlint {__version__}\n")
        return 0
    from jaxlint.cli import distribution

    if problem := distribution.conflict():
        sys.stderr.write(f"jaxlint: error: {problem}\n")
        return 2
    rest = arguments[1:] if arguments and command in COMMANDS else arguments
    if command == "rule":
        from jaxlint.cli import rule

        return rule.run(rest)
    from jaxlint.cli import check

    return check.run(rest)


def _tolerant_streams() -> None:
    """No file name and no snippet may fail to print because of the terminal's encoding."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")

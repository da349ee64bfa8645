#!/usr/bin/env python3
"""Fetch the pinned projects: download each sdist with pip, check its sha256, unpack it to DEST/NAME-VERSION/.

usage: fetch.py DEST [--only NAME ...] [--sdists FOLDER]

pip reads an sdist's metadata even when it only downloads, and that takes the project's build backend. So the backends
of all projects go into a throwaway virtual environment first, and pip runs there without build isolation. The hash is
checked twice: by pip before it runs anything from the archive, and here before anything is unpacked.
"""

from __future__ import annotations

import argparse
import hashlib
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import venv
from dataclasses import dataclass

import tomllib

PINS = pathlib.Path(__file__).with_name("pins.toml")


@dataclass(frozen=True)
class Pin:
    """One pinned source distribution."""

    name: str
    version: str
    sha256: str

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.version}"


def read_pins(path: pathlib.Path = PINS) -> tuple[list[str], list[Pin]]:
    """The build backends, and the pinned projects."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return list(data["backends"]), [Pin(p["name"], p["version"], p["sha256"]) for p in data["project"]]


def run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


class Downloader:
    """pip in a throwaway environment that holds the build backends; made when first needed."""

    def __init__(self, backends: list[str], work: pathlib.Path) -> None:
        self.backends, self.work = backends, work
        self.python: str | None = None

    def ready(self) -> str:
        if self.python is None:
            env = self.work / "env"
            venv.create(env, with_pip=True)
            scripts = "Scripts" if sys.platform == "win32" else "bin"
            self.python = str(env / scripts / "python")
            run(self.python, "-m", "pip", "install", "--quiet", *self.backends)
        return self.python

    def fetch(self, pin: Pin, folder: pathlib.Path) -> pathlib.Path:
        wanted = self.work / f"{pin.name}.txt"
        wanted.write_text(f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}\n", encoding="utf-8")
        run(
            *(self.ready(), "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation"),
            *("--ignore-requires-python", "--no-binary", ":all:", "--require-hashes", "-r", str(wanted)),
            *("-d", str(folder)),
        )
        found = find_sdist(pin, folder)
        if found is None:
            raise SystemExit(f"{pin.folder}: pip downloaded no sdist with the pinned sha256")
        return found


def find_sdist(pin: Pin, folder: pathlib.Path) -> pathlib.Path | None:
    """The sdist of that pin in a folder, if it is there with the pinned content."""
    for path in sorted(folder.glob(f"{pin.name}-{pin.version}.tar.*")):
        if hashlib.sha256(path.read_bytes()).hexdigest() == pin.sha256:
            return path
    return None


def unpack(pin: Pin, sdist: pathlib.Path, dest: pathlib.Path) -> pathlib.Path:
    """Unpack beside the target, then rename: DEST/NAME-VERSION is whole or absent."""
    target = dest / pin.folder
    with tempfile.TemporaryDirectory(prefix=".unpack-", dir=dest) as temporary:
        with tarfile.open(sdist) as archive:
            archive.extractall(temporary, filter="data")
        (root,) = pathlib.Path(temporary).iterdir()
        root.rename(target)
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument(
        "--sdists", type=pathlib.Path, help="keep the sdists here, and take them from here when present"
    )
    options = parser.parse_args()
    backends, pins = read_pins()
    options.dest.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="corpus-") as temporary:
        work = pathlib.Path(temporary)
        sdists = options.sdists or work
        sdists.mkdir(parents=True, exist_ok=True)
        downloader = Downloader(backends, work)
        for pin in pins:
            if options.only and pin.name not in options.only:
                continue
            if (options.dest / pin.folder).exists():
                print(f"{pin.folder}: already there")
                continue
            sdist = find_sdist(pin, sdists) or downloader.fetch(pin, sdists)
            print(f"{pin.folder}: {unpack(pin, sdist, options.dest)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

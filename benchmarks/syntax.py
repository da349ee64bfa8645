"""What reading a file costs beside parsing it: ``python benchmarks/syntax.py [folder …]`` prints ratios of CPU time.

Every figure is a median over rounds in one process, as a multiple of libcst's own parse of the same files.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libcst as cst
from libcst import native  # type: ignore[attr-defined]

from jaxlint.source.text import SourceError, SourceFile, read_source
from jaxlint.syntax import Driver, SyntaxFault, children, locate, parse
from jaxlint.syntax.nesting import find_excess

ROUNDS = 5
FILES = 60
KINDS = ("Call", "Attribute", "Name", "FunctionDef", "If", "While", "BinaryOperation", "Subscript", "Import", "Assign")


def rules(count: int) -> list[type[cst.CSTVisitor]]:
    """Visitor classes with four hooks each, spread over the usual kinds of nodes."""

    def hook(self: Any, node: cst.CSTNode) -> None:
        pass

    def names(index: int) -> list[str]:
        kinds = [KINDS[(index + step) % len(KINDS)] for step in range(3)]
        return [*(f"visit_{kind}" for kind in kinds), "leave_FunctionDef"]

    return [type(f"Rule{index}", (cst.CSTVisitor,), dict.fromkeys(names(index), hook)) for index in range(count)]


def sources(folders: list[str]) -> list[SourceFile]:
    """A fixed sample of the readable files below the folders."""
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    found = []
    for path in random.Random(0).sample(paths, min(FILES, len(paths))):
        try:
            source = read_source(path)
            parse(source)
        except (SourceError, SyntaxFault):
            continue
        found.append(source)
    return found


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main(folders: list[str]) -> None:
    """Measures and prints."""
    files = sources(folders or [sysconfig.get_paths()["purelib"]])
    texts = [file.text for file in files]
    modules = [parse(file) for file in files]
    lines = sum(text.count("\n") for text in texts)
    classes = rules(25)

    def drive(kinds: list[type[cst.CSTVisitor]]) -> None:
        for module in modules:
            Driver([cls() for cls in kinds]).walk(module)

    def bind() -> None:
        for _ in modules:
            Driver([cls() for cls in classes])

    def walk_children() -> None:
        for module in modules:
            todo: list[cst.CSTNode] = [module]
            while todo:
                todo.extend(children(todo.pop()))

    chosen = []
    for module in modules:
        calls: list[cst.CSTNode] = []

        class Calls(cst.CSTVisitor):
            def visit_Call(self, node: cst.Call, calls: list[cst.CSTNode] = calls) -> None:
                calls.append(node)

        Driver([Calls()]).walk(module)
        chosen.append(calls[:: max(1, len(calls) // 5)])
    last = [nodes[-1:] for nodes in chosen]

    def position(nodes: list[list[cst.CSTNode]]) -> None:
        for module, text, wanted in zip(modules, texts, nodes, strict=True):
            locate(module, text, wanted)

    work: dict[str, Callable[[], object]] = {
        "native parse": lambda: [native.parse_module(text) for text in texts],
        "parse()": lambda: [parse(file) for file in files],
        "nesting check": lambda: [find_excess(text) for text in texts],
        "driver, 1 rule": lambda: drive(classes[:1]),
        "driver, 25 rules": lambda: drive(classes),
        "  of which binding": bind,
        "children() walk": walk_children,
        "locate, ~5 calls a file": lambda: position(chosen),
        "locate, 1 late call a file": lambda: position(last),
        "module.visit, 1 rule": lambda: [module.visit(classes[0]()) for module in modules],
    }
    drive(classes)  # plans are compiled once in a run, not once in a file
    gc.collect()
    gc.disable()
    taken: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, function in work.items():
            taken[name].append(seconds(function))
    unit = statistics.median(taken["native parse"])
    print(f"{len(files)} files, {lines} lines, libcst parse {unit:.3f} s CPU ({lines / unit / 1000:.0f} klines/s)")
    for name, values in taken.items():
        print(f"{name:28s} {statistics.median(values) / unit:7.3f} x parse")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Side effects put into functions: prints, counters, appended values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from .base import Change, File, Operator, Plan
from .branches import computed_names


def first_statement(file: File, function: cst.FunctionDef) -> cst.BaseStatement | None:
    """The first statement after the docstring, if the body is an indented block."""
    if not isinstance(function.body, cst.IndentedBlock):
        return None
    for statement in function.body.body:
        inner = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if not (isinstance(inner, cst.Expr) and isinstance(inner.value, cst.SimpleString | cst.ConcatenatedString)):
            return statement
    return None


def start_of(file: File, statement: cst.CSTNode) -> int:
    """Where a statement starts, its decorators included."""
    starts = [file.span(statement)[0]]
    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        starts += [file.span(d)[0] for d in statement.decorators]
    return min(starts)


class InsertPrint(Operator):
    """After `name = jnp.f(…)` comes `print("name", name)`."""

    name, codes, topics = "insert-print", ("JAX301",), "3"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        yield from computed_names(file)

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Assign)
        at = file.span(file.statement(node))[1]
        name = file.source(node.targets[0].target)
        return Plan([Change(at, at, f'\n{file.indent(node)}print("{name}:", {name})')], [(at, at)])


class CountOnSelf(Operator):
    """A method starts with `self.calls = getattr(self, "calls", 0) + 1`."""

    name, codes, topics = "count-on-self", ("JAX305",), "3"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for function in file.nodes(cst.FunctionDef):
            block = file.parents[function]
            if not isinstance(file.parents.get(block), cst.ClassDef) or function.decorators:
                continue
            params, text = function.params.params, file.source(function)
            special = function.name.value.startswith("__") and function.name.value != "__call__"
            if special or not params or params[0].name.value != "self" or not first_statement(file, function):
                continue
            if "jnp." in text or "jax." in text:
                yield function

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.FunctionDef)
        first = first_statement(file, node)
        assert first is not None
        at = start_of(file, first)
        text = 'self.calls = getattr(self, "calls", 0) + 1'
        return Plan([Change(at, at, f"{text}\n{file.indent(first)}")], [(at, at)])


class CountGlobal(Operator):
    """A module counter `CALLS`, raised at the start of a function."""

    name, codes, topics = "count-global", ("JAX303",), "3"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for function in file.nodes(cst.FunctionDef):
            if function.decorators or file.function(function) is not None or not first_statement(file, function):
                continue
            if "jnp." in file.source(function.body):
                yield function

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.FunctionDef)
        first = first_statement(file, node)
        assert first is not None
        at, top = start_of(file, first), file.after_imports()
        text = f"global CALLS\n{file.indent(first)}CALLS += 1\n{file.indent(first)}"
        return Plan([Change(top, top, "\nCALLS = 0\n"), Change(at, at, text)], [(at, at)])


class CountNonlocal(Operator):
    """A counter of the outer function, raised at the start of a nested one."""

    name, codes, topics = "count-nonlocal", ("JAX303",), "3"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for function in file.nodes(cst.FunctionDef):
            if function.decorators or file.function(function) is None or not first_statement(file, function):
                continue
            if "jnp." in file.source(function.body):
                yield function

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.FunctionDef)
        first = first_statement(file, node)
        assert first is not None
        outer, at = start_of(file, node), start_of(file, first)
        text = f"nonlocal calls\n{file.indent(first)}calls += 1\n{file.indent(first)}"
        before = Change(outer, outer, f"calls = 0\n{file.indent(node)}")
        return Plan([before, Change(at, at, text)], [(at, at)])


class AppendOuter(Operator):
    """After `name = jnp.f(…)` comes `SEEN.append(name)`, with SEEN a list of the module."""

    name, codes, topics = "append-outer", ("JAX308", "JAX304"), "3"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        yield from computed_names(file)

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Assign)
        at, top = file.span(file.statement(node))[1], file.after_imports()
        name = file.source(node.targets[0].target)
        after = Change(at, at, f"\n{file.indent(node)}SEEN.append({name})")
        return Plan([Change(top, top, "\nSEEN = []\n"), after], [(at, at)])


class KeepOnSelf(Operator):
    """After `name = jnp.f(…)` in a method comes `self.last_name = name`."""

    name, codes, topics = "keep-on-self", ("JAX308", "JAX305"), "3"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign in computed_names(file):
            function = file.function(assign)
            if function is not None and function.params.params and function.params.params[0].name.value == "self":
                yield assign

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Assign)
        at = file.span(file.statement(node))[1]
        name = file.source(node.targets[0].target)
        return Plan([Change(at, at, f"\n{file.indent(node)}self.last_{name} = {name}")], [(at, at)])


OPERATORS = (InsertPrint, CountOnSelf, CountGlobal, CountNonlocal, AppendOuter, KeepOnSelf)

"""Structured control flow and array logic turned into Python's own: if, ternary, and, or, min, max, while, assert."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from .base import Change, File, Operator, Plan


def positional(call: cst.Call) -> list[cst.BaseExpression] | None:
    """The arguments of a call that has only plain positional ones."""
    if any(a.keyword is not None or a.star for a in call.args):
        return None
    return [a.value for a in call.args]


def arguments(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The arguments of a call that is known to have only plain positional ones."""
    assert isinstance(node, cst.Call)
    return [a.value for a in node.args]


def calls(file: File, *ends: str) -> Iterator[cst.Call]:
    """Calls inside functions whose dotted name is one of these or ends with one after a dot."""
    for call in file.nodes(cst.Call):
        name = file.called(call)
        if any(name == end or name.endswith("." + end) for end in ends) and file.function(call) is not None:
            yield call


def whole_statement(file: File, call: cst.Call) -> tuple[str, cst.SimpleStatementLine] | None:
    """`target = ` or `return ` and the statement, if the call is all of its right side."""
    parent = file.parents[call]
    line = file.parents.get(parent)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        return file.source(parent.targets[0].target) + " = ", line
    if isinstance(parent, cst.Return):
        return "return ", line
    return None


def callee(file: File, node: cst.BaseExpression) -> str:
    text = file.source(node)
    return f"({text})" if isinstance(node, cst.Lambda | cst.IfExp) else text


class CondToIf(Operator):
    """`x = lax.cond(p, f, g, *args)` becomes if/else with two calls."""

    name, codes, topics = "cond-to-if", ("JAX101",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "lax.cond", "cond"):
            args = positional(call)
            if args and len(args) >= 3 and whole_statement(file, call):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        whole, args = whole_statement(file, node), positional(node)
        assert whole and args
        head, line = whole
        operands = ", ".join(file.source(a) for a in args[3:])
        text = "\n".join(
            (
                f"if {file.source(args[0])}:",
                f"    {head}{callee(file, args[1])}({operands})",
                "else:",
                f"    {head}{callee(file, args[2])}({operands})",
            )
        )
        start, end = file.span(line)
        return Plan([Change(start, end, file.block(line, text))], [(start, end)])


class WhereToTernary(Operator):
    """`jnp.where(c, a, b)` becomes `(a if c else b)`."""

    name, codes, topics = "where-to-ternary", ("JAX101",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "jnp.where", "jax.numpy.where"):
            args = positional(call)
            if args and len(args) == 3:
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        c, a, b = (file.source(x) for x in arguments(node))
        return Plan([Change(*file.span(node), f"({a} if {c} else {b})")], [file.mark(node)])


LOGICAL = {"jnp.logical_and": "and", "jnp.logical_or": "or"}


class LogicalToAnd(Operator):
    """`jnp.logical_and(a, b)` or `a & b` becomes `a and b`; the same with or."""

    name, codes, topics = "logical-to-and", ("JAX104",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for node in file.order:
            if file.function(node) is None:
                continue
            if isinstance(node, cst.Call):
                if file.called(node) in LOGICAL and len(positional(node) or ()) == 2:
                    yield node
            elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitAnd | cst.BitOr):
                annotated = file.enclosing(node, cst.Annotation) is not None
                if not annotated and (node.lpar or not _is_type(node)):
                    yield node

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        if isinstance(node, cst.Call):
            word = LOGICAL[file.called(node)]
            left, right = arguments(node)
        else:
            assert isinstance(node, cst.BinaryOperation)
            word = "and" if isinstance(node.operator, cst.BitAnd) else "or"
            left, right = node.left, node.right
        text = f"({file.source(left)} {word} {file.source(right)})"
        return Plan([Change(*file.span(node), text)], [file.mark(node)])


def _is_type(node: cst.BinaryOperation) -> bool:
    return all(isinstance(side, cst.Name | cst.Attribute) for side in (node.left, node.right))


class MinMaxToBuiltin(Operator):
    """`jnp.minimum(a, b)` becomes `min(a, b)`; the same with max."""

    name, codes, topics = "minmax-to-builtin", ("JAX104",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "jnp.minimum", "jnp.maximum"):
            if len(positional(call) or ()) == 2:
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        return Plan([Change(*file.span(node.func), file.called(node)[4:7])], [file.mark(node)])


class WhileToPython(Operator):
    """`x = lax.while_loop(cond, body, init)` becomes a Python while."""

    name, codes, topics = "while-to-python", ("JAX102",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "lax.while_loop", "while_loop"):
            if len(positional(call) or ()) == 3 and whole_statement(file, call):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        whole = whole_statement(file, node)
        assert whole
        head, line = whole
        test, body, init = arguments(node)
        text = "\n".join(
            (
                f"loop_state = {file.source(init)}",
                f"while {callee(file, test)}(loop_state):",
                f"    loop_state = {callee(file, body)}(loop_state)",
                f"{head}loop_state",
            )
        )
        start, end = file.span(line)
        return Plan([Change(start, end, file.block(line, text))], [(start, end)])


class InsertAssert(Operator):
    """After `name = jnp.f(…)` comes `assert jnp.all(jnp.isfinite(name))`."""

    name, codes, topics = "insert-assert", ("JAX103",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        yield from computed_names(file)

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Assign)
        at = file.span(file.statement(node))[1]
        name = file.source(node.targets[0].target)
        text = f"\n{file.indent(node)}assert jnp.all(jnp.isfinite({name}))"
        return Plan([Change(at, at, text)], [(at, at)])


COMPUTING = ("jnp.", "jax.numpy.", "jax.nn.", "jax.lax.")


def computed_names(file: File) -> Iterator[cst.Assign]:
    """Statements `name = jnp.f(…)` in functions, alone on their line."""
    for assign in file.nodes(cst.Assign):
        line, value = file.parents[assign], assign.value
        if not (isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and file.function(assign)):
            continue
        if len(assign.targets) != 1 or not isinstance(assign.targets[0].target, cst.Name):
            continue
        if isinstance(value, cst.Call) and file.called(value).startswith(COMPUTING):
            yield assign


OPERATORS = (CondToIf, WhereToTernary, LogicalToAnd, MinMaxToBuiltin, WhileToPython, InsertAssert)

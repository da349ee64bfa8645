"""Scopes that run again and again, and what is new in each run of them. No rule of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jaxlint.rules.compile.arithmetic import only_computes
from jaxlint.syntax import children
from jaxlint.tracing.values import Array, Function, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.tracing.facts import Facts


def holds(scope: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether ``node`` is part of ``scope``."""
    stack = [scope]
    while stack:
        one = stack.pop()
        if one is node:
            return True
        stack.extend(children(one))
    return False


def runs_each_time(scope: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether ``node`` stands in ``scope`` where no test, no handler and no other function comes between."""
    stack = [scope]
    while stack:
        one = stack.pop()
        if one is node:
            return True
        if isinstance(one, (cst.If, cst.IfExp, cst.Try, cst.TryStar, cst.Match, cst.BooleanOperation, cst.Lambda)):
            continue
        if isinstance(one, (cst.FunctionDef, cst.ClassDef)):
            stack.extend(decorator.decorator for decorator in one.decorators)
            continue
        stack.extend(children(one))
    return False


def stored_in(scope: cst.CSTNode) -> set[str]:
    """The names that a scope binds: targets, parameters, definitions, not those of functions inside it."""
    out: set[str] = set()
    stack: list[cst.CSTNode] = [scope]
    while stack:
        one = stack.pop()
        if isinstance(one, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor)):
            out |= _names(one.target)
        elif isinstance(one, cst.AsName):
            out |= _names(one.name)
        elif isinstance(one, cst.Param):
            out.add(one.name.value)
        if isinstance(one, (cst.FunctionDef, cst.ClassDef)) and one is not scope:
            out.add(one.name.value)
            continue
        if type(one) is not cst.Lambda:
            stack.extend(children(one))
    return out


def _names(target: cst.CSTNode) -> set[str]:
    """The names that a target binds; a write into an object binds none."""
    if type(target) is cst.Name:
        return {target.value}
    if isinstance(target, (cst.Attribute, cst.Subscript)):
        return set()
    return {name for part in children(target) for name in _names(part)}


def free_names(node: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that an expression or function reads from around it."""
    own: set[str] = set()
    stack: list[cst.CSTNode] = [node]
    if isinstance(node, (cst.FunctionDef, cst.Lambda)):
        own = stored_in(node if type(node) is cst.FunctionDef else node.params)
        for param in (*node.params.params, *node.params.kwonly_params, *node.params.posonly_params):
            if param.default is not None:
                yield from free_names(param.default)
        stack = [node.body]
    while stack:
        one = stack.pop()
        if type(one) is cst.Name:
            if one.value not in own:
                yield one
        elif type(one) is cst.Attribute or type(one) is cst.Arg:
            stack.append(one.value)
        elif isinstance(one, (cst.Lambda, cst.FunctionDef)):
            yield from (name for name in free_names(one) if name.value not in own)
        else:
            stack.extend(children(one))


def takes_only_data(facts: Facts, node: cst.CSTNode, changing: set[str]) -> bool:
    """Whether all that ``node`` reads of the ``changing`` names is data that could as well be passed to it.

    Data are arrays, and numbers that it only computes with; a size or a function it would need a program for each.
    """
    body = node.body if isinstance(node, (cst.FunctionDef, cst.Lambda)) else node
    return all(
        any(isinstance(value, Array) for _, value in facts.values(name)) or only_computes(facts, body, name.value)
        for name in free_names(node)
        if name.value in changing
    )


def counters(loop: cst.CSTNode) -> set[str]:
    """The names that hold another number in each iteration: what ``range`` and ``enumerate`` count, and ``i += 1``."""
    counted: set[str] = set()
    if type(loop) is cst.For and type(loop.iter) is cst.Call and type(loop.iter.func) is cst.Name:
        target: cst.CSTNode = loop.target
        if loop.iter.func.value == "enumerate" and type(target) is cst.Tuple:
            target = target.elements[0].value
        if loop.iter.func.value in ("range", "enumerate") and type(target) is cst.Name:
            counted.add(target.value)
    for part in _statements(loop):
        if type(part) is cst.AugAssign and isinstance(part.operator, (cst.AddAssign, cst.SubtractAssign)):
            if type(part.target) is cst.Name and isinstance(part.value, (cst.Integer, cst.Float)):
                counted.add(part.target.value)
    return counted


def computed_from(loop: cst.CSTNode, names: set[str]) -> set[str]:
    """These names, and those that the loop assigns from them."""
    out = set(names)
    for part in _statements(loop):
        if type(part) is cst.Assign and type(part.targets[0].target) is cst.Name:
            if {name.value for name in free_names(part.value)} & out:
                out.add(part.targets[0].target.value)
    return out


def grown(loop: cst.CSTNode) -> set[str]:
    """The lists that each iteration appends to, and that it does not make anew or cut."""
    out: set[str] = set()
    for part in _statements(loop):
        call = part.value if type(part) is cst.Expr else None
        if type(call) is cst.Call and type(call.func) is cst.Attribute and type(call.func.value) is cst.Name:
            if call.func.attr.value == "append":
                out.add(call.func.value.value)
    return {name for name in out - stored_in(loop) if not _is_cut(loop, name)}


def _is_cut(loop: cst.CSTNode, name: str) -> bool:
    """Whether a loop takes anything out of a list."""
    stack: list[cst.CSTNode] = [loop]
    while stack:
        one = stack.pop()
        if type(one) is cst.Attribute and type(one.value) is cst.Name and one.value.value == name:
            if one.attr.value in ("pop", "popleft", "clear", "remove"):
                return True
        if type(one) is cst.Del or (
            type(one) is cst.Subscript and type(one.value) is cst.Name and one.value.value == name
        ):
            return True
        stack.extend(children(one))
    return False


def _statements(loop: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The small statements that run in each iteration."""
    if isinstance(loop, (cst.For, cst.While)):
        for line in loop.body.body:
            if type(line) is cst.SimpleStatementLine:
                yield from line.body


def own_name(value: Value) -> set[str]:
    """The name of the function itself: it is no outside influence."""
    return {value.name} if isinstance(value, Function) else set()

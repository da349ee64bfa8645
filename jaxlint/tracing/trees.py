"""``jax.tree.map``: the function runs in place, once per leaf; of a structure that is known, branch by branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing import elements
from jaxlint.tracing.arguments import Arguments
from jaxlint.tracing.loops import twice
from jaxlint.tracing.objects import static_fields
from jaxlint.tracing.state import Contents
from jaxlint.tracing.values import NONE, UNKNOWN, Array, Kind, Ref, Static, Tuple, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.knowledge.transform_rows import Transform
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


def tree_map(
    it: Interpreter, row: Transform, options: dict[str, Value], arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    """tree.map: the function runs in place, once per leaf. A structure that is known is kept."""
    from jaxlint.tracing.calls import call

    fn = options.get("f", UNKNOWN)
    trees = [options["tree"]] if "tree" in options else []
    trees += list(arguments.positional[2:])
    parts = branches_of(it, trees[0], st) if trees and "is_leaf" not in options else None
    if parts is not None:
        return _mapped_parts(it, fn, trees, parts, node, st, 0)
    results: list[Value] = []

    def one(turn: int, state: State) -> bool:
        leaves = [_leaf(it, tree, turn, state, node) for tree in trees]
        results.append(call(it, fn, Arguments(leaves, {}), node, state))
        return not all(isinstance(tree, Array) and tree.certain for tree in trees)

    twice(it, node, st, one)
    if not results or not isinstance(results[-1], Array):
        return it.unknown(node)
    return results[-1].like(certain=False, key=None)


#: So many branches of a known pytree are followed one by one.
_BRANCHES = 8


def branches_of(it: Interpreter, tree: Value, st: State) -> tuple[Any, ...] | None:
    """The indices or names of a pytree's branches, if all of them are known and few."""
    if isinstance(tree, Tuple):
        return tuple(range(len(tree.items))) if 0 < len(tree.items) <= _BRANCHES else None
    if not isinstance(tree, Ref) or tree.obj.form not in ("list", "dict", "instance"):
        return None
    held = it.contents(tree.obj, st)
    if held is None or held.rest is not None:
        return None
    if tree.obj.form == "list":
        return tuple(range(len(held.items))) if held.items and len(held.items) <= _BRANCHES else None
    if tree.obj.form == "instance":
        cls = tree.obj.cls
        static = static_fields(cls) if cls is not None and cls.family == "pytree" else None
        if static is None or cls is None or not all(name in held.fields for name in cls.fields):
            return None
        return tuple(name for name in cls.fields if name not in static)
    return tuple(held.fields) if held.fields and len(held.fields) <= _BRANCHES else None


def row_of(it: Interpreter, tree: Value, turn: int, st: State, node: cst.CSTNode, depth: int = 0) -> Value:
    """What the body of a scan or map gets in one turn: the same pytree of rows of its leaves."""
    if isinstance(tree, Static):
        return tree
    parts = branches_of(it, tree, st)
    if parts is None or depth > 3:
        return it.unknown(node) if isinstance(tree, (Tuple, Ref)) else elements.element(it, tree, turn, st, node)
    rows = [row_of(it, _branch(it, tree, part, st, node), turn, st, node, depth + 1) for part in parts]
    return _rebuilt(it, tree, parts, rows, st, node)


def _branch(it: Interpreter, tree: Value, part: Any, st: State, node: cst.CSTNode) -> Value:
    if isinstance(tree, Ref) and tree.obj.form == "instance":
        held = it.contents(tree.obj, st)
        return held.fields.get(part, UNKNOWN) if held is not None else it.unknown(node)
    if isinstance(tree, Array):
        return tree.like(key=None)
    return elements.element(it, tree, part, st, node)


def _mapped_parts(
    it: Interpreter, fn: Value, trees: list[Value], parts: tuple[Any, ...], node: cst.CSTNode, st: State, depth: int
) -> Value:
    """A function mapped over each branch of a known structure, and the same structure of what it gives."""
    before = it.turn
    made: list[Value] = []
    for number, part in enumerate(parts):
        it.turn = (*before, min(number, it.turns - 1))
        branches = [_branch(it, tree, part, st, node) for tree in trees]
        made.append(_mapped_branch(it, fn, branches, node, st, depth))
    it.turn = before
    return _rebuilt(it, trees[0], parts, made, st, node)


def _rebuilt(
    it: Interpreter, tree: Value, parts: tuple[Any, ...], made: list[Value], st: State, node: cst.CSTNode
) -> Value:
    """The structure of ``tree`` with other branches."""
    if isinstance(tree, Tuple):
        return Tuple(tuple(made), tree.names, tree.cls)
    assert isinstance(tree, Ref)
    if tree.obj.form == "list":
        return it.allocate("list", node, Contents(tuple(made)), st)
    held = it.contents(tree.obj, st) or Contents()
    fields = {**held.fields, **dict(zip(parts, made, strict=True))}
    return it.allocate(tree.obj.form, node, Contents(None, fields), st, tree.obj.cls)


def _mapped_branch(
    it: Interpreter, fn: Value, branches: list[Value], node: cst.CSTNode, st: State, depth: int
) -> Value:
    from jaxlint.tracing.calls import call

    first = branches[0]
    inner = branches_of(it, first, st) if depth < 2 else None
    if inner is not None:
        return _mapped_parts(it, fn, branches, inner, node, st, depth + 1)
    if first is NONE or (isinstance(first, Tuple) and not first.items):
        return first  # no leaf
    if not isinstance(first, (Array, Static)):
        call(it, fn, Arguments([_leaf(it, branch, 0, st, node) for branch in branches], {}), node, st)
        return it.unknown(node)
    leaves = [branch if isinstance(branch, Static) else _leaf(it, branch, 0, st, node) for branch in branches]
    made = call(it, fn, Arguments(leaves, {}), node, st)
    if isinstance(made, Array) and isinstance(first, Array):
        return made.like(certain=made.certain and first.certain, key=None)
    return made


def _leaf(it: Interpreter, tree: Value, turn: int, st: State, node: cst.CSTNode) -> Value:
    for _ in range(6):
        if isinstance(tree, Array):
            if tree.key is not None and not tree.certain:
                return elements.array_element(it, tree, turn, node)
            return tree.like(certain=tree.certain or tree.kind is Kind.TRACED)
        if not isinstance(tree, (Tuple, Ref)):
            return it.unknown(node)
        tree = elements.element(it, tree, turn, st, node)
    return it.unknown(node)

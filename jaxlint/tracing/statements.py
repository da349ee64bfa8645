"""What statements do: ``exec(statement, state) -> Exit | None``. No control-flow graph: structure is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.knowledge.errors import catches_tracer_errors
from jaxlint.syntax import called_name
from jaxlint.tracing import assign, guards, loops, optional_imports
from jaxlint.tracing.context import Context, Region, RegionKind
from jaxlint.tracing.definitions import define_class, define_function
from jaxlint.tracing.imports import exec_import, exec_import_from
from jaxlint.tracing.state import Exit, State, join_states
from jaxlint.tracing.values import NONE, TRACER_TEST, UNKNOWN, LibraryObject, Static, unknown

if TYPE_CHECKING:
    from jaxlint.tracing.interpreter import Interpreter


def exec_line(
    it: Interpreter, node: cst.SimpleStatementLine | cst.SimpleStatementSuite | cst.IndentedBlock, st: State
) -> Exit | None:
    """Statements on one line, or an indented block."""
    return it.block(node.body, st)


def exec_expr(it: Interpreter, node: cst.Expr, st: State) -> None:
    """An expression for its effects."""
    it.eval(node.value, st)


def exec_return(it: Interpreter, node: cst.Return, st: State) -> Exit:
    """Leave the function with a value."""
    value = it.eval(node.value, st) if node.value is not None else NONE
    out = Exit()
    out.returned, out.result = st, value
    return out


def exec_raise(it: Interpreter, node: cst.Raise, st: State) -> Exit:
    """The path ends (handlers start from the states before)."""
    if node.exc is not None:
        it.eval(node.exc, st)
    return Exit()


def exec_break(it: Interpreter, node: cst.Break, st: State) -> Exit:
    """Leave the loop."""
    out = Exit()
    out.broke = st
    return out


def exec_continue(it: Interpreter, node: cst.Continue, st: State) -> Exit:
    """On to the next iteration."""
    out = Exit()
    out.continued = st
    return out


def exec_assert(it: Interpreter, node: cst.Assert, st: State) -> Exit | None:
    """What was asserted holds from here on."""
    value = it.eval(node.test, st)
    if node.msg is not None:
        with it.silent():
            it.eval(node.msg, st.copy())
    if guards.truth(it, value, node.test) is False:
        return Exit()
    guards.refine(it, st, node.test, True)
    return None


def exec_if(it: Interpreter, node: cst.If, st: State) -> Exit | None:
    """Both branches from copies of the state, then joined; a branch that the test rules out is not run."""
    value = it.eval(node.test, st)
    decided = guards.truth(it, value, node.test)
    if decided is None:
        decided = optional_imports.version_test(node.test)
    if decided is None and st.conditions:
        decided = guards.settled(it, st, node.test)
    before = st.conditions
    out = Exit()
    ends: list[State | None] = []
    for truth, branch in ((True, node.body), (False, node.orelse)):
        if decided is not None and decided is not truth:
            continue
        taken = st.copy()
        guards.refine(it, taken, node.test, truth, decided=decided is not None)
        asks = isinstance(value, Static) and value.type_name == TRACER_TEST
        unusual = decided is None and (asks or guards.contrary(it, node.test, truth))
        it.muted += unusual
        left = _exec_branch(it, branch, taken)
        it.muted -= unusual
        if left is not None:
            out.absorb(left)
        ends.append(taken if left is None or left.falls else None)
    after: State | None = None
    for end in ends:
        after = join_states(after, end)
    if after is None:
        return out
    if sum(end is not None for end in ends) > 1:
        after.conditions = before
    st.become(after)
    out.falls = True
    return out if out.broke or out.continued or out.returned else None


def _exec_branch(it: Interpreter, branch: Any, st: State) -> Exit | None:
    if branch is None:
        return None
    if type(branch) is cst.If:
        return exec_if(it, branch, st)
    if type(branch) is cst.Else:
        return it.block(branch.body.body, st)
    return it.block(branch.body, st)


def exec_with(it: Interpreter, node: cst.With, st: State) -> Exit | None:
    """Enter the items; ``pytest.raises`` and the like say that the body is meant to fail."""
    quiet = muted = 0
    outside = it.context
    for item in node.items:
        value = it.eval(item.item, st)
        name = it.facts.callee(item.item) if type(item.item) is cst.Call else ""
        tail = called_name(item.item)
        if tail in _EXPECT_FAILURE:
            quiet = 1
            outside.expects_failure = True
        elif name in _AT_ONCE:
            it.context = _computing_at_once(it, node)
        elif name == "jax.disable_jit" or tail in _SUPPRESS:
            muted = 1
        if item.asname is not None:
            assign.bind(it, item.asname.name, _entered(it, value, item.item), st)
    it.quiet += quiet
    it.muted += muted
    try:
        left = it.block(node.body.body, st)
    finally:
        it.quiet -= quiet
        it.muted -= muted
        it.context = outside
    if (quiet or _swallows_failures(node)) and left is not None and not left.falls:
        left.falls = True  # the failure is swallowed: what follows runs, from a state we do not know well
    return left


def _swallows_failures(node: cst.With) -> bool:
    """Whether the ``with`` goes on after an exception."""
    return any(called_name(item.item) in _SUPPRESS for item in node.items)


def _entered(it: Interpreter, value: Any, node: cst.BaseExpression) -> Any:
    return value if isinstance(value, LibraryObject) else it.unknown(node)


_EXPECT_FAILURE = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch", "warns"})
_SUPPRESS = frozenset({"suppress"})
_AT_ONCE = frozenset({"jax.ensure_compile_time_eval", "jax.core.ensure_compile_time_eval"})


def _computing_at_once(it: Interpreter, node: cst.With) -> Context:
    """Inside ``jax.ensure_compile_time_eval()`` operations on concrete arrays give concrete arrays."""
    now = it.context
    region = it.region_cache.setdefault(
        ("compile-time eval", node), Region(RegionKind.HOST, "jax.ensure_compile_time_eval", "computed at once", node)
    )
    return Context(now.space, now.function, now.name, now.caller, now.call, (*now.regions, region), now.frame)


def exec_try(it: Interpreter, node: cst.Try | cst.TryStar, st: State) -> Exit | None:
    """Handlers start from the state before the body joined with the one after it."""
    if optional_imports.is_optional(node):
        return optional_imports.exec_optional(it, node, st)
    before = st.copy()
    expected = any(catches_tracer_errors(_handled_names(handler.type)) for handler in node.handlers)
    it.muted += expected
    try:
        left = it.block(node.body.body, st)
    finally:
        it.muted -= expected
    out = Exit()
    if left is not None:
        out.absorb(left)
    end: State | None = st if left is None or left.falls else None
    after_body = end.copy() if end is not None else None
    if end is not None and node.orelse is not None:
        more = it.block(node.orelse.body.body, end)
        if more is not None:
            out.absorb(more)
            end = end if more.falls else None
    for handler in node.handlers:
        end = _exec_handler(it, handler, before, after_body, end, out)
    return _exec_finally(it, node, st, end, out)


def _exec_handler(
    it: Interpreter, handler: Any, before: State, after: State | None, end: State | None, out: Exit
) -> State | None:
    start = before.copy()
    if after is not None:
        joined = join_states(start, after.copy())
        assert joined is not None
        joined.used = before.used  # that the body had used a key before it failed is not certain
        start = joined
    if handler.name is not None:
        assign.bind(it, handler.name.name, unknown(), start)
    left = it.block(handler.body.body, start)
    if left is not None:
        out.absorb(left)
        if not left.falls:
            return end
    return join_states(end, start)


def _exec_finally(it: Interpreter, node: Any, st: State, end: State | None, out: Exit) -> Exit | None:
    if node.finalbody is not None:
        start = end if end is not None else (out.returned.copy() if out.returned is not None else st.copy())
        left = it.block(node.finalbody.body.body, start)
        if left is not None:
            out.absorb(left)
            end = end if left.falls else None
    if end is None:
        return out
    st.become(end)
    out.falls = True
    return out if out.broke or out.continued or out.returned else None


def _handled_names(node: cst.BaseExpression | None) -> list[str]:
    if node is None:
        return [""]
    if type(node) is cst.Tuple:
        return [name for element in node.elements for name in _handled_names(element.value)]
    if type(node) is cst.Attribute:
        return [node.attr.value]
    return [node.value] if type(node) is cst.Name else []


def exec_global(it: Interpreter, node: cst.Global, st: State) -> None:
    """Names of this function that are the module's (collected when the function is entered)."""


def exec_delete(it: Interpreter, node: cst.Del, st: State) -> None:
    """Forget the names."""
    targets = [e.value for e in node.target.elements] if type(node.target) is cst.Tuple else [node.target]
    for target in targets:
        if type(target) is cst.Name:
            st.locals.pop(target.value, None)
        else:
            assign.delete(it, target, st)


def exec_match(it: Interpreter, node: cst.Match, st: State) -> Exit | None:
    """Every case from a copy of the state; captured names are unknown."""
    it.eval(node.subject, st)
    out = Exit()
    end: State | None = st.copy()
    for case in node.cases:
        taken = st.copy()
        guards.weaken(it, taken, node.subject)
        for name in guards.captured_names(case.pattern):
            taken.locals[name] = it.unknown(case.pattern)
        if case.guard is not None:
            it.eval(case.guard, taken)
            guards.refine(it, taken, case.guard, True)
        left = it.block(case.body.body, taken)
        if left is not None:
            out.absorb(left)
        if left is None or left.falls:
            end = join_states(end, taken)
        if case.guard is None and guards.is_wildcard(case.pattern):
            break
    assert end is not None
    st.become(end)
    out.falls = True
    return out if out.broke or out.continued or out.returned else None


def exec_assign(it: Interpreter, node: cst.Assign, st: State) -> None:
    """``a = b = value``."""
    value = it.eval(node.value, st)
    for target in node.targets:
        assign.bind(it, target.target, value, st, node.value)


def exec_ann_assign(it: Interpreter, node: cst.AnnAssign, st: State) -> None:
    """``name: type = value``."""
    if node.value is not None:
        assign.bind(it, node.target, it.eval(node.value, st), st, node.value)


def exec_aug_assign(it: Interpreter, node: cst.AugAssign, st: State) -> None:
    """``target op= value``."""
    assign.augment(it, node, st)


def exec_type_alias(it: Interpreter, node: Any, st: State) -> None:
    """``type X = …``: nothing that matters at run time."""
    st.locals[node.name.value] = UNKNOWN


EXECUTORS: dict[type, Any] = {
    cst.SimpleStatementLine: exec_line,
    cst.SimpleStatementSuite: exec_line,
    cst.IndentedBlock: exec_line,
    cst.Expr: exec_expr,
    cst.Return: exec_return,
    cst.Raise: exec_raise,
    cst.Break: exec_break,
    cst.Continue: exec_continue,
    cst.Assert: exec_assert,
    cst.If: exec_if,
    cst.With: exec_with,
    cst.Try: exec_try,
    cst.TryStar: exec_try,
    cst.Global: exec_global,
    cst.Nonlocal: exec_global,
    cst.Del: exec_delete,
    cst.Match: exec_match,
    cst.Assign: exec_assign,
    cst.AnnAssign: exec_ann_assign,
    cst.AugAssign: exec_aug_assign,
    cst.For: loops.exec_for,
    cst.While: loops.exec_while,
    cst.FunctionDef: define_function,
    cst.ClassDef: define_class,
    cst.Import: exec_import,
    cst.ImportFrom: exec_import_from,
    cst.TypeAlias: exec_type_alias,
}

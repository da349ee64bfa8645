"""Donated buffers: after a call that donates an argument, its array is gone; a later read of it fails.

A donation is known along the path on which it happened: where paths meet, only what both donated stays donated.
Metadata (shape, dtype) of a donated array can be read, and inside another trace donation means nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from jaxlint.knowledge.array_api import ARRAY_METHODS, STATIC_ATTRIBUTES, SYNC_METHODS
from jaxlint.knowledge.compile_boundary import READERS, READS_METADATA
from jaxlint.tracing.boundary import constants, parameters_of
from jaxlint.tracing.values import (
    UNKNOWN,
    Array,
    Bound,
    Kind,
    Library,
    LibraryObject,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


class Donation(NamedTuple):
    """A call that took a buffer away. ``text``: the argument as it was written."""

    call: cst.CSTNode
    argument: cst.BaseExpression
    turn: tuple[int, ...]


class DonatedUse(NamedTuple):
    """A read of an array after it was donated. ``again``: at the same call, one iteration later."""

    node: cst.BaseExpression
    donation: Donation
    again: bool
    context: Context


def donate(it: Interpreter, wrapped: Transformed, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """A function with ``donate_argnums`` was called: what it was given there is gone."""
    if it.context.regions or type(node) is not cst.Call or arguments.open:
        return
    if wrapped.transform.lifts == "nnx":
        return  # the modules that it is given hold the new arrays after the call
    numbers = _positions(it, wrapped)
    if not numbers or any(arg.star for arg in node.args):
        return
    names = parameters_of(it, wrapped.fn)
    written = [arg for arg in node.args if arg.keyword is None]
    shift = len(arguments.positional) - len(written)
    taken: list[tuple[Value, cst.BaseExpression]] = []
    for number in numbers:
        if isinstance(number, int) and 0 <= number - shift < len(written):
            taken.append((arguments.positional[number], written[number - shift].value))
        name = number if isinstance(number, str) else names[number] if 0 <= number < len(names) else ""
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == name:
                taken.append((arguments.keywords[name], arg.value))
    for value, argument in taken:
        if _is_place(it, argument, st):
            donation = Donation(node, argument, it.turn)
            _check_twice(it, value, donation, arguments, node, st)
            _mark(it, value, donation, st, 0)


def _check_twice(
    it: Interpreter, value: Value, donation: Donation, arguments: Arguments, node: cst.Call, st: State
) -> None:
    """``f(x, x)`` with the first one donated: the same buffer cannot be read beside it."""
    written = [arg.value for arg in node.args]
    for expression, other in zip(written, arguments.all()[-len(written) :], strict=False):
        if other is value and expression is not donation.argument and isinstance(value, (Array, Unknown)):
            it.facts.donated_uses.append(DonatedUse(expression, donation, False, it.context))


def _positions(it: Interpreter, wrapped: Transformed) -> list[int | str]:
    out: list[int | str] = []
    names = parameters_of(it, wrapped.fn)
    for option in ("donate_argnums", "donate_argnames"):
        given = wrapped.options.get(option)
        for const in (constants(it, given) or ()) if given is not None else ():
            if isinstance(const, str):
                out.append(names.index(const) if const in names else const)
            else:
                out.append(const + len(names) if const < 0 else const)
    return out


def _is_place(it: Interpreter, node: cst.BaseExpression, st: State) -> bool:
    """Whether an argument is a variable or a field of an object that we follow: what it held can be asked for again."""
    if type(node) is cst.Attribute and type(node.value) is cst.Name:
        return isinstance(it.lookup(node.value.value, st), (Ref, Tuple))
    return type(node) is cst.Name


def _mark(it: Interpreter, value: Value, donation: Donation, st: State, depth: int) -> None:
    if isinstance(value, Array):
        if value.kind is Kind.CONCRETE:
            st.donated = {**st.donated, value: donation}
    elif isinstance(value, Unknown):
        if value is not UNKNOWN:
            st.donated = {**st.donated, value: donation}
    elif depth < 3:
        for item in _items(it, value, st):
            _mark(it, item, donation, st, depth + 1)


def _items(it: Interpreter, value: Value, st: State) -> tuple[Value, ...]:
    if isinstance(value, Tuple):
        return value.items
    held = it.contents(value.obj, st) if isinstance(value, Ref) and value.obj.form in ("list", "dict") else None
    return (*(held.items or ()), *held.fields.values()) if held is not None else ()


# Reads --------------------------------------------------------------------------------------------------------------


def check_call(it: Interpreter, func: Value, arguments: Arguments, node: cst.Call, st: State) -> None:
    """A call that reads its arguments' data: of JAX, of NumPy, of a jitted function, of a method of the array."""
    if isinstance(func, LibraryObject):
        if func.owner is not None and func.method in ARRAY_METHODS | SYNC_METHODS and type(node.func) is cst.Attribute:
            check(it, node.func.value, func.owner, st)
        return
    if not _reads(func) or any(arg.star for arg in node.args):
        return
    positional = [arg.value for arg in node.args if arg.keyword is None]
    for expression, value in zip(positional, arguments.positional, strict=False):
        check(it, expression, value, st)
    for arg in node.args:
        if arg.keyword is not None and arg.keyword.value in arguments.keywords:
            check(it, arg.value, arguments.keywords[arg.keyword.value], st)


def _reads(func: Value) -> bool:
    while isinstance(func, (Bound, Partial)):
        func = func.fn
    if isinstance(func, Transformed):
        return func.transform.binder == "jit"
    if not isinstance(func, Library) or func.name in READS_METADATA:
        return False
    return func.name.startswith(("jax.numpy.", "jax.lax.", "jax.nn.", "numpy.")) or func.name in READERS


def check(it: Interpreter, node: cst.BaseExpression, value: Value, st: State) -> None:
    """An operation reads ``value``: note it if that was donated."""
    if it.quiet or it.context.regions:
        return
    donation = _donation_of(it, value, st, 0)
    if donation is None and isinstance(node, (cst.Attribute, cst.Subscript)) and type(node.value) is cst.Name:
        owner = it.lookup(node.value.value, st)
        attribute = type(node) is cst.Attribute and node.attr.value not in STATIC_ATTRIBUTES
        known = isinstance(owner, Unknown) or (attribute and isinstance(owner, Array))
        if owner is not None and known and (attribute or type(node) is cst.Subscript):
            donation = st.donated.get(owner)
    if donation is not None:
        it.facts.spaces.setdefault(it.context.space)
        again = donation.argument is node or donation.turn != it.turn[: len(donation.turn)]
        it.facts.donated_uses.append(DonatedUse(node, donation, again, it.context))


def _donation_of(it: Interpreter, value: Value, st: State, depth: int) -> Donation | None:
    found = st.donated.get(value)
    if found is None and depth < 3 and isinstance(value, (Tuple, Ref)):
        for item in _items(it, value, st):
            found = _donation_of(it, item, st, depth + 1)
            if found is not None:
                break
    return found

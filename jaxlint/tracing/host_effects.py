"""Effects: calls that reach outside the program while JAX traces, and the objects that make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.knowledge.host_objects import CLOCK_ARGUMENTS, FUNCTIONS, GENERATORS, METHODS
from jaxlint.tracing.facts import Effect
from jaxlint.tracing.values import Array, Kind, LibraryObject, Static, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import State


class HostObject(LibraryObject):
    """A logger, a file, a generator…: made at ``node``, under ``depth`` regions, with ``arguments``."""

    __slots__ = ("arguments", "depth", "node")

    def __init__(self, cls: str, node: cst.CSTNode, depth: int, arguments: Arguments) -> None:
        super().__init__(cls)
        self.node = node
        self.depth = depth
        self.arguments = arguments

    @property
    def is_seeded(self) -> bool:
        """Whether it was made with arguments: a generator then draws the same numbers each time it is made."""
        return bool(self.arguments.all()) or self.arguments.open

    @property
    def mode(self) -> str:
        """How a file was opened; ``"?"`` where that cannot be read."""
        given = self.arguments.positional[1:2] or tuple(
            value for name, value in self.arguments.keywords.items() if name == "mode"
        )
        return _text(given[0]) if given else "r"


def _text(value: Value) -> str:
    return value.const if isinstance(value, Static) and isinstance(value.const, str) else "?"


def of_function(it: Interpreter, name: str, arguments: Arguments, node: cst.CSTNode, st: State) -> None:
    """Note what a library function does to the outside, if it does."""
    kind = FUNCTIONS.get(name)
    if kind is None or len(arguments.positional) > CLOCK_ARGUMENTS.get(name, 99):
        return
    if kind == "open":
        handle = HostObject("file", node, it.context.trace_depth, arguments)
        if not set("awx+") & set(handle.mode):
            return
        name = f"{name}:{handle.mode}"
    _note(it, kind, name, arguments, node, st, None)


def call_method(
    it: Interpreter, owner: HostObject, method: str, arguments: Arguments, node: cst.CSTNode, st: State
) -> Value:
    """Call a method of a host object."""
    kind = METHODS[owner.cls].get(method)
    if kind is not None and it.context.is_traced and not _repeats(owner):
        name = f"{owner.cls}.{method}"
        if kind == "open":
            mode = _text(arguments.positional[0]) if arguments.positional else "r"
            name, kind = f"{name}:{mode}", "open"
        if kind != "open" or set("awx+") & set(name.rpartition(":")[2]):
            _note(it, kind, name, arguments, node, st, owner)
    if owner.cls in GENERATORS and kind == "random":
        return Array(Kind.HOST, certain=False) if owner.cls.startswith("numpy.") else it.unknown(node)
    if kind == "open":
        return HostObject("file", node, it.context.trace_depth, arguments)
    return it.unknown(node)


def _repeats(owner: HostObject) -> bool:
    """A generator that is made and seeded inside the trace: its numbers are constants, and meant to be."""
    return owner.cls in GENERATORS and owner.depth > 0 and owner.is_seeded


def _note(
    it: Interpreter,
    kind: str,
    name: str,
    arguments: Arguments,
    node: cst.CSTNode,
    st: State,
    owner: HostObject | None,
) -> None:
    if it.quiet or it.muted:
        return
    from jaxlint.tracing.expressions import traced_in
    from jaxlint.tracing.library import flat

    values = flat(it, arguments, st, ("list", "set", "dict"))
    shown = next((found for value in values if (found := traced_in(value)) is not None), None)
    made = (owner.node, owner.depth) if owner is not None else None
    it.facts.spaces.setdefault(it.context.space)
    it.facts.effects.append(Effect(kind, name, node, shown, made, it.context))

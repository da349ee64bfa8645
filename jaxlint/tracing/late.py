"""Late values: what host code got from the project's other files, before anybody has looked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing.values import Unknown, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.arguments import Arguments
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.modules import ModuleSpace
    from jaxlint.tracing.state import Contents, HeapObject


class Deferred(Unknown):
    """What a function or class of another file of the project gave to host code: worked out only if a trace needs it.

    ``call``: the callee and its arguments; or ``base`` and the attribute or index (``part``) that was asked of it.
    ``held``: what the containers among the arguments held. A copy made for a memo shares the original's ``origin``.
    """

    __slots__ = ("base", "call", "held", "made", "origin", "part", "space", "tried")

    def __init__(self, birth: Context | None, node: cst.CSTNode | None, space: ModuleSpace) -> None:
        super().__init__(birth, node)
        self.space = space
        self.call: tuple[Value, Arguments] | None = None
        self.base: Deferred | None = None
        self.part: tuple[str, Any] = ("", None)
        self.held: dict[HeapObject, Contents] = {}
        self.origin: Deferred = self
        self.made: Value | None = None
        self.tried = False

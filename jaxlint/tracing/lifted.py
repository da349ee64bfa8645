"""Flax's lifted transforms of module classes: ``nn.remat(Block)`` is a class like ``Block`` whose calls are traced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.tracing.attributes import member
from jaxlint.tracing.values import ClassValue, Static, Transformed, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.knowledge.transform_rows import Transform


def lifted_class(row: Transform, cls: ClassValue, options: dict[str, Value], node: cst.CSTNode) -> ClassValue:
    """The class with its ``__call__`` under the transform. ``methods=`` may name others: then none is."""
    made = ClassValue(cls.node, cls.name, cls.frame, (cls,))
    made.family, made.fields = cls.family, cls.fields
    call = member(cls, "__call__")
    methods = options.get("methods")
    if call is not None and (methods is None or (isinstance(methods, Static) and methods.const is None)):
        made.members["__call__"] = Transformed(row, call, options, node)
    return made

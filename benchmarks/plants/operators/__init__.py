"""The kinds of fault that the planter knows."""

from __future__ import annotations

from . import arrays, branches, effects, keys, loops
from .base import Change, File, Operator, Plan, Site, apply

ALL: dict[str, Operator] = {
    kind.name: kind() for module in (branches, arrays, loops, effects, keys) for kind in module.OPERATORS
}

__all__ = ["ALL", "Change", "File", "Operator", "Plan", "Site", "apply"]

"""What happens while JAX traces and never again, and when that is meant. No rule of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxlint.tracing.context import RegionKind

if TYPE_CHECKING:
    from jaxlint.rules.base import Rule
    from jaxlint.tracing.context import Context, Region

#: Transforms that only ask for shapes: nothing is kept of what happens meanwhile.
_SHAPES_ONLY = frozenset({"jax.eval_shape", "jax.make_jaxpr", "equinox.filter_eval_shape", "equinox.filter_make_jaxpr"})
_OF_TRACING = re.compile(
    r"\b(?:re)?tracing\b|\btrace[ _-]?(?:time|count)|compilation|\b(?:re)?compil(?:ing|e[ _-]time)|\bjaxpr", re.I
)


def repeated(context: Context, *, mapped: bool = False) -> Region | None:
    """The transform that runs the code once and its result again and again, or None: then nothing is lost.

    ``mapped``: ``vmap`` counts too (it runs the code once for all rows).
    """
    stages: list[Region] = []
    maps: list[Region] = []
    for region in context.regions:
        if region.kind is RegionKind.HOST:
            stages, maps = [], []
        elif region.kind is RegionKind.STAGE:
            stages.append(region)
        elif region.kind is RegionKind.MAP:
            maps.append(region)
    if stages and stages[0].name in _SHAPES_ONLY:
        return None
    if stages:
        return stages[-1]
    return maps[-1] if maps and mapped else None


_TRACER_ERROR = re.compile(r"\b(?:Tracer\w*|ConcretizationType)Error\b")


def catches_tracer_errors(rule: Rule, context: Context) -> bool:
    """Whether the function itself names JAX's tracer errors: it shows what tracers are, on purpose."""
    module = rule.facts.owner(context.function, context).module
    return _TRACER_ERROR.search(module.code_for_node(context.function)) is not None


def speaks_of_tracing(rule: Rule, context: Context) -> bool:
    """Whether the function itself says that it is about tracing or compiling: what happens then is meant to."""
    module = rule.facts.owner(context.function, context).module
    return _OF_TRACING.search(module.code_for_node(context.function)) is not None

"""Contexts: a function as called by one chain of callers, under one stack of regions."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from jaxlint.tracing.values import Mode

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.modules import ModuleSpace
    from jaxlint.tracing.state import Frame
    from jaxlint.tracing.values import Value


class RegionKind(enum.Enum):
    """What a region does to the operations inside it."""

    STAGE = "stage"  # every operation gives a tracer: jit, scan, cond, checkpoint…
    MAP = "map"  # operations on mapped values give tracers: vmap
    DIFF = "diff"  # operations on differentiated values give tracers with a value underneath: grad, jvp
    HOST = "host"  # a callback: host code again


class Region:
    """One entered transform. ``label`` is how a person says it ("jitted", "the body of a `lax.scan`")."""

    __slots__ = ("kind", "label", "name", "node")

    def __init__(self, kind: RegionKind, name: str, label: str, node: cst.CSTNode) -> None:
        self.kind = kind
        self.name = name
        self.label = label
        self.node = node


class Context:
    """A function being interpreted. ``caller`` and ``call`` lead back to the entry."""

    __slots__ = (
        "call",
        "caller",
        "depth",
        "expects_failure",
        "frame",
        "function",
        "mode",
        "name",
        "passed",
        "regions",
        "space",
        "trace_depth",
    )

    def __init__(
        self,
        space: ModuleSpace,
        function: cst.CSTNode,
        name: str,
        caller: Context | None = None,
        call: cst.CSTNode | None = None,
        regions: tuple[Region, ...] = (),
        frame: Frame | None = None,
    ) -> None:
        self.space = space
        self.function = function
        self.name = name
        self.caller = caller
        self.call = call
        self.depth: int = 0 if caller is None else caller.depth + 1
        self.regions = regions
        self.frame = frame
        self.expects_failure = False  # a `pytest.raises` stands in it
        self.passed: tuple[Value, ...] = ()  # the arguments
        self.mode = _mode(regions)
        self.trace_depth = _trace_depth(regions)

    @property
    def is_staged(self) -> bool:
        """Whether every operation here gives a tracer."""
        return self.mode is Mode.STAGED

    @property
    def is_traced(self) -> bool:
        """Whether any transform is around (and no callback inside it)."""
        return self.trace_depth > 0

    def region(self) -> Region | None:
        """The region that takes the numbers away: the innermost one that stages, else maps, else differentiates."""
        if not self.trace_depth:
            return None
        for kind in (RegionKind.STAGE, RegionKind.MAP, RegionKind.DIFF):
            for region in reversed(self.regions):
                if region.kind is kind:
                    return region
                if region.kind is RegionKind.HOST:
                    break
        return None


def _mode(regions: tuple[Region, ...]) -> Mode:
    for region in reversed(regions):
        if region.kind is RegionKind.HOST:
            return Mode.NONE
        if region.kind is RegionKind.STAGE:
            return Mode.STAGED
    return Mode.NONE


def _trace_depth(regions: tuple[Region, ...]) -> int:
    """The number of regions, or 0 when the innermost one is a callback (host code belongs to no trace)."""
    if regions and regions[-1].kind is RegionKind.HOST:
        return 0
    return len(regions)

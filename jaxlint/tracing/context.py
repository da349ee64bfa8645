"""Contexts: a function as called by one chain of callers, under one stack of regions."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from jaxlint.knowledge.operands import HOST_ROOTS
from jaxlint.tracing.values import Mode

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.config.assumed import AssumedModule
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

    @property
    def place(self) -> str:
        """What happens at the region's node, for stories."""
        return f"{self.label} here"

    def sentence(self, name: str) -> str:
        """What the region makes of the function ``name``, for stories."""
        return f"`{name}` is {self.label} here"


class AssumedRegion(Region):
    """No transform that anybody sees: the settings say that the public functions of ``module`` are traced.

    ``what``: a public function of it, or one that such a function returns.
    """

    __slots__ = ("module", "on_host", "what")

    def __init__(self, module: AssumedModule, function: str, node: cst.CSTNode, what: str) -> None:
        # The name tells entries apart: what is remembered of a call under one is not said of another.
        name = f"assume-traced {module.name} {function}"
        super().__init__(RegionKind.STAGE, name, "by its users: `assume-traced`", node)
        self.module = module
        self.what = what
        self.on_host = False  # it came to code that only the host runs

    def calls(self, name: str) -> None:
        """A library function is called inside."""
        if name.partition(".")[0] in HOST_ROOTS or name in HOST_ROOTS:
            self.on_host = True

    @property
    def place(self) -> str:
        """The settings' word about the module."""
        return f"the settings say that the public functions of `{self.module.name}` are traced by their users"

    def sentence(self, name: str) -> str:
        """The settings' word."""
        return f"`{name}` is {self.what} of `{self.module.name}`, which the settings say is traced by its users"


class Context:
    """A function being interpreted. ``caller`` and ``call`` lead back to the entry."""

    __slots__ = (
        "call",
        "caller",
        "depth",
        "expects_failure",
        "frame",
        "function",
        "marks",
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
        #: What a library put around this that traces nothing (`hk.transform`), with the number of regions around it.
        self.marks: tuple[tuple[str, int], ...] = () if caller is None else caller.marks
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

    @property
    def assumed(self) -> AssumedRegion | None:
        """The entry that the trace around rests on, if it is the settings' word alone."""
        return next((region for region in self.regions if isinstance(region, AssumedRegion)), None)

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

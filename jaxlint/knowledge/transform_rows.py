"""One row of a table of transforms: which argument is the function, how its arguments are bound, which region opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Binder = Literal[
    "jit",
    "vmap",
    "grad",
    "checkpoint",
    "custom",
    "scan",
    "cond",
    "switch",
    "while",
    "fori",
    "map",
    "call",
    "tree",
    "callback",
    "associative",
    "vjp",
    "shape",
    "wrap",
    "host_wrap",
    "shard",
    "checked",
    "kernel",
    "lead",
    "solve",
    "witness",
]
RegionName = Literal["stage", "map", "diff", "host", "none"]


#: Libraries whose transforms take modules apart into arrays and put them together again.
_LIFTING = {"flax.linen": "linen", "flax.nnx": "nnx"}


@dataclass(frozen=True)
class Transform:
    """One row.

    ``params``: the parameter names in order, so that keywords find their place. ``label``: how a person says
    that a function is inside it. ``filtered``: only arrays are traced, other arguments stay as they are
    (equinox's ``filter_*``). ``returns``: ``"function"`` for wrappers, ``"result"`` for direct calls.

    ``gives`` says what a library passes to the function: ``"number"`` a traced number, ``"tree"`` a traced pytree, the
    name of a parameter (``"*args"``: several) that value traced, ``"=args"`` that tuple as it is; what is not listed is
    unknown and untouched. ``lead``: leading arguments that are not passed on (``params`` and ``rng`` of haiku's
    ``apply``).
    """

    name: str
    binder: Binder
    region: RegionName
    params: tuple[str, ...]
    label: str
    returns: Literal["function", "result"] = "function"
    filtered: bool = False
    options: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    lead: tuple[str, ...] = ()

    @property
    def lifts(self) -> str:
        """Whose modules it carries in and out: ``"linen"``, ``"nnx"`` (these are updated in place), else ``""``."""
        return _LIFTING.get(self.name.rpartition(".")[0], "")

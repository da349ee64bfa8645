"""Canonical names: libraries export one thing under several names; tables know it by one."""

from __future__ import annotations

#: Prefixes, longest first: (as written, canonical).
_PREFIXES: tuple[tuple[str, str], ...] = (
    ("jax._src.numpy.lax_numpy", "jax.numpy"),
    ("jax._src.random", "jax.random"),
    ("jax._src.lax.lax", "jax.lax"),
    ("jax._src.api", "jax"),
    ("flax.linen.module", "flax.linen"),
    ("flax.experimental.nnx", "flax.nnx"),
    ("equinox.nn._misc", "equinox.nn"),
    ("optax.losses", "optax"),
    ("optax.schedules", "optax"),
    ("numpyro.primitives", "numpyro"),
    ("optax._src.base", "optax"),
    ("numpy.core", "numpy"),
)

#: Single names: old or second name -> canonical name.
_SAME: dict[str, str] = {
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.interpreters.ad.custom_jvp": "jax.custom_jvp",
    "jax.experimental.maps.shard_map": "jax.shard_map",
    "jax.api.jit": "jax.jit",
    "jax.tree_util.Partial": "functools.partial",
    "toolz.functoolz.partial": "functools.partial",
    "numpy.random.mtrand": "numpy.random",
}


def canonical(name: str) -> str:
    """The name under which tables know ``name``."""
    found = _SAME.get(name)
    if found is not None:
        return found
    for written, known in _PREFIXES:
        if name == written or name.startswith(written + "."):
            return known + name[len(written) :]
    return name

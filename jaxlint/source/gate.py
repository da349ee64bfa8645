"""The bytes gate: files that never mention JAX or a library on top of it are not parsed."""

from __future__ import annotations

#: Import names of JAX and of libraries whose users write JAX code, and ``jnp``, which projects re-export.
#: "jax" alone covers jaxlib, jaxtyping, jaxopt, blackjax, kfac_jax, tensorflow_probability.substrates.jax, …
MARKERS: tuple[str, ...] = (
    "jax",
    "jnp",
    "flax",
    "optax",
    "equinox",
    "haiku",
    "numpyro",
    "brax",
    "chex",
    "orbax",
    "distrax",
    "rlax",
    "evosax",
    "diffrax",
    "optimistix",
    "lineax",
    "penzai",
    "jraph",
    "mctx",
    "gymnax",
    "haliax",
    "levanter",
    "praxis",
    "oryx",
    "dm_pix",
    "quax",
    "tunix",
    "maxtext",
    "t5x",
)
_BYTES = tuple(marker.encode() for marker in MARKERS)


def mentions_jax(data: bytes | str) -> bool:
    """Whether the file says any of the names at all: an over-approximation that costs microseconds."""
    if isinstance(data, str):
        return any(marker in data for marker in MARKERS)
    return any(marker in data for marker in _BYTES)

"""What the functions of jax.random do to their key.

Measured with JAX 0.12.0.1: roles with `jax.experimental.key_reuse` (a sampler sinks its key and returns no key, `split`
sinks and sources, `fold_in`, `clone`, `key` and `wrap_key_data` only source, `key_data` and `key_impl` do neither),
shapes by tracing them inside jit. All names are full dotted names (`jax.random.normal`). The key is at position 0, or
the keyword `key`; KEY_READERS name it `keys`.
"""

from __future__ import annotations


def _random(names: str) -> frozenset[str]:
    """The names, each with `jax.random.` in front."""
    return frozenset("jax.random." + name for name in names.split())


#: Consume the key at position 0 (keyword `key`) and return an array.
SAMPLERS: frozenset[str] = _random(
    """
    ball bernoulli beta binomial bits categorical cauchy chisquare choice dirichlet double_sided_maxwell exponential f
    gamma generalized_normal geometric gumbel laplace loggamma logistic lognormal maxwell multinomial
    multivariate_normal normal orthogonal pareto permutation poisson rademacher randint rayleigh t triangular
    truncated_normal uniform wald weibull_min
    """
)

#: Removed samplers that older code still calls; not measured.
REMOVED_SAMPLERS: frozenset[str] = _random("shuffle")

#: Consume a key and return an array of `num` (default 2; an int or a shape) fresh ones. `split(key, n)[i]`
#: equals `fold_in(key, i)` where jax_threefry_partitionable is on, the default since JAX 0.5 (not so in 0.4.30).
SPLITTERS: frozenset[str] = _random("split")

#: Make a key from a seed or from raw bits. `PRNGKey` makes a uint32 array that JAX's own checker does not follow.
SOURCES: frozenset[str] = _random("key PRNGKey wrap_key_data")

#: Make a fresh key from a key without consuming it: `fold_in(key, data)`, `clone(key)` (the same key again, on
#: purpose).
DERIVERS: frozenset[str] = _random("fold_in clone")

#: Read a key without consuming it: its bits (an array), its implementation, its dtype.
KEY_READERS: frozenset[str] = _random("key_data key_impl key_dtype")

#: Of those, the ones whose result is no array.
STATIC_READERS: frozenset[str] = _random("key_impl key_dtype")

#: Position and keyword of the key in every function that takes one, but for KEY_READERS.
KEY_ARGUMENT: tuple[int, str] = (0, "key")

_SHAPES: tuple[tuple[tuple[tuple[int, str], ...], str], ...] = (
    (((1, "shape"),), "bits cauchy exponential gumbel laplace logistic maxwell normal rademacher randint uniform"),
    (
        ((2, "shape"),),
        """
        bernoulli chisquare dirichlet gamma generalized_normal geometric loggamma lognormal pareto poisson rayleigh t
        wald
        """,
    ),
    (
        ((3, "shape"),),
        "beta binomial double_sided_maxwell f multinomial multivariate_normal truncated_normal weibull_min",
    ),
    (((4, "shape"),), "triangular"),
    (((1, "d"), (3, "shape")), "ball"),
    (((1, "n"), (2, "shape"), (4, "m")), "orthogonal"),
    (((2, "axis"), (3, "shape"), (4, "replace")), "categorical"),
    (((2, "shape"), (3, "replace"), (5, "axis")), "choice"),
    (((2, "axis"), (3, "independent")), "permutation"),
    (((1, "num"),), "split"),
)

#: Arguments (position, keyword) that must be Python values: a traced int there, or a tuple of them, raises inside jit.
#: Distribution parameters (`minval`, `p`, `logits`, `data` of fold_in, the seed of `key`) take tracers.
SHAPE_ARGUMENTS: dict[str, tuple[tuple[int, str], ...]] = {
    "jax.random." + name: arguments for arguments, names in _SHAPES for name in names.split()
}

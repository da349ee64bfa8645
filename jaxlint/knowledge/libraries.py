"""What functions and classes of libraries beside JAX give: arrays, keys, distributions, variables, references.

Measured with the versions named in `library_transforms`; tests/knowledge/test_libraries.py asks those that are installed.
"""

from __future__ import annotations


def _in(module: str, names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for name in names.split())


#: The class name under which a variable of nnx goes (`nnx.Param(x)`): its value is read by `.value` and `[...]`.
VARIABLE = "flax.nnx.Variable"
VARIABLES = _in("flax.nnx", "Variable Param BatchStat Cache Intermediate Perturbation RngState VariableState")
#: Ways to read a variable of nnx.
VARIABLE_READS = frozenset({"value", "raw_value"})

#: What a kernel gets for its arrays: reads give arrays, writes go to it.
REFERENCE = "jax.Ref"

#: Functions that give one array if they are given arrays.
ARRAY_FUNCTIONS: frozenset[str] = (
    _in(
        "optax",
        """
        cosine_distance cosine_similarity ctc_loss convex_kl_divergence generalized_kl_divergence hinge_loss huber_loss
        kl_divergence l2_loss log_cosh ntxent safe_softmax_cross_entropy sigmoid_binary_cross_entropy sigmoid_focal_loss
        smooth_labels softmax_cross_entropy softmax_cross_entropy_with_integer_labels squared_error global_norm safe_norm
        safe_root_mean_squares safe_increment
        """,
    )
    | _in("haiku", "dropout avg_pool max_pool one_hot get_parameter multinomial")
    | _in(
        "flax.nnx",
        """
        celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax logsumexp one_hot
        relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh avg_pool max_pool
        dot_product_attention make_causal_mask make_attention_mask combine_masks
        """,
    )
    | _in("jax.experimental.pallas", "program_id")
)  # fmt: skip

#: The same, but what is numpy's stays numpy's.
LIKE_THEIR_INPUT = _in("einops", "rearrange reduce repeat einsum")

#: Functions that give a pytree of arrays, or an array that may be one.
TREE_FUNCTIONS = _in("optax", "apply_updates incremental_update periodic_update") | _in("haiku", "get_state")

#: Modules of distributions: their classes are made from arrays, and their methods give arrays.
DISTRIBUTION_MODULES = (
    "numpyro.distributions.",
    "distrax.",
    "tensorflow_probability.substrates.jax.distributions.",
)
#: Not distributions, though they are classes there.
NO_DISTRIBUTIONS = ("numpyro.distributions.constraints", "numpyro.distributions.transforms", "numpyro.distributions.kl")
#: Methods of distributions that give an array.
DISTRIBUTION_ARRAYS = frozenset({
    "log_prob", "prob", "sample", "mean", "mode", "median", "stddev", "variance", "entropy", "cdf", "log_cdf", "icdf",
    "kl_divergence", "cross_entropy", "survival_function", "log_survival_function", "quantile", "rsample",
})  # fmt: skip
#: Methods for arrays that numpyro has as properties.
DISTRIBUTION_PROPERTIES = frozenset({"mean", "variance"})
#: Methods that give a distribution of the same arrays.
DISTRIBUTION_SAME = frozenset({"to_event", "expand", "expand_by", "mask", "reshape"})

#: chex assertions about values: they fail on tracers, but inside `chex.chexify` three are checked later.
CHEX_VALUE_ASSERTIONS = _in(
    "chex",
    """
    assert_trees_all_close assert_trees_all_equal assert_tree_all_finite assert_trees_all_close_ulp assert_is_divisible
    assert_scalar assert_scalar_in assert_scalar_positive assert_scalar_negative assert_scalar_non_negative
    """,
)
CHEXIFIED = _in("chex", "assert_trees_all_close assert_trees_all_equal assert_tree_all_finite")


def is_distribution(name: str) -> bool:
    """Whether ``name`` is a class of distributions."""
    return (
        name.startswith(DISTRIBUTION_MODULES)
        and not name.startswith(NO_DISTRIBUTIONS)
        and name.rpartition(".")[2][:1].isupper()
    )

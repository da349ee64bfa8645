"""What libraries do to the keys that they are handed: which argument it is, and what becomes of it.

Measured with flax 0.12.12, dm-haiku 0.0.17, blackjax 1.7.1, numpyro 0.22.0, distrax 0.1.9 and equinox 0.13.8
(tests/knowledge/test_key_takers.py). Names are canonical dotted names. Objects are known by their class; the method
"" is a call of the object itself.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

#: What a key is taken for.
#:
#: draw: numbers are drawn from it, or it is split. run: the same, but another object may be run with the same key to
#: compare the two. init: parameters are drawn, each from a key folded with its own path (two models get equal layers,
#: but nothing else meets these keys). stream: layers draw, each from a key folded with its own path. rngs: it is folded
#: with 0, 1 and so on, which gives what `split` gives. split: it is split as numbers are asked for.
How = Literal["draw", "run", "init", "stream", "rngs", "split"]


class Taker(NamedTuple):
    """The key's place among the arguments (-1: by keyword only), and what it is taken for."""

    position: int
    keyword: str
    how: How = "draw"


def _each(prefix: str, names: str) -> tuple[str, ...]:
    return tuple(prefix + name for name in names.split())


_INITIALISERS = """
delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform lecun_normal
lecun_uniform normal orthogonal truncated_normal uniform variance_scaling xavier_normal xavier_uniform
"""
_BLACKJAX = """
additive_step_random_walk adjusted_mclmc adjusted_mclmc_dynamic barker barker_proposal coordinate_slice csgld dhmc
dynamic_hmc elliptical_slice ghmc hmc irmh mala mclmc mgrad_gaussian mhmc nuts orbital_hmc rmh rmhmc sghmc sgld sgnht
slice_sampling tempered_smc adaptive_tempered_smc normal_random_walk
"""
_NUMPYRO = """
AsymmetricLaplace Bernoulli BernoulliLogits BernoulliProbs Beta BetaBinomial BetaProportion Binomial BinomialLogits
BinomialProbs Categorical CategoricalLogits CategoricalProbs Cauchy Chi2 Dirichlet DirichletMultinomial DiscreteUniform
Exponential Gamma GammaPoisson GaussianRandomWalk Geometric GeometricLogits GeometricProbs Gumbel HalfCauchy HalfNormal
Independent InverseGamma Kumaraswamy LKJ LKJCholesky Laplace LogNormal LogUniform Logistic LowRankMultivariateNormal
MixtureSameFamily Mixture Multinomial MultinomialLogits MultinomialProbs MultivariateNormal MultivariateStudentT
NegativeBinomial2 Normal Pareto Poisson SoftLaplace StudentT TransformedDistribution TruncatedNormal Uniform VonMises
Weibull ZeroInflatedPoisson
"""
_DISTRAX = """
Bernoulli Beta Categorical Clipped ClippedNormal Dirichlet EpsilonGreedy Gamma Gumbel Independent Joint Laplace
LogStddevNormal Logistic MixtureOfTwo MixtureSameFamily Multinomial MultivariateNormalDiag MultivariateNormalDiagPlusLowRank
MultivariateNormalFullCovariance MultivariateNormalTri Normal OneHotCategorical Quantized Softmax Transformed Uniform
VonMises
"""
_EQUINOX = """
Linear MLP Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d GRUCell LSTMCell
MultiheadAttention Embedding
"""

#: Functions and classes that take a key when they are called.
FUNCTIONS: dict[str, Taker] = {
    **dict.fromkeys(_each("equinox.nn.", _EQUINOX), Taker(-1, "key")),
    "haiku.PRNGSequence": Taker(0, "key_or_seed", "split"),
    "haiku.dropout": Taker(0, "rng"),
    "numpyro.sample": Taker(-1, "rng_key"),
    "numpyro.infer.util.initialize_model": Taker(0, "rng_key"),
    "blackjax.mclmc_find_L_and_step_size": Taker(3, "rng_key"),
}

#: Calls that make an object whose methods take keys -> the family of the object.
MAKERS: dict[str, str] = {
    **dict.fromkeys(_each("jax.nn.initializers.", _INITIALISERS), "initialiser"),
    **dict.fromkeys(_each("flax.linen.initializers.", _INITIALISERS), "initialiser"),
    **dict.fromkeys(_each("blackjax.", _BLACKJAX), "blackjax"),
    **dict.fromkeys(_each("numpyro.distributions.", _NUMPYRO), "numpyro distribution"),
    **dict.fromkeys(_each("distrax.", _DISTRAX), "distrax distribution"),
    "blackjax.window_adaptation": "blackjax adaptation",
    "numpyro.infer.MCMC": "numpyro.MCMC",
    "numpyro.infer.SVI": "numpyro.SVI",
    "numpyro.infer.Predictive": "numpyro.Predictive",
    "equinox.nn.Dropout": "equinox.Dropout",
    "haiku.transform": "haiku",
    "haiku.transform_with_state": "haiku with state",
    "haiku.without_apply_rng": "haiku without rng",
    "flax.nnx.Rngs": "nnx.Rngs",
}

#: (family, method) -> where it takes a key.
METHODS: dict[tuple[str, str], Taker] = {
    ("initialiser", ""): Taker(0, "key"),
    ("blackjax", "init"): Taker(1, "rng_key"),
    ("blackjax", "step"): Taker(0, "rng_key"),
    ("blackjax adaptation", "run"): Taker(0, "rng_key"),
    ("numpyro distribution", "sample"): Taker(0, "key"),
    ("numpyro distribution", "rsample"): Taker(0, "key"),
    ("numpyro distribution", "sample_with_intermediates"): Taker(0, "key"),
    ("distrax distribution", "sample"): Taker(-1, "seed"),
    ("distrax distribution", "sample_and_log_prob"): Taker(-1, "seed"),
    ("numpyro.MCMC", "run"): Taker(0, "rng_key", "run"),
    ("numpyro.MCMC", "warmup"): Taker(0, "rng_key", "run"),
    ("numpyro.SVI", "init"): Taker(0, "rng_key", "run"),
    ("numpyro.SVI", "run"): Taker(0, "rng_key", "run"),
    ("numpyro.Predictive", ""): Taker(0, "rng_key"),
    ("equinox.Dropout", ""): Taker(-1, "key"),
    ("haiku", "init"): Taker(0, "rng", "init"),
    ("haiku", "apply"): Taker(1, "rng"),
    ("haiku with state", "init"): Taker(0, "rng", "init"),
    ("haiku with state", "apply"): Taker(2, "rng"),
    ("haiku without rng", "init"): Taker(0, "rng", "init"),
    ("linen", "init"): Taker(0, "rngs", "init"),
    ("linen", "init_with_output"): Taker(0, "rngs", "init"),
    ("linen", "apply"): Taker(-1, "rngs", "stream"),
}

#: Methods whose result is an object of the same family.
SAME_FAMILY: frozenset[tuple[str, str]] = frozenset(
    ("numpyro distribution", method) for method in ("expand", "expand_by", "mask", "to_event")
)

#: Families whose objects wrap a function: what it draws decides whether `apply` draws.
WRAPPERS = frozenset({"haiku", "haiku with state", "haiku without rng"})

#: Names by which a Haiku function asks for a key.
HAIKU_KEYS = frozenset({"next_rng_key", "next_rng_keys", "maybe_next_rng_key", "reserve_rng_keys"})

#: Methods by which an object of an unknown class draws from its keyword `seed` (the interface of distrax and TFP).
SEEDED_METHODS = frozenset({"sample", "sample_and_log_prob", "experimental_sample_and_log_prob"})

#: Arguments that switch the randomness of layers off.
SWITCHED_OFF: dict[str, bool] = {
    "train": False,
    "training": False,
    "is_training": False,
    "is_train": False,
    "deterministic": True,
    "inference": True,
    "eval": True,
    "enable_dropout": False,
}

#: The stream of nnx.Rngs from which parameters are drawn.
PARAMETER_STREAM = "params"

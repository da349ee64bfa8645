"""Functions of libraries beside JAX that trace what they are given: nnx, haiku, optax, numpyro, blackjax, solvers.

Measured with jax 0.12, flax 0.12, dm-haiku 0.0.17, optax 0.2.8, numpyro 0.22, blackjax 1.7, jaxopt 0.8.5, diffrax 0.7,
optimistix 0.1 and lineax 0.1; tests/knowledge/test_library_transforms.py asks those that are installed.
"""

from __future__ import annotations

from jaxlint.knowledge.transform_rows import Transform

_JIT = ("fun", "in_shardings", "out_shardings", "static_argnums", "static_argnames", "donate_argnums")
_VMAP = ("f", "in_axes", "out_axes", "axis_name", "axis_size")
_GRAD = ("f", "argnums", "has_aux")
_SCAN = ("f", "init", "xs", "length", "reverse", "unroll")
_COND = ("pred", "true_fun", "false_fun")
_WHILE = ("cond_fun", "body_fun", "init_val")
_FORI = ("lower", "upper", "body_fun", "init_val")
_REMAT = ("f", "prevent_cse", "static_argnums", "policy")

_NNX = (
    Transform("flax.nnx.jit", "jit", "stage", _JIT, "jitted by `nnx.jit`"),
    Transform("flax.nnx.pmap", "jit", "stage", ("f", "axis_name", "in_axes", "out_axes", "static_broadcasted_argnums"), "mapped by `nnx.pmap`"),
    Transform("flax.nnx.scan", "jit", "stage", ("f",), "the body of an `nnx.scan`"),
    Transform("flax.nnx.vmap", "vmap", "map", _VMAP, "vmapped by `nnx.vmap`"),
    Transform("flax.nnx.grad", "grad", "diff", _GRAD, "differentiated by `nnx.grad`"),
    Transform("flax.nnx.value_and_grad", "grad", "diff", _GRAD, "differentiated by `nnx.value_and_grad`"),
    Transform("flax.nnx.remat", "checkpoint", "stage", _REMAT, "under `nnx.remat`"),
    Transform("flax.nnx.shard_map", "shard", "stage", ("f", "mesh", "in_specs", "out_specs"), "under `nnx.shard_map`"),
    Transform("flax.nnx.cond", "cond", "stage", _COND, "a branch of an `nnx.cond`", returns="result"),
    Transform("flax.nnx.switch", "switch", "stage", ("index", "branches"), "a branch of an `nnx.switch`", returns="result"),
    Transform("flax.nnx.while_loop", "while", "stage", _WHILE, "the body of an `nnx.while_loop`", returns="result"),
    Transform("flax.nnx.fori_loop", "fori", "stage", _FORI, "the body of an `nnx.fori_loop`", returns="result"),
    Transform("flax.nnx.eval_shape", "call", "stage", ("f",), "traced by `nnx.eval_shape`", returns="result"),
)  # fmt: skip

_HAIKU = (
    Transform("haiku.scan", "scan", "stage", _SCAN, "the body of an `hk.scan`", returns="result"),
    Transform("haiku.cond", "cond", "stage", _COND, "a branch of an `hk.cond`", returns="result"),
    Transform("haiku.switch", "switch", "stage", ("index", "branches"), "a branch of an `hk.switch`", returns="result"),
    Transform("haiku.while_loop", "while", "stage", _WHILE, "the body of an `hk.while_loop`", returns="result"),
    Transform("haiku.fori_loop", "fori", "stage", _FORI, "the body of an `hk.fori_loop`", returns="result"),
    Transform("haiku.map", "map", "stage", ("f", "xs"), "mapped by `hk.map`", returns="result"),
    Transform("haiku.remat", "checkpoint", "stage", ("fun", "prevent_cse", "policy", "static_argnums"), "under `hk.remat`"),
    Transform("haiku.vmap", "vmap", "map", ("fun", "in_axes", "out_axes", "axis_name", "axis_size"), "vmapped by `hk.vmap`"),
    Transform("haiku.grad", "grad", "diff", ("fun", "argnums", "has_aux"), "differentiated by `hk.grad`"),
    Transform("haiku.value_and_grad", "grad", "diff", ("fun", "argnums", "has_aux"), "differentiated by `hk.value_and_grad`"),
    Transform("haiku.eval_shape", "call", "stage", ("fun",), "traced by `hk.eval_shape`", returns="result"),
)  # fmt: skip

_EQUINOX = tuple(
    Transform(f"equinox.filter_{name}", "grad", "diff", ("fun",), f"differentiated by `filter_{name}`", filtered=True)
    for name in ("jacfwd", "jacrev", "hessian")
)

_CHECKIFY = (
    Transform("jax.experimental.checkify.checkify", "checked", "stage", ("f", "errors"), "traced by `checkify`"),
    Transform("flax.nnx.checkify", "checked", "stage", ("f", "errors"), "traced by `nnx.checkify`"),
)

_JAX = (
    Transform("jax.experimental.pallas.pallas_call", "kernel", "stage", ("kernel",), "a Pallas kernel"),
    Transform("jax.numpy.vectorize", "vmap", "map", ("pyfunc",), "mapped by `jnp.vectorize`"),
    Transform("jax.closure_convert", "solve", "stage", ("fun",), "traced by `closure_convert`", returns="result", gives=("*",)),
    Transform("jax.numpy.apply_along_axis", "solve", "map", ("func1d", "axis", "arr"), "mapped by `jnp.apply_along_axis`", returns="result", gives=("arr",)),
    Transform("jax.numpy.fromfunction", "solve", "map", ("function", "shape"), "mapped by `jnp.fromfunction`", returns="result", gives=("number", "number")),
    Transform("jax.lax.custom_linear_solve", "solve", "stage", ("matvec", "b", "solve", "transpose_solve"), "applied by `lax.custom_linear_solve`", returns="result", gives=("b",)),
    Transform("jax.experimental.ode.odeint", "solve", "stage", ("func", "y0", "t"), "integrated by `odeint`", returns="result", gives=("y0", "number", "*")),
    Transform("jax.scipy.optimize.minimize", "solve", "stage", ("fun", "x0", "args"), "minimised by `jax.scipy.optimize.minimize`", returns="result", gives=("x0", "=args")),
    Transform("jax.scipy.sparse.linalg.cg", "solve", "stage", ("A", "b"), "applied by `cg`", returns="result", gives=("b",)),
    Transform("jax.scipy.sparse.linalg.gmres", "solve", "stage", ("A", "b"), "applied by `gmres`", returns="result", gives=("b",)),
    Transform("jax.scipy.sparse.linalg.bicgstab", "solve", "stage", ("A", "b"), "applied by `bicgstab`", returns="result", gives=("b",)),
)  # fmt: skip

_NUMPYRO = (
    *(
        Transform(f"numpyro.infer.{name}", "witness", "stage", ("model",), f"run by `{name}`")
        for name in ("NUTS", "HMC", "BarkerMH", "AIES", "ESS", "SA", "Predictive")
    ),
    Transform("numpyro.infer.SVI", "witness", "stage", ("model", "guide"), "run by `SVI`"),
    Transform("numpyro.contrib.control_flow.scan", "scan", "stage", _SCAN, "the body of a numpyro `scan`", returns="result"),
    Transform("numpyro.contrib.control_flow.cond", "cond", "stage", _COND, "a branch of a numpyro `cond`", returns="result"),
    Transform("numpyro.handlers.seed", "wrap", "none", ("fn",), "seeded"),
)  # fmt: skip

_POTENTIALS = tuple(
    Transform(f"numpyro.infer.{name}.potential_fn", "witness", "stage", ("potential_fn",), f"sampled by `{name}`", gives=("tree",))
    for name in ("NUTS", "HMC", "BarkerMH", "AIES", "ESS", "SA")
)  # fmt: skip

#: Samplers that call the density in loops of their own, also outside `jit`: for the others (`rmh`, `mala`) a branch is
#: fine until somebody jits the step.
_BLACKJAX = tuple(
    Transform(f"blackjax.{name}", "witness", "stage", ("logdensity_fn",), f"sampled by `blackjax.{name}`", gives=("tree",))
    for name in (
        "nuts", "hmc", "ghmc", "dynamic_hmc", "multinomial_hmc", "orbital_hmc", "rmhmc", "slice_sampling", "meanfield_vi",
    )
) + tuple(
    Transform(f"blackjax.{name}", "witness", "stage", ("algorithm", "logdensity_fn"), f"sampled by `blackjax.{name}`", gives=("tree",))
    for name in ("window_adaptation", "pathfinder_adaptation")
)  # fmt: skip

_JAXOPT = {
    "fun": """
    GradientDescent BFGS LBFGS LBFGSB NonlinearCG PolyakSGD ArmijoSGD Broyden ProximalGradient ProjectedGradient MirrorDescent
    OptaxSolver ScipyMinimize
    """,
    "residual_fun": "GaussNewton LevenbergMarquardt",
    "fixed_point_fun": "FixedPointIteration AndersonAcceleration",
    "optimality_fun": "Bisection ScipyRootFinding",
}

_SOLVERS = (
    *(
        Transform(
            f"jaxopt.{name}", "witness", "stage", (function,), f"solved by `jaxopt.{name}`", gives=("tree", "...")
        )
        for function, names in _JAXOPT.items()
        for name in names.split()
    ),
    *(
        Transform(
            f"optimistix.{name}", "solve", "stage", ("fn", "solver", "y0", "args"), f"traced by `optimistix.{name}`",
            returns="result", filtered=True, gives=("y0", "args"),
        )
        for name in ("root_find", "least_squares", "minimise", "fixed_point")
    ),
    Transform("diffrax.ODETerm", "witness", "stage", ("vector_field",), "integrated by `diffrax`", gives=("number", "tree")),
    Transform("lineax.FunctionLinearOperator", "solve", "stage", ("fn", "input_structure"), "traced by `lineax.FunctionLinearOperator`", returns="result", gives=("tree",)),
)  # fmt: skip

#: `chexify` makes room for assertions about values.
CHEXIFY = Transform("chex.chexify", "lead", "none", ("fn",), "chexified")

#: Every row about a library.
LIBRARY_ROWS: tuple[Transform, ...] = (
    CHEXIFY, *_NNX, *_HAIKU, *_EQUINOX, *_CHECKIFY, *_JAX, *_NUMPYRO, *_POTENTIALS, *_BLACKJAX, *_SOLVERS,
)  # fmt: skip


def _haiku_apply(name: str, *lead: str) -> Transform:
    return Transform(f"{name}.apply", "lead", "none", ("f",), "applied", lead=lead)


#: What `hk.transform` and the like make of a function: `apply`, by the leading arguments that it takes.
HAIKU_APPLY: dict[str, Transform] = {
    "haiku.transform": _haiku_apply("haiku.transform", "params", "rng"),
    "haiku.transform_with_state": _haiku_apply("haiku.transform_with_state", "params", "state", "rng"),
}
#: And `init`: it runs the function with the arguments after the key.
HAIKU_INIT = Transform("haiku.init", "lead", "none", ("f",), "initialised", lead=("rng",))

#: Functions that draw from haiku's key sequence or write its state.
HAIKU_DRAWS = frozenset({"haiku.next_rng_key", "haiku.next_rng_keys", "haiku.maybe_next_rng_key"})
HAIKU_WRITES = frozenset({"haiku.set_state"})

#: Loops of JAX whose body is traced once: what it does to haiku's own state happens in that trace.
PLAIN_LOOPS = frozenset({"jax.lax.scan", "jax.lax.fori_loop", "jax.lax.while_loop", "jax.lax.map"})

#: The argument of optax's optimizers and transformations that may be a schedule, by position and name.
SCHEDULED: dict[str, str] = {
    **dict.fromkeys(
        (
            f"optax.{name}"
            for name in [
                "adabelief",
                "adadelta",
                "adafactor",
                "adagrad",
                "adam",
                "adamax",
                "adamaxw",
                "adamw",
                "adan",
                "amsgrad",
                "fromage",
                "lamb",
                "lars",
                "lion",
                "nadam",
                "nadamw",
                "noisy_sgd",
                "novograd",
                "optimistic_adam_v2",
                "optimistic_gradient_descent",
                "radam",
                "rmsprop",
                "sgd",
                "sign_sgd",
                "yogi",
                "scale_by_learning_rate",
            ]
        ),
        "learning_rate",
    ),
    "optax.scale_by_schedule": "step_size_fn",
}
SCHEDULE = Transform(
    "optax.schedule",
    "witness",
    "stage",
    ("schedule",),
    "called by optax with the traced step count",
    gives=("integer",),
)

#: Transformations made of others.
COMBINED = frozenset({
    "optax.chain", "optax.named_chain", "optax.multi_transform", "optax.partition", "optax.masked", "optax.apply_if_finite",
    "optax.MultiSteps", "optax.lookahead", "optax.flatten", "optax.with_extra_args_support", "optax.conditionally_transform",
    "optax.contrib.schedule_free",
})  # fmt: skip

#: Ready-made schedules: called with a step count they return an array.
SCHEDULES = frozenset(
    f"optax.{name}"
    for name in [
        "constant_schedule",
        "cosine_decay_schedule",
        "cosine_onecycle_schedule",
        "exponential_decay",
        "linear_onecycle_schedule",
        "linear_schedule",
        "piecewise_constant_schedule",
        "piecewise_interpolate_schedule",
        "polynomial_schedule",
        "sgdr_schedule",
        "warmup_constant_schedule",
        "warmup_cosine_decay_schedule",
        "warmup_exponential_decay_schedule",
    ]
)

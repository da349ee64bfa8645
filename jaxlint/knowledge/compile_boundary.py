"""Compile boundaries: what JAX can trace as an argument, and what it can keep as a static one.

Source: JAX itself, asked by tests/knowledge/test_compile_boundary.py.
"""

from __future__ import annotations

from jaxlint.knowledge.jax_numpy import RETURNS_STATIC

#: Python types that are no arguments for a trace: type name -> how a person says it.
NEVER_TRACED: dict[str, str] = {
    "str": "a string",
    "bytes": "a bytes object",
    "ellipsis": "an ellipsis",
    "Enum": "an `Enum` member",
}

#: Families of classes whose instances are no pytrees unless somebody registers them.
OPAQUE_FAMILIES = frozenset({"plain", "dataclass", "linen"})

#: Names in ``jax.numpy``, ``jax.nn`` and ``jax.lax`` that are numbers or modules; all others are functions, dtypes and classes.
NAMES_OF_ARRAYS = frozenset({
    "pi", "e", "inf", "nan", "newaxis", "euler_gamma", "linalg", "fft", "initializers", "index_exp", "s_",
    "c_", "r_", "mgrid", "ogrid", "linear_solve",
})  # fmt: skip

#: Containers without a hash, by their form on the heap.
UNHASHABLE_FORMS: dict[str, str] = {"list": "a list", "dict": "a dict", "set": "a set"}

#: Functions of JAX and NumPy that read no data: a donated array still has its shape and dtype.
READS_METADATA = RETURNS_STATIC | frozenset({
    f"{module}.{name}"
    for module in ("jax.numpy", "numpy", "jax.lax")
    for name in (
        "shape", "ndim", "size", "result_type", "dtype", "issubdtype", "iscomplexobj", "isrealobj", "isscalar",
        "zeros_like", "ones_like", "full_like", "empty_like", "asarray", "stop_gradient",
    )
})  # fmt: skip

#: Other functions that read the data of an array that they are given.
READERS = frozenset({
    "builtins.float", "builtins.int", "builtins.print", "builtins.sum", "builtins.max", "builtins.min", "builtins.abs",
    "builtins.list", "builtins.str", "builtins.repr", "builtins.sorted", "jax.device_get", "jax.block_until_ready",
})  # fmt: skip

#: Functions that take a Python number and a tracer alike, and give an array.
TAKES_NUMBERS = frozenset({
    "jax.numpy.sin", "jax.numpy.cos", "jax.numpy.exp", "jax.numpy.log", "jax.numpy.sqrt", "jax.numpy.power",
    "jax.numpy.where", "jax.numpy.minimum", "jax.numpy.maximum", "jax.numpy.clip", "jax.numpy.multiply",
    "jax.numpy.add", "jax.numpy.subtract", "jax.numpy.divide", "jax.numpy.asarray", "jax.numpy.array",
    "jax.numpy.float32", "jax.numpy.int32", "jax.random.fold_in",
})  # fmt: skip

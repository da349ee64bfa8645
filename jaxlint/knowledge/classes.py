"""Classes of libraries: what a base class or a class decorator makes of a class."""

from __future__ import annotations

#: Canonical base class -> family.
FAMILY_BY_BASE: dict[str, str] = {
    "flax.linen.Module": "linen",
    "flax.nnx.Module": "nnx",
    "flax.nnx.Object": "nnx",
    "flax.nnx.Pytree": "nnx",
    "flax.nnx.Variable": "variable",
    "flax.nnx.Param": "variable",
    "flax.nnx.BatchStat": "variable",
    "flax.nnx.Cache": "variable",
    "flax.nnx.Intermediate": "variable",
    "equinox.Module": "equinox",
    "haiku.Module": "haiku",
    "haiku.RNNCore": "haiku",
    "typing.NamedTuple": "namedtuple",
    "typing_extensions.NamedTuple": "namedtuple",
    "enum.Enum": "enum",
    "enum.IntEnum": "enum",
    "enum.StrEnum": "enum",
    "enum.Flag": "enum",
    "enum.IntFlag": "enum",
    "flax.struct.PyTreeNode": "pytree",
    "typing.TypedDict": "typeddict",
    "typing_extensions.TypedDict": "typeddict",
}

#: Bases and decorators that change nothing about attribute reads and writes.
HARMLESS_BASES = frozenset({
    "builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "builtins.Exception",
    "builtins.ValueError", "builtins.RuntimeError", "builtins.TypeError", "typing.runtime_checkable", "typing.final",
    "functools.total_ordering", "unittest.TestCase", "absl.testing.absltest.TestCase", "absl.testing.parameterized.TestCase",
    "jax.tree_util.register_static", "jaxlint.identity", "collections.abc.Callable",
})  # fmt: skip

DATACLASS_DECORATORS = frozenset({"dataclasses.dataclass", "attr.s", "attrs.define", "attr.define", "attr.dataclass"})

#: Functions that make a class a pytree when they are called with it.
REGISTRATIONS = frozenset({
    "jax.tree_util.register_dataclass", "jax.tree_util.register_pytree_node", "jax.tree_util.register_pytree_with_keys",
    "jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class",
})  # fmt: skip

#: Decorators that make a class a pytree whose instances tracing copies.
PYTREE_DECORATORS = frozenset({
    "flax.struct.dataclass", "chex.dataclass", "jax.tree_util.register_dataclass",
    "jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class", "tjax.dataclass",
    "jax_dataclasses.pytree_dataclass", "simple_pytree.dataclass",
})  # fmt: skip

"""Annotations: which ones say "array", which ones say "never an array"."""

from __future__ import annotations

import libcst as cst

_ARRAYS = frozenset({
    "Array", "ndarray", "ArrayTree", "Scalar", "ArrayDevice", "PRNGKey", "PRNGKeyArray", "KeyArray", "Float", "Int", "Bool",
    "Num", "Inexact", "Shaped", "Key", "Integer", "UInt", "Complex", "Real",
})  # fmt: skip
_ROOTS = frozenset(
    {"jax", "jnp", "chex", "jaxtyping", "numpy", "Array", "Float", "Int", "Bool", "Num", "Inexact", "Shaped", "Key"}
)
_PLAIN = frozenset({
    "str", "Callable", "Type", "type", "Literal", "Enum", "dtype", "DTypeLike", "Dtype", "Mesh", "Path", "bytes",
})  # fmt: skip


def _last(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Subscript):
        return _last(node.value)
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def is_array_annotation(node: cst.BaseExpression) -> bool:
    """Whether an annotation promises one array (``jax.Array``, ``jnp.ndarray``, ``Float[Array, "n"]``)."""
    name = _last(node)
    if isinstance(node, cst.Attribute):
        return name in ("Array", "ndarray") and _last(node.value) in _ROOTS
    if isinstance(node, cst.Subscript):
        return name in _ARRAYS - {"Scalar", "ArrayTree"} and name not in ("Array", "ndarray")
    return name == "Array"


def python_type(node: cst.BaseExpression) -> str:
    """``"int"``, ``"float"``, ``"bool"`` or ``"complex"`` for such an annotation, else ``""``."""
    name = _last(node) if isinstance(node, cst.Name) else ""
    return name if name in ("int", "float", "bool", "complex") else ""


def never_array(node: cst.BaseExpression) -> bool:
    """Whether an annotation rules an array out (``str``, ``Callable``, …)."""
    return _last(node) in _PLAIN

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

#: Types whose values are JAX's arrays and nothing else.
JAX_ARRAYS = frozenset({"jax.Array", "jax.numpy.ndarray", "jaxtyping.Array"})


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


#: Types that say "arrays, traced by whoever calls": one array or number, or a tree of such.
_ONE_ARRAY = frozenset({"Array", "ndarray"})
_TREES = frozenset({"PyTree", "ArrayTree"})
#: Trees of arrays in libraries whose names for them are others' class names as well: said as an attribute only.
_TREES_OF = {"optax": frozenset({"Params", "Updates"}), "hk": frozenset({"Params"}), "haiku": frozenset({"Params"})}
_NUMPY = frozenset({"np", "numpy", "onp"})


def assumed_array(node: cst.BaseExpression) -> str:
    """``"array"`` or ``"tree"`` if an annotation says that callers pass traced arrays, else ``""``.

    ``"number"`` if a Python number will do as well: ``ArrayLike``, or a union of an array and numbers.
    """
    members = _members(_unquoted(node))
    if len(members) == 1:
        return _array(members[0])
    kinds = [_array(one) or python_type(one) for one in members]
    return "number" if "array" in kinds and all(kinds) and "tree" not in kinds else ""


def _unquoted(node: cst.BaseExpression) -> cst.BaseExpression:
    """``"jax.Array"`` as what it says."""
    if not isinstance(node, cst.SimpleString):
        return node
    try:
        return cst.parse_expression(str(node.evaluated_value))
    except cst.ParserSyntaxError:
        return node


def _members(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        return [*_members(node.left), *_members(node.right)]
    if isinstance(node, cst.Subscript) and _last(node) == "Union":
        return [element.slice.value for element in node.slice if isinstance(element.slice, cst.Index)]
    return [node]


def _array(node: cst.BaseExpression) -> str:
    name = _last(node)
    if isinstance(node, cst.Attribute) and _last(node.value) in _NUMPY:
        return ""
    if name == "ArrayLike":
        return "number"
    if is_array_annotation(node) or (name in _ONE_ARRAY and not isinstance(node, cst.Subscript)):
        return "array"
    owner = _last(node.value) if isinstance(node, cst.Attribute) else ""
    return "tree" if name in _TREES or name in _TREES_OF.get(owner, ()) else ""


#: Return types of functions that are called for something else than arrays.
_NO_RESULT = frozenset({"None", "str", "bytes", "int", "bool", "Path", "Figure", "Axes", "NoReturn"})


_CONTAINERS = frozenset({"list", "tuple", "dict", "set", "sequence"})


def for_the_host(returns: cst.BaseExpression) -> bool:
    """Whether a function that returns this hands Python or NumPy something: no traced code ends so."""
    if isinstance(returns, cst.Subscript) and _last(returns).lower() in _CONTAINERS:
        parts = [element.slice.value for element in returns.slice if isinstance(element.slice, cst.Index)]
        return all(for_the_host(part) or python_type(part) or type(part) is cst.Ellipsis for part in parts)
    owner = _last(returns.value) if isinstance(returns, cst.Attribute) else ""
    return _last(returns) in _NO_RESULT or owner in _NUMPY

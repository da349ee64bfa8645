"""Which dtype and shape the functions of jax.numpy, lax, nn and random give, by rules that many of them share.

Measured with JAX 0.12; tests/knowledge/test_result_types.py calls each of them with arguments of all dtypes and ranks.
A rule gives a set of dtypes, so that it may say less than it could, never something else. Functions that
are not listed have a result of unknown dtype and shape.
"""

from __future__ import annotations

from typing import NamedTuple


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Result(NamedTuple):
    """How the dtype and the shape of a result come about.

    ``types``: ``promote`` (of all arrays), ``inexact`` (the same, integers become floats), ``first`` (the first
    argument's), ``number`` (the same, a bool may become an int), ``strong`` (the first's, never weak), ``sum``, ``mean``, ``deviation``, ``magnitude``, ``cumulative``, ``rest`` (of
    all arrays but the first), ``bool``, ``index``, ``float``, ``fill`` (the second argument's), ``range``, ``object``.
    ``shape``: ``broadcast``, ``first``, ``reduce``, ``given`` (an argument says it), or a function's own rule.
    ``dtype``: the position of the argument ``dtype`` (-1: by keyword alone). ``loose``: weak types may be lost.
    """

    types: str
    shape: str
    dtype: int = -1
    loose: bool = False


_ROWS: tuple[tuple[Result, str], ...] = (
    (
        Result("promote", "broadcast"),
        """
        numpy.add numpy.subtract numpy.multiply numpy.maximum numpy.minimum numpy.remainder numpy.mod numpy.fmod
        numpy.bitwise_and numpy.bitwise_or numpy.bitwise_xor lax.add lax.sub lax.mul lax.max lax.min
        """,
    ),
    (
        Result("promote", "broadcast", loose=True),
        "numpy.clip numpy.power numpy.fmax numpy.fmin numpy.floor_divide lax.rem",
    ),
    (Result("rest", "broadcast"), "numpy.where"),
    (
        Result("inexact", "broadcast", loose=True),
        """
        numpy.true_divide numpy.divide numpy.exp numpy.exp2 numpy.expm1 numpy.log numpy.log2 numpy.log10 numpy.log1p
        numpy.sqrt numpy.cbrt numpy.sin numpy.cos numpy.tan numpy.arcsin numpy.arccos numpy.arctan numpy.sinh numpy.cosh
        numpy.tanh numpy.arcsinh numpy.arccosh numpy.arctanh numpy.arctan2 numpy.hypot numpy.logaddexp numpy.sinc
        numpy.deg2rad numpy.rad2deg numpy.radians numpy.degrees nn.sigmoid nn.silu nn.swish nn.tanh lax.exp lax.log lax.sqrt lax.rsqrt lax.sin lax.cos lax.tanh
        """,
    ),
    (Result("inexact", "first", loose=True), "nn.softmax nn.log_softmax"),
    (
        Result("first", "broadcast", loose=True),
        """
        numpy.negative numpy.positive numpy.sign numpy.conj numpy.conjugate numpy.copy numpy.invert
        numpy.bitwise_not lax.neg
        """,
    ),
    (Result("number", "broadcast", loose=True), "numpy.square nn.relu"),
    (Result("first", "first", loose=True), "numpy.nan_to_num"),
    (Result("magnitude", "broadcast", loose=True), "numpy.abs numpy.absolute lax.abs"),
    (
        Result("first", "first", loose=True),
        """
        numpy.sort numpy.flip numpy.fliplr numpy.flipud numpy.roll numpy.tril numpy.triu lax.dynamic_update_slice
        lax.dynamic_update_slice_in_dim lax.dynamic_update_index_in_dim
        """,
    ),
    (
        Result("first", "none", loose=True),
        """
        numpy.take numpy.take_along_axis numpy.tile numpy.repeat numpy.diag numpy.diagonal numpy.swapaxes
        numpy.moveaxis numpy.rot90 numpy.permute_dims lax.dynamic_slice lax.dynamic_slice_in_dim
        lax.dynamic_index_in_dim lax.slice lax.slice_in_dim lax.index_in_dim numpy.pad
        """,
    ),
    (Result("first", "reshape", loose=True), "numpy.reshape"),
    (Result("first", "ravel", loose=True), "numpy.ravel"),
    (Result("first", "squeeze", loose=True), "numpy.squeeze"),
    (Result("first", "transpose", loose=True), "numpy.transpose numpy.matrix_transpose"),
    (Result("first", "expand_dims", loose=True), "numpy.expand_dims"),
    (Result("first", "given:1:shape", loose=True), "numpy.broadcast_to"),
    (Result("promote", "concatenate", loose=True), "numpy.concatenate numpy.concat numpy.vstack numpy.hstack"),
    (Result("promote", "stack", loose=True), "numpy.stack"),
    (Result("promote", "append", loose=True), "numpy.append"),
    (
        Result("promote", "none", loose=True),
        "numpy.dot numpy.matmul numpy.vdot numpy.inner numpy.outer numpy.tensordot numpy.kron numpy.dstack numpy.column_stack",
    ),
    (Result("strong", "reduce"), "numpy.max numpy.min numpy.amax numpy.amin"),
    (Result("sum", "reduce", 2), "numpy.sum numpy.prod"),
    (Result("mean", "reduce", 2), "numpy.mean"),
    (Result("deviation", "reduce", 2), "numpy.std numpy.var"),
    (Result("deviation", "reduce"), "numpy.linalg.norm"),
    (Result("mean", "reduce"), "numpy.median nn.logsumexp"),
    (Result("index", "reduce"), "numpy.argmax numpy.argmin numpy.count_nonzero"),
    (Result("bool", "reduce"), "numpy.all numpy.any"),
    (Result("cumulative", "cumulative", 2), "numpy.cumsum numpy.cumprod"),
    (
        Result("bool", "broadcast"),
        """
        numpy.equal numpy.not_equal numpy.less numpy.less_equal numpy.greater numpy.greater_equal numpy.logical_and
        numpy.logical_or numpy.logical_not numpy.logical_xor numpy.isnan numpy.isinf numpy.isfinite numpy.isclose
        lax.eq lax.ne lax.lt lax.le lax.gt lax.ge
        """,
    ),
    (Result("bool", "scalar"), "numpy.allclose numpy.array_equal"),
    (Result("index", "first"), "numpy.argsort"),
    (Result("float", "given:0:shape", 1), "numpy.zeros numpy.ones numpy.empty"),
    (Result("fill", "given:0:shape", 2), "numpy.full lax.full"),
    (Result("first", "like", 1), "numpy.zeros_like numpy.ones_like numpy.empty_like"),
    (Result("first", "like", 2), "numpy.full_like"),
    (Result("range", "range", 3), "numpy.arange"),
    (Result("mean", "linspace", 5), "numpy.linspace"),
    (Result("float", "eye", 3), "numpy.eye"),
    (Result("float", "eye", 1), "numpy.identity"),
    (Result("object", "object", 1), "numpy.array numpy.asarray"),
    (Result("first", "broadcast", 1, loose=True), "numpy.astype"),
    (Result("float", "given:1:shape", 2), "random.normal random.uniform"),
    (
        Result("float", "given:1:shape", 2),
        "random.exponential random.gumbel random.laplace random.logistic random.cauchy",
    ),
    (Result("index", "given:1:shape", 4), "random.randint"),
    (Result("bool", "none"), "random.bernoulli"),
)

#: Rules by full name.
RESULTS: dict[str, Result] = {"jax." + name: row for row, names in _ROWS for name in names.split()}

#: Keywords that change neither the dtype nor the shape in ways that the rules do not know.
HARMLESS: frozenset[str] = _words(
    """
    axis keepdims dtype shape key a x y x1 x2 arrays array object arr v values fill_value fun start stop step num
    endpoint N M n k copy descending stable ord b minval maxval p newshape min max unique_indices
    """
)

#: Methods of arrays that are the functions of the same name.
METHODS: frozenset[str] = _words(
    """
    all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot max mean min prod ravel
    repeat reshape sort squeeze std sum swapaxes take transpose var
    """
)

"""What the functions of jax.numpy, nn, lax, scipy, ops and image return, and which arguments must be Python values.

Measured with JAX 0.12.0.1: each function is called inside jit with its array arguments traced, then with one more
argument traced. All names are full dotted names (`jax.numpy.linalg.eigh`); they are written here without the leading
`jax.`.
"""

from __future__ import annotations


def _jax(names: str) -> frozenset[str]:
    """The names, each with `jax.` in front."""
    return frozenset("jax." + name for name in names.split())


#: Results that hold no tracer, whatever the arguments are: shapes, sizes, dtypes, bools about dtypes.
RETURNS_STATIC: frozenset[str] = _jax(
    """
    dtypes.canonicalize_dtype dtypes.issubdtype dtypes.result_type lax.broadcast_shapes lax.conv_dimension_numbers
    lax.dtype lax.padtype_to_pads lax.shape_as_value numpy.broadcast_shapes numpy.can_cast numpy.dtype
    numpy.einsum_path numpy.finfo numpy.iinfo numpy.iscomplexobj numpy.isdtype numpy.isrealobj numpy.isscalar
    numpy.issubdtype numpy.iterable numpy.ndim numpy.promote_types numpy.result_type numpy.shape numpy.size typeof
    """
)

_TUPLES: tuple[tuple[int | None, str], ...] = (
    (
        2,
        """
        lax.approx_max_k lax.approx_min_k lax.rng_bit_generator lax.sort_key_val lax.top_k numpy.divmod numpy.frexp
        numpy.histogram numpy.histogramdd numpy.linalg.eig numpy.linalg.eigh numpy.linalg.qr numpy.linalg.slogdet
        numpy.mask_indices numpy.minmax numpy.modf numpy.polydiv numpy.top_k numpy.tril_indices
        numpy.tril_indices_from numpy.triu_indices numpy.triu_indices_from numpy.unique_counts numpy.unique_inverse
        scipy.linalg.cho_factor scipy.linalg.eigh scipy.linalg.expm_frechet scipy.linalg.lu_factor scipy.linalg.polar
        scipy.linalg.qr scipy.linalg.qr_multiply scipy.linalg.rsf2csf scipy.linalg.schur scipy.special.fresnel
        scipy.special.sici
        """,
    ),
    (
        3,
        """
        numpy.histogram2d numpy.linalg.svd scipy.linalg.lu scipy.linalg.svd
        """,
    ),
    (
        4,
        """
        numpy.linalg.lstsq numpy.unique_all
        """,
    ),
    (
        None,
        """
        lax.split lax.unstack numpy.array_split numpy.broadcast_arrays numpy.diag_indices numpy.diag_indices_from
        numpy.dsplit numpy.hsplit numpy.ix_ numpy.meshgrid numpy.nonzero numpy.split
        numpy.unravel_index numpy.unstack numpy.vsplit
        """,
    ),
)

#: Return a tuple, list or named tuple of this many traced arrays in plain use; None where the number depends on the
#: arguments. The second item of `jax.scipy.linalg.cho_factor` is a Python bool. Options change it, see below;
#: `jnp.where` with one argument returns a tuple of ndim, `jnp.gradient` an array for one axis and a list for more.
RETURNS_TUPLE: dict[str, int | None] = {"jax." + name: count for count, names in _TUPLES for name in names.split()}

#: Keyword and value with which one array comes back instead of a tuple.
ONE_ARRAY_WITH: dict[str, tuple[str, str | bool]] = {
    "jax.numpy.linalg.qr": ("mode", "r"),
    "jax.numpy.linalg.svd": ("compute_uv", False),
    "jax.scipy.linalg.eigh": ("eigvals_only", True),
    "jax.scipy.linalg.expm_frechet": ("compute_expm", False),
    "jax.scipy.linalg.svd": ("compute_uv", False),
}

#: Keywords that, set to True, make a tuple of what is one array without them.
TUPLE_WITH: dict[str, frozenset[str]] = {
    "jax.nn.logsumexp": frozenset({"return_sign"}),
    "jax.numpy.average": frozenset({"returned"}),
    "jax.numpy.intersect1d": frozenset({"return_indices"}),
    "jax.numpy.linspace": frozenset({"retstep"}),
    "jax.numpy.polyfit": frozenset({"cov", "full"}),
    "jax.numpy.unique": frozenset({"return_counts", "return_index", "return_inverse"}),
    "jax.scipy.linalg.hessenberg": frozenset({"calc_q"}),
    "jax.scipy.special.logsumexp": frozenset({"return_sign"}),
}

#: Scalar types: `jnp.float32(x)` converts and is traced; as a value (`dtype=jnp.float32`) they are static.
DTYPE_CONSTRUCTORS: frozenset[str] = _jax(
    """
    numpy.bfloat16 numpy.bool numpy.bool_ numpy.cdouble numpy.complex128 numpy.complex64 numpy.complex_ numpy.csingle
    numpy.double numpy.float16 numpy.float32 numpy.float4_e2m1fn numpy.float64 numpy.float6_e2m3fn numpy.float6_e3m2fn
    numpy.float8_e3m4 numpy.float8_e4m3 numpy.float8_e4m3b11fnuz numpy.float8_e4m3fn numpy.float8_e4m3fnuz
    numpy.float8_e5m2 numpy.float8_e5m2fnuz numpy.float8_e8m0fnu numpy.float_ numpy.int1 numpy.int16 numpy.int2
    numpy.int32 numpy.int4 numpy.int64 numpy.int8 numpy.int_ numpy.single numpy.uint numpy.uint1 numpy.uint16
    numpy.uint2 numpy.uint32 numpy.uint4 numpy.uint64 numpy.uint8
    """
)

#: The result has dtype bool for float and for int arguments; it is an array, hence traced under staging (`allclose` and
#: `array_equal` too).
BOOLEAN_RESULT: frozenset[str] = _jax(
    """
    lax.eq lax.ge lax.gt lax.is_finite lax.le lax.lt lax.ne numpy.all numpy.allclose numpy.any numpy.array_equal
    numpy.array_equiv numpy.equal numpy.greater numpy.greater_equal numpy.isclose numpy.iscomplex numpy.isfinite
    numpy.isin numpy.isinf numpy.isnan numpy.isneginf numpy.isposinf numpy.isreal numpy.less numpy.less_equal
    numpy.logical_and numpy.logical_not numpy.logical_or numpy.logical_xor numpy.not_equal numpy.signbit
    """
)

#: The result has an integer dtype though the arguments are floats (indices and counts).
INTEGER_RESULT: frozenset[str] = _jax(
    """
    numpy.argmax numpy.argmin numpy.argpartition numpy.argsort numpy.argwhere numpy.bincount numpy.count_nonzero
    numpy.digitize numpy.flatnonzero numpy.lexsort numpy.linalg.matrix_rank numpy.nanargmax numpy.nanargmin
    numpy.nonzero numpy.searchsorted
    """
)

_SHAPES: tuple[tuple[tuple[tuple[int, str], ...], str], ...] = (
    (
        ((1, "axis"),),
        """
        lax.argmax lax.argmin lax.cumlogsumexp lax.cummax lax.cummin lax.cumprod lax.cumsum lax.stack lax.unstack
        nn.glu nn.log_softmax nn.logmeanexp nn.logsumexp nn.softmax nn.standardize numpy.all numpy.amax numpy.amin
        numpy.any numpy.apply_along_axis numpy.argmax numpy.argmin numpy.argsort numpy.average numpy.concatenate
        numpy.count_nonzero numpy.cumprod numpy.cumsum numpy.expand_dims numpy.flip numpy.lexsort numpy.max numpy.mean
        numpy.median numpy.min numpy.minmax numpy.nanargmax numpy.nanargmin numpy.nancumprod numpy.nancumsum
        numpy.nanmax numpy.nanmean numpy.nanmedian numpy.nanmin numpy.nanprod numpy.nanstd numpy.nansum numpy.nanvar
        numpy.packbits numpy.prod numpy.ptp numpy.size numpy.sort numpy.stack numpy.std numpy.sum numpy.var
        scipy.special.logsumexp
        """,
    ),
    (
        ((-1, "size"),),
        """
        numpy.argwhere numpy.compress numpy.extract numpy.flatnonzero numpy.intersect1d numpy.mask_indices
        numpy.nonzero numpy.setdiff1d numpy.setxor1d numpy.union1d numpy.unique numpy.unique_all numpy.unique_counts
        numpy.unique_inverse numpy.unique_values numpy.where
        """,
    ),
    (
        ((1, "axes"),),
        """
        lax.reduce_and lax.reduce_max lax.reduce_min lax.reduce_or lax.reduce_prod lax.reduce_sum lax.reduce_xor
        numpy.fft.fftshift numpy.fft.ifftshift numpy.permute_dims numpy.transpose
        """,
    ),
    (
        ((2, "axis"),),
        """
        lax.dynamic_index_in_dim numpy.append numpy.delete numpy.nanpercentile numpy.nanquantile numpy.percentile
        numpy.quantile numpy.roll numpy.take numpy.take_along_axis numpy.unwrap
        """,
    ),
    (
        ((-1, "axis"),),
        """
        numpy.concat numpy.cumulative_prod numpy.cumulative_sum numpy.gradient numpy.linalg.cross numpy.linalg.vecdot
        numpy.unstack numpy.vecdot scipy.special.log_softmax scipy.special.softmax
        """,
    ),
    (
        ((0, "n"),),
        """
        numpy.fft.fftfreq numpy.fft.rfftfreq numpy.identity scipy.linalg.dft scipy.linalg.hadamard
        scipy.linalg.helmert scipy.linalg.hilbert scipy.linalg.invhilbert scipy.linalg.invpascal scipy.linalg.pascal
        """,
    ),
    (
        ((1, "s"), (2, "axes")),
        """
        numpy.fft.fft2 numpy.fft.fftn numpy.fft.ifft2 numpy.fft.ifftn numpy.fft.irfft2 numpy.fft.irfftn
        numpy.fft.rfft2 numpy.fft.rfftn
        """,
    ),
    (
        ((1, "n"), (2, "axis")),
        """
        numpy.diff numpy.fft.fft numpy.fft.hfft numpy.fft.ifft numpy.fft.ihfft numpy.fft.irfft numpy.fft.rfft
        """,
    ),
    (((0, "shape"),), "lax.empty lax.full numpy.empty numpy.full numpy.ones numpy.zeros"),
    (
        ((1, "k"),),
        """
        numpy.diag numpy.diagflat numpy.tril numpy.tril_indices_from numpy.triu numpy.triu_indices_from
        """,
    ),
    (((0, "M"),), "numpy.bartlett numpy.blackman numpy.hamming numpy.hanning numpy.kaiser"),
    (((1, "shape"),), "image.resize lax.rng_bit_generator numpy.broadcast_to numpy.fromfunction numpy.reshape"),
    (
        ((3, "axis"),),
        """
        lax.associative_scan lax.dynamic_update_index_in_dim lax.dynamic_update_slice_in_dim numpy.insert
        numpy.trapezoid
        """,
    ),
    (((2, "num_segments"),), "ops.segment_max ops.segment_min ops.segment_prod ops.segment_sum"),
    (((2, "shape"),), "lax.rng_uniform numpy.empty_like numpy.ones_like numpy.zeros_like"),
    (((1, "dimensions"),), "lax.expand_dims lax.rev lax.squeeze"),
    (((1, "indices_or_sections"),), "numpy.dsplit numpy.hsplit numpy.vsplit"),
    (((2, "axes"),), "numpy.apply_over_axes numpy.linalg.tensorsolve numpy.tensordot"),
    (((0, "N"), (1, "M")), "numpy.eye numpy.tri"),
    (((0, "n"), (1, "k"), (2, "m")), "numpy.tril_indices numpy.triu_indices"),
    (((1, "decimals"),), "numpy.around numpy.round"),
    (((1, "indices_or_sections"), (2, "axis")), "numpy.array_split numpy.split"),
    (((1, "k"), (-1, "axis")), "lax.top_k numpy.top_k"),
    (((1, "k"), (2, "reduction_dimension")), "lax.approx_max_k lax.approx_min_k"),
    (((1, "kth"), (2, "axis")), "numpy.argpartition numpy.partition"),
    (((1, "m"),), "numpy.polyder numpy.polyint"),
    (((1, "n"),), "numpy.linalg.matrix_power scipy.linalg.convolution_matrix"),
    (((1, "reps"),), "lax.tile numpy.tile"),
    (((2, "num"), (6, "axis")), "numpy.linspace numpy.logspace"),
    (((3, "shape"),), "lax.full_like numpy.full_like"),
    (((-1, "axes"),), "numpy.linalg.tensordot"),
    (((-1, "axis"), (-1, "ord")), "numpy.linalg.vector_norm"),
    (((-1, "length"),), "numpy.bincount"),
    (((-1, "ndmin"),), "numpy.array"),
    (((-1, "offset"),), "numpy.linalg.diagonal"),
    (((-1, "ord"),), "numpy.linalg.matrix_norm"),
    (((0, "dimensions"),), "numpy.indices"),
    (((0, "in_shape"), (1, "window_shape"), (2, "window_strides")), "lax.padtype_to_pads"),
    (((0, "n"), (1, "ndim")), "numpy.diag_indices"),
    (((0, "start"), (1, "stop"), (2, "step")), "numpy.arange"),
    (((1, "N"),), "numpy.vander"),
    (((1, "axis"), (2, "count")), "numpy.unpackbits"),
    (((1, "axis"), (2, "start")), "numpy.rollaxis"),
    (((1, "axis1"), (2, "axis2")), "numpy.swapaxes"),
    (((1, "d"),), "scipy.special.multigammaln"),
    (((1, "dimension"),), "lax.concatenate"),
    (((1, "dimension"), (3, "num_keys")), "lax.sort"),
    (((1, "exponent_bits"), (2, "mantissa_bits")), "lax.reduce_precision"),
    (
        ((1, "filter_shape"), (2, "window_strides"), (4, "lhs_dilation"), (5, "rhs_dilation")),
        """
        lax.conv_general_dilated_patches
        """,
    ),
    (((1, "ind"),), "numpy.linalg.tensorinv"),
    (((1, "index"), (2, "axis")), "lax.index_in_dim"),
    (((1, "k"), (2, "axes")), "numpy.rot90"),
    (((1, "new_shape"),), "numpy.resize"),
    (((1, "new_sizes"), (2, "dimensions")), "lax.reshape"),
    (((1, "num_classes"), (-1, "axis")), "nn.one_hot"),
    (((1, "offset"), (2, "axis1"), (3, "axis2")), "numpy.diagonal"),
    (((1, "ord"), (2, "axis")), "numpy.linalg.norm"),
    (((1, "pad_width"),), "numpy.pad"),
    (((1, "permutation"),), "lax.transpose"),
    (((1, "rank"),), "lax.broadcast_to_rank"),
    (((1, "shape"), (2, "broadcast_dimensions")), "lax.broadcast_in_dim"),
    (((1, "shape"), (2, "dimension")), "lax.broadcasted_iota"),
    (((1, "size"),), "lax.iota"),
    (((1, "sizes"),), "lax.broadcast"),
    (((1, "sizes"), (2, "axis")), "lax.split"),
    (((1, "source"), (2, "destination")), "numpy.moveaxis"),
    (((1, "start_dimension"), (2, "stop_dimension")), "lax.collapse"),
    (((1, "start_index"), (2, "limit_index"), (3, "stride"), (4, "axis")), "lax.slice_in_dim"),
    (((1, "start_indices"), (2, "limit_indices"), (3, "strides")), "lax.slice"),
    (((1, "y"),), "lax.integer_pow"),
    (((2, "axis"), (-1, "total_repeat_length")), "numpy.repeat"),
    (((2, "axis1"), (3, "axis2")), "numpy.trace"),
    (((2, "axisa"), (3, "axisb"), (4, "axisc"), (5, "axis")), "numpy.cross"),
    (((2, "deg"),), "numpy.polyfit"),
    (((2, "dimension"),), "lax.sort_key_val"),
    (((2, "fft_lengths"),), "lax.fft"),
    (((2, "num"), (5, "axis")), "numpy.geomspace"),
    (((2, "padding_config"),), "lax.pad"),
    (((2, "slice_size"), (3, "axis")), "lax.dynamic_slice_in_dim"),
    (((2, "slice_sizes"),), "lax.dynamic_slice"),
    (((2, "strides"), (4, "rhs_dilation")), "lax.conv_transpose"),
    (((2, "window_strides"),), "lax.conv"),
    (
        ((2, "window_strides"), (4, "lhs_dilation"), (5, "rhs_dilation")),
        """
        lax.conv_general_dilated
        """,
    ),
    (
        ((3, "window_dimensions"), (4, "window_strides"), (6, "base_dilation"), (7, "window_dilation")),
        """
        lax.reduce_window
        """,
    ),
    (((4, "ddof"),), "numpy.cov"),
)

#: Functions that take a pytree and give the same tree of arrays.
OVER_TREES: frozenset[str] = frozenset({"jax.lax.stop_gradient", "jax.lax.psum", "jax.lax.pmean", "jax.lax.all_gather"})

#: Arguments (position, keyword) that must be Python values: a traced int there, or a tuple of them, raises inside jit.
#: Position -1 means keyword only. What is raised is often no tracer error: a static argument of a jitted function gives
#: ValueError ("non-hashable static arguments"), others give TypeError or IndexError. An argument that is not listed
#: takes a tracer (`roll` shift, `eye` k, `full` fill_value, `dynamic_slice` start, `linspace` start and stop, `clip`
#: bounds, `trace` offset, `insert` obj).
SHAPE_ARGUMENTS: dict[str, tuple[tuple[int, str], ...]] = {
    "jax." + name: arguments for arguments, names in _SHAPES for name in names.split()
}

#: Arguments that take a traced array but no traced int, or a tracer only beside the keyword in DATA_DEPENDENT_SHAPE.
SOMETIMES_STATIC: dict[str, tuple[int, str]] = {
    "jax.numpy.delete": (1, "obj"),
    "jax.numpy.histogram": (1, "bins"),
    "jax.numpy.histogram2d": (2, "bins"),
    "jax.numpy.histogram_bin_edges": (1, "bins"),
    "jax.numpy.histogramdd": (1, "bins"),
    "jax.numpy.repeat": (1, "repeats"),
}

_FLAGS: dict[str, str] = {
    "approximate": "nn.gelu",
    "assume_unique": "numpy.isin",
    "bias": "numpy.cov",
    "compute_uv": "numpy.linalg.svd scipy.linalg.svd",
    "cov": "numpy.polyfit",
    "deg": "numpy.angle",
    "descending": "numpy.argsort numpy.sort",
    "eigvals_only": "scipy.linalg.eigh",
    "endpoint": "numpy.geomspace numpy.linspace numpy.logspace",
    "equal_nan": "numpy.allclose numpy.array_equal numpy.isclose",
    "full": "numpy.polyfit scipy.linalg.helmert",
    "full_matrices": "numpy.linalg.svd scipy.linalg.svd",
    "hermitian": "numpy.linalg.matrix_rank numpy.linalg.pinv numpy.linalg.svd",
    "include_initial": "numpy.cumulative_prod numpy.cumulative_sum",
    "increasing": "numpy.vander",
    "indices_are_sorted": "numpy.take ops.segment_max ops.segment_min ops.segment_prod ops.segment_sum",
    "invert": "numpy.isin",
    "is_causal": "nn.dot_product_attention",
    "is_stable": "lax.sort lax.sort_key_val lax.top_k",
    "keepdims": """
        lax.dynamic_index_in_dim lax.index_in_dim nn.logmeanexp nn.logsumexp numpy.all numpy.amax numpy.amin numpy.any
        numpy.argmax numpy.argmin numpy.average numpy.count_nonzero numpy.linalg.matrix_norm numpy.linalg.norm
        numpy.linalg.vector_norm numpy.max numpy.mean numpy.median numpy.min numpy.minmax numpy.nanargmax
        numpy.nanargmin numpy.nanmax numpy.nanmean numpy.nanmedian numpy.nanmin numpy.nanpercentile numpy.nanprod
        numpy.nanquantile numpy.nanstd numpy.nansum numpy.nanvar numpy.percentile numpy.prod numpy.ptp numpy.quantile
        numpy.std numpy.sum numpy.var scipy.special.logsumexp
    """,
    "lower": """
        scipy.linalg.cho_factor scipy.linalg.cholesky scipy.linalg.eigh scipy.linalg.solve
        scipy.linalg.solve_triangular
    """,
    "promote_integers": "numpy.prod numpy.sum",
    "retstep": "numpy.linspace",
    "return_sign": "nn.logsumexp scipy.special.logsumexp",
    "returned": "numpy.average",
    "reverse": "lax.associative_scan lax.cumlogsumexp lax.cummax lax.cummin lax.cumprod lax.cumsum",
    "right": "numpy.digitize",
    "rowvar": "numpy.corrcoef numpy.cov",
    "sorted": "numpy.top_k",
    "sparse": "numpy.indices numpy.meshgrid",
    "stable": "numpy.argsort numpy.sort",
    "unique_indices": "numpy.take ops.segment_max ops.segment_min ops.segment_prod ops.segment_sum",
    "upper": "numpy.linalg.cholesky",
}

#: Options that are switches: a traced bool there raises. Keyword -> names. Rare ones are left out.
FLAG_ARGUMENTS: dict[str, frozenset[str]] = {flag: _jax(names) for flag, names in _FLAGS.items()}

#: The size of the result depends on values, so a traced array argument raises inside jit (ConcretizationTypeError), and
#: so does a constant array: `jnp.nonzero(np_mask)` fails under staging too. The value is the keyword that mends it
#: (None: nothing does): `size`, `length` and `total_repeat_length` are static ints, `strip_zeros=False`,
#: `assume_unique_indices=True`. `where` means one argument; `repeat` a traced `repeats`; `delete` a traced `obj`.
DATA_DEPENDENT_SHAPE: dict[str, str | None] = {
    "jax.numpy.argwhere": "size",
    "jax.numpy.bincount": "length",
    "jax.numpy.compress": "size",
    "jax.numpy.delete": "assume_unique_indices",
    "jax.numpy.extract": "size",
    "jax.numpy.flatnonzero": "size",
    "jax.numpy.intersect1d": "size",
    "jax.numpy.mask_indices": "size",
    "jax.numpy.nonzero": "size",
    "jax.numpy.repeat": "total_repeat_length",
    "jax.numpy.roots": "strip_zeros",
    "jax.numpy.setdiff1d": "size",
    "jax.numpy.setxor1d": "size",
    "jax.numpy.trim_zeros": None,
    "jax.numpy.union1d": "size",
    "jax.numpy.unique": "size",
    "jax.numpy.unique_all": "size",
    "jax.numpy.unique_counts": "size",
    "jax.numpy.unique_inverse": "size",
    "jax.numpy.unique_values": "size",
    "jax.numpy.where": "size",
}

#: Fail on arrays unless this keyword has one of these values; for `choose` and `ravel_multi_index` only inside a trace.
NEEDS_KEYWORD: dict[str, tuple[str, tuple[str | bool, ...]]] = {
    "jax.numpy.choose": ("mode", ("wrap", "clip")),
    "jax.numpy.ravel_multi_index": ("mode", ("wrap", "clip")),
    "jax.numpy.fill_diagonal": ("inplace", (False,)),
    "jax.numpy.place": ("inplace", (False,)),
    "jax.numpy.put": ("inplace", (False,)),
    "jax.numpy.put_along_axis": ("inplace", (False,)),
}

#: Convert to a host array: raise TracerArrayConversionError on a tracer although they live in jax.numpy.
HOST_FUNCTIONS: frozenset[str] = _jax("numpy.array_repr numpy.array_str numpy.save numpy.savez")

"""What NumPy and SciPy do when they are handed a tracer.

Measured with JAX 0.12.0.1, NumPy 2.5.5 and SciPy 1.18.1 by calling every public function of numpy, numpy.linalg and
numpy.fft with arguments that work, and then again with one argument traced, inside jit (float vector, 4 x 4 matrix, int
vector, bool vector). vmap alone agrees with jit on every name of these tables. grad alone agrees for float arguments;
integers and booleans, comparisons included, are not traced there. Names that only NumPy 1.x has were measured with JAX
0.4.30 and NumPy 1.26.4; in the first position those two agree with the newest on every name that both have, except
`VERSION_DEPENDENT`. All names are written without the prefix `numpy.`.
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    """The words of the text."""
    return frozenset(text.split())


#: Return a traced value when their first argument is a tracer: they call its method of the same name, or use operators
#: only. A list or tuple of tracers is converted first and raises in all of them; so do `out=` and a tracer in a later
#: array position.
WORKS_ON_TRACER: frozenset[str] = _names(
    """
    all alltrue amax amin any argmax argmin around array_split cumprod cumproduct cumsum dsplit flip hsplit imag
    isreal max mean min moveaxis permute_dims prod product real repeat reshape rollaxis round round_ searchsorted
    sometrue split squeeze std sum swapaxes take_along_axis transpose unstack var vsplit
    """
)

#: Raise TracerArrayConversionError or another tracer error when their first array (or number) argument is a tracer.
FAILS_ON_TRACER: frozenset[str] = _names(
    """
    abs absolute acos acosh add allclose angle append apply_along_axis apply_over_axes arange arccos arccosh arcsin
    arcsinh arctan arctan2 arctanh argpartition argwhere array array2string array_repr array_str asanyarray asarray
    asarray_chkfinite ascontiguousarray asfarray asfortranarray asin asinh atan atan2 atanh atleast_1d atleast_2d
    atleast_3d average bartlett base_repr binary_repr bincount bitwise_and bitwise_count bitwise_invert
    bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman block bool bool_
    broadcast_arrays broadcast_to byte cbrt cdouble ceil cfloat choose clip clongdouble clongfloat column_stack
    complex128 complex256 complex64 complex_ compress concat concatenate conj conjugate convolve copy copysign
    corrcoef correlate cos cosh count_nonzero cov cross csingle cumulative_prod cumulative_sum deg2rad degrees delete
    diag diag_indices diagflat diagonal diff digitize divide divmod dot double dstack ediff1d einsum einsum_path
    empty_like equal exp exp2 expand_dims expm1 extract eye fabs fft.fft fft.fft2 fft.fftn fft.fftshift fft.hfft
    fft.ifft fft.ifft2 fft.ifftn fft.ifftshift fft.ihfft fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn
    fix flatnonzero fliplr flipud float128 float16 float32 float64 float_ float_power floor floor_divide fmax fmin
    fmod frexp full full_like gcd geomspace gradient greater greater_equal half hamming hanning heaviside histogram
    histogram2d histogram_bin_edges histogramdd hstack hypot i0 identity in1d indices inner insert int16 int32 int64
    int8 int_ intc interp intersect1d intp invert isclose iscomplex isfinite isin isinf isnan isneginf isposinf ix_
    kaiser kron lcm ldexp left_shift less less_equal lexsort linalg.cholesky linalg.cond linalg.cross linalg.det
    linalg.diagonal linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv linalg.lstsq linalg.matmul
    linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.multi_dot linalg.norm
    linalg.outer linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot
    linalg.tensorinv linalg.tensorsolve linalg.trace linalg.vecdot linalg.vector_norm linspace log log10 log1p log2
    logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace long longcomplex longdouble longfloat
    longlong mat matmul matrix_transpose matvec maximum may_share_memory median meshgrid min_scalar_type minimum
    mintypecode mod modf msort multiply nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian
    nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar negative nextafter nonzero not_equal ones_like outer
    packbits pad partition percentile piecewise poly polyadd polyder polydiv polyfit polyint polymul polysub polyval
    positive pow power quantile rad2deg radians ravel ravel_multi_index real_if_close reciprocal remainder require
    resize right_shift rint roll roots rot90 row_stack select setdiff1d setxor1d shares_memory short sign signbit sin
    sinc single singlecomplex sinh sort sort_complex spacing sqrt square stack string_ subtract tan tanh tensordot
    tile trace trapezoid trapz tri tril tril_indices trim_zeros triu triu_indices true_divide trunc ubyte uint uint16
    uint32 uint64 uint8 uintc uintp ulong ulonglong union1d unique unique_all unique_counts unique_inverse
    unique_values unpackbits unravel_index unwrap ushort vander vdot vecdot vecmat vstack where zeros_like
    """
)

#: Of those, the ones where a tracer in some later position raises a plain TypeError, or is not noticed, instead of a
#: tracer error.
_OTHER_ERROR_LATER = frozenset(
    {
        "diag_indices",
        "fix",
        "histogram_bin_edges",
        "isneginf",
        "isposinf",
        "linalg.cond",
        "linalg.matrix_power",
        "mintypecode",
    }
)

#: Raise a tracer error wherever the tracer stands: `np.full(shape, tracer)`, `np.where(mask, tracer, 0)`, `np.clip(0,
#: tracer, 1)`.
FAILS_IN_ANY_POSITION: frozenset[str] = FAILS_ON_TRACER - _OTHER_ERROR_LATER

#: Fail too, but the exception that the user sees is this one: a tracer is no buffer, shape or writable array.
FAILS_OTHERWISE: dict[str, str] = {
    "astype": "TypeError",
    "broadcast_shapes": "TypeError",
    "copyto": "TypeError",
    "empty": "TypeError",
    "fft.fftfreq": "ValueError",
    "fft.rfftfreq": "ValueError",
    "fill_diagonal": "NotImplementedError",
    "fromiter": "ValueError",
    "isfortran": "AttributeError",
    "ones": "TypeError",
    "place": "TypeError",
    "put": "TypeError",
    "put_along_axis": "TypeError",
    "putmask": "TypeError",
    "take": "NotImplementedError",
    "zeros": "TypeError",
}

#: Neither: `argsort` of a tracer is staged and then fails to lower with NumPy >= 2 (it hands on `stable=None`) and
#: works with 1.26; `ptp` of a tracer works with NumPy 1.26 and raises with NumPy >= 2.
VERSION_DEPENDENT: frozenset[str] = frozenset({"argsort", "ptp"})

#: Swallow the tracer error and answer False, whatever the values are: no exception, a wrong result.
SILENTLY_FALSE: frozenset[str] = frozenset({"array_equal", "array_equiv"})

#: Plain metadata: never traced, even when the argument is a tracer (or its dtype). `isscalar` of a tracer is always
#: False.
STATIC_RESULT: frozenset[str] = _names(
    """
    can_cast common_type dtype finfo iinfo iscomplexobj isdtype isrealobj isscalar issubdtype iterable ndim
    promote_types result_type shape size
    """
)

#: Index arrays on the host, made from the shape of the argument alone: a tracer is welcome.
HOST_ARRAYS_FROM_SHAPE: frozenset[str] = frozenset({"diag_indices_from", "tril_indices_from", "triu_indices_from"})

#: Return an ndarray when no argument is traced; a new one, except that `asarray`, `ascontiguousarray` and
#: `asfortranarray` may return their argument. Writing to it is legal inside a trace, and a tracer cannot be stored in
#: it.
BUFFER_MAKERS: frozenset[str] = _names(
    """
    append arange array asarray ascontiguousarray asfortranarray bartlett bincount blackman block column_stack concat
    concatenate copy delete diag diagflat dstack empty empty_like eye fft.fftfreq fft.rfftfreq frombuffer fromfile
    fromfunction fromiter fromstring full full_like genfromtxt geomspace hamming hanning hstack identity indices
    insert kaiser linspace loadtxt logspace ones ones_like outer pad repeat stack tile tri tril triu vander vstack
    where zeros zeros_like
    """
)

#: Functions under these prefixes convert every array argument: all 559 that a search could call raise a tracer error
#: when their first array is traced. So do the methods of distributions (`scipy.stats.norm.pdf(x)`) and of frozen ones;
#: freezing itself (`scipy.stats.norm(loc, scale)`) does not. SCIPY_WORKS are the exceptions.
SCIPY_PREFIXES_FAIL: frozenset[str] = frozenset(
    {"scipy.special", "scipy.linalg", "scipy.stats", "scipy.fft", "scipy.signal"}
)
SCIPY_WORKS: frozenset[str] = frozenset({"scipy.signal.kaiser_atten"})

#: Python and NumPy operators inside jit, as expressions over `x` (traced float vector), `i` (traced int), `array`
#: (ndarray of floats): the verdict is `traced`, `static` or the exception. Under grad alone `i` and `x > 0` hold values
#: and these work.
OPERATIONS: dict[str, str] = {
    "array + x": "traced",
    "array @ x": "traced",
    "array == x": "traced",
    "array[0] * x": "traced",
    "np.float64(2) * x": "traced",
    "np.int32(2) + i": "traced",
    "operator.iadd(array.copy(), x)": "traced",
    "np.sum(array * x)": "traced",
    "np.sum([x, x])": "TracerArrayConversionError",
    "np.max((x, x))": "TracerArrayConversionError",
    "np.shape([x, x])": "TracerArrayConversionError",
    "np.add(array, x)": "TracerArrayConversionError",
    "np.add.reduce(x)": "TracerArrayConversionError",
    "np.zeros(i)": "TypeError",
    "np.zeros(x.shape)": "static",
    "np.zeros(3, x.dtype)": "static",
    "np.empty(2, object).fill(x)": "static",
    "array[i]": "TracerArrayConversionError",
    "array[x > 0]": "TracerArrayConversionError",
    "array[:i]": "TracerIntegerConversionError",
    "array[x.astype(int)]": "TracerArrayConversionError",
    "array.copy().__setitem__(0, x[0])": "ValueError",
    "array.copy().__setitem__(slice(None), x)": "TracerArrayConversionError",
    "array.copy().__setitem__(i, 0)": "TracerArrayConversionError",
    "array.copy().fill(x[0])": "ValueError",
    "array.dot(x)": "TracerArrayConversionError",
    "array.clip(x, 1)": "TracerArrayConversionError",
    "array.take(i)": "TracerArrayConversionError",
    "array.repeat(i)": "TracerArrayConversionError",
    "array.reshape(i, -1)": "TracerIntegerConversionError",
    "array.sum(axis=i)": "TracerIntegerConversionError",
    "array.astype(x.dtype)": "static",
    "[1, 2, 3][i]": "TracerIntegerConversionError",
    "(1, 2, 3)[i]": "TracerIntegerConversionError",
    "[1, 2, 3][:i]": "TracerIntegerConversionError",
    "{1: 2}[i]": "TypeError",
    "{1: 2}.get(i)": "TypeError",
    "'a' * i": "TracerIntegerConversionError",
    "[1] * i": "TypeError",
    "range(i)": "TracerIntegerConversionError",
    "slice(i)": "static",
    "i in [1, 2]": "TracerBoolConversionError",
    "1 in x": "TracerBoolConversionError",
    "i in ('a',)": "static",
    "x[i]": "traced",
    "x[:i]": "IndexError",
    "x[i:]": "IndexError",
    "x[::2]": "traced",
    "x[x > 0]": "NonConcreteBooleanIndexError",
    "x[None, ...]": "traced",
    "x[array > 0.2]": "traced",
    "x[[0, 1]]": "TypeError",
    "x[jnp.array([0, 1])]": "traced",
    "x.__setitem__(0, 1)": "TypeError",
    "x == None": "static",
    "x != None": "static",
    "x == 'a'": "static",
    "x is None": "static",
    "isinstance(x, jax.Array)": "static",
    "isinstance(x, np.ndarray)": "static",
    "isinstance(i, int)": "static",
    "0 < i < 2": "TracerBoolConversionError",
    "0 < x < 2": "ValueError",
    "not i": "TracerBoolConversionError",
    "i and 1": "TracerBoolConversionError",
    "i or 1": "TracerBoolConversionError",
    "1 if i else 0": "TracerBoolConversionError",
    "[v for v in x]": "traced",
    "[*x]": "traced",
    "[v for v in x if v > 0]": "TracerBoolConversionError",
    "f'{x}'": "static",
    "f'{i}'": "static",
    "f'{i:d}'": "TypeError",
    "f'{x[0]:.2f}'": "TypeError",
    "f'{x[0]:>10}'": "TypeError",
    "f'{x!r}'": "static",
    "'%s' % x": "static",
    "'%f' % x[0]": "ConcretizationTypeError",
    "'%d' % i": "TypeError",
    "'{}'.format(x)": "static",
    "str(x)": "static",
    "print(x)": "static",
    "operator.index(i)": "TracerIntegerConversionError",
    "functools.reduce(operator.add, x)": "traced",
    "copy.copy(x)": "traced",
    "copy.deepcopy(x)": "traced",
    "pickle.dumps(x)": "ConcretizationTypeError",
    "json.dumps(x[0])": "TypeError",
    "bisect.bisect([0.1, 0.2], x[0])": "TracerBoolConversionError",
    "statistics.mean(x)": "TypeError",
    "decimal.Decimal(x[0])": "TypeError",
    "fractions.Fraction(x[0])": "TypeError",
    "time.sleep(x[0])": "TypeError",
    "random.choice(x)": "traced",
    "np.random.normal(x)": "TracerArrayConversionError",
    "np.random.seed(i)": "TracerArrayConversionError",
    "np.random.default_rng(i)": "TypeError",
    "np.testing.assert_allclose(x, x)": "TracerArrayConversionError",
    "np.vectorize(abs)(x)": "TracerArrayConversionError",
    "np.poly1d(x)": "TracerArrayConversionError",
    "np.poly1d([1.0, 2.0])(x)": "TracerArrayConversionError",
    "np.polynomial.Polynomial([1.0, 2.0])(x)": "TracerArrayConversionError",
    "np.ma.array(x)": "TracerArrayConversionError",
    "np.lib.stride_tricks.sliding_window_view(x, 2)": "TracerArrayConversionError",
    "list(np.ndindex(x.shape))": "static",
    "jax.device_get(x)": "traced",
    "jax.device_put(x)": "traced",
    "jax.block_until_ready(x)": "traced",
    "jnp.zeros(i)": "TypeError",
    "jnp.zeros(x.shape[0])": "traced",
    "jnp.nonzero(array)": "ConcretizationTypeError",
    "jnp.unique(array)": "ConcretizationTypeError",
    "jnp.sum(array)": "traced",
    "int(jnp.ceil(2.5))": "ConcretizationTypeError",
    "float(jnp.pi)": "static",
    "jnp.array(2.0) + 1": "traced",
    "set([x])": "TypeError",
    "{x: 1}": "TypeError",
    "hash(x)": "TypeError",
}

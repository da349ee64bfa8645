"""One call that works for each function of `jaxlint.knowledge.jax_numpy`: arguments -> names, without `jax.`."""

from __future__ import annotations

_CALLS: dict[str, str] = {
    "V": """
        lax.abs lax.acos lax.acosh lax.asin lax.asinh lax.atan lax.atanh lax.bessel_i0e lax.bessel_i1e lax.cbrt
        lax.ceil lax.conj lax.cos lax.cosh lax.cumlogsumexp lax.cummax lax.cummin lax.cumprod lax.cumsum lax.digamma
        lax.dtype lax.erf lax.erf_inv lax.erfc lax.exp lax.exp2 lax.expm1 lax.floor lax.is_finite lax.lgamma lax.log
        lax.log1p lax.log2 lax.logistic lax.neg lax.one_minus_square lax.optimization_barrier lax.reciprocal lax.round
        lax.rsqrt lax.sign lax.sin lax.sinh lax.sort lax.sqrt lax.square lax.stop_gradient lax.tan lax.tanh nn.celu
        nn.elu nn.gelu nn.glu nn.hard_sigmoid nn.hard_silu nn.hard_swish nn.hard_tanh nn.identity nn.leaky_relu
        nn.log1mexp nn.log_sigmoid nn.log_softmax nn.logmeanexp nn.logsumexp nn.mish nn.relu nn.relu6 nn.selu
        nn.sigmoid nn.silu nn.soft_sign nn.softmax nn.softplus nn.sparse_plus nn.sparse_sigmoid nn.squareplus
        nn.standardize nn.swish nn.tanh numpy.abs numpy.absolute numpy.acos numpy.acosh numpy.all numpy.amax
        numpy.amin numpy.angle numpy.any numpy.arccos numpy.arccosh numpy.arcsin numpy.arcsinh numpy.arctan
        numpy.arctanh numpy.argmax numpy.argmin numpy.argsort numpy.argwhere numpy.around numpy.array numpy.array_repr
        numpy.array_str numpy.asarray numpy.asin numpy.asinh numpy.atan numpy.atanh numpy.atleast_1d numpy.atleast_2d
        numpy.atleast_3d numpy.average numpy.bfloat16 numpy.bool numpy.bool_ numpy.broadcast_arrays numpy.cbrt
        numpy.cdouble numpy.ceil numpy.complex128 numpy.complex64 numpy.complex_ numpy.conj numpy.conjugate numpy.copy
        numpy.corrcoef numpy.cos numpy.cosh numpy.count_nonzero numpy.cov numpy.csingle numpy.cumprod numpy.cumsum
        numpy.cumulative_prod numpy.cumulative_sum numpy.deg2rad numpy.degrees numpy.diag numpy.diagflat numpy.diff
        numpy.double numpy.ediff1d numpy.empty_like numpy.exp numpy.exp2 numpy.expm1 numpy.fabs numpy.fft.fft
        numpy.fft.fftn numpy.fft.fftshift numpy.fft.hfft numpy.fft.ifft numpy.fft.ifftn numpy.fft.ifftshift
        numpy.fft.ihfft numpy.fft.irfft numpy.fft.irfftn numpy.fft.rfft numpy.fft.rfftn numpy.flatnonzero numpy.flip
        numpy.flipud numpy.float16 numpy.float32 numpy.float4_e2m1fn numpy.float64 numpy.float6_e2m3fn
        numpy.float6_e3m2fn numpy.float8_e3m4 numpy.float8_e4m3 numpy.float8_e4m3b11fnuz numpy.float8_e4m3fn
        numpy.float8_e4m3fnuz numpy.float8_e5m2 numpy.float8_e5m2fnuz numpy.float8_e8m0fnu numpy.float_ numpy.floor
        numpy.frexp numpy.gradient numpy.histogram numpy.histogram_bin_edges numpy.i0 numpy.imag numpy.int16
        numpy.int2 numpy.int32 numpy.int4 numpy.int64 numpy.int8 numpy.int_ numpy.iscomplex numpy.iscomplexobj
        numpy.isfinite numpy.isinf numpy.isnan numpy.isneginf numpy.isposinf numpy.isreal numpy.isrealobj
        numpy.isscalar numpy.iterable numpy.linalg.norm numpy.linalg.vector_norm numpy.log numpy.log10 numpy.log1p
        numpy.log2 numpy.logical_not numpy.max numpy.mean numpy.median numpy.min numpy.minmax numpy.modf
        numpy.nan_to_num numpy.nanargmax numpy.nanargmin numpy.nancumprod numpy.nancumsum numpy.nanmax numpy.nanmean
        numpy.nanmedian numpy.nanmin numpy.nanprod numpy.nanstd numpy.nansum numpy.nanvar numpy.ndim numpy.negative
        numpy.nonzero numpy.ones_like numpy.poly numpy.polyder numpy.polyint numpy.positive numpy.prod numpy.ptp
        numpy.rad2deg numpy.radians numpy.ravel numpy.real numpy.reciprocal numpy.result_type numpy.rint numpy.roots
        numpy.round numpy.shape numpy.sign numpy.signbit numpy.sin numpy.sinc numpy.single numpy.sinh numpy.size
        numpy.sort numpy.sort_complex numpy.spacing numpy.sqrt numpy.square numpy.squeeze numpy.std numpy.sum
        numpy.tan numpy.tanh numpy.transpose numpy.trapezoid numpy.trim_zeros numpy.trunc numpy.uint numpy.uint16
        numpy.uint2 numpy.uint32 numpy.uint4 numpy.uint64 numpy.uint8 numpy.unique numpy.unique_all
        numpy.unique_counts numpy.unique_inverse numpy.unique_values numpy.unstack numpy.unwrap numpy.vander numpy.var
        numpy.zeros_like scipy.linalg.circulant scipy.linalg.companion scipy.linalg.fiedler
        scipy.linalg.fiedler_companion scipy.linalg.hankel scipy.linalg.toeplitz scipy.special.dawsn
        scipy.special.digamma scipy.special.entr scipy.special.erf scipy.special.erfc scipy.special.erfcinv
        scipy.special.erfcx scipy.special.erfinv scipy.special.exp1 scipy.special.expi scipy.special.expit
        scipy.special.fresnel scipy.special.gamma scipy.special.gammaln scipy.special.gammasgn scipy.special.i0
        scipy.special.i0e scipy.special.i1 scipy.special.i1e scipy.special.log_ndtr scipy.special.log_softmax
        scipy.special.loggamma scipy.special.logit scipy.special.logsumexp scipy.special.ndtr scipy.special.ndtri
        scipy.special.sici scipy.special.softmax scipy.special.spence scipy.special.wofz scipy.stats.norm.cdf
        scipy.stats.norm.isf scipy.stats.norm.logcdf scipy.stats.norm.logpdf scipy.stats.norm.logsf
        scipy.stats.norm.pdf scipy.stats.norm.ppf scipy.stats.norm.sf
    """,
    "V, V": """
        lax.add lax.atan2 lax.broadcast_like lax.complex lax.div lax.dot lax.eq lax.ge lax.gt lax.igamma lax.igammac
        lax.le lax.lt lax.max lax.min lax.mul lax.ne lax.polygamma lax.polynomial lax.pow lax.rem lax.sub lax.zeta
        numpy.add numpy.allclose numpy.append numpy.arctan2 numpy.array_equal numpy.array_equiv numpy.atan2
        numpy.convolve numpy.copysign numpy.correlate numpy.digitize numpy.divide numpy.divmod numpy.dot numpy.equal
        numpy.float_power numpy.floor_divide numpy.fmax numpy.fmin numpy.fmod numpy.greater numpy.greater_equal
        numpy.heaviside numpy.histogram2d numpy.hypot numpy.inner numpy.intersect1d numpy.isclose numpy.isin
        numpy.kron numpy.less numpy.less_equal numpy.linalg.matmul numpy.linalg.outer numpy.linalg.vecdot
        numpy.logaddexp numpy.logaddexp2 numpy.logical_and numpy.logical_or numpy.logical_xor numpy.matmul
        numpy.maximum numpy.meshgrid numpy.minimum numpy.mod numpy.multiply numpy.nextafter numpy.not_equal
        numpy.outer numpy.polyadd numpy.polymul numpy.polysub numpy.polyval numpy.pow numpy.power numpy.remainder
        numpy.searchsorted numpy.setdiff1d numpy.setxor1d numpy.subtract numpy.true_divide numpy.union1d numpy.vdot
        numpy.vecdot scipy.special.beta scipy.special.betaln scipy.special.boxcox scipy.special.boxcox1p
        scipy.special.gammainc scipy.special.gammaincc scipy.special.kl_div scipy.special.owens_t scipy.special.poch
        scipy.special.rel_entr scipy.special.xlog1py scipy.special.xlogy scipy.special.zeta
    """,
    "M": """
        lax.unstack numpy.concat numpy.diag_indices_from numpy.diagonal numpy.fft.fft2 numpy.fft.ifft2
        numpy.fft.irfft2 numpy.fft.rfft2 numpy.fliplr numpy.histogramdd numpy.linalg.cholesky numpy.linalg.det
        numpy.linalg.diagonal numpy.linalg.eig numpy.linalg.eigh numpy.linalg.eigvals numpy.linalg.eigvalsh
        numpy.linalg.inv numpy.linalg.matrix_norm numpy.linalg.matrix_rank numpy.linalg.matrix_transpose
        numpy.linalg.pinv numpy.linalg.qr numpy.linalg.slogdet numpy.linalg.svd numpy.linalg.svdvals
        numpy.linalg.trace numpy.matrix_transpose numpy.rot90 numpy.trace numpy.tril numpy.tril_indices_from
        numpy.triu numpy.triu_indices_from scipy.linalg.cho_factor scipy.linalg.cholesky scipy.linalg.det
        scipy.linalg.eigh scipy.linalg.expm scipy.linalg.hessenberg scipy.linalg.inv scipy.linalg.lu
        scipy.linalg.lu_factor scipy.linalg.polar scipy.linalg.qr scipy.linalg.schur scipy.linalg.sqrtm
        scipy.linalg.svd
    """,
    "I, I": """
        lax.bitwise_and lax.bitwise_or lax.bitwise_xor lax.mulhi lax.shift_left lax.shift_right_arithmetic
        lax.shift_right_logical numpy.bitwise_and numpy.bitwise_left_shift numpy.bitwise_or numpy.bitwise_right_shift
        numpy.bitwise_xor numpy.gcd numpy.ix_ numpy.lcm numpy.left_shift numpy.right_shift
    """,
    "4": """
        numpy.bartlett numpy.blackman numpy.fft.fftfreq numpy.fft.rfftfreq numpy.hamming numpy.hanning numpy.int1
        numpy.uint1 scipy.linalg.dft scipy.linalg.hadamard scipy.linalg.helmert scipy.linalg.hilbert
        scipy.linalg.invhilbert scipy.linalg.invpascal scipy.linalg.pascal
    """,
    "I": """
        lax.bitwise_not lax.clz lax.population_count numpy.bincount numpy.bitwise_count numpy.bitwise_invert
        numpy.bitwise_not numpy.invert numpy.packbits scipy.special.factorial
    """,
    "[V, V]": """
        numpy.block numpy.column_stack numpy.concatenate numpy.dstack numpy.hstack numpy.lexsort numpy.stack
        numpy.vstack
    """,
    "M, M": """
        numpy.linalg.tensordot numpy.tensordot scipy.linalg.block_diag scipy.linalg.expm_frechet scipy.linalg.rsf2csf
        scipy.linalg.solve scipy.linalg.solve_triangular
    """,
    "V, 2": "numpy.array_split numpy.hsplit numpy.repeat numpy.split numpy.tile numpy.top_k",
    "2": "numpy.diag_indices numpy.eye numpy.identity numpy.tri numpy.tril_indices numpy.triu_indices",
    "V, 1": "numpy.argpartition numpy.delete numpy.pad numpy.partition numpy.roll",
    "M, V": "numpy.linalg.lstsq numpy.linalg.solve numpy.linalg.tensorsolve numpy.matvec scipy.linalg.qr_multiply",
    "(2, 2)": "numpy.empty numpy.indices numpy.ones numpy.zeros",
    "V,2": "lax.approx_max_k lax.approx_min_k lax.integer_pow lax.top_k",
    "V,V": "lax.igamma_grad_a lax.nextafter lax.random_gamma_grad lax.sort_key_val",
    "V, I, 4": "ops.segment_max ops.segment_min ops.segment_prod ops.segment_sum",
    "V, 0.5": "numpy.full_like numpy.nanquantile numpy.quantile",
    "V,(0,)": "lax.expand_dims lax.reduce_sum lax.rev",
    "V, (0,)": "lax.reduce_max lax.reduce_min lax.reduce_prod",
    "'float32', 'int32'": "numpy.can_cast numpy.promote_types",
    "B, V": "numpy.compress numpy.extract",
    "V3, V3": "numpy.cross numpy.linalg.cross",
    "'float32'": "numpy.dtype numpy.finfo",
    "'i,i->', V, V": "numpy.einsum numpy.einsum_path",
    "V, 0": "lax.broadcast_to_rank numpy.expand_dims",
    "V, V, V": "numpy.interp scipy.special.betainc",
    "V, I": "numpy.ldexp numpy.take",
    "0.0, 0.5, 3": "numpy.linspace numpy.logspace",
    "M, 0, 1": "numpy.moveaxis numpy.swapaxes",
    "V, 50.0": "numpy.nanpercentile numpy.percentile",
    "V, (2, 2)": "numpy.reshape numpy.resize",
    "M, 2": "numpy.linalg.matrix_power numpy.vsplit",
    "I, V": "scipy.special.expn scipy.special.polygamma",
    "V,V,V": "lax.betainc scipy.special.hyp1f1",
    "V,0,'int32'": "lax.argmax lax.argmin",
    "V,'int32'": "lax.bitcast_convert_type lax.convert_element_type",
    "V,(2,)": "lax.broadcast lax.tile",
    "jnp.ones((1,1,4,4)),jnp.ones((1,1,2,2)),(1,1),'SAME'": "lax.conv lax.conv_general_dilated",
    "V,1": "lax.dynamic_index_in_dim lax.index_in_dim",
    "C": "lax.imag lax.real",
    "V,(2,2)": "lax.reshape lax.split",
    "B,V,V": "lax.select lax.select_n",
    "B, (0,)": "lax.reduce_and lax.reduce_or",
    "jnp.sum, 0, M": "numpy.apply_along_axis",
    "jnp.sum, M, [0]": "numpy.apply_over_axes",
    "0.0, 0.5, 0.1": "numpy.arange",
    "V, 'float32'": "numpy.astype",
    "(2, 2), (2, 2)": "numpy.broadcast_shapes",
    "V, (4, 4)": "numpy.broadcast_to",
    "I, [V,V,V,V]": "numpy.choose",
    "V, 0.2, 0.8": "numpy.clip",
    "np.ones((2, 2, 2)), 2": "numpy.dsplit",
    "lambda i: i, (2,)": "numpy.fromfunction",
    "(2, 2), 0.5": "numpy.full",
    "0.1, 0.5, 3": "numpy.geomspace",
    "'int32'": "numpy.iinfo",
    "V, 1, 0.5": "numpy.insert",
    "np.dtype('float32'), 'real floating'": "numpy.isdtype",
    "'float32', np.floating": "numpy.issubdtype",
    "4, 0.5": "numpy.kaiser",
    "2, jnp.triu": "numpy.mask_indices",
    "V, [B, ~B], [0.0, 1.0]": "numpy.piecewise",
    "V, V[:2]": "numpy.polydiv",
    "V, V, 1": "numpy.polyfit",
    "V, I, V": "numpy.put",
    "(I, I), (4, 4)": "numpy.ravel_multi_index",
    "M, 1": "numpy.rollaxis",
    "[B, B], [V, V]": "numpy.select",
    "V, I, 0": "numpy.take_along_axis",
    "U": "numpy.unpackbits",
    "I, (2, 2)": "numpy.unravel_index",
    "V, M": "numpy.vecmat",
    "B, V, V": "numpy.where",
    "[M, M]": "numpy.linalg.multi_dot",
    "T4": "numpy.linalg.tensorinv",
    "jnp.ones((1,2,2,4)), jnp.ones((1,2,2,4)), jnp.ones((1,2,2,4))": "nn.dot_product_attention",
    "I, 4": "nn.one_hot",
    "4,2": "scipy.special.comb",
    "V,V,V,V": "scipy.special.hyp2f1",
    "V+4, 2": "scipy.special.multigammaln",
    "I, I, V, V": "scipy.special.sph_harm_y",
    "jax.scipy.linalg.cho_factor(M), V": "scipy.linalg.cho_solve",
    "V, 4": "scipy.linalg.convolution_matrix",
    "V, V[:3]": "scipy.linalg.leslie",
    "jax.scipy.linalg.lu_factor(M), V": "scipy.linalg.lu_solve",
    "M, M, M": "scipy.linalg.solve_sylvester",
    "jnp.add,V": "lax.associative_scan",
    "jnp.ones((2,2,2)),jnp.ones((2,2,2))": "lax.batch_matmul",
    "V,(4,4),(0,)": "lax.broadcast_in_dim",
    "(2,2),(2,2)": "lax.broadcast_shapes",
    "'int32',(2,2),0": "lax.broadcasted_iota",
    "0.1,V,0.3": "lax.clamp",
    "M,0,2": "lax.collapse",
    "[V,V],0": "lax.concatenate",
    "jnp.ones((1,4,4,1)),jnp.ones((2,2,1,1)),(1,1),'SAME'": "lax.conv_transpose",
    "M,M,(((1,),(0,)),((),()))": "lax.dot_general",
    "V,(1,),(2,)": "lax.dynamic_slice",
    "V,1,2": "lax.dynamic_slice_in_dim",
    "V,0.5,1,0": "lax.dynamic_update_index_in_dim",
    "V,V[:2],(1,)": "lax.dynamic_update_slice",
    "V,V[:2],1,0": "lax.dynamic_update_slice_in_dim",
    "(2,2),'float32'": "lax.empty",
    "V.astype('complex64'),'FFT',(4,)": "lax.fft",
    "(2,2),0.5": "lax.full",
    "V,0.5": "lax.full_like",
    "'int32',4": "lax.iota",
    "V,np.float32(0.5),[(1,1,0)]": "lax.pad",
    "V,8,7": "lax.reduce_precision",
    "V,0.0,jax.lax.add,(2,),(1,),'SAME'": "lax.reduce_window",
    "jnp.array([1,2,3,4],'uint32'),(2,)": "lax.rng_bit_generator",
    "np.float32(0),np.float32(1),(2,)": "lax.rng_uniform",
    "(2,2)": "lax.shape_as_value",
    "V,(1,),(3,)": "lax.slice",
    "V,1,3": "lax.slice_in_dim",
    "jnp.ones((1,4)),(0,)": "lax.squeeze",
    "[V,V]": "lax.stack",
    "M,(1,0)": "lax.transpose",
    "M, (8, 8), 'linear'": "image.resize",
    "M, (1, 0)": "numpy.permute_dims",
    "I, (0,)": "lax.reduce_xor",
    "(1,1,4,4),(1,1,2,2),('NCHW','OIHW','NCHW')": "lax.conv_dimension_numbers",
    "(4,),(2,),(1,),'SAME'": "lax.padtype_to_pads",
    "jnp.ones((1,1,4,4)),(2,2),(1,1),'SAME'": "lax.conv_general_dilated_patches",
}

RECIPES: dict[str, str] = {"jax." + name: call for call, names in _CALLS.items() for name in names.split()}

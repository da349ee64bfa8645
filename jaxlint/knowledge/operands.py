"""What the use of a parameter says about it: arrays go into array functions, Python values into shapes and switches.

For functions whose callers are not seen (``assume-traced``). What is listed here is a sign, not a proof; the functions
of JAX have been asked: each refuses a string in these places and works on a tracer.
"""

from __future__ import annotations


def _words(text: str, prefix: str = "") -> frozenset[str]:
    """The words of the text, each with a prefix."""
    return frozenset(prefix + word for word in text.split())


_ONE = _words(
    """
    lax.cumsum lax.dynamic_index_in_dim lax.dynamic_slice lax.dynamic_slice_in_dim lax.dynamic_update_slice
    lax.expand_dims lax.rsqrt lax.slice_in_dim lax.square lax.top_k nn.elu nn.gelu nn.leaky_relu nn.log_sigmoid
    nn.log_softmax nn.logsumexp nn.one_hot nn.relu nn.sigmoid nn.silu nn.softmax nn.softplus numpy.abs
    numpy.absolute numpy.all numpy.amax numpy.amin numpy.any numpy.arccos numpy.arcsin numpy.arctan numpy.argmax
    numpy.argmin numpy.argsort numpy.argwhere numpy.average numpy.clip numpy.cos numpy.cosh numpy.count_nonzero
    numpy.cumprod numpy.cumsum numpy.diag numpy.diagonal numpy.diff numpy.exp numpy.expand_dims numpy.expm1
    numpy.flatnonzero numpy.flip numpy.isfinite numpy.isinf numpy.isnan numpy.linalg.cholesky numpy.linalg.det
    numpy.linalg.eigh numpy.linalg.eigvalsh numpy.linalg.inv numpy.linalg.norm numpy.linalg.pinv numpy.linalg.qr
    numpy.linalg.slogdet numpy.linalg.svd numpy.log numpy.log1p numpy.logical_not numpy.max numpy.mean
    numpy.median numpy.min numpy.moveaxis numpy.nan_to_num numpy.nanmax numpy.nanmean numpy.nanmin numpy.nansum
    numpy.nonzero numpy.pad numpy.percentile numpy.prod numpy.quantile numpy.ravel numpy.repeat numpy.reshape
    numpy.roll numpy.sign numpy.sin numpy.sinh numpy.sort numpy.sqrt numpy.square numpy.squeeze numpy.std
    numpy.sum numpy.swapaxes numpy.take numpy.take_along_axis numpy.tan numpy.tanh numpy.tile numpy.trace
    numpy.transpose numpy.tril numpy.triu numpy.unique numpy.var scipy.special.logsumexp
    """,
    "jax.",
)
_TWO = _words(
    """
    lax.dot numpy.convolve numpy.cross numpy.dot numpy.inner numpy.kron numpy.linalg.solve numpy.matmul numpy.outer
    numpy.searchsorted numpy.tensordot numpy.vdot scipy.linalg.solve_triangular
    """,
    "jax.",
)

#: Function -> how many of its first arguments are arrays. Functions that lists and Python numbers are often handed to
#: (``asarray``, ``stack``, ``where``, ``maximum``, ``power``, ``ceil``) say nothing.
ARRAY_OPERANDS: dict[str, int] = {**dict.fromkeys(_ONE, 1), **dict.fromkeys(_TWO, 2)}

#: Calls whose arguments are Python values for certain, whatever else is known of them.
PYTHON_ONLY = _words("range isinstance issubclass callable hasattr getattr setattr type", "builtins.")

#: Calls that are at home among Python values; handing them an array may just as well be the fault.
PYTHON_CALLS = _words(
    "int float bool str list tuple set dict sorted enumerate zip reversed iter map filter sum min max", "builtins."
)

#: Keywords that take Python values in any call.
STATIC_KEYWORDS = _words(
    "axis axes axis_name dtype shape size length num_segments mode method precision name out_sharding keepdims"
)

#: Libraries and functions for the host: who calls them is not meant to be traced.
HOST_ROOTS: frozenset[str] = frozenset({
    "IPython", "PIL", "builtins.input", "builtins.open", "imageio", "jax.block_until_ready", "jax.device_get", "json",
    "matplotlib", "mediapy", "networkx", "numba", "os", "pandas", "pathlib", "pickle", "plotly", "pygame", "pyscf",
    "seaborn", "shutil", "sklearn", "socket", "sparse", "subprocess", "sys", "tensorboardX", "tensorflow", "time",
    "torch", "tqdm", "wandb",
})  # fmt: skip

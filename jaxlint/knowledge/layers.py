"""Layers: classes of flax linen and equinox whose instances map arrays to arrays, and array functions beside jnp."""

from __future__ import annotations

_LINEN_FUNCTIONS = """
celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax logsumexp normalize
one_hot relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh PReLU avg_pool max_pool pool
make_attention_mask make_causal_mask combine_masks dot_product_attention
"""

#: Functions of arrays that return one array.
ARRAY_FUNCTIONS = frozenset({f"flax.linen.{name}" for name in _LINEN_FUNCTIONS.split()} - {"flax.linen.PReLU"})

_LINEN_LAYERS = """
Dense DenseGeneral Conv ConvTranspose ConvLocal Embed LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm SpectralNorm
WeightNorm Dropout SelfAttention MultiHeadDotProductAttention MultiHeadAttention Einsum PReLU Sequential
"""
_EQUINOX_LAYERS = """
Linear MLP Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d LayerNorm GroupNorm
RMSNorm Dropout Embedding Identity Lambda Sequential PReLU MultiheadAttention AvgPool1d AvgPool2d MaxPool1d MaxPool2d
AdaptiveAvgPool1d AdaptiveAvgPool2d
"""

_LAYERS = frozenset(
    {f"flax.linen.{name}" for name in _LINEN_LAYERS.split()}
    | {f"equinox.nn.{name}" for name in _EQUINOX_LAYERS.split()}
)


def is_layer_class(name: str) -> bool:
    """Whether ``name`` is a class whose instances map arrays to arrays."""
    return name in _LAYERS

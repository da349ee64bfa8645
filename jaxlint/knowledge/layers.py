"""Layers: classes of flax, haiku and equinox whose instances map arrays to arrays, and array functions beside jnp."""

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

_NNX_LAYERS = """
Linear LinearGeneral Conv ConvTranspose Embed LayerNorm BatchNorm RMSNorm GroupNorm InstanceNorm Dropout Einsum
MultiHeadAttention Sequential PReLU LoRA
"""
_HAIKU_LAYERS = """
Linear Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose DepthwiseConv2D Embed LayerNorm GroupNorm RMSNorm
InstanceNorm BatchNorm Flatten Reshape Bias AvgPool MaxPool Sequential nets.MLP
"""

_LAYERS = frozenset(
    {f"flax.linen.{name}" for name in _LINEN_LAYERS.split()}
    | {f"equinox.nn.{name}" for name in _EQUINOX_LAYERS.split()}
    | {f"flax.nnx.{name}" for name in _NNX_LAYERS.split()}
    | {f"haiku.{name}" for name in _HAIKU_LAYERS.split()}
)

#: Recurrent cells, whose instances give a pair: of haiku output and state, of flax carry and output.
CELLS = frozenset(
    {f"haiku.{name}" for name in ("LSTM", "GRU", "VanillaRNN")}
    | {
        f"flax.{module}.{name}"
        for module in ("linen", "nnx")
        for name in ("LSTMCell", "OptimizedLSTMCell", "GRUCell", "SimpleCell")
    }
)


def is_layer_class(name: str) -> bool:
    """Whether ``name`` is a class whose instances map arrays to arrays."""
    return name in _LAYERS

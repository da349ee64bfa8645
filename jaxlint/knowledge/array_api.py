"""Attributes and methods of a JAX array and of a tracer; what builtins and `math` do with a tracer.

Measured with JAX 0.12.0.1 on Python 3.12. Inside jit and under vmap alone the verdicts are the same for all of them
(`imag` of a real mapped value apart, which is a constant). Under grad alone floats are traced but hold a value: `bool`,
`int` and `item` work, comparisons and integers are not traced at all, `float` and `np.asarray` raise. Verdicts:
`traced`, `static`, `mixed` or the exception's class name.
"""

from __future__ import annotations

from typing import NamedTuple


def _names(text: str) -> frozenset[str]:
    """The words of the text."""
    return frozenset(text.split())


#: Readable on a tracer, and Python values.
STATIC_ATTRIBUTES: frozenset[str] = frozenset(
    {"shape", "dtype", "ndim", "size", "aval", "weak_type", "itemsize", "nbytes"}
)

#: Readable on a tracer, and traced.
ARRAY_ATTRIBUTES: frozenset[str] = frozenset({"T", "mT", "real", "imag"})

#: The indexed-update helper: `x.at[i].set(v)`. An object that is no tracer; its methods return traced arrays.
UPDATE_ATTRIBUTE: str = "at"
UPDATE_METHODS: frozenset[str] = _names("set add subtract multiply mul divide power min max apply get")

#: Attributes of a concrete array that raise this on a tracer, staged, mapped or differentiated. `x.sharding` is among
#: them (outside explicit sharding), and so is `x.block_until_ready`: `jax.block_until_ready(x)` is the one that works.
NOT_ON_TRACER: dict[str, str] = {
    "sharding": "AttributeError",
    "device": "AttributeError",
    "format": "AttributeError",
    "platform": "AttributeError",
    "block_until_ready": "AttributeError",
    "copy_to_host_async": "AttributeError",
    "is_ready": "AttributeError",
    "clone": "AttributeError",
    "committed": "ConcretizationTypeError",
    "is_fully_addressable": "ConcretizationTypeError",
    "is_fully_replicated": "ConcretizationTypeError",
    "addressable_shards": "ConcretizationTypeError",
    "global_shards": "ConcretizationTypeError",
    "traceback": "ConcretizationTypeError",
    "flat": "NotImplementedError",
}

#: Methods that return a traced array on a tracer.
ARRAY_METHODS: frozenset[str] = _names(
    """
    all any argmax argmin argpartition argsort astype byteswap clip conj conjugate copy cumprod cumsum diagonal dot
    flatten max mean min prod ptp ravel repeat reshape round searchsorted sort squeeze std sum swapaxes take to_device
    trace transpose var view
    """
)

#: Array methods that fail inside a trace, `compress` and `nonzero` without `size=` (the size of the result depends on
#: values; a constant condition does not help under staging), `choose` without `mode="wrap"` or `"clip"`. With it they
#: return traced arrays.
DATA_DEPENDENT_METHODS: frozenset[str] = frozenset({"compress", "nonzero", "choose"})

#: `nonzero` returns a tuple.
TUPLE_METHODS: frozenset[str] = frozenset({"nonzero"})

#: Methods that need the value or the buffer: ConcretizationTypeError inside jit and under vmap (`item` works under
#: grad).
HOST_METHODS: frozenset[str] = _names(
    "item tolist tobytes delete devices is_deleted on_device_size_in_bytes unsafe_buffer_pointer"
)

#: Methods that wait for a concrete array or copy it to the host; `to_py` is gone but still called.
SYNC_METHODS: frozenset[str] = _names("item tolist tobytes block_until_ready to_py")

#: Special methods that do the same, behind `bool(x)`, `if x`, `float(x)`, `xs[x]`, `np.asarray(x)`, `f"{x:.2f}"`.
SYNC_DUNDERS: frozenset[str] = _names("__bool__ __int__ __float__ __complex__ __index__ __array__ __format__")

#: Methods of a concrete array that answer a Python value without waiting for it.
STATIC_METHODS: frozenset[str] = _names("devices is_deleted is_ready on_device_size_in_bytes")

_ALONG_AXIS = "all any argmax argmin argsort cumprod cumsum max mean min prod ptp sort squeeze std sum var"

#: Arguments of array methods that must be Python values (position without self, keyword; -1 means keyword only).
#: `reshape` and `transpose` take theirs one by one or as a tuple: position None stands for all of them.
SHAPE_METHODS: dict[str, tuple[tuple[int | None, str], ...]] = {
    **dict.fromkeys(_ALONG_AXIS.split(), ((0, "axis"),)),
    "argpartition": ((0, "kth"), (1, "axis")),
    "compress": ((1, "axis"), (3, "size")),
    "diagonal": ((0, "offset"), (1, "axis1"), (2, "axis2")),
    "nonzero": ((-1, "size"),),
    "repeat": ((0, "repeats"), (1, "axis"), (2, "total_repeat_length")),
    "reshape": ((None, "args"),),
    "round": ((0, "decimals"),),
    "swapaxes": ((0, "axis1"), (1, "axis2")),
    "take": ((1, "axis"),),
    "trace": ((1, "axis1"), (2, "axis2")),
    "transpose": ((None, "args"),),
}


class Outcome(NamedTuple):
    """What a call does inside jit with a traced float scalar, int scalar, float vector; under grad with a float."""

    scalar: str
    integer: str
    vector: str
    grad: str


_TYPE = "TypeError"
_VALUE = "ValueError"
_BOOL = "TracerBoolConversionError"
_INT = "TracerIntegerConversionError"
_CONCRETE = "ConcretizationTypeError"

_NEVER = Outcome(_TYPE, _TYPE, _TYPE, _TYPE)
_AS_INT = Outcome(_TYPE, _INT, _TYPE, _TYPE)
_STATIC = Outcome("static", "static", "static", "static")
_TRACED = Outcome("traced", "traced", "traced", "traced")
_ITERATES = Outcome(_TYPE, _TYPE, "traced", _TYPE)
_COMPARES = Outcome(_TYPE, _TYPE, _BOOL, _TYPE)

#: The builtin called with the tracer as its only argument. Whoever does not know the shape has to allow for `vector`. A
#: list of scalar tracers behaves like the vector: `sum([x, y])` works, `min([x, y])`, `sorted`, `any` and `all` call
#: bool.
BUILTINS: dict[str, Outcome] = {
    "bool": Outcome(_BOOL, _BOOL, _VALUE, "static"),
    "int": Outcome(_CONCRETE, _CONCRETE, _TYPE, "static"),
    "float": Outcome(_CONCRETE, _CONCRETE, _TYPE, _CONCRETE),
    "complex": Outcome(_CONCRETE, _CONCRETE, _TYPE, _CONCRETE),
    "round": Outcome("traced", "traced", "traced", "static"),
    "abs": _TRACED,
    "len": Outcome(_TYPE, _TYPE, "static", _TYPE),
    "iter": Outcome(_TYPE, _TYPE, "static", _TYPE),
    "reversed": Outcome("IndexError", "IndexError", "static", "IndexError"),
    **dict.fromkeys(("sum", "list", "tuple"), _ITERATES),
    "enumerate": Outcome(_TYPE, _TYPE, "static", _TYPE),
    "zip": Outcome(_TYPE, _TYPE, "static", _TYPE),
    **dict.fromkeys(("min", "max", "sorted", "any", "all"), _COMPARES),
    **dict.fromkeys(("range", "chr", "hex", "oct", "bin"), _AS_INT),
    **dict.fromkeys(("hash", "set", "frozenset", "ord", "memoryview", "vars", "dict"), _NEVER),
    **dict.fromkeys(("format", "str", "repr", "ascii", "print", "slice", "id", "type", "callable", "dir"), _STATIC),
}

#: Other calls with the tracer `x`.
BUILTIN_CALLS: dict[str, Outcome] = {
    "min(x, 1)": Outcome(_BOOL, _BOOL, _VALUE, "traced"),
    "max(0, x)": Outcome(_BOOL, _BOOL, _VALUE, "traced"),
    "not x": Outcome(_BOOL, _BOOL, _VALUE, "static"),
    "round(x, 1)": Outcome("traced", "traced", "traced", "static"),
    "divmod(x, 2)": Outcome("traced", "traced", "traced", "mixed"),
    "pow(x, 2)": _TRACED,
    "pow(x, 2, 3)": _NEVER,
    "format(x, '.2f')": _NEVER,
    "list(reversed(x))": Outcome("IndexError", "IndexError", "traced", "IndexError"),
    "list(enumerate(x))": Outcome(_TYPE, _TYPE, "mixed", _TYPE),
    "list(zip(x, x))": _ITERATES,
    "list(map(abs, x))": _ITERATES,
    "list(filter(None, x))": _COMPARES,
    "next(iter(x))": _ITERATES,
    "isinstance(x, int)": _STATIC,
    "hasattr(x, 'shape')": _STATIC,
    "operator.index(x)": _AS_INT,
    "x.is_integer()": Outcome("AttributeError", "AttributeError", "AttributeError", "AttributeError"),
    "sum([x, x])": _TRACED,
    "min([x, x])": Outcome(_BOOL, _BOOL, _VALUE, "traced"),
    "any([x, x])": Outcome(_BOOL, _BOOL, _VALUE, "static"),
    "len([x, x])": _STATIC,
}

_MATH_FLOAT = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs floor
    fmod frexp fsum gamma hypot isclose isfinite isinf isnan ldexp lgamma log log10 log1p log2 modf nextafter pow
    radians remainder sin sinh sqrt tan tanh ulp
"""

#: Every function of `math` raises this on a scalar tracer, inside jit, under vmap and (given a float) under grad alone.
MATH_FAILS: dict[str, str] = {
    **dict.fromkeys(_MATH_FLOAT.split(), _CONCRETE),
    **dict.fromkeys(("comb", "factorial", "gcd", "isqrt", "lcm", "perm"), _INT),
    "trunc": _TYPE,
}

#: But for these, which only multiply and add what they are given in a list.
MATH_WORKS: frozenset[str] = frozenset({"prod", "sumprod"})

"""JAX's dtypes as sets of possibilities, and how they promote.

A set is an int with one bit for each dtype and one for each weak type (what Python numbers have). Only sets are told
apart, never single dtypes, because `jax_enable_x64` is not known: `jnp.zeros(3)` is float32 or float64. Whoever wants
to say that two dtypes differ asks whether their sets have nothing in common.

The lattice is that of JAX's documentation ("Type promotion semantics"); tests/knowledge/test_dtypes.py asks the
installed JAX about every pair, with and without `jax_enable_x64`.
"""

from __future__ import annotations

from functools import cache

#: What each type promotes to directly; weak types end in a star.
LATTICE: dict[str, tuple[str, ...]] = {
    "bool": ("int*",),
    "int*": ("uint8", "int8"),
    "uint8": ("int16", "uint16"),
    "uint16": ("int32", "uint32"),
    "uint32": ("int64", "uint64"),
    "uint64": ("float*",),
    "int8": ("int16",),
    "int16": ("int32",),
    "int32": ("int64",),
    "int64": ("float*",),
    "float*": ("bfloat16", "float16", "complex*"),
    "bfloat16": ("float32",),
    "float16": ("float32",),
    "float32": ("float64", "complex64"),
    "float64": ("complex128",),
    "complex*": ("complex64",),
    "complex64": ("complex128",),
    "complex128": (),
}
#: Beside those of the lattice: a weak bool; the float8 and int4 families, which few programs use; keys.
_NAMES = (*LATTICE, "bool*", "float8", "int4", "key")
_BIT: dict[str, int] = {name: 1 << i for i, name in enumerate(_NAMES)}

#: A weak type's own dtypes, and the narrow form that 64 bits have without `jax_enable_x64`.
_UNDER_WEAK = {
    "bool*": ("bool",),
    "int*": ("int32", "int64"),
    "float*": ("float32", "float64"),
    "complex*": ("complex64", "complex128"),
}
_NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


def mask(names: str) -> int:
    """The set of the types named in a text."""
    out = 0
    for name in names.split():
        out |= _BIT[name]
    return out


#: Nothing is known.
ANY_DTYPE: int = (1 << len(_NAMES)) - 1
BOOL: int = mask("bool bool*")
#: Python's numbers, by the name of their type.
PYTHON: dict[str, int] = {
    "bool": mask("bool"),
    "int": mask("int*"),
    "float": mask("float*"),
    "complex": mask("complex*"),
}
DEFAULT_INT: int = mask("int32 int64")
DEFAULT_FLOAT: int = mask("float32 float64")
INTEGERS: int = mask("int* int4 int8 int16 int32 int64 uint8 uint16 uint32 uint64")
_FLOATS = mask("float* bfloat16 float16 float32 float64 float8")
_COMPLEX = mask("complex* complex64 complex128")
_WEAK = mask("bool* int* float* complex*")

#: Names of dtypes and of what stands for one (`dtype=float`), to the dtypes that JAX makes of them.
_DTYPE_NAMES: dict[str, str] = {
    **{name: name for name in LATTICE if not name.endswith("*")},
    **{wide: f"{wide} {narrow}" for wide, narrow in _NARROW.items()},
    "float": "float32 float64",
    "double": "float32 float64",
    "float_": "float32 float64",
    "single": "float32",
    "half": "float16",
    "int": "int32 int64",
    "int_": "int32 int64",
    "uint": "uint32 uint64",
    "bool_": "bool",
    "complex": "complex64 complex128",
    "complex_": "complex64 complex128",
    "cdouble": "complex64 complex128",
    "csingle": "complex64",
}
DTYPE_NAMES: dict[str, int] = {name: mask(names) for name, names in _DTYPE_NAMES.items()}

#: Python numbers that modules hold under a name.
NUMBERS: frozenset[str] = frozenset(
    f"{module}.{name}"
    for module, names in (
        ("jax.numpy", "pi e inf nan euler_gamma"),
        ("numpy", "pi e inf nan euler_gamma Inf NaN infty"),
        ("math", "pi e inf nan tau"),
    )
    for name in names.split()
)


def _above(name: str) -> frozenset[str]:
    found = {name}
    for up in LATTICE[name]:
        found |= _above(up)
    return frozenset(found)


_ABOVE: dict[str, frozenset[str]] = {name: _above(name) for name in LATTICE}


def _least_upper_bound(a: str, b: str) -> str:
    common = _ABOVE[a] & _ABOVE[b]
    return max(common, key=lambda name: len(_ABOVE[name]))


@cache
def _promote_names(a: str, b: str) -> int:
    a, b = ("bool" if name == "bool*" else name for name in (a, b))
    if a not in _ABOVE or b not in _ABOVE:
        return _promote_rare(a, b)
    found = _least_upper_bound(a, b)
    out = _BIT[found]
    if found in _NARROW and a not in _NARROW and b not in _NARROW:
        out |= _BIT[_NARROW[found]]
    return out


def _promote_rare(a: str, b: str) -> int:
    """Pairs outside the lattice; 0 where JAX refuses them."""
    if a == b:
        return _BIT[a] if a != "int4" else INTEGERS
    if "key" in (a, b):
        return 0
    rare, other = (a, b) if a not in _ABOVE else (b, a)
    if other not in _ABOVE:
        return _BIT["float8"]  # float8 and int4
    if rare == "int4":
        return INTEGERS if _BIT[other] & INTEGERS else _BIT["int4"] if other == "bool" else _BIT[other]
    return _COMPLEX if _BIT[other] & _COMPLEX else _BIT[other] & _FLOATS | _BIT["float8"]


def names_in(types: int) -> list[str]:
    """The types in a set."""
    return [name for name in _NAMES if types & _BIT[name]]


_PAIRS: dict[tuple[int, int], int] = {}
_INEXACT: dict[int, int] = {}
_STRONG: dict[int, int] = {}
_DTYPES: dict[int, int] = {}


def promote(a: int, b: int) -> int:
    """What an operator that promotes gives for operands of these sets."""
    if a == b and not a & (a - 1):
        return a
    found = _PAIRS.get((a, b))
    if found is None:
        found = 0
        for x in names_in(a):
            for y in names_in(b):
                found |= _promote_names(x, y)
        found = found or ANY_DTYPE
        _PAIRS[a, b] = found
    return found


def inexact(types: int) -> int:
    """What division and the functions of analysis make of it: integers become floats of the default width."""
    found = _INEXACT.get(types)
    if found is None:
        found = types & ~(INTEGERS | BOOL | _BIT["key"])
        if types & _BIT["int*"]:
            found |= _BIT["float*"]
        if types & (INTEGERS & ~_WEAK | BOOL):
            found |= DEFAULT_FLOAT
        found = _INEXACT[types] = found or ANY_DTYPE
    return found


def strong(types: int) -> int:
    """The same without weak types: what `jnp.float32(…)`, a reduction or a second pass of a loop leaves."""
    found = _STRONG.get(types)
    if found is None:
        found = types & ~_WEAK
        for weak, dtypes in _UNDER_WEAK.items():
            if types & _BIT[weak]:
                for name in dtypes:
                    found |= _BIT[name]
        _STRONG[types] = found
    return found


def summed(types: int) -> int:
    """What a sum or a product has: narrow integers and bools are widened."""
    found = strong(types) & ~(BOOL | mask("int4 int8 int16 uint8 uint16"))
    if types & (BOOL | mask("int4 int8 int16")):
        found |= DEFAULT_INT
    if types & mask("int4 uint8 uint16"):
        found |= mask("uint32 uint64")
    if types & mask("int32"):
        found |= DEFAULT_INT
    if types & mask("uint32"):
        found |= mask("uint32 uint64")
    return found


def magnitude(types: int) -> int:
    """What `abs` makes of it."""
    found = types & ~_COMPLEX
    for name, real in (("complex*", "float*"), ("complex64", "float32"), ("complex128", "float64")):
        if types & _BIT[name]:
            found |= _BIT[real]
    return found


def loose(types: int) -> int:
    """The same where it is not known whether weak types survive."""
    return types | strong(types)


def weak_part(types: int) -> int:
    """The weak types in a set."""
    return types & _WEAK


def differ(a: int, b: int) -> bool:
    """Whether two sets have no dtype in common (JAX compares dtypes, not weak types)."""
    return not strong(a) & strong(b)


#: Sets that have a name of their own in messages: the dtype without `jax_enable_x64`.
_SHOWN = {DEFAULT_INT: "int32", DEFAULT_FLOAT: "float32", mask("complex64 complex128"): "complex64"}


def describe(types: int) -> str:
    """A set in a word for messages; empty if too much is open."""
    types = strong(types)
    names = names_in(types)
    if len(names) == 1:
        return names[0]
    if types in _SHOWN:
        return _SHOWN[types]
    if not types & ~(_FLOATS | _COMPLEX):
        return "float"
    return "int" if not types & ~INTEGERS else ""

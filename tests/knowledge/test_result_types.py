"""The dtype and the shape that jaxlint reads off a call, against those that the installed JAX gives it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these tables is JAX itself")

import jax
import jax.numpy as jnp
import libcst as cst
import numpy as np
from test_dtypes import name_of

from jaxlint import syntax, tracing
from jaxlint.knowledge import dtypes
from jaxlint.knowledge.result_types import METHODS, RESULTS
from jaxlint.source.text import source_from_text
from jaxlint.tracing.aval import Aval
from jaxlint.tracing.values import Array

_DTYPES = ("bool", "int8", "int32", "uint8", "uint32", "float16", "bfloat16", "float32", "complex64")
_SCALARS = ("True", "2", "2.5", "1j")
_MADE = (
    *(f"jnp.ones((3,), '{dtype}')" for dtype in _DTYPES),
    *(f"jnp.ones({shape}, '{dtype}')" for shape in ("()", "(2, 3)") for dtype in ("int8", "float16", "float32")),
    "jnp.array(2)",
    "jnp.asarray(2.5)",
    "jnp.full((3,), 2)",
    "np.ones(3)",
    "np.arange(3)",
)
#: The arrays that the expressions are about, by name.
_NAMED = {f"A{number}": text for number, text in enumerate(_MADE)}
_ARRAYS = (*_NAMED, "jnp.inf", *_SCALARS)
_FEW = ("A1", "A5", "A14", "2", "2.5")
_KEY = "jax.random.key(0)"


def _names(text: str) -> list[str]:
    return text.split()


#: Calls of functions whose arguments are no plain arrays; `{}` stands for each array.
_FORMS: dict[str, tuple[str, ...]] = {
    "where": ("({0} > 0, {0}, {1})",),
    "clip": ("({0}, 0, 1)", "({0}, {1}, 2.0)"),
    "take": ("({0}, 0)", "({0}, np.array([0, 1]), axis=0)"),
    "take_along_axis": ("({0}, jnp.zeros((1, 1), int), axis=0)",),
    "tile": ("({0}, 2)",),
    "repeat": ("({0}, 2)",),
    "swapaxes": ("({0}, 0, 1)",),
    "moveaxis": ("({0}, 0, 1)",),
    "permute_dims": ("({0}, (1, 0))",),
    "pad": ("({0}, 1)",),
    "roll": ("({0}, 1)", "({0}, 1, axis=0)"),
    "reshape": ("({0}, -1)", "({0}, (1, -1))", "({0}, (3, -1))"),
    "squeeze": ("({0})", "({0}[None])", "({0}[None], 0)"),
    "transpose": ("({0})", "({0}, (1, 0))"),
    "expand_dims": ("({0}, 0)", "({0}, -1)", "({0}, (0, 1))"),
    "broadcast_to": ("({0}, (2, 3))", "({0}, 3)"),
    "concatenate": ("([{0}, {1}])", "(({0}, {1}), axis=-1)", "([{0}[None], {1}[None]], 1)"),
    "concat": ("([{0}, {1}])",),
    "stack": ("([{0}, {1}])", "([{0}, {1}], axis=-1)", "([{0}, {1}, {0}], 1)"),
    "append": ("({0}, {1})", "({0}, {1}, axis=0)"),
    "sort": ("({0})", "({0}, axis=None)"),
    "argsort": ("({0})", "({0}, axis=None)"),
    "cumsum": ("({0})", "({0}, axis=0)", "({0}, 0, jnp.float32)"),
    "cumprod": ("({0})", "({0}, axis=0)"),
    "zeros": (
        "(3)",
        "((2, 3))",
        "((2,), jnp.int8)",
        "([2, 3], dtype='bfloat16')",
        "((2,), float)",
        "(3, int)",
        "(3, bool)",
    ),
    "full": ("((2, 3), {0})", "(3, {0}, jnp.int8)"),
    "zeros_like": ("({0})", "({0}, jnp.int8)", "({0}, shape=(4,))"),
    "full_like": ("({0}, {1})", "({0}, 2, dtype=jnp.int8)"),
    "arange": ("(3)", "(3.0)", "(1, 4)", "(0, 1, 0.25)", "({0})", "(3, dtype=jnp.float16)", "(jnp.int8(3))"),
    "linspace": (
        "(0, 1)",
        "(0.0, 1.0, 5)",
        "(0, jnp.float16(1), 3)",
        "(jnp.ones(2), 3)",
        "(0, 1, num=4, dtype=jnp.float16)",
    ),
    "eye": ("(3)", "(3, 2)", "(2, dtype=int)"),
    "identity": ("(3)", "(3, jnp.int8)"),
    "array": ("({0})", "([{0}, {1}])", "([1, 2])", "([[1.0], [2.0]])", "([])", "({0}, jnp.float32)", "([True, 2])"),
    "astype": ("({0}, jnp.int8)", "({0}, float)", "({0}, 'float16')"),
    "dynamic_update_slice": ("({0}, {0}[:1], (0,) * jnp.ndim({0}))",),
    "dynamic_update_slice_in_dim": ("({0}, {0}[:1], 0, 0)",),
    "dynamic_update_index_in_dim": ("({0}, {0}[0], 0, 0)",),
    "dynamic_slice": ("({0}, (0,), (1,))",),
    "dynamic_slice_in_dim": ("({0}, 0, 1)",),
    "dynamic_index_in_dim": ("({0}, 0)",),
    "slice": ("({0}, (0,), (1,))",),
    "slice_in_dim": ("({0}, 0, 1)",),
    "index_in_dim": ("({0}, 0)",),
    "randint": ("(KEY, (3,), 0, 9)", "(KEY, (), 0, 9, jnp.int8)", "(KEY, shape=(2, 3), minval=0, maxval=9)"),
    "bernoulli": ("(KEY, 0.5)", "(KEY, 0.5, (3,))"),
    "normal": ("(KEY)", "(KEY, (2, 3))", "(KEY, (), jnp.float16)", "(KEY, dtype=jnp.bfloat16)", "(KEY, shape=(4,))"),
    "norm": ("({0})", "({0}, axis=0)", "({0}, 1)"),
    "outer": ("({0}, {1})",),
}
for _like, _others in {
    "zeros": "ones empty",
    "zeros_like": "ones_like empty_like",
    "array": "asarray",
    "concatenate": "vstack hstack dstack column_stack",
    "normal": "uniform exponential gumbel laplace logistic cauchy",
}.items():
    _FORMS.update(dict.fromkeys(_names(_others), _FORMS[_like]))
_REDUCED = ("({0})", "({0}, axis=0)", "({0}, -1)", "({0}, axis=(0, 1))", "({0}, axis=None, keepdims=True)")
_FORMS.update(dict.fromkeys(_names("max min amax amin sum prod mean std var median all any"), _REDUCED))
_FORMS.update(dict.fromkeys(_names("argmax argmin count_nonzero"), (*_REDUCED[:3], _REDUCED[4])))
_FORMS["sum"] = (*_REDUCED, "({0}, dtype=jnp.float32)", "({0}, 0, jnp.int8)")


def expressions(name: str) -> Iterator[str]:
    tail = name.rpartition(".")[2]
    written = name.replace("jax.numpy.", "jnp.")
    for form in _FORMS.get(tail, ("({0})", "({0}, {1})")):
        form = form.replace("KEY", _KEY)
        for a, b in pairs(form):
            yield written + form.format(a, b)


def pairs(form: str) -> Iterator[tuple[str, str]]:
    """What to put into a form: each array, beside two others that take turns."""
    for number, a in enumerate(_ARRAYS if "{0}" in form else ("",)):
        for step in (0, 2) if "{1}" in form else (0,):
            yield a, _FEW[(number + step) % len(_FEW)]


_OPERATIONS = (
    "({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} / {1})", "({0} // {1})", "({0} % {1})", "({0} ** {1})",
    "({0} > {1})", "({0} == {1})", "({0} & {1})", "({0} | {1})", "({0} @ {1})", "({0} << {1})",
)  # fmt: skip
_ON_ONE = (
    "(-{0})", "(~{0})", "(+{0})", "jnp.asarray({0})[0]", "jnp.asarray({0})[None]", "jnp.asarray({0})[:, None]",
    "jnp.asarray({0})[..., None]", "jnp.asarray({0})[0, 1]", "jnp.asarray({0})[1:]", "jnp.asarray({0})[:]",
    "jnp.asarray({0})[np.array([0, 1, 1])]", "jnp.asarray({0})[:, 0]", "jnp.asarray({0}).T", "jnp.asarray({0}).real",
    "jnp.asarray({0}).at[0].set(2.5)", "jnp.asarray({0}).at[0].add(1)", "jnp.asarray({0}).at[0].get()",
    "jnp.asarray({0}).at[...].max(2)", "jnp.asarray({0}).astype(jnp.float16)", "jnp.asarray({0}).reshape(-1)",
    "jnp.asarray({0}).reshape(1, -1)", "jnp.asarray({0}).reshape((3, -1))", "jnp.asarray({0}).flatten()",
    "jnp.asarray({0}).sum(0)", "jnp.asarray({0}).clip(0, 1)", "jnp.float16({0})", "jnp.int32({0})", "jnp.float64({0})",
    "jax.jit(lambda v: v + 1)({0})", "jax.vmap(lambda v: v * 2.0)({0})", "jax.checkpoint(lambda v: v)({0})",
    "jax.lax.map(lambda v: v + 1, {0})", "jax.lax.scan(lambda c, v: (c, v), {0}, jnp.arange(2))[0]",
    "jax.lax.cond(True, lambda v: v, lambda v: v, {0})", "jax.lax.fori_loop(0, 2, lambda i, c: c, {0})",
)  # fmt: skip
_ON_METHODS = tuple(
    f"jnp.asarray({{0}}).{method}()" for method in sorted(METHODS - {"astype", "reshape", "repeat", "take"})
)


def operations() -> Iterator[str]:
    for form in (*_OPERATIONS, *_ON_ONE, *_ON_METHODS):
        for a, b in pairs(form):
            yield form.format(a, b)


def read(texts: list[str]) -> list[Aval | None]:
    """What jaxlint knows of each expression."""
    lines = ["import jax", "import jax.numpy as jnp", "import numpy as np"]
    lines += [f"{name} = {text}" for name, text in (*_NAMED.items(), *(("y", text) for text in texts))]
    source = source_from_text("\n".join(lines) + "\n", "expressions.py")
    module = syntax.parse(source)
    facts = tracing.analyse(module, source)
    out: list[Aval | None] = []
    for line in module.body[3 + len(_NAMED) :]:
        assert isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Assign)
        known = [value for _, value in facts.values(line.body[0].value)]
        out.append(known[-1].aval if known and isinstance(known[-1], Array) and known[-1].certain else None)
    return out


def differs(said: Aval, got: Any) -> bool:
    if name_of(got) not in dtypes.names_in(said.types):
        return True
    if said.shape is None:
        return False
    assert isinstance(said.shape, tuple)
    known = said.shape[:-1] if ... in said.shape else said.shape
    shape = np.shape(got)
    if len(known) != len(shape) and (... not in said.shape or len(known) > len(shape)):
        return True
    return any(isinstance(x, int) and x != y for x, y in zip(known, shape, strict=False))


def judge(texts: list[str]) -> tuple[int, list[str]]:
    """How many of the expressions that work jaxlint knows something of, and those of which it says something wrong."""
    said = {text: aval for text, aval in zip(texts, read(texts), strict=True) if aval is not None}
    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np}
    names |= {name: eval(text, names) for name, text in _NAMED.items()}
    got: dict[str, Any] = {}

    def trace() -> None:
        for text in said:
            try:
                got[text] = eval(text, names)
            except Exception:
                continue  # no rule speaks of what fails

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jax.make_jaxpr(trace)()
    known = 0
    wrong: list[str] = []
    for text, value in got.items():
        if isinstance(value, np.ndarray):
            continue  # what a few functions leave of NumPy's own arrays
        if not isinstance(value, (jax.Array, bool, int, float, complex)):
            wrong.append(f"{text}: {value!r}")
            continue
        known += 1
        if differs(said[text], value):
            types = dtypes.names_in(said[text].types)
            wrong.append(f"{text}: {name_of(value)}{np.shape(value)}, not {types} {said[text].shape}")
    return known, wrong


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_functions(name: str) -> None:
    known, wrong = judge(list(expressions(name)))
    assert not wrong, wrong[:5]
    assert known


def test_operations() -> None:
    known, wrong = judge(list(operations()))
    assert not wrong, wrong[:5]
    assert known > 1000

"""``assume-traced``: public functions of a library as its users' traces run them."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_files import Check, write

from jaxlint.config.assumed import AssumedModule, assumed_module, module_names

OPS = """\
# file: mypkg/__init__.py
# file: mypkg/ops.py
from __future__ import annotations

import functools
from typing import Any, Callable, NamedTuple, Optional, Union

import chex
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Array


def annotated(x: jax.Array, bound):
    if jnp.linalg.norm(x) > bound:  # expect: JAX101@8
        return x / bound
    return x


def shaped(x: Float[Array, "n"]):
    while x.sum() > 1:  # expect: JAX102@11
        x = x / 2
    return x


def like(x: jax.typing.ArrayLike, y: Union[jax.Array, float]):
    assert x > 0  # expect: JAX103@12
    return x if y > 0 else y  # expect: JAX101@17


def quoted(x: "jax.Array"):
    if x > 0:  # expect: JAX101@8
        return x
    return -x


def of_tree(x: chex.ArrayTree):
    if x[0] > 0:  # expect: JAX101@8
        return x
    return -x


def by_use(logits, scale, mode, axis, flag, shape, fn):
    if flag:
        scale = scale * 2
    if mode == "fast":
        return jnp.zeros(shape)
    if scale > 1:
        return fn(logits)
    if logits[0] > 3:  # expect: JAX101@8
        return logits
    return jax.nn.softmax(logits, axis=axis)


def google(x, n, names, mask):
    '''Do something.

    Args:
      x: an array of shape (n,).
      n (int): the number of rows.
      names: list of arrays.
      mask: whether to mask.
    '''
    if n > 3 or names or mask:
        return x
    return float(x[0])  # expect: JAX105@12


def numpy_style(x, size):
    '''Do something.

    Parameters
    ----------
    x : array_like
        What to do it with.
    size : int
        How often.
    '''
    if size > 3:
        return x
    return int(x[0])  # expect: JAX105@12


def sphinx(x, n):
    '''Do something.

    :param jnp.ndarray x: what to do it with
    :param n: int, how often
    '''
    if n > 3:
        return x
    return bool(x[0])  # expect: JAX105@12


def takes_no_array(n: int, scale: float, names: list[str], options: Any):
    if n > 2 and scale > 1 and names and options:
        return jnp.zeros(n)
    return jnp.ones(3)


def kinds_of_none(x: Optional[jax.Array], y: np.ndarray, z: Callable):
    if x is not None and x > 0:
        return y
    if y > 0:
        return z
    return jnp.sum(y)


def static_use(x: jax.Array, n, k: jax.Array):
    for _ in range(n):
        x = jnp.sin(x)
    if n > 2:
        return x.reshape(k, 3)
    if k > 2:
        return x
    return x


def defaulted(x: jax.Array, y: jax.Array = None, check=False, strict=True):
    if y > 0:
        return x
    if check and x.sum() > 0:
        raise ValueError
    if strict and x.sum() > 0:  # expect: JAX101@19
        raise ValueError
    return x


class Config(NamedTuple):
    rate: jax.Array
    steps: int


def with_config(config: Config, x: jax.Array):
    if config.steps > 3:
        return x
    if config.rate > 3:  # expect: JAX101@8
        return x
    return -x


class Env:
    def __init__(self, size):
        self.size = size

    def __call__(self, action: jax.Array):
        if self.size > 3:
            return action
        return 1 if action > 0 else 2  # expect: JAX101@21

    @staticmethod
    def reward(state: jax.Array):
        return 1 if state > 0 else 2  # expect: JAX101@21

    @classmethod
    def make(cls, state: jax.Array):
        return 1 if state > 0 else 2  # expect: JAX101@21

    def keeps_state(self, action: jax.Array):
        self.last = action
        return 1 if action > 0 else 2

    def _private(self, action: jax.Array):
        return 1 if action > 0 else 2


class _Hidden:
    def step(self, action: jax.Array):
        return 1 if action > 0 else 2


def _private(x: jax.Array):
    return 1 if x > 0 else 2


@functools.lru_cache
def cached(x: jax.Array):
    return 1 if x > 0 else 2


def generator(x: jax.Array):
    yield 1 if x > 0 else 2


def helper_called(x: jax.Array):
    return _helper(x)


def _helper(y):
    if y > 0:  # expect: JAX101@8
        return y
    return -y


class Transform(NamedTuple):
    init: Callable
    update: Callable


def scale_by(rate: jax.Array):
    if rate > 0:
        rate = -rate

    def init_fn(params):
        return jax.tree.map(jnp.zeros_like, params)

    def update_fn(updates: jax.Array, state, params=None):
        if updates.sum() > 3:  # expect: JAX101@12
            return state
        return updates * rate

    return Transform(init_fn, update_fn)


def made_elsewhere(rate: jax.Array):
    if rate > 0:
        rate = -rate
    return scale_by(rate)


def with_lambda(rate: jax.Array):
    if rate > 0:
        rate = -rate
    return lambda x: x * rate
"""


def test_what_is_traced(check: Check, tmp_path: Path) -> None:
    promised = write(tmp_path, OPS)
    assert check().places == []
    result = check("--assume-traced", "mypkg.ops")
    assert result.places == promised
    assert {one["confidence"] for one in result.findings} == {"likely"}


def test_its_story_says_so(check: Check, tmp_path: Path) -> None:
    write(tmp_path, OPS)
    (tmp_path / "jaxlint.toml").write_text('assume-traced = ["mypkg.ops"]\n')
    findings = check().findings
    told = {one["location"]["row"]: [step["message"] for step in one["story"]] for one in findings}  # type: ignore[index,attr-defined]
    assert told[14] == [
        "`annotated` is a public function of `mypkg.ops`, which the settings say is traced by its users",
        "`x` is annotated as an array",
    ]
    closure = (
        "`update_fn` is returned by a public function of `mypkg.ops`, which the settings say is traced by its users"
    )
    assert any(closure in story for story in told.values())


WIDE = """\
# file: src/mypkg/sub/ops.py
import time

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np


def right(x: jax.Array):
    '''Documented.'''
    if x > 0:  # expect: JAX101@8
        return x
    return -x


def helper(x: jax.Array):
    if x > 0:
        return x
    return -x


def converts(x: jax.Array):
    '''Who writes float() means the host.'''
    if x > 0:
        return float(x)
    return 0.0


def in_a_callee(x: jax.Array):
    '''The same, one call deeper.'''
    if x > 0:
        return _plot(x)
    return 0.0


def _plot(x):
    plt.plot(x)


def text(x: jax.Array) -> str:
    '''A string is no result of a trace.'''
    if x > 0:
        return "more"
    return "less"


def only_a_key(key: jax.Array):
    '''Keys are split on the host as well.'''
    if jax.random.uniform(key) > 0.5:
        return 1
    return 2
"""


@pytest.mark.parametrize("pattern", ["mypkg", "mypkg.sub", "mypkg.*", "mypkg.sub.*", "*.ops"])
def test_a_package_vouches_for_what_looks_traced(check: Check, tmp_path: Path, pattern: str) -> None:
    promised = write(tmp_path, WIDE)
    (tmp_path / "jaxlint.toml").write_text(f'assume-traced = ["{pattern}"]\n')
    assert check().places == promised
    # Which rules are asked for does not change what an entry is.
    assert check("--select", "JAX101").places == promised


def test_a_witness_is_certain(check: Check, tmp_path: Path) -> None:
    promised = write(
        tmp_path,
        """\
# file: ops.py
import jax


def step(x: jax.Array):
    if x > 0:  # expect: JAX101@8
        return x
    return -x
# file: train.py
import jax

import ops

run = jax.jit(ops.step)
""",
    )
    for order in (("ops.py", "train.py"), ("train.py", "ops.py")):
        result = check("--assume-traced", "ops", *order)
        assert result.places == promised
        assert [one["confidence"] for one in result.findings] == ["certain"]


def test_tests_are_never_assumed(check: Check, tmp_path: Path) -> None:
    write(tmp_path, OPS.replace("mypkg/ops.py", "mypkg/tests/ops.py").replace("# expect", "# no"))
    assert check("--assume-traced", "mypkg").places == []


def test_all_says_what_is_public(check: Check, tmp_path: Path) -> None:
    promised = write(
        tmp_path,
        """\
# file: ops.py
import jax

__all__ = ["one"]


def one(x: jax.Array):
    return 1 if x > 0 else 2  # expect: JAX101@17


def two(x: jax.Array):
    return 1 if x > 0 else 2
""",
    )
    assert check("--assume-traced", "ops").places == promised


def test_a_name_without_a_module_is_warned_about(check: Check, tmp_path: Path) -> None:
    write(tmp_path, OPS)
    result = check("-q", "--assume-traced", "mypkg.op")
    assert result.err == ""
    result = check("--assume-traced", "mypkg.op,mypkg.layers.*,mypkg")
    assert result.err.splitlines() == [
        "warning: `assume-traced`: no module matches `mypkg.op` (did you mean `mypkg.ops`?)",
        "warning: `assume-traced`: no module matches `mypkg.layers.*` (did you mean `mypkg.ops`?)",
    ]
    (tmp_path / "other.py").write_text("import jax\n")
    assert check("--assume-traced", "mypkg.ops", "other.py").err == ""  # it is there, and not checked in this run


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("mypkg/ops.py", " (did you mean `mypkg.ops`?)"),
        ("my pkg", ""),
        (".ops", " (did you mean `ops`?)"),
        ("a..b", ""),
    ],
)
def test_a_name_that_is_none_is_an_error(check: Check, tmp_path: Path, pattern: str, hint: str) -> None:
    result = check("--assume-traced", pattern)
    assert result.code == 2
    assert result.err == f"jaxlint: error: --assume-traced: `{pattern}` is no dotted name of a module{hint}\n"


def test_names_of_files(tmp_path: Path) -> None:
    write(tmp_path, "# file: src/pkg/__init__.py\n# file: src/pkg/ops.py\n# file: space/deep/ops.py\n")
    root = str(tmp_path)
    assert module_names(str(tmp_path / "src/pkg/ops.py"), root) == ("pkg.ops", "src.pkg.ops")
    assert module_names(str(tmp_path / "src/pkg/__init__.py"), root) == ("pkg", "src.pkg")
    assert "space.deep.ops" in module_names(str(tmp_path / "space/deep/ops.py"), root)
    path = str(tmp_path / "src/pkg/ops.py")
    assert assumed_module(path, ("pkg.ops",), root) == AssumedModule("pkg.ops", True)
    assert assumed_module(path, ("pkg",), root) == AssumedModule("pkg.ops", False)
    assert assumed_module(path, ("pkg.op",), root) is None
    assert assumed_module(path, (), root) is None

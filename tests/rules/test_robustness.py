"""Strange, deep and huge code ends in silence or findings, never in an internal error, and in bounded time."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from fixture_files import check

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n\n\n"
#: Seconds; generous for a slow machine, far below what an explosion would take.
BOUND = 20.0


def findings(body: str, head: str = HEAD) -> list[str]:
    """Codes of what is found, without internal errors and in time."""
    begin = time.process_time()
    found = check(head + body)
    assert time.process_time() - begin < BOUND
    assert [each.message for each in found if each.code in ("JAX000", "JAX003")] == []
    return [each.code for each in found]


@pytest.mark.parametrize(
    "text", ["", "\n", "# jax\n", "'jax'", "import jax", "\ufeffimport jax\n", "import jax;\\\n\n", "\f\nimport jax\n"]
)
def test_almost_nothing(text: str) -> None:
    assert findings(text, head="") == []


NEW_SYNTAX = '''\
type Pair[T] = tuple[T, T]
type Arrays[*Ts, **P] = dict[str, T]


class Box[T: (int, str)]:
    item: T

    def get[U](self, other: U) -> T | U:
        return self.item if other is None else other


@jax.jit
def first[T](x: T, *args: *Ts, **kwargs: object) -> T:
    match x:
        case {"a": [first, *_, last], **rest} if first > last:
            return first
        case Box(item=int() | float() as number) | Box(number):
            return number
        case [1, -2.5, 3 + 4j, "s", b"b", None, True, jnp.pi, *others]:
            return others
        case (a, b) | [a, b]:
            return a
        case str():
            return x
        case _:
            pass
    try:
        x = x + 1
    except* (ValueError, TypeError) as group:
        x = x - 1
    else:
        x = 2 * x
    finally:
        del args
    with (jax.named_scope("a") as one, jax.named_scope("b"),):
        print(f"{x!r:>{10}} {f'{x + 1}' + "nested"} {x=}")
    return x


async def main(xs, /, y: int = 1, *, z=..., **more):
    async with xs as (a, *b), y:
        async for i, [j, *k] in z:
            await i
            yield [w async for w in j if await w]
    else_ = [lambda *a, b=1, **c: (yield), (n := 3), *xs, {**more, "a": 1}, {*xs}]
    else_[n:, ..., ::2], (more["q"], b.c) = 1, (2, 3)
    print(*else_, sep="", **more)
    global HEAD
    x: "int"
    x = y = 0
    assert x, y
    raise ValueError from None


def generator(n):
    received = yield n
    while received := (yield from generator(n - 1)):
        if received: continue
        break
    else:
        return received


@(lambda f: f)
@jax.jit
@jax.tree_util.Partial(jax.jit, static_argnums=(0,))
class Decorated(Box, metaclass=type, x=1):
    """Odd."""
    __slots__ = ()
    x @= 1; y **= 2; z //= 3; w >>= 1; v |= 4
    if 1 < 2 != 3 is not None not in []: pass
'''


def test_new_syntax() -> None:
    findings(NEW_SYNTAX)


def test_tests_that_python_refuses_when_they_run() -> None:
    findings("@jax.jit\ndef f(x):\n    if isinstance() or hasattr() or x.any(*[]) is type():\n        return x\n")


@pytest.mark.parametrize(
    "body",
    [
        "@jax.jit\ndef f(x):\n"
        + "".join(f"{'  ' * (i + 1)}if x.ndim > {i}:\n" for i in range(90))
        + "  " * 91
        + "return x\n",
        "@jax.jit\ndef f(x):\n"
        + "".join(f"    if x.ndim == {i}:\n        x = x + {i}\n" for i in range(500))
        + "    return x\n",
        "@jax.jit\ndef f(x):\n    if x.ndim == 0:\n        pass\n"
        + "".join(f"    elif x.ndim == {i}:\n        x = x + {i}\n" for i in range(1, 500))
        + "    return x\n",
        "@jax.jit\ndef f(x):\n    return " + " + ".join(["x"] * 2000) + "\n",
        "@jax.jit\ndef f(x):\n    return " + " and ".join(["x.ndim"] * 500) + "\n",
        "@jax.jit\ndef f(x):\n    return " + "jnp.sin(" * 150 + "x" + ")" * 150 + "\n",
        "@jax.jit\ndef f(x):\n    return x" + ".T" * 1500 + "\n",
        "@jax.jit\ndef f(x):\n    return x" + ".at[0].set(1)" * 300 + "\n",
        "@jax.jit\ndef f(x):\n    return x" + "[0]" * 500 + "\n",
        "@jax.jit\ndef f(x):\n    return " + "(" * 90 + "x" + ",)" * 90 + "\n",
        "@jax.jit\ndef f(x):\n    return " + "-" * 500 + "x\n",
        "@jax.jit\ndef f(x):\n    return " + "lambda: " * 200 + "x\n",
        "@jax.jit\ndef f(x):\n    return " + "x if x.ndim else " * 300 + "x\n",
        "".join(f"{'  ' * i}def f{i}(x{i}):\n" for i in range(80)) + "  " * 80 + "return x0\njax.jit(f0)\n",
        "TABLE = {" + ", ".join(f"'{i}': [{i}, jnp.sin({i})]" for i in range(3000)) + "}\n",
        "TABLE = [" + ", ".join(map(str, range(20000))) + "]\n\n\n@jax.jit\ndef f(x):\n    return x + TABLE[3]\n",
        "@jax.jit\ndef f(x):\n" + "    x = jnp.sin(x)\n" * 2000 + "    return x\n",
        "".join(f"@jax.jit\ndef f{i}(x):\n    return x + {i}\n\n\n" for i in range(600)),
        "def f0(x):\n    return x\n\n\n"
        + "".join(f"def f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(2 * x)\n\n\n" for i in range(1, 60))
        + "jax.jit(f59)\n",
        "@jax.jit\ndef f(x):\n"
        + "".join(f"{'  ' * (i + 1)}for i{i} in range(3):\n" for i in range(15))
        + "  " * 16
        + "x = x + 1\n  return x\n",
        "@jax.jit\ndef f(x):\n"
        + "".join(f"{'  ' * (i + 1)}while x.ndim > {i}:\n" for i in range(12))
        + "  " * 13
        + "x = x[0]\n  return x\n",
        "def f(x):\n"
        + "".join(f"{'  ' * (i + 1)}try:\n" for i in range(12))
        + "  " * 13
        + "pass\n"
        + "".join(f"{'  ' * (12 - i)}except ValueError:\n{'  ' * (13 - i)}pass\n" for i in range(12))
        + "jax.jit(f)\n",
        "def f(x): return " + "jax.jit(" * 60 + "f" + ")" * 60 + "(x)\n",
        "class A0: pass\n" + "".join(f"class A{i}(A{i - 1}): pass\n" for i in range(1, 500)) + "jax.jit(A499().f)\n",
    ],
    ids=[
        "nested-if",
        "many-if",
        "elif",
        "sum",
        "and",
        "calls",
        "attributes",
        "updates",
        "subscripts",
        "tuples",
        "minus",
        "lambdas",
        "ternaries",
        "nested-defs",
        "dict",
        "list",
        "statements",
        "functions",
        "call-tree",
        "nested-for",
        "nested-while",
        "nested-try",
        "wrapped",
        "bases",
    ],
)
def test_deep_and_huge(body: str) -> None:
    assert findings(body) == []


def test_more_parentheses_than_python_takes() -> None:
    """300 nested calls are a syntax error in CPython too: one finding that says so."""
    found = check(HEAD + "y = " + "jnp.sin(" * 300 + "1.0" + ")" * 300 + "\n")
    assert [each.code for each in found] == ["JAX000"]


RECURSIVE = [
    "@jax.jit\ndef f(x):\n    return f(x - 1) if x.ndim else x\n",
    "def even(x): return odd(x - 1)\ndef odd(x): return even(x - 1)\njax.jit(even)\n",
    "def f(x, n): return f(x, n + 1) + f(x, n + 2)\njax.jit(f, static_argnums=1)(1.0, 0)\n",
    "f = lambda x: f(x)\njax.jit(f)\n",
    "def f(g): return g(g)\njax.jit(lambda x: f(f))\n",
    "def f(x):\n    def g(y): return f(y)\n    return jax.jit(g)(x)\nf(1.0)\n",
    "def f(x): return jax.vmap(f)(x)\nf(jnp.ones(3))\n",
    "class A(B): pass\nclass B(A): pass\njax.jit(A().f)(1)\n",
    "class A(A): pass\njax.jit(A)(1)\n",
    "class A:\n    def __getattr__(self, name): return getattr(self, name)\n"
    "    @jax.jit\n    def f(self): return self.x\nA().f()\n",
    "x = [1]\nx.append(x)\njax.jit(lambda y: x[1][1][1] + y)(1)\n",
    "d = {}\nd['d'] = d\njax.jit(lambda y: d['d']['d'])(1)\n",
    "class A: pass\na = A()\na.a = a\njax.jit(lambda y: a.a.a.a + y)(1)\n",
    "def f(*args, **kwargs): return f(*args, **kwargs)\njax.jit(f)(*f, **f)\n",
    "from functools import partial\nf = partial(f, 1)\njax.jit(f)(2)\n",
    "def deco(f): return deco(f)\n@deco\ndef g(x): return g(x)\njax.jit(g)(1)\n",
    "def scan(c, x): return lax.scan(scan, c, x)\nscan(0.0, jnp.ones(3))\n",
    "def f(x):\n    yield from f(x)\njax.jit(f)(1)\n",
    "jax = jax\njnp = jnp.jnp\n@jax.jit\ndef f(x): return jnp.sin(x)\n",
    "def f(x=lambda: f): return f(f)\njax.jit(f)\n",
]


@pytest.mark.parametrize("body", RECURSIVE)
def test_recursion(body: str) -> None:
    findings(body)


ODD_CALLS = [
    "jax.jit()\njax.jit(None)\njax.jit(1)(2)\njax.vmap()()\n",
    "jax.jit(*[])\njax.jit(**{})\nlax.scan()\nlax.scan(1)\nlax.scan(f=3)\nlax.cond()\nlax.switch(0, [])(1)\n",
    "lax.while_loop(lambda: 1, lambda a, b, c: 1, ())\nlax.fori_loop(0, 1)\nlax.map(lambda: 1, 1)\n",
    "jax.jit(lambda x: x, static_argnums=object(), static_argnames=1.5)(1)\n"
    "jax.jit(lambda x: x, static_argnums=(9, -9))(1)\n",
    "jax.random.split()\njax.random.normal()\njax.random.fold_in(1)\njax.random.split(jax.random.key(0), -1)[10**30]\n",
    "x = jnp.zeros(10**30)\ny = x[10**400]\nz = 2 ** 10 ** 10 ** 10 if 0 else 1 / 0\n",
    "@jax.jit\ndef f(x):\n    return x % 0 + 1 // 0 + 'a' * 10**12 + [0] * 10**12 + 1 << 10**9\n",
    "@jax.jit\ndef f(x):\n    for i in range(10**18):\n"
    "        for j in range(10**18):\n            x = x\n    return 9 ** 9 ** 9\n",
    "@jax.jit\ndef f(x):\n    a, b, *c = d = x\n    [a, (b, *e)] = x, x\n    (x) = yield\n    return a\n",
    "@jax.custom_vjp\ndef f(x): return x\nf.defvjp()\nf.defvjp(1)\nf.defvjp(f, f)\njax.grad(f)(1)\n",
    "@jax.jit\ndef f(self, /, x, *, y): return self + x + y\nf(1)\nf(1, 2, 3, 4, y=1, z=2)\n",
    "import jax as jnp, numpy as jax\n@jnp.jit\ndef f(x): return jax.sum(x)\n",
    "from jax import *\nfrom jax.numpy import *\n@jit\ndef f(x): return sin(x)\n",
    "from . import jax\nfrom .. import lax\nfrom .jax import jit\n@jit\ndef f(x):\n    if x > 0: return x\n",
    "del jax\n@jax.jit\ndef f(x): return x\n",
    "@jax.jit\nasync def f(x):\n    await x\n    return [y async for y in x]\n",
    "@jax.jit\ndef f(x):\n    match x:\n        case a | a: pass\n"
    "        case {**r}: pass\n        case jax.Array(): pass\n",
]


@pytest.mark.parametrize("body", ODD_CALLS)
def test_odd_calls(body: str) -> None:
    findings(body)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_shuffled_fixtures(seed: int) -> None:
    """Lines of fixtures cut, doubled and swapped: whatever still parses is checked without an internal error."""
    chooser = random.Random(seed)
    texts = [path.read_text() for path in sorted(Path(__file__).parents[1].glob("fixtures/*/*.py"))]
    for _ in range(20):
        lines = chooser.choice(texts).split("\n")
        for _ in range(chooser.randint(1, 8)):
            place = chooser.randrange(len(lines))
            kind = chooser.randrange(4)
            if kind == 0:
                del lines[place]
            elif kind == 1:
                lines.insert(place, chooser.choice(lines))
            elif kind == 2:
                other = chooser.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
            else:
                words = lines[place].split(" ")
                chooser.shuffle(words)
                lines[place] = " ".join(words)
        begin = time.process_time()
        found = check("\n".join(lines))
        assert time.process_time() - begin < BOUND
        assert [each.message for each in found if each.code == "JAX003"] == []

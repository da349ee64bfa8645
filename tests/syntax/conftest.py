"""Sample sources: one example of every kind of node, and installed files."""

from __future__ import annotations

import random
import sysconfig
from pathlib import Path

import pytest

#: Every node class that libcst's parser can build stands here at least once (a test says so).
ZOO = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Docstring."""
from __future__ import annotations
import os, sys as system; import a.b.c as d
from . import x
from ..pkg.mod import (y as z, w,)
from star import *
lazy import slow
lazy from slow.mod import thing

@decorator
@dec.call(1, *args, k=2, **kw)  # trailing

# after decorators
async def f[T: int, *Ts, **P](a, b: int = 1, /, c=2, *rest: str, d, e=3, **kw) -> Dict[str, int]:
    """Doc."""
    global g, h
    async with a as b, c: pass
    with (open("x") as p.q, r,):
        pass
    async for i in aiter(): await i
    else:
        continue
    return (yield), (yield from x), (yield 1, 2)


def only(*, k): return
def slash(a, /): ...
class Empty: pass


class C[T = int](Base, metaclass=Meta, **kw):
    x: int
    y: "str" = """a
b"""

    def g(self):
        nonlocal x, y
        del self.a, self.b
        del (z)


type Alias[K, V: (int, str)] = dict[K, V]
x = y = -1 + +2 - ~3 * 4 / 5 // 6 % 7 ** 8 @ 9 << 10 >> 11 & 12 | 13 ^ 14
x += 1; x -= 1; x *= 1; x /= 1; x //= 1; x %= 1; x **= 1; x @= 1
x <<= 1; x >>= 1; x &= 1; x |= 1; x ^= 1
b = a < b <= c > d >= e == f != g in h not in i is j is not k
b = not a and (b or c) if d else (e := 1.5) + 2j
s = "a" f"b{c!r:>{width}}{d=}{e}" 'f' r"x", rb"y"
t = t"tpl {name!s:x{y}} text"
lam = lambda: 0, lambda a, *b, c=1, **d: (a, b)
l = [1, *two, (3), ()]
dct = {1: 2, **three, "k": [x for x in y if x if not x for z in x], }
st = {1, 2, *u}; se = {v for v in w}; de = {k: v for k, v in w}; ge = (q async for q in r); sd = {**m for m in n}
sub = a[1], a[1:2], a[::], a[1:2:3, ...], a[*b], a[b][c].d().e
call = f ( * a , ** b , c = 1 ) (x)(y for y in z)
ell = ...
par = (  # comment
    1, # more

    2)
cont = 1 + \\
    2
while True:
    break
else:
    pass
if a: pass
elif b:
\tpass
else: x; y

for i, in z:
    # comment

    pass
    # footer
  # dedented footer

try:
    raise
except (A, B) as e:
    raise E from e
except C: pass
except: pass
else:
    pass
finally:
    assert x, "message"
try:
    pass
except* G as eg:
    pass
except* H:
    pass
match x, y:
    # leading
    case 1 | -2 | 1 + 2j | "s" | None | True: pass
    case [a, *rest] | (b, _) if guard: pass
    case [*_]: pass
    case c, d: pass
    case {"k": v, 1: w, **others}: pass
    case {**only}: pass
    case Point(1, x=0, y=(z)) | a.b.C(): pass
    case (1 as one) | [] | {}: pass
    case object() as o: pass
    case _: pass
print((((deep))))
# end
'''


@pytest.fixture(scope="session")
def zoo() -> str:
    """A source with every kind of node."""
    return ZOO


@pytest.fixture(scope="session")
def corpus() -> list[tuple[str, str]]:
    """Names and texts of installed files, the same ones in every run on one machine."""
    paths = sysconfig.get_paths()
    files = sorted(Path(paths["stdlib"]).glob("*.py")) + sorted(Path(paths["stdlib"]).glob("test/test_*.py"))
    files += sorted(Path(paths["purelib"]).rglob("*.py"))
    texts = []
    for path in random.Random(7).sample(files, 60):
        if path.stat().st_size > 60_000:
            continue
        try:
            texts.append((str(path), path.read_bytes().decode("utf-8")))
        except UnicodeDecodeError:
            continue
    return texts

"""docs/examples/barycentres.py:153 JAX401: shift, period and noise of a made-up dataset are drawn with one key."""

import ast

import jax.numpy as jnp
import jax.random as jr
from evidence import CORPUS, shown

text = (CORPUS / "gpjax-1.0.0/docs/examples/barycentres.py").read_text(encoding="utf-8")
loop = next(one for one in ast.parse(text).body if isinstance(one, ast.For) and "vertical_shift" in ast.unparse(one))
drawn = []
names = {"jr": jr, "key": jr.key(123), "n_datasets": 5, "x": jnp.zeros((3, 1)), "ys": []}
names["f"] = lambda x, shift, period: drawn.append((float(shift), float(period))) or x
exec(compile(ast.Module([loop], []), "barycentres.py", "exec"), names)
assert all(abs(shift / 2 - (period - 0.75) / 0.5) < 1e-5 for shift, period in drawn)
shown(f"in all {len(drawn)} datasets the period follows from the vertical shift: {drawn[0]}, {drawn[1]}, …")

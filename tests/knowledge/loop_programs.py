"""Random small programs with a loop or a choice of JAX, each in a function of its own: `program(random) -> source`.

Every function `case_N` takes no argument, so that JAX traces it and jaxlint reads it with the same knowledge.
"""

from __future__ import annotations

import random

DTYPES = (
    "jnp.float32",
    "jnp.float16",
    "jnp.bfloat16",
    "jnp.int32",
    "jnp.int8",
    "jnp.uint8",
    "jnp.uint32",
    "bool",
    "float",
    "int",
)
SCALARS = ("0", "1", "0.0", "2.5", "True", "jnp.pi", "1j")
UNARY = (
    "jnp.sin",
    "jnp.exp",
    "jnp.abs",
    "jnp.square",
    "jnp.sign",
    "jnp.floor",
    "-",
    "jnp.sqrt",
    "jnp.negative",
    "jnp.round",
    "jnp.logical_not",
    "jnp.isnan",
    "jax.nn.relu",
    "jnp.nan_to_num",
)
BINARY = ("+", "-", "*", "/", "//", "%", "**", ">", "==", "&")
CALLED = (
    "jnp.maximum",
    "jnp.minimum",
    "jnp.power",
    "jnp.arctan2",
    "jnp.logical_and",
    "jnp.add",
    "jnp.mod",
    "jnp.divide",
)
REDUCED = (
    "jnp.sum",
    "jnp.mean",
    "jnp.max",
    "jnp.prod",
    "jnp.std",
    "jnp.argmax",
    "jnp.any",
    "jnp.all",
    "jnp.median",
    "jnp.linalg.norm",
    "jnp.count_nonzero",
    "jnp.min",
)
METHODS = (
    ".sum()",
    ".mean()",
    ".max()",
    ".astype({})",
    ".reshape(-1)",
    ".ravel()",
    ".T",
    ".squeeze()",
    ".argmax()",
    ".any()",
    ".cumsum()",
    ".copy()",
    "[None]",
    "[0]",
    "[:1]",
    "[..., 0]",
    "[:, None]",
    ".at[0].set(1)",
    ".at[...].add(0.5)",
    ".flatten()",
    ".round()",
    ".clip(0, 1)",
    ".real",
    ".prod()",
    ".var()",
)
OTHERS = (
    "jnp.where({} > 0, {}, {})",
    "jnp.concatenate([{}, {}])",
    "jnp.stack([{}, {}])",
    "jnp.append({}, {})",
    "jnp.vstack([{}, {}])",
    "jnp.hstack([{}, {}])",
    "jnp.zeros_like({})",
    "jnp.full_like({}, 2)",
    "jnp.asarray({})",
    "jnp.array([{}, {}])",
    "jnp.array({})",
    "jnp.cumsum({})",
    "jnp.expand_dims({}, 0)",
    "jnp.clip({}, 0, 1)",
    "jnp.dot({}, {})",
    "jnp.sum({}, axis=0)",
    "jnp.mean({}, axis=-1)",
    "jnp.sort({})",
    "jnp.roll({}, 1)",
    "jnp.broadcast_to({}, (3,))",
    "jnp.reshape({}, (1, -1))",
    "jnp.float32({})",
    "jnp.int32({})",
    "jnp.transpose({})",
    "jnp.squeeze({})",
    "jnp.linspace(0, {}, 3)",
    "jnp.arange(3) * {}",
    "jnp.eye(2) + {}",
    "np.float32(2) * {}",
    "np.ones(3) * {}",
    "np.float64(2) + {}",
    "jnp.maximum({}, 0)",
    "jax.nn.softmax({})",
    "jnp.argsort({})",
    "jnp.take({}, 0)",
    "jnp.tile({}, 2)",
    "jnp.flip({})",
    "jax.lax.stop_gradient({})",
    "jax.vmap(lambda v: v * 1.0)({})",
    "jax.jit(lambda v: v + 1)({})",
    "jax.checkpoint(lambda v: v * 2.0)({})",
    "jax.lax.cond(True, lambda v: v + 1, lambda v: v, {})",
    "jax.lax.scan(lambda c, v: (c + v, c), {}, jnp.arange(2))[0]",
    "jax.lax.fori_loop(0, 3, lambda i, c: c * 2, {})",
    "jax.lax.map(lambda v: v + 1, {})",
    "jax.random.normal(jax.random.key(0), (3,)) * {}",
    "jax.random.randint(jax.random.key(0), (), 0, 3) + {}",
)


def leaf(r: random.Random) -> str:
    """An array or a number to start from."""
    kind = r.random()
    if kind < 0.4:
        return r.choice(SCALARS)
    shape = r.choice(("()", "(3,)", "(1,)", "(2, 3)", "3", "(0, 2)"))
    dtype = r.choice(DTYPES)
    return r.choice(
        (
            f"jnp.zeros({shape}, {dtype})",
            f"jnp.ones({shape})",
            f"jnp.full({shape}, {r.choice(SCALARS)})",
            "jnp.arange(3)",
            f"jnp.array({r.choice(SCALARS)})",
            f"jnp.asarray({r.choice(SCALARS)}, {dtype})",
            "jnp.array([0.0, 1.0, 2.0])",
            f"np.zeros({shape}, np.float32)",
            "np.arange(3)",
            f"np.ones({shape})",
            "jnp.float32(1)",
            "jnp.int32(1)",
            "jnp.arange(3.0)",
            "jnp.array([1, 2, 3])",
            f"jnp.zeros({shape}, dtype={dtype})",
            "jnp.bool_(True)",
            "np.float32(1)",
            "jnp.inf",
            "np.array(0.0)",
        )
    )


def expression(r: random.Random, names: list[str], depth: int = 0) -> str:
    """Some arithmetic on the names."""
    kind = r.random()
    if depth > 2 or kind < 0.25:
        return r.choice(names) if r.random() < 0.8 else leaf(r)
    one = expression(r, names, depth + 1)
    if kind < 0.4:
        return f"({one} {r.choice(BINARY)} {expression(r, names, depth + 1)})"
    if kind < 0.5:
        f = r.choice(UNARY)
        return f"(-{one})" if f == "-" else f"{f}({one})"
    if kind < 0.58:
        return f"{r.choice(CALLED)}({one}, {expression(r, names, depth + 1)})"
    if kind < 0.64:
        return f"{r.choice(REDUCED)}({one})"
    if kind < 0.8:
        return f"jnp.asarray({one})" + r.choice(METHODS).format(r.choice(DTYPES))
    form = r.choice(OTHERS)
    return form.format(*(expression(r, names, depth + 1) for _ in range(form.count("{}"))))


def gentle(r: random.Random, name: str, names: list[str]) -> str:
    """An update of ``name`` that often keeps its type."""
    other = r.choice(names)
    return r.choice(
        (
            name,
            f"{name} + 1",
            f"{name} * 2",
            f"{name} + {other}",
            f"{name} * 0.5",
            f"-{name}",
            f"jnp.maximum({name}, {other})",
            f"{name} / 2",
            f"jnp.where({name} > 0, {name}, 0)",
            f"({name} + 1).astype({r.choice(DTYPES)})",
            f"{name} - jnp.mean({other})",
            f"jnp.sin({name})",
            f"jnp.append({name}, {other})",
            f"{name}[1:]" if r.random() < 0.1 else name,
            "0",
            "None" if r.random() < 0.2 else "0.0",
            f"jnp.concatenate([{name}, {name}])",
            f"jnp.sum({name})",
            f"jnp.zeros_like({name})",
            f"{name} // 2",
            f"{name} > 0",
            f"{name} + jnp.asarray({other}, {r.choice(DTYPES)})",
        )
    )


def structure(r: random.Random, parts: list[str], near: str) -> str:
    """The parts in a container, most often in that of ``near``."""
    form = near if r.random() < 0.93 else r.choice(("tuple", "list", "dict"))
    if r.random() < 0.03:
        parts = parts[:-1]
    if form == "dict":
        return "{" + ", ".join(f"'{'uvw'[i]}': {part}" for i, part in enumerate(parts)) + "}"
    if len(parts) == 1 and form == "tuple" and near == "tuple":
        return f"({parts[0]},)"
    return f"[{', '.join(parts)}]" if form == "list" else f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def program(r: random.Random, number: int) -> str:
    """One function, `case_<number>`."""
    count = r.choice((1, 1, 2, 2, 3))
    bare = count == 1 and r.random() < 0.7
    form = r.choice(("tuple", "tuple", "list", "dict"))
    names = ["a", "b", "c"][:count]
    starts = [leaf(r) if r.random() < 0.97 else "None" for _ in names]
    known = [*names, "x"]
    news = [gentle(r, name, known) if r.random() < 0.6 else expression(r, known) for name in names]
    init = starts[0] if bare else structure(r, starts, form)
    back = news[0] if bare else structure(r, news, form)
    if bare:
        opened = "a = carry"
    elif form == "dict":
        opened = "; ".join(f"{name} = carry['{'uvw'[i]}']" for i, name in enumerate(names))
    else:
        opened = f"{', '.join(names)}{',' if count == 1 else ''} = carry"
    lines = [f"def case_{number}():"]
    kind = r.choice(("scan", "scan", "fori", "while", "cond", "cond", "switch"))
    if kind == "scan":
        lines += [
            "    def body(carry, x):",
            f"        {opened}",
            f"        return {back}, {r.choice(('None', 'a', 'x'))}",
        ]
        rows = r.choice(("jnp.arange(3)", "jnp.ones((3, 2))", "jnp.ones(3)", "np.arange(3)"))
        lines += [f"    return jax.lax.scan(body, {init}, {rows})"]
    elif kind == "fori":
        lines += ["    def body(x, carry):", f"        {opened}", f"        return {back}"]
        upper = r.choice(("3", "jnp.int32(3)", "jnp.sum(jnp.arange(3))"))
        lines += [f"    return jax.lax.fori_loop(0, {upper}, body, {init})"]
    elif kind == "while":
        lines += ["    x = jnp.float32(1)", "    def body(carry):", f"        {opened}", f"        return {back}"]
        lines += [f"    return jax.lax.while_loop(lambda carry: jnp.bool_(False), body, {init})"]
    else:
        other = [gentle(r, name, known) if r.random() < 0.6 else name for name in names]
        second = other[0] if bare else structure(r, other, form)
        lines += ["    x = jnp.float32(1)", "    def first(carry):", f"        {opened}", f"        return {back}"]
        lines += ["    def second(carry):", f"        {opened}", f"        return {second}"]
        call = (
            f"jax.lax.cond(x > 0, first, second, {init})"
            if kind == "cond"
            else f"jax.lax.switch(1, [first, second, first], {init})"
        )
        lines += [f"    return {call}"]
    return "\n".join(lines) + "\n"

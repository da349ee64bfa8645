"""Protocols: what a library passes to the functions that one of its records is made of."""

from __future__ import annotations

#: Record -> its functions in order, and what each gets: ``"tree"``, a pytree of arrays, or ``"=name"``, what that
#: function of the record returned before. Parameters after these are not known.
PROTOCOLS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "optax.GradientTransformation": (("init", ("tree",)), ("update", ("tree", "=init", "tree"))),
    "optax.GradientTransformationExtraArgs": (("init", ("tree",)), ("update", ("tree", "=init", "tree"))),
}

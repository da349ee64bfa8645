"""Random keys: tokens, families of split keys, and the record of what consumed them.

The vocabulary is that of ``jax.experimental.key_reuse``: sources make keys, sinks consume them, forwards pass
them on. A token is made where a source is evaluated, so a loop that splits its key has a new token each time
round. Loops are interpreted twice (loops.py); the second time round a token that is still the same has been
used in the previous iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing.state import Frame
from jaxlint.tracing.values import UNKNOWN, Array, Static, Unknown, Value

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.context import Context
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Condition, State


class KeyToken:
    """One key, or a family of keys (the array that ``split`` returns).

    ``children`` are the family's keys by index; ``folds`` the keys made by ``fold_in`` by their data. An index
    is a constant or the identity of a value.
    """

    __slots__ = ("birth", "children", "constant", "folds", "node", "parent", "reported", "source")

    def __init__(
        self, birth: Context, node: cst.CSTNode, source: str, *, parent: KeyToken | None = None, constant: bool = False
    ) -> None:
        self.birth = birth
        self.node = node
        self.source = source  # "param", "key", "split", "index", "fold_in", "call", …
        self.parent = parent
        self.constant = constant
        self.children: dict[Any, KeyToken] = {}
        self.folds: dict[Any, KeyToken] = {}
        self.reported: set[cst.CSTNode] = set()


class Use:
    """One consumption: at ``node`` of ``context``, by ``how`` ("split", "draw", "loop", "pass")."""

    __slots__ = ("conditions", "context", "how", "node", "turn")

    def __init__(
        self, node: cst.CSTNode, context: Context, how: str, conditions: tuple[Condition, ...], turn: tuple[int, ...]
    ) -> None:
        self.node = node
        self.context = context
        self.how = how
        self.conditions = conditions
        self.turn = turn


class Reuse:
    """A fact: ``token`` was used by ``first`` and again by ``second``."""

    __slots__ = ("first", "looped", "second", "token")

    def __init__(self, token: KeyToken, first: Use, second: Use, *, looped: bool) -> None:
        self.token = token
        self.first = first
        self.second = second
        self.looped = looped


def token_of(it: Interpreter, value: Value, node: cst.CSTNode) -> KeyToken | None:
    """The token of a value that stands where a key must; an unknown value with an identity becomes one."""
    if isinstance(value, Array):
        array: Array = value
        return array.key
    if isinstance(value, Unknown):
        known: Unknown = value
        if known.token is None and known is not UNKNOWN:
            known.token = KeyToken(known.birth or it.context, known.node or node, "param")
        return known.token
    return None


def index_identity(value: Value) -> Any:
    """What makes two indices the same: equal constants, or the very same value."""
    if isinstance(value, Static) and value.known:
        const = value.const
        return const if isinstance(const, (int, str, bool, type(None))) else None
    return value


def child(it: Interpreter, family: KeyToken, index: Any, node: cst.CSTNode) -> KeyToken:
    """The key at ``index`` of a family; the same index gives the same token."""
    known = family.children.get(index)
    if known is None:
        known = KeyToken(family.birth, node, "index", parent=family)
        family.children[index] = known
    return known


def folded(it: Interpreter, base: KeyToken, data: Any, node: cst.CSTNode) -> KeyToken:
    """The key that ``fold_in(base, data)`` gives; the same data gives the same token."""
    known = base.folds.get(data)
    if known is None:
        known = KeyToken(base.birth, node, "fold_in", constant=base.constant)
        base.folds[data] = known
    return known


def consume(it: Interpreter, st: State, token: KeyToken, node: cst.CSTNode, how: str) -> None:
    """Record that ``token`` is used up here, and a Reuse fact if it was before on a feasible path."""
    where, context = _lift(token, node, it.context)
    use = Use(where, context, how, st.conditions, it.turn)
    for other in _conflicts(token):
        for first in st.used.get(other, ()):
            if _compatible(first.conditions, st.conditions):
                _note(it, token, first, use)
                break
        else:
            continue
        break
    st.used[token] = (*st.used.get(token, ()), use)[-6:]


def _note(it: Interpreter, token: KeyToken, first: Use, second: Use) -> None:
    looped = first.node is second.node and first.turn != second.turn
    if second.node in token.reported or it.quiet:
        return
    if looped and token.reported:
        return
    token.reported.add(second.node)
    it.facts.reuses.append(Reuse(token, first, second, looped=looped))


def _conflicts(token: KeyToken) -> list[KeyToken]:
    out = [token]
    if token.parent is not None:
        out.append(token.parent)
    out.extend(token.children.values())
    return out


def _lift(token: KeyToken, node: cst.CSTNode, context: Context) -> tuple[cst.CSTNode, Context]:
    """The place in the function that owns the key: a call that passes it on stands for what the callee does."""
    where = context
    while where.caller is not None and where is not token.birth and not _closes_over(where.frame, token.birth.frame):
        if where.depth <= token.birth.depth or where.call is None:
            break
        node, where = where.call, where.caller
    return node, where


def _closes_over(frame: Frame | None, outer: Frame | None) -> bool:
    while frame is not None:
        if frame is outer:
            return True
        frame = frame.parent
    return False


def _compatible(a: tuple[Condition, ...], b: tuple[Condition, ...]) -> bool:
    """Whether both paths can be taken in one run: no test that one passed and the other failed."""
    if not a or not b:
        return True
    held = dict(a)
    for atom, truth in b:
        before = held.get(atom)
        if before is not None and before is not truth:
            return False
        if truth and atom[0] == "==" and _other_constant(held, atom):
            return False
    return True


def _other_constant(held: dict[Any, bool], atom: Any) -> bool:
    return any(
        truth and known[0] == "==" and known[1] is atom[1] and known[2] != atom[2] for known, truth in held.items()
    )

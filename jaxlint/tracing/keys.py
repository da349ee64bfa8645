"""Random keys: tokens, families of split keys, and the record of what consumed them.

The vocabulary is that of ``jax.experimental.key_reuse``: sources make keys, sinks consume them, forwards pass
them on. A token is made where a source is evaluated, so a loop that splits its key has a new token each time
round. Loops are interpreted twice (loops.py); the second time round a token that is still the same has been
used in the previous iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.tracing.context import RegionKind
from jaxlint.tracing.facts import Broadcast, ConstantKey
from jaxlint.tracing.state import Frame
from jaxlint.tracing.values import UNKNOWN, Array, Kind, Static, Tuple, Unknown, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jaxlint.tracing.context import Context, Region
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.state import Condition, State


class KeyToken:
    """One key, or a family of keys (the array that ``split`` returns).

    ``children`` are the family's keys by index; ``folds`` the keys made by ``fold_in`` by their data. An index
    is a constant or the identity of a value. ``constant``: the key comes from a constant seed, at a place where it
    should vary ("region", "loop", "shadow").
    """

    __slots__ = ("birth", "children", "constant", "detail", "folds", "node", "parent", "reported", "source")

    def __init__(
        self, birth: Context, node: cst.CSTNode, source: str, *, parent: KeyToken | None = None, constant: str = ""
    ) -> None:
        self.birth = birth
        self.node = node
        self.source = source  # "param", "key", "split", "index", "fold_in", "call", …
        self.parent = parent
        self.constant = constant
        self.detail = ""
        self.children: dict[Any, KeyToken] = {}
        self.folds: dict[Any, KeyToken] = {}
        self.reported: set[cst.CSTNode] = set()


class Use:
    """One consumption: at ``node`` of ``context``, by ``how``: "split", "draw", "permutation", "choice", or what
    knowledge/key_takers.py says. ``who``: the object whose method took the key.
    """

    __slots__ = ("callee", "conditions", "context", "how", "node", "turn", "who")

    def __init__(
        self,
        node: cst.CSTNode,
        context: Context,
        how: str,
        conditions: tuple[Condition, ...],
        turn: tuple[int, ...],
        callee: cst.CSTNode | None,
        who: object,
    ) -> None:
        self.callee = callee
        self.who = who
        self.node = node
        self.context = context
        self.how = how
        self.conditions = conditions
        self.turn = turn

    def at(self, node: cst.CSTNode, context: Context) -> Use:
        """The same use seen from another place."""
        return Use(node, context, self.how, self.conditions, self.turn, self.callee, self.who)


class Reuse:
    """A fact: ``token`` was used by ``first`` and again by ``second``."""

    __slots__ = ("first", "looped", "second", "token")

    def __init__(self, token: KeyToken, first: Use, second: Use, *, looped: bool) -> None:
        self.token = token
        self.first = first
        self.second = second
        self.looped = looped

    @property
    def folds(self) -> bool:
        """Whether one of the uses is a ``fold_in``, which gives what the other gives by splitting."""
        return "fold" in (self.first.how, self.second.how)


def token_of(it: Interpreter, value: Value, node: cst.CSTNode) -> KeyToken | None:
    """The token of a value that stands where a key must; an unknown value with an identity becomes one."""
    if isinstance(value, Array):
        if value.key is None and value.outside is not None:
            value.key = token_of(it, value.outside, node)
        if value.key is None and value.kind is not Kind.HOST:
            # an argument, or made from keys in a way we do not follow
            value.key = KeyToken(_around(it.context, value.depth), node, "param")
        return value.key
    if isinstance(value, Unknown):
        known: Unknown = value
        if known.token is None and known is not UNKNOWN:
            known.token = KeyToken(known.birth or _around(it.context, 0), known.node or node, "param")
        return known.token
    return None


def _around(context: Context, depth: int) -> Context:
    """The innermost context around here that has no more than ``depth`` regions around it."""
    while context.caller is not None and context.trace_depth > depth:
        context = context.caller
    return context


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
        known = KeyToken(base.birth, node, "fold_in")
        base.folds[data] = known
    return known


def note_constant(it: Interpreter, token: KeyToken) -> None:
    """Leave a fact if numbers are drawn from a constant key where it should vary."""
    assumed = token.constant == "region" and token.birth.assumed  # the same key on the host as well
    if token.constant and not it.quiet and not assumed:
        it.facts.spaces.setdefault(token.birth.space)
        it.facts.constant_keys.append(ConstantKey(token.node, token.constant, token.detail, token.birth))
        token.constant = ""


def consume(
    it: Interpreter,
    st: State,
    token: KeyToken,
    node: cst.CSTNode,
    how: str,
    callee: cst.CSTNode | None = None,
    who: object = None,
) -> None:
    """Record that ``token`` is used up here, and a Reuse fact if it was before on a feasible path.

    ``callee``: the function of this module that used it, when a remembered call is replayed. ``who``: the object whose
    method took it.
    """
    if how not in ("init", "fold"):  # a model that begins the same each time is no fault
        note_constant(it, token)
    use = Use(node, it.context, how, st.conditions, it.turn, callee, who)
    if how != "fold" and it.context.regions and not it.quiet:
        _note_broadcast(it, token, use)
    earlier = (one for other in _conflicts(token) for one in st.used.get(other, ()))
    if not it.quiet:
        any(_note(it, token, first, use) for first in earlier if _compatible(first, use))
    st.used[token] = _kept((*st.used.get(token, ()), use))


def _note_broadcast(it: Interpreter, token: KeyToken, use: Use) -> None:
    """Leave a fact if every lane of a ``vmap`` uses this one key."""
    for region in it.context.regions:
        if region.kind is RegionKind.MAP and region not in token.birth.regions and not _varies(it, token, region):
            it.facts.spaces.setdefault(it.context.space)
            it.facts.broadcasts.append(Broadcast(token, use.node, use.how, region, _function(use), use.context))
            return


def _varies(it: Interpreter, token: KeyToken, region: Region) -> bool:
    """Whether lanes of a vmapped function have keys of their own: it is mapped over, or indexed by what is."""
    if any(holds(value, token) for value in it.lanes.get(region, ())):
        return True
    part: KeyToken | None = token
    while part is not None and part.source != "fold_in":
        family = part.parent
        if family is not None and any(
            one is part and isinstance(index, Value) for index, one in family.children.items()
        ):
            return True
        part = family
    return part is not None


def _kept(uses: tuple[Use, ...]) -> tuple[Use, ...]:
    """The last uses of a key; of too many those go first that only derive a key."""
    if len(uses) <= 6:
        return uses
    drop = next((i for i, use in enumerate(uses) if use.how == "fold"), 0)
    return uses[:drop] + uses[drop + 1 :]


def telling(uses: tuple[Use, ...]) -> Use:
    """The use that says most about what became of a key: the last that uses it up."""
    return next((use for use in reversed(uses) if use.how != "fold"), uses[-1])


def _note(it: Interpreter, token: KeyToken, first: Use, second: Use) -> bool:
    """Leave a Reuse fact. False if the two uses are no fault, or said already."""
    if not _meet(first, second) or _compares(it, first, second):
        return False
    if first.node is second.node and first.context is second.context and first.turn == second.turn:
        return False  # one call that uses both a family and a member: the callee's own affair
    here, there = _places(token, first, second)
    if type(there.node) is cst.FunctionDef:
        return False  # an entry that nobody calls: there is no place to show
    looped = here.node is there.node and first.turn != second.turn
    if "fold" in (first.how, second.how) and here.node is there.node:
        return False
    if there.node in token.reported or (looped and token.reported):
        return False
    token.reported.add(there.node)
    it.facts.spaces.setdefault(there.context.space)
    it.facts.reuses.append(Reuse(token, here, there, looped=looped))
    return True


def _chain(use: Use) -> list[tuple[cst.CSTNode, Context]]:
    """The use and the calls that lead to it, innermost first."""
    out = [(use.node, use.context)]
    context = use.context
    while context.caller is not None and context.call is not None and context.call is not context.function:
        out.append((context.call, context.caller))
        context = context.caller
    return out


def _places(token: KeyToken, first: Use, second: Use) -> tuple[Use, Use]:
    """Both uses as places in the innermost function that they share: a call stands for what the callee does.

    Where a function captures the key or finds it in an object, or a scan hands it round, the place inside says more.
    """
    chains = _chain(first), _chain(second)
    frames = {id(context.frame) for _, context in chains[0]}
    shared = next((context.frame for _, context in chains[1] if id(context.frame) in frames), None)
    again = first.turn != second.turn and len(first.turn) == len(second.turn)
    inner = [next((part for part in chain if _stays(token, part[1], shared, again)), chain[-1]) for chain in chains]
    if inner[0][0] is inner[1][0] and first.turn == second.turn:
        outer = [next((part for part in chain if part[1].frame is shared), chain[-1]) for chain in chains]
        inner = outer if outer[0][0] is not outer[1][0] else inner
    return first.at(*inner[0]), second.at(*inner[1])


_LOOPING = frozenset({
    "jax.lax.scan", "jax.lax.fori_loop", "jax.lax.while_loop", "jax.lax.map", "jax.tree.map", "jax.tree_util.tree_map",
})  # fmt: skip


def is_loop_body(it: Interpreter, call: cst.CSTNode) -> bool:
    """Whether ``call`` is a scan or the like that calls its body now: what happens to keys is shown inside it."""
    regions = it.context.regions
    return bool(regions) and regions[-1].node is call and regions[-1].name in _LOOPING


def _stays(token: KeyToken, context: Context, shared: Frame | None, again: bool) -> bool:
    """Whether a use is best shown inside ``context`` and not at the call of it."""
    if context.frame is shared:
        return True
    if again and any(region.node is context.call and region.name in _LOOPING for region in context.regions):
        return True
    return not any(holds(value, token) for value in context.passed)


def forget_broadcasts(it: Interpreter, start: int, params: Iterable[Value]) -> None:
    """Drop facts from ``start`` on about keys that stand for a caller's own in his ``vmap``: each call says so."""
    values = tuple(params)
    noted = it.facts.broadcasts
    noted[start:] = [
        one
        for one in noted[start:]
        if one.region not in it.context.regions or not any(holds(value, one.token) for value in values)
    ]


def holds(value: Value, token: KeyToken) -> bool:
    """Whether a value is this key, or the family that it is of."""
    while isinstance(value, Array) and value.key is None and value.outside is not None:
        value = value.outside
    if isinstance(value, Array):
        return value.key is not None and (value.key is token or value.key is token.parent)
    if isinstance(value, Unknown):
        return value.token is not None and (value.token is token or value.token is token.parent)
    return isinstance(value, Tuple) and any(holds(item, token) for item in value.items)


def _meet(first: Use, second: Use) -> bool:
    """Whether two uses come to the same or to dependent numbers: a library may fold something into the key first."""
    one, other = first.how, second.how
    if "fold" in (one, other):
        return "split" in (one, other) and _equals_subkey(first, second)
    if "stream" in (one, other):
        return one == other and _same_call(first.node, second.node)
    if "init" in (one, other):
        again = first.node is second.node
        return one == other and (first.who is second.who) is again
    if one == other == "run":
        return first.who is second.who
    if "rngs" in (one, other):
        return one == other or "split" in (one, other)
    return True


def _equals_subkey(first: Use, second: Use) -> bool:
    """Whether a ``fold_in`` gives what a ``split`` gives at the same index (``who``: the index, and their number)."""
    index, number = (first.who, second.who) if first.how == "fold" else (second.who, first.who)
    return isinstance(index, int) and index < (number if isinstance(number, int) else 2)


def _same_call(first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether two calls call the same thing, by what is written."""
    if first is second:
        return True
    return isinstance(first, cst.Call) and isinstance(second, cst.Call) and first.func.deep_equals(second.func)


def _compares(it: Interpreter, first: Use, second: Use) -> bool:
    """Whether one function gets the key both plain and transformed: that compares the two on purpose."""
    if first.how == second.how and first.how in _PAIRED:
        return first.node is not second.node or _in_tree_map(it, second)
    one, other = _function(first), _function(second)
    return one is other and len(first.context.regions) != len(second.context.regions)


def _in_tree_map(it: Interpreter, use: Use) -> bool:
    context: Context | None = use.context
    for _ in range(4):
        if context is None:
            return False
        if type(context.call) is cst.Call and it.facts.callee(context.call).startswith("jax.tree"):
            return True
        context = context.caller
    return False


#: Drawing twice from one key on purpose: several arrays are shuffled or sampled alike.
_PAIRED = frozenset({"permutation", "choice"})


def _function(use: Use) -> cst.CSTNode:
    return use.callee if use.callee is not None else use.context.function


def _conflicts(token: KeyToken) -> list[KeyToken]:
    """The token itself, and its family or its members (a parameter may be one key or many: that is left open)."""
    out = [token]
    if token.parent is not None and token.parent.source != "param":
        out.append(token.parent)
    if token.source != "param":
        out.extend(token.children.values())
    return out


def _compatible(first: Use, second: Use) -> bool:
    """Whether both uses can happen in one run: no test that one passed and the other failed.

    In a later iteration the same tests must hold again; one that depends on the iteration may hold only once.
    """
    a, b = first.conditions, second.conditions
    if first.node is second.node and first.turn != second.turn and a != b:
        return False
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

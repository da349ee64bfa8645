"""Memo: a module-level function under the same kinds of arguments and regions is interpreted once.

Keys among the arguments become symbolic while the function is interpreted; what happened to them is replayed
on the caller's own keys, at the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing import keys
from jaxlint.tracing.keys import KeyToken
from jaxlint.tracing.late import Deferred
from jaxlint.tracing.state import NOTHING_DONATED, Contents, HeapObject
from jaxlint.tracing.values import (
    UNKNOWN,
    Array,
    Bound,
    Choice,
    ClassValue,
    Function,
    Kind,
    Library,
    LibraryObject,
    Partial,
    Ref,
    Sequence,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.donation import Donation
    from jaxlint.tracing.interpreter import Interpreter
    from jaxlint.tracing.keys import Use
    from jaxlint.tracing.stale import Read
    from jaxlint.tracing.state import State


class Summary:
    """What a call does: its result, and how it used the tokens it was given."""

    __slots__ = ("donated", "heap", "params", "reads", "result", "tokens", "used")

    def __init__(self, params: tuple[Value, ...], tokens: dict[KeyToken, KeyToken]) -> None:
        self.params = params
        self.tokens = tokens  # symbolic -> the first caller's
        self.result: Value = UNKNOWN
        self.used: dict[KeyToken, Use] = {}
        self.heap: dict[HeapObject, Contents] = {}
        self.donated: dict[Value, Donation] = NOTHING_DONATED
        self.reads: tuple[Read, ...] = ()


def portable(it: Interpreter, params: dict[str, Value], tokens: dict[Any, int]) -> Any:
    """A hashable description of the arguments, or None if the call depends on objects of the caller."""
    out = []
    for name, value in params.items():
        one = _describe(value, tokens, 0)
        if one is None:
            return None
        out.append((name, one))
    return tuple(out)


def _describe(value: Value, tokens: dict[Any, int], depth: int) -> Any:
    if isinstance(value, Static):
        return _describe_static(value)
    if isinstance(value, Array):
        number = tokens.setdefault(value.key, len(tokens)) if value.key is not None else -1
        return ("a", value.kind, value.mode, value.certain, value.dtype, number, value.depth, value.aval)
    if isinstance(value, Unknown):
        if isinstance(value, Deferred):
            return ("d", value.origin, tokens.setdefault(value, len(tokens)))
        return ("u", -1 if value is UNKNOWN else tokens.setdefault(value, len(tokens)), value.birth is None)
    if isinstance(value, Tuple) and depth < 4:
        items = tuple(_describe(item, tokens, depth + 1) for item in value.items)
        return None if None in items else ("t", items, value.names)
    if isinstance(value, Library):
        return ("l", value.name)
    if isinstance(value, Function):
        return ("f", value.node) if value.frame is None else None
    if isinstance(value, ClassValue):
        return ("c", value)
    if isinstance(value, Ref):
        obj = value.obj
        return ("r", obj) if obj.is_global or obj.summary else None
    return _describe_callable(value, tokens, depth)


def _describe_static(value: Static) -> Any:
    if value.tainted is not None:
        return None
    if value.known and isinstance(value.const, (str, int, float, bool, bytes, type(None))):
        return ("s", type(value.const), value.const)
    return ("s", value.type_name, value.extent_of is not None)


def _describe_callable(value: Value, tokens: dict[Any, int], depth: int) -> Any:
    if depth > 4:
        return None
    if isinstance(value, Choice):
        parts = tuple(_describe(fn, tokens, depth + 1) for fn, _ in value.options)
        return None if None in parts else ("y", parts)
    if isinstance(value, Transformed):
        inner = _describe(value.fn, tokens, depth + 1)
        return None if inner is None else ("x", value)
    if isinstance(value, Bound):
        parts = _describe(value.fn, tokens, depth + 1), _describe(value.owner, tokens, depth + 1)
        return None if None in parts else ("b", parts)
    if isinstance(value, LibraryObject):
        if value.held:
            return None
        owner = _describe(value.owner, tokens, depth + 1) if value.owner is not None else "-"
        return None if owner is None else ("o", value.cls, value.method, owner)
    if isinstance(value, Partial):
        parts = tuple(_describe(part, tokens, depth + 1) for part in (value.fn, *value.args, *value.kwargs.values()))
        return None if None in parts else ("p", parts, tuple(value.kwargs))
    if isinstance(value, Sequence):
        parts = tuple(_describe(part, tokens, depth + 1) for part in value.parts)
        return None if None in parts else ("q", value.form, parts)
    return None


def retoken(
    it: Interpreter, params: dict[str, Value], fn: Function, node: cst.CSTNode
) -> tuple[dict[str, Value], dict[KeyToken, KeyToken]]:
    """The parameters with symbolic keys in place of the caller's, and the way back."""
    symbols: dict[Any, Any] = {}
    back: dict[KeyToken, KeyToken] = {}

    def swap(value: Value) -> Value:
        if isinstance(value, Array) and value.key is not None:
            token: KeyToken = value.key
            if token not in symbols:
                symbols[token] = KeyToken(it.context, fn.node, "param")
                back[symbols[token]] = token
            return value.like(key=symbols[token], aval=value.aval)
        if isinstance(value, Array) and value.kind is not Kind.HOST:
            copied: Value = symbols.setdefault(value, value.like(aval=value.aval))
            return copied
        if isinstance(value, Unknown) and value is not UNKNOWN:
            if value not in symbols:
                symbols[value] = _symbol(value)
            made: Value = symbols[value]
            return made
        if isinstance(value, Tuple):
            return Tuple(tuple(swap(item) for item in value.items), value.names, value.cls)
        return value

    return {name: swap(value) for name, value in params.items()}, back


def _symbol(value: Unknown) -> Unknown:
    if not isinstance(value, Deferred):
        return Unknown(value.birth, value.node)
    made = Deferred(value.birth, value.node, value.space)
    made.origin = value.origin
    return made


class _Replay:
    """Maps one call's symbols to the present caller's values."""

    def __init__(self, it: Interpreter, node: cst.CSTNode, summary: Summary, st: State) -> None:
        self.it = it
        self.node = node
        self.summary = summary
        self.st = st
        self.objects: dict[HeapObject, Ref] = {}
        self.tokens: dict[KeyToken, KeyToken] = {}
        self.values: dict[Value, Value] = {}

    def match(self, symbolic: Value, actual: Value) -> None:
        """Pair a parameter's symbol with what is passed now."""
        self.values[symbolic] = actual
        if isinstance(symbolic, Array) and symbolic.key is not None:
            token = keys.token_of(self.it, actual, self.node)
            if token is not None:
                self.tokens[symbolic.key] = token
        elif isinstance(symbolic, Unknown) and symbolic.token is not None:
            token = keys.token_of(self.it, actual, self.node)
            if token is not None:
                self.tokens[symbolic.token] = token
        elif isinstance(symbolic, Tuple) and isinstance(actual, Tuple):
            for x, y in zip(symbolic.items, actual.items, strict=False):
                self.match(x, y)

    def token(self, token: KeyToken) -> KeyToken | None:
        """The caller's token for one of the callee's; a key born in the callee is a new one at each call."""
        found = self.tokens.get(token)
        if found is None and token.parent is not None:
            parent = self.token(token.parent)
            if parent is not None:
                index = next((i for i, one in token.parent.children.items() if one is token), None)
                index = self.values.get(index, index) if isinstance(index, Value) else index
                found = keys.child(self.it, parent, index if index is not None else object(), self.node)
        if found is None:
            found = self._folded(token)
        if found is None:
            found = KeyToken(self.it.context, self.node, "call")
        self.tokens[token] = found
        return found

    def _folded(self, token: KeyToken) -> KeyToken | None:
        if token.source != "fold_in":
            return None
        for symbolic, actual in list(self.tokens.items()):
            for data, one in symbolic.folds.items():
                if one is token:
                    now = self._data(data)
                    return keys.folded(self.it, actual, now if now is not None else object(), self.node)
        return None

    def _data(self, data: Any) -> Any:
        """What identifies the data of a ``fold_in`` in the caller's terms; None: nothing does."""
        if not isinstance(data, Value):
            return data
        if data in self.values:
            return keys.index_identity(self.values[data])
        return self._field(data)

    def _field(self, data: Value) -> Value | None:
        """``state.step`` of a parameter ``state``: the same field of what is passed now."""
        for symbolic, actual in list(self.values.items()):
            if isinstance(symbolic, Unknown) and symbolic.fields is not None and isinstance(actual, Unknown):
                for name, value in symbolic.fields.items():
                    if value is data and actual is not UNKNOWN:
                        actual.fields = actual.fields if actual.fields is not None else {}
                        return actual.fields.setdefault(name, Unknown(actual.birth, self.node))
        return None

    def result(self, value: Value) -> Value:
        """The callee's result in the caller's terms."""
        known = self.values.get(value)
        if known is not None:
            return known
        if isinstance(value, Array):
            array: Array = value
            return array.like(key=self.token(array.key)) if array.key is not None else array
        if isinstance(value, Tuple):
            return Tuple(tuple(self.result(item) for item in value.items), value.names, value.cls)
        if isinstance(value, Unknown) and value is not UNKNOWN:
            return self.it.unknown(self.node)
        if isinstance(value, Ref) and value.obj in self.summary.heap:
            return self._object(value.obj)
        if isinstance(value, (Function, Transformed, Partial, Bound, Choice)):
            self.st.heap = {**self.summary.heap, **self.st.heap}  # what a returned closure holds
        return value

    def _object(self, obj: HeapObject) -> Ref:
        """A copy of an object that the callee made: each call makes its own."""
        known = self.objects.get(obj)
        if known is not None:
            return known
        made = HeapObject(obj.form, obj.node, obj.depth, obj.cls)
        self.objects[obj] = ref = Ref(made)
        held = self.summary.heap[obj]
        items = None if held.items is None else tuple(self.result(item) for item in held.items)
        fields = {name: self.result(item) for name, item in held.fields.items()}
        self.st.heap[made] = Contents(items, fields, None if held.rest is None else self.result(held.rest))
        return ref


def replay(
    it: Interpreter, summary: Summary, fn: Function, params: dict[str, Value], node: cst.CSTNode, st: State
) -> Value:
    """Apply a summary to this call."""
    mapping = _Replay(it, node, summary, st)
    for symbolic, actual in zip(summary.params, params.values(), strict=False):
        mapping.match(symbolic, actual)
    for token, use in summary.used.items():
        outer = mapping.token(token)
        if outer is not None and _is_callers(token, summary):
            who = mapping.values.get(use.who, use.who) if isinstance(use.who, Value) else use.who
            keys.consume(it, st, outer, node, use.how, fn.node, who)
    for value, donation in summary.donated.items():
        if value in mapping.values:
            st.donated = {**st.donated, mapping.values[value]: donation}
    return mapping.result(summary.result)


def _is_callers(token: KeyToken, summary: Summary) -> bool:
    """Whether a used token comes from a parameter (not from a key that the callee made itself)."""
    root: KeyToken | None = token
    while root is not None:
        if root in summary.tokens or root.source == "param":
            return True
        if root.source == "fold_in":
            return True
        root = root.parent
    return False

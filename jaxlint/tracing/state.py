"""What a point of the program knows: variables, the heap, the keys used so far, the path that led there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.tracing.choices import choice
from jaxlint.tracing.values import CALLABLE, Value, join, unknown

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.tracing.donation import Donation
    from jaxlint.tracing.keys import KeyToken, Use
    from jaxlint.tracing.values import ClassValue


class Frame:
    """One activation of a function. ``parent`` is the frame that it closes over, ``depth`` the regions around it."""

    __slots__ = ("captured", "cls", "depth", "global_names", "nonlocal_names", "owner", "parent")

    def __init__(self, parent: Frame | None, depth: int) -> None:
        self.parent = parent
        self.depth = depth
        self.cls: ClassValue | None = None  # the class whose method runs here
        self.owner: Value | None = None  # its first argument
        self.captured = False  # a function was defined here: its variables outlive the call
        self.global_names: frozenset[str] = frozenset()
        self.nonlocal_names: frozenset[str] = frozenset()


class HeapObject:
    """An allocation site's object. ``depth``: regions around its birth; ``form``: list, dict, set, instance."""

    __slots__ = ("cls", "depth", "form", "is_global", "node", "summary")

    def __init__(self, form: str, node: cst.CSTNode, depth: int, cls: ClassValue | None = None) -> None:
        self.form = form
        self.node = node
        self.depth = depth
        self.cls = cls
        self.is_global = False
        self.summary = False  # stands for every instance of a class


class Contents:
    """What an object holds. Immutable: a write makes a new one.

    ``items``: the elements of a list in order, or None when their number is not known; ``fields``: values by
    attribute or by constant key; ``rest``: any other element (None: there is none).
    """

    __slots__ = ("fields", "items", "rest")

    def __init__(
        self, items: tuple[Value, ...] | None = None, fields: dict[Any, Value] | None = None, rest: Value | None = None
    ) -> None:
        self.items = items
        self.fields = fields if fields is not None else {}
        self.rest = rest

    def with_field(self, name: Any, value: Value) -> Contents:
        """The same with one field written."""
        return Contents(self.items, {**self.fields, name: value}, self.rest)


def join_contents(a: Contents, b: Contents) -> Contents:
    """What an object holds that holds either ``a`` or ``b``."""
    if a is b:
        return a
    items: tuple[Value, ...] | None = None
    rest = a.rest if b.rest is None else b.rest if a.rest is None else join(a.rest, b.rest)
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(join(x, y) for x, y in zip(a.items, b.items, strict=False))
    else:
        for value in (*(a.items or ()), *(b.items or ())):
            rest = value if rest is None else join(rest, value)
    fields: dict[Any, Value] = {}
    for name in a.fields.keys() | b.fields.keys():
        x, y = a.fields.get(name), b.fields.get(name)
        fields[name] = join(x, y) if x is not None and y is not None else unknown()
    return Contents(items, fields, rest)


Condition = tuple[Any, bool]
NOTHING_DONATED: dict[Value, Donation] = {}


class State:
    """Mutable along a straight line; copied where the path forks."""

    __slots__ = ("conditions", "donated", "frames", "heap", "locals", "used")

    def __init__(
        self,
        local: dict[str, Value],
        frames: dict[Frame, dict[str, Value]],
        heap: dict[HeapObject, Contents],
        used: dict[KeyToken, tuple[Use, ...]],
        conditions: tuple[Condition, ...] = (),
        donated: dict[Value, Donation] = NOTHING_DONATED,
    ) -> None:
        self.locals = local
        self.frames = frames
        self.heap = heap
        self.used = used
        self.conditions = conditions
        self.donated = donated  # never changed in place

    def copy(self) -> State:
        """An independent copy (values and contents are shared: they are immutable)."""
        return State(self.locals.copy(), self.frames, self.heap.copy(), self.used.copy(), self.conditions, self.donated)

    def become(self, other: State) -> None:
        """Take over the other's content."""
        self.locals = other.locals
        self.frames = other.frames
        self.heap = other.heap
        self.used = other.used
        self.conditions = other.conditions
        self.donated = other.donated


def join_states(a: State | None, b: State | None) -> State | None:
    """The state where two paths meet. Either may be absent (that path ended)."""
    if a is None or b is None:
        return a if b is None else b
    if a is b:
        return a
    return State(
        _join_locals(a, b),
        _join_frames(a.frames, b.frames),
        _join_heaps(a.heap, b.heap),
        _join_used(a.used, b.used),
        _common(a.conditions, b.conditions),
        a.donated if a.donated is b.donated else {v: one for v, one in a.donated.items() if v in b.donated},
    )


def _join_vars(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    out = a.copy()
    for name, value in b.items():
        old = out.get(name)
        if old is None:
            out[name] = value
        elif old is not value:
            out[name] = join(old, value)
    return out


def _join_locals(a: State, b: State) -> dict[str, Value]:
    """As `_join_vars`; of callables it is remembered under which tests it is which."""
    out = a.locals.copy()
    for name, value in b.locals.items():
        old = out.get(name)
        if old is None:
            out[name] = value
        elif old is not value:
            both = isinstance(old, CALLABLE) and isinstance(value, CALLABLE)
            out[name] = choice(old, value, a.conditions, b.conditions) if both else join(old, value)
    return out


def _join_frames(a: dict[Frame, dict[str, Value]], b: dict[Frame, dict[str, Value]]) -> dict[Frame, dict[str, Value]]:
    if a is b:
        return a
    out = a.copy()
    for frame, names in b.items():
        old = out.get(frame)
        out[frame] = names if old is None or old is names else _join_vars(old, names)
    return out


def _join_heaps(a: dict[HeapObject, Contents], b: dict[HeapObject, Contents]) -> dict[HeapObject, Contents]:
    if len(b) > len(a):
        a, b = b, a
    out = a.copy()
    for obj, contents in b.items():
        old = out.get(obj)
        out[obj] = contents if old is None else join_contents(old, contents)
    return out


def _join_used(
    a: dict[KeyToken, tuple[Use, ...]], b: dict[KeyToken, tuple[Use, ...]]
) -> dict[KeyToken, tuple[Use, ...]]:
    if not b:
        return a
    out = a.copy()
    for token, uses in b.items():
        old = out.get(token)
        out[token] = uses if old is None or old is uses else tuple(dict.fromkeys((*old, *uses)))[:6]
    return out


def _common(a: tuple[Condition, ...], b: tuple[Condition, ...]) -> tuple[Condition, ...]:
    if a is b:
        return a
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return a[:count]


class Exit:
    """How a statement may leave its block, besides running into the next one (``falls``)."""

    __slots__ = ("broke", "continued", "falls", "result", "returned")

    def __init__(self, *, falls: bool = False) -> None:
        self.falls = falls
        self.broke: State | None = None
        self.continued: State | None = None
        self.returned: State | None = None
        self.result: Value | None = None

    def absorb(self, other: Exit) -> None:
        """Add the ways out of another exit (not its ``falls``)."""
        self.broke = join_states(self.broke, other.broke)
        self.continued = join_states(self.continued, other.continued)
        if other.returned is not None:
            self.returned = join_states(self.returned, other.returned)
            assert other.result is not None
            self.result = other.result if self.result is None else join(self.result, other.result)

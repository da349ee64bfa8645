"""Abstract values: what the interpreter knows of one Python object.

Values are immutable, and an object's identity is its name: two reads of a variable that nothing wrote in between give
the same object. Keys and path conditions rely on that (a loop's invariants stay the same). ``UNKNOWN`` has none.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from jaxlint.tracing.aval import Aval, join_avals

if TYPE_CHECKING:
    import libcst as cst

    from jaxlint.knowledge.transform_rows import Transform
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.keys import KeyToken
    from jaxlint.tracing.modules import ModuleSpace
    from jaxlint.tracing.state import Frame, HeapObject


class Step:
    """One link of a story: at ``node``, ``text`` happened; ``before`` is what led there."""

    __slots__ = ("before", "node", "text")

    def __init__(self, node: cst.CSTNode, text: str, before: Step | None = None) -> None:
        self.node = node
        self.text = text
        self.before = before


class Value:
    """Base of all abstract values."""

    __slots__ = ()


class Unknown(Value):
    """Nothing is known. ``token`` is set when the value is used as a key (a parameter, say).

    ``fields`` remembers attributes that were read, so that ``state.rng`` is the same value twice; ``birth`` and
    ``node`` tell where the value came up.
    """

    __slots__ = ("birth", "fields", "node", "token")

    def __init__(self, birth: Context | None = None, node: cst.CSTNode | None = None) -> None:
        self.token: KeyToken | None = None
        self.fields: dict[Any, Value] | None = None
        self.birth = birth
        self.node = node


class _Missing:
    __slots__ = ()

    def __repr__(self) -> str:
        return "NO_CONST"


NO_CONST: Any = _Missing()


class Static(Value):
    """A Python value that tracing does not touch.

    ``extent_of``: the array whose shape or length this number comes from.
    ``tainted``: the traced value that was formatted into this string.
    ``type_name``: the Python type, where known (``"int"``, ``"str"``, …).
    """

    __slots__ = ("const", "extent_of", "tainted", "type_name")

    def __init__(
        self, const: Any = NO_CONST, type_name: str = "", extent_of: Array | None = None, tainted: Array | None = None
    ) -> None:
        self.const = const
        self.type_name = type_name or ("" if const is NO_CONST else type(const).__name__)
        self.extent_of = extent_of
        self.tainted = tainted

    @property
    def known(self) -> bool:
        """Whether the very value is known."""
        return self.const is not NO_CONST


class Kind(enum.IntEnum):
    """Where an array's data is."""

    HOST = 0  # numpy, or a callback's argument
    CONCRETE = 1  # a jax.Array with data on a device
    TRACED = 2  # a tracer


class Mode(enum.IntEnum):
    """Why a traced value has no Python value. Only DIFF has one underneath: ``if x > 0`` works there."""

    NONE = 0
    DIFF = 1
    MAPPED = 2
    STAGED = 3


class Array(Value):
    """An array, or (``certain`` false) a pytree whose leaves are such arrays.

    ``depth`` is the number of regions around the operation that made it: a value of depth 2 stored in an
    object of depth 1 leaks. ``dtype`` is ``"bool"``, ``"int"``, ``"float"``, ``"key"`` or ``""``; ``aval`` is what is
    known of one array. ``outside``: the value that became this array at the boundary of a trace; if one turns out to
    be a key, so does the other. ``maybe_name``: out of iterating over a pytree; if that is a dict, it is a key of it.
    """

    __slots__ = ("aval", "certain", "depth", "dtype", "key", "kind", "maybe_name", "mode", "ndim", "origin", "outside")

    def __init__(
        self,
        kind: Kind,
        mode: Mode = Mode.NONE,
        *,
        certain: bool = True,
        key: KeyToken | None = None,
        dtype: str = "",
        ndim: int | None = None,
        aval: Aval | None = None,
        origin: Step | None = None,
        depth: int = 0,
    ) -> None:
        self.kind = kind
        self.mode = mode
        self.certain = certain
        self.key = key
        self.dtype = dtype
        self.ndim = ndim
        self.aval = aval
        self.origin = origin
        self.depth = depth
        self.maybe_name = False
        self.outside: Value | None = None

    @property
    def is_traced(self) -> bool:
        """Certainly a tracer, of any mode."""
        return self.kind is Kind.TRACED and self.certain

    @property
    def blocks_bool(self) -> bool:
        """Certainly a tracer without a Python value: ``bool()`` of it fails."""
        return self.kind is Kind.TRACED and self.certain and self.mode >= Mode.MAPPED

    def like(self, **changes: Any) -> Array:
        """A copy with some attributes changed (a new identity). Dtype and shape are forgotten unless they are given."""
        made = Array(self.kind, self.mode, certain=self.certain, key=self.key, dtype=self.dtype, ndim=self.ndim)
        made.origin, made.depth, made.maybe_name = self.origin, self.depth, self.maybe_name
        for name, value in changes.items():
            setattr(made, name, value)
        return made


class Tuple(Value):
    """A tuple of known length; ``names`` for a NamedTuple's fields, ``cls`` its class."""

    __slots__ = ("cls", "items", "names")

    def __init__(self, items: tuple[Value, ...], names: tuple[str, ...] = (), cls: ClassValue | None = None) -> None:
        self.items = items
        self.names = names
        self.cls = cls


class Ref(Value):
    """A reference to a mutable object (list, dict, set, instance) on the abstract heap."""

    __slots__ = ("obj",)

    def __init__(self, obj: HeapObject) -> None:
        self.obj = obj


class Function(Value):
    """A ``def`` or ``lambda`` with the frame it closes over (None: the module's)."""

    __slots__ = ("cls", "defaults", "frame", "kind", "name", "node", "ran", "space")

    def __init__(
        self,
        node: cst.FunctionDef | cst.Lambda,
        name: str,
        frame: Frame | None,
        defaults: dict[str, Value],
        space: ModuleSpace,
    ) -> None:
        self.node = node
        self.name = name
        self.frame = frame
        self.defaults = defaults
        self.space = space
        self.kind = ""  # "static", "class", "property"
        self.cls: ClassValue | None = None
        self.ran = False


class Bound(Value):
    """A bound method: calling it puts ``owner`` first."""

    __slots__ = ("fn", "owner")

    def __init__(self, fn: Value, owner: Value) -> None:
        self.fn = fn
        self.owner = owner


class Partial(Value):
    """``functools.partial(fn, *args, **kwargs)``."""

    __slots__ = ("args", "fn", "kwargs")

    def __init__(self, fn: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
        self.fn = fn
        self.args = args
        self.kwargs = kwargs


class Transformed(Value):
    """A function under a transform: ``jax.jit(f)``, ``vmap(f)``, a ``custom_vjp``…"""

    __slots__ = ("conditions", "fn", "node", "options", "ran", "rules", "transform")

    def __init__(self, transform: Transform, fn: Value, options: dict[str, Value], node: cst.CSTNode) -> None:
        self.transform = transform
        self.fn = fn
        self.options = options
        self.node = node
        self.ran = False
        self.conditions: tuple[Any, ...] = ()  # the tests that were passed where the transform was applied
        self.rules: tuple[Value, ...] = ()  # custom_vjp: fwd and bwd; custom_jvp: jvp


class Choice(Value):
    """One of several callables: which one depends on a setting. Each with the tests that led to it."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[tuple[Value, tuple[Any, ...]], ...]) -> None:
        self.options = options


class Library(Value):
    """A module, function or class that was imported, by its canonical dotted name.

    ``written``: the absolute name as the program says it, from which a file of the project may be found.
    """

    __slots__ = ("fields", "name", "written")

    def __init__(self, name: str, written: str = "") -> None:
        self.name = name
        self.written = written or name
        self.fields: dict[str, Library] = {}  # what was asked of it: the same name gives the same object


class LibraryObject(Value):
    """An instance of a library's class (``nn.Dense(3)``), or a bound method of a value (``x.sum``).

    ``held``: what it was made of, where its methods give that back or call it.
    """

    __slots__ = ("cls", "held", "method", "owner")

    def __init__(self, cls: str, owner: Value | None = None, method: str = "", held: tuple[Value, ...] = ()) -> None:
        self.cls = cls
        self.owner = owner
        self.method = method
        self.held = held


class ClassValue(Value):
    """A class of the checked module. ``family`` says which framework's rules it follows."""

    __slots__ = (
        "bases",
        "family",
        "fields",
        "flattens",
        "frame",
        "members",
        "meta",
        "name",
        "node",
        "space",
        "summary",
    )

    def __init__(self, node: cst.ClassDef, name: str, frame: Frame | None, bases: tuple[Value, ...]) -> None:
        self.node = node
        self.name = name
        self.frame = frame
        self.bases = bases
        self.members: dict[str, Value] = {}
        self.fields: dict[str, Value | None] = {}  # annotated fields in order; None: no default
        self.family = "plain"
        self.summary: Ref | None = None
        self.flattens = False  # it says itself what its leaves are
        self.meta: frozenset[str] = frozenset()  # fields that were registered as no part of the pytree
        self.space: ModuleSpace | None = None  # the file that defines it


class Sequence(Value):
    """An iterable whose elements can be told: range, zip, enumerate, items, a generator…"""

    __slots__ = ("form", "parts")

    def __init__(self, form: str, parts: tuple[Value, ...]) -> None:
        self.form = form
        self.parts = parts


#: The type name of "is it a tracer?" where reading cannot tell.
TRACER_TEST = "tracer test"
UNKNOWN = Unknown()
NONE = Static(None)


def unknown() -> Unknown:
    """A fresh unknown with an identity of its own."""
    return Unknown()


def without_key(value: Value) -> Value:
    """The same kind of value without the identity of a key: an element that is another one each time."""
    if isinstance(value, Array):
        return value.like(key=None) if value.key is not None else value
    if isinstance(value, Tuple):
        return Tuple(tuple(without_key(item) for item in value.items), value.names, value.cls)
    return value


def join(a: Value, b: Value) -> Value:
    """What is known of a value that is either ``a`` or ``b``."""
    if a is b:
        return a
    if isinstance(a, CALLABLE) and isinstance(b, CALLABLE):
        from jaxlint.tracing.choices import choice

        return choice(a, b)
    if a.__class__ is not b.__class__:
        return unknown()
    if isinstance(a, Static) and isinstance(b, Static):
        return _join_static(a, b)
    if isinstance(a, Array) and isinstance(b, Array):
        return _join_array(a, b)
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return _join_tuple(a, b)
    if isinstance(a, Ref) and isinstance(b, Ref) and a.obj is b.obj:
        return a
    return unknown()


#: Values that are called like functions.
CALLABLE = (Function, Bound, Partial, Transformed, Choice, Library)


def _join_static(a: Static, b: Static) -> Value:
    same = a.known and b.known and type(a.const) is type(b.const) and a.const == b.const
    if a.type_name != b.type_name and "NoneType" in (a.type_name, b.type_name):
        return unknown()
    return Static(
        a.const if same else NO_CONST,
        a.type_name if a.type_name == b.type_name else "",
        a.extent_of if b.extent_of is not None else None,
        a.tainted or b.tainted,
    )


def _join_array(a: Array, b: Array) -> Value:
    if a.kind is not b.kind or a.mode is not b.mode:
        return unknown()
    made = Array(
        a.kind,
        a.mode,
        certain=a.certain and b.certain,
        key=a.key if a.key is b.key else None,
        dtype=a.dtype if a.dtype == b.dtype else "",
        ndim=a.ndim if a.ndim == b.ndim else None,
        aval=a.aval if a.aval == b.aval else join_avals(a.aval, b.aval),
        origin=a.origin or b.origin,
        depth=min(a.depth, b.depth),
    )
    made.maybe_name = a.maybe_name or b.maybe_name
    return made


def _join_tuple(a: Tuple, b: Tuple) -> Value:
    if len(a.items) != len(b.items) or a.names != b.names:
        return unknown()
    return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=False)), a.names, a.cls)

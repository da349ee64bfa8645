"""The driver calls what ``module.visit`` calls, in the same order, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst
import libcst.matchers as m
import pytest

from jaxlint.syntax import Driver, UnsupportedVisitor, driver, tables, visit

Event = tuple[str, str, int]
ALL = sorted(tables.node_classes())


def recorder(kinds: list[str], skip: Callable[[cst.CSTNode], bool] = lambda node: False) -> cst.CSTVisitor:
    """A visitor that notes every visit and leave of ``kinds``; no children of a node that ``skip`` accepts."""

    def on_visit(self: Any, node: cst.CSTNode) -> bool | None:
        self.events.append(("visit", type(node).__name__, id(node)))
        return False if skip(node) else None

    def on_leave(self: Any, node: cst.CSTNode) -> None:
        self.events.append(("leave", type(node).__name__, id(node)))

    body: dict[str, Any] = {f"visit_{kind}": on_visit for kind in kinds}
    body.update({f"leave_{kind}": on_leave for kind in kinds})
    visitor: cst.CSTVisitor = type("Recorder", (cst.CSTVisitor,), body)()
    visitor.events = []  # type: ignore[attr-defined]
    return visitor


def events(visitor: Any) -> list[Event]:
    """What a recorder has seen since the last call."""
    seen: list[Event] = visitor.events
    visitor.events = []
    return seen


def by_libcst(module: cst.Module, visitor: cst.CSTVisitor) -> list[Event]:
    module.visit(visitor)
    return events(visitor)


def by_driver(module: cst.Module, visitor: cst.CSTVisitor) -> list[Event]:
    visit(module, [visitor])
    return events(visitor)


def test_zoo_has_every_node_class(zoo: str) -> None:
    seen = {kind for _, kind, _ in by_libcst(cst.parse_module(zoo), recorder(ALL))}
    assert set(ALL) - seen == set()


def test_all_events_of_the_zoo(zoo: str) -> None:
    module = cst.parse_module(zoo)
    visitor = recorder(ALL)
    assert by_driver(module, visitor) == by_libcst(module, visitor)


@pytest.mark.parametrize("kind", ALL)
def test_one_kind_alone_is_reached(zoo: str, kind: str) -> None:
    module = cst.parse_module(zoo)
    visitor = recorder([kind])
    found = by_driver(module, visitor)
    assert found and found == by_libcst(module, visitor)


def test_all_events_of_installed_files(corpus: list[tuple[str, str]]) -> None:
    visitor = recorder(ALL)
    for path, text in corpus:
        try:
            module = cst.parse_module(text)
        except cst.ParserSyntaxError:
            continue
        assert by_driver(module, visitor) == by_libcst(module, visitor), path


def test_each_kind_alone_in_installed_files(corpus: list[tuple[str, str]]) -> None:
    """Fields are followed by declared types; installed code shows whether those are true."""
    for path, text in corpus[:12]:
        try:
            module = cst.parse_module(text)
        except cst.ParserSyntaxError:
            continue
        everything = by_libcst(module, recorder(ALL))
        for kind in {kind for _, kind, _ in everything}:
            assert by_driver(module, recorder([kind])) == [e for e in everything if e[1] == kind], (path, kind)


def test_false_hides_children_from_that_visitor_only(zoo: str) -> None:
    module = cst.parse_module(zoo)
    skips: list[Callable[[cst.CSTNode], bool]] = [
        lambda node: False,
        lambda node: isinstance(node, cst.FunctionDef),
        lambda node: isinstance(node, (cst.ClassDef, cst.Call, cst.IfExp)),
        lambda node: hash(type(node).__name__ + "salt") % 3 == 0,
        lambda node: isinstance(node, cst.Module),
        lambda node: isinstance(node, (cst.Lambda, cst.FunctionDef, cst.Subscript)),
    ]
    visitors = [recorder(ALL if index % 2 else [*ALL[::2], "Module"], skip) for index, skip in enumerate(skips)]
    expected = [by_libcst(module, visitor) for visitor in visitors]
    walker = Driver(visitors)
    for _ in range(2):  # the second time, walks without the muted visitors are taken from the cache
        walker.walk(module)
        assert [events(visitor) for visitor in visitors] == expected


def test_visitors_are_called_in_their_order() -> None:
    log: list[str] = []

    def visitor(name: str) -> cst.CSTVisitor:
        class Named(cst.CSTVisitor):
            def visit_Name(self, node: cst.Name) -> None:
                log.append(f"visit {name} {node.value}")

            def leave_Name(self, original_node: cst.Name) -> None:
                log.append(f"leave {name} {original_node.value}")

        return Named()

    visit(cst.parse_module("a\n"), [visitor("1"), visitor("2")])
    assert log == ["visit 1 a", "visit 2 a", "leave 1 a", "leave 2 a"]


def test_only_false_itself_hides_children() -> None:
    class Zero(cst.CSTVisitor):
        names = 0

        def visit_Call(self, node: cst.Call) -> Any:
            return 0

        def visit_Name(self, node: cst.Name) -> None:
            self.names += 1

    visitor = Zero()
    visit(cst.parse_module("f(x)\n"), [visitor])
    assert visitor.names == 2


def test_inherited_and_mixed_in_methods_count() -> None:
    seen: list[str] = []

    class Mixin:
        def leave_Module(self, original_node: cst.Module) -> None:
            seen.append("module")

    class Base(cst.CSTVisitor):
        def visit_Name(self, node: cst.Name) -> None:
            seen.append(node.value)

        def visit_helper(self) -> None:
            """No hook: its name is no node's."""

    class Rule(Mixin, Base):
        pass

    visit(cst.parse_module("a\n"), [Rule()])
    assert seen == ["a", "module"]


def test_a_mixin_that_libcst_hides_is_not_called() -> None:
    class Mixin:
        def leave_Module(self, original_node: cst.Module) -> None:
            raise AssertionError

    class Rule(cst.CSTVisitor, Mixin):
        pass

    visit(cst.parse_module("a\n"), [Rule()])


def test_a_part_of_a_module_can_be_walked() -> None:
    module = cst.parse_module("def f():\n    return a\nb\n")
    visitor = recorder(["Name"])
    Driver([visitor]).walk(module.body[0])
    assert [kind for kind, _, _ in events(visitor)] == ["visit", "leave"] * 2


def test_many_files_compile_once() -> None:
    class Rule(cst.CSTVisitor):
        def visit_Call(self, node: cst.Call) -> bool:
            return False

    visit(cst.parse_module("f(x)\n"), [Rule(), Rule()])
    before = driver._plan.cache_info().misses, driver._factory.cache_info().misses
    for text in ("f(g(x))\n", "class A:\n    x = f(1)\n"):
        visit(cst.parse_module(text), [Rule(), Rule()])
    assert (driver._plan.cache_info().misses, driver._factory.cache_info().misses) == before


def test_no_visitors_and_nothing_wanted() -> None:
    visit(cst.parse_module("f(x)\n"), [])
    visit(cst.parse_module("f(x)\n"), [cst.CSTVisitor()])


def test_exceptions_of_a_visitor_come_through() -> None:
    class Broken(cst.CSTVisitor):
        def visit_Name(self, node: cst.Name) -> None:
            raise KeyError(node.value)

    with pytest.raises(KeyError, match="x"):
        visit(cst.parse_module("x\n"), [Broken()])


def nothing(self: Any, node: cst.CSTNode) -> None:
    """A hook."""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"visit_If_test": nothing}, "hooks of attributes"),
        ({"leave_FunctionDef_body": nothing}, "hooks of attributes"),
        ({"on_visit": nothing}, "only visit_<Node>"),
        ({"visit_Fnord": nothing}, "no node class Fnord"),
        ({"METADATA_DEPENDENCIES": (object,)}, "no metadata"),
    ],
)
def test_what_is_not_supported_is_refused(body: dict[str, Any], message: str) -> None:
    visitor = type("Odd", (cst.CSTVisitor,), body)
    with pytest.raises(UnsupportedVisitor, match=message):
        Driver([visitor()])


def test_transformers_and_matcher_visitors_are_refused() -> None:
    class Matching(m.MatcherDecoratableVisitor):
        @m.visit(m.Name())
        def see(self, node: cst.Name) -> None:
            """A decorated hook."""

    with pytest.raises(UnsupportedVisitor):
        Driver([Matching()])
    with pytest.raises(UnsupportedVisitor):
        Driver([cst.CSTTransformer()])  # type: ignore[list-item]

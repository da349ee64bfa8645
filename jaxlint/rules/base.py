"""The contract of a rule: one class, one file; its docstring is its page, its ``visit_*`` methods read Facts."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import libcst as cst

from jaxlint.findings import Severity
from jaxlint.tracing.facts import Cause as Cause

if TYPE_CHECKING:
    from jaxlint.tracing.context import Context
    from jaxlint.tracing.facts import Facts, Traced
    from jaxlint.tracing.values import Value

Status = Literal["stable", "preview", "deprecated"]
FixKind = Literal["always", "sometimes", "none"]

#: The headings that every page has, in order. ``Options`` and ``Caveats`` may be left out.
SECTIONS = (
    "What it does",
    "Why is this bad?",
    "Example",
    "Use instead",
    "How to verify",
    "Caveats",
    "Options",
    "References",
)
OPTIONAL_SECTIONS = frozenset({"Caveats", "Options"})


@dataclass(frozen=True)
class Report:
    """What a rule says about one node in one context; the runner turns it into a Finding."""

    rule: type[Rule]
    node: cst.CSTNode
    message: str
    context: Context | None
    story: tuple[Cause, ...]
    related: tuple[Cause, ...]
    help: str
    converts: bool


class Rule(cst.CSTVisitor):
    """Base of all rules. Subclasses set the class attributes and write ``visit_*`` / ``leave_*`` methods."""

    code: ClassVar[str]
    name: ClassVar[str]
    since: ClassVar[str]
    status: ClassVar[Status] = "stable"
    default: ClassVar[bool] = True
    #: Why it is in preview or opt-in, as the end of a sentence ("it assumes that …"); empty for rules that are on.
    because: ClassVar[str] = ""
    severity: ClassVar[Severity] = Severity.ERROR
    fix: ClassVar[FixKind] = "none"
    #: One line for lists: what the finding says, without names.
    message: ClassVar[str]
    #: True: silent in tests, where code is expected to fail, keys are reused to compare, and prints are deliberate.
    lenient_in_tests: ClassVar[bool] = False
    #: True: only a trace makes it a fault, so a caller in another file may be what is to blame. False: it is the file's
    #: own affair, and a check of its callers alone says nothing of it.
    needs_trace: ClassVar[bool] = True
    #: True: whoever writes what it finds asks for the numbers in so many words (`int(x)`, `np.asarray(x)`). In a
    #: function that nobody is seen to trace this says that it runs on the host.
    converts: ClassVar[bool] = False

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.reports: list[Report] = []

    def report(
        self,
        node: cst.CSTNode,
        message: str,
        *,
        context: Context | None = None,
        value: Value | None = None,
        related: tuple[Cause, ...] = (),
        story: tuple[Cause, ...] = (),
        help: str = "",
        converts: bool | None = None,
    ) -> None:
        """Report ``node``. ``value`` lends its story (why it is traced), ``context`` its call chain.

        ``converts`` overrides what the rule says of all its reports.
        """
        story = story or self.facts.story(context, value)
        converts = self.converts if converts is None else converts
        self.reports.append(Report(type(self), node, message, context, story, related, help, converts))

    def speaks(self, context: Context | None) -> bool:
        """Whether this rule has anything to say in ``context``: lenient rules are silent in tests."""
        if not self.lenient_in_tests or context is None:
            return True
        if self.facts.is_test(context.space.source.path):
            return False
        while context is not None:
            if context.name.startswith("test_") or "benchmark" in context.name:
                return False
            context = context.caller
        return True

    def found(self, found: Traced, message: str, *, at: cst.CSTNode | None = None, help: str = "") -> None:
        """Report a traced node (or the node ``at`` that stumbles over it) with its story."""
        self.report(at or found.node, message, context=found.context, value=found.value, help=help)

    def inside(self, context: Context) -> str:
        """``"inside `step`"``, or what else surrounds the code."""
        return "here" if context.name == "<module>" else f"inside `{context.name}`"

    def code_for(self, node: cst.CSTNode, limit: int = 60) -> str:
        """The node's source on one line, shortened to ``limit`` characters, for messages."""
        return self.facts.snippet(node, limit)

    @classmethod
    def page(cls) -> str:
        """The rule's page: its docstring, unindented."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def sections(cls) -> dict[str, str]:
        """The page cut at its ``## `` headings."""
        out: dict[str, str] = {}
        title = ""
        for line in cls.page().splitlines():
            if line.startswith("## "):
                title = line[3:].strip()
                out[title] = ""
            elif title:
                out[title] += line + "\n"
        return {name: text.strip("\n") for name, text in out.items()}

"""Selectors: from ``ALL``, ``JAX``, ``JAX1``, ``JAX101``, ``traced-if`` to rules, by ruff's precedence.

Inside one layer the more specific selector wins, and ``ignore`` wins over ``select`` of equal length. A layer with
``select`` replaces the layers below; one without adds to them. A rule that is off by default is switched on only by a
selector that is longer than ``JAX``; a preview rule also needs preview mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from jaxlint.config.settings import Selection, Settings
from jaxlint.source.walk import excluded


class RuleLike(Protocol):
    """What selection reads of a rule class."""

    @property
    def code(self) -> str:
        """``JAX101``."""

    @property
    def name(self) -> str:
        """``traced-if``."""

    @property
    def status(self) -> str:
        """Stable, preview or deprecated."""

    @property
    def default(self) -> bool:
        """Whether it is on without being selected."""


R = TypeVar("R", bound=RuleLike)

DEFAULT = Selection(select=("JAX",), origin="default")
_CODE = re.compile(r"JAX\d{0,3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
#: Codes of the other project that is named jaxlint on PyPI.
_FOREIGN = re.compile(r"J[LDM]\d{0,3}")


class SelectorError(Exception):
    """A selector that cannot be meant. ``str()`` is the whole message."""


def specificity(selector: str) -> int:
    """0 for ``ALL``, 1 for ``JAX``, up to 4 for a whole code or a rule's name."""
    if selector == "ALL":
        return 0
    return len(selector) - 2 if _CODE.fullmatch(selector) else 4


def matches(selector: str, code: str, name: str) -> bool:
    """Whether a selector means the rule."""
    return selector in ("ALL", name) or (_CODE.fullmatch(selector) is not None and code.startswith(selector))


def check_form(selectors: Iterable[str], origin: str) -> tuple[str, ...]:
    """The selectors that have the form of one. Cheap: knows no rules. Raises SelectorError for anything else.

    Codes of the other jaxlint are dropped by the caller's warning: see ``foreign``.
    """
    kept: list[str] = []
    for selector in selectors:
        if foreign(selector):
            continue
        is_name = _NAME.fullmatch(selector) and not _CODE.fullmatch(selector.upper())
        if selector != "ALL" and not _CODE.fullmatch(selector) and not is_name:
            raise SelectorError(f"{origin}: unknown rule selector `{selector}`{_hint(selector)}")
        kept.append(selector)
    return tuple(kept)


def foreign(selector: str) -> bool:
    """Whether the selector is a code of the other project of this name (JL001, JD001, JM001)."""
    return _FOREIGN.fullmatch(selector) is not None


def check_known(settings: Settings, rules: Sequence[RuleLike], tool_codes: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Raise SelectorError for a selector that means no rule; return warnings (preview rules chosen without preview)."""
    warnings: list[str] = []
    pairs = [(rule.code, rule.name) for rule in rules]
    tools = list(tool_codes)
    words = [(word, layer.origin, word in layer.ignore) for layer in settings.selections for word in layer.words]
    words += [(word, "per-file-ignores", True) for _, ignored in settings.per_file_ignores for word in ignored]
    for word, origin, ignoring in words:
        chosen = [rule for rule in rules if matches(word, rule.code, rule.name)]
        if not chosen and not any(matches(word, *pair) for pair in tools) and word not in ("ALL", "JAX"):
            raise SelectorError(f"{origin}: no rule matches `{word}`{_close(word, pairs)}")
        previews = specificity(word) == 4 and any(rule.status == "preview" for rule in chosen)
        if previews and not ignoring and not settings.preview:
            warnings.append(f"{origin}: `{word}` has no effect without preview mode (`--preview`)")
    return warnings


def is_selected(rule: RuleLike, settings: Settings) -> bool:
    """Whether the rule is on, files aside."""
    if rule.status == "preview" and not settings.preview:
        return False
    state = False
    for layer in (DEFAULT, *settings.selections):
        said = _layer_says(rule, layer)
        if said is not None:
            state = said
        elif layer.select is not None:
            state = False
    return state


def _layer_says(rule: RuleLike, layer: Selection) -> bool | None:
    """On, off, or nothing said: the longest selector decides, ``ignore`` before ``select``."""
    said: bool | None = None
    best = -1
    for words, on in (((*(layer.select or ()), *layer.extend_select), True), (layer.ignore, False)):
        for word in words:
            rank = specificity(word)
            if on and rank <= 1 and not rule.default:
                continue  # too broad to wake a rule that is off by default
            if rank >= best and matches(word, rule.code, rule.name):
                said, best = on, rank
    return said


def select(rules: Sequence[R], settings: Settings, path: str) -> tuple[R, ...]:
    """The rules to run on a file, in the order given."""
    ignored = _ignored_words(settings, path)
    chosen = (rule for rule in rules if is_selected(rule, settings))
    return tuple(rule for rule in chosen if not any(matches(word, rule.code, rule.name) for word in ignored))


def _ignored_words(settings: Settings, path: str) -> tuple[str, ...]:
    """Selectors of every per-file-ignores entry that matches the path; ``!glob`` means all other files."""
    import os

    words: list[str] = []
    full = os.path.abspath(path)
    for glob, selectors in settings.per_file_ignores:
        if excluded(full, (glob.removeprefix("!"),), settings.root) != glob.startswith("!"):
            words.extend(selectors)
    return tuple(words)


def _hint(selector: str) -> str:
    if selector.upper() != selector and _CODE.fullmatch(selector.upper()):
        return f" (did you mean `{selector.upper()}`?)"
    if re.fullmatch(r"[A-Z]+\d*", selector):
        return " (jaxlint's codes are JAX and up to three digits)"
    return ""


def _close(word: str, pairs: Sequence[tuple[str, str]]) -> str:
    import difflib

    near = difflib.get_close_matches(word, [text for pair in pairs for text in pair], n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""

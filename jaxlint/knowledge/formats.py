"""Format strings: which of their arguments have to be numbers. A tracer has a text (`str(x)`), but no format of its own.

Source: Python's `printf`-style formatting and format string syntax; what a tracer does was asked of JAX 0.12.0.1: any
non-empty format specification raises a TypeError, and so do `%d`, `%x`, `%c`; `%f`, `%e`, `%g` need the number.
"""

from __future__ import annotations

import re
import string

_PERCENT = re.compile(r"%(?:\((?P<name>[^)]*)\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+))?[hlL]?(?P<type>.)")

#: Conversions of `%` that take any object.
TAKES_ANYTHING = frozenset("sra")
#: Conversions of `%` that call `float()`; the others ask for a whole number.
CALLS_FLOAT = frozenset("eEfFgG")


def percent_types(text: str) -> list[str] | None:
    """The conversion of each argument of ``text % (…)`` in order; None where they go by name or by a `*`."""
    out: list[str] = []
    for found in _PERCENT.finditer(text):
        if found["type"] == "%":
            continue
        if found["name"] is not None or "*" in (found["width"], found["digits"]):
            return None
        out.append(found["type"])
    return out


def braces_with_format(text: str) -> frozenset[int | str]:
    """The arguments of ``text.format(…)``, by number or name, that a format specification is applied to."""
    out: set[int | str] = set()
    count = 0
    try:
        for _, field, spec, conversion in string.Formatter().parse(text):
            if field is None:
                continue
            place: int | str = field
            if field == "":
                place, count = count, count + 1
            elif field.isdecimal():
                place = int(field)
            if spec and not conversion:
                out.add(place)
    except ValueError:
        return frozenset()
    return frozenset(out)

"""What deep programs need, and how deep a program may be."""

from __future__ import annotations

#: Open brackets at one point. CPython's own tokenizer stops here ("too many nested parentheses").
MAX_BRACKETS = 200
#: Operators stacked on each other in one expression (``a + a + …``), lambdas in lambdas, ``elif`` after ``elif``.
#: CPython's compiler gives up at about as many; libcst's parser overflows the C stack at 4000 in a stack of 8 MB.
MAX_CHAIN = 3000
#: Brackets open at one point of a ``case`` pattern: libcst's parser takes time 2**n there.
MAX_PATTERN = 16

#: A thread that parses, walks and locates any accepted program has at least this recursion limit and this stack.
RECURSION_LIMIT = 30_000
STACK_BYTES = 256 * 1024 * 1024

"""Faults with random keys: reuse, a parent used after its split, the same key every time, a constant key."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from .base import Change, File, Operator, Plan

SAMPLERS = frozenset(
    [
        "normal",
        "uniform",
        "bernoulli",
        "categorical",
        "randint",
        "permutation",
        "gumbel",
        "truncated_normal",
        "choice",
        "gamma",
        "exponential",
        "laplace",
        "beta",
        "dirichlet",
        "multivariate_normal",
        "shuffle",
        "bits",
        "rademacher",
        "cauchy",
        "t",
        "poisson",
    ]
)
ALIASES = ("jax.random.", "random.", "jrandom.", "jr.")


def is_random(file: File, call: cst.Call, names: frozenset[str]) -> bool:
    dotted = file.called(call)
    return any(dotted.startswith(a) and dotted[len(a) :] in names for a in ALIASES)


def splits(file: File) -> Iterator[tuple[cst.Assign, cst.Call, list[cst.Name], cst.Name]]:
    """`a, b, … = split(key)` in functions: the assignment, the call, the targets, the parent."""
    for assign in file.nodes(cst.Assign):
        call, target = assign.value, assign.targets[0].target
        if not isinstance(call, cst.Call) or not is_random(file, call, frozenset({"split"})):
            continue
        if not call.args or not isinstance(call.args[0].value, cst.Name) or file.function(assign) is None:
            continue
        if isinstance(target, cst.Tuple) and len(target.elements) >= 2 and len(assign.targets) == 1:
            names = [e.value for e in target.elements if isinstance(e.value, cst.Name)]
            if len(names) == len(target.elements):
                yield assign, call, names, call.args[0].value


def uses(file: File, after: cst.CSTNode, name: str) -> list[cst.Name]:
    """Reads of a name later in the function that holds `after`, up to the next statement that binds the name again."""
    function = file.function(after)
    assert function is not None
    end = file.span(file.statement(after))[1]
    found: list[cst.Name] = []
    for node in file.nodes(cst.Name, function.body):
        if node.value != name or file.span(node)[0] < end or isinstance(file.parents[node], cst.Attribute):
            continue
        if isinstance(file.parents[node], cst.Arg) and file.parents[node].keyword is node:  # type: ignore[attr-defined]
            continue
        if isinstance(file.parents[node], cst.Param) or _shadowed(file, node, function):
            continue
        above = file.enclosing(node, cst.AssignTarget)
        if above is not None:
            statement = file.statement(node)
            found += [n for n in file.nodes(cst.Name, statement) if n.value == name and _is_read(file, n)]
            return found
        found.append(node)
    return found


def _shadowed(file: File, name: cst.Name, function: cst.FunctionDef) -> bool:
    """Whether the name is a parameter of a function nested in `function`."""
    for above in file.ancestors(name):
        if above is function:
            return False
        if isinstance(above, cst.FunctionDef | cst.Lambda):
            params = above.params
            if name.value in [p.name.value for p in [*params.posonly_params, *params.params, *params.kwonly_params]]:
                return True
    return False


def _is_read(file: File, name: cst.Name) -> bool:
    return file.enclosing(name, cst.AssignTarget) is None


class SubkeyToParent(Operator):
    """After `a, b = split(key)` with key not rebound, a use of a subkey becomes a use of `key`."""

    name, codes, topics = "subkey-to-parent", ("JAX403", "JAX401"), "4"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign, _, names, parent in splits(file):
            if parent.value not in [n.value for n in names]:
                for name in names:
                    if uses(file, assign, name.value):
                        yield name

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Name)
        parent = next(p for _, _, names, p in splits(file) if node in names)
        use = uses(file, node, node.value)[0]
        return Plan([Change(*file.span(use), parent.value)], [file.mark(use)])


class SubkeyToCarried(Operator):
    """After `key, sub = split(key)` a use of `sub` becomes a use of `key`, which is used or handed on later."""

    name, codes, topics = "subkey-to-carried", ("JAX401", "JAX403", "JAX402"), "4"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign, _, names, parent in splits(file):
            if parent.value in [n.value for n in names] and uses(file, assign, parent.value):
                for name in names:
                    if name.value != parent.value and uses(file, assign, name.value):
                        yield name

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Name)
        assign, parent = next((a, p) for a, _, names, p in splits(file) if node in names)
        use = uses(file, node, node.value)[0]
        others = [file.mark(u) for u in uses(file, assign, parent.value)]
        return Plan([Change(*file.span(use), parent.value)], [file.mark(use), *others])


class TwinKey(Operator):
    """The uses of one subkey of a split become uses of its sister: the same key twice."""

    name, codes, topics = "twin-key", ("JAX401",), "4"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign, _, names, parent in splits(file):
            subkeys = [n for n in names if n.value != parent.value and uses(file, assign, n.value)]
            if len(subkeys) >= 2:
                yield subkeys[1]

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Name)
        assign, names, parent = next((a, n, p) for a, _, n, p in splits(file) if node in n)
        first = next(n for n in names if n.value != parent.value and uses(file, assign, n.value))
        replaced = uses(file, node, node.value)
        marks = [file.mark(u) for u in [*replaced, *uses(file, assign, first.value)]]
        return Plan([Change(*file.span(u), first.value) for u in replaced], marks)


class SplitRemoved(Operator):
    """`a, b = split(key)` becomes `a = b = key`: the same key twice."""

    name, codes, topics = "split-removed", ("JAX401", "JAX403"), "4"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign, _, names, _ in splits(file):
            if sum(bool(uses(file, assign, n.value)) for n in names) >= 2:
                yield assign

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        _, _, names, parent = next(s for s in splits(file) if s[0] is node)
        new = [n.value for n in names if n.value != parent.value]
        marks = [file.mark(u) for n in names for u in uses(file, node, n.value)]
        text = " = ".join([*new, parent.value])
        return Plan([Change(*file.span(node), text)], [file.mark(node), *marks])


class CarryKeyKept(Operator):
    """`key, sub = split(key)` becomes `_, sub = split(key)`: the spent key goes on to the next round."""

    name, codes, topics = "carry-key-kept", ("JAX402", "JAX403", "JAX401"), "4"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign, _, names, parent in splits(file):
            if parent.value in [n.value for n in names]:
                loop, function = file.enclosing(assign, cst.For), file.function(assign)
                looped = loop is not None and function not in list(file.nodes(cst.FunctionDef, loop))
                if uses(file, assign, parent.value) or looped:
                    yield assign

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        _, _, names, parent = next(s for s in splits(file) if s[0] is node)
        own = next(n for n in names if n.value == parent.value)
        later = [file.mark(u) for u in uses(file, node, parent.value)]
        return Plan([Change(*file.span(own), "_")], [file.mark(node), *later])


class HoistSplit(Operator):
    """`key, sub = split(key)` moves from a loop to the line before it: the same subkey every round."""

    name, codes, topics = "hoist-split", ("JAX402", "JAX401"), "4"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign, _, _, _ in splits(file):
            loop = file.enclosing(assign, cst.For)
            if loop is not None and file.parents[file.statement(assign)] is loop.body:
                yield assign

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        loop = file.enclosing(node, cst.For)
        assert loop is not None
        _, _, names, _ = next(s for s in splits(file) if s[0] is node)
        at = file.span(loop)[0]
        start, end = file.span(file.statement(node))
        line_start = max(i for i in file.starts if i <= start)
        next_line = next(i for i in file.starts if i >= end) if end not in file.starts else end
        marks = [file.mark(u) for n in names for u in uses(file, node, n.value)]
        moved = Change(at, at, f"{file.source(node)}\n{file.indent(loop)}")
        return Plan([moved, Change(line_start, next_line, "")], marks)


class ConstantKey(Operator):
    """The key of a sampler call becomes `jax.random.PRNGKey(0)`."""

    name, codes, topics = "constant-key", ("JAX404",), "4"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in file.nodes(cst.Call):
            if not is_random(file, call, SAMPLERS) or file.function(call) is None or not call.args:
                continue
            first = call.args[0]
            named = first.keyword is None or first.keyword.value == "key"
            if named and not isinstance(first.value, cst.Call):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        text = file.called(node).rpartition(".")[0] + ".PRNGKey(0)"
        return Plan([Change(*file.span(node.args[0].value), text)], [file.mark(node)])


OPERATORS = (SubkeyToParent, SubkeyToCarried, TwinKey, SplitRemoved, CarryKeyKept, HoistSplit, ConstantKey)

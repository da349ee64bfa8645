"""Structured loops turned into Python loops, and reads that leave the device in host loops."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from .base import Change, File, Operator, Plan
from .branches import arguments, callee, calls, positional, whole_statement


class ScanToFor(Operator):
    """`carry, ys = lax.scan(body, init, xs)` becomes a Python loop over the rows of xs."""

    name, codes, topics = "scan-to-for", ("JAX201",), "2"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "lax.scan", "scan"):
            args, whole = positional(call), whole_statement(file, call)
            if not args or len(args) != 3 or not whole or whole[0] == "return ":
                continue
            target = file.parents[call]
            assert isinstance(target, cst.Assign)
            pair = target.targets[0].target
            if isinstance(pair, cst.Tuple) and len(pair.elements) == 2 and isinstance(args[2], cst.Name):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        assign = file.parents[node]
        assert isinstance(assign, cst.Assign) and isinstance(assign.targets[0].target, cst.Tuple)
        carry, ys = (file.source(e.value) for e in assign.targets[0].target.elements)
        body, init, xs = arguments(node)
        keep = ys != "_"
        rows = [
            f"loop_carry = {file.source(init)}",
            *(["loop_rows = []"] if keep else []),
            f"for row in range({file.source(xs)}.shape[0]):",
            f"    loop_carry, loop_row = {callee(file, body)}(loop_carry, {file.source(xs)}[row])",
            *(["    loop_rows.append(loop_row)"] if keep else []),
            *([f"{carry} = loop_carry"] if carry != "_" else []),
            *([f"{ys} = jax.tree_util.tree_map(lambda *r: jnp.stack(r), *loop_rows)"] if keep else []),
        ]
        start, end = file.span(file.statement(node))
        return Plan([Change(start, end, file.block(node, "\n".join(rows)))], [(start, end)])


class ForiToFor(Operator):
    """`x = lax.fori_loop(a, b, body, init)` becomes a Python loop."""

    name, codes, topics = "fori-to-for", ("JAX201",), "2"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "lax.fori_loop", "fori_loop"):
            if len(positional(call) or ()) == 4 and whole_statement(file, call):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        whole = whole_statement(file, node)
        assert whole
        head, line = whole
        low, high, body, init = arguments(node)
        first, last = file.source(low), file.source(high)
        text = "\n".join(
            (
                f"loop_carry = {file.source(init)}",
                f"for step in range({first}, {last}):" if first != "0" else f"for step in range({last}):",
                f"    loop_carry = {callee(file, body)}(step, loop_carry)",
                f"{head}loop_carry",
            )
        )
        start, end = file.span(line)
        return Plan([Change(start, end, file.block(line, text))], [(start, end)])


class SyncInLoop(Operator):
    """In a Python loop over a range, after `name = f(…)` comes a running total over `float(name.sum())`."""

    name, codes, topics = "sync-in-loop", ("JAX502",), "5"
    needs_trace = False

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign in file.nodes(cst.Assign):
            loop, function = file.enclosing(assign, cst.For), file.function(assign)
            if loop is None or function is None or function in file.nodes(cst.FunctionDef, loop):
                continue
            if len(assign.targets) != 1 or not isinstance(assign.targets[0].target, cst.Name):
                continue
            counted = isinstance(loop.iter, cst.Call) and file.called(loop.iter) == "range"
            if counted and isinstance(assign.value, cst.Call) and file.parents[assign] in loop.body.body:
                yield assign

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Assign)
        loop = file.enclosing(node, cst.For)
        assert loop is not None
        start, at = file.span(loop)[0], file.span(file.statement(node))[1]
        name = file.source(node.targets[0].target)
        before = Change(start, start, f"running_total = 0.0\n{file.indent(loop)}")
        after = Change(at, at, f"\n{file.indent(node)}running_total += float({name}.sum())")
        return Plan([before, after], [(at, at)])


OPERATORS = (ScanToFor, ForiToFor, SyncInLoop)

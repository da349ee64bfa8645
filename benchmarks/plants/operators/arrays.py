"""Values and shapes: numpy on tracers, Python numbers, item assignment, slices, missing static arguments."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from .base import Change, File, Operator, Plan
from .branches import arguments, calls, positional

REFUSING = frozenset(
    [
        "exp",
        "log",
        "log1p",
        "expm1",
        "sqrt",
        "sin",
        "cos",
        "tanh",
        "abs",
        "square",
        "maximum",
        "minimum",
        "where",
        "dot",
        "matmul",
        "concatenate",
        "stack",
        "isnan",
        "isfinite",
        "sign",
        "logical_and",
        "outer",
        "einsum",
        "exp2",
        "power",
        "arctan2",
        "floor",
        "ceil",
        "clip",
        "linalg.norm",
        "tensordot",
        "vdot",
    ]
)
REDUCING = frozenset(["sum", "mean", "max", "min", "prod", "argmax", "argmin", "any", "all", "linalg.norm", "vdot"])
NUMBERS = {"int": "int", "int32": "int", "int64": "int", "float": "float", "float32": "float", "float64": "float"}


class JnpToNp(Operator):
    """`jnp.f(…)` becomes `np.f(…)`, for functions of numpy that refuse a tracer."""

    name, codes, topics = "jnp-to-np", ("JAX109",), "15"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in file.nodes(cst.Call):
            name = file.called(call)
            if name.startswith("jnp.") and name[4:] in REFUSING and file.function(call) is not None:
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        alias, changes = file.numpy_name()
        start, _ = file.span(node.func)
        return Plan([*changes, Change(start, start + 3, alias)], [file.mark(node)])


class AstypeToNumber(Operator):
    """`x.astype(jnp.int32)` or `jnp.int32(x)` becomes `int(x)`; the same with float."""

    name, codes, topics = "astype-to-number", ("JAX105",), "15"

    def _kind(self, file: File, node: cst.BaseExpression) -> str | None:
        return NUMBERS.get(file.dotted(node).rpartition(".")[2])

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in file.nodes(cst.Call):
            if file.function(call) is None or len(positional(call) or ()) != 1:
                continue
            func = call.func
            if (
                isinstance(func, cst.Attribute) and func.attr.value == "astype" and self._kind(file, call.args[0].value)
            ) or file.called(call) in ("jnp.int32", "jnp.float32", "jnp.int64", "jnp.float64"):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "astype":
            kind, value = self._kind(file, node.args[0].value), node.func.value
        else:
            kind, value = self._kind(file, node.func), node.args[0].value
        return Plan([Change(*file.span(node), f"{kind}({file.source(value)})")], [file.mark(node)])


class AddItem(Operator):
    """A reduction to a scalar gets `.item()`."""

    name, codes, topics = "add-item", ("JAX105",), "15"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in file.nodes(cst.Call):
            name = file.called(call)
            if name.startswith("jnp.") and name[4:] in REDUCING and file.function(call) is not None:
                args = positional(call)
                if args and len(args) == (2 if name.endswith("vdot") else 1):
                    yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        end = file.span(node)[1]
        return Plan([Change(end, end, ".item()")], [file.mark(node)])


class AtSetToItem(Operator):
    """`y = x.at[i].set(v)` becomes `y = x` and `y[i] = v`; `.add` becomes `+=`."""

    name, codes, topics = "at-set-to-item", ("JAX110",), "137"
    needs_trace = False

    def _parts(self, call: cst.CSTNode) -> tuple[cst.BaseExpression, cst.Subscript, str] | None:
        if (
            not isinstance(call, cst.Call)
            or not isinstance(call.func, cst.Attribute)
            or len(positional(call) or ()) != 1
        ):
            return None
        index, method = call.func.value, call.func.attr.value
        if method not in ("set", "add") or not isinstance(index, cst.Subscript):
            return None
        at = index.value
        if not isinstance(at, cst.Attribute) or at.attr.value != "at":
            return None
        return at.value, index, method

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for assign in file.nodes(cst.Assign):
            if file.function(assign) is None or not self._parts(assign.value):
                continue
            if len(assign.targets) == 1 and isinstance(assign.targets[0].target, cst.Name):
                yield assign

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Assign) and isinstance(node.value, cst.Call)
        parts = self._parts(node.value)
        assert parts
        base, index, method = parts
        target, old = file.source(node.targets[0].target), file.source(base)
        start = file.span(index.value)[1]
        subscript = file.text[start : file.span(index)[1]]
        sign = "=" if method == "set" else "+="
        text = f"{target}{subscript} {sign} {file.source(node.value.args[0].value)}"
        if target != old:
            text = f"{target} = {old}\n{text}"
        line = file.statement(node)
        return Plan([Change(*file.span(line), file.block(line, text))], [file.span(line)])


class DynamicSliceToSlice(Operator):
    """`lax.dynamic_slice_in_dim(x, i, n)` becomes `x[i:i + n]`: the bounds are traced."""

    name, codes, topics = "dynamic-slice-to-slice", ("JAX106",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "lax.dynamic_slice_in_dim", "lax.dynamic_slice"):
            args = positional(call)
            if not args or len(args) < 3:
                continue
            if file.called(call).endswith("in_dim") or all(isinstance(a, cst.Tuple) for a in args[1:3]):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        args = positional(node) or []
        if file.called(node).endswith("in_dim"):
            axis = int(file.source(args[3])) if len(args) > 3 else 0
            pairs = [(file.source(args[1]), file.source(args[2]))]
            lead = [":"] * axis
        else:
            starts, sizes = args[1], args[2]
            assert isinstance(starts, cst.Tuple) and isinstance(sizes, cst.Tuple)
            pairs = [
                (file.source(a.value), file.source(b.value))
                for a, b in zip(starts.elements, sizes.elements, strict=True)
            ]
            lead = []
        index = ", ".join([*lead, *(f"{i}:{i} + {n}" for i, n in pairs)])
        return Plan([Change(*file.span(node), f"{file.source(args[0])}[{index}]")], [file.mark(node)])


class MaskToIndex(Operator):
    """`jnp.sum(jnp.where(m, x, 0))` becomes `jnp.sum(x[m])`: the shape depends on data."""

    name, codes, topics = "mask-to-index", ("JAX106",), "1"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for call in calls(file, "jnp.where"):
            args = positional(call)
            if not args or len(args) != 3 or file.source(args[2]) not in ("0", "0.0"):
                continue
            if isinstance(args[1], cst.Name | cst.Attribute):
                yield call

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        assert isinstance(node, cst.Call)
        mask, value, _ = arguments(node)
        text = f"{file.source(value)}[{file.source(mask)}]"
        return Plan([Change(*file.span(node), text)], [file.mark(node)])


class DropStatic(Operator):
    """static_argnames or static_argnums taken out of a jit."""

    name, codes, topics = "drop-static", ("JAX601", "JAX101", "JAX105", "JAX106"), "16"

    def candidates(self, file: File) -> Iterator[cst.CSTNode]:
        for arg in file.nodes(cst.Arg):
            keyword = arg.keyword.value if arg.keyword is not None else ""
            if keyword in ("static_argnums", "static_argnames") and isinstance(file.parents[arg], cst.Call):
                yield arg

    def plan(self, file: File, node: cst.CSTNode) -> Plan:
        call = file.parents[node]
        assert isinstance(call, cst.Call) and isinstance(node, cst.Arg)
        index = list(call.args).index(node)
        start = file.span(call.args[index - 1])[1] if index else file.span(node)[0]
        end = file.span(node)[1]
        marks = []
        above = file.parents[call]
        if isinstance(above, cst.Decorator) and isinstance(file.parents[above], cst.FunctionDef):
            marks = [file.span(above), *self._uses(file, file.parents[above], node)]
        else:
            marks = [file.mark(call)]
        return Plan([Change(start, end, "")], marks)

    def _uses(self, file: File, function: cst.CSTNode, arg: cst.Arg) -> Iterator[tuple[int, int]]:
        """Statements of the function that read a parameter which is no longer static."""
        assert isinstance(function, cst.FunctionDef)
        params = [*function.params.posonly_params, *function.params.params, *function.params.kwonly_params]
        names = {str(leaf.evaluated_value) for leaf in file.nodes(cst.SimpleString, arg.value)}
        names |= {params[int(leaf.value)].name.value for leaf in file.nodes(cst.Integer, arg.value)}
        for name in file.nodes(cst.Name, function.body):
            if name.value in names:
                yield file.mark(name)


OPERATORS = (JnpToNp, AstypeToNumber, AddItem, AtSetToItem, DynamicSliceToSlice, MaskToIndex, DropStatic)

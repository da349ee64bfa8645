"""Names that a module hands out although no statement of it binds them: star imports, ``__getattr__``, lazy_loader.

Everything is read from the module's text: nothing is imported and no ``__getattr__`` is run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import libcst as cst

from jaxlint.source.text import SourceError, read_source
from jaxlint.syntax import SyntaxFault, children, dotted, parse

if TYPE_CHECKING:
    from jaxlint.tracing.modules import ModuleSpace


def lazy_names(space: ModuleSpace) -> dict[str, tuple[str, ...]]:
    """Name -> the absolute dotted names that it may stand for, the likeliest first."""
    found: dict[str, tuple[str, ...]] = {}
    tables: dict[str, dict[str, str]] = {}
    for statement in _simple(space.module.body):
        if type(statement) is cst.FunctionDef and statement.name.value == "__getattr__":
            found.update(_of_getattr(space, statement, tables))
        value = getattr(statement, "value", None)
        if type(statement) in (cst.Assign, cst.AnnAssign) and type(value) is cst.Dict:
            for target in _targets(statement):
                tables[target] = _strings(value)
        elif type(statement) is cst.Assign and type(value) is cst.Call:
            name = space.library_name(value.func)
            if name in ("lazy_loader.attach", "lazy_loader.attach_stub"):
                found.update(_attached(space, value) if name.endswith("attach") else _of_stub(space))
    return found


def exported(space: ModuleSpace, name: str) -> bool:
    """Whether ``from module import *`` takes the name along."""
    listed = None
    for statement in _simple(space.module.body):
        if type(statement) in (cst.Assign, cst.AnnAssign, cst.AugAssign) and "__all__" in _targets(statement):
            value = getattr(statement, "value", None)
            if not isinstance(value, (cst.List, cst.Tuple)):
                return not name.startswith("_")  # made in a way that is not read
            words = {_text(element.value) for element in value.elements}
            listed = words if listed is None else listed | words
    return not name.startswith("_") if listed is None else name in listed


def _simple(body: Any) -> Iterator[Any]:
    """The statements of a body, and of the blocks under its ``if`` and ``try``."""
    for statement in body:
        if type(statement) is cst.SimpleStatementLine:
            yield from statement.body
        elif type(statement) in (cst.If, cst.Try, cst.Else):
            yield from _simple(statement.body.body)
            if statement_else := getattr(statement, "orelse", None):
                yield from _simple([statement_else])
        else:
            yield statement


def _targets(statement: Any) -> list[str]:
    targets = [one.target for one in statement.targets] if type(statement) is cst.Assign else [statement.target]
    return [target.value for target in targets if type(target) is cst.Name]


def _text(node: Any) -> str:
    value = node.evaluated_value if type(node) is cst.SimpleString else ""
    return value if isinstance(value, str) else ""


def _strings(node: cst.Dict) -> dict[str, str]:
    """The entries of a dict that say where a name is: a string, or a pair of module and name."""
    out: dict[str, str] = {}
    for element in node.elements:
        if type(element) is cst.DictElement and (key := _text(element.key)):
            value = element.value
            parts = [value] if not isinstance(value, (cst.Tuple, cst.List)) else [one.value for one in value.elements]
            texts = [_text(part) for part in parts]
            if texts and all(texts):
                out[key] = ".".join(texts).replace(":", ".")
    return out


def _absolute(space: ModuleSpace, written: str) -> str:
    from jaxlint.tracing.modules import absolute_name

    name = written.lstrip(".")
    return absolute_name(space.package, len(written) - len(name), name)


def _of_getattr(
    space: ModuleSpace, function: cst.FunctionDef, tables: dict[str, dict[str, str]]
) -> dict[str, tuple[str, ...]]:
    """What the tables that ``__getattr__`` reads, and the imports in it, say."""
    found: dict[str, tuple[str, ...]] = {}
    stack: list[Any] = [function.body]
    while stack:
        node = stack.pop()
        if type(node) is cst.Name and node.value in tables:
            for name, where in tables[node.value].items():
                full = _absolute(space, where)
                found[name] = (f"{full}.{name}", full, f"{space.package}.{full}.{name}")
        elif type(node) is cst.ImportFrom and not isinstance(node.names, cst.ImportStar):
            found.update(_imported(space, node))
        stack.extend(children(node))
    return found


def _imported(space: ModuleSpace, node: cst.ImportFrom) -> dict[str, tuple[str, ...]]:
    module = _absolute(space, "." * len(node.relative) + dotted(node.module))
    out: dict[str, tuple[str, ...]] = {}
    for alias in node.names if not isinstance(node.names, cst.ImportStar) else ():
        name = dotted(alias.name)
        bound = alias.asname.name.value if alias.asname is not None and type(alias.asname.name) is cst.Name else name
        out[bound] = (f"{module}.{name}",)
    return out


def _attached(space: ModuleSpace, call: cst.Call) -> dict[str, tuple[str, ...]]:
    """``lazy.attach(__name__, submodules=[…], submod_attrs={"ops": ["clip"]})``."""
    given = dict(
        zip(("name", "submodules", "submod_attrs"), (arg for arg in call.args if arg.keyword is None), strict=False)
    )
    given.update({arg.keyword.value: arg for arg in call.args if arg.keyword is not None})
    out: dict[str, tuple[str, ...]] = {}
    modules = given["submodules"].value if "submodules" in given else None
    if isinstance(modules, (cst.List, cst.Set, cst.Tuple)):
        out.update({name: (f"{space.package}.{name}",) for one in modules.elements if (name := _text(one.value))})
    attributes = given["submod_attrs"].value if "submod_attrs" in given else None
    for element in attributes.elements if type(attributes) is cst.Dict else ():
        if type(element) is cst.DictElement and isinstance(element.value, (cst.List, cst.Tuple)):
            module = f"{space.package}.{_text(element.key)}"
            out.update({name: (f"{module}.{name}",) for one in element.value.elements if (name := _text(one.value))})
    return out


def _of_stub(space: ModuleSpace) -> dict[str, tuple[str, ...]]:
    """``lazy.attach_stub(__name__, __file__)``: the imports of the stub beside the file."""
    try:
        stub = parse(read_source(os.path.splitext(space.source.path)[0] + ".pyi"))
    except (SourceError, SyntaxFault):
        return {}
    out: dict[str, tuple[str, ...]] = {}
    for statement in _simple(stub.body):
        if type(statement) is cst.ImportFrom:
            out.update(_imported(space, statement))
    return out

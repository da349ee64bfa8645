"""Imports of every form lead from a traced function to what it calls in another file."""

from __future__ import annotations

from pathlib import Path

import pytest
from project_files import Check, write

#: What every project calls, and what goes wrong there.
HELPER = """\
import jax.numpy as jnp


def clip(x, limit=1.0):
    if x > limit:  # expect: JAX101@8
        return limit
    return x
"""

MAIN = """\
import jax
{imports}

@jax.jit
def step(x):
    return {call}(x)
"""


def project(imports: str, call: str, **others: str) -> str:
    """Files by name; ``main.py`` calls the helper of ``pkg/ops.py``."""
    files = {"pkg/ops.py": HELPER, **others}
    files.setdefault("pkg/__init__.py", "")
    files["main.py"] = MAIN.format(imports=imports, call=call)
    return "# file: pyproject.toml\n" + "".join(f"# file: {name}\n{text}" for name, text in files.items())


LAZY_LOADER = """\
import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(__name__, submodules=["ops"], submod_attrs={"ops": ["clip"]})
"""
LAZY_STUB = """\
import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
"""
GETATTR = """\
import importlib

_WHERE = {"clip": "pkg.ops"}


def __getattr__(name):
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(name)
"""
GETATTR_RELATIVE = """\
import importlib

_lazy = {"clip": ".ops"}


def __getattr__(name):
    if name in _lazy:
        module = importlib.import_module(_lazy[name], __name__)
        return getattr(module, name)
    raise AttributeError(name)
"""

PROJECTS = {
    "from": project("from pkg.ops import clip", "clip"),
    "from as": project("from pkg.ops import clip as cut", "cut"),
    "module": project("import pkg.ops", "pkg.ops.clip"),
    "module as": project("import pkg.ops as ops", "ops.clip"),
    "submodule": project("from pkg import ops", "ops.clip"),
    "package": project("import pkg", "pkg.ops.clip"),
    "re-export": project("from pkg import clip", "clip", **{"pkg/__init__.py": "from .ops import clip\n"}),
    "re-export as": project("import pkg", "pkg.cut", **{"pkg/__init__.py": "from pkg.ops import clip as cut\n"}),
    "re-export by assignment": project(
        "import pkg", "pkg.cut", **{"pkg/__init__.py": "from . import ops\n\ncut = ops.clip\n"}
    ),
    "re-export of a module": project("import pkg", "pkg.o.clip", **{"pkg/__init__.py": "from . import ops as o\n"}),
    "re-export of a re-export": project(
        "from pkg import clip",
        "clip",
        **{
            "pkg/__init__.py": "from .sub import clip\n",
            "pkg/sub/__init__.py": "from .deep import *\n",
            "pkg/sub/deep.py": "from ..ops import clip\n",
        },
    ),
    "star": project("from pkg.ops import *", "clip"),
    "star through a package": project("from pkg import *", "clip", **{"pkg/__init__.py": "from .ops import *\n"}),
    "star with __all__": project(
        "from pkg import *", "clip", **{"pkg/__init__.py": 'from .ops import clip\n__all__ = ["clip"]\n'}
    ),
    "star that leaves names out": project(
        "from pkg.other import *\nfrom pkg.ops import *",
        "clip",
        **{"pkg/other.py": "__all__ = ['other']\n\ndef clip(x):\n    return x\n\ndef other(x):\n    return x\n"},
    ),
    "star under a name of its own": project("from pkg.ops import *", "cut") + "\n\ndef cut(x):\n    return clip(x)\n",
    "inside a function": (
        project("", "later", )
        + "\n\ndef later(x):\n    from pkg.ops import clip\n\n    return clip(x)\n"
    ),
    "a module inside a function": (
        project("", "later") + "\n\ndef later(x):\n    import pkg.ops\n\n    return pkg.ops.clip(x)\n"
    ),
    "with a fallback": project(
        "try:\n    from pkg.ops import clip\nexcept ImportError:\n    clip = None", "clip"
    ),
    "with another name as fallback": project(
        "try:\n    from pkg.ops import clip\nexcept ImportError:\n    from pkg.old import clip", "clip"
    ),
    "as the fallback": project(
        "try:\n    from fastpkg import clip\nexcept ImportError:\n    from pkg.ops import clip", "clip"
    ),
    "as the fallback for a module": project(
        "try:\n    import fastpkg as ops\nexcept (ImportError, OSError):\n    from pkg import ops", "ops.clip"
    ),
    "for type checkers": project(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg import nothing\n"
        "else:\n    from pkg.ops import clip",
        "clip",
    ),
    "by version": project(
        "import sys\nif sys.version_info >= (3, 9):\n    from pkg.ops import clip\n"
        "else:\n    from pkg.old import clip", "clip",
    ),
    "lazy_loader": project("import pkg", "pkg.clip", **{"pkg/__init__.py": LAZY_LOADER}),
    "lazy_loader, its module": project("from pkg import ops", "ops.clip", **{"pkg/__init__.py": LAZY_LOADER}),
    "lazy_loader, a stub": project(
        "from pkg import clip", "clip", **{"pkg/__init__.py": LAZY_STUB, "pkg/__init__.pyi": "from .ops import clip\n"}
    ),
    "module __getattr__": project("import pkg", "pkg.clip", **{"pkg/__init__.py": GETATTR}),
    "module __getattr__, relative": project("from pkg import clip", "clip", **{"pkg/__init__.py": GETATTR_RELATIVE}),
    "stub beside a module": project(
        "from pkg.ops import clip", "clip", **{"pkg/ops.pyi": "def clip(x: float, limit: float = ...) -> float: ...\n"}
    ),
    "circle": project(
        "from pkg.a import clip",
        "clip",
        **{
            "pkg/a.py": "from pkg.b import clip\n\n\ndef one(x):\n    return clip(x)\n",
            "pkg/b.py": "from pkg import a\nfrom pkg.ops import clip\n\n\ndef two(x):\n    return a.one(x)\n",
        },
    ),
    "circle of functions": project(
        "from pkg.a import one",
        "one",
        **{
            "pkg/a.py": "from pkg.b import two\n\n\ndef one(x):\n    return two(x)\n",
            "pkg/b.py": (
                "import pkg.a\nfrom pkg.ops import clip\n\n\n"
                "def two(x):\n    return clip(pkg.a.one(x)) + clip(x)\n"
            ),
        },
    ),
    "circle of stars": project(
        "from pkg.a import clip",
        "clip",
        **{"pkg/a.py": "from pkg.b import *\n", "pkg/b.py": "from pkg.a import *\nfrom pkg.ops import *\n"},
    ),
    "namespace package": "# file: pyproject.toml\n# file: space/pkg/ops.py\n" + HELPER
    + "# file: main.py\n" + MAIN.format(imports="from space.pkg.ops import clip", call="clip"),
    "namespace package in src": "# file: pyproject.toml\n# file: src/space/pkg/ops.py\n" + HELPER
    + "# file: src/space/main.py\n" + MAIN.format(imports="from space.pkg.ops import clip", call="clip"),
    "relative in a namespace package": "# file: pyproject.toml\n# file: src/space/ops.py\n" + HELPER
    + "# file: src/space/main.py\n" + MAIN.format(imports="from .ops import clip", call="clip"),
    "relative up in a namespace package": "# file: pyproject.toml\n# file: space/ops.py\n" + HELPER
    + "# file: space/sub/main.py\n" + MAIN.format(imports="from ..ops import clip", call="clip"),
    "src": "# file: pyproject.toml\n# file: src/pkg/__init__.py\n# file: src/pkg/ops.py\n" + HELPER
    + "# file: scripts/main.py\n" + MAIN.format(imports="from pkg.ops import clip", call="clip"),
    "relative": "# file: pyproject.toml\n# file: pkg/__init__.py\n# file: pkg/ops.py\n" + HELPER
    + "# file: pkg/main.py\n" + MAIN.format(imports="from . import ops", call="ops.clip"),
    "relative up": "# file: pyproject.toml\n# file: pkg/__init__.py\n# file: pkg/ops.py\n" + HELPER
    + "# file: pkg/sub/__init__.py\n# file: pkg/sub/main.py\n"
    + MAIN.format(imports="from ..ops import clip", call="clip"),
    "beside a script": "# file: pyproject.toml\n# file: scripts/ops.py\n" + HELPER
    + "# file: scripts/main.py\n" + MAIN.format(imports="from ops import clip", call="clip"),
    "a package in another folder": "# file: pyproject.toml\n# file: lib/python/pkg/__init__.py\n"
    "# file: lib/python/pkg/ops.py\n"
    + HELPER + "# file: lib/python/pkg/main.py\n" + MAIN.format(imports="from pkg.ops import clip", call="clip"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROJECTS)
def test_import(check: Check, tmp_path: Path, name: str) -> None:
    promised = write(tmp_path, PROJECTS[name])
    result = check()
    assert result.err == ""
    assert result.places == promised


SILENT = {
    "outside the project": project("from elsewhere import clip", "clip"),
    "another name wins": project("from pkg.ops import *\nfrom jax.nn import relu as clip", "clip"),
    "a name that the package takes back": project(
        "from pkg import clip", "clip", **{"pkg/__init__.py": "from .ops import clip\n\n\ndef clip(x):\n    return x\n"}
    ),
    "either of two": project(
        "import os\nif os.name == 'nt':\n    from pkg.ops import clip\nelse:\n    from pkg.old import clip",
        "clip",
        **{"pkg/old.py": "def clip(x):\n    return x\n"},
    ),
    "a stub alone": "# file: pyproject.toml\n# file: pkg/__init__.py\n"
    "# file: pkg/ops.pyi\ndef clip(x: float) -> float: ...\n"
    "# file: main.py\n" + MAIN.format(imports="from pkg.ops import clip", call="clip"),
    "too many dots": "# file: pyproject.toml\n# file: main.py\n"
    + MAIN.format(imports="from .... import ops", call="ops.clip"),
}


@pytest.mark.parametrize("name", SILENT)
def test_silence(check: Check, tmp_path: Path, name: str) -> None:
    write(tmp_path, SILENT[name].replace("  # expect: JAX101@8", ""))
    result = check()
    assert (result.places, result.err) == ([], "")

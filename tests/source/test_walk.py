"""Which files a run reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxlint.config.settings import Settings
from jaxlint.source.gate import MARKERS, mentions_jax
from jaxlint.source.walk import display_path, excluded, walk


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    names = [
        "b.py",
        "a.py",
        "c.pyi",
        "d.txt",
        "pkg/x.py",
        "pkg/deep/y.py",
        "build/z.py",
        ".venv/lib/w.py",
        "out/gen.py",
    ]
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(*paths: str, **settings: object) -> list[str]:
    chosen = Settings(root=os.getcwd())._replace(**settings)  # type: ignore[arg-type]
    return [each.path.replace(os.sep, "/") for each in walk(paths, lambda folder: chosen)]


def test_folders_are_searched_in_order_without_the_excluded(tree: Path) -> None:
    assert files(".") == ["a.py", "b.py", "out/gen.py", "pkg/x.py", "pkg/deep/y.py"]


def test_named_files_are_taken_whatever_they_are(tree: Path) -> None:
    assert files("build/z.py", "d.txt", "none.py") == ["build/z.py", "d.txt", "none.py"]
    assert files("build/z.py", ".venv", force_exclude=True) == []


def test_each_file_once_and_paths_as_the_reader_has_them(tree: Path) -> None:
    assert files("./a.py", "a.py", str(tree / "a.py"), "pkg/../a.py") == ["a.py"]
    assert display_path("/elsewhere/x.py", str(tree)) == "/elsewhere/x.py"


def test_exclude_replaces_and_extend_adds(tree: Path) -> None:
    assert files(".", exclude=("pkg",)) == ["a.py", "b.py", ".venv/lib/w.py", "build/z.py", "out/gen.py"]
    assert "build/z.py" not in files(".", extend_exclude=("pkg",))
    assert "pkg/x.py" not in files(".", extend_exclude=("pkg",))


@pytest.mark.parametrize(
    ("pattern", "path", "match"),
    [
        ("x.py", "pkg/x.py", True),
        ("pkg/x.py", "pkg/x.py", True),
        ("pkg/*.py", "pkg/deep/y.py", True),
        ("pkg/**/y.py", "pkg/y.py", True),
        ("**/y.py", "pkg/deep/y.py", True),
        ("*_gen.py", "pkg/a_gen.py", True),
        ("deep/", "pkg/deep", True),
        ("[ab].py", "a.py", True),
        ("[!ab].py", "a.py", False),
        ("?.py", "ab.py", False),
        ("x.p", "x.py", False),
        ("other/x.py", "pkg/x.py", False),
        ("./pkg/x.py", "pkg/x.py", True),
    ],
)
def test_globs(pattern: str, path: str, match: bool) -> None:
    assert excluded(f"/root/{path}", (pattern,), "/root") is match


def test_gitignore_is_respected_on_request(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("out/\n*_tmp.py\n")
    (tree / "pkg" / "k_tmp.py").write_text("")
    (tree / "pkg" / "deep" / "k_tmp.py").write_text("")
    (tree / "pkg" / "deep" / ".gitignore").write_text("!k_tmp.py\n")
    expected = ["a.py", "b.py", "pkg/x.py", "pkg/deep/k_tmp.py", "pkg/deep/y.py"]
    assert files(".") == expected
    assert files("pkg") == expected[2:]
    assert "out/gen.py" in files(".", respect_gitignore=False)
    assert files("pkg/k_tmp.py", force_exclude=True) == []
    assert files("pkg/k_tmp.py") == ["pkg/k_tmp.py"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_linked_folders_are_not_entered(tree: Path) -> None:
    (tree / "pkg" / "loop").symlink_to(tree)
    assert files("pkg") == ["pkg/x.py", "pkg/deep/y.py"]


def test_the_gate_knows_the_libraries() -> None:
    assert all(mentions_jax(f"import {name}") and mentions_jax(f"import {name}".encode()) for name in MARKERS)
    assert mentions_jax(b"from flax import linen as nn")
    assert not mentions_jax(b"import numpy as np\nimport torch\n")
    assert not mentions_jax(b"")

"""plants.toml and the manifest that plant.py writes, as types."""

from __future__ import annotations

import json
import pathlib
from dataclasses import asdict, dataclass

import tomllib

HERE = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True)
class Plant:
    """One fault to put into one file: plain data from plants.toml."""

    id: str
    project: str
    file: str
    operator: str
    function: str
    occurrence: int
    driver: str
    raises: str
    witness: str
    topics: str = ""
    note: str = ""


@dataclass(frozen=True)
class Planted:
    """One fault that was put in: where its tree is and where a linter should speak."""

    id: str
    operator: str
    project: str
    tree: str
    original: str
    file: str
    function: str
    codes: list[str]
    topics: str
    lines: list[list[int]]
    driver: str
    raises: str
    witness: str
    needs_trace: bool

    def expects(self, row: int) -> bool:
        return any(first <= row <= last for first, last in self.lines)


def read_plants(path: pathlib.Path = HERE / "plants.toml") -> list[Plant]:
    plants = [Plant(**item) for item in tomllib.loads(path.read_text(encoding="utf-8"))["plant"]]
    ids = [p.id for p in plants]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        raise SystemExit(f"plants.toml: the same id twice: {', '.join(sorted(twice))}")
    return plants


def read_reasons(path: pathlib.Path = HERE / "reasons.toml") -> dict[str, str]:
    """Why each plant that was ever missed is hard, by its id: one sentence of those that reasons.toml defines."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: data["reasons"][word] for word, names in data["plants"].items() for name in names}


def write_manifest(dest: pathlib.Path, planted: list[Planted]) -> None:
    text = json.dumps([asdict(p) for p in planted], indent=1)
    (dest / "manifest.json").write_text(text + "\n", encoding="utf-8")


def read_manifest(dest: pathlib.Path) -> list[Planted]:
    return [Planted(**item) for item in json.loads((dest / "manifest.json").read_text(encoding="utf-8"))]

"""The examples are what their README says: jaxlint finds the faults and nothing else, and JAX agrees."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jaxlint.config.settings import Settings
from jaxlint.engine import check_source
from jaxlint.source.text import read_source

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted((EXAMPLES / "digits").glob("*.py"))


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of the README, without code marks."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def function_at(path: Path, line: int) -> str:
    """The innermost function around a line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    around = [
        node for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]  # fmt: skip
    return max(around, key=lambda node: node.lineno).name


def test_the_faults_are_found_and_nothing_else() -> None:
    found = [
        (path.name, function_at(path, finding.location.start.line), finding.code)
        for path in FILES
        for finding in check_source(read_source(str(path)), Settings(root=str(EXAMPLES)))
    ]
    expected = [(file.strip("`"), function.strip("`"), code) for file, function, code, _ in rows("Faults")]
    assert sorted(found) == sorted(expected)


def test_each_family_has_a_fault() -> None:
    assert {code[3] for _, _, code, _ in rows("Faults")} == set("12345")


@pytest.mark.parametrize(("file", "function"), [tuple(row[:2]) for row in rows("Look-alikes")])
def test_look_alikes_are_there(file: str, function: str) -> None:
    assert f"def {function.strip('`')}(" in (EXAMPLES / "digits" / file.strip("`")).read_text(encoding="utf-8")


# What JAX says ------------------------------------------------------------------------------------------------------


@pytest.fixture
def digits(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Imports a module of the example, fresh for this test."""
    pytest.importorskip("jax", exc_type=ImportError)
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def load(name: str) -> ModuleType:
        import importlib

        return importlib.import_module(f"digits.{name}")

    yield load
    for name in [name for name in sys.modules if name.split(".")[0] == "digits"]:
        del sys.modules[name]


@pytest.fixture
def jax(digits: Any) -> ModuleType:
    import jax

    return jax


def test_faults_of_tracing(digits: Any, jax: Any) -> None:
    logits, labels = jax.numpy.ones((4, 10)), jax.numpy.zeros(4, int)
    with pytest.raises(jax.errors.TracerBoolConversionError):
        digits("optim").clip_by_norm({"w": jax.numpy.ones(3)}, 1.0)
    with pytest.raises(IndexError, match="static"):
        digits("evaluate").top_hits(logits, labels, 3)
    with pytest.raises(jax.errors.TracerArrayConversionError):
        digits("evaluate").mean_entropy(logits)


def test_the_loop_is_unrolled(digits: Any, jax: Any) -> None:
    evaluate = digits("evaluate")

    def size(function: Any, steps: int) -> int:
        return len(str(jax.make_jaxpr(function)(jax.numpy.ones(steps))).splitlines())

    assert size(evaluate.smooth, 40) > size(evaluate.smooth, 20) + 20
    assert size(evaluate.smooth_by_scan, 40) == size(evaluate.smooth_by_scan, 20)
    curve = jax.numpy.arange(5.0)
    assert jax.numpy.allclose(evaluate.smooth(curve), evaluate.smooth_by_scan(curve))


def test_faults_of_purity(digits: Any, jax: Any) -> None:
    model = digits("model")
    params = model.init_params(jax.random.key(0), (64, 8, 8, 10))
    images = jax.numpy.ones((2, 8, 8))
    logits = model.apply_and_keep(params, images)
    with pytest.raises(jax.errors.UnexpectedTracerError):
        model.kept["layer 0"] + 1
    again, activations = model.apply_with_activations(params, images)
    assert jax.numpy.allclose(logits, again)
    assert activations["layer 1"].shape == (2, 8)


def test_faults_of_keys(digits: Any, jax: Any) -> None:
    data, model, train = digits("data"), digits("model"), digits("train")
    key = jax.random.key(1)
    flat = data.augment(key, jax.numpy.zeros((50, 1, 1))).ravel()
    slope = data.augment(key, jax.numpy.ones((50, 1, 1))).ravel() - flat
    assert jax.numpy.corrcoef(flat, slope)[0, 1] > 0.999
    with jax.debug_key_reuse(True), pytest.raises(jax.errors.KeyReuseError):
        data.make_split(key, jax.numpy.zeros((10, 8, 8)), 3)
    (noisy,) = train.jitter(key, [{"v": jax.numpy.zeros(4), "w": jax.numpy.zeros(4)}])
    assert jax.numpy.array_equal(noisy["v"], noisy["w"])
    first, second = (model.dropout(jax.numpy.full(64, value), 0.5, train=True) for value in (1.0, 2.0))
    assert jax.numpy.array_equal(first == 0, second == 0)


def test_training_runs_counts_once_and_reads_every_step(
    digits: Any, jax: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    train, array = digits("train"), type(jax.numpy.ones(()))
    reads, plain = [], array.__float__
    monkeypatch.setattr(array, "__float__", lambda self: reads.append(self) or plain(self))
    _, losses = train.train(jax.random.key(0), epochs=3, count=256, size=64)
    assert losses[-1] < losses[0]
    assert (train.updates, len(losses)) == (1, 12)
    assert len(reads) == 12 + 3
    assert capsys.readouterr().out.count("tracing update") == 1


def test_look_alikes_work(digits: Any, jax: Any) -> None:
    data, model, optim, evaluate, train = map(digits, ("data", "model", "optim", "evaluate", "train"))
    key = jax.random.key(2)
    ones = {"w": jax.numpy.ones(3)}
    assert optim.clip_by_value(ones) is not None
    assert float(optim.clip_by_value(ones, 0.5)["w"][0]) == 0.5
    assert optim.warm_up(0, 1.0, 4) == 0.25 and optim.warm_up(9, 1.0, 4) == 1.0
    for nesterov in (False, True):
        optim.momentum(ones, ones, nesterov=nesterov)
    images, labels = jax.numpy.arange(6.0), jax.numpy.arange(6)
    images, labels = data.shuffle_pairs(key, images, labels)
    assert jax.numpy.array_equal(images, labels)
    assert data.class_weights(labels).shape == (10,)
    params = model.init_params(key, (64, 8, 10))
    with jax.debug_key_reuse(True):
        restarts = train.random_restarts(key, [{"w": jax.numpy.zeros(4)}], 2)
    assert not jax.numpy.array_equal(restarts[0][0]["w"], restarts[1][0]["w"])
    logits = model.apply(params, jax.numpy.ones((6, 8, 8)), kind="tanh")
    assert evaluate.confusion_matrix(logits, labels).sum() == 6
    assert evaluate.calibration(jax.numpy.linspace(0, 1, 6), jax.numpy.ones(6), bins=4).shape == (4,)
    assert evaluate.robust_curve(jax.numpy.array([0.0, 9.0, 1.0])).tolist() == [0.0, 1.0, 1.0]
    assert train.fit_until_good(params, jax.numpy.ones((6, 8, 8)), labels, goal=100.0)[1] == 1


def test_no_line_numbers_in_the_readme() -> None:
    assert not re.search(r"\bline \d|\.py:\d", (EXAMPLES / "README.md").read_text(encoding="utf-8"))

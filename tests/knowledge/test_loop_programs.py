"""Random loops and choices: where JAX accepts one, jaxlint is silent; most of what JAX rejects is found."""

from __future__ import annotations

import json
import random
import re
import warnings
from typing import Any

import pytest

pytest.importorskip("jax", reason="the judge of these rules is JAX itself")

import jax
import jax.numpy as jnp
import numpy as np
from loop_programs import program

from jaxlint.config.settings import Selection, Settings
from jaxlint.engine import check_source
from jaxlint.source.text import source_from_text

_HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"
_CHOSEN = Settings(selections=(Selection(select=("JAX202", "JAX203", "JAX003")),), preview=True)
_REJECTED = re.compile(r"same pytree structure|have equal types|must be a pair|have the same type")


def verdict(text: str) -> str:
    """``ok``, ``bad`` (what these rules are about) or ``other``, the same with and without 64 bits; else ``flag``."""
    found = set()
    before = jax.config.read("jax_enable_x64")
    try:
        for wide in (False, True):
            jax.config.update("jax_enable_x64", wide)
            names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np}
            exec(text, names)
            case = next(value for name, value in names.items() if name.startswith("case_"))
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    jax.eval_shape(case)
                found.add("ok")
            except Exception as error:
                found.add("bad" if isinstance(error, TypeError) and _REJECTED.search(str(error)) else "other")
    finally:
        jax.config.update("jax_enable_x64", before)
    return found.pop() if len(found) == 1 else "flag"


@pytest.mark.parametrize("seed", [1, 2])
def test_random_programs(seed: int) -> None:
    chosen = random.Random(seed)
    programs = [program(chosen, number) for number in range(150)]
    verdicts = {number: verdict(text) for number, text in enumerate(programs)}
    source = source_from_text("\n".join((_HEAD, *programs)), "programs.py")
    said: dict[int, str] = {}
    for finding in check_source(source, _CHOSEN):
        before = source.text.splitlines()[: finding.location.start.line]
        case = next(line for line in reversed(before) if line.startswith("def case_"))
        said[int(case[len("def case_") : -len("():")])] = finding.message
    wrong = [(programs[number], message) for number, message in said.items() if verdicts[number] in ("ok", "flag")]
    assert not wrong, json.dumps(wrong[:3], indent=1)
    bad = [number for number, what in verdicts.items() if what == "bad"]
    assert len(bad) > 30
    assert sum(number in said for number in bad) > 0.8 * len(bad)

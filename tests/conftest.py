"""Marks that the tests use."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "jax: asks JAX itself; skipped where it is not installed")

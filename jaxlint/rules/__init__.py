"""Rules: one file each, in the folder of their topic. Discovered, not listed."""

from __future__ import annotations

from jaxlint.rules.base import Cause, Report, Rule
from jaxlint.rules.registry import registry
from jaxlint.rules.runner import run

__all__ = ["Cause", "Report", "Rule", "registry", "run"]

"""jaxlint reads JAX programs the way JAX would trace them and reports what will go wrong, without running them."""

from __future__ import annotations

__version__ = "0.2.0"

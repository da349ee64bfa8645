"""``python -m jaxlint``."""

from __future__ import annotations

from jaxlint.cli.main import entry

if __name__ == "__main__":
    entry()

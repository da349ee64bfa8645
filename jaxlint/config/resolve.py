"""Which settings hold for a folder: command line > environment > nearest configuration file > defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping

from jaxlint.config import files
from jaxlint.config.settings import FORMATS, Overrides, Selection, Settings, override

#: Environment variable -> (field, kind). "not" inverts: JAXLINT_NO_CACHE=1 switches the cache off.
ENVIRONMENT: dict[str, tuple[str, str]] = {
    "JAXLINT_OUTPUT_FORMAT": ("output_format", "format"),
    "JAXLINT_NO_CACHE": ("cache", "not"),
    "JAXLINT_PREVIEW": ("preview", "flag"),
    "JAXLINT_FORCE_EXCLUDE": ("force_exclude", "flag"),
}
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"", "0", "false", "no", "off"})


def from_environment(environ: Mapping[str, str]) -> Overrides:
    """Overrides from JAXLINT_* variables. Raises ConfigError for a value that means nothing."""
    overrides: Overrides = {}
    for variable, (name, kind) in ENVIRONMENT.items():
        value = environ.get(variable)
        if value is None or value == "":
            continue
        if kind == "format":
            if value not in FORMATS:
                raise files.ConfigError(f"{variable}: must be one of {', '.join(FORMATS)}, not {value!r}")
            overrides[name] = value
        elif value.lower() in _TRUE | _FALSE:
            overrides[name] = (value.lower() in _TRUE) != (kind == "not")
        else:
            raise files.ConfigError(f"{variable}: must be 1 or 0, not {value!r}")
    return overrides


class Resolver:
    """Gives every folder its settings and remembers them.

    ``overrides`` and ``selection`` come from the command line (stronger) and the environment, already merged.
    ``inline`` are ``KEY = VALUE`` lines of TOML (--config): stronger than the file, weaker than named options.
    ``file`` replaces the search; ``isolated`` reads no file at all. Every method may raise ConfigError.
    """

    def __init__(
        self,
        overrides: Overrides | None = None,
        selection: Selection | None = None,
        inline: tuple[str, ...] = (),
        isolated: bool = False,
        file: str | None = None,
    ) -> None:
        self.overrides = overrides or {}
        self.selection = selection
        self.inline = inline
        self.isolated = isolated
        self.file = file
        self.warnings: list[str] = []
        self._known: dict[str, Settings] = {}

    def for_folder(self, folder: str) -> Settings:
        """The settings for files in this folder (an absolute path)."""
        known = self._known.get(folder)
        if known is None:
            known = self._known[folder] = self._find(folder)
        return known

    def for_file(self, path: str) -> Settings:
        """The settings for one file."""
        return self.for_folder(os.path.dirname(os.path.abspath(path)))

    def _find(self, folder: str) -> Settings:
        if self.isolated:
            return self._shared("", None)
        if self.file is not None:
            return self._shared(self.file, self.file)
        path = files.find(folder)
        if path is not None:
            return self._shared(path, path)
        above = os.path.dirname(folder)
        return self._shared("", None) if above == folder else self.for_folder(above)

    def _shared(self, key: str, path: str | None) -> Settings:
        """Settings of a file with the overrides on top; one object per file. ``\\0`` keeps keys apart from folders."""
        known = self._known.get("\0" + key)
        if known is None:
            known = self._known["\0" + key] = self._load(path)
        return known

    def _load(self, path: str | None) -> Settings:
        settings = Settings(root=os.getcwd()) if path is None else files.load(path, self._warn)
        for text in self.inline:
            settings = self._with_inline(settings, text)
        return override(settings, self.overrides, self.selection)

    def _with_inline(self, settings: Settings, text: str) -> Settings:
        """One ``KEY = VALUE`` over the settings."""
        origin = "--config"
        table = files.parse_toml_text(text, origin)
        read = files.from_table(table, origin, settings.root, self._warn)
        default = files.from_table({}, origin, settings.root, self._warn)
        named = [name for name in Settings._fields if name not in ("selections", "file", "root")]
        changed: Overrides = {
            name: getattr(read, name) for name in named if getattr(read, name) != getattr(default, name)
        }
        for key in files.FLAGS:
            if key in table:
                changed[key.replace("-", "_")] = table[key]
        return override(settings, changed, read.selections[0])

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

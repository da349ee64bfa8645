"""Configuration files, the environment and who wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.config.files import ConfigError, find, load
from jaxlint.config.resolve import Resolver, from_environment
from jaxlint.config.selectors import select
from jaxlint.config.settings import Selection, Settings

WHOLE = """
[tool.jaxlint]
select = ["JAX1", "key-reuse"]
extend-select = ["JAX201"]
ignore = ["JAX102"]
per-file-ignores = { "tests/*" = ["JAX4"] }
exclude = ["old"]
extend-exclude = ["gen"]
force-exclude = true
respect-gitignore = false
preview = true
lenient-tests = false
output-format = "json"
"""


def read(path: Path) -> tuple[Settings, list[str]]:
    warnings: list[str] = []
    return load(str(path), warnings.append), warnings


def test_every_key(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(WHOLE)
    settings, warnings = read(path)
    assert warnings == []
    assert settings.selections == (Selection(("JAX1", "key-reuse"), ("JAX201",), ("JAX102",), str(path)),)
    assert settings.per_file_ignores == (("tests/*", ("JAX4",)),)
    assert settings.all_excludes == ("old", "gen")
    assert (settings.force_exclude, settings.respect_gitignore, settings.preview) == (True, False, True)
    assert (settings.lenient_tests, settings.output_format, settings.root) == (False, "json", str(tmp_path))


def test_jaxlint_toml_has_the_keys_at_its_top_and_wins(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(WHOLE)
    own = tmp_path / "jaxlint.toml"
    own.write_text('select = ["JAX4"]\n')
    assert find(str(tmp_path)) == str(own)
    assert read(own)[0].selections[0].select == ("JAX4",)


def test_a_project_without_our_table_is_no_configuration(tmp_path: Path) -> None:
    assert find(str(tmp_path)) is None
    path = tmp_path / "pyproject.toml"
    path.write_text('[project]\nname = "x"\ndependencies = ["jaxlinter"]\n')
    assert find(str(tmp_path)) is None
    path.write_text("[tool.jaxlint]\n")
    assert find(str(tmp_path)) == str(path)


def test_unknown_keys_are_warned_about_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "jaxlint.toml"
    path.write_text('selct = ["JAX"]\nextend_select = []\nlint = {}\nzzz = 1\n')
    _, warnings = read(path)
    assert warnings == [
        f"{path}: unknown key `selct` (did you mean `select`?)",
        f"{path}: unknown key `extend_select` (did you mean `extend-select`?)",
        f"{path}: unknown key `lint` (jaxlint's keys stand directly under [tool.jaxlint])",
        f"{path}: unknown key `zzz`",
    ]


def test_codes_of_the_other_jaxlint_are_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "jaxlint.toml"
    path.write_text('ignore = ["JL003", "JAX101"]\n')
    settings, warnings = read(path)
    assert settings.selections[0].ignore == ("JAX101",)
    assert "`JL003` is a code of another project" in warnings[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select = 1", "`select` must be a list of strings, not 1"),
        ('select = "JAX"', "`select` must be a list of strings"),
        ("ignore = [1]", "`ignore` must be a list of strings, not 1"),
        ("preview = 1", "`preview` must be true or false, not 1"),
        ("per-file-ignores = []", "`per-file-ignores` must be a table"),
        ('per-file-ignores = {"a" = "JAX1"}', "`per-file-ignores.a` must be a list"),
        ('output-format = "sarf"', "`output-format` must be one of concise, full, json, not 'sarf'"),
        ('select = ["E501"]', "`select`: unknown rule selector `E501`"),
        ("select = ]", "line 1"),
    ],
)
def test_errors_name_the_file_and_the_key(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "jaxlint.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_the_nearest_file_holds_and_is_read_once(tmp_path: Path) -> None:
    inner = tmp_path / "pkg" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "jaxlint.toml").write_text("preview = true\nunknown = 1\n")
    (tmp_path / "pkg" / "jaxlint.toml").write_text("")
    (tmp_path / "src").mkdir()
    resolver = Resolver()
    assert resolver.for_folder(str(tmp_path / "src")).preview
    assert resolver.for_folder(str(tmp_path / "src")) is resolver.for_folder(str(tmp_path))
    assert not resolver.for_folder(str(inner)).preview
    assert len(resolver.warnings) == 1
    assert not Resolver(isolated=True).for_folder(str(tmp_path)).preview


def test_command_line_over_environment_over_file(tmp_path: Path) -> None:
    path = tmp_path / "jaxlint.toml"
    path.write_text('output-format = "full"\npreview = true\nignore = ["JAX101"]\n')
    environment = from_environment({"JAXLINT_OUTPUT_FORMAT": "json", "JAXLINT_NO_CACHE": "1", "JAXLINT_PREVIEW": "0"})
    settings = Resolver(environment).for_folder(str(tmp_path))
    assert (settings.output_format, settings.cache, settings.preview) == ("json", False, False)
    settings = Resolver({**environment, "output_format": "concise"}).for_folder(str(tmp_path))
    assert settings.output_format == "concise"


def test_a_file_may_be_named_and_single_settings_given(tmp_path: Path) -> None:
    named = tmp_path / "other.toml"
    named.write_text("preview = true\nlenient-tests = false\n")
    resolver = Resolver(file=str(named), inline=('preview = false\nignore = ["JAX1"]',))
    settings = resolver.for_folder(str(tmp_path))
    assert (settings.preview, settings.lenient_tests) == (False, False)
    assert settings.selections[-1].ignore == ("JAX1",)
    assert select((), settings, "x.py") == ()


@pytest.mark.parametrize("variables", [{"JAXLINT_OUTPUT_FORMAT": "xml"}, {"JAXLINT_NO_CACHE": "perhaps"}])
def test_an_environment_that_means_nothing(variables: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=next(iter(variables))):
        from_environment(variables)

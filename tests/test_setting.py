"""A setting changed from the app: its range, the file it goes to, and everything else left."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from studio.config.catalog import Home, Setting, all_settings, with_value
from studio.config.load import change_setting, load_settings, user_config_path
from studio.config.schema import Settings, leaves
from studio.errors import Exit, StudioError
from studio.text.metrics.metric_kinds import METRIC_NAMES

ALL = {
    setting.key: setting
    for setting in all_settings(METRIC_NAMES, ("desk.write",), ("studio-dark",))
}
TOML = """# 소금길
[novel]
title = "소금길"  # 가제
language = "ko"

# what a chapter may cost
[budget]
chapter_usd = 2.0

[metrics]
filter_word_density = { max = 5 }
"""


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    folder = tmp_path / "novel"
    folder.mkdir()
    (folder / "studio.toml").write_bytes(TOML.encode())
    return folder


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state")}


def changed(
    key: str, value: object, home: Home, novel: Path | None, environ: dict[str, str]
) -> Settings:
    return change_setting(ALL[key], value, home, novel, environ)


def test_every_value_of_the_settings_can_be_set_and_says_what_it_means() -> None:
    for path, _ in leaves(Settings().model_dump(mode="json")):
        setting = ALL[".".join(path)]
        assert setting.meaning.endswith(".")
        assert setting.takes
        assert setting.homes
    assert {f"metrics.{name}.max" for name in METRIC_NAMES} <= set(ALL)
    assert "keymap.desk.write" in ALL


@pytest.mark.parametrize(
    ("key", "takes"),
    [
        ("targets.scene_length", "a whole number from 100 to 1,000,000"),
        ("generation.max_steps", "a whole number from 1 to 100"),
        ("timeouts.idle", "a number above 0"),
        ("gate.weights.pacing", "a number from 0 to 100"),
        ("budget.day_usd", "a number of 0 or more"),
        ("novel.language", "one of ko, en, zh"),
        ("refine.on", "one of findings, always, off"),
        ("novel.chapter_word", "a line of at most 12 characters"),
        ("theme", "one of studio-dark"),
        ("provider.embedded.model_file", "the path of a file"),
    ],
)
def test_the_range_is_said_in_words(key: str, takes: str) -> None:
    assert ALL[key].takes == takes


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("targets.scene_length", " 800 ", 800),
        ("budget.day_usd", "2.5", 2.5),
        ("budget.day_usd", "3", 3.0),
        ("refine.on", "off", "off"),
        ("novel.title", "새벽의 등대", "새벽의 등대"),
        ("review.auto_accept", "cut, proofreading", ["cut", "proofreading"]),
        ("review.auto_accept", "cut，proofreading", ["cut", "proofreading"]),
        ("review.auto_accept", "", []),
    ],
)
def test_typed_words_become_the_value(key: str, typed: str, value: object) -> None:
    assert ALL[key].value_of(typed) == value


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("targets.scene_length", "50"),
        ("targets.scene_length", "long"),
        ("targets.scene_length", "9.5"),
        ("gate.revisions", "3"),
        ("timeouts.idle", "nan"),
        ("novel.language", "fr"),
        ("refine.on", "perhaps"),
        ("review.auto_accept", "cut, everything"),
        ("provider.anthropic.base_url", "ftp://example.org"),
        ("models.deep", ""),
    ],
)
def test_what_is_out_of_range_is_refused_with_the_range(key: str, typed: str) -> None:
    with pytest.raises(StudioError) as refused:
        ALL[key].value_of(typed)
    assert refused.value.problem.exit_code is Exit.USAGE
    assert ALL[key].takes in refused.value.problem.message


def test_a_refused_key_of_the_vendor_is_not_repeated() -> None:  # req: S11
    setting = ALL["provider.anthropic.api_key"]
    assert setting.secret
    assert "hunter2" not in repr(setting.value_of("hunter2")[:0])
    assert setting.homes == ("user config",)


def test_a_value_is_written_and_everything_else_stays(novel: Path, environ: dict[str, str]) -> None:
    settings = changed("budget.chapter_usd", 3.5, "studio.toml", novel, environ)
    assert settings.budget.chapter_usd == 3.5
    assert settings.provenance("budget.chapter_usd") == "studio.toml"
    assert (novel / "studio.toml").read_text("utf-8") == TOML.replace("2.0", "3.5")


def test_back_to_the_default_takes_the_line_out(novel: Path, environ: dict[str, str]) -> None:
    changed("metrics.filter_word_density.max", None, "studio.toml", novel, environ)
    settings = changed("budget.chapter_usd", None, "studio.toml", novel, environ)
    assert settings.budget.chapter_usd is None
    assert settings.metrics == {}
    text = (novel / "studio.toml").read_text("utf-8")
    assert "chapter_usd" not in text
    assert "# what a chapter may cost" in text
    assert "# 가제" in text


def test_what_nobody_set_is_taken_out_of_nothing(novel: Path, environ: dict[str, str]) -> None:
    changed("gate.weights.pacing", None, "studio.toml", novel, environ)
    assert (novel / "studio.toml").read_text("utf-8") == TOML
    changed("timeouts.idle", None, "user config", novel, environ)
    assert not list(user_config_path(environ).parent.glob("*.toml"))


def test_the_writers_own_file_is_made_where_there_is_none(environ: dict[str, str]) -> None:
    settings = changed("targets.scene_length", 700, "user config", None, environ)
    assert settings.targets.scene_length == 700
    assert settings.provenance("targets.scene_length") == "user config"
    again = load_settings(None, environ)
    assert again.targets.scene_length == 700


def test_a_key_of_an_action_has_a_dot_in_its_name(environ: dict[str, str]) -> None:
    settings = changed("keymap.desk.write", None, "user config", None, environ)
    assert settings.keymap == {}
    path = ALL["keymap.desk.write"].path
    assert path == ("keymap", "desk.write")
    settings = changed("keymap.desk.write", "f5", "user config", None, environ)
    assert settings.keymap == {"desk.write": "f5"}


def test_a_file_that_holds_a_key_is_for_its_owner_alone(environ: dict[str, str]) -> None:
    changed("provider.anthropic.api_key", "sk-not-a-real-key-0000", "user config", None, environ)
    assert user_config_path(environ).stat().st_mode & 0o777 == 0o600  # req: S11


def test_a_novel_never_gets_what_belongs_to_the_machine(
    novel: Path, environ: dict[str, str]
) -> None:  # req: S6
    with pytest.raises(StudioError, match=r"cannot be set in studio\.toml"):
        changed("provider.anthropic.base_url", "http://127.0.0.1:1", "studio.toml", novel, environ)
    assert (novel / "studio.toml").read_text("utf-8") == TOML


def test_two_values_that_do_not_fit_together_are_refused(
    novel: Path, environ: dict[str, str]
) -> None:
    with pytest.raises(StudioError, match="lies below min") as refused:
        changed("metrics.filter_word_density.min", 9.0, "studio.toml", novel, environ)
    assert "was not changed" in refused.value.problem.message
    assert (novel / "studio.toml").read_text("utf-8") == TOML


def test_a_layer_above_still_wins_and_the_provenance_says_so(
    novel: Path, environ: dict[str, str]
) -> None:
    settings = changed("budget.chapter_usd", 9.0, "user config", novel, environ)
    assert settings.budget.chapter_usd == 2.0
    assert settings.provenance("budget.chapter_usd") == "studio.toml"


def test_line_ends_and_the_byte_order_mark_stay(novel: Path, environ: dict[str, str]) -> None:
    data = b"\xef\xbb\xbf" + TOML.replace("\n", "\r\n").encode()
    (novel / "studio.toml").write_bytes(data)
    changed("budget.chapter_usd", 4.0, "studio.toml", novel, environ)
    assert (novel / "studio.toml").read_bytes() == data.replace(b"2.0", b"4.0")


def test_a_writer_may_keep_her_settings_behind_a_link(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    there = tmp_path / "dotfiles.toml"
    there.write_bytes(b"# mine\n")
    here = user_config_path(environ)
    here.parent.mkdir(parents=True)
    here.symlink_to(there)
    changed("targets.scene_length", 700, "user config", None, environ)
    assert here.is_symlink()
    assert there.read_bytes().startswith(b"# mine\n")
    assert b"700" in there.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[gate.weights]\npacing = 0.1\n",
        "gate.weights.pacing = 0.1\n",
        "gate = { revisions = 1 }\n",
        "[targets]\nscene_length = 900\n\n[gate]\n# none yet\n\n[novel]\ntitle = 'a'\n",
    ],
)
@pytest.mark.parametrize(
    ("key", "value"),
    [("gate.revisions", 0), ("gate.weights.pacing", 0.2), ("gate.revisions", None)],
)
def test_any_way_of_writing_it_is_changed_or_left_alone(text: str, key: str, value: object) -> None:
    setting: Setting = ALL[key]
    fresh = with_value(text, setting, value)
    there = dict(leaves(tomllib.loads(fresh)))
    assert there.pop(setting.path, None) == value
    before = dict(leaves(tomllib.loads(text)))
    before.pop(setting.path, None)
    assert there == before

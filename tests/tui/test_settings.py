"""A setting is changed on its page: picked, asked, refused where it does not fit, taken back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Static

from studio import i18n
from studio.config.catalog import all_settings
from studio.config.load import user_config_path
from studio.config.schema import ReviewSettings, Settings
from studio.messages import said
from studio.project.create import create_novel
from studio.tui.palette import ActionPalette
from studio.tui.screens.ask import Ask, Choose
from studio.tui.screens.settings import SettingsScreen
from studio.tui.views.pages import settings as page
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **NAMED, "XDG_CONFIG_HOME": str(tmp_path / "config")}


def screen(studio: StudioPilot) -> SettingsScreen:
    return next(s for s in studio.app.screen_stack if isinstance(s, SettingsScreen))


async def at_home(studio: StudioPilot, home: int) -> None:
    """Takes one of the two files."""
    await studio.until(lambda: isinstance(studio.app.screen, Choose), "which file")
    studio.app.screen.query_one(OptionList).highlighted = home
    await studio.press("enter")


async def typed(studio: StudioPilot, words: str) -> None:
    await studio.until(lambda: isinstance(studio.app.screen, Ask), "the value")
    await studio.type(words)
    await studio.press("enter")


def detail(studio: StudioPilot) -> str:
    return str(screen(studio).query_one("#settings-detail", Static).render())


@pytest.mark.sweep
async def test_a_number_of_the_novel_is_changed_and_taken_back(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    before = (folder / "studio.toml").read_bytes()
    async with opened(folder, environ) as studio:
        await studio.on_setting("targets.scene_length")
        assert "nobody sets it" in detail(studio)
        assert "a whole number from 100 to 1,000,000. Default: 1200" in detail(studio)
        await studio.press("enter")
        await at_home(studio, 0)
        await typed(studio, "900")
        await studio.until(lambda: "900. Written to" in studio.told, "the change")
        assert "set by this novel's settings" in detail(studio)
        assert "900   this novel's settings" in studio.screen
        assert studio.desk.session.settings.targets.scene_length == 900
        await studio.press("b")
        await studio.until(lambda: "no longer set" in studio.told, "the way back")
        assert studio.desk.session.settings.targets.scene_length == 1200
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
    assert b"900" not in (folder / "studio.toml").read_bytes()
    assert (folder / "studio.toml").read_bytes().startswith(before.rstrip())


@pytest.mark.sweep
async def test_the_novels_word_for_a_chapter_is_in_force_at_once(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    folder = novel(tmp_path / "novel", "ko").layout.folder
    i18n.use("ko")
    async with opened(folder, environ) as studio:
        await studio.on_setting("novel.chapter_word")
        await studio.press("enter")
        await typed(studio, "화")
        await studio.until(lambda: "화" in detail(studio), "the change")
        assert i18n.translate(said("Chapter {number}", number=3)) == "3화"
        await studio.press("b")
        await studio.until(lambda: "화" not in detail(studio).split("\n")[0], "the way back")
        assert i18n.translate(said("Chapter {number}", number=3)) == "3장"


@pytest.mark.sweep
async def test_the_lengths_follow_the_form_on_the_page_of_settings(
    tmp_path: Path, environ: dict[str, str]
) -> None:  # req: K3
    folder = tmp_path / "novel"
    create_novel(folder, "등대", "ko")
    async with opened(folder, environ) as studio:
        await studio.on_setting("novel.form")
        await studio.press("enter")
        await studio.sees(Choose, "a serial")
        await studio.press("down", "enter")
        await studio.until(lambda: "2500 for a scene and 5000 in all" in studio.told, "the lengths")
        assert studio.desk.session.settings.targets.scene_length == 2500
    assert "scene_length = 2500" in (folder / "studio.toml").read_text("utf-8")


@pytest.mark.sweep
async def test_what_is_out_of_range_is_said_on_the_card_and_nothing_is_written(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    before = (folder / "studio.toml").read_bytes()
    async with opened(folder, environ) as studio:
        await studio.on_setting("review.rounds")
        await studio.press("enter")
        await at_home(studio, 0)
        await typed(studio, "9")
        await studio.until(
            lambda: "takes a whole number from 1 to 3, not “9”" in studio.screen, "no"
        )
        assert studio.app.screen.query_one(Input).value == "9"
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is screen(studio), "the page")
    assert (folder / "studio.toml").read_bytes() == before


@pytest.mark.sweep
async def test_a_setting_for_all_novels_goes_to_the_writers_own_file(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    folder = novel(tmp_path / "novel", "zh").layout.folder
    async with opened(folder, environ) as studio:
        await studio.on_setting("refine.on")
        await studio.press("enter")
        await at_home(studio, 1)
        await studio.until(lambda: "Back to the default" in studio.screen, "the choices")
        studio.app.screen.query_one(OptionList).highlighted = 2
        await studio.press("enter")
        await studio.until(lambda: "refine.on: never. Written to" in studio.told, "the change")
        assert studio.desk.session.settings.refine.on == "off"
    assert 'on = "off"' in user_config_path(environ).read_text("utf-8")


@pytest.mark.sweep
async def test_a_theme_and_a_key_are_in_force_at_once(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, environ) as studio:
        await studio.on_setting("theme")
        await studio.press("enter")
        await studio.until(lambda: isinstance(studio.app.screen, Choose), "the themes")
        options = studio.app.screen.query_one(OptionList)
        options.highlighted = options.get_option_index("paper")
        await studio.press("enter")
        await studio.until(lambda: studio.app.theme == "studio-paper", "the theme")
        await studio.press("escape")
        await studio.on_setting("keymap.desk.summary")
        await studio.press("enter")
        await typed(studio, "f9")
        await studio.until(lambda: "keymap.desk.summary: f9" in studio.told, "the key")
        assert studio.app.keymap == {"desk.summary": "f9"}


@pytest.mark.sweep
async def test_with_no_novel_open_only_the_writers_own_file_can_be_changed(
    environ: dict[str, str],
) -> None:
    async with opened(None, environ) as studio:
        await studio.on_setting("novel.title")
        await studio.press("enter")
        await studio.until(lambda: "belongs to a novel" in studio.told, "the reason")
        await studio.press("escape")
        await studio.on_setting("budget.day_usd")
        await studio.press("enter")
        await typed(studio, "2.5")
        await studio.until(lambda: "budget.day_usd: 2.5" in studio.told, "the change")
    assert "day_usd = 2.5" in user_config_path(environ).read_text("utf-8")


async def test_the_language_of_the_screens_is_found_before_a_novel_is_open(
    environ: dict[str, str],
) -> None:
    """Met: no action is called language, and the settings opened in their middle."""
    async with opened(None, environ) as studio:
        await studio.press("f2")
        await studio.sees(SettingsScreen)
        assert screen(studio).query_one("#settings-rows").scroll_offset.y == 0
        await studio.press("escape", "ctrl+p")
        await studio.sees(ActionPalette)
        studio.app.screen.query_one(Input).value = "language"
        await studio.until(lambda: "Language of the screens" in studio.screen, "the action")
        await studio.press("enter")
        await studio.until(lambda: isinstance(studio.app.screen, SettingsScreen), "the settings")
        await studio.until(lambda: "LANGUAGE before these" in detail(studio), "the setting")
        setting = screen(studio).setting_under_cursor
        assert setting is not None
        assert setting.key == "interface"


async def test_what_no_file_sets_cannot_be_taken_out_of_one(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, environ) as studio:
        await studio.on_setting("provider.anthropic.base_url")
        await studio.press("b")
        await studio.until(lambda: "set by environment; no file" in studio.told, "the reason")


def test_the_page_shows_every_setting_and_hides_keys() -> None:  # req: S11
    settings = Settings.model_validate(
        {
            "provider": {
                "openai": {"api_key": "sk-canary-0000-1111"},
                "endpoints": {"http://h": {"window": 900}},
            }
        }
    )
    there_are = all_settings(("repetition",), page.ACTION_IDS)
    rows = ["".join(s.text for s in row.line) for row in page.setting_rows(settings, there_are)]
    text = "\n".join(rows)
    assert "sk-...1111" in text
    assert "canary" not in text
    assert "http://h.window  900" in text
    assert "desk.write" in text
    assert "repeated phrases, under" in text
    assert "repetition" not in text


def test_a_value_a_higher_layer_overrules_is_said_so() -> None:
    settings = Settings().with_origin((), {"budget.day_usd": "studio.toml"})
    setting = next(s for s in all_settings() if s.key == "budget.day_usd")
    words = page.changed_words(setting, settings, "user config", 2.0)
    assert words.endswith("Still in force: not set (this novel's settings).")


# req: H6
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_what_may_be_chosen_stands_in_words(language: str) -> None:
    settings = Settings(review=ReviewSettings(auto_accept=("cut",)), interface="ko")
    values = settings.display_values()
    i18n.use(language)
    rows = page.setting_rows(settings, all_settings())
    chosen = {row.setting: row for row in rows if row.setting and row.setting.choices}
    for setting, row in chosen.items():
        words = {page.choice_words(setting, choice) for choice in setting.choices}
        if setting.key != "provider.name":  # the others are names
            assert not words & set(setting.choices), setting.key
        drawn = [part.text for part in row.line]
        assert page.value_words(values.get(setting.key), setting) in drawn
        assert str(values.get(setting.key)) not in drawn
    assert len(chosen) == 12


@pytest.mark.parametrize(
    ("language", "words"), [("ko", "하루 한도(달러)"), ("zh", "每日上限（美元）")]
)
def test_a_change_is_told_by_the_writers_word_for_the_setting(language: str, words: str) -> None:
    i18n.use(language)
    setting = next(s for s in all_settings() if s.key == "budget.day_usd")
    assert words in page.changed_words(setting, Settings(), "user config", 2.5)
    assert "day_usd" not in page.changed_words(setting, Settings(), "user config", 2.5)

"""Leaving the app loses no word: what cannot be kept is said, and she is asked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from studio.errors import Exit, failed
from studio.messages import said
from studio.tui.runtime.leaving import keep_what_was_typed
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import AskText, Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.widgets.text_field import TextField
from tests.tui.environs import environ_of
from tests.tui.pilot import StudioPilot, opened

TYPED = "The rain stopped. 비가 그쳤다. 雨停了。"
PLACES = ("editor", "form", "direction", "card")
CARD = ("Say it otherwise", "What should stand there?")
WAYS = ("ctrl+q", "ctrl+o")


async def type_into(studio: StudioPilot, place: str) -> None:
    """Opens the place and types into it."""
    await studio.settled()
    if place == "direction":
        await studio.press("i")
        line = studio.desk.query_one("#direction", Input)
        await studio.until(lambda: line.has_focus, "the line")
        line.value = TYPED
        return
    if place == "card":
        await studio.app.push_screen(AskText(*CARD))
        await studio.sees(AskText)
        studio.app.screen.query_one(TextField).insert(TYPED)
        return
    await studio.press("ctrl+e" if place == "editor" else "p")
    await studio.sees(EditorScreen if place == "editor" else FormScreen)
    area = next(iter(studio.app.screen.query(TextArea)))
    await studio.until(lambda: area.has_focus, "the cursor in the text")
    area.insert(TYPED)


def left(tmp_path: Path) -> list[str]:
    """Returns what is kept of unsaved words."""
    return [path.read_text() for path in (tmp_path / "s").rglob("unsaved/*")]


async def gone_by(studio: StudioPilot, way: str) -> None:
    """Waits until the app has left, or the launcher is open."""
    if way == "ctrl+q":
        await studio.until(lambda: studio.app._exit, "the app left")
    else:
        await studio.sees(LauncherScreen)


def shut(state: Path) -> None:
    """Makes the state folder a place that takes no file, also for the superuser."""
    for path in (state / "novel-studio", state / "studio", state):
        shutil.rmtree(path, ignore_errors=True)
    state.write_text("no folder")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
async def test_leaving_asks_before_it_loses_words_that_cannot_be_kept(
    place: str, way: str, salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, place)
        shut(tmp_path / "s")
        here = studio.app.screen
        await studio.press(way)
        await studio.sees(Confirm, "cannot be kept")
        assert "novels/" not in studio.screen
        await studio.press("n")
        await studio.until(lambda: studio.app.screen is here, "the same screen")
        assert not studio.app._exit
        await studio.press(way)
        await studio.sees(Confirm, "cannot be kept")
        await studio.press("y")
        await gone_by(studio, way)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
async def test_words_are_kept_and_offered_again_where_the_folder_of_the_novel_was_moved_away(
    place: str, way: str, salt: Path, tmp_path: Path
) -> None:
    away = tmp_path / "elsewhere"
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, place)
        salt.rename(away)
        await studio.press(way)
        await gone_by(studio, way)
        assert any(TYPED in text for text in left(tmp_path))
    away.rename(salt)
    async with opened(salt, environ_of(tmp_path)) as studio:
        if place in ("editor", "form"):
            await studio.press("ctrl+e" if place == "editor" else "p")
            await studio.sees(EditorScreen if place == "editor" else FormScreen)
            await studio.until(
                lambda: any(TYPED in area.text for area in studio.app.screen.query(TextArea)),
                "the words in their field",
            )
        if place == "direction":
            await studio.press("i")
            line = studio.desk.query_one("#direction", Input)
            await studio.until(lambda: line.value == TYPED, "the words in the line")
        if place == "card":
            await studio.app.push_screen(AskText(*CARD))
            field = studio.app.screen.query_one(TextField)
            await studio.until(lambda: field.text == TYPED, "the words on the card")


async def test_words_written_before_are_asked_about_where_their_file_is_gone(
    salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, "direction")
        await studio.until(lambda: any(TYPED in text for text in left(tmp_path)), "the file")
        shut(tmp_path / "s")
        await studio.press("ctrl+q")
        await studio.sees(Confirm, "cannot be kept")


async def test_the_question_is_asked_once_however_often_she_presses_the_key(
    salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, "editor")
        shut(tmp_path / "s")
        here = studio.app.screen
        await studio.press("ctrl+q")
        await studio.sees(Confirm, "cannot be kept")
        await studio.press("ctrl+q", "ctrl+q", "n")
        await studio.until(lambda: studio.app.screen is here, "the same screen")


async def test_the_question_about_running_work_is_asked_once(
    salt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        monkeypatch.setattr(studio.app, "_busy", lambda: True)
        await studio.press("ctrl+q")
        await studio.sees(Confirm, "at work")
        await studio.press("ctrl+q", "ctrl+q", "n")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")


@pytest.mark.parametrize("way", WAYS)
async def test_words_typed_while_the_running_work_ends_are_kept_as_well(
    way: str, salt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, "editor")
        area, put_away = studio.app.screen.query_one(TextField), studio.desk.put_away

        async def end_slowly() -> None:
            area.insert(" And later words.")
            await put_away()

        monkeypatch.setattr(studio.desk, "put_away", end_slowly)
        await studio.press(way)
        await gone_by(studio, way)
        assert any("And later words." in text for text in left(tmp_path))


async def test_a_page_that_is_still_being_opened_holds_nobody_up(
    salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        studio.app.push_screen(AskText(*CARD))
        assert await keep_what_was_typed(studio.app) is None
        assert studio.app.faults.newest is None


async def test_a_fault_of_one_page_is_recorded_and_the_others_are_kept(
    salt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def break_down() -> None:
        raise RuntimeError("a defect")

    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, "editor")
        for name in ("keep_typed", "put_away"):
            monkeypatch.setattr(studio.desk, name, break_down)
        await studio.press("ctrl+q")
        await studio.sees(Confirm, "cannot be kept")
        assert studio.app.faults.newest is not None
        assert any(TYPED in text for text in left(tmp_path))
        await studio.press("y")
        await gone_by(studio, "ctrl+q")


async def test_a_signal_tries_every_screen_and_ends_the_app(
    salt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, "direction")
        await studio.app.action_perform("desk.edit")
        await studio.sees(EditorScreen)
        studio.app.screen.query_one(TextField).insert(TYPED)
        shut(tmp_path / "s")
        tries: list[tuple[str, object]] = []

        def note(screen: StudioScreen, name: str) -> None:
            step = getattr(screen, name)

            async def try_it() -> None:
                tries.append((name, screen))
                await step()
                if screen is studio.desk:
                    raise failed(said("The disk gives no answer."))

            monkeypatch.setattr(screen, name, try_it)

        screens = [s for s in studio.app.screen_stack if isinstance(s, StudioScreen)]
        assert len(screens) == 2
        for screen in screens:
            note(screen, "keep_typed")
            note(screen, "put_away")
        await studio.app.leave(Exit.FAILED)
        assert studio.app._exit
        steps = ("keep_typed", "put_away", "keep_typed")
        assert tries == [(name, screen) for name in steps for screen in screens]

"""Leaving the app loses no word: what cannot be kept is said, and she is asked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from studio.errors import Exit
from studio.project.create import create_novel
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.tui.screens.ask import AskText, Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.form import FormScreen
from studio.tui.widgets.text_field import TextField
from tests.tui.environs import environ_of
from tests.tui.pilot import StudioPilot, opened

TYPED = "The rain stopped. 비가 그쳤다. 雨停了。"
PLACES = ("editor", "form", "direction", "card")


@pytest.fixture
def salt(tmp_path: Path) -> Path:
    """An English novel with one planned chapter."""
    folder = tmp_path / "salt"
    create_novel(folder, "Salt", "en")
    Plans(ProjectStore(folder), "en").add("The Ledger", happens=["Mara counts the boats."])
    return folder


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
        await studio.app.push_screen(AskText("Say it otherwise", "What should stand there?"))
        await studio.sees(AskText)
        studio.app.screen.query_one(TextField).insert(TYPED)
        return
    await studio.press("ctrl+e" if place == "editor" else "p")
    await studio.sees(EditorScreen if place == "editor" else FormScreen)
    area = next(iter(studio.app.screen.query(TextArea)))
    await studio.until(lambda: area.has_focus, "the cursor in the text")
    area.insert(TYPED)


def shut(state: Path) -> None:
    """Makes the state folder a place that takes no file, also for the superuser."""
    for path in (state / "novel-studio", state / "studio", state):
        shutil.rmtree(path, ignore_errors=True)
    state.write_text("no folder")


@pytest.mark.parametrize("place", PLACES)
async def test_leaving_asks_before_it_loses_words_that_cannot_be_kept(
    place: str, salt: Path, tmp_path: Path
) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, place)
        shut(tmp_path / "s")
        here = studio.app.screen
        await studio.press("ctrl+q")
        await studio.sees(Confirm, "cannot be kept")
        assert "novels/" not in studio.screen
        await studio.press("n")
        await studio.until(lambda: studio.app.screen is here, "the same screen")
        assert not studio.app._exit
        await studio.press("ctrl+q")
        await studio.sees(Confirm, "cannot be kept")
        await studio.press("y")
        await studio.until(lambda: studio.app._exit, "the app left")


@pytest.mark.parametrize("place", PLACES)
async def test_words_are_kept_and_offered_again_where_the_folder_of_the_novel_was_moved_away(
    place: str, salt: Path, tmp_path: Path
) -> None:
    away = tmp_path / "elsewhere"
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, place)
        salt.rename(away)
        await studio.press("ctrl+q")
        await studio.until(lambda: studio.app._exit, "the app left")
    left = [path.read_text() for path in (tmp_path / "s").rglob("unsaved/*")]
    assert any(TYPED in text for text in left)
    away.rename(salt)
    async with opened(salt, environ_of(tmp_path)) as studio:
        await studio.settled()
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


async def test_a_signal_tries_every_screen_and_ends_the_app(salt: Path, tmp_path: Path) -> None:
    async with opened(salt, environ_of(tmp_path), faults=True) as studio:
        await type_into(studio, "editor")
        shut(tmp_path / "s")
        put_away = []
        for screen in studio.app.screen_stack[1:]:
            real = screen.put_away  # type: ignore[attr-defined]

            async def note(real: object = real) -> None:
                put_away.append(real)
                await real()  # type: ignore[operator]

            screen.put_away = note  # type: ignore[attr-defined]
        await studio.app.leave(Exit.FAILED)
        assert studio.app._exit
        assert len(put_away) == len(studio.app.screen_stack) - 1

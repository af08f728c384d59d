"""The editor's keys: find, replace, select, jump, nothing but the text; and the words it counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Input, Static, TextArea

from studio.config.paths import state_dir
from studio.project.author.book_length import writing_days
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.project.unsaved import has_unsaved
from studio.tui.habits import TYPING
from studio.tui.runtime import left_words
from studio.tui.screens.ask import Ask
from studio.tui.screens.editor import EditorScreen
from studio.tui.views.typed_numbers import LengthGoal, goal_words
from studio.tui.widgets.text_field import TextField
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened


async def in_editor(studio: StudioPilot) -> TextField:
    """The editor on chapter 1."""
    await studio.on_chapter(1)
    await studio.press("ctrl+e")
    await studio.sees(EditorScreen)
    area = studio.app.screen.query_one(TextField)
    await studio.until(lambda: "today" in line(studio), "the numbers")
    return area


def line(studio: StudioPilot) -> str:
    return str(studio.app.screen.query_one("#editor-numbers", Static).render())


async def test_a_chapter_without_a_title_is_named_once(tmp_path: Path) -> None:
    folder = tmp_path / "salt"
    create_novel(folder, "Salt", "en")
    async with opened(folder, os.environ) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen, "Chapter 1")
        heading = str(studio.app.screen.query_one("#editor-title", Static).render())
        assert heading.count("Chapter 1") == 1


# req: H2
@pytest.mark.sweep
async def test_words_are_found_replaced_one_or_all_and_taken_back_at_once(project: Path) -> None:
    async with opened(project, os.environ, notifications=True) as studio:
        area = await in_editor(studio)
        before = area.text
        await studio.press("ctrl+f")
        studio.app.screen.query_one("#sought", Input).value = "pencil"
        await studio.until(lambda: area.selected_text == "pencil", "the first")
        first = area.selection
        await studio.press("ctrl+f")
        await studio.until(lambda: area.selection != first, "the next")
        studio.app.screen.query_one("#replacement", Input).value = "quill"
        await studio.press("ctrl+r")
        assert area.text == before.replace("pencil", "quill")
        await studio.press("escape", "ctrl+z")
        assert area.text == before
        await studio.press("ctrl+a")
        assert area.selected_text == before


@pytest.mark.sweep
async def test_a_paragraph_is_reached_by_its_numbers_and_all_but_the_text_goes(
    project: Path,
) -> None:
    async with opened(project, os.environ, notifications=True) as studio:
        area = await in_editor(studio)
        await studio.press("f5")
        await studio.answer(Ask, "2.3")
        await studio.until(
            lambda: area.text[area.offset_of(area.cursor_location) :].startswith("1962 came up"),
            "the paragraph",
        )
        row = area.cursor_location[0]
        await studio.press("ctrl+up")
        assert area.cursor_location[0] == row - 2
        await studio.press("f5")
        await studio.answer(Ask, "9.9")
        await studio.until(lambda: "no paragraph 9.9" in studio.told, "the sentence")
        await studio.press("f6")
        assert not studio.app.screen.query_one("#hints").display
        await studio.press("f6")
        assert studio.app.screen.query_one("#hints").display


@pytest.mark.sweep
async def test_the_line_counts_what_is_written_today_and_remembers_it(project: Path) -> None:
    async with opened(project, os.environ) as studio:
        area = await in_editor(studio)
        assert "today +0" in line(studio)
        area.insert("\n\nFive words more for her.\n", area.document.end)
        await studio.until(lambda: "today +5" in line(studio), "the count")
        await studio.press("ctrl+s")
        await studio.until(lambda: writing_days(studio.store).days, "the file")
        await studio.press("escape")
        await studio.until(lambda: not isinstance(studio.app.screen, EditorScreen), "the desk")
        await in_editor(studio)
        assert "today +5" in line(studio)


@pytest.mark.parametrize(
    ("length", "unit", "goal", "words"),
    [
        (612, "words", LengthGoal(2000, 418), "612 of 2,000 words, today +418"),
        (1, "words", LengthGoal(None, -3), "1 word, today -3"),
        (
            800,
            "characters",
            LengthGoal(6000, 800, 1500),
            "800 of 6,000 characters, today +800 of 1,500",
        ),
    ],
)
def test_a_goal_stands_behind_what_there_is(
    length: int, unit: str, goal: LengthGoal, words: str
) -> None:
    assert goal_words(length, unit, goal) == words


# req: H2
def test_the_keys_help_names_for_typing_are_those_of_the_field() -> None:
    of_the_field = [*TextArea.BINDINGS, *TextField.BINDINGS]
    bindings = {key for b in of_the_field for key in str(getattr(b, "key", "")).split(",")}
    assert {key for keys, _words in TYPING for key in keys.split(",")} <= bindings


# req: H2
@pytest.mark.sweep
async def test_ctrl_c_copies_in_the_text_and_in_the_editor(project: Path) -> None:
    async with opened(project, os.environ, notifications=True) as studio:
        area = await in_editor(studio)
        await studio.press("ctrl+a", "ctrl+c")
        assert studio.app.clipboard == area.text
        await studio.press("escape", "2", "shift+down", "ctrl+c")
        await studio.until(lambda: studio.app.clipboard not in ("", area.text), "the copy")


@pytest.mark.sweep
async def test_a_chapter_in_the_book_is_changed_and_not_handed_in(project: Path) -> None:
    async with opened(project, os.environ, notifications=True) as studio:
        area = await in_editor(studio)
        before = len(area.text)
        await studio.press("x", "ctrl+d")
        await studio.sees(EditorScreen, "This chapter is in the book; Ctrl+S saves")
        assert len(area.text) == before + 1


@pytest.mark.sweep
async def test_what_was_typed_and_taken_back_does_not_come_back(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_words, "PAUSE", 0.01)
    async with opened(project, os.environ) as studio:
        area = await in_editor(studio)
        before = area.text
        await studio.press("x")
        store = ProjectStore(project, state_dir(os.environ))
        await studio.until(lambda: has_unsaved(store, 1), "the unsaved text")
        await studio.press("ctrl+z")
        await studio.until(lambda: not has_unsaved(store, 1), "its end")
        await studio.home()
        assert (await in_editor(studio)).text == before


@pytest.mark.sweep
async def test_the_line_for_words_is_made_when_it_is_asked_for(project: Path) -> None:
    """Half of what the editor costs to open would be its two fields (performance P18)."""
    async with opened(project, os.environ) as studio:
        await in_editor(studio)
        assert not studio.app.screen.query(Input)
        await studio.press("ctrl+f", *"pencil")
        await studio.until(
            lambda: studio.app.screen.query_one("#sought", Input).value == "pencil", "the words"
        )


# req: J3
@pytest.mark.sweep
async def test_what_is_typed_at_the_end_goes_on_with_the_last_word(project: Path) -> None:
    async with opened(project, os.environ) as studio:
        area = await in_editor(studio)
        last = area.text.rstrip()
        assert area.text != last, "the file ends in a line break"
        await studio.press("!", "ctrl+home", "ctrl+end", "?")
        assert area.text.rstrip() == f"{last}!?"
        await studio.press("ctrl+end")
        assert area.cursor_location == area.last_word, "the line end of the file is no place"
        await studio.press("enter", "enter", "ctrl+end", "ctrl+end")
        assert area.cursor_location == area.document.end, "a blank line of hers is one"


@pytest.mark.sweep
async def test_what_code_finds_in_a_saved_text_is_named_with_its_place(tmp_path: Path) -> None:
    """Met: it said that there was one place to look at, and neither what nor where."""
    folder = tmp_path / "salt"
    create_novel(folder, "Salt", "en")
    async with opened(folder, os.environ) as studio:
        area = await in_editor(studio)
        quiet = "She came down the stairs and put the lamp on the table."
        area.insert(f"{quiet}\n\nAs an AI language model, I cannot write this scene.\n")
        await studio.press("ctrl+s")

        def heading() -> str:
            return str(studio.app.screen.query_one("#editor-title", Static).render())

        await studio.until(lambda: "saved; " in heading(), "what is found")
        assert "saved; worth a look: 1.2 “As an AI language" in heading()


async def test_the_words_to_find_and_to_put_there_can_be_read_while_they_are_typed(
    desk: OpenDesk,
) -> None:
    there = desk()
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+f", *"zebra")
        await studio.until(lambda: "zebra" in studio.screen, "the words to find")
        await studio.press("tab", *"quagga")
        await studio.until(
            lambda: studio.app.screen.query_one("#replacement", Input).value == "quagga", "the keys"
        )
        await studio.until(lambda: "quagga" in studio.screen, "the words to put there")

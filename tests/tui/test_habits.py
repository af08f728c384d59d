"""What an Emacs-, a vi- and a Windows-minded writer presses: there, or named behind F1."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.widgets import Input

from studio.tui.actions import BY_ID, PLACES, Where
from studio.tui.habits import CLASHES, HABITS, TYPING, clashes, habits
from studio.tui.screens.editing.editor_search import SearchBar
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.help import help_lines
from studio.tui.views.key_names import shown_key
from studio.tui.widgets.text_field import TextField
from tests.small_novels import copied_sample
from tests.tui.pilot import StudioPilot, opened

TEXT = "# 등대\n\n민아는 문을 열었다.\n\nThe lamp was lit.\n\n灯还亮着."
HABIT_KEYS = [
    (habit.words, key)
    for habit in HABITS
    for key in (BY_ID[habit.here].keys if habit.here in BY_ID else habit.here).split(",")
]


class Editing:
    """The editor with `TEXT` in it, its cursor behind the first letter of the third line."""

    def __init__(self, studio: StudioPilot) -> None:
        self.studio = studio
        self.area = studio.app.screen.query_one(TextField)

    async def begin(self, habit: str) -> None:
        """What there has to be before the key is pressed."""
        self.area.load_text(TEXT)
        self.area.focus()
        self.area.move_cursor((2, 1))
        if habit in ("Undo", "Redo"):
            self.area.insert("!")
        if habit == "Redo":
            self.area.undo()
        if habit in ("Copy", "Cut out"):
            self.area.select_all()
        self.studio.app.copy_to_clipboard("비" if habit == "Paste" else "")
        await self.studio.pilot.pause()

    @property
    def searching(self) -> bool:
        """Whether the line for words is there and has the keys."""
        sought = self.studio.app.screen.query_one("#sought", Input)
        return self.studio.app.screen.query_one(SearchBar).display and sought.has_focus


def saved_text(studio: StudioPilot) -> str | None:
    """Chapter 1 as it lies in the novel."""
    chapter = studio.store.chapter(1)
    return chapter.text if chapter else None


CAME: dict[str, Callable[[Editing], object]] = {
    "Undo": lambda on: on.area.text == TEXT,
    "Redo": lambda on: on.area.text == TEXT.replace("민", "민!"),
    "Find": lambda on: on.searching,
    "Replace": lambda on: on.searching,
    "Select": lambda on: on.area.selected_text,
    "Select all": lambda on: on.area.selected_text == TEXT,
    "Copy": lambda on: on.studio.app.clipboard == TEXT,
    "Cut out": lambda on: on.studio.app.clipboard == TEXT and not on.area.text,
    "Paste": lambda on: on.area.text == TEXT.replace("민", "민비"),
    "Save": lambda on: saved_text(on.studio) == TEXT,
    "To the beginning of the text": lambda on: on.area.cursor_location == (0, 0),
    "To the end of the text": lambda on: on.area.cursor_location == on.area.document.end,
    "Back to the book": lambda on: not isinstance(on.studio.app.screen, EditorScreen),
}
"""How one sees that each habit was served."""


# req: H2
@pytest.mark.sweep
async def test_each_habit_is_served_in_the_editor_by_every_key_that_is_named(
    tmp_path: Path,
) -> None:
    folder = copied_sample(tmp_path / "sample")
    assert set(CAME) == {habit.words for habit in HABITS}
    async with opened(folder, os.environ) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        editing = Editing(studio)
        for habit, key in HABIT_KEYS:
            await editing.begin(habit)
            await studio.press(key)
            came = CAME[habit]
            await studio.until(lambda: came(editing), f"{habit} by {key}")  # noqa: B023
            if habit in ("Find", "Replace"):
                await studio.press("escape")


@pytest.mark.parametrize("here", ["editor", "form"])
def test_help_names_them_behind_the_keys_of_the_place_where_one_types(here: Where) -> None:
    lines = ["".join(said.text for said in row) for row in help_lines((here,), {})]
    elsewhere = lines.index("Where other programs have it")
    assert lines.index(PLACES[here]) < elsewhere < lines.index(PLACES["desk"])
    assert "vi u, Emacs C-/, Windows Ctrl+Z" in lines[elsewhere + 1]
    assert lines.index("Where other programs have it", elsewhere) == elsewhere
    on_the_desk = [row[0].text if row else "" for row in help_lines(("desk",), {})]
    assert on_the_desk.index("Where other programs have it") > on_the_desk.index("Moving about")


def test_a_key_that_means_another_thing_here_does_what_the_table_says() -> None:
    typed = {words for _keys, words in TYPING}
    fields = {
        key
        for kind in TextField.__mro__
        for binding in vars(kind).get("BINDINGS", ())
        for key in str(getattr(binding, "key", "")).split(",")
    }
    for clash in CLASHES:
        if clash.here in BY_ID:
            assert clash.key in BY_ID[clash.here].keys.split(",")
        else:
            assert clash.key in fields
            assert clash.here in typed or clash.key == "ctrl+u" or clash.key == "ctrl+w"


def test_keys_a_writer_has_changed_are_named_as_they_are_now() -> None:
    changed = {"editor.find": "alt+f"}
    assert ("Alt+F", "Find", "vi /, Emacs C-s, Windows Ctrl+F") in [*habits(changed)]
    assert "Ctrl+F" not in [key for key, _words, _there in clashes(changed)]
    assert "Ctrl+F" in [key for key, _words, _there in clashes({})]


@pytest.mark.parametrize(
    ("bytes_of_it", "key"),
    [
        ("\x1f", "ctrl+underscore"),
        ("\x1b[47;5u", "ctrl+slash"),
        ("\x1b[119;3u", "alt+w"),
        ("\x1b[1;5H", "ctrl+home"),
        ("\x1b[1;6F", "ctrl+shift+end"),
    ],
)
def test_what_terminals_send_for_them_is_bound(bytes_of_it: str, key: str) -> None:
    events = [event for event in XTermParser().feed(bytes_of_it) if isinstance(event, Key)]
    assert [event.key for event in events] == [key]
    assert any(key in keys.split(",") for keys, _words in TYPING)


def test_keys_with_modifiers_are_shown_by_their_names() -> None:
    names = [shown_key(key) for key in ("ctrl+underscore", "ctrl+slash", "ctrl+down", "alt+w")]
    assert names == ["Ctrl+_", "Ctrl+/", "Ctrl+Down", "Alt+W"]


async def test_ctrl_z_at_the_desk_throws_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, stops = copied_sample(tmp_path / "sample"), list[bool]()
    async with opened(folder, os.environ, notifications=True) as studio:
        monkeypatch.setattr(studio.app, "action_suspend_process", lambda: stops.append(True))
        await studio.on_chapter(1)
        await studio.press("ctrl+z")
        assert not stops, "the program went to the shell"
        await studio.app.action_perform("app.suspend")
        await studio.until(lambda: stops, "the shell, for whoever asks for it by name")


@pytest.mark.parametrize(("here", "asked"), [("decision", "A question waits"), ("start", "whole")])
def test_help_over_a_question_speaks_of_the_question(here: Where, asked: str) -> None:
    first = "".join(said.text for said in next(help_lines((here,), {})))
    assert asked in first
    assert "The outline is on the left" not in first
    assert "The outline is on the left" in next(help_lines(("desk",), {}))[0].text

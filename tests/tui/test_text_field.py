"""What is typed and pasted comes out as it went in, and none of it acts on the terminal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.app import App, ComposeResult
from textual.strip import Strip

from studio.project.store import ProjectStore
from studio.tui.screens.ask import AskText
from studio.tui.screens.editor import EditorScreen
from studio.tui.widgets.text_field import OwnDocument, TextField
from tests.tui.conftest import OpenDesk
from tests.tui.painted import strips_of
from tests.tui.pilot import opened

ODD = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e"
"""What Python ends a line at, and a writer does not."""
PASTED = (
    "# 등대\x0c\n\n마라는 기름통을\u2028창턱에 올려놓았다.\x85\n\n"
    "“You are up early,”\u2029Joss said.\n\n灯\x0b房\x1c里\x1e很冷。\u2028"
)


@given(st.text(st.sampled_from(f"a가灯 \n{ODD}")))
def test_a_document_gives_back_the_text_it_was_given(text: str) -> None:  # req: N1
    assert OwnDocument(text).text == text


@given(
    st.text(st.sampled_from(f"a가灯\n{ODD}")),
    st.text(st.sampled_from(f"b나房\n{ODD}")),
    st.data(),
)
def test_a_text_put_in_stands_between_what_was_before_and_after(
    text: str, more: str, data: st.DataObject
) -> None:  # req: N1
    document = OwnDocument(text)
    at = data.draw(st.integers(0, len(text)))
    row = text[:at].count("\n")
    place = (row, at - (text.rfind("\n", 0, at) + 1))
    document.replace_range(place, place, more)
    assert document.text == text[:at] + more + text[at:]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_lines_end_as_the_terminal_sends_them(end: str) -> None:
    document = OwnDocument("")
    document.replace_range((0, 0), (0, 0), f"one{end}two{end}")
    assert document.lines == ["one", "two", ""]


@pytest.mark.sweep
async def test_what_was_pasted_into_the_editor_is_what_is_saved(desk: OpenDesk) -> None:  # req: T9
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        field = studio.app.screen.query_one(TextField)
        field.load_text("")
        studio.app.post_message(events.Paste(PASTED))
        await studio.until(lambda: "灯" in field.text, "the paste")
        assert field.text == PASTED
        await studio.press("ctrl+s")
        await studio.until(lambda: "saved" in studio.screen, "the word")
        await studio.press("escape")
    standing = there.folder / ProjectStore(there.folder).layout.chapter(1)
    assert standing.read_bytes().decode() == PASTED


class Asking(App[None]):
    """A question for several lines."""

    def compose(self) -> ComposeResult:
        yield TextField("", id="answer")


async def test_no_control_character_is_drawn() -> None:  # req: S7
    app = Asking()
    async with app.run_test(size=(60, 10)) as pilot:
        app.query_one(TextField).load_text("a\x1b]52;c;aGk=\x07b\x0c\u202ec")
        await pilot.pause()
        strips = strips_of(app.screen)
        drawn = "\n".join("".join(s.text for s in strip) for strip in strips)
    assert "a␛]52;c;aGk=␇b␌\ufffdc" in drawn
    assert not {"\x1b", "\x07", "\x0c", "\u202e"} & set(drawn)


@pytest.mark.parametrize("to", [(40, 10), (60, 6)])
async def test_the_cursor_stays_in_sight_when_the_rows_are_cut_anew(to: tuple[int, int]) -> None:
    app = Asking()
    async with app.run_test(size=(60, 10)) as pilot:
        field = app.query_one(TextField)
        field.load_text("The rain stopped at noon, and nobody had come for the key.\n" * 40)
        field.move_cursor(field.document.end)
        field.insert("등대!")
        await pilot.pause()
        await pilot.resize_terminal(*to)
        await pilot.pause()
        strips = strips_of(app.screen)
        drawn = "\n".join("".join(s.text for s in strip) for strip in strips)
    assert "등대!" in drawn


async def test_a_word_that_begins_a_new_last_row_is_in_sight() -> None:  # req: H2
    app = Asking()
    async with app.run_test(size=(60, 10)) as pilot:
        field = app.query_one(TextField)
        field.focus()
        field.load_text("The rain stopped.\n" * 40 + "x" * 20 + " " + "y" * 20 + " ")
        field.move_cursor(field.document.end)
        await pilot.pause()
        rows = field.wrapped_document.height
        while field.wrapped_document.height == rows:
            await pilot.press("z")
        await pilot.pause()
        strips = strips_of(app.screen)
        drawn = "\n".join("".join(s.text for s in strip) for strip in strips)
    assert "zzz" in drawn


LONG = "“Come (in),” she said, and nobody (not even he) came in. " * 4
ROWS = f"{LONG}\n\nShort.\n" * 12


async def test_wrong_words_are_underlined_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else draws the rows of a text in which nobody types."""
    app, rows = Asking(), list[int]()
    async with app.run_test(size=(60, 30)) as pilot:
        field = app.query_one(TextField)
        field.cursor_blink = False
        field.load_text(ROWS)
        await pilot.pause()
        render = field.render_line
        monkeypatch.setattr(field, "render_line", lambda y: (rows.append(y), render(y))[1])
        await pilot.pause()
        rows.clear()
        field.mark_wrong(frozenset({"nobody"}), "en")
        await pilot.pause()
        assert rows
        drawn = (segment.style for y in range(4) for segment in render(y))
        assert any(style and style.underline for style in drawn)


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0b", "\x0c"])
async def test_a_line_with_a_tab_is_wrapped_whatever_marks_it_holds(mark: str) -> None:
    app = Asking()
    async with app.run_test(size=(60, 30)) as pilot:
        field = app.query_one(TextField)
        field.load_text(f"One\ttwo{mark}" + LONG)
        await pilot.pause()
        assert len(field.wrapped_document.get_sections(0)) > 3


async def test_a_key_draws_the_rows_of_its_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    app, rows = Asking(), list[int]()
    async with app.run_test(size=(60, 30)) as pilot:
        field = app.query_one(TextField)
        field.cursor_blink = False
        field.focus()
        field.load_text(ROWS)
        field.move_cursor((2, 3))
        await pilot.pause()
        render = field.render_line
        monkeypatch.setattr(field, "render_line", lambda y: (rows.append(y), render(y))[1])
        await pilot.press("x")
        await pilot.pause()
        assert rows == [field.wrapped_document.location_to_offset((2, 0)).y]
        rows.clear()
        field.move_cursor((3, 5))
        await pilot.pause()
        rows.clear()
        await pilot.press("x")
        await pilot.pause()
        assert len(rows) == len(field.wrapped_document.get_sections(3)) > 3


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(6))
async def test_what_is_drawn_key_by_key_is_what_a_whole_drawing_shows(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, chance = Asking(), random.Random(seed)
    drawn: dict[int, str] = {}
    async with app.run_test(size=(60, 16)) as pilot:
        field = app.query_one(TextField)
        field.cursor_blink = False
        field.focus()
        field.load_text(ROWS)
        field.move_cursor((chance.randrange(20), 2))
        await pilot.pause()
        render = field.render_line

        def noted(y: int) -> Strip:
            strip = render(y)
            drawn[y] = repr(strip)
            return strip

        monkeypatch.setattr(field, "render_line", noted)
        field.refresh()
        await pilot.pause()
        for _ in range(60):
            await pilot.press(chance.choice(KEYS))
            await pilot.pause()
            stale = dict(drawn)
            field._line_cache.clear()
            assert stale == {y: repr(render(y)) for y in stale}


KEYS = [
    *("x", "x", "space", "left_parenthesis", "right_parenthesis", "enter", "backspace", "delete"),
    *("left", "right", "up", "down", "shift+right", "shift+down", "ctrl+z", "ctrl+y", "end"),
    *("pagedown", "ctrl+k", "ctrl+w", "tab"),
]


async def test_a_question_for_several_lines_has_the_same_field(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.app.push_screen(AskText("Why?"))
        await studio.pilot.pause()
        assert studio.app.screen.query(TextField)

"""What a prose view is made of, each part by itself: its stream, its prompt, what is selected."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events
from textual.geometry import Offset, Size

from studio.tui.views.prose.layout import Page, Spot
from studio.tui.views.prose.marks import ParagraphRange
from studio.tui.widgets import prose_view as prose_stream
from studio.tui.widgets.prose_strips import ProseStrips
from studio.tui.widgets.prose_view import FRAME, ProseFinder, ProseSelector, ProseStream
from studio.tui.widgets.search_prompt import SearchPrompt

TEXT = "그녀는 등불을 들었다.\n\nThe lamp had gone out. The lamp was cold.\n\n灯灭了。"


class Pane:
    """As much of a widget as the parts ask for."""

    pane = Size(40, 3)
    scroll_offset = Offset(0, 0)
    cursor = SimpleNamespace(chosen=None)

    def __init__(self) -> None:
        self.rows_in_sight: list[int] = []
        self.timers: list[Callable[[], None]] = []

    def refresh(self) -> None:
        """Nothing is drawn."""

    def set_class(self, add: bool, *names: str) -> None:
        """Nothing is styled."""

    def count_rows(self, rows: int) -> None:
        """Nothing scrolls."""

    def show_row(self, y: int) -> None:
        self.rows_in_sight.append(y)

    def set_timer(self, delay: float, work: Callable[[], None]) -> object:
        self.timers.append(work)
        return object()


def key(name: str) -> events.Key:
    return events.Key(name, name if len(name) == 1 else None)


def selector_of(text: str) -> tuple[ProseSelector, Page, Any]:
    page, pane = Page(40), Pane()
    page.load(text)
    page.wrap_slice()
    view: Any = pane
    return ProseSelector(view, page, ProseStrips()), page, view


def test_a_stream_draws_at_once_and_then_a_frame_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(prose_stream, "monotonic", lambda: now[0])
    pane: Any = Pane()
    drawn: list[str] = []
    stream = ProseStream(pane, drawn.append)
    for delta in ("등불이 ", "흔들", "렸다."):
        stream.append(delta)
    assert drawn == ["등불이 "]
    assert stream.waits
    now[0] += FRAME
    assert len(pane.timers) == 1
    pane.timers.pop()()
    assert drawn == ["등불이 ", "흔들렸다."]
    assert not stream.waits


def test_a_stream_that_is_held_back_waits_two_frames_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(prose_stream, "monotonic", lambda: now[0])
    pane: Any = Pane()
    drawn: list[str] = []
    stream = ProseStream(pane, drawn.append)
    stream.hold_back()
    stream.append("灯灭了。")
    while not drawn and now[0] < 101:
        stream.hold_back()
        now[0] += FRAME / 4
        if now[0] >= 100 + FRAME:
            stream.hold_back()
            pane.timers.pop()()
    assert drawn == ["灯灭了。"]
    assert now[0] <= 100 + 2 * FRAME + FRAME / 4


def test_a_prompt_takes_letters_takes_them_back_and_lets_other_keys_go_by() -> None:
    pane: Any = Pane()
    searches: list[str] = []
    prompt = SearchPrompt(pane, searches.append)
    prompt.press(key("a"))
    assert searches == []
    prompt.open()
    for name in ("l", "a", "x", "backspace", "down"):
        prompt.press(key(name))
    prompt.paste(events.Paste("mp\nand more"))
    assert searches == ["l", "la", "lax", "la", "lamp"]
    prompt.press(key("enter"))
    assert not prompt.is_open
    assert prompt.words == "lamp"


def test_a_selection_knows_its_words_and_its_paragraphs() -> None:
    selector, page, view = selector_of(TEXT)
    selector.select(Spot(0, 4), Spot(1, 8))
    assert selector.text == "등불을 들었다.\n\nThe lamp"
    assert selector.passages == (ParagraphRange(1, 1, 2),)
    selector.select_everything()
    assert selector.text == TEXT
    assert selector.clear()
    assert not selector.clear()
    assert (selector.text, selector.passages) == ("", ())
    selector.extend(0, 1)
    assert selector.text == page.blocks[0].text[0]
    assert view.rows_in_sight == [0]


def test_a_finder_goes_round_the_end_and_says_when_words_are_nowhere() -> None:
    selector, page, view = selector_of(TEXT)
    finder = ProseFinder(view, page, selector)
    assert not finder.find_next(1)
    finder.begin()
    for letter in "lamp":
        finder.prompt.press(key(letter))
    first = selector.selection.anchor if selector.selection else None
    assert first == Spot(1, 4)
    assert finder.find_next(1)
    assert selector.selection is not None
    assert selector.selection.anchor == Spot(1, 27)
    finder.find_next(1)
    assert selector.selection.anchor == first
    finder.find_next(-1)
    assert selector.selection.anchor == Spot(1, 27)
    finder.prompt.press(key("q"))
    assert selector.selection is None


@pytest.mark.parametrize("note", ["%% Ask mother. %%", "%% 어머니께 묻기 %%", "<!-- 问母亲 -->"])
def test_a_note_that_stands_alone_is_no_paragraph_and_has_no_number(note: str) -> None:
    page = Page(40)
    page.load(f"그녀는 등불을 들었다.\n\n{note}\n\n灯灭了。 {note} 很冷。\n\n{note}\n")
    assert [(b.kind, b.label) for b in page.blocks] == [
        ("paragraph", "1.1"),
        ("note", ""),
        ("paragraph", "1.2"),
        ("note", ""),
    ]

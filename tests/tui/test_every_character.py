"""Every code point that is no control arrives where text is typed, and when it is pasted."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path
from unicodedata import category

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Input

from studio.tui.terminal.every_character import is_text
from studio.tui.terminal.streams import PasteParser
from studio.tui.widgets.search_prompt import SearchPrompt
from studio.tui.widgets.text_field import TextField
from tests.pipeline.flows import make_novel
from tests.sweeps import swept
from tests.tui.terminals import Terminal

NAMED = (
    "\u3000\u00a0\u202f\u2009\u200c\u200d\ufe0f\u0301\u3099\u00ad\ufeff\u2060\u202e\u2028\U000e0067"
)
"""Spaces, joiners, selectors, marks and tags that Python does not call printable, and a few that
fonts draw without a width."""
_KINDS: tuple[tuple[int, int], ...] = (
    (0xAC00, 0xD7A3),
    (0x3131, 0x318E),
    (0x1100, 0x11FF),
    (0x4E00, 0x9FFF),
    (0x20000, 0x2A6DF),
    (0x3041, 0x30FF),
    (0x1F300, 0x1FAFF),
    (0x0300, 0x036F),
    (0xFF01, 0xFF5E),
    (0x20, 0x7E),
    (0x2000, 0x200F),
)


def sequences(seed: int, count: int) -> Iterable[str]:
    """Random pieces of Hangul, jamo, Han, kana, emoji, marks, joiners and spaces."""
    chance = random.Random(seed)
    for _ in range(count):
        pieces = (chr(chance.randint(*chance.choice(_KINDS))) for _ in range(chance.randint(1, 9)))
        between = chance.choice(["", "", "\u200d", "\ufe0f", "\u3000", " "])
        yield between.join(pieces)


class Fields(App[None]):
    """The kinds of fields that text is typed into."""

    def compose(self) -> ComposeResult:
        yield TextField()
        yield Input()


def test_everything_but_a_control_is_text() -> None:  # req: K1
    controls = {chr(code) for code in range(sys.maxunicode + 1) if category(chr(code)) == "Cc"}
    assert len(controls) == 65
    assert not any(map(is_text, controls))
    assert all(map(is_text, NAMED))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "first", [0, 0x11000, *(swept(first) for first in range(0x22000, 0x110000, 0x11000))]
)
def test_every_code_point_is_a_key_that_types_it(first: int) -> None:  # req: K1
    for code in range(first, first + 0x11000):
        character = chr(code)
        if category(character) in ("Cc", "Cs"):
            continue
        (event,) = PasteParser().feed(character)
        assert isinstance(event, events.Key)
        assert event.character == character
        assert event.is_printable


def test_a_letter_with_alt_is_no_text() -> None:
    assert not events.Key("alt+w", "w").is_printable
    assert not events.Key("enter", "\r").is_printable


@pytest.mark.sweep
@pytest.mark.parametrize("count", [200, swept(2_000)])
@pytest.mark.parametrize("kind", [TextField, Input])
async def test_sequences_arrive_typed_and_pasted(
    kind: type[TextField | Input], count: int
) -> None:  # req: K1
    app = Fields()
    async with app.run_test() as pilot:
        field = app.query_one(kind)
        field.focus()
        await pilot.pause()
        parser = PasteParser()
        pieces = [NAMED, *sequences(20, count)]
        for at in range(0, len(pieces), 50):
            batch = pieces[at : at + 50]
            if at % 100:
                sent = [*batch]
            else:
                sent = [f"\x1b[200~{piece}\x1b[201~" for piece in batch if piece != NAMED]
                batch = [piece for piece in batch if piece != NAMED]
            words(field, "")
            for event in (event for piece in sent for event in parser.feed(piece)):
                app.post_message(event)
            expected = "".join(batch)
            for _ in range(2_000):
                if words(field) == expected:
                    break
                await pilot.pause(0.005)
            assert words(field) == expected
        words(field, "")
        for event in parser.feed(NAMED):
            app.post_message(event)
        await pilot.pause()
        assert words(field) == NAMED


def words(field: TextField | Input, new: str | None = None) -> str:
    """What stands in a field; what shall stand in it, if given."""
    if isinstance(field, TextField):
        if new is not None:
            field.text = new
        return field.text
    if new is not None:
        field.value = new
    return field.value


def test_a_search_prompt_takes_them_too() -> None:
    app = Fields()
    prompt = SearchPrompt(app, lambda words: None)  # type: ignore[arg-type]
    prompt.open()
    for event in PasteParser().feed("등\u3000대\u200d"):
        assert isinstance(event, events.Key)
        prompt.press(event)
    assert prompt.words == "등\u3000대\u200d"


@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize("count", [20, swept(120)])
@pytest.mark.long
def test_they_arrive_in_the_editor_on_a_terminal(tmp_path: Path, count: int) -> None:  # req: K1
    novel = make_novel(tmp_path / "novel")
    there = Terminal(["-m", "studio", str(novel)], {})
    there.sees("What happens")
    there.child.sendcontrol("e")
    there.sees("Save")
    pieces = [NAMED, *sequences(7, count)]
    for piece in pieces:
        there.types(piece)
    there.child.sendcontrol("s")
    # The terminal of the tests cannot show a joiner by itself, so the file is looked at.
    chapter = novel / "chapters/chapter-001.md"
    there.until(
        lambda: chapter.exists() and chapter.read_text("utf-8").endswith("".join(pieces)),
        "every character in the chapter",
    )
    there.drop()

"""A paste is text from its first mark to its last, whatever is in it and however it comes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants, events
from textual.message import Message
from textual.widgets import TextArea

from studio.pipeline.beginning.steps import open_beginning
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Beginning
from studio.tui.screens.ask import AskPath, AskText
from studio.tui.screens.decision import DecisionScreen
from studio.tui.terminal.streams import END, START, PasteParser
from tests.pipeline.flows import Model
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

TEXT = "비가 그쳤다. \x1b[31m그는 \x1b 말했다.\r\n\x1b[17~ 灯\x1b[200"


def fed(parser: PasteParser, pieces: Iterable[str]) -> list[Message]:
    return [message for piece in pieces for message in parser.feed(piece)]


def told(messages: Iterable[Message]) -> list[str]:
    """Pastes as their text, keys by name."""
    return [m.text if isinstance(m, events.Paste) else m.key for m in messages]  # type: ignore[attr-defined]


def test_escape_sequences_in_a_paste_are_text_and_no_keys() -> None:  # req: T9
    assert told(fed(PasteParser(), [f"a{START}{TEXT}{END}b"])) == ["a", TEXT, "b"]


@given(st.integers(2, 40))
def test_a_paste_may_come_in_pieces_of_any_size(size: int) -> None:  # req: T9
    data = f"{START}{TEXT}{END}"
    rest = (data[at : at + size] for at in range(2, len(data), size))
    assert told(fed(PasteParser(), ["x", data[:2], *rest])) == ["x", TEXT]


def test_two_pastes_and_a_key_between_them() -> None:
    data = f"{START}one{END}q{START}two{END}"
    assert told(fed(PasteParser(), [data])) == ["one", "q", "two"]


def test_an_empty_paste_is_one() -> None:
    assert told(fed(PasteParser(), [START + END])) == [""]


def test_a_nul_is_not_taken_in() -> None:
    assert told(fed(PasteParser(), [f"{START}a\x00b{END}"])) == ["ab"]


def test_keys_that_look_like_half_a_mark_come_after_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parser = PasteParser()
    assert fed(parser, ["\x1b[2"]) == []
    assert told(parser.tick()) == []
    monkeypatch.setattr(parser, "_since", parser._since - 2 * constants.ESCAPE_DELAY)
    list(parser.tick())
    monkeypatch.setattr("textual._parser.get_time", lambda: 1e12)
    assert told(parser.tick())[-2:] == ["left_square_bracket", "2"]


@pytest.mark.parametrize(("keys", "name"), [("\x1b[15~", "f5"), ("\x1b[A", "up"), ("가", "가")])
def test_other_keys_are_what_they_were(keys: str, name: str) -> None:
    assert told(fed(PasteParser(), [keys]))[0] == name


# req: H1 E2
@pytest.mark.sampled
@pytest.mark.repairs("W10")
@pytest.mark.parametrize(
    ("language", "prose"),
    [
        ("en", "The stove had gone out in the night.\n\n“You are early,” said Joss.\n"),
        ("ko", "난로는 밤사이에 꺼져 있었다.\n\n“일찍 나왔네.” 조스가 말했다.\n"),
        ("zh", "炉子在夜里熄了。\n\n“你来得真早。”乔斯说。\n"),
    ],
)
async def test_prose_pasted_as_the_sample_of_her_style_is_the_sample(
    tmp_path: Path, language: str, prose: str
) -> None:
    folder = tmp_path / "lamps"
    create_novel(folder, "Lamps", language)
    open_beginning(folder)
    store = ProjectStore(folder)
    begun = Beginning().end_step("premise", "done")
    store.save_checkpoint(store.checkpoint().copy_with(beginning=begun))
    async with opened(folder, dict(os.environ)) as studio:
        await studio.until(lambda: studio.desk.state.current is not None, "the novel")
        if not isinstance(studio.app.screen, DecisionScreen):
            await studio.press("w")
        await studio.choose("next")
        await studio.until(lambda: isinstance(studio.app.screen, AskText | AskPath), "the question")
        studio.app.screen.post_message(events.Paste(prose))
        await studio.pilot.pause()
        fields = [field.text for field in studio.app.screen.query(TextArea)]
        assert fields == [prose], "what she pasted stands in the field, line by line"
        await studio.press("ctrl+s")
        sample = folder / "imports/style-sample.md"
        await studio.until(sample.exists, "the sample")
        assert sample.read_text("utf-8").strip() == prose.strip()


LINES = {
    "Bo stays outside.\n\nShe weighs.\r\nRain.": "Bo stays outside. She weighs. Rain.",
    "\n보는 밖에 있는다.\n두 번 잰다.\n": "보는 밖에 있는다. 두 번 잰다.",
    "博留在门外。\n称两次。": "博留在门外。称两次。",
    "two  blanks ": "two  blanks ",
}
"""What is pasted into a line, and what stands there."""


@pytest.mark.parametrize("pasted", LINES)
async def test_every_line_of_a_paste_comes_into_a_line(desk: OpenDesk, pasted: str) -> None:
    there = desk(Model())
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("i")
        await studio.type("Yes: ")
        studio.app.screen.focused.post_message(events.Paste(pasted))
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.direction, "the direction")
        assert studio.desk.state.direction == f"Yes: {LINES[pasted]}".strip()


async def test_lines_copied_in_the_app_come_into_a_line_too(desk: OpenDesk) -> None:
    there = desk(Model())
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        studio.app.copy_to_clipboard("No bell.\nNo rain.")
        await studio.press("i", "ctrl+v", "enter")
        await studio.until(lambda: studio.desk.state.direction, "the direction")
        assert studio.desk.state.direction == "No bell. No rain."

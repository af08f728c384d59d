"""A paste is text from its first mark to its last, whatever is in it and however it comes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants, events
from textual.message import Message

from studio.tui.terminal.streams import END, START, PasteParser

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

"""Halves of characters, joined or replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studio.llm.surrogates import SurrogateJoiner

HALVES = "\ud83d\ude00"


def joined(*deltas: str) -> tuple[str, int]:
    joiner = SurrogateJoiner()
    text = "".join([joiner.take(delta) for delta in deltas] + [joiner.end()])
    return text, joiner.replacements


def test_halves_are_joined_over_deltas() -> None:
    assert joined("a\ud83d", "\ude00b") == ("a\U0001f600b", 0)
    assert joined("a\ud83d", "", "\ude00b") == ("a\U0001f600b", 0)


def test_what_is_left_is_replaced_and_counted() -> None:
    assert joined("a\ud83d", "b") == ("a\ufffdb", 1)
    assert joined("\ude00", "\ud83d") == ("\ufffd\ufffd", 2)
    assert joined("\ufffd is the writer's own") == ("\ufffd is the writer's own", 0)


@given(st.text(alphabet=st.sampled_from("a灯\ufffd\U0001f600" + HALVES)), st.integers(1, 4))
def test_cutting_changes_nothing_and_nothing_is_left_that_cannot_be_stored(
    text: str, size: int
) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert joined(*pieces) == joined(text)
    joined(text)[0].encode()

"""A quote is found through other typography, and given back in the author's characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.judging.placement import own_words, places_of
from tests.pipeline.flows import DRAFT

CHANGES = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "…": "...", "—": "--"})


@pytest.mark.parametrize(
    ("text", "quote", "words"),
    [
        ("She said, “You came.” Then rain.", 'said, "You came."', "said, “You came.”"),
        ("He didn’t look up.", "didn't look", "didn’t look"),
        ("「你来了。」她说。", "“你来了。”她说", "「你来了。」她说"),
        ("그는 ‘등대’라고 말했다.", "'등대'라고 말했다", "‘등대’라고 말했다"),
        ("그는 『등대』를 덮었다.", "《등대》를 덮었다", "『등대』를 덮었다"),
        ("Well… no.", "Well... no", "Well… no"),
        ("他说……不知道。", "他说...不知道", "他说……不知道"),
        ("Wait. . . there.", "Wait… there", "Wait. . . there"),
        ("the door—the red one—opened", "door -- the red one - opened", "door—the red one—opened"),
        ("灯塔——就在那里。", "灯塔-就在那里", "灯塔——就在那里"),
        ("One  line\r\nbroken   here.", "One line broken here.", "One  line\r\nbroken   here."),
        ("雨停了，渡船靠岸！", "雨停了,渡船靠岸!", "雨停了，渡船靠岸！"),
        ("The bell rang.", "“The bell rang.”", "The bell rang."),
        ("The bell rang twice.", "[2.1] The bell rang...", "The bell rang"),
        ("The bell rang.", "The bell sang.", ""),
        ("The bell rang.", "", ""),
        ("The bell rang.", "“…”", ""),
    ],
)
def test_only_the_words_of_a_quote_count(text: str, quote: str, words: str) -> None:
    assert own_words(text, quote) == words


def test_korean_letters_in_parts_are_the_same_letters() -> None:
    text = "비가 그친 뒤였다. 배가 들어왔다."
    parts = unicodedata.normalize("NFD", text)
    assert own_words(parts, "배가 들어왔다") == unicodedata.normalize("NFD", "배가 들어왔다")
    assert own_words(text, unicodedata.normalize("NFD", "그친 뒤였다")) == "그친 뒤였다"


def test_every_place_is_found() -> None:
    assert places_of("“No.” — “No.”", '"No."') == [(0, 5), (8, 13)]


@given(st.integers(0, len(DRAFT) - 1), st.integers(4, 80))
def test_a_quote_with_another_typography_leads_to_where_it_was_taken_from(
    start: int, length: int
) -> None:
    taken = DRAFT[start : start + length].strip()
    places = places_of(DRAFT, " ".join(taken.translate(CHANGES).split()))
    words = [DRAFT[a:b] for a, b in places]
    assert not any(c.isalnum() for c in taken) or taken.strip(" “”…—\n*") in " ".join(words)


@given(st.text(max_size=60), st.text(max_size=12))
def test_places_lie_in_the_text_and_hold_something(text: str, quote: str) -> None:
    for start, end in places_of(text, quote):
        assert 0 <= start < end <= len(text)

"""Some sentences of one text of a paragraph, and the others of another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.text.language.packs import load_pack
from studio.text.prose.sentence_choice import (
    as_it_stands,
    flip,
    pieces,
    put_together,
    sentence_rows,
    with_sentences,
)

CASES = [
    (
        "en",
        "The lamp was out. Mara climbed the stairs and counted them. Nobody answered her.",
        "The lamp was out. Mara climbed. She counted the stairs twice. Nobody had answered her.",
        "Nobody had answered her.",
        "The lamp was out. Mara climbed the stairs and counted them. Nobody had answered her.",
    ),
    (
        "ko",
        "등불은 꺼져 있었다. 미라는 계단을 올라갔다. 아무도 대답하지 않았다.",
        "등불은 꺼져 있었다. 미라는 계단을 세며 올라갔다. 대답하는 사람은 아무도 없었다.",
        "미라는 계단을 세며 올라갔다.",
        "등불은 꺼져 있었다. 미라는 계단을 세며 올라갔다. 아무도 대답하지 않았다.",
    ),
    (
        "zh",
        "灯灭了。米拉走上楼梯。没有人回答。",
        "灯灭了。米拉数着台阶走上楼梯。还是没有人回答她。",
        "米拉数着台阶走上楼梯。",
        "灯灭了。米拉数着台阶走上楼梯。没有人回答。",
    ),
]


@pytest.mark.parametrize(("language", "old", "new", "ticks", "becomes"), CASES)
def test_a_sentence_of_the_version_stands_in_place_of_the_one_it_words_anew(
    language: str, old: str, new: str, ticks: str, becomes: str
) -> None:
    pack = load_pack(language)
    rows = sentence_rows(old, new, pack)
    stands = as_it_stands(rows)
    assert put_together(rows, stands, pack) == old
    at = next(n for n, row in enumerate(rows) if row.text.strip() == ticks)
    picked = flip(rows, stands, at)
    assert put_together(rows, picked, pack) == becomes
    assert flip(rows, picked, at) == stands, "left out again, the old one is back"
    number = [text.strip() for text in pieces(new, pack)].index(ticks) + 1
    assert with_sentences(old, new, {number}, pack) == becomes, "by its number, the same"


def test_every_sentence_of_the_version_makes_the_version() -> None:
    for language, old, new, *_ in CASES:
        pack = load_pack(language)
        rows = sentence_rows(old, new, pack)
        theirs = [n for n, row in enumerate(rows) if row.side != "old"]
        assert put_together(rows, theirs, pack) == new


def test_what_quotation_marks_hold_together_is_taken_together() -> None:
    old = "“Sit down. You are late,” he said. The kettle sang."
    new = "“Sit. You are very late, Nora. Again,” he said. The kettle sang."
    rows = sentence_rows(old, new, load_pack("en"))
    assert [row.text.strip() for row in rows if row.side == "new"] == [
        "“Sit. You are very late, Nora. Again,” he said."
    ]


LINES = st.lists(
    st.sampled_from(["It rained.", "“No. Stop,” she said.", "He left *at once. Gone*.", "Why?"]),
    max_size=6,
)


@given(LINES, LINES, st.lists(st.integers(0, 11), max_size=8))
def test_whatever_is_taken_holds_only_whole_sentences_of_either(
    mine: list[str], theirs: list[str], turns: list[int]
) -> None:
    pack = load_pack("en")
    rows = sentence_rows(" ".join(mine), " ".join(theirs), pack)
    ticks = as_it_stands(rows)
    assert put_together(rows, ticks, pack) == " ".join(mine)
    for at in turns:
        ticks = flip(rows, ticks, at % len(rows)) if rows else ticks
    left = put_together(rows, ticks, pack)
    for sentence in {*mine, *theirs}:
        left = left.replace(sentence, "")
    assert not left.strip()

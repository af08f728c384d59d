"""Where two texts differ, and how much of both a card needs to show it."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.text.diff import Change, diff, diff_to_read, where_they_part
from tests.text.diff_sides import sides_of

prose = st.lists(
    st.sampled_from(
        [
            "The cat sat. ",
            "A dog ran",
            "\n\n",
            "\n",
            "그는 웃었다. ",
            "그녀는",
            "雨停了。",
            "他走了",
            " ",
            "“",
            "”",
            "don’t ",
        ]
    ),
    max_size=20,
).map("".join)


@given(prose | st.text(), prose | st.text(), st.sampled_from(["ko", "en", "zh"]))
def test_a_diff_holds_both_texts(before: str, after: str, language: str) -> None:
    for changes in (diff(before, after, language), diff_to_read(before, after, language)):
        assert sides_of(changes) == (before, after)
        assert all(change.text for change in changes)
        kinds = [change.kind for change in changes]
        assert all(one != next_ for one, next_ in itertools.pairwise(kinds)), "neighbours join"
        assert ("added", "removed") not in itertools.pairwise(kinds)


@given(prose, st.sampled_from(["ko", "en", "zh"]))
def test_a_text_does_not_differ_from_itself(text: str, language: str) -> None:
    assert diff(text, text, language) == ([Change("same", text)] if text else [])


@pytest.mark.parametrize(
    ("language", "before", "after", "with_changes"),
    [
        (
            "ko",
            "김이 올랐으나 볼펜 쥔 손이 데었다.",
            "김이 올라왔으나 볼펜 쥔 손은 데지 않았다.",
            "김이 [올랐으나|올라왔으나] 볼펜 쥔 [손이|손은] [데었다|데지 않았다].",
        ),
        (
            "zh",
            "门环锈住了，锈粉落了她一手。",
            "门环生了锈，锈粉沾满她的手。",
            "门环[锈住了|生了锈]，锈粉[落了她一|沾满她的]手。",
        ),
        ("en", "He blew out the lamp.", "He lit the lamp.", "He [blew out|lit] the lamp."),
    ],
)
def test_what_is_shown_of_a_change_can_be_read(
    language: str, before: str, after: str, with_changes: str
) -> None:
    steps = diff_to_read(before, after, language)
    texts = [step.text for step in steps]
    line = ""
    for at, step in enumerate(steps):
        if step.kind == "same":
            line += step.text
        elif step.kind == "removed":
            line += f"[{step.text}|{texts[at + 1]}]"
    assert line == with_changes


def test_english_changes_word_by_word() -> None:
    assert diff("She felt the cold.", "She knew the cold.", "en") == [
        Change("same", "She "),
        Change("removed", "felt"),
        Change("added", "knew"),
        Change("same", " the cold."),
    ]


@pytest.mark.parametrize(
    ("language", "before", "after", "gone", "come"),
    [
        ("ko", "그는 문을 열었다.", "그는 창을 열었다.", ["문"], ["창"]),
        ("zh", "他推开了门。", "他推开了窗。", ["门"], ["窗"]),
    ],
)
def test_korean_and_chinese_change_character_by_character(
    language: str, before: str, after: str, gone: list[str], come: list[str]
) -> None:
    changes = diff(before, after, language)
    assert [c.text for c in changes if c.kind == "removed"] == gone
    assert [c.text for c in changes if c.kind == "added"] == come


def test_a_changed_paragraph_leaves_the_others_alone() -> None:
    before = "First one.\n\nSecond one here.\n\nThird."
    after = "First one.\n\nSecond one there.\n\nThird."
    assert [c for c in diff(before, after, "en") if c.kind != "same"] == [
        Change("removed", "here"),
        Change("added", "there"),
    ]


def test_long_and_wholly_different_texts_are_cheap() -> None:
    chance = random.Random(7)
    before = "".join(chance.choice("가나다라마바사") for _ in range(30_000))
    after = "".join(chance.choice("가나다라마바사") for _ in range(30_000))
    assert diff(before, after, "ko") == [Change("removed", before), Change("added", after)]


@pytest.mark.parametrize(
    ("before", "begins"),
    [
        (
            "那个在灯塔里一个人住了许多许多年的玛拉没有"
            "把灯塔里的旧钥匙交给那个从大陆来的陌生的人看也从来不想让乔斯知道那封信的事情可是",
            "“…没有把灯",
        ),
        (
            "마라는 끝내 편지를 안 읽은 채로 등대의 계단을 내려가 부두에서 배를 기다리고 있었는데 ",
            "“…편지를 안 읽은",
        ),
        ("Mara would not tell a soul about the letter or the key, ", "“…not tell a soul"),
    ],
    ids=["zh", "ko", "en"],
)
def test_a_card_with_both_texts_begins_with_whole_words(before: str, begins: str) -> None:
    hers, old = where_they_part(f"{before}1 2 3", f"{before}4 5 6")
    assert hers.startswith(begins)
    assert old.startswith(begins)


def test_a_card_with_both_texts_ends_with_a_whole_word() -> None:
    words = "lighthouse " * 40
    for text in where_they_part(f"A {words}", f"B {words}"):
        assert text.endswith("lighthouse…”")

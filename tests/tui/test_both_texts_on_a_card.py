"""The card with both texts, before a fix that she typed into is taken back, cuts no word and no
denial in two."""

from __future__ import annotations

import pytest

from studio.text.diff import where_they_part


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

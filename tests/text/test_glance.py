"""What changed, in a line that fits a notice."""

from __future__ import annotations

from studio.text.diff import changed_words


def test_english_changes_by_word() -> None:  # req: U5
    before = "Both times the beam came to rest nine sacks light, and she wrote it down.\n"
    after = before.replace("nine", "eleven")
    assert changed_words(before, after, "en") == (
        "…the beam came to rest [-nine-]{+eleven+} sacks light, and she…"
    )


def test_korean_changes_by_character() -> None:
    before = "마라는 등대에서 열쇠를 찾았다. 비가 왔다."
    after = before.replace("찾았다", "잃었다")
    assert changed_words(before, after, "ko") == "…대에서 열쇠를 [-찾았-]{+잃었+}다. 비가 왔다…"


def test_chinese_changes_by_character() -> None:
    assert changed_words("雨停了，玛拉爬上楼梯。", "雪停了，玛拉爬上楼梯。", "zh") == (
        "[-雨-]{+雪+}停了，玛拉爬上楼…"
    )


def test_more_places_are_counted() -> None:
    before = "One.\n\nTwo.\n\nThree.\n\nFour.\n"
    after = "1.\n\nTwo.\n\n3.\n\n4.\n"
    assert changed_words(before, after, "en").endswith("; 1 more place")


def test_a_paragraph_that_came_is_one_line() -> None:
    words = changed_words("One.\n", "One.\n\nIt rained on the harbour.\n", "en")
    assert "\n" not in words
    assert "It rained on the harbour." in words


def test_a_long_change_is_cut() -> None:
    assert len(changed_words("등대" * 500, "파도" * 500, "ko")) < 200


def test_nothing_changed_is_nothing() -> None:
    assert changed_words("비", "비", "ko") == ""

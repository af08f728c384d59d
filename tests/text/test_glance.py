"""What changed, in a line that fits a notice."""

from __future__ import annotations

from studio.text.diff import changed_words


def test_english_changes_by_word() -> None:  # req: U5
    before = "Both times the beam came to rest nine sacks light, and she wrote it down.\n"
    after = before.replace("nine", "eleven")
    assert changed_words(before, after, "en") == (
        "“…the beam came to rest nine sacks light, and she…” is now"
        " “…the beam came to rest eleven sacks light, and she…”"
    )


def test_korean_changes_by_word() -> None:
    before = "마라는 등대에서 열쇠를 찾았다. 비가 왔다."
    after = before.replace("찾았다", "잃었다")
    assert changed_words(before, after, "ko") == (
        "“…대에서 열쇠를 찾았다. 비가 왔다.” is now “…대에서 열쇠를 잃었다. 비가 왔다.”"
    )


def test_chinese_changes_by_character() -> None:
    assert changed_words("雨停了，玛拉爬上楼梯。", "雪停了，玛拉爬上楼梯。", "zh") == (
        "“雨停了，玛拉爬上楼…” is now “雪停了，玛拉爬上楼…”"
    )


def test_a_new_paragraph_stands_by_itself() -> None:
    for text, new, language in (
        ("She lost count at nineteen.\n", "Wilf left for good.", "en"),
        ("먼 바다에서 종이 울렸다.\n", "윌프는 떠났다.", "ko"),
        ("远处响起了钟声。\n", "威尔夫走了。", "zh"),
    ):
        assert changed_words(text, f"{text}\n{new}\n", language) == f"new: “{new}”"
        assert changed_words(text, f"{new}\n\n{text}", language) == f"new: “{new}”"
        assert changed_words(f"{text}\n{new}\n", text, language) == f"gone: “{new}”"


def test_more_places_are_counted() -> None:
    before = "One.\n\nTwo.\n\nThree.\n\nFour.\n"
    after = "1.\n\nTwo.\n\n3.\n\n4.\n"
    assert changed_words(before, after, "en").endswith("; 1 more place")


def test_the_largest_change_comes_first_and_no_marks_of_a_program_stand_in_it() -> None:
    before = "비가 왔다.\n\n마라는 계단을 올랐다.\n\n문은 닫혀 있었다.\n\n바다가 잠잠했다.\n"
    after = before.replace("왔다", "갔다").replace("올랐다", "내려왔다")
    after = after.replace(
        "잠잠했다.", "잠잠했다.\n\n아버지의 외투가 문 뒤에 걸려 있었고, 젖어 있었다."
    )
    words = changed_words(before, after, "ko")
    assert words.startswith("new: “")
    assert "아버지의 외투가" in words.split("; ")[0]
    assert not {"[-", "-]", "{+", "+}"} & {words[i : i + 2] for i in range(len(words))}


def test_a_paragraph_that_came_is_one_line() -> None:
    words = changed_words("One.\n", "One.\n\nIt rained on the harbour.\n", "en")
    assert "\n" not in words
    assert "It rained on the harbour." in words


def test_a_long_change_is_cut() -> None:
    assert len(changed_words("등대" * 500, "파도" * 500, "ko")) < 200


def test_nothing_changed_is_nothing() -> None:
    assert changed_words("비", "비", "ko") == ""

"""What changed, in a line that fits a notice."""

from __future__ import annotations

import pytest

from studio.text.diff import are_overwritten, changed_words


def test_english_changes_by_word() -> None:  # req: U5
    before = "Both times the beam came to rest nine sacks light, and she wrote it down.\n"
    after = before.replace("nine", "eleven")
    assert changed_words(before, after, "en") == (
        "“…times the beam came to rest nine sacks light, and she wrote…” is now"
        " “…times the beam came to rest eleven sacks light, and she wrote…”"
    )


def test_korean_changes_by_word() -> None:
    before = "마라는 등대에서 열쇠를 찾았다. 비가 왔다."
    after = before.replace("찾았다", "잃었다")
    assert changed_words(before, after, "ko") == (
        "“…등대에서 열쇠를 찾았다. 비가 왔다.” is now “…등대에서 열쇠를 잃었다. 비가 왔다.”"
    )


def test_chinese_changes_by_character() -> None:
    assert changed_words("雨停了，玛拉爬上楼梯。", "雪停了，玛拉爬上楼梯。", "zh") == (
        "“雨停了，玛拉爬上楼梯。” is now “雪停了，玛拉爬上楼梯。”"
    )


@pytest.mark.parametrize(
    ("language", "before", "after", "words"),
    [
        (
            "zh",
            "钟响了。他没有来。雨停了。",
            "钟响了。他有来。雨停了。",
            "“钟响了。他没有来。雨停了。” is now “钟响了。他有来。雨停了。”",
        ),
        (
            "zh",
            "她等了一夜，可他没有回家吃晚饭。",
            "她等了一夜，可他没有回家吃早饭。",
            "“…可他没有回家吃晚饭。” is now “…可他没有回家吃早饭。”",
        ),
        (
            "zh",
            "玛拉没有把灯塔里的旧钥匙交给那个从大陆来的陌生的年轻人看。",
            "玛拉没有把灯塔里的旧钥匙交给那个从大陆来的陌生的老年人看。",
            "“玛拉没有把灯塔里的旧钥匙交给那个从大陆来的陌生的年轻人看。” is now"
            " “玛拉没有把灯塔里的旧钥匙交给那个从大陆来的陌生的老年人看。”",
        ),
        (
            "ko",
            "그는 저녁에 집으로 다시 돌아가지 않았다.",
            "그는 아침에 집으로 다시 돌아가지 않았다.",
            "“그는 저녁에 집으로 다시…” is now “그는 아침에 집으로 다시…”",
        ),
        (
            "ko",
            "마라는 밤에 종을 안 울렸다.",
            "마라는 밤에 북을 안 울렸다.",
            "“마라는 밤에 종을 안 울렸다.” is now “마라는 밤에 북을 안 울렸다.”",
        ),
        (
            "en",
            "Wilf had not come home for his supper that winter night.",
            "Wilf had come home for his supper that winter night.",
            "“Wilf had not come home for his supper…” is now “Wilf had come home for his supper…”",
        ),
        (
            "en",
            "Nobody had told her that he would not be coming home on Tuesday at all.",
            "Nobody had told her that he would not be coming home on Thursday at all.",
            "“…would not be coming home on Tuesday at all.” is now"
            " “…would not be coming home on Thursday at all.”",
        ),
        ("en", "It rained. She left.", "It rained. Nobody came. She left.", "new: “Nobody came.”"),
        ("zh", "雨停了。她走了。", "雨停了。没有人来。她走了。", "new: “没有人来。”"),
    ],
)
def test_what_is_shown_of_a_change_is_whole_and_true(
    language: str, before: str, after: str, words: str
) -> None:
    assert changed_words(before, after, language) == words


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


def test_a_word_that_was_taken_out_is_back_only_where_it_stood() -> None:
    """“very” elsewhere in the chapter made a fix that stands one that a later fix had undone."""
    was, now = "She was very tired.", "She was tired."
    assert not are_overwritten(was, now, f"He was very cold. {now}", "en")
    assert are_overwritten(was, now, f"He was very cold. {was}", "en")

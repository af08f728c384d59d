"""Chapters and scenes are found in manuscripts as writers keep them."""

from __future__ import annotations

import unicodedata

import pytest

from studio.errors import StudioError
from studio.exchange.import_.detect import Rules, detect
from studio.exchange.import_.headings import heading_of
from tests.exchange.texts import (
    CHINESE,
    ENGLISH,
    KOREAN,
    KOREAN_WEB,
    WRAPPED,
    all_lines,
    prose,
    titles,
)


def test_a_korean_book_is_cut_at_its_headings() -> None:
    plan = detect(KOREAN)
    assert (plan.language, plan.title) == ("ko", "소금길")
    assert titles(plan) == ["등대", "열쇠", "에필로그"]
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [2, 1, 1]
    assert [c.number for c in plan.chapters_to_import] == [1, 2, None]
    assert plan.sureness == "sure"


def test_a_web_novel_has_a_paragraph_on_every_line() -> None:
    plan = detect(KOREAN_WEB)
    assert titles(plan) == ["등대", "열쇠", "종"]
    assert prose(plan)[0][1:3] == ["“아직 불이 켜져 있어.”", "조스가 말했다."]
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [2, 1, 1]


def test_a_chinese_book_is_cut_at_its_headings_and_names_its_volume() -> None:
    plan = detect(CHINESE)
    assert (plan.language, titles(plan)) == ("zh", ["灯塔", "钥匙", "尾声"])
    assert plan.chapters_to_import[0].notes == ("under “第一卷 海”",)
    assert prose(plan)[0] == ["雨停了，玛拉爬上灯塔的楼梯。", "“灯还亮着。”乔斯说。"]


def test_a_markdown_book_has_a_title_and_chapters_of_one_level() -> None:
    plan = detect(ENGLISH)
    assert (plan.title, titles(plan)) == (
        "The Salt Road",
        ["The Weighing House", "Chapter 2", "Afterword"],
    )
    assert prose(plan)[0][0].count("\n") == 1, "lines of a paragraph stay as they are"


def test_wrapped_lines_stay_one_paragraph_and_the_line_below_is_the_title() -> None:
    plan = detect(WRAPPED)
    assert titles(plan) == ["The Lamp Room", "The Stairs"]
    assert [len(paragraphs) for paragraphs in prose(plan)] == [2, 2]
    assert [c.number for c in plan.chapters_to_import] == [3, 4]


def test_what_stands_before_the_first_heading_is_left_out_where_it_is_short() -> None:
    front = detect(KOREAN).chapters[0]
    assert (front.included, front.lines) == (False, (1, 1))
    assert front.notes == ("stands before the first heading",)


def test_the_page_under_the_books_title_is_no_chapter() -> None:
    plan = detect("# The Salt Road\n\nby Ines Park\n\n## One\n\nShe came.\n\n## Two\n\nA.\n")
    assert (plan.title, titles(plan)) == ("The Salt Road", ["One", "Two"])
    assert (plan.chapters[0].title, plan.chapters[0].included) == ("The Salt Road", False)


def test_what_stands_before_the_first_heading_is_a_chapter_where_it_is_long() -> None:
    opening = "She had walked since the morning and the road had not once turned. " * 12
    plan = detect(f"{opening}\n\nChapter 1\n\nIt turned.\n")
    assert titles(plan) == ["Opening", "Chapter 1"]


def test_a_list_of_contents_makes_no_chapters() -> None:
    listed = "\n\n".join(f"Chapter {n}" for n in range(1, 6))
    body = "\n\n".join(f"Chapter {n}\n\nIt was day {n}." for n in range(1, 6))
    plan = detect(f"{listed}\n\n{body}\n")
    assert len(plan.chapters_to_import) == 5
    (contents,) = [row for row in plan.chapters if not row.included]
    assert len(contents.heading) == 5


def test_a_chapter_without_text_is_left_out_and_said() -> None:
    plan = detect("# One\n\nShe came.\n\n# Two\n\n# Three\n\nShe went.\n")
    (empty,) = [row for row in plan.chapters if not row.included]
    assert (empty.title, empty.notes) == ("Two", ("has no text",))


def test_numbers_that_do_not_count_on_are_said() -> None:
    plan = detect("Chapter 1\n\nA.\n\nChapter 3\n\nB.\n")
    assert plan.chapters_to_import[1].notes == ("is numbered 3, after 1",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I\n\nA day.\n\nII\n\nA night.\n", ["Chapter 1", "Chapter 2"]),
        ("1. Dark\n\nA day.\n\n2. Light\n\nA night.\n", ["Dark", "Light"]),
        ("1\n\n비가 왔다.\n\n2\n\n눈이 왔다.\n", ["제1장", "제2장"]),
        ("THE LAMP\n\nShe went.\n\nTHE STAIRS\n\nHe came.\n", ["THE LAMP", "THE STAIRS"]),
        ("**Chapter 7**\n\nA day.\n\n**Chapter 8**\n\nA night.\n", ["Chapter 7", "Chapter 8"]),
        ("PART ONE\n\nA day.\n\nPART TWO\n\nA night.\n", ["PART ONE", "PART TWO"]),
        ("Prologue\n\nA day.\n\nChapter Twenty-One\n\nA.\n", ["Prologue", "Chapter Twenty-One"]),
        ("One\n===\n\nA day.\n\nTwo\n===\n\nA night.\n", ["One", "Two"]),
        ("Chapter 1\nA day.\n\nChapter 2\nA night.\n", ["Chapter 1", "Chapter 2"]),
        ("제삼장 불\n\n비가 왔다.\n\n제사장 물\n\n눈이 왔다.\n", ["불", "물"]),
        ("CHAPTER 1. Loomings.\n\nA.\n\nCHAPTER 2. The Bag.\n\nB.\n", ["Loomings", "The Bag"]),
        ("I. LOOMINGS.\n\nA day.\n\nII. THE BAG.\n\nA night.\n", ["LOOMINGS", "THE BAG"]),
        ("第十二回 火\n\n雨停了。\n\n第十三回 水\n\n下雪了。\n", ["火", "水"]),
    ],
)
def test_every_way_to_head_a_chapter(text: str, expected: list[str]) -> None:
    assert titles(detect(text)) == expected


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 3 was the hardest of them all, she thought.",
        "1. She went up the stairs.",
        "제3장 그는 오지 않았다.",
        "제3장은 가장 어려웠다.",
        "3화를 다시 보았다.",
        "第三章很难。",
        "“Chapter 3,” she read.",
        "I went down to the quay.",
        "Civil war.",
        "MIX IT WELL!",
    ],
)
def test_a_sentence_is_no_heading(line: str) -> None:
    assert heading_of(line) is None


def test_numbers_that_stand_alone_by_chance_make_no_chapters() -> None:
    assert (
        len(detect("She counted.\n\n17\n\nThen again.\n\n3\n\nShe stopped.\n").chapters_to_import)
        == 1
    )


@pytest.mark.parametrize(
    "mark", ["* * *", "***", "*", "---", "- - -", "#", "⁂", "◇", "※ ※ ※", "~~~"]
)
def test_every_ornament_parts_scenes(mark: str) -> None:
    (chapter,) = detect(f"# One\n\nShe came.\n\n{mark}\n\nShe went.\n").chapters_to_import
    assert [[p.text for p in scene] for scene in chapter.scenes] == [["She came."], ["She went."]]


def test_a_wide_gap_parts_scenes_unless_all_gaps_are_wide() -> None:
    apart = "She came.\n\nShe sat.\n\nShe rose.\n\n\n\nShe went.\n"
    assert [len(s) for s in detect(apart).chapters_to_import[0].scenes] == [3, 1]
    airy = "She came.\n\n\n\nShe sat.\n\n\n\nShe rose.\n\n\n\nShe went.\n"
    assert [len(s) for s in detect(airy).chapters_to_import[0].scenes] == [4]


def test_one_text_without_headings_is_one_chapter_named_after_its_file() -> None:
    plan = detect("She came up.\n\nShe went down.\n", "03 - the_lamp_room.md")
    assert titles(plan) == ["the lamp room"]


def test_a_header_of_the_file_gives_the_title_and_is_no_prose() -> None:
    plan = detect("---\ntitle: 'The Salt Road'\ntags: [a]\n---\n\n# One\n\nShe came.\n")
    assert (plan.title, titles(plan), prose(plan)) == (
        "The Salt Road",
        ["One"],
        [["She came."]],
    )


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n", "\u2028"])
def test_line_endings_make_no_difference(ending: str) -> None:  # req: F5
    plan = detect("\ufeff" + KOREAN.replace("\n", ending))
    assert [c.text for c in plan.chapters_to_import] == [
        c.text for c in detect(KOREAN).chapters_to_import
    ]


def test_headings_in_decomposed_hangul_are_found_and_the_prose_is_not_changed() -> None:
    plan = detect(unicodedata.normalize("NFD", KOREAN))
    assert titles(plan) == ["등대", "열쇠", "에필로그"]
    assert all_lines(plan)[2] == unicodedata.normalize(
        "NFD", "비가 그치자 마라는 등대의 계단을 올랐다."
    )


def test_a_rule_of_the_writers_finds_what_nobody_would_guess() -> None:
    text = "Day 1 – rain\nShe came.\n\nDay 2 – sun\nShe went.\n"
    assert titles(detect(text, rules=Rules(chapter_line=r"^Day \d+ – (.*)$"))) == ["rain", "sun"]
    assert titles(detect(text, rules=Rules(chapter_line=r"^Day \d+"))) == [
        "Day 1 – rain",
        "Day 2 – sun",
    ]


def test_a_rule_that_fits_ornaments_numbers_the_chapters() -> None:
    plan = detect("She came.\n\n***\n\nShe went.\n", rules=Rules(chapter_line=r"^\*+$"))
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert prose(plan) == [["She came."], ["She went."]]


@pytest.mark.parametrize(("rule", "said"), [("(", "not a regular expression"), ("^Day", "No line")])
def test_a_rule_that_does_not_work_is_said(rule: str, said: str) -> None:
    with pytest.raises(StudioError, match=said):
        detect(ENGLISH, rules=Rules(chapter_line=rule))


@pytest.mark.parametrize("text", ["", "\n \n", "* * *\n\n---\n", "---\ntitle: x\n---\n"])
def test_a_text_without_prose_is_refused(text: str) -> None:
    with pytest.raises(StudioError, match="no prose"):
        detect(text, "empty.md")


@pytest.mark.sampled
@pytest.mark.timeout(120)  # it is the measure: what grows with a power of the line takes hours
@pytest.mark.parametrize("unit", [" ", " #", "# ", "- ", "= ", "”", "...", "第", "제 1"])
def test_a_heading_of_one_long_line_is_read_in_good_time(unit: str) -> None:  # req: I1
    line = f"# A{unit * 20_000}x"
    assert len(detect(f"{line}\n\nThe tide went out.\n").chapters) == 1

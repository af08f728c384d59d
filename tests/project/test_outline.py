"""Outlines: headings as writers of three languages put them."""

from __future__ import annotations

from collections import Counter

import pytest

from studio.i18n import Language
from studio.project import outline as outlines
from studio.project.outline import section_of, sections, with_sections


@pytest.mark.parametrize(
    ("heading", "chapter", "title"),
    [
        ("## Chapter 3: The Lamp Room", 3, "The Lamp Room"),
        ("### 3. The Lamp Room", 3, "The Lamp Room"),
        ("## CHAPTER 12 - Low Tide", 12, "Low Tide"),
        ("## Ch. 4 — Salt", 4, "Salt"),
        ("# **Chapter 5** Salt", 5, "Salt"),
        ("## 제3장 등불의 방", 3, "등불의 방"),
        ("## 3화 등불의 방", 3, "등불의 방"),
        ("## 제 10 회: 썰물", 10, "썰물"),
        ("## 第三章 灯室", 3, "灯室"),
        ("## 第3章", 3, ""),
        ("## 第十二回：落潮", 12, "落潮"),
        ("## 第二十章　归来", 20, "归来"),
        ("## 第一百零五章 灯", 105, "灯"),
        ("## 7", 7, ""),
    ],
)
def test_a_heading_gives_number_and_title(heading: str, chapter: int, title: str) -> None:
    (section,) = sections(f"# Volume\n\n{heading}\n\nMara climbs.\n")[-1:]
    assert (section.chapter, section.body) == (chapter, "Mara climbs.")
    assert section.title == title


@pytest.mark.parametrize(
    "heading",
    [
        *("## 3rd attempt", "## Chapters", "## 제목", "## 第章", "##Chapter 1", "## 0."),
        *("## 20261123143000: Notes", f"## Chapter {'9' * 20}: End", f"## 第{'9' * 5000}章"),
    ],
    ids=lambda heading: heading[:20],
)
def test_other_headings_are_no_chapters(heading: str) -> None:
    assert sections(f"{heading}\n\nText.\n") == ()


def test_a_year_alone_is_read_as_a_chapters_number() -> None:
    assert [section.chapter for section in sections("## 1984\n\nText.\n")] == [1984]


def test_a_section_ends_at_the_next_heading_of_its_level_or_above() -> None:
    text = "## Chapter 1: A\n\none\n\n### Scene 1\n\ninside\n\n## Chapter 2: B\n\ntwo\n\n# Notes\n"
    assert section_of(text, 1) == ("A", "one\n\n### Scene 1\n\ninside")
    assert section_of(text, 2) == ("B", "two")
    assert section_of(text, 3) is None


def test_a_template_nobody_filled_is_no_plan() -> None:
    text = "## 제1장\n\n<!-- 여기에 쓰세요.\n\n## 제2장 예시\n마라가 간다. -->\n"
    assert section_of(text, 1) is None
    assert section_of(text, 2) is None
    assert section_of("## Chapter 1: The Lamp Room\n", 1) is None


def test_chapters_without_a_heading_get_one_and_what_stands_there_stays() -> None:
    outline = "# One\n\n<!-- ## Chapter 2 -->\n\n## Chapter 1\n\nMara climbs.\n\n## Chapter 3 ##\n"
    titles = {1: "Ignored", 2: "The Lamp <!-- Room", 3: "The  Stairs", 4: "Chapter 4"}
    fresh = with_sections(outline, titles, "en")
    assert fresh == (
        "# One\n\n<!-- ## Chapter 2 -->\n\n## Chapter 1\n\nMara climbs.\n\n"
        "## Chapter 3: The Stairs\n\n## Chapter 2: The Lamp <! -- Room\n\n## Chapter 4\n"
    )
    assert with_sections(fresh, titles, "en") == fresh


@pytest.mark.parametrize(
    ("language", "title"), [("en", "The Stairs"), ("ko", "등불의 방"), ("zh", "灯室")]
)
def test_a_heading_is_read_as_it_was_written(language: Language, title: str) -> None:
    (section,) = sections(with_sections("", {12: title}, language))
    assert (section.chapter, section.title) == (12, title)


def test_a_bare_heading_that_ends_as_windows_ends_lines_gets_its_title() -> None:
    outline = "## Chapter 1\r\n\r\n## Chapter 2 ##\r\n"
    titled = with_sections(outline, {1: "Salt", 2: "Low Tide", 3: "Home"}, "en")
    assert (
        titled == "## Chapter 1: Salt\r\n\r\n## Chapter 2: Low Tide\r\n\r\n## Chapter 3: Home\r\n"
    )


def test_each_heading_is_read_once_however_many_chapters_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "\n\n".join(f"## Chapter {number}\n\nNight {number}." for number in range(1, 501))
    read: Counter[str] = Counter()
    numbered = outlines.numbered_heading

    def counted(heading: str) -> tuple[int, str] | None:
        read[heading] += 1
        return numbered(heading)

    monkeypatch.setattr(outlines, "numbered_heading", counted)
    assert [section_of(text, n) for n in range(1, 501)] == [
        ("", f"Night {n}.") for n in range(1, 501)
    ]
    assert set(read.values()) == {1}


def test_headings_of_every_level_end_what_is_below_them() -> None:
    text = "\n".join(
        f"{'#' * level} {number}: At {level}\n\n{number}."
        for number, level in enumerate((1, 3, 6, 2, 3, 3, 1), 1)
    )
    ends = {s.chapter: s.body.split()[-1] for s in sections(text)}
    assert ends == {1: "6.", 2: "3.", 3: "3.", 4: "6.", 5: "5.", 6: "6.", 7: "7."}

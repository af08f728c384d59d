"""Manuscripts as their writers keep them come in whole: each chapter with its title, its scenes and
its place in the book, and nothing of what is no part of it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from studio.exchange.import_.commit import plan_import
from studio.exchange.import_.detect import Rules, detect
from studio.exchange.import_.plan import ImportPlan, join_chapters
from studio.exchange.import_.sources import source_of
from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.exchange import own_documents as own
from tests.exchange.texts import titles

RAIN = "It had rained since the morning, and Ines did not light the stove."
DOOR = "Somebody had left the door open, and the dog was gone from the yard."
SHIP = "The ship lay where it always lay, with nobody at the rail to wave."
비 = "아침부터 비가 내렸고 이네스는 난로에 불을 지피지 않았다."
문 = "누군가 문을 열어 두었고 마당에는 개가 보이지 않았다."
雨 = "从早晨起就在下雨，伊内斯没有点炉子。"
门 = "有人把门开着，院子里的狗不见了。"


def text(*lines: str) -> ImportPlan:
    return detect("\n\n".join(lines) + "\n", "house.md")


def under(plan: ImportPlan) -> list[tuple[str, tuple[str, ...]]]:
    return [(chapter.title, chapter.notes) for chapter in plan.chapters_to_import]


# Headings by consensus  # req: K6


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("第一章 门", 雨, "第二章 谁在那里？", 门, "第三章 走吧！", 雨),
            ["门", "谁在那里？", "走吧！"],
        ),
        (("第一章雨中人", 雨, "第二章开着的门", 门), ["雨中人", "开着的门"]),
        (("一", 雨, "二", 门, "三", 雨), ["第1章", "第2章", "第3章"]),
        (("（一）", 雨, "（二）", 门), ["第1章", "第2章"]),
        (("第壹回 雨", 雨, "第贰回 门", 门), ["雨", "门"]),
        (("第一夜", 雨, "第二夜", 门, "第三夜", 雨), ["第一夜", "第二夜", "第三夜"]),
        (("[1화]", 비, "[2화]", 문), ["1화", "2화"]),
        (("【1화】 빗속", 비, "【2화】 열린 문", 문), ["빗속", "열린 문"]),
        (("- 1 -", 비, "- 2 -", 문), ["제1장", "제2장"]),
        (("제1장빗속에서", 비, "제2장열린 문", 문), ["빗속에서", "열린 문"]),
        (("하나", 비, "둘", 문), ["제1장", "제2장"]),
        (("One", RAIN, "Two", DOOR, "Three", SHIP), ["Chapter 1", "Chapter 2", "Chapter 3"]),
        (
            ("Stave One", RAIN, "Stave Two", DOOR, "Stave Three", SHIP),
            ["Stave One", "Stave Two", "Stave Three"],
        ),
        (
            ("Kapitel 1: Regen", RAIN, "Kapitel 2: Wer da?", DOOR, "Kapitel 3: Ende", SHIP),
            ["Regen", "Wer da?", "Ende"],
        ),
        (
            ("1 The Stove", RAIN, "2 The Yard", DOOR, "3 The Rail", SHIP),
            ["The Stove", "The Yard", "The Rail"],
        ),
        (
            ("Chapter 1: “Is It Raining?”", RAIN, "Chapter 2: The Yard", DOOR),
            ["“Is It Raining?”", "The Yard"],
        ),
        (
            ("CHAPTER THE FIRST", RAIN, "CHAPTER THE SECOND", DOOR),
            ["CHAPTER THE FIRST", "CHAPTER THE SECOND"],
        ),
    ],
)
def test_lines_that_stand_alone_and_count_up_are_headings(
    lines: tuple[str, ...], expected: list[str]
) -> None:
    plan = text(*lines)
    assert titles(plan) == expected
    assert plan.sureness != "guess"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("— 1 —", 비, "— 2 —", 문, "— 3 —", 비), ["제1장", "제2장", "제3장"]),
        (("── 1 ──", 비, "── 2 ──", 문), ["제1장", "제2장"]),
        (("《1화 비》", 비, "《2화 누구냐?》", 문), ["비", "누구냐?"]),
        (("=== 第一章 雨 ===", 雨, "=== 第二章 门 ===", 门), ["雨", "门"]),
        (("§ 1", RAIN, "§ 2", DOOR), ["Chapter 1", "Chapter 2"]),
        (("①", 雨, "②", 门, "③", 雨), ["第1章", "第2章", "第3章"]),
        (("一 雨", 雨, "二 谁在那里？", 门, "三 船", 雨), ["雨", "谁在那里？", "船"]),
        (("일. 비", 비, "이. 문", 문, "삼. 배", 비), ["비", "문", "배"]),
        (("일", 비, "이", 문, "삼", 비), ["제1장", "제2장", "제3장"]),
        (("I RAIN", RAIN, "II DOORS", DOOR, "III SHIPS", SHIP), ["RAIN", "DOORS", "SHIPS"]),
        (
            ("Twenty-One", RAIN, "Twenty-Two", DOOR, "Twenty-Three", SHIP),
            ["Chapter 21", "Chapter 22", "Chapter 23"],
        ),
        (("비 오는 길 1화", 비, "비 오는 길 2화", 문, "비 오는 길 3화", 비), None),
        (("1-1", 비, "1-2", 문, "2-1", 비, "2-2", 문), None),
        (("雨（一）", 雨, "雨（二）", 门, "门（一）", 雨, "门（二）", 门), None),
    ],
)
def test_frames_and_numerals_of_every_kind_count_up(
    lines: tuple[str, ...], expected: list[str] | None
) -> None:
    plan = text(*lines)
    assert titles(plan) == (list(lines[::2]) if expected is None else expected)


def test_a_part_in_the_line_of_its_chapter_is_said_and_its_numbers_begin_anew() -> None:
    plan = text("1부 1장 비", 비, "1부 2장 문", 문, "2부 1장 배", 비)
    assert under(plan) == [("비", ("under “1부”",)), ("문", ()), ("배", ("under “2부”",))]
    plan = text("Book One, Chapter 1", RAIN, "Book One, Chapter 2", DOOR)
    assert under(plan) == [
        ("Book One, Chapter 1", ("under “Book One”",)),
        ("Book One, Chapter 2", ()),
    ]


def test_a_book_may_have_books_parts_and_chapters() -> None:
    part = ("PART ONE", "1", RAIN, "2", DOOR, "PART TWO", "1", SHIP)
    plan = text("BOOK ONE", *part, "BOOK TWO", *part)
    assert titles(plan) == ["Chapter 1", "Chapter 2", "Chapter 1"] * 2
    assert plan.chapters_to_import[0].notes == ("under “BOOK ONE”", "under “PART ONE”")


def test_titles_in_capitals_may_ask_and_exclaim() -> None:
    plan = text("THE STOVE", RAIN, "WHO IS THERE?", DOOR, "THE RAIL", SHIP, "HOME!", RAIN)
    assert titles(plan) == ["THE STOVE", "WHO IS THERE?", "THE RAIL", "HOME!"]
    assert plan.sureness == "guess"


@pytest.mark.parametrize(
    ("contents", "heads"),
    [
        ("Contents\n\nThe Stove .... 1\nA dog is gone .... 7\nOut at sea 9", 0),
        ("Contents\n\nThe Stove\n\nA dog is gone\n\nOut at sea", 1),
    ],
)
def test_lines_that_the_contents_name_are_the_headings(contents: str, heads: int) -> None:
    sections = (("1", RAIN, "2", DOOR), (RAIN, DOOR))[heads]
    lines = ("The Stove", *sections, "A dog is gone", *sections, "Out at sea", SHIP, RAIN)
    plan = text(contents, *lines)
    assert titles(plan) == ["The Stove", "A dog is gone", "Out at sea"]
    assert [c.notes for c in plan.chapters if not c.included] == [("a list of contents",)]


def test_titles_above_titles_in_the_contents_are_parts() -> None:
    lines = ("THE FIRST DAY", "RAIN", RAIN, "THE SECOND DAY", "A DOOR", DOOR)
    plan = text("Contents", *(line for line in lines if line.isupper()), *lines)
    assert under(plan) == [
        ("RAIN", ("under “THE FIRST DAY”",)),
        ("A DOOR", ("under “THE SECOND DAY”",)),
    ]


def test_titles_that_alone_stand_between_blank_lines_are_a_guess() -> None:
    heads = ("두 친구", "홍경애", "순진? 야심?", "새 누이동생")
    lines = [f"{head}\n\n" + "\n".join([비, 문] * 4) for head in heads]
    plan = detect("배\n\n염 상 섭\n\n" + "\n\n".join(lines) + "\n", "배.txt")
    assert titles(plan) == list(heads)
    assert plan.sureness == "guess"
    runs = "\n\n".join("\n".join([비, 문] * 4) for _ in heads)
    assert len(titles(detect(f"배\n\n{runs}\n", "배.txt"))) == 1


def test_what_a_library_writes_around_a_text_is_a_row_left_out() -> None:
    plan = text(
        "The Project Gutenberg EBook of Rain",
        "*** START OF THIS PROJECT GUTENBERG EBOOK RAIN ***",
        *("CHAPTER I", RAIN, "FOOTNOTES:", "[1] A stove.", "CHAPTER II", DOOR),
        "End of the Project Gutenberg EBook of Rain",
        *("*** END OF THIS PROJECT GUTENBERG EBOOK RAIN ***", "Section 1.", SHIP),
    )
    assert titles(plan) == ["CHAPTER I", "CHAPTER II"]
    assert "[1] A stove." in plan.chapters_to_import[0].text
    left = [c.notes for c in plan.chapters if not c.included]
    assert left == [("words of the library that gave the text out",)] * 2


@pytest.mark.parametrize("name", ["Acknowledgments", "About the Author", "감사의 말", "版权信息"])
def test_pages_that_are_no_chapter_by_their_name_are_rows_left_out(name: str) -> None:
    plan = text("Chapter 1", RAIN, "Chapter 2", DOOR, name, SHIP)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert plan.chapters[-1].notes == ("no chapter, by its name",)


def test_extras_by_any_name_are_chapters_of_their_own() -> None:
    extras = ("番外 雨夜", "番外之二 灯", "番外篇（三）", "特别番外", "大结局", "完本感言")
    plan = text("第一章 雨", 雨, "第二章 门", 门, *(line for head in extras for line in (head, 雨)))
    assert titles(plan) == ["雨", "门", *extras]


def test_headings_of_scenes_are_scene_breaks_and_are_said() -> None:
    plan = text(
        *("# Part One", "## The Stove", "### dawn", RAIN, "### noon", DOOR),
        *("## The Yard", "### night", SHIP),
    )
    assert titles(plan) == ["The Stove", "The Yard"]
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [2, 1]
    assert "titles of scenes that stay behind: 2" in plan.chapters_to_import[0].notes
    plan = text("# Chapter 1", "## Dawn", RAIN, "## Noon", DOOR, "# Chapter 2", "## Night", SHIP)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]


def test_a_couplet_stays_as_it_is_written() -> None:
    heads = ("雨夜归人不点灯", "开门见犬已无踪")
    pairs = [(f"第{n}回", *heads, 雨, 门) for n in "一二三"]
    assert titles(text(*(line for lines in pairs for line in lines))) == ["\u3000".join(heads)] * 3
    plan = text(*(f"第{n}回　{heads[0]}　{heads[1]}\n\n{雨}" for n in "一二"))
    assert titles(plan) == ["\u3000".join(heads)] * 2
    assert "\u3000" in plan.chapters_to_import[0].text.partition("\n")[0]


def test_lines_below_nearly_all_numbers_are_titles_whatever_they_end_with() -> None:
    ends = ("was lost.", "came home.", "broke down at last.", "grew cold.", "spoke.", "ran.")
    rows = [
        (f"CHAPTER {n}.", f"How the dog {end}", f"{RAIN} {DOOR}") for n, end in enumerate(ends, 1)
    ]
    plan = text(*(line for row in rows for line in row))
    assert titles(plan) == [f"How the dog {end[:-1]}" for end in ends]


def test_a_heading_between_lines_is_one() -> None:
    plan = detect(f"-----\nChapter 1\n-----\n\n{RAIN}\n\n-----\nChapter 2\n-----\n\n{DOOR}\n")
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [1, 1]


def test_a_sentence_in_a_run_of_headings_is_one_and_is_said_to_be_in_doubt() -> None:
    plan = text("第一章 门", 雨, "第二章 我回来了。", 门, "第三章 雨", 雨)
    assert titles(plan) == ["门", "我回来了。", "雨"]
    assert (plan.chapters_to_import[1].sureness, plan.chapters_to_import[1].notes) == (
        "guess",
        ("its heading may be a sentence",),
    )


def test_a_sentence_that_begins_like_a_heading_stays_prose_where_nothing_is_missing() -> None:
    plan = text("제1장 비", 비, "제2장은 어려웠다.", 문, "제2장 문", 문, "제3장 배", 비)
    assert titles(plan) == ["비", "문", "배"]
    assert "제2장은 어려웠다." in plan.chapters_to_import[0].text


def test_a_list_inside_a_chapter_makes_no_chapters() -> None:
    plan = text("Chapter 1", RAIN, "1. Bread.", "2. Lamp oil.", "3. A dog.", "Chapter 2", DOOR)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]


# Levels by use


@pytest.mark.parametrize(
    "lines",
    [
        ("PART ONE", "1", RAIN, "2", DOOR, "PART TWO", "1", SHIP, "2", RAIN),
        ("# Part One", "## I", RAIN, "## II", DOOR, "# Part Two", "## I", SHIP, "## II", RAIN),
        ("I", "1", RAIN, "2", DOOR, "II", "1", SHIP, "2", RAIN),
    ],
)
def test_numbers_that_begin_anew_below_each_part_are_the_chapters(lines: tuple[str, ...]) -> None:
    plan = text(*lines)
    assert titles(plan) == ["Chapter 1", "Chapter 2", "Chapter 1", "Chapter 2"]
    assert [chapter.label for chapter in plan.chapters_to_import] == ["1", "2", "1", "2"]
    notes = [chapter.notes for chapter in plan.chapters_to_import]
    assert (notes[1], notes[3]) == ((), ())
    assert all(said.startswith("under “") for said in (*notes[0], *notes[2]))


@pytest.mark.parametrize(
    ("first", "second"),
    [("Part One: Rain", "Part Two: Ships"), ("Rain", "Ships"), ("제1부 비", "제2부 배")],
)
def test_headings_with_nothing_of_their_own_are_parts(first: str, second: str) -> None:
    plan = text(
        *(f"# {first}", "## The Stove", RAIN, "## The Yard", DOOR),
        *(f"# {second}", "## The Rail", SHIP, "## The Quay", RAIN),
    )
    assert titles(plan) == ["The Stove", "The Yard", "The Rail", "The Quay"]
    assert plan.chapters_to_import[0].notes == (f"under “{first}”",)
    assert plan.chapters_to_import[2].notes == (f"under “{second}”",)


def test_sections_inside_a_chapter_with_its_word_are_no_chapters() -> None:
    plan = text("Chapter One", "1", RAIN, "2", DOOR, "Chapter Two", "1", SHIP, "2", RAIN)
    assert titles(plan) == ["Chapter One", "Chapter Two"]


def test_a_collection_is_parted_at_its_pieces_though_some_have_numbered_sections() -> None:
    plan = text(
        *("# The Stove", "I", RAIN, "II", DOOR, "# The Yard", SHIP),
        *("# The Rail", RAIN, "# The Quay", "I", DOOR, "II", SHIP),
    )
    assert titles(plan) == ["The Stove", "The Yard", "The Rail", "The Quay"]


# Titles on the second line


@pytest.mark.parametrize(
    ("heads", "titled"),
    [
        (("1", "2", "3"), ("The Stove", "Who Is There?", "Gone!")),
        (("I", "II", "III"), ("The Stove", "THE YARD AND ITS DOG.", "Gone!")),
    ],
)
def test_the_second_line_is_the_title_whatever_it_ends_with(
    heads: tuple[str, ...], titled: tuple[str, ...]
) -> None:
    lines = [
        line
        for head, title in zip(heads, titled, strict=True)
        for line in (head, title, RAIN, DOOR)
    ]
    plan = text(*lines)
    assert titles(plan) == [title.rstrip(".") for title in titled]
    assert all(RAIN in chapter.text for chapter in plan.chapters_to_import)


def test_korean_and_chinese_titles_on_the_second_line_are_found_too() -> None:
    korean = text("1장", "비", 비, 문, "2장", "거기 누구세요?", 문, 비, "3장", "어서 와!", 비, 문)
    assert titles(korean) == ["비", "거기 누구세요?", "어서 와!"]
    chinese = text("第一章", "雨", 雨, 门, "第二章", "谁在那里？", 门, 雨)
    assert titles(chinese) == ["雨", "谁在那里？"]


_OLD = (
    "灯下老人补网",
    "海上孤舟遇雨",
    "堤边少年拾信",
    "城中旧友还刀",
    "桥头晚市说书",
    "山前两路分兵",
)
_TOLD = (雨 * 3, 门 * 5, 雨 * 2, 门, 雨 * 4)


def test_titles_of_one_length_below_the_headings_need_no_empty_line_around_them() -> None:
    lines = [
        line
        for number, title in zip("一二三四五六", _OLD, strict=True)
        for line in (f"第{number}回", title, *_TOLD)
    ]
    plan = detect("\n".join(lines) + "\n", "house.txt")
    assert titles(plan) == [*_OLD]
    assert all(c.text.count(c.title) == 1 for c in plan.chapters_to_import)


def test_first_sentences_of_any_length_below_the_headings_stay_in_the_text() -> None:
    firsts = (
        "雨停了",
        "门外站着两个人",
        "他没有回头",
        "城里来了信",
        "谁也没说话，灯灭了",
        "她笑了",
    )
    lines = [
        line
        for number, first in zip("一二三四五六", firsts, strict=True)
        for line in (f"第{number}回", first, *_TOLD)
    ]
    plan = detect("\n".join(lines) + "\n", "house.txt")
    assert all(first in c.text for first, c in zip(firsts, plan.chapters_to_import, strict=True))


def test_speech_below_a_number_is_no_title() -> None:
    plan = text("1", "“Wake up!”", RAIN, "2", "“Come in!”", DOOR)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]


# Chapters of their own kind, and notes to readers


def test_a_prologue_and_extras_keep_their_names_as_labels_and_take_no_number() -> None:
    plan = text("프롤로그", 비, "1화", 문, "2화", 비, "외전 1화", 문, "완결 후기", 비)
    labels = [chapter.label for chapter in plan.chapters_to_import]
    assert labels == ["프롤로그", "1", "2", "외전 1화", "완결 후기"]


@pytest.mark.parametrize(
    ("head", "words", "note"),
    [
        ("작가의 말", "오늘도 고맙습니다.", "오늘도 고맙습니다."),
        ("【作者有话说】求收藏！", "谢谢大家。", "求收藏！\n\n谢谢大家。"),
        ("Author's Note", "Thank you all.", "Thank you all."),
    ],
)
def test_a_note_to_the_readers_belongs_to_the_chapter_before(
    head: str, words: str, note: str
) -> None:
    plan = text("Chapter 1", RAIN, head, words, "Chapter 2", DOOR)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    first = plan.chapters_to_import[0]
    assert [p.text for p in first.paragraphs] == [RAIN]
    assert first.author_note == note
    assert first.text == f"# Chapter 1\n\n{RAIN}\n"


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_a_note_to_the_readers_comes_into_the_field_for_it(tmp_path: Path, kind: str) -> None:
    lines = ("프롤로그", 비, "1화", 문, "작가의 말", "다음 화는 금요일!", "2화", 비)
    (tmp_path / "길.txt").write_text("\n\n".join(lines) + "\n", "utf-8")
    for _ in range(2):  # the same import again adds nothing
        studio("import", tmp_path / "길.txt", "--into", tmp_path / "길", "--as", kind, "--yes")
        book = ProjectStore(tmp_path / "길")
        assert [book.author_note(n) for n in (1, 2, 3)] == [None, "다음 화는 금요일!\n", None]
        assert [p.name for p in (tmp_path / "길/notes/author").iterdir()] == ["c002.md"]
        texts = [*(tmp_path / "길/chapters").glob("*"), *(tmp_path / "길/imports").glob("*.md")]
        assert len(texts) == 3
        assert not any("금요일" in file.read_text("utf-8") for file in texts)
    assert studio("verify", "--project", tmp_path / "길").code == 0
    out = studio("export", "--project", tmp_path / "길", "--format", "txt", "-o", "-").out
    assert "금요일" not in out


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_a_chapter_that_an_earlier_import_gave_its_note_in_a_comment_is_known_again(
    kind: str, tmp_path: Path
) -> None:
    """The file stays as it is, and the words are in the field for them as well."""
    book, source = tmp_path / "길", tmp_path / "길.txt"
    former = f"# 2화\n\n{문}\n\n<!-- 작가의 말\n\n다음 화는 금요일! -->\n"
    source.write_text(f"1화\n\n{비}\n\n2화\n\n{former.partition('# 2화')[2].strip()}\n", "utf-8")
    studio("import", source, "--into", book, "--as", kind, "--yes")
    folder = book / ("imports" if kind == "drafts" else "chapters")
    assert (folder / "chapter-002.md").read_text("utf-8") == former
    lines = ("1화", 비, "2화", 문, "작가의 말", "다음 화는 금요일!")
    source.write_text("\n\n".join(lines) + "\n", "utf-8")
    again = studio("import", source, "--into", book, "--as", kind, "--yes")
    assert again.code == 0, again.err
    assert [file.name for file in sorted(folder.glob("*.md"))] == [
        "chapter-001.md",
        "chapter-002.md",
    ]
    assert (folder / "chapter-002.md").read_text("utf-8") == former
    assert ProjectStore(book).author_note(2) == "다음 화는 금요일!\n"


def test_a_note_that_the_author_wrote_before_the_import_stays(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text(f"1화\n\n{비}\n", "utf-8")
    (tmp_path / "2.txt").write_text(f"2화\n\n{문}\n\n작가의 말: 다음 화는 금요일!\n", "utf-8")
    book = tmp_path / "길"
    studio("import", tmp_path / "1.txt", "--into", book, "--as", "committed", "--yes")
    (book / "notes/author").mkdir(parents=True)
    (book / "notes/author/c002.md").write_text("기다려 주세요.\n", "utf-8")
    studio("import", tmp_path / "2.txt", "--into", book, "--as", "committed", "--yes")
    assert ProjectStore(book).author_note(2) == "기다려 주세요.\n\n다음 화는 금요일!\n"


# Markdown of other programs


# Centred titles, dates, couplets and notes at the foot  # req: K6

배 = "배는 늘 있던 자리에 있었고 난간에는 손을 흔드는 사람이 없었다."
船 = "船停在老地方，栏杆边没有人挥手。"
TELLING = {"en": (RAIN, DOOR, SHIP), "ko": (비, 문, 배), "zh": (雨, 门, 船)}
PIECES = {
    "en": ("The Stove", "The Yard", "The Rail", "Home Again"),
    "ko": ("난로", "마당", "난간", "다시 집으로"),
    "zh": ("雨夜", "旧门", "栏杆边", "回家"),
}


def pieces(language: str, heads: Sequence[str], separator: str = "\n\n", lead: str = "") -> str:
    """Pieces of six paragraphs, each below a line of its own."""
    lines: list[str] = []
    for number, head in enumerate(heads):
        lines += [head, *(lead + TELLING[language][(number + i) % 3] for i in range(6))]
    return separator.join(lines) + "\n"


@pytest.mark.parametrize("separator", ["\n\n", "\n"])
@pytest.mark.parametrize("blanks", ["\u3000" * 6, " " * 20, "\t\t"])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_short_lines_set_far_in_are_titles_and_a_guess(
    language: str, blanks: str, separator: str
) -> None:
    heads = [blanks + title for title in PIECES[language]]
    plan = detect(pieces(language, heads, separator, "\u3000\u3000"), "house.txt")
    assert titles(plan) == list(PIECES[language])
    assert [len(chapter.paragraphs) for chapter in plan.chapters_to_import] == [6] * 4
    assert plan.sureness == "guess"
    assert [kind.key for kind in plan.kinds][:1] == ["centred"]


def test_centred_titles_part_a_collection_whose_pieces_have_numbers_or_chapters() -> None:
    """And a date in brackets at the end of a piece is its last line."""
    far = "\u3000" * 8
    one, two, three, four = (far + title for title in PIECES["zh"])
    inside = (far + "一", 雨, far + "二", 门)
    chapters = ("第一章　序", 雨, "第二章　船", 船)
    signed = far + "（一九二〇年三月）"
    plan = text(one, *inside, signed, two, 船, 雨, three, *chapters, four, 雨, 门)
    assert titles(plan) == list(PIECES["zh"])
    assert "（一九二〇年三月）" in plan.chapters_to_import[0].text


def test_the_tune_of_a_poem_below_each_heading_makes_no_chapter() -> None:
    tunes = ("如梦令", "思佳客", "重叠金")
    heads = [f"第{n}回　雨夜归人不点灯　开门见犬已无踪" for n in "一二三"]
    lines = [
        line
        for head, tune in zip(heads, tunes, strict=True)
        for line in (
            head,
            "　　词曰：",
            "　　" + 雨,
            f"　　　　右调《{tune}》",
            "　　" + 门,
            "　　" + 船,
        )
    ]
    plan = detect("\n".join(lines) + "\n", "雨.txt")
    assert [chapter.number for chapter in plan.chapters_to_import] == [1, 2, 3]
    assert plan.sureness == "sure"
    assert all(tune in plan.chapters_to_import[at].text for at, tune in enumerate(tunes))


def test_verse_and_signatures_set_far_in_make_no_chapters() -> None:
    verse = [
        " " * 20 + line for line in ("The rain came down", "and the dog lay still", "so still")
    ]
    letter = (" " * 30 + "Ines",)
    plan = text("1", RAIN, *verse, DOOR, *letter, "2", SHIP, *letter, "3", RAIN, *verse, DOOR)
    assert [chapter.number for chapter in plan.chapters_to_import] == [1, 2, 3]
    long = (*[RAIN, DOOR, SHIP] * 4, *letter, *[RAIN, DOOR] * 3, *letter, SHIP, DOOR, *letter, RAIN)
    assert len(text(*long).chapters_to_import) == 1


DATES = [
    ("en", ("3 May", "4 May", "8 May", "1 June")),
    ("en", ("3 May. Ferry End", "4 May", "8 May", "1 June")),
    ("en", ("Monday, March 4th", "Tuesday, March 5th", "Friday, March 8th", "Monday, April 1st")),
    ("en", ("Ferry End, 3 May 1893", "Salt Road, 9 May 1893", "Ferry End, 1 June 1893")),
    ("en", ("Monday, 8 a.m.", "Monday, 9 p.m.", "Tuesday, noon")),
    ("ko", ("3월 4일 월요일 맑음", "3월 5일 화요일 흐림", "3월 9일 토요일 비")),
    ("ko", ("1912년 3월 4일", "1912년 3월 5일", "1912년 4월 1일")),
    ("ko", ("2024. 3. 4. (월)", "2024. 3. 5. (화)", "2024. 4. 1. (월)")),
    ("zh", ("三月四日　晴", "三月五日　阴", "四月一日　雨")),
    ("zh", ("1912年3月4日 星期一 晴", "1912年3月5日 星期二 阴", "1912年4月1日 雨")),
    ("zh", ("正月初一", "正月十五", "腊月廿三")),
]


@pytest.mark.parametrize("separator", ["\n\n", "\n"])
@pytest.mark.parametrize(("language", "dates"), DATES)
def test_the_entries_of_a_diary_are_its_chapters(
    language: str, dates: tuple[str, ...], separator: str
) -> None:
    plan = detect(pieces(language, dates, separator), "diary.txt")
    assert titles(plan) == list(dates)
    assert not any(chapter.label for chapter in plan.chapters_to_import)


@pytest.mark.parametrize(("language", "dates"), DATES)
def test_dates_inside_of_chapters_stay_in_the_text(language: str, dates: tuple[str, ...]) -> None:
    """A journal's dates head scenes, whatever heads the chapters; no line of them is lost."""
    word = {"en": "Chapter {}", "ko": "제{}장", "zh": "第{}章"}[language]
    prose = TELLING[language]
    for head in (word, "{}", "# House {}"):
        lines: list[str] = []
        for number, date in enumerate((*dates, *dates)):
            lines += [head.format(number // 2 + 1)] if number % 2 == 0 else []
            lines += [date, prose[number % 3], prose[(number + 1) % 3]]
        plan = text(*lines)
        assert len(plan.chapters_to_import) == len(dates), head
        stays = [p.text for chapter in plan.chapters_to_import for p in chapter.paragraphs]
        assert [line for line in stays if line in dates] == [*dates, *dates], head


def test_letters_amid_a_text_without_headings_part_nothing() -> None:
    letters = (("3 May", RAIN), ("9 May", DOOR), ("1 June", SHIP))
    plan = text(*[RAIN, DOOR, SHIP] * 5, *(line for letter in letters for line in letter), DOOR)
    assert len(plan.chapters_to_import) == 1


COUPLETS = (("望成名學童苦讀書", "講舊事鄉老勸後生"), ("錢典史同船說趣話", "趙秀才落第受人欺"))
TOLD = ("話說城南三十里地方，原有一個村莊。", "卻說那日天色已晚，眾人各自回家，一夜無話。")


@pytest.mark.parametrize("separator", ["\n\n", "\n"])
@pytest.mark.parametrize(
    "head",
    [
        "第{n}回　{a}　{b}",
        "第{n}回{a}　{b}",
        "第{n}回\n{a}　{b}",
        "第{n}回\n{a}\n{b}",
        "第{n}回　{a}\n{b}",
        "第{n}回　{a}\n　　　　　{b}",
        "第{n}回\n{a}，{b}。",
    ],
)
def test_a_couplet_is_one_title_on_whichever_lines_it_stands(head: str, separator: str) -> None:
    for between in {separator, "\n"}:  # the lines of the heading apart, or one below the other
        lines: list[str] = []
        for number, (a, b) in zip("一二三四", COUPLETS * 2, strict=True):
            lines.append(head.format(n=number, a=a, b=b).replace("\n", between))
            lines += [f"　　{line}" for line in TOLD * 5]
        plan = detect(separator.join(lines) + "\n", "officials.txt")
        joined = ["".join(c for c in title if c.isalpha()) for title in titles(plan)]
        assert joined == [a + b for a, b in COUPLETS * 2]
        assert [len(chapter.paragraphs) for chapter in plan.chapters_to_import] == [10] * 4
        assert [chapter.label for chapter in plan.chapters_to_import] == ["1", "2", "3", "4"]


GLOSSES = {
    "en": ("The stove was of iron.", "A dog of the smaller kind.", "Painted twice a year."),
    "ko": ("난로는 주철로 만든 것이다.", "작은 품종의 개.", "해마다 두 번 칠했다."),
    "zh": ("炉子是铸铁的。", "一种小狗。", "栏杆每年漆两次。"),
}


@pytest.mark.sweep
@pytest.mark.parametrize("sign", ["[{}] ", "{} ", "{}. ", "{}) ", "〔{}〕", "*{} "])
@pytest.mark.parametrize("head", ["# {}", "{n}"])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("count", [1, 3])
def test_notes_at_the_foot_of_each_piece_are_no_headings(
    language: str, head: str, sign: str, count: int
) -> None:
    lines: list[str] = []
    for number, title in enumerate(PIECES[language], start=1):
        marks = [sign.format(note).strip() for note in range(1, count + 1)]
        prose = [*TELLING[language], TELLING[language][0]]
        marked = [f"{p[:-1]}{m}{p[-1]}" for p, m in zip(prose, marks, strict=False)]
        notes = [sign.format(n) + GLOSSES[language][n - 1] for n in range(1, count + 1)]
        lines += [head.format(title, n=number), *marked, *prose[count:], *notes]
    plan = text(*lines)
    assert len(plan.chapters_to_import) == 4
    for chapter in plan.chapters_to_import:
        assert [p.text for p in chapter.paragraphs][-count:] == notes


def test_a_list_of_contents_with_parts_is_no_list_of_notes() -> None:
    contents = ("Part One", "1. The Stove", "2. The Yard", "Part Two", "1. The Rail", "2. The Ship")
    book = [
        line for head in contents for line in ((head,) if "Part" in head else (head, RAIN, DOOR))
    ]
    plan = text(*contents, *book)
    assert titles(plan) == ["The Stove", "The Yard", "The Rail", "The Ship"]


@pytest.mark.parametrize(
    ("line", "title", "label"),
    [
        ("# 3. The Rail", "The Rail", "3"),
        ("## 12) 난간", "난간", "12"),
        ("# 3、栏杆边", "栏杆边", "3"),
        ("# 3 Days in May", "3 Days in May", ""),
        ("# 1984: A Year", "1984: A Year", ""),
    ],
)
def test_the_number_of_a_file_of_one_chapter_is_its_label(
    line: str, title: str, label: str
) -> None:
    (chapter,) = text(line, RAIN, DOOR).chapters_to_import
    assert (chapter.title, chapter.label) == (title, label)


def test_underlines_attributes_and_escaped_ornaments_are_read_as_pandoc_writes_them() -> None:
    plan = detect(
        f"The Stove\n---------\n\n{RAIN}\n\n\\* \\* \\*\n\n{DOOR}\n\n"
        f"The Yard {{#yard}}\n---\n\n{SHIP}\n\n*\u00a0*\u00a0*\n\n{RAIN}\n\n{DOOR}\n",
        "house.md",
    )
    assert titles(plan) == ["The Stove", "The Yard"]
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [2, 2]


def test_attributes_of_pandoc_are_no_part_of_a_title() -> None:
    plan = text("# The Stove {#stove}", RAIN, "# Chapter 2 {#chapter-2 .unnumbered}", DOOR)
    assert titles(plan) == ["The Stove", "Chapter 2"]


@pytest.mark.parametrize("mark", ["\\*\\*\\*", "\\* \\* \\*", "*\u00a0*\u00a0*"])
@pytest.mark.parametrize("name", ["house.md", "house.txt"])
def test_an_ornament_is_one_however_it_is_written(mark: str, name: str) -> None:
    plan = detect(f"Chapter 1\n\n{RAIN}\n\n{mark}\n\n{DOOR}\n\nChapter 2\n\n{SHIP}\n", name)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [2, 1]


def test_dashes_below_a_sentence_are_a_scene_break() -> None:
    plan = detect(f"# One\n\n{RAIN}\n---\n\n{DOOR}\n")
    assert [len(chapter.scenes) for chapter in plan.chapters_to_import] == [2]


# Files that are nobody's, and Longform


def test_what_is_nobodys_in_a_folder_is_named_and_skipped(tmp_path: Path) -> None:
    (tmp_path / "01 Stove.md").write_text(RAIN, "utf-8")
    (tmp_path / "02 Yard.md").write_text(DOOR, "utf-8")
    (tmp_path / "03 Empty.md").write_text("---\ntags: [x]\n---\n", "utf-8")
    (tmp_path / "~$ Yard.docx").write_bytes(b"\x04Ines".ljust(162, b"\0"))
    (tmp_path / "02 Yard (Ines's conflicted copy 2026-11-20).md").write_text(SHIP, "utf-8")
    (tmp_path / "04 Rail.odt.txt").write_bytes(b"%PDF-1.4")
    (tmp_path / "05 Quay.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    no_text = ("scene.fountain", "Board.canvas", "Notes.base", "plan.opml", ".DS_Store", "map.png")
    for name in (*no_text, "01 Stove.md.bak"):
        (tmp_path / name).write_text("INT. YARD - NIGHT\n\nINES\nWho is there?\n", "utf-8")
    (tmp_path / "06 Link.md").symlink_to("01 Stove.md")
    plan, sources = plan_import([tmp_path])
    assert titles(plan) == ["Stove", "Yard"]
    assert len(sources) >= 2
    said = "\n".join(plan.notes)
    for name in ("~$ Yard.docx", "conflicted copy", "03 Empty.md", "04 Rail", "05 Quay.doc"):
        assert name in said
    assert all(name in said for name in (*no_text, "01 Stove.md.bak", "06 Link.md"))


def test_of_many_files_that_are_no_texts_some_are_named_and_all_are_counted(tmp_path: Path) -> None:
    (tmp_path / "01 Stove.md").write_text(RAIN, "utf-8")
    for n in range(20):
        (tmp_path / f"{n}.jpg").write_bytes(b"\xff\xd8\xff")
    notes = plan_import([tmp_path])[0].notes
    assert notes == (
        "Skipped, because these are no texts: 0.jpg, 1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, 6.jpg, "
        "7.jpg and 12 more.",
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rain.fountain", "a screenplay (Fountain)"),
        ("Board.canvas", "a canvas of Obsidian"),
        ("Notes.base", "a view of Obsidian's notes (.base)"),
        ("~$rain.docx", "the lock of a text that a program has open"),
    ],
)
def test_a_file_that_holds_no_prose_is_refused_in_a_sentence(
    tmp_path: Path, name: str, kind: str
) -> None:
    (tmp_path / name).write_text("INT. YARD - NIGHT\n\nINES\nWho is there?\n", "utf-8")
    ended = studio("import", tmp_path / name, "--into", tmp_path / "n", "--yes")
    assert (ended.code, (tmp_path / "n").exists()) == (2, False)
    assert f"{name} is {kind} and no manuscript; it was not opened." in ended.err


def test_a_longform_project_comes_in_as_its_index_says(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    for name, words in [
        ("Arrival", RAIN),
        ("Crossing", DOOR),
        ("Gangway", SHIP),
        ("Ideas 1", RAIN),
    ]:
        (tmp_path / f"{name}.md").write_text(words, "utf-8")
    (tmp_path / "Index.md").write_text(
        "---\nlongform:\n  format: scenes\n  title: House\n  sceneFolder: /\n  scenes:\n"
        "    - Crossing\n    -   - Gangway\n    - Arrival\n    - Lost\n"
        "  ignoredFiles:\n    - Ideas*\n---\n",
        "utf-8",
    )
    plan = plan_import([tmp_path])[0]
    assert [(c.title, len(c.scenes)) for c in plan.chapters_to_import] == [
        ("Crossing", 2),
        ("Arrival", 1),
    ]
    said = "\n".join(plan.notes)
    assert "Ideas 1.md" in said
    assert "Lost" in said


def test_a_merge_that_is_open_in_a_text_is_said(tmp_path: Path) -> None:
    file = tmp_path / "house.md"
    file.write_text(f"# One\n\n<<<<<<< HEAD\n{RAIN}\n=======\n{DOOR}\n>>>>>>> b\n", "utf-8")
    assert any("conflict markers" in note for note in plan_import([file])[0].notes)


# E-books


def page(kind: str, inside: str) -> str:
    return f'<section epub:type="{kind}">{inside}</section>'


def test_front_and_back_matter_is_what_the_ebook_says() -> None:
    long = f"<p>{RAIN} {DOOR}</p>" * 12
    pages = {
        "a.xhtml": page("imprint", f"<h2>Imprint</h2>{long}"),
        "b.xhtml": page("chapter", f"<h2>1</h2><p>{RAIN}</p>"),
        "c.xhtml": page("chapter", f"<h2>2</h2><p>{DOOR}</p>"),
        "d.xhtml": page("colophon", f"<h2>Colophon</h2>{long}"),
    }
    source = source_of(own.ebook_of(pages, list(pages)), "house.epub")
    plan = detect(source.decoded.text, "house.epub", roles=source.roles)
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert [row.title for row in plan.chapters if not row.included] == ["Imprint", "Colophon"]


def ebook_plan(pages: dict[str, str], contents: str = "") -> ImportPlan:
    """The plan of an e-book of version 3 whose pages have these bodies; `contents` names the page
    that has the list of contents among others."""
    items = "".join(
        f'<item id="{file}" href="{file}" media-type="application/xhtml+xml"'
        + (' properties="nav"/>' if file == contents else "/>")
        for file in pages
    )
    spine = "".join(f'<itemref idref="{file}"/>' for file in pages)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", own.CONTAINER)
        archive.writestr(
            "OPS/book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for file, body in pages.items():
            archive.writestr(f"OPS/{file}", f"<html><body>{body}</body></html>")
    source = source_of(data.getvalue(), "book.epub")
    plan = detect(source.decoded.text, source.name, None, source.roles)
    return replace(plan, notes=source.left)


def section(head: str, body: str, kind: str = "chapter") -> str:
    return f'<section epub:type="{kind}"><h2>{head}</h2>{body}</section>'


PROSE = f"<p>{RAIN}</p><p>{DOOR}</p>"


def test_of_a_switch_of_an_ebook_only_the_default_comes_in() -> None:
    switch = (
        '<epub:switch><epub:case required-namespace="x"><p>A case.</p></epub:case>'
        "<epub:default><p>A default.</p></epub:default></epub:switch>"
    )
    plan = ebook_plan({"a.xhtml": section("1", f"{PROSE}{switch}"), "b.xhtml": section("2", PROSE)})
    text_of_first = plan.chapters_to_import[0].text
    assert ("A default." in text_of_first, "A case." in text_of_first) == (True, False)
    assert plan.notes == ("Parts of book.epub in another format that stay behind: 1.",)


def test_a_page_of_contents_in_the_reading_order_is_named_and_loses_no_chapter() -> None:
    nav = '<nav epub:type="toc"><h1>Contents</h1><ol><li><a href="a.xhtml">1</a></li></ol></nav>'
    pages = {"a.xhtml": section("1", PROSE), "b.xhtml": section("2", PROSE)}
    plan = ebook_plan({"nav.xhtml": nav, **pages}, contents="nav.xhtml")
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert plan.notes == (
        "Pages of book.epub that are its cover, title or contents and stay behind: 1.",
    )
    whole = ebook_plan({**pages, "a.xhtml": nav + pages["a.xhtml"]}, contents="a.xhtml")
    assert titles(whole) == ["Chapter 1", "Chapter 2"]


def test_numbers_begin_anew_below_what_an_ebook_marks_as_a_part() -> None:
    first = section("The Stove", section("I", PROSE) + section("II", PROSE), "part")
    second = section("The Yard", section("I", PROSE), "part")
    plan = ebook_plan({"a.xhtml": first, "b.xhtml": second})
    assert titles(plan) == ["Chapter 1", "Chapter 2", "Chapter 1"]
    notes = [chapter.notes for chapter in plan.chapters_to_import]
    assert notes == [("under “The Stove”",), (), ("under “The Yard”",)]


def test_a_paragraph_with_notes_is_no_title_and_links_back_are_no_words() -> None:
    refers = '<p>It rained.<a epub:type="noteref" href="n.xhtml#{0}">1</a></p>'
    notes = "".join(
        f'<li id="{n}"><p>Note {n}. <a role="doc-backlink" href="a.xhtml">↩︎</a></p></li>'
        for n in ("n1", "n2")
    )
    plan = ebook_plan(
        {
            "a.xhtml": section("1", refers.format("n1")),
            "b.xhtml": section("2", refers.format("n2")),
            "n.xhtml": section("Notes", f"<ol>{notes}</ol>", "endnotes"),
        }
    )
    assert titles(plan) == ["Chapter 1", "Chapter 2"]
    assert plan.chapters_to_import[0].text.endswith("It rained.[^1]\n\n[^1]: Note n1.\n")


def test_a_sentence_of_the_prologue_is_no_title_of_a_chapter() -> None:
    plan = text("Prologue", RAIN, DOOR, "1", RAIN, f"{DOOR} {SHIP}", "2", DOOR, f"{SHIP} {RAIN}")
    assert titles(plan) == ["Prologue", "Chapter 1", "Chapter 2"]


def test_what_an_ebook_marks_as_title_is_the_title() -> None:
    names = ["The Stove", "Who Is There?", "A Quay, Some Travelers, a Dog, and a Rail to Wave From"]
    pages = {
        f"{at}.xhtml": f'<hgroup><h2>{number}</h2><p epub:type="title">{name}</p></hgroup>'
        f"<p>{RAIN}</p>"
        for at, (number, name) in enumerate(zip(("I", "II", "III"), names, strict=True))
    }
    source = source_of(own.ebook_of(pages, list(pages)), "house.epub")
    assert titles(detect(source.decoded.text, "house.epub", roles=source.roles)) == names


# Word


WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(words: str, look: str = "") -> str:
    return f'<w:r>{look}<w:t xml:space="preserve">{words}</w:t></w:r>'


def paragraph(inside: str, style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}{inside}</w:p>"


def word(body: str, styles: str = "") -> str:
    """The text of a document as another program would write it."""
    held = io.BytesIO()
    parts = {
        "word/document.xml": f"<w:document {WORD} {OTHER}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {WORD}>{styles}</w:styles>",
    }
    with (
        zipfile.ZipFile(io.BytesIO(own.word_document(own.ENGLISH[:1]))) as old,
        zipfile.ZipFile(held, "w") as archive,
    ):
        for name in old.namelist():
            archive.writestr(name, parts.get(name) or old.read(name))
    source = source_of(held.getvalue(), "house.docx")
    return "\n".join([source.decoded.text, *source.left])


OTHER = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in [
        ("mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"),
        ("wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"),
        ("v", "urn:schemas-microsoft-com:vml"),
    ]
)
BOX = f"<w:txbxContent>{paragraph(run('inbox'))}</w:txbxContent>"
COMES_IN = [
    (f"<w:sdt><w:sdtContent>{run('incontrol')}</w:sdtContent></w:sdt>", "incontrol"),
    (f"<w:smartTag>{run('insmart')}</w:smartTag>", "insmart"),
    (f'<w:fldSimple w:instr=" REF x ">{run("infield")}</w:fldSimple>', "infield"),
    (f'<w:moveTo w:id="1" w:author="A">{run("inmoved")}</w:moveTo>', "inmoved"),
    (f'<w:bdo w:val="rtl">{run("inreversed")}</w:bdo>', "inreversed"),
    (f'<w:hyperlink w:anchor="x">{run("inlink")}</w:hyperlink>', "inlink"),
    ('<w:r><w:sym w:font="Arial" w:char="6E21"/></w:r>', "渡"),
    (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>{BOX}</wps:txbx>'
        "</w:drawing></mc:Choice></mc:AlternateContent></w:r>",
        "inbox",
    ),
    (
        f"<w:r><mc:AlternateContent><mc:Fallback><w:pict><v:textbox>{BOX}</v:textbox></w:pict>"
        "</mc:Fallback></mc:AlternateContent></w:r>",
        "inbox",
    ),
]
STAYS_BEHIND = [
    (run("outhidden", "<w:rPr><w:vanish/></w:rPr>"), "outhidden", "Hidden passages"),
    (run("outstruck", "<w:rPr><w:strike/></w:rPr>"), "outstruck", "Struck-out passages"),
    (run("outstyled", '<w:rPr><w:rStyle w:val="Secret"/></w:rPr>'), "outstyled", "Hidden passages"),
    (
        "<w:r><w:ruby><w:rt><w:r><w:t>outreading</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t>"
        "</w:r></w:rubyBase></w:ruby></w:r>",
        "outreading",
        "Readings above characters",
    ),
    (f'<w:moveFrom w:id="1" w:author="A">{run("outmoved")}</w:moveFrom>', "outmoved", ""),
]
SECRET = (
    '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/>'
    "<w:rPr><w:vanish/></w:rPr></w:style>"
)


@pytest.mark.parametrize(("inside", "words"), COMES_IN)
def test_words_in_any_shell_of_a_word_document_come_in(inside: str, words: str) -> None:
    assert words in word(paragraph(run("Ines ") + inside + run(" went.")))


@pytest.mark.parametrize(("inside", "words", "said"), STAYS_BEHIND)
def test_what_nobody_sees_of_a_word_document_stays_behind_and_is_named(
    inside: str, words: str, said: str
) -> None:
    read = word(paragraph(run("Ines ") + inside + run(" went.")), SECRET)
    assert words not in read
    assert said in read


def test_the_characters_below_a_reading_stay() -> None:
    ruby = next(inside for inside, _, said in STAYS_BEHIND if said.startswith("Readings"))
    assert "Ines base went." in word(paragraph(run("Ines ") + ruby + run(" went.")))


def test_styles_say_what_is_a_heading_and_what_is_italic() -> None:
    styles = "".join(
        f'<w:style w:type="{kind}" w:styleId="{id_}"><w:name w:val="{id_}"/>{about}</w:style>'
        for kind, id_, about in [
            ("paragraph", "Heading1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
            ("paragraph", "Kopf", '<w:basedOn w:val="Heading1"/>'),
            ("paragraph", "Thought", "<w:rPr><w:i/></w:rPr>"),
            ("character", "Inner", "<w:rPr><w:i/></w:rPr>"),
        ]
    )
    body = (
        paragraph(run("The Stove"), "Kopf")
        + paragraph(run("Nobody comes."), "Thought")
        + paragraph(run("She said ") + run("never", '<w:rPr><w:rStyle w:val="Inner"/></w:rPr>'))
        + '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
        + run("The Yard")
        + "</w:p>"
    )
    assert word(body, styles).split("\n\n")[:4] == [
        "# The Stove",
        "*Nobody comes.*",
        "She said *never*",
        "## The Yard\n",
    ]


def test_an_empty_paragraph_is_a_scene_break_where_few_are_and_none_where_all_have_one() -> None:
    lines = [paragraph(run(words)) for words in (RAIN, DOOR, SHIP, RAIN)]
    rare = word("".join([*lines[:2], "<w:p/>", *lines[2:]]))
    assert f"{DOOR}\n\n* * *\n\n{SHIP}" in rare
    every = word("<w:p/>".join(lines))
    assert "* * *" not in every
    assert "may be scene breaks" not in every
    half = word("".join([lines[0], "<w:p/>", lines[1], lines[2], "<w:p/>", lines[3], lines[0]]))
    assert "Empty paragraphs of house.docx that may be scene breaks and are not: 2." in half


# RTF


def test_the_bytes_of_a_font_are_read_in_its_own_encoding() -> None:
    def hexed(words: str, encoding: str) -> str:
        return "".join(f"\\'{byte:02x}" for byte in words.encode(encoding))

    text = (
        r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset129 B;}"
        r"{\f2\fcharset134 C;}{\f3\fcharset204 D;}}\pard\f1 "
        + hexed(비, "cp949")
        + r"\par\f2 "
        + hexed(雨, "gb18030")
        + r"\par\f3 "
        + hexed("Дождь", "cp1251")
        + r"\par\f0 caf\'e9\par}"
    )
    read = source_of(text.encode("ascii"), "house.rtf").decoded.text
    assert read.split("\n\n") == [비, 雨, "Дождь", "café\n"]


# What the preview says, and how a wrong guess is put right in one go


def test_a_chapter_many_times_as_long_as_the_others_is_said() -> None:
    long = "\n\n".join([RAIN, DOOR, SHIP] * 8)
    plan = text("Chapter 1", RAIN, "Chapter 2", DOOR, "Chapter 3", long, "Chapter 4", SHIP)
    assert [chapter.notes for chapter in plan.chapters_to_import][:2] == [(), ()]
    assert "times as long as most chapters" not in str(plan.chapters_to_import[3].notes)


def test_what_is_in_doubt_is_said_in_one_line_and_joined_in_one_go(tmp_path: Path) -> None:
    lines = ("第一章 门", 雨, "第二章 我回来了。", 门, "第三章 雨", 雨, "第四章 船", *(门,) * 40)
    file = tmp_path / "门.txt"
    file.write_text("\n\n".join(lines) + "\n", "utf-8")
    preview = studio("import", file, "--into", tmp_path / "n", "--dry-run")
    assert "Look at chapters 2, 4." in preview.err
    assert "Where it only goes on with the chapter before: --join 2." in preview.out
    assert "Where a heading was not found: --split" in preview.out
    done = studio("import", file, "--into", tmp_path / "n", "--as", "committed", "--join", "2")
    assert done.code == 0  # nothing is a guess any more
    book = ProjectStore(tmp_path / "n")
    assert book.chapter_numbers() == [1, 2, 3]
    first = book.chapter(1)
    assert first is not None
    assert [p.text for p in first.paragraphs] == [雨, "第二章 我回来了。", 门]
    for wrong in ("1", "9", "x"):
        assert studio("import", file, "--into", tmp_path / "m", "--join", wrong).code == 2


def test_what_is_left_out_between_joined_chapters_stays_so() -> None:
    plan = text("Chapter 1", RAIN, "Dedication", SHIP, "Chapter 2", DOOR)
    fresh = join_chapters(plan, [2])
    assert [chapter.included for chapter in fresh.chapters] == [True, False]
    assert [p.text for p in fresh.chapters[0].paragraphs] == [RAIN, "Chapter 2", DOOR]


def test_the_wrong_lines_are_exchanged_for_others_of_the_text(tmp_path: Path) -> None:
    file = tmp_path / "house.md"
    long = "\n\n".join([RAIN, DOOR, SHIP] * 8)
    lines = ["Chapter 1", RAIN, "Chapter 2", "THE YARD", DOOR, "Chapter 3", "THE RAIL", long]
    file.write_text("\n\n".join(lines), "utf-8")
    ended = studio("import", file, "--into", "n", "--dry-run", "--json", cwd=tmp_path)
    preview = ended.json
    assert [row["title"] for row in preview["chapters"]] == ["Chapter 1", "THE YARD", "THE RAIL"]
    assert "times as long as most chapters" in preview["chapters"][2]["notes"][0]
    assert {kind["key"]: kind["count"] for kind in preview["kinds"]} == {
        "chapter": 3,
        "capitals": 2,
    }
    words = studio("import", file, "--into", "n", "--dry-run", cwd=tmp_path).out
    assert "--headings capitals (2 lines like “THE YARD”)" in words
    again = ("import", file, "--into", "n", "--dry-run", "--json", "--headings")
    rows = studio(*again, "capitals", cwd=tmp_path).json["chapters"]
    assert [row["title"] for row in rows if row["chapter"]] == ["THE YARD", "THE RAIL"]
    wrong = studio(*again, "part", cwd=tmp_path)
    assert wrong.code == 2
    assert "chapter" in wrong.err


# The author's own numbers


@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_the_authors_numbers_and_names_are_the_labels_of_the_chapters(
    tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "house.txt"
    file.write_text("\n\n".join(["프롤로그", 비, "1화", 문, "2화", 비, "외전 1화", 문]), "utf-8")
    ended = studio("import", file, "--into", "n", "--as", kind, "--yes", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "write chapter-001" in ended.out, "1 is what the author calls the second chapter"
    labels = ProjectStore(tmp_path / "n").chapter_list().labels
    assert labels == {1: "프롤로그", 2: "1", 3: "2", 4: "외전 1화"}


def test_chapters_that_are_numbered_like_their_files_need_no_label(tmp_path: Path) -> None:
    file = tmp_path / "house.txt"
    file.write_text("\n\n".join(["1화", 비, "2화", 문]), "utf-8")
    studio("import", file, "--into", "n", "--yes", cwd=tmp_path)
    assert not (tmp_path / "n/state/chapters.json").exists()


# What public books have shown


def test_a_marked_heading_is_one_however_long_it_is() -> None:
    long = "The Reverend Mr. Beech, Miss Marrow, Two Cousins and a Dog Drive Out to See a Fine Ruin"
    plan = text("## Chapter 1: The Stove", RAIN, f"## Chapter 2: {long}", DOOR)
    assert titles(plan) == ["The Stove", long]
    plain = text(
        "Chapter 1: The Stove", RAIN, f"Chapter 2: {long}", DOOR, "Chapter 3: The Rail", SHIP
    )
    assert titles(plain) == ["The Stove", long, "The Rail"]


def test_the_epilogue_is_a_chapter_of_its_own() -> None:
    plan = text("CHAPTER I - THE STOVE", RAIN, "CHAPTER II - THE YARD", DOOR, "THE EPILOGUE", SHIP)
    assert titles(plan) == ["THE STOVE", "THE YARD", "THE EPILOGUE"]


def test_a_list_of_contents_above_a_text_without_headings_makes_no_chapters() -> None:
    plan = text("# 이네스", "[목차]", "1. 난로", "2. 마당", "3. 개", "4. 배", 비, 문, 비)
    assert len(plan.chapters_to_import) == 1
    assert {"1. 난로", "4. 배", 비} <= {p.text for p in plan.chapters_to_import[0].paragraphs}


# What public books have


@pytest.mark.parametrize(
    ("number", "first", "second", "third"),
    [
        ("CHAPTER {}.", "The Stove and her Child.", "The old Yard.", "How Bo left the Rail."),
        ("제{}장", "난로에 불이 꺼졌다.", "마당이 비었다.", "배가 돌아왔다."),
        ("第{}章", "雨一直下着。", "院子空了。", "船回来了。"),
    ],
)
def test_a_line_below_a_number_that_the_contents_list_is_a_title(
    number: str, first: str, second: str, third: str
) -> None:
    """Such titles end as sentences do and are not set as titles are."""
    prose = {"C": RAIN * 3, "제": 비 * 4, "第": 雨 * 6}[number[0]]
    rows = (first, second, third)
    front = "\n".join(f"{n}  {title.rstrip('.。')}    {n * 7}" for n, title in enumerate(rows, 1))
    blocks = [part for n, t in enumerate(rows, 1) for part in (number.format(n), t, prose)]
    assert titles(text(front, *blocks)) == [row.rstrip(".。") for row in rows]
    assert titles(text("A book.", *blocks)) != [row.rstrip(".。") for row in rows]


def test_a_heading_below_a_chapters_number_is_its_title_whatever_it_ends_with() -> None:
    page = "".join(
        f"<h2>CHAPTER {n}.</h2><h3>{title}</h3><p><a href='#c'>ToC</a></p><p>{RAIN * 2}</p>"
        for n, title in enumerate(["The old Stove.", "Was it the Yard?", "Away, and back."], 1)
    )
    plan = detect(source_of(f"<html>{page}</html>".encode(), "a.html").decoded.text, "a.html")
    assert titles(plan) == ["The old Stove", "Was it the Yard?", "Away, and back"]


@pytest.mark.parametrize(
    "name", ["CONTENTS.", "Table of Contents", "차례", "목 차", "目录", "目次"]
)
def test_a_list_of_contents_under_a_heading_of_its_own_is_a_row_left_out(name: str) -> None:
    plan = text(f"# {name}", "The Stove 1\nThe Yard 7", "# The Stove", RAIN, "# The Yard", DOOR)
    assert titles(plan) == ["The Stove", "The Yard"]
    (row,) = [chapter for chapter in plan.chapters if not chapter.included]
    assert (row.title.rstrip("."), row.notes) == (name.rstrip("."), ("a list of contents",))


def test_a_chapter_called_contents_that_tells_something_stays_one() -> None:
    plan = text("# Contents", RAIN * 2, "# The Yard", DOOR)
    assert titles(plan) == ["Contents", "The Yard"]


def test_a_text_whose_only_chapter_line_is_in_doubt_comes_in() -> None:
    """Such a line made the preview fail."""
    plan = text(비, "제 1 장 서론. 제 2 절 밀물의 정의. 제 2 장", 문)
    assert plan.chapters_to_import


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("第{}回　雨中人", "话说她没有点炉子，雨从早晨一直下到了傍晚，院子里的狗不见了，门"),
        (
            "제{}장 빗속에서",
            "아침부터 비가 내렸고 그녀는 난로에 불을 지피지 않았으며 마당에는 개가 보이지",
        ),
        (
            "Chapter {}: The Yard",
            "It had rained since the morning and she did not light the stove, for",
        ),
    ],
)
def test_headings_that_a_wrapped_text_hides_in_its_paragraphs_are_said(
    head: str, line: str
) -> None:
    """Nothing parts them from the lines around; the text is one chapter until she says more."""
    lines = [part for n in range(1, 4) for part in (head.format(n), *[line] * 30)]
    whole = detect("\n".join(lines) + "\n", "rain.txt", Rules(paragraphing="blocks"))
    assert whole.sureness == "guess"
    (chapter,) = whole.chapters_to_import
    assert chapter.notes == (
        "3 lines inside of paragraphs look like headings: try --paragraphs lines",
    )
    in_lines = detect("\n".join(lines) + "\n", "rain.txt", Rules(paragraphing="lines"))
    assert len(in_lines.chapters_to_import) == 3

"""Rows of an outline: counted, found, folded, sought; and what they look like in few cells."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from studio import i18n
from studio.project.contents import Contents, ContentsEntry, Later, VolumeContents
from studio.tui.book import Book, Glanced
from studio.tui.views.outline.row_text import (
    ASCII,
    TITLE_ROOM,
    UNICODE,
    Glyphs,
    amount,
    parts,
)
from studio.tui.views.outline.rows import (
    ChapterItem,
    Outline,
    OutlineRow,
    RowPlace,
    SceneItem,
    VolumeItem,
    volumes_of,
)
from studio.tui.views.signs import BADGES, Badge

SCENES = tuple(SceneItem(n, f"장면 {n}", "committed", 800) for n in (1, 2, 3))
NOVEL = (
    VolumeItem(
        1,
        "안개",
        (
            ChapterItem(1, "등대지기", "committed", 12_345, 4.25, scenes=SCENES),
            ChapterItem(2, "The Lamp Room", "waiting", 900, stale=True, scenes=SCENES[:2]),
        ),
    ),
    VolumeItem(2, "바다", (ChapterItem(3, "제3장 " + "긴 제목 " * 9, "planned"),)),
)


def titles(outline: Outline) -> list[str]:
    return [row.title for y in range(len(outline)) if (row := outline.row(y)) is not None]


def toggle(outline: Outline, place: RowPlace) -> None:
    """Opens what is folded, folds what is open."""
    outline.unfold(place, not outline.is_open(place))


def by_hand(volumes: tuple[VolumeItem, ...], outline: Outline) -> list[RowPlace]:
    """The rows the slow and obvious way."""
    places = []
    for volume in volumes:
        places.append(RowPlace(volume.number))
        if not outline.is_open(RowPlace(volume.number)):
            continue
        for chapter in volume.chapters:
            places.append(RowPlace(volume.number, chapter.number))
            if outline.is_open(places[-1]):
                places += [
                    RowPlace(volume.number, chapter.number, s.number) for s in chapter.scenes
                ]
    return places


def test_volumes_are_open_and_chapters_are_folded_at_first() -> None:
    assert titles(Outline(NOVEL))[:4] == ["안개", "등대지기", "The Lamp Room", "바다"]


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=4),
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 24)), max_size=12),
)
def test_counted_rows_are_those_one_would_list(
    shape: list[list[int]], turns: list[tuple[int, int]]
) -> None:
    numbers = iter(range(1, 100))
    volumes = tuple(
        VolumeItem(
            v, "v", tuple(ChapterItem(next(numbers), "c", scenes=SCENES[:n]) for n in scenes)
        )
        for v, scenes in enumerate(shape, 1)
    )
    outline = Outline(volumes)
    for volume, chapter in turns:
        toggle(outline, RowPlace(volume, chapter))
    expected = by_hand(volumes, outline)
    rows = [outline.row(y) for y in range(len(outline))]
    assert [row.place for row in rows if row is not None] == expected
    assert [outline.find(place) for place in expected] == list(range(len(expected)))
    assert outline.row(len(outline)) is None


def test_what_is_folded_away_is_found_again_when_it_is_wanted() -> None:
    outline = Outline(NOVEL)
    toggle(outline, RowPlace(1))
    assert outline.find(RowPlace(1, 2)) is None
    assert outline.reveal(RowPlace(1, 2, 2)) == 4
    assert outline.place_of(3) == RowPlace(2, 3)
    assert outline.place_of(9) is None


def test_a_scene_is_found_by_its_number_where_one_before_it_has_no_words() -> None:
    """Of a scene she took out of the text nothing stands: its number has no row."""
    chapter = ChapterItem(1, "Fog", "committed", scenes=(SCENES[0], SCENES[2]))
    outline = Outline((VolumeItem(1, "Tide", (chapter,)),))
    outline.unfold(RowPlace(1, 1))
    assert [outline.find(RowPlace(1, 1, n)) for n in (1, 2, 3)] == [2, None, 3]


def test_other_contents_keep_what_was_open() -> None:
    outline = Outline(NOVEL)
    toggle(outline, RowPlace(1, 1))
    outline.renew(NOVEL[:1])
    assert titles(outline) == [
        "안개",
        "등대지기",
        "장면 1",
        "장면 2",
        "장면 3",
        "The Lamp Room",
    ]


def test_titles_and_numbers_are_sought_round_the_end() -> None:
    outline = Outline(NOVEL)
    assert outline.search("lamp") == RowPlace(1, 2)
    assert outline.search("3") == RowPlace(2, 3)
    assert outline.search("등대", after=RowPlace(2, 3)) == RowPlace(1, 1)
    assert outline.search("안", after=RowPlace(1)) == RowPlace(1)
    assert outline.search("없는 제목") is None
    assert outline.search(" ") is None


def test_ten_thousand_chapters_are_reached_from_either_end() -> None:
    chapters = tuple(ChapterItem(n, f"Chapter {n}", scenes=SCENES) for n in range(1, 10_001))
    outline = Outline((VolumeItem(1, "One", chapters),))
    toggle(outline, RowPlace(1, 5_000))
    assert len(outline) == 10_004
    last = outline.row(10_003)
    assert last is not None
    assert last.place == RowPlace(1, 10_000)
    assert outline.find(RowPlace(1, 5_000, 2)) == 5_002


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("width", [1, 8, 20, 24, 30, 60, 200])
def test_a_row_has_exactly_its_cells(width: int, glyphs: object) -> None:
    outline = Outline(NOVEL)
    toggle(outline, RowPlace(1, 1))
    for y in range(len(outline)):
        row = outline.row(y)
        assert row is not None
        text = "".join(p.text for p in parts(row, width, glyphs, outline.is_open(row.place)))  # type: ignore[arg-type]
        assert cell_len(text) == width


@pytest.mark.parametrize("width", [24, 26, 30, 36])
def test_a_title_keeps_sixteen_columns(width: int) -> None:
    chapter = ChapterItem(123, "등대지기의 마지막 밤과 바다", "committed", 12_345, 4.2, stale=True)
    words = parts(OutlineRow(NOVEL[0], chapter), width, UNICODE, False)
    title = next(p.text for p in words if p.kind == "chapter")
    assert cell_len(title) >= TITLE_ROOM


def test_a_wide_row_says_state_number_title_count_score_and_stale() -> None:
    chapter = ChapterItem(12, "등대지기", "committed", 12_345, 4.25, stale=True)
    words = parts(OutlineRow(NOVEL[0], chapter), 40, UNICODE, False)
    assert "".join(p.text for p in words).split() == ["✓", "12", "등대지기", "12.3k", "4.2", "↻"]
    forced = ChapterItem(12, "등대지기", "committed", 900, 4.25, badge="forced")
    words = parts(OutlineRow(NOVEL[0], forced), 40, ASCII, False)
    assert "".join(p.text for p in words).split() == ["*", "12", "등대지기", "900", "forced"]


def test_a_badge_never_hides_the_count() -> None:
    forced = ChapterItem(12, "The Lamp Room at Four", "committed", 2296, badge="nobody judged it")
    words = parts(OutlineRow(NOVEL[0], forced), 32, UNICODE, False)
    drawn = "".join(p.text for p in words)
    assert drawn.split()[-2:] == ["2296", "!"]
    assert cell_len(drawn) == 32


@pytest.mark.parametrize(
    ("name", "marked"),
    [("kept", False), ("passed after two revisions", False), ("left something open", True)],
)
def test_what_she_decided_herself_is_not_marked_as_open(name: Badge, marked: bool) -> None:
    title = "The Lamp Room at Four"
    chapter = ChapterItem(12, title, "committed", 2296, badge=BADGES[name][0])
    words = parts(OutlineRow(NOVEL[0], chapter), 32, UNICODE, False)
    assert ("!" in "".join(p.text for p in words)) is marked


@pytest.mark.parametrize(
    ("language", "title", "mark"),
    [("en", "The Tea Chest", "changed"), ("ko", "차 상자", "고침"), ("zh", "茶箱", "改过")],
)
def test_a_chapter_changed_after_it_was_judged_says_so_whole(
    language: str, title: str, mark: str
) -> None:
    """“changed since” read as a sentence that was cut off."""
    i18n.use(language)
    badge = i18n._(BADGES["changed since it was judged"][0])
    i18n.use("en")
    chapter = ChapterItem(1, title, "waiting", 2296, badge=badge)
    drawn = "".join(p.text for p in parts(OutlineRow(NOVEL[0], chapter), 32, UNICODE, False))
    assert drawn.rstrip().endswith(f"2296 {mark}")


def test_glyphs_are_one_cell_wide_in_every_terminal() -> None:
    for glyph in [*UNICODE.states.values(), *UNICODE[1:]]:
        assert isinstance(glyph, str)
        assert unicodedata.east_asian_width(glyph) in ("N", "Na")
    assert all(ord(glyph) < 128 for glyph in [*ASCII.states.values(), *map(str, ASCII[1:])][:9])


def test_a_title_from_elsewhere_cannot_move_the_cursor() -> None:  # req: S7
    chapter = ChapterItem(1, "\x1b[2J지움\n둘째 줄\u202e")
    text = "".join(p.text for p in parts(OutlineRow(NOVEL[0], chapter), 60, UNICODE, False))
    assert "␛[2J지움␤둘째 줄\ufffd" in text


@pytest.mark.parametrize(
    ("is_changed", "glyphs", "mark"),
    [(False, UNICODE, "⇡"), (True, UNICODE, "⇅"), (False, ASCII, "^"), (True, ASCII, "&")],
)
def test_what_is_published_is_marked_in_the_narrow_outline_too(
    is_changed: bool, glyphs: Glyphs, mark: str
) -> None:
    chapter = ChapterItem(12, "끝나지 않는 긴 제목의 밤", "committed", 5_312, 4.2)
    published = chapter._replace(is_changed_there=is_changed)
    rows = [
        "".join(p.text for p in parts(OutlineRow(NOVEL[0], one), 26, glyphs, False))
        for one in (chapter, published)
    ]
    assert mark not in rows[0]
    assert rows[1].rstrip().endswith(mark)


def test_counts_are_short() -> None:
    assert [amount(n) for n in (0, 950, 9_999, 12_345, 118_000)] == [
        "0",
        "950",
        "9999",
        "12.3k",
        "118k",
    ]


def test_what_a_place_stands_under_depends_on_what_is_open() -> None:
    outline = Outline((VolumeItem(1, "등대", (ChapterItem(3, "灯"),)),))
    assert outline.above(RowPlace(1, 3, 2)) == RowPlace(1, 3)
    assert outline.above(RowPlace(1, 3)) == RowPlace(1)
    outline.unfold(RowPlace(1, 3))
    assert outline.above(RowPlace(1, 3)) is None
    assert outline.above(RowPlace(1)) is None


@pytest.mark.parametrize(
    ("number", "title", "row"),
    [
        (2, "Chapter 2", "Chapter 2"),
        (2, "제2장", "제2장"),
        (2, "第二章", "第二章"),
        (3, "Chapter 3: The Lamp Room", "3 The Lamp Room"),
        (3, "제3장 빈 무덤", "3 빈 무덤"),
        (3, "第3章 朝北的门", "3 朝北的门"),
        (4, "Chapter 3", "4 Chapter 3"),
        (7, "1984", "7 1984"),
    ],
)
def test_a_number_is_not_repeated_by_the_title(number: int, title: str, row: str) -> None:
    chapter = ChapterItem(number, title)
    drawn = parts(OutlineRow(VolumeItem(1, "", (chapter,)), chapter), 40, UNICODE, is_open=False)
    assert "".join(part.text for part in drawn).strip() == row


@pytest.mark.parametrize(
    ("title", "row"),
    [
        ("Volume 1", "▾ Volume 1"),
        ("제1권", "▾ 제1권"),
        ("第一卷", "▾ 第一卷"),
        ("第一卷：霜降以前", "▾ 第一卷：霜降以前"),
        ("Part Two", "▾ 1. Part Two"),
        ("Volume 2", "▾ 1. Volume 2"),
        ("Volume 1: Fifteen Nights", "▾ 1. Fifteen Nights"),
        ("제1권 — 안개", "▾ 1. 안개"),
        ("1. Fog", "▾ 1. Fog"),
        ("2021 - A Year", "▾ 1. 2021 - A Year"),
        ("Fog", "▾ 1. Fog"),
    ],
)
def test_a_volume_says_its_number_once(title: str, row: str) -> None:
    drawn = parts(OutlineRow(VolumeItem(1, title)), 40, UNICODE, is_open=True)
    assert "".join(part.text for part in drawn).rstrip() == row


def test_a_volume_that_is_as_it_was_is_the_same_object() -> None:  # req: P6
    fog, sea = (
        ContentsEntry(1, 1, "Fog", True, length=9),
        ContentsEntry(2, 2, "Sea", True, length=9),
    )
    later = [VolumeContents(e.volume, "", Later([e.chapter], lambda e=e: [e])) for e in (fog, sea)]
    book = Book(Path("novel"), "", "en", Contents(tuple(later)), Glanced(2))
    glanced = volumes_of(book)
    read = (VolumeContents(1, "", (fog,)), VolumeContents(2, "", (sea._replace(title="Sun"),)))
    same, other = volumes_of(book._replace(contents=Contents(read)), glanced)
    assert same is glanced[0]
    assert other != glanced[1]
    assert [item.title for item in other.chapters] == ["Sun"]

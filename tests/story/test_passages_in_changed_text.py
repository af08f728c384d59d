"""Where a passage stands in a text that was changed: 2,000 random edits of real chapters in three
languages, and the rules one by one."""

from __future__ import annotations

from time import process_time

import pytest

from studio.story.chapter import Chapter, passage_text
from studio.story.review.passage import PassageLocation
from studio.story.review.passages_in_changed_text import (
    Placed,
    SearchableChapter,
    likeness,
    passage_of,
    place,
)
from tests.story.placed_passages import EDITS, LANGUAGES, tried

_BATCH = 21
"""Edits of one kind in one language in a batch; four batches make 2,016 of them."""
_RIGHT = 0.99

LINES = """# 등대

첫 문단이다. 파도가 밀려왔다.

“네.”

그는 계단을 올랐다. 등불은 꺼져 있었고, 아무도 없었다.

“네.”

바람이 창을 두드렸다. 그는 편지를 접어 주머니에 넣었다.
"""


def stands(before: str, after: str, number: int, last: int | None = None) -> Placed:
    """Where paragraphs of the first scene of a text stand in another."""
    chapter = Chapter(before)
    passage = chapter.passage(1, number, last or number)
    near = PassageLocation(scene_number=1, paragraph_start=number, paragraph_end=last or number)
    known = SearchableChapter(chapter).passage(passage)
    return place(known, passage_text(passage), SearchableChapter(Chapter(after)), near)


def numbers(placed: Placed) -> list[int]:
    return [p.number for p in placed.paragraphs]


@pytest.mark.sweep
@pytest.mark.parametrize("batch", range(4))
def test_a_passage_is_placed_after_random_edits_and_never_at_a_wrong_place(batch: int) -> None:
    wrong_place, wrong_word, count = [], [], 0
    for language in LANGUAGES:
        for kind in EDITS:
            for seed in range(batch * _BATCH, (batch + 1) * _BATCH):
                truth, answer, is_there = tried(language, kind, seed)
                count += 1
                case = f"{language} {kind} {seed}: {truth}, found {answer}"
                wrong_word += [case] if truth != answer else []
                wrong_place += [] if is_there else [case]
    assert wrong_place == []
    assert len(wrong_word) <= (1 - _RIGHT) * count, wrong_word


def test_of_two_lines_that_are_alike_the_neighbours_tell_which_is_meant() -> None:
    placed = stands(LINES, LINES.replace("# 등대\n\n", "# 등대\n\n새벽이었다.\n\n"), 4)
    assert (placed.stands, numbers(placed)) == ("same", [5])


@pytest.mark.parametrize(("first", "last", "beside"), [(1, 2, 3), (6, 7, 5)])
def test_at_an_end_of_a_chapter_no_neighbour_is_a_neighbour(
    first: int, last: int, beside: int
) -> None:
    """Met: an answered question was asked once more whenever the paragraph beside it changed,
    where the last lines of the chapter stand in it twice."""
    text = "“No.”\n\nIt rained.\n\nOne came in.\n\nTwo.\n\nOne went.\n\n“No.”\n\nIt rained.\n"
    chapter = Chapter(text)
    near = PassageLocation(scene_number=1, paragraph_start=first, paragraph_end=last)
    known = SearchableChapter(chapter).passage(chapter.passage(1, first, last))
    for more in ("It was late.\n\nSo it was.", "Nobody had asked."):
        neighbour = chapter.passage(1, beside, beside)
        chapter = chapter.replace_passage(neighbour, [*more.split("\n\n"), neighbour[0].text + "!"])
        beside += len(more.split("\n\n")) if first > 1 else 0
        placed = place(known, "“No.”\n\nIt rained.", SearchableChapter(chapter), near)
        assert placed.stands == "same"
        assert placed.paragraphs[0] == (chapter.paragraphs[0 if first == 1 else -2])


def test_a_line_that_was_taken_out_is_not_found_in_one_that_is_alike() -> None:
    without = LINES.replace("아무도 없었다.\n\n“네.”", "아무도 없었다.")
    assert stands(LINES, without, 4).stands == "gone"


def test_a_change_that_no_reader_sees_is_none() -> None:
    import unicodedata

    unseen = unicodedata.normalize("NFD", LINES).replace("\n", "\r\n")
    noted = LINES.replace("올랐다. ", "올랐다. %% 천천히? %% ")
    for text in (unseen, noted):
        placed = stands(LINES, text, 3)
        assert (placed.stands, numbers(placed)) == ("same", [3])


def test_borders_are_no_words() -> None:
    split = LINES.replace("올랐다. 등불", "올랐다.\n\n등불")
    assert numbers(stands(LINES, split, 3)) == [3, 4]
    assert stands(LINES, split, 3).stands == "same"
    merged = LINES.replace("없었다.\n\n“네.”", "없었다. “네.”")
    assert stands(LINES, merged, 3, 4) == stands(LINES, merged, 3, 4)._replace(stands="same")
    assert stands(LINES, merged, 3).stands == "changed"  # there is more in its paragraph now


def test_most_of_the_words_are_the_passage_and_few_of_them_are_not() -> None:
    text = "The lamp burned low in the east window while the keeper slept below."
    before = f"# A\n\nRain fell.\n\n{text}\n\nNobody came.\n"
    retouched = text.replace("low", "high").replace("slept", "sat")
    assert stands(before, before.replace(text, retouched), 2).stands == "changed"
    assert stands(before, before.replace(text, "It was late, and no ship came in."), 2).stands == (
        "gone"
    )


def test_a_passage_broken_by_a_scene_break_keeps_the_larger_part() -> None:
    long = "그는 계단을 올랐다. 등불은 꺼져 있었고, 아무도 없었다."
    broken = LINES.replace(f"{long}\n\n“네.”", f"{long}\n\n* * *\n\n“네.”")
    placed = stands(LINES, broken, 3, 4)
    assert (placed.stands, passage_text(placed.paragraphs)) == ("changed", long)


def test_a_sheet_from_before_passages_has_only_its_words() -> None:
    long = "바람이 창을 두드렸다. 그는 편지를 접어 주머니에 넣었다."
    assert place(passage_of(long), long, SearchableChapter(Chapter(LINES))).stands == "same"
    at = PassageLocation(scene_number=1, paragraph_start=4, paragraph_end=4)
    short = place(passage_of("“네.”"), "“네.”", SearchableChapter(Chapter(LINES)), at)
    assert (short.stands, numbers(short)) == ("same", [4])
    assert place(passage_of("“네.”"), "“네.”", SearchableChapter(Chapter(LINES))).stands == "gone"


def test_an_empty_text_holds_no_passage() -> None:
    assert stands(LINES, "", 1) == ("gone", ())


def test_likeness_goes_from_nothing_to_everything_in_each_language() -> None:
    for one, other in (
        ("The lamp burned low.", "Nobody came up."),
        ("등불이 낮게 탔다.", "아무도 오지 않았네."),
        ("灯火在东窗低低地烧着。", "没有人上来过。"),
    ):
        assert likeness(one, one) == 1
        assert likeness(one, other) < 0.2


@pytest.mark.alone
def test_placing_costs_in_a_long_chapter_what_it_costs_in_a_short_one_times_its_length() -> None:
    """Eight times the paragraphs, with the dearest search: by words, and in vain."""

    def cost(scale: int) -> float:
        paragraphs = [
            f"Line {n} of the log: wind {n % 9}, glass {n * 7 % 31}, lamp at {n % 24} bells."
            for n in range(400 * scale)
        ]
        ground = SearchableChapter(Chapter("# Log\n\n" + "\n\n".join(paragraphs)))
        gone = "Wind of the lamp, and a log of the line trimmed at nine bells by nobody at all."
        began = process_time()
        for _ in range(3):
            place(passage_of(gone), gone, ground)
        return process_time() - began

    small, large = min(cost(1) for _ in range(3)), min(cost(8) for _ in range(3))
    assert large < 16 * small

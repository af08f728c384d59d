"""Ids of chapters that stay when numbers change, and the author's own labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from studio.story.chapter_list import ChapterList, id_by_number, number_in

THREE = ChapterList().with_chapters({1: 1, 2: 1, 3: 1})


def ids(chapters: ChapterList) -> dict[str, int]:
    """The number of each listed chapter, by id."""
    return {chapter.id: chapter.number for chapter in chapters.chapters}


def test_a_chapter_that_no_list_names_has_the_id_of_its_number() -> None:
    assert ChapterList().id_of(7) == "c007"
    assert ChapterList().number_of("c007") == 7
    assert ChapterList().id_of(1234) == "c1234"
    assert ids(THREE) == {"c001": 1, "c002": 2, "c003": 3}


def test_numbers_change_under_the_ids_and_a_chapter_taken_out_is_no_longer_listed() -> None:
    moved = THREE.renumber({1: 1, 2: 3, 3: 2}, ())
    assert ids(moved) == {"c001": 1, "c003": 2, "c002": 3}
    assert (moved.id_of(2), moved.number_of("c002")) == ("c003", 3)
    assert ids(THREE.renumber({3: 1}, {1, 2})) == {"c003": 1}


def test_a_new_chapter_gets_an_id_that_no_number_gives() -> None:
    book = THREE.renumber({2: 3, 3: 4}, ()).with_chapters({2: 1}, fresh=True)
    fresh = book.id_of(2)
    assert number_in(fresh) is None
    assert fresh not in ids(THREE)
    assert book.number_of(fresh) == 2


def test_a_chapter_added_by_hand_at_a_number_whose_id_moved_away_is_another() -> None:
    moved = THREE.renumber({3: 5}, ())
    assert moved.id_of(3) == "c003a"
    assert moved.number_of("c003a") == 3
    assert moved.number_of("c003") == 5
    assert moved.with_chapters({3: 1}).id_of(3) == "c003a"


@given(st.permutations(range(1, 9)), st.integers(1, 8))
def test_id_and_number_lead_to_each_other_after_any_move(order: list[int], more: int) -> None:
    book = ChapterList().with_chapters(dict.fromkeys(range(1, 9), 1))
    for _ in range(more):
        book = book.renumber(dict(zip(range(1, 9), order, strict=True)), ())
    assert [book.number_of(book.id_of(n)) for n in range(1, 12)] == [*range(1, 12)]
    assert len({book.id_of(n) for n in range(1, 12)}) == 11


def test_a_label_stays_with_its_chapter() -> None:
    labels = ("프롤로그", "1", "楔子")
    rows = [c.model_dump() | {"label": x} for c, x in zip(THREE.chapters, labels, strict=True)]
    moved = ChapterList.model_validate({"chapters": rows}).renumber({1: 2, 2: 1}, ())
    assert [chapter.label for chapter in moved.chapters] == ["1", "프롤로그", "楔子"]


def test_a_chapter_on_the_shelf_has_no_number_in_the_book() -> None:
    shelved = {"id": "c7f3", "number": 2, "volume": 1, "shelf": True}
    book = ChapterList.model_validate({"chapters": [shelved]}).with_chapters({2: 1})
    assert book.number_of("c7f3") is None
    assert book.id_of(2) == "c002"


@pytest.mark.parametrize(
    "chapters",
    [
        [{"id": "c001", "number": 1, "volume": 1}, {"id": "c001", "number": 2, "volume": 1}],
        [{"id": "c001", "number": 1, "volume": 1}, {"id": "c002", "number": 1, "volume": 1}],
        [{"id": "../x", "number": 1, "volume": 1}],
        [{"id": "c001", "number": 0, "volume": 1}],
        [{"id": "c001", "number": 1, "volume": 1, "label": " "}],
        [{"id": "c001", "number": 1, "volume": 1, "colour": "red"}],
    ],
)
def test_a_list_that_makes_no_sense_is_refused(chapters: list[dict[str, object]]) -> None:
    with pytest.raises(ValidationError):
        ChapterList.model_validate({"chapters": chapters})


@given(st.integers(1, 1_000_000))
def test_the_id_of_a_number_leads_back_to_it(number: int) -> None:
    assert number_in(id_by_number(number)) == number

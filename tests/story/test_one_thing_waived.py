"""A waiver with words is about one thing; without words it is about everything of the kind."""

from __future__ import annotations

import unicodedata

import pytest

from studio.story.chapter import sha256_of
from studio.story.form.document import to_bytes
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.review.waiver import Waiver, Waivers, paragraphs_of, subject_of

DAY = "2026-11-27"


def fact(quote: str, issue: str, passage: str) -> Directive:
    return Directive(
        id="dir_fact_correction_001",
        type=DirectiveType.FACT_CORRECTION,
        priority=1,
        location=PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1),
        issue=issue,
        current_text=passage,
        instruction=issue,
        max_scope=2,
        evidence=(quote,) if quote else (),
    )


def waiver(words: str = "") -> Waiver:
    return Waiver(
        id="waiver_001",
        type=DirectiveType.FACT_CORRECTION,
        scope="book",
        chapter=1,
        words=words,
        reason="He never could count.",
    )


@pytest.mark.parametrize(
    ("words", "same", "other"),
    [
        (
            "31  Lamps",
            ("counted 31 lamps along", "The book says thirty.", "She counted 31 lamps along it."),
            ("131 lamps went out", "Joss was on the boat.", "Of 31 lamps... 131 lamps went out."),
        ),
        (
            "서른한 개",
            (
                "등불 서른한 개를 세었다",
                "3장에서는 서른 개였습니다.",
                "그는 등불 서른한 개를 세었다.",
            ),
            ("왼손으로 썼다", "도현은 오른손잡이입니다.", "서른한 개를 세고 왼손으로 썼다."),
        ),
        (
            "三十一盏灯",
            ("他数了三十一盏灯", "第三章里是三十盏。", "他数了三十一盏灯，一盏不少。"),
            ("左手写字", "文渊惯用右手。", "三十一盏灯下，他用左手写字。"),
        ),
    ],
    ids=["en", "ko", "zh"],
)
def test_a_waiver_of_one_thing_leaves_every_other_proposal_of_the_kind(
    words: str, same: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    one = waiver(words)
    assert one.covers(fact(*same), 9, DAY), "in another chapter too"
    assert one.covers(fact("", *same[1:]), 9, DAY), "by its passage, where nothing is quoted"
    assert not one.covers(fact(*other), 1, DAY), "another thing, though its passage has the words"
    assert waiver().covers(fact(*other), 1, DAY), "everything of the kind, where no words are named"


def test_what_a_proposal_only_names_is_known_by_it() -> None:
    named = fact("counted them", "There are 31 lamps in chapter 3.", "She counted them.")
    assert waiver("31 lamps").covers(named, 2, DAY)
    assert subject_of(named) == "counted them"


def test_a_file_from_before_the_words_is_written_back_unchanged() -> None:
    old = to_bytes(Waivers(waivers=(waiver(),)))
    assert b"words" not in old
    assert to_bytes(Waivers.model_validate_json(old)) == old
    new = to_bytes(Waivers(waivers=(waiver("31 lamps"),)))
    assert b'"words": "31 lamps"' in new


def test_a_passage_that_was_saved_in_other_forms_of_its_letters_is_waived_still() -> None:
    passage = "그는 등불을 세었다.\n\n마라는 웃었다."
    apart = unicodedata.normalize("NFD", passage)
    for first, later in ((passage, apart), (apart, passage), (passage, passage)):
        given = here(*paragraphs_of(fact("", "세었다", first)))
        assert given.covers(fact("", "세었다", later), 1, DAY)
    by_bytes = here(*(sha256_of(part) for part in apart.split("\n\n")))
    assert by_bytes.covers(fact("", "세었다", apart), 1, DAY)
    assert not by_bytes.covers(fact("", "세었다", f"{apart}\n\n끝."), 1, DAY)


def here(*paragraphs: str) -> Waiver:
    fields = waiver().model_dump() | {"scope": "here", "paragraphs": paragraphs}
    return Waiver.model_validate(fields)

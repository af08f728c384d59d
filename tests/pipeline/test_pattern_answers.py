"""What a chapter has far too often: each place is taken, left, or made a directive."""

from __future__ import annotations

import json

import pytest

from studio.errors import StudioError
from studio.pipeline.review.choice_answers import answer_pattern
from studio.pipeline.stages import judge
from studio.story.review.directive import DirectiveType
from studio.story.review.evaluation import Counsel
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.status import DirectiveStatus
from tests.cli.command import studio
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, block, judged, unrefined

WORDS = "the"


def tic_of(run: object) -> tuple[Counsel, ...]:
    """A pattern with the first three paragraphs of the chapter as its places."""
    ground = SearchableChapter(run.current)  # type: ignore[attr-defined]
    places = tuple(ground.passage((paragraph,)) for paragraph in ground.paragraphs[:3])
    issue = "“the”: 26 times in this chapter; published prose has it once in 3 books."
    return (
        Counsel(
            kind="pattern",
            issue=issue,
            words=WORDS,
            count=26,
            usual=0.01,
            places=places,
            origin="code",
        ),
    )


@pytest.fixture
def in_review(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(judge, "patterns_of", tic_of)
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[])))
    desk_.write(review="ask")
    return desk_


def pattern_of(desk_: Desk) -> Counsel:
    evaluation = desk_.store.staging_of(1).evaluation()
    assert evaluation is not None
    return next(c for c in evaluation.counsel if c.kind == "pattern")


def test_a_pattern_has_the_shape_that_is_promised(in_review: Desk) -> None:
    stored = json.loads(in_review.store.staging_of(1).evaluation().model_dump_json())["counsel"][0]
    assert {name: stored[name] for name in ("kind", "words", "count", "usual", "origin")} == {
        "kind": "pattern",
        "words": WORDS,
        "count": 26,
        "usual": 0.01,
        "origin": "code",
    }
    assert all(len(place["paragraphs"]) == 1 and place["opens"] for place in stored["places"])
    assert "answers" not in stored


@pytest.mark.sweep
def test_a_place_that_is_taken_goes_to_the_surgeon(in_review: Desk) -> None:
    now = answer_pattern(in_review.store, WORDS, (2,), "take")
    made = in_review.session().directives().find(now.answered(2).directive)
    assert (made.type, made.status) == (
        DirectiveType.CLICHE_REPLACEMENT,
        DirectiveStatus.ACCEPTED,
    )
    in_review.write(review="ask")
    asked = [block(a, "directive") for a in in_review.server.asked if block(a, "passage")]
    assert "26 times" in asked[-1]


@pytest.mark.sweep
def test_a_place_is_open_again_once_its_fix_is_taken_back(in_review: Desk) -> None:
    now = answer_pattern(in_review.store, WORDS, (2,), "take")
    in_review.session().change_directives("undo", [now.answered(2).directive])
    assert pattern_of(in_review).answered(2) is None
    assert answer_pattern(in_review.store, WORDS, (2,), "leave").answered(2).answer == "left"


def test_a_place_made_a_directive_is_still_hers_to_decide(in_review: Desk) -> None:
    now = answer_pattern(
        in_review.store, WORDS, (1,), "make", DirectiveType.CUT, "Take the clause out."
    )
    made = in_review.session().directives().find(now.answered(1).directive)
    assert (made.type, made.status) == (DirectiveType.CUT, DirectiveStatus.PENDING)
    assert made.instruction == "Take the clause out."


@pytest.mark.sweep
def test_what_is_left_stays_and_is_not_asked_again(in_review: Desk) -> None:
    before = len(in_review.session().directives().directives)
    answer_pattern(in_review.store, WORDS, (), "leave")
    assert [a.answer for a in pattern_of(in_review).answers] == ["left"] * 3
    assert len(in_review.session().directives().directives) == before
    with pytest.raises(StudioError, match="has been answered"):
        answer_pattern(in_review.store, WORDS, (1,), "take")


def test_a_wrong_place_or_type_changes_nothing(in_review: Desk) -> None:
    for places, kind, words in (
        ((9,), None, "no place 9"),
        ((1,), DirectiveType.PROOFREADING, "cannot become"),
    ):
        with pytest.raises(StudioError, match=words):
            answer_pattern(in_review.store, WORDS, places, "make", kind)
    with pytest.raises(StudioError, match="no such pattern"):
        answer_pattern(in_review.store, "한 박자", (1,), "take")
    assert pattern_of(in_review).answers == ()


@pytest.mark.sweep
def test_nothing_is_done_about_it_in_accept_mode(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "patterns_of", tic_of)
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[])))
    desk_.write(review="accept")
    assert not [a for a in desk_.server.asked if block(a, "passage")]
    evaluation = desk_.store.evaluation(1)
    assert [c.words for c in evaluation.counsel if c.kind == "pattern"] == [WORDS]


def test_the_command_lists_every_place_and_answers_one(in_review: Desk) -> None:
    root = str(in_review.folder)
    listed = studio("directives", "list", "--project", root)
    assert "26 times in this chapter" in listed.out
    assert listed.out.count("open: ") == 3
    done = studio("directives", "pattern", "1", "leave", "2", "--json", "--project", root)
    answers = json.loads(done.out)["pattern"]["answers"]
    assert answers == [{"place": 2, "answer": "left", "directive": None}]
    assert studio("directives", "pattern", "7", "take", "--project", root).code == 2

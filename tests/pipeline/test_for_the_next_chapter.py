"""An answer of a review for the chapter behind it: it waits until that chapter begins."""

from __future__ import annotations

import pytest

from studio.errors import StudioError
from studio.pipeline.direction import direction_in_force, keep_direction, take_back_direction
from studio.pipeline.outcome import Committed
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.review.evaluation import ChoiceAnswer
from tests.cli.command import Ended, studio
from tests.pipeline.at_a_choice import CHOICE, in_review
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, Desk, block, kind_of
from tests.project.novels import put

OTHER = {**CHOICE, "issue": "Does she know?"}
WISH, SECOND = "Let her give it back.", "다음 장에서는 종이 울리지 않는다."

HERE = "Wanted of this chapter when the one before was reviewed"


def in_two_chapters(desk: OpenDesk) -> Desk:
    """A chapter in review with two choices, and the plan of the next one."""
    desk_ = in_review(desk, CHOICE, OTHER)
    second = {**CONTRACT, "chapter": 2, "title": "The Bell"}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    return desk_


def answer(desk_: Desk, *words: object) -> Ended:
    """`studio directives answer`."""
    return studio("directives", "answer", *words, cwd=desk_.folder, environ=desk_.environ)


def into_the_book(desk_: Desk) -> None:
    assert isinstance(desk_.write(review="reject", chapter=1).outcome, Committed)


def directions_from(desk_: Desk, first: int) -> dict[str, set[str]]:
    """The direction in each request from the one with this number on, by what is asked."""
    directions: dict[str, set[str]] = {}
    for asked in desk_.server.asked[first:]:
        directions.setdefault(kind_of(asked), set()).add(block(asked, "direction"))
    return directions


@pytest.mark.sweep
def test_only_the_next_chapter_is_told_of_it_and_once(desk: OpenDesk) -> None:
    desk_ = in_two_chapters(desk)
    ended = answer(desk_, 1, "next", WISH)
    assert "plans, writes and judges it is told" in ended.out, ended.err
    assert answer(desk_, 2, "next", SECOND).code == 0
    first = len(desk_.server.asked)
    assert desk_.checkpoint.direction == "", "it is nothing for this chapter"
    into_the_book(desk_)
    assert all(WISH not in asked.prompt for asked in desk_.server.asked[first:])
    assert direction_in_force(desk_.checkpoint) == f"{WISH} {SECOND}"
    here = f"{HERE}: {WISH} {SECOND}"
    first = len(desk_.server.asked)
    assert isinstance(desk_.write(review="reject").outcome, Committed)
    directions = directions_from(desk_, first)
    assert directions["draft"] == directions["judge"] == {here}
    assert all(asked.prompt.count(WISH) <= 1 for asked in desk_.server.asked[first:])
    assert desk_.checkpoint.orders == ()
    assert direction_in_force(desk_.checkpoint) == ""


def test_it_is_taken_back_without_the_other_one(desk: OpenDesk) -> None:
    desk_ = in_two_chapters(desk)
    session = desk_.session()
    session.answer_choice(CHOICE["issue"], "next", WISH)
    session.answer_choice(OTHER["issue"], "next", f"{WISH} At once.")
    session.answer_choice(CHOICE["issue"], None)
    assert desk_.checkpoint.order_for(2).words == f"{WISH} At once."
    session.answer_choice(OTHER["issue"], None)
    assert desk_.checkpoint.orders == ()


@pytest.mark.sweep
def test_it_outlives_a_discarded_draft_and_an_order_of_her_own(desk: OpenDesk) -> None:
    desk_ = in_two_chapters(desk)
    desk_.session().answer_choice(CHOICE["issue"], "next", WISH)
    desk_.session().decide("draft-again")
    desk_.write(review="ask")
    into_the_book(desk_)
    first = len(desk_.server.asked)
    desk_.write(review="reject", direction="In the rain.")
    assert directions_from(desk_, first)["draft"] == {f"In the rain.\n{HERE}: {WISH}"}


@pytest.mark.sweep
def test_between_the_chapters_it_is_the_direction_on_the_desk(desk: OpenDesk) -> None:
    desk_ = in_two_chapters(desk)
    into_the_book(desk_)
    assert answer(desk_, 1, "next", WISH, "--chapter", 1).code == 0
    assert direction_in_force(desk_.checkpoint) == WISH
    keep_direction(desk_.store, f"In the rain. {WISH}")
    waiting = desk_.checkpoint.order_for(2)
    assert (waiting.direction, waiting.answers) == ("In the rain.", (WISH,)), "it stays an answer"
    keep_direction(desk_.store, "Let her keep it.")
    assert desk_.checkpoint.order_for(2).words == "Let her keep it."
    assert answer(desk_, 1, "undo", "--chapter", 1).code == 0
    assert desk_.checkpoint.order_for(2).words == "Let her keep it.", "these are her own words now"
    assert answer(desk_, 1, "next", WISH, "--chapter", 1).code == 0
    assert take_back_direction(desk_.store) == f"Let her keep it. {WISH}"
    assert desk_.checkpoint.orders == ()


@pytest.mark.sweep
def test_once_the_next_chapter_has_begun_its_own_review_takes_wishes(desk: OpenDesk) -> None:
    desk_ = in_two_chapters(desk)
    into_the_book(desk_)
    desk_.write(review="ask")
    assert desk_.checkpoint.inflight_chapter == 2
    with pytest.raises(StudioError, match="Chapter 2 has begun"):
        desk_.session().answer_choice(CHOICE["issue"], "next", WISH, 1)


def test_what_an_earlier_studio_kept_waits_on(desk: OpenDesk) -> None:
    desk_ = desk()
    desk_.store.save_checkpoint(Checkpoint())
    file = (desk_.folder / ".checkpoint.json").read_text("utf-8")
    waiting = '"waiting": {"chapter": 1, "direction": "In the rain."}'
    put(desk_.folder, ".checkpoint.json", file.replace('"waiting": null', waiting))
    assert direction_in_force(ProjectStore(desk_.folder).checkpoint()) == "In the rain."


@pytest.mark.sweep
def test_a_wish_for_another_draft_ends_with_its_chapter_in_the_book(desk: OpenDesk) -> None:
    """It stayed for good, and stood as the direction when the chapter was reviewed again."""
    desk_ = in_two_chapters(desk)
    desk_.session().answer_choice(CHOICE["issue"], "wish", WISH)
    into_the_book(desk_)
    assert WISH not in (desk_.folder / ".checkpoint.json").read_text("utf-8")
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert evaluation.direction == ""


@pytest.mark.parametrize("again", ["", "In the snow."])
def test_a_chapter_opened_again_from_the_book_is_told_its_direction(
    desk: OpenDesk, again: str
) -> None:
    """Met: it was gone, so that the judge of a chapter read again knew nothing of it."""
    desk_ = in_two_chapters(desk)
    keep_direction(desk_.store, "In the rain.")
    into_the_book(desk_)
    assert desk_.checkpoint.direction == ""
    first = len(desk_.server.asked)
    desk_.write(review="ask", chapter=1, again=True, direction=again)
    assert directions_from(desk_, first)["judge"] == {again or "In the rain."}
    assert direction_in_force(desk_.checkpoint) == (again or "In the rain.")


@pytest.mark.parametrize("kind", ["next", "wish"])
def test_one_of_the_offered_ways_is_told_with_what_was_asked(
    desk: OpenDesk, kind: ChoiceAnswer
) -> None:
    """Met: “종이를 알아보았을 뿐이다” stood as the direction, without who or what."""
    desk_ = in_two_chapters(desk)
    desk_.session().answer_choice(CHOICE["issue"], kind, "여기서 처음 안다.")
    waiting = desk_.checkpoint.order_for(2 if kind == "next" else 1)
    assert waiting.words == "그녀는 열쇠가 누구의 것인지 아는가? → 여기서 처음 안다."
    desk_.session().answer_choice(CHOICE["issue"], None)
    assert desk_.checkpoint.orders == ()
    assert desk_.checkpoint.direction == ""

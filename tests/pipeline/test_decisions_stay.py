"""What the writer decided stays hers when the text changes: elsewhere, inside, or away (WRITING
4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.errors import StudioError
from studio.story.review.directive import Directive
from tests.pipeline.at_a_decision import SHOW, SUBTEXT, at_review_of_two, sheet_of, type_into
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, ask, directive, judged

ELSEWHERE = SCENES[2][0]
PASSAGE = SCENES[1][1]


@pytest.mark.sweep
@pytest.mark.repairs("W6")
def test_what_was_decided_outlives_a_hand_edit_elsewhere(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    desk_.session().change_directives("reject", [SUBTEXT], reason="He would say it.")
    type_into(desk_, ELSEWHERE, f"{ELSEWHERE} Nobody had swept the stairs since spring.")
    ask(desk_)
    sheet = sheet_of(desk_)
    assert sheet[SHOW].status.value == "applied"
    assert sheet[SUBTEXT].status.value == "rejected"
    assert sheet[SUBTEXT].note == "He would say it."
    assert "It held there." in desk_.staged().read_text("utf-8")


@pytest.mark.sweep
def test_a_decision_whose_passage_was_changed_is_asked_again_before_anything_is_done(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    type_into(desk_, PASSAGE, f"{PASSAGE} The wind had gone round.")
    there = desk_.session().directives()
    assert there is not None
    fix = there.find(SHOW)
    assert fix is not None
    assert (fix.status.value, fix.stands, fix.is_open) == ("accepted", "changed", True)
    decision = ask(desk_).decision
    assert desk_.calls().count("surgery") == 0
    assert decision.data["still"] == [SHOW]
    assert "Still?" in decision.rationale
    assert decision.recommendation == "directives"
    (again,) = desk_.session().change_directives("accept", [SHOW])
    assert (again.status.value, again.stands) == ("accepted", "same")
    assert again.current_text == f"{PASSAGE} The wind had gone round."
    ask(desk_)
    assert desk_.calls().count("surgery") == 1
    assert sheet_of(desk_)[SHOW].status.value == "applied"


def test_still_is_answered_with_no_too(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    type_into(desk_, PASSAGE, f"{PASSAGE} The wind had gone round.")
    (put_aside,) = desk_.session().change_directives("reject", [SHOW])
    assert (put_aside.status.value, put_aside.is_open) == ("rejected", False)
    ask(desk_)
    assert desk_.calls().count("surgery") == 0


def test_a_decision_whose_passage_is_gone_is_memory_and_no_question(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    type_into(desk_, PASSAGE, "It rained until noon, and then no more.")
    decision = ask(desk_).decision
    sheet = sheet_of(desk_)
    assert (sheet[SHOW].status.value, sheet[SHOW].stands) == ("accepted", "gone")
    assert SHOW not in [*decision.data["pending"], *decision.data["still"]]
    assert desk_.calls().count("surgery") == 0
    with pytest.raises(StudioError, match="no longer in the text"):
        desk_.session().change_directives("accept", [SHOW])


@pytest.mark.sweep
def test_a_passage_carried_elsewhere_takes_its_decision_along(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    type_into(desk_, f"{PASSAGE}\n\n", "")
    type_into(desk_, ELSEWHERE, f"{ELSEWHERE}\n\n{PASSAGE}")
    ask(desk_)
    fix = sheet_of(desk_)[SHOW]
    assert (fix.status.value, fix.location.scene_number, fix.location.paragraph_start) == (
        "applied",
        2,
        2,
    )


@pytest.mark.sweep
def test_a_fix_she_typed_into_is_hers_and_its_undo_keeps_both_texts(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    fix = sheet_of(desk_)[SHOW]
    assert fix.result is not None
    after = fix.result.after
    hers = after.replace("It held there.", "It held there all the same.")
    type_into(desk_, after, hers)
    ask(desk_)
    hers_now = sheet_of(desk_)[SHOW]
    assert (hers_now.status.value, hers_now.accepted_by, hers_now.stands) == (
        "kept",
        "name",
        "changed",
    )
    assert desk_.session().change_directives("undo", [], all_=True) == []
    (undone,) = desk_.session().change_directives("undo", [SHOW])
    assert undone.result is not None
    assert (undone.status.value, undone.result.before, undone.result.after) == (
        "undone",
        PASSAGE,
        hers,
    )
    text = desk_.staged().read_text("utf-8")
    assert PASSAGE in text
    assert "all the same" not in text


@pytest.mark.sweep
def test_proposals_of_a_second_reading_get_new_numbers(desk: OpenDesk) -> None:
    first = judged(directives=[directive(1, 2), directive(2, 3, type="show-not-tell")])
    second = judged(directives=[directive(2, 2)])
    desk_ = at_review_of_two(desk, judge=[first, second])
    desk_.session().change_directives("accept", [SHOW])
    type_into(desk_, ELSEWHERE, f"{ELSEWHERE} Nobody had swept the stairs since spring.")
    ask(desk_)
    desk_.decide("look-again")
    ask(desk_)
    assert {name: d.location.scene_number for name, d in sheet_of(desk_).items()} == {
        SHOW: 1,
        "dir_show_not_tell_002": 2,  # which she has not decided on
        "dir_show_not_tell_003": 2,
    }


def test_a_sheet_from_before_passages_is_read_and_its_stale_directives_are_gone() -> None:
    old: dict[str, Any] = {
        "id": "dir_cut_001",
        "type": "cut",
        "priority": 2,
        "location": {"sceneNumber": 1, "paragraphStart": 2, "paragraphEnd": 2},
        "issue": "It says the same again.",
        "currentText": "The lamp turned.",
        "instruction": "Cut it.",
        "maxScope": 1,
        "status": "stale",
    }
    read = Directive.model_validate(json.loads(json.dumps(old)))
    assert (read.status.value, read.stands, read.passage, read.is_open) == (
        "pending",
        "gone",
        None,
        False,
    )


@pytest.mark.sweep
def test_a_fix_whose_paragraph_she_has_split_can_still_be_taken_back(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    fix = sheet_of(desk_)[SHOW]
    assert fix.result is not None
    head, _, tail = fix.result.after.partition(", ")
    type_into(desk_, fix.result.after, f"{head},\n\n{tail}")
    assert sheet_of(desk_)[SHOW].stands == "same"
    desk_.session().change_directives("undo", [SHOW])
    text = desk_.staged().read_text("utf-8")
    assert PASSAGE in text
    assert "It held there." not in text

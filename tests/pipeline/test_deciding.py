"""What the writer decides on directives holds: edits, bridges, rejections, the waiting question."""

from __future__ import annotations

import json

import pytest

from studio.errors import StudioError
from studio.pipeline.outcome import Committed
from tests.fake_messages import Rule
from tests.pipeline.at_a_decision import JOIN, SHOW, SUBTEXT, at_review, statuses
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    DRAFT,
    SCENES,
    SETTINGS,
    Model,
    ask,
    block,
    directive,
    judged,
    unrefined,
)


@pytest.mark.sweep
def test_a_directive_without_its_words_is_found_by_their_hash_never_by_number_alone(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2), directive(2, 4)])))
    desk_.write(review="ask")
    file = desk_.folder / "staging/evaluations/chapter-001-directives.json"
    data = json.loads(file.read_text())
    for number, one in enumerate(data["directives"]):
        one["currentText"] = ""
        del one["passage"]  # a sheet from before passages
        one["location"]["paragraphStart"] -= number
        one["location"]["paragraphEnd"] -= number
    file.write_text(json.dumps(data))
    desk_.session().change_directives("accept", (), all_=True)
    ask(desk_)
    sheet = desk_.session().directives()
    assert sheet is not None
    assert [(d.status.value, d.stands) for d in sheet.directives] == [
        ("applied", "same"),
        ("pending", "gone"),
    ]


# req: A6
@pytest.mark.sweep
def test_an_instruction_for_a_bridge_reaches_the_surgeon_with_the_bridge(desk: OpenDesk) -> None:
    gap = {
        **CONTRACT,
        "scenes": [
            {
                "number": 1,
                "purpose": "Mara searches",
                "location": "lamp-room",
                "exit_emotion": "glad",
            },
            {"number": 2, "purpose": "Joss comes", "location": "quay", "entry_emotion": "afraid"},
        ],
    }
    first = SCENES[2][0]
    wish = "Let the tide tell the hour."
    desk_ = desk(
        Model(
            bridge=Rule(text="That night the wind turned."),
            refine=unrefined,
            surgery=Rule(text=f"The tide was out. {first}"),
        ),
        contract=gap,
    )
    desk_.write(review="ask")
    (bridge,) = desk_.session().directives().directives  # type: ignore[union-attr]
    assert bridge.edited_text == f"That night the wind turned. {first}"
    desk_.session().change_directives("edit", [bridge.id], instruction=wish)
    ask(desk_)
    asked = desk_.server.asked[-1]
    assert wish in block(asked, "directive")
    assert "That night the wind turned." in block(asked, "notes")
    assert f"The tide was out. {first}" in desk_.staged().read_text()
    assert "That night" not in desk_.staged().read_text()


@pytest.mark.sampled
@pytest.mark.parametrize("empty", ["", "  \n"])
def test_an_empty_instruction_is_no_edit(desk: OpenDesk, empty: str) -> None:
    desk_ = at_review(desk)
    with pytest.raises(StudioError, match="needs --instruction"):
        desk_.session().change_directives("edit", [SHOW], instruction=empty)
    assert statuses(desk_)[SHOW] == "pending"


@pytest.mark.sweep
@pytest.mark.parametrize("auto", [True, False])
def test_review_reject_never_starts_surgery_whatever_was_approved(
    desk: OpenDesk, auto: bool
) -> None:
    settings = SETTINGS + '[review]\nauto_accept = ["show-not-tell"]\n' if auto else SETTINGS
    model = Model(refine=unrefined, judge=judged(directives=[directive(1, 2)]))
    desk_ = desk(model, settings=settings)
    if auto:
        ran = desk_.write(review="reject")
    else:
        desk_.write(review="ask")
        desk_.session().change_directives("accept", [SHOW])
        ran = desk_.resume(review="reject")
    assert isinstance(ran.outcome, Committed)
    assert "surgery" not in desk_.calls()
    assert statuses(desk_)[SHOW] == "rejected"
    assert desk_.text() == DRAFT


@pytest.mark.sweep
def test_the_question_that_waits_stays_true_after_an_undo_and_can_be_answered(
    desk: OpenDesk,
) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("accept", [SHOW])
    desk_.session().change_directives("reject", [SUBTEXT, JOIN])
    assert ask(desk_).decision.data["applied"] == [SHOW]
    desk_.session().change_directives("undo", [SHOW])
    waiting = desk_.checkpoint.pending_decision
    assert waiting is not None
    assert waiting.data["applied"] == []
    assert waiting.rationale.startswith("Nothing is open.")
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == DRAFT


@pytest.mark.sweep
def test_a_surgeon_that_says_nothing_to_a_cut_has_cut(desk: OpenDesk) -> None:
    verdict = judged(directives=[directive(2, 4, type="cut")])
    desk_ = desk(Model(refine=unrefined, judge=verdict, surgery=Rule(text="")))
    assert desk_.write(review="accept").exit_code == 0
    assert desk_.text() == DRAFT.replace("\n\n" + SCENES[2][3], "")
    assert statuses(desk_) == {"dir_cut_001": "kept"}


@pytest.mark.sweep
def test_a_committed_fix_can_be_taken_back_when_the_chapter_is_reviewed_anew(
    desk: OpenDesk,
) -> None:
    verdicts = [judged(directives=[directive(1, 2), directive(2, 4)]), judged()]
    desk_ = desk(Model(refine=unrefined, judge=verdicts))
    assert desk_.write(review="accept").exit_code == 0
    held = desk_.text()
    desk_.write(chapter=1, again=True, review="ask")
    assert list(statuses(desk_).values()) == ["kept", "kept"]
    desk_.session().change_directives("undo", [SHOW])
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == held.replace(SCENES[1][1] + " It held there.", SCENES[1][1])
    assert statuses(desk_) == {SHOW: "undone", "dir_show_not_tell_002": "kept"}

"""Decisions, directives and notices in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from studio.pipeline.review.question import rationale_of
from studio.story.checkpoint import Beginning, Checkpoint, Decision, DecisionKind, PipelineStage
from studio.story.form.document import to_bytes
from studio.story.form.validation import read_document
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import MetricChange, SurgeryResult
from studio.story.status import DirectiveStatus
from studio.tui.desk.text import empty_directives, resting_stages
from studio.tui.views.review import directive_text
from studio.tui.views.review.decision_card import card_of
from studio.tui.views.review.still_open import still_open
from studio.tui.views.situation import Situation, as_going_on
from tests.tui.lines import directive, words_of

WORSE = SurgeryResult(
    before="He felt it.",
    after="",
    location=PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1),
    before_sha256="0" * 64,
    after_sha256="1" * 64,
    paragraphs_touched=1,
    metrics=(MetricChange(metric="filter_word_density", before=12.5, after=13, better=False),),
    helped=False,
)


@pytest.mark.parametrize("kind", get_args(DecisionKind))
def test_every_kind_of_decision_has_a_card(kind: DecisionKind) -> None:
    options = {"go": "It goes on.", "stop": "It stops."}
    decision = Decision(
        id="d",
        kind=kind,
        recommendation="stop",
        options=("go", "stop"),
        rationale="Something happened.",
        data={"options": options},
    )
    card = card_of(decision)
    assert card.title
    assert card.happened == "Something happened."
    assert [choice.consequence for choice in card.choices] == list(options.values())
    assert card.choices[card.recommended_choice].option == "stop"


def asked(rationale: str) -> Decision:
    return Decision(
        id="d", kind="review", recommendation="commit", options=("commit",), rationale=rationale
    )


def sheet_of(*directives: Directive) -> DirectiveSheet:
    return DirectiveSheet(chapter=1, source_sha256="0" * 64, directives=directives)


def from_its_file(decision: Decision) -> Decision:
    """Returns a question as the next start of the program reads it."""
    file = to_bytes(Checkpoint(pending_decision=decision))
    again = read_document(Checkpoint, file, ".checkpoint.json").pending_decision
    assert again is not None
    return again


@pytest.mark.parametrize("read", [lambda decision: decision, from_its_file])
def test_a_card_names_keys_where_the_command_line_names_commands(
    read: Callable[[Decision], Decision],
) -> None:
    decision = read(asked(rationale_of(sheet_of(directive(1), directive(2)), 0)))
    sentence = card_of(decision, {"desk.write": "f5"}).happened
    assert sentence.endswith("accept, reject or edit each with a, r or e, then F5.")


@pytest.mark.parametrize("read", [lambda decision: decision, from_its_file])
def test_a_card_names_a_directive_by_its_kind_and_place(
    read: Callable[[Decision], Decision],
) -> None:
    fixed = directive(status=DirectiveStatus.APPLIED, result=WORSE, metric="filter_word_density")
    sheet = sheet_of(fixed)
    decision = read(asked(rationale_of(sheet, 0)))
    assert "dir_cut_001" in decision.rationale
    assert "back: Cut (" in card_of(decision).happened
    assert "back: Cut in 1.1 (" in card_of(decision, sheet=sheet).happened


def test_a_card_leaves_commands_and_ids_in_words_that_are_not_ours() -> None:
    theirs = "L1: run `studio resume`, 그리고 dir_cut_001 을 보라."
    decision = asked(theirs).model_copy(
        update={"data": {"notes": [theirs], "options": {"commit": theirs}}}
    )
    card = card_of(decision, {"desk.write": "f5"}, sheet_of(directive(1)))
    assert (card.happened, card.facts, card.choices[0].consequence) == (theirs, (theirs,), theirs)


def test_the_counter_counts_what_is_decided() -> None:
    sheet = DirectiveSheet(
        chapter=1,
        source_sha256="0" * 64,
        directives=(
            directive(1, status=DirectiveStatus.REJECTED),
            directive(2, status=DirectiveStatus.APPLIED),
            directive(3),
        ),
    )
    assert directive_text.counter(sheet.directives) == "2/3"
    assert directive_text.counter(()) == ""
    assert directive_text.next_open(sheet.directives, 2) == 1
    assert directive_text.next_open(sheet.directives[:1], 0) == 0


def test_directives_on_one_paragraph_are_shown_together() -> None:
    conflicts = directive_text.find_conflicts(
        [directive(1, 1, 2), directive(2, 2), directive(3, 4)]
    )
    assert conflicts == {"dir_cut_001": ("dir_cut_002",), "dir_cut_002": ("dir_cut_001",)}


def test_a_directive_tells_issue_passage_and_instruction() -> None:
    page = words_of(directive_text.detail(directive(evidence=("다시",)), expanded=True))
    for words in (
        "설명이 되풀이된다.",
        "그는 다시 말했다.",
        "删去重复的一句。",
        "“다시”",
        "priority 3",
    ):
        assert words in page


def test_a_fix_tells_before_and_after_and_whether_it_helped() -> None:
    fixed = directive(status=DirectiveStatus.APPLIED, result=WORSE, metric="filter_word_density")
    page = words_of(directive_text.detail(fixed))
    assert "He felt it." in page
    assert "(cut)" in page
    assert "filter words 12.5 to 13: the old text is better by these numbers" in page
    assert "not kept unless you keep it" in page
    assert "filter words 12.5 → 13  worse" in words_of(directive_text.detail(fixed, expanded=True))


def test_the_question_before_the_book_says_which_fix_changed_a_fact() -> None:
    """A fix that had put another person into the sentence stood there like the two beside it."""
    changed = WORSE.model_copy(update={"facts": ("the name Joss is gone",), "after": "He saw it."})
    fixes = sheet_of(
        directive(1, status=DirectiveStatus.APPLIED, result=changed),
        directive(2, status=DirectiveStatus.KEPT),
    )
    (stays,) = still_open(fixes)
    assert stays.splitlines()[-1] == "    changed: the name Joss is gone"


def test_a_reason_is_shown_with_what_was_rejected_or_waived() -> None:
    rejected = directive(status=DirectiveStatus.REJECTED, note="그의 말버릇이다.")
    page = words_of(directive_text.detail(rejected))
    assert "Why not" in page
    assert "그의 말버릇이다." in page
    waived = directive(status=DirectiveStatus.WAIVED, note="这是她的口吻。")
    assert "Why it is meant so\n这是她的口吻。" in words_of(directive_text.detail(waived))


def test_the_stage_bar_at_rest_shows_what_is_finished() -> None:
    resting = Checkpoint(inflight_chapter=1, pipeline_stage=PipelineStage.SUMMARIZED)
    assert list(resting_stages(resting)) == ["lock", "draft", "summarize"]
    assert resting_stages(Checkpoint()) == {}


@pytest.mark.parametrize(("written", "begins"), [(1, False), (2, True)])
def test_beside_a_trial_chapter_it_is_said_that_w_writes_it(written: int, begins: bool) -> None:
    beginning = Beginning(steps={"trials": "done"}, trials=2)
    checkpoint = Checkpoint(beginning=beginning, last_completed_chapter=written)
    is_trial = checkpoint.is_trial_next
    now = Situation(current=2, current_is_next=True, in_steps=True, trial_next=is_trial)
    said = words_of(empty_directives(now, has_model=True, price="about 2 cents"))
    assert ("asks the next question" in said) == begins
    assert ("w drafts the chapter: about 2 cents" in said) != begins
    assert as_going_on(now) == ("Begin" if begins else "Go on"), "as the line above the panes"

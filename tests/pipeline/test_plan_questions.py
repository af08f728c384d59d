"""Plans that disagree, or change under a chapter, are the writer's to settle."""

from __future__ import annotations

from typing import Any

import pytest

from studio.project.search.replacement import ReplaceOrder, replace_words, undo_newest
from studio.story.checkpoint import Decision
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, Desk
from tests.project.novels import put

SCHEDULE = "volumes/vol-01/storyline-schedule.json"
PLAN = "volumes/vol-01/chapter-contracts/chapter-001.json"


def schedule(desk: Desk, line: str) -> None:
    chapters = [{"chapter": 1, "storyline_id": line}]
    put(desk.folder, SCHEDULE, {"schema_version": 1, "chapters": chapters})


def replan(desk: Desk, **changes: Any) -> None:
    put(desk.folder, PLAN, {**CONTRACT, **changes})


# req: E1
def test_a_chapter_in_two_storylines_is_a_question(desk: OpenDesk) -> None:
    novel = desk()
    schedule(novel, "the-cap")
    decision = novel.write(review="ask").decision
    assert (decision.kind, decision.options) == ("schedule_conflict", ("contract", "schedule"))
    assert not novel.server.asked


# req: E1
@pytest.mark.sweep
def test_the_schedule_wins_if_the_writer_says_so(desk: OpenDesk) -> None:
    novel = desk()
    schedule(novel, "the-cap")
    novel.write(review="ask")
    novel.decide("schedule")
    novel.resume()
    assert novel.store.memory("the-cap")
    assert not novel.store.memory("main")


def test_other_modes_follow_the_contract_and_say_so(desk: OpenDesk) -> None:
    novel = desk()
    schedule(novel, "the-cap")
    ran = novel.write()
    assert ran.committed
    made = [(e.kind, e.option, e.by) for e in ran.of("decision")]
    assert ("schedule_conflict", "contract", "mode") in made


def interrupted(novel: Desk) -> None:
    """A drafted chapter that waits for its first decision."""
    assert novel.write(review="ask").decision.kind == "review"


# req: E1
def test_a_contract_changed_after_the_draft_is_a_question(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    replan(novel, objectives=["Mara burns the letter"])
    decision: Decision = novel.resume(review="ask").decision
    assert (decision.kind, decision.recommendation) == ("contract_change", "keep")


# req: E1
@pytest.mark.sweep
def test_another_length_is_no_other_plan(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    scenes = [{**scene, "target_length": 400} for scene in CONTRACT["scenes"]]
    replan(novel, target_length=800, scenes=scenes)
    assert novel.resume(review="ask").decision.kind == "review"


def reword(novel: Desk, old: str, new: str) -> None:
    """`studio replace`, which changes prose, plans and bible."""
    done = replace_words(novel.store, ReplaceOrder(old, new))
    assert done.edits


def test_words_that_the_studio_replaces_make_no_other_plan(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    reword(novel, "Mara", "Nell")
    assert "Nell" in (novel.folder / PLAN).read_text("utf-8")
    assert novel.resume(review="ask").decision.kind == "review"
    undo_newest(novel.store)
    assert novel.resume(review="ask").decision.kind == "review"


def test_a_plan_that_is_changed_as_well_is_a_question(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    reword(novel, "Mara", "Nell")
    replan(novel, objectives=["Nell burns the letter"])
    assert novel.resume(review="ask").decision.kind == "contract_change"


def test_an_answer_that_was_given_first_is_kept(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    replan(novel, objectives=["Mara burns the letter"])
    novel.decide("commit")
    assert novel.resume(review="ask").decision.kind == "contract_change"
    novel.decide("keep")
    assert novel.resume(review="ask").committed


@pytest.mark.sweep
def test_keeping_the_text_asks_the_drafter_nothing(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    drafts = novel.calls().count("draft")
    replan(novel, objectives=["Mara burns the letter"])
    novel.resume(review="ask")
    novel.decide("keep")
    assert novel.resume(review="ask").decision.kind == "review"
    assert novel.calls().count("draft") == drafts


@pytest.mark.sweep
def test_drafting_again_takes_the_new_contract(desk: OpenDesk) -> None:
    novel = desk()
    interrupted(novel)
    replan(novel, objectives=["Mara burns the letter"])
    novel.resume(review="ask")
    novel.decide("draft-again")
    assert novel.resume().committed
    assert any("Mara burns the letter" in asked.prompt for asked in novel.server.asked)
    assert novel.calls().count("draft") == 4

"""Prewriter mode: a brief from everything, then prose from the brief alone."""

from __future__ import annotations

import json

import pytest

from studio.pipeline.outcome import Committed, Failed
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    SETTINGS,
    Model,
    asked_for,
    block,
    judged,
    violation,
)
from tests.pipeline.killing import killed_at_event
from tests.project.novels import put

BRIEF = "The lamp room before light. The key lay under the last can."
QUAY = "---\nkind: good\nscene_type: dialogue\nsource: mine\n---\n{passage}\n"
MODE = SETTINGS + '[generation]\nmode = "prewriter"\n'


# req: C1
@pytest.mark.sweep
def test_the_writer_sees_the_brief_and_the_last_words_and_nothing_it_stands_for(
    desk: OpenDesk,
) -> None:
    desk_ = desk(settings=MODE)
    laces = "Laces his boots from the wrong end."
    put(desk_.folder, "characters/active/joss.md", f"# Joss\n\n{laces}\n")
    ran = desk_.write(direction="Let it rain before the bell is heard.")
    assert isinstance(ran.outcome, Committed)
    assert desk_.calls()[:4] == ["brief", "draft", "brief", "draft"]
    preparing, writing = asked_for(desk_, "brief")[1], asked_for(desk_, "draft")[1]

    for name in ("brief", "scene-plan", "direction"):
        assert block(preparing, name), name
        assert not block(writing, name), name
    for name in ("people", "must-not", "chapter-so-far"):
        assert block(writing, name) == block(preparing, name) != "", name
    assert laces in block(writing, "people")
    assert block(writing, "writing-brief") == BRIEF
    assert block(writing, "craft")
    assert not block(preparing, "craft"), "a brief is not prose"
    assert "Let it rain" not in writing.prompt
    assert "`writing-brief` for you" in writing.prompt
    assert "Prepare scene 2 of chapter 1" in preparing.prompt


# req: F6
@pytest.mark.sweep
@pytest.mark.parametrize("settings", [MODE, SETTINGS])
def test_every_drafting_prompt_shows_exemplars_in_prewriter_mode_too(
    desk: OpenDesk, settings: str
) -> None:
    desk_ = desk(settings=settings)
    passage = "The quay lay dry to the second ring, and nobody came."
    put(desk_.folder, "style-library/quay-01.md", QUAY.format(passage=passage))
    assert isinstance(desk_.write().outcome, Committed)
    drafting = asked_for(desk_, "draft")
    assert len(drafting) == 2
    assert all(passage in block(asked, "exemplars") for asked in drafting)


# req: C5
@pytest.mark.sweep
def test_the_events_come_in_the_order_of_the_two_phases(desk: OpenDesk) -> None:
    ran = desk(settings=MODE).write()
    kinds = [e.type for e in ran.events]
    first = kinds[kinds.index("phase") : kinds.index("finish") + 1]
    order = [kind for kind in dict.fromkeys(first) if kind not in ("usage", "saved", "waiting")]
    assert order == ["phase", "prewriter-text", "text", "finish"]
    assert [e.phase for e in ran.of("phase")] == ["prewriting", "writing"] * 2
    assert "".join(e.text for e in ran.of("prewriter-text") if e.scene == 1) == BRIEF
    drafts = [e for e in ran.of("finish") if e.stage == "draft"]
    assert [(e.agent, e.scene) for e in drafts] == [("scene-drafter", 1), ("scene-drafter", 2)]


# req: C8
@pytest.mark.sweep
def test_the_record_of_a_scene_holds_what_its_brief_was_made_from(desk: OpenDesk) -> None:
    desk_ = desk(settings=MODE)
    desk_.write()
    folder = desk_.folder / "logs/generations"
    records = [json.loads(path.read_bytes()) for path in sorted(folder.glob("gen-*.json"))]
    (writing,) = [r for r in records if r["agent"] == "scene-drafter" and r["scene"] == 1]
    (preparing,) = [r for r in records if r["agent"] == "prewriter" and r["scene"] == 1]
    assert writing["prewriterBrief"] == BRIEF
    assert writing["prewriterMessages"] == preparing["messages"]
    assert writing["prewriterModel"] == preparing["model"]
    assert writing["prewriterUsage"] == preparing["totalUsage"]
    assert writing["prewriterDurationMs"] == preparing["durationMs"]
    assert preparing["prewriterBrief"] is None


@pytest.mark.sweep
def test_a_brief_that_is_finished_is_not_asked_for_again(desk: OpenDesk) -> None:
    desk_ = desk(settings=MODE)
    killed_at_event(desk_, lambda event: event.type == "text" and event.scene == 2)
    before = len(asked_for(desk_, "brief"))
    assert before == 2
    ran = desk_.resume()
    assert isinstance(ran.outcome, Committed)
    assert len(asked_for(desk_, "brief")) == before


@pytest.mark.sweep
def test_a_scene_that_is_drafted_again_has_a_new_brief_that_knows_its_faults(
    desk: OpenDesk,
) -> None:
    broken = judged(violations=[violation("Far out a bell rang", scene=1)])
    desk_ = desk(Model(judge=[broken, judged()]), settings=MODE)
    desk_.write(review="reject")  # nobody mends a breach where it stands
    again = asked_for(desk_, "brief")[2]
    assert "No bell rings on this coast" in block(again, "notes")
    assert "write it anew" in again.prompt
    assert "No bell rings on this coast" in block(asked_for(desk_, "draft")[2], "notes")


@pytest.mark.sweep
@pytest.mark.parametrize("why", ["it broke off", "its scene is drafted again"])
def test_a_brief_that_comes_anew_takes_the_place_of_the_one_before(
    desk: OpenDesk, why: str
) -> None:
    briefs, judgements = [Rule(mode="cut", after=2, text=BRIEF), Rule(text=BRIEF)], [judged()]
    if why != "it broke off":
        briefs = [Rule(text="Too bright a lamp room."), Rule(text=BRIEF)]
        judgements.insert(0, judged(violations=[violation("Far out a bell rang", scene=1)]))
    ran = desk(Model(brief=briefs, judge=judgements), settings=MODE).write(review="reject")
    assert isinstance(ran.outcome, Committed)
    streamed = ""
    for event in (event for event in ran.events if getattr(event, "agent", "") == "prewriter"):
        if event.type == "again":
            streamed = ""
        elif event.type == "prewriter-text" and event.scene == 1:
            streamed += event.text
    assert streamed == BRIEF


def test_a_brief_that_fails_ends_the_generation_and_keeps_the_scene_before(
    desk: OpenDesk,
) -> None:
    refusal = Rule(stop_reason="refusal", text="No.")
    desk_ = desk(Model(brief=[Rule(text=BRIEF), refusal]), settings=MODE)
    ran = desk_.write()
    assert isinstance(ran.outcome, Failed)
    assert ran.exit_code == 6
    assert [e.finishReason for e in ran.of("finish")][-1] == "refusal"
    assert (desk_.folder / "staging/scenes/chapter-001/scene-01.md").exists()


def test_a_small_model_drafts_without_a_brief_and_says_so(desk: OpenDesk) -> None:
    desk_ = desk(settings=MODE)
    desk_.overrides["provider.endpoints"] = {desk_.server.url: {"short_prompts": True}}
    ran = desk_.write(review="reject")
    assert not asked_for(desk_, "brief")
    assert "too small to write from a brief" in ran.warnings


# req: C15
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("limit", "count"), [("", 4), ("prose_limit = 12000", 4), ("prose_limit = 260", 1)]
)
def test_the_limit_of_earlier_prose_is_the_writers(desk: OpenDesk, limit: str, count: int) -> None:
    """Whole paragraphs, the newest: nothing is cut inside a sentence."""
    desk_ = desk(settings=f"{SETTINGS}[generation]\n{limit}\n")
    desk_.write()
    so_far = block(asked_for(desk_, "draft")[1], "chapter-so-far")
    paragraphs = SCENES[1][-count:]
    assert so_far.strip() == "\n\n".join(["[Scene 1]", *paragraphs])


def test_no_earlier_prose_at_all_can_be_wanted(desk: OpenDesk) -> None:
    desk_ = desk(settings=f"{SETTINGS}[generation]\nprose_limit = 0\n")
    desk_.write()
    (asked,) = asked_for(desk_, "draft")[1:]
    assert not any(paragraph in asked.prompt for paragraph in SCENES[1])

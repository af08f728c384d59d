"""Scenes planned by a model where the writer asks for it, by code where it does not pass, and
what each drafted scene reports."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.drafting.scenes import CLIMAX, plan_faults, plan_scenes
from studio.pipeline.events import Event, SceneEvent
from studio.story.contract import SceneSpec
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, SCENES, SETTINGS, Desk, Model, block, scene_number
from tests.pipeline.killing import killed_at_event
from tests.pipeline.scene_plans import BEATS, contract, planning, scene

BY_MODEL = SETTINGS + '[generation]\ndecompose = "model"\n'
BARE = {k: v for k, v in CONTRACT.items() if k != "scenes"} | {
    "beats": ["Mara searches the lamp room", "Joss comes up the stairs"]
}


GOOD = planning(
    scene("Mara finds the mark of the key", exit_emotion="uneasy"),
    scene("Joss nearly sees her", characters=["mara", "joss"], entry_emotion="uneasy"),
)


def desk_with(desk: OpenDesk, plan: Any, **more: Any) -> Desk:
    return desk(Model(scenes=plan), settings=BY_MODEL, contract=BARE, **more)


def plans(desk_: Desk) -> list[str]:
    drafts = [a for a in desk_.server.asked if "Write scene" in a.blocks[-1]["text"]]
    return [block(asked, "scene-plan") for asked in drafts]


# req: A1
def test_a_model_plans_the_scenes_where_the_writer_asks_for_it(desk: OpenDesk) -> None:
    desk_ = desk_with(desk, GOOD)
    assert desk_.write().exit_code == 0
    assert desk_.calls().count("scenes") == 1
    first, second = plans(desk_)
    assert "Mara finds the mark of the key" in first
    assert "smell: lamp oil" in first
    assert "Present: Mara, Joss" in second


# req: A1
@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (planning(), "it has no scenes"),
        (planning(*[scene(f"Step {n}") for n in range(9)]), "it has 9 scenes"),
        (planning(scene("A", characters=["the-stranger"])), "names the-stranger, whom nobody"),
        (planning(scene("A"), scene("a ")), "two scenes have the purpose 'a'"),
        (planning(scene("A", pov="Mara!")), "pov"),
        (planning(scene("A", sensory_anchors=["sight"])), "fewer than 2 sensory anchors"),
        (
            planning(scene("A", exit_emotion="calm"), scene("B", entry_emotion="afraid")),
            "scene 2 begins afraid where scene 1 ended calm",
        ),
        (planning(scene("A", entry_emotion="calm", exit_emotion="calm")), "ends as it began"),
        (planning(scene(" ")), "purpose"),
        (Rule(text="I would rather not."), "JSON"),
    ],
)
def test_a_plan_that_fails_the_checks_gives_way_to_the_one_code_makes(
    desk: OpenDesk, plan: Rule, reason: str
) -> None:
    desk_ = desk_with(desk, plan)
    ran = desk_.write()
    assert ran.exit_code == 0
    assert "The plan of scenes was not used" in ran.warnings
    assert reason in ran.warnings
    assert "Mara searches the lamp room." in plans(desk_)[0]


def test_scenes_of_the_writers_own_are_never_planned_anew(desk: OpenDesk) -> None:
    desk_ = desk(Model(scenes=GOOD), settings=BY_MODEL)
    assert desk_.write().exit_code == 0
    assert "scenes" not in desk_.calls()


def test_the_plan_is_made_once_and_stands_through_a_kill(desk: OpenDesk) -> None:
    def first_scene_done(event: Event) -> bool:
        return isinstance(event, SceneEvent) and event.status == "finished"

    desk_ = desk_with(desk, [GOOD, planning(scene("Something else"))])
    assert killed_at_event(desk_, first_scene_done)
    assert desk_.resume().exit_code == 0
    assert desk_.calls().count("scenes") == 1
    assert "Joss nearly sees her" in plans(desk_)[-1]


# req: A1
@given(BEATS, st.integers(400, 2000), st.integers(1000, 20_000))
def test_what_code_plans_passes_the_same_checks(
    beats: list[str], length: int, chapter: int
) -> None:
    terms = contract(beats=tuple(f"{n}. {beat}" for n, beat in enumerate(beats)))
    plan = plan_scenes(terms, length, chapter)
    assert plan_faults(plan, terms, chapter, (), len(plan)) == []
    assert all(scene.exemplar_tags for scene in plan)
    assert all((scene.target_length or 0) <= 1.5 * length for scene in plan)
    assert [s.number for s in plan if CLIMAX in s.exemplar_tags] == (
        [len(plan)] if len(plan) > 1 else []
    )
    for before, after in pairwise(plan):
        assert before.transition_to
        assert after.transition_from
        assert before.sensory_anchors != after.sensory_anchors


def test_anchors_and_tags_that_are_given_stay() -> None:
    given_scene = SceneSpec(
        number=1, purpose="a", sensory_anchors=("냄새: 등유",), dialogue_goals=("숨긴다",)
    )
    (plan,) = plan_scenes(contract(scenes=(given_scene,)), 300, 900)
    assert plan.sensory_anchors == ("냄새: 등유",)
    assert plan.exemplar_tags == ("dialogue",)


# What a scene reports


def thoughtful(asked: Asked) -> Rule:
    prose = "\n\n".join(SCENES[scene_number(asked)])
    return Rule(text=f"## Pre-Writing\n\n먼저 냄새.\n\n## Prose\n\n{prose}\n\n## Hints\n\n")


# req: A7
def test_every_drafted_scene_reports_what_it_was_made_with(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=thoughtful))
    library = desk_.folder / "style-library"
    library.mkdir()
    front = "---\nkind: {}\nscene_type: dialogue\nsource: mine\n---\n“Nobody sleeps,” he said.\n"
    (library / "talk-01.md").write_text(front.format("good"))
    (library / "stale-01.md").write_text(front.format("anti"))
    ran = desk_.write()
    done = [e for e in ran.of("scene") if e.status == "finished"]
    assert [e.number for e in done] == [1, 2]
    for event in done:
        record = desk_.store.journal.recall(event.generation)
        assert record is not None
        assert (record.scene, record.pre_writing) == (event.number, "먼저 냄새.")
        assert SCENES[event.number][0] in record.generated_text
        assert record.exemplars == event.exemplars == ("talk-01", "stale-01")
        assert 50 < event.estimated_tokens < 1000
    log = (desk_.folder / "logs/pipeline.log").read_text()
    assert f"scene 1 finished: about {done[0].estimated_tokens} tokens, exemplars talk-01" in log


# Bridges


def gappy(count: int) -> dict[str, Any]:
    scenes = [
        {
            "number": n,
            "purpose": f"Step {n}",
            "location": f"room-{n}",
            "entry_emotion": f"a{n}",
            "exit_emotion": f"b{n}",
        }
        for n in range(1, count + 1)
    ]
    return {**CONTRACT, "scenes": scenes}


def any_scene(asked: Asked) -> Rule:
    return Rule(text="\n\n".join(SCENES[1 + scene_number(asked) % 2]))


# req: A6
@pytest.mark.parametrize(("bridge", "warned"), [("That night the wind turned.", 1), ("NONE", 0)])
def test_a_chapter_bridged_at_every_transition_is_a_warning(
    desk: OpenDesk, bridge: str, warned: int
) -> None:
    desk_ = desk(Model(draft=any_scene, bridge=Rule(text=bridge)), contract=gappy(3))
    ran = desk_.write(review="ask")
    assert desk_.calls().count("bridge") == 2
    assert ran.warnings.count("Every transition of this chapter would be bridged") == warned

"""From a contract to its scenes, without a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.drafting.bridges import bridge_gaps
from studio.pipeline.drafting.scenes import MAX_SCENES, plan_scenes
from studio.story.contract import SceneSpec
from tests.pipeline.scene_plans import BEATS, contract


# req: A1
@given(BEATS, st.integers(100, 2000), st.integers(100, 20_000))
def test_every_beat_is_told_once_and_in_order(beats: list[str], scene: int, chapter: int) -> None:
    plan = plan_scenes(contract(beats=tuple(beats)), scene, chapter)
    purposes = " ".join(s.purpose for s in plan)
    at = 0
    for beat in beats:
        at = purposes.index(beat.strip(), at) + len(beat.strip())
    assert [s.number for s in plan] == list(range(1, len(plan) + 1))
    assert 1 <= len(plan) <= max(min(MAX_SCENES, len(beats)), round(chapter / scene) + 1)


# req: A1
@given(BEATS, st.integers(100, 2000), st.integers(100, 20_000))
def test_the_clusters_are_of_nearly_equal_size(beats: list[str], scene: int, chapter: int) -> None:
    plan = plan_scenes(
        contract(beats=tuple(f"Beat {n}" for n in range(len(beats)))), scene, chapter
    )
    sizes = [s.purpose.count("Beat") for s in plan]
    assert max(sizes) - min(sizes) <= 1


def test_scenes_that_are_given_stay_and_are_completed() -> None:
    given_scenes = (
        SceneSpec(number=1, purpose="a", exit_emotion="calm", location="quay"),
        SceneSpec(number=2, purpose="b", characters=("joss",), exit_emotion="afraid"),
        SceneSpec(number=3, purpose="c", pov="joss", entry_emotion="numb", target_length=90),
    )
    plan = plan_scenes(
        contract(scenes=given_scenes, pov="mara", characters=("mara",), target_length=900), 300, 999
    )
    assert [s.entry_emotion for s in plan] == ["", "calm", "numb"]
    assert [s.pov for s in plan] == ["mara", "mara", "joss"]
    assert [s.characters for s in plan] == [("mara",), ("joss",), ("mara",)]
    assert [s.location for s in plan] == ["quay", "quay", "quay"]
    assert [s.target_length for s in plan] == [300, 300, 90]


def test_with_neither_scenes_nor_beats_the_objectives_are_the_plan() -> None:
    plan = plan_scenes(contract(objectives=("마라가 열쇠를 찾는다", "조스는 모른다")), 2500, 5000)
    assert [s.purpose for s in plan] == ["마라가 열쇠를 찾는다.", "조스는 모른다."]
    assert plan[0].transition_to == "조스는 모른다"
    assert plan[1].transition_from == "마라가 열쇠를 찾는다"


def test_the_same_contract_gives_the_same_plan() -> None:
    plan = contract(beats=tuple("abcdefgh"))
    assert plan_scenes(plan, 600, 3000) == plan_scenes(plan, 600, 3000)


# req: A6
@pytest.mark.parametrize(
    ("before", "after", "gaps"),
    [
        ({}, {}, ()),
        ({"location": "quay"}, {"location": "lamp-room"}, ("place",)),
        ({"exit_emotion": "calm"}, {"entry_emotion": "Calm "}, ()),
        ({"exit_emotion": "calm"}, {"entry_emotion": "afraid"}, ("emotion",)),
        (
            {"location": "quay", "transition_to": "three days later"},
            {"location": "lamp-room"},
            ("time", "place"),
        ),
    ],
)
def test_a_bridge_is_thought_of_only_where_breaks_meet(
    before: dict[str, str], after: dict[str, str], gaps: tuple[str, ...]
) -> None:
    first = SceneSpec(number=1, purpose="a", **before)
    second = SceneSpec(number=2, purpose="b", **after)
    assert bridge_gaps(first, second, ("later", "next day")) == gaps

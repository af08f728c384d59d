"""From a contract to its scenes, without a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.drafting.bridges import bridge_gaps
from studio.pipeline.drafting.scenes import plan_scenes
from studio.story.contract import SceneSpec
from tests.pipeline.scene_plans import BEATS, contract


# req: A1
@given(BEATS, st.integers(100, 2000), st.integers(100, 20_000))
def test_every_beat_is_told_once_and_in_order(beats: list[str], scene: int, chapter: int) -> None:
    plan = plan_scenes(contract(beats=tuple(beats)), scene, chapter)
    purposes = "\n".join(s.purpose for s in plan)
    at = 0
    for beat in beats:
        at = purposes.index(beat.strip(), at) + len(beat.strip())
    assert [s.number for s in plan] == list(range(1, len(plan) + 1))
    assert 1 <= len(plan) <= len(beats)


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
    assert [s.characters for s in plan] == [(), ("joss",), ()], "nobody said who else is there"
    assert [s.location for s in plan] == ["quay", None, None]
    assert [s.target_length for s in plan] == [300, 300, 90]


def test_with_neither_scenes_nor_beats_the_objectives_are_the_plan() -> None:
    plan = plan_scenes(contract(objectives=("마라가 열쇠를 찾는다", "조스는 모른다")), 2500, 5000)
    assert [s.purpose for s in plan] == ["마라가 열쇠를 찾는다", "조스는 모른다"]


FIVE_LINES = """라면 물이 끓는다
전화벨이 울린다
받지 않는다
물이 넘친다
그가 문을 연다"""


# req: A1 J2
def test_code_adds_nothing_to_a_plan() -> None:
    """No feeling, tone, pace, sense, peak, speech or person that nobody named."""
    comic = "The landlord has died, and everybody at the wake argues about his parrot."
    for words in (comic, FIVE_LINES, "他死了三次。没人哭。"):
        for scene in plan_scenes(contract(objectives=(words,)), 100, 500):
            said = scene.model_dump(exclude={"number", "purpose", "target_length"})
            assert not any(said.values())


# req: J2
def test_a_plan_of_lines_stays_lines_and_one_unit_is_one_scene() -> None:
    plan = plan_scenes(contract(objectives=(FIVE_LINES,)), 1000, 2000)
    assert [s.purpose for s in plan] == [
        "라면 물이 끓는다\n전화벨이 울린다",
        "\n".join(FIVE_LINES.splitlines()[2:]),
    ]
    plan = plan_scenes(contract(objectives=("Mara finds the key",)), 600, 3000)
    assert [(s.purpose, s.target_length) for s in plan] == [("Mara finds the key", 3000)]


# req: J2
def test_a_paragraph_is_divided_between_its_sentences() -> None:
    words = "她找到了钥匙。“谁在那儿？”他问。没有人回答。"
    plan = plan_scenes(contract(objectives=(words,)), 1000, 2000)
    assert "".join(s.purpose for s in plan) == words
    assert len(plan) == 2


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

"""From a contract to its scenes, without a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.chapter.derived_contract import contract_from_outline
from studio.pipeline.drafting.bridges import bridge_gaps
from studio.pipeline.drafting.scene_plans import divide_plan, plan_units
from studio.story.contract import SceneSpec
from tests.pipeline.scene_plans import BEATS, contract
from tests.project.novels import make_novel


# req: A1
@given(BEATS, st.integers(100, 2000), st.integers(100, 20_000))
def test_every_beat_is_told_once_and_in_order(beats: list[str], scene: int, chapter: int) -> None:
    plan = divide_plan(contract(beats=tuple(beats)), scene, chapter)
    purposes = "\n".join(s.purpose for s in plan)
    at = 0
    for beat in beats:
        at = purposes.index(beat.strip(), at) + len(beat.strip())
    assert [s.number for s in plan] == list(range(1, len(plan) + 1))
    assert 1 <= len(plan) <= len(beats)


# req: A1
@given(BEATS, st.integers(100, 2000), st.integers(100, 20_000))
def test_the_clusters_are_of_nearly_equal_size(beats: list[str], scene: int, chapter: int) -> None:
    plan = divide_plan(
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
    plan = divide_plan(
        contract(scenes=given_scenes, pov="mara", characters=("mara",), target_length=900), 300, 999
    )
    assert [s.entry_emotion for s in plan] == ["", "calm", "numb"]
    assert [s.pov for s in plan] == ["mara", "mara", "joss"]
    assert [s.characters for s in plan] == [(), ("joss",), ()], "nobody said who else is there"
    assert [s.location for s in plan] == ["quay", None, None]
    assert [s.target_length for s in plan] == [300, 300, 90]


def test_with_neither_scenes_nor_beats_the_objectives_are_the_plan() -> None:
    plan = divide_plan(contract(objectives=("마라가 열쇠를 찾는다", "조스는 모른다")), 2500, 5000)
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
        for scene in divide_plan(contract(objectives=(words,)), 100, 500):
            said = scene.model_dump(exclude={"number", "purpose", "target_length"})
            assert not any(said.values())


# req: J2
def test_a_plan_of_lines_stays_lines_and_one_unit_is_one_scene() -> None:
    plan = divide_plan(contract(objectives=(FIVE_LINES,)), 1000, 2000)
    assert [s.purpose for s in plan] == [
        "라면 물이 끓는다\n전화벨이 울린다",
        "\n".join(FIVE_LINES.splitlines()[2:]),
    ]
    plan = divide_plan(contract(objectives=("Mara finds the key",)), 600, 3000)
    assert [(s.purpose, s.target_length) for s in plan] == [("Mara finds the key", 3000)]


PARAGRAPHS = {
    "en": "Nessa hears the oars. She puts the lamp out. Until then Nessa had only kept quiet."
    " Joss calls her name. Nobody answers him.",
    "ko": "네사는 노 젓는 소리를 듣는다. 등잔을 끈다. 그때까지 네사는 입을 다물고만 있었다."
    " 조스가 이름을 부른다. 아무도 대답하지 않는다.",
    "zh": "她听见桨声。她吹灭了灯。“谁在那儿？”他问。在那以前她只是不说话。没有人回答。",
}


# req: J2
@pytest.mark.parametrize("words", PARAGRAPHS.values(), ids=PARAGRAPHS)
@pytest.mark.parametrize("chapter", [1000, 2000, 3000, 5000, 20_000])
def test_a_plan_in_one_paragraph_is_not_cut_at_its_sentences(words: str, chapter: int) -> None:
    """Only a chapter far too long for one scene has several, none of them a sentence alone."""
    plan = divide_plan(contract(objectives=(words,)), 1000, chapter)
    assert "".join("".join(s.purpose.split()) for s in plan) == "".join(words.split())
    assert (len(plan) == 1) == (chapter <= 3000)
    assert all(len(plan_units(contract(objectives=(s.purpose,)))) >= 2 for s in plan)


# req: J2
@pytest.mark.parametrize(
    ("section", "units"),
    [
        ("라면 물이 끓는다\n전화벨이 울린다\n받지 않는다", 3),
        ("她听见桨声。\n她吹灭了灯。", 2),
        ("The bell rings.\n\nNobody answers.", 2),
        (
            "The goose dealer's goose has died laughing, or so he says, and he wants it\n"
            "carried over free as one of the dead.",
            1,
        ),
        (
            "客人抱着死鹅来，说表还在里头走，要按活的修，沈禾说规矩只管表，不管鹅，师傅\n"
            "对着鹅念了一篇悼词。",
            1,
        ),
    ],
)
def test_lines_typed_in_the_outline_stay_lines_and_a_broken_paragraph_is_one(
    tmp_path: Path, section: str, units: int
) -> None:
    store = make_novel(tmp_path)
    (objective,) = contract_from_outline(store, 1, 1, ("The Goose", section)).objectives
    assert objective.count("\n") == units - 1
    if units > 1:
        assert objective == section.replace("\n\n", "\n")
    else:
        assert "".join(objective.split()) == "".join(section.split())
        assert "师傅对着" in objective or " it carried" in objective


def test_the_same_contract_gives_the_same_plan() -> None:
    plan = contract(beats=tuple("abcdefgh"))
    assert divide_plan(plan, 600, 3000) == divide_plan(plan, 600, 3000)


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

"""A chapter that is planned lightly: scenes of a scene's length, each with a feeling, a tone, a
pace, a place and what is said, read by code from its beats."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from studio.pipeline.drafting.scene_hints import SceneHints
from studio.pipeline.drafting.scenes import plan_scenes
from studio.pipeline.prompting.exemplars import choose, matched, scene_query
from studio.story.contract import SceneSpec
from studio.story.novel import Exemplar, ExemplarMeta
from studio.text.language.scene_cues import same_manner, scene_cues
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.scene_plans import contract
from tests.project.novels import put

KOREAN = """[novel]
title = "등대"
language = "ko"
"""
FIVE_KEYS: dict[str, Any] = {
    "chapter": 1,
    "volume": 1,
    "title": "등대지기의 열쇠",
    "storyline_id": "main",
    "objectives": ["수아가 등탑에서 오빠가 숨긴 열쇠를 찾는다"],
}


def made(language: str, *beats: str, length: int = 1200, people: int = 2) -> list[SceneSpec]:
    names = ("sua", "junho")[:people]
    plan = contract(beats=beats, characters=names, pov="sua", target_length=length * len(beats))
    return list(plan_scenes(plan, length, 6000, SceneHints(scene_cues(language))))


# req: A1 A4
def test_a_korean_contract_of_five_keys_becomes_scenes_of_a_scenes_length(desk: OpenDesk) -> None:
    desk_ = desk(settings=KOREAN, contract=FIVE_KEYS)
    ahead = desk_.session().preview()
    assert ahead.scenes == 5
    tasks = [desk_.session().preview(1, number) for number in range(1, 6)]
    for preview in tasks:
        task = next(piece.text for piece in preview.blocks if piece.name == "the task")
        assert "Length: 900-1500 characters." in task
    purposes = {next(p.text for p in t.blocks if p.name == "scene-plan") for t in tasks}
    assert len(purposes) == 5
    assert all("숨긴 열쇠를 찾는다" in text for text in purposes)


# req: A1
@pytest.mark.parametrize(
    ("language", "beats", "feelings"),
    [
        (
            "ko",
            (
                "수아가 오빠의 장례에서 운다",
                "준호가 수아를 추궁하고 다툰다",
                "수아는 떠나기로 결심한다",
            ),
            ("슬픔", "분노", "결의"),
        ),
        (
            "en",
            ("Mara weeps at the funeral", "Joss accuses her in a rage", "Mara decides to leave"),
            ("grieving", "angry", "resolved"),
        ),
        (
            "zh",
            ("苏雅在葬礼上哭了", "俊浩愤怒地质问她", "苏雅决定离开"),
            ("悲伤", "愤怒", "决意"),
        ),
    ],
)
def test_the_feeling_of_a_scene_follows_from_its_beat(
    language: str, beats: tuple[str, ...], feelings: tuple[str, ...]
) -> None:
    plan = made(language, *beats)
    assert tuple(scene.exit_emotion for scene in plan) == feelings
    for before, after in pairwise(plan):
        assert after.entry_emotion == before.exit_emotion
    assert all(scene.emotional_tone for scene in plan)
    assert [s.style_override.pacing for s in plan if s.style_override] == ["slow", "fast", "medium"]
    assert plan[1].dialogue_goals
    assert "dialogue" in plan[1].exemplar_tags


def test_two_scenes_of_one_feeling_do_not_end_as_they_began() -> None:
    plan = made("ko", "수아가 쫓긴다", "수아가 숨는다", "수아가 달아난다")
    for scene in plan:
        assert scene.exit_emotion != scene.entry_emotion


def test_nobody_is_given_words_who_is_alone() -> None:
    plan = made("en", "Mara asks herself what the key is for", people=1)
    assert plan[0].dialogue_goals == ()


# req: A2
def test_exemplars_match_by_tone_and_pace_from_beats_alone() -> None:
    def exemplar(name: str, tone: str, pacing: str) -> Exemplar:
        meta = ExemplarMeta.model_validate(
            {"scene_type": "none", "kind": "good", "emotional_tone": tone, "pacing": pacing}
        )
        return Exemplar(id=name, meta=meta, text=name)

    library = [
        exemplar("a-calm", "고요", "slow"),
        exemplar("b-angry", "angry", "fast"),
        exemplar("c-sad", "슬픔", "느림"),
    ]
    scene = made("ko", "준호가 수아에게 화를 내며 따진다")[0]
    query = scene_query(scene, "", "")
    good, _ = choose(library, query)
    assert good[0].id == "b-angry"
    assert set(matched(library[1], query)) == {"emotional_tone", "pacing"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("긴장", "tense", True),
        ("Tense ", "紧张", True),
        ("fast", "빠름", True),
        ("무심함", "무심함", True),
        ("무심함", "tense", False),
        ("slow", "fast", False),
    ],
)
def test_a_tone_is_the_same_in_three_languages(one: str, other: str, *, same: bool) -> None:
    assert same_manner(one, other) is same


# req: F3
def test_the_place_of_a_scene_follows_from_its_beat_the_state_and_the_scene_before(
    desk: OpenDesk,
) -> None:
    plan = {
        **FIVE_KEYS,
        "pov": "mara",
        "characters": ["mara"],
        "beats": ["마라가 열쇠를 찾는다", "마라가 등탑으로 올라간다", "마라가 문을 연다"],
        "target_length": 3600,
    }
    desk_ = desk(settings=KOREAN, contract=plan)
    put(desk_.folder, "world/places/tower.md", "---\nname: 등탑\n---\n나선 계단이 있다.")
    places = []
    for number in (1, 2, 3):
        preview = desk_.session().preview(1, number)
        texts = [piece.text for piece in preview.blocks if piece.name == "location"]
        places.append("나선 계단이 있다." in "".join(texts))
    assert places == [False, True, True]
    terms = contract(beats=("Mara waits", "Mara waits on"), pov="mara", target_length=1200)
    hints = SceneHints(scene_cues("en"), lambda words: None, "quay")
    assert [s.location for s in plan_scenes(terms, 600, 6000, hints)] == ["quay", "quay"]

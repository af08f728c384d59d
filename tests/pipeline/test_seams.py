"""Where two good parts meet: what the tenth chapter leaves is told to the eleventh, and what a plan
names has to exist before anything is spent on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from studio.session import Session
from studio.story.checkpoint import Checkpoint
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, SETTINGS, Model, make_novel
from tests.project.novels import put


@pytest.mark.repairs("S3")
@pytest.mark.parametrize("number", [11, 12, 13, 23, 33])
def test_every_chapter_after_the_tenth_is_told_of_the_first(  # req: G10
    tmp_path: Path, number: int
) -> None:
    folder = tmp_path / "novel"
    put(folder, "studio.toml", SETTINGS)
    layout = ProjectStore(folder).layout
    for n in range(1, number):
        put(folder, layout.chapter(n), f"# Night {n}\n\nMara climbed.\n")
        put(folder, layout.summary(n), f"On night {n}, Wilf lit lamp {n}.\n")
    contract = {**CONTRACT, "chapter": number, "foreshadowing": []}
    put(folder, layout.contract(1, number), contract)
    ProjectStore(folder).save_checkpoint(Checkpoint(last_completed_chapter=number - 1))
    request = str(Session.open(folder, {"ANTHROPIC_API_KEY": "sk-ant-test"}).preview())
    for night in (1, (number - 1) // 10 * 10 - 9, number - 2):  # the last one is told whole
        assert f"Wilf lit lamp {night}." in request


@pytest.mark.repairs("S4")
def test_a_storyline_nobody_knows_stops_before_anything_is_spent(  # req: D11
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model())
    lines = {"schema_version": 1, "storylines": [{"id": "main", "title": "The lamp"}]}
    put(desk_.folder, "storylines/storylines.json", lines)
    path = "volumes/vol-01/chapter-contracts/chapter-001.json"
    put(desk_.folder, path, {**CONTRACT, "storyline_id": "harbor"})
    ran = desk_.write(review="accept")
    assert ran.exit_code == 2
    assert "“harbor”" in str(ran.outcome)
    assert desk_.calls() == []
    assert desk_.checkpoint.inflight_chapter is None
    put(desk_.folder, path, CONTRACT)
    assert desk_.write(review="accept").committed.chapter == 1


@pytest.mark.repairs("S16")
@pytest.mark.parametrize(
    ("trigger", "objective"),
    [
        ("the drowned bell", "Mara hears the drowned bell from the stairs."),
        ("물속의 종소리", "마라는 계단에서 물속의 종소리를 듣는다."),
        ("水下的钟声", "玛拉在楼梯上听见水下的钟声。"),
    ],
)
def test_a_planned_promise_is_told_where_its_person_and_its_trigger_are_in_the_scene(  # req: G5
    tmp_path: Path, trigger: str, objective: str
) -> None:
    differences: dict[str, dict[str, object]] = {
        "bell": {},
        "key": {"trigger": "the rusted key"},
        "hat": {"characters": ["wilf"]},
        "tide": {},
        "ebb": {"planted": 5},
    }
    promise = {"characters": ["mara"], "trigger": trigger}
    promises = [
        {**promise, "id": name, "description": f"Promise of {name}", **difference}
        for name, difference in differences.items()
    ]
    folder = make_novel(tmp_path / "novel", contract=None)
    layout = ProjectStore(folder).layout
    put(folder, "foreshadowing/global.json", {"schema_version": 1, "promises": promises})
    contract = {**CONTRACT, "objectives": [objective], "foreshadowing": []}
    put(folder, layout.contract(1, 1), contract)
    later = {**CONTRACT, "chapter": 2, "volume": 2}
    put(
        folder,
        layout.contract(2, 2),
        {**later, "foreshadowing": [{"id": "tide", "action": "plant"}]},
    )
    request = str(Session.open(folder, {"ANTHROPIC_API_KEY": "sk-ant-test"}).preview())
    names = [name for name in differences if f"Promise of {name}" in request]
    assert names == ["bell"], "the others are not here, or begin later"
    assert "- planned: Promise of bell (no chapter has planted it yet" in request

"""Somebody leaves the story: what stands against it, what changes, and that it can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.watch.plan_changes import keep_plans, plan_changes
from tests.cli.command import tree
from tests.flows.life import Life, opened
from tests.pipeline.flows import put

BONDS = [
    {"source": "mara", "target": "joss", "kind": "sister", "note": ""},
    {"source": "mara", "target": "edwin", "kind": "tenant", "note": ""},
]
BELL = {"id": "bell", "description": "Who rang the bell", "characters": ["mara"], "scope": "long"}
LINE = {"id": "main", "title": "The Lamp", "characters": ["mara"], "status": "dormant"}
MEETING = {"chapter": 3, "storyline_id": "main", "concurrent": ["quay"], "note": ""}


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    for life in opened(tmp_path / "novel", "Slack Water", "Fog"):
        put(life.folder, "characters/active/mara.md", "# Mara\n\nShe keeps the light.\n")
        put(life.folder, "characters/relationships.json", doc(relationships=BONDS))
        yield life


def doc(**fields: Any) -> dict[str, Any]:
    return {"schema_version": 1, **fields}


def without_its_id(files: dict[str, str]) -> dict[str, str]:
    """The files of a novel but the id that this machine knows it by."""
    return {name: sha for name, sha in files.items() if not name.startswith(".studio")}


# req: D8
def test_whom_the_story_still_needs_stays_and_the_reason_is_named(life: Life) -> None:
    plans: dict[str, tuple[str, dict[str, Any]]] = {
        "promise": ("foreshadowing/global.json", doc(promises=[BELL])),
        "storyline": ("storylines/storylines.json", doc(storylines=[LINE])),
        "schedule": ("volumes/vol-01/storyline-schedule.json", doc(chapters=[MEETING])),
    }
    cast = {"chapter": 3, "volume": 1, "title": "Quay", "storyline_id": "main"}
    contract = doc(**cast, characters=["mara"], objectives=["They meet"])
    put(life.folder, "volumes/vol-01/chapter-contracts/chapter-003.json", contract)
    for kind, (path, content) in plans.items():
        put(life.folder, path, content)
        before = tree(life.folder)
        refused = life("retire", "mara")
        assert (refused.code, f"({kind})" in refused.err) == (2, True), refused.err
        foreseen = life("retire", "mara", "--dry-run", "--json")
        (protection,) = foreseen.json["protected_by"]
        assert foreseen.code == 2, "a refusal that is foreseen is one"
        assert protection["kind"] == kind
        assert without_its_id(tree(life.folder)) == without_its_id(before)
        (life.folder / path).unlink()
    assert life("retire", "nobody").code == 2
    assert life("retire", "../mara").code == 2


# req: D8
@pytest.mark.sweep
def test_files_state_and_relationships_follow_in_one_step_and_come_back(life: Life) -> None:
    assert life("write", "--review", "accept").code == 0
    assert "mara" in life.read("state/current-state.json")["characters"]
    before = set(tree(life.folder / "characters"))
    ended = life("retire", "mara", "--json")
    assert (ended.code, ended.json["done"]) == (0, True), ended.err
    assert ended.json["relationships"] == BONDS
    assert (life.folder / "characters/retired/mara.md").exists()
    assert not (life.folder / "characters/active/mara.json").exists()
    assert life.read("characters/relationships.json")["relationships"] == []
    assert "mara" not in life.read("state/current-state.json").get("characters", {})
    assert life("verify").code == 0, life("verify").out
    assert life("write", "--review", "accept").code == 0, "the book goes on"

    assert life("retire", "mara", "--undo").code == 0
    assert set(tree(life.folder / "characters")) == before
    assert life.read("characters/relationships.json")["relationships"] == BONDS
    assert "mara" in life.read("state/current-state.json")["characters"]
    assert life("verify").code == 0
    assert life("retire", "mara", "--undo").code == 2


def test_a_plan_that_was_changed_is_still_told_once_somebody_has_left(life: Life) -> None:
    path = "volumes/vol-01/chapter-contracts/chapter-001.json"
    plan = doc(chapter=1, volume=1, title="Quay", storyline_id="main", objectives=["They meet"])
    put(life.folder, path, plan)
    assert life("write", "--review", "accept").code == 0
    put(life.folder, path, {**plan, "objectives": ["They part"]})
    store = ProjectStore(life.folder)
    with ProjectLock(store.layout.folder):
        keep_plans(store)
    (before,) = plan_changes(store)
    assert life("retire", "mara").code == 0
    assert before in plan_changes(ProjectStore(life.folder))

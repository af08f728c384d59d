"""Chapters that only an outline plans: their storyline, viewpoint and promises, in any volume."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.life import Life, opened, outline
from tests.pipeline.flows import block, kind_of, put

LINES = [
    {"id": "main", "title": "The Lamp", "pov": "mara"},
    {"id": "harbour", "title": "The Quay", "pov": "joss"},
]


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    for life in opened(tmp_path / "novel", "Slack Water"):
        put(life.folder, "storylines/storylines.json", {"schema_version": 1, "storylines": LINES})
        for volume, chapter in ((1, 1), (2, 2)):
            rows = [{"chapter": chapter, "storyline_id": ("harbour", "main")[volume - 1]}]
            put(
                life.folder,
                f"volumes/vol-{volume:02d}/storyline-schedule.json",
                {"schema_version": 1, "chapters": rows},
            )
        promise = {"id": "bell", "description": "Who rang the bell", "planted": 1, "due": 2}
        plan = {"schema_version": 1, "promises": [promise]}
        put(life.folder, "volumes/vol-01/foreshadowing.json", plan)
        yield life


# req: D6 (found: S7, S8)
def test_a_chapter_of_the_outline_is_its_storylines_and_the_next_volume_begins(life: Life) -> None:
    assert life("write", "--review", "accept").code == 0
    (first,) = (life.folder / "state/changelog.jsonl").read_text("utf-8").splitlines()
    assert json.loads(first)["storyline_id"] == "harbour"
    assert (life.folder / "storylines/harbour/memory.md").exists()
    assert not (life.folder / "storylines/main").exists()
    draft = next(a for a in life.fake.asked if kind_of(a) == "draft")
    assert "joss" in draft.prompt.lower()
    assert "bell" in block(draft, "foreshadowing") + block(draft, "contract") + draft.prompt

    put(life.folder, "volumes/vol-02/outline.md", outline("Fog", first=2))
    assert life("status", "--json").json["next_title"] == "Fog"
    assert life("write", "--review", "accept").code == 0
    assert life.checkpoint["current_volume"] == 2
    assert (life.folder / "storylines/main/memory.md").exists()

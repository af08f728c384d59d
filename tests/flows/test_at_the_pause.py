"""A chapter between 2 and 3: the person chooses the chapter or scenes, and her note is heard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.life import Life, opened
from tests.pipeline.flows import CONTRACT, block, judged, kind_of, put, scene_number


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    for life in opened(tmp_path / "novel", "Slack Water", judge=[judged(2.5), judged(4.4)]):
        put(life.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", CONTRACT)
        yield life


def redrafted(life: Life) -> dict[int, str]:
    """The scenes that were drafted with notes, and those notes."""
    drafts = [asked for asked in life.fake.asked if kind_of(asked) == "draft"]
    return {scene_number(a): block(a, "notes") for a in drafts if block(a, "notes")}


# req: F2 (found: S13)
def test_the_person_chooses_scenes_and_her_note_reaches_the_drafter(life: Life) -> None:
    paused = life("write", "--review", "accept", "--json")
    assert (paused.code, paused.events[0]["kind"]) == (4, "gate")
    options = paused.events[0]["options"]
    assert options == ["draft-again", "draft-scenes", "review", "keep", "edit"]
    assert life("decide", "draft-scenes", "--note", "2: the bell must be heard").code == 0
    assert life("resume", "--review", "accept").code == 0
    notes = redrafted(life)
    assert list(notes) == [2]
    assert "the bell must be heard" in notes[2]
    assert life.checkpoint["orchestrator_state"] == "WRITING"


# req: F2
def test_or_the_whole_chapter(life: Life) -> None:
    assert life("write", "--review", "accept").code == 4
    assert life("decide", "draft-again", "--note", "colder").code == 0
    assert life("resume", "--review", "accept").code == 0
    notes = redrafted(life)
    assert sorted(notes) == [1, 2]
    assert all("colder" in note for note in notes.values())

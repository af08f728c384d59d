"""An outline from a file becomes the plan of a volume, as a whole or chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.life import Life, opened, outline

WRITTEN = "## Chapter 1: Slack Water\n\nMara climbs the tower on night 1.\n"


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    yield from opened(tmp_path / "novel", "Slack Water", "The Lamp Room", "A Door")


def test_an_outline_is_compared_and_taken_over_chapter_by_chapter(life: Life) -> None:
    plan = life.folder / "volumes/vol-01/outline.md"
    assert life("write", "--review", "accept").code == 0
    before = plan.read_text("utf-8")
    file = life.folder.parent / "mine.md"
    file.write_text(
        "# Mine\n\n## Chapter 1: Other\n\nNo.\n\n## Chapter 2: The Lamp Room\n\nMara waits.\n\n"
        "## Chapter 3: A Door\n\nMara climbs the tower on night 3.\n\n## Chapter 4: Fog\n\nFog.\n",
        "utf-8",
    )
    proposal = life("volume", "plan", "--from", file, "--json")
    assert proposal.code == 4, proposal.err
    changes = {row["chapter"]: row["change"] for row in proposal.json["chapters"]}
    assert changes == {1: "fixed", 2: "changed", 4: "new"}
    assert plan.read_text("utf-8") == before, "nothing changes before the answer"
    assert life("decide", "accept", "--note", "3").code == 2
    assert life("decide", "accept", "--note", "4").code == 0
    now = plan.read_text("utf-8")
    assert WRITTEN in now
    assert "night 2" in now
    assert now.rstrip().endswith("## Chapter 4: Fog\n\nFog.")
    assert life("volume", "plan", "--from", file).code == 4
    assert life("decide", "accept").code == 0
    assert "Mara waits." in plan.read_text("utf-8")
    assert life("plan", "undo").code == 0
    assert plan.read_text("utf-8") == now


def test_the_next_volume_is_planned_when_this_one_is_written(life: Life) -> None:
    file = life.folder.parent / "mine.md"
    file.write_text("Nothing planned.\n", "utf-8")
    assert life("volume", "plan", "--from", file).code == 2
    file.write_text(outline("Fog", first=2), "utf-8")
    refused = life("volume", "plan", "2", "--from", file)
    assert (refused.code, "planned in volume 1" in refused.err) == (2, True)
    (life.folder / "volumes/vol-01/outline.md").write_text(outline("Slack Water"), "utf-8")
    assert life("write", "--review", "accept").code == 0
    assert life("volume", "review", "--review", "accept").code == 0
    assert life.checkpoint["orchestrator_state"] == "VOL_PLANNING"
    assert life("volume", "plan", "--from", file).code == 4
    assert life("decide", "accept").code == 0
    assert life.checkpoint["orchestrator_state"] == "WRITING"
    assert (life.folder / "volumes/vol-02/outline.md").read_text("utf-8") == outline("Fog", first=2)
    assert life("status", "--json").json["next_title"] == "Fog"

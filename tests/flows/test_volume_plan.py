"""An outline from a file becomes the plan of a volume, as a whole or chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.life import Life, opened, outline
from tests.pipeline.flows import put

WRITTEN = "## Chapter 1: Slack Water\n\nMara climbs the tower on night 1.\n"


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    yield from opened(tmp_path / "novel", "Slack Water", "The Lamp Room", "A Door")


@pytest.mark.sweep
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


@pytest.mark.sweep
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


def put_in_the_book(life: Life, last: int) -> None:
    """Chapters 1 to `last` without a model."""
    for number in range(1, last + 1):
        path = f"chapters/chapter-{number:03d}.md"
        put(life.folder, path, f"# Night {number}\n\nMara climbed.\n")
    checkpoint = {"schema_version": 1, "orchestrator_state": "WRITING"}
    put(life.folder, ".checkpoint.json", {**checkpoint, "last_completed_chapter": last})


def written_to_its_end(life: Life) -> Path:
    """Volume 1 with its only chapter in the book, and an outline of volume 2 to give."""
    (life.folder / "volumes/vol-01/outline.md").write_text(outline("Slack Water"), "utf-8")
    put_in_the_book(life, 1)
    file = life.folder.parent / "mine.md"
    file.write_text(outline("Fog", "Ebb", first=2), "utf-8")
    return file


def standing(life: Life) -> tuple[str, int]:
    """The state of the book and its volume, as a program is told them."""
    status = life("status", "--json").json
    return status["orchestrator_state"], status["volume"]


# req: D5
@pytest.mark.sweep
@pytest.mark.repairs("S9")
def test_the_book_is_in_the_next_volume_once_its_plan_is_accepted(life: Life) -> None:
    file = written_to_its_end(life)
    assert life("volume", "review", "--review", "accept").code == 0
    assert standing(life) == ("VOL_PLANNING", 1)
    assert life("volume", "plan", "--from", file).code == 4
    assert standing(life) == ("VOL_PLANNING", 1), "nothing follows before the answer"
    assert life("decide", "accept").code == 0
    assert standing(life) == ("WRITING", 2)

    again = life("volume", "review", "--json", "--review", "accept")
    assert (again.code, again.json["volume"]) == (0, 1), "the volume that is written"
    assert standing(life) == ("WRITING", 2)
    assert life("plan", "undo").code == 0
    proposal = life("volume", "plan", "--from", file, "--json")
    assert (proposal.code, proposal.json["volume"]) == (4, 2)


# req: D5
@pytest.mark.repairs("S9")
def test_a_volume_planned_before_the_last_is_looked_back_on_is_not_asked_for_again(
    life: Life,
) -> None:
    file = life.folder.parent / "mine.md"
    file.write_text(outline("Fog", first=4), "utf-8")
    assert life("volume", "plan", "2", "--from", file).code == 4
    assert life("decide", "accept").code == 0
    assert standing(life)[1] == 1, "chapters of volume 1 are ahead"
    put_in_the_book(life, 3)
    assert life("volume", "review", "--review", "accept").code == 0
    assert standing(life) == ("WRITING", 2)
    assert "can be planned" not in life("status").err


# req: D5
@pytest.mark.repairs("S9")
def test_a_plan_that_the_writer_made_by_hand_is_followed_when_she_gives_it(life: Life) -> None:
    file = written_to_its_end(life)
    assert life("volume", "review", "--review", "accept").code == 0
    own = life.folder / "volumes/vol-02/outline.md"
    own.parent.mkdir(parents=True)
    own.write_bytes(file.read_bytes())
    assert life("volume", "plan", "2", "--from", file).code == 0
    assert standing(life) == ("WRITING", 2)

"""Looking back on a volume: the page, what can be tidied, and where the book stands then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_messages import Asked, Rule
from tests.flows.life import Life, opened
from tests.pipeline.flows import put

PROMISE = {"id": "bell", "description": "Who has the silver whistle", "due": 1}


class Summarizer:
    """The first chapter names three things, the second none of them."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, asked: Asked) -> Rule:
        self.calls += 1
        things = ("oil-can", "silver-whistle", "ledger") if self.calls == 1 else ()
        ops = [{"op": "set", "path": f"items.{thing}.holder", "value": "mara"} for thing in things]
        ops.append({"op": "set", "path": "characters.mara.mood", "value": f"{self.calls}"})
        return Rule(value={"summary": "Mara climbs.", "ops": ops, "crossref": [], "memory": "Oil."})


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    for life in opened(tmp_path / "novel", "Slack Water", summary=Summarizer()):
        put(life.folder, "foreshadowing/global.json", {"schema_version": 1, "promises": [PROMISE]})
        yield life


def second_volume(life: Life) -> None:
    """Volume 2 with one chapter, and both chapters in the book."""
    outline = "# Volume 2\n\n## Chapter 2: Fog\n\nMara climbs the tower on night 2.\n"
    put(life.folder, "volumes/vol-02/outline.md", outline)
    assert life("write", "--count", "2", "--review", "accept").code == 0


# req: D5 (found: S8)
def test_a_volume_is_looked_back_on_and_tidied_item_by_item(life: Life) -> None:
    refused = life("volume", "review")
    assert (refused.code, "No chapter of the volume" in refused.err) == (2, True)
    second_volume(life)
    ended = life("volume", "review", "--json")
    assert ended.code == 4, ended.err
    report = ended.json
    assert (report["volume"], report["chapters"]) == (2, [2])
    assert [item["path"] for item in report["leftovers"]] == ["items.ledger", "items.oil-can"]
    assert report["decision"]["options"] == ["accept", "choose", "leave"]
    assert life.checkpoint["orchestrator_state"] == "VOL_REVIEW"
    page = (life.folder / "volumes/vol-02/review.md").read_text("utf-8")
    assert page.startswith("# Volume 2 in review\n")
    assert "- Who has the silver whistle: planned, overdue" in page
    assert "- main: chapters 2" in page

    assert life("decide", "choose", "--note", "items.silver-whistle").code == 2
    assert life("decide", "choose", "--note", "items.oil-can").code == 0
    assert sorted(life.read("state/current-state.json")["items"]) == ["ledger", "silver-whistle"]
    assert life.checkpoint["orchestrator_state"] == "VOL_PLANNING"
    assert life("verify").code == 0


# req: D5
def test_nobody_is_asked_in_accept_mode_and_the_page_is_the_same_twice(life: Life) -> None:
    second_volume(life)
    path = life.folder / "volumes/vol-02/review.md"
    assert life("volume", "review", "--review", "accept").code == 0
    page = path.read_text("utf-8")
    assert life.checkpoint["orchestrator_state"] == "VOL_PLANNING"
    assert "oil-can" in life.read("state/current-state.json")["items"]
    assert life("volume", "review", "--review", "accept").code == 0
    assert path.read_text("utf-8") == page


# req: D5 H1
def test_what_is_planned_after_the_end_of_a_volume_is_of_the_next(life: Life) -> None:
    second_volume(life)
    assert life("volume", "review", "--review", "accept").code == 0
    assert life("plan", "add", "Ebb", "--happens", "The tide goes out.").code == 0
    assert life("plan", "add", "Flood").code == 0
    plan = life.folder / "volumes/vol-03/outline.md"
    assert plan.read_text("utf-8").count("## Chapter ") == 2
    assert "Ebb" not in (life.folder / "volumes/vol-02/outline.md").read_text("utf-8")
    assert life("write", "--review", "accept").code == 0
    assert life.checkpoint["current_volume"] == 3


# req: D5
def test_a_chapter_of_the_writers_own_after_the_end_of_a_volume_is_of_the_next(
    life: Life, tmp_path: Path
) -> None:
    second_volume(life)
    assert life("volume", "review", "--review", "accept").code == 0
    (tmp_path / "own.md").write_text("# Ebb\n\nThe tide went out.\n", "utf-8")
    assert life("write", "--draft", tmp_path / "own.md", "--review", "accept").code == 0
    assert life.checkpoint["current_volume"] == 3

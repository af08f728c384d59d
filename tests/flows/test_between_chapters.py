"""What is due between two chapters: the brief after every fifth, the end of a volume's plan.

Seen from outside: the installed command against a server that drafts and judges.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.pipeline.opening import ground_of
from studio.project.store import ProjectStore
from tests.flows.life import Life, opened, outline
from tests.pipeline.flows import judged, put

TITLES = ("Slack Water", "The Lamp Room", "A Door", "The Late Show", "Leeks", "Fog", "Low Tide")
PROMISE = {"id": "bell", "description": "Who rang the bell", "due": 3}


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    low = [judged(4.4), judged(3.2), judged(3.2), judged(3.2), judged(4.0)]
    for life in opened(tmp_path / "novel", *TITLES, judge=low):
        put(life.folder, "foreshadowing/global.json", {"schema_version": 1, "promises": [PROMISE]})
        yield life


def forget(life: Life, *keys: str, **changes: Any) -> None:
    """The checkpoint as a run leaves it that was killed before it wrote these keys."""
    rest = {k: v for k, v in life.checkpoint.items() if k not in keys}
    put(life.folder, ".checkpoint.json", {**rest, **changes})


# req: D4 E7
@pytest.mark.sweep
def test_the_fifth_chapter_brings_a_brief_once_and_asks_only_who_is_asked(life: Life) -> None:
    assert life("write", "--count", "4", "--review", "accept").code == 0
    assert "briefed" not in life.checkpoint
    assert life("write").code == 4
    assert life("decide", "commit").code == 0
    ended = life("resume", "--json")
    assert ended.code == 4, ended.err
    chapter, question = ended.events
    assert (chapter["status"], chapter["chapter"]) == ("completed", 5)
    assert (question["kind"], question["options"]) == ("brief", ["go-on", "look-back", "adjust"])
    assert life.checkpoint["briefed"] == [5]
    again = life("write", "--json")
    assert (again.code, again.events[0]["id"]) == (4, question["id"])
    assert "`studio decide look-back`" in life("decide").out

    brief = life("brief", "--json").json
    assert (brief["first"], brief["last"], len(brief["curves"]["pacing"])) == (1, 5, 5)
    assert [p["chapter"] for p in brief["problem_chapters"]] == [2]
    assert brief["overdue_promises"] == [
        {"id": "bell", "due": 3, "description": "Who rang the bell"}
    ]
    assert brief["mean"] == brief["book_mean"] == brief["means"]["pacing"]
    assert brief["cost_usd"] == pytest.approx(brief["book_cost_usd"])

    assert life("decide", "go-on").code == 0
    assert (life.checkpoint["pending_decision"], life.checkpoint["answers"]) == (None, [])
    assert life("resume").code == 0, "nothing waits for the answer"
    assert life.checkpoint["last_completed_chapter"] == 5

    forget(life, "briefed")
    events = life("write", "--review", "accept", "--events").events
    kinds = [e["type"] for e in events]
    assert kinds.count("brief") == 1, "a killed run's brief is made up for before the next chapter"
    assert kinds.index("brief") < kinds.index("committed")
    assert [e["option"] for e in events if e["type"] == "decision"] == ["go-on"]
    assert (life.checkpoint["briefed"], life.checkpoint["last_completed_chapter"]) == ([5], 6)


# req: E7
def test_three_gaps_in_the_state_offer_the_rebuild(life: Life) -> None:
    assert life("brief").out == "No chapter is in the book yet.\n"
    assert life("brief", "--json").json is None
    assert life("write", "--review", "accept").code == 0
    forget(life, state_gap=[1, 2])
    assert life("brief", "--json").json["rebuild_offered"] is False
    forget(life, state_gap=[1, 2, 3])
    assert life("brief", "--json").json["rebuild_offered"] is True
    assert "`studio rebuild 1 2 3` reads them again" in life("brief").out


# req: D2
@pytest.mark.sweep
def test_the_last_planned_chapter_asks_once_whether_the_volume_ends(tmp_path: Path) -> None:
    for life in opened(tmp_path / "novel", "One", "Two"):
        assert life("write", "--review", "accept").code == 0
        assert life.checkpoint["planned_to"] == 2
        assert life("write").code == 4
        assert life("decide", "commit").code == 0
        ended = life("resume", "--json")
        question = ended.events[-1]
        assert (ended.code, question["kind"]) == (4, "outline")
        assert question["options"] == ["plan-more", "end-volume"]
        assert question["recommendation"] == "plan-more"
        store = ProjectStore(life.folder)
        assert ground_of(store, 3).due, "w asks it again and wants no plan of the next chapter"
        assert life("decide", "end-volume").code == 0
        assert not ground_of(store, 3).due
        assert life.checkpoint["orchestrator_state"] == "VOL_REVIEW"
        assert "`studio volume review` looks back on it" in life("status").err
        put(life.folder, "volumes/vol-01/outline.md", outline("One", "Two", "Three"))
        assert life("write", "--review", "accept").code == 0, "nothing is refused that has a plan"
        assert life.checkpoint["orchestrator_state"] == "WRITING"


# req: D2
@pytest.mark.sweep
def test_in_accept_mode_the_end_of_the_plan_stops_nothing(tmp_path: Path) -> None:
    for life in opened(tmp_path / "novel", "One", "Two"):
        ended = life("write", "--count", "2", "--review", "accept", "--events")
        assert ended.code == 0
        (decision,) = [e for e in ended.events if e["type"] == "decision"]
        assert (decision["kind"], decision["option"], decision["by"]) == (
            "outline",
            "plan-more",
            "mode",
        )
        assert life.checkpoint["orchestrator_state"] == "WRITING"
        assert "planned_to" not in life.checkpoint


# req: D2
@pytest.mark.sweep
def test_who_plans_a_chapter_at_a_time_or_not_at_all_is_asked_nothing(tmp_path: Path) -> None:
    for life in opened(tmp_path / "novel", "One"):
        first = life("write", "--review", "accept", "--events")
        put(life.folder, "volumes/vol-01/outline.md", outline("One", "Two"))
        second = life("write", "--review", "accept", "--events")
        own = life.folder.parent / "own.md"
        own.write_text("# Three\n\nMara went down to the quay and waited there.\n", "utf-8")
        third = life("write", "--draft", own, "--review", "accept", "--events")
        assert [ended.code for ended in (first, second, third)] == [0, 0, 0]
        events = [*first.events, *second.events, *third.events]
        assert [e for e in events if e["type"] == "committed"] != []
        assert [e for e in events if e.get("kind") == "outline"] == []
        assert "planned_to" not in json.dumps(life.checkpoint)


# req: D2 D5
@pytest.mark.sweep
def test_a_chapter_of_an_earlier_volume_reviewed_again_leaves_the_book_in_its_volume(
    tmp_path: Path,
) -> None:
    for life in opened(tmp_path / "novel", "One"):
        later = outline("Two", "Three", "Four", first=2)
        put(life.folder, "volumes/vol-02/outline.md", later)
        assert life("write", "--count", "2", "--review", "accept").code == 0
        assert (life.checkpoint["current_volume"], life.checkpoint["planned_to"]) == (2, 4)
        again = life("write", "1", "--again", "--review", "reject", "--events")
        assert again.code == 0
        assert not [e for e in again.events if e["type"] == "decision"], (
            "volume 2 is not at its end"
        )
        assert (life.checkpoint["current_volume"], life.checkpoint["planned_to"]) == (2, 4)

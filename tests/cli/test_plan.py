"""`studio plan`: the chapters ahead, put in order from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from studio.story.checkpoint import OrchestratorState
from tests.cli.conftest import Typed


def titles(typed: Typed) -> list[tuple[int, str]]:
    rows = typed("plan", "list", "--json").json["chapters"]
    return [(row["chapter"], row["title"]) for row in rows]


def test_chapters_are_planned_from_the_command_line_and_taken_back(
    novel: Path, typed: Typed
) -> None:  # req: H1
    before = titles(typed)
    last = before[-1][0]
    assert typed("plan", "add", "灯塔").out.strip() == f"Chapter {last + 1} is planned."
    typed("plan", "add", "조수", "--after", str(last))
    assert titles(typed)[-2:] == [(last + 1, "조수"), (last + 2, "灯塔")]
    typed("plan", "rename", str(last + 1), "The Tide")
    typed("plan", "move", str(last + 2), str(last + 1))
    assert titles(typed)[-2:] == [(last + 1, "灯塔"), (last + 2, "The Tide")]
    typed("plan", "merge", str(last + 1))
    assert typed("plan", "split", str(last + 1)).code == 2
    typed("plan", "remove", str(last + 1))
    assert titles(typed) == before
    for _ in range(6):
        assert typed("plan", "undo").code == 0
    assert titles(typed) == before
    refused = typed("plan", "undo")
    assert refused.code == 2
    assert "No change of the plans can be taken back" in refused.err
    assert typed("verify").code == 0
    assert "nothing said yet" not in typed("plan", "--help").out


# req: D10
@pytest.mark.parametrize(
    ("state", "way"),
    [
        ("INIT", "a few words under `## Chapter 1: Title` in the volume's outline.md are one"),
        ("QUICK_START", "`studio start` leads to one"),
        ("VOL_PLANNING", "`studio volume plan` leads to one"),
        ("VOL_REVIEW", "`studio volume review` leads to one"),
    ],
)
def test_what_leads_to_the_plan_of_the_next_chapter_is_said_before_it_is_written(
    novel: Path, typed: Typed, state: str, way: str
) -> None:
    store = ProjectStore(novel)
    checkpoint = store.checkpoint().updated(orchestrator_state=OrchestratorState(state))
    store.save_checkpoint(checkpoint)
    assert "has no plan" in typed("write").err
    said = typed("status").out
    assert f"Next: chapter 1. It has no plan: {way}" in said
    assert "`studio write`" not in said
    assert typed("status", "--json").json["next_ready"] is False
    outline = novel / "volumes/vol-01/outline.md"
    outline.write_text("# Volume 1\n\n## Chapter 1: Fog\n\nMara counts the boats.\n", "utf-8")
    assert "Next: chapter 1, “Fog”. `studio write`" in typed("status").out
    assert typed("status", "--json").json["next_ready"] is True


# req: H1
def test_a_chapter_is_planned_in_one_command_and_a_bare_heading_is_named_at_once(
    novel: Path, typed: Typed
) -> None:
    before = titles(typed)
    number = before[-1][0] + 1 if before else 1
    bare = typed("plan", "add", "조수")
    assert bare.out.strip() == f"Chapter {number} is planned."
    assert f"Nothing is said of chapter {number} yet, and without a plan it cannot" in bare.err
    assert (
        f"under its heading in volumes/vol-01/outline.md are one, `studio plan propose {number}"
        in (bare.err)
    )
    assert "(nothing said yet)" in typed("plan", "list").out
    if number == 1:
        refused = typed("write").err
        assert "Chapter 1 has no plan: its heading in the outline has nothing under it." in refused
        assert "Write below it in volumes/vol-01/outline.md what happens" in refused
    typed("plan", "undo")
    one = typed("plan", "add", "灯塔", "--happens", "Mara counts\nthe boats.")
    assert one.err == ""
    rows = typed("plan", "list").out.splitlines()
    assert [row for row in rows if "(nothing said yet)" in row] == ["1  (nothing said yet)"]
    section = ProjectStore(novel).outline_section(number, 1)
    assert section == ("灯塔", "Mara counts the boats.")
    typed("plan", "undo")
    assert titles(typed) == before
    typed(
        "plan", "add", "灯塔", "--happens", "## Chapter 9: no heading", "--happens", "민아가 온다."
    )
    section = ProjectStore(novel).outline_section(number, 1)
    assert section == ("灯塔", "- ## Chapter 9: no heading\n- 민아가 온다.")
    assert typed("plan", "split", str(number)).code == 0
    assert typed("verify").code == 0


# req: D10
def test_a_novel_of_drafts_alone_is_told_of_drafts(novel: Path, typed: Typed) -> None:
    own = novel / "own.md"
    own.write_text("# Fog\n\nMara counted the boats.\n", "utf-8")
    assert typed("write", "--draft", own, "--review", "reject").code == 0
    said = typed("status").out
    assert "`studio write --draft FILE` takes a text of yours" in said

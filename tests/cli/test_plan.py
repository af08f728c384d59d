"""`studio plan`: the chapters ahead, put in order from the command line."""

from __future__ import annotations

from pathlib import Path

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

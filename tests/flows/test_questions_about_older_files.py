"""A question that is answered later: what was edited since is not overwritten, and the files change
together with the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.project.plans import ANOTHER_OUTLINE, planned_book_with_people, put_contract

HERS = "\nMara tears the letter. 조스는 몰랐다. 没有人知道。\n"


def asked_about_an_outline(place: Path) -> Path:
    """A novel in which the plan of volume 1 waits for an answer."""
    folder, outline = place / "novel", place / "outline.md"
    planned_book_with_people(folder)
    put_contract(folder, 4)
    outline.write_text(ANOTHER_OUTLINE, "utf-8")
    asked = studio("volume", "plan", 1, "--from", outline, "--project", folder)
    assert asked.code == 4, asked
    return folder


def pending(folder: Path) -> Any:
    return json.loads((folder / ".checkpoint.json").read_text("utf-8"))["pending_decision"]


@pytest.mark.repairs("T16")
def test_an_outline_edited_after_the_question_is_not_overwritten(tmp_path: Path) -> None:
    folder = asked_about_an_outline(tmp_path)
    outline = folder / "volumes/vol-01/outline.md"
    edited = outline.read_text("utf-8").replace("Mara hears it.\n", f"Mara hears it.\n{HERS}")
    outline.write_text(edited, "utf-8")
    answer = studio("decide", "accept", "--project", folder)
    assert outline.read_text("utf-8") == edited
    assert (answer.code, "outline.md" in answer.err) == (4, True), answer
    assert HERS.strip() in json.dumps(pending(folder), ensure_ascii=False)
    assert studio("decide", "accept", "--project", folder).code == 0


@pytest.mark.repairs("T16")
def test_a_brief_written_after_the_question_is_not_overwritten(tmp_path: Path) -> None:
    folder, premise = tmp_path / "novel", tmp_path / "premise.md"
    premise.write_text("A keeper counts the steps of a lamp.\n", "utf-8")
    made = ("--title", "Salt", "--language", "en", "--premise", premise)
    assert studio("start", folder, *made).code == 4
    brief = folder / "brief.md"
    brief.write_text("# Salt\n" + HERS, "utf-8")
    answer = studio("decide", "next", "--project", folder)
    assert brief.read_text("utf-8") == "# Salt\n" + HERS
    assert (answer.code, "brief.md" in answer.err) == (4, True), answer
    assert studio("start", folder).code == 4
    assert studio("decide", "next", "--project", folder).code == 0
    assert HERS.strip() in brief.read_text("utf-8")


@pytest.mark.repairs("T16")
def test_a_chapter_that_is_said_to_be_planned_no_longer_is_not_planned(tmp_path: Path) -> None:
    folder = asked_about_an_outline(tmp_path)
    assert "Chapter 4 “편지” is no longer planned." in pending(folder)["data"]["notes"]
    assert studio("decide", "accept", "--project", folder).code == 0
    listed = json.loads(studio("plan", "list", "--json", "--project", folder).out)["chapters"]
    assert [row["chapter"] for row in listed] == [3, 5, 6, 7]


@pytest.mark.crash
@pytest.mark.repairs("T24")
def test_an_answer_and_its_files_are_one_change(tmp_path: Path) -> None:
    folder = asked_about_an_outline(tmp_path)
    environ = {"STUDIO_FAULT": "commit.after_checkpoint:kill"}
    assert studio("decide", "accept", "--project", folder, environ=environ).code == -9
    assert pending(folder) is None
    assert studio("resume", "--project", folder).code == 0
    assert ProjectStore(folder).outline_section(7, 1) is not None

"""`studio plan`: the chapters ahead, put in order from the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from studio.story.checkpoint import OrchestratorState
from tests.cli.conftest import Typed, own_chapter
from tests.project.novels import put


def placed(chapter: int) -> str:
    return f"Chapter {chapter} is in the outline, with no plan yet."


def titles(typed: Typed) -> list[tuple[int, str]]:
    rows = typed("plan", "list", "--json").json["chapters"]
    return [(row["chapter"], row["title"]) for row in rows]


def test_a_number_that_no_chapter_has_keeps_no_chapter_from_being_written(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:  # req: U3
    put(novel, "volumes/vol-01/outline.md", f"## Chapter {'9' * 20}: End\n\nRain.\n")
    put(novel, f"chapters/chapter-{'9' * 20}.md", "# End\n\nRain.\n")
    ended = typed("write", "--draft", own_chapter(tmp_path), "--review", "reject")
    assert ended.code == 0, ended.err
    assert typed("plan", "add", "Night").out.strip() == placed(2)


def test_a_file_whose_name_is_no_unicode_keeps_no_chapter_from_being_written(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:  # req: U3
    (novel / os.fsdecode(b"world/\xb5\xee\xb4\xeb.md")).write_text("# The Lamp\n\nOld.\n", "utf-8")
    ended = typed("write", "--draft", own_chapter(tmp_path), "--review", "reject")
    assert ended.code == 0, ended.err
    assert typed("verify").code == 0


@pytest.mark.sweep
def test_chapters_are_planned_from_the_command_line_and_taken_back(
    novel: Path, typed: Typed
) -> None:  # req: H1
    typed("plan", "add", "안개")
    before = titles(typed)
    last = before[-1][0]
    assert typed("plan", "add", "灯塔").out.strip() == placed(last + 1)
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
    assert typed("plan", "undo").code == 0
    refused = typed("plan", "undo")
    assert refused.code == 2
    assert "no change of the plans to take back" in refused.err
    assert typed("verify").code == 0
    assert "nothing said yet" not in typed("plan", "--help").out


# req: D10
@pytest.mark.sweep
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
    checkpoint = store.checkpoint().copy_with(orchestrator_state=OrchestratorState(state))
    store.save_checkpoint(checkpoint)
    outline = novel / "volumes/vol-01/outline.md"
    outline.write_text("# Volume 1\n", "utf-8")
    refused = typed("write").err
    assert "Chapter 1 has no plan: nothing says yet what happens in it." in refused
    assert '`studio plan add "Title" --happens "What happens."` plans it' in refused
    assert "`studio volume plan` has a model plan the chapters ahead" in refused
    assert ".json" not in refused, "a novelist writes no JSON"
    said = typed("status").out
    assert f"Next: chapter 1. It has no plan: {way}" in said
    assert "`studio write`" not in said
    assert typed("status", "--json").json["next_ready"] is False
    outline.write_text("# Volume 1\n\n## Chapter 1: Fog\n\nMara counts the boats.\n", "utf-8")
    assert "Next: chapter 1, “Fog”. `studio write`" in typed("status").out
    assert typed("status", "--json").json["next_ready"] is True


# req: H1
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "title", "happens", "heading"),
    [
        ("en", "Low Tide", "Mara counts the boats.", "## Chapter 1: Low Tide"),
        ("ko", "썰물", "마라가 배를 센다.", "## 제1장 썰물"),
        ("zh", "退潮", "玛拉数船。", "## 第1章 退潮"),
    ],
)
def test_what_is_planned_first_in_a_new_novel_is_chapter_1(
    tmp_path: Path, typed: Typed, language: str, title: str, happens: str, heading: str
) -> None:
    new = str(tmp_path / "new")
    typed("new", new, "--title", "T", "--language", language)
    outline = tmp_path / "new/volumes/vol-01/outline.md"
    at_first = outline.read_bytes()
    there = ("--project", new)
    assert typed("plan", "add", title, *there).out.strip() == placed(1)
    assert heading in outline.read_text("utf-8").splitlines()
    typed("plan", "undo", *there)
    assert outline.read_bytes() == at_first
    assert typed("plan", "add", title, "--happens", happens, *there).err == ""
    assert ProjectStore(tmp_path / "new").outline_section(1, 1) == (title, happens)
    assert "-->" in outline.read_text("utf-8").partition(happens)[2], "the note is the writer's"
    for number in (2, 3):
        assert typed("plan", "add", title, *there).out.strip() == placed(number)


# req: H1
def test_an_empty_chapter_1_stays_where_another_place_is_asked_for(
    tmp_path: Path, typed: Typed
) -> None:
    new = str(tmp_path / "new")
    typed("new", new, "--title", "T", "--language", "en")
    there = ("--project", new)
    assert typed("plan", "add", *there).out.strip() == placed(2)
    typed("plan", "undo", *there)
    assert typed("plan", "add", "灯", "--after", "1", *there).out.strip() == placed(2)
    typed("plan", "undo", *there)
    put(tmp_path / "new", "imports/chapter-001.md", "# Fog\n\nMara counted the boats.\n")
    assert typed("plan", "add", "灯", *there).out.strip() == placed(2)


# req: H1
def test_a_chapter_is_planned_in_one_command_and_a_bare_heading_is_named_at_once(
    novel: Path, typed: Typed
) -> None:
    before = titles(typed)
    number = 1
    bare = typed("plan", "add", "조수")
    assert bare.out.strip() == placed(number)
    assert "under its heading in volumes/vol-01/outline.md are a plan" in bare.err
    assert f"`studio plan propose {number}" in bare.err
    assert "(nothing said yet)" in typed("plan", "list").out
    refused = typed("write").err
    assert "Chapter 1 has no plan: its heading in the outline has nothing under it." in refused
    assert "Write below it in volumes/vol-01/outline.md what happens" in refused
    typed("plan", "undo")
    one = typed("plan", "add", "灯塔", "--happens", "Mara counts\nthe boats.")
    assert one.err == ""
    assert typed("plan", "list").out.splitlines() == ["1 灯塔"]
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

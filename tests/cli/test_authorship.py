"""`studio authorship`: what a writer and a program read of who wrote the book."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Typed, own_chapter


@pytest.fixture
def brought(novel: Path, tmp_path: Path, typed: Typed) -> Path:
    assert typed("write", "--draft", own_chapter(tmp_path), "--review", "reject").code == 0
    return novel


def test_json_has_a_line_for_each_chapter(brought: Path, typed: Typed) -> None:  # req: G15
    lines = typed("authorship", "--json").out.splitlines()
    assert len(lines) == 1
    chapter = json.loads(lines[0])
    assert set(chapter) == {"schema_version", "chapter", "paragraphs"}
    assert chapter["chapter"] == 1
    assert {row["by"] for row in chapter["paragraphs"]} == {"brought"}
    assert all(len(row["sha256"]) == 64 for row in chapter["paragraphs"])
    assert typed("authorship", 1, "--json").out.splitlines() == lines


def test_a_person_reads_shares(brought: Path, typed: Typed) -> None:
    out = typed("authorship").out
    assert "100% brought in from files and other programs" in out
    assert "sha" not in out


def test_the_statement_is_a_file_of_the_writers(brought: Path, typed: Typed) -> None:  # req: G15
    assert typed("authorship", "-o", brought.parent / "who.md").code == 0
    text = (brought.parent / "who.md").read_text("utf-8")
    assert text.startswith("# The Salt Ledger: who wrote it")
    assert "| 1 | 100% |" in text
    assert typed("authorship", "-o", "-").out == text


def test_what_cannot_be_is_said(brought: Path, typed: Typed) -> None:
    assert typed("authorship", 7).code == 2
    assert typed("authorship", "-o", "chapters/who.md").code == 2
    assert typed("authorship", 1, "-o", "-").code == 2
    (brought.parent / "who.md").write_text("mine", "utf-8")
    assert typed("authorship", "-o", brought.parent / "who.md").code == 2
    assert (brought.parent / "who.md").read_text("utf-8") == "mine"


def test_a_book_without_text_has_no_statement(novel: Path, typed: Typed) -> None:
    assert typed("authorship", "--json").out == ""
    assert "no text yet" in typed("authorship").out
    assert typed("authorship", "-o", "-").code == 2

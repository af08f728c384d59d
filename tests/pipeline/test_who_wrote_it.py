"""A chapter by a model, by hand and from a file: who wrote it is known at every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.authorship import Authorship, By
from studio.pipeline.chapter.own_text import save_own_text
from studio.project.author.author_text import standing_text
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import DRAFT, Desk, Model, directive, judged

BELL = "Nobody rang the bell that morning, and nobody asked why it had not been rung."


def _kinds(desk_: Desk, chapter: int = 1) -> list[By]:
    return [p.by for p in Authorship(desk_.store, "en").of(chapter).paragraphs]


@pytest.mark.sweep
def test_a_models_chapter_edited_in_the_studio_and_elsewhere(desk: OpenDesk) -> None:  # req: G15
    desk_ = desk(Model())
    desk_.write(review="ask")
    assert set(_kinds(desk_)) == {"model"}
    staged = standing_text(desk_.store, 1)
    assert staged is not None
    save_own_text(desk_.store, 1, f"{staged.text.rstrip()}\n\n{BELL}\n", staged.sha256, "en")
    assert _kinds(desk_)[-1] == "hand"
    desk_.resume(review="reject")
    kinds = _kinds(desk_)
    assert (set(kinds[:-1]), kinds[-1]) == ({"model"}, "hand")
    file = desk_.folder / "chapters/chapter-001.md"
    file.write_text(file.read_text("utf-8") + "\nThe shaft answered after all.\n", "utf-8")
    assert _kinds(desk_)[-2:] == ["hand", "brought"]


def test_a_fix_in_the_writers_own_chapter(desk: OpenDesk, tmp_path: Path) -> None:
    own = tmp_path / "own.md"
    own.write_text(DRAFT, "utf-8")
    desk_ = desk(Model(judge=judged(3.8, [directive(1, 1)])))
    desk_.write(review="ask", draft=own)
    kinds = _kinds(desk_)
    assert set(kinds) == {"brought"}
    session = desk_.session()
    sheet = session.directives()
    assert sheet is not None
    session.change_directives("accept", [d.id for d in sheet.open])
    desk_.resume(review="ask")
    assert set(_kinds(desk_)) & {"model", "model_edited"}
    session.change_directives("undo", [d.id for d in sheet.open][:1])
    assert _kinds(desk_)[0] == "brought"


def test_what_she_typed_in_the_studio_is_by_hand(desk: OpenDesk) -> None:
    desk_ = desk(Model())
    desk_.write(review="reject", draft=DRAFT, typed=True)
    assert set(_kinds(desk_)) == {"hand"}


def test_versions_without_a_writer_are_known_by_the_answers(desk: OpenDesk) -> None:
    """As a version of the program before this one left them."""
    desk_ = desk(Model())
    desk_.write(review="ask")
    log = desk_.folder / "history/log.jsonl"
    lines = log.read_text("utf-8")
    for reason in ("drafted by a model", "polished by a model", "fixed by a model"):
        lines = lines.replace(reason, "staged")
    log.write_text(lines, "utf-8")
    assert "model" in set(_kinds(desk_))

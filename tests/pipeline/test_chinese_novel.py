"""The Chinese novel, end to end: the next chapter drafted, measured, operated on and committed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.project.changelog import replay
from studio.project.verify import verify
from studio.story.review.directive import Directive
from tests.chinese_novel_made import make
from tests.pipeline.chinese_book import (
    DRAFT,
    FILTERED,
    PLAIN,
    drafted,
    operated,
    renamed,
    summarized,
)
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, block, judged, unrefined
from tests.small_novels import NOVELS, small_novel

BEFORE = ("chapters/chapter-001.md", "chapters/chapter-002.md", "volumes", "characters", "world")


@pytest.fixture
def book(tmp_path: Path, desk: OpenDesk) -> Any:
    """Opens a copy of the novel with a model that drafts chapter 3."""
    small_novel("zh", tmp_path / "novel")

    def opened(**answers: Any) -> Desk:
        plain = {"draft": drafted, "refine": unrefined, "summary": summarized, "surgery": operated}
        return desk(Model(**{**plain, **answers}))

    return opened


def sheet(desk: Desk) -> list[Directive]:
    document = desk.store.directives(3)
    assert document is not None
    return list(document.directives)


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = [path for name in BEFORE for path in [folder / name, *(folder / name).rglob("*")]]
    return {str(path): path.read_bytes() for path in files if path.is_file()}


# req: A12
# req: A13
@pytest.mark.sweep
def test_only_the_weak_paragraph_of_a_chinese_chapter_is_changed(book: Any) -> None:
    desk = book()
    before = bytes_of(desk.folder)
    assert desk.write(chapter=3).committed.chapter == 3
    assert desk.text(3) == DRAFT.replace(FILTERED, PLAIN)
    assert bytes_of(desk.folder) == before


# req: A17
@pytest.mark.sweep
def test_the_fix_says_what_it_did_to_the_filter_words(book: Any) -> None:
    desk = book()
    desk.write(chapter=3)
    fix = next(d for d in sheet(desk) if d.type == "filter-word-removal")
    assert (fix.status, fix.current_text) == ("kept", FILTERED)
    assert fix.result is not None
    assert fix.result.after == PLAIN
    change = next(m for m in fix.result.metrics if m.metric == "filter_word_density")
    assert change.before > change.after == 0


@pytest.mark.sweep
def test_a_surgeon_who_renames_her_changes_nothing(book: Any) -> None:
    desk = book(surgery=renamed)
    assert desk.write(chapter=3).exit_code == 0
    assert desk.text(3) == DRAFT
    fix = next(d for d in sheet(desk) if d.type == "filter-word-removal")
    assert fix.status == "failed"


@pytest.mark.sweep
def test_the_chapter_and_what_is_known_of_it_are_committed_together(book: Any) -> None:
    desk = book(judge=judged(4.4))
    desk.write(chapter=3)
    state = desk.store.state()
    assert state == replay(desk.store.changelog().entries)
    assert state.last_chapter == 3
    assert state.characters["wen-sui"]["location"] == "灶间"
    assert state.active_foreshadowing["child-thumb"]["last"] == 3
    assert verify(desk.folder).findings == ()


# req: A2
def test_the_drafter_is_given_the_novels_own_exemplars_rules_and_last_lines(book: Any) -> None:
    desk = book()
    desk.write(chapter=3)
    first = next(asked for asked in desk.server.asked if "Write scene 1" in asked.prompt)
    assert "四百零二号是铺里最重的抽屉" in first.prompt
    assert "字不单走" in first.prompt
    assert "慢慢低下了头" in first.prompt
    assert "命运的齿轮" in first.prompt
    assert block(first, "chapter") == ""


@pytest.mark.sweep
def test_in_ask_mode_the_writer_reads_the_chapter_before_it_is_in_the_book(book: Any) -> None:
    desk = book()
    ran = desk.write(chapter=3, review="ask")
    assert ran.decision.kind == "review"
    assert not (desk.folder / "chapters/chapter-003.md").exists()
    desk.session().change_directives("reject", [], all_=True, reason="这一段是她的眼睛。")
    desk.decide("commit")
    assert desk.resume(review="ask").committed.chapter == 3
    assert desk.text(3) == DRAFT
    assert {d.status for d in sheet(desk)} == {"rejected"}


@pytest.mark.sweep
def test_a_fix_the_writer_thinks_better_of_is_undone_to_the_byte(book: Any) -> None:
    desk = book()
    desk.write(chapter=3, review="ask")
    desk.session().change_directives("accept", [], all_=True)
    desk.resume(review="ask")
    assert PLAIN in desk.staged(3).read_text("utf-8")
    fixed = next(d for d in desk.session().directives().directives if d.status == "applied")
    desk.session().change_directives("undo", [fixed.id])
    assert desk.staged(3).read_text("utf-8") == DRAFT


@pytest.mark.sweep
def test_the_novel_is_what_the_program_makes_of_its_plans_and_chapters(tmp_path: Path) -> None:
    made = make(tmp_path / "made")
    for path in ("chapters", "summaries", "storylines", "foreshadowing", "state/crossref"):
        for file in (NOVELS / "zh" / path).rglob("*.*"):
            assert (made / file.relative_to(NOVELS / "zh")).read_bytes() == file.read_bytes(), file
    state = "state/current-state.json"
    assert (made / state).read_bytes() == (NOVELS / "zh" / state).read_bytes()

"""Chapters come into a novel as drafts that wait, or as chapters of the book."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.commit import ImportAs, plan_import
from studio.exchange.import_.detect import Rules
from studio.pipeline.outcome import Committed
from studio.project.files import load
from studio.project.lock.lock import ProjectLock
from studio.project.planning.imports import waiting_chapters
from studio.project.repair import repair
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.session import Session
from tests.exchange.books import brought, file_of, novel, write
from tests.exchange.texts import ENGLISH, KOREAN, prose
from tests.project.novels import tree


@pytest.fixture
def manuscript(tmp_path: Path) -> Path:
    """Three chapters in an old encoding."""
    return file_of(tmp_path, "소금길.txt", KOREAN.replace("\n", "\r\n"), "cp949")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A new Korean novel."""
    return novel(tmp_path / "book")


def test_drafts_wait_in_order_and_the_outline_names_them(book: Path, manuscript: Path) -> None:
    done = brought(book, manuscript)
    assert done.chapters == ((1, "등대"), (2, "열쇠"), (3, "에필로그"))
    first = (book / "imports/chapter-001.md").read_text("utf-8")
    assert first.startswith("# 등대\n\n비가 그치자")
    assert "\r" not in first
    outline = (book / "volumes/vol-01/outline.md").read_text("utf-8")
    assert "\n## 제1장 등대\n" in outline
    assert outline.endswith("\n## 제3장 에필로그\n")
    assert not (book / "chapters/chapter-001.md").exists()
    assert not verify(book).findings


@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_the_files_are_kept_byte_for_byte(
    book: Path, manuscript: Path, kind: str
) -> None:  # req: F5
    brought(book, manuscript, kind=kind)  # type: ignore[arg-type]
    history = ProjectStore(book).history
    (original,) = [v for v in history.log() if v.reason == "imported original"]
    assert original.path == "imports/originals/소금길.txt"
    assert history.blob(original.sha) == manuscript.read_bytes()


@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_a_chapter_larger_than_any_is_told_of_at_once_and_refused(
    book: Path, manuscript: Path, kind: ImportAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "LARGEST_CHAPTER", 100)
    assert "is 0.0 MB; a chapter has at most" in " ".join(plan_import([manuscript])[0].notes)
    before = tree(book)
    with pytest.raises(StudioError, match=r"in 소금길\.txt is .* a chapter has at most") as caught:
        brought(book, manuscript, kind=kind)
    assert caught.value.problem.exit_code == Exit.USAGE
    assert tree(book) == before


@pytest.mark.usefixtures("no_model")
def test_write_takes_the_waiting_draft_as_the_authors_own_text(
    book: Path, manuscript: Path
) -> None:
    brought(book, manuscript)
    waiting = (book / "imports/chapter-001.md").read_bytes()
    outcome, warnings = write(book)
    assert isinstance(outcome, Committed)
    assert outcome.chapter == 1
    assert "imports/chapter-001.md is taken as your own text" in warnings
    assert (book / "chapters/chapter-001.md").read_bytes() == waiting
    assert waiting_chapters(ProjectStore(book).layout) == [2, 3]
    assert not verify(book).is_damaged


@pytest.mark.sweep
@pytest.mark.usefixtures("no_model")
def test_all_drafts_are_written_one_after_another_and_the_folder_is_gone(
    book: Path, manuscript: Path
) -> None:
    brought(book, manuscript)
    assert [write(book)[0].exit_code for _ in range(3)] == [0, 0, 0]
    assert not (book / "imports").exists()
    assert write(book)[0].exit_code == Exit.USAGE, "nothing waits any more, and there is no plan"


@pytest.mark.usefixtures("no_model")
def test_a_draft_that_was_changed_while_it_waited_is_taken_as_it_is_now(
    book: Path, manuscript: Path
) -> None:
    brought(book, manuscript)
    (book / "imports/chapter-001.md").write_text("# 등대\n\n나는 다시 썼다.\n", "utf-8")
    write(book)
    assert (book / "chapters/chapter-001.md").read_text("utf-8") == "# 등대\n\n나는 다시 썼다.\n"


@pytest.mark.usefixtures("no_model")
def test_another_draft_of_the_writers_comes_first_and_the_waiting_one_stays(
    book: Path, manuscript: Path, tmp_path: Path
) -> None:
    brought(book, manuscript)
    own = file_of(tmp_path, "own.md", "# 다른 밤\n\n그는 오지 않았다.\n")
    write(book, draft=own)
    assert (book / "imports/chapter-001.md").exists()
    report = Session.open(book, os.environ).status()
    assert any("chapter-001.md was not used" in warning for warning in report.warnings)


def test_status_says_what_waits(book: Path, manuscript: Path) -> None:
    brought(book, manuscript)
    report = Session.open(book, os.environ).status()
    assert report.next_title == "등대"
    assert any("wait in imports/ (3 chapters)" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("data", "code"), [(b"# x\n\n\xb0\xa1\n", Exit.DAMAGED), (b"# x\n", Exit.USAGE)]
)
def test_a_waiting_draft_that_cannot_be_read_stops_the_run(
    book: Path, data: bytes, code: Exit
) -> None:
    (book / "imports").mkdir()
    (book / "imports/chapter-001.md").write_bytes(data)
    assert write(book)[0].exit_code == code
    assert ProjectStore(book).checkpoint().inflight_chapter is None


def test_committed_chapters_are_in_the_book_and_say_what_is_missing(
    book: Path, manuscript: Path
) -> None:
    plan, _ = plan_import([manuscript])
    brought(book, manuscript, kind="committed")
    store = ProjectStore(book)
    assert [[p.text for p in store.chapter(n).paragraphs] for n in (1, 2, 3)] == prose(plan)  # type: ignore[union-attr]
    assert store.checkpoint().last_completed_chapter == 3
    assert store.checkpoint().badges(2) == ("not judged", "state gap")
    assert store.summary(1) == ""
    evaluation = store.evaluation(1)
    assert evaluation is not None
    assert evaluation.metrics
    assert evaluation.scores is None
    report = verify(book)
    assert not report.is_damaged
    assert {finding.severity for finding in report.findings} == {"gap"}
    assert [v.reason for v in store.history.versions("chapters/chapter-001.md")] == ["committed"]


@pytest.mark.sweep
@pytest.mark.usefixtures("no_model")
def test_the_next_chapter_goes_on_behind_imported_ones_and_one_can_be_reviewed_again(
    book: Path, manuscript: Path, tmp_path: Path
) -> None:
    brought(book, manuscript, kind="committed")
    own = file_of(tmp_path, "own.md", "# 다른 밤\n\n그는 오지 않았다.\n")
    outcome, _ = write(book, draft=own)
    assert isinstance(outcome, Committed)
    assert outcome.chapter == 4
    assert isinstance(write(book, chapter=1, again=True)[0], Committed)
    assert not verify(book).is_damaged


def test_a_lost_changelog_line_of_an_imported_chapter_comes_back(
    book: Path, manuscript: Path
) -> None:
    brought(book, manuscript, kind="committed")
    log = book / "state/changelog.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    assert verify(book).is_damaged
    repair(book)
    assert not verify(book).is_damaged


@pytest.mark.parametrize("kind", ["drafts", "committed"])
def test_the_same_import_again_brings_nothing_twice(
    book: Path, manuscript: Path, kind: str
) -> None:
    brought(book, manuscript, kind=kind)  # type: ignore[arg-type]
    before = tree(book)
    again = brought(book, manuscript, kind=kind)  # type: ignore[arg-type]
    assert (again.chapters, again.already) == ((), 3)
    assert tree(book) == before


def test_a_second_file_comes_behind_the_first(book: Path, manuscript: Path, tmp_path: Path) -> None:
    brought(book, manuscript)
    more = file_of(tmp_path, "more.md", "# 겨울\n\n눈이 왔다.\n\n# 봄\n\n비가 왔다.\n")
    assert brought(book, more).chapters == ((4, "겨울"), (5, "봄"))
    assert waiting_chapters(ProjectStore(book).layout) == [1, 2, 3, 4, 5]


def test_several_files_are_chapters_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    names = ["1.md", "10.md", "2.md"]
    files = [file_of(tmp_path, name, f"It was day {name}.\n\nShe went.\n") for name in names]
    plan, _ = plan_import(files)
    assert [row.source for row in plan.chapters_to_import] == ["1.md", "2.md", "10.md"]
    assert "order of the numbers" in plan.notes[0]


def test_another_language_than_the_novels_is_said(manuscript: Path) -> None:
    plan, _ = plan_import([manuscript], Rules(language="en"))
    assert plan.notes == ("The text reads like Korean.",)


def test_a_plan_changes_nothing(book: Path, manuscript: Path) -> None:
    before = tree(book)
    plan_import([manuscript])
    assert tree(book) == before


def in_flight(folder: Path) -> None:
    store = ProjectStore(folder)
    store.save_checkpoint(store.checkpoint().copy_with(inflight_chapter=1))


def uncommitted(folder: Path) -> None:
    (folder / "chapters/chapter-002.md").write_text("# 둘\n\n둘.\n", "utf-8")


@pytest.mark.parametrize("kind", ["drafts", "committed"])
@pytest.mark.parametrize(
    ("before", "said"), [(in_flight, "is in progress"), (uncommitted, "never committed")]
)
def test_an_import_waits_for_work_and_writes_over_nothing(
    book: Path, manuscript: Path, before: Callable[[Path], None], said: str, kind: str
) -> None:
    before(book)
    standing = tree(book)
    with pytest.raises(StudioError, match=said) as caught:
        brought(book, manuscript, kind=kind)  # type: ignore[arg-type]
    assert caught.value.problem.exit_code == Exit.USAGE
    assert tree(book) == standing


def test_committed_chapters_wait_for_drafts(book: Path, manuscript: Path) -> None:
    brought(book, manuscript)
    with pytest.raises(StudioError, match="drafts wait, from chapter 1"):
        brought(book, manuscript, kind="committed")


def test_a_novel_that_somebody_holds_is_left_alone(book: Path, manuscript: Path) -> None:
    with ProjectLock(book), pytest.raises(StudioError) as caught:
        brought(book, manuscript)
    assert caught.value.problem.exit_code == Exit.LOCKED


def test_what_the_outline_says_of_a_chapter_stays(tmp_path: Path) -> None:
    book = novel(tmp_path / "book", "en")
    outline = book / "volumes/vol-01/outline.md"
    own = "# One\r\n\r\n## Chapter 1\r\n\r\nInes finds the seal.\r\n"
    outline.write_bytes(own.encode())
    brought(book, file_of(tmp_path, "book.md", ENGLISH))
    fresh = outline.read_bytes().decode()
    assert fresh.startswith(own)
    assert fresh.endswith("\r\n\r\n## Chapter 2\r\n\r\n## Chapter 3: Afterword\r\n")
    versions = ProjectStore(book).history.versions("volumes/vol-01/outline.md")
    assert [v.reason for v in versions] == ["before an import"]


def test_a_committed_import_belongs_to_the_storyline_of_its_contract(
    tmp_path: Path,
) -> None:
    book = novel(tmp_path / "book", "en")
    contract = {"chapter": 2, "volume": 1, "title": "T", "storyline_id": "cap", "objectives": ["x"]}
    path = book / "volumes/vol-01/chapter-contracts/chapter-002.json"
    path.write_text(json.dumps(contract), "utf-8")
    brought(book, file_of(tmp_path, "book.md", ENGLISH), kind="committed")
    lines = [entry.storyline_id for entry in ProjectStore(book).changelog().entries]
    assert lines == ["main", "cap", "main"]

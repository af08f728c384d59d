"""An import that is killed anywhere is done by doing it again; nothing is lost or there twice."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from studio.exchange.import_.commit import ImportAs
from studio.fsio import fault_points
from studio.project.planning.imports import waiting_chapters
from studio.project.store import ProjectStore
from studio.project.verify import verify
from tests.exchange.books import brought, file_of, novel, write
from tests.exchange.texts import KOREAN
from tests.forking import in_child

TWO = "제1장 등대\n\n비가 그쳤다.\n\n제2장 열쇠\n\n열쇠는 없었다.\n"
KINDS: tuple[ImportAs, ...] = ("drafts", "committed")


def killed(folder: Path, file: Path, kind: ImportAs, step: int) -> bool:
    """Imports and dies at the n-th change of a file; False if there are fewer."""

    def work() -> None:
        fault_points.arm(f"fsio.any:kill:{step}")
        brought(folder, file, kind=kind)

    code = in_child(work)
    assert code in (0, -signal.SIGKILL)
    return code != 0


def chapters(folder: Path) -> dict[str, bytes]:
    """Every chapter of the book and every draft that waits."""
    files = [*folder.glob("chapters/*.md"), *folder.glob("imports/*.md")]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.sweep
@pytest.mark.crash
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", range(6))
@pytest.mark.long
def test_killed_at_every_change_of_a_file_and_done_again(
    tmp_path: Path, kind: ImportAs, first: int
) -> None:
    file = file_of(tmp_path, "book.txt", TWO)
    fresh = novel(tmp_path / "fresh")
    whole = Path(shutil.copytree(fresh, tmp_path / "whole"))
    brought(whole, file, kind=kind)
    step = first + 1
    while True:
        book = Path(shutil.copytree(fresh, tmp_path / f"book{step}"))
        if not killed(book, file, kind, step):
            break
        brought(book, file, kind=kind)
        assert chapters(book) == chapters(whole), step
        assert not verify(book).is_damaged, step
        store = ProjectStore(book)
        reasons = [v.reason for v in store.history.log()]
        assert reasons.count("imported original") == 1, step
        assert len(store.changelog().entries) == (2 if kind == "committed" else 0)
        assert waiting_chapters(store.layout) == ([] if kind == "committed" else [1, 2])
        shutil.rmtree(book)
        step += 6
    assert step > 10


@pytest.mark.sampled
@pytest.mark.crash
@pytest.mark.usefixtures("no_model")
@pytest.mark.parametrize("moment", ["commit.after_manifest", "commit.after_checkpoint"])
def test_a_kill_in_a_commit_leaves_no_draft_behind(tmp_path: Path, moment: str) -> None:
    book = novel(tmp_path / "book")
    brought(book, file_of(tmp_path, "book.txt", KOREAN))
    waiting = (book / "imports/chapter-001.md").read_bytes()

    def work() -> None:
        fault_points.arm(f"{moment}:kill")
        write(book)

    assert in_child(work) == -signal.SIGKILL
    assert (book / "imports/chapter-001.md").exists()
    write(book)
    assert not (book / "imports/chapter-001.md").exists()
    assert (book / "chapters/chapter-001.md").read_bytes() == waiting

"""O1: a sync program brings the manifest of a commit that another machine was making."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from studio.fsio import fault_points
from studio.project.commit.transaction import commit
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.faults.books import FOURTH, commit_plan, two_chapters
from tests.faults.invariants import assert_invariants, book
from tests.forking import in_child
from tests.project.novels import CHINESE, ENGLISH, KOREAN, commit_now, stage

pytestmark = pytest.mark.crash


def with_anothers_commit(place: Path) -> Path:
    """A book of four chapters, into which a sync program brought the unfinished commit of another
    machine that was at chapter 3 still."""
    folder = two_chapters(place / "novel").layout.folder
    other = shutil.copytree(folder, place / "elsewhere")
    stage(ProjectStore(other), 3, CHINESE)

    def cut() -> None:
        fault_points.arm("commit.after_manifest:kill")
        with ProjectLock(other) as lock:
            commit(ProjectStore(other).layout, commit_plan(other), lock)

    assert in_child(cut) == -signal.SIGKILL
    commit_now(ProjectStore(folder), 3, ENGLISH)
    commit_now(ProjectStore(folder), 4, FOURTH)
    shutil.copytree(other / "staging", folder / "staging", dirs_exist_ok=True)
    return folder


# fault: O1
@pytest.mark.sweep
@pytest.mark.repairs("T31")
def test_a_commit_on_another_version_of_the_book_is_put_aside_and_said(tmp_path: Path) -> None:
    folder = with_anothers_commit(tmp_path)
    before = book(folder)
    seen = studio("status", "--project", folder)
    added = studio("plan", "add", "Ebb", "--project", folder)
    after = book(folder)
    assert {k: v for k, v in after.items() if k in before and "volumes" not in str(k)} == {
        k: v for k, v in before.items() if "volumes" not in str(k)
    }
    assert added.code == 0, added
    assert "another machine" in added.err
    assert "another machine" in seen.out + seen.err
    assert_invariants(folder, [text.encode() for text in (KOREAN, ENGLISH, FOURTH)])
    assert "another machine" not in studio("plan", "add", "Flow", "--project", folder).err
    assert studio("verify", "--project", folder).code == 0


# fault: O1
def test_a_commit_that_was_begun_here_is_finished_as_ever(tmp_path: Path) -> None:
    with_anothers_commit(tmp_path)
    assert studio("resume", "--project", tmp_path / "elsewhere").code == 0
    assert (tmp_path / "elsewhere/chapters/chapter-003.md").read_text("utf-8") == CHINESE

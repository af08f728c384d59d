"""Finishing an interrupted commit reads as much in a long book as in a short one."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from studio.fsio import fault_points
from studio.project import changelog
from studio.project.commit.plan import plan_commit
from studio.project.commit.transaction import pending, roll_forward
from studio.project.layout import CHANGELOG, HISTORY_LOG, STATE, Layout
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import encode_line, to_bytes
from studio.story.state import Delta
from tests.forking import in_child
from tests.project.novels import ENGLISH, commit_in_child, commit_now, make_novel, stage

pytestmark = pytest.mark.crash

SHORT, LONG = 400, 1600
"""Chapters of the books; the ends of the logs that a commit looks back over are shorter."""
_PLACES = ("manifest", "history", "placement", "placements", "versions", "checkpoint", "changelog")


def book_of(folder: Path, chapters: int) -> ProjectStore:
    """A book whose logs have the lines of so many chapters, of which only the last stands there."""
    store = make_novel(folder)
    lines, entries = [], []
    for number in range(1, chapters):
        delta = Delta(chapter=number, storyline_id="main", source_sha256=f"{number:064x}")
        entry = changelog.entry_of(
            changelog.Changelog(), delta, f"c{number:03d}-1", "2026-01-01T00:00:00Z", number
        )
        entries.append(changelog.renumber(entry, number).line())
        for n, path in enumerate((store.layout.chapter(number), store.layout.summary(number))):
            for reason in ("replaced", "committed"):
                version = {"path": path, "sha": f"{number * 2 + n:064x}", "reason": reason}
                more = {"ts": "2026-01-01T00:00:00Z", "commit_id": f"c{number:03d}-1"}
                lines.append(encode_line({**version, **more}))
    for path, data in ((HISTORY_LOG, lines), (CHANGELOG, entries)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"".join(data))
    store.root.write(STATE, to_bytes(changelog.replay(store.changelog().entries)))
    store.save_checkpoint(
        Checkpoint(last_completed_chapter=chapters - 1, state_version=chapters - 1)
    )
    commit_now(store, chapters, ENGLISH)
    return store


class Reading:
    """Counts the bytes that this process reads from files."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.bytes = 0
        real = os.read

        def read(fd: int, size: int) -> bytes:
            data = real(fd, size)
            self.bytes += len(data)
            return data

        patch.setattr(os, "read", read)


def read_to_finish(folder: Path) -> int:
    """The bytes read to finish the commit that waits, as a command does it."""
    with pytest.MonkeyPatch.context() as patch, ProjectLock(folder):
        reading = Reading(patch)
        assert pending(Layout(folder)) is not None
        done = roll_forward(Layout(folder))
        assert done is not None
        assert not done.notes
        return reading.bytes


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """A short and a long book, each with a chapter that could be committed."""
    books = {}
    for chapters in (SHORT, LONG):
        folder = tmp_path_factory.mktemp(f"book-{chapters}") / "novel"
        stage(book_of(folder, chapters), chapters + 1, f"{ENGLISH}\nThe lamp went out.\n")
        books[chapters] = folder
    return books


@pytest.mark.sampled
@pytest.mark.repairs("T27")
@pytest.mark.parametrize("place", _PLACES)
def test_a_killed_commit_is_finished_without_reading_more_of_a_longer_book(
    place: str, waiting: dict[int, Path], tmp_path: Path
) -> None:
    read = {}
    for chapters, made in waiting.items():
        folder = shutil.copytree(made, tmp_path / str(chapters))
        store = ProjectStore(folder)
        plan = plan_commit(store, chapters + 1, store.checkpoint())
        killed = commit_in_child(f"commit.after_{place}:kill", folder, plan)
        assert killed == -signal.SIGKILL
        read[chapters] = read_to_finish(folder)
        assert (folder / store.layout.chapter(chapters + 1)).read_text("utf-8").startswith("# The")
        assert len(store.changelog().entries) == chapters + 1
    assert read[LONG] < read[SHORT] * 1.05, read


def test_a_commit_whose_history_was_written_anew_meanwhile_is_finished_all_the_same(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "novel"
    store = book_of(folder, 5)
    plan = plan_commit(store, 6, stage(store, 6, f"{ENGLISH}\nThe lamp went out.\n"))
    assert commit_in_child("commit.after_placements:kill", folder, plan) == -signal.SIGKILL
    log = folder / HISTORY_LOG
    log.write_bytes(b"\n".join(log.read_bytes().split(b"\n")[3:]))

    def finish() -> None:
        fault_points.arm("")
        with ProjectLock(folder):
            done = roll_forward(Layout(folder))
        assert done is not None
        assert not done.returned

    assert in_child(finish) == 0
    assert len(store.changelog().entries) == 6

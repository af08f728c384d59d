"""C4 to C11: the kernel refuses. Each refusal is a sentence, and the book stays whole."""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.exchange.import_.commit import plan_import
from studio.fsio import Root, fault_points
from studio.project.files.user_files import put_files
from studio.project.history.backup import Backups
from studio.project.store import ProjectStore
from studio.project.verify import verify
from tests.cli.command import NOBODY
from tests.faults import tally
from tests.faults.books import MADE, Work
from tests.faults.invariants import assert_harmless, assert_invariants, book, tree
from tests.faults.tracing import Ended, traced, unavailable
from tests.forking import in_child

pytestmark = pytest.mark.crash
traces = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount and change its user")

RENAMES = "rename,renameat,renameat2"
FAULTS = {
    "C4": [
        ("write", "ENOSPC"), ("write", "EDQUOT"), ("fsync", "ENOSPC"),
        (RENAMES, "ENOSPC"), ("mkdir,mkdirat", "ENOSPC"), ("openat", "EDQUOT"),
    ],
    "C5": [("read", "EIO"), ("openat", "EIO"), ("getdents64", "EIO")],
    "C6": [("fsync", "EIO")],
    "C7": [("close", "EIO"), ("write", "EIO")],
    "C8": [("openat", "EACCES"), (RENAMES, "EPERM"), ("unlink,unlinkat", "EACCES")],
    "C9": [("openat", "EROFS"), (RENAMES, "EROFS"), ("mkdir,mkdirat", "EROFS")],
    "C10": [
        ("openat", "EMFILE"), ("openat", "ENFILE"), ("openat", "ELOOP"),
        ("openat", "ENAMETOOLONG"), (RENAMES, "EXDEV"), ("rmdir,unlinkat", "ENOTEMPTY"),
    ],
}  # fmt: skip


TOLD = (
    *("Nothing was changed.", "Nothing was committed", "Could not", "not finished yet"),
    *("should be a plain", "ended without releasing it"),
)
"""One of them is in every refusal."""


def hit(work: Work, folder: Path, names: str, inject: str) -> Ended:
    """The step with a refusal in it: done, or refused in words."""
    ended = traced(lambda: work.step(folder), names, inject, lambda: work.copy(folder))
    tally.fault("refusals of the kernel")
    assert ended.code in (0, 1), ended.said
    assert_harmless(ended.said.encode())
    return ended


def number_of(work: Work, folder: Path, names: str) -> int:
    """How many calls of those names the step makes."""
    work.copy(folder)
    ended = traced(lambda: work.step(folder), names)
    assert ended.code == 0, ended.said
    return sum(ended.calls.values())


def steps_of(count: int) -> list[int]:
    """Which of so many calls are refused."""
    return list(range(1, count + 1, max(1, count // 4))) if tally.FULL else [(count + 1) // 2]


def whole_again(work: Work, folder: Path, wanted: tuple[dict[str, object], ...]) -> None:
    """After the next start, on a disk that works."""
    work.start(folder)
    assert_invariants(folder, work.texts)
    assert book(folder) in wanted


# fault: C4
# fault: C5
# fault: C6
# fault: C7
# fault: C8
# fault: C9
# fault: C10
@pytest.mark.sweep
@traces
@pytest.mark.parametrize("row", FAULTS)
@pytest.mark.parametrize("name", list(MADE)[1 : tally.sized(2, 8)])
def test_a_refusal_at_any_call_leaves_the_old_book_or_the_new_one(
    name: str, row: str, tmp_path: Path
) -> None:
    work, left = MADE[name](tmp_path / "novel"), tmp_path / "left"
    wanted = work.books(tmp_path / "done")
    for names, error in FAULTS[row] if name == "commit" else FAULTS[row][:1]:
        for number in steps_of(number_of(work, left, names)):
            for which in (f"{number}", f"{number}+")[: tally.sized(1, 2)]:
                ended = hit(work, left, names, f"error={error}:when={which}")
                mute = "write" in names  # then the sentence does not reach us either
                assert ended.code == 0 or mute or any(w in ended.said for w in TOLD), ended.said
                whole_again(work, left, wanted)


# fault: C7
@pytest.mark.sweep
@traces
@pytest.mark.parametrize("name", ["commit", "staging"])
def test_a_write_that_says_more_than_it_did_is_found_out(name: str, tmp_path: Path) -> None:
    work, left = MADE[name](tmp_path / "novel"), tmp_path / "left"
    wanted = work.books(tmp_path / "done")
    count = number_of(work, left, "write")
    for number in tally.picked(list(range(1, count + 1)), 4):
        ended = hit(work, left, "write", f"retval=2:when={number}")
        assert ended.code == 1
        whole_again(work, left, wanted)


# fault: C4
def test_behind_the_commit_point_nobody_is_told_that_nothing_changed(
    tmp_path: Path, no_syncing: None
) -> None:
    work = MADE["commit"](tmp_path / "novel")
    _, new = work.books(tmp_path / "done")
    fault_points.arm("fsio.append:ENOSPC:2")
    try:
        said = refused(work, work.folder)
    finally:
        fault_points.arm("")
    assert said.startswith("The commit of chapter 3 is not finished yet. Could not write")
    assert said.endswith("`studio resume` finishes it; nothing is lost.")
    assert "Nothing was changed" not in said
    work.start(work.folder)
    assert book(work.folder) == new


# fault: C5
@pytest.mark.sweep
@pytest.mark.parametrize("point", ["rename:EIO:4", "append:EIO:1", "write:EIO:4"])
def test_a_repair_on_a_failing_disk_gives_no_commit_up(
    tmp_path: Path, no_syncing: None, point: str
) -> None:
    work = MADE["repair"](tmp_path / "novel")
    _, new = work.books(tmp_path / "done")
    fault_points.arm(f"fsio.{point}")
    try:
        refused(work, work.folder)
    finally:
        fault_points.arm("")
    work.start(work.folder)
    assert_invariants(work.folder, work.texts)
    assert book(work.folder) == new


# fault: C11
@pytest.mark.sweep
@traces
def test_an_interrupted_call_is_made_again_and_nothing_is_to_be_seen(tmp_path: Path) -> None:
    work, left = MADE["commit"](tmp_path / "novel"), tmp_path / "left"
    _, new = work.books(tmp_path / "done")
    for names in ("read", "write", "openat", "fsync"):
        ended = hit(work, left, names, "error=EINTR:when=1+2")
        assert ended.code == 0, ended.said
        assert_invariants(left, work.texts)
        assert book(left) == new


# Disks that are really full, read-only, somebody else's


@contextmanager
def mounted(place: Path, options: str) -> Iterator[Path]:
    """A file system of its own in memory."""
    place.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True
    )
    if done.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def refused(work: Work, folder: Path) -> str:
    """What a writer is told when the step cannot be done."""
    with pytest.raises(StudioError) as caught:
        work.step(folder)
    tally.fault("disks that refuse")
    problem = caught.value.problem
    assert problem.kind == "disk"
    return f"{problem.message} {problem.hint}"


# fault: C4
@pytest.mark.sampled
@as_root
@pytest.mark.needs_root
@pytest.mark.parametrize("room", [0, 1, 3, 8])
def test_on_a_full_disk_nothing_changes_and_with_room_it_goes_on(tmp_path: Path, room: int) -> None:
    work = MADE["commit"](tmp_path / "novel")
    old, new = work.books(tmp_path / "done")
    with mounted(tmp_path / "small", "size=2M") as small:
        novel = work.copy(small / "novel")
        space = os.statvfs(small)
        (small / "filler").write_bytes(bytes((space.f_bavail - room) * space.f_bsize))
        said = refused(work, novel)
        assert "the disk is full." in said
        assert "Make room on the disk" in said
        assert ("Nothing was changed." in said) is not ("is not finished yet" in said)
        assert [f for f in verify(novel).findings if f.severity == "damage"] == []
        (small / "filler").unlink()
        work.start(novel)
        assert book(novel) in (old, new)
        if book(novel) == old:
            work.step(novel)
        assert_invariants(novel, work.texts)
        assert book(novel) == new


# fault: C9
@as_root
@pytest.mark.needs_root
def test_a_read_only_disk_is_read_and_never_written(tmp_path: Path) -> None:
    work = MADE["commit"](tmp_path / "novel")
    _, new = work.books(tmp_path / "done")
    with mounted(tmp_path / "disk", "size=4M") as disk:
        novel = work.copy(disk / "novel")
        before = tree(novel)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert "the disk is read-only" in refused(work, novel)
        assert [f for f in verify(novel).findings if f.severity == "damage"] == []
        assert tree(novel) == before
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        work.step(novel)
        assert_invariants(novel, work.texts)
        assert book(novel) == new


# fault: C10
@as_root
@pytest.mark.needs_root
def test_staging_on_another_disk_is_copied_into_the_book(tmp_path: Path) -> None:
    work = MADE["commit"](tmp_path / "novel")
    _, new = work.books(tmp_path / "done")
    novel = work.copy(tmp_path / "left")
    (novel / "staging").rename(tmp_path / "staged")
    with mounted(novel / "staging", "size=4M"):
        subprocess.run(["cp", "-a", f"{tmp_path}/staged/.", str(novel / "staging")], check=True)
        work.step(novel)
        assert_invariants(novel, work.texts)
        assert book(novel) == new


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that every user may look into."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def as_nobody(work: Callable[[], object]) -> int:
    """Does it as a user without rights, in a process of its own."""

    def change() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        work()

    tally.fault("users without the right")
    return in_child(change)


def told(folder: Path, work: Callable[[], object], *words: str) -> None:
    """The step is refused with these words."""
    with pytest.raises(StudioError) as caught:
        work()
    said = f"{caught.value.problem.message} {caught.value.problem.hint}"
    assert all(word in said for word in words), said
    assert str(folder) not in said


# fault: C8
@as_root
def test_without_the_right_to_write_it_says_which_file_and_changes_nothing(
    open_to_all: Path,
) -> None:
    work = MADE["commit"](open_to_all / "novel")
    before = tree(work.folder)
    words = "you do not have the right to", "Check its owner and its permissions."
    assert as_nobody(partial(told, work.folder, partial(work.step, work.folder), *words)) == 0
    assert as_nobody(partial(verify, work.folder)) == 0
    assert tree(work.folder) == before


# fault: C8
@as_root
def test_a_chapter_nobody_may_read_is_named_and_the_others_open(open_to_all: Path) -> None:
    work = MADE["commit"](open_to_all / "novel")
    shut = work.folder / "chapters/chapter-001.md"
    shut.chmod(stat.S_IRUSR)

    def look() -> None:
        told(work.folder, partial(ProjectStore(work.folder).chapter, 1), "chapter-001.md", "right")
        assert ProjectStore(work.folder).chapter(2) is not None
        damage = [f for f in verify(work.folder).findings if f.severity == "damage"]
        assert any("chapter-001.md" in f.message for f in damage)

    assert as_nobody(look) == 0


# fault: C8
@as_root
def test_a_place_in_a_folder_nobody_may_enter_is_refused_in_words(open_to_all: Path) -> None:
    shut = open_to_all / "shut"
    shut.mkdir()
    book, project = shut / "book.md", shut / "Book.scriv"
    book.write_text("# The Quay\n\nThe ferry came in late.\n")
    steps = (
        partial(plan_import, [book]),
        partial(plan_import, [project]),
        partial(put_files, shut / "schemas", {"a.json": b"{}"}),
    )
    plan_import([book])  # what it loads lies where nobody may look, perhaps
    shut.chmod(0o700)

    def look() -> None:
        for step in steps:
            with pytest.raises(StudioError, match=r"book\.md|Book\.scriv|schemas"):
                step()
        assert Backups(open_to_all / "novel", shut / "backups").all() == []

    assert as_nobody(look) == 0


# fault: C10
def test_a_name_that_is_too_long_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="the name is too long"):
        Root(tmp_path).write("x" * 300, b"x")
    assert tree(tmp_path) == {}

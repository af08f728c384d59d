"""C3: the power goes at any moment of a step, and the disk kept what it liked of the unsynced."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import time
from collections.abc import Iterator
from functools import partial
from operator import eq, ne
from pathlib import Path

import pytest

from studio.fsio import Root, fault_points, replacement
from studio.fsio import root as fsio_root
from studio.fsio.replacement import FolderEntry
from studio.project import layout as places
from studio.project.lock.lock import read_lock
from studio.project.repair import repair
from tests.faults import tally
from tests.faults.books import MADE, Work
from tests.faults.disk import PowerCut, Tree, record, scanned
from tests.faults.invariants import assert_invariants, book, recover
from tests.forking import in_child

pytestmark = pytest.mark.crash


def cut_during(work: Work, folder: Path, killed: str = "") -> PowerCut | None:
    """The step, recorded; with `killed` a kill at that point and the recovery after it come first,
    and the power goes before the kernel has written anything on its own. None if the
    step was never killed."""
    start, log = scanned(work.copy(folder)), folder.with_suffix(".log")
    log.unlink(missing_ok=True)

    def first() -> None:
        record(folder, log)
        fault_points.arm(killed)
        work.step(folder)

    def then() -> None:
        record(folder, log)
        recover(folder)

    code = in_child(first)
    assert code in (0, -signal.SIGKILL)
    if killed and code == 0:
        return None
    if killed:
        assert in_child(then) == 0
    return PowerCut(start, log)


def opened_again(work: Work, tree: Tree, folder: Path) -> None:
    """The tree on a real disk, and the next start on it."""
    shutil.rmtree(folder, ignore_errors=True)
    tree.put(folder)
    if read_lock(folder).state == "damaged":
        # Only a file system that keeps a rename and loses an older name in the renamed folder
        # can leave this; a person says yes then, as the refusal tells her.
        for path in (folder / places.LOCK, *(folder / places.LOCK).iterdir()):
            os.utime(path, (time.time() - 60,) * 2)
        assert read_lock(folder).breakable
        repair(folder, break_the_lock=True)
    work.start(folder)


def survive(work: Work, cut: PowerCut, tmp_path: Path, many: int) -> None:
    """Every tree that may be left is the old book or the new one."""
    wanted = work.books(tmp_path / "done")
    seen = 0
    for tree in cut.states(many):
        left = tmp_path / "left"
        opened_again(work, tree, left)
        assert_invariants(left, work.texts)
        assert book(left) in wanted
        seen += 1
    tally.fault("trees that a power cut may leave", seen)
    assert seen > 5


PLACES = {"a": "new/er/a", "b": "new/b", "c": "new/er/c"}


def on_another_disk(
    rel: str, source: FolderEntry, target: FolderEntry, expected: str | None
) -> None:
    """A rename as the kernel refuses it between disks."""
    if source.at != target.at:
        raise OSError(errno.EXDEV, "on another disk")
    replacement.replace(rel, source, target, expected)


def trees_of(cut: PowerCut) -> Iterator[set[bytes | None]]:
    """What files hold at every moment: with all changes of names kept, none, all but one, one."""
    for end in range(len(cut.ops) + 1):
        yield from (
            {data for _, data in cut.left(end, keep, lambda n: "all").paths()}
            for keep in (
                lambda n: True,
                lambda n: False,
                *(partial(ne, one) for one in cut.waiting(end)),
                *(partial(eq, one) for one in cut.waiting(end)),
            )
        )


# fault: C3
@pytest.mark.sampled
@pytest.mark.parametrize("disks", ["one disk", "two disks"])
def test_a_file_on_its_way_into_a_new_folder_is_always_in_one_of_the_two(
    tmp_path: Path, disks: str
) -> None:
    texts = {name: f"{name} 등대\n".encode() for name in PLACES}
    for number in range(5):  # folders are synced in threads: each recording has an order of its own
        novel, log = tmp_path / str(number), tmp_path / f"{number}.log"
        (novel / "staging").mkdir(parents=True)
        for name, text in texts.items():
            (novel / "staging" / name).write_bytes(text)
        start = scanned(novel)

        def moved(novel: Path = novel, log: Path = log) -> None:
            record(novel, log)
            if disks == "two disks":
                fsio_root.replace = on_another_disk
            root = Root(novel)
            with root.together():
                for name, place in PLACES.items():
                    root.move(f"staging/{name}", place, None)

        assert in_child(moved) == 0
        for left in trees_of(PowerCut(start, log)):
            assert left >= set(texts.values())


# fault: C3
@pytest.mark.sweep
@pytest.mark.parametrize("name", MADE)
def test_whatever_a_power_cut_leaves_is_the_old_book_or_the_new_one(
    name: str, tmp_path: Path, no_syncing: None
) -> None:
    work = MADE[name](tmp_path / "novel")
    cut = cut_during(work, tmp_path / "recorded")
    assert cut is not None
    survive(work, cut, tmp_path, tally.sized(8, 70))


# fault: C3
@pytest.mark.sweep
@pytest.mark.parametrize("name", ["commit", "rebuild", "restore", "staging"][: tally.sized(1, 4)])
def test_what_a_kill_left_unsynced_is_made_sure_of_by_the_recovery(
    name: str, tmp_path: Path, no_syncing: None
) -> None:
    """What recovery sees as done, a power cut behind it must not undo."""
    work = MADE[name](tmp_path / "novel")
    wanted = work.books(tmp_path / "done")
    for step in range(1, 150, tally.sized(25, 11)):
        cut = cut_during(work, tmp_path / "recorded", f"fsio.any:kill:{step}")
        if cut is None:
            break
        for behind in range(tally.sized(2, 4)):
            tree = cut.left(len(cut.ops) - behind, lambda n: False, lambda n: "none")
            opened_again(work, tree, tmp_path / "left")
            assert_invariants(tmp_path / "left", work.texts)
            assert book(tmp_path / "left") in wanted
            tally.fault("trees that a kill, its recovery and a power cut may leave")

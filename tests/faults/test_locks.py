"""L1 to L10, C14, C15: many processes at one lock, pids used again, holders that slept."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.fsio import fault_points
from studio.project.commit.transaction import commit
from studio.project.lock import holder
from studio.project.lock.lock import ProjectLock, break_lock, read_lock
from studio.project.store import ProjectStore
from tests.faults import tally
from tests.faults.books import MADE, commit_plan
from tests.faults.invariants import assert_invariants, book, tree
from tests.forking import started
from tests.project.locks import info_of

pytestmark = [pytest.mark.crash, pytest.mark.usefixtures("no_syncing")]


def together(work: Callable[[], object], processes: int) -> None:
    """Starts so many processes at the same moment; each must come to its end."""
    wait, go = os.pipe()

    def begin() -> None:
        os.close(go)
        os.read(wait, 1)
        work()

    pids = [started(begin) for _ in range(processes)]
    os.close(wait)
    os.close(go)
    assert {os.waitpid(pid, 0)[1] for pid in pids} == {0}


def alone_inside(folder: Path) -> None:
    """Inside the lock: fails if anybody else is, and leaves a mark."""
    (folder / "inside").mkdir()
    with (folder / "turns").open("a") as turns:
        turns.write("x")
    (folder / "inside").rmdir()


def ask(folder: Path, times: int) -> None:
    """Asks for the lock so many times; being refused is an answer."""
    for _ in range(times):
        try:
            with ProjectLock(folder) as lock:
                alone_inside(folder)
                assert lock.holds()
        except StudioError as error:
            if error.problem.exit_code != Exit.LOCKED:
                raise


# req: L1
@pytest.mark.sweep
@pytest.mark.parametrize("processes", [2, 20])
def test_processes_that_ask_together_are_never_in_together(tmp_path: Path, processes: int) -> None:
    asks = tally.sized(100, 1000) // processes
    together(lambda: ask(tmp_path, asks), processes)
    tally.fault("asks for a lock that others want", asks * processes)
    assert (tmp_path / "turns").read_text()
    assert sorted(tree(tmp_path)) == ["turns"]
    tally.held("N5")


def left_behind(folder: Path, text: str) -> None:
    """A lock that nobody has a flock on."""
    (folder / ".novel.lock").mkdir()
    (folder / ".novel.lock/info.json").write_text(text)


# req: L9
@pytest.mark.sweep
@pytest.mark.parametrize("lock", ["foreign", "dead"])
def test_two_who_break_a_lock_at_once_are_never_in_together(tmp_path: Path, lock: str) -> None:
    """One breaks, and whoever was slower never takes the new lock for the old one."""

    def break_and_enter() -> None:
        view = read_lock(tmp_path)
        try:
            if view.state == "foreign":
                break_lock(tmp_path, view)
            with ProjectLock(tmp_path):
                alone_inside(tmp_path)
        except StudioError as error:
            if error.problem.exit_code != Exit.LOCKED:
                raise

    rounds = tally.sized(10, 500)
    foreign, dead = (
        json.dumps(info_of(tmp_path, **changes))
        for changes in (
            {"host": "attic", "token": "a" * 32},
            {"process_start": "1", "token": "b" * 32},
        )
    )
    for number in range(1, rounds + 1):
        left_behind(tmp_path, foreign if lock == "foreign" else dead)
        together(break_and_enter, 2)
        assert len((tmp_path / "turns").read_text()) >= number
        assert sorted(tree(tmp_path)) == ["turns"]
    tally.fault("locks broken by two at once", rounds)
    tally.held("N5")


# req: L9
def test_who_has_looked_at_a_lock_removes_that_one_before_anybody_else(tmp_path: Path) -> None:
    """Stopped between the look and the rename, it would find the lock of a quicker one there."""
    left_behind(tmp_path, json.dumps(info_of(tmp_path, host="attic", token="a" * 32)))
    view = read_lock(tmp_path)

    def break_slowly() -> None:
        fault_points.arm("lock.before_break:stop")
        break_lock(tmp_path, view)

    slow = started(break_slowly)
    os.waitpid(slow, os.WUNTRACED)
    with pytest.raises(StudioError):
        break_lock(tmp_path, view)
    os.kill(slow, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(slow, 0)[1]) == 0
    with ProjectLock(tmp_path) as lock:
        assert lock.holds()
    tally.fault("locks broken by two at once")


# req: L4
@pytest.mark.sweep
@pytest.mark.skipif(
    not os.access("/proc/sys/kernel/ns_last_pid", os.W_OK), reason="pids cannot be chosen here"
)
def test_a_program_with_the_pid_of_a_dead_holder_is_not_the_holder(tmp_path: Path) -> None:
    stop, never = os.pipe()

    def hold_and_die() -> None:
        ProjectLock(tmp_path, 3).acquire()
        os.kill(os.getpid(), signal.SIGKILL)

    with _pids_from(_far_pid()):
        first = started(hold_and_die)
    os.waitpid(first, 0)
    select.select([], [], [], 0.03)  # the kernel tells starts apart by hundredths of a second
    if not _forked_as(first, stop):
        pytest.skip("another program was quicker to take the pid")
    try:
        assert holder.is_alive(first)
        assert read_lock(tmp_path).state == "dead"
        with ProjectLock(tmp_path) as lock:
            assert lock.took_over is not None
            assert lock.took_over.holder is not None
            assert lock.took_over.holder.pid == first
        tally.fault("pids used again")
        tally.held("N5")
    finally:
        os.close(never)
        os.waitpid(first, 0)
        os.close(stop)


_LAST_PID = Path("/proc/sys/kernel/ns_last_pid")


@contextmanager
def _pids_from(wanted: int) -> Iterator[None]:
    """Lets the kernel number the next program `wanted`, and count on afterwards from where it was:
    other tests run beside this one and take a number for dead whose program died a moment ago."""
    furthest = _LAST_PID.read_text()
    _LAST_PID.write_text(str(wanted - 1))
    try:
        yield
    finally:
        _LAST_PID.write_text(furthest)


def _far_pid() -> int:
    """Returns a number that no program had of late: half the range away from the newest."""
    half = int(Path("/proc/sys/kernel/pid_max").read_text()) // 2
    newest = int(_LAST_PID.read_text())
    return newest + half if newest < half else max(newest - half, 1000)


def _forked_as(wanted: int, until: int) -> bool:
    """Whether a child got that pid; it lives until the pipe is closed."""

    def wait() -> None:
        os.close(until + 1)
        os.read(until, 1)

    for _ in range(10):
        with _pids_from(wanted):
            pid = started(wait)
        if pid == wanted:
            return True
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return False


# fault: C15
# req: L3
# req: L8
def test_a_holder_that_slept_is_broken_only_with_a_yes_and_stops_when_it_wakes(
    tmp_path: Path,
) -> None:
    work = MADE["commit"](tmp_path / "novel")
    novel = work.folder
    plan = commit_plan(novel)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            with ProjectLock(novel, 3) as lock:
                os.kill(os.getpid(), signal.SIGSTOP)
                commit(ProjectStore(novel).layout, plan, lock)
        except StudioError as error:
            code = int(error.problem.exit_code)
        finally:
            os._exit(code)
    os.waitpid(pid, os.WUNTRACED)
    then = time.time() - 40 * 60
    os.utime(novel / ".novel.lock/info.json", (then, then))
    view = read_lock(novel)
    assert (view.state, view.breakable) == ("held", True)
    assert "last sign of life 40 minutes ago" in view.sentence()
    with pytest.raises(StudioError, match="in another window"):
        ProjectLock(novel).acquire()
    break_lock(novel, view)
    work.step(novel)
    after = book(novel)
    os.kill(pid, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == Exit.LOCKED
    assert_invariants(novel, work.texts)
    assert book(novel) == after
    tally.fault("holders that slept through their lock")

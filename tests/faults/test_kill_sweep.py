"""C1, C2: kill -9 at every system call that changes a file, of every step and of its recovery."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults import tally
from tests.faults.books import MADE, Work
from tests.faults.invariants import assert_invariants, book
from tests.faults.tracing import CHANGES, traced, unavailable

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here"),
]


EVERY = ("commit", "rebuild", "restore", "recovery")
"""Steps of which the full run kills every call; of the others every eighth."""


def moments(work: Work, folder: Path) -> list[tuple[str, int]]:
    """Every call that changes a file in the step: its name, and which of that name it is."""
    work.copy(folder)
    ended = traced(lambda: work.step(folder), ",".join(CHANGES))
    assert ended.code == 0, ended.said
    return [(name, n) for name in sorted(ended.calls) for n in range(1, ended.calls[name] + 1)]


def chosen(name: str, count: int) -> list[int]:
    """Which of so many calls this run kills at."""
    if tally.FULL:
        return list(range(0, count, 1 if name in EVERY else 8))
    return [count // 5, count // 2, count * 4 // 5] if name in EVERY else [count // 2, count - 9]


def killed(
    work: Work, folder: Path, name: str, number: int, begin: Callable[[], object] = lambda: None
) -> bool:
    """The step, killed as it enters that call; False if it did not come so far."""
    tally.fault("kills at a system call")
    ended = traced(lambda: work.step(folder), name, f"signal=KILL:when={number}", begin)
    assert ended.code in (0, -signal.SIGKILL), ended.said
    return ended.code != 0


# fault: C1
@pytest.mark.sweep
@pytest.mark.parametrize("name", MADE)
def test_killed_at_any_call_it_is_the_old_book_or_the_new_one(name: str, tmp_path: Path) -> None:
    work, left = MADE[name](tmp_path / "novel"), tmp_path / "left"
    wanted = work.books(tmp_path / "done")
    seen = moments(work, left)
    assert len(seen) > 20
    for number in tally.picked(list(range(len(seen))), 3)[
        :: 4 if tally.FULL and name not in EVERY else 1
    ]:
        killed(work, left, *seen[number], lambda: work.copy(left))
        work.start(left)
        assert_invariants(left, work.texts)
        assert book(left) in wanted


# fault: C2
@pytest.mark.sweep
@pytest.mark.parametrize("name", ["recovery", "repair"])
def test_recovery_killed_twice_still_comes_to_the_same_end(name: str, tmp_path: Path) -> None:
    work, left = MADE[name](tmp_path / "novel"), tmp_path / "left"
    _, wanted = work.books(tmp_path / "done")
    seen = moments(work, left)
    for number in chosen(name, len(seen))[1 :: tally.sized(1, 3)]:
        killed(work, left, *seen[number], lambda: work.copy(left))
        killed(work, left, *seen[number // 2])
        work.start(left)
        assert_invariants(left, work.texts)
        assert book(left) == wanted


def test_the_calls_that_are_swept_are_all_that_change_files(tmp_path: Path) -> None:
    """A new way to change a file has to come into the sweep."""
    work = MADE["commit"](tmp_path / "novel")
    ended = traced(lambda: work.step(tmp_path / "novel"), "%file,%desc")
    assert ended.code == 0, ended.said
    reading = (
        r"open(at)?|close|read|pread64|lseek|flock|fcntl|ioctl|fadvise64|"
        r".*stat(at|x|fs)?(64)?|readlink(at)?|getdents64|faccessat2?|access|getcwd|utimensat|"
        r"mmap|poll|dup\d?|statx|epoll.*|select|pselect6|ppoll"
    )
    changing = {name for name in ended.calls if not re.fullmatch(reading, name)}
    assert {"write", "fsync"} <= changing <= set(CHANGES)

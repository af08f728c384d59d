"""A rebuild that is killed anywhere: whole chapters, nothing asked twice, and on with the rest."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from studio.fsio import fault_points
from studio.pipeline.chapter.records import left_to_rebuild
from studio.pipeline.events import CommittedEvent, Event, UsageEvent
from studio.pipeline.outcome import NothingToDo
from studio.project.changelog import replay
from studio.project.commit.transaction import roll_forward
from studio.project.lock.lock import ProjectLock
from tests.forking import in_child
from tests.pipeline.flows import Desk
from tests.pipeline.killing import die
from tests.pipeline.korean_book import (
    changed,
    done,
    faults_found,
    rebuild,
)


def committed_at(number: int) -> Callable[[Event], None]:
    """Dies after the n-th committed chapter."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        count += isinstance(event, CommittedEvent)
        if count == number:
            die()

    return listen


@pytest.mark.sweep
def test_killed_between_two_chapters_it_goes_on_with_the_rest(book: Desk) -> None:  # req: E10 N8
    killed = in_child(lambda: rebuild(book, everything=True, listen=committed_at(1)))
    assert killed == -signal.SIGKILL
    assert left_to_rebuild(book.checkpoint) == (2, 3)
    asked = len(book.server.asked)
    report = done(book, everything=True)
    assert [(c.chapter, c.why) for c in report.chapters] == [
        (2, "interrupted"),
        (3, "interrupted"),
    ]
    assert len(book.server.asked) - asked == 2
    assert left_to_rebuild(book.checkpoint) == ()


@pytest.mark.sweep
def test_killed_after_the_call_its_answer_is_found_again(book: Desk) -> None:  # req: E10 N11
    changed(book)

    def listen(event: Event) -> None:
        if isinstance(event, UsageEvent):
            die()

    assert in_child(lambda: rebuild(book, listen=listen)) == -signal.SIGKILL
    assert len(book.server.asked) == 1
    assert book.store.hand_edits()
    done(book)
    assert len(book.server.asked) == 1
    assert faults_found(book) == []


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "point",
    ["commit.before_manifest", "commit.after_manifest", "commit.after_placement",
     "commit.after_changelog", "commit.after_checkpoint"],
)  # fmt: skip
def test_killed_inside_the_commit_it_is_whole_after_the_next_start(  # req: N2 N3 N8
    book: Desk, point: str
) -> None:
    changed(book)

    def work() -> None:
        fault_points.arm(f"{point}:kill:1")
        rebuild(book)

    assert in_child(work) == -signal.SIGKILL
    done(book)
    assert book.store.hand_edits() == []
    assert book.store.state().characters["mara"]["steps"] == 7
    assert len(book.server.asked) == 1
    assert faults_found(book) == []
    assert len([e for e in book.store.changelog().entries if e.chapter == 1]) == 2


@pytest.mark.crash
@pytest.mark.sweep
@pytest.mark.parametrize("first", range(5))
def test_killed_at_every_step_the_chapter_is_all_old_or_all_new(  # req: N2 N3 N8
    book: Desk, tmp_path: Path, first: int
) -> None:
    changed(book)
    done_before = (book.store.state(), book.store.summary(1))
    seen, killed, number = set(), True, 3 * first - 12
    while killed:
        number += 15
        copy = Desk(tmp_path / "copy", book.server)
        shutil.rmtree(copy.folder, ignore_errors=True)
        shutil.copytree(book.folder, copy.folder)
        killed = in_child(partial(_killed_at_step, copy, number)) != 0
        with ProjectLock(copy.folder):
            roll_forward(copy.store.layout)
        new = not copy.store.hand_edits()
        seen.add(new)
        assert ((copy.store.state(), copy.store.summary(1)) == done_before) is not new
        assert copy.store.state() == replay(copy.store.changelog().entries)
        assert copy.text(1) == book.text(1)
        done(copy)
        assert copy.store.state().characters["mara"]["steps"] == 7
    assert seen == {True, False}
    assert number > 20


def _killed_at_step(desk: Desk, number: int) -> None:
    fault_points.arm(f"fsio.any:kill:{number}")
    rebuild(desk)


@pytest.mark.sweep
def test_resume_finishes_a_half_rebuilt_chapter_and_begins_no_other(book: Desk) -> None:
    changed(book)

    def work() -> None:
        fault_points.arm("commit.after_manifest:kill:1")
        rebuild(book)

    assert in_child(work) == -signal.SIGKILL
    assert isinstance(book.resume().outcome, NothingToDo)
    assert book.store.hand_edits() == []
    assert book.calls() == ["summary"]


@pytest.mark.sweep
def test_an_interrupted_rebuild_shows_in_the_status(book: Desk) -> None:  # req: D10
    assert in_child(lambda: rebuild(book, everything=True, listen=committed_at(2))) != 0
    warnings = " ".join(book.session().status().warnings)
    assert "A rebuild was interrupted before chapter 3" in warnings
    report = done(book)
    assert [c.chapter for c in report.chapters] == [3]

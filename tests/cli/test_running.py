"""Runs that signals and readers stop."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Callable

import pytest

from studio.cli import output
from studio.cli.signals import EventListener, StoppableCall
from studio.errors import StudioError, failed
from studio.pipeline.events import Event
from studio.pipeline.outcome import Committed, Outcome, Stopped
from tests.cli.command import Broken

DONE = Committed(1, "Night")


def ignore(event: Event) -> None:
    pass


def waiting_after(deed: Callable[[EventListener], None]) -> Callable[[EventListener], object]:
    """A run that does `deed` and then waits until it is stopped."""

    async def work(emit: EventListener) -> Outcome:
        deed(emit)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return Stopped(3)
        return DONE

    return work


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_a_signal_stops_the_run_and_gives_its_exit_code(
    number: signal.Signals, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: T1
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    run = StoppableCall(waiting_after(lambda emit: os.kill(os.getpid(), number)), ignore)
    assert run.go() == Stopped(3)
    assert run.exit_code == code


def test_after_a_hang_up_nothing_is_written_to_the_dead_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # req: T1
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    StoppableCall(waiting_after(lambda emit: os.kill(os.getpid(), signal.SIGHUP)), ignore).go()
    output.say("too late")
    output.tell("too late")
    assert capsys.readouterr() == ("", "")


def test_a_second_signal_does_not_tear_what_is_being_saved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def work(emit: EventListener) -> Outcome:
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return DONE
        return Stopped(1)

    run = StoppableCall(work, ignore)
    assert run.go() == DONE
    assert run.exit_code == 130
    assert "Stopping" in capsys.readouterr().err


def test_a_run_that_dies_of_its_cancelling_is_stopped_all_the_same() -> None:
    async def work(emit: EventListener) -> Outcome:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()
        return DONE

    run = StoppableCall(work, ignore)
    assert run.go() == Stopped(None)
    assert run.exit_code == 143


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as under nohup
    try:

        async def work(emit: EventListener) -> Outcome:
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.sleep(0)
            return DONE

        run = StoppableCall(work, ignore)
        assert run.go() == DONE
        assert run.exit_code is None
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_reader_who_leaves_stops_the_run_and_breaks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(errno.EPIPE))
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    run = StoppableCall(
        waiting_after(lambda emit: emit(Event(type="x"))), lambda event: output.say("event")
    )
    assert run.go() == Stopped(3)
    assert run.exit_code == output.NOBODY_LISTENS


def test_output_that_cannot_be_written_stops_the_run_and_is_said() -> None:
    def full(event: Event) -> None:
        raise failed("Could not write the output: no space.")

    run = StoppableCall(waiting_after(lambda emit: emit(Event(type="x"))), full)
    with pytest.raises(StudioError, match="no space"):
        run.go()


def test_without_a_signal_the_outcome_speaks() -> None:
    async def work(emit: EventListener) -> Outcome:
        return DONE

    run = StoppableCall(work, ignore)
    assert run.go() == DONE
    assert run.exit_code is None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

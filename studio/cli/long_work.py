"""Shows the progress of slow work without a model, and lets signals stop it until saving begins."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from click.exceptions import Exit as Leave

from studio.cli import output
from studio.cli.sigterm import STOPPING, Terminated
from studio.errors import StudioError
from studio.messages import said
from studio.project.progress import Progress

_PATIENCE = 1.0
"""Work shorter than this many seconds shows no progress."""
_PAUSE = 0.1
"""The seconds between two redraws of the line."""


class LongWork:
    """Displays progress: one line updated in place on a terminal, elsewhere a line per phase. Work
    that takes under a second displays nothing."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._drawn_at = 0.0
        self._phase = ""
        self._previous_handlers: dict[signal.Signals, object] = {}
        self._stopped_by: int | None = None

    @property
    def exit_code(self) -> int:
        """0, or 128 plus the number of a signal that arrived while everything was being saved."""
        return 0 if self._stopped_by is None else 128 + self._stopped_by

    def __call__(self, progress: Progress) -> None:
        """Shows the progress; signals are deferred once saving begins."""
        if progress.phase == "saving" and not self._previous_handlers:
            self._let_signals_wait()
        now = monotonic()
        if now - self._began < _PATIENCE or output.is_quiet():
            return
        is_new = progress.phase != self._phase
        if is_new or (output.draws_in_place() and now - self._drawn_at >= _PAUSE):
            self._phase, self._drawn_at = progress.phase, now
            with suppress(Leave, StudioError):  # output failed; the work goes on
                output.show_passing(_words(progress))

    def end(self) -> None:
        """Removes the line and restores the previous signal handlers."""
        if self._phase:
            with suppress(Leave, StudioError):
                output.clear_passing()
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        self._previous_handlers = {}

    def _let_signals_wait(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in STOPPING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._previous_handlers[number] = signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: object) -> None:
        if number == signal.SIGHUP:
            output.hush()  # the terminal is gone, so writing would fail
        self._stopped_by = self._stopped_by or number
        with suppress(Leave, StudioError):
            output.tell(said("Stopping; whatever is being saved is saved first."))


@contextmanager
def long_work(changes: bool = False) -> Iterator[LongWork]:
    """Yields the progress listener for the work in the block. `changes` tells whether the work
    would have changed texts, so that a writer who stops it learns that nothing was changed."""
    work = LongWork()
    try:
        yield work
    except (KeyboardInterrupt, Terminated):
        work.end()
        with suppress(Leave, StudioError):
            output.tell(said("Stopped; nothing was changed.") if changes else said("Stopped."))
        raise
    finally:
        work.end()


@contextmanager
def saying_how_long(words: Callable[[int], str], at_once: bool = False) -> Iterator[None]:
    """Says while the work in the block goes on, which reports nothing itself, for how many seconds
    it does: every second on a terminal that is drawn in place, once elsewhere. `at_once` says so
    before it begins, for work that is known to be long."""
    over = threading.Event()
    if at_once and not output.is_quiet():
        with suppress(Leave, StudioError):
            output.show_passing(words(0))

    def say() -> None:
        began, wait = monotonic(), _PATIENCE / 2
        while not over.wait(wait) and not output.is_quiet():
            if at_once and not output.draws_in_place():
                return
            with suppress(Leave, StudioError):
                output.show_passing(words(round(monotonic() - began)))
            if not output.draws_in_place():
                return
            wait = _PATIENCE

    teller = threading.Thread(target=say, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
        with suppress(Leave, StudioError):
            output.clear_passing()


def _words(progress: Progress) -> str:
    done, of = f"{progress.done:,}", f"{progress.of:,}"
    return {
        "reading": said("Looked through {done} of {of} texts.", done=done, of=of),
        "changing": said("Changed {done} of {of} texts; nothing is saved yet.", done=done, of=of),
        "saving": said("Saved {done} of {of} texts.", done=done, of=of),
        "bringing": said("Brought in {done} of {of} chapters.", done=done, of=of),
    }[progress.phase]

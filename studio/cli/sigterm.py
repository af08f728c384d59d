"""Handles SIGTERM and SIGHUP outside a run: the command unwinds, releases the novel, and exits with
143, or with 129 where its terminal was closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from studio.cli import output

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that ask a process to end, after it finishes a save in progress."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Those of them whose default action ends the process immediately."""


class Terminated(BaseException):
    """The process was asked to end; no `except Exception` catches it (as KeyboardInterrupt)."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__()
        self.exit_code = 128 + number


def _raise(number: int, frame: object) -> NoReturn:
    if number == signal.SIGHUP:
        output.hush()  # the terminal is gone, so writing would fail
    raise Terminated(number)


@contextmanager
def heeding_termination() -> Iterator[None]:
    """Makes these signals raise Terminated, except those that the parent process had ignored."""
    heeded = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        heeded = []
    for number in heeded:
        signal.signal(number, _raise)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)

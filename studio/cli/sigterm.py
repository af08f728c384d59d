"""SIGTERM outside of a run: the command unwinds, frees the novel, and ends with 143."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a process to end, and lets it finish what it began to save."""


class Terminated(BaseException):
    """The process was asked to end; like KeyboardInterrupt it passes every `except Exception`."""


def _raise(number: int, frame: object) -> NoReturn:
    raise Terminated


@contextmanager
def heeding_termination() -> Iterator[None]:
    """Lets SIGTERM raise Terminated, unless whoever started the process had it ignored."""
    previous_handler = signal.getsignal(signal.SIGTERM)
    if (
        previous_handler is not signal.SIG_DFL
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)

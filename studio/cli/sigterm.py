"""SIGTERM and SIGHUP outside of a run: the command unwinds, frees the novel, and ends with 143, or
with 129 where its terminal was closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from studio.cli import output

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a process to end, and lets it finish what it began to save."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Those of them that would end it on the spot."""


class Terminated(BaseException):
    """The process was asked to end; like KeyboardInterrupt it passes every `except Exception`."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__()
        self.exit_code = 128 + number


def _raise(number: int, frame: object) -> NoReturn:
    if number == signal.SIGHUP:
        output.hush()  # the terminal is gone; writing to it would only fail
    raise Terminated(number)


@contextmanager
def heeding_termination() -> Iterator[None]:
    """Lets these signals raise Terminated, unless whoever started the process had one ignored."""
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

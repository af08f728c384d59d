"""Reads what the writer types at the terminal in answer to the command line."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from studio.cli import output

_YES = frozenset({"y", "yes", "ㅛ", "예", "네", "是", "好"})
"""What counts as agreement; ㅛ is y on a keyboard that is set to Hangul."""


def asks() -> bool:
    """Whether anybody is present who can be asked."""
    return output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout)


def confirm(question: str) -> bool:
    """Whether the writer agrees; without a terminal, running the command counts as agreement."""
    return not asks() or (typed_line(question) or "").strip().lower() in _YES


def typed_line(question: str) -> str | None:
    """Returns the line typed after the question, stripped; None where the input ended."""
    output.say(question, end="")
    try:
        return read_line().strip()
    except EOFError:
        output.say()
        return None


def read_line() -> str:
    """Reads the next line of the terminal; raises EOFError where there is none.

    A signal interrupts the read at any moment. `input` alone can miss a signal: if another thread
    receives it, or it arrives just before the read begins, the read waits until Enter is pressed.
    """
    with _signals_waking() as waker:
        while sys.stdin not in select.select([sys.stdin, waker], [], [])[0]:
            os.read(waker, 1)
    return input()


@contextmanager
def _signals_waking() -> Iterator[int]:
    """Yields a file descriptor that becomes readable as soon as a signal arrives."""
    waker, wakened = os.pipe()
    os.set_blocking(wakened, False)
    previous = signal.set_wakeup_fd(wakened, warn_on_full_buffer=False)
    try:
        yield waker
    finally:
        signal.set_wakeup_fd(previous)
        os.close(waker)
        os.close(wakened)

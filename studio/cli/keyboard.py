"""What the writer types at the terminal when the command line asks."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from studio.cli import output


def asks() -> bool:
    """Whether somebody is there who can be asked."""
    return output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout)


def confirm(question: str) -> bool:
    """Whether the writer wants it; where nobody can be asked, the command itself was her word."""
    return not asks() or (typed_line(question) or "").lower() in ("y", "yes")


def typed_line(question: str) -> str | None:
    """What she types behind the question, without space around it; None where the input ended."""
    output.say(question, end="")
    try:
        return read_line().strip()
    except EOFError:
        output.say()
        return None


def read_line() -> str:
    """The next line of the terminal; raises EOFError where there is none.

    A signal interrupts it at any moment. `input` alone can miss one: taken by another thread, or
    just before the read begins, it leaves the read waiting until Enter is pressed.
    """
    with _signals_waking() as waker:
        while sys.stdin not in select.select([sys.stdin, waker], [], [])[0]:
            os.read(waker, 1)
    return input()


@contextmanager
def _signals_waking() -> Iterator[int]:
    """A descriptor that has something to read as soon as a signal has come."""
    waker, wakened = os.pipe()
    os.set_blocking(wakened, False)
    previous = signal.set_wakeup_fd(wakened, warn_on_full_buffer=False)
    try:
        yield waker
    finally:
        signal.set_wakeup_fd(previous)
        os.close(waker)
        os.close(wakened)

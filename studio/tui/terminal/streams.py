"""The terminal's two ends as we need them: pastes come in whole, and a closed one stops nothing.

Textual reads a paste character by character and takes an escape sequence in
it for keys, so five megabytes take half a minute and what follows an Esc is
lost or obeyed (reliability T9). It waits for ever for a terminal that has gone
(T2), and reads with two threads after a stop it did not ask for (T4).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import IO

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.drivers._writer_thread import WriterThread
from textual.message import Message

START, END = "\x1b[200~", "\x1b[201~"
_TURN = 0.005
"""Seconds the loop waits at most for the terminal to take a frame."""


class PasteParser(XTermParser):
    """Textual's parser for all but pastes."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasted: list[str] | None = None
        """What came so far of a paste; None outside of one."""
        self._tail = ""
        """The end of what came, which may be half a mark."""
        self._since = 0.0

    def feed(self, data: str) -> Iterable[Message]:
        """Messages for what came; nothing came at the end of input."""
        if not data:
            yield from super().feed(data)
            return
        data, self._tail = self._tail + data, ""
        while data:
            if self._pasted is None:
                before, mark, data = data.partition(START)
                before = before if mark else self._held_back(before, START, 2)
                if before:
                    yield from super().feed(before)
                if mark:
                    self._pasted = []
            else:
                text, mark, data = data.partition(END)
                self._pasted.append(text if mark else self._held_back(text, END, 1))
                if mark:
                    whole, self._pasted = "".join(self._pasted), None
                    yield events.Paste(whole.replace("\x00", ""))

    def tick(self) -> Iterable[Message]:
        """What looked like half a mark and stayed half is keys after all."""
        late = monotonic() - self._since > constants.ESCAPE_DELAY
        if self._tail and self._pasted is None and late:
            keys, self._tail = self._tail, ""
            yield from super().feed(keys)
        yield from super().tick()

    def _held_back(self, text: str, mark: str, fewest: int) -> str:
        """Keeps the end that may be the beginning of a mark; an Esc alone is a key."""
        for length in range(len(mark) - 1, fewest - 1, -1):
            if text.endswith(mark[:length]):
                self._tail = text[-length:]
                self._since = monotonic()
                return text[:-length]
        return text


def take_pastes_whole() -> None:
    """Has the terminal's driver use our parser; call before the app runs."""
    linux_driver.XTermParser = PasteParser  # type: ignore[attr-defined]


class PatientWriter(WriterThread):
    """Goes on when the terminal has gone: what is written then goes nowhere (reliability T2).

    Textual's own thread dies of it, its queue fills up, and the app waits for ever.
    """

    def __init__(self, file: IO[str]) -> None:
        super().__init__(file)
        self._is_written = Event()

    def write(self, text: str) -> None:
        """Hands it to the thread."""
        self._is_written.clear()
        super().write(text)

    def flush(self) -> None:
        """Leaves the interpreter, which is one thread's at a time, to this one: a frame would lie
        there for as long as the loop goes on with what follows it (performance P5)."""
        self._is_written.wait(_TURN)

    def run(self) -> None:
        """Until it is told to end."""
        for text in iter(self._queue.get, None):
            with suppress(OSError):
                self._file.write(text)
                if not self._queue.qsize():
                    self._file.flush()
                    self._is_written.set()
        with suppress(OSError):
            self._file.flush()


def outlive_the_terminal() -> None:
    """Has the terminal's driver use our writer; call before the app runs."""
    linux_driver.WriterThread = PatientWriter  # type: ignore[attr-defined]


class RestartingDriver(linux_driver.LinuxDriver):
    """Takes the terminal anew after any stop.

    Textual does so after Ctrl+Z, for which it gave the terminal back. A stop that cannot be heeded
    (SIGSTOP) gave nothing back: going on from it, Textual would start a second thread that reads
    keys, one of the two would wait for ever for what the other took, and the app could not end.
    """

    def _sigcont_application(self, *_: object) -> None:
        """Gives the terminal back first, where that was not done before the stop."""
        if self._auto_restart and not self._must_signal_resume:
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()

    def flush(self) -> None:
        """Called at the end of a frame, which Textual leaves to its thread."""
        if self._writer_thread is not None:
            self._writer_thread.flush()


def outlive_any_stop() -> None:
    """Has the app use our driver; call before the app runs."""
    linux_driver.LinuxDriver = RestartingDriver  # type: ignore[misc]

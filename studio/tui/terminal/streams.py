"""Adapts terminal input and output: pastes arrive whole, and a closed terminal blocks nothing.

Textual reads a paste character by character and interprets escape sequences in it as keys, so five
megabytes take half a minute, and text after an Esc is lost or executed (reliability T9). It waits
forever for a terminal that is gone (T2), and reads with two threads after a stop that it did not
request (T4).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import IO, Any

from textual import constants, events
from textual.drivers import linux_driver
from textual.message import Message

from studio.tui import textual_private as private
from studio.tui.terminal.ambiguous_width import QUESTION, is_wide_answer

START, END = "\x1b[200~", "\x1b[201~"
_TURN = 0.005
"""The greatest number of seconds for which the loop waits until the terminal has taken a frame."""


class PasteParser(private.XTermParser):
    """Textual's parser for everything except pastes."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasted: list[str] | None = None
        """The part of a paste received so far; None outside of a paste."""
        self._tail = ""
        """The end of the input, which may be the start of a paste marker."""
        self._since = 0.0
        self._read_at = 0.0
        """The time of the last read, on the clock of the events."""

    def feed(self, data: str) -> Iterable[Message]:
        """Yields the messages for the input; empty input means that it has ended.

        Every message has the time of the read: what was read at once was typed before the writer
        could see what the first of it did (`TypedAhead`).
        """
        self._read_at = monotonic()
        yield from self._of_this_read(self._messages(data))

    def _of_this_read(self, messages: Iterable[Message]) -> Iterable[Message]:
        for message in messages:
            message.time = self._read_at
            yield message

    def _messages(self, data: str) -> Iterable[Message]:
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
        """Treats an incomplete paste marker as keys when the rest does not arrive in time."""
        late = monotonic() - self._since > constants.ESCAPE_DELAY
        if self._tail and self._pasted is None and late:
            keys, self._tail = self._tail, ""
            yield from self._of_this_read(super().feed(keys))
        yield from self._of_this_read(super().tick())

    def _held_back(self, text: str, mark: str, fewest: int) -> str:
        """Holds back an end that may be the start of a marker; a lone Esc is a key."""
        for length in range(len(mark) - 1, fewest - 1, -1):
            if text.endswith(mark[:length]):
                self._tail = text[-length:]
                self._since = monotonic()
                return text[:-length]
        return text


def take_pastes_whole() -> None:
    """Makes the terminal driver use `PasteParser`; call it before the app runs. Alt with B or F is
    that key: Textual takes both for Ctrl with an arrow, which they mean in a text alone."""
    for sequence in ("\x1bb", "\x1bf"):
        private.ANSI_SEQUENCES_KEYS.pop(sequence, None)  # type: ignore[attr-defined]
    private.PARSER_CLASS.stand_in(PasteParser)


class PatientWriter(private.WriterThread):
    """Continues when the terminal is gone: its output is discarded (reliability T2).

    Textual's own thread would die of the error, its queue would fill up, and the app would wait
    forever.
    """

    def __init__(self, file: IO[str]) -> None:
        super().__init__(file)
        self._is_written = Event()

    def write(self, text: str) -> None:
        """Passes text to the writer thread."""
        self._is_written.clear()
        super().write(text)

    def flush(self) -> None:
        """Yields the interpreter to the writer thread; otherwise a frame would stay in the queue
        for as long as the loop is busy with what follows (performance P5)."""
        self._is_written.wait(_TURN)

    def run(self) -> None:
        """Writes queued text until the end marker arrives."""
        queue, terminal = private.UNWRITTEN.of(self), private.TERMINAL_FILE.of(self)
        for text in iter(queue.get, None):
            with suppress(OSError):
                terminal.write(text)
                if not queue.qsize():
                    terminal.flush()
                    self._is_written.set()
        with suppress(OSError):
            terminal.flush()


def outlive_the_terminal() -> None:
    """Makes the terminal driver use `PatientWriter`; call it before the app runs."""
    private.WRITER_CLASS.stand_in(PatientWriter)


class RestartingDriver(linux_driver.LinuxDriver):
    """Takes over the terminal again after any stop.

    Textual does so after Ctrl+Z, before which it releases the terminal. A stop that cannot be
    caught (SIGSTOP) releases nothing: when continued, Textual would start a second thread reading
    keys, one of the two would wait forever for what the other had read, and the app could not end.
    """

    _has_asked = False

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        self._studio = app

    def write(self, data: str) -> None:
        """Passes data to the writer thread, and tells the app when, of all but the marks around a
        frame. The terminal has it later than that, and possibly long before the loop goes on."""
        is_mark = data in (private.SYNC_START, private.SYNC_END)
        if not is_mark and (typed := getattr(self._studio, "typed", None)) is not None:
            typed.passed_at = monotonic()
        super().write(data)

    @property
    def _widths(self) -> Any:
        """The part of our app that wants to know (`Widths`); another app has none."""
        return getattr(self._studio, "widths", None)

    def start_application_mode(self) -> None:
        """Takes the terminal over, and asks it once how wide it draws “ where the app wants to
        know. Nothing waits for the answer."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if not self._has_asked and self._widths is not None and self._widths.is_asked:
            self._has_asked = True
            self.write(QUESTION)

    def process_message(self, message: Message) -> None:
        """Notes the answer in the thread that reads, long before the app's queue comes to it."""
        if isinstance(message, events.CursorPosition) and self._widths and self._has_asked:
            self._widths.is_wide_by_answer = is_wide_answer(message.x, message.y)
        super().process_message(message)

    @private.CONTINUE
    def go_on(self, *_: object) -> None:
        """Releases the terminal first if that was not done before the stop."""
        if private.MAY_RESTART.of(self) and not private.IS_STOPPED_BY_KEY.of(self):
            self.suspend_application_mode()
            private.IS_STOPPED_BY_KEY.put(self, True)
        private.CONTINUE.of(super())()

    def flush(self) -> None:
        """Textual's hook for the end of a frame: waits for the writer thread, which Textual does
        not."""
        if (writer := private.WRITER.of(self)) is not None:
            writer.flush()


def outlive_any_stop() -> None:
    """Makes the app use `RestartingDriver`; call it before the app runs."""
    private.DRIVER_CLASS.stand_in(RestartingDriver)

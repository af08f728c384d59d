"""A program on a pseudo-terminal, and the screen that it draws there."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

from tests.tui.environs import NAMED

WAIT = 180
"""The number of seconds to wait for an event; much longer than a busy machine takes."""
WAIT_FOR_END = 60
"""The number of seconds to wait for the end of a program that only has to exit."""
TERMINAL = {**NAMED, "TERM": "xterm-256color"}


class Terminal:
    """A terminal, by default with 80 columns and 24 rows."""

    def __init__(
        self,
        arguments: Sequence[str],
        environ: dict[str, str],
        *,
        program: str = sys.executable,
        size: tuple[int, int] = (80, 24),
        cwd: Path | None = None,
    ) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.bytes = ""
        self.was_left_for_a_shell = False
        """Whether echo and line mode are on again; known at the end."""
        self.child = pexpect.spawn(
            program,
            list(arguments),
            # The size of another terminal may be in the environment, and the app would use it.
            env={**os.environ, **TERMINAL, "COLUMNS": str(columns), "LINES": str(rows), **environ},
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=WAIT,
            cwd=None if cwd is None else str(cwd),
        )

    @property
    def shown(self) -> str:
        """The screen as text."""
        columns, rows = range(self.screen.columns), range(self.screen.lines)
        # `display` fails where half of a wide character was written over; its stub is empty.
        return "\n".join("".join(self.screen.buffer[y][x].data for x in columns) for y in rows)

    def sees(self, *words: str, gone: str = "\0") -> str:
        """Waits until any of the words are on the screen and `gone` is not; returns these words."""
        wanted = " or ".join(map(repr, words))
        self.until(
            lambda: bool(self._seen(words)) and gone not in self.shown, f"{wanted} on screen"
        )
        return self._seen(words)

    def _seen(self, words: Sequence[str]) -> str:
        screen = self.shown
        return next((some for some in words if some in screen), "")

    def until(
        self,
        condition: Callable[[], bool],
        wanted: str,
        *,
        patience: float = WAIT,
        beat: float = 1,
        each_beat: Callable[[], None] = lambda: None,
    ) -> None:
        """Reads the program's output until a condition holds, for at most `patience` seconds.

        `each_beat` is called before each read, which lasts at most `beat` seconds.
        """
        until = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < until, f"no {wanted}:\n{self.shown}"
            each_beat()
            try:
                self._take(self.child.read_nonblocking(65536, timeout=beat))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                raise AssertionError(f"it ended, and no {wanted}:\n{self.shown}") from None

    def types(self, keys: str) -> None:
        """Sends keys, as a keyboard or an input method does."""
        self.child.send(keys)

    def pastes(self, text: str) -> None:
        """Pastes a text as a terminal does, reading the program's output at the same time."""
        rest = memoryview(f"\x1b[200~{text}\x1b[201~".encode())
        os.set_blocking(self.child.child_fd, False)
        while rest:
            ready = select.select([self.child], [self.child], [], WAIT)
            assert any(ready), self.shown
            if ready[0]:
                try:
                    self._take(self.child.read_nonblocking(65536, timeout=0))
                except pexpect.EOF:
                    raise AssertionError(
                        f"it ended, and not all is pasted:\n{self.shown}"
                    ) from None
            if ready[1]:
                rest = rest[os.write(self.child.child_fd, rest[:65536]) :]
        os.set_blocking(self.child.child_fd, True)

    def drop(self) -> None:
        """Kills the program, whatever it is doing."""
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()
        self.child.close()

    def hangs_up(self) -> None:
        """Closes the terminal under the program and waits until the program has ended."""
        pid = self.child.pid
        self.child.ptyproc.fileobj.close()
        os.waitpid(pid, 0)
        self.child.closed = self.child.ptyproc.closed = True

    def ends(self) -> int | None:
        """Waits for the end; returns the exit code or the number of the signal."""
        at_end = self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=WAIT_FOR_END) == 0
        self.bytes += str(self.child.before)
        assert at_end, f"it did not end:\n{self.shown}"
        local = termios.tcgetattr(self.child.child_fd)[3]
        self.was_left_for_a_shell = bool(local & termios.ECHO and local & termios.ICANON)
        self.child.close()
        code: int | None = self.child.exitstatus
        return self.child.signalstatus if code is None else code

    def _take(self, text: str) -> None:
        self.bytes += text
        self.stream.feed(text)

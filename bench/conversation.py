"""Types to a program on a pseudo-terminal and reads its screen, as a writer would."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from bench.terminal import open_terminal

_KEPT = 200_000
"""The number of bytes of output that are searched."""


class Conversation:
    """A program's output, with the times at which text appeared in it."""

    def __init__(self, screen: int, program: subprocess.Popen[bytes]) -> None:
        self._screen = screen
        self._program = program
        self._drawn = bytearray()

    def type(self, keys: str) -> float:
        """Presses keys and returns the time."""
        self._drawn.clear()
        at = time.perf_counter()
        os.write(self._screen, keys.encode())
        return at

    def until(self, *markers: str, seconds: float = 60) -> float:
        """Reads until all markers are drawn and returns the time; raises
        RuntimeError after `seconds`."""
        wanted = [marker.encode() for marker in markers]
        end = time.perf_counter() + seconds
        while not all(marker in self._drawn for marker in wanted):
            if not self._read(end - time.perf_counter()):
                raise RuntimeError(f"no {markers} in {bytes(self._drawn[-3000:])!r}")
        return time.perf_counter()

    def cpu(self) -> float:
        """The CPU seconds used by the program so far (Linux: the clock of another process)."""
        return time.clock_gettime((~self._program.pid << 3) | 2)

    def rest(self, seconds: float) -> None:
        """Reads for a while, so that the program's output never blocks."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if not self._read(left) and self._program.poll() is not None:
                return

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._screen], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            piece = os.read(self._screen, 65536)
        except OSError:
            return False
        self._drawn += piece
        del self._drawn[:-_KEPT]
        return bool(piece)


@contextmanager
def talking(
    command: Sequence[str], environ: Mapping[str, str] | None = None
) -> Iterator[Conversation]:
    """Starts a program on a terminal of 120x40, and ends it on exit."""
    screen, terminal = open_terminal()
    given = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(environ or {})}
    program = subprocess.Popen(
        list(command),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=given,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        yield Conversation(screen, program)
    finally:
        program.kill()
        program.wait()
        os.close(screen)

"""Runs programs on a real pseudo-terminal of 120x40: Textual's headless
driver never draws a frame."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Mapping
from typing import Any

COLUMNS, ROWS = 120, 40
RESULT = "BENCH_RESULT"
"""The variable that names the file descriptor to which a measured program writes its result."""


def open_terminal() -> tuple[int, int]:
    """Opens a pseudo-terminal; returns the terminal's end and the program's end."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    return screen, terminal


def measured(
    module: str,
    *arguments: str,
    fps: int = 60,
    seconds: float = 120,
    environ: Mapping[str, str] | None = None,
) -> Any:
    """Returns what `python -m module arguments` reports; its screen output is read and discarded.

    Raises RuntimeError with the end of the output if nothing is reported in time.
    """
    screen, terminal = open_terminal()
    result, reports = os.pipe()
    given = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TEXTUAL_FPS": str(fps),
        RESULT: str(reports),
        **(environ or {}),
    }
    with subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=given,
        pass_fds=(reports,),
        start_new_session=True,
    ) as program:
        os.close(terminal)
        os.close(reports)
        drawn = bytearray()
        reader = threading.Thread(target=_drain, args=(screen, drawn), daemon=True)
        reader.start()
        alarm = threading.Timer(seconds, program.kill)
        alarm.start()
        with os.fdopen(result, "rb") as pipe:
            output = pipe.read()
        program.wait()
        alarm.cancel()
        reader.join(1)
    os.close(screen)
    if not output:
        raise RuntimeError(f"{module} {arguments} said nothing: {bytes(drawn[-2000:])!r}")
    return json.loads(output)


def report(result: object) -> None:
    """Reports a result from within a measured program."""
    os.write(int(os.environ[RESULT]), json.dumps(result).encode())


def _drain(screen: int, drawn: bytearray) -> None:
    """Reads the output as a terminal would, and keeps the end of it."""
    while True:
        try:
            piece = os.read(screen, 65536)
        except OSError:
            return
        if not piece:
            return
        drawn += piece
        del drawn[:-4000]

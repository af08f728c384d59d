"""What `--debug` writes down: how a command ran, without prose and without keys.

One file in the state folder, for its owner's eyes alone. At a megabyte it
becomes `debug.log.1`, and of those three stay.
"""

from __future__ import annotations

import logging
import os
import platform
from contextlib import suppress

from studio import __version__
from studio.cli import output
from studio.cli.crash import without_keys
from studio.config.state_files import add_to_log, begin_log
from studio.errors import StudioError

NAME = "debug.log"
_LARGEST, _OLDER = 1_000_000, 3
_log = logging.getLogger("studio")
_WIRE = ("httpx2", "anthropic")
"""Loggers of libraries that name each request and its answer's status at INFO, and no body."""


class _StateFile(logging.Handler):
    """Puts each line into the log; one that cannot be written is no reason to stop."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(StudioError, OSError):
            line = self.format(record).encode(errors="replace")
            add_to_log(os.environ, NAME, line + b"\n")


class _WithoutKeys(logging.Formatter):
    """A line for each record; keys and logins are masked in whatever it says."""

    def format(self, record: logging.LogRecord) -> str:
        return without_keys(super().format(record), os.environ)


def begin(command: str) -> None:
    """Opens the log for this run; StudioError (exit 1) where it cannot be written."""
    if _log.handlers:
        return
    path = begin_log(os.environ, NAME, _LARGEST, _OLDER)
    handler = _StateFile()
    handler.setFormatter(
        _WithoutKeys("%(asctime)s.%(msecs)03d %(name)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    )
    _log.setLevel(logging.DEBUG)
    _log.propagate = False
    _log.addHandler(handler)
    for name in _WIRE:
        logging.getLogger(name).setLevel(logging.INFO)
        logging.getLogger(name).addHandler(handler)
    _log.info(
        "%s: studio %s, Python %s, %s, process %d",
        command,
        __version__,
        platform.python_version(),
        platform.platform(),
        os.getpid(),
    )
    output.tell(f"What this command does is written to {path}.")


def note(message: str, *values: object) -> None:
    """A line of the log, where one was asked for."""
    if _log.handlers:
        _log.info(message, *values)


def note_error(error: BaseException) -> None:
    """An error with the way it came, where a log was asked for."""
    if not _log.handlers:
        return
    if isinstance(error, StudioError):
        _log.info("refused: %s", error.problem.message, exc_info=error)
    else:
        _log.info("ended by %s", type(error).__name__, exc_info=error)


def close(code: int) -> None:
    """The last line of a run, and the end of the file."""
    note("exit %d", code)
    for handler in list(_log.handlers):
        for name in ("studio", *_WIRE):
            logging.getLogger(name).removeHandler(handler)
        handler.close()

"""Writes the `--debug` log: how a command ran, without prose and without keys.

The log is one file in the state folder, readable only by its owner. At a megabyte it is rotated to
`debug.log.1`; three rotated files are kept.
"""

from __future__ import annotations

import logging
import os
import platform
from contextlib import suppress

from studio import __version__
from studio.cli import output
from studio.config.state_files import add_to_log, begin_log
from studio.errors import StudioError
from studio.messages import said

NAME = "debug.log"
_LARGEST, _OLDER = 1_000_000, 3
_log = logging.getLogger("studio")
_WIRE = ("httpx2", "anthropic")
"""Library loggers that log each request and its response status at INFO, but no body."""


class _StateFile(logging.Handler):
    """Writes each record to the log; a write error is ignored, so that the command continues."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(StudioError, OSError):
            add_to_log(os.environ, NAME, self.format(record))


def begin(command: str) -> None:
    """Opens the log for this run; raises StudioError (exit 1) where it cannot be written."""
    if _log.handlers:
        return
    path = begin_log(os.environ, NAME, _LARGEST, _OLDER)
    handler = _StateFile()
    handler.setFormatter(
        logging.Formatter("%(asctime)s.%(msecs)03d %(name)s %(message)s", "%Y-%m-%dT%H:%M:%S")
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
    output.tell(said("What this command does is written to {path}.", path=path))


def note(message: str, *values: object) -> None:
    """Writes a line to the log, if one was requested."""
    if _log.handlers:
        _log.info(message, *values)


def note_error(error: BaseException) -> None:
    """Writes an error with its traceback to the log, if one was requested."""
    if not _log.handlers:
        return
    if isinstance(error, StudioError):
        _log.info("refused: %s", error.problem.message, exc_info=error)
    else:
        _log.info("ended by %s", type(error).__name__, exc_info=error)


def close(code: int) -> None:
    """Writes the last line of a run and closes the file."""
    note("exit %d", code)
    for handler in list(_log.handlers):
        for name in ("studio", *_WIRE):
            logging.getLogger(name).removeHandler(handler)
        handler.close()

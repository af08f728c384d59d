"""Handles unexpected errors: one sentence for the writer, and the traceback in a separate file."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from studio import __version__
from studio.config.masking import without_keys
from studio.config.state_files import keep_report
from studio.errors import Problem, StudioError
from studio.messages import said

_LONGEST_REASON = 200


def report(error: Exception, arguments: Sequence[str], environ: Mapping[str, str]) -> Problem:
    """Returns the Problem for an unexpected error (exit 1) and saves its
    traceback in the state folder."""
    reason = " ".join(without_keys(f"{type(error).__name__}: {error}", environ).split())
    reason = reason[:_LONGEST_REASON].rstrip(":. ")
    message = said("The studio failed in a way nobody foresaw ({reason}).", reason=reason)
    now = datetime.now(UTC)
    name = f"crash-{now:%Y%m%dT%H%M%S}-{os.getpid()}.log"
    try:
        path = keep_report(environ, name, _log(error, arguments, now))
    except (StudioError, OSError):
        return Problem(
            message, said("What was finished is kept. The details could not be written down.")
        )
    return Problem(
        message,
        said(
            "What was finished is kept; `studio verify` looks it over. Details: {path}", path=path
        ),
    )


def _log(error: Exception, arguments: Sequence[str], now: datetime) -> str:
    head = [
        f"studio {__version__}, Python {platform.python_version()}, {platform.platform()}",
        now.isoformat(timespec="seconds"),
        f"arguments: {list(arguments)!r}",
        f"stdout: {getattr(sys.stdout, 'encoding', None)}",
    ]
    return "\n".join([*head, "", *traceback.format_exception(error)])

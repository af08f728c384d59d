"""Handles unexpected errors: one sentence for the writer, and the traceback in a separate file."""

from __future__ import annotations

import os
import platform
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from studio import __version__
from studio.config.load import keep_in_state, load_settings
from studio.config.schema import mask
from studio.errors import Problem, StudioError
from studio.llm.keys import printed_keys
from studio.messages import said

_KEY = re.compile(r"\bsk-[\w-]{8,}")
_LOGIN = re.compile(r"//[^/@\s]+@")
_LONGEST_REASON = 200


def report(error: Exception, arguments: Sequence[str], environ: Mapping[str, str]) -> Problem:
    """Returns the Problem for an unexpected error (exit 1) and saves its
    traceback in the state folder."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]
    reason = without_keys(reason.rstrip(":. "), environ)
    message = said("The studio failed in a way nobody foresaw ({reason}).", reason=reason)
    now = datetime.now(UTC)
    name = f"crash-{now:%Y%m%dT%H%M%S}-{os.getpid()}.log"
    text = without_keys(_log(error, arguments, now), environ)
    try:
        path = keep_in_state(environ, name, text.encode(errors="replace"))
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


def without_keys(text: str, environ: Mapping[str, str]) -> str:
    """Returns `text` without keys and logins (reliability S11)."""
    for secret in _secrets(environ):
        text = text.replace(secret, mask(secret))
    text = _KEY.sub(lambda match: mask(match[0]), text)
    return _LOGIN.sub("//...@", text)


def _secrets(environ: Mapping[str, str]) -> set[str]:
    """Returns the values to hide: the keys that are set or were printed by a command, and every
    variable whose name looks like a secret's."""
    secrets = {
        value
        for name, value in environ.items()
        if re.search(r"KEY|TOKEN|SECRET|PASSW", name) and len(value) >= 6
    }
    secrets |= printed_keys()
    try:
        servers = load_settings(None, environ).provider.servers.values()
    except Exception:  # the settings themselves may be the cause
        return secrets
    return secrets | {one.api_key.get_secret_value() for one in servers if one.api_key}


def _log(error: Exception, arguments: Sequence[str], now: datetime) -> str:
    head = [
        f"studio {__version__}, Python {platform.python_version()}, {platform.platform()}",
        now.isoformat(timespec="seconds"),
        f"arguments: {list(arguments)!r}",
        f"stdout: {getattr(sys.stdout, 'encoding', None)}",
    ]
    return "\n".join([*head, "", *traceback.format_exception(error)])

"""The delimiters that mark material in a prompt: unknown to whoever wrote it, the same each time.

Made from a secret of this machine and the novel's folder. So a preview shows the very bytes
that are sent, and a service that caches prompts reads a book's stable part again.
"""

from __future__ import annotations

import hmac
import re
import secrets
from pathlib import Path

from studio.errors import StudioError
from studio.fsio import Root, make_root

SECRET = "fence"
"""The file in the state folder that holds the machine's secret."""
_DIGITS = 10
_FORM = re.compile(rb"[0-9a-f]{32}")


def fence_tag(state: Path, novel: Path) -> str | None:
    """The tag of a novel on this machine; None where no secret can be kept."""
    secret = _secret(state)
    if secret is None:
        return None
    return (
        "m" + hmac.new(secret, str(novel).encode(errors="replace"), "sha256").hexdigest()[:_DIGITS]
    )


def _secret(state: Path) -> bytes | None:
    try:
        return _read(state) or _new(state)
    except StudioError:
        return None


def _read(state: Path) -> bytes | None:
    secret = Root(state).find(SECRET) if state.is_dir() else None
    return secret if secret is not None and _FORM.fullmatch(secret) else None


def _new(state: Path) -> bytes | None:
    """A fresh secret; what is read back counts, for another process may have been first."""
    make_root(state).write(SECRET, secrets.token_hex(16).encode(), private=True)
    return _read(state)

"""The delimiters that mark material in a prompt: unpredictable for its authors, but stable.

They are derived from a secret of this machine and the novel's folder. Being stable, they let a
preview show the exact bytes sent, and let a service with prompt caching reuse a book's stable
prefix.
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
    """Returns the tag of a novel on this machine; None if no secret can be stored."""
    secret = _secret(state)
    if secret is None:
        return None
    return (
        "m" + hmac.new(secret, str(novel).encode(errors="replace"), "sha256").hexdigest()[:_DIGITS]
    )


def _secret(state: Path) -> bytes | None:
    try:
        return _read_fence(state) or _new(state)
    except StudioError:
        return None


def _read_fence(state: Path) -> bytes | None:
    secret = Root(state).find(SECRET) if state.is_dir() else None
    return secret if secret is not None and _FORM.fullmatch(secret) else None


def _new(state: Path) -> bytes | None:
    """Creates a secret; the one read back counts, because another process may have been first."""
    make_root(state).write(SECRET, secrets.token_hex(16).encode(), private=True)
    return _read_fence(state)

"""How long a model may stay silent, take, and talk before it is stopped (M10, M14)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

VENDOR_URL = "https://api.anthropic.com"
LOOP_WINDOW = 1200
"""Characters that must be one repeated unit to count as a loop."""
LONGEST_UNIT = 120
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds until the first sign of life, between two signs, and of the whole call."""

    first_byte: float = 600.0
    idle: float = 120.0
    total: float = 1800.0


def is_vendor(base_url: str) -> bool:
    """Whether this is the vendor's own host, and nobody on the way can read along."""
    parts = urlsplit(base_url)
    return (parts.scheme, parts.hostname) == ("https", urlsplit(VENDOR_URL).hostname)


def is_loopback(base_url: str) -> bool:
    """Whether this address is on this machine, where no proxy belongs in between (M9)."""
    return urlsplit(base_url).hostname in LOCAL_HOSTS


def deadlines_for(
    base_url: str | None,
    first_byte: float | None = None,
    idle: float = 120.0,
    total: float = 1800.0,
) -> Deadlines:
    """30 s for the first byte from the vendor's host, 600 s from any other (DESIGN section 10)."""
    if first_byte is None:
        first_byte = 30.0 if base_url and is_vendor(base_url) else 600.0
    return Deadlines(first_byte, idle, total)


def is_looping(text: str) -> bool:
    """Whether the end of `text` is one short unit said over and over."""
    tail = text[-LOOP_WINDOW:]
    if len(tail) < LOOP_WINDOW:
        return False
    return any(tail[unit:] == tail[:-unit] for unit in range(1, LONGEST_UNIT + 1))

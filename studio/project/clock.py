"""The time as the project's files write it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """This moment in UTC, ISO 8601, to the millisecond: `2026-03-01T09:30:00.125Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """The date in UTC, ISO 8601: `2026-03-01`."""
    return now()[:10]

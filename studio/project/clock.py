"""Time in the format of the project's files."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Returns the current time in UTC, ISO 8601 with milliseconds: `2026-03-01T09:30:00.125Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """Returns the date in UTC, ISO 8601: `2026-03-01`."""
    return now()[:10]

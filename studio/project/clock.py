"""Time in the format of the project's files, and as the writer's clock shows it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Returns the current time in UTC, ISO 8601 with milliseconds: `2026-03-01T09:30:00.125Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """Returns the date in UTC, ISO 8601: `2026-03-01`."""
    return now()[:10]


def local_time(stamp: str, *, seconds: bool = False) -> str:
    """Returns a time of the project's files as the writer's clock showed it: `2026-03-01 18:30`;
    what is no time stays as it is."""
    moment = _local(stamp)
    if moment is None:
        return stamp
    return moment.strftime("%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M")


def clock_time(stamp: str) -> str:
    """Returns the hour and minute of a time as the writer's clock showed it: `18:30`; empty for
    what is no time."""
    moment = _local(stamp)
    return "" if moment is None else f"{moment:%H:%M}"


def _local(stamp: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone()

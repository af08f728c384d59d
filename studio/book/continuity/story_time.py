"""Story time as plans express it: a date with or without a time, or a numbered day."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

_DAY = re.compile(r"^day\s+(\d+)(?:\s+(\d{1,2}):(\d{2}))?$", re.IGNORECASE)
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$")


class StoryTime(NamedTuple):
    """A moment that can be compared with others of its kind."""

    kind: str
    """`date` or `day`: the two are never compared with each other."""
    day: int
    minute: int | None
    """The minute of the day; None where only the day is given."""

    def is_before(self, other: StoryTime) -> bool:
        """Whether this moment is certainly before another."""
        if self.kind != other.kind:
            return False
        if self.day != other.day or self.minute is None or other.minute is None:
            return self.day < other.day
        return self.minute < other.minute

    def is_same_minute(self, other: StoryTime) -> bool:
        """Whether both moments are exact to the minute and equal."""
        return self.minute is not None and self == other


def story_time(words: str) -> StoryTime | None:
    """Parses the moment a plan names; None for words that are displayed but never compared."""
    plain = words.strip()
    if match := _DAY.match(plain):
        minute = int(match[2]) * 60 + int(match[3]) if match[2] else None
        return StoryTime("day", int(match[1]), minute)
    if not _DATE.match(plain):
        return None
    try:
        moment = datetime.fromisoformat(plain.replace(" ", "T"))
    except ValueError:
        return None
    minute = moment.hour * 60 + moment.minute if len(plain) > len("2026-01-01") else None
    return StoryTime("date", moment.toordinal(), minute)

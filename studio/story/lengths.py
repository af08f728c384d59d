"""The lengths of prose: in words, or in characters with or without spaces. Light to import, because
the first frame counts, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from studio.config.schema import Count, Settings

Unit = Literal["words", "characters", "characters with spaces", "characters without spaces"]
"""The unit of a length of prose, as prompts and JSON name it; `characters` are counted without
spaces."""
OTHER_COUNT: Mapping[Unit, Unit] = {
    "characters with spaces": "characters without spaces",
    "characters without spaces": "characters with spaces",
}
"""The other way of counting, for a novel that says how it counts."""


def unit_of(language: str, count: Count | None = None) -> Unit:
    """Returns the unit of the lengths of prose in a language, as `targets.count` has it."""
    if language == "en":
        return "words"
    if count is None:
        return "characters"
    return "characters with spaces" if count == "with-spaces" else "characters without spaces"


def unit_in(settings: Settings) -> Unit:
    """Returns the unit of the lengths of prose in a novel with these settings."""
    return unit_of(settings.novel.language, settings.targets.count)


def length_of(text: str, unit: Unit) -> int:
    """Returns the length of a stretch of prose. What separates its lines and paragraphs, and what
    they are indented with, are no spaces that count."""
    if unit == "characters with spaces":
        return sum(len(line.strip()) for line in text.splitlines())
    words = text.split()
    return len(words) if unit == "words" else sum(map(len, words))

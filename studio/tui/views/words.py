"""Text with a tone: the form in which the pure views describe the content of a screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rich.cells import cell_len

Tone = Literal["plain", "quiet", "strong", "accent", "good", "warn", "bad", "quote", "heading"]


class Phrase(NamedTuple):
    """A piece of a line."""

    text: str
    tone: Tone = "plain"


Line = tuple[Phrase, ...]


def line(text: str = "", tone: Tone = "plain") -> Line:
    """Returns a line of one tone."""
    return (Phrase(text, tone),)


def block(heading: str, texts: Iterable[str], tone: Tone = "plain") -> list[Line]:
    """Returns a heading, the lines under it and a blank line; nothing if there are no lines."""
    lines = [line(text, tone) for text in texts if text.strip()]
    return [line(heading, "heading"), *lines, line()] if lines else []


def pad(words: str, cells: int) -> str:
    """Pads words to at least `cells` cells; a Korean or Chinese character takes two."""
    return words + " " * (cells - cell_len(words))

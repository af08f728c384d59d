"""Words with a tone, the form in which pure views say what a screen shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rich.cells import cell_len

from studio.i18n import _
from studio.tuples import NamedTuple

Tone = Literal["plain", "quiet", "strong", "accent", "good", "warn", "bad", "quote", "heading"]


class Said(NamedTuple):
    """A piece of a line."""

    text: str
    tone: Tone = "plain"


Line = tuple[Said, ...]


def line(text: str = "", tone: Tone = "plain") -> Line:
    """A line of one tone."""
    return (Said(text, tone),)


def block(heading: str, texts: Iterable[str], tone: Tone = "plain") -> list[Line]:
    """A heading with lines under it and a blank one behind; nothing where there are no lines."""
    lines = [line(text, tone) for text in texts if text.strip()]
    return [line(heading, "heading"), *lines, line()] if lines else []


def padded(words: str, cells: int) -> str:
    """Words in at least so many cells; a Korean or Chinese character takes two."""
    return words + " " * (cells - cell_len(words))


def as_label(name: str) -> str:
    """A name in front of what it names, with the colon of the writer's language."""
    return _("{name}: ", name=name)


def aside(words: str) -> str:
    """Behind what it says more of, in the parentheses of the writer's language."""
    return _(" ({words})", words=words)


def named(slug: str) -> str:
    """An id as words: `lamp_41` reads `lamp 41`."""
    return slug.replace("_", " ").replace("-", " ")

"""The forms an export can have, and what it did, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FORMS = (
    ("md", "Markdown, one file"),
    ("txt", "Plain text, one file"),
    ("md/each", "Markdown, a file for each chapter"),
    ("txt/each", "Plain text, a file for each chapter"),
)
"""Format, with `/each` where every chapter gets a file; and its name."""


def exported_words(files: Sequence[Path], chapters: Sequence[int]) -> str:
    """What was written, and where."""
    count = "1 chapter" if len(chapters) == 1 else f"{len(chapters)} chapters"
    where = str(files[0]) if len(files) == 1 else f"{files[0].parent}/"
    return f"{count} written to {where}"

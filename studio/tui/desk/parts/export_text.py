"""The forms an export can have, and what it did, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FORMS = (
    ("md", "Markdown, one file"),
    ("txt", "Plain text, one file"),
    ("md/each", "Markdown, a file for each chapter"),
    ("txt/each", "Plain text, a file for each chapter"),
    ("epub", "An e-book (EPUB)"),
    ("docx", "A manuscript for Word (DOCX)"),
    ("html", "A web page (HTML)"),
)
"""Format, with `/each` where every chapter gets a file; and its name."""

ALL, SOME = "", "some"
LIST = "3, 1-5, 4- or 1-3,7"
"""How chapters are named."""


def chapter_choices(numbers: Sequence[int], current: int | None) -> list[tuple[str, str]]:
    """Which chapters go out: all, the one on the screen, or some that are asked for."""
    count = "the one there is" if len(numbers) == 1 else f"1 to {len(numbers)}"
    if len(numbers) > 1 and list(numbers) != list(range(1, len(numbers) + 1)):
        count = f"{len(numbers)} of them"
    choices = [(ALL, f"All chapters, {count}")]
    if current in numbers:
        choices.append((str(current), f"Only chapter {current}, the one on the screen"))
    return [*choices, (SOME, "From one to another, or some")]


def exported_words(files: Sequence[Path], chapters: Sequence[int]) -> str:
    """What was written, and where."""
    count = "1 chapter" if len(chapters) == 1 else f"{len(chapters)} chapters"
    where = str(files[0]) if len(files) == 1 else f"{files[0].parent}/"
    return f"{count} written to {where}"

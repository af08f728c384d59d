"""A number beside a title that may say it too, as `Chapter 2` and `第一卷` do. Pure."""

from __future__ import annotations

import re

from studio.project.outline import numbered_heading
from studio.story.form.numerals import numeral_value

_VOLUMES = (
    r"(?i)(?:volume|vol\.?|book|part)\s*(\d+)",
    r"제?\s*(\d+)\s*[권부]",
    r"第\s*([0-9零一二两三四五六七八九十]+)\s*[卷部]",
)


def chapter_beside_number(number: int, title: str) -> tuple[str, str]:
    """What stands for the number of a chapter, and its title, so that neither repeats the other.

    `Chapter 2` needs no number, and of `Chapter 3: The Lamp Room` the title is The Lamp Room.
    """
    numbered = numbered_heading(title)
    if numbered is None or numbered[0] != number:
        return str(number), title
    return (str(number), numbered[1]) if numbered[1] else ("", title)


def volume_says_number(number: int, title: str) -> bool:
    """Whether the title of a volume begins with its number, or is nothing else."""
    for form in _VOLUMES:
        if match := re.match(form + r"(?:\s*[:：.．—–-]|\s|$)", title.strip()):
            numeral = match[1]
            return number == (int(numeral) if numeral.isdecimal() else numeral_value(numeral))
    return False

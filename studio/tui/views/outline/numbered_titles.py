"""A number beside a title that may say it too, as `Chapter 2` and `第一卷` do. Pure.

Most titles say none, and what reads a number out of words is loaded for the first that may (P5).
"""

from __future__ import annotations

import re

_EITHER = "제第*_`"
_CHAPTER, _VOLUME = frozenset("cC" + _EITHER), frozenset("vVbBpP" + _EITHER)
"""What a title that says its number may begin with, beside figures and with marks of emphasis."""
_VOLUMES = (
    r"(?i)(?:volume|vol\.?|book|part)\s*(\d+)",
    r"제?\s*(\d+)\s*[권부]",
    r"第\s*([0-9零一二两三四五六七八九十]+)\s*[卷部]",
    r"(\d+)(?=\s*[:：.．—–-])",
)
_REST = r"(?:\s*[:：.．—–-]\s*(.*)|\s.*)?$"
"""Behind the number: what a sign parts from it may stand without it."""


def chapter_beside_number(number: int, title: str) -> tuple[str, str]:
    """What stands for the number of a chapter, and its title, so that neither repeats the other.

    `Chapter 2` needs no number, and of `Chapter 3: The Lamp Room` the title is The Lamp Room.
    """
    if not _may_say_number(title, _CHAPTER):
        return str(number), title
    from studio.project.outline import numbered_heading

    numbered = numbered_heading(title)
    if numbered is None or numbered[0] != number:
        return str(number), title
    return (str(number), numbered[1]) if numbered[1] else ("", title)


def volume_beside_number(number: int, title: str) -> tuple[str, str]:
    """The same of a volume; a title with its number in words, `第一卷：霜降以前`, stays whole."""
    if not _may_say_number(title, _VOLUME):
        return str(number), title
    matches = (re.match(form + _REST, title.strip()) for form in _VOLUMES)
    match = next(filter(None, matches), None)
    if match is None or number != _value(match[1]):
        return str(number), title
    return (str(number), match[2]) if match[2] and match[1].isdecimal() else ("", title)


def _value(numeral: str) -> int | None:
    if numeral.isdecimal():
        return int(numeral)
    from studio.story.form.numerals import numeral_value

    return numeral_value(numeral)


def _may_say_number(title: str, signs: frozenset[str]) -> bool:
    first = title.lstrip()[:1]
    return first in signs or first.isdecimal()

"""A number next to a title that may repeat it, such as `Chapter 2` or `第一卷`. Pure functions.

Most titles contain no number, so the parser for numbers in words is imported only for the first
title that may (P5).
"""

from __future__ import annotations

import re

from studio.chapter_names import label_of, numbered_titles
from studio.i18n import chapter_called

_EITHER = "제第*_`"
_CHAPTER, _VOLUME = frozenset("cC" + _EITHER), frozenset("vVbBpP" + _EITHER)
"""The first characters of titles that may contain their number, besides digits; marks of emphasis
included."""
_VOLUMES = (
    r"(?i)(?:volume|vol\.?|book|part)\s*(\d+)",
    r"제?\s*(\d+)\s*[권부]",
    r"第\s*([0-9零一二两三四五六七八九十]+)\s*[卷部]",
    r"(\d+)(?=\s*[:：.．—–-])",
)
_REST = r"(?:\s*[:：.．—–-]\s*(.*)|\s.*)?$"
"""What may follow the number: a separator and the rest of the title, or any other text."""


def chapter_beside_number(number: int, title: str) -> tuple[str, str]:
    """Returns the label for a chapter's number and its title, so that neither repeats the other.

    `Chapter 2` needs no number, and the title of `Chapter 3: The Lamp Room` is The Lamp Room. A
    title that is only the number gives way to the novel's own word for a chapter. A chapter that
    the author labels goes by her label.
    """
    if (label := label_of(number)) != str(number):
        if title.strip() not in {label, *numbered_titles(label)}:
            return label, title
        has_number = any(map(str.isdecimal, label))
        return "", (chapter_called(number) if has_number else "") or title
    if not _may_say_number(title, _CHAPTER):
        return str(number), title
    from studio.project.outline import numbered_heading

    numbered = numbered_heading(title)
    if numbered is None or numbered[0] != number:
        return str(number), title
    return (str(number), numbered[1]) if numbered[1] else ("", chapter_called(number) or title)


def volume_beside_number(number: int, title: str) -> tuple[str, str]:
    """Does the same for a volume; a title that spells its number, such as `第一卷：霜降以前`, stays
    whole."""
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

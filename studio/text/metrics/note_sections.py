"""Blocks of notes that a heading sets apart from a chapter: its outline before it, remarks behind.

Such a block goes or stays as a whole, and that is the writer's to do: a cut of one line of it, or
of the heading behind which the chapter begins, would leave the rest in the text of the chapter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

Range = tuple[int, int]
_HEADING = re.compile(r"^#{1,6} [^\n]{1,60}$", re.M)
_NOTES = re.compile(
    r"#{1,6} \W*(?:(?:本章|章节|章節|写作|寫作|创作|創作|作者)?"
    r"(?:概要|备注|備註|大纲|大綱|梗概|笔记|筆記|设定|設定)"
    r"|(?:이번 ?)?(?:장|화|회|챕터)? ?(?:요약|개요|메모|비고|구성|노트)"
    r"|(?:(?:chapter|author|writer|writing|scene)(?:[’']?s)?)? ?"
    r"(?:summary|notes?|outline|overview|synopsis))\W*",
    re.I,
)
_STORY = re.compile(r"#{1,6} \W*(?:正文|본문|prose|story|text|chapter text)\W*", re.I)


def outside_note_sections(places: Iterable[Range], text: str) -> list[Range]:
    """Returns the places that are in no such block and no heading that ends one."""
    starts = [(match.start(), match[0]) for match in _HEADING.finditer(text)]
    blocks = [
        (start, end)
        for (start, heading), (end, _) in pairwise([*starts, (len(text), "")])
        if _NOTES.fullmatch(heading)
    ]
    if not blocks:
        return list(places)
    return [
        (first, last)
        for first, last in places
        if not any(start <= first < end for start, end in blocks)
        and not _STORY.fullmatch(text[first:last])
    ]

"""Splits an outline into the sections of its chapters, and joins them again.

Only what is moved is parsed: a section keeps the writer's exact bytes, including notes to people;
only the number and title in its heading change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from studio.i18n import Language
from studio.project.outline import (
    HEADING,
    blanked_notes,
    heading_line,
    numbered_heading,
    without_notes,
)
from studio.story.form.numerals import chinese_numeral, value_of

_LEVELS = 6
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_NUMBER = re.compile(r"[0-9０-９]+|[〇零一二两三四五六七八九十百千]+")


@dataclass(frozen=True, slots=True)
class OutlineStretch:
    """A stretch of an outline: the section of a chapter, or the text between sections (chapter
    0)."""

    text: str
    chapter: int = 0

    @property
    def title(self) -> str:
        """The chapter's title in the heading; empty if it has a number only."""
        return (numbered_heading(_heading_of(self.text)) or (0, ""))[1]

    @property
    def body(self) -> str:
        """The text below the heading, including notes to people."""
        return self.text.partition("\n")[2].strip()


def pieces_of(outline: str) -> tuple[OutlineStretch, ...]:
    """Splits the outline into pieces in order; their joined texts are the outline again.

    A section ends at the next chapter's heading, or at one of a higher level.
    """
    visible = blanked_notes(outline)
    pieces: list[OutlineStretch] = []
    start, chapter, level = 0, 0, _LEVELS + 1
    for heading in HEADING.finditer(visible):
        numbered = numbered_heading(heading[2])
        if numbered is None and (not chapter or len(heading[1]) > level):
            continue
        pieces.append(OutlineStretch(outline[start : heading.start()], chapter))
        start, level = heading.start(), len(heading[1])
        chapter = numbered[0] if numbered else 0
    pieces.append(OutlineStretch(outline[start:], chapter))
    return tuple(piece for piece in pieces if piece.text)


def new_section(chapter: int, title: str, body: str, language: Language) -> OutlineStretch:
    """Returns a section in the form the studio writes."""
    text = heading_line(chapter, title, language)
    return OutlineStretch(f"{text}\n\n{body.strip()}\n" if body.strip() else f"{text}\n", chapter)


def renumber(piece: OutlineStretch, chapter: int) -> OutlineStretch:
    """Returns the same section with another number; a Chinese numeral remains one."""
    if chapter == piece.chapter:
        return piece
    heading = _heading_of(piece.text)
    start = piece.text.index(heading)
    for number in _NUMBER.finditer(heading):
        word = number[0]
        value = value_of(word)
        if value == piece.chapter:
            fresh = str(chapter) if word.isdecimal() else chinese_numeral(chapter)
            heading_now = heading[: number.start()] + fresh + heading[number.end() :]
            text = piece.text[:start] + heading_now + piece.text[start + len(heading) :]
            return OutlineStretch(text, chapter)
    return replace(piece, chapter=chapter)


def retitle(piece: OutlineStretch, title: str, language: Language) -> OutlineStretch:
    """Returns the same section with another title; its heading keeps its level."""
    first, newline, rest = piece.text.partition("\n")
    level = first[: len(first) - len(first.lstrip("#"))]
    ending = "\r" if first.endswith("\r") else ""
    heading = heading_line(piece.chapter, title, language).lstrip("#")
    return replace(piece, text=f"{level}{heading}{ending}{newline}{rest}")


def with_plan(piece: OutlineStretch, happens: Sequence[str], plan: Iterable[str]) -> OutlineStretch:
    """Returns the section of a chapter whose plan is made anew: where it says what the words of the
    `plan` do not, it says what happens instead, and her notes stand behind that. Else the same."""
    words = letters_of(" ".join(plan))
    rows = [row for row in without_notes(piece.body).splitlines() if row.strip()]
    if all(letters_of(row) in words for row in rows):
        return piece
    is_list = all(_BULLET.match(row) for row in rows)
    words_now = "\n".join(f"- {row}" for row in happens) if is_list else "\n\n".join(happens)
    notes = re.findall(r"<!--.*?-->", piece.body, re.DOTALL)
    heading = piece.text.partition("\n")[0].rstrip("\r")
    body = "\n\n".join(filter(None, (words_now, *notes)))
    return replace(piece, text=f"{heading}\n\n{body}\n" if body else f"{heading}\n")


def letters_of(words: str) -> str:
    """Returns the letters and digits of words alone, in lower case."""
    return "".join(re.findall(r"\w+", words.casefold()))


def put_together(
    pieces: Sequence[OutlineStretch], sections: Iterable[OutlineStretch], fixed: int
) -> str:
    """Returns the outline with these as the sections of all chapters after `fixed`, in their order.

    They take the positions of the previous planned sections; the text between stays in place.
    """
    waiting = sorted(sections, key=lambda section: section.chapter)
    slots = [i for i, piece in enumerate(pieces) if piece.chapter > fixed]
    filled: dict[int, list[OutlineStretch]] = {
        slot: [section] for slot, section in zip(slots, waiting, strict=False)
    }
    more = waiting[len(slots) :]
    last = slots[-1] if slots else _last_section(pieces)
    texts: list[str] = []
    for i, piece in enumerate(pieces):
        here = filled.get(i, []) if piece.chapter > fixed else [piece]
        texts += [p.text for p in here]
        if i == last:
            texts += [p.text for p in more]
    if last is None:
        texts += [p.text for p in more]
    return _join_parts(texts)


def same_bytes(
    pieces: Sequence[OutlineStretch], sections: Mapping[int, OutlineStretch], fixed: int
) -> bool:
    """Whether the planned sections are identical to the existing ones."""
    present = [piece for piece in pieces if piece.chapter > fixed]
    return present == sorted(sections.values(), key=lambda section: section.chapter)


def _last_section(pieces: Sequence[OutlineStretch]) -> int | None:
    return max((i for i, piece in enumerate(pieces) if piece.chapter), default=None)


def _join_parts(texts: Sequence[str]) -> str:
    """Joins the texts with an empty line between each two of them."""
    parts = [text.rstrip("\r\n") for text in texts]
    newline = "\r\n" if any("\r\n" in text for text in texts) else "\n"
    return (newline * 2).join(part for part in parts if part) + newline


def _heading_of(text: str) -> str:
    match = HEADING.match(text)
    return match[2] if match else ""

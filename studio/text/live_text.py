"""A text that is being edited: an edit reads its own paragraphs anew and leaves the others.

What is read after any edits is what `read` finds in the text as it then is.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from studio.story.chapter import Chapter, Paragraph
from studio.text.language.packs import LanguagePack
from studio.text.prose.dialogue import LOOK_AHEAD, next_dialogue
from studio.text.prose.parse import ParagraphReading, Reading, read_paragraph
from studio.text.spans import Span

_LEAD = "x\n\n"
"""Stands in front of a region, so that no line in it is taken for the title."""


@dataclass(slots=True, eq=False)
class Piece:
    """A paragraph of a text that is being edited."""

    text: str
    opens_scene: bool
    """Whether a scene break stands before it; says nothing of the first."""
    follows: str
    """The mark of speech that the paragraph before it leaves open."""
    left_open: str
    """The mark that it leaves open itself."""
    part: ParagraphReading
    tally: tuple[int, ...] = ()
    """What is counted in it; filled, as are the next three, by those who count."""
    repeats: int = 0
    """Places in it that repeat a phrase of before."""
    phrase_places: list[Span] | None = None
    """Where each of its phrases stands."""
    sense_places: list[tuple[int, int]] | None = None
    """Units of narration before each sense word, and the sense."""


@dataclass(frozen=True, slots=True)
class Change:
    """Pieces that an edit took away from a place and those it put there."""

    first: int
    gone: Sequence[Piece]
    come: Sequence[Piece]


class LiveText:
    """A text and its paragraphs, kept true to each other under edits."""

    def __init__(self, text: str, pack: LanguagePack) -> None:
        self.text = ""
        self.pack = pack
        self.pieces: list[Piece] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._texts: list[str] = []
        self.replace(0, 0, text)

    def replace(self, start: int, end: int, words: str) -> Change:
        """Puts `words` in the place of `text[start:end]`; offsets count in the NFC text."""
        words = unicodedata.normalize("NFC", words)
        moved = len(words) - (end - start)
        self.text = self.text[:start] + words + self.text[end:]
        touched = bisect_left(self._ends, start)
        first = max(0, touched - 1)
        begin = self._starts[first] if touched else 0
        beyond = bisect_right(self._starts, end) + 1
        whole = beyond > len(self._starts)
        beyond = min(beyond, len(self._starts))
        finish = len(self.text) if whole else self._ends[beyond - 1] + moved
        grown = self._compose(begin, finish)
        moved += grown
        spots = self._parsed(begin, finish + grown, first if touched else None)
        while spots and first < beyond and self._stays(spots[0], first, first, 0):
            first += 1
            del spots[0]
        last = first + len(spots) - 1
        while spots and first < beyond and self._stays(spots[-1], last, beyond - 1, moved):
            beyond -= 1
            last -= 1
            del spots[-1]
        return self._splice(first, beyond, moved, spots)

    def _stays(self, spot: tuple[int, str, bool], place: int, was: int, moved: int) -> bool:
        """Whether a paragraph of a region is the one that stood there before."""
        start, text, opens = spot
        return (
            text == self._texts[was]
            and start == self._starts[was] + moved
            and opens == self.pieces[was].opens_scene
            and bool(place) == bool(was)
        )

    def _compose(self, begin: int, finish: int) -> int:
        """Makes a region NFC where the edit joined letters and marks; how much longer it got."""
        region = self.text[begin:finish]
        if unicodedata.is_normalized("NFC", region):
            return 0
        composed = unicodedata.normalize("NFC", region)
        self.text = self.text[:begin] + composed + self.text[finish:]
        return len(composed) - len(region)

    def _parsed(self, begin: int, finish: int, first: int | None) -> list[tuple[int, str, bool]]:
        """Start, text and scene break of each paragraph of a region.

        The region begins with piece `first`, or with the text.
        """
        lead = "" if first is None else _LEAD
        found = Chapter(lead + self.text[begin:finish]).paragraphs[1 if lead else 0 :]
        scene = 1
        spots = []
        for paragraph in found:
            opens = paragraph.scene != scene
            scene = paragraph.scene
            spots.append((begin + paragraph.start - len(lead), paragraph.text, opens))
        if first is not None and spots:
            spots[0] = (*spots[0][:2], self.pieces[first].opens_scene)
        return spots

    def _splice(
        self, first: int, beyond: int, moved: int, spots: Sequence[tuple[int, str, bool]]
    ) -> Change:
        self._starts[first:] = [
            *(start for start, _, _ in spots),
            *[start + moved for start in self._starts[beyond:]],
        ]
        self._ends[first:] = [
            *(start + len(text) for start, text, _ in spots),
            *[end + moved for end in self._ends[beyond:]],
        ]
        self._texts[first:beyond] = [text for _, text, _ in spots]
        opens = [scene_break for _, _, scene_break in spots]
        number = begun = max(0, first - LOOK_AHEAD + 1)
        left_open = self.pieces[begun - 1].left_open if begun else ""
        shift = len(spots) - (beyond - first)
        come: list[Piece] = []
        while number < len(self._texts):
            new = first <= number < first + len(spots)
            old = None if new else self.pieces[number if number < first else number - shift]
            if old is not None and old.follows == left_open:
                if number > first + len(spots):
                    break
                if self._by_itself(old):
                    come.append(old)
                    left_open = old.left_open
                    number += 1
                    continue
            scene_break = opens[number - first] if old is None else old.opens_scene
            come.append(self._read(number, left_open, scene_break, old))
            left_open = come[-1].left_open
            number += 1
        change = _trimmed(begun, self.pieces[begun : number - shift], come)
        self.pieces[begun : number - shift] = come
        return change

    def _read(self, number: int, follows: str, scene_break: bool, old: Piece | None) -> Piece:
        spans, left_open = next_dialogue(self._texts, number, follows, self.pack)
        text = self._texts[number]
        part = read_paragraph(text, spans, self.pack, number == 0)
        if old is not None and old.part is part and old.left_open == left_open:
            old.follows = follows
            return old
        return Piece(text, scene_break, follows, left_open, part)

    def _by_itself(self, piece: Piece) -> bool:
        """Whether no other paragraph has a say in what is speech in this one."""
        return not piece.follows and (self.pack.language != "zh" or "——" not in piece.text)

    def reading(self) -> Reading:
        """The text as `read` gives it."""
        reading = Reading(self.text, self.pack)
        parts: list[tuple[Paragraph, ParagraphReading]] = []
        scene = paragraph = 0
        for number, piece in enumerate(self.pieces):
            if not number or piece.opens_scene:
                scene, paragraph = scene + 1, 0
            paragraph += 1
            start, end = self._starts[number], self._ends[number]
            parts.append((Paragraph(scene, paragraph, start, end, piece.text), piece.part))
        reading.__dict__["parts"] = tuple(parts)  # what its cached property would find
        return reading


def _trimmed(first: int, gone: list[Piece], come: list[Piece]) -> Change:
    """The change without the pieces that stay at either end."""
    head = 0
    while head < min(len(gone), len(come)) and gone[head] is come[head]:
        head += 1
    tail = 0
    while tail < min(len(gone), len(come)) - head and gone[-1 - tail] is come[-1 - tail]:
        tail += 1
    return Change(first + head, gone[head : len(gone) - tail], come[head : len(come) - tail])

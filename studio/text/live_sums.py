"""Sums over a text that is being edited, each brought up to date from what an edit changed."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from studio.text.language.packs import SENSES, LanguagePack
from studio.text.live_text import Change, Piece
from studio.text.metrics.repetition import Phrase, phrases, places
from studio.text.metrics.runs import Side, classes
from studio.text.prose.parse import ParagraphReading, unit_starts


class Rows:
    """Runs of sentences that are alike: how many there are of each length."""

    def __init__(self, side: Side, pack: LanguagePack) -> None:
        self._side: Side = side
        self._pack = pack
        self._classes: list[str] = []
        self._sizes: list[int] = []
        self._lengths: Counter[int] = Counter()

    def apply(self, change: Change) -> None:
        """Brings the runs up to date."""
        first, beyond = change.first, change.first + len(change.gone)
        start = sum(self._sizes[:first])
        end = start + sum(self._sizes[first:beyond])
        new = [self._of(piece) for piece in change.come]
        low, high = self._around(start, end)
        self._count(low, high, -1)
        self._classes[start:end] = [word for words in new for word in words]
        self._sizes[first:beyond] = map(len, new)
        self._count(low, high + sum(map(len, new)) - (end - start), 1)

    def _of(self, piece: Piece) -> list[str]:
        between = [""] if piece.opens_scene else []
        return between + classes(piece.part, self._side, self._pack)

    def _around(self, start: int, end: int) -> tuple[int, int]:
        """The range widened to whole runs."""
        words = self._classes
        if start and (word := words[start - 1]):
            while start and words[start - 1] == word:
                start -= 1
        if end < len(words) and (word := words[end]):
            while end < len(words) and words[end] == word:
                end += 1
        return start, end

    def _count(self, start: int, end: int, by: int) -> None:
        for word, group in groupby(self._classes[start:end]):
            if word:
                length = sum(1 for _ in group)
                self._lengths[length] += by
                if not self._lengths[length]:
                    del self._lengths[length]

    @property
    def longest(self) -> int:
        """Sentences of the longest run."""
        return max(self._lengths, default=0)


class Windows:
    """Windows of narration and the senses they touch, by the units before each sense word."""

    def __init__(self, pack: LanguagePack) -> None:
        self._pack = pack
        self._units: list[int] = []
        self._senses: list[tuple[int, Piece]] = []

    def apply(self, change: Change) -> None:
        """Brings the paragraphs up to date."""
        here = slice(change.first, change.first + len(change.gone))
        self._units[here] = [piece.part.units for piece in change.come]
        self._senses[here] = [(_senses(piece.part), piece) for piece in change.come]

    def fewest(self) -> tuple[int, int]:
        """The senses of the poorest window, and how many windows there are."""
        total, size = sum(self._units), self._pack.window
        if not total:
            return 0, 0
        windows = [0] * (total // size + 1)
        passed = 0
        for units, (senses, piece) in zip(self._units, self._senses, strict=True):
            if senses:
                window = passed // size
                if window == (passed + units - 1) // size:
                    windows[window] |= senses
                else:
                    for before, sense in self._places(piece):
                        windows[(passed + before) // size] |= sense
            passed += units
        if len(windows) > 1:
            rest = windows.pop()
            windows[-1] |= rest
        return min(map(int.bit_count, windows)), len(windows)

    def _places(self, piece: Piece) -> list[tuple[int, int]]:
        """Units of narration before each sense word of a paragraph, and the sense."""
        known = piece.sense_places
        if known is None:
            part = piece.part
            starts = [
                start
                for span in part.narration
                for start in unit_starts(part.text, span, self._pack)
            ]
            known = piece.sense_places = [
                (bisect_right(starts, hit.start) - 1, _BITS[hit.kind])
                for hit in part.hits
                if hit.kind in _BITS
            ]
        return known


_BITS = {f"sense:{sense}": 1 << place for place, sense in enumerate(SENSES)}


def _senses(part: ParagraphReading) -> int:
    found = 0
    for hit in part.hits:
        found |= _BITS.get(hit.kind, 0)
    return found


class Repeats:
    """Phrases that come back, by the paragraphs that hold them."""

    def __init__(self, pack: LanguagePack) -> None:
        self._pack = pack
        self._holders: dict[Phrase, list[Piece]] = {}
        self.count = 0
        """Places of repeated phrases."""

    def apply(self, change: Change, pieces: Sequence[Piece]) -> None:
        """Brings the count up to date; `pieces` are those of the changed text."""
        doubtful: dict[int, Piece] = {}
        for piece in change.gone:
            self.count -= piece.repeats
            for phrase in set(phrases(piece.part, self._pack)):
                holders = self._holders[phrase]
                holders.remove(piece)
                if holders:
                    doubtful.update((id(holder), holder) for holder in holders)
                else:
                    del self._holders[phrase]
        for piece in change.come:
            doubtful[id(piece)] = piece
            piece.repeats = 0
            for phrase in set(phrases(piece.part, self._pack)):
                holders = self._holders.setdefault(phrase, [])
                doubtful.update((id(holder), holder) for holder in holders)
                holders.append(piece)
        for piece in change.gone:
            doubtful.pop(id(piece), None)
        self._recount(doubtful.values(), pieces)

    def _recount(self, doubtful: Iterable[Piece], pieces: Sequence[Piece]) -> None:
        order: dict[int, int] = {}
        for piece in doubtful:
            told = phrases(piece.part, self._pack)
            shared = [phrase for phrase in told if len(self._holders[phrase]) > 1]
            if shared and not order:
                order = {id(one): number for number, one in enumerate(pieces)}
            place = order.get(id(piece), 0)
            before = {
                phrase
                for phrase in shared
                if any(order[id(holder)] < place for holder in self._holders[phrase])
            }
            self.count -= piece.repeats
            again = before or len(set(told)) < len(told)
            piece.repeats = self._places(piece, told, before) if again else 0
            self.count += piece.repeats

    def _places(self, piece: Piece, told: Sequence[Phrase], seen: set[Phrase]) -> int:
        """How many places of a paragraph repeat what was seen, or what it has said itself."""
        if piece.phrase_places is None:
            piece.phrase_places = places(piece.part, self._pack)
        here, reach, found = set(seen), -1, 0
        for phrase, (start, end) in zip(told, piece.phrase_places, strict=True):
            if phrase in here:
                found += start > reach
                reach = end
            here.add(phrase)
        return found

"""Metrics while typing: after an edit the same numbers as `measure`, without measuring anew."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from operator import add, sub

from studio.text.language.packs import LanguagePack, Threshold
from studio.text.live_sums import Repeats, Rows, Windows
from studio.text.live_text import Change, LiveText, Piece
from studio.text.metrics.formulas import (
    Count,
    density,
    dialogue,
    echoed,
    grown,
    in_a_row,
    sensed,
    share,
    spread,
)
from studio.text.metrics.habits import commonest_opening, is_told, openings_of
from studio.text.metrics.metrics import (
    LISTED,
    MARKED,
    METRIC_NAMES,
    RUNS,
    SENTENCES_FOR_HABITS,
    Beside,
    Metric,
    in_force,
    judged,
    length_of,
    measure_reading,
)
from studio.text.metrics.prior_chapters import NOTHING_EARLIER, Earlier
from studio.text.prose.parse import ParagraphReading, apart, read

_SUMS = (
    *("units", "length", "characters", "spoken", "leaks", "across", "echoes"),
    *("sentences", "told", "told_squares"),
    *("paragraphs", "length_squares", "alone", "lone"),
    *LISTED,
    *MARKED,
)
"""What is counted paragraph by paragraph, in the order of a tally."""


class LiveMetrics:
    """The metrics of a text under edits.

    After each `replace` the numbers are those that `measure` would give for
    the text as it then is; an edit costs its own paragraphs and no more than a
    glance at the others. One of these holds one chapter.
    """

    def __init__(
        self,
        text: str,
        pack: LanguagePack,
        targets: Mapping[str, Threshold] | None = None,
        *,
        earlier: Earlier = NOTHING_EARLIER,
        before: str = "",
    ) -> None:
        """As `measure`; raises StudioError (exit 2) for a target no metric has."""
        self._pack = pack
        self._thresholds = in_force(pack, targets)
        self._beside = Beside(earlier, length_of(read(before, pack)) if before else 0)
        self._rows = {name: Rows(side, pack) for name, side in RUNS.items()}
        self._windows = Windows(pack)
        self._repeats = Repeats(pack)
        self._openings: Counter[str] = Counter()
        self._sums: tuple[int, ...] = (0,) * len(_SUMS)
        self._live = LiveText("", pack)
        self._apply(self._live.replace(0, 0, text))

    @property
    def text(self) -> str:
        """The text as it is now, in NFC: what offsets count in."""
        return self._live.text

    @property
    def pack(self) -> LanguagePack:
        """The language it is measured in."""
        return self._pack

    @property
    def length(self) -> int:
        """Words or characters of all paragraphs, whichever the language counts."""
        return self._sums[_SUMS.index("length")]

    def replace(self, start: int, end: int, words: str) -> None:
        """Puts `words` in the place of `text[start:end]`."""
        self._apply(self._live.replace(start, end, words))

    def become(self, text: str) -> None:
        """Takes the text of an editor: one `replace` of what lies between the equal ends."""
        change = self.change_to(text)
        if change is not None:
            start, end, words = change
            self.replace(start, end, words)

    def change_to(self, text: str) -> tuple[int, int, str] | None:
        """The start, end and words of the one `replace` that makes it that text; None if it is."""
        text, old = unicodedata.normalize("NFC", text), self.text
        head = _alike(old, text)
        tail = _alike(old[head:][::-1], text[head:][::-1])
        if head + tail >= max(len(old), len(text)):
            return None
        return head, len(old) - tail, text[head : len(text) - tail]

    def _apply(self, change: Change) -> None:
        for rows in self._rows.values():
            rows.apply(change)
        self._windows.apply(change)
        self._repeats.apply(change, self._live.pieces)
        self._open(change.gone, -1)
        self._open(change.come, 1)
        for piece in change.gone:
            self._sums = tuple(map(sub, self._sums, piece.tally))
        for piece in change.come:
            piece.tally = piece.tally or self._tally(piece.part)
            self._sums = tuple(map(add, self._sums, piece.tally))

    def _open(self, pieces: Iterable[Piece], by: int) -> None:
        openings = self._openings
        for word, count in openings_of(piece.part for piece in pieces).items():
            openings[word] += count * by
            if not openings[word]:
                del openings[word]

    def _tally(self, part: ParagraphReading) -> tuple[int, ...]:
        earlier, pack = self._beside.earlier, self._pack
        told = [s.length for s in part.sentences if s.narrated]
        alone = is_told(part)
        return (
            *(part.units, part.length, part.characters, part.spoken, len(part.leaks)),
            *(len(earlier.returning(part, pack)), len(earlier.echoes(part, pack))),
            *(len(told), sum(told), _squares(told)),
            *(1, part.length * part.length, int(alone), int(alone and len(part.sentences) == 1)),
            *(_listed(part, kinds) for kinds in LISTED.values()),
            *(len(find(part, pack)) for find in MARKED.values()),
        )

    def values(self) -> dict[str, Metric]:
        """Every metric without its places, in the order of `measure`."""
        counts = self._counts(dict(zip(_SUMS, self._sums, strict=True)))
        return {name: judged(counts[name], self._thresholds.get(name)) for name in METRIC_NAMES}

    def _counts(self, sums: Mapping[str, int]) -> dict[str, Count]:
        pack, units = self._pack, sums["units"]
        earlier = self._beside.earlier
        across = density(sums["across"], units, pack)
        _, most = commonest_opening(self._openings)
        return {
            **{name: density(sums[name], units, pack) for name in (*LISTED, *MARKED)},
            **{
                name: in_a_row(rows.longest, sums["sentences"]) for name, rows in self._rows.items()
            },
            "sensory_grounding": sensed(*self._windows.fewest(), units, pack),
            "dialogue_ratio": dialogue(sums["spoken"], sums["characters"], sums["length"], pack),
            "sentence_length_cv": spread(sums["sentences"], sums["told"], sums["told_squares"]),
            "paragraph_length_cv": spread(
                sums["paragraphs"], sums["length"], sums["length_squares"]
            ),
            "opening_share": share(most, self._openings.total(), SENTENCES_FOR_HABITS),
            "one_sentence_paragraphs": share(sums["lone"], sums["alone"]),
            "repetition": density(self._repeats.count, units, pack),
            "repetition_across": Count(
                across.value, across.unit, across.n, across.enough and earlier.chapters > 0
            ),
            "echoes": echoed(sums["echoes"], earlier),
            "length_growth": grown(sums["length"], self._beside.before),
            "leaked_meta": Count(float(sums["leaks"]), "places", sums["paragraphs"], True),
        }

    def metrics(self) -> dict[str, Metric]:
        """Every metric with its places: equal to `measure` of the text."""
        return measure_reading(self._live.reading(), self._thresholds, self._beside)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _squares(sizes: Iterable[int]) -> int:
    return sum(size * size for size in sizes)


def _listed(part: ParagraphReading, kinds: tuple[str, ...]) -> int:
    places = [(hit.start, hit.end) for hit in part.hits if hit.kind in kinds]
    return len(places if len(kinds) == 1 else apart(places))

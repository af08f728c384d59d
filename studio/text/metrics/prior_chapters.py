"""The phrases and word runs of earlier chapters, to find those that return in a new one.

They are stored as hashes, not as words, so a whole book fits into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from studio.text.language.packs import LanguagePack
from studio.text.metrics.repetition import Phrase, phrases, places, runs_of_words
from studio.text.prose.parse import ParagraphReading, read
from studio.text.spans import Span, merged


@dataclass(frozen=True, slots=True)
class Earlier:
    """The phrases and word runs of other chapters; empty where there are none before."""

    phrases: frozenset[int] = frozenset()
    runs: frozenset[int] = frozenset()
    chapters: int = 0

    @classmethod
    def of(cls, texts: Iterable[str], pack: LanguagePack) -> Earlier:
        """Collects the narration of these chapters. The last 256 texts are cached."""
        chapters = [_phrases_and_runs(text, pack) for text in texts]
        return cls(
            frozenset().union(*(values for values, _ in chapters)),
            frozenset().union(*(values for _, values in chapters)),
            len(chapters),
        )

    def returning(self, part: ParagraphReading, pack: LanguagePack) -> list[Span]:
        """Returns where a paragraph repeats phrases of earlier chapters, with overlaps merged."""
        return _places_among(part, self.phrases, phrases(part, pack), pack) if self.phrases else []

    def echoes(self, part: ParagraphReading, pack: LanguagePack) -> list[Span]:
        """Returns where a paragraph repeats long word runs of earlier chapters, word for word."""
        if not self.runs:
            return []
        runs, where = runs_of_words(part, pack)
        return merged(span for run, span in zip(runs, where, strict=True) if run in self.runs)


def _places_among(
    part: ParagraphReading,
    earlier_phrases: frozenset[int],
    own_phrases: Sequence[Phrase],
    pack: LanguagePack,
) -> list[Span]:
    if earlier_phrases.isdisjoint(own_phrases):
        return []
    return merged(
        span
        for phrase, span in zip(own_phrases, places(part, pack), strict=True)
        if phrase in earlier_phrases
    )


@lru_cache(maxsize=256)
def _phrases_and_runs(text: str, pack: LanguagePack) -> tuple[frozenset[int], frozenset[int]]:
    parts = [part for _, part in read(text, pack).parts]
    return (
        frozenset(phrase for part in parts for phrase in phrases(part, pack)),
        frozenset(run for part in parts for run in runs_of_words(part, pack)[0]),
    )


NOTHING_EARLIER = Earlier()
"""The value for a text without earlier chapters."""

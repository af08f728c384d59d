"""Repeated phrases: an echo within earshot is a slip, one that spans the chapter a motif, and some
return from earlier chapters.

An echo is heard where the phrase occurred in the same paragraph or one of the two before it. A
phrase that opens its sentence both times is repeated on purpose, and so, as far as code can tell,
is one that returns from further away. The phrases and word runs of earlier chapters are stored as
hashes, not as words, so a whole book fits into memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from studio.text.language.lexicon import small
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import ParagraphReading, Reading, read
from studio.text.spans import Span, merge

EARSHOT = 2
"""The number of paragraphs back in which a phrase is still in the reader's ear."""
_MOTIF = 3
"""The number of occurrences in a chapter that make a phrase a motif."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A place where a phrase returns; the span has offsets in the whole text."""

    span: Span
    slip: bool
    """Whether a reader hears an unintended echo."""
    times: int
    """How often the phrase occurs in the chapter."""


@dataclass(slots=True)
class _Stood:
    """The paragraph of a phrase's last occurrence, and whether it opened a sentence there."""

    paragraph: int
    opens: bool


def find_returns(reading: Reading) -> list[Returned]:
    """Returns every occurrence of a phrase after its first, in order.

    Overlapping ones are merged, as in `repeated_phrases`, and classified by their first phrase.
    """
    times: Counter[PhraseHash] = Counter()
    for _, part in reading.prose:
        times.update(phrases(part, reading.pack))
    last: dict[PhraseHash, _Stood] = {}
    places_again: list[Returned] = []
    for number, (paragraph, part) in enumerate(reading.prose):
        opening = {s.start for s in part.sentences}
        own_phrases = zip(phrases(part, reading.pack), places(part, reading.pack), strict=True)
        for phrase, span in own_phrases:
            opens = span.start in opening
            before = last.get(phrase)
            if before is not None:
                slip = number - before.paragraph <= EARSHOT and not (opens and before.opens)
                _add(places_again, Returned(span.shift(paragraph.start), slip, times[phrase]))
            last[phrase] = _Stood(number, opens)
    return places_again


def _add(earlier_places: list[Returned], new: Returned) -> None:
    if earlier_places and earlier_places[-1].span.end >= new.span.start:
        old = earlier_places.pop()
        end = max(old.span.end, new.span.end)
        new = Returned(Span(old.span.start, end), old.slip, max(old.times, new.times))
    earlier_places.append(new)


def slips(reading: Reading) -> list[Span]:
    """Returns the repetitions that a reader hears as an unintended echo."""
    return [place.span for place in find_returns(reading) if place.slip]


def motifs(reading: Reading) -> list[str]:
    """Returns phrases that occur three times or more, never within earshot, in order of return."""
    candidates = [p for p in find_returns(reading) if p.times >= _MOTIF]
    slip = {_words(reading, p.span) for p in candidates if p.slip}
    phrases_in_order: list[str] = []
    for place in candidates:
        phrase = _words(reading, place.span)
        if phrase not in slip and not any(_shares(phrase, other) for other in phrases_in_order):
            phrases_in_order.append(phrase)
    return phrases_in_order


def _shares(phrase: str, other: str) -> bool:
    """Whether two are parts of one phrase, with two or more words in common."""
    return phrase == other or len(set(phrase.split()) & set(other.split())) > 1


def _words(reading: Reading, span: Span) -> str:
    return " ".join(span.of(reading.text).split())


_WORD = re.compile(r"[^\W\d_]+(?:['’]+[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_HAN = re.compile("[\u3400-\u9fff]{6,}")
_ONE_HAN = re.compile("[\u3400-\u9fff]")
_SIZE = 6
"""The number of characters in a Chinese phrase; in the other languages a phrase has three words."""
_MARKS = '.,!?…;:—–-“”"()'

PhraseHash = int
"""The hash of a phrase's words, which is faster to store and compare than the words."""


def repeated_phrases(reading: Reading) -> list[tuple[int, int]]:
    """Returns every occurrence of a phrase of narration after its first, in order.

    Overlapping repeats are one longer phrase. Phrases do not cross a paragraph or speech; function
    words (see the pack) are left out of them.
    """
    earlier_phrases: set[PhraseHash] = set()
    repeats_in_text: list[tuple[int, int]] = []
    for paragraph, part in reading.prose:
        own_phrases = phrases(part, reading.pack)
        before, count_before = earlier_phrases.intersection(own_phrases), len(earlier_phrases)
        earlier_phrases.update(own_phrases)
        if before or len(earlier_phrases) - count_before < len(own_phrases):
            repeats_in_text += [
                (paragraph.start + start, paragraph.start + end)
                for start, end in repeats(part, before, reading.pack)
            ]
    return repeats_in_text


def phrases(part: ParagraphReading, pack: LanguagePack) -> list[PhraseHash]:
    """Returns every phrase of a paragraph's narration, in order; cached in the reading."""
    if part.phrases is None:
        part.phrases = []
        for span in part.narration:
            part.phrases += _phrases(span.of(part.text), pack)
    return part.phrases


def places(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns the span of each of the paragraph's phrases."""
    return [
        span.shift(stretch.start)
        for stretch in part.narration
        for span in _places(stretch.of(part.text), pack)
    ]


def repeats(
    part: ParagraphReading, earlier_phrases: Container[PhraseHash], pack: LanguagePack
) -> list[Span]:
    """Returns where the paragraph repeats earlier phrases, or phrases of its own."""
    return merge(_repeats(part, earlier_phrases, pack))


def runs_of_words(part: ParagraphReading, pack: LanguagePack) -> tuple[list[int], list[Span]]:
    """Returns the hash and the span of every long run of words in a paragraph's narration.

    A run is eight words (en), six (ko) or fourteen Chinese characters; function words count here,
    and nothing but words does.
    """
    runs: list[int] = []
    where: list[Span] = []
    for stretch in part.narration:
        text = small(stretch.of(part.text))
        pattern, size = (_ONE_HAN, 14) if pack.language == "zh" else (_WORD, 8)
        size = 6 if pack.language == "ko" else size
        words = list(pattern.finditer(text))
        bare_words = [_bare(match[0]) for match in words]
        runs += [hash(tuple(bare_words[i : i + size])) for i in range(len(bare_words) - size + 1)]
        where += [
            Span(stretch.start + a.start(), stretch.start + b.end())
            for a, b in zip(words, words[size - 1 :], strict=False)
        ]
    return runs, where


def _repeats(
    part: ParagraphReading, earlier_phrases: Container[PhraseHash], pack: LanguagePack
) -> Iterator[Span]:
    here: set[PhraseHash] = set()
    for phrase, span in zip(phrases(part, pack), places(part, pack), strict=True):
        if phrase in earlier_phrases or phrase in here:
            yield span
        here.add(phrase)


def _phrases(text: str, pack: LanguagePack) -> list[PhraseHash]:
    """Returns every phrase of a stretch, in order."""
    if pack.language == "zh":
        return [
            hash(run[i : i + _SIZE])
            for run in _HAN.findall(text)
            for i in range(len(run) - _SIZE + 1)
        ]
    content_words = [word for word in _words_of_repetition(text) if word not in pack.function_words]
    return list(map(hash, zip(content_words, content_words[1:], content_words[2:], strict=False)))


def _words_of_repetition(text: str) -> list[str]:
    """Returns the words of `_WORD` in lowercase and without apostrophes."""
    text = small(text)
    plain = text.replace("’", "").replace("'", "")
    for mark in _MARKS:
        plain = plain.replace(mark, " ")
    words = plain.split()
    if "".join(words).isalpha():
        return words
    return [
        part for word in words for part in ((word,) if word.isalpha() else _LETTERS.findall(word))
    ]


def _bare(word: str) -> str:
    return word.replace("’", "").replace("'", "")


def _places(text: str, pack: LanguagePack) -> list[Span]:
    """Returns the spans of the phrases of `_phrases`."""
    if pack.language == "zh":
        return [
            Span(i, i + _SIZE)
            for run in _HAN.finditer(text)
            for i in range(run.start(), run.end() - _SIZE + 1)
        ]
    content_words = [
        m for m in _WORD.finditer(small(text)) if _bare(m[0]) not in pack.function_words
    ]
    return [
        Span(a.start(), c.end()) for a, c in zip(content_words, content_words[2:], strict=False)
    ]


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

    def find_returns(self, part: ParagraphReading, pack: LanguagePack) -> list[Span]:
        """Returns where a paragraph repeats phrases of earlier chapters, with overlaps merged."""
        return _places_among(part, self.phrases, phrases(part, pack), pack) if self.phrases else []

    def echoes(self, part: ParagraphReading, pack: LanguagePack) -> list[Span]:
        """Returns where a paragraph repeats long word runs of earlier chapters, word for word."""
        if not self.runs:
            return []
        runs, where = runs_of_words(part, pack)
        return merge(span for run, span in zip(runs, where, strict=True) if run in self.runs)


def _places_among(
    part: ParagraphReading,
    earlier_phrases: frozenset[int],
    own_phrases: Sequence[PhraseHash],
    pack: LanguagePack,
) -> list[Span]:
    if earlier_phrases.isdisjoint(own_phrases):
        return []
    return merge(
        span
        for phrase, span in zip(own_phrases, places(part, pack), strict=True)
        if phrase in earlier_phrases
    )


@lru_cache(maxsize=256)
def _phrases_and_runs(text: str, pack: LanguagePack) -> tuple[frozenset[int], frozenset[int]]:
    parts = [part for _, part in read(text, pack).prose]
    return (
        frozenset(phrase for part in parts for phrase in phrases(part, pack)),
        frozenset(run for part in parts for run in runs_of_words(part, pack)[0]),
    )


NOTHING_EARLIER = Earlier()
"""The value for a text without earlier chapters."""

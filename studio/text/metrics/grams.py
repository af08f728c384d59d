"""The words of a text's narration and the runs of two to four of them, counted where they recur.

English words are lowercase. A Korean word is known by its first two syllables, without a particle,
so that 박자가 and 박자를 are one; Chinese runs are of characters, since words are not set apart,
and traditional characters count as the simplified ones. No run crosses a mark, speech, a name or
anything that is no prose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import add

from studio.text.language.lexicon import small
from studio.text.language.packs import LanguagePack, simplified_forms
from studio.text.prose.parse import Reading
from studio.text.spans import Span

LONGEST = 4
"""The most words (zh: characters) of a run."""
_TOKEN = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)*)|[^\w\s]+|\d+|\n\n")
_SIGNS = re.compile("[\u3400-\u9fff]+")
_PARTICLE = re.compile(
    r"(?<=..)(?:에게서|에서는|에서도|에서|에게|까지|부터|으로|처럼|보다|하고|이나|이라|라고|은|는|이|가|을|를|에|의|도|로|와|과|만)$"
    r"|(?<=.)(?:은|는|을|를|의)$"
)
_STEM = 2
"""The syllables by which a Korean word is known."""


@dataclass(slots=True)
class TextWords:
    """The words of one text in order; an empty one separates what does not go together."""

    language: str
    words: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """Start and end of each word in the text."""

    def __len__(self) -> int:
        return sum(map(bool, self.words))

    @property
    def joint(self) -> str:
        """What stands between two words of a run."""
        return "" if self.language == "zh" else " "


def words_of(reading: Reading, names: Sequence[Span] = ()) -> TextWords:
    """Returns the words of the narration, without the `names` at these places of the text."""
    text_words = TextWords(reading.pack.language)
    for paragraph, part in reading.prose:
        kind = reading.forms[paragraph.scene, paragraph.number]
        if kind != "prose":
            continue
        for stretch in part.narration:
            start = paragraph.start + stretch.start
            _add(text_words, reading.text, Span(start, paragraph.start + stretch.end), reading.pack)
    return _without(text_words, names) if names else text_words


def _add(text_words: TextWords, text: str, stretch: Span, pack: LanguagePack) -> None:
    """Adds the words of a stretch, and an empty one behind each run of them."""
    words, places, start = text_words.words, text_words.places, stretch.start
    if pack.language == "zh":
        simple = stretch.of(text).translate(simplified_forms())
        for run in _SIGNS.finditer(simple):
            first, last = start + run.start(), start + run.end()
            words += run[0]
            places += zip(range(first, last), range(first + 1, last + 1), strict=True)
            _pause(text_words, last)
        return
    known_by = _stem if pack.language == "ko" else str
    for token in _TOKEN.finditer(small(stretch.of(text))):
        if (word := token[1]) is None:
            _pause(text_words, start + token.start())
        else:
            words.append(known_by(word.replace("’", "'")))
            places.append((start + token.start(), start + token.end()))
    _pause(text_words, stretch.end)


def _pause(text_words: TextWords, at: int) -> None:
    if text_words.words and text_words.words[-1]:
        text_words.words.append("")
        text_words.places.append((at, at))


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    return without_particle(word)[:_STEM]


def without_particle(word: str) -> str:
    """Returns a Korean word without the particle behind it."""
    return _PARTICLE.sub("", word)


def _without(text_words: TextWords, names: Sequence[Span]) -> TextWords:
    """Puts an empty word where a name stands."""
    ordered = sorted(names)
    at = 0
    for number, (start, end) in enumerate(text_words.places):
        while at < len(ordered) and ordered[at].end <= start:
            at += 1
        if at < len(ordered) and ordered[at].start < end and start < ordered[at].end:
            text_words.words[number] = ""
    return text_words


def recurring(text_words: TextWords, fewest: int) -> dict[str, list[int]]:
    """Returns every word and run that occurs at least `fewest` times, with the index of the first
    word of each occurrence. In Chinese a run has two characters or more.

    A run can only recur as often as its parts do, so each length is looked for where the one
    before it was seen.
    """
    words, joint = text_words.words, text_words.joint
    grams: dict[str, list[int]] = {}
    first = 1 if joint else 2
    least = words if joint else list(map(add, words, words[1:]))
    counted = Counter(least)
    starts = [n for n, gram in enumerate(least) if len(gram) >= first and counted[gram] >= fewest]
    for size in range(first, LONGEST + 1):
        groups: dict[str, list[int]] = {}
        for start in starts:
            groups.setdefault(joint.join(words[start : start + size]), []).append(start)
        often = {gram: own for gram, own in groups.items() if len(own) >= fewest}
        grams |= often
        stands = set(chain.from_iterable(often.values()))
        starts = [start for start in sorted(stands) if start + 1 in stands]
    return grams

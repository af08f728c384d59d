"""Which runs of Korean endings a reader hears: those with one closing word or a single rhythm.

Narration that closes on -다 sentence after sentence is the language, not a fault. The metric counts
every such run (seed A16); a change is proposed only where the reader hears it: the syllables before
the ending are the same too, the last word returns, or the sentences are all of one length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from studio.text.metrics.measure import spread_of
from studio.text.metrics.runs import SentenceRun
from studio.text.prose.parse import Reading, count_filled

ONE_BEAT = 0.2
"""The ratio of spread to mean length below which adjacent sentences have the same rhythm."""
_FEWEST_WORDS = 3
"""The minimum sentences closing on one word: it is heard one sentence before equal syllables."""
_POLITE = {"니다": 4, "요": 3}
"""A polite narrator's regular endings, and the number of syllables compared instead of two."""
_SYLLABLES = 2
"""The number of syllables compared for any other ending."""


def audible_stretches(run: SentenceRun, reading: Reading, fewest: int) -> list[SentenceRun]:
    """Returns the audible stretches of a run, in order; the whole run without -다 or -요."""
    if reading.pack.endings.kind != "last-syllable":
        return [run]
    sentences = [_bare(span.of(reading.text)) for span in run.spans]
    audible = [False] * len(sentences)
    _mark(audible, sentences, _rhyme, fewest)
    _mark(audible, sentences, _last_word, max(_FEWEST_WORDS, fewest - 1))
    lengths = [count_filled(sentence) for sentence in sentences]
    for first in range(len(sentences) - fewest + 1):
        window = slice(first, first + fewest)
        if _beat(lengths[window]) < ONE_BEAT:
            audible[window] = [True] * fewest
    return _stretches(run, audible, sentences)


def _bare(sentence: str) -> str:
    """Returns the sentence without its closing marks."""
    end = len(sentence)
    while end and not sentence[end - 1].isalnum():
        end -= 1
    return sentence[:end]


def _rhyme(sentence: str) -> str:
    """Returns the syllables that distinguish an ending from others: 했다, 있습니다, 었어요."""
    size = next((n for ending, n in _POLITE.items() if sentence.endswith(ending)), _SYLLABLES)
    return sentence[-size:]


def _last_word(sentence: str) -> str:
    return sentence.rpartition(" ")[2]


def _mark(
    audible: list[bool], sentences: Sequence[str], sound: Callable[[str], str], fewest: int
) -> None:
    at = 0
    for _, group in groupby(sentences, sound):
        length = len(list(group))
        if length >= fewest:
            audible[at : at + length] = [True] * length
        at += length


def _beat(lengths: Sequence[int]) -> float:
    return spread_of(len(lengths), sum(lengths), sum(n * n for n in lengths)).value


def _stretches(
    run: SentenceRun, audible: Sequence[bool], sentences: Sequence[str]
) -> list[SentenceRun]:
    stretches, at = [], 0
    for is_heard, group in groupby(audible):
        length = len(list(group))
        if is_heard:
            here = slice(at, at + length)
            rhymes = set(map(_rhyme, sentences[here]))
            shared = rhymes.pop() if len(rhymes) == 1 else run.shared
            stretches.append(SentenceRun(shared, run.spans[here]))
        at += length
    return stretches

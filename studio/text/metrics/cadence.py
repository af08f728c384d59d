"""Which runs of Korean endings are heard: those that close on one word, or beat one time.

Narration that closes on -다 sentence after sentence is the language, not a
fault. The metric counts every such run (seed A16); changing the prose is
proposed where the reader hears it: the syllables before the ending are the
same too, the last word comes back, or the sentences are all of one length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from studio.text.metrics.formulas import spread
from studio.text.metrics.runs import Run
from studio.text.prose.parse import Reading, filled

ONE_BEAT = 0.2
"""Spread of lengths over their mean below which neighbouring sentences beat one time."""
_FEWEST_WORDS = 3
"""A whole word that comes back is heard one sentence sooner than its last syllables, not before."""
_POLITE = {"니다": 4, "요": 3}
"""Endings that a polite narrator gives every sentence, and the syllables to listen to instead."""
_SYLLABLES = 2
"""Syllables of any other ending."""


def audible_stretches(run: Run, reading: Reading, fewest: int) -> list[Run]:
    """The stretches of a run that a reader hears, in order; without -다 or -요 the whole run."""
    if reading.pack.endings.kind != "last-syllable":
        return [run]
    sentences = [_bare(span.of(reading.text)) for span in run.spans]
    audible = [False] * len(sentences)
    _mark(audible, sentences, _rhyme, fewest)
    _mark(audible, sentences, _last_word, max(_FEWEST_WORDS, fewest - 1))
    lengths = [filled(sentence) for sentence in sentences]
    for first in range(len(sentences) - fewest + 1):
        window = slice(first, first + fewest)
        if _beat(lengths[window]) < ONE_BEAT:
            audible[window] = [True] * fewest
    return _stretches(run, audible, sentences)


def _bare(sentence: str) -> str:
    """The sentence without the marks it closes with."""
    end = len(sentence)
    while end and not sentence[end - 1].isalnum():
        end -= 1
    return sentence[:end]


def _rhyme(sentence: str) -> str:
    """The syllables by which an ending is told from others: 했다, 있습니다, 었어요."""
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
    return spread(len(lengths), sum(lengths), sum(n * n for n in lengths)).value


def _stretches(run: Run, audible: Sequence[bool], sentences: Sequence[str]) -> list[Run]:
    stretches, at = [], 0
    for is_heard, group in groupby(audible):
        length = len(list(group))
        if is_heard:
            here = slice(at, at + length)
            rhymes = set(map(_rhyme, sentences[here]))
            shared = rhymes.pop() if len(rhymes) == 1 else run.shared
            stretches.append(Run(shared, run.spans[here]))
        at += length
    return stretches

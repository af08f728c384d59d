"""Single words that a chapter may have far too often: gestures, and a quality hung on everything.

Any other word that recurs is what the chapter is about: its people, its places, its things. A
gesture is nobody's subject (studio/text/language/gestures.toml), and neither is a word that stands
before another noun each time: spectral echoes, a spectral dome, the spectral wind.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from studio.text.language.packs import LanguagePack
from studio.text.metrics.grams import Words

_FILE = Path(__file__).parents[1] / "language" / "gestures.toml"
_QUALITY = re.compile("[a-z]{3,}(?:al|ous|ful|less|ive|ic|ish)")
"""English words that are a quality by their ending."""
_NO_NOUN = re.compile(".*(?:ed|ly)|said|says|was|were|had")
_FEWEST_DIFFERENT = 6
"""The least number of different words behind a quality that is hung on everything."""
_NEARLY_ALWAYS = 0.9

WordPlaces = tuple[tuple[str, ...], int, list[int]]
"""The keys of a word, how many words of the text one of its places has, and where each begins."""


@cache
def _gestures(language: str) -> tuple[frozenset[str], ...]:
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
    return tuple(frozenset(row) for row in rows)


def single_words(text_words: Words, pack: LanguagePack, fewest: int) -> Iterator[WordPlaces]:
    """Yields the gestures and qualities that stand so often, whatever is usual."""
    places: dict[str, list[int]] = {}
    size = 2 if text_words.language == "zh" else 1
    words = text_words.words
    for start in range(len(words)):
        for length in (2, 3) if size > 1 else (1,):
            run = words[start : start + length]
            if all(run):
                places.setdefault("".join(run), []).append(start)
    for gesture in _gestures(text_words.language):
        own = sorted(start for key in gesture for start in places.get(key, ()))
        if len(own) >= fewest:
            yield tuple(sorted(gesture)), size, own
    if text_words.language == "en":
        for word, own in places.items():
            if len(own) >= fewest and _QUALITY.fullmatch(word) and _is_hung_on(own, words, pack):
                yield (word,), 1, own


def _is_hung_on(own: list[int], words: list[str], pack: LanguagePack) -> bool:
    """Whether a word stands before another noun nearly every time."""
    behind = [words[start + 1] if start + 1 < len(words) else "" for start in own]
    nouns = [w for w in behind if w and w not in pack.function_words and not _NO_NOUN.fullmatch(w)]
    return len(nouns) >= _NEARLY_ALWAYS * len(own) and len(set(nouns)) >= _FEWEST_DIFFERENT

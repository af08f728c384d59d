"""Finds what a model quotes: its words count, its typography does not.

Models use other quotation marks, dashes and ellipses than the author, compose characters and fold
spaces. A quote is matched through all of that, and the match is given in the author's own
characters, with true offsets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from studio.story.chapter import Chapter, Paragraph
from studio.story.notes import masked

SHORTEST_QUOTE = 4
"""The fewest characters of a quote, in every language: fewer prove nothing."""
_DASHES = "-\u00ad\u2010-\u2015\u2212\u2500\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_DOTS = r"(?:[…⋯‥]|[.．](?:\s*[.．])+)(?:\s*[…⋯‥.．])*"
_TOKENS = re.compile(
    rf"(?P<dots>\s*{_DOTS}\s*)"
    rf"|(?P<dash>\s*[{_DASHES}]+(?:\s*[{_DASHES}]+)*\s*)"
    r"|(?P<space>\s+)"
    "|(?P<mark>[\"'`´“”„‟‘’‚‛′″«»‹›「」『』《》〈〉﹁﹂﹃﹄＂＇｢｣])"
    "|(?P<nothing>[\u200b-\u200d\u2060\ufeff]+)"
)
_PLAIN = {"dots": "…", "dash": "-", "space": " ", "mark": '"', "nothing": ""}
_LABEL = re.compile(r"\[\d+\.\d+\]\s*")
_AROUND = '" …'
"""Characters that a model may put around a quote although the text does not have them there."""


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text without typography: character `i` of `text` came from `places[i]` of the original."""

    text: str
    places: tuple[tuple[int, int], ...]


def places_of(text: str, quote: str) -> list[tuple[int, int]]:
    """Returns every place of `text` that holds the words of `quote`, as offsets into `text`.

    Quotation marks, ellipses, dashes, spaces and composition may differ; if nothing matches that
    way, marks around the quote and paragraph labels are ignored.
    """
    folded = _fold(masked(text))  # a note to people is reduced to its white space
    bare = _fold(_LABEL.sub("", quote)).text
    tries = (_fold(quote).text.strip(), bare.strip(), bare.strip("… "), bare.strip(_AROUND))
    for words in dict.fromkeys(tries):
        if places := _places_in(folded, words):
            return places
    return []


def own_words(text: str, quote: str) -> str:
    """Returns what `quote` quotes, as it stands in `text`; empty if it does not stand there."""
    places = places_of(text, quote)
    return text[places[0][0] : places[0][1]] if places else ""


def quoted(text: Chapter | None, quote: str) -> tuple[Paragraph, str] | None:
    """Returns the first paragraph of a chapter that holds a quote, and the quote in the
    chapter's words; None if it stands nowhere or is too short to prove anything."""
    if text is None or len(quote.strip()) < SHORTEST_QUOTE:
        return None
    every = ((paragraph, own_words(paragraph.prose, quote)) for paragraph in text.paragraphs)
    return next(((paragraph, words) for paragraph, words in every if words.strip()), None)


def _places_in(folded: _Folded, words: str) -> list[tuple[int, int]]:
    places = []
    at = folded.text.find(words) if words else -1
    while at >= 0:
        last = at + len(words) - 1
        places.append((folded.places[at][0], folded.places[last][1]))
        at = folded.text.find(words, last + 1)
    return places


@lru_cache(maxsize=64)
def _fold(text: str) -> _Folded:
    characters: list[str] = []
    places: list[tuple[int, int]] = []

    def put(plain: str, start: int, end: int) -> None:
        characters.extend(plain)
        places.extend([(start, end)] * len(plain))

    at = 0
    for token in _TOKENS.finditer(text):
        _put_words(text, at, token.start(), put)
        put(_PLAIN[token.lastgroup or ""], *_inner(token))
        at = token.end()
    _put_words(text, at, len(text), put)
    return _Folded("".join(characters), tuple(places))


def _inner(token: re.Match[str]) -> tuple[int, int]:
    """Returns a token's place without the spaces around its sign."""
    words = token[0]
    if not words.strip():
        return token.span()
    lead = len(words) - len(words.lstrip())
    return token.start() + lead, token.start() + len(words.rstrip())


def _put_words(text: str, start: int, end: int, put: Callable[[str, int, int], None]) -> None:
    """Adds letters, composed and of one width, each with the place of everything it was made
    from."""
    at = start
    while at < end:
        behind = at + 1
        while behind < end and _joins(text[behind]):
            behind += 1
        put(unicodedata.normalize("NFC", _one_width(text[at:behind])), at, behind)
        at = behind


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before: an accent, or a later part of a syllable."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"


def _one_width(words: str) -> str:
    return "".join(
        unicodedata.normalize("NFKC", c) if "\uff01" <= c <= "\uff5e" else c for c in words
    )

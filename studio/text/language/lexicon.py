"""Word lists compiled for one pass over a text: which listed words occur where.

Words are found with one Aho-Corasick automaton, whatever the number of lists; word boundaries,
Korean particles and look-alikes are then checked at each match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any, Literal, NamedTuple

import ahocorasick

from studio.i18n import Language
from studio.text.spans import Span, inside, merge

LOOKALIKE = "lookalike"
_KEEP = "surrogatepass"
_SPACE = re.compile(r"\s")
_UNMARKED = "[^，。！？；：、“”‘’「」『』]"
_NEAR = 10
"""The maximum distance in characters between the halves of a two-part look-alike."""

_HANGUL = re.compile("[가-힣]*")
_LETTERS = re.compile(r"[^\W_]*")
_PARTICLE = (
    "이|가|은|는|을|를|의|에|에서|에게|에게서|로|으로|로서|으로써|와|과|도|만|까지|부터|마저|조차|처럼|같은|같이|"
    "보다|이나|나|이란|란|라도|이라도|뿐|마다|밖에|하고|이며|며|이랑|랑"
)
_PARTICLES = re.compile(
    f"(?:들)?(?:(?:{_PARTICLE})(?:{_PARTICLE})?(?:{_PARTICLE})?|(?:이|인|이었|였|이라|라|일)[가-힣]*)?"
)


class LexiconHit(NamedTuple):
    """A listed word in a text: `text[start:end]`, and the list that contains it."""

    start: int
    end: int
    kind: str


_hit: Callable[[tuple[int, int, str]], LexiconHit] = partial(tuple.__new__, LexiconHit)
"""Builds a hit without the argument handling of its class, which takes longer than the search."""


class LexiconEntry(NamedTuple):
    """One line of a word list, its marks parsed."""

    key: str
    kind: str
    left_open: bool
    """Whether the word may begin before the key."""
    right: Literal["closed", "open", "particle"]

    @classmethod
    def read(cls, line: str, kind: str) -> LexiconEntry:
        """Parses `word`, `stem~`, `~ending` or (Korean nouns) `noun+`."""
        left_open = line.startswith("~")
        key = line.removeprefix("~")
        if key.endswith("~"):
            return cls(key[:-1], kind, left_open, "open")
        if key.endswith("+"):
            return cls(key[:-1], kind, left_open, "particle")
        return cls(key, kind, left_open, "closed")


class Lexicon:
    """All word lists of a language, looked up in one pass over a text."""

    def __init__(self, lists: Mapping[str, Iterable[str]], language: Language) -> None:
        self.language = language
        self.lists = {kind: tuple(lines) for kind, lines in lists.items()}

    def extend(self, kind: str, lines: Iterable[str]) -> Lexicon:
        """Returns a lexicon with one more list of words; this one is unchanged."""
        return Lexicon({**self.lists, kind: tuple(lines)}, self.language)

    @cached_property
    def _automaton(self) -> Any:
        """The automaton over UTF-8 keys, one byte per letter: its small alphabet makes it three
        times as fast.

        The value of a key is its length in bytes and characters, whether one of its entries may
        begin inside a word, and the entries.
        """
        entries_of: dict[str, list[LexiconEntry]] = {}
        for kind, lines in self.lists.items():
            for line in lines:
                entry = LexiconEntry.read(line, kind)
                key, _ = _normal(entry.key, self.language)
                if key:
                    entries_of.setdefault(key, []).append(entry)
        automaton = ahocorasick.Automaton()
        for key, entries in entries_of.items():
            within = self.language == "zh" or any(entry.left_open for entry in entries)
            automaton.add_word(_by_bytes(key), (len(key), within, tuple(entries)))
        automaton.make_automaton()
        return automaton

    def find(self, text: str) -> list[LexiconHit]:
        """Returns every listed word in `text` in order; within a list the longest of overlapping
        ones.

        A word inside a look-alike phrase is no hit, and look-alikes are not returned.
        """
        if not self.lists or not text:
            return []
        plain, places = _normal(text, self.language)
        hits = self._hits(plain)
        if hits and self._apart:
            hits = [hit for hit in hits if not self._in_two_parts(plain, hit)]
        if places is not None:
            hits = [LexiconHit(places[h.start], places[h.end - 1] + 1, h.kind) for h in hits]
        return _settle(hits) if hits else hits

    @cached_property
    def _apart(self) -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
        """Two-part look-alikes, such as `被…看见`, by either part, as a pattern for each side."""
        sides: dict[str, tuple[list[str], list[str]]] = {}
        for line in self.lists.get(LOOKALIKE, ()):
            first, gap, last = line.partition("…")
            if gap:
                sides.setdefault(first, ([], []))[1].append(last)
                sides.setdefault(last, ([], []))[0].append(first)
        return {
            part: (
                re.compile(f"(?:{_any_of(before)}){_UNMARKED}*\\Z"),
                re.compile(f"{_UNMARKED}*?(?:{_any_of(behind)})"),
            )
            for part, (before, behind) in sides.items()
        }

    def _in_two_parts(self, plain: str, hit: LexiconHit) -> bool:
        """Whether the other part of a two-part look-alike is near, with no punctuation between."""
        start, end, _ = hit
        other = self._apart.get(plain[start:end])
        if other is None:
            return False
        before, behind = other
        return bool(
            before.search(plain, max(0, start - _NEAR), start)
            or behind.match(plain, end, end + _NEAR)
        )

    def _hits(self, plain: str) -> list[LexiconHit]:
        """Returns every listed word that fits its boundaries, look-alikes and overlaps included."""
        language, bounded = self.language, self.language != "zh"
        raw = plain.encode("utf-8", _KEEP)
        size, each = len(plain), _bytes_a_character(plain, raw)
        hits: list[LexiconHit] = []
        end = decoded_to = 0
        for last, (length, within, entries) in self._automaton.iter(raw.decode("latin-1")):
            if each:
                end = (last + 1) // each
            else:
                end += len(raw[decoded_to : last + 1].decode("utf-8", _KEEP))
                decoded_to = last + 1
            begin = end - length
            if not bounded:
                hits += [_hit((begin, end, entry.kind)) for entry in entries]
                continue
            joined = begin > 0 and plain[begin - 1] != " "
            if joined:
                joined = _is_joined(plain, begin - 1, language, -1)
                if joined and not within:
                    continue
            over = end == size or plain[end] == " "
            for _, kind, left_open, right in entries:
                if joined and not left_open:
                    continue
                stop = end if over else _word_end(plain, end, right, language)
                if stop:
                    start = _word_start(plain, begin) if joined else begin
                    hits.append(_hit((start, stop, kind)))
        return hits


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words)) or "(?!)"


def _by_bytes(text: str) -> str:
    """Returns the text's UTF-8 with each byte as one character."""
    return text if text.isascii() else text.encode("utf-8", _KEEP).decode("latin-1")


def _bytes_a_character(text: str, raw: bytes) -> int:
    """Returns the number of bytes per character, or 0 where characters differ in that."""
    if len(raw) == len(text):
        return 1
    if len(raw) != 3 * len(text) or len(text.encode("utf-16-le", _KEEP)) != 2 * len(text):
        return 0
    return 3


def _settle(hits: list[LexiconHit]) -> list[LexiconHit]:
    """Removes look-alikes with their contents, and reduces overlaps in a list to the longest."""
    reach = 0
    for start, end, _ in hits:
        if start < reach:
            break
        reach = end
    else:
        return [hit for hit in hits if hit.kind != LOOKALIKE]
    alike = merge(Span(hit.start, hit.end) for hit in hits if hit.kind == LOOKALIKE)
    hits.sort(key=_longest_first)
    reached: dict[str, int] = {}
    listed_hits = []
    for hit in hits:
        start, end, kind = hit
        if kind == LOOKALIKE or start < reached.get(kind, 0):
            continue
        if alike and inside(start, alike) and inside(end - 1, alike):
            continue
        reached[kind] = end
        listed_hits.append(hit)
    return listed_hits


def _longest_first(hit: LexiconHit) -> tuple[int, int]:
    return (hit.start, -hit.end)


def _word_start(text: str, begin: int) -> int:
    """Returns where the Korean word begins that contains the key at `begin`."""
    while begin and _is_joined(text, begin - 1, "ko", -1):
        begin -= 1
    return begin


def _word_end(text: str, end: int, right: str, language: Language) -> int:
    """Returns the end of the word of a key that ends at `end`, or 0 if the key ends inside it."""
    if right == "closed":
        return 0 if end < len(text) and _is_joined(text, end, language, 1) else end
    run = (_HANGUL if language == "ko" else _LETTERS).match(text, end)
    assert run is not None
    if right == "open":
        return run.end()
    return end if _PARTICLES.fullmatch(run[0]) else 0


def _is_joined(text: str, place: int, language: Language, step: int) -> bool:
    """Whether the character at `place` belongs to the word beside it."""
    character = text[place]
    if language == "ko":
        return "가" <= character <= "힣"
    if character == "-":
        further = place + step
        return 0 <= further < len(text) and text[further].isalnum()
    return character.isalnum()


is_even = lru_cache(maxsize=8)(str.isprintable)
"""Whether plain spaces are a text's only white space; cached, because paragraphs ask often."""


def small(text: str) -> str:
    """Returns the text in lowercase with every offset unchanged."""
    lower = text.lower()
    if len(lower) != len(text):  # one Turkish capital grows in lowercase
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower


def _normal(text: str, language: Language) -> tuple[str, list[int] | None]:
    """Returns the text as it is matched, and the original offset of each character (None:
    unchanged).

    English is compared without case, Chinese without white space; in all languages a run of white
    space is one space.
    """
    even = is_even(text)
    if language == "en":
        text = small(text).replace("’", "'")
    if language == "zh":
        if even and " " not in text:
            return text, None
        places = [i for i, c in enumerate(text) if not c.isspace()]
    else:
        if not even:
            text = _SPACE.sub(" ", text)
        if "  " not in text:
            return text, None
        places = [
            i for i, c in enumerate(text) if not (c.isspace() and i and text[i - 1].isspace())
        ]
    return "".join(" " if text[i].isspace() else text[i] for i in places), places

"""Word lists compiled for one pass over a text: which listed words occur where, and which count.

Words are found with one Aho-Corasick automaton, whatever the number of lists; word boundaries,
Korean particles and look-alikes are then checked at each match.

A listed filter word may be part of a question, a guess or a comparison, or in a first-person story
report what somebody else saw. Then it does not count.

Readers skip said and asked; a tag that hisses, retorts or opines is noticed. Such a verb counts
only beside its speech, in the position of a tag.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Literal, NamedTuple

import ahocorasick

from studio.i18n import Language
from studio.text.spans import Span, inside, merge

LOOKALIKE = "lookalike"
LEAK = "leak"
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
    def of_notes(self) -> Lexicon:
        """The words of notes alone, which count in speech too."""
        return Lexicon({LEAK: self.lists.get(LEAK, ())}, self.language)

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
        if hits and (parts := self._apart):
            hits = [
                hit
                for hit in hits
                if (other := parts.get(plain[hit[0] : hit[1]])) is None
                or not _in_two_parts(plain, hit, other)
            ]
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
                for _, kind, _, _ in entries:
                    hits.append(_hit((begin, end, kind)))
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


def _in_two_parts(
    plain: str, hit: LexiconHit, other: tuple[re.Pattern[str], re.Pattern[str]]
) -> bool:
    """Whether the other part of a two-part look-alike is near, with no punctuation between."""
    start, end, _ = hit
    before, behind = other
    return bool(
        before.search(plain, max(0, start - _NEAR), start) or behind.match(plain, end, end + _NEAR)
    )


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


# Filter words


HERE = "¦"
"""The placeholder in a pattern for the position where the word begins."""
_BEFORE, _WORD = 40, 16
"""The number of characters before the word, and from its beginning, that a pattern sees."""
_FEWEST_SAYING_I, _SHARE_SAYING_I = 3, 0.4
_CLAUSES = re.compile(r"[.,;:!?…—“”\"，。！？；：「」\n]")


@dataclass(frozen=True, slots=True)
class PerceptionRule:
    """How to recognise a filter word that does not report the narrator's perception."""

    ahead: re.Pattern[str]
    """Matches such a word with the text after it."""
    behind: re.Pattern[str]
    """Matches from the clause before the word, up to a `¦`; the word follows that."""
    others: re.Pattern[str]
    """Matches like `behind`, for the perception of somebody other than a first-person narrator."""
    narrator: re.Pattern[str]
    """Matches what shows that a paragraph is told in the first person."""
    core: re.Pattern[str]
    """Matches a filter word of the dozen that two readers both mark (PROSE 0.7)."""
    alone: bool = True
    """Whether one paragraph suffices as evidence; if not, the chapter decides
    (`is_told_by_one`)."""


def leave_out_unreported(
    text: str,
    hits: list[LexiconHit],
    narration: Iterable[Span],
    italics: Sequence[Span],
    rule: PerceptionRule,
    *,
    told_by_one: bool = False,
) -> list[LexiconHit]:
    """Returns a paragraph's hits without the filter words that do not report its narrator's
    perception.

    `italics` are letters and thoughts in italics, which have no narrator; `told_by_one` says that
    the chapter has a first-person narrator, in this paragraph or elsewhere.
    """
    if not any(hit.kind == "filter" for hit in hits):
        return hits
    first_person = told_by_one or (rule.alone and says_i(text, narration, italics, rule))
    return [
        hit
        for hit in hits
        if hit.kind != "filter"
        or not (inside(hit.start, italics) or _is_none(text, hit, first_person, rule))
    ]


def says_i(
    text: str, narration: Iterable[Span], italics: Sequence[Span], rule: PerceptionRule
) -> bool:
    """Whether the narration of a paragraph contains the first person."""
    for start, end in narration:
        for match in rule.narrator.finditer(text, start, end):
            if not inside(match.start(), italics):
                return True
    return False


def is_told_by_one(paragraphs: Iterable[bool]) -> bool:
    """Whether a chapter is told in the first person, given whether each paragraph of narration
    contains it: at least two in five and at least three must. The other paragraphs then have the
    same narrator."""
    rows = list(paragraphs)
    return sum(rows) >= max(_FEWEST_SAYING_I, _SHARE_SAYING_I * len(rows))


def _is_none(text: str, hit: LexiconHit, first_person: bool, rule: PerceptionRule) -> bool:
    if rule.ahead.match(text, hit.start):
        return True
    clause = _CLAUSES.split(text[max(0, hit.start - _BEFORE) : hit.start])[-1]
    window = f"{clause}{HERE}{text[hit.start : hit.start + _WORD]}".replace("’", "'")
    if rule.behind.match(window):
        return True
    return first_person and rule.others.match(window) is not None


# Speech tags


TAG = "tag"
_REACH = 48
"""The maximum number of characters between a speech and its tag."""


@dataclass(frozen=True, slots=True)
class TagRule:
    """The positions of a speech tag, such as `he hissed`, beside its speech."""

    behind: re.Pattern[str]
    """Matches everything between the end of a speech and the verb."""
    ahead: re.Pattern[str]
    """Matches everything between the verb and the speech it introduces."""
    action: re.Pattern[str]
    """Matches what follows a verb that is no tag, as with somebody who snapped the lid."""
    form: re.Pattern[str]
    """Matches forms of the verb that are no tag."""


def bookisms(
    text: str, speech: Sequence[Span], hits: Sequence[LexiconHit], rule: TagRule
) -> list[Span]:
    """Returns the verbs of a paragraph's tags other than said and asked, in order.

    `speech` are the spans of speech, marks included; `hits` are the listed words.
    """
    return [
        Span(hit.start, hit.end)
        for hit in hits
        if hit.kind == TAG and not rule.form.search(text, hit.start, hit.end)
        if _is_tag(text, hit, speech, rule)
    ]


def _is_tag(text: str, hit: LexiconHit, speech: Sequence[Span], rule: TagRule) -> bool:
    place = bisect_left(speech, hit.start, key=lambda span: span.start)
    if place:
        before = speech[place - 1].end
        if hit.start - before <= _REACH and rule.behind.fullmatch(text, before, hit.start):
            has_subject = bool(text[before : hit.start].strip())
            return not (has_subject and rule.action.match(text, hit.end))
    if place < len(speech):
        after = speech[place].start
        return after - hit.end <= _REACH and bool(rule.ahead.fullmatch(text, hit.end, after))
    return False

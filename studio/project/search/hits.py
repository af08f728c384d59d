"""Finds words in the book by scanning its files as they are, without an index.

What a writer searches for becomes a pattern that matches what she means; where a hit is in a plan
or a note, its field is named in her language.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, pairwise
from re import Pattern
from typing import NamedTuple

from studio.errors import usage
from studio.i18n import N_, _, series
from studio.messages import said
from studio.project.progress import Listener, nobody
from studio.project.search.book_texts import AREAS, IDS, Area, BookText, book_texts
from studio.project.store import ProjectStore
from studio.story.notes import front_matter_end, note_spans

_LONGEST = 500
"""The maximum length of a search in characters; more is a paragraph pasted by mistake."""
_ALIKE = {
    "'": "['‘’]",
    "‘": "['‘]",
    "’": "['’]",
    '"': '["“”]',
    "“": '["“]',
    "”": '["”]',
    "-": "[-‐‑]",
}
"""Characters that a keyboard has once and a book in several forms."""
_LEFT, _RIGHT = r"(?<!\w)", r"(?!\w)"
_HAN = "\u3400", "\u9fff"
_HANGUL = "\uac00", "\ud7a3"
_REPEATED = ("*", "+", "?", "{")
_MORE_FORMS = {"i": "İı", "k": "\N{KELVIN SIGN}", "s": "ſ"}
"""Additional characters that case-insensitive matching treats as the same letter."""
_PLAIN = re.compile(r"[\w\u0300-\u036f]+")
"""Words, with composed or separate accents."""
_WORD_PARTS = re.compile(r"\s+")


def words_pattern(
    words: str, *, regex: bool = False, case: bool = False, whole: bool = False
) -> re.Pattern[str]:
    """Returns a pattern that finds `words` (a regular expression with `regex`).

    Without `case` it ignores case; with `whole` a match is not part of a longer word (a Korean word
    may have a particle after it; Chinese does not mark the end of a word). White space matches any
    white space except a blank line, a straight quotation mark matches a curly one, and Korean
    syllables match their separate letters, as some systems store them. Raises StudioError (exit 2):
    the search is empty, too long, or no regular expression.
    """
    if not words.strip():
        raise usage(said("There is nothing to look for."), said("Give a word or a few."))
    if len(words) > _LONGEST:
        raise usage(
            said(
                "{count} characters are too many to look for; at most {longest} are allowed.",
                count=f"{len(words):,}",
                longest=_LONGEST,
            ),
            said("A few words of the passage will do."),
        )
    source = words if regex else _literal(words)
    # Words without case (Korean, Chinese, figures) match the same either way, and the case-
    # sensitive pattern is ten times as fast.
    # and the one that minds capitals is ten times as fast.
    case = case or (not regex and words.lower() == words.upper())
    if whole:
        left = "" if _within(_HAN, words.lstrip()[0]) else _LEFT
        source = f"{left}(?:{source}){_right(words)}"
    try:
        return re.compile(source, re.MULTILINE | (re.NOFLAG if case else re.IGNORECASE))
    except re.error as error:
        raise usage(
            said("{rule} is not a regular expression: {error}.", rule=repr(words), error=error),
            said("Leave --regex out to look for these very characters."),
        ) from error


def spans_in(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Returns start and end of every non-empty match of `pattern`, in the order of `finditer`.

    Alternatives with different beginnings, and a case-insensitive first letter, are searched once
    per form: searching for a literal first letter is several times as fast.
    """
    forms = _forms(pattern)
    if len(forms) == 1:
        return [match.span() for match in pattern.finditer(text) if match[0]]
    spans = sorted(match.span() for form in forms for match in form.finditer(text))
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        return [match.span() for match in pattern.finditer(text)]
    return spans


@lru_cache(maxsize=8)
def _forms(pattern: re.Pattern[str]) -> tuple[re.Pattern[str], ...]:
    """Splits the pattern into patterns that each begin with a literal character; returns only the
    pattern itself if it is no plain words, or they begin with a non-ASCII letter that has case."""
    beginnings = pattern.pattern.split("|")
    if len(beginnings) > 1 and not all(map(_PLAIN.fullmatch, beginnings)):
        return (pattern,)
    if not pattern.flags & re.IGNORECASE:
        return tuple(re.compile(words, re.MULTILINE) for words in beginnings)
    forms = []
    for words in beginnings:
        first, rest = words[:1], words[1:]
        if not (first.isascii() and first.isalpha()) or rest.startswith(_REPEATED):
            return (pattern,)
        letters = f"{first.lower()}{first.upper()}{_MORE_FORMS.get(first.lower(), '')}"
        forms += [re.compile(f"{letter}(?i:{rest})", re.MULTILINE) for letter in letters]
    return tuple(forms)


def _literal(words: str) -> str:
    stripped = words.strip()
    composed = unicodedata.normalize("NFC", stripped)
    forms = dict.fromkeys((_escape(composed), _escape(unicodedata.normalize("NFD", composed))))
    return "|".join(forms)


def _right(words: str) -> str:
    """Returns the end of a whole word; after Han and Hangul, particles follow without a space."""
    last = words.rstrip()[-1]
    return "" if _within(_HAN, last) or _within(_HANGUL, last) else _RIGHT


def _within(span: tuple[str, str], char: str) -> bool:
    # A pattern with spans this long takes longer to compile than the app needs to draw its first
    # frame.
    return span[0] <= char <= span[1]


def _escape(words: str) -> str:
    parts = (
        "".join(_ALIKE.get(char) or re.escape(char) for char in part)
        for part in _WORD_PARTS.split(words)
    )
    return r"(?=\s)[^\S\r\n]*(?:\r?\n[^\S\r\n]*)?".join(filter(None, parts))


FIELDS = frozenset(
    (
        *(N_("aliases"), N_("beats"), N_("description"), N_("dialogue goals"), N_("diction")),
        *(N_("direction"), N_("emotional tone"), N_("entry emotion"), N_("exit emotion")),
        *(N_("fact"), N_("facts"), N_("fears"), N_("imagery"), N_("instead"), N_("knows")),
        *(N_("must not"), N_("name"), N_("note"), N_("objectives"), N_("pacing")),
        *(N_("peak moment"), N_("phrase"), N_("phrases"), N_("promises"), N_("purpose")),
        *(N_("reason"), N_("relationships"), N_("role"), N_("rule"), N_("rules"), N_("sample")),
        *(N_("scenes"), N_("secrets"), N_("sensory anchors"), N_("sentence rhythm")),
        *(N_("storylines"), N_("style override"), N_("summary"), N_("title")),
        *(N_("transition from"), N_("transition to"), N_("value"), N_("voice"), N_("wants")),
        *(N_("always"), N_("avoid"), N_("chapters"), N_("dialogue"), N_("entries"), N_("never")),
        *(N_("setup"), N_("trigger"), N_("payoff"), N_("when"), N_("tone"), N_("location")),
    )
)
"""Names of the keys in a novel's JSON files that hold sentences."""
_PART = re.compile(r"(.*?)((?: \d+)*)", re.DOTALL)


def field_in_words(field: str) -> str:
    """Translates `scenes 1, dialogue goals 2`; a key of somebody else's stays as it is."""
    return series(map(_in_words, field.split(", ")))


def _in_words(part: str) -> str:
    match = _PART.fullmatch(part)
    if match is None or match[1] not in FIELDS:
        return part
    return _(match[1]) + match[2]


_AROUND = 48
"""The number of characters shown before and after a hit."""
_Look = Callable[[BookText], Iterator["Hit"]]
Spans = Callable[[BookText], list[tuple[int, int]]]
"""Finds words in a text: start and end of each."""


class Hit(NamedTuple):
    """One occurrence of the words."""

    at: BookText
    start: int
    """The position in characters from the beginning of the text."""
    end: int
    note: bool = False
    """Whether the hit is in a note to people."""

    @property
    def scene(self) -> int | None:
        """The scene in prose; None in a title, or in a note between two paragraphs."""
        paragraph = self.at.paragraph_at(self.start)
        return paragraph.scene if paragraph else None

    @property
    def paragraph(self) -> int | None:
        """The number of the paragraph in its scene of prose; None as for `scene`."""
        paragraph = self.at.paragraph_at(self.start)
        return paragraph.number if paragraph else None

    @property
    def words(self) -> str:
        """The matching words themselves."""
        return self.at.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The text before the hit in its paragraph, cut at a word boundary."""
        begin = max(0, self.start - _AROUND)
        words = self.at.text[begin : self.start].rpartition("\n\n")[2]
        if len(words) == _AROUND and begin:
            words = "…" + (words.partition(" ")[2] or words)
        return _one_line(words)

    @property
    def after(self) -> str:
        """The text after the hit in its paragraph, cut at a word boundary."""
        text = self.at.text
        words = text[self.end : self.end + _AROUND].partition("\n\n")[0]
        if len(words) == _AROUND and self.end + _AROUND < len(text):
            words = (words.rpartition(" ")[0] or words) + "…"
        return _one_line(words)

    def particle(self, new: str) -> tuple[str, str] | None:
        """Returns the Korean particle after the hit and its form after `new`, if these differ."""
        from studio.particles import particle_after  # not needed for a search

        return particle_after(new, self.at.text, self.end)

    @property
    def line(self) -> int:
        """The line number of the hit's beginning, from 1, in a Markdown file or in a JSON field."""
        return self.at.line_at(self.start)


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The results of a search, in the order of the book."""

    hits: tuple[Hit, ...]
    unreadable: tuple[str, ...] = ()
    """A sentence about each file that could not be searched."""
    chapters: dict[int, int] = field(default_factory=dict)
    """The number of hits in each chapter, in prose and plan together."""
    wider: int = 0
    """The number of matches of the wider pattern, if one was counted along the way."""

    def without(self, is_out: Callable[[Hit], bool]) -> SearchResults:
        """Returns the findings without the hits for which `is_out` is true."""
        hits = tuple(hit for hit in self.hits if not is_out(hit))
        return replace(self, hits=hits, chapters=_by_chapter(hits))


def find(
    store: ProjectStore,
    pattern: Pattern[str] | Spans,
    areas: Sequence[Area] = AREAS,
    listener: Listener = nobody,
    wider: Pattern[str] | None = None,
) -> SearchResults:
    """Returns every match of `pattern`, or of a function that finds words, in these areas; matches
    of `wider` are counted as well. An exception from `listener` cancels the search."""
    places_of_wider: list[int] = []

    def look(text: BookText) -> Iterator[Hit]:
        if wider is not None:
            places_of_wider.append(sum(1 for _ in in_a_text(text, wider)))
        return in_a_text(text, pattern)

    return replace(_collect(store, areas, look, listener), wider=sum(places_of_wider))


def notes(
    store: ProjectStore,
    areas: Sequence[Area] = AREAS,
    pattern: Pattern[str] | None = None,
    listener: Listener = nobody,
) -> SearchResults:
    """Returns every note to people (`<!-- -->`, `%% %%`) in the book, or those that match the
    pattern. An exception from `listener` cancels the search."""
    return _collect(store, areas, lambda text: _notes(text, pattern), listener)


def _collect(
    store: ProjectStore, areas: Sequence[Area], look: _Look, listener: Listener
) -> SearchResults:
    unreadable: list[str] = []
    texts = book_texts(store, areas, unreadable, listener)
    hits = tuple(chain.from_iterable(look(text) for text in texts))
    return SearchResults(hits, tuple(unreadable), _by_chapter(hits))


def _by_chapter(hits: Sequence[Hit]) -> dict[int, int]:
    counts = Counter(hit.at.chapter for hit in hits if hit.at.chapter is not None)
    return dict(sorted(counts.items()))


def in_a_text(text: BookText, pattern: Pattern[str] | Spans) -> Iterator[Hit]:
    """Yields every match of the pattern in one text, ids left out."""
    spans = pattern(text) if callable(pattern) else spans_in(text.text, pattern)
    ids = id_spans(text.text) if spans and not text.field else ()
    if ids:
        spans = [(a, b) for a, b in spans if not holds(ids, a)]
    return _place_hits(text, spans) if spans else iter(())


def _notes(text: BookText, pattern: Pattern[str] | None) -> Iterator[Hit]:
    spans = [] if text.field else [(note.start, note.end) for note in note_spans(text.text)]
    if pattern is not None:
        spans = [(a, b) for a, b in spans if pattern.search(text.text, a, b)]
    return _place_hits(text, spans) if spans else iter(())


def _place_hits(text: BookText, spans: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    own_notes = () if text.field else note_spans(text.text)
    for start, end in spans:
        yield Hit(text, start, end, bool(own_notes) and holds(own_notes, start))


def holds(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether one of these sorted, disjoint spans contains the character at `at`."""
    index = bisect_right(spans, (at, sys.maxsize)) - 1
    return index >= 0 and at < spans[index][1]


def id_spans(text: str) -> list[tuple[int, int]]:
    """Returns the spans (start, end) of front matter lines that hold ids rather than words."""
    end, spans, is_id, at = front_matter_end(text), [], False, 0
    for line in text[:end].splitlines(keepends=True):
        key, colon, _ = line.partition(":")
        if colon and key.strip() == key.rstrip() and not key.startswith(("-", "#")):
            is_id = key.strip() in IDS
        if is_id:
            spans.append((at, at + len(line)))
        at += len(line)
    return spans


def _one_line(text: str) -> str:
    head = " " if text[:1].isspace() else ""
    tail = " " if text[-1:].isspace() and text.strip() else ""
    return f"{head}{' '.join(text.split())}{tail}" if text.strip() else head

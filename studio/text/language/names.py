"""Finds names in prose in every form they take: folded letters, particles, given names, titles.

A given name, a surname or a pet form counts only where one of the people has it. The longest form
wins. The grammar of each language is in english_names, korean_names and chinese_names; which one a
name takes depends on its own letters.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.particles import particle_after
from studio.text.language import chinese_names, english_names, korean_names
from studio.text.language.name_grammar import NameForm, NameParts, words_of

if TYPE_CHECKING:
    import ahocorasick

LONGEST = 240
"""The maximum number of characters of a form of a name."""


class Bearer(NamedTuple):
    """Somebody or something that goes by names."""

    slug: str
    names: tuple[str, ...]
    """The name first, then the aliases."""
    exclude: tuple[str, ...] = ()
    """Look-alikes that do not mean it."""
    is_person: bool = True


class Mentioned(NamedTuple):
    """A name in a text: `text[start:end]`."""

    slug: str
    start: int
    end: int


class NameIndex:
    """Finds every name of many people and things in one pass over a text."""

    def __init__(self, bearers: Iterable[Bearer]) -> None:
        self.bearers = tuple(bearers)

    @cached_property
    def slugs(self) -> frozenset[str]:
        """The slugs of all people and things."""
        return frozenset(one.slug for one in self.bearers)

    def find(self, text: str) -> list[Mentioned]:
        """Returns every mention in text order, except one inside a longer name of another entry."""
        forms = self._forms
        if not forms.owners and not forms.excluders:
            return []
        flat, places = _flatten(text)
        mentions: list[Mentioned] = []
        excluded: list[Mentioned] = []
        for last, words in forms.automaton.iter(flat):
            start, end = last - len(words) + 1, last + 1
            for form, slugs in forms.owners.get(words, ()):
                if not _is_in_a_title(flat, start) and _grammar_of(words).stands(
                    flat, start, end, form
                ):
                    mentions += [Mentioned(slug, start, end) for slug in slugs]
                    break
            excluded += [Mentioned(slug, start, end) for slug in forms.excluders.get(words, ())]
        chosen = sorted(_longest(mentions, excluded), key=lambda m: (m.start, m.slug))
        if places is None:
            return chosen
        return [Mentioned(slug, places[start], places[end]) for slug, start, end in chosen]

    def slugs_in(self, text: str) -> dict[str, int]:
        """Maps the slug of each that is named to the offset of its first mention."""
        first: dict[str, int] = {}
        for mention in self.find(text):
            first.setdefault(mention.slug, mention.start)
        return first

    def whom_it_calls(self, words: str) -> str | None:
        """Returns the slug of the one whom these words name as a whole, in any form of the name and
        with a title; None where they name nobody, or more than one."""
        plain = _one_line(words)
        slugs = self._forms.by_folded_form.get(plain.casefold(), frozenset())
        if not slugs:
            slugs = frozenset(m.slug for m in self.find(plain) if is_only_title(plain, m))
        return next(iter(slugs)) if len(slugs) == 1 else None

    @cached_property
    def _forms(self) -> _Forms:
        return _forms_of(self.bearers)


class _Forms:
    """The names of many people and things in all their forms, prepared for the search."""

    def __init__(self, bearers: tuple[Bearer, ...]) -> None:
        whole: dict[str, dict[str, NameForm]] = {}
        derived: dict[str, dict[str, NameForm]] = {}
        for one in bearers:
            for form in _all_forms(one):
                of_the_kind = whole if form.is_whole else derived
                of_the_kind.setdefault(form.words, {}).setdefault(one.slug, form)
        self.owners: dict[str, list[tuple[NameForm, list[str]]]] = {}
        """Maps the words of each form to the form and to those who go by it."""
        for words, by_slug in whole.items():
            self.owners[words] = [(next(iter(by_slug.values())), list(by_slug))]
        for words, by_slug in derived.items():
            if len(by_slug) == 1 and words not in whole:
                self.owners[words] = [(form, [slug]) for slug, form in by_slug.items()]
        self.excluders: dict[str, list[str]] = {}
        """Maps each form of a look-alike to those whom it does not mean."""
        for one in bearers:
            for words in dict.fromkeys(english_names.variants(map(_one_line, one.exclude))):
                self.excluders.setdefault(words, []).append(one.slug)

    @cached_property
    def by_folded_form(self) -> dict[str, frozenset[str]]:
        """Maps each form, in lower case, to those who go by it."""
        slugs: dict[str, frozenset[str]] = {}
        for words, forms in self.owners.items():
            plain = words.casefold()
            owners = (slug for _, own in forms for slug in own)
            slugs[plain] = slugs.get(plain, frozenset()) | frozenset(owners)
        return slugs

    @cached_property
    def automaton(self) -> ahocorasick.Automaton:
        """The automaton that finds all forms in one pass."""
        import ahocorasick

        automaton: Any = ahocorasick.Automaton()
        for words in (*self.owners, *self.excluders):
            automaton.add_word(words, words)
        automaton.make_automaton()
        return automaton


@lru_cache(maxsize=8)
def _forms_of(bearers: tuple[Bearer, ...]) -> _Forms:
    """Builds the forms, cached because every call of a run and query of the app needs them."""
    return _Forms(bearers)


def _all_forms(one: Bearer) -> Iterator[NameForm]:
    names = [name for name in map(_one_line, one.names) if name]
    for number, name in enumerate(dict.fromkeys(names)):
        forms = forms_of(name, is_person=one.is_person)
        if number == 0:
            yield from forms
        else:
            yield from (form._replace(kind="alias") for form in forms if form.kind == "whole")
            yield from (form for form in forms if form.kind == "bare")


class NameChange:
    """Another name for somebody or something: what becomes of each form in which a text has the
    old one. Names of others and look-alikes stay."""

    def __init__(self, bearers: Iterable[Bearer], slug: str, old: str, new: str) -> None:
        self._index = NameIndex(bearers)
        self.slug = slug
        bearer = next(one for one in self._index.bearers if one.slug == slug)
        plain = _one_line(old)
        self._new_words = _changed_forms(bearer, plain, " ".join(new.split()))
        is_main = bearer.names[:1] == (old,)
        self._alone = NameIndex((bearer._replace(names=(plain,)),)) if is_main else NameIndex(())
        self.words_that_go = _words_that_go(plain, new, self._new_words)
        """What finds the words of the old name that are not in the new one, by their letters
        alone."""

    def find(self, text: str) -> list[tuple[int, int]]:
        """Returns the start and end of every form in a text that changes."""
        own = (m for m in self._index.find(text) if m.slug == self.slug)
        return [(m.start, m.end) for m in own if self.new_words(text[m.start : m.end]) is not None]

    def new_words(self, words: str) -> str | None:
        """Returns what these words, a form of the name, become; None where they stay. An alias that
        is a part of the name and a title changes in that part."""
        plain = _one_line(words)
        fresh = self._new_words.get(plain) or self._beside_a_title(plain)
        return fresh if fresh != plain else None

    def ending_behind(self, text: str, end: int, fresh: str) -> tuple[str, str] | None:
        """Returns what stands behind the old name at `end` and its form behind `fresh`, if these
        differ: a Korean particle, or the apostrophe of a possessive."""
        return particle_after(fresh, text, end) or english_names.possessive_after(fresh, text, end)

    def _beside_a_title(self, words: str) -> str | None:
        parts = self._alone.find(words)
        if len(parts) != 1 or not is_only_title(words, parts[0]):
            return None
        start, end = parts[0].start, parts[0].end
        fresh = self._new_words.get(words[start:end])
        return None if fresh is None else words[:start] + fresh + words[end:]


def _words_that_go(old: str, new: str, forms: Iterable[str]) -> re.Pattern[str]:
    """Returns what finds the words of a name in Latin letters, and in others the name with what
    texts have in its place, where it is longer than one character."""
    if any(map(korean_names.is_hangul, old)) or any(map(chinese_names.is_han, old)):
        words = {form for form in forms if len(form) > 1 and form in old and form not in new}
        begins = "(?<![가-힣])" if any(map(korean_names.is_hangul, old)) else ""
        return re.compile(f"{begins}(?:{_either(words or {old})})")
    fresh = set(new.split())
    words = {word for word in old.split() if word not in fresh and word[:1].isupper()}
    return re.compile(rf"\b(?:{_either(words or {old})})\b")


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


def _changed_forms(bearer: Bearer, old: str, new: str) -> dict[str, str]:
    """Maps each form of the name `old` to what it becomes; of an alias only the whole forms."""
    is_person, grammar = bearer.is_person, _grammar_of(old)
    parts = parts_of(old, is_person=is_person), parts_of(new, is_person=is_person)
    is_alias = _one_line(bearer.names[0]) != old
    forms = [
        form
        for form in forms_of(old, is_person=is_person)
        if not is_alias or form.kind in ("whole", "bare")
    ]
    changed: dict[str, str] = {}
    for form in sorted(forms, key=lambda form: form.is_whole, reverse=True):
        changed.setdefault(form.words, grammar.rename_form(form, *parts))
    return {**changed, old: new}


def examples_of(bearer: Bearer, others: NameIndex) -> tuple[str, ...]:
    """Returns a few forms by which this one is found besides the names that are written down, where
    nobody else has them. Fast enough for every key that is typed into a name."""
    name = _one_line(next(iter(bearer.names), ""))
    if not name:
        return ()
    parts = parts_of(name, is_person=bearer.is_person)
    examples: Iterator[str] = _grammar_of(name).examples(parts)
    return tuple(
        words
        for words in dict.fromkeys(examples)
        if words not in (*bearer.names, *bearer.exclude) and not others.find(words)
    )


def parts_of(name: str, *, is_person: bool) -> NameParts:
    """Takes a name apart; its letters decide by which language's grammar."""
    parts: NameParts = _grammar_of(name).parts_of(_one_line(name), is_person=is_person)
    return parts


@lru_cache(maxsize=4096)
def forms_of(name: str, *, is_person: bool) -> tuple[NameForm, ...]:
    """Returns every form of a name; its letters decide which language's grammar makes them."""
    return tuple(_grammar_of(name).forms_of(name, is_person=is_person))


def _grammar_of(words: str) -> ModuleType:
    if words.isascii():
        return english_names
    if any(map(korean_names.is_hangul, words)):
        return korean_names
    return chinese_names if any(map(chinese_names.is_han, words)) else english_names


def is_only_title(words: str, mention: Mentioned) -> bool:
    """Whether there is nothing in these words but a name and titles: `Mr. Pattinson`, 미라 씨."""
    rest = f"{words[: mention.start]} {words[mention.end :]}".casefold().split()
    titles = words_of("en", "titles") | words_of("ko", "titles") | words_of("zh", "titles")
    return all(word.strip(".,") in titles | {""} for word in rest)


def mentions(text: str, name: str) -> bool:
    """Whether a text names this person or thing by exactly this name, in any spelling of it."""
    return bool(_alone(name).find(text))


def names_otherwise(text: str, part: str, name: str) -> bool:
    """Whether a text names the person of this name by another form of it than `part`."""
    forms = {form.words for form in forms_of(_one_line(name), is_person=True)}
    return part in forms and bool(NameIndex((Bearer("", (name,)),)).find(text))


@lru_cache(maxsize=2048)
def _alone(name: str) -> _Whole:
    return _Whole(name)


class _Whole:
    """One name and its spellings, without the parts that name as well."""

    def __init__(self, name: str) -> None:
        forms = forms_of(_one_line(name), is_person=True) if name.strip() else ()
        self._forms = [form for form in forms if form.kind == "whole"]

    def find(self, text: str) -> list[Mentioned]:
        flat, places = _flatten(text)
        own = sorted(_places(flat, self._forms))
        if places is None:
            return own
        return [Mentioned("", places[m.start], places[m.end]) for m in own]


def _places(flat: str, forms: Sequence[NameForm]) -> Iterator[Mentioned]:
    for form in forms:
        grammar = _grammar_of(form.words)
        at = flat.find(form.words)
        while at >= 0:
            end = at + len(form.words)
            if grammar.stands(flat, at, end, form):
                yield Mentioned("", at, end)
            at = flat.find(form.words, end)


_FOLDED = (
    ("\u2019", "'"),
    ("\u02bc", "'"),
    ("\uff07", "'"),
    ("\u2010", "-"),
    ("\u2011", "-"),
    ("\n", " "),
    ("\r", " "),
    ("\t", " "),
    ("\u00a0", " "),
    ("\u202f", " "),
    ("\u3000", " "),
)
"""Characters that names are written with in two ways; one search each is faster than a table."""


def _one_line(name: str) -> str:
    return " ".join(_fold(unicodedata.normalize("NFC", name)).split())


def _fold(text: str) -> str:
    for sign, other in _FOLDED:
        text = text.replace(sign, other)
    return text


def _flatten(text: str) -> tuple[str, list[int] | None]:
    """Returns a text with its spellings folded, and where each of its characters was, or None where
    all kept their places."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return _fold(text), None
    flat: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _continues(text[end]):
            end += 1
        composed = unicodedata.normalize("NFC", text[at:end])
        flat.append(composed)
        places += [at] * len(composed)
        at = end
    return _fold("".join(flat)), [*places, len(text)]


def _continues(sign: str) -> bool:
    """Whether a character belongs to the letter before it: a mark, a vowel or final of Hangul."""
    return unicodedata.combining(sign) > 0 or "\u1160" <= sign <= "\u11ff"


_LONGEST_TITLE = 40


def _is_in_a_title(text: str, at: int) -> bool:
    """Whether a place is inside 《》, the marks of a book's title: nobody is there."""
    before = max(0, at - _LONGEST_TITLE)
    return text.rfind("《", before, at) > text.rfind("》", before, at)


def _longest(mentions: list[Mentioned], excluded: list[Mentioned]) -> Iterable[Mentioned]:
    """Yields the mentions outside longer names and outside look-alikes of the same entry."""
    spans = sorted({(m.start, m.end) for m in mentions})
    for mention in dict.fromkeys(mentions):
        hidden = any(e.slug == mention.slug and _hides(e, mention) for e in excluded)
        if not hidden and not _is_inside(mention, spans):
            yield mention


def _hides(look_alike: Mentioned, mention: Mentioned) -> bool:
    """Whether a look-alike touches a mention and is no part of it: who excludes 선우 is still found
    as 선우진."""
    is_part = mention.start <= look_alike.start and look_alike.end <= mention.end
    is_same = mention[1:] == look_alike[1:]
    touches = look_alike.start < mention.end and mention.start < look_alike.end
    return touches and (is_same or not is_part)


def _is_inside(mention: Mentioned, spans: list[tuple[int, int]]) -> bool:
    """Whether a longer name contains a mention; `spans` are the sorted spans of all names."""
    near = islice(spans, bisect_left(spans, (mention.start - LONGEST, 0)), None)
    around = takewhile(lambda span: span[0] <= mention.start, near)
    return any(end >= mention.end and (start, end) != mention[1:] for start, end in around)

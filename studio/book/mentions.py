"""Finds which entries a text names, and where: the longest name wins (BOOK 2).

Korean names are matched with their particles, Chinese ones without word boundaries, English ones
with possessives; a look-alike that an entry excludes does not count as a mention of that entry.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.book.entries import Entry
from studio.story.form.ids import LONGEST_NAME
from studio.text.language.names import stands_alone

if TYPE_CHECKING:
    import ahocorasick


_Named = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The search terms of an entry: its slug, its names, and the look-alikes that do not mean it."""


class Mentioned(NamedTuple):
    """A name in a text: `text[start:end]`."""

    slug: str
    start: int
    end: int


class NameFinder:
    """Finds every name of many entries in one pass over a text."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._named = tuple((entry.slug, entry.names, entry.meta.exclude) for entry in entries)

    @cached_property
    def slugs(self) -> frozenset[str]:
        """Slugs of all entries."""
        return frozenset(slug for slug, _, _ in self._named)

    def find(self, text: str) -> list[Mentioned]:
        """Returns every mention in text order, except one inside a longer name of another entry."""
        forms = self._forms
        if not forms.owners and not forms.excluders:
            return []
        flat = text.translate(_ONE_LINE)
        names: list[Mentioned] = []
        excluded: list[Mentioned] = []
        for last, form in forms.automaton.iter(flat):
            start, end = last - len(form) + 1, last + 1
            owners = forms.owners.get(form)
            if owners and stands_alone(flat, start, end):
                names += [Mentioned(slug, start, end) for slug in owners]
            excluded += [Mentioned(slug, start, end) for slug in forms.excluders.get(form, ())]
        return sorted(_longest(names, excluded), key=lambda m: (m.start, m.slug))

    def slugs_in(self, text: str) -> dict[str, int]:
        """Maps the slug of each named entry to the offset of its first mention."""
        first: dict[str, int] = {}
        for mention in self.find(text):
            first.setdefault(mention.slug, mention.start)
        return first

    @cached_property
    def _forms(self) -> _Forms:
        return _forms_of(self._named)


class _Forms:
    """The names of many entries in all their forms, prepared for the search."""

    def __init__(self, named: tuple[_Named, ...]) -> None:
        self.owners = _by_form((name, slug) for slug, names, _ in named for name in names)
        """Maps each form of a name to the entries that go by the name."""
        self.excluders = _by_form((name, slug) for slug, _, names in named for name in names)
        """Maps each form of a look-alike to the entries that it does not mean."""

    @cached_property
    def automaton(self) -> ahocorasick.Automaton:
        """The automaton that finds all forms in one pass."""
        import ahocorasick

        automaton: Any = ahocorasick.Automaton()
        for form in (*self.owners, *self.excluders):
            automaton.add_word(form, form)
        automaton.make_automaton()
        return automaton


@lru_cache(maxsize=4)
def _forms_of(named: tuple[_Named, ...]) -> _Forms:
    """Builds the forms, cached because every call of a run and query of the app needs them."""
    return _Forms(named)


_ONE_LINE = str.maketrans("\n\r\t", "   ")


def _by_form(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Maps each form a name can take in a text, with white space as a single blank and with a
    capital at the beginning of a sentence, to the slugs that have the name."""
    slugs: dict[str, list[str]] = {}
    for name, slug in names:
        for form in _forms(name):
            owners = slugs.setdefault(form, [])
            if slug not in owners:
                owners.append(slug)
    return slugs


def _forms(name: str) -> frozenset[str]:
    plain = " ".join(name.split())
    return frozenset({plain, plain[:1].upper() + plain[1:]} - {""})


def _longest(names: list[Mentioned], excluded: list[Mentioned]) -> Iterable[Mentioned]:
    """Yields the mentions outside longer names and outside look-alikes of the same entry."""
    spans = sorted({(m.start, m.end) for m in names})
    for mention in names:
        hidden = any(
            e.slug == mention.slug and e.start < mention.end and mention.start < e.end
            for e in excluded
        )
        if not hidden and not _is_inside(mention, spans):
            yield mention


def _is_inside(mention: Mentioned, spans: list[tuple[int, int]]) -> bool:
    """Whether a longer name contains a mention; `spans` are the sorted spans of all names."""
    near = islice(spans, bisect_left(spans, (mention.start - LONGEST_NAME, 0)), None)
    around = takewhile(lambda span: span[0] <= mention.start, near)
    return any(end >= mention.end and (start, end) != mention[1:] for start, end in around)

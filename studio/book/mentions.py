"""Which entries a text names, and where: the longest name wins (BOOK 2).

Korean names are found with their particles, Chinese ones without borders, English ones with
possessives; a look-alike that an entry excludes is none of its mentions.
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
"""What is looked for of an entry: its slug, its names, and the look-alikes that do not mean it."""


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
        """Every mention, in the order of the text; none within a longer name of another entry."""
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
        """Slug of each entry that is named to the place of its first mention."""
        first: dict[str, int] = {}
        for mention in self.find(text):
            first.setdefault(mention.slug, mention.start)
        return first

    @cached_property
    def _forms(self) -> _Forms:
        return _forms_of(self._named)


class _Forms:
    """The names of many entries in all their forms, ready to be looked for."""

    def __init__(self, named: tuple[_Named, ...]) -> None:
        self.owners = _by_form((name, slug) for slug, names, _ in named for name in names)
        """The entries that go by a name, by its forms."""
        self.excluders = _by_form((name, slug) for slug, _, names in named for name in names)
        """The entries that a look-alike does not mean, by its forms."""

    @cached_property
    def automaton(self) -> ahocorasick.Automaton:
        """Finds all of them in one pass."""
        import ahocorasick

        automaton: Any = ahocorasick.Automaton()
        for form in (*self.owners, *self.excluders):
            automaton.add_word(form, form)
        automaton.make_automaton()
        return automaton


@lru_cache(maxsize=4)
def _forms_of(named: tuple[_Named, ...]) -> _Forms:
    """Made once of the same names: each call of a run, and each look of the app, asks again."""
    return _Forms(named)


_ONE_LINE = str.maketrans("\n\r\t", "   ")


def _by_form(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Each name as it may stand in a text, with white space as one blank and at a sentence's
    beginning with a capital, to the slugs it comes with."""
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
    """The mentions that no longer name, and no look-alike of their own entry, takes in."""
    spans = sorted({(m.start, m.end) for m in names})
    for mention in names:
        hidden = any(
            e.slug == mention.slug and e.start < mention.end and mention.start < e.end
            for e in excluded
        )
        if not hidden and not _is_inside(mention, spans):
            yield mention


def _is_inside(mention: Mentioned, spans: list[tuple[int, int]]) -> bool:
    """Whether a longer name takes a mention in; `spans` are those of all names, sorted."""
    near = islice(spans, bisect_left(spans, (mention.start - LONGEST_NAME, 0)), None)
    around = takewhile(lambda span: span[0] <= mention.start, near)
    return any(end >= mention.end and (start, end) != mention[1:] for start, end in around)

"""Finds people whom a plan names by kinship alone: her father, 그의 아버지, 她父亲.

Only where the bible itself says who that is: a relationship of that kind, or the role of somebody
who is called the father of a person there. Nothing is guessed from ages or family names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from studio.book.bible import Bible, BibleEntry
from studio.story.novel import Relationship

_FILE = Path(__file__).parent / "kinship.toml"
_OF = {
    "en": "{name}['’]s? {word}|{word} (?:of|to) {name}",
    "ko": "{name}의? ?{word}",
    "zh": "{name}[的之]?{word}",
}
"""How a role says whose kin somebody is."""
_ALONE = {
    "en": "(?:(?:the|his|her|their|my) )?{word}",
    "ko": "(?:그의 |그녀의 )?{word}",
    "zh": "(?:[他她]的?)?{word}",
}
"""How a relationship says that it is this one."""
_WHOLE = {
    "en": r"\b(?:{pattern})\b",
    "ko": "(?<![가-힣])(?:{pattern})",
    "zh": "(?<![祖外岳公伯叔养養义義])(?:{pattern})",
}
"""What matches no part of another word: no grandfather for a father."""
_WITH_FAMILY_NAME = 3
"""The syllables of a Korean name whose first is the family's."""


def kin_in(
    text: str,
    people: Sequence[str],
    bible: Bible,
    relationships: Iterable[Relationship],
    language: str,
) -> tuple[str, ...]:
    """Returns the slugs of those whom a text calls kin of somebody among `people`, by what the
    bible says: of whoever is named beside the word, and where it stands alone of the first who has
    such kin. Every other father stays away."""
    rows, slugs = tuple(relationships), list[str]()
    for words in _kin_words(language):
        pattern = "(?:" + "|".join(map(re.escape, words)) + ")"
        word = re.compile(_WHOLE[language].format(pattern=pattern), re.IGNORECASE)
        if word.search(text):
            kin = _kin_by_owner(pattern, people, bible, rows, language)
            owners, rest = list[str](), text
            for owner in kin:
                whose = _whose(pattern, bible.people[owner], language)
                owners += [owner] * (whose.search(rest) is not None)
                rest = whose.sub("", rest)
            if word.search(rest):
                owners += list(kin)[:1]
            slugs += [slug for owner in owners for slug in kin[owner]]
    return tuple(slug for slug in dict.fromkeys(slugs) if slug in bible.people)


def is_kin(word: str, language: str) -> bool:
    """Whether a word says whose kin somebody is, and nothing else of them."""
    return any(word in words for words in _kin_words(language))


def _kin_by_owner(
    pattern: str, people: Sequence[str], bible: Bible, rows: Sequence[Relationship], language: str
) -> dict[str, tuple[str, ...]]:
    """Maps each of these people who has kin of this kind to them, in the order of the people."""
    kin = {
        slug: (
            *_by_relationship(pattern, slug, rows, language),
            *_by_role(pattern, bible.people[slug], bible, language),
        )
        for slug in people
        if slug in bible.people
    }
    return {slug: theirs for slug, theirs in kin.items() if theirs}


def _by_relationship(
    word: str, owner: str, rows: Iterable[Relationship], language: str
) -> Iterator[str]:
    alone = re.compile(_ALONE[language].format(word=word), re.IGNORECASE)
    for row in rows:
        if alone.fullmatch(row.kind.strip().rstrip(".。")) and owner in (row.source, row.target):
            yield row.target if row.source == owner else row.source


def _by_role(word: str, owner: BibleEntry, bible: Bible, language: str) -> Iterator[str]:
    whose = _whose(word, owner, language)
    for slug, entry in bible.people.items():
        role = entry.contract.role if entry.contract else ""
        if whose.search(role):
            yield slug


def _whose(word: str, owner: BibleEntry, language: str) -> re.Pattern[str]:
    """Returns what finds the word for somebody's kin where its owner is named beside it."""
    name = "(?:" + "|".join(map(re.escape, _called(owner, language))) + ")"
    whose = _OF[language].format(name=name, word=word)
    return re.compile(_WHOLE[language].format(pattern=whose), re.IGNORECASE)


def _called(entry: BibleEntry, language: str) -> Iterator[str]:
    """Yields the names of somebody, and what she is called by without that of the family."""
    for name in entry.names:
        yield name
        yield from name.split()[:1]
        if language == "ko" and len(name) == _WITH_FAMILY_NAME:
            yield name[1:]


@cache
def _kin_words(language: str) -> tuple[tuple[str, ...], ...]:
    """Returns the words for each kind of kin."""
    with _FILE.open("rb") as file:
        return tuple(map(tuple, tomllib.load(file)[language]))

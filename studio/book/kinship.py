"""Finds people whom a plan names by kinship alone: her father, 그의 아버지, 她父亲.

Only where the bible itself says who that is: a relationship of that kind, or the role of somebody
who is called the father of a person there. Nothing is guessed from ages or family names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
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
    people: Collection[str],
    bible: Bible,
    relationships: Iterable[Relationship],
    language: str,
) -> tuple[str, ...]:
    """Returns the slugs of those whom a text calls kin of somebody among `people`, by what the
    bible says."""
    rows, slugs = tuple(relationships), list[str]()
    for words in _kin_words(language):
        pattern = "(?:" + "|".join(map(re.escape, words)) + ")"
        if re.search(_WHOLE[language].format(pattern=pattern), text, re.IGNORECASE):
            slugs += _by_relationship(pattern, people, rows, language)
            slugs += _by_role(pattern, people, bible, language)
    return tuple(s for s in dict.fromkeys(slugs) if s in bible.people and s not in people)


def _by_relationship(
    word: str, people: Collection[str], rows: Iterable[Relationship], language: str
) -> Iterator[str]:
    alone = re.compile(_ALONE[language].format(word=word), re.IGNORECASE)
    for row in rows:
        if alone.fullmatch(row.kind.strip().rstrip(".。")):
            one, other = row.source in people, row.target in people
            if one != other:
                yield row.target if one else row.source


def _by_role(word: str, people: Collection[str], bible: Bible, language: str) -> Iterator[str]:
    there = [bible.people[slug] for slug in people if slug in bible.people]
    names = [name for entry in there for name in _called(entry, language)]
    if not names:
        return
    name = "(?:" + "|".join(map(re.escape, names)) + ")"
    whose = _WHOLE[language].format(pattern=_OF[language].format(name=name, word=word))
    for slug, entry in bible.people.items():
        role = entry.contract.role if entry.contract else ""
        if re.search(whose, role, re.IGNORECASE):
            yield slug


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

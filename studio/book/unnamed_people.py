"""Finds people whom a plan calls by no name: by kinship alone (her father, 그의 아버지, 她父亲)
or by what they are (the innkeeper, 掌柜, 여사)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from studio.book.bible import Bible, BibleEntry, NameFinder
from studio.i18n import Language
from studio.story.novel import Relationship
from studio.text.language import korean_names
from studio.text.language.chinese_names import LINKS, surnames
from studio.text.language.name_grammar import words_of
from studio.text.language.names import Bearer, NameIndex

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
    return tuple(map(tuple, tomllib.loads(_FILE.read_text("utf-8"))[language]))


_CLAUSE_ENDS = re.compile(r"[,;:.(（，、；：。]| - | – | — ")
_BEHIND = re.compile(r" (?:of|at|in|on|from|to|for|with|who|whom|whose|that) ", re.IGNORECASE)
"""What ends the words of an English role that say what somebody is."""
_NOT_A_ROLE = re.compile(
    r"man|woman|boy|girl|child|person|people|friend|protagonist|hero|heroine|narrator|one"
    "|사람|여자|남자|아이|친구|주인공|인물|시점|화자|사내|소년|소녀"
    "|男人|女人|孩子|朋友|主角|主人公|人物|叙述者|少年|少女|老人"
)
"""What says nothing of whom it means."""
_LONGEST = 40
"""The letters of the longest words that say what somebody is."""


def in_roles(text: str, bible: Bible, finder: NameFinder, language: Language) -> tuple[str, ...]:
    """Returns the slugs of those whom a text calls by their role, in the order of its words. What
    stands within or behind a name is that one's title, and nobody else's."""
    names = [(m.start, m.end) for m in finder.find(text)]
    return tuple(
        dict.fromkeys(
            one.slug
            for one in _index(bible, language).find(text)
            if not any(start < one.end and one.start < end for start, end in names)
            and _stands_alone(text, one.start, one.end, language)
        )
    )


@lru_cache(maxsize=2)  # every scene of a chapter asks of the same bible
def _index(bible: Bible, language: Language) -> NameIndex:
    """Returns what finds the roles that one person has and no other."""
    owners: dict[str, set[str]] = {}
    for entry in bible.people.values():
        for role in _roles_of(entry, language):
            owners.setdefault(role, set()).add(entry.slug)
    hers: dict[str, list[str]] = {}
    for role, slugs in owners.items():
        if len(slugs) == 1:
            forms = (f"the {role}", f"The {role}") if language == "en" else (role,)
            hers.setdefault(next(iter(slugs)), []).extend(forms)
    bearers = (Bearer(slug, tuple(roles), is_person=False) for slug, roles in hers.items())
    return NameIndex(bearers)


def _roles_of(entry: BibleEntry, language: Language) -> Iterator[str]:
    """Yields what somebody is: the words of the role up to its first sign, the last of them, and
    the title in which they or a name of the person end."""
    role = entry.contract.role if entry.contract else ""
    words = " ".join(_CLAUSE_ENDS.split(role.strip(), maxsplit=1)[0].split())
    if language == "en":
        words = re.sub(r"^(?:the|an?) ", "", _BEHIND.split(words, maxsplit=1)[0].lower())
    wholes = {words, words.rpartition(" ")[2]} if len(words) <= _LONGEST else set[str]()
    for whole in (*wholes, *entry.names):
        if language != "en":
            titles = words_of(language, "titles")
            wholes |= {title for title in titles if len(title) > 1 and whole.endswith(title)}
    yield from (
        word
        for word in wholes
        if len(word) > 1 and not _NOT_A_ROLE.fullmatch(word) and not is_kin(word, language)
    )


def _stands_alone(text: str, start: int, end: int, language: Language) -> bool:
    """Whether no name of somebody unknown stands beside a role: `박 여사`, `李掌柜`, `the captain
    Hale`."""
    before, behind = text[:start], text[end:]
    if language == "en":
        return re.match(r" [A-Z]", behind) is None
    if language == "ko":
        word = before.split(" ")[-2:-1] if before.endswith(" ") else []
        return not any(map(_is_korean_name, word))
    return not before or before[-1] not in surnames() - LINKS


def _is_korean_name(word: str) -> bool:
    is_whole = len(word) == _KOREAN_NAME and word[-1] not in _ENDS_OF_WORDS
    return word in korean_names.surnames() or (is_whole and korean_names.split_name(word)[0] != "")


_KOREAN_NAME = 3
"""The syllables of a whole Korean name."""
_ENDS_OF_WORDS = "에내은는이가을를로도만고서며게히던한와과의"
"""What a Korean word ends in that is no name, or has a particle."""

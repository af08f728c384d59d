"""Finds people whom a plan calls by what they are alone: the innkeeper, 掌柜, 여사.

Only where the bible says of one person and no other that they are that: by the last words of their
role, or by the title in their name. Kin is found by whose kin it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from studio.book.bible import Bible, BibleEntry, NameFinder
from studio.book.kinship import is_kin
from studio.i18n import Language
from studio.text.language import korean_names
from studio.text.language.chinese_names import LINKS, surnames
from studio.text.language.name_grammar import words_of
from studio.text.language.names import Bearer, NameIndex

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

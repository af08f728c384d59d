"""What all languages share about names: forms of a name, and the words that stand beside one."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

FormKind = Literal["whole", "alias", "given", "surname", "family", "titled", "nick", "bare"]
"""How a form names: the whole name; an alias; the given name or the surname alone; the family;
surname with a title; a pet form (老林, 阿棠, 봄이); a name without its article."""


class NameForm(NamedTuple):
    """One way a text may write a name."""

    words: str
    kind: FormKind
    is_person: bool

    @property
    def is_whole(self) -> bool:
        """Whether the form is a name by itself, and no part of one."""
        return self.kind in ("whole", "alias")


class NameParts(NamedTuple):
    """A name taken apart; a part that it does not have is empty."""

    whole: str
    given: str = ""
    surname: str = ""
    bare: str = ""
    """The name without its title or its article, or a place without what kind of place it is."""

    @property
    def short_name(self) -> str:
        """What somebody of this name is called where another one goes by the given name alone."""
        return self.given or self.bare or self.whole

    @property
    def name_beside_title(self) -> str:
        """What stands beside a title where another one goes by the surname."""
        return self.surname or self.short_name


_FILE = Path(__file__).parent / "name_grammar.toml"


@cache
def _data() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def words_of(language: str, key: str) -> frozenset[str]:
    """Returns a list of words of the grammar; a language has its own keys."""
    return frozenset(_data()[language][key].split())


def behind_epithet(name: str) -> str:
    """Returns the name behind the words that say what somebody is: 邱伯 of 老邻居邱伯, 박씨 of
    옆집 영감 박씨; empty where nothing else stands before a name. Who is young, or somebody's
    brother, is another than the one of the plain name."""
    words = name.split()
    if len(words) == 1:
        match = _chinese_epithet().match(name.strip())
        return name.strip()[match.end() :] if match is not None else ""
    for at in range(1, len(words)):
        if _is_epithet(words[:at]) and not _is_epithet(words[at : at + 1]):
            return " ".join(words[at:])
    return ""


def _is_epithet(words: Sequence[str]) -> bool:
    folded = [words[0][:1].lower() + words[0][1:], *words[1:]]
    roles, manners = _epithet_words()
    return not roles.isdisjoint(folded) and all(word in roles or word in manners for word in folded)


@cache
def _epithet_words() -> tuple[frozenset[str], frozenset[str]]:
    """Returns the words of English and Korean for what somebody is, and those beside them."""
    roles = words_of("en", "epithets") | words_of("ko", "epithets") | words_of("ko", "anybody")
    return roles, words_of("en", "epithet_manners") | words_of("ko", "epithet_manners")


@cache
def _chinese_epithet() -> re.Pattern[str]:
    """Returns what matches the words before a Chinese name; one of them says what somebody is."""
    roles, manners = (
        "|".join(sorted(words, key=len, reverse=True))
        for words in (
            words_of("zh", "epithets") | words_of("zh", "titles"),
            words_of("zh", "epithet_manners"),
        )
    )
    return re.compile(f"(?:{manners})*(?:{roles})(?:{roles}|{manners})*(?=..)")


@cache
def pairs_of(language: str, key: str) -> tuple[tuple[str, str], ...]:
    """Returns a list of pairs of words of the grammar."""
    pairs = (pair.split() for pair in _data()[language][key])
    return tuple((first, second) for first, second in pairs)


@cache
def letters_of(language: str, key: str) -> tuple[str, ...]:
    """Returns a list of letters in their order; a dash is none."""
    return tuple(word.replace("-", "") for word in _data()[language][key].split())


@cache
def characters_of(language: str, key: str) -> frozenset[str]:
    """Returns a list of single characters of the grammar."""
    return frozenset(_data()[language][key])


@cache
def spellings() -> Mapping[str, str]:
    """Maps each English title that is spelt in two ways to the other one."""
    pairs = pairs_of("en", "spelt")
    return {one: other for a, b in pairs for one, other in ((a, b), (b, a))}


def without_accents(words: str) -> str:
    """Returns Latin letters without their marks; every other character stays."""
    return "".join(_plain(sign) if "\u00c0" <= sign <= "\u024f" else sign for sign in words)


@cache
def _plain(sign: str) -> str:
    letters = unicodedata.normalize("NFKD", sign)
    return letters[0] if letters[:1].isascii() else sign

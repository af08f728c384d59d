"""What a rewrite says otherwise, for whoever is going to decide on it: code informs of more there
than it refuses where nobody looks (WRITING 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from studio.messages import said
from studio.story.review.demand import Demand
from studio.text.content import clauses_gone, contradictions, turned_facts
from studio.text.language.packs import LanguagePack
from studio.text.language.story_words import story_words

_ALIKE = 0.6
"""The share of letters that two clauses have in common of which one denies the other."""
_UN = re.compile(r"\b(?:un|dis|in|im)(\w{4,})")
"""An English word that denies another: unpaid, dishonest, incomplete."""


def told_otherwise(
    before: str, after: str, kind: str, demand: Demand, names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns which clauses of a passage a rewrite of one kind states otherwise, denies, or no
    longer denies; nothing of what the directive demands."""
    wish = demand.wording
    return (
        contradictions(before, after, pack, names, wish)
        or turned_facts(before, after, kind, wish, pack, is_moved=demand.reorders)
        or tuple(_denied_clauses(before, after, wish, pack))
    )


def _denied_clauses(
    before: str, after: str, wish: Sequence[str], pack: LanguagePack
) -> Iterator[str]:
    """Yields the clauses that came back with a denial more or less, and nearly as they were."""
    denials = story_words(pack.language).denials
    if denials.search("\n".join(wish)):
        return
    new = clauses_gone(after, before, pack)
    for one in clauses_gone(before, after, pack):
        for two in new:
            is_turned = len(denials.findall(one)) % 2 != len(denials.findall(two)) % 2
            if (is_turned and _alike(denials, one, two)) or _is_undone(one, two, pack):
                what = said("denied, or no longer denied")
                yield said("{what}: “{one}” became “{two}”", what=what, one=one, two=two)
                break


def _alike(denials: re.Pattern[str], one: str, two: str) -> bool:
    first, last = (denials.sub("", words).casefold() for words in (one, two))
    return SequenceMatcher(None, first, last, autojunk=False).ratio() >= _ALIKE


def _is_undone(one: str, two: str, pack: LanguagePack) -> bool:
    """Whether one of two English clauses has the word that denies one of the other's."""
    if pack.language != "en":
        return False
    first, last = ({*re.findall(r"\w+", words.casefold())} for words in (one, two))
    pairs = ((first, two, last), (last, one, first))
    return any(
        word in words and word not in there
        for words, other, there in pairs
        for word in _UN.findall(other.casefold())
    )

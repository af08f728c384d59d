"""Whose perception a filter word reports, and whether it reports any.

A word on the list of filters may stand in a question, a guess or a comparison,
or in a first-person story tell what somebody else saw. Then it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.text.language.lexicon import Hit
from studio.text.spans import Span, inside

HERE = "¦"
"""In a pattern, the place where the word begins."""
_BEFORE, _WORD = 40, 16
"""Characters before and from the beginning of a word that a pattern sees."""
_FEWEST_SAYING_I, _SHARE_SAYING_I = 3, 0.4
_CLAUSES = re.compile(r"[.,;:!?…—“”\"，。！？；：「」\n]")


@dataclass(frozen=True, slots=True)
class PerceptionRule:
    """How to tell a filter word that reports no perception of the narrator."""

    ahead: re.Pattern[str]
    """What it begins."""
    behind: re.Pattern[str]
    """What stands in its clause before it, up to a `¦`; the word follows that."""
    others: re.Pattern[str]
    """The same of what somebody else than the narrator perceives, where there is a narrator."""
    narrator: re.Pattern[str]
    """What shows that a paragraph is told in the first person."""
    alone: bool = True
    """Whether one paragraph shows it; else it takes the chapter (`is_told_by_one`)."""


def reported(
    text: str,
    hits: list[Hit],
    narration: Iterable[Span],
    italics: Sequence[Span],
    rule: PerceptionRule,
    *,
    told_by_one: bool = False,
) -> list[Hit]:
    """The hits of a paragraph without the filter words that report no perception of its teller.

    `italics` are letters and thoughts in italics, which speak for themselves;
    `told_by_one` says that the chapter has a narrator who says I, here or elsewhere.
    """
    if not any(hit.kind == "filter" for hit in hits):
        return hits
    first_person = told_by_one or (rule.alone and says_i(text, narration, italics, rule))
    return [
        hit
        for hit in hits
        if hit.kind != "filter"
        or not (inside(hit.start, italics) or _is_none(text, hit, first_person, rule))
    ]


def says_i(
    text: str, narration: Iterable[Span], italics: Sequence[Span], rule: PerceptionRule
) -> bool:
    """Whether the narration of a paragraph has its narrator in it."""
    return any(
        not inside(match.start(), italics)
        for span in narration
        for match in rule.narrator.finditer(text, span.start, span.end)
    )


def is_told_by_one(paragraphs: Iterable[bool]) -> bool:
    """Whether a chapter is told in the first person, from whether its paragraphs of narration
    say I: two of five do, and three at least. The others then are told by the same voice."""
    said = list(paragraphs)
    return sum(said) >= max(_FEWEST_SAYING_I, _SHARE_SAYING_I * len(said))


def _is_none(text: str, hit: Hit, first_person: bool, rule: PerceptionRule) -> bool:
    if rule.ahead.match(text, hit.start):
        return True
    clause = _CLAUSES.split(text[max(0, hit.start - _BEFORE) : hit.start])[-1]
    window = f"{clause}{HERE}{text[hit.start : hit.start + _WORD]}".replace("’", "'")
    if rule.behind.search(window):
        return True
    return first_person and rule.others.search(window) is not None

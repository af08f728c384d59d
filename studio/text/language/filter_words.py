"""Whose perception a filter word reports, if any.

A listed filter word may be part of a question, a guess or a comparison, or in a first-person story
report what somebody else saw. Then it does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.text.language.lexicon import LexiconHit
from studio.text.spans import Span, inside

HERE = "¦"
"""The placeholder in a pattern for the position where the word begins."""
_BEFORE, _WORD = 40, 16
"""The number of characters before the word, and from its beginning, that a pattern sees."""
_FEWEST_SAYING_I, _SHARE_SAYING_I = 3, 0.4
_CLAUSES = re.compile(r"[.,;:!?…—“”\"，。！？；：「」\n]")


@dataclass(frozen=True, slots=True)
class PerceptionRule:
    """How to recognise a filter word that does not report the narrator's perception."""

    ahead: re.Pattern[str]
    """Matches such a word with the text after it."""
    behind: re.Pattern[str]
    """Matches the clause before the word, up to a `¦`; the word follows that."""
    others: re.Pattern[str]
    """Matches like `behind`, for the perception of somebody other than a first-person narrator."""
    narrator: re.Pattern[str]
    """Matches what shows that a paragraph is told in the first person."""
    core: re.Pattern[str]
    """Matches a filter word of the dozen that two readers both mark (PROSE 0.7)."""
    alone: bool = True
    """Whether one paragraph suffices as evidence; if not, the chapter decides
    (`is_told_by_one`)."""


def leave_out_unreported(
    text: str,
    hits: list[LexiconHit],
    narration: Iterable[Span],
    italics: Sequence[Span],
    rule: PerceptionRule,
    *,
    told_by_one: bool = False,
) -> list[LexiconHit]:
    """Returns a paragraph's hits without the filter words that do not report its narrator's
    perception.

    `italics` are letters and thoughts in italics, which have no narrator; `told_by_one` says that
    the chapter has a first-person narrator, in this paragraph or elsewhere.
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
    """Whether the narration of a paragraph contains the first person."""
    return any(
        not inside(match.start(), italics)
        for span in narration
        for match in rule.narrator.finditer(text, span.start, span.end)
    )


def is_told_by_one(paragraphs: Iterable[bool]) -> bool:
    """Whether a chapter is told in the first person, given whether each paragraph of narration
    contains it: at least two in five and at least three must. The other paragraphs then have the
    same narrator."""
    rows = list(paragraphs)
    return sum(rows) >= max(_FEWEST_SAYING_I, _SHARE_SAYING_I * len(rows))


def _is_none(text: str, hit: LexiconHit, first_person: bool, rule: PerceptionRule) -> bool:
    if rule.ahead.match(text, hit.start):
        return True
    clause = _CLAUSES.split(text[max(0, hit.start - _BEFORE) : hit.start])[-1]
    window = f"{clause}{HERE}{text[hit.start : hit.start + _WORD]}".replace("’", "'")
    if rule.behind.search(window):
        return True
    return first_person and rule.others.search(window) is not None

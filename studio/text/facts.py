"""The facts guard: names, numbers and quoted speech that a rewrite must leave as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from studio.story.operations import Fact
from studio.text.dialogue import dialogue_spans
from studio.text.language import LanguagePack
from studio.text.names import mentions
from studio.text.numbers import numbers_in

_MARKS = '“”"＂「」『』《》‘’—―–- \t\n'


@dataclass(frozen=True, slots=True)
class FactChange:
    """One fact that is gone or new after a rewrite."""

    fact: Fact
    gone: bool
    """Whether it was lost; else it is new."""
    words: str

    def __str__(self) -> str:
        what = {"names": "the name", "numbers": "the number", "quotes": "the speech"}[self.fact]
        return f"{what} {self.words} is {'gone' if self.gone else 'new'}"


def fact_changes(
    before: str, after: str, names: Iterable[str], pack: LanguagePack
) -> tuple[FactChange, ...]:
    """Every name, number and quote that only one of the two texts holds, in a fixed order.

    `names` are all names and aliases of the story. Numbers are compared by
    value ("three" is 3), speech by its words without marks and spacing.
    """
    return (
        *_compared("names", _names(before, names), _names(after, names)),
        *_compared("numbers", numbers_in(before, pack), numbers_in(after, pack)),
        *_compared("quotes", _quotes(before, pack), _quotes(after, pack)),
    )


def facts_changed(
    before: str, after: str, names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """The same as sentences for a person; empty when nothing changed."""
    return tuple(str(change) for change in fact_changes(before, after, tuple(names), pack))


def _compared(fact: Fact, before: dict[str, str], after: dict[str, str]) -> list[FactChange]:
    gone = [FactChange(fact, True, words) for key, words in before.items() if key not in after]
    new = [FactChange(fact, False, words) for key, words in after.items() if key not in before]
    return gone + new


def _names(text: str, names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in sorted(set(names)) if mentions(text, name)}


def _quotes(text: str, pack: LanguagePack) -> dict[str, str]:
    quotes: dict[str, str] = {}
    for span in dialogue_spans("\n\n" + text, pack):
        words = ("\n\n" + text)[span.start : span.end].strip(_MARKS)
        key = re.sub(r"\s+", "" if pack.language == "zh" else " ", words)
        number = sum(1 for known in quotes if known.split("\0")[0] == key)
        quotes[f"{key}\0{number}"] = f"“{words}”"
    return quotes

"""Facts of older pages that a later decision of the author's changed: what she decided for the
whole book is told, and what it was decided against is not told beside it.

A decision is a row of context/guidelines/decided.md: what was asked, an arrow, her answer. A
sentence is old where it says what was asked about and not what she answered: it has a number of the
question's beside which she chose another of the same thing, or the question repeats it word for
word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from studio.pipeline.prompting.lines import Lines, PromptLine
from studio.pipeline.prompting.plan_words import SENTENCE_ENDS, telling_stems
from studio.project import layout as places
from studio.project.files import load
from studio.project.store import ProjectStore
from studio.text.language.numbers import numbers_in
from studio.text.language.packs import LanguagePack

FACTS = ("world", "place", "people", "storyline", "summaries")
"""The blocks that tell in sentences what is so in the book. Of the state one fact cannot be left
out without its name and those beside it."""
_ARROW = " → "
_FEWEST_WORDS = 3
"""The words of the shortest sentence that a question can repeat."""
_BEHIND = re.compile(r" ?([\w%％°])")
"""What stands right behind a number."""
_SHORTEST = 4
"""The letters of the shortest English word by which it is known what a sentence is about."""


class _DecidedRow(NamedTuple):
    question: frozenset[str]
    answer: frozenset[str]
    about: frozenset[str]
    """The words of the question beside its numbers."""
    old: frozenset[str]
    """The numbers that the question names, and the answer another for."""


class DecidedFacts:
    """What the author decided for the whole book."""

    def __init__(self, page: str, pack: LanguagePack) -> None:
        self._pack = pack
        self._rows = tuple(self._read(page))

    def _read(self, page: str) -> Iterator[_DecidedRow]:
        for line in page.splitlines():
            question, arrow, answer = line.removeprefix("- ").partition(_ARROW)
            if arrow and line.startswith("- "):
                numbers, now = (numbers_in(words, self._pack) for words in (question, answer))
                picks = [words for value, words in numbers.items() if value in now]
                old = frozenset(
                    value
                    for value, words in numbers.items()
                    if value not in now and any(_count_alike(question, words, c) for c in picks)
                )
                about = _words(question) - _words(" ".join(numbers.values()))
                yield _DecidedRow(_words(question), _words(answer), about, old)

    def in_force(self, block: str, lines: Lines) -> Lines:
        """Returns the lines of a block without the facts that a decision has overtaken."""
        if not self._rows or block not in FACTS:
            return lines
        return tuple(line if line.kind == "rule" else self.without_old(line) for line in lines)

    def without_old(self, line: PromptLine) -> PromptLine:
        """Returns a line of facts without the sentences that a decision has overtaken."""
        head = _words(line.text.partition("\n")[0])
        rows = []
        for row in line.text.splitlines():
            pieces = SENTENCE_ENDS.split(row)
            rest = [piece for piece in pieces if not self._is_old(piece, head)]
            if len(rest) == len(pieces):
                rows.append(row)
            elif rest:
                rows.append("".join(rest).strip())
        return line._replace(text="\n".join(rows).strip())

    def _is_old(self, sentence: str, head: frozenset[str]) -> bool:
        own = _words(sentence)
        there = {*numbers_in(sentence, self._pack)}
        return any(
            (there & row.old and (own | head) & row.about)
            or (len(own) >= _FEWEST_WORDS and own <= row.question and not own <= row.answer)
            for row in self._rows
        )


def decided_facts(store: ProjectStore, pack: LanguagePack) -> DecidedFacts:
    """Returns what the author of a novel decided for all of it. StudioError (exit 5) for a damaged
    file."""
    return DecidedFacts(load.text(store.root, places.DECIDED) or "", pack)


def _count_alike(question: str, one: str, other: str) -> bool:
    """Whether two numbers of a question may count the same thing: `forty steps or thirty-one`, but
    not `17%` and `forty minutes`."""
    things = {_thing_counted(question, number) for number in (one, other)}
    return len(things - {""}) < 2


def _thing_counted(question: str, number: str) -> str:
    """Returns the sign by which it is known what a number counts: the last one of its counter (마흔
    개, 四十个), or the first behind it; empty for none."""
    if not number.isascii():
        return number[-1]
    behind = _BEHIND.match(question.partition(number)[2])
    return behind[1] if behind else ""


def _words(text: str) -> frozenset[str]:
    """Returns the words of a text by which it is known what it is about."""
    return frozenset(s for s in telling_stems(text) if len(s) >= _SHORTEST or not s.isascii())

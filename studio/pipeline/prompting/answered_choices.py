"""What the author answered in reviews to the choices that were hers alone: who reads or plans a
chapter is told, so that the same is not asked about again and nothing is said against it.

What she answered for the whole book is a guideline (context/guidelines/decided.md); these answers
are about the words of a chapter, and change nothing but what is known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from studio.errors import none_if_damaged
from studio.i18n import words_for_the_book
from studio.pipeline.prompting.decided_facts import asked_and_decided
from studio.pipeline.prompting.withheld_secrets import tells_a_secret
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.review.evaluation import Counsel, Evaluation
from studio.text.language.packs import LanguagePack

_SETTLES = frozenset({"meant", "fix"})
"""The answers that say how it is; a wish or a note is for one draft, or for people."""
_GIVEN = _SETTLES | {"next", "wish"}
"""The answers of which whoever reads the same chapter once more asks nothing again."""
_CHAPTERS, _MOST, _MOST_FOR_A_WRITER = 40, 16, 6
"""The latest chapters whose answers are told, and the most answers; fewer to who writes, for whom
they are not what the work is about."""


def answers_of_reviews(store: ProjectStore, chapter: int, pack: LanguagePack) -> str:
    """Returns her answers about the chapters before `chapter` and about itself, a line each, the
    latest last."""
    return _in_chapters(_answered(store, chapter, pack, _GIVEN)[-_MOST:], pack)


def answers_for_a_writer(
    store: ProjectStore,
    chapter: int,
    pack: LanguagePack,
    who: str,
    bears_on_it: Callable[[str], bool],
) -> str:
    """Returns the same for whoever writes the chapter, in a few lines: what she answered about it
    and the one before it, and of older chapters what bears on it; never what neither its point of
    view, `who`, nor the reader may know."""
    secrets = store.secrets().secrets
    answers = _answered(store, chapter, pack)
    own = (one for one in answers if one.chapter >= chapter - 1 or bears_on_it(one.row))
    rows = [*dict.fromkeys(own)][-_MOST_FOR_A_WRITER:]
    may_know = (
        one for one in rows if not tells_a_secret(one.row.casefold(), secrets, who, chapter, None)
    )
    return _in_chapters(may_know, pack)


class _AnswerOfHers(NamedTuple):
    """An answer of hers, and the chapter it is about."""

    chapter: int
    row: str


def _in_chapters(answers: Iterable[_AnswerOfHers], pack: LanguagePack) -> str:
    """Returns answers below the chapters that they are about, each once."""
    rows = []
    for chapter, some in groupby(dict.fromkeys(answers), key=attrgetter("chapter")):
        rows += [f"## {pack.chapter(chapter)}", *(one.row for one in some)]
    return "\n".join(rows)


def _answered(
    store: ProjectStore, chapter: int, pack: LanguagePack, here: Collection[str] = _SETTLES
) -> list[_AnswerOfHers]:
    """Returns her answers about the chapters up to this one; `here` are the kinds that are told of
    this one."""
    rows: list[_AnswerOfHers] = []
    own = none_if_damaged(lambda: Staging(store.layout, chapter).evaluation())
    for number in range(max(1, chapter - _CHAPTERS), chapter + 1):
        evaluation = own if number == chapter and own is not None else _of(store, number)
        if evaluation is not None:
            kinds = here if number == chapter else _SETTLES
            rows += (_AnswerOfHers(number, row) for row in _answers(evaluation, pack, kinds))
    return rows


def _of(store: ProjectStore, number: int) -> Evaluation | None:
    return none_if_damaged(lambda: store.evaluation(number))


def _answers(evaluation: Evaluation, pack: LanguagePack, kinds: Collection[str]) -> Iterator[str]:
    for choice in evaluation.counsel:
        if choice.kind == "decide" and choice.answer in kinds:
            yield asked_and_decided(_question(choice, pack), _answer(choice, pack), pack)


def _question(choice: Counsel, pack: LanguagePack) -> str:
    return " ".join(words_for_the_book(choice.issue, pack.language).split())


def _answer(choice: Counsel, pack: LanguagePack) -> str:
    return choice.answer_words.strip() or pack.label("meant as it is")

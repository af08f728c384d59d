"""Facts of older pages that a later decision of the author's changed: what she decided for the
whole book is told, and what it was decided against is not told beside it.

A decision is a row of context/guidelines/decided.md: what was asked, an arrow, her answer. A
sentence is old where it says what was asked about and not what she answered: it has a number of the
question's beside which she chose another of the same thing, or the question repeats it word for
word.

What she answered in reviews to the choices that were hers alone is about the words of one chapter
and changes nothing but what is known of it: who reads or plans a chapter is told, so that the same
is not asked about again and nothing is said against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from studio.book.as_of import StoryAt
from studio.errors import StudioError, none_if_damaged
from studio.i18n import words_for_the_book
from studio.pipeline.prompting.lines import Lines, PromptLine
from studio.pipeline.prompting.plan_words import SENTENCE_ENDS, plan_sentences, telling_stems
from studio.pipeline.prompting.state_words import HELD_TRUE
from studio.pipeline.prompting.withheld_secrets import tells_a_secret
from studio.project import layout as places
from studio.project.files import load
from studio.project.history.blobs import Version
from studio.project.planning.names import name_in
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.form.slugs import name_of_id
from studio.story.form.validation import read_document
from studio.story.review.evaluation import Counsel, Evaluation
from studio.story.state import LAST_SEEN, PROMISES, StoryState
from studio.text.language.numbers import numbers_in
from studio.text.language.packs import LanguagePack

FACTS = ("world", "place", "people", "storyline", "summaries")
"""The blocks that tell in sentences what is so in the book. The state has values instead, and loses
one without those beside it, as a summarizer may set what it has read at any time."""
_NO_FACTS = frozenset({LAST_SEEN.removeprefix("."), "name"})
"""The fields that say how somebody is called, and what only code keeps."""
_ARROW = " → "
_EITHER_OR = re.compile(
    r"\bor\b|아니면|혹은|또는|[가까][?,]* .*[가까]\?|还是|或者?|抑或", re.IGNORECASE
)
"""What joins the two things that a question offers."""
_FEWEST_WORDS = 3
"""The words of the shortest sentence that a question can repeat."""
_BEHIND = re.compile(r" ?([\w%％°])")
"""What stands right behind a number."""
_SHORTEST = 4
"""The letters of the shortest English word by which it is known what a sentence is about."""


CHAPTER_HEAD = "## "
"""What stands before the name of the chapter below which its answers stand."""


class _DecidedRow(NamedTuple):
    question: frozenset[str]
    answer: frozenset[str]
    about: frozenset[str]
    """The words of the question beside its numbers."""
    old: frozenset[str]
    """The numbers that the question names, and the answer another for."""
    is_either_or: bool
    """Whether the question names what there is to choose from, and the answer one of it."""


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
                offers = bool(_EITHER_OR.search(question) and _words(question) & _words(answer))
                yield _DecidedRow(_words(question), _words(answer), about, old, offers)

    def is_against(self, sentence: str) -> bool:
        """Whether a sentence says what was decided against."""
        return self._is_old(sentence, frozenset())

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

    def values_in_force(self, value: Any, of_what: str) -> Any:
        """Returns what is left of a value of the state, named by the words `of_what`, when a
        decision has overtaken some of it; None for nothing."""
        if not self._rows:
            return value
        if isinstance(value, dict):
            fields = {
                key: inner
                if key in _NO_FACTS or name_of_id(key).partition(" ")[0] in HELD_TRUE
                else self.values_in_force(inner, f"{of_what} {name_of_id(key)}")
                for key, inner in value.items()
            }
            return {key: inner for key, inner in fields.items() if inner is not None}
        if isinstance(value, list):
            left = [self.values_in_force(inner, of_what) for inner in value]
            return [inner for inner in left if inner is not None]
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return value
        head = _words(of_what)
        pieces = SENTENCE_ENDS.split(str(value))
        rest = [p for p in pieces if not self._is_old(p, head) and not self._is_the_other(p, head)]
        return value if len(rest) == len(pieces) else "".join(rest).strip() or None

    def _is_the_other(self, value: str, head: frozenset[str]) -> bool:
        """Whether a value is what a question named beside the answer she chose, of what the
        question is about: not of whom it offers, who has a name for other things as well."""
        own = _words(value)
        return any(
            row.is_either_or and own and own <= row.question and not own & row.answer
            for row in self._rows
            if head & row.question and not head & row.answer
        )

    def _is_old(self, sentence: str, head: frozenset[str]) -> bool:
        own = _words(sentence)
        there = {*numbers_in(sentence, self._pack)}
        return any(
            (there & row.old and (own | head) & row.about)
            or (len(own) >= _FEWEST_WORDS and own <= row.question and not own <= row.answer)
            for row in self._rows
        )


class StoryAsDecided(StoryAt):
    """The story as of a chapter, whose state says nothing against what she decided."""

    def __init__(
        self, store: ProjectStore, chapter: int, pack: LanguagePack, scene: int | None = None
    ) -> None:
        super().__init__(store, chapter, scene)
        page = load.text(store.root, places.DECIDED) or ""
        overtaken = overtaken_decisions(store, page, chapter, pack)
        self.decided = DecidedFacts("\n".join(rows_without(page, overtaken.__contains__)), pack)

    @cached_property
    def state(self) -> StoryState:
        """What is true when the chapter begins, without what a decision has overtaken."""
        state = super().state
        tree = {
            category: dict(self._in_force(entries)) if category != PROMISES else entries
            for category, entries in state.tree.items()
        }
        return state.copy_with(**tree)

    def _in_force(self, entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for slug, value in entries.items():
            rest = self.decided.values_in_force(value, self._called(slug, value))
            if rest is not None:
                yield slug, rest

    def _called(self, slug: str, value: Any) -> str:
        entry = self.bible.entries.get(slug)
        names = entry.names if entry is not None else (name_in(value) or "",)
        return " ".join((name_of_id(slug), *names))


def overtaken_decisions(
    store: ProjectStore, page: str, chapter: int, pack: LanguagePack
) -> frozenset[str]:
    """Returns the rows of the page of what she decided against which a line of the chapter's plan
    speaks that she put there later: for this chapter she has decided anew.

    Only a line counts that an older version of the plan, from before the decision, did not have: a
    plan that merely was not changed is what she decided against. StudioError (exit 5) for a damaged
    file.
    """
    contract = store.contract(chapter)
    if contract is None:
        return frozenset()
    path = store.layout.contract(contract.volume, chapter)
    planned = [*plan_sentences(contract, contract.scenes)]
    against = {
        row: lines
        for row in page.splitlines()
        if (lines := {*filter(DecidedFacts(row, pack).is_against, planned)})
    }
    log = store.history.log() if against else []
    return frozenset(
        row
        for row, lines in against.items()
        if not lines <= _in_plan_at(store, log, path, row, lines)
    )


def _in_plan_at(
    store: ProjectStore, log: Sequence[Version], path: str, row: str, unless_known: set[str]
) -> set[str]:
    """Returns the sentences of the plan at `path` when a row of the page of decisions was written;
    `unless_known` where history does not tell."""
    since = None
    for at in reversed([at for at, version in enumerate(log) if version.path == places.DECIDED]):
        if row not in _text_of(store, log[at]).splitlines():
            break
        since = at
    before = [version for version in log[:since] if version.path == path]
    if since is None or not before:
        return unless_known
    with suppress(StudioError):
        then = read_document(ChapterContract, store.history.blob(before[-1].sha), path)
        return {*plan_sentences(then, then.scenes)}
    return unless_known


def _text_of(store: ProjectStore, version: Version) -> str:
    try:
        return store.history.blob(version.sha).decode("utf-8", "replace")
    except StudioError:
        return ""


def rows_without(page: str, is_out: Callable[[str], bool]) -> list[str]:
    """Returns the rows of the page of decisions without some, and without a chapter that has no
    answer then."""
    rows = [row for row in page.splitlines() if not is_out(row)]
    behind = [*rows[1:], CHAPTER_HEAD] if rows else []
    return [
        row
        for row, after in zip(rows, behind, strict=True)
        if not (row.startswith(CHAPTER_HEAD) and after.startswith(CHAPTER_HEAD))
    ]


def asked_and_decided(question: str, answer: str, pack: LanguagePack) -> str:
    """Returns what was asked and her answer as whoever writes or reads is told them: each in a line
    and called what it is, as either may be a question, or several sentences."""
    return f"- {pack.labelled('asked', question)}\n  {pack.labelled('decided', answer)}"


def page_in_words(page: str, pack: LanguagePack, overtaken: Collection[str] = ()) -> str:
    """Returns the page of what she decided as it is told, without the rows that are `overtaken`;
    what she wrote there in her own way stands as it is."""
    rows = rows_without(page, overtaken.__contains__) if overtaken else page.splitlines()
    return "\n".join(_row_in_words(row, pack) for row in rows)


def _row_in_words(row: str, pack: LanguagePack) -> str:
    question, arrow, answer = row.removeprefix("- ").partition(_ARROW)
    is_of_hers = arrow and row.startswith("- ")
    return asked_and_decided(question, answer, pack) if is_of_hers else row


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
        is_own = number == chapter and own is not None
        evaluation = own if is_own else none_if_damaged(partial(store.evaluation, number))
        if evaluation is not None:
            kinds = here if number == chapter else _SETTLES
            rows += (_AnswerOfHers(number, row) for row in _answers(evaluation, pack, kinds))
    return rows


def _answers(evaluation: Evaluation, pack: LanguagePack, kinds: Collection[str]) -> Iterator[str]:
    for choice in evaluation.counsel:
        if choice.kind == "decide" and choice.answer in kinds:
            yield asked_and_decided(_question(choice, pack), _answer(choice, pack), pack)


def _question(choice: Counsel, pack: LanguagePack) -> str:
    return " ".join(words_for_the_book(choice.issue, pack.language).split())


_NOT_HERE = {
    "next": "for the next chapter; here the pages stand as they are",
    "wish": "for another draft; here the pages stand as they are",
}
"""The answers that say nothing of the pages that were read."""


def _answer(choice: Counsel, pack: LanguagePack) -> str:
    words = choice.answer_words.strip() or pack.label("meant as it is")
    where = _NOT_HERE.get(choice.answer or "")
    return pack.labelled(where, words) if where else words

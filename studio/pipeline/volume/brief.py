"""The brief after every fifth chapter: how the last chapters went, computed by code alone (seed D4,
E7).

Means and curves of the judge's scores, the chapters that need another look, what the state does not
know, promises that are late, and the total cost. No model is called and no text is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from studio.book.as_of import StoryAt
from studio.messages import Said, chapters_named, join, said
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, Decision
from studio.story.form.document import Value, Words
from studio.story.form.validation import read_document
from studio.story.ledger import UsageLedger, dollars
from studio.story.novel import clause
from studio.story.review.evaluation import SCORE_NAMES, Evaluation
from studio.story.review.scores import score_words
from studio.story.state import Delta
from studio.story.state_words import change_by_names

MOST_GAPS = 3
"""The number of chapters unknown to the state at which a rebuild is offered (seed E7)."""
MOST_NAMED = 8
"""The most chapters that are named one by one."""


def rebuild_offer(gaps: Sequence[int]) -> str | None:
    """Returns a sentence that offers the rebuild; None while there are too few gaps for one."""
    if len(gaps) < MOST_GAPS:
        return None
    which = " ".join(map(str, gaps)) if len(gaps) <= MOST_NAMED else "--all"
    return said(
        "The story's state knows nothing of {count} chapters; `studio rebuild {which}` reads "
        "them again.",
        count=len(gaps),
        which=which,
    )


def held_back_sentence(chapters: Sequence[int]) -> str:
    """Returns a sentence about the chapters of which changes were left out of the state."""
    return said(
        "The text does not bear out everything that was noted of {chapters}, and the book takes no"
        " note of the rest. `studio rebuild {first}` reads a chapter again.",
        chapters=chapters_named(chapters),
        first=chapters[0],
    )


EVERY = 5
"""Chapters from one brief to the next (seed D4)."""
PROBLEM_BELOW = 3.5
"""The overall score below which a chapter is worth another look: the gate would have sent it
back (seed D3)."""

_CONSEQUENCES = {
    "go-on": said("The next chapter is written when you ask for it."),
    "look-back": said(
        "Read the chapters named here again: `studio status N` shows how one was read, "
        "`studio write N --again` reviews it anew."
    ),
    "adjust": said(
        "Change plans, rules or settings before the next chapter; `studio plan` has the "
        "chapters ahead."
    ),
}


class ProblemChapter(Value):
    """A chapter that is worth another look."""

    chapter: int
    reasons: tuple[str, ...]


class LatePromise(Value):
    """A promise that should have been paid by now."""

    id: str
    due: int
    description: str = ""


class ChangesHeldBack(Value):
    """The changes of one chapter that were left out of the state."""

    chapter: int
    changes: tuple[Words, ...]


class Brief(Value):
    """How the last chapters went."""

    schema_version: int = 1
    first: int
    last: int
    mean: float | None
    """The mean of the overall scores of these chapters; None if nobody judged one."""
    book_mean: float | None
    """The mean of the overall scores of all chapters of the book."""
    means: dict[str, float | None]
    """The mean of each of the eight scores over these chapters."""
    curves: dict[str, tuple[float | None, ...]]
    """`overall` and each score, one value per chapter from `first` to `last`."""
    problem_chapters: tuple[ProblemChapter, ...]
    state_gaps: tuple[int, ...]
    """All chapters that the story's state knows nothing of."""
    held_back: tuple[ChangesHeldBack, ...] = ()
    """The changes that were left out of the state because the text does not bear them out."""
    left_open: tuple[int, ...] = ()
    """The chapters that went into the book with something that is the author's to decide."""
    rebuild_offered: bool
    overdue_promises: tuple[LatePromise, ...]
    cost_usd: float
    """US dollars that the calls for these chapters cost."""
    book_cost_usd: float

    @property
    def has_undecided(self) -> bool:
        """Whether something of these chapters is still to be read, judged or decided."""
        is_unjudged = None in self.curves["overall"]
        return bool(is_unjudged or self.state_gaps or self.held_back or self.left_open)


def brief_of(store: ProjectStore, last: int) -> Brief:
    """Returns the brief on the five chapters up to `last`, or as many as there are.

    StudioError (exit 5) for an evaluation, a delta or a plan that cannot be read.
    """
    checkpoint = store.checkpoint()
    first = max(1, last - EVERY + 1)
    evaluations = {number: store.evaluation(number) for number in range(1, last + 1)}
    recent = {number: evaluations[number] for number in range(first, last + 1)}
    curves = _curves(recent)
    ledger = UsageLedger(store.journal.usage_entries())
    return Brief(
        first=first,
        last=last,
        mean=_mean(curves["overall"]),
        book_mean=_mean(e.overall if e else None for e in evaluations.values()),
        means={name: _mean(curves[name]) for name in SCORE_NAMES},
        curves=curves,
        problem_chapters=tuple(_problems(checkpoint, recent)),
        state_gaps=checkpoint.state_gap,
        held_back=tuple(_held_back(store, n) for n in recent if n in checkpoint.held_back),
        left_open=tuple(number for number in recent if number in checkpoint.left_open),
        rebuild_offered=rebuild_offer(checkpoint.state_gap) is not None,
        overdue_promises=tuple(_late(store, last, checkpoint.current_volume)),
        cost_usd=sum(ledger.spent(number).usd for number in recent),
        book_cost_usd=ledger.spent().usd,
    )


def _held_back(store: ProjectStore, chapter: int) -> ChangesHeldBack:
    """Returns what history has of the changes that a chapter's commit left out."""
    path = store.layout.staged_delta(chapter)
    newest = next(reversed(store.history.versions(path)), None)
    delta = read_document(Delta, store.history.blob(newest.sha), path) if newest else None
    listed = [one.change for one in delta.held_back] if delta else []
    name_of = StoryAt(store, chapter).name_of
    return ChangesHeldBack(
        chapter=chapter,
        changes=tuple(change_by_names(one.plain, name_of) for one in listed),
    )


def _curves(evaluations: Mapping[int, Evaluation | None]) -> dict[str, tuple[float | None, ...]]:
    readings = list(evaluations.values())
    curves = {"overall": tuple(e.overall if e else None for e in readings)}
    for name in SCORE_NAMES:
        curves[name] = tuple(
            dict(e.scores.items())[name].score if e and e.scores else None for e in readings
        )
    return curves


def _mean(values: Iterable[float | None]) -> float | None:
    """Returns the mean of the values that are not None, to two places."""
    present = [value for value in values if value is not None]
    return round(fmean(present), 2) if present else None


def _problems(
    checkpoint: Checkpoint, evaluations: Mapping[int, Evaluation | None]
) -> Iterable[ProblemChapter]:
    for number, evaluation in evaluations.items():
        reasons: list[str] = []
        overall = evaluation.overall if evaluation else None
        if overall is not None and overall < PROBLEM_BELOW:
            reasons.append(said("scored {overall} of 5", overall=score_words(overall)))
        if number in checkpoint.violations_open and evaluation is not None:
            reasons += [
                said("breaks a rule: {rule}", rule=v.rule) for v in evaluation.open_high_violations
            ]
        if number in checkpoint.force_passed:
            reasons.append(said("passed after two revisions"))
        if reasons:
            yield ProblemChapter(chapter=number, reasons=tuple(reasons))


def _late(store: ProjectStore, last: int, volume: int) -> Iterable[LatePromise]:
    for promise in StoryAt(store, last + 1).promises(volume).values():
        if promise.is_overdue(last + 1) and promise.plan.due is not None:
            plan = promise.plan
            yield LatePromise(id=promise.id, due=promise.plan.due, description=plan.description)


def sentences_of(brief: Brief) -> tuple[str, ...]:
    """Returns the brief for a person, one finding per sentence."""
    rows = [_scores_sentence(brief)]
    rows += [
        said("Chapter {inflight}: {words}.", inflight=p.chapter, words=join(p.reasons, "; "))
        for p in brief.problem_chapters
    ]
    if not (brief.problem_chapters or brief.has_undecided):
        rows.append(said("No chapter needs another look."))
    if brief.left_open:
        which = chapters_named(brief.left_open)
        rows.append(said("Something in {chapters} is yours to decide.", chapters=which))
    if offer := rebuild_offer(brief.state_gaps):
        rows.append(offer)
    elif brief.state_gaps:
        gaps = chapters_named(brief.state_gaps)
        rows.append(said("Not read into the story's state yet: {gaps}.", gaps=gaps))
    for left in brief.held_back:
        rows += [
            said(
                "Chapter {chapter}, left out of the story's state: {entry}.",
                chapter=left.chapter,
                entry=entry,
            )
            for entry in left.changes
        ]
    for promise in brief.overdue_promises:
        about = clause(promise.description or promise.id)
        rows.append(
            said("Overdue since chapter {due}: {description}.", due=promise.due, description=about)
        )
    rows.append(
        said(
            "Cost: {dollars}, the book {dollars2}.",
            dollars=dollars(brief.cost_usd),
            dollars2=dollars(brief.book_cost_usd),
        )
    )
    return tuple(rows)


def _scores_sentence(brief: Brief) -> str:
    if brief.mean is None:
        return said("Nobody has judged these chapters.")
    curve = ", ".join("-" if v is None else score_words(v) for v in brief.curves["overall"])
    weakest = min(
        (name for name in SCORE_NAMES if brief.means[name] is not None),
        key=lambda name: brief.means[name] or 0.0,
    )
    words = Said(weakest.replace("_", " "))
    return said(
        "Mean {mean} of 5 ({curve}), the book {book_mean}; weakest: {measure} {means}.",
        mean=score_words(brief.mean),
        curve=curve,
        book_mean=score_words(brief.book_mean or 0),
        measure=words,
        means=score_words(brief.means[weakest] or 0),
    )


def question_of(brief: Brief) -> Decision:
    """Returns the question to a writer who is asked."""
    troubled = brief.problem_chapters or brief.rebuild_offered or brief.overdue_promises
    return Decision(
        id=f"brief-{brief.last:03d}",
        kind="brief",
        recommendation="look-back" if troubled else "go-on",
        options=tuple(_CONSEQUENCES),
        rationale=said(
            "Chapters {first} to {last} are in the book. How do they stand?",
            first=brief.first,
            last=brief.last,
        ),
        data={
            "notes": list(sentences_of(brief)),
            "brief": brief.model_dump(mode="json"),
            "options": dict(_CONSEQUENCES),
        },
    )

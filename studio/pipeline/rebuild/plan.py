"""Which chapters a rebuild covers, and what can be said of it before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from studio.errors import damaged, usage
from studio.messages import said
from studio.pipeline.chapter.records import left_to_rebuild
from studio.project import changelog as log
from studio.project.store import ProjectStore
from studio.project.watch.moved_chapters import whereabouts
from studio.story.checkpoint import Checkpoint
from studio.story.consistency import Disagreement, disagreements
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import Value
from studio.story.ledger import Estimate
from studio.story.state import Delta

Why = Literal["changed", "named", "interrupted"]


@dataclass(frozen=True, slots=True)
class RebuildOrder:
    """The writer's order: these chapters, all, or those changed by hand."""

    chapters: tuple[int, ...] = ()
    everything: bool = False


class RebuiltChapter(Value):
    """A chapter that is summarized again."""

    chapter: int
    title: str
    why: Why
    status: Literal["planned", "rebuilt"] = "planned"
    most_usd: float | None = None
    """The most its call can cost; None if that is unknown, 0 without a call."""


class RebuildReport(Value):
    """What a rebuild will do, or has done."""

    schema_version: Literal[1] = 1
    chapters: tuple[RebuiltChapter, ...] = ()
    replayed: tuple[int, ...] = ()
    """Chapters whose own changes are folded on top again, unchanged."""
    stale: tuple[Disagreement, ...] = ()
    """Before: what depends on the chapters to be rebuilt. After: what no longer agrees."""
    findings: tuple[ContinuityFinding, ...] = ()
    """After: what the detectors find in the chapters after the first that was rebuilt."""
    checked: tuple[int, ...] = ()
    """After: the chapters that the detectors checked."""
    missing: tuple[int, ...] = ()
    """Committed chapters whose files are gone or hold no prose; they are left alone."""
    moved: tuple[str, ...] = ()
    """Chapters that were renamed, moved or swapped, in sentences."""
    gaps: tuple[int, ...] = ()
    """Chapters that the state knows nothing of and that the order does not name."""
    about_usd: float | None = None
    """What all calls will probably cost; None if a price is unknown."""
    most_usd: float | None = None
    model: str = ""

    @property
    def cost(self) -> Estimate:
        """What all calls together will cost."""
        return Estimate(self.about_usd, self.most_usd)


def chapters_to_rebuild(
    store: ProjectStore, order: RebuildOrder, checkpoint: Checkpoint
) -> tuple[list[RebuiltChapter], list[int], tuple[str, ...]]:
    """Returns the chapters to rebuild, ascending; those without a text; and what was moved.

    A chapter that changed places has the text at its new place from then on; one that holds a copy
    of another is read only if it is named. An interrupted rebuild is resumed if the order covers
    what is left of it. StudioError: a named chapter was never committed (exit 2), or its file is
    gone or holds no prose (exit 5).
    """
    committed = log.entries_that_count(log.ChangelogFile(store.root).read_trusted().entries)
    now = whereabouts(store)
    in_work = checkpoint.inflight_chapter
    _is_not_in_work(order.chapters, in_work)
    committed.pop(in_work or 0, None)  # it is read when it goes into the book
    edits = [edit for edit in store.hand_edits() if edit.chapter != in_work]
    without_prose = [edit.chapter for edit in edits if not _has_prose(store, edit.chapter)]
    edited = {edit.chapter for edit in edits} - set(without_prose)
    _may_be_rebuilt(order.chapters, committed, without_prose)
    unfinished = set(left_to_rebuild(checkpoint)) & set(committed) - set(without_prose)
    bare = not order.everything and not order.chapters
    numbers = set(committed) - set(without_prose) if order.everything else set(order.chapters)
    if bare:
        numbers = (edited - set(now.doubled)) | unfinished
    elif unfinished and unfinished <= numbers:
        numbers = unfinished | (edited & numbers)
    else:
        unfinished = set()
    chapters = [
        RebuiltChapter(chapter=n, title=_title(store, n), why=_why(n, edited, unfinished))
        for n in sorted(numbers)
    ]
    untold = [number for number in without_prose if number not in now.moved]
    return chapters, untold, now.sentences if now.moved or now.doubled else ()


def gaps_beside(
    store: ProjectStore, checkpoint: Checkpoint, chapters: Iterable[int]
) -> tuple[int, ...]:
    """Returns chapters with prose that the state knows nothing of, without `chapters`."""
    others = set(checkpoint.state_gap) - set(chapters)
    return tuple(number for number in sorted(others) if _has_prose(store, number))


def foreseen(store: ProjectStore, chapters: Iterable[int]) -> tuple[list[int], list[Disagreement]]:
    """Returns later chapters whose deltas are folded again, and what in them depends on these
    chapters.

    What the author herself stated about the chapters survives the reading and does not count.
    """
    deltas = deltas_of(store)
    first = min(chapters, default=None)
    if first is None:
        return [], []
    without = {
        n: delta.model_copy(update={"ops": delta.authors_word}) if n in set(chapters) else delta
        for n, delta in deltas.items()
    }
    later = [n for n in deltas if n > first and n not in set(chapters)]
    return later, disagreements_in_words(store, deltas, without)


def disagreements_in_words(
    store: ProjectStore, before: Mapping[int, Delta], after: Mapping[int, Delta]
) -> list[Disagreement]:
    """Returns what no longer fits, each promise with what it promises: an id says nothing."""
    promises = {promise.id: promise.description for promise in store.foreshadowing().promises}

    def name(one: Disagreement) -> Disagreement:
        about = one.op.about or promises.get(one.op.path, "")
        is_promise = one.op.op == "foreshadow"
        op = one.op.model_copy(update={"about": about}) if is_promise else one.op
        return one.model_copy(update={"op": op})

    return [name(one) for one in disagreements(before, after)]


def deltas_of(store: ProjectStore) -> dict[int, Delta]:
    """Returns the delta in force for each chapter."""
    return {n: e.delta() for n, e in log.entries_that_count(store.changelog().entries).items()}


def _may_be_rebuilt(
    numbers: Iterable[int], committed: Mapping[int, object], without_prose: Iterable[int]
) -> None:
    absent = set(without_prose)
    for number in numbers:
        if number not in committed:
            raise usage(
                said(
                    "Chapter {number} was never committed; there is nothing to rebuild.",
                    number=number,
                ),
                said("Run `studio write {number}` to bring it into the book.", number=number),
            )
        if number in absent:
            raise damaged(
                said(
                    "Chapter {number} is committed, but its file is gone or holds no prose.",
                    number=number,
                ),
                said("Put it back, or run `studio history restore {number}`.", number=number),
            )


def _is_not_in_work(numbers: Iterable[int], in_work: int | None) -> None:
    if in_work is not None and in_work in numbers:
        raise usage(
            said(
                "Chapter {chapter} is in progress itself; it is read when it goes into the book.",
                chapter=in_work,
            ),
            said("Run `studio resume` to go on with it."),
        )


def _why(chapter: int, edited: set[int], unfinished: set[int]) -> Why:
    if chapter in edited:
        return "changed"
    return "interrupted" if chapter in unfinished else "named"


def _has_prose(store: ProjectStore, number: int) -> bool:
    chapter = store.chapter(number)
    return chapter is not None and bool(chapter.paragraphs)


def _title(store: ProjectStore, number: int) -> str:
    chapter = store.chapter(number)
    return (chapter.title if chapter else None) or ""

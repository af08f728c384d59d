"""How the book stands with its promises, as `status` and a review report it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field

from studio.book.as_of import StoryAt
from studio.book.plans import PlansOnce
from studio.book.promise_changes import promises_now
from studio.book.promises import PromiseSoFar, TasksOfChapter, tasks_of
from studio.messages import Said, chapters_named, said
from studio.project import changelog as log
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.form.document import Value, Words
from studio.story.state import Delta

_UNDONE = {
    "plant": said("Chapter {chapter} should have planted but has not: {name}."),
    "advance": said("Chapter {chapter} should have advanced but has not: {name}."),
    "resolve": said("Chapter {chapter} should have paid but has not: {name}."),
}

_UNCHECKED = said(
    "Nobody has checked whether {which} did what was planned for promises; `studio"
    " promises settle` records it."
)
_UNCHECKED_IN_WORK = said(
    "Nobody has checked whether {which} does what is planned for promises; once it is"
    " in the book, `studio promises settle` records it."
)


class UndoneTask(Value):
    """A task of a contract that no event of the chapter carries out."""

    chapter: int
    id: str
    action: str
    checked: bool
    """False where no model read the chapter, so the answer is unknown."""


class PromiseStanding(Value):
    """Ids of promises by their standing at the end of the book, and undone tasks."""

    open: tuple[str, ...] = ()
    overdue: tuple[str, ...] = ()
    dormant: tuple[str, ...] = ()
    undone: tuple[UndoneTask, ...] = Field(default=())
    sentences: tuple[Words, ...] = ()


def standing_of(store: ProjectStore, plans: PlansOnce) -> PromiseStanding:
    """Returns the standing of the whole book. StudioError (exit 5) for unreadable plans."""
    following = store.checkpoint().last_completed_chapter + 1
    promises = promises_now(store)
    overdue = [p for p in promises.values() if p.is_overdue(following)]
    undone = tuple(task for chapter in _chapters(store, plans) for task in rows_of(chapter))
    return PromiseStanding(
        open=tuple(p.id for p in promises.values() if p.is_open),
        overdue=tuple(p.id for p in overdue),
        dormant=tuple(p.id for p in promises.values() if p.is_dormant(following)),
        undone=undone,
        sentences=tuple(_sentences(promises, overdue, undone, _UNCHECKED)),
    )


def standing_in_review(
    store: ProjectStore, contract: ChapterContract, delta: Delta | None
) -> PromiseStanding:
    """Returns what a chapter in work leaves open: its tasks, and what is overdue after it."""
    story = StoryAt(store, contract.chapter)
    promises = story.promises(contract.volume)
    resolved = {op.path for op in delta.ops if op.value == "resolve"} if delta else set()
    undone = tuple(rows_of(tasks_of(contract, delta)))
    overdue = [
        p for p in promises.values() if p.id not in resolved and p.is_overdue(contract.chapter + 1)
    ]
    return PromiseStanding(
        overdue=tuple(p.id for p in overdue),
        undone=undone,
        sentences=tuple(_sentences(promises, overdue, undone, _UNCHECKED_IN_WORK)),
    )


def _sentences(
    promises: Mapping[str, PromiseSoFar],
    overdue: Iterable[PromiseSoFar],
    tasks: tuple[UndoneTask, ...],
    unread: Said,
) -> Iterator[str]:
    """Yields overdue promises and tasks in the writer's words; unchecked tasks are listed in one
    sentence, `unread`."""
    for promise in overdue:
        name, due = promise.plan.clause, promise.plan.due
        yield said("Overdue: {name} (due in chapter {chapter}).", name=name, chapter=due)
    for task in tasks:
        if task.checked:
            what = promises[task.id].plan.clause if task.id in promises else task.id
            yield _UNDONE[task.action].format(chapter=task.chapter, name=what)
    unchecked = sorted({task.chapter for task in tasks if not task.checked})
    if unchecked:
        yield unread.with_values(which=chapters_named(unchecked))


def rows_of(chapter: TasksOfChapter) -> Iterator[UndoneTask]:
    """Yields the tasks of a chapter, checked ones first."""
    for tasks, checked in ((chapter.undone, True), (chapter.unchecked, False)):
        for task in tasks:
            yield UndoneTask(
                chapter=chapter.chapter, id=task.id, action=task.action, checked=checked
            )


def _chapters(store: ProjectStore, plans: PlansOnce) -> Iterator[TasksOfChapter]:
    for number, entry in log.entries_that_count(store.changelog().entries).items():
        contract = plans.of(number)
        if contract is not None and contract.foreshadowing:
            yield tasks_of(contract, entry.delta())

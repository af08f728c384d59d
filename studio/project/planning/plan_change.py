"""One change of the plans: all of its files together, with history, and undoable.

It is a commit without a chapter: first a manifest, then every file is put in place, so that a kill
leaves all of it or nothing. The replaced files are in history, and the latest changes are listed in
.studio/plan-changes.json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

from pydantic import Field

from studio.chapter_names import label_chapters
from studio.errors import Exit, Problem, StudioError, usage
from studio.fsio import first_sha, sha256_hex
from studio.i18n import N_
from studio.messages import Said, said
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.transaction import PLANS, commit
from studio.project.commit.writing import hold_for_writing
from studio.project.contents import labels_of
from studio.project.files import load
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.lock.lock import ProjectLock
from studio.project.planning.chapter_references import Renumbering
from studio.project.store import ProjectStore
from studio.project.unsaved import has_unsaved
from studio.story.chapter_list import ChapterId, ChapterList
from studio.story.checkpoint import Checkpoint, Decision
from studio.story.form.document import Document, Value, Words, to_bytes
from studio.story.form.ids import Sha256
from studio.story.form.validation import read_document

T = TypeVar("T")
MOST = 100
"""The number of latest changes that can be undone."""
MADE_FROM = "made_from"
"""The key in a question's data for the sha256 of each file that it was made from."""


_TAKEN_BACK: Mapping[str, str] = {
    "The plan of chapter {number} was changed.": N_(
        "The plan of chapter {number} is as it was before."
    ),
    "Chapter {number} was added.": N_("Chapter {number} is out of the plan again."),
    "Chapter {number} was renamed.": N_("Chapter {number} has its former name again."),
    "Chapter {number} was moved to {to}.": N_("Chapter {number} is back in its place."),
    "Chapter {number} was moved.": N_("Chapter {number} is back in its place."),
    "Chapter {number} was split.": N_("Chapter {number} is whole again."),
    "Chapter {number} was taken out.": N_("Chapter {number} is in the plan again."),
    "The brief was changed.": N_("The brief is as it was before."),
    "The style was changed.": N_("The style is as it was before."),
    "What is known of {name} was changed.": N_("{name}: as it was before."),
    "The note on {name} was changed.": N_("The note on {name} is as it was before."),
    "The line {title} was changed.": N_("The line {title} is as it was before."),
    "A promise was changed.": N_("The promise is as it was before."),
    "A secret was changed.": N_("The secret is as it was before."),
}
"""What is said when a step is taken back, by what was said when it was made."""


def taken_back(title: str) -> Said:
    """Returns the sentence that says that a step with this title is taken back."""
    if isinstance(title, Said) and isinstance(title.values, Mapping) and title.id in _TAKEN_BACK:
        return Said(_TAKEN_BACK[title.id], title.values)
    return said("Taken back: {title}", title=title)


class PlanStep(Value):
    """A completed change, with the data needed to undo it."""

    id: str
    title: Words
    """A description of the change, in a sentence for the writer."""
    ts: str
    before: dict[str, Sha256 | None]
    """The sha256 of each file before the change, by path; None for no file."""
    after: dict[str, Sha256 | None]
    numbers: dict[int, int] = Field(default_factory=dict)
    """The old and new number of each renumbered chapter."""
    removed: dict[int, ChapterId] = Field(default_factory=dict)
    """The id of each chapter that is no longer planned, by the number it had."""


class PlanChanges(Document):
    """.studio/plan-changes.json: the latest changes, oldest first."""

    SCHEMA: ClassVar[str] = "plan-changes"
    MESSAGES: ClassVar[bool] = True

    steps: tuple[PlanStep, ...] = ()


class PlanFiles:
    """The files a change will write and delete, by path; None deletes one. `checkpoint` is written
    with them if the change answers a question."""

    def __init__(
        self,
        title: str,
        numbers: Renumbering | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.title = title
        self.numbers = numbers or Renumbering({})
        self.checkpoint = checkpoint
        self.removed: Mapping[int, str] = {}
        """The ids of chapters that are no longer planned, by number."""
        self.returned: Mapping[str, int] = {}
        """The numbers of chapters that are planned again, by id."""
        self.files: dict[str, bytes | None] = {}

    @property
    def in_the_logs(self) -> dict[str, int | str]:
        """The new number of each chapter that gets one, as the logs are told it: a chapter that is
        no longer planned goes by its id, and one that was joined to another by that one's
        number."""
        new_numbers = {str(old): new for old, new in self.numbers.numbers.items() if old != new}
        joined = {str(old): new for old, (new, _) in self.numbers.joins.items()}
        removed = {str(n): name for n, name in self.removed.items() if str(n) not in joined}
        return {**new_numbers, **joined, **removed, **self.returned}

    @property
    def kept_texts(self) -> tuple[dict[Any, int | str], dict[int, int]]:
        """The number under which each chapter's variations are kept from now on, its id for one
        that is no longer planned; and the chapter that each joined one was joined to."""
        new_numbers = {old: new for old, new in self.numbers.numbers.items() if old != new}
        names: dict[Any, int | str] = {**new_numbers, **self.removed, **self.returned}
        return names, {old: new for old, (new, _) in self.numbers.joins.items()}


@contextmanager
def hold_for_planning(store: ProjectStore) -> Iterator[ProjectLock]:
    """Holds the novel for a change of its plans, after finishing an interrupted one.

    Raises StudioError (exit 3) while somebody writes the novel.
    """
    with hold_for_writing(store) as work:
        yield work.lock


def carry(store: ProjectStore, lock: ProjectLock, draft: PlanFiles) -> PlanStep | None:
    """Makes the change completely or not at all; returns None if it would change no file."""
    return _put(store, lock, draft, _steps(store))


def made_from(store: ProjectStore, paths: Iterable[str]) -> dict[str, str | None]:
    """Returns what a question about a change says of the files it was made from: the sha256 of what
    was seen in each; None for no file."""
    return {path: first_sha(store.root, path) for path in sorted(set(paths))}


def changed_since(store: ProjectStore, question: Decision) -> str | None:
    """Returns a file that was changed since the question about it was made; None if there is none,
    or if an earlier version of the studio asked, which did not say what it saw."""
    shas: Mapping[str, str | None] = question.data.get(MADE_FROM) or {}
    return next((path for path, sha in shas.items() if store.root.sha(path) != sha), None)


def not_taken_over(path: str, hint: str) -> StudioError:
    """Returns the error (exit 4) for a proposal that would overwrite a later edit of a file."""
    return StudioError(
        Problem(
            said("{path} was changed since this was asked; nothing was taken over.", path=path),
            hint,
            exit_code=Exit.DECIDE,
            kind="hand_edit",
        )
    )


def last_change(store: ProjectStore) -> PlanStep | None:
    """Returns the change that `undo` would revert."""
    steps = _steps(store)
    return steps[-1] if steps else None


def undo(store: ProjectStore) -> PlanStep:
    """Reverts the latest change of the plans and returns it; takes the lock.

    Raises StudioError (exit 2) if there is none, or if one of its files, which is named, was
    changed since.
    """
    with hold_for_planning(store) as lock:
        steps = _steps(store)
        if not steps:
            raise usage(said("There is no change of the plans to take back."))
        step = steps[-1]
        numbers = Renumbering(step.numbers)
        texts = {place(n) for place in _places_of_texts(store) for n in _renumbered(numbers)}
        for path, sha in step.after.items():
            if path not in texts and store.root.sha(path) != sha:
                raise StudioError(
                    Problem(
                        said(
                            "{path} was changed since; taking this back would lose that: {title}",
                            path=path,
                            title=step.title,
                        ),
                        said(
                            "Change it by hand, or bring an earlier version back: `studio history`."
                        ),
                        exit_code=Exit.USAGE,
                        kind="usage",
                    )
                )
        draft = PlanFiles(step.title, numbers.inverse)
        draft.returned = {name: number for number, name in step.removed.items()}
        for path, sha in step.before.items():
            if path not in texts:
                draft.files[path] = None if sha is None else store.history.blob(sha)
        added = _added_by(store, draft)
        now = store.checkpoint()
        fixed = max(now.last_completed_chapter, now.inflight_chapter or 0)
        for number in sorted({*_renumbered(numbers), *added}):
            refuse_begun(number, said("moved"), inflight=now.inflight_chapter, fixed=fixed)
        for number in added:
            refuse_orphan(store, number)
        draft.files |= texts_under(store, draft.numbers)
        _put(store, lock, draft, steps[:-1], is_step=False)
        return step


def _added_by(store: ProjectStore, draft: PlanFiles) -> list[int]:
    """Returns the numbers of the chapters that a change takes back, which it leaves unplanned."""
    data = draft.files.get(places.CHAPTER_LIST)
    if places.CHAPTER_LIST not in draft.files:
        return []
    former = read_document(ChapterList, data, places.CHAPTER_LIST) if data else ChapterList()
    present = [c for c in store.chapter_list().chapters if not c.shelf]
    ids = {former.id_of(draft.numbers(c.number)) for c in present}
    ids |= {chapter.id for chapter in former.chapters}
    return [c.number for c in present if c.id not in ids]


def _renumbered(numbers: Renumbering) -> set[int]:
    """Returns the old and the new numbers of the chapters that get another one."""
    return {n for pair in numbers.numbers.items() if len(set(pair)) > 1 for n in pair}


def refuse_begun(number: int, deed: str, *, inflight: int | None, fixed: int) -> None:
    """Raises StudioError (exit 2) for a chapter that is in progress (`inflight`) or in the book, up
    to `fixed`: it keeps its number and cannot be `deed` (as in "moved")."""
    if number == inflight:
        raise usage(
            said(
                "Chapter {number} is being written and cannot be {deed}.", number=number, deed=deed
            ),
            said("Finish it, or discard it first."),
        )
    if 0 < number <= fixed:
        raise usage(
            said(
                "Chapter {number} is in the book and keeps its number: it cannot be {deed}.",
                number=number,
                deed=deed,
            ),
            said("Chapters from {fixed} on can.", fixed=fixed + 1),
        )


def _places_of_texts(store: ProjectStore) -> tuple[Callable[[int], str], ...]:
    """Returns the paths of the texts that may wait for a chapter, by its number."""
    return store.layout.imported_draft, store.layout.chapter


def texts_under(store: ProjectStore, numbers: Renumbering) -> dict[str, bytes | None]:
    """Returns the texts that wait for their chapters, under their new names."""
    moved: dict[str, bytes | None] = {}
    for place in _places_of_texts(store):
        texts = {n: store.root.find(place(n)) for n in numbers.numbers}
        changed = {n for n in texts if texts[n] is not None and numbers(n) != n}
        moved.update(dict.fromkeys(place(n) for n in changed))
        moved.update({place(numbers(n)): texts[n] for n in changed})
    return moved


def refuse_orphan(store: ProjectStore, number: int) -> None:
    """Refuses a chapter with a waiting text: a change of plans must not orphan the writer's
    text."""
    for place in _places_of_texts(store):
        path = place(number)
        if store.root.info(path) is not None:
            raise usage(
                said(
                    "Chapter {number} already has a text; its plan cannot be taken out without it.",
                    number=number,
                ),
                said("The text is {path}: write the chapter, or move the file away.", path=path),
            )
    if has_unsaved(store, number):
        raise usage(
            said(
                "Chapter {number} has unsaved text; its plan cannot be taken out without it.",
                number=number,
            ),
            said("Open its text and its plan in the app, and save what is there or empty it."),
        )


def _steps(store: ProjectStore) -> tuple[PlanStep, ...]:
    """Returns the listed changes; empty if the list is unreadable, as it holds none of the writer's
    work."""
    try:
        changes = load.document(store.root, PlanChanges, places.PLAN_CHANGES)
    except StudioError:
        return ()
    return changes.steps if changes else ()


def _put(
    store: ProjectStore,
    lock: ProjectLock,
    draft: PlanFiles,
    steps: tuple[PlanStep, ...],
    *,
    is_step: bool = True,
) -> PlanStep | None:
    old = {path: store.root.find(path) for path in draft.files}
    fresh = {path: data for path, data in draft.files.items() if data != old[path]}
    if not fresh and draft.checkpoint is not None:
        store.save_checkpoint(draft.checkpoint)
        return None
    checkpoint = _checkpoint_after(store, draft)
    if not fresh and not checkpoint:
        return None
    texts = Variations(store.layout).under_new_numbers(*draft.kept_texts)
    builder = CommitBuilder(store, PLANS, store.checkpoint().last_completed_chapter + 1)
    step = PlanStep(
        id=builder.commit_id,
        title=draft.title,
        ts=builder.ts,
        before={path: _sha(old[path]) for path in fresh},
        after={path: _sha(data) for path, data in fresh.items()},
        numbers={a: b for a, b in draft.numbers.numbers.items() if a != b},
        removed=dict(draft.removed),
    )
    _keep_old(store, {path: old[path] for path in fresh})
    listed = PlanChanges(steps=(*steps, *((step,) if is_step else ()))[-MOST:])
    builder.change(fresh)
    for path, data in texts.items():
        if data is None:
            builder.take_away(path)
        else:
            builder.put(path, data, to_history=False)
    builder.renumber(draft.in_the_logs)
    builder.put(places.PLAN_CHANGES, to_bytes(listed))
    plan = builder.plan(checkpoint)
    commit(store.layout, plan, lock)
    if places.CHAPTER_LIST in fresh:
        label_chapters(labels_of(store.layout))
    # A chapter written later was planned without these files: their history must not end with them.
    gone = [removal for removal in plan.removals if removal.path not in texts]
    store.history.keep_all([(removal.path, b"", Reason.TAKEN_AWAY) for removal in gone])
    return step


def _keep_old(store: ProjectStore, old: Mapping[str, bytes | None]) -> None:
    """Records the current versions in history before anything is replaced."""
    versions = [
        (path, data, Reason.BEFORE_NEW_PLANS) for path, data in old.items() if data is not None
    ]
    store.history.keep_all(versions)


def _checkpoint_after(store: ProjectStore, draft: PlanFiles) -> bytes:
    """Returns the checkpoint after the draft's answer, or with the chapter numbers of waiting
    wishes updated; empty if nothing changes."""
    if draft.checkpoint is not None:
        return to_bytes(draft.checkpoint.copy_with(updated_at=now()))
    numbers = draft.numbers
    checkpoint = load.document(store.root, Checkpoint, places.CHECKPOINT)
    if checkpoint is None:
        return b""
    orders = tuple(order.copy_with(chapter=numbers(order.chapter)) for order in checkpoint.orders)
    return b"" if orders == checkpoint.orders else to_bytes(checkpoint.copy_with(orders=orders))


def _sha(data: bytes | None) -> str | None:
    return None if data is None else sha256_hex(data)


def same_ones(
    present: Sequence[T], words: Sequence[str], words_of: Callable[[T], object]
) -> list[T | None]:
    """Returns for each entry of a new list which of the present ones it is: the one with its words,
    of two alike the one in its place first, or, if their number is unchanged, the one in its place.
    None is two of them."""
    left = dict(enumerate(present))
    same: dict[int, T] = {}
    for i, own in enumerate(words):
        if i in left and words_of(left[i]) == own:
            same[i] = left.pop(i)
    for i, own in enumerate(words):
        alike = (n for n, one in left.items() if words_of(one) == own)
        if i not in same and (n := next(alike, None)) is not None:
            same[i] = left.pop(n)
    if len(present) == len(words):
        same = left | same
    return [same.get(i) for i in range(len(words))]

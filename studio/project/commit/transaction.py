"""From staging to the book, as one: the manifest commit (seed B7, E4, DESIGN section 4).

A durable manifest is the commit point. Behind it everything is done again
after a kill until it is done: each step looks at what is there first. Before
it nothing of the book has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field, ValidationError, model_validator

from studio.errors import Exit, Problem, StudioError, damaged, failed
from studio.fsio import NOTHING_CHANGED, ChangedOnDisk, point, sha256_hex
from studio.project import layout as places
from studio.project.changelog import ChangelogFile, parse_entry
from studio.project.commit.placement import Placement as Placement
from studio.project.commit.placement import Placer, Removal, in_the_book
from studio.project.commit.rescue import bring_home
from studio.project.files import load
from studio.project.history.blobs import History
from studio.project.layout import Layout
from studio.project.lock.lock import ProjectLock
from studio.project.staging import Staging
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import Document, Value, to_bytes

PUT_BACK = "p"
"""How the id begins where chapters only get their places again."""
PLANS = "w"
"""How the id begins where plans and notes change, and nothing of the story."""
REWORDED = "n"
"""How the id begins where words are replaced over the book, and no event changes."""
RETIRED = "t"
"""How the id begins where somebody leaves the story or comes back."""
REASONS = {PUT_BACK: "put back", PLANS: "planned", REWORDED: "words replaced", RETIRED: "retired"}
"""What history says of a file that such a commit has put in its place."""
_WORKS = {
    PUT_BACK: "return of chapters to their places",
    PLANS: "change of the plans",
    REWORDED: "replacement of words over the book",
    RETIRED: "change of who is in the story",
}


def _work(commit_id: str, chapter: int) -> str:
    return _WORKS.get(commit_id[:1], f"commit of chapter {chapter}")


class Aside(Value):
    """A file's text that was made by a commit and is not the newest one: history alone keeps it."""

    path: str
    content: str


class CommitPlan(Document):
    """staging/commit/manifest.json: all that one commit changes."""

    SCHEMA: ClassVar[str] = "commit"

    commit_id: str = Field(min_length=1)
    chapter: int = Field(ge=1)
    ts: str
    placements: tuple[Placement, ...]
    removals: tuple[Removal, ...] = ()
    """What goes when all is in place."""
    asides: tuple[Aside, ...] = ()
    """What goes to history alone."""
    changelog_line: str = ""
    """Appended unless the changelog has this commit's line; empty where no event changes."""
    reworded: tuple[str, ...] = ()
    """Lines of the changelog, one a chapter, where only words changed in several at once."""
    checkpoint: str = ""
    """The new .checkpoint.json; empty where it stays."""

    @model_validator(mode="after")
    def _stays_in_its_folders(self) -> CommitPlan:
        if not self.commit_id.startswith((PLANS, REWORDED, RETIRED)):
            for path in (*(p.dst for p in self.placements), *(r.path for r in self.removals)):
                in_the_book(path)
        return self

    @property
    def work(self) -> str:
        """What the commit does, in words for the middle of a sentence."""
        return _work(self.commit_id, self.chapter)

    @property
    def lines(self) -> tuple[str, ...]:
        """All that it adds to the changelog."""
        return (*([self.changelog_line] if self.changelog_line else []), *self.reworded)

    @property
    def reason(self) -> str:
        """What history says of the files it puts in place."""
        return REASONS.get(self.commit_id[:1], "committed")

    @property
    def came_back(self) -> str:
        """The sentence about a commit that another program brought back."""
        return (
            f"Files of an earlier {self.work} have come back, as sync programs"
            " do. It was carried out before; the next command that writes sets them aside."
        )


@dataclass(frozen=True, slots=True)
class Committed:
    """The outcome of a commit: its chapter, and notes for the writer."""

    commit_id: str
    chapter: int
    notes: tuple[str, ...] = ()
    """What the writer should know: versions of hers that were found and kept."""
    returned: bool = False
    """It had been carried out before and came back: it was set aside, and nothing was replaced."""

    @property
    def work(self) -> str:
        """What was done, in words for the middle of a sentence."""
        return _work(self.commit_id, self.chapter)


class HandEdit(ChangedOnDisk):
    """A file that a commit would replace is not the one it was made for: the writer changed it.

    Nothing has been changed; `expected` and `actual` are sha256s (None: no file). Exit 4.
    """

    def __init__(self, path: str, expected: str | None, actual: str | None) -> None:
        change = "was deleted" if actual is None else "was changed outside of the studio"
        problem = Problem(
            f"{path} {change} since this chapter was begun; nothing was committed.",
            "The file and the text in staging are both kept. Choose with `studio decide`.",
            exit_code=Exit.DECIDE,
            kind="hand_edit",
        )
        super().__init__(problem, path, expected, actual)


def commit(
    layout: Layout,
    plan: CommitPlan,
    lock: ProjectLock,
    on_placed: Callable[[int], None] = lambda number: None,
) -> Committed:
    """Put a chapter into the book, whole or not at all; `on_placed` hears of each file by its
    number, from 1.

    HandEdit (exit 4) if a file in the book is not the expected one, exit 3 if
    the lock was lost, exit 1 if a staged file is not the planned one. After the
    commit point only the disk can fail, and `roll_forward` finishes.
    """
    root = layout.root
    lock.ensure_held()  # whoever took it may have changed all that is looked at next
    if root.info(places.MANIFEST) is not None:
        raise failed("A chapter is still on its way into the book.", "Run `studio resume`.")
    for placement in plan.placements:
        if placement.new_bytes(root) is None:
            raise failed(f"{placement.src} is no longer the file that was to be committed.")
    for placement in plan.placements:
        present = root.sha(placement.dst)
        if present != placement.expected:
            raise HandEdit(placement.dst, placement.expected, present)
    return carry_out(layout, plan, lock, on_placed)


def carry_out(
    layout: Layout,
    plan: CommitPlan,
    lock: ProjectLock,
    on_placed: Callable[[int], None] = lambda number: None,
) -> Committed:
    """Do what a plan says, all of it or nothing, the caller having looked at what is there.

    Exit 3 if the lock was lost. What was saved in a file since the plan was made is kept.
    """
    lock.ensure_held()
    point("commit.before_manifest")
    with layout.root.together():
        layout.root.write(places.MANIFEST, to_bytes(plan))
    point("commit.after_manifest")
    try:
        return _apply(layout, plan, on_placed)
    except StudioError as error:
        raise _unfinished(plan, error.problem) from error


def _unfinished(plan: CommitPlan, problem: Problem) -> StudioError:
    """Behind the commit point something has changed, whatever the file that failed says."""
    if problem.kind != "disk":
        return StudioError(problem)
    why = problem.message.removesuffix(NOTHING_CHANGED)
    return StudioError(
        problem._replace(
            message=f"The {plan.work} is not finished yet. {why}",
            hint=f"{problem.hint} `studio resume` finishes it; nothing is lost.".strip(),
        )
    )


def pending(layout: Layout) -> CommitPlan | None:
    """The commit that a kill left half done, or None. Reads only.

    StudioError (exit 5) if the manifest is not one of ours.
    """
    plan = _manifest(layout)
    return None if plan is None or _came_back(layout, plan) else plan


def returned_commit(layout: Layout) -> CommitPlan | None:
    """A commit of the past whose manifest another program brought back, or None. Reads only.

    StudioError (exit 5) as `pending`.
    """
    plan = _manifest(layout)
    return plan if plan is not None and _came_back(layout, plan) else None


def roll_forward(layout: Layout) -> Committed | None:
    """Finish a commit that was interrupted behind its commit point; None if there is none.

    May be killed anywhere and run again (N8). The caller holds the lock. An
    edit that the writer made meanwhile is kept beside what was committed. A
    commit that was carried out before goes to quarantine.
    """
    bring_home(layout)
    plan = _manifest(layout)
    if plan is None:
        return None
    layout.root.settle(places.GROWING)  # what is seen to be done must not come undone
    if _came_back(layout, plan):
        return _set_aside(layout, plan)
    return _apply(layout, plan)


def _manifest(layout: Layout) -> CommitPlan | None:
    data = layout.root.find(places.MANIFEST)
    if data is None:
        return None
    try:
        return CommitPlan.model_validate_json(data)
    except ValidationError as error:
        raise damaged(
            f"{places.MANIFEST} cannot be read: {error.errors()[0]['msg']}.",
            "Run `studio repair`.",
        ) from error


def _came_back(layout: Layout, plan: CommitPlan) -> bool:
    """Whether a manifest was carried out before, and the book has gone on since.

    With nothing changed since, only its staging is left to be cleared.
    """
    root = layout.root
    if not _is_recorded(layout, plan):
        return _superseded(layout, plan)
    same = all(root.sha(placement.dst) == placement.sha256 for placement in plan.placements)
    return not same or plan.checkpoint.encode() not in (b"", root.find(places.CHECKPOINT))


def _is_recorded(layout: Layout, plan: CommitPlan) -> bool:
    """Whether the last thing a commit leaves is there: its line in the changelog, or where it has
    none its lines in history, which come when all files are in place."""
    if plan.lines:
        entries = ChangelogFile(layout.root).read().entries
        own_lines = {parse_entry(line.encode()).commit_id for line in plan.lines}
        return own_lines <= {entry.commit_id for entry in entries}
    own = [v for v in History(layout.root).log() if v.commit_id == plan.commit_id]
    recorded = {(version.path, version.sha) for version in own if version.reason == plan.reason}
    return {(p.dst, p.sha256) for p in plan.placements if p.to_history} <= recorded


def _superseded(layout: Layout, plan: CommitPlan) -> bool:
    """Whether history has a later version of the chapter, or where the commit leaves its text alone
    of every file it kept there: nobody keeps one before an interrupted commit is finished."""
    newest, own = {}, set()
    for version in History(layout.root).log():
        newest[version.path] = version.commit_id
        if version.commit_id == plan.commit_id:
            own.add(version.path)
    own &= {placement.dst for placement in plan.placements}
    own = own & {layout.chapter(plan.chapter)} or own
    return bool(own) and all(newest[path] != plan.commit_id for path in own)


def _set_aside(layout: Layout, plan: CommitPlan) -> Committed:
    """Empty staging of a commit of the past: its manifest into quarantine, its texts to history,
    unless the same chapter is in work again."""
    root = layout.root
    checkpoint = load.document(root, Checkpoint, places.CHECKPOINT)
    History(root).quarantine(places.MANIFEST, root.read(places.MANIFEST))
    if checkpoint is None or checkpoint.inflight_chapter != plan.chapter:
        Staging(layout, plan.chapter).clear()
    _tidy(layout, plan)
    sentence = (
        f"Files of an earlier {plan.work} had come back, as sync programs do."
        " It was carried out long ago: they were set aside, and nothing was replaced."
    )
    return Committed(plan.commit_id, plan.chapter, (sentence,), returned=True)


def _apply(
    layout: Layout, plan: CommitPlan, on_placed: Callable[[int], None] = lambda number: None
) -> Committed:
    root, history = layout.root, History(layout.root)
    present = {placement.dst: root.find(placement.dst) for placement in plan.placements}
    numbered = [(n, p) for n, p in enumerate(plan.placements) if not p.is_made_of(present[p.dst])]
    pending_placements = [placement for _, placement in numbered]
    _ensure_prose(layout, plan, pending_placements)
    _keep_replaced(layout, plan, pending_placements, present)
    point("commit.after_history")
    placer = Placer(layout, plan.chapter, plan.commit_id, plan.ts)
    with root.together():
        for number, placement in enumerate(plan.placements):
            placer.take_in(number, placement)
        placer.bring_together(numbered)
        for number, placement in numbered:
            placer.place(number, placement)
            point("commit.after_placement")
            on_placed(number + 1)
        for removal in plan.removals:
            placer.take_away(removal)
    point("commit.after_placements")
    _keep_new(layout, history, plan)
    point("commit.after_versions")
    checkpoint = plan.checkpoint.encode()
    if checkpoint and root.find(places.CHECKPOINT) != checkpoint:
        root.write(places.CHECKPOINT, checkpoint)
    point("commit.after_checkpoint")
    if plan.lines:
        # Last of all: with these the commit is known to be done, whatever comes back of it.
        ChangelogFile(root).append_all([parse_entry(line.encode()) for line in plan.lines])
        point("commit.after_changelog")
    if plan.changelog_line:
        Staging(layout, plan.chapter).clear()
    point("commit.after_clearing")
    _tidy(layout, plan)
    return Committed(plan.commit_id, plan.chapter, tuple(placer.notes))


def _tidy(layout: Layout, plan: CommitPlan) -> None:
    """Take away the manifest, and before it what waited for nothing: its place had the bytes."""
    root = layout.root
    waited = {p.waits_at(number) for number, p in enumerate(plan.placements) if p.src is None}
    for name in root.names(places.CARRIED):
        if (path := f"{places.CARRIED}/{name}") in waited:
            root.remove(path)
    with root.together():  # if the folder goes, its names need not be made durable before
        root.remove(places.MANIFEST)
        root.remove_folder(places.CARRIED)


def _ensure_prose(layout: Layout, plan: CommitPlan, pending_placements: list[Placement]) -> None:
    """The chapter's own text must be at hand before anything is put in place."""
    path, history = layout.chapter(plan.chapter), History(layout.root)
    for placement in [p for p in pending_placements if p.dst == path]:
        if placement.new_bytes(layout.root) is None and not history.has(placement.sha256):
            raise damaged(
                f"The commit of chapter {plan.chapter} was interrupted; its staged text is gone.",
                "Run `studio repair`: it gives up the commit; the book stays as it was.",
            )


def _keep_replaced(
    layout: Layout, plan: CommitPlan, pending: list[Placement], present: Mapping[str, bytes | None]
) -> None:
    """Old versions, the writer's own edits and the new prose, all before a file is touched."""
    history, versions = History(layout.root), []
    for placement in pending:
        old = present[placement.dst]
        theirs = old is not None and sha256_hex(old) != placement.expected
        if old is not None and (placement.to_history or theirs):
            reason = "hand edit found while finishing a commit" if theirs else "replaced"
            if not history.has(sha256_hex(old)):
                versions.append((placement.dst, old, reason))
        if places.chapter_of(placement.dst) is not None and not history.has(placement.sha256):
            new = placement.new_bytes(layout.root)
            if new is not None:
                versions.append((placement.dst, new, "committed"))
    history.keep_all(versions, plan.commit_id, plan.ts)


def _keep_new(layout: Layout, history: History, plan: CommitPlan) -> None:
    root = layout.root
    # Before what the file holds: the newest version of a file is what stands in it.
    versions = [(aside.path, aside.content.encode(), plan.reason) for aside in plan.asides]
    for placement in plan.placements:
        data = root.find(placement.dst)
        if placement.to_history and data is not None and placement.is_made_of(data):
            versions.append((placement.dst, data, plan.reason))
    delta = layout.staged_delta(plan.chapter)
    data = root.find(delta) if plan.changelog_line else None
    if data is not None:
        versions.append((delta, data, "committed"))
    history.keep_all(versions, plan.commit_id, plan.ts)

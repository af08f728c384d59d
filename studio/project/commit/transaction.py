"""Moves staged files into the book atomically: the manifest commit (seed B7, E4, DESIGN section 4).

A durable manifest is the commit point. After it, every step is repeated after a kill until all are
done; each checks the current content first. Before it, nothing of the book has changed.

A process that is killed while exchanging two files leaves the displaced one, which somebody may
have saved at that very moment. It goes to history, and back to its place if only a text known to
history is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field, ValidationError, model_validator

from studio.errors import Exit, Problem, StudioError, damaged, failed
from studio.foreign_json import read_json
from studio.fsio import NOTHING_CHANGED, ChangedOnDisk, Root, displaced_below, point, sha256_hex
from studio.messages import said
from studio.project import layout as places
from studio.project.changelog import ChangelogEntry, ChangelogFile, parse_entry
from studio.project.commit.placement import Placement as Placement
from studio.project.commit.placement import Placer, Removal, in_the_book
from studio.project.files import load
from studio.project.history.blobs import History, Version
from studio.project.history.reasons import Reason
from studio.project.layout import Layout
from studio.project.lock.lock import ProjectLock
from studio.project.staging import Staging
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import Document, Value, to_bytes

_ELSEWHERE = (places.HISTORY, "logs")
"""Large folders in which no files are exchanged."""


def bring_home(layout: Layout) -> None:
    """Keeps every displaced file in history and puts it back in place. The caller holds the
    lock."""
    root, history = layout.root, History(layout.root)
    for displaced in displaced_below(root, _ELSEWHERE):
        data = root.find(displaced.path)
        if data is None:
            continue
        sha = sha256_hex(data)
        if not sha.startswith(displaced.new_sha) and not history.has(sha):
            history.keep(displaced.target, data, Reason.SAVED_MEANWHILE)
            present = root.sha(displaced.target)
            if present is None or history.has(present):
                with suppress(ChangedOnDisk):  # it was saved again: that version stays
                    root.write(displaced.target, data, expected=present)
        root.remove(displaced.path)


PUT_BACK = "p"
"""The letter that begins the id of a commit that only puts chapters back in their places."""
PLANS = "w"
"""The letter that begins the id of a commit that changes plans and notes, but no events."""
REWORDED = "n"
"""The letter that begins the id of a commit that replaces words but changes no events."""
RETIRED = "t"
"""The letter that begins the id of a commit in which a character is retired or brought back."""
REASONS = {
    PUT_BACK: Reason.PUT_BACK,
    PLANS: Reason.PLANNED,
    REWORDED: Reason.WORDS_REPLACED,
    RETIRED: Reason.RETIRED,
}
"""The reason history records for a file placed by each kind of commit."""
_WORKS = {
    PUT_BACK: said("return of chapters to their places"),
    PLANS: said("change of the plans"),
    REWORDED: said("replacement of words over the book"),
    RETIRED: said("change of who is in the story"),
}


_OF_A_CHAPTER = "c"
"""The letter that begins the id of the commit of a chapter that was in progress."""


def _work(commit_id: str, chapter: int) -> str:
    return _WORKS.get(commit_id[:1], f"commit of chapter {chapter}")


class Aside(Value):
    """A text of a file that was made by a commit and is not the newest: it goes to history only."""

    path: str
    content: str


class Base(Value):
    """The version of the book that a commit builds on."""

    seq: int = Field(ge=0)
    """The sequence number of the changelog's last entry; 0 for none."""
    state_version: int = Field(ge=0)
    history_bytes: int | None = Field(default=None, ge=0)
    """The length of the history log: all that the commit recorded, and what came later, stands
    behind it. None in a manifest of an earlier version of the studio."""


class CommitPlan(Document):
    """staging/commit/manifest.json: everything that one commit changes."""

    SCHEMA: ClassVar[str] = "commit"

    commit_id: str = Field(min_length=1)
    chapter: int = Field(ge=1)
    ts: str
    base: Base | None = None
    """The version of the book that it builds on; None in one of an earlier version of the studio,
    whose changelog lines say it."""
    placements: tuple[Placement, ...]
    removals: tuple[Removal, ...] = ()
    """Files that are deleted after everything is in place."""
    asides: tuple[Aside, ...] = ()
    """Texts that go to history only."""
    changelog_line: str = ""
    """The line to append unless the changelog already has this commit's; empty if no event
    changes."""
    reworded: tuple[str, ...] = ()
    """Changelog lines, one per chapter, if only words changed in several chapters at once."""
    renumber: str = ""
    """The line that says the new numbers of chapters, for every log that is only appended to; empty
    if no chapter gets another number."""
    checkpoint: str = ""
    """The new .checkpoint.json; empty if it does not change."""

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
        """All lines that the commit adds to the changelog."""
        return (*([self.changelog_line] if self.changelog_line else []), *self.reworded)

    @property
    def reason(self) -> Reason:
        """The reason history records for the files it puts in place."""
        return REASONS.get(self.commit_id[:1], Reason.COMMITTED)

    @property
    def came_in(self) -> str:
        """The sentence about a commit of another machine."""
        return said(
            "Files of another machine's {work} have come in, as sync programs bring them: "
            "they build on another version of the book. The next command that writes sets "
            "them aside.",
            work=self.work,
        )

    @property
    def came_back(self) -> str:
        """The sentence about a commit that another program restored."""
        return said(
            "Files of an earlier {work} have come back, as sync programs do. It was carried "
            "out before; the next command that writes sets them aside.",
            work=self.work,
        )


@dataclass(frozen=True, slots=True)
class CommitResult:
    """The outcome of a commit: its chapter, and notes for the writer."""

    commit_id: str
    chapter: int
    notes: tuple[str, ...] = ()
    """Notes for the writer: versions of hers that were found and kept."""
    returned: bool = False
    """Whether another program restored its manifest: it was set aside, and nothing replaced."""

    @property
    def work(self) -> str:
        """What was done, in words for the middle of a sentence."""
        return _work(self.commit_id, self.chapter)


class HandEdit(ChangedOnDisk):
    """Raised when a file to be replaced is not the expected version: the writer changed it.

    Nothing has been changed; `expected` and `actual` are sha256s (None: no file). Exit 4.
    """

    def __init__(
        self, path: str, expected: str | None, actual: str | None, commit_id: str = ""
    ) -> None:
        change = (
            said("was deleted") if actual is None else said("was changed outside of the studio")
        )
        sentence = said(
            "{path} {change} since this chapter was begun; nothing was committed.",
            path=path,
            change=change,
        )
        hint = said("The file and the text in staging are both kept. Choose with `studio decide`.")
        if commit_id and not commit_id.startswith(_OF_A_CHAPTER):
            sentence = said(
                "{path} {change} while this was worked out; nothing was changed.",
                path=path,
                change=change,
            )
            hint = said("Give the command again: it reads the file as it is now.")
        problem = Problem(sentence, hint, exit_code=Exit.DECIDE, kind="hand_edit")
        super().__init__(problem, path, expected, actual)


def commit(
    layout: Layout,
    plan: CommitPlan,
    lock: ProjectLock,
    on_placed: Callable[[int], None] = lambda number: None,
) -> CommitResult:
    """Commits a plan completely or not at all; `on_placed` gets each file's number, from 1.

    Raises HandEdit (exit 4) if a file in the book is not the expected version, exit 3 if the lock
    was lost, exit 1 if a staged file is not the planned one. After the commit point only the disk
    can fail, and `roll_forward` finishes the commit. A version saved after the check is kept beside
    the committed one, and the lock's holder is told of it.
    """
    root = layout.root
    lock.ensure_held()  # whoever took it may have changed all that is checked next
    if root.info(places.MANIFEST) is not None:
        raise failed(
            said("A chapter is still on its way into the book."), said("Run `studio resume`.")
        )
    history = History(root)
    for placement in plan.placements:
        if placement.new_bytes(root) is None and not history.has(placement.sha256):
            raise failed(
                said(
                    "{src} is no longer the file that was to be committed.",
                    src=placement.src or placement.dst,
                )
            )
    expected = {placement.dst: placement.expected for placement in plan.placements}
    for path, sha256 in (expected | {r.path: r.sha256 for r in plan.removals}).items():
        present = root.sha(path)
        if present != sha256:
            raise HandEdit(path, sha256, present, plan.commit_id)
    lock.ensure_held()
    point("commit.before_manifest")
    with root.together():
        root.write(places.MANIFEST, to_bytes(plan))
    point("commit.after_manifest")
    try:
        result = _apply(layout, plan, on_placed)
    except StudioError as error:
        raise _unfinished_error(plan, error.problem) from error
    for note in result.notes:
        lock.say(note)
    return result


def _unfinished_error(plan: CommitPlan, problem: Problem) -> StudioError:
    """Returns the error after the commit point: something has changed, whatever the cause says."""
    if problem.kind != "disk":
        return StudioError(problem)
    why = problem.message.removesuffix(NOTHING_CHANGED)
    return StudioError(
        problem._replace(
            message=said("The {work} is not finished yet. {why}", work=plan.work, why=why),
            hint=said(
                "{hint} `studio resume` finishes it; nothing is lost.", hint=problem.hint
            ).strip(),
        )
    )


def pending(layout: Layout) -> CommitPlan | None:
    """Returns the commit that a kill left unfinished, or None. Writes nothing.

    Raises StudioError (exit 5) if the manifest is invalid.
    """
    plan = _manifest(layout)
    if plan is None or _came_back(layout, plan) or _is_of_another_book(layout, plan):
        return None
    return plan


def stray_commit(layout: Layout) -> str | None:
    """Returns a sentence about a manifest that another program put here and that is not to be
    carried out, or None. Writes nothing.

    Raises StudioError (exit 5) like `pending`.
    """
    plan = _manifest(layout)
    if plan is None:
        return None
    if _came_back(layout, plan):
        return plan.came_back
    return plan.came_in if _is_of_another_book(layout, plan) else None


def roll_forward(layout: Layout) -> CommitResult | None:
    """Finishes a commit that was interrupted after its commit point; returns None if there is none.

    It may be killed anywhere and run again (N8). The caller holds the lock. An edit that the writer
    made in between is kept beside the committed text. A commit that was already carried out goes to
    quarantine.
    """
    bring_home(layout)
    plan = _manifest(layout)
    if plan is None:
        return None
    layout.root.settle(places.GROWING)  # steps that look done must be durable
    if _came_back(layout, plan):
        return _set_aside(layout, plan)
    if _is_of_another_book(layout, plan):
        return _put_away(layout, plan)
    return _apply(layout, plan)


def _manifest(layout: Layout) -> CommitPlan | None:
    data = layout.root.find(places.MANIFEST)
    if data is None:
        return None
    try:
        return CommitPlan.model_validate(read_json(data, dict))
    except ValueError as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise damaged(
            said("{path} cannot be read: {strerror}.", path=places.MANIFEST, strerror=why),
            said("Run `studio repair`."),
        ) from error


def _came_back(layout: Layout, plan: CommitPlan) -> bool:
    """Whether a manifest was already carried out, and the book has moved on since.

    If nothing has changed since, only its staging remains to be cleared.
    """
    root = layout.root
    if not _is_recorded(layout, plan):
        return _is_superseded(layout, plan)
    same = all(root.sha(placement.dst) == placement.sha256 for placement in plan.placements)
    return not same or plan.checkpoint.encode() not in (b"", root.find(places.CHECKPOINT))


def _is_of_another_book(layout: Layout, plan: CommitPlan) -> bool:
    """Whether a manifest builds on another version of the book than this one, as one does that a
    sync program brings from another machine. Its own steps, if it was begun here, do not count."""
    own = [parse_entry(line.encode()) for line in plan.lines]
    ids = {entry.commit_id for entry in own}
    entries = [entry for entry in _changes(layout, plan) if entry.commit_id not in ids]
    base = plan.base or (Base(seq=own[0].seq - 1, state_version=0) if own else None)
    if base is None:
        return False
    if max((entry.seq for entry in entries), default=0) != base.seq:
        return True
    version = max((entry.state_version for entry in entries), default=0)
    return plan.base is not None and version != base.state_version


def _changes(layout: Layout, plan: CommitPlan) -> Sequence[ChangelogEntry]:
    """Returns the newest lines of the changelog if they show the book where the commit found it:
    a line of its own can then only be among them. Otherwise returns all lines.

    So finishing a commit costs the same in a book of any length.
    """
    changelog = ChangelogFile(layout.root)
    if plan.base is not None:
        own = {parse_entry(line.encode()).commit_id for line in plan.lines}
        recent = changelog.recent().entries
        others = [entry for entry in recent if entry.commit_id not in own]
        newest = max((entry.seq for entry in others), default=-1)
        version = max((entry.state_version for entry in others), default=-1)
        if (newest, version) == (plan.base.seq, plan.base.state_version):
            return recent
    return changelog.read().entries


def _recorded_since(layout: Layout, plan: CommitPlan) -> list[Version]:
    """Returns the versions recorded since the commit was planned."""
    return History(layout.root).log_behind(plan.base.history_bytes if plan.base else None)


def _put_away(layout: Layout, plan: CommitPlan) -> CommitResult:
    """Puts the manifest of another machine's commit into quarantine; nothing else is touched."""
    root = layout.root
    History(root).quarantine(places.MANIFEST, root.read(places.MANIFEST))
    _tidy(layout, plan)
    sentence = said(
        "Files of another machine's {work} have come in, as sync programs bring them: they "
        "build on another version of the book. They were set aside, and nothing was changed.",
        work=plan.work,
    )
    return CommitResult(plan.commit_id, plan.chapter, (sentence,), returned=True)


def _is_recorded(layout: Layout, plan: CommitPlan) -> bool:
    """Whether the final trace of a commit exists: its changelog line, or if it has none its history
    lines, which are written after all files are in place."""
    if plan.lines:
        entries = _changes(layout, plan)
        own_lines = {parse_entry(line.encode()).commit_id for line in plan.lines}
        return own_lines <= {entry.commit_id for entry in entries}
    own = [v for v in _recorded_since(layout, plan) if v.commit_id == plan.commit_id]
    recorded = {(version.path, version.sha) for version in own if version.reason == plan.reason}
    return {(p.dst, p.sha256) for p in plan.placements if p.to_history} <= recorded


def _is_superseded(layout: Layout, plan: CommitPlan) -> bool:
    """Whether history has a later version of the chapter or, if the commit does not change its
    text, of every file it recorded: nothing is recorded before an interrupted commit is
    finished."""
    newest, own = {}, set()
    for version in _recorded_since(layout, plan):
        newest[version.path] = version.commit_id
        if version.commit_id == plan.commit_id:
            own.add(version.path)
    own &= {placement.dst for placement in plan.placements}
    own = own & {layout.chapter(plan.chapter)} or own
    return bool(own) and all(newest[path] != plan.commit_id for path in own)


def _set_aside(layout: Layout, plan: CommitPlan) -> CommitResult:
    """Clears the staging of a past commit: its manifest goes to quarantine, its texts to history,
    unless the same chapter is in progress again."""
    root = layout.root
    checkpoint = load.document(root, Checkpoint, places.CHECKPOINT)
    History(root).quarantine(places.MANIFEST, root.read(places.MANIFEST))
    if checkpoint is None or checkpoint.inflight_chapter != plan.chapter:
        Staging(layout, plan.chapter).clear()
    _tidy(layout, plan)
    sentence = said(
        "Files of an earlier {work} had come back, as sync programs do. It was carried out "
        "long ago: they were set aside, and nothing was replaced.",
        work=plan.work,
    )
    return CommitResult(plan.commit_id, plan.chapter, (sentence,), returned=True)


def _apply(
    layout: Layout, plan: CommitPlan, on_placed: Callable[[int], None] = lambda number: None
) -> CommitResult:
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
    if plan.renumber:  # before what is new: that has the new numbers already
        _renumber_logs(root, plan.renumber.encode())
    _keep_new(layout, history, plan)
    point("commit.after_versions")
    checkpoint = plan.checkpoint.encode()
    if checkpoint and root.find(places.CHECKPOINT) != checkpoint:
        root.write(places.CHECKPOINT, checkpoint)
    point("commit.after_checkpoint")
    if plan.lines:
        # These come last: they mark the commit as done, even if its manifest is restored later.
        ChangelogFile(root).append_all([parse_entry(line.encode()) for line in plan.lines])
        point("commit.after_changelog")
    if plan.changelog_line:
        Staging(layout, plan.chapter).clear()
    point("commit.after_clearing")
    _tidy(layout, plan)
    return CommitResult(plan.commit_id, plan.chapter, tuple(placer.notes))


_RECENT = 1 << 18
"""Bytes at the end of a log that are searched for the line of an unfinished commit."""


def _renumber_logs(root: Root, line: bytes) -> None:
    """Appends the line to each log that there is, unless a kill came after it."""
    for path in places.GROWING:
        if root.info(path) is None:
            continue
        recent = root.tail(path, _RECENT)
        if line not in recent:
            torn = b"\n" if recent and not recent.endswith(b"\n") else b""
            root.append(path, torn + line)


def _tidy(layout: Layout, plan: CommitPlan) -> None:
    """Deletes the manifest, but first the waiting files that were not needed."""
    root = layout.root
    waited = {p.waits_at(number) for number, p in enumerate(plan.placements) if p.src is None}
    for name in root.names(places.CARRIED):
        if (path := f"{places.CARRIED}/{name}") in waited:
            root.remove(path)
    with root.together():  # if the folder is deleted, its entries need no earlier sync
        root.remove(places.MANIFEST)
        root.remove_folder(places.CARRIED)


def _ensure_prose(layout: Layout, plan: CommitPlan, pending_placements: list[Placement]) -> None:
    """Checks that the chapter's text is available before anything is put in place."""
    path, history = layout.chapter(plan.chapter), History(layout.root)
    for placement in [p for p in pending_placements if p.dst == path]:
        if placement.new_bytes(layout.root) is None and not history.has(placement.sha256):
            raise damaged(
                said(
                    "The commit of chapter {chapter} was interrupted; its staged text is gone.",
                    chapter=plan.chapter,
                ),
                said("Run `studio repair`: it gives up the commit; the book stays as it was."),
            )


def _keep_replaced(
    layout: Layout, plan: CommitPlan, pending: list[Placement], present: Mapping[str, bytes | None]
) -> None:
    """Records old versions, the writer's own edits and the new prose before any file is touched."""
    history, versions = History(layout.root), []
    for placement in pending:
        old = present[placement.dst]
        theirs = old is not None and sha256_hex(old) != placement.expected
        if old is not None and (placement.to_history or theirs):
            reason = Reason.FOUND_AT_COMMIT if theirs else Reason.REPLACED
            if not history.has(sha256_hex(old)):
                versions.append((placement.dst, old, reason))
        if places.chapter_of(placement.dst) is not None and not history.has(placement.sha256):
            new = placement.new_bytes(layout.root)
            if new is not None:
                versions.append((placement.dst, new, Reason.COMMITTED))
    history.keep_all(versions, plan.commit_id, plan.ts)


def _keep_new(layout: Layout, history: History, plan: CommitPlan) -> None:
    root = layout.root
    # Recorded before the file's content: the newest version in history must be the current one.
    versions = [(aside.path, aside.content.encode(), plan.reason) for aside in plan.asides]
    for placement in plan.placements:
        data = root.find(placement.dst)
        if placement.to_history and data is not None and placement.is_made_of(data):
            versions.append((placement.dst, data, plan.reason))
    delta = layout.staged_delta(plan.chapter)
    data = root.find(delta) if plan.changelog_line else None
    if data is not None:
        versions.append((delta, data, Reason.COMMITTED))
    history.keep_all(versions, plan.commit_id, plan.ts)

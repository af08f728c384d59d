"""`repair`: restores what can be derived from reliable sources; keeps whatever it replaces.

The reliable sources are the chapter files, the changelog's intact lines and history; the state, the
checkpoint and derived files follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from studio.errors import StudioError
from studio.fsio import sha256_hex, sweep
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.transaction import pending, roll_forward
from studio.project.files import front_matter, load
from studio.project.files.other_hands import both_sides, open_merge
from studio.project.history.blobs import Version
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock, break_lock, read_lock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, OrchestratorState, PipelineStage
from studio.story.form.document import Document, to_bytes
from studio.story.form.slugs import chapter_number
from studio.story.form.validation import read_document
from studio.story.novel import Foreshadowing
from studio.story.records import Crossref
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.review.left_open import waits_for_her
from studio.story.review.scenes_in_text import PlannedScenes
from studio.story.state import Delta

T = TypeVar("T")


def repair(folder: Path | str, break_the_lock: bool = False) -> list[str]:
    """Repairs a novel; returns a sentence for each repair, empty if nothing was needed.

    Takes the lock. With `break_the_lock` (a person confirmed it) a lock that is damaged, foreign or
    silent for 30 minutes is removed first. Raises StudioError if the lock is held (exit 3) or the
    folder is no novel (exit 2).
    """
    store = ProjectStore(folder)
    repairs = []
    view = read_lock(folder)
    if break_the_lock and view.breakable and view.state != "dead":
        break_lock(folder, view)
        repairs.append(said("The old lock was removed."))
    with ProjectLock(folder):
        work = _Repair(store)
        work.finish_commit()
        work.mend_logs()
        work.mend_changelog()
        work.mend_state()
        work.mend_history()
        work.mend_derived()
        work.mend_checkpoint()
        sweep(store.root)
    return repairs + work.repairs


class _Repair:
    """A repair in progress, with a sentence for each thing that was repaired."""

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._root = store.root
        self.repairs: list[str] = []

    def finish_commit(self) -> None:
        """Rolls an unfinished commit forward; abandons one that cannot be finished."""
        try:
            plan = pending(self._store.layout)
            finished = roll_forward(self._store.layout)
        except StudioError as error:
            _be_damage(error)
            if self._root.info(places.MANIFEST) is None:
                raise
            where = self._put_aside(places.MANIFEST)
            self._root.remove(places.MANIFEST)
            self.repairs.append(
                said(
                    "A commit was given up: {message} (kept: {where})",
                    message=error.problem.message,
                    where=where,
                )
            )
            return
        if plan and finished:
            self.repairs.append(said("The interrupted {work} was finished.", work=plan.work))
        self.repairs += finished.notes if finished else ()

    def mend_logs(self) -> None:
        """Closes the merges that stand open in the logs of history and of usage: what either side
        appended has happened. The changelog numbers its lines, and has a repair of its own."""
        for path in places.GROWING:
            data = self._root.find(path)
            if path == places.CHANGELOG or data is None or open_merge(data) is None:
                continue
            where = self._put_aside(path)
            self._root.write(path, both_sides(data), expected=sha256_hex(data))
            self.repairs.append(
                said(
                    "{path} has the lines of both sides of its merge (the old one: {where}).",
                    path=path,
                    where=where,
                )
            )

    def mend_changelog(self) -> None:
        """Cuts a torn tail; rewrites the intact entries if lines are damaged or lost."""
        file = log.ChangelogFile(self._root)
        changes = file.read()
        if file.cut_torn(changes.torn):
            self.repairs.append(
                said(
                    "Half a line at the end of {changelog} was put aside.",
                    changelog=places.CHANGELOG,
                )
            )
        lost_entries = list(self._lost_entries(changes))
        if not changes.faults and not lost_entries:
            return
        where = self._put_aside(places.CHANGELOG)
        entries = [
            log.renumber(e, n) for n, e in enumerate([*changes.entries, *lost_entries], start=1)
        ]
        self._root.write(places.CHANGELOG, b"".join(entry.line() for entry in entries))
        reference = said(" (the old one: {where})", where=where) if where else ""
        self.repairs.append(
            said(
                "{changelog} was rewritten with {count} entries, {count2} of them from "
                "history{reference}.",
                changelog=places.CHANGELOG,
                count=len(entries),
                count2=len(lost_entries),
                reference=reference,
            )
        )

    def _lost_entries(self, changes: log.Changelog) -> Iterator[log.ChangelogEntry]:
        """Yields entries missing from the changelog, reconstructed from the delta in history of
        each chapter's newest commit."""
        deltas: dict[int, list[Version]] = {}
        for version in self._store.history.log():
            chapter = self._store.layout.delta_chapter(version.path)
            if chapter is not None and version.commit_id:
                deltas.setdefault(chapter, []).append(version)
        commit_ids = {entry.commit_id for entry in changes.entries}
        for _, versions in sorted(deltas.items()):
            for version in reversed(versions):
                if version.commit_id in commit_ids:
                    break
                delta = self._delta(version)
                if delta is not None:
                    yield log.entry_of(changes, delta, version.commit_id, version.ts, 0)
                    break

    def _delta(self, version: Version) -> Delta | None:
        blob = self._store.history.blob
        return _unless_damaged(lambda: read_document(Delta, blob(version.sha), version.path))

    def mend_state(self) -> None:
        """Replaces the state by the replay of the changelog, unless the state includes later
        chapters."""
        entries = self._store.changelog().entries
        replayed = log.replay(entries)
        present = _unless_damaged(self._store.state)
        if present == replayed:
            return
        if present is not None and present.state_version > replayed.state_version:
            self.repairs.append(
                said(
                    "The state was left as it is: it knows {state_version} chapters, "
                    "{changelog} only {state_version2}. Its lost lines may be in a backup of "
                    "yours.",
                    state_version=present.state_version,
                    changelog=places.CHANGELOG,
                    state_version2=replayed.state_version,
                )
            )
            return
        where = self._put_aside(places.STATE)
        self._root.write(places.STATE, to_bytes(replayed))
        reference = said(" The old one: {where}.", where=where) if where else ""
        self.repairs.append(
            said(
                "The story's state was rebuilt from {place}.{hint}",
                place=places.CHANGELOG,
                hint=reference,
            )
        )

    def mend_history(self) -> None:
        """Stores lost versions again if their bytes are still in the novel, and likewise committed
        texts that history lacks."""
        history = self._store.history
        lost_paths = {v.sha: v.path for v in history.log() if not history.has(v.sha)}
        for number, entry in log.entries_that_count(self._store.changelog().entries).items():
            if not history.has(entry.source_sha256):
                lost_paths[entry.source_sha256] = self._store.layout.chapter(number)
        restored_paths = [path for sha, path in lost_paths.items() if self._keep_again(path, sha)]
        if restored_paths:
            subject = (
                said("One version")
                if len(restored_paths) == 1
                else said("{n} versions", n=len(restored_paths))
            )
            self.repairs.append(
                said(
                    "{subject} that history had lost and the novel still has: kept again.",
                    subject=subject,
                )
            )

    def _keep_again(self, path: str, sha: str) -> bool:
        data = _unless_damaged(lambda: self._root.find(path))
        if data is None or sha256_hex(data) != sha:
            return False
        self._store.history.keep(path, data, Reason.BACKED_BY_REPAIR)
        return True

    def mend_derived(self) -> None:
        """Restores damaged derived files from history."""
        layout = self._store.layout
        models: dict[str, type[Document]] = {places.FORESHADOWING: Foreshadowing}
        committed = log.entries_that_count(self._store.changelog().entries)
        texts = {layout.memory(entry.storyline_id) for entry in committed.values()}
        for number in sorted({*self._store.chapter_numbers(), *committed}):
            models[layout.evaluation(number)] = Evaluation
            models[layout.directives(number)] = DirectiveSheet
            models[layout.planned_scenes(number)] = PlannedScenes
            models[layout.crossref(number)] = Crossref
            texts.add(layout.summary(number))
        for path, model in models.items():
            self._mend_one(path, partial(read_document, model, source=path))
        for path in sorted(texts):
            self._mend_one(path, partial(_derived_text, path=path))

    def _mend_one(self, path: str, read: Callable[[bytes], object]) -> None:
        # A folder or symlink in its place counts as nothing: the writer has to move it.
        data = _unless_damaged(lambda: self._root.find(path))
        try:
            if data is not None:
                read(data)
        except StudioError as error:
            _be_damage(error)
            self._bring_back(path, read)

    def _bring_back(self, path: str, read: Callable[[bytes], object]) -> None:
        history = self._store.history
        for version in reversed(history.versions(path)):
            try:
                data = history.blob(version.sha)
                read(data)
            except StudioError as error:
                _be_damage(error)
                continue
            present = self._root.sha(path)
            where = self._put_aside(path)
            self._root.write(path, data, expected=present)
            self.repairs.append(
                said(
                    "{path} was brought back as of {ts} (damaged one: {where}).",
                    path=path,
                    ts=version.ts,
                    where=where,
                )
            )
            return

    def mend_checkpoint(self) -> None:
        """Rebuilds a missing, damaged or contradictory checkpoint from the book and staging, unless
        the state includes later chapters."""
        committed = log.entries_that_count(self._store.changelog().entries)
        last = max(committed, default=0)
        try:
            present = self._store.checkpoint()
            state = _unless_damaged(self._store.state)
            knows_more = state is not None and state.state_version > len(committed)
            if knows_more or _counts(present) == (last, len(committed)):
                return
            mended = present
        except StudioError as error:
            _be_damage(error)
            mended = self._fresh_checkpoint(committed)
        where = self._put_aside(places.CHECKPOINT)
        self._store.save_checkpoint(
            mended.copy_with(last_completed_chapter=last, state_version=len(committed))
        )
        reference = said(" The old one: {where}.", where=where) if where else ""
        self.repairs.append(
            said(
                "The checkpoint was rebuilt: {chapter} is the last chapter.{hint}",
                chapter=last,
                hint=reference,
            )
        )

    def _fresh_checkpoint(self, committed: dict[int, log.ChangelogEntry]) -> Checkpoint:
        last = max(committed, default=0)
        inflight = self._staged_chapter()
        evaluations = {n: _unless_damaged(partial(self._store.evaluation, n)) for n in committed}
        gates = {n: e.gate for n, e in evaluations.items() if e}
        return Checkpoint(
            orchestrator_state=OrchestratorState.WRITING if last else OrchestratorState.INIT,
            current_volume=self._volume_of(max(inflight or 0, last)),
            inflight_chapter=inflight,
            pipeline_stage=PipelineStage.DRAFTED if inflight else None,
            force_passed=tuple(n for n, gate in gates.items() if gate and gate.force_passed),
            unjudged=tuple(n for n, e in evaluations.items() if e and e.scores is None),
            state_gap=tuple(n for n, entry in committed.items() if entry.state_gap),
            low_quality=tuple(n for n, e in evaluations.items() if e and e.is_low),
            left_open=tuple(n for n, e in evaluations.items() if e and waits_for_her(e.left_open)),
            violations_open=tuple(
                n for n, e in evaluations.items() if e and e.open_high_violations
            ),
        )

    def _staged_chapter(self) -> int | None:
        names = self._root.names(f"{places.STAGING}/chapters")
        numbers = [n for name in names if (n := chapter_number(name.removesuffix(".md")))]
        return max(numbers, default=None)

    def _volume_of(self, chapter: int) -> int:
        """Returns the volume that plans a chapter, by a contract or in its outline."""
        volumes = self._store.layout.volume_numbers()
        return next((v for v in volumes if self._plans(v, chapter)), 1)

    def _plans(self, volume: int, chapter: int) -> bool:
        if chapter in self._store.layout.contract_numbers(volume):
            return True
        section = _unless_damaged(lambda: self._store.outline_section(chapter, volume))
        return section is not None

    def _put_aside(self, path: str) -> str | None:
        """Keeps what is about to be replaced; returns its new path, or None if there is nothing."""
        data = self._root.find(path)
        return None if data is None else self._store.history.quarantine(path, data)


def _derived_text(data: bytes, path: str) -> None:
    """Raises StudioError (exit 5) if a summary or memory cannot be read."""
    front_matter.provenance(load.decode(data, path), path)


def _be_damage(error: StudioError) -> None:
    """Re-raises errors that are not damage of the novel: a failing disk may recover, and a newer
    studio can read what it wrote (F8)."""
    if error.problem.kind != "damaged":
        raise error


def _unless_damaged(read: Callable[[], T]) -> T | None:
    """Returns what `read` returns, and None for what is damaged."""
    try:
        return read()
    except StudioError as error:
        _be_damage(error)
        return None


def _counts(checkpoint: Checkpoint) -> tuple[int, int]:
    return checkpoint.last_completed_chapter, checkpoint.state_version

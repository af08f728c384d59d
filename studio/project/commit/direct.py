"""Commits a finished chapter as it is: no summary, no judge, no change of the state.

It is an ordinary commit. The summary file exists but is empty, the story's state has a gap, and the
chapter is marked as not judged: the missing parts are reported, and `write N --again` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.project import changelog as log
from studio.project import layout as places
from studio.project.author.readers import note_with
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.plan import gaps_after, promises_after, with_authors_word
from studio.project.commit.transaction import Aside, CommitResult, commit
from studio.project.files import front_matter
from studio.project.files.front_matter import Provenance
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.which_chapter import listed_with
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, PipelineStage, Trigger, move
from studio.story.form.document import to_bytes
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta


def adopt_chapter(
    store: ProjectStore,
    lock: ProjectLock,
    chapter: int,
    text: Chapter,
    evaluation: Evaluation,
    storyline_id: str,
    label: str = "",
    author_note: str = "",
) -> CommitResult:
    """Commits a chapter that is not in the book yet, completely or not at all.

    `label` is what the author calls it, if not by its number; `author_note` is what she says to her
    readers with it, below what she may have said before. `evaluation` holds the metrics
    computed by code. Raises HandEdit (exit 4) if a file of the book is in its place, exit 5 if
    changelog or state are damaged.
    """
    layout, sha = store.layout, text.sha256
    delta = Delta(chapter=chapter, storyline_id=storyline_id, source_sha256=sha, state_gap=True)
    provenance = Provenance(chapter=chapter, source_sha256=sha)
    contents = {
        layout.chapter(chapter): text.text.encode(),
        layout.summary(chapter): front_matter.with_provenance(provenance, "").encode(),
        layout.evaluation(chapter): to_bytes(evaluation),
    }
    checkpoint = _checkpoint_after(store.checkpoint(), chapter)
    fresh = Unstaged.of(store, "i", delta, dict.fromkeys(contents))
    fresh.builder.label(label)
    if note := note_with(store, chapter, author_note):
        contents[layout.author_note(listed_with(store, chapter).id_of(chapter))] = note
    return fresh.commit(lock, contents, checkpoint)


def _checkpoint_after(checkpoint: Checkpoint, chapter: int) -> Checkpoint:
    return move(checkpoint.without_order(chapter).at_rest(), Trigger.COMMIT).copy_with(
        pipeline_stage=PipelineStage.COMMITTED,
        last_completed_chapter=max(checkpoint.last_completed_chapter, chapter),
        unjudged=tuple(sorted({*checkpoint.unjudged, chapter})),
    )


SETTLED = "s"
"""The letter that begins the id of a commit in which the author states what a chapter does for a
promise."""


@dataclass(frozen=True, slots=True)
class Unstaged:
    """A commit of content that was never staged: its changelog entry and its files."""

    store: ProjectStore
    changes: log.Changelog
    delta: Delta
    entry: log.ChangelogEntry
    builder: CommitBuilder

    @classmethod
    def of(
        cls,
        store: ProjectStore,
        kind: str,
        delta: Delta,
        expected: Mapping[str, str | None] | None = None,
    ) -> Unstaged:
        """Prepares the commit; `kind` is the letter its id begins with, `expected` the sha256 that
        certain files must have now.

        Raises StudioError (exit 5) if changelog or state are damaged.
        """
        changes = log.ChangelogFile(store.root).read_trusted()
        delta = with_authors_word(changes, delta)
        builder = CommitBuilder(store, kind, delta.chapter, expected)
        return cls(store, changes, delta, builder.fold(changes, delta), builder)

    def promises(self, volume: int) -> dict[str, bytes]:
        """Returns the new foreshadowing/global.json by its path; empty if this delta does not
        change it."""
        book = promises_after(self.store, self.changes, self.delta, volume)
        return {} if book is None else {places.FORESHADOWING: book}

    def commit(
        self,
        lock: ProjectLock,
        contents: Mapping[str, bytes],
        checkpoint_after: Checkpoint,
        asides: tuple[Aside, ...] = (),
    ) -> CommitResult:
        """Commits files by path; `checkpoint_after` is the checkpoint the caller wants, `asides` go
        to history only. Raises HandEdit (exit 4) if a file is not the expected version."""
        store, delta, entry = self.store, self.delta, self.entry
        for path, data in contents.items():
            self.builder.put(path, data)
        for aside in asides:
            self.builder.set_aside(aside.path, aside.content)
        checkpoint = checkpoint_after.copy_with(
            state_gap=gaps_after(checkpoint_after, delta),
            state_version=entry.state_version,
            updated_at=entry.ts,
        )
        plan = self.builder.plan(to_bytes(checkpoint))
        committed = commit(store.layout, plan, lock)
        # `repair` reconstructs a lost changelog line from this delta.
        path = store.layout.staged_delta(delta.chapter)
        store.history.keep(path, to_bytes(delta), Reason.COMMITTED, entry.commit_id, entry.ts)
        return committed

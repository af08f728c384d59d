"""Taking a finished chapter into the book as it is: no summary, no judge, no change of the state.

One commit like any other. The summary's file is there and empty, the story's
state has a gap, and the chapter is marked as not judged: what is missing is
said, and `write N --again` makes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from studio.project import changelog as log
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit.plan import gaps_after, placement_of, promises_after, with_authors_word
from studio.project.commit.transaction import Aside, CommitPlan, Committed, commit
from studio.project.files import front_matter
from studio.project.files.front_matter import Provenance
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.book_state import Trigger, moved
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, PipelineStage
from studio.story.form.document import to_bytes
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta, StoryState


def adopt_chapter(
    store: ProjectStore,
    lock: ProjectLock,
    chapter: int,
    text: Chapter,
    evaluation: Evaluation,
    storyline_id: str,
) -> Committed:
    """Commits a chapter that is not in the book yet, whole or not at all.

    `evaluation` is what code measured of it. HandEdit (exit 4) if a file of
    the book stands in its place, exit 5 if changelog or state are damaged.
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
    return Unstaged.of(store, "i", delta).commit(
        lock, contents, checkpoint, dict.fromkeys(contents)
    )


def _checkpoint_after(checkpoint: Checkpoint, chapter: int) -> Checkpoint:
    return moved(checkpoint.at_rest(), Trigger.COMMIT).updated(
        pipeline_stage=PipelineStage.COMMITTED,
        last_completed_chapter=max(checkpoint.last_completed_chapter, chapter),
        unjudged=tuple(sorted({*checkpoint.unjudged, chapter})),
    )


SETTLED = "s"
"""How the id of a commit begins by which the author says what a chapter did for a promise."""


@dataclass(frozen=True, slots=True)
class Unstaged:
    """What such a commit adds to the changelog, and the state it leads to."""

    store: ProjectStore
    changes: log.Changelog
    delta: Delta
    entry: log.Entry
    state: StoryState

    @classmethod
    def of(cls, store: ProjectStore, kind: str, delta: Delta) -> Unstaged:
        """Works it out; `kind` is the letter its id begins with.

        StudioError (exit 5) if changelog or state are damaged.
        """
        commit_id = f"{kind}{delta.chapter:03d}-{secrets.token_hex(8)}"
        changes = log.ChangelogFile(store.root).trusted()
        delta = with_authors_word(changes, delta)
        entry, state = log.fold_in(changes, store.state(), delta, commit_id, now())
        return cls(store, changes, delta, entry, state)

    def promises(self, volume: int) -> dict[str, bytes]:
        """The new foreshadowing/global.json; nothing if this delta leaves it as it is."""
        book = promises_after(self.store, self.changes, self.delta, volume)
        return {} if book is None else {places.FORESHADOWING: book}

    def commit(
        self,
        lock: ProjectLock,
        contents: Mapping[str, bytes],
        checkpoint_after: Checkpoint,
        expected: Mapping[str, str | None] | None = None,
        asides: tuple[Aside, ...] = (),
    ) -> Committed:
        """Commits files by path; `expected` are the sha256 they must have now where that matters.

        `checkpoint_after` is the checkpoint the caller wants; `asides` go to history alone.
        HandEdit (exit 4) if a file is not what it must be.
        """
        store, delta, entry = self.store, self.delta, self.entry
        placements = [placement_of(store, path, data, expected) for path, data in contents.items()]
        placements.append(placement_of(store, places.STATE, to_bytes(self.state), kept=False))
        checkpoint = checkpoint_after.updated(
            state_gap=gaps_after(checkpoint_after, delta),
            state_version=entry.state_version,
            updated_at=entry.ts,
        )
        plan = CommitPlan(
            commit_id=entry.commit_id,
            chapter=delta.chapter,
            ts=entry.ts,
            placements=tuple(placements),
            asides=asides,
            changelog_line=entry.line().decode(),
            checkpoint=to_bytes(checkpoint).decode(),
        )
        committed = commit(store.layout, plan, lock)
        # What `repair` makes a lost line of the changelog from.
        path = store.layout.staged_delta(delta.chapter)
        store.history.keep(path, to_bytes(delta), "committed", entry.commit_id, entry.ts)
        return committed

"""A commit whose files come with it and not from staging: an import, a rebuild, one taken back.

The changelog gets the delta, the state is what follows from it, and both go
into the book with the files, whole or not at all.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from studio.project import changelog as log
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit import CommitPlan, Committed, commit
from studio.project.lock import ProjectLock
from studio.project.plan import gaps_after, placed, promises_after
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.document import to_bytes
from studio.story.state import Delta, StoryState


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
        entry, state = log.folded(changes, store.state(), delta, commit_id, now())
        return cls(store, changes, delta, entry, state)

    def promises(self, volume: int) -> dict[str, bytes]:
        """The new foreshadowing/global.json; nothing if this delta leaves it as it is."""
        book = promises_after(self.store, self.changes, self.delta, volume)
        return {} if book is None else {places.FORESHADOWING: book}

    def commit(
        self,
        lock: ProjectLock,
        contents: Mapping[str, bytes],
        after: Checkpoint,
        wanted: Mapping[str, str | None] | None = None,
    ) -> Committed:
        """Commits files by path; `wanted` are the sha256 they must have now where that matters.

        `after` is the checkpoint the caller wants. HandEdit (exit 4) if a file
        is not what it must be.
        """
        store, delta, entry = self.store, self.delta, self.entry
        placements = [placed(store, path, data, wanted) for path, data in contents.items()]
        placements.append(placed(store, places.STATE, to_bytes(self.state), kept=False))
        checkpoint = after.updated(
            state_gap=gaps_after(after, delta),
            state_version=entry.state_version,
            updated_at=entry.ts,
        )
        plan = CommitPlan(
            commit_id=entry.commit_id,
            chapter=delta.chapter,
            ts=entry.ts,
            placements=tuple(placements),
            changelog_line=entry.line().decode(),
            checkpoint=to_bytes(checkpoint).decode(),
        )
        done = commit(store.layout, plan, lock)
        # What `repair` makes a lost line of the changelog from.
        path = store.layout.staged_delta(delta.chapter)
        store.history.keep(path, to_bytes(delta), "committed", entry.commit_id, entry.ts)
        return done

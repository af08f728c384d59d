"""A committed chapter whose text was changed: everything made from it, made anew, in one commit.

The text stays as the author left it; the changelog gets the new delta, which
counts from now on, and the state is the replay. Later chapters keep theirs.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from studio.fsio import sha256_hex
from studio.project import changelog as log
from studio.project import frontmatter, reading
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit import CommitPlan, Committed, Placement, commit, pending
from studio.project.frontmatter import Provenance
from studio.project.layout import Layout
from studio.project.lock import ProjectLock
from studio.project.plan import gaps_after, promises_after
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.crossref import Crossref
from studio.story.directive import DirectiveSheet
from studio.story.document import to_bytes
from studio.story.evaluation import Evaluation
from studio.story.state import Delta

RENEWAL = "r"
"""How the id of such a commit begins."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """What was made of a committed chapter's present text."""

    text: Chapter
    volume: int
    delta: Delta
    summary: str
    memory: str
    crossref: Crossref
    evaluation: Evaluation | None
    directives: DirectiveSheet | None


def renew(store: ProjectStore, lock: ProjectLock, renewal: Renewal, after: Checkpoint) -> Committed:
    """Commits it, whole or not at all; `after` is the checkpoint the caller wants.

    HandEdit (exit 4) if a derived file was changed at this moment, exit 5 if
    changelog or state are damaged.
    """
    delta, chapter = renewal.delta, renewal.delta.chapter
    commit_id, ts = f"{RENEWAL}{chapter:03d}-{secrets.token_hex(8)}", now()
    changes = log.ChangelogFile(store.root).trusted()
    draft = log.entry_of(changes, delta, commit_id, ts, 0)
    state = log.advance(store.state(), changes.entries, draft)
    entry = log.entry_of(changes, delta, commit_id, ts, state.state_version)
    contents = _derived(store, renewal)
    book = promises_after(store, changes, delta, renewal.volume)
    if book is not None:
        contents[places.FORESHADOWING] = book
    placements = [_placed(store, path, data) for path, data in contents.items()]
    placements.append(_placed(store, places.STATE, to_bytes(state), kept=False))
    checkpoint = after.updated(
        state_gap=gaps_after(after, delta), state_version=state.state_version, updated_at=ts
    )
    plan = CommitPlan(
        commit_id=commit_id,
        chapter=chapter,
        ts=ts,
        placements=tuple(placements),
        changelog_line=entry.line().decode(),
        checkpoint=to_bytes(checkpoint).decode(),
    )
    text = renewal.text.text.encode()
    store.history.keep(store.layout.chapter(chapter), text, "edited by hand", commit_id, ts)
    done = commit(store.layout, plan, lock)
    # What `repair` makes a lost line of the changelog from.
    path = store.layout.staged_delta(chapter)
    store.history.keep(path, to_bytes(delta), "committed", commit_id, ts)
    return done


def half_renewed(layout: Layout) -> bool:
    """Whether a kill left such a commit half done; StudioError (exit 5) for a damaged manifest."""
    plan = pending(layout)
    return plan is not None and plan.commit_id.startswith(RENEWAL)


def _derived(store: ProjectStore, renewal: Renewal) -> dict[str, bytes]:
    """Path to bytes of everything that names the text."""
    layout, chapter = store.layout, renewal.delta.chapter
    made = Provenance(chapter=chapter, source_sha256=renewal.text.sha256)
    found = {
        layout.summary(chapter): frontmatter.with_provenance(made, renewal.summary).encode(),
        layout.crossref(chapter): to_bytes(renewal.crossref),
    }
    if renewal.evaluation is not None:
        found[layout.evaluation(chapter)] = to_bytes(renewal.evaluation)
    if renewal.directives is not None:
        found[layout.directives(chapter)] = to_bytes(renewal.directives)
    memory = layout.memory(renewal.delta.storyline_id)
    if _remembers_no_later(store, memory, chapter):
        found[memory] = frontmatter.with_provenance(made, renewal.memory).encode()
    return found


def _remembers_no_later(store: ProjectStore, path: str, chapter: int) -> bool:
    """Whether a storyline's memory ends with this chapter: one of a later chapter stays."""
    text = reading.text(store.root, path)
    made = None if text is None else frontmatter.provenance(text, path)
    return made is None or made.chapter <= chapter


def _placed(store: ProjectStore, path: str, data: bytes, kept: bool = True) -> Placement:
    return Placement(
        dst=path,
        sha256=sha256_hex(data),
        expected=store.root.sha(path),
        content=data.decode(),
        kept=kept,
    )

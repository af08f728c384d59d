"""A committed chapter whose text was changed: everything made from it, made anew, in one commit.

The text stays as the author left it; the changelog gets the new delta, which
counts from now on, and the state is the replay. Later chapters keep theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.project import frontmatter, reading
from studio.project.commit import PUT_BACK, Committed, pending
from studio.project.frontmatter import Provenance
from studio.project.layout import Layout
from studio.project.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.unstaged import Unstaged
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
    fresh = Unstaged.of(store, RENEWAL, renewal.delta)
    contents = _derived(store, renewal) | fresh.promises(renewal.volume)
    path, text = store.layout.chapter(renewal.delta.chapter), renewal.text.text.encode()
    entry = fresh.entry
    store.history.keep(path, text, "edited by hand", entry.commit_id, entry.ts)
    return fresh.commit(lock, contents, after)


def half_renewed(layout: Layout) -> bool:
    """Whether a kill left such a commit half done, or a return of chapters to their places.

    StudioError (exit 5) for a damaged manifest.
    """
    plan = pending(layout)
    return plan is not None and plan.commit_id.startswith((RENEWAL, PUT_BACK))


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

"""Rebuilds everything derived from a committed chapter whose text was changed, in one commit.

The text stays as the author left it; the changelog gets the new delta, which counts from now on,
and the state is the replay. The derived files of later chapters stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.errors import usage
from studio.messages import said
from studio.project import changelog as log
from studio.project.commit.direct import Unstaged
from studio.project.commit.plan import carried_on, planned_scenes_after
from studio.project.commit.transaction import (
    PLANS,
    PUT_BACK,
    RETIRED,
    REWORDED,
    Aside,
    CommitResult,
    pending,
)
from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.history.blobs import Version
from studio.project.history.reasons import Reason
from studio.project.layout import Layout
from studio.project.lock.lock import ProjectLock
from studio.project.memories import era_file, remembers_later
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import to_bytes
from studio.story.records import Crossref
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta

RENEWAL = "r"
"""The letter that begins the id of a rebuild commit."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """Everything derived from the current text of a committed chapter."""

    text: Chapter
    volume: int
    delta: Delta
    summary: str
    memory: str
    crossref: Crossref
    evaluation: Evaluation | None
    directives: DirectiveSheet | None


def renew(
    store: ProjectStore, lock: ProjectLock, renewal: Renewal, checkpoint_after: Checkpoint
) -> CommitResult:
    """Commits the rebuild completely or not at all; `checkpoint_after` is the checkpoint the caller
    wants.

    Raises HandEdit (exit 4) if a derived file was changed at this moment, exit 5 if changelog or
    state are damaged.
    """
    fresh = Unstaged.of(store, RENEWAL, renewal.delta)
    contents = _derive(store, renewal) | fresh.promises(renewal.volume)
    fresh.builder.change(planned_scenes_after(store, renewal.delta.chapter, renewal.text))
    path, text = store.layout.chapter(renewal.delta.chapter), renewal.text.text.encode()
    entry = fresh.entry
    store.history.keep(path, text, Reason.EDITED_BY_HAND, entry.commit_id, entry.ts)
    line = renewal.delta.storyline_id
    asides: tuple[Aside, ...] = ()
    if remembers_later(store, line, renewal.delta.chapter):
        asides = (Aside(path=store.layout.memory(line), content=_own_memory(renewal)),)
    return fresh.commit(lock, contents, checkpoint_after, asides=asides)


_OF_THE_BOOK = (RENEWAL, PUT_BACK, PLANS, REWORDED, RETIRED)
"""The letters of commits that do not bring a chapter in progress into the book."""


def half_renewed(layout: Layout) -> bool:
    """Whether a kill left such a commit unfinished: a rebuild, a restoration of chapter places, a
    change of plans, a replacement over the book, or a retirement.

    Raises StudioError (exit 5) for a damaged manifest.
    """
    plan = pending(layout)
    return plan is not None and plan.commit_id.startswith(_OF_THE_BOOK)


def _derive(store: ProjectStore, renewal: Renewal) -> dict[str, bytes]:
    """Returns the new bytes of every derived file that names the text, by path."""
    layout, chapter = store.layout, renewal.delta.chapter
    provenance = Provenance(chapter=chapter, source_sha256=renewal.text.sha256)
    contents = {
        layout.summary(chapter): front_matter.with_provenance(provenance, renewal.summary).encode(),
        layout.crossref(chapter): to_bytes(renewal.crossref),
    }
    if made := era_file(store, chapter, renewal.summary):
        contents[made[0]] = made[1]
    if renewal.evaluation is not None:
        contents[layout.evaluation(chapter)] = to_bytes(renewal.evaluation)
    if renewal.directives is not None:
        contents[layout.directives(chapter)] = to_bytes(renewal.directives)
    line = renewal.delta.storyline_id
    memory = layout.memory(line)
    if remembers_later(store, line, chapter):
        contents[memory] = carried_on(store, line, chapter, renewal.summary).encode()
    else:
        contents[memory] = _own_memory(renewal).encode()
    return contents


def _own_memory(renewal: Renewal) -> str:
    """Returns the memory as it was made for the chapter."""
    origin = Provenance(chapter=renewal.delta.chapter, source_sha256=renewal.text.sha256)
    return front_matter.with_provenance(origin, renewal.memory)


def take_back(store: ProjectStore, lock: ProjectLock, chapter: int) -> CommitResult:
    """Reverts the newest rebuild of a chapter.

    Raises StudioError: exit 2 if its last commit was no rebuild, 5 if changelog, state or the
    previous versions are damaged.
    """
    changes = log.ChangelogFile(store.root).read_trusted()
    entries = [entry for entry in changes.entries if entry.chapter == chapter]
    if len(entries) < 2 or not entries[-1].commit_id.startswith(RENEWAL):
        raise usage(
            said("Chapter {chapter} was not rebuilt since it was committed.", chapter=chapter),
            said("`studio history list {chapter}` shows its versions.", chapter=chapter),
        )
    earlier, undone = entries[-2], entries[-1]
    renewed = Unstaged.of(store, RENEWAL, earlier.delta())
    checkpoint = store.checkpoint()
    contents = _as_before(store, undone) | renewed.promises(checkpoint.current_volume)
    asides = tuple(_memory_as_before(store, undone))
    return renewed.commit(lock, contents, checkpoint, asides=asides)


def _memory_as_before(store: ProjectStore, undone: log.ChangelogEntry) -> Iterator[Aside]:
    """Yields the chapter's memory from before the rebuild, to record it as the newest again."""
    path = store.layout.memory(undone.storyline_id)
    for version in reversed(store.history.versions(path)):
        if version.commit_id == undone.commit_id or not store.history.has(version.sha):
            continue
        text = load.decode(store.history.blob(version.sha), path)
        origin = front_matter.provenance(text, path)
        if origin is not None and origin.chapter == undone.chapter:
            yield Aside(path=path, content=text)
            return


def _as_before(store: ProjectStore, undone: log.ChangelogEntry) -> dict[str, bytes]:
    """Returns the files derived from the text as they were before the rebuild, by path."""
    versions = store.history.log()
    ours = [i for i, version in enumerate(versions) if version.commit_id == undone.commit_id]
    committed_paths = {versions[i].path for i in ours if versions[i].reason == Reason.COMMITTED}
    contents = {}
    for path in sorted(_derived_of_taking_back(store, undone) & committed_paths):
        earlier = _version_before(versions[: ours[0]], path, versions, undone.commit_id)
        if earlier is not None:
            contents[path] = store.history.blob(earlier.sha)
    return contents


def _version_before(
    older: Sequence[Version], path: str, versions: Sequence[Version], commit_id: str
) -> Version | None:
    replaced_versions = [
        v for v in versions if (v.path, v.commit_id, v.reason) == (path, commit_id, Reason.REPLACED)
    ]
    candidates = replaced_versions or [version for version in older if version.path == path]
    return candidates[-1] if candidates else None


def _derived_of_taking_back(store: ProjectStore, undone: log.ChangelogEntry) -> set[str]:
    layout, chapter = store.layout, undone.chapter
    return {
        *(layout.summary(chapter), layout.crossref(chapter), layout.evaluation(chapter)),
        *(layout.directives(chapter), layout.planned_scenes(chapter)),
        layout.memory(undone.storyline_id),
    }

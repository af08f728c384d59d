"""Accepts a hand edit that changed no events: the edited text becomes the committed chapter."""

from __future__ import annotations

from collections.abc import Mapping

from studio.errors import failed
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.plan import planned_scenes_after
from studio.project.commit.transaction import CommitResult, commit
from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import Document, to_bytes


def accept_edit(store: ProjectStore, lock: ProjectLock, chapter: int) -> CommitResult:
    """Updates everything derived from a committed chapter to refer to its edited text.

    It is an ordinary commit: the edited text goes to history, the changelog gets a line with the
    same operations. The content of summary, state and checkpoint does not change.
    """
    text = store.chapter(chapter)
    entry = store.changelog().newest(chapter)
    checkpoint = store.root.find(places.CHECKPOINT)
    if text is None or entry is None or checkpoint is None:
        raise failed(
            said("Chapter {chapter} is not committed.", chapter=chapter),
            said("Run `studio verify`."),
        )
    builder = CommitBuilder(store, "e", chapter)
    path, made_from = store.layout.chapter(chapter), entry.source_sha256
    store.history.keep(path, text.text.encode(), Reason.EDITED_BY_HAND, builder.commit_id)
    changes = log.ChangelogFile(store.root).read_trusted()
    delta = entry.delta().model_copy(
        update={"source_sha256": text.sha256, "made_from_sha256": made_from}
    )
    version = store.state().state_version
    builder.tell(log.entry_of(changes, delta, builder.commit_id, builder.ts, version))
    builder.change(planned_scenes_after(store, chapter, text))
    files = derived_files(store, chapter, entry.storyline_id, text.sha256, made_from)
    for file, data in files.items():
        builder.put(file, data)
    return commit(store.layout, builder.plan(checkpoint), lock)


def derived_files(
    store: ProjectStore,
    chapter: int,
    storyline_id: str,
    sha256: str,
    made_from: str,
    texts: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """Returns the derived files by path, changed to refer to the sha256 of the new text.

    `texts` has new contents of summaries and memories, by path, if the edit affects them too.
    """
    layout, files = store.layout, dict[str, bytes]()
    changes = {"source_sha256": sha256, "made_from_sha256": made_from}
    documents: dict[str, Document | None] = {
        layout.evaluation(chapter): store.evaluation(chapter),
        layout.directives(chapter): store.directives(chapter),
        layout.crossref(chapter): store.crossref(chapter),
    }
    for path, document in documents.items():
        if document is not None:
            files[path] = to_bytes(document.model_copy(update=changes))
    provenance = Provenance(chapter=chapter, source_sha256=sha256, made_from_sha256=made_from)
    for path in (layout.summary(chapter), layout.memory(storyline_id)):
        text = load.text(store.root, path)
        if text is None or not _names(text, path, made_from):
            continue
        fresh = (texts or {}).get(path)
        body = front_matter.split_front_matter(text if fresh is None else fresh.decode(), path)[1]
        files[path] = front_matter.with_provenance(provenance, body).encode()
    return files


def _names(text: str, path: str, sha256: str) -> bool:
    """Whether a derived file was made from that text; a later chapter's memory was not."""
    provenance = front_matter.provenance(text, path)
    return provenance is not None and provenance.source_sha256 == sha256

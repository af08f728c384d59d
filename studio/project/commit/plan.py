"""Plans what a commit will change before it runs: the staged files and everything they imply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from studio.errors import failed
from studio.fsio import first_sha, remember_looks, sha256_hex
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.transaction import CommitPlan
from studio.project.files import front_matter, load
from studio.project.files.front_matter import provenance, with_provenance
from studio.project.history.reasons import Reason
from studio.project.memories import era_file, remembers_later, with_chapter_read_again
from studio.project.scenes_of_chapter import scenes_as_of
from studio.project.staging import staged_storylines
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, PipelineStage
from studio.story.form.document import to_bytes
from studio.story.novel import Foreshadowing, Promise
from studio.story.records import Crossref
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.state import KIND_OF_ACTION, Delta, StoryState, accept_ops


def plan_commit(
    store: ProjectStore,
    chapter: int,
    checkpoint_after: Checkpoint,
    expected: Mapping[str, str | None] | None = None,
    volume: int | None = None,
) -> CommitPlan:
    """Returns the plan that brings the staged chapter into the book.

    `checkpoint_after` is the checkpoint as the caller wants it (force_passed, unjudged, ...); the
    plan marks the work as completed and counts the chapter. `expected` overrides the sha256 that a
    destination must have now: by default the committed text for the chapter, the current content
    for the rest. `volume` is the chapter's own, by default the one in progress. Raises StudioError:
    a staged file is missing or was made from another text (exit 1), the changelog or the state is
    damaged (exit 5).
    """
    with remember_looks(afresh=True):  # the run has read the book for hours; all is read again
        return _plan(store, chapter, checkpoint_after, expected or {}, volume)


def _plan(
    store: ProjectStore,
    chapter: int,
    checkpoint_after: Checkpoint,
    expected: Mapping[str, str | None],
    volume: int | None,
) -> CommitPlan:
    layout = store.layout
    text = store.staging_of(chapter).exact_text()
    delta = load.document(store.root, Delta, layout.staged_delta(chapter))
    if text is None or delta is None:
        missing = layout.staged_chapter(chapter) if text is None else layout.staged_delta(chapter)
        raise failed(
            said("{missing} is missing: there is nothing to commit yet.", missing=missing),
            said("Run `studio resume`: the step that makes it runs again."),
        )
    _all_from(store, chapter, text.sha256, delta)
    changes = log.ChangelogFile(store.root).read_trusted()
    last = changes.newest(chapter)
    committed = last.source_sha256 if last else None
    if store.respelled_chapters([chapter]):
        committed = store.root.sha(layout.chapter(chapter))
    expected_shas = {layout.chapter(chapter): committed, **expected}
    builder = CommitBuilder(store, "c", chapter, expected_shas)
    delta = with_authors_word(changes, delta)
    entry = builder.fold(changes, delta)
    for source, path in _staged_files(store, chapter).items():
        builder.put_staged(source, path)
    builder.change(planned_scenes_after(store, chapter, text))
    if made := era_file(store, chapter, store.staging_of(chapter).summary()):
        builder.put(*made)
    for line in staged_storylines(store.root):
        if remembers_later(store, line, chapter):
            _put_behind_later(store, builder, line, chapter)
    book = promises_after(store, changes, delta, volume or checkpoint_after.current_volume)
    if book is not None:
        builder.put(places.FORESHADOWING, book)
    at_rest = _at_rest(checkpoint_after, delta, entry.state_version, builder.ts)
    return builder.plan(to_bytes(at_rest))


def planned_scenes_after(
    store: ProjectStore, chapter: int, text: Chapter
) -> dict[str, bytes | None]:
    """Returns the file of a joined chapter's planned scenes as that of `text`, by its path; None
    deletes it, because that text has none of them. Empty if there is no such file."""
    path, planned = store.layout.planned_scenes(chapter), scenes_as_of(store, chapter, text)
    if planned is not None:
        return {path: to_bytes(planned)}
    return {path: None} if store.root.info(path) is not None else {}


def keep_memory(store: ProjectStore, storyline_id: str) -> None:
    """Keeps the memory of a storyline as this run has read it, to carry it on: at the commit its
    place in history tells it from one that another program saved afterwards."""
    path = store.layout.memory(storyline_id)
    data = store.root.find(path)
    if data is not None and first_sha(store.root, path) == sha256_hex(data):
        store.history.keep(path, data, Reason.CHANGED_BY_HAND)


def memories_saved_since(store: ProjectStore) -> list[str]:
    """Returns the paths of memories that were saved after the staged ones, which replace them,
    were made."""
    paths = [store.layout.memory(line) for line in staged_storylines(store.root)]
    shas = ((path, store.root.sha(path)) for path in paths)
    return [path for path, sha in shas if sha is not None and not store.history.has(sha)]


def _put_behind_later(store: ProjectStore, builder: CommitBuilder, line: str, chapter: int) -> None:
    """Handles a staged memory that is not the storyline's newest: it goes to history unchanged, and
    the storyline's file keeps the later one, with how this chapter reads now."""
    path = store.layout.memory(line)
    text = store.root.read(store.layout.staged_memory(line)).decode()
    summary = store.staging_of(chapter).summary()
    builder.put(path, carried_on(store, line, chapter, summary).encode())
    builder.set_aside(path, text)


def carried_on(store: ProjectStore, line: str, chapter: int, summary: str) -> str:
    """Returns the file of a storyline whose newest memory is of a later chapter than this one,
    which was read again: that memory stands, with how this chapter reads now."""
    path = store.layout.memory(line)
    text = load.text(store.root, path) or ""
    newest = provenance(text, path)
    assert newest is not None
    memory = front_matter.split_front_matter(text, path)[1]
    return with_provenance(newest, with_chapter_read_again(store, memory, chapter, summary))


def _staged_files(store: ProjectStore, chapter: int) -> dict[str, str]:
    """Returns the existing staged files and their destinations."""
    layout = store.layout
    ways = {
        layout.staged_chapter(chapter): layout.chapter(chapter),
        layout.staged_summary(chapter): layout.summary(chapter),
        layout.staged_evaluation(chapter): layout.evaluation(chapter),
        layout.staged_directives(chapter): layout.directives(chapter),
        layout.staged_crossref(chapter): layout.crossref(chapter),
    }
    ways |= {layout.staged_memory(s): layout.memory(s) for s in staged_storylines(store.root)}
    return {src: dst for src, dst in ways.items() if store.root.info(src) is not None}


def _all_from(store: ProjectStore, chapter: int, sha: str, delta: Delta) -> None:
    """Checks that every derived file names the text to be committed (DESIGN section 4)."""
    layout, root = store.layout, store.root
    sources: dict[str, str | None] = {layout.staged_delta(chapter): delta.source_sha256}
    summary = layout.staged_summary(chapter)
    sources[summary] = _source(summary, load.text(root, summary))
    if sources[summary] is None:
        raise failed(
            said("{summary} is missing or does not name its text.", summary=summary),
            said("Run `studio resume`: the step that makes it runs again."),
        )
    for storyline in staged_storylines(root):
        path = layout.staged_memory(storyline)
        sources[path] = _source(path, load.text(root, path))
    documents = (
        load.document(root, Crossref, layout.staged_crossref(chapter)),
        load.document(root, Evaluation, layout.staged_evaluation(chapter)),
        load.document(root, DirectiveSheet, layout.staged_directives(chapter)),
    )
    paths = (layout.staged_crossref, layout.staged_evaluation, layout.staged_directives)
    for path_of, document in zip(paths, documents, strict=True):
        if document is not None:
            sources[path_of(chapter)] = document.source_sha256
    for path, source in sources.items():
        if source != sha:
            raise failed(
                said(
                    "{path} was made from another version of chapter {chapter}.",
                    path=path,
                    chapter=chapter,
                ),
                said("Run `studio resume`: the step that makes it runs again."),
            )


def _source(path: str, text: str | None) -> str | None:
    origin = provenance(text, path) if text is not None else None
    return origin.source_sha256 if origin else None


def promises_after(
    store: ProjectStore, changes: log.Changelog, delta: Delta, volume: int
) -> bytes | None:
    """Returns the new foreshadowing/global.json, or None if this chapter does not change it.

    Events that the state rejects are ignored.
    """
    present, volume_promises = store.foreshadowing(), store.volume_foreshadowing(volume)
    later_deltas = [entry.delta() for entry in changes.entries if entry.chapter >= delta.chapter]
    if later_deltas:
        promise_ids = {
            op.path for d in [*later_deltas, delta] for op in d.ops if op.op == "foreshadow"
        }
        deltas = {c: e.delta() for c, e in log.entries_that_count(changes.entries).items()}
        deltas[delta.chapter] = delta
        events = accept_ops(StoryState().tree, [deltas[c] for c in sorted(deltas)])
        promise_events = [_about(event, promise_ids) for event in events]
        book = refold(present, volume_promises, promise_ids, promise_events)
    else:
        (event,) = accept_ops(store.state().tree, [delta])
        book = carry_on(present, volume_promises, event)
    return None if book == present else to_bytes(book)


def _about(delta: Delta, promise_ids: set[str]) -> Delta:
    ops = tuple(op for op in delta.ops if op.op == "foreshadow" and op.path in promise_ids)
    return delta.copy_with(ops=ops)


def with_authors_word(changes: log.Changelog, delta: Delta) -> Delta:
    """Merges a new reading of a chapter with what the author stated about it: her statements stay,
    and a model's statements on the same path are dropped."""
    newest = changes.newest(delta.chapter)
    old_ops = newest.delta().authors_word if newest else ()
    new_paths = {op.path for op in delta.authors_word}
    own = [op for op in old_ops if op.path not in new_paths]
    if not own:
        return delta
    paths = {op.path for op in own}
    others = [op for op in delta.ops if op.path not in paths]
    return delta.copy_with(ops=(*others, *own))


def gaps_after(checkpoint: Checkpoint, delta: Delta) -> tuple[int, ...]:
    """Returns the chapters whose events are missing from the state, after folding in this delta."""
    other_gaps = set(checkpoint.state_gap) - {delta.chapter}
    return tuple(sorted(other_gaps | ({delta.chapter} if delta.state_gap else set())))


def held_back_after(checkpoint: Checkpoint, delta: Delta) -> tuple[int, ...]:
    """Returns the chapters of which a change was left out of the state, after this delta."""
    others = set(checkpoint.held_back) - {delta.chapter}
    return tuple(sorted(others | ({delta.chapter} if delta.held_back else set())))


def _at_rest(checkpoint: Checkpoint, delta: Delta, version: int, ts: str) -> Checkpoint:
    return (
        checkpoint.without_order(delta.chapter)
        .at_rest()
        .copy_with(
            pipeline_stage=PipelineStage.COMMITTED,
            last_completed_chapter=max(checkpoint.last_completed_chapter, delta.chapter),
            state_gap=gaps_after(checkpoint, delta),
            held_back=held_back_after(checkpoint, delta),
            state_version=version,
            updated_at=ts,
        )
    )


def carry_on(book: Foreshadowing, volume: Foreshadowing, delta: Delta) -> Foreshadowing:
    """Returns the book's promises after one more chapter.

    A promise the book does not list yet comes from the volume's list, or is new. One that nobody
    has described is described by what its reader waits for, else by the words that show it.
    """
    volume_promises = {promise.id: promise for promise in volume.promises}
    plan = {promise.id: promise for promise in book.promises}
    for op in delta.ops:
        if op.op == "foreshadow" and op.value in KIND_OF_ACTION:
            old = plan.get(op.path) or volume_promises.get(op.path) or Promise(id=op.path)
            hers = op.about if op.by == "author" else ""
            words = hers or old.description.strip() or op.about or op.quote
            old = old.copy_with(description=words)
            plan[op.path] = _promise_after(old, str(op.value), delta.chapter)
    return book.copy_with(promises=tuple(plan.values()))


def refold(
    book: Foreshadowing, volume: Foreshadowing, promise_ids: set[str], deltas: Iterable[Delta]
) -> Foreshadowing:
    """Recomputes the promises in `promise_ids` from the deltas after an earlier chapter changed."""
    fresh = {"status": "planned", "planted": None, "last": None, "resolved": None}
    fresh_book = book.copy_with(
        promises=tuple(p.copy_with(**fresh) if p.id in promise_ids else p for p in book.promises)
    )
    for delta in deltas:
        fresh_book = carry_on(fresh_book, volume, delta)
    return fresh_book


def _promise_after(promise: Promise, action: str, chapter: int) -> Promise:
    changes: dict[str, object] = {"status": KIND_OF_ACTION[action], "last": chapter}
    if action == "plant":
        changes["planted"] = promise.planted or chapter
    if action == "resolve":
        changes["resolved"] = chapter
    return promise.copy_with(**changes)

"""Puts new words into chapters of the book whose events stay as they are: a chapter that was edited
by hand, or words replaced in many files in one transaction.

Everything derived from such a chapter names the new text, the changelog gets a line with the same
operations, and the state stays. Plans and bible entries are replaced too. No model is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.errors import failed
from studio.fsio import first_sha, sha256_hex
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.plan import planned_scenes_after
from studio.project.commit.transaction import REWORDED, CommitResult, HandEdit, commit
from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.progress import Listener, Progress, nobody
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
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
    delta = entry.delta().copy_with(source_sha256=text.sha256, made_from_sha256=made_from)
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
            files[path] = to_bytes(document.copy_with(**changes))
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


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A file with its old and its new text."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class PastEdit:
    """The effect of an earlier replacement on one file, as sha256s of the texts."""

    path: str
    before: str
    after: str


def commit_edits(
    store: ProjectStore,
    lock: ProjectLock,
    edits: Sequence[TextEdit],
    reason: Reason = Reason.BEFORE_WORDS_REPLACED,
    listener: Listener = nobody,
) -> CommitResult:
    """Changes all of these files or none; `edits` names at least one.

    A chapter with an unresolved hand edit stays unresolved. Raises HandEdit (exit 4) if a file is
    no longer `before`, exit 3 if the lock was lost, exit 5 if the changelog is damaged.
    """
    chapter = min((places.chapter_of(e.path) or 0 for e in edits), default=0) or 1
    builder = CommitBuilder(store, REWORDED, chapter)
    for edit in edits:
        if (first := first_sha(store.root, edit.path)) != (before := sha256_hex(edit.before)):
            raise HandEdit(edit.path, before, first, builder.commit_id)
    changes = log.ChangelogFile(store.root).read_trusted()
    contents = {edit.path: edit for edit in edits}
    for edit in edits:
        builder.put(edit.path, edit.after)
    texts = {
        edit.path: edit.after
        for edit in edits
        if edit.path.startswith((places.SUMMARIES, places.STORYLINE_FOLDERS))
    }
    stamp = builder.commit_id.partition("-")[2]
    seq = changes.next_seq
    for number, entry in log.entries_that_count(changes.entries).items():
        edited = contents.get(store.layout.chapter(number))
        if edited is None:
            continue
        if sha256_hex(edited.before) != entry.source_sha256 and not store.respelled_chapters(
            [number]
        ):
            continue
        fresh_sha = sha256_hex(edited.after)
        files = derived_files(
            store, number, entry.storyline_id, fresh_sha, entry.source_sha256, texts
        )
        for path, data in files.items():
            builder.put(path, data)
        fresh = Chapter(edited.after.decode(errors="replace"))
        builder.change(planned_scenes_after(store, number, fresh))
        commit_id = f"e{number:03d}-{stamp}"
        builder.reword(
            entry._replace(seq=seq, commit_id=commit_id, ts=builder.ts, source_sha256=fresh_sha)
        )
        seq += 1
    plan = builder.plan()
    listener(Progress("saving", 0, len(plan.placements)))
    versions = [(edit.path, edit.before, reason) for edit in edits]
    store.history.keep_all(versions, builder.commit_id, builder.ts)
    return commit(
        store.layout,
        plan,
        lock,
        lambda number: listener(Progress("saving", number, len(plan.placements))),
    )


def wordings_before(store: ProjectStore, path: str) -> Iterator[bytes]:
    """Yields the earlier texts of a file that replacements of words made into its present one, the
    newest first; none where anything else has changed it since."""
    commits: dict[str, dict[str, str]] = {}
    for version in store.history.versions(path):
        if version.commit_id.startswith(REWORDED):
            texts = commits.setdefault(version.commit_id, {})
            texts["before" if version.reason in _BEFORE else "after"] = version.sha
    sha = store.root.sha(path)
    for past in reversed([past for texts in commits.values() for past in _past({path: texts})]):
        if past.after == sha:
            sha = past.before
            yield store.history.blob(sha)


_BEFORE = (Reason.BEFORE_WORDS_REPLACED, Reason.BEFORE_REPLACEMENT_UNDONE)


def newest_replacement(store: ProjectStore) -> tuple[PastEdit, ...]:
    """Returns the edits of the newest replacement that is not undone yet; empty if there is
    none."""
    commits: dict[str, dict[str, dict[str, str]]] = {}
    reasons: dict[str, str] = {}
    for version in store.history.log():
        if not version.commit_id.startswith(REWORDED):
            continue
        is_before = version.reason in _BEFORE
        texts = commits.setdefault(version.commit_id, {}).setdefault(version.path, {})
        texts["before" if is_before else "after"] = version.sha
        if is_before:
            reasons[version.commit_id] = version.reason
    undone = 0
    for commit_id, paths in reversed(commits.items()):
        past = tuple(_past(paths))
        if not past:
            continue
        if reasons.get(commit_id) == Reason.BEFORE_REPLACEMENT_UNDONE:
            undone += 1
        elif undone:
            undone -= 1
        else:
            return past
    return ()


def _past(paths: dict[str, dict[str, str]]) -> Iterator[PastEdit]:
    for path, texts in paths.items():
        if "before" in texts and "after" in texts:
            yield PastEdit(path, texts["before"], texts["after"])

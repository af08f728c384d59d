"""staging/: the files of a chapter in progress before its commit (seed B2, B3).

This is the only place on disk that agents' output reaches. A staged text that is replaced or
discarded goes to history first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from studio.errors import StudioError, failed, none_if_damaged
from studio.fsio import Root, sha256_hex
from studio.messages import said
from studio.project import layout as places
from studio.project.files import front_matter, load
from studio.project.files.front_matter import Provenance
from studio.project.history.blobs import History
from studio.project.history.reasons import Reason
from studio.project.layout import Layout
from studio.story.chapter import Chapter
from studio.story.form.document import Document, to_bytes
from studio.story.form.slugs import chapter_name
from studio.story.form.validation import parse_json, refuse_newer
from studio.story.records import Crossref
from studio.story.review.directive import DIRECTIVE_VERSION, DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.review.passage import PassagePlace
from studio.story.review.scenes_in_text import PlannedScenes
from studio.story.state import Delta

D = TypeVar("D", bound=Document)
_MEMORIES = f"{places.STAGING}/storylines/"
_OF_PASSAGE = re.compile(r"-p(\d+)\.(\d+)-(\d+)-")
"""Marks the id of a call for another version of a passage: scene, first and last paragraph."""
_OF_CHAPTER = re.compile(r"gen-(\d+)-")
_OF_SCENE = re.compile(
    r"-draft-s(\d{2,})(?:-on)?(?:-anew\d+)?(?:-again)?-l\d+(?:-step\d+)?-[0-9a-f]+$"
)
"""Marks the id of a drafter's call for a scene, or for the rest of one."""
StagedFile = tuple[str, str]
"""The project-relative path of a written file, and the sha256 of its bytes."""


class Partial(NamedTuple):
    """The partial text of a call that was cut off."""

    generation: str
    """The id of the call."""
    scene: int | None
    text: str
    passage: PassagePlace | None = None
    """The passage of which the text was to be another version, if any."""

    @property
    def is_of_scene(self) -> bool:
        """Whether a drafter was writing a scene of the chapter."""
        return _OF_SCENE.search(self.generation) is not None


class Staging:
    """The staged files of one chapter. Writes are durable and reported to `listen`.

    Damaged files read as absent, after `mend_text` has checked the file that a writer edits; only
    `exact_text` and `scene` report what is wrong with it. A disk that fails is always reported.
    """

    def __init__(
        self,
        layout: Layout,
        chapter: int,
        listen: Callable[[StagedFile], None] = lambda file: None,
    ) -> None:
        self.layout = self._layout = layout
        self._root = layout.root
        self.chapter = self._chapter = chapter
        """The chapter's number."""
        self._listen = listen

    # The text

    def exact_text(self) -> Chapter | None:
        """Returns the staged chapter byte for byte, None if there is none; raises StudioError (exit
        5) if it cannot be read."""
        return load.chapter(self._root, self._layout.staged_chapter(self._chapter))

    def text(self) -> Chapter | None:
        """Returns the staged chapter; None if there is none, or it holds no readable prose."""
        chapter = none_if_damaged(self.exact_text)
        return chapter if chapter is not None and chapter.paragraphs else None

    def mend_text(self) -> str | None:
        """Moves a chapter file damaged by a power cut to quarantine; returns a sentence if it did.

        Anything else that cannot be read is the writer's own edit: it stays, and StudioError (exit
        5) names it.
        """
        path = self._layout.staged_chapter(self._chapter)
        data = self._root.find(path)
        if data and not data.strip(b"\0"):
            place = History(self._root).quarantine(path, data)
            self._root.remove(path)
            return said(
                "{path} held nothing but zero bytes, as a power cut leaves; it is in {place}.",
                path=path,
                place=place,
            )
        self.exact_text()
        return None

    def last_text(self) -> str | None:
        """Returns the chapter's latest staged text in history; None if there is none."""
        history = History(self._root)
        versions = history.versions(self._layout.staged_chapter(self._chapter))
        return history.blob(versions[-1].sha).decode() if versions else None

    def put_text(self, text: str, reason: Reason = Reason.STAGED) -> StagedFile:
        """Writes the chapter's text, which is then also in history (N1).

        `reason` is the reason history records, one of `history.reasons` if the writer of the text
        is known. Raises ChangedOnDisk (exit 1) if another program saves the staged file at this
        moment: what it saved stays. Raises StudioError (exit 2) for an oversized text.
        """
        path = self._layout.staged_chapter(self._chapter)
        data, old = _utf8(text, path), self._root.find(path)
        load.refuse_large_chapter(path, data)
        history = History(self._root)
        if old is not None and not history.has(sha256_hex(old)):
            history.keep(path, old, Reason.REPLACED_IN_WORK)
        history.keep(path, data, reason)
        return self._replace(path, data, old)

    def scene(self, number: int) -> str | None:
        """Returns a drafted scene; None if there is none. Raises StudioError (exit 5) if it cannot
        be read: it may hold words of the writer's, so it is never written anew for that."""
        return load.exact_text(self._root, self._layout.staged_scene(self._chapter, number))

    def scene_version(self, sha256: str) -> str | None:
        """Returns an earlier text of a scene; None if history does not have it."""
        history = History(self._root)
        return history.blob(sha256).decode(errors="replace") if history.has(sha256) else None

    def drop_scene(self, number: int) -> None:
        """Deletes the file of a scene that is to begin anew; its text goes to history."""
        path = self._layout.staged_scene(self._chapter, number)
        old = self._root.find(path)
        if old is not None:
            History(self._root).keep(path, old, Reason.REPLACED_IN_WORK)
            self._root.remove(path)

    def put_scene(self, number: int, text: str) -> StagedFile:
        """Writes a drafted scene; a different previous one is kept in history."""
        path = self._layout.staged_scene(self._chapter, number)
        data, old = _utf8(text, path), self._root.find(path)
        if old is not None and old != data:
            History(self._root).keep(path, old, Reason.REPLACED_IN_WORK)
        return self._replace(path, data, old)

    def partials(self) -> list[Partial]:
        """Returns the prose of calls that were cut off, with its place in the chapter."""
        texts: list[Partial] = []
        for name in self._partial_names():
            generation = name.removesuffix(".md")
            scene, passage = _OF_SCENE.search(generation), _OF_PASSAGE.search(name)
            if scene is None and passage is None:
                continue  # what broke off was data, a brief or a fix
            data = self._root.find(f"{places.PARTIAL}/{name}") or b""
            place = PassagePlace(*map(int, passage.groups())) if passage else None
            number = place.scene if place else int(scene[1]) if scene else None
            texts.append(Partial(generation, number, data.decode(errors="replace"), place))
        return texts

    def clear_partials(self) -> None:
        """Deletes the partial texts after they were kept elsewhere, but for those of scenes, which
        are taken in."""
        for name in self._partial_names():
            if _OF_SCENE.search(name.removesuffix(".md")) is None:
                self._root.remove(f"{places.PARTIAL}/{name}")

    def drop_partial(self, partial: Partial) -> None:
        """Deletes a partial text, after it was kept elsewhere."""
        self._root.remove(f"{places.PARTIAL}/{partial.generation}.md")

    def _partial_names(self) -> list[str]:
        prefix = f"gen-{self._chapter:03d}-"
        return [n for n in self._root.names(places.PARTIAL) if n.startswith(prefix)]

    # Derived from the text

    def put_summary(
        self, body: str, source_sha256: str, made_from: str | None = None
    ) -> StagedFile:
        """Writes the summary, naming in its front matter the text it was made from."""
        path = self._layout.staged_summary(self._chapter)
        text = front_matter.with_provenance(self._provenance(source_sha256, made_from), body)
        return self._write(path, _utf8(text, path))

    def put_memory(
        self, storyline_id: str, body: str, source_sha256: str, made_from: str | None = None
    ) -> StagedFile:
        """Writes the storyline's memory after this chapter."""
        path = self._layout.staged_memory(storyline_id)
        text = front_matter.with_provenance(self._provenance(source_sha256, made_from), body)
        return self._write(path, _utf8(text, path))

    def put_delta(self, delta: Delta) -> StagedFile:
        """Writes the chapter's changes of the state."""
        return self._write(self._layout.staged_delta(self._chapter), to_bytes(delta))

    def put_crossref(self, crossref: Crossref) -> StagedFile:
        """Writes the mentions of other storylines."""
        return self._write(self._layout.staged_crossref(self._chapter), to_bytes(crossref))

    def put_evaluation(self, evaluation: Evaluation) -> StagedFile:
        """Writes the judge's evaluation."""
        return self._write(self._layout.staged_evaluation(self._chapter), to_bytes(evaluation))

    def put_sheet(self, sheet: DirectiveSheet) -> StagedFile:
        """Writes the directives and the decisions on them."""
        return self._write(self._layout.staged_directives(self._chapter), to_bytes(sheet))

    def put_planned_scenes(self, planned: PlannedScenes | None) -> None:
        """Writes where the planned scenes begin in a text that joins them; None deletes the file of
        an earlier text."""
        path = self._layout.staged_planned_scenes(self._chapter)
        if planned is not None:
            self._write(path, to_bytes(planned))
        elif self._root.find(path) is not None:
            self._root.remove(path)

    def _replace(self, path: str, data: bytes, old: bytes | None) -> StagedFile:
        """Writes a file that people may edit, provided it still has the bytes read before."""
        expected = sha256_hex(old) if old is not None else None
        return self._announce(path, self._root.write(path, data, expected=expected))

    def _write(self, path: str, data: bytes) -> StagedFile:
        """Writes a file that only the studio changes."""
        return self._announce(path, self._root.write(path, data))

    def _announce(self, path: str, sha256: str) -> StagedFile:
        self._listen((path, sha256))
        return path, sha256

    def summary(self) -> str:
        """Returns the summary without its front matter."""
        path = self._layout.staged_summary(self._chapter)
        return front_matter.split_front_matter(load.text(self._root, path) or "", path)[1]

    def memory(self, storyline_id: str) -> str:
        """Returns the staged memory without its front matter."""
        path = self._layout.staged_memory(storyline_id)
        return front_matter.split_front_matter(load.text(self._root, path) or "", path)[1]

    def delta(self) -> Delta | None:
        """Returns the staged delta, or None."""
        return self._read(Delta, self._layout.staged_delta(self._chapter))

    def crossref(self) -> Crossref | None:
        """Returns the staged cross-references, or None."""
        return self._read(Crossref, self._layout.staged_crossref(self._chapter))

    def evaluation(self) -> Evaluation | None:
        """Returns the staged evaluation, or None."""
        return self._read(Evaluation, self._layout.staged_evaluation(self._chapter))

    def planned_scenes(self) -> PlannedScenes | None:
        """Returns where the planned scenes of the text in progress begin, or None; raises
        StudioError (exit 5) if that cannot be read."""
        path = self._layout.staged_planned_scenes(self._chapter)
        return load.document(self._root, PlannedScenes, path)

    def sheet(self) -> DirectiveSheet | None:
        """Returns the staged directives, or None. Raises StudioError (exit 5) if the sheet or a
        directive has an unknown format: nobody may act on what cannot be read (seed A20)."""
        path = self._layout.staged_directives(self._chapter)
        self._refuse_newer_directives(path)
        return self._read(DirectiveSheet, path)

    def _refuse_newer_directives(self, path: str) -> None:
        data = self._root.find(path)
        try:
            raw = parse_json(data, path) if data is not None else None
        except StudioError:
            return
        refuse_newer(raw, path, DirectiveSheet.VERSION)
        entries = raw.get("directives") if isinstance(raw, dict) else None
        for directive in entries if isinstance(entries, list) else []:
            name = directive.get("id", "?") if isinstance(directive, dict) else "?"
            refuse_newer(
                directive,
                said("{path}, directive {name},", path=path, name=name),
                DIRECTIVE_VERSION,
            )

    def holds(self, artifacts: Mapping[str, str]) -> bool:
        """Whether every file still has the sha256 that was recorded for it."""
        return bool(artifacts) and all(
            self._root.sha(path) == sha256 for path, sha256 in artifacts.items()
        )

    # All staged files

    def files(self) -> list[str]:
        """Returns the staged files of this chapter.

        Memories that name another chapter are left out, and so are partial texts while another
        chapter is in progress.
        """
        layout, chapter = self._layout, self._chapter
        own = {
            layout.staged_chapter(chapter),
            layout.staged_summary(chapter),
            layout.staged_delta(chapter),
            layout.staged_crossref(chapter),
            layout.staged_evaluation(chapter),
            layout.staged_directives(chapter),
            layout.staged_planned_scenes(chapter),
        }
        files = staged_files(self._root)
        scenes, partial = f"{layout.staged_scenes(chapter)}/", f"{places.PARTIAL}/"
        is_alone = not any(map(self._is_of_another, files))
        return [
            path
            for path in files
            if path in own
            or path.startswith(scenes)
            or (path.startswith(partial) and is_alone)
            or (path.startswith(_MEMORIES) and self._is_remembered_in(path))
        ]

    def _is_of_another(self, path: str) -> bool:
        """Whether a staged file carries the number of another chapter."""
        match = re.search(r"/(chapter-\d{3,})", path)
        return match is not None and match[1] != chapter_name(self._chapter)

    def _is_remembered_in(self, path: str) -> bool:
        try:
            provenance = front_matter.provenance(load.text(self._root, path) or "", path)
        except StudioError:
            return True
        return provenance is None or provenance.chapter == self._chapter

    def discard(self) -> list[str]:
        """Discards the chapter: its texts go to history, its files are deleted."""
        return self._empty(Reason.DISCARDED)

    def clear(self) -> list[str]:
        """Deletes the leftovers of a commit; texts that it did not include are in history."""
        return self._empty(Reason.LEFT_AT_COMMIT)

    def _empty(self, reason: Reason) -> list[str]:
        paths = self.files()
        texts = [(path, self._root.read(path), reason) for path in paths if path.endswith(".md")]
        History(self._root).keep_all(texts)
        with self._root.together():
            for path in paths:
                self._root.remove(path)
            _remove_empty_folders(self._root, places.STAGING)
        return paths

    def _provenance(self, source_sha256: str, made_from: str | None) -> Provenance:
        return Provenance(
            chapter=self._chapter, source_sha256=source_sha256, made_from_sha256=made_from
        )

    def _read(self, model: type[D], path: str) -> D | None:
        return none_if_damaged(lambda: load.document(self._root, model, path))


def staged_files(root: Root, rel: str = places.STAGING) -> list[str]:
    """Returns every file under staging/, of any chapter, sorted."""
    paths = []
    for name in root.names(rel):
        path = f"{rel}/{name}"
        paths += staged_files(root, path) if root.is_folder(path) else [path]
    return paths


def staged_storylines(root: Root) -> list[str]:
    """Returns the storylines with a staged memory, sorted."""
    return root.names(_MEMORIES.rstrip("/"))


def _remove_empty_folders(root: Root, rel: str) -> None:
    for name in root.names(rel):
        path = f"{rel}/{name}"
        if path != places.STAGING + "/commit" and root.is_folder(path):
            _remove_empty_folders(root, path)
            root.remove_folder(path)


def _utf8(text: str, path: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise failed(
            said(
                "The text for {path} holds half a character at position {start}.",
                path=path,
                start=error.start,
            ),
            said("It was not saved; ask for it again."),
        ) from error


def staged_name(chapter: int) -> str:
    """Returns the name of the staged text for writers: its path in the project."""
    return f"{places.STAGING}/chapters/{chapter_name(chapter)}.md"


def chapters_with_half_versions(root: Root) -> list[int]:
    """Returns the chapters of which a version of a passage was cut off, in order."""
    names = filter(_OF_PASSAGE.search, root.names(places.PARTIAL))
    return sorted({int(match[1]) for name in names if (match := _OF_CHAPTER.match(name))})

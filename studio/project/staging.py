"""staging/: what a chapter in flight consists of before its commit (seed B2, B3).

Agents' output reaches the disk here and nowhere else. A staged text that is
replaced or discarded goes to history first.
"""

from __future__ import annotations

import re

from studio.errors import StudioError, failed
from studio.fsio import Root, sha256_hex
from studio.project import frontmatter, reading
from studio.project import layout as places
from studio.project.history import History
from studio.project.layout import Layout
from studio.story.chapter import Chapter
from studio.story.crossref import Crossref
from studio.story.directive import DirectiveSheet
from studio.story.document import to_bytes
from studio.story.evaluation import Evaluation
from studio.story.naming import chapter_name
from studio.story.state import Delta

_MEMORIES = f"{places.STAGING}/storylines/"


class Staging:
    """The staged files of one novel; each `stage_` method returns the sha256 of what it wrote."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def _root(self) -> Root:
        return self._layout.root

    def stage_chapter(self, chapter: int, text: Chapter) -> str:
        """The chapter's text; every one that is staged is in history from here on (N1).

        ChangedOnDisk (exit 1) if another program saves the staged file at this
        moment: what it saved stands.
        """
        path = self._layout.staged_chapter(chapter)
        data, old = _utf8(text.text, path), self._root.find(path)
        history = History(self._root)
        if old is not None and not history.has(sha256_hex(old)):
            history.keep(path, old, "replaced while in work")
        history.keep(path, data, "staged")
        return self._root.write(path, data, expected=sha256_hex(old) if old is not None else None)

    def stage_scene(self, chapter: int, scene: int, text: str) -> str:
        """One scene as it was drafted; a different one that stood there is kept in history."""
        path = self._layout.staged_scene(chapter, scene)
        data, old = _utf8(text, path), self._root.find(path)
        if old is not None and old != data:
            History(self._root).keep(path, old, "replaced while in work")
        return self._root.write(path, data, expected=sha256_hex(old) if old is not None else None)

    def stage_summary(self, chapter: int, text: str) -> str:
        """The summary, front matter included."""
        path = self._layout.staged_summary(chapter)
        return self._root.write(path, _utf8(text, path))

    def stage_memory(self, storyline_id: str, text: str) -> str:
        """The storyline's memory after this chapter, front matter included."""
        path = self._layout.staged_memory(storyline_id)
        return self._root.write(path, _utf8(text, path))

    def stage_delta(self, delta: Delta) -> str:
        """What the chapter changes in the state."""
        return self._root.write(self._layout.staged_delta(delta.chapter), to_bytes(delta))

    def stage_crossref(self, crossref: Crossref) -> str:
        """Whom and what of other storylines it mentions."""
        return self._root.write(self._layout.staged_crossref(crossref.chapter), to_bytes(crossref))

    def stage_evaluation(self, evaluation: Evaluation) -> str:
        """The judgement."""
        path = self._layout.staged_evaluation(evaluation.chapter)
        return self._root.write(path, to_bytes(evaluation))

    def stage_directives(self, sheet: DirectiveSheet) -> str:
        """The directives and their decisions."""
        return self._root.write(self._layout.staged_directives(sheet.chapter), to_bytes(sheet))

    # Reading

    def chapter(self, chapter: int) -> Chapter | None:
        """The staged text, byte for byte."""
        return reading.chapter(self._root, self._layout.staged_chapter(chapter))

    def scene(self, chapter: int, scene: int) -> str | None:
        """One drafted scene."""
        return reading.exact_text(self._root, self._layout.staged_scene(chapter, scene))

    def summary(self, chapter: int) -> str | None:
        """The staged summary, front matter included."""
        return reading.text(self._root, self._layout.staged_summary(chapter))

    def memory(self, storyline_id: str) -> str | None:
        """The staged memory of a storyline, front matter included."""
        return reading.text(self._root, self._layout.staged_memory(storyline_id))

    def delta(self, chapter: int) -> Delta | None:
        """The staged changes of the state."""
        return reading.document(self._root, Delta, self._layout.staged_delta(chapter))

    def crossref(self, chapter: int) -> Crossref | None:
        """The staged mentions."""
        return reading.document(self._root, Crossref, self._layout.staged_crossref(chapter))

    def evaluation(self, chapter: int) -> Evaluation | None:
        """The staged judgement."""
        return reading.document(self._root, Evaluation, self._layout.staged_evaluation(chapter))

    def directives(self, chapter: int) -> DirectiveSheet | None:
        """The staged directives."""
        return reading.document(self._root, DirectiveSheet, self._layout.staged_directives(chapter))

    def storylines(self) -> list[str]:
        """Storylines that have a staged memory, sorted."""
        return self._root.names(_MEMORIES.rstrip("/"))

    def files(self, rel: str = places.STAGING) -> list[str]:
        """Every file under staging/, sorted."""
        found = []
        for name in self._root.names(rel):
            path = f"{rel}/{name}"
            found += self.files(path) if self._root.is_folder(path) else [path]
        return found

    def files_of(self, chapter: int) -> list[str]:
        """The staged files of one chapter in flight.

        Memories that name another chapter are left out, and so are partial
        texts while another chapter is in work.
        """
        layout = self._layout
        own = {
            layout.staged_chapter(chapter),
            layout.staged_summary(chapter),
            layout.staged_delta(chapter),
            layout.staged_crossref(chapter),
            layout.staged_evaluation(chapter),
            layout.staged_directives(chapter),
        }
        files = self.files()
        scenes, partial = f"{layout.staged_scenes(chapter)}/", f"{places.PARTIAL}/"
        alone = not any(self._of_another(path, chapter) for path in files)
        return [
            path
            for path in files
            if path in own
            or path.startswith(scenes)
            or (path.startswith(partial) and alone)
            or (path.startswith(_MEMORIES) and self._remembers(path, chapter))
        ]

    def _of_another(self, path: str, chapter: int) -> bool:
        """Whether a staged file carries the number of another chapter."""
        found = re.search(r"/(chapter-\d{3,})", path)
        return found is not None and found[1] != chapter_name(chapter)

    def _remembers(self, path: str, chapter: int) -> bool:
        try:
            made = frontmatter.provenance(reading.text(self._root, path) or "", path)
        except StudioError:
            return True
        return made is None or made.chapter == chapter

    def discard(self, chapter: int) -> list[str]:
        """Give up a chapter in flight: its texts go to history, its files go away."""
        return self._empty(chapter, "discarded")

    def clear(self, chapter: int) -> list[str]:
        """Take away what a commit left over; texts that did not go into it are kept in history."""
        return self._empty(chapter, "left over at commit")

    def _empty(self, chapter: int, reason: str) -> list[str]:
        paths = self.files_of(chapter)
        texts = [(path, self._root.read(path), reason) for path in paths if path.endswith(".md")]
        History(self._root).keep_all(texts)
        with self._root.together():
            for path in paths:
                self._root.remove(path)
            self._remove_empty_folders(places.STAGING)
        return paths

    def _remove_empty_folders(self, rel: str) -> None:
        for name in self._root.names(rel):
            path = f"{rel}/{name}"
            if path != places.STAGING + "/commit" and self._root.is_folder(path):
                self._remove_empty_folders(path)
                self._root.remove_folder(path)


def _utf8(text: str, path: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise failed(
            f"The text for {path} holds half a character at position {error.start}.",
            "It was not saved; ask for it again.",
        ) from error

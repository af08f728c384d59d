"""One chapter in flight as it lies in staging/: what is there, and whether it is whole."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from studio.errors import StudioError
from studio.project import frontmatter, reading
from studio.project import layout as places
from studio.project.frontmatter import Provenance
from studio.project.history import History
from studio.project.layout import Layout
from studio.project.staging import Staging
from studio.story.chapter import Chapter
from studio.story.crossref import Crossref
from studio.story.directive import DIRECTIVE_VERSION, DirectiveSheet
from studio.story.document import Document
from studio.story.evaluation import Evaluation
from studio.story.naming import chapter_name
from studio.story.state import Delta
from studio.story.validation import parse_json, refuse_newer

D = TypeVar("D", bound=Document)
_STRUCTURED = re.compile(r"-(?:judge|summarize)-")
"""In the name of a call whose answer is data: half of it is no text of the writer's."""
Written = tuple[str, str]
"""Project-relative path and sha256 of its bytes."""


class StagedChapter:
    """The staged files of one chapter. Writing is durable; what is damaged reads as absent,
    after `mend_text` has looked at the one that a writer edits."""

    def __init__(self, layout: Layout, chapter: int) -> None:
        self._layout = layout
        self._root = layout.root
        self._staging = Staging(layout)
        self._chapter = chapter

    def text(self) -> Chapter | None:
        """The staged chapter; None if there is none, or it holds no readable prose."""
        try:
            found = reading.chapter(self._root, self._layout.staged_chapter(self._chapter))
        except StudioError:
            return None
        return found if found is not None and found.paragraphs else None

    def mend_text(self) -> str | None:
        """Puts into quarantine what a power cut left of the chapter; a sentence if it did.

        Anything else that cannot be read is the writer's own edit: StudioError (exit 5) names
        it, and it stays as it is.
        """
        path = self._layout.staged_chapter(self._chapter)
        data = self._root.find(path)
        if data and not data.strip(b"\0"):
            place = History(self._root).quarantine(path, data)
            self._root.remove(path)
            return f"{path} held nothing but zero bytes, as a power cut leaves; it is in {place}."
        reading.chapter(self._root, path)
        return None

    def last_text(self) -> str | None:
        """The chapter's text as history saw it last in staging; None if it never did."""
        history = History(self._root)
        versions = history.versions(self._layout.staged_chapter(self._chapter))
        return history.blob(versions[-1].sha).decode() if versions else None

    def put_text(self, text: str) -> Written:
        """The chapter's text; another one that stood there goes to history."""
        path = self._layout.staged_chapter(self._chapter)
        return path, self._staging.stage_chapter(self._chapter, Chapter(text))

    def scene(self, number: int) -> str | None:
        """A drafted scene; None if there is none or it cannot be read."""
        try:
            path = self._layout.staged_scene(self._chapter, number)
            return reading.exact_text(self._root, path)
        except StudioError:
            return None

    def put_scene(self, number: int, text: str) -> Written:
        """A drafted scene."""
        path = self._layout.staged_scene(self._chapter, number)
        return path, self._staging.stage_scene(self._chapter, number, text)

    def partials(self) -> list[tuple[int | None, str]]:
        """Prose of calls that were cut off, with the scene it was for."""
        found: list[tuple[int | None, str]] = []
        for name in self._partial_names():
            if _STRUCTURED.search(name):
                continue
            scene = re.search(r"-s(\d{2,})", name)
            data = self._root.find(f"{places.PARTIAL}/{name}") or b""
            found.append((int(scene[1]) if scene else None, data.decode(errors="replace")))
        return found

    def clear_partials(self) -> None:
        """Takes them away, after they were kept elsewhere."""
        for name in self._partial_names():
            self._root.remove(f"{places.PARTIAL}/{name}")

    def _partial_names(self) -> list[str]:
        wanted = f"gen-{self._chapter:03d}-"
        return [n for n in self._root.names(places.PARTIAL) if n.startswith(wanted)]

    # Derived from the text

    def put_summary(self, body: str, source_sha256: str, made_from: str | None = None) -> Written:
        """The summary with the text it was made from in its front matter."""
        path = self._layout.staged_summary(self._chapter)
        text = frontmatter.with_provenance(self._provenance(source_sha256, made_from), body)
        return path, self._staging.stage_summary(self._chapter, text)

    def put_memory(
        self, storyline_id: str, body: str, source_sha256: str, made_from: str | None = None
    ) -> Written:
        """The storyline's memory after this chapter."""
        path = self._layout.staged_memory(storyline_id)
        text = frontmatter.with_provenance(self._provenance(source_sha256, made_from), body)
        return path, self._staging.stage_memory(storyline_id, text)

    def put_delta(self, delta: Delta) -> Written:
        """What the chapter changes in the state."""
        return self._layout.staged_delta(self._chapter), self._staging.stage_delta(delta)

    def put_crossref(self, crossref: Crossref) -> Written:
        """Mentions of other storylines."""
        path = self._layout.staged_crossref(self._chapter)
        return path, self._staging.stage_crossref(crossref)

    def put_evaluation(self, evaluation: Evaluation) -> Written:
        """The judgement."""
        path = self._layout.staged_evaluation(self._chapter)
        return path, self._staging.stage_evaluation(evaluation)

    def put_sheet(self, sheet: DirectiveSheet) -> Written:
        """The directives."""
        path = self._layout.staged_directives(self._chapter)
        return path, self._staging.stage_directives(sheet)

    def summary(self) -> str:
        """The summary without its front matter."""
        path = self._layout.staged_summary(self._chapter)
        return frontmatter.split(reading.text(self._root, path) or "", path)[1]

    def memory(self, storyline_id: str) -> str:
        """The staged memory without its front matter."""
        path = self._layout.staged_memory(storyline_id)
        return frontmatter.split(reading.text(self._root, path) or "", path)[1]

    def delta(self) -> Delta | None:
        """The staged delta, or None."""
        return self._read(Delta, self._layout.staged_delta(self._chapter))

    def crossref(self) -> Crossref | None:
        """The staged cross-references, or None."""
        return self._read(Crossref, self._layout.staged_crossref(self._chapter))

    def evaluation(self) -> Evaluation | None:
        """The staged evaluation, or None."""
        return self._read(Evaluation, self._layout.staged_evaluation(self._chapter))

    def sheet(self) -> DirectiveSheet | None:
        """The staged directives, or None. Raises StudioError (exit 5) for a sheet or a directive of
        a format that is not known here: nobody may operate on what he cannot read (seed A20)."""
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
        listed = raw.get("directives") if isinstance(raw, dict) else None
        for directive in listed if isinstance(listed, list) else []:
            name = directive.get("id", "?") if isinstance(directive, dict) else "?"
            refuse_newer(directive, f"{path}, directive {name},", DIRECTIVE_VERSION)

    def holds(self, artifacts: Mapping[str, str]) -> bool:
        """Whether every file is there with the bytes it was recorded with."""
        return bool(artifacts) and all(
            self._root.sha(path) == sha256 for path, sha256 in artifacts.items()
        )

    def discard(self) -> None:
        """Gives the chapter up: texts go to history, files go away."""
        self._staging.discard(self._chapter)

    def _provenance(self, source_sha256: str, made_from: str | None) -> Provenance:
        return Provenance(
            chapter=self._chapter, source_sha256=source_sha256, made_from_sha256=made_from
        )

    def _read(self, model: type[D], path: str) -> D | None:
        try:
            return reading.document(self._root, model, path)
        except StudioError:
            return None


def staged_name(chapter: int) -> str:
    """What a writer calls the staged text: its path in the project."""
    return f"{places.STAGING}/chapters/{chapter_name(chapter)}.md"

"""variations/: earlier and discarded texts of a passage, kept so that nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from studio.project import layout as places
from studio.project.clock import now
from studio.project.files import load
from studio.project.history.reasons import Reason
from studio.project.layout import Layout
from studio.story.chapter import sha256_of
from studio.story.form.document import Document, Sparse, to_bytes
from studio.story.form.ids import Sha256
from studio.story.form.slugs import chapter_name
from studio.story.form.validation import read_document

PassageMode = Literal["regenerate", "refine"]
"""How a version of a passage is made: from scratch, or by revising the current text."""
_WHOLE = 0
"""The scene number under which texts of a whole chapter are kept."""
NO_TEXT = sha256_of("")
"""The sha256 of a version before its text is known."""
_SCENE_LIST = re.compile(r"scene-(\d{2,})\.json")


class Variation(Sparse):
    """A text that was cut off, replaced, set aside, or written as another version of a passage."""

    LATER = frozenset({"passage", "source_sha256", "mode", "direction"})

    file: str
    sha256: Sha256
    reason: str
    created_at: str
    generation_id: str | None = None
    passage: str | None = None
    """For a version of a passage, the position of the passage: `2.3` or `2.3-2.5`."""
    source_sha256: Sha256 | None = None
    """The sha256 of the original passage, the same for all its versions."""
    mode: PassageMode | None = None
    direction: str = ""
    """The author's direction for the version."""

    @property
    def follows_passage(self) -> bool:
        """Whether its writer saw the passage."""
        return self.mode == "refine"


class VariationList(Document):
    """variations/chapter-NNN/scene-MM.json: the variations of a passage and which is active."""

    SCHEMA: ClassVar[str] = "variations"

    chapter: int = Field(ge=1)
    scene: int = Field(ge=0)
    """The scene number; 0 is the whole chapter."""
    active: Sha256 | None = None
    variations: tuple[Variation, ...] = ()


class Variations:
    """The variations of one novel."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._root = layout.root

    def of(self, chapter: int, scene: int | None) -> VariationList:
        """Returns all variations of a scene, or of the whole chapter for None, oldest first."""
        number = scene if scene is not None else _WHOLE
        list_on_disk = load.document(self._root, VariationList, self._list_path(chapter, number))
        return list_on_disk or VariationList(chapter=chapter, scene=number)

    def everything_of(self, chapter: int) -> list[VariationList]:
        """Returns everything kept of a chapter: first the whole chapter, then scene by scene."""
        names = self._root.names(self._layout.variations(chapter))
        matches = [_SCENE_LIST.fullmatch(name) for name in names]
        scenes = [None, *sorted(int(match[1]) for match in matches if match)]
        return [
            variations for scene in scenes if (variations := self.of(chapter, scene)).variations
        ]

    def keep(
        self,
        chapter: int,
        scene: int | None,
        text: str,
        reason: Reason,
        generation: str | None = None,
    ) -> None:
        """Keeps a text; duplicates are kept once, and empty text is ignored."""
        present = self.of(chapter, scene)
        sha256 = sha256_of(text)
        if not text.strip() or any(v.sha256 == sha256 for v in present.variations):
            return
        name = f"{self._stem(present.scene)}-{_next_number(present):02d}.md"
        self._root.write(f"{self._layout.variations(chapter)}/{name}", text.encode())
        variation = Variation(
            file=name, sha256=sha256, reason=reason, created_at=now(), generation_id=generation
        )
        updated = present.copy_with(variations=(*present.variations, variation))
        self._root.write(self._list_path(chapter, present.scene), to_bytes(updated))

    def keep_version(
        self, chapter: int, version: Variation, text: str, scene: int
    ) -> Variation | None:
        """Keeps a version of a passage in a scene; returns None if the same text is already one.

        The file, sha256 and time of `version` are set here.
        """
        present = self.of(chapter, scene)
        sha256 = sha256_of(text)
        family = (v for v in present.variations if v.source_sha256 == version.source_sha256)
        if not text.strip() or any(v.sha256 == sha256 for v in family):
            return None
        name = f"{self._stem(scene)}-{_next_number(present):02d}.md"
        version = version.copy_with(file=name, sha256=sha256, created_at=now())
        self._root.write(f"{self._layout.variations(chapter)}/{name}", text.encode())
        updated = present.copy_with(variations=(*present.variations, version))
        self._root.write(self._list_path(chapter, scene), to_bytes(updated))
        return version

    def make_active(self, chapter: int, scene: int, sha256: str) -> None:
        """Records which of a scene's texts was chosen last."""
        updated = self.of(chapter, scene).copy_with(active=sha256)
        self._root.write(self._list_path(chapter, scene), to_bytes(updated))

    def drop(self, chapter: int, scene: int, file: str) -> None:
        """Deletes a text permanently; scene 0 is the whole chapter."""
        present = self.of(chapter, scene or None)
        remaining = tuple(v for v in present.variations if v.file != file)
        updated = present.copy_with(variations=remaining)
        self._root.write(self._list_path(chapter, scene), to_bytes(updated))
        self._root.remove(f"{self._layout.variations(chapter)}/{file}")

    def text(self, chapter: int, variation: Variation) -> str:
        """Returns the text of a variation."""
        path = f"{self._layout.variations(chapter)}/{variation.file}"
        return load.exact_text(self._root, path) or ""

    def newest(self, chapter: int, scene: int | None, reason: Reason) -> str | None:
        """Returns the text kept last for that reason, or None."""
        matching = [v for v in self.of(chapter, scene).variations if v.reason == reason]
        return self.text(chapter, matching[-1]) if matching else None

    def under_new_numbers(
        self, numbers: Mapping[int | str, int | str], joins: Mapping[int, int]
    ) -> dict[str, bytes | None]:
        """Returns the files of all that is kept, as they are once chapters have these numbers;
        None for one that goes.

        A chapter that is no longer planned has its id for a number, until it is planned again.
        What is kept of one that is joined to another is listed with that one's whole texts, too.
        """
        goes: dict[str, bytes | None] = {}
        comes: dict[str, bytes | None] = {}
        for before, after in numbers.items():
            folder, new_folder = _folder(before), _folder(after)
            for name in self._root.names(folder):
                data = self._root.find(f"{folder}/{name}")
                goes[f"{folder}/{name}"] = None
                if data is not None and name.endswith(".json") and isinstance(after, int):
                    listed = read_document(VariationList, data, f"{folder}/{name}")
                    data = to_bytes(listed.copy_with(chapter=after))
                comes[f"{new_folder}/{name}"] = data
        for before, after in joins.items():
            comes |= self._join(before, after, comes)
        return {**goes, **comes}

    def _join(
        self, before: int, after: int, comes: Mapping[str, bytes | None]
    ) -> dict[str, bytes | None]:
        """Returns the whole texts of a chapter with what was kept of one that is joined to it."""
        passages = [
            (v, self.text(before, v))
            for part in self.everything_of(before)
            for v in part.variations
        ]
        if not passages:
            return {}
        path = self._list_path(after, _WHOLE)
        data = comes[path] if path in comes else self._root.find(path)
        listed = VariationList(chapter=after, scene=_WHOLE)
        listed = read_document(VariationList, data, path) if data is not None else listed
        files: dict[str, bytes | None] = {}
        for variation, text in passages:
            name = f"{self._stem(_WHOLE)}-{_next_number(listed):02d}.md"
            whole = variation.copy_with(file=name, passage=None)
            listed = listed.copy_with(variations=(*listed.variations, whole))
            files[f"{self._layout.variations(after)}/{name}"] = text.encode()
        return {**files, path: to_bytes(listed)}

    def _list_path(self, chapter: int, scene: int) -> str:
        return f"{self._layout.variations(chapter)}/{self._stem(scene)}.json"

    def _stem(self, scene: int) -> str:
        return f"scene-{scene:02d}" if scene != _WHOLE else "chapter"


def _folder(chapter: int | str) -> str:
    """Returns the folder of a chapter's texts, by its number or by its id."""
    name = chapter_name(chapter) if isinstance(chapter, int) else f"chapter-{chapter}"
    return f"{places.VARIATIONS}/{name}"


def _next_number(variations: VariationList) -> int:
    """Returns a number not used in the list, from which earlier texts may have been deleted."""
    numbers = [v.file.removesuffix(".md").rpartition("-")[2] for v in variations.variations]
    return max((int(n) for n in numbers if n.isdecimal()), default=0) + 1

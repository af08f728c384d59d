"""variations/: earlier and discarded texts of a passage, kept so that nothing is lost."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from pydantic import Field

from studio.project.clock import now
from studio.project.files import load
from studio.project.layout import Layout
from studio.story.chapter import sha256_of
from studio.story.form.document import Document, Sparse, to_bytes
from studio.story.form.ids import Sha256

PassageMode = Literal["regenerate", "refine"]
"""How a version of a passage is made: anew, or by changing what stands there."""
_WHOLE = 0
"""Scene number under which texts of a whole chapter are kept."""
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
    """Of a version of a passage where that stood: `2.3` or `2.3-2.5`."""
    source_sha256: Sha256 | None = None
    """The sha256 of the passage it is a version of; versions of one passage name the same."""
    mode: PassageMode | None = None
    direction: str = ""
    """What the author wanted of it."""


class VariationList(Document):
    """variations/chapter-NNN/scene-MM.json: the variations of a passage and which is active."""

    SCHEMA: ClassVar[str] = "variations"

    chapter: int = Field(ge=1)
    scene: int = Field(ge=0)
    """0 is the whole chapter."""
    active: Sha256 | None = None
    variations: tuple[Variation, ...] = ()


class Variations:
    """The variations of one novel."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._root = layout.root

    def of(self, chapter: int, scene: int | None) -> VariationList:
        """All variations of a scene, or of the whole chapter for None, oldest first."""
        number = scene if scene is not None else _WHOLE
        list_on_disk = load.document(self._root, VariationList, self._list_path(chapter, number))
        return list_on_disk or VariationList(chapter=chapter, scene=number)

    def everything(self, chapter: int) -> list[VariationList]:
        """All that is kept of a chapter: of the whole first, then scene by scene."""
        names = self._root.names(self._layout.variations(chapter))
        matches = [_SCENE_LIST.fullmatch(name) for name in names]
        scenes = [None, *sorted(int(match[1]) for match in matches if match)]
        return [
            variations for scene in scenes if (variations := self.of(chapter, scene)).variations
        ]

    def keep(
        self, chapter: int, scene: int | None, text: str, reason: str, generation: str | None = None
    ) -> None:
        """Keeps a text; the same text twice is kept once. Empty text is nothing to keep."""
        present = self.of(chapter, scene)
        sha256 = sha256_of(text)
        if not text.strip() or any(v.sha256 == sha256 for v in present.variations):
            return
        name = f"{self._stem(present.scene)}-{_next_number(present):02d}.md"
        self._root.write(f"{self._layout.variations(chapter)}/{name}", text.encode())
        variation = Variation(
            file=name, sha256=sha256, reason=reason, created_at=now(), generation_id=generation
        )
        updated = present.model_copy(update={"variations": (*present.variations, variation)})
        self._root.write(self._list_path(chapter, present.scene), to_bytes(updated))

    def keep_version(
        self, chapter: int, version: Variation, text: str, scene: int
    ) -> Variation | None:
        """Keeps a version of a passage of a scene; None where that very text is one already.

        Of `version` its file, sha256 and time are worked out here.
        """
        present = self.of(chapter, scene)
        sha256 = sha256_of(text)
        family = (v for v in present.variations if v.source_sha256 == version.source_sha256)
        if not text.strip() or any(v.sha256 == sha256 for v in family):
            return None
        name = f"{self._stem(scene)}-{_next_number(present):02d}.md"
        version = version.model_copy(update={"file": name, "sha256": sha256, "created_at": now()})
        self._root.write(f"{self._layout.variations(chapter)}/{name}", text.encode())
        updated = present.model_copy(update={"variations": (*present.variations, version)})
        self._root.write(self._list_path(chapter, scene), to_bytes(updated))
        return version

    def make_active(self, chapter: int, scene: int, sha256: str) -> None:
        """Says which of a scene's texts was taken last."""
        updated = self.of(chapter, scene).model_copy(update={"active": sha256})
        self._root.write(self._list_path(chapter, scene), to_bytes(updated))

    def drop(self, chapter: int, scene: int, file: str) -> None:
        """Takes a text out for good; 0 is the whole chapter."""
        present = self.of(chapter, scene or None)
        remaining = tuple(v for v in present.variations if v.file != file)
        updated = present.model_copy(update={"variations": remaining})
        self._root.write(self._list_path(chapter, scene), to_bytes(updated))
        self._root.remove(f"{self._layout.variations(chapter)}/{file}")

    def text(self, chapter: int, variation: Variation) -> str:
        """The text of a variation."""
        path = f"{self._layout.variations(chapter)}/{variation.file}"
        return load.exact_text(self._root, path) or ""

    def newest(self, chapter: int, scene: int | None, reason: str) -> str | None:
        """The text kept last for that reason, or None."""
        matching = [v for v in self.of(chapter, scene).variations if v.reason == reason]
        return self.text(chapter, matching[-1]) if matching else None

    def _list_path(self, chapter: int, scene: int) -> str:
        return f"{self._layout.variations(chapter)}/{self._stem(scene)}.json"

    def _stem(self, scene: int) -> str:
        return f"scene-{scene:02d}" if scene != _WHOLE else "chapter"


def _next_number(variations: VariationList) -> int:
    """A number that no text of the list has; texts before it may have been dropped."""
    numbers = [v.file.removesuffix(".md").rpartition("-")[2] for v in variations.variations]
    return max((int(n) for n in numbers if n.isdecimal()), default=0) + 1

"""The kept texts of a chapter: what was replaced, cut off or set aside, newest first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import Exit, StudioError
from studio.project.author.passage_locks import text_in_work
from studio.project.history.variations import Variations
from studio.project.store import ProjectStore
from studio.story.chapter import passage_text, sha256_of
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import units_in


@dataclass(frozen=True, slots=True)
class KeptText:
    """One text that was kept, with what is needed to find and compare it."""

    chapter: int
    scene: int | None
    """None for a text of the whole chapter."""
    sha256: str
    reason: str
    created_at: str
    text: str
    length: int
    """In the language's units."""
    passage: str | None = None
    """Of a version of a passage where that stood; None for a text of a scene or the chapter."""
    mode: str | None = None
    direction: str = ""
    may_be_taken: bool = True
    """False of what was cut off while a version of a passage was written."""
    is_scene: bool = False
    """Whether the passage is all of its scene, as it stands or as one of its versions has it."""

    @property
    def place(self) -> str:
        """What it is a text of."""
        if self.passage is not None and not self.is_scene:
            return f"Passage {self.passage}"
        return f"Scene {self.scene}" if self.scene else "Chapter"


def kept_texts(store: ProjectStore, pack: LanguagePack, chapter: int) -> tuple[KeptText, ...]:
    """Those of a chapter and its scenes, newest first; StudioError 5 for an unreadable one."""
    variations = Variations(store.layout)
    texts: list[KeptText] = []
    scenes: frozenset[str] | None = None
    for one in variations.everything(chapter):
        if scenes is None and any(v.source_sha256 for v in one.variations):
            scenes = _whole_scenes(store, chapter)
        sources = {v.source_sha256 for v in one.variations if v.sha256 in (scenes or ())}
        for variation in one.variations:
            text = variations.text(chapter, variation)
            texts.append(
                KeptText(
                    chapter=chapter,
                    scene=one.scene or None,
                    sha256=variation.sha256,
                    reason=variation.reason,
                    created_at=variation.created_at,
                    text=text,
                    length=units_in(text, pack),
                    passage=variation.passage,
                    mode=variation.mode,
                    direction=variation.direction,
                    may_be_taken=not variation.passage or bool(variation.source_sha256),
                    is_scene=variation.source_sha256 in sources | (scenes or frozenset()),
                )
            )
    return tuple(sorted(texts, key=lambda k: k.created_at, reverse=True))


def _whole_scenes(store: ProjectStore, chapter: int) -> frozenset[str]:
    """The sha256 of each scene of a chapter as it stands; none of one without a text."""
    try:
        text = text_in_work(store, chapter)
    except StudioError as error:
        if error.problem.exit_code != Exit.USAGE:
            raise
        return frozenset()
    return frozenset(sha256_of(passage_text(scene.paragraphs)) for scene in text.scenes)

"""The kept texts of a chapter: what was replaced, cut off or set aside, newest first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import Exit, StudioError
from studio.messages import said
from studio.project.author.passage_locks import text_in_work
from studio.project.history.variations import Variations
from studio.project.store import ProjectStore
from studio.story.chapter import passage_text, sha256_of
from studio.story.lengths import Unit
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import length_in


@dataclass(frozen=True, slots=True)
class KeptText:
    """One kept text, with what is needed to find and compare it."""

    chapter: int
    scene: int | None
    """The scene; None for a text of the whole chapter."""
    sha256: str
    reason: str
    created_at: str
    text: str
    length: int
    unit: Unit
    """The unit of the length."""
    passage: str | None = None
    """Where the passage stood, for a version of a passage; None for a text of a scene or the
    chapter."""
    mode: str | None = None
    direction: str = ""
    is_scene: bool = False
    """Whether the passage makes up its whole scene, as the scene stands or as one of its
    versions has it."""

    @property
    def place(self) -> str:
        """Names the place that the text belongs to."""
        if self.passage is not None and not self.is_scene:
            return said("Passage {passage}", passage=self.passage)
        return said("Scene {n}", n=self.scene) if self.scene else said("Chapter")


def kept_texts(
    store: ProjectStore, pack: LanguagePack, unit: Unit, chapter: int
) -> tuple[KeptText, ...]:
    """Returns the kept texts of a chapter and its scenes, newest first. StudioError 5 for an
    unreadable one."""
    variations = Variations(store.layout)
    texts: list[KeptText] = []
    scenes: frozenset[str] | None = None
    for one in variations.everything_of(chapter):
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
                    length=length_in(text, pack, unit),
                    unit=unit,
                    passage=variation.passage,
                    mode=variation.mode,
                    direction=variation.direction,
                    is_scene=variation.source_sha256 in sources | (scenes or frozenset()),
                )
            )
    return tuple(sorted(texts, key=lambda k: k.created_at, reverse=True))


def _whole_scenes(store: ProjectStore, chapter: int) -> frozenset[str]:
    """Returns the sha256 of each scene of a chapter as it stands; empty for a chapter without a
    text."""
    try:
        text = text_in_work(store, chapter)
    except StudioError as error:
        if error.problem.exit_code != Exit.USAGE:
            raise
        return frozenset()
    return frozenset(sha256_of(passage_text(scene.paragraphs)) for scene in text.scenes)

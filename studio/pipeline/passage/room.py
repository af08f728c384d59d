"""All operations on the versions of passages of one novel."""

from __future__ import annotations

from dataclasses import dataclass

from studio.pipeline.events import Emit
from studio.pipeline.novel import Novel
from studio.pipeline.orders import PassageOrder, PassagePrice, PassageVersion
from studio.pipeline.passage.rewrite import PassageWriter
from studio.pipeline.passage.take import PassageTaker
from studio.project.author.passage_locks import text_in_work
from studio.project.history.variations import Variation, Variations
from studio.story.chapter import passage_text, sha256_of
from studio.story.lengths import unit_in
from studio.story.review.passage import PassagePlace
from studio.text.prose.parse import length_in


@dataclass(frozen=True, slots=True)
class PassageVersions:
    """A passage as it stands, and its other versions."""

    chapter: int
    place: PassagePlace
    present: str
    versions: tuple[PassageVersion, ...]
    """The versions, newest first; the present text is not among them."""
    is_scene: bool = False
    """Whether the passage makes up its whole scene."""


@dataclass(frozen=True)
class PassageRoom:
    """Versions of passages: priced, written, compared; `taker` takes them."""

    novel: Novel

    def price(self, order: PassageOrder) -> PassagePrice:
        """Returns what an order would cost; raises as `PassageWriter.price`."""
        return self._writer.price(order)

    async def write(self, order: PassageOrder, listen: Emit) -> tuple[PassageVersion, ...]:
        """Writes versions; raises as `PassageWriter.write`."""
        return await self._writer.write(order, listen)

    @property
    def taker(self) -> PassageTaker:
        """Takes a version into its chapter, and says before what that closes."""
        return PassageTaker(self.novel.store, self.novel.settings, self.novel.pack)

    def versions_of(self, chapter: int, place: PassagePlace) -> PassageVersions:
        """Returns the versions of a passage, even if another version was taken before.

        StudioError (exit 2) if there is no such passage.
        """
        text = text_in_work(self.novel.store, chapter)
        passage = place.within(text, chapter)
        present = passage_text(passage)
        variations = Variations(self.novel.store.layout)
        everything = variations.of(chapter, place.scene).variations
        shas = {sha256_of(present)}
        sources = {v.source_sha256 for v in everything if v.sha256 in shas} | shas
        versions = [
            self._version(variations, chapter, place, v)
            for v in reversed(everything)
            if v.source_sha256 in sources and v.sha256 not in shas
        ]
        scene = text.scene(place.scene)
        is_scene = scene is not None and len(scene.paragraphs) == len(passage)
        return PassageVersions(chapter, place, present, tuple(versions), is_scene)

    @property
    def _writer(self) -> PassageWriter:
        return PassageWriter(self.novel)

    def _version(
        self, variations: Variations, chapter: int, place: PassagePlace, variation: Variation
    ) -> PassageVersion:
        text = variations.text(chapter, variation)
        length = length_in(text, self.novel.pack, unit_in(self.novel.settings))
        return PassageVersion(chapter, place, variation, text, length)

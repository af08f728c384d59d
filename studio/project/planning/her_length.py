"""How long a chapter is to be where its author says so in her own words: in the brief of the book,
in the plan of the chapter, in what she wants of it."""

from __future__ import annotations

from collections.abc import Iterable

from studio.config.schema import LENGTHS, Settings, TargetSettings
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.lengths import unit_in
from studio.story.notes import without_notes
from studio.story.told_length import ToldLength, chapter_length_told, scene_length_told


def length_in_brief(store: ProjectStore, settings: Settings) -> ToldLength | None:
    """Returns the length of a chapter as the brief of the book names it.

    None where she has set another one than a new novel has, or was asked for it when the book
    began: then that one holds.
    """
    usual = LENGTHS[settings.novel.form][settings.novel.language]["chapter_length"]
    length = settings.targets.chapter_length
    beginning = store.checkpoint().beginning
    is_asked = beginning is not None and (beginning.length or "trials" in beginning.steps)
    if length != usual or is_asked:
        return None
    hers = chapter_length_told((without_notes(store.brief()),), unit_in(settings))
    return None if hers is not None and hers.length == length else hers


def scene_length_in_brief(store: ProjectStore, settings: Settings) -> int | None:
    """Returns the length of a scene as the brief of the book names it; None where it names none, or
    where she has set another one than a new novel has."""
    usual = LENGTHS[settings.novel.form][settings.novel.language]["scene_length"]
    if settings.targets.scene_length != usual:
        return None
    return scene_length_told((without_notes(store.brief()),), unit_in(settings))


def length_in_plan(words: Iterable[str], settings: Settings) -> ToldLength | None:
    """Returns the length that the words about one chapter name."""
    return chapter_length_told(words, unit_in(settings), of_one=True)


def targets_of_book(store: ProjectStore, settings: Settings) -> TargetSettings:
    """Returns the lengths of a book's chapters and scenes, as its brief says where it does so
    plainly."""
    hers, scene = length_in_brief(store, settings), scene_length_in_brief(store, settings)
    targets = _changed(settings.targets, hers if hers is not None and hers.is_sure else None)
    return targets if scene is None else targets.model_copy(update={"scene_length": scene})


def with_length(
    targets: TargetSettings, settings: Settings, contract: ChapterContract, direction: str
) -> TargetSettings:
    """Returns the lengths of a chapter whose plan has no number for it: as her direction says, else
    the words of its plan, else the book's `targets`."""
    scenes = (scene.purpose for scene in contract.scenes)
    words = (direction, *contract.objectives, *contract.beats, *scenes)
    return _changed(targets, length_in_plan(words, settings))


def targets_of_chapter(
    store: ProjectStore, settings: Settings, contract: ChapterContract, direction: str
) -> TargetSettings:
    """Returns the lengths of a chapter; see `with_length`."""
    return with_length(targets_of_book(store, settings), settings, contract, direction)


def _changed(targets: TargetSettings, hers: ToldLength | None) -> TargetSettings:
    return targets if hers is None else targets.model_copy(update={"chapter_length": hers.length})

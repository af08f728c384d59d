"""How a volume stands: its plan against what is written, scores, promises and storylines.

Counted by code from plans and chapters, at any time; calls no model and changes nothing.
"""

from __future__ import annotations

from studio.book.as_of import StoryAt
from studio.config.schema import Settings
from studio.pipeline.volume.volume_figures import VolumeFigures
from studio.project.store import ProjectStore
from studio.story.form.document import Value
from studio.story.lengths import unit_in
from studio.text.language.packs import LanguagePack


class ChapterStanding(Value):
    """One chapter of the volume, planned or in the book."""

    chapter: int
    title: str
    in_book: bool
    length: int | None = None
    """Words (en) or characters without white space (ko, zh); None before it is written."""
    wanted: int
    """The length that the chapter's plan asks for, else the one in the novel's settings."""
    score: float | None = None
    """The judge's overall score, 1 to 5."""
    marks: tuple[str, ...] = ()


class PromiseStanding(Value):
    """One promise of the book or the volume."""

    id: str
    description: str
    status: str
    planted: int | None = None
    due: int | None = None
    overdue: bool = False


class VolumeStanding(Value):
    """A volume at a glance."""

    schema_version: int = 1
    volume: int
    chapters: tuple[ChapterStanding, ...]
    mean: float | None
    """The mean of the judge's overall scores."""
    promises: tuple[PromiseStanding, ...]
    lines: dict[str, tuple[int, ...]]
    """The chapters of each storyline in the book."""


def volume_standing(
    store: ProjectStore, settings: Settings, pack: LanguagePack, volume: int | None = None
) -> VolumeStanding:
    """Returns the standing of the volume with that number, by default the one in work.

    StudioError (exit 5) for a file that cannot be read.
    """
    number = volume or store.checkpoint().current_volume
    target, unit = settings.targets.chapter_length, unit_in(settings)
    figures = VolumeFigures(store, pack, number, target, unit)
    last = store.checkpoint().last_completed_chapter
    numbers = sorted({*figures.chapters, *figures.planned})
    return VolumeStanding(
        volume=number,
        chapters=tuple(_chapter(figures, n, n <= last) for n in numbers),
        mean=figures.mean,
        promises=tuple(_promises(store, last, number)),
        lines=figures.lines,
    )


def _chapter(figures: VolumeFigures, number: int, in_book: bool) -> ChapterStanding:
    evaluation = figures.evaluations.get(number)
    return ChapterStanding(
        chapter=number,
        title=_title(figures, number),
        in_book=in_book,
        length=figures.lengths.get(number),
        wanted=figures.length_wanted(number),
        score=evaluation.overall if evaluation else None,
        marks=figures.checkpoint.badges(number) if in_book else (),
    )


def _title(figures: VolumeFigures, number: int) -> str:
    text = figures.texts.get(number)
    if text is not None and text.title:
        return text.title
    contract = figures.contracts.get(number)
    if contract is not None:
        return contract.title
    return figures.outline_titles.get(number, "")


def _promises(store: ProjectStore, last: int, volume: int) -> list[PromiseStanding]:
    return [
        PromiseStanding(
            id=promise.id,
            description=promise.plan.description,
            status=promise.status,
            planted=promise.planted,
            due=promise.plan.due,
            overdue=promise.is_overdue(last + 1),
        )
        for promise in StoryAt(store, last + 1).promises(volume).values()
    ]

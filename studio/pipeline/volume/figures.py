"""The figures of a volume: how it stands (its plan against what is written, scores, promises and
storylines), and what a finished one comes to (seed D5).

Counted by code from plans and chapters, at any time; calls no model and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from studio.book.as_of import StoryAt
from studio.book.continuity.ledger import ledger_of
from studio.book.plans import planned_in
from studio.book.promises import PromiseSoFar
from studio.config.schema import Settings
from studio.project import changelog as log
from studio.project import outline
from studio.project.planning.her_length import targets_of_book
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.form.document import Value
from studio.story.lengths import Unit, unit_in
from studio.story.review.evaluation import Evaluation
from studio.text.language.packs import LanguagePack
from studio.text.metrics.metric_kinds import figure, metric_words
from studio.text.oracle.patterns import BookPattern, book_patterns
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import length_in, read

OPENING = 60
"""Characters of a chapter's first and last words that are shown."""


@dataclass(frozen=True)
class VolumeFigures:
    """One volume of a novel as numbers and quotes; each file is read once.

    StudioError (exit 5) wherever a required file cannot be read.
    """

    store: ProjectStore
    pack: LanguagePack
    volume: int
    target: int
    """The chapter length that the settings ask for."""
    unit: Unit
    """The unit of the novel's lengths."""
    checkpoint: Checkpoint = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "checkpoint", self.store.checkpoint())

    @cached_property
    def planned_chapters(self) -> tuple[int, ...]:
        """The chapters that the volume plans."""
        return planned_in(self.store, self.volume)

    @cached_property
    def chapters(self) -> tuple[int, ...]:
        """The volume's chapters in the book: those it plans, and unplanned ones between them."""
        others = [planned_in(self.store, v) for v in self.store.layout.volume_numbers()]
        before = max((n for c in others[: self.volume - 1] for n in c), default=0)
        after = min((n for c in others[self.volume :] for n in c if n > before), default=10**9)
        last = min(self.checkpoint.last_completed_chapter, after - 1)
        return tuple(range(before + 1, last + 1))

    @cached_property
    def missing_chapters(self) -> tuple[int, ...]:
        """Planned chapters that are not in the book."""
        last = self.checkpoint.last_completed_chapter
        return tuple(n for n in self.planned_chapters if n > last)

    @cached_property
    def texts(self) -> dict[int, Chapter]:
        """The texts of the chapters that can be read."""
        texts = {number: self.store.chapter(number) for number in self.chapters}
        return {n: text for n, text in texts.items() if text is not None and text.paragraphs}

    @cached_property
    def evaluations(self) -> dict[int, Evaluation]:
        """The evaluations of the chapters."""
        readings = {number: self.store.evaluation(number) for number in self.chapters}
        return {n: e for n, e in readings.items() if e is not None}

    @cached_property
    def lengths(self) -> dict[int, int]:
        """The length of each chapter."""
        return {
            number: sum(length_in(p.prose, self.pack, self.unit) for p in text.paragraphs)
            for number, text in self.texts.items()
        }

    @cached_property
    def mean(self) -> float | None:
        """The mean of the judge's overall scores."""
        scores = [e.overall for e in self.evaluations.values() if e.overall is not None]
        return round(fmean(scores), 2) if scores else None

    @cached_property
    def promises(self) -> dict[str, PromiseSoFar]:
        """The promises of book and volume as they stand after the last chapter."""
        last = self.chapters[-1] if self.chapters else 0
        return StoryAt(self.store, last + 1).promises(self.volume)

    @cached_property
    def lines(self) -> dict[str, tuple[int, ...]]:
        """The chapters of each storyline."""
        entries = log.entries_that_count(self.store.changelog().entries)
        lines: dict[str, tuple[int, ...]] = {}
        for number in self.chapters:
            if number in entries:
                line = entries[number].storyline_id
                lines[line] = (*lines.get(line, ()), number)
        return lines

    @cached_property
    def contracts(self) -> dict[int, ChapterContract]:
        """The contracts of its chapters that have one."""
        numbers = {*self.chapters, *self.planned_chapters} & self.store.planned_chapters().keys()
        contracts = {number: self.store.contract(number) for number in sorted(numbers)}
        return {n: contract for n, contract in contracts.items() if contract is not None}

    @cached_property
    def outline_titles(self) -> dict[int, str]:
        """The titles of the chapters in the volume's outline that have anything below them."""
        sections = outline.sections(self.store.outline(self.volume))
        return {s.chapter: s.title for s in reversed(sections) if s.body}

    def length_wanted(self, number: int) -> int:
        """Returns the length that a chapter's plan asks for, else the one in the settings."""
        contract = self.contracts.get(number)
        own = contract.target_length if contract else None
        return own or self.target

    def findings_of_style(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yields each chapter with its measures that are out of range, in words."""
        for number, evaluation in self.evaluations.items():
            words = tuple(
                f"{metric_words(name)} {figure(name, measure.value)}"
                for name, measure in evaluation.metrics.items()
                if measure.ok is False
            )
            yield number, words

    def _texts_with_words(self) -> Iterator[tuple[int, Chapter]]:
        """Yields the chapters that are more than a title."""
        return ((number, text) for number, text in self.texts.items() if text.paragraphs)

    def ends(self) -> Iterator[tuple[int, str, str]]:
        """Yields the first and last words of each chapter."""
        for number, text in self._texts_with_words():
            first, last = text.paragraphs[0].prose, text.paragraphs[-1].prose
            tail = last if len(last) <= OPENING else f"…{last[-OPENING:]}"
            yield number, excerpt(" ".join(first.split()), OPENING), " ".join(tail.split())

    def echoes(self) -> dict[str, tuple[int, ...]]:
        """The opening words of first sentences that begin more than one chapter."""
        openings: dict[str, tuple[int, ...]] = {}
        for number, text in self._texts_with_words():
            words = text.paragraphs[0].prose.split()[:2]
            opening = " ".join(words) if self.pack.unit == "words" else "".join(words)[:4]
            openings[opening] = (*openings.get(opening, ()), number)
        return {words: numbers for words, numbers in openings.items() if len(numbers) > 1}

    @cached_property
    def tics(self) -> tuple[BookPattern, ...]:
        """What its chapters have far more often than published prose, all of them together."""
        chapters = {number: read(text.text, self.pack) for number, text in self.texts.items()}
        entries = StoryAt(self.store, (self.chapters or (0,))[-1] + 1).bible.entries.values()
        return book_patterns(chapters, [name for entry in entries for name in entry.names])

    def continuity(self) -> Sequence[str]:
        """Contradictions in these chapters, determined by code, one sentence each."""
        if not self.chapters:
            return ()
        return [
            finding.message for finding in ledger_of(self.store, self.pack, self.chapters).findings
        ]


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


class PromiseFigures(Value):
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
    promises: tuple[PromiseFigures, ...]
    lines: dict[str, tuple[int, ...]]
    """The chapters of each storyline in the book."""


def volume_standing(
    store: ProjectStore, settings: Settings, pack: LanguagePack, volume: int | None = None
) -> VolumeStanding:
    """Returns the standing of the volume with that number, by default the one in work.

    StudioError (exit 5) for a file that cannot be read.
    """
    number = volume or store.checkpoint().current_volume
    target, unit = targets_of_book(store, settings).chapter_length, unit_in(settings)
    figures = VolumeFigures(store, pack, number, target, unit)
    last = store.checkpoint().last_completed_chapter
    numbers = sorted({*figures.chapters, *figures.planned_chapters})
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


def _promises(store: ProjectStore, last: int, volume: int) -> list[PromiseFigures]:
    return [
        PromiseFigures(
            id=promise.id,
            description=promise.words,
            status=promise.status,
            planted=promise.chapter_of_planting,
            due=promise.plan.due,
            overdue=promise.is_overdue(last + 1),
        )
        for promise in StoryAt(store, last + 1).promises(volume).values()
    ]

"""The figures of a finished volume, counted from its plans and its chapters (seed D5). Pure
reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from studio.book.as_of import StoryAt
from studio.book.continuity.ledger import ledger_of
from studio.book.plans import planned_in
from studio.book.promises import PromiseSoFar
from studio.project import changelog as log
from studio.project import outline
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.lengths import Unit
from studio.story.review.evaluation import Evaluation
from studio.text.language.packs import LanguagePack
from studio.text.metrics.table import figure, metric_words
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import length_in

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
    def planned(self) -> tuple[int, ...]:
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
    def missing(self) -> tuple[int, ...]:
        """Planned chapters that are not in the book."""
        last = self.checkpoint.last_completed_chapter
        return tuple(n for n in self.planned if n > last)

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
        entries = log.counting(self.store.changelog().entries)
        lines: dict[str, tuple[int, ...]] = {}
        for number in self.chapters:
            if number in entries:
                line = entries[number].storyline_id
                lines[line] = (*lines.get(line, ()), number)
        return lines

    @cached_property
    def contracts(self) -> dict[int, ChapterContract]:
        """The contracts of its chapters that have one."""
        numbers = {*self.chapters, *self.planned} & self.store.planned().keys()
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

    def continuity(self) -> Sequence[str]:
        """Contradictions in these chapters, determined by code, one sentence each."""
        if not self.chapters:
            return ()
        return [
            finding.message for finding in ledger_of(self.store, self.pack, self.chapters).findings
        ]

"""From spans to passages: which paragraphs hold a metric's finds, and which of them to name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.text.reading import ParagraphReading, Reading
from studio.text.spans import Span


@dataclass(frozen=True, slots=True)
class Held:
    """A paragraph and the spans of one metric in it, clipped to it, counted from its start."""

    paragraph: Paragraph
    """As it stands in the NFC text."""
    part: ParagraphReading
    spans: tuple[Span, ...]

    @property
    def quotes(self) -> tuple[str, ...]:
        """The words of the spans."""
        return tuple(span.of(self.part.text) for span in self.spans)

    @property
    def density(self) -> float:
        """Spans in 1000 units of the paragraph's narration."""
        return len(self.spans) * 1000 / self.part.units if self.part.units else 0.0


@dataclass(frozen=True, slots=True)
class Passage:
    """Neighbouring paragraphs of one scene, as they stand in the chapter's own text."""

    paragraphs: tuple[Paragraph, ...]

    @property
    def scene(self) -> int:
        """Scene number."""
        return self.paragraphs[0].scene

    @property
    def text(self) -> str:
        """The paragraphs joined by a blank line."""
        return passage_text(self.paragraphs)

    @property
    def sha256(self) -> str:
        """What a directive names as its source."""
        return sha256_of(self.text)


def holding(reading: Reading, spans: Iterable[tuple[int, int]]) -> list[Held]:
    """The paragraphs that hold these spans of the text; both in order."""
    found: list[Held] = []
    waiting = sorted(spans)
    for paragraph, part in reading.parts:
        inside = tuple(
            Span(max(start, paragraph.start), min(end, paragraph.end)).moved(-paragraph.start)
            for start, end in waiting
            if start < paragraph.end and paragraph.start < end
        )
        if inside:
            found.append(Held(paragraph, part, inside))
        waiting = [span for span in waiting if span[1] > paragraph.end]
    return found


def neighbours(held: Sequence[Held], width: int) -> list[list[Held]]:
    """Runs of neighbouring paragraphs of a scene, each at most `width` long."""
    runs: list[list[Held]] = []
    for item in held:
        last = runs[-1][-1].paragraph if runs else None
        follows = (
            last is not None
            and last.scene == item.paragraph.scene
            and last.number + 1 == item.paragraph.number
        )
        if follows and len(runs[-1]) < width:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def worst_until(held: Sequence[Held], surplus: int) -> list[Held]:
    """The densest paragraphs that together hold at least `surplus` spans, in text order."""
    chosen: list[Held] = []
    for item in sorted(held, key=lambda h: (-len(h.spans), -h.density, h.paragraph.start)):
        if surplus <= 0:
            break
        chosen.append(item)
        surplus -= len(item.spans)
    return sorted(chosen, key=lambda h: h.paragraph.start)


def passage_of(held: Sequence[Held], chapter: Chapter) -> Passage:
    """The same paragraphs in the chapter's own text, which may not be NFC."""
    first, last = held[0].paragraph, held[-1].paragraph
    return Passage(chapter.passage(first.scene, first.number, last.number))

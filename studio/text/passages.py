"""From spans to passages: which paragraphs hold a metric's finds, and which of them to name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.story.chapter import Paragraph
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


def holding(reading: Reading, spans: Iterable[tuple[int, int]]) -> list[Held]:
    """The paragraphs that hold these spans of the text; both in order."""
    found: list[Held] = []
    waiting = sorted(spans)
    next_one = 0
    for paragraph, part in reading.parts:
        while next_one < len(waiting) and waiting[next_one][1] <= paragraph.start:
            next_one += 1
        inside = []
        later = next_one
        while later < len(waiting) and waiting[later][0] < paragraph.end:
            start, end = waiting[later]
            clipped = Span(max(start, paragraph.start), min(end, paragraph.end))
            inside.append(clipped.moved(-paragraph.start))
            later += 1
        if inside:
            found.append(Held(paragraph, part, tuple(inside)))
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

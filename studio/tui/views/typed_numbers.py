"""The few numbers displayed while the writer types, fitted to one line. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rich.cells import cell_len

from studio.i18n import N_, _, further
from studio.story.lengths import OTHER_COUNT, Unit, length_of, unit_of
from studio.text.language.packs import is_seeds
from studio.text.metrics.comparison import failing_side, is_notable, is_telling
from studio.text.metrics.measure import Metric, Yardstick, measure_reading
from studio.text.metrics.measure import length_of as whole_length
from studio.text.prose.parse import read
from studio.tui.views.lengths import length_words, other_count_words, unit_words
from studio.tui.views.words import Line, Phrase, Tone

_METRICS: Mapping[str, tuple[str, str]] = {
    "same_ending_run": (N_("alike endings {value:.0f}"), N_(" in a row")),
    "dialogue_ratio": (N_("dialogue {value:.0%}"), ""),
    "sentence_length_cv": (N_("sentence variety {value:.2f}"), ""),
}
"""The metrics of the line; the second part of each is left out first where the line is narrow."""
_GAP = " · "
_MARKS: Mapping[bool | None, tuple[str, Tone]] = {
    True: (" ✓", "good"),
    False: (" !", "warn"),
    None: ("", "plain"),
}


class TextNumbers(NamedTuple):
    """The measured length and metrics of a text in the editor."""

    length: int
    unit: Unit
    metrics: Mapping[str, Metric]
    """The metrics that tell something of the text."""
    notable: frozenset[str] = frozenset(_METRICS)
    """The metrics whose missed target deserves attention; elsewhere it is information."""
    other_length: int | None = None
    """The length with spaces where `length` is without them, or the other way round; None where it
    is the same, and where the novel does not say which it counts."""


def numbers_of(text: str, yardstick: Yardstick, unit: Unit | None = None) -> TextNumbers:
    """Returns the length of a text in the novel's unit, by default that of the language, and those
    of the metrics of the line that tell something."""
    reading = read(text, yardstick.pack)
    few = {
        name: metric
        for name, metric in measure_reading(reading, yardstick.thresholds, names=_METRICS).items()
        if is_telling(
            name,
            metric.measure(),
            by_method=is_seeds(name, metric.threshold, yardstick.pack),
        )
    }
    notable = frozenset(
        name
        for name, metric in few.items()
        if is_notable(
            metric.ok,
            metric.place,
            metric.threshold if is_seeds(name, metric.threshold, yardstick.pack) else None,
            metric.reference,
            side=failing_side(metric.value, metric.threshold),
        )
    )
    unit = unit or unit_of(yardstick.pack.language)
    if unit not in OTHER_COUNT:
        return TextNumbers(whole_length(reading), unit, few, notable)
    with_spaces = sum(length_of(part.text, "characters with spaces") for _, part in reading.parts)
    both = (with_spaces, whole_length(reading))
    length, other_length = both if unit == "characters with spaces" else both[::-1]
    return TextNumbers(length, unit, few, notable, None if length == other_length else other_length)


class LengthGoal(NamedTuple):
    """The targets that the length of a chapter is compared with."""

    chapter: int | None = None
    """The length that the plan of the chapter or the settings ask for."""
    today: int = 0
    """The amount written today, in all chapters."""
    sitting: int | None = None
    """The target for the amount written today."""


def goal_words(length: int, unit: Unit, goal: LengthGoal, other: str = "") -> str:
    """Returns `612 of 2,000 words, today +418 of 500`; `other` says the other count."""
    words = length_words(length, unit)
    if goal.chapter:
        words = _(
            "{length:,} of {goal:,} {unit}", length=length, goal=goal.chapter, unit=unit_words(unit)
        )
    today = _("today {today:+,}", today=goal.today)
    if goal.sitting:
        today = _("today {today:+,} of {goal:,}", today=goal.today, goal=goal.sitting)
    return words + other + further(today)


def numbers_line(numbers: TextNumbers, width: int, goal: LengthGoal | None = None) -> Line:
    """Returns the line in `width` cells: units are dropped first, then targets, then the last
    numbers."""
    forms = [[*_pieces(numbers, form)] for form in range(3)]
    if goal is not None:
        reached = goal.sitting is not None and goal.today >= goal.sitting
        for pieces in forms:
            words = goal_words(numbers.length, numbers.unit, goal, _other_length(numbers))
            pieces[0] = (Phrase(words, "good" if reached else "plain"),)
    pieces = next((pieces for pieces in forms if _cells(pieces) <= width), forms[-1])
    while len(pieces) > 1 and _cells(pieces) > width:
        pieces.pop()
    first, *others = pieces
    return (*first, *(words for piece in others for words in (Phrase(_GAP, "quiet"), *piece)))


def _pieces(numbers: TextNumbers, form: int) -> Iterator[Line]:
    """Yields the pieces of the line: form 0 has everything, 1 no units, 2 no targets either."""
    yield (Phrase(length_words(numbers.length, numbers.unit) + _other_length(numbers)),)
    for name, metric in numbers.metrics.items():
        words, unit = _METRICS[name]
        figure = _(words, value=metric.value) + (_(unit) if form == 0 else "")
        target = _target(name, metric) if form < 2 else ""
        is_information = metric.ok is False and name not in numbers.notable
        mark, tone = _MARKS[None if is_information else metric.ok]
        too_short = metric.ok is None and metric.threshold is not None
        yield (
            Phrase(figure, "quiet" if too_short else "plain"),
            Phrase(target, "quiet"),
            Phrase(mark, tone),
        )


def _target(name: str, metric: Metric) -> str:
    """Returns ` (under 5)`: `min` is good enough, `max` is already too much."""
    bounds = metric.threshold or {}
    form = "{:.0%}" if name == "dialogue_ratio" else "{:g}"
    low, high = (form.format(bounds[end]) if end in bounds else "" for end in ("min", "max"))
    if low and high:
        return f" ({low}-{high})"
    return _(" (from {low})", low=low) if low else _(" (under {high})", high=high) if high else ""


def _other_length(numbers: TextNumbers) -> str:
    """Returns ` (4,210 without spaces)`; "" where the novel does not say which it counts."""
    return other_count_words(numbers.other_length, numbers.unit)


def _cells(pieces: list[Line]) -> int:
    words = sum(cell_len(part.text) for piece in pieces for part in piece)
    return words + len(_GAP) * (len(pieces) - 1)

"""The metrics: numbers a chapter is measured by, each with the places they come from.

Narration metrics leave speech out; the title and scene breaks are in none. CJK
counts non-space characters, English counts words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from operator import mul

from studio.errors import usage
from studio.story.evaluation import Measure
from studio.text.language import LanguagePack, Threshold
from studio.text.reading import Reading, read
from studio.text.repetition import repeated_phrases
from studio.text.runs import Side, longest_run, runs
from studio.text.senses import sense_windows

RUN_TO_SHOW = 5
"""Runs from this length are shown where no target says otherwise (seed A16)."""
SENSES_WANTED = 2
"""Windows with fewer senses are shown where no target says otherwise (seed A16)."""
VARIETY_WANTED = 0.25
"""Paragraphs below this spread of sentence lengths are shown where no target says otherwise."""
_FEWEST = 5
"""Sentences or paragraphs below which a spread gives no verdict."""


@dataclass(frozen=True, slots=True)
class Place:
    """Words of the text: `text` is `nfc_text[start:end]`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Metric:
    """One number, what it was counted in, and where."""

    value: float
    unit: str
    n: int
    """Size of the sample: units of text, sentences, paragraphs or windows."""
    threshold: dict[str, float] | None = None
    """What is in force: `min` is enough, `max` is already too much."""
    ok: bool | None = None
    """None below the metric's own minimum, or where no threshold is in force."""
    spans: tuple[Place, ...] = ()

    def measure(self) -> Measure:
        """The metric without its places, as an evaluation keeps it."""
        return Measure(
            value=self.value, unit=self.unit, n=self.n, threshold=self.threshold, ok=self.ok
        )


@dataclass(frozen=True, slots=True)
class _Count:
    value: float
    unit: str
    n: int
    enough: bool
    spans: Iterable[tuple[int, int]] = ()


def measure(
    text: str, pack: LanguagePack, targets: Mapping[str, Threshold] | None = None
) -> dict[str, Metric]:
    """Every metric of a text, in a fixed order.

    `targets` are the project's thresholds, `{"filter_word_density": {"max": 5}}`;
    each replaces the language's own, and an empty one switches it off. A value
    passes from `min` on and fails from `max` on. Raises StudioError (exit 2)
    for a target no metric has.
    """
    thresholds = in_force(pack, targets)
    reading = read(text, pack)
    return {
        name: _judged(count(reading, thresholds.get(name)), thresholds.get(name), reading)
        for name, count in _METRICS.items()
    }


def in_force(
    pack: LanguagePack, targets: Mapping[str, Threshold] | None = None
) -> dict[str, dict[str, float]]:
    """The thresholds that hold: the language's, replaced one by one by the project's."""
    held = {name: dict(threshold) for name, threshold in pack.thresholds.items()}
    for name, threshold in (targets or {}).items():
        if name not in _METRICS:
            raise usage(
                f"There is no metric called {name!r} to set a target for.",
                f"The metrics are {', '.join(_METRICS)}.",
            )
        if set(threshold) - {"min", "max"}:
            raise usage(
                f"The target of {name} can have `min` and `max`, not"
                f" {', '.join(sorted(set(threshold) - {'min', 'max'}))}.",
                f"Write it as {name} = {{max = 5}}.",
            )
        held[name] = dict(threshold)
    return {name: threshold for name, threshold in held.items() if threshold}


def _judged(count: _Count, threshold: dict[str, float] | None, reading: Reading) -> Metric:
    ok = None
    if threshold is not None and count.enough:
        ok = threshold.get("min", float("-inf")) <= count.value
        ok = ok and count.value < threshold.get("max", float("inf"))
    spans = tuple(Place(start, end, reading.text[start:end]) for start, end in count.spans)
    return Metric(count.value, count.unit, count.n, threshold, ok, spans)


def _density(*kinds: str) -> Callable[[Reading, Threshold | None], _Count]:
    def count(reading: Reading, _: Threshold | None) -> _Count:
        places, n = list(reading.hits(*kinds)), reading.units
        unit = f"per 1000 {reading.pack.unit}"
        return _Count(_per_thousand(len(places), n), unit, n, n >= reading.pack.minimum, places)

    return count


def _per_thousand(hits: int, units: int) -> float:
    return hits * 1000 / units if units else 0.0


def _sensory(reading: Reading, threshold: Threshold | None) -> _Count:
    """The fewest distinct senses in any window of narration (seed A16).

    The narration of the whole text, speech left out, is cut into consecutive
    windows of 500 non-space characters (ko, zh) or 100 words (en); what is
    left at the end belongs to the last window. A sense word counts where it
    begins. Spans are the windows that have too few.
    """
    windows = sense_windows(reading)
    wanted = (threshold or {}).get("min", SENSES_WANTED)
    value = min((len(w.senses) for w in windows), default=0)
    poor = [(w.start, w.end) for w in windows if len(w.senses) < wanted]
    unit = f"senses per {reading.pack.window} {reading.pack.unit}"
    return _Count(float(value), unit, len(windows), reading.units >= reading.pack.window, poor)


def _runs(side: Side) -> Callable[[Reading, Threshold | None], _Count]:
    def count(reading: Reading, threshold: Threshold | None) -> _Count:
        shown = (threshold or {}).get("max", RUN_TO_SHOW)
        longest = longest_run(reading, side)
        found = runs(reading, side, shown) if longest >= shown else []
        spans = [(s.start, s.end) for run in found for s in run.spans]
        return _Count(float(longest), "sentences", len(reading.narrated), True, spans)

    return count


def _dialogue_ratio(reading: Reading, _: Threshold | None) -> _Count:
    total = sum(part.characters for _, part in reading.parts)
    spoken = sum(part.spoken for _, part in reading.parts)
    length = sum(part.length for _, part in reading.parts)
    spans = [(p.start + s.start, p.start + s.end) for p, part in reading.parts for s in part.speech]
    ratio = spoken / total if total else 0.0
    return _Count(ratio, "ratio", total, length >= reading.pack.minimum, spans)


def _sentence_variety(reading: Reading, threshold: Threshold | None) -> _Count:
    """Spans are the paragraphs that are monotonous by themselves."""
    wanted = (threshold or {}).get("min", VARIETY_WANTED)
    flat = []
    for paragraph, part in reading.parts:
        if len(part.sentences) < _FEWEST:
            continue
        told = [s for s in part.sentences if s.narrated]
        if len(told) >= _FEWEST and _spread(s.length for s in told).value < wanted:
            start, end = told[0].span.start, told[-1].span.end
            flat.append((paragraph.start + start, paragraph.start + end))
    return replace(_spread(s.length for s in reading.narrated), spans=flat)


def _paragraph_variety(reading: Reading, _: Threshold | None) -> _Count:
    return _spread(part.length for _, part in reading.parts)


def _spread(lengths: Iterable[int]) -> _Count:
    """Standard deviation over mean."""
    sizes = list(lengths)
    n, total = len(sizes), sum(sizes)
    return _Count(spread(n, total, sum(map(mul, sizes, sizes))), "ratio", n, n >= _FEWEST)


def spread(n: int, total: int, squares: int) -> float:
    """Standard deviation over mean, from a sample's size, its sum and its sum of squares."""
    return sqrt(n * squares - total * total) / total if total else 0.0


def _repetition(reading: Reading, _: Threshold | None) -> _Count:
    places, n = repeated_phrases(reading), reading.units
    unit = f"per 1000 {reading.pack.unit}"
    return _Count(_per_thousand(len(places), n), unit, n, n >= reading.pack.minimum, places)


def _leaked(reading: Reading, _: Threshold | None) -> _Count:
    spans = [(p.start + s.start, p.start + s.end) for p, part in reading.parts for s in part.leaks]
    return _Count(float(len(spans)), "places", len(reading.parts), True, spans)


_METRICS: dict[str, Callable[[Reading, Threshold | None], _Count]] = {
    "sensory_grounding": _sensory,
    "filter_word_density": _density("filter"),
    "same_ending_run": _runs("closing"),
    "same_opening_run": _runs("opening"),
    "dialogue_ratio": _dialogue_ratio,
    "sentence_length_cv": _sentence_variety,
    "paragraph_length_cv": _paragraph_variety,
    "repetition": _repetition,
    "adverb_density": _density("adverb"),
    "cliche_density": _density("cliche", "blacklist"),
    "leaked_meta": _leaked,
}
METRIC_NAMES = tuple(_METRICS)

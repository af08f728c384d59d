"""Learns an author's range of each metric from the author's own prose.

The prose is cut into samples of equal length. A band excludes so few of the most extreme samples
that a new one of the same author is outside with a chance of at most one in twenty (split conformal
prediction: of n exchangeable values, the next is beyond the k-th largest with a chance of k / (n +
1)). With fewer than nineteen samples the band is the whole range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from studio.errors import StudioError, usage
from studio.messages import quantity, said
from studio.story.baseline import Band, Baseline, BaselineSource
from studio.story.chapter import Chapter, sha256_of
from studio.text.language.packs import LanguagePack
from studio.text.metrics.measure import Metric, measure
from studio.text.metrics.metric_kinds import METRICS, MetricKind, MetricUnit
from studio.text.prose.parse import read

Column = Sequence[tuple[int, float]]
"""The (sample, value) pairs of one metric."""
Limits = Callable[[Sequence[float]], tuple[float, float]]

FEWEST_SAMPLES = 8
_LEARNED = tuple(kind for kind in METRICS.values() if kind.learned)
_OPEN: Mapping[str, Mapping[str, float]] = {kind.name: {"max": math.inf} for kind in _LEARNED}
"""Thresholds that no value fails, so `ok` says whether a text was long enough."""
_OUTSIDE = 0.05
_MOST_SAMPLES = 24
"""More text than this number of the shortest samples makes the samples longer."""
_SHORTEST, _LONGEST = 3, 10
"""The limits of a sample's length, in minimums of the language (500 characters, 100 words)."""


def learn(texts: Sequence[tuple[str, str]], pack: LanguagePack) -> Baseline:
    """Returns the baseline of (name, text) pairs, all by one author.

    The same texts in the same order give the same baseline. Where the texts make fewer than eight
    samples, StudioError (exit 2) says how much is missing.
    """
    chapters = [(name, text, Chapter(text)) for name, text in _distinct(texts)]
    lengths = [_length(chapter, pack) for _, _, chapter in chapters]
    size = _sample_length(sum(lengths), pack)
    samples = [s for _, _, chapter in chapters for s in samples_of(chapter, size, pack)]
    if len(samples) < FEWEST_SAMPLES:
        raise _too_little(sum(lengths), size, pack)
    pieces, wholes = (
        _Sampled([measure(text, pack, _OPEN) for text in texts], least)
        for texts, least in ((samples, size), ([t for _, t, _ in chapters], max(1, min(lengths))))
    )
    learned = {kind: _learn(kind, wholes if kind.grows else pieces) for kind in _LEARNED}
    alarmed = {n for kind, (_, places) in learned.items() if not kind.grows for n in places}
    return Baseline(
        language=pack.language,
        sample_length=size,
        samples=len(samples),
        false_alarms=_share(len(alarmed), len(samples)),
        bands={kind.name: band for kind, (band, _) in learned.items() if band is not None},
        sources=tuple(
            BaselineSource(name=name, sha256=sha256_of(text), length=length)
            for (name, text, _), length in zip(chapters, lengths, strict=True)
        ),
    )


@dataclass(frozen=True)
class _Sampled:
    """The metrics of several texts by one author."""

    metrics: Sequence[Mapping[str, Metric]]
    size: int
    """The length of the shortest text."""

    def column(self, name: str) -> Column:
        """Returns a metric's values in the texts that are long enough for it."""
        return [(n, m[name].value) for n, m in enumerate(self.metrics) if m[name].ok is not None]


def _learn(kind: MetricKind, sampled: _Sampled) -> tuple[Band | None, Sequence[int]]:
    """Returns a metric's band, if there are enough samples, and the samples with a false alarm."""
    column, sides = sampled.column(kind.name), kind.sides
    if len(column) < FEWEST_SAMPLES:
        return None, ()
    limits = partial(_limits, *_grain(kind.unit, sampled.size))
    alarms = _held_out(sides, column, limits)
    return _band(sides, column, alarms, limits), alarms


def _distinct(texts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Drops duplicate texts: a copy would vouch for the original when that is held out."""
    once: dict[str, str] = {}
    for name, text in texts:
        once.setdefault(text, name)
    return [(name, text) for text, name in once.items()]


def _length_words(length: int, pack: LanguagePack) -> str:
    if pack.unit == "words":
        return quantity(length, "{n} word", "{n} words")
    return quantity(length, "{n} character", "{n} characters")


def _too_little(length: int, size: int, pack: LanguagePack) -> StudioError:
    needed_length = FEWEST_SAMPLES * size
    return usage(
        said(
            "{length} are too few to learn an author's range from; it takes about {needed_length}.",
            length=_length_words(length, pack),
            needed_length=needed_length,
        ),
        said("Name more files of your own prose, or more chapters that you wrote yourself."),
    )


def _length(chapter: Chapter, pack: LanguagePack) -> int:
    parts = read(chapter.text, pack).prose
    return sum(part.length for _, part in parts)


def _sample_length(total: int, pack: LanguagePack) -> int:
    """Returns a sample length up to a chapter's, as far as the prose suffices for many samples."""
    fitting = total // _MOST_SAMPLES
    return max(_SHORTEST * pack.minimum, min(_LONGEST * pack.minimum, fitting))


def samples_of(chapter: Chapter, size: int, pack: LanguagePack) -> list[str]:
    """Cuts a text into whole paragraphs of at least `size` per sample; a short rest is dropped."""
    pieces: list[str] = []
    paragraphs: list[str] = []
    length = 0
    for _, part in read(chapter.text, pack).prose:
        paragraphs.append(part.text)
        length += part.length
        if length >= size:
            pieces.append("\n\n".join(paragraphs))
            paragraphs, length = [], 0
    return pieces


def _grain(unit: MetricUnit, size: int) -> tuple[float, float]:
    """Returns the step a band is rounded to, and the least value that may be too much.

    Counts are whole. One hit in a sample is never too high a density: an author whose samples
    happen to contain none may still use one.
    """
    if unit == "density":
        return 0.01, 1000 / size
    return (1.0, 0.0) if unit in ("sentences", "senses") else (0.01, 0.0)


def _limits(step: float, floor: float, values: Sequence[float]) -> tuple[float, float]:
    """Returns the least value that is enough and the least that is too much, rounded."""
    ordered = sorted(values)
    beyond = max(1, math.floor(_OUTSIDE * (len(ordered) + 1)))
    low, high = ordered[beyond - 1], max(ordered[-beyond], floor)
    return (
        round(math.floor(low / step) * step, 2),
        round((math.floor(high / step) + 1) * step, 2),
    )


def _band(sides: Sequence[str], column: Column, alarms: Sequence[int], limits: Limits) -> Band:
    values = [value for _, value in column]
    low, high = limits(values)
    return Band(
        typical=round(median(values), 4),
        min=low if "min" in sides else None,
        max=high if "max" in sides else None,
        samples=len(values),
        false_alarms=_share(len(alarms), len(values)),
    )


def _held_out(sides: Sequence[str], column: Column, limits: Limits) -> list[int]:
    """Returns the samples outside a band computed from all the others."""
    outliers = []
    for place, (sample, value) in enumerate(column):
        others = [v for n, (_, v) in enumerate(column) if n != place]
        if not others:
            continue
        low, high = limits(others)
        if ("min" in sides and value < low) or ("max" in sides and value >= high):
            outliers.append(sample)
    return outliers


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0

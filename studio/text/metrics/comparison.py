"""Compares a number with those of published prose (PROSE 1).

The reference was measured in passages of one length. A density or a share is comparable between
texts of any length. The longest run and the poorest stretch are not: a longer text has more chances
for either. Such a number is compared with the maximum (or minimum) over equally many passages drawn
at random: none of k passages exceeds v with a chance of F(v) to the power of k. A number that grows
in another way is compared only with texts of similar length.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, Literal

from studio.story.review.evaluation import Measure, ReferenceRange
from studio.text.language.reference import load_reference
from studio.text.metrics.metric_kinds import METRICS, Bound, MetricKind

if TYPE_CHECKING:
    from studio.text.language.packs import LanguagePack

FEWEST_VALUES = 36
"""The minimum number of passages for a comparison with published prose (PROSE 1)."""
LOW, MIDDLE, HIGH = 0.05, 0.5, 0.95
_LIKE_LENGTH = (0.5, 2.0)
"""The range of a text's length, relative to a passage, for numbers that grow with length."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The values of one metric in published prose, for a text as long as `ratio` passages."""

    values: Sequence[float]
    """The values in ascending order."""
    extreme: Bound | None
    ratio: float

    def below(self, value: float) -> float:
        """Returns the share of published texts of this length that have less."""
        return self._grown(bisect_left(self.values, value) / len(self.values))

    def above(self, value: float) -> float:
        """Returns the share of published texts of this length that have more."""
        return 1 - self._grown(bisect_right(self.values, value) / len(self.values))

    def place(self, value: float) -> float:
        """Returns 0 where all texts have more and 1 where all have less; ties count half."""
        return round((self.below(value) + 1 - self.above(value)) / 2, 4)

    def range(self) -> ReferenceRange:
        """Returns the 5th, 50th and 95th percentile."""
        p5, p50, p95 = map(self._quantile, (LOW, MIDDLE, HIGH))
        return ReferenceRange(p5=p5, p50=p50, p95=p95, n=len(self.values))

    def _grown(self, share: float) -> float:
        """Converts a share of passages to the same value's share of texts of this length."""
        if self.extreme == "max":
            return float(share**self.ratio)
        if self.extreme == "min":
            return float(1 - (1 - share) ** self.ratio)
        return share

    def _quantile(self, share: float) -> float:
        if self.extreme == "max":
            share = share ** (1 / self.ratio)
        elif self.extreme == "min":
            share = 1 - (1 - share) ** (1 / self.ratio)
        return self.values[max(0, ceil(round(share * len(self.values), 6)) - 1)]


def comparison(kind: MetricKind, length: int, pack: LanguagePack) -> Comparison | None:
    """Returns the comparison for a metric in a text of that length; None where no data exists or
    too few authors were measured, and in a serial.

    `length` is the length of the whole text, speech included, in the language's units.
    """
    if pack.is_serial:  # nothing published serially was measured
        return None
    reference = load_reference(pack.language)
    if not reference.suffices:
        return None
    values = reference.values.get(kind.name, ())
    ratio = length / reference.window
    if len(values) < FEWEST_VALUES or not ratio:
        return None
    if kind.grows and kind.extreme is None:
        least, most = _LIKE_LENGTH
        if not least <= ratio <= most:
            return None
    return Comparison(values, kind.extreme, ratio)


RangePart = Literal["most", "least", "middle", "half", "more", "less"]
"""The wording for a number: hardly any text has more (or less), it is in the middle, half of the
texts have more, or so many of ten have more (or less)."""

_FEW = 0.1


def how_it_stands(value: float, place: float, reference: ReferenceRange) -> tuple[RangePart, int]:
    """Returns the wording for a number, and the number of texts in ten it mentions."""
    if value > reference.p95:
        return "most", 0
    if value < reference.p5:
        return "least", 0
    if value == reference.p50:
        return "middle", 5
    tenths = max(1, round(10 * (place if value < reference.p50 else 1 - place)))
    if tenths >= 5:
        return "half", 5
    return ("less", tenths) if value < reference.p50 else ("more", tenths)


def is_notable(
    ok: bool | None,
    place: float | None,
    seeds: Mapping[str, float] | None = None,
    reference: ReferenceRange | None = None,
    *,
    side: Bound | None = None,
) -> bool:
    """Whether a number that misses its target on this side deserves attention: not where more than
    one published text in ten would get the same complaint, and so never at the other end, where
    nine in ten would; nor where the target is the seed's (`seeds`) and most published texts miss
    it, which refutes it (PROSE 0.5, SERIAL 3)."""
    if seeds and reference is not None:
        low, high = seeds.get("min", -inf), seeds.get("max", inf)
        if not low <= reference.p50 < high:
            return False
    if ok is not False or place is None:
        return ok is False and not (seeds and reference is not None)
    is_low, is_high = place <= _FEW, place >= 1 - _FEW
    return {"min": is_low, "max": is_high, None: is_low or is_high}[side]


def is_telling(metric: str, measure: Measure, *, by_method: bool) -> bool:
    """Whether a number says something of this chapter: one that she has a target for (none of the
    method's, `by_method`), a find to look at, or one beyond nine in ten of published texts on the
    side that is a fault. What most of them have says nothing, and neither does a number that
    nothing published stands behind (PROSE 0.7)."""
    kind = METRICS.get(metric)
    if kind is None:
        return True
    if not kind.is_reported:
        return False
    if measure.threshold and not by_method:
        return True
    if kind.is_find:
        return measure.value > 0
    usual = measure.reference
    if kind.needs_target or usual is None:
        return False
    is_low = "min" in kind.sides and measure.value < usual.p5
    return is_low or ("max" in kind.sides and measure.value > usual.p95)


def is_worth_showing(metric: str, measure: Measure, *, by_method: bool) -> bool:
    """Whether reports and pages show a number: one that tells something, or one that misses a
    target of the method, beside what is published (PROSE 1)."""
    kind = METRICS.get(metric)
    is_refutable = by_method and measure.ok is False and measure.reference is not None
    shows_target = is_refutable and kind is not None and not kind.needs_target and kind.is_reported
    return shows_target or is_telling(metric, measure, by_method=by_method)


def numbers_without_place(metrics: Iterable[str], others: Collection[str]) -> list[str]:
    """Returns the measures of a serial whose numbers are told by themselves, beside the `others`
    that are told with more: nothing published is there to place them (SERIAL 3)."""
    return [
        name
        for name in metrics
        if name not in others
        and (kind := METRICS.get(name)) is not None
        and kind.is_reported
        and not (kind.needs_target or kind.is_find)
    ]


def failing_side(value: float, threshold: Mapping[str, float] | None) -> Bound | None:
    """Returns the side on which a number misses its target; None where it does not."""
    bounds = threshold or {}
    if value >= bounds.get("max", inf):
        return "max"
    return "min" if value < bounds.get("min", -inf) else None

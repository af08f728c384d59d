"""What each metric is, independent of any text: one row per number that measures a chapter.

Every other module looks up a metric's properties here; `metrics` says how each is counted. This
module loads no language and no text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from studio.i18n import N_
from studio.messages import Said, said
from studio.story.review.directive import DirectiveType

if TYPE_CHECKING:
    from studio.text.language.packs import LanguagePack


Bound = Literal["min", "max"]
MetricUnit = Literal["density", "share", "spread", "sentences", "senses", "places"]

_UNITS: Mapping[MetricUnit, Said] = {
    "density": said("per 1000 {unit}"),
    "share": said("ratio"),
    "spread": said("ratio"),
    "sentences": said("sentences"),
    "senses": said("senses per {window} {unit}"),
    "places": said("places"),
}
_LOW: tuple[Bound, ...] = ("min",)
_HIGH: tuple[Bound, ...] = ("max",)


@dataclass(frozen=True, slots=True)
class MetricKind:
    """The properties of one metric that do not depend on a text."""

    name: str
    words: str
    """The writer's name for the metric."""
    sides: tuple[Bound, ...]
    """`min` where too little is a fault, `max` where too much is."""
    unit: MetricUnit
    """The unit: a share is a fraction of one, a spread is deviation over mean."""
    directive: DirectiveType | None = None
    """The type of directive that its issues make (A10); None where code proposes nothing."""
    learned: bool = True
    """Whether an author's range of the metric can be learned from a text by itself."""
    grows: bool = False
    """Whether the value grows with the length of a text, so only whole texts are comparable."""
    extreme: Bound | None = None
    """`max` where the value is a maximum over the text, `min` where it is a minimum."""
    has_place: bool = True
    """Whether its number is placed among published prose; what two readers do not agree on is a
    count without a place (PROSE 0.7)."""
    is_reported: bool = True
    """Whether reports and pages show it."""
    needs_target: bool = False
    """Whether they show it only to an author who has a target of her own for it."""
    is_find: bool = False
    """Whether each one is worth looking at, whatever published prose has."""
    quiet: float = 0.0
    """The value without any fault, where too much is the fault."""

    @property
    def direction(self) -> int:
        """1 where more is better, -1 where less is, 0 where neither."""
        return ("min" in self.sides) - ("max" in self.sides)

    def unit_in(self, pack: LanguagePack) -> str:
        """Returns the unit in a language: `per 1000 words`."""
        return _UNITS[self.unit].with_values(unit=Said(pack.unit), window=pack.window)


_ROWS = (
    MetricKind(
        "sensory_grounding",
        N_("senses"),
        _LOW,
        "senses",
        DirectiveType.SENSORY_ENRICHMENT,
        grows=True,
        extreme="min",
        is_reported=False,  # machines score higher than people
    ),
    MetricKind(
        "sensory_share",
        N_("stretches that touch two senses"),
        _LOW,
        "share",
        is_reported=False,
    ),
    MetricKind(
        "filter_word_density",
        N_("filter words"),
        _HIGH,
        "density",
        DirectiveType.FILTER_WORD_REMOVAL,
        has_place=False,
        needs_target=True,  # two readers do not agree on it; to see every one is a search
    ),
    MetricKind(
        "same_ending_run",
        N_("sentences in a row that end alike"),
        _HIGH,
        "sentences",
        DirectiveType.RHYTHM_VARIATION,
        grows=True,
        extreme="max",
        quiet=1,
    ),
    MetricKind(
        "same_opening_run",
        N_("sentences in a row that begin alike"),
        _HIGH,
        "sentences",
        DirectiveType.RHYTHM_VARIATION,
        grows=True,
        extreme="max",
        quiet=1,
    ),
    MetricKind(
        "same_subject_run",
        N_("sentences in a row about the same subject"),
        _HIGH,
        "sentences",
        grows=True,
        extreme="max",
        quiet=1,
    ),
    MetricKind("dialogue_ratio", N_("share of dialogue"), ("min", "max"), "share"),
    MetricKind(
        "sentence_length_cv",
        N_("sentence variety"),
        _LOW,
        "spread",
        DirectiveType.RHYTHM_VARIATION,
    ),
    # The next three lead to no proposal and to no place in the text.
    MetricKind("paragraph_length_cv", N_("paragraph variety"), _LOW, "spread", needs_target=True),
    MetricKind(
        "opening_share",
        N_("sentences that begin with the same word"),
        _HIGH,
        "share",
        needs_target=True,
    ),
    MetricKind(
        "one_sentence_paragraphs",
        N_("paragraphs of one sentence"),
        _HIGH,
        "share",
        needs_target=True,
    ),
    MetricKind(
        "repetition",
        N_("repeated phrases"),
        _HIGH,
        "density",
        DirectiveType.CLICHE_REPLACEMENT,
        grows=True,
    ),
    MetricKind(
        "repetition_across",
        N_("phrases repeated from other chapters"),
        _HIGH,
        "density",
        learned=False,
    ),
    MetricKind(
        "echoes",
        N_("echoes of earlier chapters"),
        _HIGH,
        "places",
        learned=False,
        is_find=True,
    ),
    MetricKind(
        "adverb_density", N_("adverbs"), _HIGH, "density", DirectiveType.FILTER_WORD_REMOVAL
    ),
    MetricKind("cliche_density", N_("clichés"), _HIGH, "density", DirectiveType.CLICHE_REPLACEMENT),
    MetricKind("contrast_density", N_("“not this but that”"), _HIGH, "density"),
    MetricKind("dash_density", N_("dashes"), _HIGH, "density"),
    MetricKind("bookism_density", N_("speech tags other than said"), _HIGH, "density"),
    MetricKind(
        "length_growth",
        N_("growth in length"),
        _HIGH,
        "share",
        learned=False,
        needs_target=True,  # it is of a rewrite, which says it itself
    ),
    MetricKind(
        "leaked_meta",
        N_("words about the work"),
        _HIGH,
        "places",
        DirectiveType.CUT,
        learned=False,  # a fault for anybody
        is_find=True,
    ),
    MetricKind(
        "doubled_paragraphs",
        N_("paragraphs that stand twice"),
        _HIGH,
        "places",
        learned=False,
        is_find=True,
    ),
)

METRICS: Mapping[str, MetricKind] = MappingProxyType({row.name: row for row in _ROWS})
"""Every metric's row, in the order in which they are measured and listed."""
METRIC_NAMES = tuple(METRICS)


def direction(metric: str) -> int:
    """Returns 1 where more of a metric is better, -1 where less is, 0 if neither or unknown."""
    kind = METRICS.get(metric)
    return kind.direction if kind else 0


def is_share(metric: str) -> bool:
    """Whether a metric's value is a fraction of one, which is displayed as a percentage."""
    kind = METRICS.get(metric)
    return kind is not None and kind.unit == "share"


def metric_words(metric: str) -> str:
    """Returns the writer's name for a metric; one without a row is named by its id, as words."""
    kind = METRICS.get(metric)
    return Said(kind.words) if kind else metric.replace("_", " ")


def figure(metric: str, value: float) -> str:
    """Formats `7.2`, `0.89`, `4.3%`, never rounded up to a whole number not reached, because
    thresholds are whole numbers (4.996 passes where 5 does not)."""
    if is_share(metric):
        return f"{_short(value * 100, 1)}%"
    return _short(value, 2)


def _short(value: float, digits: int) -> str:
    rounded = round(value, digits)
    if rounded == int(rounded) and abs(value - rounded) > 1e-9:
        return f"{value:.4g}"
    return f"{rounded:.{digits}f}".rstrip("0").rstrip(".") if rounded % 1 else f"{rounded:.0f}"

"""Which way each metric improves, and by how much a rewrite improved it."""

from __future__ import annotations

from collections.abc import Mapping

from studio.text.metrics import Metric

LOWER_IS_BETTER = frozenset(
    {
        "filter_word_density",
        "same_ending_run",
        "same_opening_run",
        "same_subject_run",
        "opening_share",
        "one_sentence_paragraphs",
        "repetition_across",
        "echoes",
        "contrast_density",
        "dash_density",
        "repetition",
        "adverb_density",
        "cliche_density",
        "leaked_meta",
    }
)
HIGHER_IS_BETTER = frozenset({"sensory_grounding", "sentence_length_cv", "paragraph_length_cv"})
_QUIET: Mapping[str, float] = {"same_ending_run": 1, "same_opening_run": 1, "same_subject_run": 1}
"""The value at which a metric has nothing to complain of, where that is not 0."""


def better_by(metric: str, old: Mapping[str, Metric], new: Mapping[str, Metric]) -> float:
    """How far a metric moved for the better; negative for the worse, 0 where it is unknown."""
    if metric not in old or metric not in new:
        return 0.0
    change = new[metric].value - old[metric].value
    return -change if metric in LOWER_IS_BETTER else change


def has_direction(metric: str) -> bool:
    """Whether a change of this metric is for the better or for the worse at all."""
    return metric in LOWER_IS_BETTER or metric in HIGHER_IS_BETTER


def is_quiet(metric: str, measured: Mapping[str, Metric]) -> bool:
    """Whether code sees nothing of what a metric counts."""
    if metric not in LOWER_IS_BETTER or metric not in measured:
        return False
    return measured[metric].value <= _QUIET.get(metric, 0)

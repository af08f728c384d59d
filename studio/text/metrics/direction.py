"""On which side of its range each metric is a fault, and what an author's prose can teach of it."""

from __future__ import annotations

from collections.abc import Mapping

SIDES: Mapping[str, tuple[str, ...]] = {
    "sensory_grounding": ("min",),
    "filter_word_density": ("max",),
    "same_ending_run": ("max",),
    "same_opening_run": ("max",),
    "same_subject_run": ("max",),
    "dialogue_ratio": ("min", "max"),
    "sentence_length_cv": ("min",),
    "paragraph_length_cv": ("min",),
    "opening_share": ("max",),
    "one_sentence_paragraphs": ("max",),
    "repetition": ("max",),
    "repetition_across": ("max",),
    "echoes": ("max",),
    "adverb_density": ("max",),
    "cliche_density": ("max",),
    "contrast_density": ("max",),
    "dash_density": ("max",),
    "bookism_density": ("max",),
    "length_growth": ("max",),
    "leaked_meta": ("max",),
}
"""`min` where too little is a fault, `max` where too much is; every metric has a row."""
LEARNED = tuple(
    name
    for name in SIDES
    if name not in ("repetition_across", "echoes", "length_growth", "leaked_meta")
)
"""What a text by itself says of its author. A leaked outline is a fault for anybody."""
GROWING = frozenset(
    {
        "sensory_grounding",
        "same_ending_run",
        "same_opening_run",
        "same_subject_run",
        "repetition",
    }
)
"""Metrics that a longer text has more of, whoever wrote it: learned from whole texts alone."""


def direction(metric: str) -> int:
    """1 where more of a metric is better, -1 where less is, 0 where neither or it is unknown."""
    sides = SIDES.get(metric, ())
    return ("min" in sides) - ("max" in sides)

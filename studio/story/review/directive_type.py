"""The types of directives."""

from __future__ import annotations

from enum import StrEnum


class DirectiveType(StrEnum):
    """The nine kinds of the seed (A9), and three of ours: `cut`, `specificity` and `wording`."""

    SHOW_NOT_TELL = "show-not-tell"
    FILTER_WORD_REMOVAL = "filter-word-removal"
    SENSORY_ENRICHMENT = "sensory-enrichment"
    RHYTHM_VARIATION = "rhythm-variation"
    DIALOGUE_SUBTEXT = "dialogue-subtext"
    CLICHE_REPLACEMENT = "cliche-replacement"
    TRANSITION_SMOOTHING = "transition-smoothing"
    VOICE_CONSISTENCY = "voice-consistency"
    PROOFREADING = "proofreading"
    CUT = "cut"
    SPECIFICITY = "specificity"
    """A general word where this book would name a concrete thing."""
    WORDING = "wording"
    """A sentence no native writer would build."""

"""The writer's names for the kinds of directives, which the app and the command line say."""

from __future__ import annotations

from collections.abc import Mapping

from studio.i18n import N_, _
from studio.story.review.directive import DirectiveType

NAMES: Mapping[DirectiveType, str] = {
    DirectiveType.SHOW_NOT_TELL: N_("Show, don't tell"),
    DirectiveType.FILTER_WORD_REMOVAL: N_("Filter words"),
    DirectiveType.SENSORY_ENRICHMENT: N_("Senses"),
    DirectiveType.RHYTHM_VARIATION: N_("Rhythm"),
    DirectiveType.DIALOGUE_SUBTEXT: N_("Subtext"),
    DirectiveType.CLICHE_REPLACEMENT: N_("Cliché"),
    DirectiveType.TRANSITION_SMOOTHING: N_("Transition"),
    DirectiveType.VOICE_CONSISTENCY: N_("Voice"),
    DirectiveType.PROOFREADING: N_("Slips of the pen"),
    DirectiveType.CUT: N_("Cut"),
    DirectiveType.FACT_CORRECTION: N_("Facts"),
    DirectiveType.SPECIFICITY: N_("More exact"),
    DirectiveType.WORDING: N_("Wording"),
}


def kind_name(kind: DirectiveType) -> str:
    """Returns the writer's name for a kind of directive."""
    return _(NAMES[kind])


def kind_name_of(spelling: str) -> str:
    """Returns the writer's name for a kind as files spell it; any other word is returned as it
    is."""
    plain = spelling.replace("_", "-")
    return next((_(name) for kind, name in NAMES.items() if kind.value == plain), plain)

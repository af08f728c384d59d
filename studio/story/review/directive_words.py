"""The writer's names for the kinds of directives, which the app and the command line say."""

from __future__ import annotations

from collections.abc import Mapping

from studio.i18n import translate
from studio.messages import Said, said
from studio.story.review.directive import Directive, DirectiveType

NAMES: Mapping[DirectiveType, Said] = {
    DirectiveType.SHOW_NOT_TELL: said("Show, don't tell"),
    DirectiveType.FILTER_WORD_REMOVAL: said("Filter words"),
    DirectiveType.SENSORY_ENRICHMENT: said("Senses"),
    DirectiveType.RHYTHM_VARIATION: said("Rhythm"),
    DirectiveType.DIALOGUE_SUBTEXT: said("Subtext"),
    DirectiveType.CLICHE_REPLACEMENT: said("Cliché"),
    DirectiveType.TRANSITION_SMOOTHING: said("Transition"),
    DirectiveType.VOICE_CONSISTENCY: said("Voice"),
    DirectiveType.PROOFREADING: said("Slips of the pen"),
    DirectiveType.CUT: said("Cut"),
    DirectiveType.FACT_CORRECTION: said("Facts"),
    DirectiveType.SPECIFICITY: said("More exact"),
    DirectiveType.WORDING: said("Wording"),
}


def kind_name(kind: DirectiveType) -> str:
    """Returns the writer's name for a kind of directive."""
    return translate(NAMES[kind])


def kind_name_of(spelling: str) -> str:
    """Returns the writer's name for a kind as files spell it; any other word is returned as it
    is."""
    plain = spelling.replace("_", "-")
    return next((translate(name) for kind, name in NAMES.items() if kind.value == plain), plain)


def words_for(directive: Directive) -> Said:
    """Returns what a directive is called in a sentence: `Cliché in scene 3, paragraph 8`, and
    never by its id."""
    at, kind = directive.location, NAMES[directive.type]
    if directive.stands == "gone":
        return kind
    last = f"-{at.paragraph_end}" if at.width > 1 else ""
    place = said(
        "scene {scene}, paragraph {range}",
        scene=at.scene_number,
        range=f"{at.paragraph_start}{last}",
    )
    return said("{kind} in {place}", kind=kind, place=place)

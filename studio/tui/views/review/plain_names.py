"""The writer's names for the kinds of directives and proposals, places in a chapter, and
passages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from studio.i18n import N_, _
from studio.story.review.directive import NAMES, Directive, DirectiveType, kind_name
from studio.story.review.passage import PassageLocation
from studio.story.review.proposal import ProposalKind, ProposedBy
from studio.story.review.stale_directives import PlacedProposal
from studio.tui.views.terms import plain_name

FixOrProposal = Directive | PlacedProposal
"""A wanted change of a passage, on which the writer decides in the review."""
MEANINGS: Mapping[DirectiveType, str] = {
    DirectiveType.SHOW_NOT_TELL: N_("a feeling is named where it could be seen"),
    DirectiveType.FILTER_WORD_REMOVAL: N_("“she saw”, “he felt” stand before the thing itself"),
    DirectiveType.SENSORY_ENRICHMENT: N_("nothing is heard, smelled or touched for long"),
    DirectiveType.RHYTHM_VARIATION: N_("sentence after sentence is alike in length or shape"),
    DirectiveType.DIALOGUE_SUBTEXT: N_("people say straight out what they would keep back"),
    DirectiveType.CLICHE_REPLACEMENT: N_("a worn phrase"),
    DirectiveType.TRANSITION_SMOOTHING: N_("a jump from one moment or place to the next"),
    DirectiveType.VOICE_CONSISTENCY: N_("somebody does not sound like themselves"),
    DirectiveType.PROOFREADING: N_("typing errors, and what was left in by mistake"),
    DirectiveType.CUT: N_("the text is better without it"),
    DirectiveType.FACT_CORRECTION: N_("it contradicts this chapter or the book"),
    DirectiveType.SPECIFICITY: N_("a general word where this book would have a thing"),
    DirectiveType.WORDING: N_("a sentence nobody would build in this language"),
}
"""The meaning of each kind, for the legend."""
_PROPOSALS: Mapping[ProposalKind, str] = {
    "replace": N_("New words"),
    "insert": N_("Words behind it"),
    "cut": NAMES[DirectiveType.CUT],
    "comment": N_("Note"),
}
_PROPOSERS: Mapping[str, str] = {
    "author": N_("you"),
    "model": N_("a model"),
    "agent": N_("an agent"),
    "editor": N_("the editor"),
    "reader": N_("a reader"),
}
_LAST = 11
"""Behind the priority of every directive."""
C = TypeVar("C", bound=FixOrProposal)


def change_name(change: FixOrProposal) -> str:
    """Returns the writer's name for a change; of a fix made out of her answer to a choice, that it
    is hers."""
    if isinstance(change, PlacedProposal):
        return _(_PROPOSALS[change.proposal.kind])
    return _("Your fix") if change.origin == "writer" else kind_name(change.type)


def proposer(by: ProposedBy) -> str:
    """Returns who proposes: the name if there is one, else what they are to the writer."""
    return plain_name(by.name) if by.name else _(_PROPOSERS[by.kind])


def passage_of(change: FixOrProposal) -> str:
    """Returns the passage of a change, as it was before it."""
    if isinstance(change, PlacedProposal):
        return change.proposal.before
    return change.current_text


def place_in_text(change: FixOrProposal) -> str:
    """Returns the address of a change; a dash where its passage is nowhere."""
    at = None if change.stands == "gone" else change.location
    return "–" if at is None else place(at)


def place(location: PassageLocation) -> str:
    """Returns `2.3-5` for the third to fifth paragraph of the second scene."""
    first, last = location.paragraph_start, location.paragraph_end
    return f"{location.scene_number}.{first}" + (f"-{last}" if last > first else "")


def in_reading_order(changes: Iterable[C]) -> tuple[C, ...]:
    """Sorts changes by the position of their passages, those that are nowhere last; within one
    passage the most urgent first, and proposals behind directives."""

    def place_of(change: FixOrProposal) -> tuple[bool, int, int, int, str]:
        at = change.location
        urgency = _LAST if isinstance(change, PlacedProposal) else change.priority
        if at is None:
            return True, 0, 0, urgency, change.id
        return False, at.scene_number, at.paragraph_start, urgency, change.id

    return tuple(sorted(changes, key=place_of))

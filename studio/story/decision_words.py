"""The writer's words for a question: its heading, and the name of each answer."""

from __future__ import annotations

from collections.abc import Mapping

from studio.i18n import N_, _
from studio.messages import Said, join, said
from studio.story.checkpoint import BEHIND, Decision, DecisionKind
from studio.story.form.slugs import name_of_id

TITLES: Mapping[DecisionKind, str] = {
    "refine": N_("The language was refined"),
    "gate": N_("The chapter is held back"),
    "review": N_("The chapter is ready for you"),
    "breaker": N_("It is not getting better"),
    "conflict": N_("A file is in the way"),
    "hand_edit": N_("A chapter of the book was changed"),
    "stale_chapters": N_("Later chapters rest on the old text"),
    "outline": N_("The plan of a volume"),
    "contract_change": N_("The plan of a chapter changed"),
    "schedule_conflict": N_("Two storylines want the same chapter"),
    "brief": N_("Five more chapters are in the book"),
    "clean_up": N_("There is something to tidy"),
    "cut_off": N_("A scene is begun"),
    "language": N_("A scene came in another language"),
    "budget": N_("What may it cost?"),
    "continuity": N_("The plan contradicts the book"),
    "state_changes": N_("The summary says more than the chapter"),
    "start": N_("Your book begins"),
    "questions": N_("Before it is written"),
}
_CHECK = N_("The last chapters contradict themselves")
_VOLUME_END = N_("Every planned chapter of the volume is written")
_ANSWERS: Mapping[str, str] = {
    "review.directives": N_("First decide on what is open"),
    "commit": N_("Take it into the book"),
    "edit": N_("Edit it by hand"),
    "draft-again": N_("Draft it again"),
    "draft-scenes": N_("Draft these scenes again"),
    "look-again": N_("Have it read again"),
    "review.go-on": N_("Draft the others"),
    "review.stop": N_("Leave it for now"),
    "contract_change.keep": N_("Keep the text"),
    "schedule_conflict.contract": N_("As the plan of the chapter says"),
    "schedule_conflict.schedule": N_("As the schedule says"),
    "gate.review": N_("Go on to the review"),
    "gate.keep": N_("Take it into the book as it is"),
    "gate.polish": N_("Polish once more"),
    "gate.mend": N_("Mend it where it stands"),
    "refine.keep": N_("Keep the refined text"),
    "refine.undo": N_("Go back to the draft"),
    "hand_edit.style": N_("Only the style changed"),
    "hand_edit.meaning": N_("The events changed"),
    "hand_edit.later": N_("Not now"),
    "breaker.leave": N_("Leave the passage as it is"),
    "breaker.again": N_("Let the surgeon try once more"),
    "breaker.edit": N_("Change it yourself"),
    "cut_off.go-on": N_("Go on from the last word"),
    "cut_off.again": N_("Draft the scene again"),
    "cut_off.finished": N_("The scene is finished"),
    "cut_off.keep": N_("The scene is finished"),
    "language.again": N_("Draft the scene again"),
    "language.keep": N_("Keep it as it is"),
    "state_changes.take": N_("Take them over"),
    "state_changes.leave": N_("Leave them out"),
    "budget.today": N_("Go on today"),
    "budget.always": N_("Go on, and do not ask again"),
    "budget.stop": N_("Ask nothing yet"),
    "start.next": N_("Go on with this"),
    "start.own-words": N_("In your own words"),
    "start.edit": N_("Not yet"),
    "start.skip": N_("Leave this out"),
    "start.by-hand": N_("Do it yourself, later"),
    "brief.go-on": N_("Go on"),
    "brief.look-back": N_("Look back"),
    "brief.adjust": N_("Change something first"),
    "clean_up.accept": N_("Tidy all of it"),
    "clean_up.choose": N_("Tidy some of it"),
    "clean_up.leave": N_("Leave it as it is"),
    "outline.accept": N_("Make it the plan"),
    "outline.plan-more": N_("Plan more chapters"),
    "outline.end-volume": N_("End the volume"),
    "continuity.go-on": N_("Write it all the same"),
    "continuity.edit": N_("Change the plan yourself"),
    "continuity.waive": N_("It is meant"),
    "questions.answer": N_("Answer"),
    "questions.skip": N_("Leave it to the writer of the chapter"),
    "mine": N_("Mine stands"),
    "aside": N_("Put it aside"),
    "staged": N_("The chapter in progress stands"),
}


_BY_A_MODEL = frozenset(
    {
        *("draft-again", "draft-scenes", "look-again", "polish", "mend", "again"),
        *("cut_off.go-on", "review.go-on"),
    }
)
"""The answers that only a model can carry out, those of one kind of question with that kind."""
NEEDS_A_MODEL = said("It needs a model, and none is set.")


def needs_model(decision: Decision, option: str) -> bool:
    """Whether only a model can carry out an answer."""
    return option in _BY_A_MODEL or f"{decision.kind}.{option}" in _BY_A_MODEL


def without_a_model(decision: Decision) -> Decision:
    """Returns a question as it is put where no model is set: what only a model can do says so, and
    has no price."""
    options = decision.data.get("options")
    if not isinstance(options, dict):
        return decision
    honest = {
        option: NEEDS_A_MODEL if needs_model(decision, option) else without_its_price(words)
        for option, words in options.items()
    }
    return decision.with_data({"options": honest})


COSTS = "It costs {price}."
UNKNOWN_PRICE = said("Its price is not known.")
"""What is said behind an answer that has models called."""


def without_its_price(words: str) -> str:
    """Returns what an answer does, without what that would cost."""
    if not isinstance(words, Said) or not isinstance(words.values, tuple):
        return words
    costs = (COSTS, UNKNOWN_PRICE.id)
    return join(p for p in words.values if not (isinstance(p, Said) and p.id in costs))


_FREE = said("An answer without a price costs nothing.")
_ALL_PRICED = frozenset({"gate", "review"})
"""The questions of which every answer that has models called says what that costs."""


def says_what_is_free(decision: Decision) -> str:
    """Returns that an answer without a price costs nothing, where another one has a price; empty
    where none has, and where what follows an answer is not in its price."""
    options = decision.data.get("options")
    if decision.kind not in _ALL_PRICED or not isinstance(options, dict):
        return ""
    words = [options.get(option, "") for option in decision.options]
    priced = sum(one != without_its_price(one) for one in words)
    return _FREE if 0 < priced < len(words) else ""


def title_of(decision: Decision) -> str:
    """Returns the heading of a question."""
    title = _VOLUME_END if "end-volume" in decision.options else TITLES[decision.kind]
    return _(_CHECK if BEHIND in decision.data else title)


def title_of_answered(kind: DecisionKind, option: str) -> str:
    """Returns the heading of a question of which only the kind and the answer are known."""
    return _(_VOLUME_END if option in ("plan-more", "end-volume") else TITLES[kind])


def answer_name(kind: DecisionKind, option: str) -> str:
    """Returns the writer's name for an answer; one without a name is returned as words."""
    plain = name_of_id(option).capitalize()
    return _(_ANSWERS.get(f"{kind}.{option}", _ANSWERS.get(option, plain)))

"""A decision in words: what happened, what is recommended, and what each answer does. Pure
functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from studio.i18n import N_, _, as_label, ngettext, translate
from studio.messages import Said
from studio.story.checkpoint import Decision, DecisionKind
from studio.story.review.evaluation import LAYER_WORDS
from studio.story.review.scores import score_words
from studio.tui.actions.advice import in_keys
from studio.tui.views.review.plain_names import kind_name_of, place
from studio.tui.views.terms import term

if TYPE_CHECKING:
    from studio.story.review.directive import DirectiveSheet

_LAYER_NAMES: Mapping[str, str] = LAYER_WORDS
# A letter of Hangul or a Chinese character beside them is no part of them, as `\b` would have it.
_LAYER = re.compile(rf"(?<![A-Za-z0-9_])({'|'.join(LAYER_WORDS)})(?:: |：)")
_DIRECTIVE = re.compile(r"(?<![A-Za-z0-9_])dir_([a-z_]+)_\d+(?![A-Za-z0-9_])")

TITLES: dict[DecisionKind, str] = {
    "refine": N_("The language was refined"),
    "gate": N_("The chapter is held back"),
    "review": N_("The chapter is ready for you"),
    "breaker": N_("It is not getting better"),
    "conflict": N_("A file is in the way"),
    "hand_edit": N_("You changed a chapter by hand"),
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
_NAMES = {
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
    "gate.keep": N_("Keep it as it is"),
    "gate.polish": N_("Polish once more"),
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
    "start.edit": N_("Change it first"),
    "start.skip": N_("Leave this out"),
    "start.by-hand": N_("Do it yourself"),
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


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible answer."""

    option: str
    title: str
    consequence: str
    recommended: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A decision as it is displayed."""

    id: str
    kind: DecisionKind
    title: str
    happened: str
    facts: tuple[str, ...]
    choices: tuple[Choice, ...]
    proposes: bool = True
    """Whether one of the answers is proposed."""

    @property
    def recommended_choice(self) -> int:
        """The index of the recommended choice; -1 where none is proposed, so that Enter alone
        answers nothing."""
        chosen = next((i for i, c in enumerate(self.choices) if c.recommended), 0)
        return chosen if self.proposes else -1


def card_of(
    decision: Decision,
    keymap: Mapping[str, str] = MappingProxyType({}),
    sheet: DirectiveSheet | None = None,
) -> Card:
    """Returns the card of a decision, with keys instead of commands and directives by their
    place."""

    def plain(words: object) -> str:
        if not isinstance(words, Said):
            return str(words)  # of a model, a file or the author
        return in_keys(name_directives(in_layers(translate(words)), sheet), keymap)

    options = decision.data.get("options")
    consequences: Mapping[str, object] = options if isinstance(options, dict) else {}
    proposed = "" if decision.data.get("asks") else decision.recommendation
    return Card(
        id=decision.id,
        kind=decision.kind,
        title=_title_of(decision),
        happened=plain(decision.rationale),
        facts=tuple(map(plain, _facts(decision))),
        choices=tuple(
            Choice(
                option=option,
                title=_title(decision, option),
                consequence=plain(consequences.get(option, "")),
                recommended=_is_hers(decision, option) or option == proposed,
            )
            for option in decision.options
        ),
        proposes=bool(decision.recommendation or decision.data.get("asks")),
    )


def _title_of(decision: Decision) -> str:
    title = _VOLUME_END if "end-volume" in decision.options else TITLES[decision.kind]
    return _(_CHECK if "behind" in decision.data else title)


def _title(decision: Decision, option: str) -> str:
    """An answer by its name; where nothing is proposed to go on with, it is the writer's to say."""
    return _name(decision.kind, "own-words" if _is_hers(decision, option) else option)


def _is_hers(decision: Decision, option: str) -> bool:
    return option == "next" and bool(decision.data.get("asks"))


def _name(kind: DecisionKind, option: str) -> str:
    plain = option.replace("-", " ").replace("_", " ").capitalize()
    return _(_NAMES.get(f"{kind}.{option}", _NAMES.get(option, plain)))


def in_layers(words: str) -> str:
    """Names a rule by its layer: `L1: No magic` becomes `A rule of the world: No magic`."""
    return _LAYER.sub(lambda match: as_label(term(_LAYER_NAMES[match[1]])), words)


def name_directives(words: str, sheet: DirectiveSheet | None) -> str:
    """Replaces ids of directives by kind and place, which a writer understands."""

    def name(match: re.Match[str]) -> str:
        directive = sheet.find(match[0]) if sheet is not None else None
        kind = kind_name_of(match[1])
        if directive is None:
            return kind
        return _("{kind} in {place}", kind=kind, place=place(directive.location))

    return _DIRECTIVE.sub(name, words)


def _facts(decision: Decision) -> list[str]:
    data: Mapping[str, object] = decision.data
    questions = data.get("questions")
    facts = [str(row) for row in questions] if isinstance(questions, list | tuple) else []
    overall = data.get("overall")
    if isinstance(overall, int | float) and decision.kind != "gate":  # its sentence says it
        facts.append(_("Overall score {overall} of 5.", overall=score_words(overall)))
    if data.get("unjudged"):
        facts.append(_("Nobody has judged it yet."))
    if where := data.get("where"):
        facts.append(_("It is about {where}.", where=where))
    notes = data.get("notes")
    facts += [str(note) for note in notes] if isinstance(notes, list | tuple) else []
    suppressed = data.get("suppressed")
    if isinstance(suppressed, int) and suppressed:
        facts.append(
            ngettext(
                "{n} more finding is not shown.", "{n} more findings are not shown.", suppressed
            )
        )
    if data.get("redraft_suggested"):
        facts.append(_("A fresh draft may serve the chapter better than so many repairs."))
    if path := data.get("path"):
        facts.append(_("File: {path}.", path=path))
    return facts

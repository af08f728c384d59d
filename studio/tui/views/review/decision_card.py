"""A decision in words: what happened, what is proposed, and what each answer does. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from studio.story.checkpoint import Decision, DecisionKind
from studio.tui.actions.advice import in_keys
from studio.tui.views.review.directive_text import place

if TYPE_CHECKING:
    from studio.story.review.directive import DirectiveSheet

_DIRECTIVE = re.compile(r"\bdir_([a-z_]+)_\d+\b")

TITLES: dict[DecisionKind, str] = {
    "refine": "The language was refined",
    "gate": "The gate holds the chapter back",
    "review": "The chapter is ready for you",
    "breaker": "It does not get better",
    "conflict": "A file is in the way",
    "hand_edit": "You changed a chapter by hand",
    "stale_chapters": "Later chapters rest on the old text",
    "outline": "The plan of a volume",
    "contract_change": "The plan of a chapter changed",
    "schedule_conflict": "Two storylines want the same chapter",
    "brief": "Five more chapters are in the book",
    "clean_up": "There is something to tidy",
    "cut_off": "The text was cut off",
    "budget": "What may it cost?",
    "continuity": "The plan contradicts the book",
}
_CHECK = "The last chapters contradict themselves"
_NAMES = {
    "review.directives": "First decide on what is open",
    "commit": "Commit the chapter",
    "edit": "Edit it by hand",
    "draft-again": "Draft it again",
    "draft-scenes": "Draft these scenes again",
    "gate.review": "Go on to the directives",
    "gate.keep": "Keep it as it is",
    "gate.polish": "Polish once more",
    "refine.keep": "Keep the refined text",
    "refine.undo": "Go back to the draft",
    "hand_edit.style": "Only the style changed",
    "hand_edit.meaning": "The events changed",
    "hand_edit.later": "Not now",
    "breaker.leave": "Leave the passage as it is",
    "breaker.again": "Let the surgeon try once more",
    "breaker.edit": "Change it yourself",
    "cut_off.again": "Draft the scene again",
    "cut_off.keep": "Keep what there is",
    "budget.today": "Go on today",
    "budget.always": "Go on, and do not ask again",
    "budget.stop": "Ask nothing yet",
    "brief.go-on": "Go on",
    "brief.look-back": "Look back",
    "brief.adjust": "Change something first",
    "clean_up.accept": "Tidy all of it",
    "clean_up.choose": "Tidy some of it",
    "clean_up.leave": "Leave it as it is",
    "outline.accept": "Make it the plan",
    "outline.plan-more": "Plan more chapters",
    "outline.end-volume": "End the volume",
    "continuity.go-on": "Write it all the same",
    "continuity.edit": "Change the plan yourself",
    "continuity.waive": "It is meant",
    "mine": "Mine stands",
    "aside": "Put it aside",
    "staged": "The chapter in work stands",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer."""

    option: str
    title: str
    consequence: str
    recommended: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A question as it is shown."""

    id: str
    kind: DecisionKind
    title: str
    happened: str
    facts: tuple[str, ...]
    choices: tuple[Choice, ...]

    @property
    def proposed(self) -> int:
        """Index of the recommended choice."""
        return next((i for i, c in enumerate(self.choices) if c.recommended), 0)


def card_of(
    decision: Decision,
    keymap: Mapping[str, str] = MappingProxyType({}),
    sheet: DirectiveSheet | None = None,
) -> Card:
    """The card of a decision: keys instead of commands, directives by their place."""

    def plain(words: object) -> str:
        return in_keys(named(str(words), sheet), keymap)

    options = decision.data.get("options")
    consequences: Mapping[str, object] = options if isinstance(options, dict) else {}
    return Card(
        id=decision.id,
        kind=decision.kind,
        title=_CHECK if "behind" in decision.data else TITLES[decision.kind],
        happened=plain(decision.rationale),
        facts=tuple(map(plain, _facts(decision.data))),
        choices=tuple(
            Choice(
                option=option,
                title=_name(decision.kind, option),
                consequence=plain(consequences.get(option, "")),
                recommended=option == decision.recommendation,
            )
            for option in decision.options
        ),
    )


def _name(kind: DecisionKind, option: str) -> str:
    plain = option.replace("-", " ").replace("_", " ").capitalize()
    return _NAMES.get(f"{kind}.{option}", _NAMES.get(option, plain))


def named(words: str, sheet: DirectiveSheet | None) -> str:
    """A directive by its kind and place, for nobody reads ids."""

    def name(match: re.Match[str]) -> str:
        directive = sheet.find(match[0]) if sheet is not None else None
        kind = match[1].replace("_", "-")
        return f"{kind} in {place(directive.location)}" if directive is not None else kind

    return _DIRECTIVE.sub(name, words)


def _facts(data: Mapping[str, object]) -> list[str]:
    facts = []
    overall = data.get("overall")
    if isinstance(overall, int | float):
        facts.append(f"Overall score {overall:.1f} of 5.")
    if data.get("unjudged"):
        facts.append("Nobody has judged it yet.")
    if where := data.get("where"):
        facts.append(f"It is about {where}.")
    notes = data.get("notes")
    facts += [str(note) for note in notes] if isinstance(notes, list | tuple) else []
    suppressed = data.get("suppressed")
    if isinstance(suppressed, int) and suppressed:
        more = "finding is" if suppressed == 1 else "findings are"
        facts.append(f"{suppressed} more {more} not shown.")
    if data.get("redraft_suggested"):
        facts.append("A fresh draft may serve the chapter better than so many repairs.")
    if path := data.get("path"):
        facts.append(f"File: {path}.")
    return facts

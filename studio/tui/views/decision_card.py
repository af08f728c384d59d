"""A decision in words: what happened, what is proposed, and what each answer does. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.story.checkpoint import Decision, DecisionKind

_TITLES: dict[DecisionKind, str] = {
    "refine": "The language was refined",
    "gate": "The gate holds the chapter back",
    "review": "The chapter is ready for you",
    "breaker": "It does not get better",
    "conflict": "A file is in the way",
    "hand_edit": "You changed a chapter by hand",
    "stale_chapters": "Later chapters rest on the old text",
    "outline": "The outline and the text differ",
    "contract_change": "The plan of a chapter changed",
    "schedule_conflict": "Two storylines want the same chapter",
    "brief": "The brief needs you",
    "clean_up": "There is something to tidy",
    "cut_off": "The text was cut off",
    "budget": "The budget is reached",
}
_NAMES = {
    "commit": "Commit the chapter",
    "edit": "Edit it by hand",
    "draft-again": "Draft it again",
    "gate.review": "Go on to the directives",
    "gate.keep": "Keep it as it is",
    "gate.polish": "Polish once more",
    "refine.keep": "Keep the refined text",
    "refine.undo": "Go back to the draft",
    "hand_edit.style": "Only the style changed",
    "hand_edit.meaning": "The events changed",
    "hand_edit.later": "Not now",
    "cut_off.again": "Draft the scene again",
    "cut_off.keep": "Keep what there is",
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


def card_of(decision: Decision) -> Card:
    """The card of a decision."""
    told = decision.data.get("options")
    consequences: Mapping[str, object] = told if isinstance(told, dict) else {}
    return Card(
        id=decision.id,
        kind=decision.kind,
        title=_TITLES[decision.kind],
        happened=_without_commands(decision.rationale),
        facts=tuple(_facts(decision.data)),
        choices=tuple(
            Choice(
                option=option,
                title=_name(decision.kind, option),
                consequence=str(consequences.get(option, "")),
                recommended=option == decision.recommendation,
            )
            for option in decision.options
        ),
    )


def _name(kind: DecisionKind, option: str) -> str:
    plain = option.replace("-", " ").replace("_", " ").capitalize()
    return _NAMES.get(f"{kind}.{option}", _NAMES.get(option, plain))


def _without_commands(rationale: str) -> str:
    """The app has keys where the command line has commands."""
    for command, words in (
        (
            "accept, reject or edit each with `studio directives`, then `studio resume`.",
            "accept, reject or edit each, then write on.",
        ),
        ("`studio directives`", "the directives"),
        ("`studio resume`", "w"),
    ):
        rationale = rationale.replace(command, words)
    return rationale


def _facts(data: Mapping[str, object]) -> list[str]:
    facts = []
    overall = data.get("overall")
    if isinstance(overall, int | float):
        facts.append(f"Overall score {overall:.1f} of 5.")
    if data.get("unjudged"):
        facts.append("No judge has read it: the model in force cannot judge.")
    if where := data.get("where"):
        facts.append(f"It is about {where}.")
    notes = data.get("notes")
    facts += [str(note) for note in notes] if isinstance(notes, list | tuple) else []
    suppressed = data.get("suppressed")
    if isinstance(suppressed, int) and suppressed:
        facts.append(f"{suppressed} smaller findings are not shown.")
    if path := data.get("path"):
        facts.append(f"File: {path}.")
    return facts

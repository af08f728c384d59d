"""The prewriter's task: a passage that is new, regenerated or refined (F10)."""

from __future__ import annotations

from collections.abc import Mapping

from studio.pipeline.prompting.agent_question import PlanningMode

_WISHES: Mapping[PlanningMode, str] = {
    "generate": "The author wants to CONTINUE the story.",
    "regenerate": (
        "The author wants to REGENERATE it: write it anew, without the faults in `notes`, and not"
        " as a correction of what stood there."
    ),
    "refine": (
        "The author wants to REFINE it: keep what it tells and how it sounds, and change what the"
        " direction and `notes` ask for."
    ),
}
_NO_DIRECTION = "They give no direction: the plan alone says what comes."


def planning_request(mode: PlanningMode, subject: str, direction: str) -> str:
    """Returns the prewriter's task about `subject` (`scene 2 of chapter 1, "Title"`)."""
    wish = " ".join(direction.split())
    theirs = f"Their direction: “{wish}”" if wish else _NO_DIRECTION
    return f"Prepare {subject}. {_WISHES[mode]} {theirs} Answer with the brief."

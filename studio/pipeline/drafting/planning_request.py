"""What the author wants of a scene: the direction that concerns it, and the prewriter's task
about it (F10)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from studio.pipeline.prompting.agent_question import PlanningMode

_WISHES: Mapping[PlanningMode, str] = {
    "generate": "The author wants to CONTINUE the story.",
    "regenerate": (
        "The author wants to REGENERATE it: write it anew{faults}, and not as a correction of what"
        " stood there."
    ),
    "refine": (
        "The author wants to REFINE it: keep what it tells and how it sounds, and change what the"
        " direction{notes} asks for."
    ),
}
_ONE_SCENE = re.compile(
    r"\s*(?:scene|장면|场景|第)\s*(\d{1,3})\s*(?:场|幕)?\s*[:：]", re.IGNORECASE
)
_NO_DIRECTION = "They give no direction: the plan alone says what comes."


def planning_request(
    mode: PlanningMode, subject: str, direction: str, *, has_notes: bool = False
) -> str:
    """Returns the prewriter's task about `subject` (`scene 2 of chapter 1`), with or without notes
    on an earlier attempt beside it."""
    wish = " ".join(direction.split())
    theirs = f"Their direction: “{wish}”" if wish else _NO_DIRECTION
    asks = _WISHES[mode].format(
        faults=", without the faults in `notes`" if has_notes else "",
        notes=", with `notes`," if has_notes else "",
    )
    return f"Prepare {subject}. {asks} {theirs} Answer with the brief."


def direction_for(direction: str, scene: int) -> str:
    """Returns the part of the author's direction that concerns a scene: a line that begins with
    `scene 2:` (장면 2:, 场景2：) is for that scene alone, any other for the whole chapter."""
    rows = []
    for line in direction.splitlines():
        named = _ONE_SCENE.match(line)
        if named is None or int(named[1]) == scene:
            rows.append(line[named.end() :].strip() if named else line)
    return "\n".join(rows)

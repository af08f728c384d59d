"""What can be done in the text pane."""

from __future__ import annotations

from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "text.follow",
        "f",
        "Follow",
        "Stays at the end while text streams in, or stays where you read.",
        can.streaming,
        hint=True,
    ),
    Action("text.copy", "y", "Copy", "Copies the selected text.", can.with_selection),
    Action(
        "text.next_call",
        "n",
        "Next call",
        "Shows in the Context tab what the model was given for the next call.",
        can.with_calls,
        hint=True,
    ),
    Action(
        "text.previous_call",
        "p",
        "Call before",
        "Shows in the Context tab what the model was given for the call before.",
        can.with_calls,
        hint=True,
    ),
    Action(
        "text.compare",
        "c",
        "Compare",
        "Opens the marked kept text of the Variations tab against the present one; so does Enter.",
        can.on_kept,
        hint=True,
    ),
)

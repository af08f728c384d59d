"""What the editor can do."""

from __future__ import annotations

from studio.tui.action import Action

ACTIONS: tuple[Action, ...] = (
    Action(
        "editor.save",
        "ctrl+s",
        "Save",
        "Saves the text; the version before stays in history.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.mine",
        "ctrl+d",
        "This is my draft",
        "Takes the text as your own chapter, which no model rewrites, to its review.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.undo",
        "ctrl+z",
        "Undo",
        "Takes the last change of what you typed back.",
        priority=True,
    ),
    Action(
        "editor.redo",
        "ctrl+y,ctrl+shift+z",
        "Redo",
        "Makes the change again that was taken back.",
        priority=True,
    ),
    Action(
        "editor.external",
        "ctrl+g",
        "In $EDITOR",
        "Hands the text to your own editor.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.close",
        "escape",
        "Close",
        "Closes the editor; unsaved text is kept for the next time.",
        hint=True,
    ),
)

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
        "editor.find",
        "ctrl+f",
        "Find",
        "Finds and replaces words in this text; again: the next of them.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.replace_all",
        "ctrl+r",
        "Replace all",
        "Replaces every place of this text in one change, which Ctrl+Z takes back.",
        priority=True,
    ),
    Action("editor.select_all", "ctrl+a", "Select all", "Selects the whole text.", priority=True),
    Action(
        "editor.paragraph",
        "f5",
        "Jump to a paragraph",
        "Goes to a paragraph by the numbers of its scene and its own, as 2.3.",
        priority=True,
    ),
    Action(
        "editor.next_paragraph",
        "ctrl+down",
        "Next paragraph",
        "Moves the cursor to the next paragraph.",
        priority=True,
    ),
    Action(
        "editor.previous_paragraph",
        "ctrl+up",
        "Paragraph before",
        "Moves the cursor to the paragraph before.",
        priority=True,
    ),
    Action(
        "editor.focus",
        "f6",
        "Nothing but the text",
        "Hides everything but the text, or shows it again.",
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

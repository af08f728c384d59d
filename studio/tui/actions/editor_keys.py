"""The actions of the editor, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action

ACTIONS: tuple[Action, ...] = (
    Action(
        "editor.save",
        "ctrl+s",
        N_("Save"),
        N_("Saves the text; the version before stays in history."),
        hint=True,
        priority=True,
    ),
    Action(
        "editor.mine",
        "ctrl+d",
        N_("This is my draft"),
        N_("Takes the text as your own chapter, which no model rewrites, to its review."),
        hint=True,
        priority=True,
    ),
    Action(
        "editor.go_on",
        "f8",
        N_("Go on from here"),
        N_("Saves, and has a model go on behind the cursor; what stood there is kept."),
        hint=True,
        priority=True,
    ),
    Action(
        "editor.undo",
        "ctrl+z,ctrl+underscore,ctrl+slash",
        N_("Undo"),
        N_("Takes back the last change of what you typed."),
        priority=True,
    ),
    Action(
        "editor.redo",
        "ctrl+y,ctrl+shift+z",
        N_("Redo"),
        N_("Redoes the change that was taken back."),
        priority=True,
    ),
    Action(
        "editor.find",
        "ctrl+f",
        N_("Find"),
        N_("Finds and replaces words in this text; again: the next of them."),
        hint=True,
        priority=True,
    ),
    Action(
        "editor.replace_all",
        "ctrl+r",
        N_("Replace all"),
        N_("Replaces every place of this text in one change, which Ctrl+Z takes back."),
        priority=True,
    ),
    Action(
        "editor.select_all",
        "ctrl+a",
        N_("Select all"),
        N_("Selects the whole text."),
        priority=True,
    ),
    Action(
        "editor.paragraph",
        "f5",
        N_("Jump to a paragraph"),
        N_("Goes to a paragraph by the numbers of scene and paragraph, such as 2.3."),
        priority=True,
    ),
    Action(
        "editor.next_paragraph",
        "ctrl+down",
        N_("Next paragraph"),
        N_("Moves the cursor to the next paragraph."),
        priority=True,
        moves=True,
    ),
    Action(
        "editor.previous_paragraph",
        "ctrl+up",
        N_("Paragraph before"),
        N_("Moves the cursor to the paragraph before."),
        priority=True,
        moves=True,
    ),
    Action(
        "editor.focus",
        "f6",
        N_("Nothing but the text"),
        N_("Hides everything but the text, or shows it again."),
        priority=True,
    ),
    Action(
        "editor.spelling",
        "f7",
        N_("Spelling"),
        N_("Goes to the next unknown word and offers corrections."),
        priority=True,
    ),
    Action(
        "editor.external",
        "ctrl+g",
        N_("In $EDITOR"),
        N_("Hands the text to your own editor."),
        hint=True,
        priority=True,
    ),
    Action(
        "editor.close",
        "escape",
        N_("Close"),
        N_("Closes the editor; unsaved text is kept for the next time."),
        hint=True,
    ),
)

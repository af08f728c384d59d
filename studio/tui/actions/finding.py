"""What can be done with words that were looked for in the whole book."""

from __future__ import annotations

from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.find",
        "ctrl+f",
        "Find in the book",
        "Finds words in all prose, plans and notes, by chapter, and replaces them.",
        can.novel,
    ),
    Action(
        "desk.go",
        "colon",
        "Go to a chapter",
        "Goes to a chapter by its number or by words of its title.",
        can.novel,
    ),
    Action(
        "desk.read",
        "b",
        "Read the book",
        "Reads the book through from its first chapter, from where you were the last time.",
        can.novel,
    ),
    Action(
        "reading.on",
        "space,pagedown",
        "Read on",
        "Turns a page; behind the last one the next chapter begins.",
        hint=True,
        priority=True,
    ),
    Action("reading.next", "n,right", "Next chapter", "Goes to the next chapter.", hint=True),
    Action(
        "reading.previous", "p,left", "Chapter before", "Goes to the chapter before.", hint=True
    ),
    Action("reading.close", "escape,q", "Back", "Goes back; the place is remembered.", hint=True),
    Action(
        "find.go",
        "enter",
        "Go there",
        "Goes to the marked place in its chapter, its plan or its note.",
        hint=True,
        priority=True,
    ),
    Action(
        "find.replace",
        "ctrl+r",
        "Replace",
        "Asks for other words, and shows every place as it would be before anything changes.",
        can.at_rest,
        hint=True,
        priority=True,
    ),
    Action(
        "find.undo",
        "ctrl+z",
        "Undo the last replacement",
        "Puts back what the last replacement changed, wherever nobody has written since.",
        can.at_rest,
        hint=True,
        priority=True,
    ),
    Action(
        "find.notes",
        "ctrl+t",
        "Notes to people",
        "Lists every note to people in the book, or goes back to the words.",
        hint=True,
        priority=True,
    ),
    Action("find.next", "down", "Next place", "Marks the next place.", priority=True),
    Action("find.previous", "up", "Place before", "Marks the place before.", priority=True),
    Action("find.close", "escape", "Back", "Goes back to where you were.", hint=True),
    Action(
        "replacement.replace",
        "enter,y",
        "Replace all",
        "Changes every place shown, in one step that can be undone.",
        can.at_rest,
        hint=True,
    ),
    Action(
        "replacement.close",
        "escape,q,n",
        "Leave it",
        "Goes back with nothing changed.",
        hint=True,
    ),
)

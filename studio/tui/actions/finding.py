"""The actions on the pages that find and replace words in the whole book."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.find",
        "ctrl+f",
        N_("Find in the book"),
        N_("Finds words in all prose, plans and notes, by chapter, and replaces them."),
        can.novel,
    ),
    Action(
        "desk.go",
        "colon",
        N_("Go to a chapter"),
        N_("Goes to a chapter by its number or by words of its title."),
        can.novel,
    ),
    Action(
        "desk.read",
        "b",
        N_("Read the book"),
        N_("Reads the book through from its first chapter, from where you were the last time."),
        can.novel,
    ),
    Action(
        "desk.board",
        "f4",
        N_("The board"),
        N_("Shows the whole book in figures: words, plan, scores, cost, promises, people, lines."),
        can.novel,
    ),
    Action(
        "board.go",
        "enter",
        N_("Go there"),
        N_("Goes to the chapter the marked row is about."),
        hint=True,
    ),
    Action(
        "board.problem",
        "n",
        N_("Next to look at"),
        N_("Moves to the next chapter or promise that wants another look."),
        hint=True,
    ),
    Action("board.close", "escape,q", N_("Back"), N_("Goes back to where you were."), hint=True),
    Action(
        "reading.on",
        "space,pagedown",
        N_("Read on"),
        N_("Turns a page; after the last one the next chapter begins."),
        hint=True,
        priority=True,
    ),
    Action(
        "reading.next", "n,right", N_("Next chapter"), N_("Goes to the next chapter."), hint=True
    ),
    Action(
        "reading.previous",
        "p,left",
        N_("Chapter before"),
        N_("Goes to the chapter before."),
        hint=True,
    ),
    Action(
        "reading.close",
        "escape,q",
        N_("Back"),
        N_("Goes back; the place is remembered."),
        hint=True,
    ),
    Action(
        "find.go",
        "enter",
        N_("Go there"),
        N_("Goes to the marked place in its chapter, its plan or its note."),
        hint=True,
        priority=True,
    ),
    Action(
        "find.replace",
        "ctrl+r",
        N_("Replace"),
        N_("Asks for other words, and shows every place as it would be before anything changes."),
        can.at_rest,
        hint=True,
        priority=True,
    ),
    Action(
        "find.undo",
        "ctrl+z",
        N_("Undo the last replacement"),
        N_("Puts back what the last replacement changed, wherever nobody has written since."),
        can.at_rest,
        hint=True,
        priority=True,
    ),
    Action(
        "find.notes",
        "ctrl+t",
        N_("Notes to people"),
        N_("Lists every note to people in the book, or goes back to the words."),
        hint=True,
        priority=True,
    ),
    Action("find.next", "down", N_("Next place"), N_("Marks the next place."), priority=True),
    Action("find.previous", "up", N_("Place before"), N_("Marks the place before."), priority=True),
    Action("find.close", "escape", N_("Back"), N_("Goes back to where you were."), hint=True),
    Action(
        "replacement.replace",
        "enter,y",
        N_("Replace all"),
        N_("Changes every ticked place in one step that can be undone."),
        can.at_rest,
        hint=True,
        priority=True,
    ),
    Action(
        "replacement.leave",
        "space",
        N_("Not this place"),
        N_("Leaves the marked place as it is, or lets it change after all."),
        hint=True,
        priority=True,
    ),
    Action(
        "replacement.leave_text",
        "x",
        N_("Not this text"),
        N_("Leaves every place in the same text as it is, or lets them change after all."),
        hint=True,
    ),
    Action(
        "replacement.close",
        "escape,q,n",
        N_("Leave it"),
        N_("Goes back with nothing changed."),
        hint=True,
    ),
)

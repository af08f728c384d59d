"""What can be done about changes made elsewhere, and with what was."""

from __future__ import annotations

from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.hand_edit",
        "h",
        "What changed by hand",
        "Asks of a chapter edited elsewhere whether its style or its events changed.",
        can.with_edits,
        hint=True,
    ),
    Action(
        "desk.rebuild",
        "B",
        "Rebuild",
        "Shows what follows from edited chapters and what it costs, then carries it out.",
        can.rebuildable,
    ),
    Action(
        "desk.let_stand",
        "",
        "Let it stand",
        "Says that the chapter shown, and the book, stand as they are though their plans changed.",
        can.with_marks,
    ),
    Action(
        "desk.put_back",
        "",
        "Put chapters back",
        "Gives renamed, moved, exchanged and deleted chapters of the book their places again.",
        can.with_moves,
    ),
    Action(
        "desk.history",
        "H",
        "History",
        "Shows every saved version of the chapter, compares them, and brings one back.",
        can.novel,
    ),
    Action(
        "rebuild.begin",
        "enter,b",
        "Begin",
        "Carries the rebuild out.",
        can.ready,
        hint=True,
    ),
    Action(
        "rebuild.undo",
        "u",
        "Take back",
        "Undoes the rebuild: the book knows again what it knew before.",
        can.finished,
        hint=True,
    ),
    Action(
        "rebuild.close",
        "escape,q",
        "Stop or back",
        "Stops the rebuild, else goes back; whole chapters stay done.",
        hint=True,
    ),
    Action(
        "history.restore",
        "b",
        "Bring back",
        "Makes the marked version the present text; what stands there is kept first.",
        can.on_version,
        hint=True,
    ),
    Action(
        "history.file",
        "o",
        "Other file",
        "Shows the versions of another file: an outline, a character, the brief.",
        hint=True,
    ),
    Action("history.next", "j", "Next", "Moves to the next version."),
    Action("history.previous", "k", "Previous", "Moves to the version before."),
    Action("history.close", "escape,q", "Back", "Goes back to the desk.", hint=True),
)

"""The actions on changes made by other programs, and on saved versions, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.hand_edit",
        "h",
        N_("What changed by hand"),
        N_("Asks of a chapter edited elsewhere whether its style or its events changed."),
        can.with_edits,
        hint=True,
    ),
    Action(
        "desk.rebuild",
        "B,alt+b",
        N_("Rebuild"),
        N_("Shows what follows from edited chapters and what it costs, then carries it out."),
        can.rebuildable,
    ),
    Action(
        "desk.let_stand",
        "",
        N_("Let it stand"),
        N_(
            "Says that the chapter shown, and the book, stand as they are although their plans "
            "changed."
        ),
        can.with_marks,
    ),
    Action(
        "desk.put_back",
        "",
        N_("Put chapters back"),
        N_("Returns renamed, moved, exchanged and deleted chapters of the book to their places."),
        can.with_moves,
    ),
    Action(
        "desk.history",
        "H,alt+h",
        N_("History"),
        N_("Shows every saved version of the chapter, compares them, and brings one back."),
        can.novel,
    ),
    Action(
        "rebuild.begin",
        "enter,b",
        N_("Begin"),
        N_("Carries the rebuild out."),
        can.ready,
        hint=True,
    ),
    Action(
        "rebuild.gaps",
        "r",
        N_("Read the gaps"),
        N_("Adds the chapters that the state of the story knows nothing of; nothing begins yet."),
        can.with_gaps,
        hint=True,
    ),
    Action(
        "rebuild.undo",
        "u",
        N_("Take back"),
        N_("Undoes the rebuild: the book knows again what it knew before."),
        can.require_finish,
        hint=True,
    ),
    Action(
        "rebuild.close",
        "escape,q",
        N_("Stop or back"),
        N_("Stops the rebuild, else goes back; finished chapters stay done."),
        hint=True,
        hinted_as=can.as_stopping,
    ),
    Action(
        "history.restore",
        "b",
        N_("Bring back"),
        N_("Makes the marked version the present text; what stands there is kept first."),
        can.on_version,
        hint=True,
    ),
    Action(
        "history.file",
        "o",
        N_("Other file"),
        N_("Shows the versions of another file: an outline, a character, the brief."),
        hint=True,
    ),
    Action(
        "history.next",
        "j",
        N_("Next"),
        N_("Moves to the next version."),
        moves=True,
    ),
    Action(
        "history.previous",
        "k",
        N_("Previous"),
        N_("Moves to the version before."),
        moves=True,
    ),
    Action("history.close", "escape,q", N_("Back"), N_("Goes back to the desk."), hint=True),
)

"""The actions on the chapters ahead, and on the form that plans one, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.plan",
        "p",
        N_("Plan"),
        N_("Opens the plan of the chapter on the screen: what happens, who is there, how it ends."),
        can.plannable,
        hint=True,
    ),
    Action(
        "desk.propose_plan",
        "",
        N_("Plan this chapter for me"),
        N_(
            "Has the plot architect fill in the plan of the chapter on the screen; you take what"
            " you like."
        ),
        can.plannable,
    ),
    Action(
        "outline.add",
        "plus",
        N_("Add a chapter"),
        N_("Plans a new chapter below the marked one; those behind it move up."),
        can.at_rest,
    ),
    Action(
        "outline.rename",
        "r",
        N_("Rename"),
        N_("Gives the marked chapter another title, in its plan and in the outline."),
        can.at_rest,
    ),
    Action(
        "outline.label",
        "N,alt+n",
        N_("Your number"),
        N_("Says what you call the marked chapter, if not by the number of its file."),
        can.at_rest,
    ),
    Action(
        "outline.up",
        "shift+up",
        N_("Move up"),
        N_("Moves the marked chapter up by one, with everything that names it by its number."),
        can.at_rest,
    ),
    Action(
        "outline.down",
        "shift+down",
        N_("Move down"),
        N_("Moves the marked chapter down by one."),
        can.at_rest,
    ),
    Action(
        "outline.split",
        "vertical_line",
        N_("Split"),
        N_("Splits the plan of the marked chapter in two, in the middle of what happens."),
        can.at_rest,
    ),
    Action(
        "outline.join",
        "J,alt+j",
        N_("Join with the next"),
        N_("Joins the marked chapter with the one below it."),
        can.at_rest,
    ),
    Action(
        "outline.remove",
        "delete",
        N_("Take out"),
        N_("Takes the marked chapter out of the plan; those behind it move down."),
        can.at_rest,
    ),
    Action(
        "outline.undo",
        "u",
        N_("Undo"),
        N_("Takes back the last change of plans and notes."),
        can.at_rest,
    ),
    Action(
        "form.save",
        "ctrl+s",
        N_("Save"),
        N_("Saves what you typed and goes back."),
        hint=True,
        hinted_as=can.as_form_says,
        priority=True,
    ),
    Action(
        "form.scenes",
        "f8",
        N_("Scenes"),
        N_(
            "Saves the plan and opens its scenes: place, people, tone, feelings, and what each is"
            " for."
        ),
        can.on_chapter_form,
        hint=True,
        priority=True,
    ),
    Action(
        "form.propose",
        "f9",
        N_("Plan this for me"),
        N_("Has the plot architect propose what is open in the plan; you take what you like."),
        can.on_chapter_form,
        hint=True,
        priority=True,
    ),
    Action(
        "form.write",
        "ctrl+e",
        N_("Write it yourself"),
        N_("Leaves the plan and opens the editor for your own draft; what you typed is kept."),
        can.on_chapter_form,
        hint=True,
        priority=True,
    ),
    Action(
        "start.take",
        "ctrl+s",
        N_("Take it"),
        N_("Makes it part of the book as it stands here, with what you changed."),
        hint=True,
        priority=True,
    ),
    Action(
        "start.again",
        "f9",
        N_("Again, but …"),
        N_("Has another proposal made, with what you want otherwise."),
        can.askable_again,
        hint=True,
        priority=True,
    ),
    Action(
        "start.tick",
        "f6",
        N_("Tick"),
        N_("Takes the piece in which the cursor is, or leaves it out."),
        hint=True,
        priority=True,
        moves=True,
    ),
    Action(
        "start.leave_out",
        "f8",
        N_("Leave all of it out"),
        N_(
            "Asks first, then takes nothing of it; of a step of the beginning, goes on with the "
            "next."
        ),
        hint=True,
        hinted_as=can.as_leaving_out,
        priority=True,
    ),
    Action(
        "start.by_hand",
        "f7",
        N_("Do it yourself"),
        N_("Goes on with the next step; you do this one whenever you like."),
        can.left_to_her,
        hint=True,
        priority=True,
    ),
    Action(
        "start.close",
        "escape",
        N_("Later"),
        N_("Goes back; the proposal waits, with what you changed in it."),
        hint=True,
    ),
    Action(
        "proposal.take",
        "enter",
        N_("Take it"),
        N_("Puts what is ticked into the fields of the plan, where Ctrl+S saves it."),
        can.on_proposal,
        hint=True,
        priority=True,
    ),
    Action(
        "proposal.tick",
        "space",
        N_("Tick"),
        N_("Takes the marked field, or leaves it as it is."),
        can.on_proposal,
        hint=True,
        priority=True,
        moves=True,
    ),
    Action(
        "proposal.again",
        "f9",
        N_("Again, but …"),
        N_("Has another plan proposed, with what you want otherwise."),
        can.on_proposal,
        hint=True,
        priority=True,
    ),
    Action(
        "proposal.close",
        "escape",
        N_("Leave it"),
        N_("Stops the model while it plans; else goes back with the plan as it was."),
        hint=True,
    ),
    Action(
        "form.close",
        "escape",
        N_("Back"),
        N_("Goes back; what you typed and did not save is here when you open it again."),
        hint=True,
    ),
)

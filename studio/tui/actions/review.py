"""What a review needs: directives and the questions that wait for the writer."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action("directives.next", "j,down", N_("Next"), N_("Moves to the next directive.")),
    Action("directives.previous", "k,up", N_("Previous"), N_("Moves to the directive before.")),
    Action(
        "directives.accept",
        "a",
        N_("Accept"),
        N_("Accepts the directive for the surgeon; keeps a fix that is in the text."),
        can.acceptable,
        hint=True,
        hinted_as=can.as_keeping,
    ),
    Action(
        "directives.reject",
        "r",
        N_("Reject"),
        N_("Rejects the directive, with a reason if you like; it does not come back."),
        can.rejectable,
        hint=True,
    ),
    Action(
        "directives.waive",
        "m",
        N_("Waive"),
        N_(
            "Puts a finding aside that is meant so, with a reason: here, in the chapter or the"
            " book."
        ),
        can.rejectable,
        hint=True,
    ),
    Action(
        "directives.edit",
        "e",
        N_("Edit instruction"),
        N_("Accepts the directive with an instruction of your own."),
        can.changeable,
        hint=True,
    ),
    Action(
        "directives.edit_text",
        "E",
        N_("Edit result"),
        N_("Replaces the passage with your own words; no model is asked."),
        can.changeable,
        hint=True,
    ),
    Action(
        "directives.undo",
        "u",
        N_("Undo"),
        N_("Takes the decision, the waiver or the fix back, this one alone."),
        can.undoable,
        hint=True,
    ),
    Action(
        "directives.retry",
        "t",
        N_("Try again"),
        N_("Takes the fix back and lets the surgeon try again with a note of yours."),
        can.retryable,
    ),
    Action(
        "directives.accept_rest",
        "A",
        N_("Accept the rest"),
        N_("Accepts all that are open, after asking."),
        can.with_pending,
    ),
    Action(
        "directives.reject_rest",
        "R",
        N_("Reject the rest"),
        N_("Rejects all that are open, after asking."),
        can.with_pending,
    ),
    Action(
        "directives.expand",
        "enter",
        N_("Expand"),
        N_("Shows the directive with all its evidence, or folds it again."),
        can.on_directive,
    ),
    Action("directives.read_on", "pagedown", N_("Read on"), N_("Turns a page of the directive.")),
    Action("directives.read_back", "pageup", N_("Read back"), N_("Turns a page back.")),
    Action("decision.choose", "enter", N_("Choose"), N_("Takes the marked option."), hint=True),
    Action("decision.next", "j,down", N_("Next option"), N_("Moves to the next option.")),
    Action("decision.previous", "k,up", N_("Previous option"), N_("Moves to the option before.")),
    Action(
        "decision.later",
        "escape",
        N_("Later"),
        N_("Leaves the question open; nothing is lost."),
        hint=True,
    ),
)

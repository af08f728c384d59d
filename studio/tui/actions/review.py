"""What a review needs: directives and the questions that wait for the writer."""

from __future__ import annotations

from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action("directives.next", "j,down", "Next", "Moves to the next directive."),
    Action("directives.previous", "k,up", "Previous", "Moves to the directive before."),
    Action(
        "directives.accept",
        "a",
        "Accept",
        "Accepts the directive for the surgeon; keeps a fix that is in the text.",
        can.acceptable,
        hint=True,
        hinted_as=can.as_keeping,
    ),
    Action(
        "directives.reject",
        "r",
        "Reject",
        "Rejects the directive, with a reason if you like; it does not come back.",
        can.rejectable,
        hint=True,
    ),
    Action(
        "directives.waive",
        "m",
        "Waive",
        "Puts a finding aside that is meant so, with a reason: here, in the chapter or the book.",
        can.rejectable,
        hint=True,
    ),
    Action(
        "directives.edit",
        "e",
        "Edit instruction",
        "Accepts the directive with an instruction of your own.",
        can.changeable,
        hint=True,
    ),
    Action(
        "directives.edit_text",
        "E",
        "Edit result",
        "Replaces the passage with your own words; no model is asked.",
        can.changeable,
        hint=True,
    ),
    Action(
        "directives.undo",
        "u",
        "Undo",
        "Takes the decision, the waiver or the fix back, this one alone.",
        can.undoable,
        hint=True,
    ),
    Action(
        "directives.retry",
        "t",
        "Try again",
        "Takes the fix back and lets the surgeon try again with a note of yours.",
        can.retryable,
    ),
    Action(
        "directives.accept_rest",
        "A",
        "Accept the rest",
        "Accepts all that are open, after asking.",
        can.with_pending,
    ),
    Action(
        "directives.reject_rest",
        "R",
        "Reject the rest",
        "Rejects all that are open, after asking.",
        can.with_pending,
    ),
    Action(
        "directives.expand",
        "enter",
        "Expand",
        "Shows the directive with all its evidence, or folds it again.",
        can.on_directive,
    ),
    Action("directives.read_on", "pagedown", "Read on", "Turns a page of the directive."),
    Action("directives.read_back", "pageup", "Read back", "Turns a page back."),
    Action("decision.choose", "enter", "Choose", "Takes the marked option.", hint=True),
    Action("decision.next", "j,down", "Next option", "Moves to the next option."),
    Action("decision.previous", "k,up", "Previous option", "Moves to the option before."),
    Action(
        "decision.later", "escape", "Later", "Leaves the question open; nothing is lost.", hint=True
    ),
)

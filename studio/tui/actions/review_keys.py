"""The actions of a review, on directives and on questions that wait for the writer, with the keys
of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "directives.next",
        "j,down",
        N_("Next"),
        N_("Moves to the next directive."),
        moves=True,
    ),
    Action(
        "directives.previous",
        "k,up",
        N_("Previous"),
        N_("Moves to the directive before."),
        moves=True,
    ),
    Action(
        "directives.first",
        "home",
        N_("To the top"),
        N_("Moves to the first entry of the review."),
        moves=True,
    ),
    Action(
        "directives.last",
        "end",
        N_("To the end"),
        N_("Moves to the last entry of the review."),
        moves=True,
    ),
    Action(
        "directives.accept",
        "a",
        N_("Take"),
        N_(
            "Takes the proposal: the surgeon is to do it, or its own words go into the text; keeps"
            " a fix that is in the text, and puts one that you took back in again without a call."
        ),
        can.acceptable,
        hint=True,
        hinted_as=can.as_keeping,
    ),
    Action(
        "directives.reject",
        "r,x",
        N_("Not this"),
        N_(
            "Asks how far that reaches, from just this once to the whole book, and why if you like."
        ),
        can.rejectable,
        hint=True,
    ),
    Action(
        "directives.waive",
        "m",
        N_("It is meant"),
        N_("The card of Not this, with “here from now on” marked."),
        can.waivable,
    ),
    Action(
        "directives.edit",
        "e",
        N_("Say it otherwise"),
        N_("Takes the proposal with an instruction, or with words, of your own."),
        can.changeable,
        hint=True,
        hinted_as=can.as_otherwise,
    ),
    Action(
        "directives.edit_text",
        "E,alt+e",
        N_("Write it"),
        N_("Replaces the passage with your own words; no model is asked."),
        can.changeable,
        hint=True,
    ),
    Action(
        "directives.undo",
        "u",
        N_("Undo"),
        N_(
            "Takes back this one decision, answer, waiver or fix; on one that is not decided, the"
            " last decision of this review."
        ),
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
        "A,alt+a",
        N_("Take the rest"),
        N_("Takes all that are open, after asking."),
        can.with_pending,
    ),
    Action(
        "directives.reject_rest",
        "R,alt+r",
        N_("None of the rest"),
        N_("Puts aside all that are open, after asking."),
        can.with_pending,
    ),
    Action(
        "directives.expand",
        "enter",
        N_("Open"),
        N_(
            "Shows all there is to know about it, or folds it again; answers a choice; asks for the"
            " passage of what could not be placed."
        ),
        can.on_entry,
        hint=True,
        hinted_as=can.as_answering,
    ),
    Action(
        "directives.read_on",
        "pagedown",
        N_("Read on"),
        N_("Turns a page of the directive."),
        moves=True,
    ),
    Action(
        "directives.read_back",
        "pageup",
        N_("Read back"),
        N_("Turns a page back."),
        moves=True,
    ),
    Action("decision.choose", "enter", N_("Choose"), N_("Takes the marked option."), hint=True),
    Action(
        "decision.next",
        "j,down",
        N_("Next option"),
        N_("Moves to the next option."),
        moves=True,
    ),
    Action(
        "decision.previous",
        "k,up",
        N_("Previous option"),
        N_("Moves to the option before."),
        moves=True,
    ),
    Action(
        "decision.later",
        "escape",
        N_("Later"),
        N_("Leaves the question open; nothing is lost."),
        hint=True,
    ),
)

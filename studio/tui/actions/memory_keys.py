"""The actions on the pages of what the book remembers, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.bible",
        "M,alt+m",
        N_("What the book remembers"),
        N_("Shows people, places and things as they are at any chapter, and where each is named."),
        can.novel,
    ),
    Action(
        "desk.remembered",
        "I,alt+i",
        N_("What it adds to the book"),
        N_(
            "Shows what the book will remember of the chapter in progress: promises and facts, each"
            " to be said otherwise or left out; of a chapter in the book, what it remembers."
        ),
        can.rememberable,
    ),
    Action(
        "desk.promises",
        "",
        N_("Promises"),
        N_("Shows what the reader was promised, and what the chapters did for it."),
        can.novel,
    ),
    Action(
        "desk.knowledge",
        "",
        N_("Who knows what"),
        N_("Shows the book's secrets: who knows each at a chapter, and whether the reader does."),
        can.novel,
    ),
    Action(
        "desk.continuity",
        "",
        N_("Contradictions"),
        N_(
            "Shows what contradicts itself and what is left hanging, found by code without a model."
        ),
        can.novel,
    ),
    Action(
        "desk.lines",
        "",
        N_("What a model is told"),
        N_("Shows every line of the next prompt with its reason and its price, and what differs."),
        can.novel,
    ),
    Action(
        "memory.next_tab",
        "tab,right_square_bracket",
        N_("Next page"),
        N_("Turns to bible, promises, knowledge, contradictions, and what a model is told."),
        hint=True,
        priority=True,
        moves=True,
    ),
    Action(
        "memory.previous_tab",
        "shift+tab,left_square_bracket",
        N_("Page before"),
        N_("Turns a page back."),
        priority=True,
        moves=True,
    ),
    Action(
        "memory.later",
        "right",
        N_("A chapter later"),
        N_("Shows it as it is when the next chapter begins."),
        hint=True,
        moves=True,
    ),
    Action(
        "memory.earlier",
        "left",
        N_("A chapter earlier"),
        N_("Shows it as it was when the chapter before began."),
        hint=True,
        moves=True,
    ),
    Action(
        "memory.meant",
        "m",
        N_("It is meant"),
        N_("Says of a contradiction that it is meant, with a reason; it is not named again."),
        hint=True,
    ),
    Action(
        "memory.retire",
        "L,alt+l",
        N_("Leaves the story"),
        N_("Retires the marked person, or brings back one who left; who is still needed stays."),
    ),
    Action(
        "memory.settle",
        "s",
        N_("What a chapter did"),
        N_("Says what a chapter did for the marked promise, where no model read it or read wrong."),
    ),
    Action(
        "memory.pin",
        "P,alt+p",
        N_("Always tell"),
        N_("Keeps the marked line in every prompt, whatever it costs; press again to let it go."),
    ),
    Action(
        "memory.mute",
        "M,alt+m",
        N_("Leave out"),
        N_(
            "Leaves the marked line out of every prompt; press again to let it in. Rules always "
            "stay."
        ),
    ),
    Action(
        "memory.swap",
        "S,alt+s",
        N_("In one line, or whole"),
        N_(
            "Tells the marked line in one line; press again to tell it whole, and again for the "
            "default."
        ),
    ),
    Action(
        "memory.read",
        "R,alt+r",
        N_("Have a model read"),
        N_(
            "For names without an entry, promises or contradictions; shows the price first, and "
            "asks."
        ),
    ),
    Action(
        "memory.names",
        "n",
        N_("Names with no entry"),
        N_("Looks through the chapters for names the bible does not know, and proposes them."),
    ),
    Action(
        "memory.take",
        "a",
        N_("Take what is proposed"),
        N_("Takes a note you brought in or a name into the bible, a promise into the book."),
    ),
    Action(
        "memory.take_as",
        "r",
        N_("Take it in other words"),
        N_("Takes an entry under a name you type, or a promise in your own words."),
    ),
    Action(
        "memory.take_notes",
        "A,alt+a",
        N_("Make entries of all notes"),
        N_("Takes every note you brought in into the bible, after a question."),
    ),
    Action(
        "memory.leave",
        "x",
        N_("Leave what is proposed"),
        N_("Leaves a proposed entry or promise out; it is not proposed again."),
    ),
    Action("memory.close", "escape,q", N_("Back"), N_("Goes back to where you were."), hint=True),
)

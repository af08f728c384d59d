"""The facts an action looks at to say whether it can be done now, and if not, why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import _
from studio.tui.views.directive_steps import allows, is_in_text
from studio.tuples import NamedTuple

if TYPE_CHECKING:
    from studio.story.status import DirectiveStatus


class Situation(NamedTuple):
    """Where the app stands at the moment of a key."""

    novel: bool = False
    opening: bool = False
    elsewhere: str = ""
    """Who else writes the novel now, in a sentence."""
    running: bool = False
    stopping: bool = False
    inflight: int | None = None
    """Number of the chapter in work."""
    staged: bool = False
    """Whether a text of it is staged."""
    decision: str | None = None
    """Kind of the question that waits."""
    current: int | None = None
    """Chapter that is on the screen."""
    current_is_written: bool = False
    """Whether it has a text."""
    current_is_committed: bool = False
    unplanned: bool = False
    """Whether nobody has planned it, nor written it."""
    directive: DirectiveStatus | None = None
    """Of the directive under the cursor."""
    counsel: bool = False
    """Whether a choice or advice is under the cursor instead."""
    choice: bool = False
    """Whether that is a choice of the chapter in work nobody has answered."""
    answered: bool = False
    """Whether it is one she has answered."""
    more: bool = False
    """Whether the findings that found no place, or what was put aside earlier, are."""
    directives_here: bool = False
    """Whether the directives shown belong to the chapter in work."""
    pending: int = 0
    approved: int = 0
    selection: bool = False
    directing: bool = False
    """Whether the line for the direction is open."""
    calls: int = 0
    """Calls to a model the Context tab can show, while it is in sight."""
    result: bool = False
    """Whether there is something to take: a kept text, a version, a proposal, a report."""
    edited: bool = False
    """Whether a chapter of the book was changed by hand."""
    marked: bool = False
    """Whether plans changed since the chapter shown, or the book, was written."""
    moved: bool = False
    """Whether a chapter of the book is not where it was."""
    begins: bool = False
    """Whether the book is being begun step by step, or has no chapter yet."""
    in_steps: bool = False
    """Whether it is being begun so, and what comes next is a step."""
    model_judges: bool = True
    model_summarizes: bool = True
    chapter_form: bool = False
    """Whether the plan of a chapter is being filled in."""
    plan: bool = False
    """Whether an import is on the screen, its files read."""


Reason = str | None
"""Why not, in a sentence; None when it can be done."""


def always(_: Situation) -> Reason:
    """Nothing stands against it."""
    return None


def as_titled(_: Situation) -> str:
    """No other title."""
    return ""


def as_going_on(now: Situation) -> str:
    """Of writing, with a chapter in work."""
    if now.in_steps:
        return _("Begin")
    return _("Go on") if now.inflight else ""


def beginning(now: Situation) -> Reason:
    """For a book that has nothing in it yet."""
    if not now.begins:
        return _("The book has chapters already; w writes the next one.")
    return at_rest(now)


def as_keeping(now: Situation) -> str:
    """Of accepting, on a fix that is in the text."""
    return _("Keep") if now.directive == "applied" else ""


def as_answering(now: Situation) -> str:
    """Of opening, on a choice that is open."""
    return _("Answer") if now.choice else ""


def as_otherwise(now: Situation) -> str:
    """Of saying it otherwise, where there is little room."""
    return _("Otherwise")


def as_more(now: Situation) -> str:
    """Of the list of all actions, where there is little room."""
    return _("More")


def at_rest(now: Situation) -> Reason:
    """Nothing may be running."""
    if not now.novel:
        return _("Open a novel first.")
    if now.running:
        return _("A chapter is being worked on. Esc stops it.")
    return now.elsewhere or None


def while_waiting(now: Situation) -> Reason:
    """Something must be running, a novel be opened, or the line for the direction be open."""
    if now.stopping:
        return _("It is already stopping; whatever is being saved is saved first.")
    waits = now.running or now.opening or now.directing
    return None if waits else _("Nothing is running.")


def with_decision(now: Situation) -> Reason:
    """A question must wait."""
    return at_rest(now) or (None if now.decision else _("There is nothing to decide."))


def reviewed(now: Situation) -> Reason:
    """A chapter must be ready for the book, and on the screen: none goes there unread."""
    if (reason := with_inflight(now)) is not None:
        return reason
    if now.decision != "review":
        return _(
            "Chapter {inflight} is not ready for the book yet; w goes on with it.",
            inflight=now.inflight,
        )
    if not now.directives_here:
        return _("Chapter {inflight} is in progress; look at it first.", inflight=now.inflight)
    return None


def with_inflight(now: Situation) -> Reason:
    """A chapter must be in work."""
    return at_rest(now) or (None if now.inflight else _("No chapter is in progress."))


def editable(now: Situation) -> Reason:
    """The chapter shown must be one whose text may be changed here."""
    if now.current is None:
        return _("Choose a chapter in the outline first.")
    return at_rest(now)


def with_text(now: Situation) -> Reason:
    """The chapter shown must have a text."""
    return None if now.current_is_written else _("This chapter has no text yet.")


def plannable(now: Situation) -> Reason:
    """The chapter shown must be one that is not in the book yet."""
    if now.current_is_committed:
        return _("This chapter is in the book; [ and ] turn to its plan.")
    return editable(now)


def on_chapter_form(now: Situation) -> Reason:
    """The plan of a chapter must be open."""
    return None if now.chapter_form else _("This is not the plan of a chapter.")


def committed(now: Situation) -> Reason:
    """The chapter shown must be in the book, and none in work."""
    if now.inflight is not None:
        return _(
            "Chapter {inflight} is in progress; finish or discard it first.", inflight=now.inflight
        )
    if not now.current_is_committed:
        return _("This chapter is not in the book yet.")
    return at_rest(now)


def novel(now: Situation) -> Reason:
    """A novel must be open."""
    return None if now.novel else _("Open a novel first.")


def on_directive(now: Situation) -> Reason:
    """A directive must be under the cursor."""
    if now.counsel:
        return _("This is not a fix: there is nothing to accept or to reject.")
    return None if now.directive else _("There is no directive here.")


def on_entry(now: Situation) -> Reason:
    """Something must be under the cursor."""
    return None if now.counsel or now.directive or now.more else _("There is nothing here.")


def deciding(now: Situation) -> Reason:
    """The directive under the cursor can be decided on now."""
    if (reason := on_directive(now)) is not None:
        return reason
    return answerable(now)


def answerable(now: Situation) -> Reason:
    """The choice under the cursor can be answered."""
    if not now.directives_here:
        return _("These belong to a chapter in the book. Review it again to change them.")
    return at_rest(now)


def acceptable(now: Situation) -> Reason:
    """It can be accepted, or kept."""
    if (reason := deciding(now)) is not None:
        return reason
    return None if allows(now.directive, "accept") else _("It cannot be taken now.")


def rejectable(now: Situation) -> Reason:
    """It can be rejected."""
    if (reason := deciding(now)) is not None:
        return reason
    if is_in_text(now.directive):
        return _("Its fix is in the text: u takes it back.")
    return None if allows(now.directive, "reject") else _("It cannot be put aside now.")


def changeable(now: Situation) -> Reason:
    """Its instruction or result can be edited."""
    if (reason := deciding(now)) is not None:
        return reason
    if is_in_text(now.directive):
        return _("Its fix is in the text: u takes it back first.")
    return None if allows(now.directive, "edit") else _("It cannot be changed now.")


def undoable(now: Situation) -> Reason:
    """There is a decision, an answer or a fix to take back."""
    if now.answered:
        return answerable(now)
    if (reason := deciding(now)) is not None:
        return reason
    fits = allows(now.directive, "undo") or allows(now.directive, "lift")
    return None if fits else _("There is nothing to take back.")


def retryable(now: Situation) -> Reason:
    """The surgeon has tried it."""
    if (reason := deciding(now)) is not None:
        return reason
    return None if allows(now.directive, "retry") else _("The surgeon has not worked on it yet.")


def with_pending(now: Situation) -> Reason:
    """Something is still undecided."""
    if not now.directives_here:
        return _("There are no open directives here.")
    return at_rest(now) or (None if now.pending else _("Everything is decided."))


def correctable(now: Situation) -> Reason:
    """An import must be on the screen, and not on its way."""
    if now.running:
        return _("The chapters are being put in place.")
    return None if now.plan else _("The files are being read.")


def directing(now: Situation) -> Reason:
    """The line for the direction must be open."""
    return None if now.directing else _("Open the line for a direction first: i on the desk.")


def streaming(now: Situation) -> Reason:
    """Text must be coming."""
    return None if now.running else _("Nothing streams in; End goes to the end of the text.")


def with_selection(now: Situation) -> Reason:
    """Text must be selected."""
    return None if now.selection else _("Select text with the mouse first.")


def promotable(now: Situation) -> Reason:
    """A passage must be at hand: selected, or a directive's."""
    if now.selection or now.directive:
        return at_rest(now)
    return _("Select paragraphs of the text first: Shift and the arrows, or the mouse.")


def with_calls(now: Situation) -> Reason:
    """There must be other calls to turn to."""
    return None if now.calls > 1 else _("The Context tab turns when it shows several calls.")


def with_a_call(now: Situation) -> Reason:
    """There must be a call to play again."""
    return None if now.calls else _("The Context tab plays a call again once there is one.")


def on_passage(now: Situation) -> Reason:
    """A chapter with a text must be on the screen, and nothing running."""
    return with_text(now) or at_rest(now)


def on_passage_version(now: Situation) -> Reason:
    """A version of a passage must be in sight."""
    if now.running:
        return _("A version is being written. Esc stops it.")
    return None if now.result else _("There is no version yet; a has one written.")


def on_proposal(now: Situation) -> Reason:
    """A proposed plan must be in sight."""
    return None if now.result else _("The model is still planning. Esc stops it.")


def on_kept(now: Situation) -> Reason:
    """A kept text must be under the cursor."""
    return None if now.result else _("Choose a kept text in the Variations tab first.")


def replaceable(now: Situation) -> Reason:
    """The chapter shown must be in work, with a whole text."""
    if not now.directives_here:
        return _(
            "A text comes back only into the chapter in progress. Ctrl+R on the desk reviews again."
        )
    if not now.staged:
        return _("This chapter has no whole text yet; finish its draft first.")
    return at_rest(now)


def with_edits(now: Situation) -> Reason:
    """A chapter of the book must have been changed by hand."""
    return at_rest(now) or (None if now.edited else _("No chapter was changed by hand."))


def rebuildable(now: Situation) -> Reason:
    """There must be something to rebuild, and nothing in work."""
    if now.inflight is not None:
        return _(
            "Chapter {inflight} is in progress; a rebuild has to wait for it.",
            inflight=now.inflight,
        )
    fits = now.edited or now.current_is_committed
    return at_rest(now) or (None if fits else _("This chapter is not in the book yet."))


def with_marks(now: Situation) -> Reason:
    """A plan must have changed since."""
    return at_rest(now) or (None if now.marked else _("No plan changed since this was written."))


def with_moves(now: Situation) -> Reason:
    """A chapter must not be where it was."""
    return at_rest(now) or (None if now.moved else _("Every chapter of the book is in its place."))


def ready(now: Situation) -> Reason:
    """A rebuild must be worked out, and not begun."""
    if now.running:
        return _("It is under way. Esc stops it.")
    return None if now.plan else _("There is nothing to rebuild.")


def with_gaps(now: Situation) -> Reason:
    """There must be chapters that the state knows nothing of, and nothing begun."""
    if now.running:
        return _("It is under way. Esc stops it.")
    return None if now.more else _("The state of the story knows every chapter.")


def finished(now: Situation) -> Reason:
    """A rebuild must be done."""
    return None if now.result else _("Nothing was rebuilt yet.")


def on_version(now: Situation) -> Reason:
    """Another version than the present text must be under the cursor."""
    return None if now.result else _("Choose a version that is not the present text.")

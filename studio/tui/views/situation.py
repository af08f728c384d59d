"""The facts by which an action decides whether it is available, and the reasons why it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from studio.i18n import N_, _, as_label

if TYPE_CHECKING:
    from studio.story.review.proposal import Proposal, ProposalAction
    from studio.story.status import DirectiveStatus, DirectiveStep, Stands


class Situation(NamedTuple):
    """The situation of the app at the moment of a key."""

    novel: bool = False
    opening: bool = False
    elsewhere: str = ""
    """Who else is writing the novel now, as a sentence."""
    running: bool = False
    stopping: bool = False
    inflight: int | None = None
    staged: bool = False
    """Whether a text of the chapter in progress is staged."""
    changed: bool = False
    """Whether the chapter in progress was changed since it was judged."""
    decision: str | None = None
    """The kind of the decision that is waiting."""
    in_review: bool = False
    """Whether the chapter in progress has reached its review, or is her own text: it may go into
    the book though nothing is asked."""
    without_review: bool = False
    """Whether the text of the chapter on the screen, which is in progress, was in no review yet."""
    in_progress: bool = False
    """Whether there is something to decide, about a scene in progress at least."""
    current: int | None = None
    """The chapter on the screen."""
    current_is_written: bool = False
    current_is_committed: bool = False
    current_is_in_chapters: bool = False
    """Whether its text is in chapters/, whoever put it there."""
    current_is_next: bool = False
    """Whether it is the chapter that w works on."""
    unplanned: bool = False
    """Whether it has neither a plan nor a text."""
    waits: bool = False
    """Whether the writer's imported draft of it is waiting."""
    directive: DirectiveStatus | None = None
    """The status of the directive under the cursor."""
    stands: Stands = "same"
    """How its passage stands in the text."""
    edits: tuple[int, int] | None = None
    """With the row of the small changes under the cursor: how many wait, and how many are in the
    text."""
    proposal: Proposal | None = None
    """The proposal with given words that is under the cursor instead."""
    unplaced: bool = False
    """Whether what could not be placed is under the cursor instead."""
    counsel: bool = False
    """Whether a choice or advice is under the cursor instead."""
    choice: bool = False
    """Whether the cursor is on an unanswered choice, of a chapter of the book too."""
    choices: int = 0
    """The number of choices of the chapter in progress that only the writer can make and has not
    made."""
    answered: bool = False
    """Whether the cursor is on a choice that the writer has answered."""
    last_decided: bool = False
    """Whether the decision that she made last in this review can be taken back."""
    more: bool = False
    """Whether the cursor is on the findings beyond the limit, or on earlier rejections."""
    directives_here: bool = False
    """Whether the directives on the screen belong to the chapter in progress."""
    pending: int = 0
    approved: int = 0
    in_her_words: int = 0
    """How many of these are words of her own, for which no surgeon is called."""
    for_a_model: int = 0
    """How many of these only a model can carry out."""
    selection: bool = False
    directing: bool = False
    """Whether the input line for a direction is open."""
    follows: bool = False
    """Whether the text pane stays at the end of what streams in."""
    unsettled: int = 0
    """The number of calls on the page of the cost whose end nobody recorded."""
    calls: int = 0
    """The number of calls that the Context tab can show, while it is in sight."""
    changes: bool = False
    """Whether the Diff tab is in sight and shows changes."""
    result: bool = False
    """Whether there is a result to take: a saved text, a version, a proposal, a report."""
    refused: str = ""
    """Why the kept text on the screen cannot be brought back; empty where it can."""
    sentences: bool = False
    """Whether a version is taken sentence by sentence."""
    edited: bool = False
    """Whether a chapter of the book was changed by hand."""
    marked: bool = False
    """Whether plans have changed since the chapter on the screen, or the book, was written."""
    moved: bool = False
    """Whether a chapter of the book has been moved."""
    begins: bool = False
    """Whether the book is being started step by step, or has no chapter yet."""
    in_steps: bool = False
    """Whether the book is being started and the next thing is a step of that."""
    trial_next: bool = False
    """Whether the next of these steps is a trial chapter, which w writes without a question."""
    price: str = ""
    """About what w costs, in words, or that it is being looked up; empty where that is nothing."""
    model_judges: bool = True
    model_summarizes: bool = True
    chapter_form: bool = False
    """Whether the plan of a chapter is being edited."""
    saves_as: str = ""
    """What saving the form on the screen is called; empty where it only saves."""
    by_hand: bool = False
    """Whether the page shows a step of the beginning, which she can do herself."""
    plan: bool = False
    """Whether an import is on the screen and its files have been read."""

    @property
    def on_an_entry(self) -> bool:
        """Whether any row of a review is under the cursor."""
        rows = (self.directive, self.proposal, self.unplaced, self.counsel, self.more)
        return any(rows) or self.edits is not None


WhyNot = str | None
"""Why an action is unavailable, as a sentence; None if it is available."""


_CANNOT: Mapping[ProposalAction, str] = {
    "accept": N_("It cannot be taken now."),
    "reject": N_("It cannot be put aside now."),
    "edit": N_("It cannot be changed now."),
    "undo": N_("There is nothing to take back."),
}
"""Why a step is not open to a proposal."""


Need = Callable[[Situation], WhyNot]


def always(_: Situation) -> WhyNot:
    """Allows the action always."""
    return None


def needs(fact: Callable[[Situation], object], otherwise: str, first: Need = always) -> Need:
    """Returns what requires a fact, after what `first` requires; `otherwise` says why not."""
    return lambda now: first(now) or (None if fact(now) else _(otherwise))


def titles(fact: Callable[[Situation], object], words: str) -> Callable[[Situation], str]:
    """Returns what gives an action another title while a fact holds."""
    return lambda now: _(words) if fact(now) else ""


def as_titled(_: Situation) -> str:
    """Keeps the title of the action."""
    return ""


def as_going_on(now: Situation) -> str:
    """Titles the writing action, with about what it costs; while a chapter is in progress, as going
    on with it."""
    title = _("Go on") if now.inflight or now.trial_next else _("Write")
    if now.in_steps and not now.trial_next:
        title = _("Begin")
    return f"{as_label(title)}{now.price}" if now.price else title


def as_form_says(now: Situation) -> str:
    """Titles the saving action on a form that does more."""
    return now.saves_as


def require_beginning(now: Situation) -> WhyNot:
    """Requires a book without any chapter."""
    if not now.begins:
        return _("The book has chapters already; w writes the next one.")
    return at_rest(now)


def as_keeping(now: Situation) -> str:
    """Titles the accepting action on a fix that is in the text, on one that was taken back, and on
    what could not be placed."""
    if now.unplaced:
        return _("Place it")
    if now.directive == "undone":
        return _("Take again")
    return _("Keep") if now.directive == "applied" else ""


def as_answering(now: Situation) -> str:
    """Titles the opening action on an open choice, and on what could not be placed."""
    if now.unplaced and now.directives_here:
        return _("Place it")
    return _("Answer") if now.choice else ""


def as_otherwise(now: Situation) -> str:
    """Titles the action for another wording, where there is little room."""
    return _("Otherwise")


def as_deciding(now: Situation) -> str:
    """Titles the deciding action about a scene that broke off, with which w goes on unasked."""
    return _("Other ways") if now.in_progress and now.decision in (None, "cut_off") else ""


as_following = titles(lambda now: now.follows, N_("Stay here"))


def as_more(now: Situation) -> str:
    """Titles the list of all actions, where there is little room."""
    return _("More")


def at_work() -> str:
    """Says why nothing can be changed while something runs, and when it can."""
    return _("The studio is at work. When it is through, this can be done; Esc stops it.")


def at_rest(now: Situation) -> WhyNot:
    """Requires that nothing is running."""
    if not now.novel:
        return _("Open a novel first.")
    if now.running:
        return at_work()
    return now.elsewhere or None


def while_waiting(now: Situation) -> WhyNot:
    """Requires that something is running, a novel is being opened, or the direction line is
    open."""
    if now.stopping:
        return _("It is already stopping; whatever is being saved is saved first.")
    waits = now.running or now.opening or now.directing
    return None if waits else _("Nothing is running.")


def with_decision(now: Situation) -> WhyNot:
    """Requires a waiting decision."""
    if (reason := at_rest(now)) is not None or now.decision or now.in_progress or now.choice:
        return reason
    if now.inflight is not None:  # it waits, though it asks nothing: it was stopped, or broke off
        return _("Chapter {inflight} waits; w goes on with it.", inflight=now.inflight)
    return _("There is nothing to decide.")


def require_review(now: Situation) -> WhyNot:
    """Requires a chapter that is ready and on the screen: none is committed unread."""
    if (reason := with_inflight(now)) is not None:
        return reason
    if not now.staged or not (now.decision or now.in_review):
        return _(
            "Chapter {inflight} is not ready for the book yet; w goes on with it.",
            inflight=now.inflight,
        )
    if not now.directives_here:
        return _("Chapter {inflight} is in progress; look at it first.", inflight=now.inflight)
    return None


def rememberable(now: Situation) -> WhyNot:
    """Requires a chapter on the screen that is in the book, or one that is ready for it."""
    is_in_book = now.current_is_committed and not now.directives_here
    return None if is_in_book else require_review(now)


with_inflight = needs(lambda now: now.inflight, N_("No chapter is in progress."), at_rest)


def editable(now: Situation) -> WhyNot:
    """Requires a chapter on the screen whose text can be edited now."""
    if now.current is None:
        return _("Choose a chapter in the outline first.")
    return at_rest(now)


with_text = needs(lambda now: now.current_is_written, N_("This chapter has no text yet."))


def plannable(now: Situation) -> WhyNot:
    """Requires that the chapter on the screen is not committed yet."""
    if now.current_is_committed:
        return _("This chapter is in the book; [ and ] turn to its plan.")
    return editable(now)


on_chapter_form = needs(lambda now: now.chapter_form, N_("This is not the plan of a chapter."))
as_reading = titles(lambda now: now.changed, N_("Have it read again"))


def readable_again(now: Situation) -> WhyNot:
    """Requires a committed chapter on the screen and no chapter in progress, or one in progress
    that was changed since it was judged."""
    if now.changed:
        return at_rest(now)
    if now.decision == "review" and now.current == now.inflight:
        return _("Chapter {inflight} was not changed since it was judged.", inflight=now.inflight)
    return require_committed(now)


def between_chapters(now: Situation) -> WhyNot:
    """Requires that nothing is running and no chapter is in progress."""
    if now.inflight is not None:
        return _(
            "Chapter {inflight} is in progress; finish or discard it first.", inflight=now.inflight
        )
    return at_rest(now)


require_committed = needs(
    lambda now: now.current_is_committed,
    N_("This chapter is not in the book yet."),
    between_chapters,
)


def in_the_book(now: Situation) -> WhyNot:
    """Requires a chapter on the screen that is in chapters/, as the command line does, whatever
    else is in progress."""
    if not now.novel:
        return _("Open a novel first.")
    return None if now.current_is_in_chapters else _("This chapter is not in the book yet.")


def markable(now: Situation) -> WhyNot:
    """Requires a chapter on the screen that can be marked now: said before anything is asked."""
    if now.running:
        return _("The studio is at work: mark it when that is done, or stop it with Esc.")
    return in_the_book(now) or now.elsewhere or None


novel = needs(lambda now: now.novel, N_("Open a novel first."))


def on_directive(now: Situation) -> WhyNot:
    """Requires a directive under the cursor."""
    if now.counsel:
        return _("This is not a fix: there is nothing to accept or to reject.")
    if now.unplaced:
        return _("It has no place in the text yet: Enter asks for it.")
    if now.edits is not None:
        return _("These are several: Enter lists them one by one.")
    if now.proposal:
        return _("No model writes this: it is taken, put aside, or said in your words.")
    return None if now.directive else _("There is no directive here.")


on_entry = needs(lambda now: now.on_an_entry, N_("There is nothing here."))


def require_decision(now: Situation) -> WhyNot:
    """Requires a directive under the cursor that can be decided now."""
    if (reason := on_directive(now)) is not None:
        return reason
    return answerable(now)


def answerable(now: Situation) -> WhyNot:
    """Requires that choices can be answered now."""
    if not now.directives_here:
        return _("These belong to a chapter in the book. Review it again to change them.")
    return at_rest(now)


def _is_in_text(now: Situation) -> bool:
    """Whether the fix of the directive under the cursor is in the text."""
    from studio.story.status import IN_TEXT_STATUSES

    return now.directive in IN_TEXT_STATUSES


def _allows(now: Situation, step: DirectiveStep) -> bool:
    """Whether the directive under the cursor can take this step, as its passage stands."""
    from studio.story.status import allows

    return allows(now.directive, step, now.stands)


def acceptable(now: Situation) -> WhyNot:
    """Requires a directive that can be accepted or kept, a proposal that can be accepted, or
    something to place."""
    if now.unplaced:
        return answerable(now)
    if now.edits is not None:
        return _with_edits(now, now.edits[0])
    if now.proposal:
        return _decidable(now, now.proposal, "accept")
    if (reason := require_decision(now)) is not None:
        return reason
    return None if _allows(now, "accept") else _("It cannot be taken now.")


def rejectable(now: Situation) -> WhyNot:
    """Requires a directive or a proposal that can be rejected."""
    if now.edits is not None:
        return _with_edits(now, now.edits[0])
    return _decidable(now, now.proposal, "reject") if now.proposal else waivable(now)


def waivable(now: Situation) -> WhyNot:
    """Requires a directive that can be rejected, once or from now on."""
    if (reason := require_decision(now)) is not None:
        return reason
    if _is_in_text(now):
        return _("Its fix is in the text: u takes it back.")
    return None if _allows(now, "reject") else _("It cannot be put aside now.")


def changeable(now: Situation) -> WhyNot:
    """Requires a directive whose instruction or result can be edited, or a proposal whose words
    can."""
    if now.proposal:
        return _decidable(now, now.proposal, "edit")
    if (reason := require_decision(now)) is not None:
        return reason
    if _is_in_text(now):
        return _("Its fix is in the text: u takes it back first.")
    return None if _allows(now, "edit") else _("It cannot be changed now.")


def undoable(now: Situation) -> WhyNot:
    """Requires a decision, an answer or a fix that can be undone: under the cursor, or the last one
    of this review, from which the cursor has moved on."""
    reason = undoable_here(now)
    return at_rest(now) if now.last_decided and now.directives_here else reason


def undoable_here(now: Situation) -> WhyNot:
    """Requires one under the cursor."""
    if now.answered:
        return at_rest(now)
    if now.edits is not None:
        return _with_edits(now, now.edits[1])
    if now.proposal:
        return _decidable(now, now.proposal, "undo")
    if not now.directives_here and _is_in_text(now) and now.stands == "same":
        return at_rest(now)  # an edit of hers, of a chapter in the book
    if (reason := require_decision(now)) is not None:
        return reason
    fits = _allows(now, "undo") or _allows(now, "lift")
    return None if fits else _("There is nothing to take back.")


def _with_edits(now: Situation, count: int) -> WhyNot:
    """Requires small changes to which this can be done."""
    if (reason := answerable(now)) is not None:
        return reason
    return None if count else _("There is none of them left for that.")


def retryable(now: Situation) -> WhyNot:
    """Requires a directive that the surgeon has already tried."""
    if (reason := require_decision(now)) is not None:
        return reason
    return None if _allows(now, "retry") else _("The surgeon has not worked on it yet.")


def _decidable(now: Situation, proposal: Proposal, action: ProposalAction) -> WhyNot:
    """Requires that this can be done with a proposal: the words of one for a chapter of the book
    are taken only while no other chapter is in progress."""
    if not proposal.allows(action):
        return _(_CANNOT[action])
    touches_text = action in ("accept", "edit") or proposal.status == "applied"
    if touches_text and not now.directives_here and now.inflight is not None:
        return _(
            "Chapter {inflight} is in progress; finish or discard it first.", inflight=now.inflight
        )
    return at_rest(now)


def with_pending(now: Situation) -> WhyNot:
    """Requires at least one pending directive."""
    if not now.directives_here:
        return _("There are no open directives here.")
    return at_rest(now) or (None if now.pending else _("Everything is decided."))


def correctable(now: Situation) -> WhyNot:
    """Requires an import on the screen that is not running yet."""
    if now.running:
        return _("The chapters are being put in place.")
    return None if now.plan else _("The files are being read.")


directing = needs(
    lambda now: now.directing, N_("Open the line for a direction first: i on the desk.")
)
require_stream = needs(
    lambda now: now.running, N_("Nothing streams in; End goes to the end of the text.")
)
with_selection = needs(lambda now: now.selection, N_("Select text with the mouse first."))


def promotable(now: Situation) -> WhyNot:
    """Requires a selected passage or a directive under the cursor."""
    if now.selection or now.directive:
        return at_rest(now)
    return _("Select paragraphs of the text first: Shift and the arrows, or the mouse.")


with_calls = needs(
    lambda now: now.calls > 1, N_("The Context tab turns when it shows several calls.")
)
with_changes = needs(
    lambda now: now.changes, N_("The Diff tab leads from change to change where it has any.")
)
with_a_call = needs(
    lambda now: now.calls, N_("The Context tab plays a call again once there is one.")
)


def on_passage(now: Situation) -> WhyNot:
    """Requires a chapter with a text on the screen, and nothing running."""
    return with_text(now) or at_rest(now)


as_way_of_taking = titles(lambda now: now.sentences, N_("By paragraph"))


def on_passage_version(now: Situation) -> WhyNot:
    """Requires a version of a passage on the screen."""
    if now.running:
        return _("A version is being written. Esc stops it.")
    return None if now.result else _("There is no version yet; a has one written.")


def on_proposal(now: Situation) -> WhyNot:
    """Requires that no plan is being made."""
    return _("The model is still planning. Esc stops it.") if now.running else None


as_stopping = titles(lambda now: now.running, N_("Stop"))


def as_leaving_out(now: Situation) -> str:
    """Says of a step of the beginning that it is left out whole: F6 leaves out one piece."""
    return _("Leave the step out") if now.by_hand else ""


left_to_her = needs(lambda now: now.by_hand, N_("This is no step of a book's beginning."))
askable_again = needs(
    lambda now: now.result, N_("No model proposed this; change it here as you like.")
)
on_kept = needs(lambda now: now.result, N_("Choose a kept text in the Variations tab first."))


def replaceable(now: Situation) -> WhyNot:
    """Requires that the chapter on the screen is in progress and has a complete text."""
    if not now.directives_here:
        return _(
            "A text comes back only into the chapter in progress. Ctrl+R on the desk reviews again."
        )
    if not (now.staged or now.in_progress):
        return _("This chapter has no whole text yet; finish its draft first.")
    return now.refused or at_rest(now)


with_edits = needs(lambda now: now.edited, N_("No chapter was changed by hand."), at_rest)
rebuildable = needs(
    lambda now: now.edited or now.current_is_committed,
    N_("This chapter is not in the book yet."),
    at_rest,
)
with_unsettled = needs(lambda now: now.unsettled, N_("Every call is accounted for."), at_rest)
with_marks = needs(lambda now: now.marked, N_("No plan changed since this was written."), at_rest)
with_moves = needs(lambda now: now.moved, N_("Every chapter of the book is in its place."), at_rest)


def ready(now: Situation) -> WhyNot:
    """Requires a rebuild that has been previewed and not started."""
    if now.running:
        return _("It is under way. Esc stops it.")
    return None if now.plan else _("There is nothing to rebuild.")


def with_gaps(now: Situation) -> WhyNot:
    """Requires chapters that the state does not know, and nothing running."""
    if now.running:
        return _("It is under way. Esc stops it.")
    return None if now.more else _("The state of the story knows every chapter.")


require_finish = needs(lambda now: now.result, N_("Nothing was rebuilt yet."))
on_version = needs(lambda now: now.result, N_("Choose a version that is not the present text."))

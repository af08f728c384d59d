"""The actions of the desk itself, whichever pane is focused, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_, _
from studio.tui.action import Action
from studio.tui.views import situation as can


def _as_kept(_now: can.Situation) -> str:
    """Returns the short title for keeping a direction."""
    return _("Keep it")


def _as_left(_now: can.Situation) -> str:
    """Returns the short title for leaving the direction unchanged."""
    return _("Leave it")


def _as_leaving(now: can.Situation) -> str:
    """Returns the short title of stop while the novel is opening, or the direction line is open."""
    if now.directing and not now.running:
        return _as_left(now)
    return _("Back") if now.opening else ""


ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.write",
        "w",
        N_("Write"),
        N_("Writes the next chapter, or goes on with the one in progress."),
        can.at_rest,
        hint=True,
        hinted_as=can.as_going_on,
    ),
    Action(
        "desk.unattended",
        "",
        N_("Write it without asking me"),
        N_(
            "Writes the chapter and takes it into the book without a question; says the price"
            " first, and at the end what it left open."
        ),
        can.at_rest,
    ),
    Action(
        "desk.waivers",
        "",
        N_("What is meant"),
        N_("Lists what you said is meant and is not proposed again, and takes any of it back."),
        can.at_rest,
    ),
    Action(
        "desk.begin",
        "",
        N_("Begin the book"),
        N_("Leads from the premise to the first chapters, a step at a time; each may be left out."),
        can.require_beginning,
    ),
    Action(
        "desk.left_out",
        "T,alt+t",
        N_("What you left out"),
        N_(
            "Opens a step of the beginning, a volume's plan or a clean-up that you left out, as it"
            " stood; says what it costs."
        ),
        can.between_chapters,
    ),
    Action(
        "desk.stop",
        "escape",
        N_("Stop"),
        N_(
            "Stops what is being written at once and keeps it; leaves a novel that is still "
            "opening."
        ),
        can.while_waiting,
        hint=True,
        hinted_as=_as_leaving,
    ),
    Action(
        "desk.decide",
        "d",
        N_("Decide"),
        N_("Shows the question that waits for you, with what each answer does."),
        can.with_decision,
        hint=True,
        hinted_as=can.as_deciding,
    ),
    Action(
        "desk.commit",
        "C,alt+c",
        N_("Into the book"),
        N_("Takes the chapter in progress into the book, after saying what is still open."),
        can.require_review,
        hint=True,
    ),
    Action(
        "desk.direction",
        "i",
        N_("Direction"),
        N_("Says what you want of the next chapter, or of the one in progress."),
        can.at_rest,
        hint=True,
    ),
    Action(
        "direction.keep",
        "enter",
        N_("Keep the direction"),
        N_("Keeps the direction for the next run."),
        can.directing,
        hint=True,
        hinted_as=_as_kept,
    ),
    Action(
        "direction.leave",
        "escape",
        N_("Leave it as it was"),
        N_("Leaves the direction as it was."),
        can.directing,
        hint=True,
        hinted_as=_as_left,
    ),
    Action(
        "direction.take_back",
        "ctrl+z",
        N_("Take it back"),
        N_("Takes the direction back, even if the chapter in progress was begun with it."),
        can.directing,
        hint=True,
    ),
    Action(
        "desk.next_pane",
        "tab",
        N_("Next pane"),
        N_("Moves to the next pane."),
        moves=True,
    ),
    Action(
        "desk.previous_pane",
        "shift+tab",
        N_("Previous pane"),
        N_("Moves to the pane before."),
        moves=True,
    ),
    Action(
        "desk.outline",
        "1",
        N_("Outline"),
        N_("Moves to the outline."),
        moves=True,
    ),
    Action(
        "desk.text",
        "2",
        N_("Text"),
        N_("Moves to the text."),
        moves=True,
    ),
    Action(
        "desk.directives",
        "3",
        N_("Directives"),
        N_("Moves to the directives."),
        moves=True,
    ),
    Action(
        "desk.next_tab",
        "right_square_bracket",
        N_("Next tab"),
        N_("Turns the text pane to its next tab: Draft, Diff, Plan, Context, Variations."),
        moves=True,
    ),
    Action(
        "desk.previous_tab",
        "left_square_bracket",
        N_("Previous tab"),
        N_("Turns the text pane to the previous tab."),
        moves=True,
    ),
    Action(
        "desk.narrower",
        "less_than_sign",
        N_("Narrower"),
        N_("Makes the side pane you are in narrower."),
        moves=True,
    ),
    Action(
        "desk.wider",
        "greater_than_sign",
        N_("Wider"),
        N_("Makes the side pane you are in wider."),
        moves=True,
    ),
    Action(
        "desk.zoom",
        "z",
        N_("Only this pane"),
        N_("Shows only the pane you are in, or all of them again."),
        moves=True,
    ),
    Action(
        "desk.edit",
        "ctrl+e",
        N_("Edit the text"),
        N_("Opens the chapter in the editor; a planned chapter begins as your own draft."),
        can.editable,
    ),
    Action(
        "desk.external",
        "ctrl+g",
        N_("Edit in $EDITOR"),
        N_("Opens the chapter on the screen in your own editor."),
        can.editable,
    ),
    Action(
        "desk.again",
        "ctrl+r",
        N_("Review again"),
        N_(
            "Takes a chapter that is in the book into review anew; has one in progress that you"
            " changed since it was judged read again."
        ),
        can.readable_again,
        hinted_as=can.as_reading,
    ),
    Action(
        "desk.discard",
        "X,alt+x",
        N_("Discard the chapter in progress"),
        N_("Gives up the chapter in progress, after asking; its texts stay in history."),
        can.with_inflight,
    ),
    Action(
        "desk.look",
        "L,alt+l",
        N_("Look at the chapter in progress"),
        N_("Shows the text of the chapter in progress."),
        can.with_inflight,
    ),
    Action(
        "desk.summary",
        "s",
        N_("Summary"),
        N_("Shows the summary of the chapter on the screen."),
        can.novel,
    ),
    Action(
        "desk.evaluation",
        "v",
        N_("Evaluation"),
        N_("Shows how the chapter was measured and judged."),
        can.novel,
    ),
    Action(
        "desk.state",
        "S,alt+s",
        N_("Story state"),
        N_("Shows what is true in the story so far."),
        can.novel,
    ),
    Action(
        "desk.log",
        "l",
        N_("Log and cost"),
        N_("Shows what happened in this run, and what calls to models cost."),
        can.novel,
    ),
    Action(
        "desk.promote",
        "P,alt+p",
        N_("To the style library"),
        N_("Makes the selected paragraphs, or a fix you kept, an example of how to write."),
        can.promotable,
    ),
    Action(
        "desk.style_sample",
        "",
        N_("Give a sample of your prose"),
        N_("Proposes how you write, and passages to write like, from a page of yours; you decide."),
        can.between_chapters,
    ),
    Action(
        "desk.statement",
        "",
        N_("State who wrote it"),
        N_("Writes a statement of who wrote how much of the book to a place of yours."),
        can.novel,
    ),
    Action(
        "desk.export",
        "x",
        N_("Export"),
        N_(
            "Writes the book as Markdown, plain text, EPUB, Word or HTML to a place of yours; asks"
            " before it replaces."
        ),
        can.novel,
    ),
    Action(
        "desk.platform",
        "o",
        N_("Copy for a platform"),
        N_(
            "Copies the chapter as a platform for serials takes it, with your note to readers, to"
            " be pasted there."
        ),
        can.in_the_book,
    ),
    Action(
        "desk.author_note",
        "",
        N_("Note to readers"),
        N_(
            "Says something to your readers with the chapter; it goes along where the chapter is"
            " copied for a platform."
        ),
        can.novel,
    ),
    Action(
        "desk.published",
        "U,alt+u",
        N_("Published"),
        N_(
            "Marks the chapter as published on a platform, as it is now; a later change says it"
            " has to go there too."
        ),
        can.markable,
    ),
    Action(
        "desk.published_changes",
        "",
        N_("Changed since published"),
        N_("Shows what differs from the text you published, passage by passage."),
        can.in_the_book,
    ),
    Action(
        "desk.reader_comments",
        "",
        N_("Readers' comments"),
        N_("Keeps what readers said of the chapter; you say whether planners see it."),
        can.novel,
    ),
)

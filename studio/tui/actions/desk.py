"""What the desk itself can do, whichever pane is in use."""

from __future__ import annotations

from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "desk.write",
        "w",
        "Write",
        "Writes the next chapter, or goes on with the one in work.",
        can.at_rest,
        hint=True,
        hinted_as=can.as_going_on,
    ),
    Action(
        "desk.stop",
        "escape",
        "Stop",
        "Stops what is being written at once; the text so far is kept.",
        can.while_running,
        hint=True,
    ),
    Action(
        "desk.decide",
        "d",
        "Decide",
        "Shows the question that waits for you, with what each answer does.",
        can.with_decision,
        hint=True,
    ),
    Action(
        "desk.commit",
        "C",
        "Into the book",
        "Takes the chapter in work into the book; says first what is still open.",
        can.reviewed,
        hint=True,
    ),
    Action(
        "desk.direction",
        "i",
        "Direction",
        "Says what you want of the next chapter, or of the one in work.",
        can.at_rest,
        hint=True,
    ),
    Action(
        "direction.keep",
        "enter",
        "Keep the direction",
        "Keeps the direction for the next run.",
        can.directing,
        hint=True,
    ),
    Action(
        "direction.leave",
        "escape",
        "Leave it as it was",
        "Leaves the direction as it was.",
        can.directing,
        hint=True,
    ),
    Action("desk.next_pane", "tab", "Next pane", "Moves to the next pane."),
    Action("desk.previous_pane", "shift+tab", "Previous pane", "Moves to the pane before."),
    Action("desk.outline", "1", "Outline", "Moves to the outline."),
    Action("desk.text", "2", "Text", "Moves to the text."),
    Action("desk.directives", "3", "Directives", "Moves to the directives."),
    Action(
        "desk.next_tab",
        "right_square_bracket",
        "Next tab",
        "Turns the text pane to its next tab: Draft, Diff, Plan, Context, Variations.",
    ),
    Action(
        "desk.previous_tab",
        "left_square_bracket",
        "Previous tab",
        "Turns the text pane to the tab before.",
    ),
    Action(
        "desk.narrower", "less_than_sign", "Narrower", "Makes the side pane you are in narrower."
    ),
    Action("desk.wider", "greater_than_sign", "Wider", "Makes the side pane you are in wider."),
    Action(
        "desk.zoom", "z", "Only this pane", "Shows only the pane you are in, or all of them again."
    ),
    Action(
        "desk.edit",
        "ctrl+e",
        "Edit the text",
        "Opens the chapter in the editor; a planned chapter begins as your own draft.",
        can.editable,
    ),
    Action(
        "desk.external",
        "ctrl+g",
        "Edit in $EDITOR",
        "Opens the chapter on the screen in your own editor.",
        can.editable,
    ),
    Action(
        "desk.again",
        "ctrl+r",
        "Review again",
        "Takes a chapter that is in the book into review anew.",
        can.committed,
    ),
    Action(
        "desk.discard",
        "X",
        "Discard the chapter in work",
        "Gives the chapter in work up, after asking; its texts stay in history.",
        can.with_inflight,
    ),
    Action(
        "desk.look",
        "L",
        "Look at the chapter in work",
        "Shows the text of the chapter in work.",
        can.with_inflight,
    ),
    Action(
        "desk.summary", "s", "Summary", "Shows the summary of the chapter on the screen.", can.novel
    ),
    Action(
        "desk.evaluation",
        "v",
        "Evaluation",
        "Shows what was measured and judged of the chapter.",
        can.novel,
    ),
    Action("desk.state", "S", "Story state", "Shows what is true in the story so far.", can.novel),
    Action(
        "desk.log",
        "l",
        "Log and cost",
        "Shows what happened in this run, and what calls to models cost.",
        can.novel,
    ),
    Action(
        "desk.promote",
        "P",
        "To the style library",
        "Makes the selected paragraphs, or a fix you kept, an example of how to write.",
        can.promotable,
    ),
    Action(
        "desk.export",
        "x",
        "Export",
        "Writes the book as Markdown or text to a place of yours; asks before it replaces.",
        can.novel,
    ),
)

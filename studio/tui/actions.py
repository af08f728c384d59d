"""The only list of actions: footer, command palette, help, docs/keys.md and key bindings come
from it. The ids are stable, so that `[keymap]` in the user's config can name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from studio.tui.action import PLACES, Action, Where
from studio.tui.views import situation as can

__all__ = ["ACTIONS", "BY_ID", "PLACES", "Action", "Where", "of", "unknown_ids"]

ACTIONS: tuple[Action, ...] = (
    Action(
        "app.quit",
        "ctrl+q",
        "Quit",
        "Leaves the studio; asks first while something runs.",
        hint=True,
        priority=True,
    ),
    Action(
        "app.palette",
        "ctrl+p",
        "All actions",
        "Opens the list of all actions, to search by name.",
        hint=True,
        priority=True,
    ),
    Action(
        "app.help",
        "f1,question_mark",
        "Help",
        "Shows every key, those of this place first.",
        hint=True,
    ),
    Action(
        "app.settings", "f2", "Settings", "Shows every setting and which file or variable set it."
    ),
    Action("app.theme", "f3", "Next theme", "Changes to the next colour theme and remembers it."),
    Action(
        "app.launcher",
        "ctrl+o",
        "Open another novel",
        "Goes to the launcher: recent novels, a new one, the sample.",
    ),
    Action(
        "app.suspend",
        "ctrl+z",
        "To the shell",
        "Rests the studio and goes to the shell; `fg` comes back.",
        priority=True,
    ),
    Action(
        "desk.write",
        "w",
        "Write",
        "Writes the next chapter, or goes on with the one in work.",
        can.at_rest,
        hint=True,
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
        "desk.direction",
        "i",
        "Direction",
        "Says what you want of the next chapter, or of the one in work.",
        can.at_rest,
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
        "desk.export",
        "x",
        "Export",
        "Writes the book as Markdown or text to a place of yours; asks before it replaces.",
        can.novel,
    ),
    Action(
        "text.follow",
        "f",
        "Follow",
        "Stays at the end while text streams in, or stays where you read.",
        hint=True,
    ),
    Action("text.copy", "y", "Copy", "Copies the selected text.", can.with_selection),
    Action(
        "text.next_call",
        "n",
        "Next call",
        "Shows in the Context tab what the model was given for the next call.",
        can.with_calls,
        hint=True,
    ),
    Action(
        "text.previous_call",
        "p",
        "Call before",
        "Shows in the Context tab what the model was given for the call before.",
        can.with_calls,
        hint=True,
    ),
    Action(
        "text.compare",
        "c",
        "Compare",
        "Opens the marked kept text of the Variations tab against the present one; so does Enter.",
        can.on_kept,
        hint=True,
    ),
    Action("directives.next", "j,down", "Next", "Moves to the next directive."),
    Action("directives.previous", "k,up", "Previous", "Moves to the directive before."),
    Action(
        "directives.accept",
        "a",
        "Accept",
        "Accepts the directive for the surgeon; keeps a fix that is in the text.",
        can.acceptable,
        hint=True,
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
        "Takes the decision or the fix back, this one alone.",
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
    Action("decision.choose", "enter", "Choose", "Takes the marked option.", hint=True),
    Action("decision.next", "j,down", "Next option", "Moves to the next option."),
    Action("decision.previous", "k,up", "Previous option", "Moves to the option before."),
    Action(
        "decision.later", "escape", "Later", "Leaves the question open; nothing is lost.", hint=True
    ),
    Action(
        "editor.save",
        "ctrl+s",
        "Save",
        "Saves the text; the version before stays in history.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.mine",
        "ctrl+d",
        "This is my draft",
        "Takes the text as your own chapter, which no model rewrites, to its review.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.external",
        "ctrl+g",
        "In $EDITOR",
        "Hands the text to your own editor.",
        hint=True,
        priority=True,
    ),
    Action(
        "editor.close",
        "escape",
        "Close",
        "Closes the editor; unsaved text is kept for the next time.",
        hint=True,
    ),
    Action("launcher.open", "enter", "Open", "Opens the marked novel.", hint=True),
    Action(
        "launcher.import",
        "i",
        "Import",
        "Brings in Markdown or plain text, after a look at the chapters found in it.",
        hint=True,
    ),
    Action("launcher.path", "o", "Open folder", "Opens a novel by its folder.", hint=True),
    Action("launcher.new", "n", "New novel", "Makes a new novel in a folder of yours.", hint=True),
    Action(
        "launcher.sample",
        "s",
        "Sample",
        "Copies the sample novel to a folder of yours and opens it.",
        hint=True,
    ),
    Action(
        "kept.bring_back",
        "b",
        "Bring back",
        "Puts the kept text back into the chapter in work; the present one is kept first.",
        can.replaceable,
        hint=True,
    ),
    Action("kept.close", "escape,q", "Back", "Goes back with nothing changed.", hint=True),
    Action(
        "import.bring",
        "b",
        "Bring in",
        "Asks for novel, title and language, then puts the chapters there.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.merge", "m", "Merge", "Joins it to the chapter before.", can.correctable, hint=True
    ),
    Action("import.split", "s", "Split", "Begins a chapter inside it.", can.correctable, hint=True),
    Action(
        "import.rename",
        "r",
        "Rename",
        "Gives the chapter another title.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.drop",
        "x,space",
        "Leave out",
        "Leaves the chapter out, or takes it back in.",
        can.correctable,
        hint=True,
    ),
    Action(
        "import.encoding",
        "e",
        "Encoding",
        "Reads the files in another encoding.",
        can.correctable,
        hint=True,
    ),
    Action("import.undo", "u", "Undo", "Takes the last correction back.", can.correctable),
    Action("import.read", "enter", "Read", "Shows the whole chapter as a page.", can.correctable),
    Action(
        "import.close",
        "escape",
        "Back",
        "Leaves the import; nothing was written anywhere.",
        hint=True,
    ),
    Action("page.close", "escape,q", "Back", "Goes back to where you were.", hint=True),
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


def of(*places: Where) -> tuple[Action, ...]:
    """The actions of these places, in the order of the list."""
    return tuple(action for action in ACTIONS if action.where in places)


def unknown_ids(keymap: Iterable[str]) -> list[str]:
    """Ids in a keymap that no action has."""
    return sorted(set(keymap) - set(BY_ID))

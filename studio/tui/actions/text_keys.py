"""The actions of the text pane, and of the versions of a passage side by side, with the keys of
each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
    Action(
        "text.follow",
        "f",
        N_("Follow"),
        N_("Stays at the end while text streams in, or stays where you read."),
        can.require_stream,
        hint=True,
        hinted_as=can.as_following,
        moves=True,
    ),
    Action(
        "text.authors",
        "W,ctrl+w",
        N_("Who wrote it"),
        N_("Shows in the margin who wrote each paragraph, or hides it again."),
        can.with_text,
    ),
    Action(
        "text.copy",
        "y,ctrl+c,alt+w",
        N_("Copy"),
        N_("Copies the selected text."),
        can.with_selection,
    ),
    Action(
        "text.another",
        "a",
        N_("Another version"),
        N_(
            "Has the selected paragraphs, or the one that the keys are on, written anew or changed."
        ),
        can.on_passage,
        hint=True,
    ),
    Action(
        "text.scene",
        "A,alt+a",
        N_("The scene again"),
        N_(
            "Has the whole scene that the keys are on written again, beside the present one; in a "
            "chapter without a text, drafts one scene of its plan."
        ),
        can.editable,
    ),
    Action(
        "text.keep",
        "K,alt+k",
        N_("Keep as it is"),
        N_(
            "Locks the selected paragraphs, or the one that the keys are on; press again to unlock "
            "them."
        ),
        can.on_passage,
    ),
    Action(
        "text.propose",
        "m",
        N_("Note it for later"),
        N_(
            "Keeps a note, other words or a cut for the selected paragraphs, or for the one that "
            "the keys are on, among the proposals, to be decided on later."
        ),
        can.on_passage,
    ),
    Action(
        "text.untake",
        "u",
        N_("Take back"),
        N_("Puts back the passage that the last version you took replaced."),
        can.at_rest,
    ),
    Action(
        "text.next_call",
        "n",
        N_("Next call"),
        N_("Shows in the Context tab what the model was given for the next call."),
        can.with_calls,
        hint=True,
        moves=True,
    ),
    Action(
        "text.previous_call",
        "p",
        N_("Call before"),
        N_("Shows in the Context tab what the model was given for the previous call."),
        can.with_calls,
        hint=True,
        moves=True,
    ),
    Action(
        "text.compare_calls",
        "D,alt+d",
        N_("What was sent otherwise"),
        N_(
            "Shows in the Context tab how the call differs from the agent's previous call, or "
            "all of it."
        ),
        can.with_a_call,
    ),
    Action(
        "text.replay",
        "Y,alt+y",
        N_("Play again"),
        N_("Plays the call of the Context tab again: what was thought, looked up and written."),
        can.with_a_call,
        hint=True,
    ),
    Action(
        "text.next_change",
        "right_curly_bracket",
        N_("Next change"),
        N_("Scrolls the Diff tab to its next change; after the last comes the first."),
        can.with_changes,
        hint=True,
        moves=True,
    ),
    Action(
        "text.previous_change",
        "left_curly_bracket",
        N_("Change before"),
        N_("Scrolls the Diff tab to the change before; before the first comes the last."),
        can.with_changes,
        moves=True,
    ),
    Action(
        "text.compare",
        "c",
        N_("Compare"),
        N_(
            "Compares the marked kept text of the Variations tab with the present one; so does "
            "Enter."
        ),
        can.on_kept,
        hint=True,
    ),
    Action(
        "versions.take",
        "enter",
        N_("Take it"),
        N_("Puts the version into the chapter, or its marked paragraphs; the other is kept."),
        can.on_passage_version,
        hint=True,
    ),
    Action(
        "versions.mark",
        "space",
        N_("Mark"),
        N_("Marks the paragraph or sentence under the cursor: Enter then takes only those."),
        can.on_passage_version,
        hint=True,
        moves=True,
    ),
    Action(
        "versions.sentences",
        "s",
        N_("By sentence"),
        N_(
            "Lists the sentences of the paragraph under the cursor, as it stands and in the "
            "version; Space takes one or leaves it out, Enter takes what you put together."
        ),
        can.on_passage_version,
        hint=True,
        hinted_as=can.as_way_of_taking,
    ),
    Action(
        "versions.next",
        "right,n",
        N_("Next"),
        N_("Shows the next version beside the passage."),
        can.on_passage_version,
        hint=True,
        moves=True,
    ),
    Action(
        "versions.previous",
        "left,p",
        N_("Previous"),
        N_("Shows the version before."),
        can.on_passage_version,
        moves=True,
    ),
    Action(
        "versions.down",
        "j,down",
        N_("Down"),
        N_("Moves to the next paragraph."),
        can.on_passage_version,
        moves=True,
    ),
    Action(
        "versions.up",
        "k,up",
        N_("Up"),
        N_("Moves to the paragraph before."),
        can.on_passage_version,
        moves=True,
    ),
    Action(
        "versions.more",
        "a",
        N_("Another"),
        N_("Has another version written in the same way; the line over the texts says its price."),
        can.at_rest,
        hint=True,
    ),
    Action(
        "versions.close",
        "escape,q",
        N_("Back"),
        N_("Stops what is being written, which is kept; else goes back, with nothing changed."),
        hint=True,
        hinted_as=can.as_stopping,
    ),
)

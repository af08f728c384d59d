"""The actions of the text pane, with the keys of each."""

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
)

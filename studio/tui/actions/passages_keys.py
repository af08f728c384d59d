"""The actions on the versions of a passage, side by side, with the keys of each."""

from __future__ import annotations

from studio.i18n import N_
from studio.tui.action import Action
from studio.tui.views import situation as can

ACTIONS: tuple[Action, ...] = (
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

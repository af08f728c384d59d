"""One thing a writer can do, as it stands in the list of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, cast

from studio.i18n import N_
from studio.tui.views import situation as can
from studio.tui.views.situation import Situation, WhyNot

Where = Literal[
    "global",
    "desk",
    "outline",
    "direction",
    "text",
    "directives",
    "decision",
    "editor",
    "launcher",
    "import",
    "page",
    "cost",
    "help",
    "kept",
    "settings",
    "files",
    "rebuild",
    "history",
    "find",
    "replacement",
    "reading",
    "form",
    "memory",
    "board",
    "versions",
    "proposal",
    "start",
]
PLACES: dict[Where, str] = {
    "global": N_("Everywhere"),
    "desk": N_("On the desk"),
    "outline": N_("In the outline"),
    "direction": N_("On the line for a direction"),
    "text": N_("In the text"),
    "directives": N_("In the directives"),
    "decision": N_("On a decision"),
    "editor": N_("In the editor"),
    "launcher": N_("In the launcher"),
    "import": N_("In an import"),
    "page": N_("On a page"),
    "cost": N_("On the page of the cost"),
    "help": N_("On the page of help"),
    "kept": N_("On a kept text"),
    "settings": N_("In the settings"),
    "files": N_("In the files of an import"),
    "rebuild": N_("In a rebuild"),
    "history": N_("In the history"),
    "find": N_("On the page of words found"),
    "replacement": N_("Before words are replaced"),
    "reading": N_("While the book is read"),
    "form": N_("On a form"),
    "memory": N_("In what the book remembers"),
    "board": N_("On the board"),
    "versions": N_("Beside the versions of a passage"),
    "proposal": N_("On a plan that is proposed"),
    "start": N_("On a page of what is proposed"),
}
"""The heading of each place."""


class Action(NamedTuple):
    """One entry of the list of actions."""

    id: str
    """The stable id by which a method performs the action (`studio.tui.performs`)."""
    keys: str
    """The default keys in Textual's spelling, separated by commas; empty if only the palette
    offers it. Beside a capital stands a key that can be typed in every input mode: with the input
    in Hangul, most capitals cannot."""
    title: str
    help: str
    """What the action does, as a full sentence."""
    reason_disabled: Callable[[Situation], WhyNot] = can.always
    hint: bool = False
    """Whether the action appears in the line of hints at the foot of the screen."""
    hinted_as: Callable[[Situation], str] = can.as_titled
    """Returns the title for that line where another one says more; empty for the default title."""
    priority: bool = False
    """Whether the keys also work while the writer types text."""
    moves: bool = False
    """Whether it only moves about, or marks what stands on the page: it opens, starts and changes
    nothing, so keys that were typed with it act as well (`studio.tui.runtime.typed_ahead`)."""

    @property
    def where(self) -> Where:
        """The place the action belongs to: the part of its id before the dot."""
        place = self.id.partition(".")[0]
        return "global" if place == "app" else cast("Where", place)

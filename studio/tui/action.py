"""One thing a writer can do, as the list of actions holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from studio.i18n import N_
from studio.tui.views import situation as can
from studio.tui.views.situation import Reason, Situation
from studio.tuples import NamedTuple

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
}
"""Each place as a heading."""


class Action(NamedTuple):
    """One thing a writer can do."""

    id: str
    """Stable; a method performs it by this id (`studio.tui.performs`)."""
    keys: str
    """Default keys in Textual's spelling, separated by commas; empty for palette only."""
    title: str
    help: str
    """A full sentence."""
    reason_disabled: Callable[[Situation], Reason] = can.always
    hint: bool = False
    """Whether it stands in the line of hints at the foot of the screen."""
    hinted_as: Callable[[Situation], str] = can.as_titled
    """The title in that line where another says more now; empty for the title."""
    priority: bool = False
    """Whether it works while text is typed."""

    @property
    def where(self) -> Where:
        """The place it belongs to: the part of the id before the dot."""
        place = self.id.partition(".")[0]
        return "global" if place == "app" else cast("Where", place)

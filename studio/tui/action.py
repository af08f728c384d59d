"""One thing a writer can do, as the list of actions holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, cast

from studio.tui.views import situation as can
from studio.tui.views.situation import Reason, Situation

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
    "kept",
    "settings",
    "files",
    "rebuild",
    "history",
    "find",
    "replacement",
    "reading",
    "form",
]
PLACES: dict[Where, str] = {
    "global": "Everywhere",
    "desk": "On the desk",
    "outline": "In the outline",
    "direction": "On the line for a direction",
    "text": "In the text",
    "directives": "In the directives",
    "decision": "On a decision",
    "editor": "In the editor",
    "launcher": "In the launcher",
    "import": "In an import",
    "page": "On a page",
    "kept": "On a kept text",
    "settings": "In the settings",
    "files": "In the files of an import",
    "rebuild": "In a rebuild",
    "history": "In the history",
    "find": "On the page of words found",
    "replacement": "Before words are replaced",
    "reading": "While the book is read",
    "form": "On a form",
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

"""A line of text and actions: the hints at the foot of a screen and the notice at its head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from studio.i18n import _
from studio.tui.actions import BY_ID, Action
from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.views.key_names import first_key
from studio.tui.views.words import Line, Phrase
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.tui.views.situation import Situation

_GAP = "  "
_LASTING = frozenset({"directives.undo", "app.palette", "app.help"})
"""The actions that stay on the line when the others do not fit: undo in a review, and the ways to
all other actions."""


class Hint(NamedTuple):
    """An action on the line, with an optional title that replaces the title of the action."""

    action: Action
    title: str = ""


def _cut_at_a_word(words: Content, room: int) -> Content:
    """Returns a text that fits, with an ellipsis behind its last whole word; where no blank is
    near, as in Chinese, behind its last character."""
    cut = words.truncate(room, ellipsis=True)
    end = cut.plain.rfind(" ")
    is_in_word = cut.plain != words.plain and words.plain[len(cut.plain) - 1].isalnum()
    return words[:end] + "…" if is_in_word and end > len(cut.plain) * 3 // 4 else cut


class ActionLine(SteadyWidget, Widget):
    """A line one row high; hints that do not fit are dropped from the end, and a click runs an
    action."""

    DEFAULT_CSS = """
    ActionLine { height: 1; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._words: Line = ()
        self._hints: tuple[Hint, ...] = ()
        self._places: list[tuple[int, int, str]] = []

    def show(self, words: Line, hints: Iterable[Hint]) -> None:
        """Shows a text followed by the actions that respond to it."""
        hints = tuple(hints)
        if (words, hints) != (self._words, self._hints):
            self._words, self._hints = words, hints
            self.refresh()

    def offer(self, actions: Iterable[Action], now: Situation) -> None:
        """Names those that can be done now."""
        available = [action for action in actions if action.reason_disabled(now) is None]
        self.show((), [Hint(action, action.hinted_as(now)) for action in available])

    def render(self) -> Content:
        """Renders the text first, then as many hints as fit."""
        width = self.size.width
        words = content(self._words)
        hints = self._beside(words.cell_length) if self._words else self._hints
        needed = self._room_needed(len(hints))
        pieces = [_cut_at_a_word(words, max(12, width - needed))] if self._words else []
        at = pieces[0].cell_length if pieces else 0
        self._places = []
        for hint in self._fit_hints(hints, width - at):
            length = self._length(hint)
            self._places.append((at, at + length, hint.action.id))
            pieces.append(self._show(hint))
            at += length
        return Content("").join(pieces)

    def _beside(self, cells: int) -> tuple[Hint, ...]:
        """Returns the first hints that leave a short text whole, or most of the line to a longer
        one. At least one hint stays, because the others are in the list of all actions too."""
        width = self.size.width
        room = width - min(cells, width * 5 // 8)
        fitting = (n for n in range(len(self._hints), 1, -1) if self._room_needed(n) <= room)
        return self._hints[: next(fitting, 1)]

    def _room_needed(self, count: int) -> int:
        return sum(map(self._length, self._hints[:count]))

    def _fit_hints(self, hints: Sequence[Hint], room: int) -> list[Hint]:
        """Returns the hints that fit next to those that always stay; a hint for going back comes
        first."""
        lasting = [hint for hint in hints if hint.action.id in _LASTING]
        ways_back = [hint for hint in hints if "escape" in hint.action.keys.split(",")]
        room -= sum(map(self._length, (*lasting, *ways_back)))
        if room < 0:
            return (ways_back or lasting)[-1:]
        fitting: list[Hint] = []
        for hint in hints:
            if hint in lasting:
                continue
            room -= 0 if hint in ways_back else self._length(hint)
            if room >= 0 or hint in ways_back:
                fitting.append(hint)
        return [*fitting, *lasting]

    def _key(self, hint: Hint) -> str:
        """Returns the key of a hint, or the key of the palette for an action without one. After a
        text the key is in brackets, where a digit could be read as part of the text."""
        keymap = getattr(self.app, "keymap", {})
        key = first_key(hint.action, keymap) or first_key(BY_ID["app.palette"], keymap)
        return f"[{key}]" if self._words else key

    def _title(self, hint: Hint) -> str:
        return hint.title or _(hint.action.title)

    def _length(self, hint: Hint) -> int:
        return cell_len(f"{self._key(hint)} {self._title(hint)}") + len(_GAP)

    def _show(self, hint: Hint) -> Content:
        key, title = Phrase(self._key(hint), "accent"), Phrase(f" {self._title(hint)}")
        return content((Phrase(_GAP), key, title))

    async def on_click(self, event: events.Click) -> None:
        """Runs the action under the mouse."""
        for start, end, action_id in self._places:
            if start <= event.x < end:
                await self.app.run_action(f"app.perform('{action_id}')")
                return

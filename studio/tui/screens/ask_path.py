"""A question for a path on this machine; Tab completes it."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, Static

from studio.i18n import _
from studio.tui.screens.ask import Ask
from studio.tui.views.path_completion import Completion, complete_path
from studio.tui.views.words import Phrase, line
from studio.tui.widgets.line_field import LineField
from studio.tui.widgets.styled import contents

_SHOWN = 6


class AskPath(Ask):
    """An input line for a path, with its completions below."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [Binding("tab", "complete", "Complete", show=False, priority=True)]

    def __init__(self, title: str, words: str = "", value: str = "") -> None:
        super().__init__(title, words, value, empty=False)
        self._keys = _("Tab completes · Enter takes it · Esc leaves everything as it is")

    @property
    def _kept_words(self) -> None:
        """A path is found again by Tab."""
        return None

    def _what_is_missing(self) -> str:
        """Returns what the line still needs."""
        return _("A path first, then Enter · Esc leaves everything as it is")

    def field(self) -> ComposeResult:
        """Yields an input line above the matches."""
        yield LineField(self._value, id="answer", select_on_focus=False)
        yield Static(id="matches")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Looks for completions, off the event loop."""
        self.run_worker(self._look(message.value), group="matches", exclusive=True)

    async def _look(self, text: str) -> None:
        self._show(await asyncio.to_thread(complete_path, text))

    async def action_complete(self) -> None:
        """Completes the typed path."""
        field = self.query_one("#answer", Input)
        text, completion = None, Completion("")
        while text != field.value:  # keys typed before Tab may still be pending
            text = field.value
            completion = await asyncio.to_thread(complete_path, text)
        field.value = completion.text
        field.cursor_position = len(completion.text)
        self._show(completion)

    def _show(self, completion: Completion) -> None:
        lines = [line(name, "quiet") for name in completion.names[:_SHOWN]]
        more = len(completion.names) - _SHOWN
        if more > 0:
            lines.append((Phrase(_("and {more} more", more=more), "quiet"),))
        self.query_one("#matches", Static).update(contents(lines))

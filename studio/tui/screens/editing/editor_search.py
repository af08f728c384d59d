"""Finding, replacing and jumping in the editor's text, and the line at its foot for that."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from studio.errors import StudioError
from studio.i18n import _, ngettext
from studio.project.search.hits import words_pattern
from studio.story.chapter import Chapter
from studio.tui.screens.ask import Ask
from studio.tui.widgets.text_field import LineField, TextField


class SearchBar(Horizontal):
    """The words to find and their replacement, in two input fields."""

    DEFAULT_CSS = """
    SearchBar { height: 1; padding: 0 2; background: $panel; display: none; }
    SearchBar Input { width: 1fr; background: $surface; margin-right: 2; }
    """

    class Sought(Message):
        """The words to find changed, or the writer asked for the next match."""

        def __init__(self, words: str, further: bool) -> None:
            super().__init__()
            self.words = words
            self.further = further

    class Replaced(Message):
        """The writer asked to replace the match."""

        def __init__(self, old: str, new: str) -> None:
            super().__init__()
            self.old = old
            self.new = new

    def compose(self) -> ComposeResult:
        """Places the two input fields side by side."""
        yield LineField(id="sought", placeholder=_("find"), compact=True)
        words = _("replace with (Enter one, Ctrl+R all)")
        yield LineField(id="replacement", placeholder=words, compact=True)

    @property
    def sought(self) -> str:
        """The words to find."""
        return self.query_one("#sought", Input).value

    @property
    def replacement(self) -> str:
        """The replacement text."""
        return self.query_one("#replacement", Input).value

    def begin(self, words: str) -> None:
        """Opens the bar and takes the focus; `words` are the words that the writer has selected."""
        self.display = True
        field = self.query_one("#sought", Input)
        if words:
            field.value = words
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Searches as the writer types."""
        event.stop()
        if event.input.id == "sought":
            self.post_message(self.Sought(self.sought, further=False))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Handles Enter: finds the next match, or replaces the current one."""
        event.stop()
        if event.input.id == "sought":
            self.post_message(self.Sought(self.sought, further=True))
        elif self.sought:
            self.post_message(self.Replaced(self.sought, self.replacement))


_PLACE = re.compile(r"\s*(\d{1,9})\s*(?:[.:,]\s*(\d{1,9}))?\s*$")


class EditorSearch:
    """Implements the search bar and the keys for moving by paragraph."""

    def __init__(self, screen: Screen[Any], say: Callable[[str], None]) -> None:
        self._screen = screen
        self._say = say

    @property
    def _area(self) -> TextField:
        return self._screen.query_one("#editor", TextField)

    @property
    def _bar(self) -> SearchBar:
        return self._screen.query_one(SearchBar)

    @property
    def is_open(self) -> bool:
        """Whether the bar is visible."""
        return any(bar.display for bar in self._screen.query(SearchBar))

    async def open(self) -> None:
        """Shows the bar, which is created on first use; if it is open already, goes to the next
        match."""
        if self.is_open and self._bar.sought:
            self.seek(self._bar.sought, further=True)
            return
        if not self._screen.query(SearchBar):
            await self._screen.mount(SearchBar(), before="#editor-numbers")
        self._bar.begin(" ".join(self._area.selected_text.split()))

    def close(self) -> None:
        """Hides the bar and focuses the text."""
        self._bar.display = False
        self._area.focus()

    def seek(self, words: str, *, further: bool) -> None:
        """Selects the words in the text."""
        if (pattern := self._pattern(words)) is None:
            return
        if not self._area.select_next(pattern, further=further) and further:
            self._say(_("“{words}” is not in this text.", words=words))

    def replace_one(self, old: str, new: str) -> None:
        """Replaces the match that is selected, and goes to the next."""
        if (pattern := self._pattern(old)) is None:
            return
        area = self._area
        if pattern.fullmatch(area.selected_text):
            area.replace(new, *sorted(area.selection))
        area.select_next(pattern, further=True)

    async def replace_all(self) -> None:
        """Replaces every match at once; if the bar is closed, opens it first."""
        if not self.is_open or not self._bar.sought:
            await self.open()
            return
        if (pattern := self._pattern(self._bar.sought)) is None:
            return
        count = self._area.replace_all(pattern, self._bar.replacement)
        self._say(
            ngettext(
                "{n} place changed. Ctrl+Z takes it back.",
                "{n} places changed. Ctrl+Z takes it back.",
                count,
            )
        )

    def _pattern(self, words: str) -> re.Pattern[str] | None:
        """Returns a pattern that matches as the search of the whole book does; case matters if
        any capital is typed."""
        if not words.strip():
            return None
        try:
            return words_pattern(words, case=words != words.lower())
        except StudioError as error:
            self._say(str(error.problem))
            return None

    async def jump(self) -> None:
        """Asks for a paragraph and goes there."""
        answer = await self._screen.app.push_screen_wait(
            Ask(_("Jump to a paragraph"), _("Its scene and its number, such as 2.3."), "", False)
        )
        place = _PLACE.match(answer or "")
        if answer is None:
            return
        scene, number = (int(place[1]), int(place[2] or 1)) if place else (0, 0)
        if not self.go_to(scene, number):
            self._say(_("There is no paragraph {answer} in this text.", answer=answer.strip()))

    def go_to(self, scene: int, number: int) -> bool:
        """Moves the cursor to a paragraph; returns whether the text has it."""
        passage = Chapter(self._area.text).passage(scene, number, number)
        if passage:
            self._go_to(passage[0].start)
        return bool(passage)

    def step(self, paragraphs: int) -> None:
        """Moves the cursor by a paragraph."""
        here = self._area.offset_of(self._area.cursor_location)
        starts = [paragraph.start for paragraph in Chapter(self._area.text).paragraphs]
        ahead = [s for s in starts if s > here] if paragraphs > 0 else []
        behind = [s for s in starts if s < here] if paragraphs < 0 else []
        if goal := ahead[:1] or behind[-1:]:
            self._go_to(goal[0])

    def _go_to(self, offset: int) -> None:
        self._area.move_cursor(self._area.location_at(offset), center=True)
        self._area.focus()

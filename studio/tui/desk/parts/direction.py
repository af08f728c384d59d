"""The line in which the writer says what she wants of a chapter: Enter keeps it with the chapter,
Esc leaves it as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from studio.i18n import _
from studio.pipeline.direction import keep_direction, take_back_direction
from studio.tui.desk.protocol import try_to_do
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.runtime.left_words import TypingPause
from studio.tui.widgets.text_field import LineField

if TYPE_CHECKING:
    from studio.tui.desk.protocol import Desk
    from studio.tui.runtime.left_words import LeftWords


class DirectionLine(LineField):
    """The input line for what the writer wants of the chapter."""

    BINDINGS = bindings_of("direction")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pause: TypingPause | None = None
        """Has what is typed kept, although it is no direction yet."""

    def on_input_changed(self) -> None:
        """Notes that something was typed."""
        if self.pause is not None and self.display:
            self.pause.note_typing()


class Direction:
    """Edits the direction that the next draft is written with."""

    def __init__(self, desk: Desk, screen: Screen[Any]) -> None:
        self._desk = desk
        self._state = desk.state
        self._screen = screen

    @property
    def _line(self) -> DirectionLine:
        return cast("DirectionLine", self._screen.query_one("#direction"))

    @property
    def is_open(self) -> bool:
        """Whether the line is visible."""
        return self._line.display

    @property
    def has_keys(self) -> bool:
        """Whether the line is focused: the desk's own keys then type letters."""
        return self._line.has_focus

    @property
    def may_be_left(self) -> bool:
        """Whether Esc leaves it, also after a click moved the focus elsewhere."""
        return self.is_open and not self._state.run.running

    @performs("desk.direction")
    def open(self) -> None:
        """Opens the line for the direction, with what was typed into it and not kept."""
        field = self._line
        field.value = self._state.direction
        field.placeholder = _("What do you want of this chapter? Enter keeps it, Esc leaves.")
        field.display = True
        self._desk.painter.direction()
        field.focus()
        field.pause = TypingPause(field, self.keep_typed)
        if (kept_words := self._kept_words) is not None:
            self._desk.work(self._bring_back(kept_words, field.value), "direction", exclusive=True)

    async def _bring_back(self, kept_words: LeftWords, begun: str) -> None:
        field, words = self._line, await kept_words.before()
        if words and self.is_open and field.value.startswith(begun):
            field.value = words + field.value.removeprefix(begun)
            field.cursor_position = len(field.value)

    @property
    def _kept_words(self) -> LeftWords | None:
        """Where the words are kept while they are typed, by the chapter they are about."""
        book = self._state.book
        chapter = (book.checkpoint.inflight_chapter or book.next_chapter) if book else None
        return self._desk.studio.left_words.of(f"direction|{chapter}")

    async def keep_typed(self) -> None:
        """Keeps what was typed, in each pause and when the app is left, which writes it."""
        kept_words, words = self._kept_words, self._line.value
        is_hers = bool(words.strip()) and words != self._state.direction
        if kept_words is not None and self.is_open:
            kept_words.keep(words if is_hers else "")

    @performs("direction.keep")
    def keep(self) -> None:
        """Keeps the direction with its chapter until it is used; an empty one takes it back."""
        desk, state = self._desk, self._state
        words = self._line.value.strip()
        before = state.direction
        self._close("")
        if words == before:
            return
        state.typed_direction = words
        desk.work(self._keep(words), "decide")
        if not words:
            desk.studio.say(_("The direction is taken back; w writes without one."))
        elif desk.situation().decision == "review":
            desk.studio.say(_("Kept for a fresh draft: d offers one. This text stays as it is."))
        else:
            desk.studio.say(_("w writes with this direction."))

    async def _keep(self, words: str) -> None:
        store = self._desk.session.store
        done = await (
            try_to_do(self._desk, keep_direction, store, words)
            if words
            else try_to_do(self._desk, take_back_direction, store)
        )
        if not done and words and (kept_words := self._kept_words) is not None:
            kept_words.keep(words)  # refused, and hers all the same
        await self._desk.reread(fresh=False)
        if self._state.typed_direction == words:  # else she has said another since
            self._state.typed_direction = None
            self._desk.painter.direction()

    @performs("direction.take_back")
    def take_back(self) -> None:
        """Takes the direction back."""
        self._line.value = ""
        self.keep()

    @performs("direction.leave")
    def leave(self) -> None:
        """Closes the line without changing the direction; what was typed stays for the next
        time."""
        words = self._line.value
        if words.strip() and words != self._state.direction:
            self._desk.studio.say(_("What you typed is kept; it is here when you open this again."))
            self._close(words)
        else:
            self._close("")

    def _close(self, typed: str) -> None:
        if self._line.pause is not None:
            self._line.pause.stop()
        if (kept_words := self._kept_words) is not None:
            kept_words.keep(typed)
        self._line.display = False
        self._desk.painter.direction()
        self._desk.go_to_pane(self._state.pane)

"""The card for rejecting a directive: how far the rejection reaches, and optionally why."""

from __future__ import annotations

from typing import Literal, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static

from studio.i18n import N_, _
from studio.tui.key_bindings import bindings_of
from studio.tui.screens.card import CardScreen
from studio.tui.views.words import Phrase
from studio.tui.widgets.marked_list import MarkedList
from studio.tui.widgets.styled import content
from studio.tui.widgets.text_field import LineField
from studio.tui.widgets.words_to_read import WordsToRead

RejectionReach = Literal["once", "here", "words", "chapter", "book"]
REACHES: tuple[tuple[RejectionReach, str], ...] = (
    ("once", N_("Only this once")),
    ("here", N_("Here from now on, while these paragraphs stand as they are")),
    ("words", N_("This one thing in the whole book, known by words you name")),
    ("chapter", N_("Everything of this kind in this chapter, whatever it is about")),
    ("book", N_("Everything of this kind in the whole book, whatever it is about")),
)
"""What is silenced grows from row to row; `words` is about what this directive is about, and the
last two about its kind."""


class NotThisAnswer(NamedTuple):
    """The reach, and the reason, which may be empty."""

    reach: RejectionReach
    reason: str


class NotThis(CardScreen[NotThisAnswer | None]):
    """The rejection card: Enter accepts the marked reach, from list or reason; Esc cancels."""

    AUTO_FOCUS = "#answer"
    BINDINGS = [*bindings_of("global"), Binding("escape", "leave", "Cancel", show=False)]

    def __init__(self, what: str, proposed: RejectionReach = "once") -> None:
        super().__init__()
        self._what = what
        self._proposed = proposed

    def compose(self) -> ComposeResult:
        """Yields the passage, the five reaches, and a line for the reason."""
        with Vertical(classes="card"):
            yield Static(content(Phrase(_("Not this"), "heading")), classes="card-title")
            yield WordsToRead(Static(content(self._what)), classes="card-words")
            yield MarkedList((reach, content(_(name))) for reach, name in REACHES)
            yield LineField(
                placeholder=_("A reason, if you like"), id="answer", select_on_focus=False
            )
            keys = _("↑ ↓ how far · Enter takes it · Esc leaves everything as it is")
            yield Static(content(Phrase(keys, "quiet")), classes="card-keys")

    def on_mount(self) -> None:
        """Marks the proposed reach; the focus stays on the reason."""
        rows = self.query_one(OptionList)
        rows.highlighted = [reach for reach, _ in REACHES].index(self._proposed)

    def on_key(self, event: events.Key) -> None:
        """Moves the mark with the arrows while a reason is typed; what is typed where the list has
        the focus is the reason too."""
        rows = self.query_one(OptionList)
        if rows.has_focus and event.is_printable and event.character:
            line = self.query_one(LineField)
            line.focus()
            line.insert_text_at_cursor(event.character)
            event.stop()
        if event.key in ("up", "down") and not rows.has_focus:
            rows.action_cursor_up() if event.key == "up" else rows.action_cursor_down()
            event.stop()

    def on_option_list_option_selected(self) -> None:
        """Accepts the reach chosen by Enter or a click."""
        self._take()

    def on_input_submitted(self) -> None:
        """Accepts the marked reach on Enter in the reason."""
        self._take()

    def action_leave(self) -> None:
        """Closes the card; nothing is decided."""
        self.dismiss(None)

    def _take(self) -> None:
        at = self.query_one(OptionList).highlighted or 0
        reason = self.query_one(Input).value.strip()
        self.dismiss(NotThisAnswer(REACHES[at][0], reason))

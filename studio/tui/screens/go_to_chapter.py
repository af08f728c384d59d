"""A small card that goes to a chapter by its number, its label or words of its title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studio.chapter_names import label_of
from studio.i18n import _
from studio.story.form.slugs import chapter_name
from studio.tui.key_bindings import bindings_of
from studio.tui.screen import StudioScreen
from studio.tui.views.words import Line, Phrase
from studio.tui.widgets.styled import content
from studio.tui.widgets.text_field import LineField

_SHOWN = 8


class GoToTarget(NamedTuple):
    """A chapter to go to."""

    number: int
    title: str

    @property
    def names(self) -> tuple[str, ...]:
        """What it can be called: its label if the author gave it one, its number, its file."""
        names = (label_of(self.number), str(self.number), chapter_name(self.number))
        return tuple(dict.fromkeys(map(str.casefold, names)))


def match_goals(goals: Sequence[GoToTarget], words: str) -> list[GoToTarget]:
    """Returns the chapters that match the typed words: that label or number first, then those that
    start with it, then titles with the words."""
    needle = words.strip().casefold()
    if not needle:
        return list(goals)
    exact = [goal for goal in goals if needle in goal.names]
    begun = [g for g in goals if _begins(g, needle) and g not in exact]
    named = [g for g in goals if needle in g.title.casefold() and g not in (*exact, *begun)]
    return [*exact, *begun, *named]


def certain(goals: Sequence[GoToTarget], words: str) -> int | None:
    """Returns the chapter whose label or number was typed, unless this begins another's too."""
    typed = words.strip().casefold()
    meant = [goal for goal in goals if typed and _begins(goal, typed)]
    return meant[0].number if len(meant) == 1 and typed in meant[0].names else None


def _begins(goal: GoToTarget, typed: str) -> bool:
    return any(name.startswith(typed) for name in goal.names)


def _row(goal: GoToTarget) -> Line:
    label = label_of(goal.number)
    own = () if label == str(goal.number) else (Phrase(f"  {chapter_name(goal.number)}", "quiet"),)
    return (Phrase(f"{label:>4}  ", "quiet"), Phrase(goal.title), *own)


class GoToChapter(StudioScreen, ModalScreen[int | None]):
    """Returns the number of the chosen chapter; what names one alone needs no Enter."""

    CSS_PATH = "ask.tcss"
    BINDINGS = [
        *bindings_of("global"),
        Binding("escape", "leave", "Cancel", show=False),
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
    ]

    def __init__(self, goals: Sequence[GoToTarget]) -> None:
        super().__init__()
        self.goals = goals
        self._matches: list[GoToTarget] = []

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(classes="card"):
            yield Static(content(Phrase(_("Go to a chapter"), "heading")), classes="card-title")
            yield LineField(
                id="answer", placeholder=_("its number or label, or words of its title")
            )
            yield OptionList(id="goals", compact=True)
            keys = _("Enter goes there · Esc leaves everything as it is")
            yield Static(content(Phrase(keys, "quiet")), classes="card-keys")

    def on_mount(self) -> None:
        """Lists all chapters until something is typed."""
        self.query_one(OptionList).can_focus = False
        self._show("")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Narrows the list with each character; an unambiguous number or label goes at once."""
        if (number := certain(self.goals, message.value)) is not None:
            self.dismiss(number)
        else:
            self._show(message.value)

    def _show(self, words: str) -> None:
        self._matches = match_goals(self.goals, words)
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options(Option(content(_row(goal))) for goal in self._matches[:_SHOWN])
        rows.highlighted = 0 if self._matches else None

    def action_move(self, rows: int) -> None:
        """Moves the mark up or down."""
        goals = self.query_one(OptionList)
        goals.action_cursor_down() if rows > 0 else goals.action_cursor_up()

    def on_input_submitted(self) -> None:
        """Goes to the marked chapter."""
        self._take()

    def on_option_list_option_selected(self) -> None:
        """Goes to the clicked chapter."""
        self._take()

    def _take(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None:
            self.dismiss(self._matches[at].number)

    def action_leave(self) -> None:
        """Closes the card without a choice."""
        self.dismiss(None)

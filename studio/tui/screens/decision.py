"""The decision card: what happened, what is proposed, and what each answer does."""

from __future__ import annotations

from typing import NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Static

from studio.i18n import _
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.screen import StudioScreen
from studio.tui.views.review.decision_card import Card, Choice
from studio.tui.views.situation import Situation
from studio.tui.views.words import Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content, contents

_BELOW = 2
"""Rows of the desk that stay visible below a card, as in the style sheet: stage bar and hints."""
_FRAME = 8
"""Rows for the frame, the title, the hints, and the space between."""
_FEWEST, _MOST = 2, 9
"""The minimum and maximum rows of facts."""


class Chosen(NamedTuple):
    """The writer's answer to a question."""

    decision_id: str
    option: str


class ChoiceRow(SteadyWidget, Vertical):
    """One answer with its consequence; a click chooses it."""

    def __init__(self, choice: Choice) -> None:
        super().__init__(classes="choice")
        self.choice = choice
        self._title = Static(classes="choice-title")  # drawn even while the app exits

    def compose(self) -> ComposeResult:
        """Yields the title above the consequence."""
        yield self._title
        if self.choice.consequence:
            words = Phrase(self.choice.consequence, "quiet")
            yield Static(content(words), classes="consequence")

    def draw(self, marked: bool) -> None:
        """Draws the answer, with or without the cursor."""
        words = (
            Phrase("› " if marked else "  ", "accent"),
            Phrase(self.choice.title, "strong"),
            Phrase("  " + _("recommended") if self.choice.recommended else "", "good"),
        )
        self._title.update(content(words))
        self.set_class(marked, "-marked")

    def on_click(self) -> None:
        """Chooses this answer."""
        assert isinstance(self.screen, DecisionScreen)
        self.screen.take(self.choice)


class DecisionScreen(StudioScreen, ModalScreen[Chosen | None]):
    """The card of a question; None leaves it open."""

    CSS_PATH = "decision.tcss"
    WHERE = ("decision",)
    BINDINGS = [
        *bindings_of("decision"),
        *bindings_of("global"),
        Binding("pagedown", "scroll_facts(1)", "Read on", show=False),
        Binding("pageup", "scroll_facts(-1)", "Read back", show=False),
    ]

    def __init__(self, card: Card) -> None:
        super().__init__()
        self.card = card
        self.index = card.recommended_choice

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(id="decision-card"):
            yield Static(content(Phrase(self.card.title, "heading")), id="decision-title")
            with VerticalScroll(id="decision-facts", can_focus=False):
                facts = [line(f"· {fact}", "quiet") for fact in self.card.facts]
                yield Static(contents([line(self.card.happened), *facts]))
            with VerticalScroll(id="choices", can_focus=False):
                for choice in self.card.choices:
                    yield ChoiceRow(choice)
            if self.card.free:
                yield Static(content(Phrase(self.card.free, "quiet")), id="decision-free")
            yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Marks the proposed answer."""
        self._draw()
        self.show_hints()

    def on_resize(self, event: Resize) -> None:
        """Fits the card to the window: in a low one the facts shrink first, then the answers;
        both scroll."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        facts, choices = self.query_one("#decision-facts"), self.query_one("#choices")
        room = self.size.height - _BELOW - _FRAME
        room -= sum(free.outer_size.height for free in self.query("#decision-free"))
        height = sum(row.outer_size.height for row in self.query(ChoiceRow))
        choices.styles.max_height = max(_FEWEST, min(height, room - _FEWEST))
        facts.styles.max_height = max(_FEWEST, min(_MOST, room - height))
        self._draw()

    def action_scroll_facts(self, pages: int) -> None:
        """Scrolls the facts by pages, with Page Up and Page Down."""
        facts = self.query_one("#decision-facts")
        facts.scroll_relative(y=pages * max(1, facts.size.height - 1), animate=False)

    def situation(self) -> Situation:
        """Returns facts that allow any answer."""
        return Situation(novel=True)

    @performs("decision.next")
    def next(self) -> None:
        """Marks the next option."""
        self.index = min(self.index + 1, len(self.card.choices) - 1)
        self._draw()

    @performs("decision.previous")
    def previous(self) -> None:
        """Marks the previous option."""
        self.index = max(self.index - 1, 0)
        self._draw()

    @performs("decision.choose")
    def choose(self) -> None:
        """Chooses the marked option."""
        if self.index < 0:
            self.studio.say(_("Nothing is proposed here: mark an answer first."))
            return
        self.take(self.card.choices[self.index])

    @performs("decision.later")
    def leave_open(self) -> None:
        """Leaves the question open."""
        self.dismiss(None)

    def take(self, choice: Choice) -> None:
        """Answers the question with a choice."""
        self.dismiss(Chosen(self.card.id, choice.option))

    def _draw(self) -> None:
        for number, row in enumerate(self.query(ChoiceRow)):
            row.draw(number == self.index)
            if number == self.index:
                row.scroll_visible(animate=False)

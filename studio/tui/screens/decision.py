"""The decision card: what happened, what is proposed, and what each answer does."""

from __future__ import annotations

from typing import NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
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
from studio.tui.widgets.words_to_read import FEWEST, WordsToRead

_BELOW = 2
"""Rows of the desk that stay visible below a card, as in the style sheet: stage bar and hints."""
_FRAME = 8
"""Rows for the frame, the title, the hints, and the space between."""


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
        Binding("pagedown", "turn_facts(1)", "Read on", show=False),
        Binding("pageup", "turn_facts(-1)", "Read back", show=False),
    ]

    def __init__(self, card: Card) -> None:
        super().__init__()
        self.card = card
        self.index = card.recommended_choice

    def compose(self) -> ComposeResult:
        """Yields the widgets of the card."""
        with Vertical(id="decision-card"):
            yield Static(content(Phrase(self.card.title, "heading")), id="decision-title")
            facts = [line(f"· {fact}", "quiet") for fact in self.card.facts]
            words = Static(contents([line(self.card.happened), *facts]))
            yield WordsToRead(words, id="decision-facts")
            choices = map(ChoiceRow, self.card.choices)
            yield WordsToRead(*choices, id="choices", keys=("down", "up"))
            if self.card.free:
                yield Static(content(Phrase(self.card.free, "quiet")), id="decision-free")
            yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Marks the proposed answer."""
        self._draw()
        self.show_hints()

    def on_resize(self, event: Resize) -> None:
        """Fits the card to the window: in a low one, facts and answers share the rows, and both
        scroll."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        facts = self.query_one("#decision-facts", WordsToRead)
        choices = self.query_one("#choices", WordsToRead)
        room = self.size.height - _BELOW - _FRAME
        room -= sum(free.outer_size.height for free in self.query("#decision-free"))
        for_facts = max(FEWEST + 1, room // 2, room - choices.height)
        facts.fit(for_facts)
        choices.fit(room - min(for_facts, facts.height))
        self._draw()

    def action_turn_facts(self, pages: int) -> None:
        """Scrolls the facts by pages, with Page Up and Page Down."""
        self.query_one("#decision-facts", WordsToRead).turn(pages)

    def situation(self) -> Situation:
        """Returns facts that allow any answer."""
        return Situation(novel=True)

    @performs("decision.next")
    def next(self) -> None:
        """Marks the next option; behind the last one, reads on in the facts."""
        self._mark(self.index + 1, 1)

    @performs("decision.previous")
    def previous(self) -> None:
        """Marks the previous option; before the first one, reads back in the facts."""
        self._mark(self.index - 1 if self.index >= 0 else 0, -1)

    def _mark(self, index: int, rows: int) -> None:
        if 0 <= index < len(self.card.choices):
            self.index = index
            self._draw()
        else:
            self.query_one("#decision-facts", WordsToRead).scroll_on(rows)

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

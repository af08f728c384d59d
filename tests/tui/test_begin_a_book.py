"""“Begin a book”: from the launcher to the steps, each a card, in her own words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import TextArea

from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, AskText, Choose
from studio.tui.screens.decision import DecisionScreen
from tests.tui.pilot import StudioPilot, opened

PREMISE = "A keeper's daughter finds the key.\nThe lamp was never lit."


async def choose(studio: StudioPilot, option: str) -> None:
    card = studio.app.screen
    assert isinstance(card, DecisionScreen)
    names = [choice.option for choice in card.card.choices]
    while card.card.choices[card.index].option != option:
        await studio.press("j" if names.index(option) > card.index else "k")
    await studio.press("enter")


# req: E2 D10
@pytest.mark.sweep
async def test_a_book_begins_on_cards_and_goes_on_where_it_was_left(own_home: Path) -> None:

    async with opened(None, dict(os.environ), painted=True) as studio:
        await studio.press("b")
        await studio.answer(Ask, "Lamps")
        await studio.answer(Choose, 0)
        await studio.answer(Ask, str(own_home / "lamps"))
        await studio.sees(DeskScreen)
        await studio.until(lambda: studio.desk.state.shown is not None, "the novel")
        await studio.press("w")
        await studio.sees(DecisionScreen, "What is the book?")
        await choose(studio, "next")
        await studio.sees(AskText, "What is the book?")
        studio.app.screen.query_one(TextArea).load_text(PREMISE)
        await studio.press("ctrl+s")
        await studio.sees(DecisionScreen, "How do you write?")
        brief = own_home / "lamps" / "brief.md"
        assert brief.read_text("utf-8") == PREMISE + "\n"
        await choose(studio, "by-hand")
        await studio.sees(DecisionScreen, "Where does it take place?")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("w")
        await studio.sees(DecisionScreen, "Where does it take place?")
        await choose(studio, "skip")
        await studio.sees(DecisionScreen, "Who is it about?")
        assert studio.store.checkpoint().orchestrator_state == "QUICK_START"

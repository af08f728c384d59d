"""What has to stay in sight, whatever lies over the desk: the stage bar and the hints."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.screen import ModalScreen
from textual.widgets._toast import ToastRack

from studio.story.checkpoint import Decision
from studio.tui.screens.ask import Ask, AskPath, AskText, Choose, Confirm, NotThis
from studio.tui.screens.decision import ChoiceRow, DecisionScreen
from studio.tui.screens.go_to_chapter import GoToChapter
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.work_in_progress import Pace, WorkInProgress
from studio.tui.views.review.decision_card import card_of
from studio.tui.widgets.stage_bar import StageBar
from tests.tui.environs import no_server
from tests.tui.pilot import opened
from tests.tui.three_novels import at_rest

LONG = Decision(
    id="q",
    kind="gate",
    recommendation="draft-again",
    options=("draft-again", "polish", "review", "keep", "edit"),
    rationale="The overall score is 3.2 of 5. " * 6,
    data={
        "options": dict.fromkeys(
            ("draft-again", "polish", "review", "keep", "edit"),
            "What follows from it takes more than one line of the card to say, at eighty columns.",
        )
    },
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)])
async def test_a_card_leaves_the_stage_bar_in_sight(tmp_path: Path, size: tuple[int, int]) -> None:
    async with opened(at_rest("en", tmp_path / "novel"), no_server(), size) as studio:
        studio.app.push_screen(DecisionScreen(card_of(LONG)))
        await studio.sees(DecisionScreen, "Esc Later")
        card = studio.app.screen.query_one("#decision-card").region
        assert card.y >= 0
        assert card.bottom <= studio.desk.query_one(StageBar).region.y
        await studio.press("j", "j", "j", "j")
        marked = list(studio.app.screen.query(ChoiceRow))[4]
        await studio.until(lambda: card.contains_region(marked.region), "the last answer")


async def test_what_is_told_leaves_the_stage_bar_in_sight(tmp_path: Path) -> None:
    async with opened(
        at_rest("en", tmp_path / "novel"), no_server(), (80, 24), notifications=True
    ) as studio:
        studio.app.say("A sentence in the corner.")
        await studio.until(lambda: "A sentence in the corner." in studio.screen, "the sentence")
        rack = studio.app.screen.query_one(ToastRack).region
        assert rack.bottom <= studio.desk.query_one(StageBar).region.y


async def test_every_card_stands_in_the_middle_over_what_it_is_about() -> None:
    cards = [
        Ask("How far?"),
        AskText("How far?"),
        AskPath("How far?", "", ""),
        Choose("How far?", [("far", "Far")]),
        Confirm("How far?", "Far."),
        GoToChapter([]),
        NotThis("How far?"),
        WorkInProgress("How far?", Pace()),
    ]
    async with opened(None, no_server()) as studio:
        for card in cards:
            studio.app.push_screen(card)
            await studio.sees(type(card))
            there, whole = card.query_one(".card").region, card.region
            assert abs(there.x - (whole.right - there.right)) <= 1, card
            assert abs(there.y - (whole.bottom - there.bottom)) <= 1, card
            assert card.styles.background.a < 1, card
            card.dismiss()
            await studio.sees(LauncherScreen)
    over = {kind for kind in _below(ModalScreen) if kind.__module__.startswith("studio.")}
    assert {type(card).__name__ for card in cards} == {
        kind.__name__ for kind in over if not kind.__name__.startswith("_")
    } - {"ActionPalette", "CardScreen", "DecisionScreen"}


def _below(kind: type) -> set[type]:
    return {kind, *(one for sub in kind.__subclasses__() for one in _below(sub))}

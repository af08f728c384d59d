"""Questions before a chapter is drafted, answered in the app in place."""

from __future__ import annotations

import pytest

from studio.tui.screens.ask import Ask
from studio.tui.screens.decision import DecisionScreen
from tests.fake_messages import Rule
from tests.pipeline.flows import Model, block, kind_of
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

QUESTIONS = ["Does Joss know of the letter?", "누가 종을 울렸나요?"]


# req: E1 B3
@pytest.mark.sweep
async def test_questions_are_answered_one_after_another_and_the_draft_follows(
    desk: OpenDesk,
) -> None:
    there = desk(Model(questions=Rule(value={"questions": QUESTIONS})))
    there.overrides["generation.ask_first"] = True
    async with opened(there.folder, there.environ, **there.overrides) as studio:
        await studio.press("w")
        await studio.sees(DecisionScreen, "Before it is written")
        assert all(question in studio.screen for question in QUESTIONS)
        await studio.press("enter")
        await studio.sees(Ask, QUESTIONS[0])
        await studio.answer(Ask, "Not yet.")
        await studio.sees(Ask, QUESTIONS[1])
        await studio.press(*"Tam.", "escape")
        await studio.sees(Ask, "Not yet.")  # one question back, with its answer
        await studio.press("escape")
        await studio.sees(DecisionScreen, "Before it is written")
        assert studio.store.checkpoint().pending_decision is not None
    async with opened(there.folder, there.environ, **there.overrides) as studio:
        await studio.press("d")
        await studio.sees(DecisionScreen, "Before it is written")
        await studio.press("enter")
        await studio.sees(Ask, "Not yet.")
        await studio.press("enter")
        await studio.sees(Ask, "Tam.")
        await studio.press(*["backspace"] * 4)
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the review")
        card = studio.app.left_words.of(f"Question 1 of 2|{QUESTIONS[0]}")
        assert card is not None
        assert not await card.before(), "an answer that was taken is not kept beside the chapter"
    draft = next(asked for asked in there.server.asked if kind_of(asked) == "draft")
    assert block(draft, "direction").endswith(f"→ {QUESTIONS[0]} Not yet.")

"""What the book will remember is on the card, and asked about where nobody planned it."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.tui.actions import BY_ID
from studio.tui.palette import _is_called
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.page import PageScreen
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import FACT, NEW, Model, judged, unrefined, with_ops
from tests.tui.pilot import opened


def model() -> Model:
    return Model(refine=unrefined, judge=judged(directives=[]), summary=with_ops(NEW, FACT))


async def test_a_promise_that_nobody_planned_is_seen_and_said_otherwise_before_the_commit(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        await studio.sees(DecisionScreen, "The book will remember: ")
        await studio.press("escape", "C")
        await studio.sees(Confirm, "1 promise that nobody planned comes into the book with it")
        assert "the shape of a key" in studio.screen
        await studio.press("n")
        await studio.press("d")
        await studio.sees(DecisionScreen, "The book will remember: ")
        await studio.press("escape", "I")
        await studio.sees(Choose, "promised: the shape of a key")
        rows = [one.words for one in studio.desk.state.current.remembered]
        await studio.answer(Choose, rows.index("the shape of a key"))
        await studio.sees(Choose, "In other words")
        await studio.answer(Choose, 0)
        await studio.sees(Ask)
        await studio.press("ctrl+u", *"Whose key it is.", "enter")
        await studio.sees(Choose, "promised: Whose key it is.")
        await studio.press("escape")
        await studio.settled()
        before = studio.desk.state.run
        await studio.press("C")
        await studio.until(lambda: studio.store.chapter_numbers() == [1], "the chapter")
        await studio.until(
            lambda: (run := studio.desk.state.run) is not before and run.outcome is not None,
            "the end of the run",
        )
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        promises = {p.id: p.description for p in studio.store.foreshadowing().promises}
        assert promises["whose_key"] == "Whose key it is."
        await studio.desk.show_chapter(1)
        await studio.press("I")
        await studio.sees(PageScreen, "What the book remembers of chapter 1")
        await studio.sees(PageScreen, "promised: Whose key it is.")
        await studio.until(lambda: "Mara searches" in studio.screen, "its summary")


@pytest.mark.parametrize(("language", "typed"), [("en", "memory"), ("ko", "기억"), ("zh", "记忆")])
def test_what_a_chapter_adds_is_found_as_memory(language: str, typed: str) -> None:
    i18n.use(language)
    assert _is_called(BY_ID["desk.remembered"], typed)
    assert _is_called(BY_ID["desk.bible"], typed)

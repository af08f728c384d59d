"""A chapter without questions from the app, and what is meant in the whole book: both are found by
a writer's own words for them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from studio import i18n
from studio.pipeline.author import WaiveOrder
from studio.tui.actions import BY_ID
from studio.tui.palette import _is_called
from studio.tui.screens.ask import Choose, Confirm
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Model, directive, judged, operated, preferring, unrefined
from tests.tui.pilot import opened


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    yield
    i18n.use("en")


def model() -> Model:
    return Model(
        refine=unrefined,
        judge=judged(directives=[directive(1, 1)]),
        surgery=operated,
        reader=preferring("2", {"differences": []}),
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("unattended", "accept everything", "Automatic")),
        ("ko", ("자동", "무인", "알아서", "묻지 않고")),
        ("zh", ("自动", "无人", "不经询问")),
    ],
)
def test_a_run_without_questions_is_found_by_her_words(
    language: str, words: tuple[str, ...]
) -> None:
    i18n.use(language)
    for typed in words:
        assert _is_called(BY_ID["desk.unattended"], typed), typed


@pytest.mark.sweep
async def test_the_price_is_said_and_the_chapter_goes_into_the_book_unasked(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.sees(Choose, "(at most $")
        assert there.server.asked == []
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        assert there.server.asked == []
        await studio.ask_for("desk.unattended")
        await studio.answer(Choose, 0)
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter"
        )
        assert studio.store.checkpoint().pending_decision is None


@pytest.mark.sweep
async def test_what_is_meant_in_the_whole_book_is_listed_and_taken_back(desk: OpenDesk) -> None:
    there = desk(model())
    await asyncio.to_thread(there.write, review="ask")
    ids = [one.id for one in there.session().directives().directives]
    there.session().craft().waive(ids, WaiveOrder("Her way of telling.", "book", ""))
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.waivers")
        await studio.sees(Choose, "in the whole book: Her way")
        await studio.press("enter")
        await studio.sees(Confirm, "Her way")
        await studio.press("y")
        await studio.until(lambda: not there.store.waivers().waivers, "none")
        await studio.until(lambda: studio.desk.situation().pending == 1, "it waits again")
        await studio.ask_for("desk.waivers")
        await studio.until(lambda: "Nothing is meant so far" in studio.told, "none to list")


async def test_a_run_without_questions_that_is_stopped_says_that_it_asks_now(
    desk: OpenDesk,
) -> None:
    """`w` asks again after it: Esc takes the wheel. How it goes on unasked is said beside it."""
    held = model()
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.answer(Choose, 0)
        await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
        await studio.stop()
        await studio.until(lambda: "Write it without asking me" in studio.told, "how it goes on")
        there.server.answering = held
        there.server.released.set()
        await studio.ask_for("desk.unattended")
        await studio.answer(Choose, 0)
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter"
        )


async def test_a_run_with_questions_that_is_stopped_says_nothing_of_it(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ) as studio:
        await studio.settled()
        await studio.start_writing("oil cans")
        await studio.stop()
        await studio.until(lambda: "Stopped." in studio.told, "the stop")
        assert "without asking" not in studio.told
        state = studio.desk.state
        lines = [*state.journal, *state.run.journal]
        assert lines[-1].endswith("  Stopped."), "the log says that it was stopped"
        assert len([one for one in lines if "draft" in one]) == 1, "and each line once"

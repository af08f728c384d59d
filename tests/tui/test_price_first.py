"""No key begins a call to a model whose price the writer has not read first (WRITING 6)."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path

import pytest

from studio import i18n
from studio.pipeline.outcome import Committed
from studio.project.create import create_novel
from studio.project.unsaved import UnsavedForm
from studio.session import Session, WriteOrder
from studio.story.ledger import Estimate
from studio.story.review.passage import PassagePlace
from studio.tui.desk.reader import Reader
from studio.tui.screens.ask import Choose, Confirm
from studio.tui.screens.form import FormScreen
from studio.tui.views.forms.plan_forms import form_of_order
from tests.pipeline.flows import Model, unrefined
from tests.tui.conftest import OpenDesk
from tests.tui.environs import environ_of
from tests.tui.pilot import StudioPilot, opened


def words_of(studio: StudioPilot) -> str:
    """The words of the card, in one line."""
    return " ".join(studio.screen.replace("│", " ").split())


@pytest.mark.sweep
async def test_a_chapter_of_the_book_is_not_read_again_before_its_price_is_agreed_to(
    desk: OpenDesk,
) -> None:  # req: N7
    there = desk(Model(refine=unrefined))
    assert isinstance((await asyncio.to_thread(there.write)).outcome, Committed)
    before = len(there.server.asked)
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+r")
        await studio.sees(Confirm, "Review chapter 1 again?")
        assert "It costs " in words_of(studio)
        assert "(at most " in words_of(studio)
        await studio.press("n")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        assert studio.desk.situation().inflight is None
        assert len(there.server.asked) == before
        await studio.press("ctrl+r")
        await studio.sees(Confirm, "Review chapter 1 again?")
        await studio.press("y")
        await studio.until(lambda: studio.desk.situation().inflight == 1, "its review")
        await studio.until(lambda: len(there.server.asked) > before, "the reading")
        await studio.settled()
        await studio.until(lambda: studio.app.screen is not studio.desk, "her review")
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.press("X")
        await studio.sees(Confirm, "Leave this review of chapter 1?")
        assert "The chapter stays in the book as it was" in words_of(studio)


@pytest.mark.sweep
async def test_c_says_what_the_summary_costs_before_it_is_made_where_none_was_made_before(
    desk: OpenDesk,
) -> None:  # req: N7
    there = desk(Model(refine=unrefined))
    assert isinstance((await asyncio.to_thread(there.write)).outcome, Committed)
    Path(there.folder, "logs/usage.jsonl").unlink()
    there.session().proposals().add(1, PassagePlace(1, 2, 2), "replace", "The boards were pale.")
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.on_directive("prop_0001")
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().inflight == 1, "its review")
        before = len(there.server.asked)
        await studio.press("C")
        await studio.sees(Confirm, "Chapter 1 into the book?")
        assert "A model summarizes it first: " in words_of(studio)
        assert "at most" in words_of(studio)
        assert len(there.server.asked) == before
        await studio.press("y")
        await studio.until(lambda: "boards were pale" in there.text(), "it in the book")
        await studio.settled()


async def test_a_scene_alone_has_a_price(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined))
    async with opened(there.folder, there.environ) as studio:
        await studio.press("2")
        await studio.ask_for("text.scene")
        await studio.sees(Choose, "Which scene is to be drafted?")
        assert "It costs " in words_of(studio)
        assert there.server.asked == []
        await studio.press("escape")


# req: N7 K1
@pytest.mark.sweep
async def test_a_key_pressed_twice_asks_once_what_may_be_spent(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from studio.tui.desk.parts import run

    price_of, may_read = run.price_of_run, threading.Event()

    def late(session: Session, order: WriteOrder) -> Estimate | None:
        may_read.wait()
        return price_of(session, order)

    monkeypatch.setattr(run, "price_of_run", late)
    there = desk(Model(refine=unrefined))
    assert isinstance((await asyncio.to_thread(there.write)).outcome, Committed)
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        try:
            await studio.press("ctrl+r", "ctrl+r")
        finally:
            may_read.set()
        await studio.sees(Confirm, "Review chapter 1 again?")
        await studio.press("n")
        await studio.until(lambda: not isinstance(studio.app.screen, Confirm), "its end")
        await studio.pilot.pause(0.1)
        assert studio.app.screen is studio.desk


@pytest.mark.parametrize(
    ("language", "most"), [("en", "(at most $12.40)"), ("ko", "최대 $12.40"), ("zh", "最多 $12.40")]
)
async def test_the_form_of_a_volume_says_the_most_that_it_costs_on_a_narrow_window(
    tmp_path: Path, language: str, most: str
) -> None:
    novel = tmp_path / "novel"
    create_novel(novel, "마흔한 도", language)
    async with opened(novel, environ_of(tmp_path), (80, 24)) as studio:
        i18n.use(language)
        price = Estimate(1.47, 12.4)
        form = form_of_order(price, 8, 5000, "characters with spaces", None)

        async def save(values: object) -> None:
            """Saves nothing."""

        screen = FormScreen(UnsavedForm(studio.store, form.name), form, save)
        studio.app.push_screen(screen)
        await studio.sees(FormScreen)
        assert most in re.sub(r"\s+", " ", studio.screen)


async def test_w_begins_once_its_price_stands_and_until_then_says_that_it_comes(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Met: some seconds after a start nothing stood there, as if it cost nothing, and w began."""
    looked_up, before = asyncio.Event(), list[tuple[Estimate | None, int]]()
    price = Reader.look_up_price

    async def late(reader: Reader) -> None:
        await looked_up.wait()
        await price(reader)
        before.append((studio.desk.state.writing_price, len(there.server.asked)))

    monkeypatch.setattr(Reader, "look_up_price", late)
    there = desk(Model(refine=unrefined))
    async with opened(None, there.environ, (120, 36)) as studio:
        await studio.app.open_folder(there.folder)
        await studio.until(lambda: "w Write: being priced" in studio.screen, "that it comes")
        await studio.press("w")
        await studio.until(lambda: "then it begins" in studio.told, "that w was heard")
        looked_up.set()
        await studio.until(lambda: there.server.asked, "the draft")
        ((price_beside_it, calls),) = before
        assert price_beside_it is not None
        assert calls == 0
        await studio.settled()

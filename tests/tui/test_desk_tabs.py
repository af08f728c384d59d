"""The desk's tabs Context and Variations, on the real app."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from studio.project.create import create_novel
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.journal import CallJournal
from studio.session import Session
from studio.story.records import CallRecord
from studio.tui.desk.parts.material import CallsRead
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask
from studio.tui.screens.form import FormScreen
from studio.tui.screens.page import ReplayScreen
from studio.tui.screens.saved_text import KeptScreen
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.saved_texts_list import KeptList
from tests.pipeline.flows import Model, directive, judged
from tests.tui.conftest import OpenDesk
from tests.tui.environs import environ_of
from tests.tui.gallery import novel
from tests.tui.pilot import PATIENCE, opened

OLDER = "# The Lamp Room\n\nMara came up in the dark, and the old text says so.\n"
REVIEWED = Model(judge=judged(directives=[directive(1, 1)]))


@pytest.mark.sweep
async def test_context_shows_what_the_model_was_given(desk: OpenDesk) -> None:
    there = desk(REVIEWED)
    async with opened(there.folder, there.environ) as studio:
        await studio.turn_to("context")
        await studio.until(lambda: "No model was asked" in studio.screen, "the empty page")
        await studio.to_review()
        await studio.turn_to("context")
        await studio.until(lambda: "Model:" in studio.screen, "the call")
        assert "Call " in studio.screen
        assert "characters" in studio.screen
        newest = studio.screen
        await studio.press("p")
        assert studio.screen != newest
        await studio.press("n")
        await studio.until(lambda: studio.screen == newest, "the newest again")


@pytest.mark.sweep
async def test_p_plans_from_the_text_where_no_calls_can_be_turned_through(tmp_path: Path) -> None:
    create_novel(tmp_path / "n", "T", "en")
    async with opened(tmp_path / "n", environ_of(tmp_path), (80, 24)) as studio:
        await studio.press("1", "plus")
        await studio.answer(Ask, "Ebb")
        await studio.until(lambda: studio.outline_titles == ["Ebb"], "the chapter")
        await studio.press("2", "plus")  # said nothing outside the outline
        await studio.sees(Ask, "A new chapter")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        for tab in ("draft", "context"):
            await studio.turn_to(tab)
            await studio.press("p")
            assert isinstance(studio.app.screen, FormScreen), studio.told
            await studio.press("escape")
            await studio.sees(DeskScreen)


# req: G12
@pytest.mark.sweep
async def test_a_call_is_played_again_on_a_page(desk: OpenDesk) -> None:
    there = desk(REVIEWED)
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.turn_to("context")
        await studio.until(lambda: "Model:" in studio.screen, "the call")
        while "drafter" not in studio.screen:
            await studio.press("p")
        await studio.press("Y")
        await studio.until(lambda: "Played again" in studio.screen, "the page")
        await studio.until(lambda: "That is the whole of it." in studio.screen, "its end")
        assert "The scene" in studio.screen
        await studio.press("q")
        await studio.until(lambda: "Model:" in studio.screen, "the desk")


@pytest.mark.sweep
async def test_a_record_is_read_once_however_often_the_desk_is_drawn(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk(REVIEWED)
    read: list[str] = []
    recall = CallJournal.recall

    def counted(self: CallJournal, gen_id: str) -> CallRecord | None:
        read.append(gen_id)
        return recall(self, gen_id)

    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        monkeypatch.setattr(CallJournal, "recall", counted)
        await studio.turn_to("context")
        await studio.until(lambda: "Model:" in studio.screen, "the call")
        assert len(read) == len(set(read)) > 1
        drawn = LinesView.show
        again: list[object] = []
        monkeypatch.setattr(
            LinesView, "show", lambda s, x, **k: (again.append(s), drawn(s, x, **k))
        )
        before = len(read)
        for _ in range(3):
            studio.desk.draw_rest()
            await studio.pilot.pause()
        await studio.desk.workers.wait_for_complete()
        assert len(read) == before
        assert studio.desk.painter.page("context") not in again


@pytest.mark.sweep
async def test_a_kept_text_is_compared_and_brought_back(desk: OpenDesk) -> None:
    there = desk(REVIEWED)
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        before = there.staged().read_text("utf-8")
        variations = Variations(studio.store.layout)
        variations.keep(1, None, OLDER, "before the redraft")
        await studio.turn_to("variations")
        texts = studio.desk.query_one(KeptList)
        await studio.until(lambda: texts.text_under_cursor is not None, "the kept texts")
        while texts.text_under_cursor is not None and texts.text_under_cursor.text != OLDER:
            await studio.press("j")
        await studio.press("enter")
        assert isinstance(studio.app.screen, KeptScreen)
        await studio.until(lambda: "came up in" in studio.screen, "the comparison")
        await studio.press("b")
        await studio.until(lambda: studio.desk.state.current.text.text == OLDER, "the older text")
        assert there.staged().read_text("utf-8") == OLDER
        assert variations.newest(1, None, Reason.BEFORE_KEPT_TEXT) == before


@pytest.mark.sweep
async def test_a_chapter_in_the_book_keeps_its_text_and_a_sentence_says_why(
    tmp_path: Path, desk: OpenDesk
) -> None:
    there = desk()
    store = novel(tmp_path / "book", "en")
    Variations(store.layout).keep(2, None, OLDER, "before the redraft")
    standing = (store.layout.folder / "chapters/chapter-002.md").read_text("utf-8")
    async with opened(store.layout.folder, there.environ) as studio:
        await studio.turn_to("variations")
        await studio.until(lambda: "before the redraft" in studio.screen, "the kept text")
        await studio.press("c", "b")
        assert "only into the chapter in progress" in studio.told
        assert isinstance(studio.app.screen, KeptScreen)
        await studio.press("escape")
        assert studio.app.screen is studio.desk
    assert (store.layout.folder / "chapters/chapter-002.md").read_text("utf-8") == standing


async def test_a_damaged_list_of_kept_texts_is_named(tmp_path: Path, desk: OpenDesk) -> None:
    there = desk()
    store = novel(tmp_path / "book", "ko")
    Variations(store.layout).keep(2, None, OLDER, "before the redraft")
    (store.layout.folder / "variations/chapter-002/chapter.json").write_text("{")
    async with opened(store.layout.folder, there.environ) as studio:
        await studio.turn_to("variations")
        await studio.until(lambda: "chapter.json" in studio.told, "the sentence")


# req: G12
@pytest.mark.sweep
async def test_a_key_that_comes_before_its_tab_is_read_waits_for_it(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk(REVIEWED)
    assert (await asyncio.to_thread(there.write, review="ask")).exit_code == 4
    may_read = threading.Event()
    read = CallsRead.of

    def slow(self: CallsRead, session: Session, chapter: int) -> tuple[CallRecord, ...]:
        may_read.wait(PATIENCE)
        return read(self, session, chapter)

    monkeypatch.setattr(CallsRead, "of", slow)
    async with opened(there.folder, there.environ) as studio:
        await studio.turn_to("context")
        await studio.press("Y")
        assert studio.app.screen is studio.desk
        may_read.set()
        await studio.sees(ReplayScreen)
        assert "once there is one" not in studio.told
        await studio.press("q")
        hints = studio.screen.splitlines()[-1]
        assert "Y Play again" in hints
        assert "Another version" not in hints, "the text is not in sight"


def test_a_key_that_comes_before_the_desk_has_its_widgets_is_no_fault(tmp_path: Path) -> None:
    """On the way from the launcher it is the screen in front before it is made."""
    DeskScreen(tmp_path).on_any_key()


@pytest.mark.sweep
async def test_a_structured_answer_is_played_as_it_came(desk: OpenDesk) -> None:
    """Met: the plan of a chapter, paid for, was an empty page that said it was whole."""
    there = desk(REVIEWED)
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.turn_to("context")
        await studio.until(lambda: "Model:" in studio.screen, "the call")
        while "judge" not in studio.screen.lower():
            await studio.press("p")
        await studio.press("Y")
        await studio.until(lambda: "That is the whole of it." in studio.screen, "its end")
        assert "The answer" in studio.screen
        assert "directives" in studio.screen

"""Text comes in from the launcher: found, shown, corrected, and only then brought in."""

from __future__ import annotations

import math
import os
import shutil
import threading
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from studio.errors import usage
from studio.exchange.import_.commit import OnChapter
from studio.exchange.import_.plan import ImportPlan
from studio.project.create import create_novel
from studio.project.planning.imports import waiting_chapters
from studio.project.store import ProjectStore
from studio.tui.screens import importing
from studio.tui.screens.ask import Ask, AskPath, Choose, Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.importing import ImportScreen, ImportTarget
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.page import PageScreen
from tests.exchange.books import SAMPLE
from tests.project.novels import put
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.import_words import answer, preview, text_file, titles
from tests.tui.pilot import opened
from tests.tui.ways import on_desk

ENGLISH = (
    "Chapter 1: Slack Water\n\nMara lifted the oil cans.\n\n"
    "Chapter 2: The Shaft\n\nThe rain stopped at noon.\n"
)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=str)
async def test_an_old_file_becomes_drafts_of_a_new_novel(own_home: Path, size: object) -> None:
    file = text_file(own_home, encoding="cp949")
    there = own_home / "night"
    async with opened(None, {**os.environ, **NAMED}, size) as studio:  # type: ignore[arg-type]
        screen = await preview(studio, file)
        assert titles(screen) == ["썰물", "램프실", "늦은 공연"]
        assert "cp949" in studio.screen
        assert "2 scenes" in studio.screen
        await studio.press("b")
        await answer(studio, AskPath, str(there))
        assert not there.exists()
        await answer(studio, Ask, "등대지기의 밤")
        await answer(studio, Choose)
        assert not there.exists()
        await answer(studio, Choose, 0)
        await on_desk(studio)
        assert studio.desk.session.settings.novel.language == "ko"
        assert studio.outline_titles == ["썰물", "램프실", "늦은 공연"]
    assert waiting_chapters(ProjectStore(there).layout) == [1, 2, 3]


@pytest.mark.sweep
async def test_a_draft_that_waits_is_said_and_shown_with_the_key_that_takes_it_up(
    own_home: Path,
) -> None:
    folder = own_home / "salt"
    create_novel(folder, "Salt", "en")
    text = "# Slack Water\n\nMara lifted the oil cans.\n\n* * *\n\nThe rain stopped at noon.\n"
    put(folder, "imports/chapter-001.md", text)
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.until(lambda: "w takes it up" in studio.screen, "the draft")
        assert "Your draft of this chapter waits here" in studio.screen
        assert "Mara lifted the oil cans." in studio.screen
        assert "The rain stopped at noon." in studio.screen
        assert "no plan yet" not in studio.screen
        assert "p plans the chapter" not in studio.screen
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+home", "down", "down", "N", "ctrl+s")
        await studio.sees(EditorScreen, "saved")
        await studio.press("escape")
        text = text.replace("Mara", "NMara")
        assert (folder / "imports/chapter-001.md").read_text("utf-8") == text
        await studio.until(lambda: "NMara lifted" in studio.screen, "the changed draft")
        await studio.write_next()
        assert studio.desk.state.current is not None
        assert studio.desk.state.current.text is not None
        assert studio.desk.state.current.text.text == text


@pytest.mark.sweep
async def test_chapters_follow_those_of_a_novel_that_is_there(own_home: Path) -> None:
    folder = novel(own_home / "novel", "en").layout.folder
    file = text_file(own_home, ENGLISH)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await preview(studio, file)
        await studio.press("b")
        await answer(studio, AskPath, str(folder))
        await answer(studio, Choose, 0)
        await studio.sees(Choose, "The book has chapters with these names already: “1”, “2”")
        await answer(studio, Choose, 0)
        await on_desk(studio)
    assert waiting_chapters(ProjectStore(folder).layout) == [3, 4]


@pytest.mark.sweep
async def test_chapters_are_committed_at_once(own_home: Path) -> None:
    file = text_file(own_home, ENGLISH)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await preview(studio, file)
        await studio.press("x", "b")
        await answer(studio, AskPath, str(own_home / "book"))
        await answer(studio, Ask)
        await answer(studio, Choose)
        await answer(studio, Choose, 1)
        await on_desk(studio)
        assert studio.store.checkpoint().last_completed_chapter == 1
    assert "The rain stopped" in (own_home / "book/chapters/chapter-001.md").read_text("utf-8")


@pytest.mark.sweep
async def test_everything_found_can_be_corrected_and_taken_back(own_home: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, text_file(own_home))
        await studio.press("m")
        assert "nothing before it" in studio.told
        await studio.press("down", "m")
        await studio.until(lambda: titles(screen) == ["썰물", "늦은 공연"], "the merge")
        await studio.press("u")
        await studio.until(lambda: len(titles(screen)) == 3, "the undo")
        assert screen.state is not None
        assert screen.state.row == 2
        await studio.press("r")
        await answer(studio, Ask, "등불")
        await studio.until(lambda: "등불" in titles(screen), "the title")
        await studio.press("x")
        await studio.until(lambda: titles(screen) == ["썰물", "늦은 공연"], "the row left out")
        await studio.press("x")
        await studio.until(lambda: len(titles(screen)) == 3, "the row taken back")
        await studio.press("s")
        await answer(studio, Choose, 0)
        await answer(studio, Ask, "계단")
        await studio.until(lambda: titles(screen)[2] == "계단", "the split")
        await studio.press("enter")
        await studio.until(lambda: isinstance(studio.app.screen, PageScreen), "the chapter")
        assert "그녀를 보지 않았다" in studio.screen


async def test_a_correction_right_after_a_move_is_shown(own_home: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, text_file(own_home))
        await studio.pilot.press("down", "m")
        rows = screen.query_one(OptionList)
        await studio.until(lambda: rows.option_count == 2, "the row that went")
        await studio.until(lambda: titles(screen) == ["썰물", "늦은 공연"], "the merge")


@pytest.mark.sweep
async def test_another_encoding_is_tried_after_asking_for_the_corrections(own_home: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, text_file(own_home, encoding="cp949"))
        await studio.press("x", "e")
        await answer(studio, Choose, 3)
        await studio.until(lambda: isinstance(studio.app.screen, Confirm), "the question")
        await studio.press("y")
        await studio.until(lambda: not screen.state.is_changed, "the new plan")
        assert screen.state is not None
        assert screen.state.plan.files[0].encoding == "gb18030"
        await studio.press("e")
        await answer(studio, Choose, 1)
        await studio.until(lambda: "utf-8" in studio.told.lower(), "the refusal")
        assert studio.app.screen is screen


@pytest.mark.sweep
async def test_leaving_writes_nothing(own_home: Path) -> None:
    file = text_file(own_home, ENGLISH)
    before = sorted(own_home.rglob("*"))
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await preview(studio, file)
        await studio.press("b")
        await answer(studio, AskPath, str(own_home / "book"))
        await answer(studio, Ask)
        await answer(studio, Choose)
        await studio.press("escape")
        await studio.until(lambda: isinstance(studio.app.screen, ImportScreen), "the preview")
        await studio.press("x", "escape")
        await studio.until(lambda: isinstance(studio.app.screen, Confirm), "the question")
        assert not (own_home / "book").exists()
        await studio.press("y")
        await studio.until(lambda: isinstance(studio.app.screen, LauncherScreen), "the launcher")
        assert sorted(own_home.rglob("*")) == before


async def test_what_is_no_text_is_named_and_the_launcher_stays(own_home: Path) -> None:
    file = own_home / "book.pdf"
    file.write_bytes(b"%PDF-1.7 \x1b]0;owned\x07")
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await studio.press("i")
        await studio.type(str(file))
        await studio.press("enter")
        await studio.until(lambda: "is a PDF" in studio.told, "the refusal")
        await studio.until(lambda: isinstance(studio.app.screen, LauncherScreen), "the launcher")


async def test_a_typed_path_is_completed(own_home: Path) -> None:
    text_file(own_home)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await studio.press("i")
        await studio.type(f"{own_home}/manu")
        await studio.press("tab")
        await studio.until(
            lambda: studio.app.screen.query_one("#answer").value == f"{own_home}/manuscript.txt",
            "the rest of the name",
        )


async def test_hostile_words_are_shown_and_not_obeyed(own_home: Path) -> None:  # req: S7
    words = "Chapter 1: \x1b]0;owned\x07[@click=app.quit]x[/]\n\nA \x9b31m line.\n"
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await preview(studio, text_file(own_home, words))
        assert "\x1b" not in studio.screen
        assert "\x9b" not in studio.screen
        assert "[@click" in studio.screen
        await studio.press("r")
        await studio.until(lambda: isinstance(studio.app.screen, Ask), "the field")
        assert "\x1b" not in studio.screen
        assert "\x07" not in studio.app.screen.query_one(Input).value


@pytest.mark.sweep
async def test_a_long_import_tells_how_far_it_is(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slowly(
        plan: ImportPlan, sources: object, target: ImportTarget, env: object, hear: OnChapter
    ) -> None:
        hear(1, "썰물")
        hear(2, "램프실")
        go_on.wait(180)
        raise usage("The disk is full.", "Make room, and do it again.")

    monkeypatch.setattr("studio.tui.screens.importing.put_in", slowly)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, text_file(own_home))
        await studio.press("b")
        await answer(studio, AskPath, str(own_home / "night"))
        await answer(studio, Ask)
        await answer(studio, Choose)
        try:
            await answer(studio, Choose)
            await studio.until(lambda: "Bringing in 2 of 3" in studio.screen, "the progress")
            await studio.press("escape")
            await studio.until(lambda: "Stopping after this chapter" in studio.screen, "the word")
            await studio.press("m")
            assert studio.app.screen is screen
        finally:
            go_on.set()
        await studio.until(lambda: "The disk is full" in studio.told, "the failure")
        assert titles(screen) == ["썰물", "램프실", "늦은 공연"]
        await studio.until(lambda: "Bringing in" not in studio.screen, "the preview")


@pytest.mark.sweep
async def test_a_long_reading_says_how_long_and_esc_stops_it(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading goes on for as long as nobody stops it."""
    begun, over = threading.Event(), threading.Event()

    def read_for_ever(*_: object) -> None:
        begun.set()
        try:
            while True:
                math.sqrt(2)
        finally:
            over.set()

    monkeypatch.setattr(importing, "read_plan", read_for_ever)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        file = text_file(own_home)
        await studio.app.push_screen(ImportScreen(file))
        await studio.until(lambda: "Esc stops" in studio.screen, "the progress")
        assert begun.is_set()
        await studio.press("escape")
        await studio.until(over.is_set, "the end of the reading")
        await studio.until(
            lambda: not isinstance(studio.app.screen, ImportScreen), "the screen before"
        )


@pytest.mark.sweep
@pytest.mark.parametrize("way", ["move", "take"])
async def test_planned_chapters_are_asked_about_before_a_text_with_other_titles_comes_in(
    own_home: Path, way: str
) -> None:
    folder = Path(shutil.copytree(SAMPLE, own_home / "book"))
    file = text_file(own_home, "Chapter One: The Fair\n\nIt rained on the coconuts.\n")
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await preview(studio, file)
        await studio.press("b")
        await answer(studio, AskPath, str(folder))
        await answer(studio, Choose, 0)
        await studio.sees(Choose, "“The Lamp Room” from 3 to 4")
        assert "names already: “1”" in studio.screen
        assert waiting_chapters(ProjectStore(folder).layout) == []
        await answer(studio, Choose, 0 if way == "move" else 1)
        await on_desk(studio)
    assert waiting_chapters(ProjectStore(folder).layout) == [3]
    assert (ProjectStore(folder).contract(3) is None) == (way == "move")

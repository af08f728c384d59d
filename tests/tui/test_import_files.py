"""The files of an import: one more, one less, another order, an encoding for each."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio.tui.screens.ask import AskPath, Choose, Confirm
from studio.tui.screens.importing import ImportFilesScreen, ImportScreen
from studio.tui.views.pages import import_plan as chosen
from studio.tui.views.pages.import_plan import ENCODINGS, ChosenFile, Files
from tests.tui.environs import NAMED
from tests.tui.import_words import answer, preview, titles
from tests.tui.pilot import StudioPilot, opened

FIRST = "제1장 썰물\n\n마라는 기름통을 하나씩 들어 창턱에 올려놓았다.\n"
SECOND = "제2장 램프실\n\n방이 아까보다 추웠다. 그는 계단에서 말했다.\n"
THIRD = "제3장 늦은 공연\n\n열여덟 개의 램프가 있었다.\n"


@pytest.fixture
def manuscripts(own_home: Path) -> Path:
    """Three files, each in an encoding of its own."""
    folder = own_home / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(FIRST, "utf-8")
    (folder / "b.txt").write_bytes(SECOND.encode("cp949"))
    (own_home / "c.md").write_text(THIRD, "utf-8")
    return folder


def files_screen(studio: StudioPilot) -> ImportFilesScreen:
    screen = studio.app.screen
    assert isinstance(screen, ImportFilesScreen)
    return screen


async def to_files(studio: StudioPilot) -> ImportFilesScreen:
    await studio.press("f")
    await studio.until(lambda: isinstance(studio.app.screen, ImportFilesScreen), "the files")
    return files_screen(studio)


@pytest.mark.sweep
async def test_a_file_is_added_moved_and_taken_out(own_home: Path, manuscripts: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}, (80, 24)) as studio:
        screen = await preview(studio, manuscripts)
        assert titles(screen) == ["썰물", "램프실"]
        files = await to_files(studio)
        await studio.press("a")
        await answer(studio, AskPath, str(own_home / "c.md"))
        await studio.until(lambda: len(files.files) == 3, "the new file")
        assert "c.md" in studio.screen
        await studio.press("K", "K")
        assert [f.path.name for f in files.files] == ["c.md", "a.txt", "b.txt"]
        await studio.press("escape")
        await studio.until(lambda: titles(screen) == ["늦은 공연", "썰물", "램프실"], "the order")
        assert "c.md  utf-8" in studio.screen
        await to_files(studio)
        await studio.press("x", "escape")
        await studio.until(lambda: titles(screen) == ["썰물", "램프실"], "the file that went")
    assert (own_home / "c.md").read_text("utf-8") == THIRD


@pytest.mark.sweep
async def test_each_file_has_an_encoding_of_its_own(manuscripts: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, manuscripts)
        files = await to_files(studio)
        await studio.press("down", "enter")
        await answer(studio, Choose, [key for key, _ in ENCODINGS].index("gb18030"))
        await studio.until(lambda: files.files[1].encoding == "gb18030", "the encoding")
        await studio.press("escape")
        await studio.until(lambda: isinstance(studio.app.screen, ImportScreen), "the chapters")
        await studio.until(lambda: "b.txt  gb18030" in studio.screen, "the new reading")
        assert "a.txt  utf-8" in studio.screen
        assert titles(screen)[0] == "썰물"
        await studio.press("e")
        await answer(studio, Choose, 2)
        await answer(studio, Choose, [key for key, _ in ENCODINGS].index("cp949"))
        await studio.until(lambda: "b.txt  cp949" in studio.screen, "the right reading")
        assert titles(screen) == ["썰물", "램프실"]


async def test_a_file_that_is_no_text_leaves_everything_and_can_be_taken_out_again(
    own_home: Path, manuscripts: Path
) -> None:
    (own_home / "scan.pdf").write_bytes(b"%PDF-1.7")
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, manuscripts)
        await to_files(studio)
        await studio.press("a")
        await answer(studio, AskPath, str(own_home / "scan.pdf"))
        await studio.until(lambda: len(files_screen(studio).files) == 3, "the file")
        await studio.press("escape")
        await studio.until(lambda: "is a PDF" in studio.told, "the refusal")
        await studio.until(lambda: isinstance(studio.app.screen, ImportFilesScreen), "the files")
        assert titles(screen) == ["썰물", "램프실"]
        files_screen(studio).query_one(OptionList).highlighted = 2
        await studio.press("x", "escape")
        await studio.until(lambda: studio.app.screen is screen, "the chapters")


async def test_corrections_are_not_thrown_away_unasked(own_home: Path, manuscripts: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        screen = await preview(studio, manuscripts)
        await studio.press("x")
        await studio.until(lambda: titles(screen) == ["램프실"], "the correction")
        await to_files(studio)
        await studio.press("J", "escape")
        await studio.until(lambda: isinstance(studio.app.screen, Confirm), "the question")
        await studio.press("n")
        await studio.until(lambda: studio.app.screen is screen, "the chapters")
        assert titles(screen) == ["램프실"]


@pytest.mark.sweep
async def test_the_last_file_stays_and_none_is_there_twice(manuscripts: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        await preview(studio, manuscripts / "a.txt")
        files = await to_files(studio)
        await studio.press("x")
        assert "needs a file" in studio.told
        await studio.press("a")
        await answer(studio, AskPath, str(manuscripts))
        await studio.until(lambda: len(files.files) == 2, "the other one")
        await studio.press("a")
        await answer(studio, AskPath, str(manuscripts))
        await studio.until(lambda: "already among them" in studio.told, "the sentence")


def names(files: Files) -> str:
    return "".join(file.path.name for file in files)


def test_files_move_no_further_than_the_ends() -> None:
    files = tuple(ChosenFile(Path(name)) for name in "abc")
    assert names(chosen.move_file(files, 0, -1)) == "abc"
    assert names(chosen.move_file(files, 0, 1)) == "bac"
    assert names(chosen.move_file(files, 2, 5)) == "abc"
    assert names(chosen.remove_file(files, 1)) == "ac"
    assert names(chosen.add_files(files, map(chosen.ChosenFile, map(Path, "cdd")))) == "abcd"
    assert [f.encoding for f in chosen.read_as(files, "big5", 1)] == ["", "big5", ""]
    assert {f.encoding for f in chosen.read_as(files, "big5")} == {"big5"}
    assert [key for key, _ in chosen.file_choices(files)] == ["all", "0", "1", "2"]

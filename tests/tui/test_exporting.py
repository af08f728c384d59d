"""The book goes out from the desk: form, place, and nothing replaced unasked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio.tui.screens.ask import Choose, Confirm
from studio.tui.screens.ask_path import AskPath
from studio.tui.screens.desk import DeskScreen
from studio.tui.views.exporting import FORMS, exported_words
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened

NAMED = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


async def export(studio: StudioPilot, form: int, place: Path | str) -> None:
    """The keys, up to the place."""
    await studio.press("x")
    await studio.until(lambda: isinstance(studio.app.screen, Choose), "the forms")
    studio.app.screen.query_one(OptionList).highlighted = form
    await studio.press("enter")
    await studio.until(lambda: isinstance(studio.app.screen, AskPath), "the place")
    await studio.type(str(place))
    await studio.press("enter")


def on_desk(studio: StudioPilot) -> bool:
    return isinstance(studio.app.screen, DeskScreen)


@pytest.mark.parametrize(("language", "word"), [("ko", "썰물"), ("zh", "平潮"), ("en", "Slack")])
async def test_the_book_is_one_file(tmp_path: Path, language: str, word: str) -> None:
    folder = novel(tmp_path / "novel", language).layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 0, tmp_path / "out.md")
        await studio.until(lambda: "2 chapters written to" in studio.told, "the result")
    assert word in (tmp_path / "out.md").read_text("utf-8")


async def test_each_chapter_is_a_file(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 3, tmp_path / "out")
        await studio.until(lambda: "2 chapters written to" in studio.told, "the result")
    assert sorted(f.name for f in (tmp_path / "out").iterdir()) == [
        "chapter-001.txt",
        "chapter-002.txt",
    ]


@pytest.mark.parametrize("key", ["n", "y"])
async def test_what_is_there_is_replaced_only_after_yes(tmp_path: Path, key: str) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    out = tmp_path / "out.md"
    out.write_text("mine")
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 0, out)
        await studio.until(lambda: isinstance(studio.app.screen, Confirm), "the question")
        assert out.read_text() == "mine"
        await studio.press(key)
        await studio.until(lambda: on_desk(studio), "the desk")
        if key == "y":
            await studio.until(lambda: "written to" in studio.told, "the result")
    assert (out.read_text("utf-8") == "mine") is (key == "n")


async def test_a_place_in_the_novel_is_refused_without_a_question(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    chapter = folder / "chapters/chapter-001.md"
    before = chapter.read_bytes()
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await export(studio, 0, chapter)
        await studio.until(lambda: "belongs to the novel" in studio.told, "the refusal")
        assert on_desk(studio)
    assert chapter.read_bytes() == before


def test_every_form_names_a_format() -> None:
    assert {key.partition("/")[0] for key, _ in FORMS} == {"md", "txt"}
    assert exported_words([Path("/a/b.md")], [1]) == "1 chapter written to /a/b.md"
    assert exported_words([Path("/a/1"), Path("/a/2")], [1, 2]) == "2 chapters written to /a/"

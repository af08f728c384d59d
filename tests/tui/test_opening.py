"""Opening the app: the launcher, a long book, small and changing windows, what is not loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.widgets import Input

from studio.fsio import fault_points
from studio.project.commit.transaction import pending
from studio.project.index import brought_up_to_date
from studio.project.lock.lock import ProjectLock
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.tui.desk.screen import Opening
from studio.tui.screens.ask import Ask, Choose
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.views.outline.rows import ChapterItem
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from tests.forking import in_child
from tests.pipeline.flows import make_novel
from tests.project.novels import put
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import opened
from tests.tui.ways import on_desk

VOLUMES, IN_A_VOLUME = 4, 40


@pytest.mark.sweep
async def test_the_sample_is_tried_in_a_folder_of_the_writers_own(own_home: Path) -> None:
    async with opened(None, {**os.environ, **NAMED}, painted=True) as studio:
        assert isinstance(studio.app.screen, LauncherScreen)
        await studio.press("s")
        await studio.type(str(own_home / "mine"))
        await studio.press("enter")
        await on_desk(studio)
        assert studio.outline_titles[2] == "The Lamp Room"
        await studio.press("ctrl+o")
        await studio.until(lambda: isinstance(studio.app.screen, LauncherScreen), "the launcher")
        await studio.press("enter")
        await on_desk(studio)
    assert (own_home / "mine" / "studio.toml").is_file()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "usual", "typed", "called"), [(1, "화", "", "화"), (2, "回", "章", "章")]
)
async def test_a_new_serial_asks_what_a_chapter_is_called(
    own_home: Path, language: int, usual: str, typed: str, called: str
) -> None:
    async with opened(None, {**os.environ, **NAMED}, painted=True) as studio:
        await studio.press("n")
        await studio.answer(Ask, "등대지기의 밤")
        await studio.answer(Choose, language)
        await studio.answer(Choose, 1)
        await studio.sees(Ask, "What is a chapter called?")
        assert studio.app.screen.query_one(Input).value == usual
        await studio.answer(Ask, typed or None)
        await studio.answer(Ask, str(own_home / "night"))
        await on_desk(studio)
        assert "등대지기의 밤" in studio.screen
        made = studio.desk.session.settings.novel
        assert (made.form, made.chapter_word) == ("serial", called)


@pytest.mark.sweep
async def test_typing_names_the_offered_folder_of_a_new_novel_and_keeps_its_place(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_home)
    for typed, made in (("attic", own_home / "attic"), (str(own_home / "under" / "eaves"), None)):
        async with opened(None, {**os.environ, **NAMED}) as studio:
            await studio.press("n", *"Salt", "enter", "enter", "enter")
            await studio.sees(Ask)
            field = studio.app.screen.query_one(Input)
            assert field.value == str(own_home / "salt")
            await studio.press(*typed, "enter")
            await on_desk(studio)
        assert ((made or Path(typed)) / "studio.toml").is_file()
    assert not (own_home / "salt").exists()


async def test_a_whole_path_typed_at_once_for_the_offered_folder_loses_no_letter() -> None:
    async with opened(None, {**os.environ, **NAMED}) as studio:
        asked = Ask("Its folder", value="/home/mara/salt", is_folder=True)
        studio.app.push_screen(asked)
        await studio.sees(Ask, "/home/mara/salt")
        for letter in "/tmp/등대/eaves":  # all of it before the card is told of the first
            studio.app.post_message(Key("slash" if letter == "/" else letter, letter))
        line = asked.query_one(Input)
        await studio.until(lambda: line.value.endswith("/eaves"), "the path")
        await studio.pilot.pause()
        assert line.value == "/tmp/등대/eaves"


@pytest.mark.sweep
async def test_the_desk_comes_back_where_it_was_left(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    put(folder, "chapters/chapter-001.md", "# Long\n\n" + "The rain stopped.\n\n" * 200)
    async with opened(folder, {**os.environ, **NAMED}, painted=True) as studio:
        await studio.press("1", "home", "down", "enter")
        await studio.until(lambda: studio.desk.state.current.chapter == 1, "the chapter")
        await studio.press("2", "pagedown", "pagedown")
        place = studio.desk.query_one(ProseView).scroll_offset.y
        assert place > 30
        await studio.press("ctrl+q")
    async with opened(folder, {**os.environ, **NAMED}, painted=True) as studio:
        assert studio.desk.state.current.chapter == 1
        assert abs(studio.desk.query_one(ProseView).scroll_offset.y - place) < 3


@pytest.mark.sweep
async def test_a_thousand_chapters_are_a_list_of_a_thousand(tmp_path: Path) -> None:
    store = novel(tmp_path / "novel", "zh")
    for number in range(3, 1001):
        put(
            store.layout.folder,
            f"chapters/chapter-{number:03d}.md",
            f"# 第{number}夜\n\n雨停了。\n",
        )
    store.save_checkpoint(Checkpoint(last_completed_chapter=1000))
    async with opened(store.layout.folder, {**os.environ, **NAMED}, painted=True) as studio:
        await studio.until(lambda: "第1000夜" in studio.outline_titles, "the titles")
        assert studio.desk.state.current.chapter == 1000
        assert studio.desk.query_one(OutlineList).size.height < 40


@pytest.mark.sweep
async def test_any_size_is_survived_and_nothing_is_lost(tmp_path: Path) -> None:  # req: T3
    folder = novel(tmp_path / "novel", "ko").layout.folder
    async with opened(folder, {**os.environ, **NAMED}, painted=True) as studio:
        for size in [(1, 1), (20, 5), (59, 40), (200, 14), (80, 24), (500, 200), (60, 15)]:
            await studio.pilot.resize_terminal(*size)
            await studio.pilot.pause()
            if size[0] < 60 or size[1] < 15:
                assert "램프실" not in studio.screen
        await studio.pilot.resize_terminal(120, 36)
        await studio.until(lambda: "램프실" in studio.screen, "the outline")


@pytest.mark.sweep
def test_nothing_heavy_is_loaded_before_the_first_frame(tmp_path: Path) -> None:  # req: P6
    folder = make_novel(tmp_path / "novel")
    code = """
import asyncio, os, sys
from pathlib import Path
from studio.tui.desk import screen as opening
from studio.tui.app import StudioApp
seen = []
opening.warm_up = lambda: None
first = opening.Opening.after_first_frame
heavy = ("anthropic", "jsonschema", "xllamacpp", "pydantic", "click")
heavy += ("studio.project.search.hits", "studio.fsio.several")
def noted(self, *place):
    seen.extend(name for name in heavy if name in sys.modules)
    seen.append("first frame")
    first(self, *place)
opening.Opening.after_first_frame = noted
async def main():
    app = StudioApp(Path(sys.argv[1]), {}, os.environ)
    async with app.run_test(size=(80, 24)) as pilot:
        while not seen:
            await pilot.pause(0.01)
        await app.leave(0)
asyncio.run(main())
print(seen)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "['first frame']", done.stderr


@pytest.mark.sweep
async def test_the_first_frame_makes_the_chapters_of_the_volume_in_sight_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: P5
    store = book_of(tmp_path / "novel")
    brought_up_to_date(store, "words")
    made: list[int] = []
    at_first: list[int] = []

    def noted(chapter: int, *row: Any, **kind: Any) -> ChapterItem:
        if kind.get("kind", "chapter") == "chapter":
            made.append(chapter)
        return ChapterItem(chapter, *row, **kind)

    def after_first_frame(self: Opening, paragraph: tuple[int, int] | None) -> None:
        at_first.extend(made)
        begun(self, paragraph)

    begun = Opening.after_first_frame
    monkeypatch.setattr("studio.tui.views.outline.rows.ChapterItem", noted)
    monkeypatch.setattr(Opening, "after_first_frame", after_first_frame)
    async with opened(store.layout.folder, {**os.environ, **NAMED}, painted=True) as studio:
        last = VOLUMES * IN_A_VOLUME
        assert set(at_first) == set(range(last - IN_A_VOLUME + 1, last + 2))
        assert len(made) > last
        await studio.until(lambda: f"Fog {last}" in studio.outline_titles, "the titles")


@pytest.mark.sweep
async def test_what_another_program_changed_replaces_the_last_outline(
    tmp_path: Path,
) -> None:  # req: P5
    store = book_of(tmp_path / "novel")
    brought_up_to_date(store, "words")
    for number in (1, VOLUMES * IN_A_VOLUME + 1):
        put(store.layout.folder, f"chapters/chapter-{number:03d}.md", "# Sun\n\nIt shone.\n")
    async with opened(store.layout.folder, {**os.environ, **NAMED}, painted=True) as studio:
        assert studio.outline_titles.count("Sun") == 2
        assert studio.outline_titles.count("Fog 1") == 0


def book_of(folder: Path) -> ProjectStore:
    """Short chapters in volumes that are longer than a screen."""
    store = novel(folder, "en")
    for volume in range(1, VOLUMES + 1):
        numbers = range((volume - 1) * IN_A_VOLUME + 1, volume * IN_A_VOLUME + 1)
        sections = "".join(f"## Chapter {number}: Fog {number}\n\n" for number in numbers)
        put(folder, f"volumes/vol-{volume:02d}/outline.md", f"# Part {volume}\n\n{sections}")
        for number in numbers:
            put(folder, f"chapters/chapter-{number:03d}.md", f"# Fog {number}\n\nIt rained.\n")
    store.save_checkpoint(Checkpoint(last_completed_chapter=VOLUMES * IN_A_VOLUME))
    return store


def test_a_title_without_a_number_loads_nothing_that_reads_numbers() -> None:  # req: P5
    code = """
import sys
from studio.tui.views.outline.row_text import chapter_beside_number, volume_beside_number
print(chapter_beside_number(2, "The Lamp Room"), volume_beside_number(1, "Fog"))
print([name for name in sys.modules if name.endswith(("project.outline", "form.numerals"))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["('2', 'The Lamp Room') ('1', 'Fog')", "[]"]


@pytest.mark.sweep
@pytest.mark.parametrize("toml", ["[novel\n", "[novel]\nlanguage = 'xx'\n"])
async def test_damaged_settings_lead_to_the_launcher_with_a_sentence(
    tmp_path: Path, toml: str
) -> None:
    put(tmp_path / "novel", "studio.toml", toml)
    async with opened(None, {**os.environ, **NAMED}, painted=True) as studio:
        studio.app.go_to(tmp_path / "novel")
        await studio.until(lambda: "studio.toml" in studio.told, "the sentence")
        assert isinstance(studio.app.screen, LauncherScreen)


@pytest.mark.sweep
async def test_a_damaged_checkpoint_is_named_and_the_text_is_shown(tmp_path: Path) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    put(folder, ".checkpoint.json", "{")
    async with opened(folder, {**os.environ, **NAMED}, painted=True) as studio:
        assert ".checkpoint.json" in studio.screen
        assert "Mara lifted" in studio.screen


def plan_and_die(folder: Path) -> ProjectStore:
    """A chapter is planned, and the program killed when the first of its files is in its place."""
    store = ProjectStore(folder)

    def work() -> None:
        fault_points.arm("commit.after_placement:kill")
        Plans(store, "en").add("Low Tide", happens=["Mara counts the boats."])

    assert in_child(work) == -signal.SIGKILL
    assert pending(store.layout) is not None
    return store


@pytest.mark.sweep
async def test_a_plan_that_a_crash_left_half_saved_is_whole_when_the_novel_is_open(
    tmp_path: Path,
) -> None:
    store = plan_and_die(make_novel(tmp_path / "novel"))
    async with opened(store.layout.folder, {**os.environ, **NAMED}, notifications=True) as studio:
        assert pending(store.layout) is None
        assert "Finished the interrupted change of the plans." in studio.told
        assert studio.outline_titles[1] == "Low Tide"
        await studio.desk.show_chapter(2)
        assert "Mara counts the boats." in studio.screen


@pytest.mark.sweep
async def test_what_a_crash_left_is_left_alone_while_another_window_writes(tmp_path: Path) -> None:
    store = plan_and_die(make_novel(tmp_path / "novel"))
    with ProjectLock(store.layout.folder):
        async with opened(store.layout.folder, {**os.environ, **NAMED}) as studio:
            assert "The Lamp Room" in studio.outline_titles
        assert pending(store.layout) is not None


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["brief.md", "volumes/vol-01/outline.md"])
async def test_a_brief_or_an_outline_that_cannot_be_read_is_named(
    tmp_path: Path, name: str
) -> None:
    folder = novel(tmp_path / "novel", "en").layout.folder
    put(folder, name, "# Die Mühle\n".encode("latin-1"))
    async with opened(folder, dict(os.environ)) as studio:
        await studio.until(lambda: f"! {name} is not UTF-8" in studio.screen, "the sentence")

"""Text that was typed and not saved: it stays with its chapter and its novel, whatever moves."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from studio.config.paths import state_dir
from studio.project.create import create_novel
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.session import Session
from studio.tui.app import StudioApp
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Choose
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.form import FormScreen
from studio.tui.widgets.text_field import TextField
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model
from tests.tui.pilot import StudioPilot, opened

TITLES = ("등대", "盐路", "The Ledger", "열쇠")
TYPED = "비가 그쳤다. 雨停了。"


@pytest.fixture
def salt(tmp_path: Path) -> Path:
    """A Korean novel with four planned chapters."""
    folder = tmp_path / "소금길"
    create_novel(folder, "소금길", "ko")
    plans = plans_of(folder)
    for title in TITLES:
        plans.add(title)
    return folder


def plans_of(folder: Path) -> Plans:
    """What `studio plan` works with."""
    return Plans(Session.open(folder, os.environ).store, "ko")


async def in_editor(studio: StudioPilot, chapter: int) -> TextField:
    """The editor on a chapter, once it has looked for unsaved text."""
    await studio.on_chapter(chapter)
    await studio.settled()
    await studio.press("ctrl+e")
    await studio.sees(EditorScreen)
    area = studio.app.screen.query_one(TextField)
    await studio.until(lambda: area.has_focus, "the cursor in the text")
    return area


async def types_and_leaves(folder: Path, chapter: int, words: str) -> None:
    """Types at the end of a chapter's text and closes the app without saving."""
    async with opened(folder, os.environ) as studio:
        area = await in_editor(studio, chapter)
        area.insert(words)
        await studio.press("escape")
        await studio.sees(DeskScreen)


async def text_in_editor(folder: Path, chapter: int) -> str:
    """What the editor shows when it opens."""
    async with opened(folder, os.environ) as studio:
        text = (await in_editor(studio, chapter)).text
        await studio.press("escape")
        await studio.sees(DeskScreen)
        return text


MOVES: dict[str, tuple[Callable[[Plans], object], int]] = {
    "move": (lambda plans: plans.move(2, 4), 4),
    "add": (lambda plans: plans.add("灯", after=1), 3),
    "take_out": (lambda plans: plans.take_out(1), 1),
}


@pytest.mark.sweep
@pytest.mark.repairs("T4")
@pytest.mark.parametrize("name", MOVES)
async def test_typed_text_stays_with_its_chapter_when_studio_plan_moves_it(
    name: str, salt: Path
) -> None:
    await types_and_leaves(salt, 2, TYPED)
    change, number = MOVES[name]
    change(plans_of(salt))
    assert TYPED in await text_in_editor(salt, number)
    for other in {1, 2, 3, 4} - {number}:
        if other in ProjectStore(salt).planned_chapters() or other <= len(TITLES) - 1:
            assert TYPED not in await text_in_editor(salt, other)


@pytest.mark.sweep
async def test_typed_text_is_where_it_was_after_a_move_is_taken_back(salt: Path) -> None:
    await types_and_leaves(salt, 2, TYPED)
    plans_of(salt).move(2, 4)
    plans_of(salt).undo()
    assert TYPED in await text_in_editor(salt, 2)
    assert TYPED not in await text_in_editor(salt, 4)


@pytest.mark.sweep
@pytest.mark.repairs("T19")
async def test_typed_text_follows_a_renamed_novel_and_is_not_offered_to_a_new_one_in_its_place(
    salt: Path,
) -> None:
    await types_and_leaves(salt, 1, TYPED)
    moved = salt.rename(salt.with_name("盐路"))
    create_novel(salt, "새 소설", "ko")
    assert TYPED not in await text_in_editor(salt, 1)
    assert TYPED in await text_in_editor(moved, 1)


@pytest.mark.sweep
async def test_a_copied_novel_is_offered_nothing_of_the_first(salt: Path) -> None:
    await types_and_leaves(salt, 1, TYPED)
    copy = salt.with_name("소금길 사본")
    shutil.copytree(salt, copy)
    assert TYPED not in await text_in_editor(copy, 1)
    assert TYPED in await text_in_editor(salt, 1)


async def test_what_was_left_before_the_folder_lost_its_studio_is_only_offered(
    salt: Path,
) -> None:
    await types_and_leaves(salt, 1, TYPED)
    shutil.rmtree(salt / ".studio")
    for answer in ("escape", "enter"):
        async with opened(salt, os.environ) as studio:
            await studio.on_chapter(1)
            await studio.press("ctrl+e")
            await studio.sees(Choose, "Unsaved text was left in this folder")
            await studio.press(answer)
            await studio.sees(EditorScreen)
            area = studio.app.screen.query_one(TextField)
            if answer == "enter":
                await studio.sees(EditorScreen, TYPED)
            assert (TYPED in area.text) is (answer == "enter")
            await studio.press("escape")
            await studio.sees(DeskScreen)
        plans_of(salt).move(3, 4)  # the novel gets an id of its own
        plans_of(salt).undo()
    assert TYPED in await text_in_editor(salt, 1)


@pytest.mark.sweep
@pytest.mark.repairs("T17")
async def test_two_windows_on_one_chapter_keep_the_words_of_both(salt: Path) -> None:
    words = ("갑판 위에 아무도 없었다.", "甲板上没有人。")
    async with opened(salt, os.environ) as one, opened(salt, os.environ) as other:
        areas = [await in_editor(one, 1), await in_editor(other, 1)]
        for window, area, typed in zip((one, other), areas, words, strict=True):
            area.insert(typed)
            await window.press("escape")
            await window.sees(DeskScreen)
    left = [path.read_text("utf-8") for path in all_files(os.environ)]
    assert [any(typed in text for text in left) for typed in words] == [True, True]


@pytest.mark.sweep
async def test_what_two_windows_left_is_offered_to_choose_from(salt: Path) -> None:
    async with opened(salt, os.environ) as one, opened(salt, os.environ) as other:
        areas = [await in_editor(one, 1), await in_editor(other, 1)]
        for window, area, typed in zip((one, other), areas, ("갑판.", "甲板。"), strict=True):
            area.insert(typed)
            await window.press("escape")
            await window.sees(DeskScreen)
    async with opened(salt, os.environ) as studio:
        await studio.on_chapter(1)
        await studio.press("ctrl+e")
        await studio.sees(Choose, "Several unsaved texts")
        await studio.answer(Choose, 1)
        area = studio.app.screen.query_one(TextField)
        await studio.until(lambda: "갑판." in area.text, "the older text")
        await studio.press("ctrl+s")
        await studio.until(lambda: "saved" in studio.screen, "the save")
        await studio.press("escape")
        await studio.sees(DeskScreen)
    assert "甲板。" in await text_in_editor(salt, 1)
    assert "갑판." in (salt / "chapters/chapter-001.md").read_text("utf-8")


async def test_a_chapter_moved_while_its_editor_is_open_is_saved_as_itself(salt: Path) -> None:
    async with opened(salt, os.environ) as studio:
        area = await in_editor(studio, 2)
        area.insert(TYPED)
        plans_of(salt).move(2, 4)
        await studio.press("ctrl+s")
        await studio.until(lambda: (salt / "chapters/chapter-004.md").exists(), "the save")
    assert TYPED in (salt / "chapters/chapter-004.md").read_text("utf-8")
    assert not (salt / "chapters/chapter-002.md").exists()


@pytest.mark.sweep
async def test_what_was_typed_into_a_plan_stays_with_its_chapter(salt: Path) -> None:
    async with opened(salt, os.environ) as studio:
        await studio.on_chapter(2)
        await studio.press("p")
        await studio.sees(FormScreen)
        await studio.until(lambda: studio.app.screen.focused is not None, "the cursor")
        studio.app.screen.query_one("#field-happens", TextField).insert("빗소리")
        await studio.press("escape")
        await studio.sees(DeskScreen)
    plans_of(salt).move(2, 4)
    async with opened(salt, os.environ) as studio:
        await studio.on_chapter(4)
        await studio.press("p")
        await studio.sees(FormScreen, "빗소리")


def all_files(environ: object) -> list[Path]:
    """Every text file in the state folder."""
    state = Path(os.environ["XDG_STATE_HOME"])
    return [path for path in state.rglob("*.md") if path.is_file()]


@pytest.mark.sweep
async def test_one_undo_shows_the_chapter_again_in_place_of_what_was_left_unsaved(
    salt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    monkeypatch.setattr(StudioApp, "say", lambda self, words, *more: messages.append(words))
    chapter = salt / "chapters/chapter-001.md"
    await types_and_leaves(salt, 1, TYPED)
    chapter.parent.mkdir(exist_ok=True)
    chapter.write_text("# 등대\n\n문이 열렸다.\n")
    async with opened(salt, os.environ) as studio:
        area = await in_editor(studio, 1)
        assert TYPED in area.text
        assert any("Ctrl+Z shows the chapter as it is" in words for words in messages)
        await studio.press("ctrl+z")
        await studio.until(lambda: area.text == chapter.read_text("utf-8"), "the chapter")
        await studio.press("ctrl+y")
        await studio.until(lambda: TYPED in area.text, "what was left")
        await studio.press("ctrl+z")
        await studio.until(lambda: TYPED not in area.text, "the chapter again")
        await studio.press("escape")
        await studio.sees(DeskScreen)
    async with opened(salt, os.environ) as studio:
        area = await in_editor(studio, 1)
        assert TYPED in area.text, "to look at the chapter took nothing of hers away"


async def test_a_text_typed_after_a_look_at_the_chapter_stands_beside_what_was_left_before(
    salt: Path,
) -> None:
    chapter, third = salt / "chapters/chapter-001.md", "불이 꺼졌다."
    chapter.parent.mkdir(exist_ok=True)
    chapter.write_text("# 등대\n\n문이 열렸다.\n")
    await types_and_leaves(salt, 1, TYPED)
    async with opened(salt, os.environ) as studio:
        area = await in_editor(studio, 1)
        await studio.until(lambda: TYPED in area.text, "what was left")
        await studio.press("ctrl+z")
        await studio.until(lambda: area.text == chapter.read_text("utf-8"), "the chapter")
        area.insert(third)
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("ctrl+e")
        await studio.sees(Choose, "Several unsaved texts")
        await studio.answer(Choose, 0)
        area = studio.app.screen.query_one(TextField)
        await studio.until(lambda: third in area.text, "the newer text")
        await studio.press("ctrl+s")
        await studio.until(lambda: "saved" in studio.screen, "the save")
        await studio.press("escape")
        await studio.sees(DeskScreen)
    assert third in chapter.read_text("utf-8")
    assert TYPED in await text_in_editor(salt, 1), "what was left first is offered still"


# What she typed and did not save is said where she would go on without it.


async def test_the_desk_says_what_is_not_saved_and_w_asks_what_becomes_of_it(
    desk: OpenDesk,
) -> None:
    there = desk(Model())
    await types_and_leaves(there.folder, 1, TYPED)
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.settled()
        await studio.until(lambda: "what you typed there is not saved" in studio.screen, "the line")
        await studio.press("w")
        await studio.sees(Choose, "雨停了。")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        assert studio.store.checkpoint().inflight_chapter is None, "nothing was written over it"
        await studio.press("w")
        await studio.answer(Choose, 0)
        await studio.sees(EditorScreen)
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("w")
        await studio.answer(Choose, 1)
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the draft")
        assert "what you typed there is not saved" not in studio.screen
    from studio.project.history.reasons import Reason
    from studio.project.history.variations import Variations

    versions = Variations(ProjectStore(there.folder).layout)
    assert TYPED in (versions.newest(1, None, Reason.NOT_SAVED) or ""), "it is nowhere lost"


async def test_a_chapter_goes_into_the_book_only_once_what_was_typed_is_decided_on(
    desk: OpenDesk,
) -> None:
    there = desk(Model())
    await asyncio.to_thread(partial(there.write, review="ask"))
    await types_and_leaves(there.folder, 1, TYPED)
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.settled()
        await studio.until(lambda: "what you typed there is not saved" in studio.screen, "the line")
        for key in ("C", "d"):
            await studio.press(key)
            if key == "d":
                await studio.answer(DecisionScreen)
            await studio.sees(Choose, "雨停了。")
            await studio.press("escape")
            await studio.sees(DeskScreen)
            assert studio.store.chapter_numbers() == []
        await studio.press("C")
        await studio.answer(Choose, 1)
        await studio.until(lambda: studio.store.chapter_numbers() == [1], "the book")
        await studio.settled()


async def test_status_the_start_page_and_a_run_without_questions_say_what_is_not_saved(
    desk: OpenDesk,
) -> None:
    there = desk(Model())
    await types_and_leaves(there.folder, 1, TYPED)
    sentence = "What was typed into chapter 1 and not saved is not part of it"
    assert any(sentence in words for words in there.session().status().warnings)
    state = state_dir(there.environ)
    from studio.tui.screens.launcher import standing_of

    assert standing_of(there.folder, state).unsaved == 1
    run = await asyncio.to_thread(partial(there.write, review="accept"))
    assert sentence in run.warnings
    assert TYPED in await text_in_editor(there.folder, 1), "and it is there still"

"""A card promises nothing that the engine refuses afterwards: what cannot be done is said at once,
in the engine's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.tui.screens.ask import AskPath, Choose, Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.importing import ImportScreen
from studio.tui.screens.memory import MemoryScreen
from tests.pipeline.flows import CONTRACT, Desk
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

OWN = "# 열두째 장\n\n마라는 문을 닫았다.\n\n조스는 대답하지 않았다.\n"


def plan(folder: Path, chapter: int, **more: object) -> None:
    put(
        folder,
        f"volumes/vol-01/chapter-contracts/chapter-{chapter:03d}.json",
        {**CONTRACT, "chapter": chapter, **more},
    )


@pytest.fixture
def in_review(desk: OpenDesk) -> Desk:
    """A novel whose first chapter waits for its review."""
    there = desk()
    there.write(review="ask")
    assert there.checkpoint.inflight_chapter == 1
    return there


async def card_or_words(studio: StudioPilot, words: str) -> bool:
    """Whether a card came, rather than these words."""
    cards = (Confirm, Choose)
    await studio.until(
        lambda: words in studio.told or isinstance(studio.app.screen, cards), "card or words"
    )
    return isinstance(studio.app.screen, cards)


async def handed_in(studio: StudioPilot, chapter: int, text: str, words: str) -> bool:
    """Types a text of the chapter and hands it in; whether the card came rather than these
    words."""
    await studio.on_chapter(chapter)
    await studio.ask_for("desk.edit")
    await studio.sees(EditorScreen)
    screen = studio.app.screen
    assert isinstance(screen, EditorScreen)
    screen.query_one("#editor").load_text(text)
    await studio.ask_for("editor.mine")
    return await card_or_words(studio, words)


@pytest.mark.repairs("S14")
async def test_no_card_makes_a_text_a_chapter_whose_turn_it_is_not(desk: OpenDesk) -> None:
    there = desk()
    plan(there.folder, 11)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        card = await handed_in(studio, 11, OWN, "Chapter 1 comes next; chapter 11 is too far")
        assert not card, studio.screen
        screen = studio.app.screen
        assert isinstance(screen, EditorScreen)
        assert screen.text == OWN, "what was typed stands"


@pytest.mark.sweep
async def test_a_text_without_prose_or_of_an_unknown_line_is_no_draft(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, notifications=True) as studio:
        assert not await handed_in(studio, 1, "# 첫 장\n\n", "There is no prose in it yet.")
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        lines = {"schema_version": 1, "storylines": [{"id": "sea", "title": "Sea"}]}
        put(there.folder, "storylines/storylines.json", lines)
        assert not await handed_in(studio, 1, OWN, "belongs to the storyline “main”")
    assert not there.server.asked


@pytest.mark.sweep
async def test_a_text_whose_turn_it_is_has_its_card(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, notifications=True) as studio:
        assert await handed_in(studio, 1, OWN, "is too far")
        assert "It becomes chapter 1, and no model rewrites it." in " ".join(studio.screen.split())


async def test_no_scene_is_offered_of_a_chapter_that_cannot_be_drafted_yet(desk: OpenDesk) -> None:
    there = desk()
    plan(there.folder, 11)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        await studio.on_chapter(11)
        await studio.app.action_perform("text.scene")
        assert not await card_or_words(studio, "chapter 11 is too far ahead")


@pytest.mark.sweep
async def test_nobody_is_asked_to_retire_somebody_who_stays(in_review: Desk) -> None:
    async with opened(in_review.folder, in_review.environ, notifications=True) as studio:
        await studio.ask_for("desk.bible")
        await studio.sees(MemoryScreen, "Mara")
        page = studio.app.screen
        assert isinstance(page, MemoryScreen)
        await studio.until(lambda: page.row_under_cursor is not None, "the rows")
        while page.row_under_cursor is None or page.row_under_cursor.key != "mara":
            await studio.press("down")
        await studio.ask_for("memory.retire")
        assert not await card_or_words(studio, "is in progress and may need them")


@pytest.mark.sweep
async def test_no_import_is_offered_while_a_chapter_is_in_progress(
    in_review: Desk, tmp_path: Path
) -> None:
    text = tmp_path / "old.md"
    text.write_text(f"{OWN}\n\n# 다음 장\n\n종이 울렸다.\n", "utf-8")
    async with opened(None, in_review.environ, notifications=True) as studio:
        await studio.look_into(text)
        await studio.ask_for("import.bring")
        await studio.answer(AskPath, str(in_review.folder))
        assert not await card_or_words(studio, "an import has to wait for it")
        await studio.sees(ImportScreen)

"""In the app: what was accepted for other words is asked again, and what is gone is no question."""

from __future__ import annotations

import asyncio

import pytest

from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.widgets.text_field import TextField
from tests.pipeline.at_a_decision import SHOW
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Model, ask, directive, judged, unrefined
from tests.tui.pilot import opened

_VOICE = "dir_voice_consistency_001"
_TWO = judged(directives=[directive(1, 2), directive(2, 1, type="voice-consistency")])


async def test_a_changed_passage_is_asked_again_and_one_that_is_gone_is_not_counted(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=_TWO, refine=unrefined))
    await asyncio.to_thread(there.write, review="ask")
    there.session().change_directives("accept", [SHOW, _VOICE])
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.situation().approved == 2, "both were taken")
        await studio.press("3")
        text = there.staged().read_text("utf-8")
        text = text.replace(SCENES[1][1], f"{SCENES[1][1]} The wind had gone round.")
        text = text.replace(SCENES[2][0], "It rained until noon, and then no more.")
        there.staged().write_text(text, encoding="utf-8")
        await studio.until(lambda: studio.desk.situation().approved == 0, "the edit is seen")
        await studio.until(lambda: "0/1" in studio.screen, "only one is a question")
        assert "1.2 is to be decided again: its words were changed." in studio.told
        studio.directives.go_to(SHOW)
        await studio.until(lambda: "Still?" in studio.screen, "it is asked again")
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "she means it")
        studio.directives.go_to(_VOICE)
        await studio.until(lambda: "no longer in the" in studio.screen, "the other is memory")
        await studio.press("a")
        assert studio.desk.situation().approved == 1


@pytest.mark.sweep
async def test_what_her_own_edit_puts_to_her_again_is_said_once(desk: OpenDesk) -> None:
    """Met: two more were counted as to be decided on, and nothing said which."""
    there = desk(Model(judge=_TWO, refine=unrefined))
    await asyncio.to_thread(there.write, review="ask")
    there.session().change_directives("accept", [SHOW, _VOICE])
    async with opened(there.folder, there.environ, notifications=True) as studio:
        await studio.until(lambda: studio.desk.situation().approved == 2, "both were taken")
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        area = studio.app.screen.query_one(TextField)
        await studio.until(lambda: area.has_focus, "the cursor in the text")
        for words in (SCENES[1][1], SCENES[2][0]):
            area.load_text(area.text.replace(words, f"{words} The wind had gone round."))
        await studio.press("ctrl+s")
        await studio.until(lambda: "gone round" in there.staged().read_text("utf-8"), "the save")
        await studio.press("escape")
        await studio.until(lambda: studio.desk.situation().approved == 0, "they are open")
        words = "1.2, 2.1 are to be decided again: their words were changed."
        await studio.until(lambda: words in studio.told, "it is said")
        await studio.desk.reread()
        assert studio.told.count("decided again") == 1


@pytest.mark.sweep
async def test_the_undo_of_a_fix_she_typed_into_shows_both_texts_first(desk: OpenDesk) -> None:
    there = desk(Model(judge=_TWO, refine=unrefined))
    await asyncio.to_thread(there.write, review="ask")
    there.session().change_directives("accept", [SHOW])
    there.session().change_directives("reject", [_VOICE])
    await asyncio.to_thread(ask, there)
    before = there.staged().read_text("utf-8")
    there.staged().write_text(before.replace("held there.", "held there at last."), "utf-8")
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.directives.sheet is not None, "the sheet")
        await studio.press("3")
        studio.directives.go_to(SHOW)
        await studio.until(lambda: "You have typed into it" in studio.screen, "it is hers")
        await studio.press("u")
        await studio.sees(Confirm, "It held there at")
        assert "a broken ward.”" in studio.screen
        await studio.press("y")
        await studio.until(
            lambda: (
                studio.directives.directive_under_cursor is not None
                and studio.directives.directive_under_cursor.status is DirectiveStatus.UNDONE
            ),
            "it is taken back",
        )
    assert SCENES[1][1] in there.staged().read_text("utf-8")
    assert "at last" not in there.staged().read_text("utf-8")

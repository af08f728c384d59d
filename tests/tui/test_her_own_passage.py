"""A passage that she wrote herself: it goes into the text, and nobody asks about it again."""

from __future__ import annotations

import pytest
from textual.widgets import TextArea

from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import AskText, Confirm
from studio.tui.screens.editor import EditorScreen
from tests.pipeline.flows import SCENES, Model, directive, judged, unrefined
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

HERS = "“Is it you?” Mara said. “I had four cans this morning, and now I have three.”"


async def test_her_own_passage_is_hers_in_the_counts_and_is_not_asked_about_again(
    desk: OpenDesk,
) -> None:
    there = desk(
        Model(refine=unrefined, judge=judged(directives=[directive(1, 1), directive(1, 3)]))
    )
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        first, second = (change.id for change in studio.directives.changes)
        await studio.edit(first, "E", HERS)
        assert HERS in studio.store.staging_of(1).text().text, "before any w"
        assert studio.status_of(first) is DirectiveStatus.KEPT
        await studio.until(lambda: HERS[:20] in studio.screen, "her words beside the proposal")
        assert "Your words are in the text; u takes them out again." in studio.told
        await studio.on_directive(second)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        field = studio.app.screen.query_one(TextArea)
        await studio.until(lambda: field.cursor_location[0] == 6, "the passage in question")
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.accept(second)
        await studio.until(lambda: "1 for the surgeon" in studio.screen, "what is left to do")
        await studio.write_next()
        assert HERS in studio.store.staging_of(1).text().text
        assert studio.status_of(first) is DirectiveStatus.KEPT
        question = studio.store.checkpoint().pending_decision
        assert question is not None
        assert first not in question.data["applied"]
        await studio.on_directive(first)
        await studio.turn_to("diff")
        assert "keep the fix?" not in studio.screen
        await studio.undo(first)
        assert studio.status_of(first) is DirectiveStatus.UNDONE
        await studio.undo(second)
        await studio.on_directive(second)
        directive_ = studio.directives.directive_under_cursor
        assert directive_ is not None
        assert directive_.result is not None
        assert directive_.result.after != directive_.current_text
        await studio.press("E")
        await studio.sees(AskText)
        assert studio.app.screen.query_one(TextArea).text == directive_.current_text


@pytest.mark.sweep
async def test_a_passage_left_without_a_word_is_cut_once_she_says_so(desk: OpenDesk) -> None:
    """Met: everything deleted and Ctrl+S, and nothing happened and nothing was said."""
    there = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2)])))
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        (only,) = (change.id for change in studio.directives.changes)
        for answer in "ny":
            await studio.on_directive(only)
            await studio.press("E")
            await studio.sees(AskText)
            studio.app.screen.query_one(TextArea).load_text("")
            await studio.press("ctrl+s")
            await studio.sees(Confirm, "Cut the passage?")
            assert studio.status_of(only) is DirectiveStatus.PENDING
            await studio.press(answer)
            await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.until(lambda: studio.status_of(only) is DirectiveStatus.KEPT, "the cut")
        await studio.until(lambda: "The passage is cut; u brings it back." in studio.told, "so")
        assert SCENES[1][1] not in studio.store.staging_of(1).text().text
        why = [v.reason for v in there.store.history.log() if v.path.endswith("chapter-001.md")]
        assert why[-1] == "cut on your word"
        assert "surgery" not in there.calls()

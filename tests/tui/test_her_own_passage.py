"""A passage that she wrote herself: it goes into the text, and nobody asks about it again."""

from __future__ import annotations

from studio.story.status import DirectiveStatus
from tests.pipeline.flows import Model, directive, judged, unrefined
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
        await studio.until(lambda: "1 open, 1 in your words" in studio.screen, "whose it is")
        await studio.accept(second)
        await studio.until(lambda: "1 for the surgeon, 1 in your words" in studio.screen, "both")
        await studio.write_next()
        assert HERS in studio.store.staging_of(1).text().text
        assert studio.status_of(first) is DirectiveStatus.KEPT
        question = studio.store.checkpoint().pending_decision
        assert question is not None
        assert first not in question.data["applied"]
        await studio.on_directive(first)
        await studio.turn_to("diff")
        assert "keep?" not in studio.screen
        await studio.undo(first)
        assert studio.status_of(first) is DirectiveStatus.UNDONE

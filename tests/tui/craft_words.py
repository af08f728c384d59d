"""Steps of a writer concerned with her own standards: waive, lift, promote, try again."""

from __future__ import annotations

from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import Ask, Confirm, NotThis
from studio.tui.views.prose.layout import Spot
from studio.tui.widgets.prose_view import ProseView
from tests.tui.pilot import StudioPilot

REACHES = ("here", "words", "chapter", "book")


async def waive(studio: StudioPilot, directive: str, reason: str, reach: str = "here") -> None:
    """Waives a directive (`m`): the passage is meant that way."""
    await studio.on_directive(directive)
    await studio.ask_for("directives.waive")
    await studio.sees(NotThis)
    await studio.press(*["down"] * REACHES.index(reach))
    await studio.answer(NotThis, reason)
    await studio.until(
        lambda: studio.status_of(directive) is DirectiveStatus.WAIVED, "the waived directive"
    )


async def lift(studio: StudioPilot, directive: str, *, asked: bool = False) -> None:
    """Lifts the waiver of a directive (`u`)."""
    await studio.on_directive(directive)
    await studio.ask_for("directives.undo")
    if asked:
        await studio.sees(Confirm)
        await studio.press("y")
    await studio.until(
        lambda: studio.status_of(directive) is DirectiveStatus.PENDING, "the raised directive"
    )


async def select(studio: StudioPilot, scene: int, first: int, last: int) -> None:
    """Selects paragraphs of the text by their numbers: the first by double click, the rest by
    keys."""
    await studio.turn_to("draft")
    view = studio.desk.query_one(ProseView)
    assert view.go_to(scene, first)
    block = view.page.find(scene, first)
    assert block is not None
    row, column = view.page.cell(Spot(block, 0))
    at = view.gutter.left + view.window.margin + column, row - view.scroll_offset.y
    await studio.pilot.click(view, offset=at, times=2)
    assert view.selector.passages
    for _ in range(first, last):
        head = view.strips.selection.head.block if view.strips.selection else 0
        while view.page.blocks[head].number != last:
            await studio.press("shift+down")
            head = view.strips.selection.head.block if view.strips.selection else 0
    await studio.pilot.pause()


async def promote(studio: StudioPilot, wanted: str | None, kind: str, tone: str) -> str:
    """Promotes the selected passage to the style library (`P`); returns the proposed id."""
    await studio.ask_for("desk.promote")
    await studio.sees(Ask, "Into the style library")
    proposed = studio.app.screen.query_one("Input").value
    await studio.answer(Ask, wanted or proposed)
    await studio.answer(Ask, kind)
    await studio.answer(Ask, tone)
    await studio.until(lambda: "in the style library as" in studio.told, "the notice")
    return str(proposed)


async def try_again(studio: StudioPilot, directive: str, note: str) -> None:
    """Retries a directive (`t`) with a note to the surgeon, and waits until it is done."""
    await studio.on_directive(directive)
    before = studio.desk.state.run
    await studio.ask_for("directives.retry")
    await studio.sees(Ask, "It costs ")
    await studio.answer(Ask, note)
    await studio.until(lambda: studio.desk.state.run is not before, "the run")
    await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
    await studio.until(lambda: studio.desk.state.settled, "the desk")

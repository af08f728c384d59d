"""The ways from the text of a chapter to other texts of it."""

from __future__ import annotations

import asyncio

from studio.pipeline.orders import PassageOrder
from studio.project.author.passage_locks import text_in_work
from studio.project.history.variations import NO_TEXT, Variation, Variations
from studio.story.chapter import sha256_of
from studio.story.review.passage import PassagePlace
from studio.tui.screens.page import ReplayScreen
from studio.tui.screens.saved_text import KeptScreen
from studio.tui.screens.versions import VersionsScreen
from studio.tui.widgets.prose_view import ProseView
from tests.pipeline.flows import Desk
from tests.tui.pilot import StudioPilot
from tests.tui.third_chapters import ThirdChapter
from tests.tui.ways import tab


def first_in_sight(prose: ProseView) -> tuple[int, int] | None:
    """Returns scene and number of the first paragraph with a visible row."""
    top = prose.scroll_offset.y
    rows = (prose.page.row(y) for y in range(top, top + (prose.pane.height or prose.page.height)))
    worded = (row for row in rows if row is not None and row.line is not None)
    blocks = (prose.page.blocks[row.block] for row in worded)
    return next(((block.scene, block.number) for block in blocks if block.number), None)


async def replay(studio: StudioPilot, _: ThirdChapter) -> None:
    """Replays the newest call of the chapter to its end."""
    await studio.turn_to("context")
    await studio.ask_for("text.replay")
    await studio.sees(ReplayScreen)
    screen = studio.app.screen
    assert isinstance(screen, ReplayScreen)
    await studio.until(lambda: screen.is_at_end, "the end of what was played")


async def kept(studio: StudioPilot, third: ThirdChapter) -> None:
    """Compares the newest saved text with the present one; removes the version left by an earlier
    visit."""
    variations = Variations(studio.store.layout)
    for version in variations.of(3, 1).variations:
        if version.passage:
            variations.drop(3, 1, version.file)
    await tab("variations", "09:30")(studio, third)
    await studio.ask_for("text.compare")
    await studio.sees(KeptScreen)


async def versions(studio: StudioPilot, _: ThirdChapter) -> None:
    """Opens a version of the first paragraph, made from the second, beside the present text."""
    store, chapter = studio.store, 3
    first, second = text_in_work(store, chapter).paragraphs[:2]
    version = Variation(
        file="",
        sha256=NO_TEXT,
        reason="another version",
        created_at="",
        generation_id="gen-003",
        passage="1.1",
        source_sha256=sha256_of(first.text),
        mode="regenerate",
    )
    Variations(store.layout).keep_version(chapter, version, second.text, 1)
    order = PassageOrder(chapter, PassagePlace(1, 1, 1), "regenerate")
    studio.app.push_screen(VersionsScreen(studio.desk.session, order, at_once=False))
    await studio.sees(VersionsScreen)
    screen = studio.app.screen
    assert isinstance(screen, VersionsScreen)
    await studio.until(lambda: screen._version is not None, "the version")


async def drafted(there: Desk) -> None:
    """Writes a chapter up to its review."""
    ran = await asyncio.to_thread(there.write, review="ask")
    assert ran.exit_code == 4


async def at_the_text(studio: StudioPilot) -> None:
    """Displays the text of the chapter from its beginning, with the focus."""
    await studio.press("2")
    prose = studio.desk.query_one(ProseView)
    await studio.until(lambda: prose.page.blocks, "the text")
    prose.follow = False
    await studio.press("home")
    await studio.until(lambda: first_in_sight(prose) == (1, 1), "its beginning")


async def settled_versions(studio: StudioPilot, count: int) -> VersionsScreen:
    """Returns the page of versions once it has this number of versions."""
    await studio.sees(VersionsScreen)
    screen = studio.app.screen
    assert isinstance(screen, VersionsScreen)
    await studio.until(
        lambda: (
            not screen.situation().running
            and screen._versions is not None
            and len(screen._versions.versions) == count
        ),
        f"{count} versions",
    )
    return screen

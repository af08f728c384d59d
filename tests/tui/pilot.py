"""A driver of the real app in a writer's words. It waits for states, never for time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from studio.project.store import ProjectStore
from studio.story.directive import DirectiveStatus
from studio.tui.app import StudioApp
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.desk import DeskScreen
from studio.tui.widgets.directives_pane import DirectivesPane
from studio.tui.widgets.outline_list import OutlineList

PATIENCE = 60.0
"""Seconds after which a state that does not come is a failure."""


class StudioPilot:
    """Presses keys, and looks at what the writer sees."""

    def __init__(self, app: StudioApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def desk(self) -> DeskScreen:
        """The desk, wherever it lies in the stack."""
        return next(s for s in self.app.screen_stack if isinstance(s, DeskScreen))

    @property
    def store(self) -> ProjectStore:
        """The novel on disk."""
        return self.desk.session.store

    async def until(self, true: Callable[[], Any], what: str) -> None:
        """Waits for a state."""
        async with asyncio.timeout(PATIENCE) as limit:
            while True:
                try:
                    if true():
                        break
                except (StopIteration, LookupError, AttributeError):
                    pass
                if limit.when() is not None and asyncio.get_running_loop().time() > (
                    (limit.when() or 0) - 1
                ):
                    raise AssertionError(f"{what} did not come:\n{self.screen}")
                await asyncio.sleep(0.01)
        await self.pilot.pause()

    @property
    def screen(self) -> str:
        """What is on the screen, as text."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(s.text for s in strip).rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Keys, one after another."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def settled(self) -> None:
        """The novel is open, read, and nothing runs."""
        await self.until(lambda: self.desk.shown is not None and self.desk.model, "the novel")
        await self.until(lambda: not self.desk.run_state.running, "the end of the run")

    async def write_next(self) -> None:
        """`w`, until it stops by itself."""
        before = self.desk.run_state
        await self.press("w")
        await self.until(lambda: self.desk.run_state is not before, "the run")
        await self.until(lambda: self.desk.run_state.outcome is not None, "the outcome")
        await self.until(lambda: self.desk.settled, "the desk")

    async def decide(self, option: str) -> None:
        """Takes an option of the card on the screen, and lets the run go on to its end."""
        await self.until(lambda: isinstance(self.app.screen, DecisionScreen), "the card")
        card = self.app.screen
        assert isinstance(card, DecisionScreen)
        options = [choice.option for choice in card.card.choices]
        for _ in range(len(options)):
            if card.card.choices[card.index].option == option:
                break
            await self.press("j" if options.index(option) > card.index else "k")
        before = self.desk.run_state
        await self.press("enter")
        await self.until(lambda: self.desk.run_state is not before, "the run")
        await self.until(lambda: self.desk.run_state.outcome is not None, "the outcome")
        await self.until(lambda: self.desk.settled, "the desk")

    async def on_directive(self, directive_id: str) -> None:
        """Moves to a directive with j and k."""
        await self.press("3")
        pane = self.directives
        ids = [d.id for d in pane.sheet.directives] if pane.sheet else []
        assert directive_id in ids, f"{directive_id} is none of {ids}"
        while pane.selected is not None and pane.selected.id != directive_id:
            await self.press("j" if ids.index(directive_id) > pane.index else "k")

    async def accept(self, directive_id: str) -> None:
        """Accepts, or keeps."""
        await self._decided(directive_id, "a")

    async def undo(self, directive_id: str) -> None:
        """Takes back."""
        await self._decided(directive_id, "u")

    async def reject(self, directive_id: str, reason: str = "") -> None:
        """Rejects, with a reason."""
        await self.on_directive(directive_id)
        before = self.status_of(directive_id)
        await self.press("r")
        await self.type(reason)
        await self.press("enter")
        await self.until(lambda: self.status_of(directive_id) is not before, "the rejection")

    async def edit(self, directive_id: str, key: str, words: str) -> None:
        """Edits the instruction (`e`) or the result (`E`)."""
        await self.on_directive(directive_id)
        before = self.status_of(directive_id)
        await self.press(key)
        self.app.screen.query_one(TextArea).load_text(words)
        await self.press("ctrl+s")
        await self.until(lambda: self.status_of(directive_id) is not before, "the edit")

    async def type(self, words: str) -> None:
        """Words into the field on the screen."""
        self.app.screen.query_one(Input).value = words
        await self.pilot.pause()

    async def _decided(self, directive_id: str, key: str) -> None:
        await self.on_directive(directive_id)
        before = self.status_of(directive_id)
        await self.press(key)
        await self.until(lambda: self.status_of(directive_id) is not before, "the decision")

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""
        return self.desk.query_one(DirectivesPane)

    def status_of(self, directive_id: str) -> DirectiveStatus | None:
        """How a directive stands on the desk."""
        sheet = self.desk.shown.sheet if self.desk.shown else None
        found = sheet.find(directive_id) if sheet else None
        return found.status if found else None

    def expect_stage(self, name: str, status: str) -> None:
        """How a stage of the run stands."""
        assert self.desk.run_state.stages.get(name) == status, self.desk.run_state.stages

    @property
    def outline_titles(self) -> list[str]:
        """The chapters in the outline."""
        volumes = self.desk.query_one(OutlineList).model
        return [chapter.title for volume in volumes for chapter in volume.chapters]

    @property
    def told(self) -> str:
        """What the corner of the screen said, all of it."""
        return "\n".join(n.message for n in self.app._notifications)


@asynccontextmanager
async def opened(
    folder: Path | None,
    environ: Mapping[str, str],
    size: tuple[int, int] = (120, 36),
    *,
    notifications: bool = False,
    faults: bool = False,
    **overrides: object,
) -> AsyncIterator[StudioPilot]:
    """The app on a novel, opened and at rest; a fault fails the test unless it is awaited."""
    app = StudioApp(folder, overrides, environ)
    async with app.run_test(size=size, notifications=notifications) as pilot:
        driver = StudioPilot(app, pilot)
        if folder is not None:
            await driver.settled()
        yield driver
    assert faults or app.fault is None, app.fault

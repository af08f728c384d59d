"""A driver of the real app in a writer's terms. It waits for states, never for a given time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList, TextArea

from studio.project.store import ProjectStore
from studio.story.status import DirectiveStatus
from studio.tui.actions import BY_ID
from studio.tui.app import StudioApp
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, AskPath, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.importing import ImportScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.widgets.directives_pane import DirectivesPane
from studio.tui.widgets.outline_list import OutlineList
from tests.tui.painted import strips_of

PATIENCE = 180.0
"""The number of seconds after which an awaited state counts as a failure; much longer than a busy
machine takes."""


class StudioPilot:
    """Presses keys and reads the screen."""

    def __init__(self, app: StudioApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def desk(self) -> DeskScreen:
        """The desk, wherever it is in the stack of screens."""
        return next(s for s in self.app.screen_stack if isinstance(s, DeskScreen))

    @property
    def store(self) -> ProjectStore:
        """The novel on disk."""
        return self.desk.session.store

    async def until(self, true: Callable[[], Any], what: str) -> None:
        """Waits until a condition holds."""
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
        """The screen as text."""
        strips = strips_of(self.app.screen)
        return "\n".join("".join(s.text for s in strip).rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Presses keys one after another."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def ask_for(self, action_id: str) -> None:
        """Performs an action by its key, or as the palette does if it has none."""
        key = BY_ID[action_id].keys.split(",")[0]
        if key:
            await self.press(key)
        else:
            await self.app.action_perform(action_id)
            await self.pilot.pause()

    async def sees(self, kind: type[Screen[Any]], words: str = "") -> None:
        """Waits for a screen of this type that displays these words."""
        await self.until(lambda: type(self.app.screen) is kind, kind.__name__)
        if words:
            await self.until(lambda: words in self.screen, repr(words))

    async def answer(self, kind: type[Screen[Any]], words: str | int | None = None) -> None:
        """Answers a question: a string for a field, an index for a list, None for the default."""
        await self.sees(kind)
        asked = self.app.screen
        if isinstance(words, str):
            await self.type(words)
        elif words is not None:
            asked.query_one(OptionList).highlighted = words
        await self.press("enter")
        await self.until(lambda: self.app.screen is not asked, "the next question")

    async def home(self) -> None:
        """Goes back to the desk or the launcher, answering no question."""
        if isinstance(self.app.focused, Input) and isinstance(self.app.screen, DeskScreen):
            await self.press("escape")
        while not isinstance(self.app.screen, DeskScreen | LauncherScreen):
            left = self.app.screen
            importing = any(isinstance(s, ImportScreen) for s in self.app.screen_stack)
            await self.press("y" if isinstance(left, Confirm) and importing else "escape")
            await self.until(lambda left=left: self.app.screen is not left, "the way back")

    async def settled(self) -> None:
        """Waits until the novel is open and read and nothing is running."""
        await self.until(
            lambda: self.desk.state.current is not None and self.desk.state.model, "the novel"
        )
        await self.until(lambda: not self.desk.state.run.running, "the end of the run")
        await self.until(
            lambda: self.desk.state.price_known or self.desk.state.run.running, "what w costs"
        )

    async def write_next(self) -> None:
        """Presses `w` and waits until the run stops or displays its pending question."""
        before = self.desk.state.run
        await self.press("w")

        def begun_or_asked() -> bool:
            asked = isinstance(self.app.screen, DecisionScreen)
            return asked or self.desk.state.run is not before

        await self.until(begun_or_asked, "the run")
        await self.until(lambda: self.desk.state.run.outcome is not None, "the outcome")
        await self.until(lambda: self.desk.state.settled, "the desk")

    async def to_review(self) -> None:
        """Writes up to the review of directives."""
        await self.write_next()

    async def start_writing(self, words: str) -> None:
        """Presses `w` and waits until these words have been streamed to the screen."""
        await self.press("w")
        await self.until(lambda: words in self.desk.state.run.prose, "the stream")
        await self.until(lambda: words in self.screen, "the words on the screen")

    async def stop(self) -> None:
        """Presses Esc and waits until the run has ended."""
        await self.press("escape")
        await self.until(lambda: self.desk.state.run.outcome is not None, "the end")
        await self.until(lambda: self.desk.state.settled, "the desk")

    async def resume(self) -> None:
        """Goes on with the chapter in work, as the notice over the panes offers."""
        await self.until(lambda: "[w] Go on" in self.screen, "the offer")
        await self.write_next()

    async def commit(self) -> None:
        """Commits the chapter, whatever is still open."""
        if self.desk.situation().approved:
            await self.write_next()
        before = self.desk.state.run
        await self.ask_for("desk.commit")
        if isinstance(self.app.screen, Confirm):
            await self.press("y")
        await self.until(lambda: self.desk.state.run is not before, "the run")
        await self.until(lambda: self.desk.state.run.outcome is not None, "the outcome")
        await self.until(lambda: self.desk.state.settled, "the desk")

    async def choose(self, option: str) -> None:
        """Chooses an option of the decision card on the screen."""
        await self.sees(DecisionScreen)
        card = self.app.screen
        assert isinstance(card, DecisionScreen)
        options = [choice.option for choice in card.card.choices]
        while card.card.choices[card.index].option != option:
            await self.press("j" if options.index(option) > card.index else "k")
        await self.press("enter")

    async def decide(self, option: str) -> None:
        """Chooses an option of the decision card and waits for the run to end."""
        before = self.desk.state.run
        await self.choose(option)
        await self.until(lambda: self.desk.state.run is not before, "the run")
        await self.until(lambda: self.desk.state.run.outcome is not None, "the outcome")
        await self.until(lambda: self.desk.state.settled, "the desk")

    async def on_directive(self, directive_id: str) -> None:
        """Moves the cursor to a directive or a proposal with j and k."""
        await self.press("3")
        pane = self.directives
        ids = [d.id for d in pane.changes]
        assert directive_id in ids, f"{directive_id} is none of {ids}"
        while pane.change is None or pane.change.id != directive_id:
            await self.press("j" if ids.index(directive_id) > pane.index else "k")

    async def accept(self, directive_id: str) -> None:
        """Accepts a directive, or keeps its fix."""
        await self._decided(directive_id, "a")

    async def undo(self, directive_id: str) -> None:
        """Undoes a directive."""
        await self._decided(directive_id, "u")

    async def reject(self, directive_id: str, reason: str = "") -> None:
        """Rejects a directive with a reason."""
        await self.on_directive(directive_id)
        before = self.status_of(directive_id)
        await self.press("r")
        await self.type(reason)
        await self.press("enter")
        await self.until(lambda: self.status_of(directive_id) is not before, "the rejection")

    async def edit(self, directive_id: str, key: str, words: str) -> None:
        """Edits the instruction (`e`) or the result (`E`) of a directive."""
        await self.on_directive(directive_id)
        before = self.status_of(directive_id)
        await self.press(key)
        self.app.screen.query_one(TextArea).load_text(words)
        await self.press("ctrl+s")
        await self.until(lambda: self.status_of(directive_id) is not before, "the edit")

    async def type(self, words: str) -> None:
        """Enters text into the field on the screen."""
        self.app.screen.query_one(Input).value = words
        await self.pilot.pause()

    async def on_chapter(self, number: int) -> None:
        """Selects a chapter in the outline and waits for its text."""
        if self.desk.state.current is None or self.desk.state.current.chapter != number:
            self.desk.query_one(OutlineList).go_to(number)
            await self.desk.show_chapter(number)
        await self.press("1")

    async def turn_to(self, tab: str) -> None:
        """Turns the text pane with ] until the tab is in front."""
        await self.press("2")
        while self.desk.panes.tab != tab:
            await self.press("right_square_bracket")

    async def export(self, form: int, place: Path | str) -> None:
        """Exports the whole book (`x`) in a format of the list to a path."""
        count = self.told.count("written to")
        await self.ask_for("desk.export")
        await self.answer(Choose, form)
        if len(self.store.chapter_numbers()) > 1:
            await self.answer(Choose)
        await self.answer(AskPath, str(place))
        await self.until(lambda: self.told.count("written to") > count, "the files")

    async def look_into(self, place: Path) -> ImportScreen:
        """Previews the chapters of a text from the launcher (`i`)."""
        await self.ask_for("launcher.import")
        await self.answer(AskPath, str(place))
        await self.until(lambda: self.app.screen.query_one(OptionList).option_count, "the rows")
        screen = self.app.screen
        assert isinstance(screen, ImportScreen)
        return screen

    async def bring_in(self, folder: Path, title: str, kind: int = 0) -> None:
        """Imports the previewed chapters (`b`) into a new novel, as drafts (0) or committed (1)."""
        await self.ask_for("import.bring")
        await self.answer(AskPath, str(folder))
        await self.answer(Ask, title)
        await self.answer(Choose)
        await self.answer(Choose, kind)
        await self.sees(DeskScreen)
        await self.settled()

    async def on_setting(self, key: str) -> SettingsScreen:
        """Opens the settings (F2) with the cursor on a setting."""
        await self.ask_for("app.settings")
        await self.sees(SettingsScreen)
        page = self.app.screen
        assert isinstance(page, SettingsScreen)
        rows = page.query_one("#settings-rows", OptionList)
        for at in range(rows.option_count):
            if not rows.get_option_at_index(at).disabled:
                rows.highlighted = at
                if page.setting_under_cursor is not None and page.setting_under_cursor.key == key:
                    break
        await self.pilot.pause()
        assert page.setting_under_cursor is not None
        assert page.setting_under_cursor.key == key
        return page

    async def set(self, key: str, words: str) -> None:
        """Sets a setting of this novel to another value."""
        await self.on_setting(key)
        await self.press("enter")
        await self.answer(Choose, 0)
        await self.answer(Ask, words)
        await self.until(lambda: f"{key}: {words}" in self.told, "the change")
        await self.home()

    async def look_back(self) -> HistoryScreen:
        """Opens the saved versions of the current chapter (`H`)."""
        await self.ask_for("desk.history")
        await self.sees(HistoryScreen)
        page = self.app.screen
        assert isinstance(page, HistoryScreen)
        await self.until(
            lambda: page.past is not None and page.version_under_cursor, "the versions"
        )
        return page

    async def bring_back(self) -> None:
        """Restores the selected version of the history."""
        page = await self.look_back()
        await self.ask_for("history.restore")
        await self.until(lambda: page.changed, "the version")
        await self.home()

    async def foresee_rebuild(self) -> RebuildScreen:
        """Opens the preview of a rebuild (`B`) after chapters were changed by hand."""
        await self.ask_for("desk.rebuild")
        await self.sees(RebuildScreen)
        page = self.app.screen
        assert isinstance(page, RebuildScreen)
        await self.until(lambda: page.preview is not None, "the preview")
        return page

    async def rebuild(self) -> RebuildScreen:
        """Previews a rebuild and carries it out."""
        page = await self.foresee_rebuild()
        await self.ask_for("rebuild.begin")
        await self.until(lambda: page.report is not None, "the end of the rebuild")
        return page

    async def _decided(self, directive_id: str, key: str) -> None:
        await self.on_directive(directive_id)
        before = self.status_of(directive_id)
        await self.press(key)
        await self.until(lambda: self.status_of(directive_id) is not before, "the decision")

    @property
    def directives(self) -> DirectivesPane:
        """The directives pane on the right."""
        return self.desk.query_one(DirectivesPane)

    def status_of(self, directive_id: str) -> DirectiveStatus | None:
        """Returns the status of a directive on the desk."""
        sheet = self.desk.state.current.sheet if self.desk.state.current else None
        directive = sheet.find(directive_id) if sheet else None
        return directive.status if directive else None

    def expect_stage(self, name: str, status: str) -> None:
        """Asserts the status of a stage of the run."""
        assert self.desk.state.run.stages.get(name) == status, self.desk.state.run.stages

    @property
    def outline_titles(self) -> list[str]:
        """The titles of the chapters in the outline that have one."""
        volumes = self.desk.query_one(OutlineList).model
        rows = [row for volume in volumes for row in volume.chapters]
        return [row.title for row in rows if row.kind == "chapter" and row.title]

    @property
    def told(self) -> str:
        """All messages in the corner of the screen."""
        return "\n".join(n.message for n in self.app._notifications)


def unseen(screen: Screen[Any]) -> None:
    """Replaces the drawing of a frame: marks everything as drawn and updates the mouse."""
    screen._compositor._dirty_regions.clear()
    screen._dirty_widgets.clear()
    screen.app._update_mouse_over(screen)


@asynccontextmanager
async def opened(
    folder: Path | None,
    environ: Mapping[str, str],
    size: tuple[int, int] = (120, 36),
    *,
    notifications: bool = False,
    faults: bool = False,
    painted: bool = False,
    **overrides: object,
) -> AsyncIterator[StudioPilot]:
    """Opens the app on a novel and waits until it is idle; a fault fails the test unless expected.

    Frames that nobody looks at are half the cost of such a test. They are `painted` only where
    painting is tested; the text of the screen is rendered whenever it is read.
    """
    app = StudioApp(folder, overrides, environ)
    async with AsyncExitStack() as stack:
        if not (painted or faults):
            stack.enter_context(patch.object(Screen, "_compositor_refresh", unseen))
        test = app.run_test(size=size, notifications=notifications)
        pilot = await stack.enter_async_context(test)
        driver = StudioPilot(app, pilot)
        if folder is not None:
            await driver.settled()
        yield driver
    assert faults or app.faults.newest is None, app.faults.newest

"""The desk: outline, text, directives. Holds the widgets, and hands what happens to its parts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.config import recent
from studio.i18n import _
from studio.tui.actions import Action, Where, of
from studio.tui.desk.facts import facts
from studio.tui.desk.opening import Opening
from studio.tui.desk.painter import Painter
from studio.tui.desk.panes import TABS, Panes
from studio.tui.desk.parts.browser import Browser
from studio.tui.desk.state import DeskState
from studio.tui.performs import Deed
from studio.tui.runtime.sheets import read_later_sheets, read_sheet_of_small_windows
from studio.tui.screen import Place, keys_for
from studio.tui.views.situation import Situation
from studio.tui.views.words import Said
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.backdrop import Backdrop, Pane
from studio.tui.widgets.outline_list import Highlighted, OutlineList, Selected
from studio.tui.widgets.prose_view import ParagraphClicked, ProseView
from studio.tui.widgets.stage_bar import StageBar
from studio.tui.widgets.styled import content
from studio.tui.widgets.tab_line import TabLine

if TYPE_CHECKING:
    from studio.pipeline.outcome import Outcome
    from studio.session import Session
    from studio.tui.desk.features import Features
    from studio.tui.desk.state import Pane as PaneName
    from studio.tui.runtime.bridge import Bridge
    from studio.tui.widgets.directives_pane import DirectivesPane

PLACES: tuple[Where, ...] = ("desk", "outline", "direction", "text", "directives")
"""The places whose actions its parts perform."""
_ONE_DRAWING = 0.5
"""Seconds after which nobody waits for a drawing any longer."""


class DeskScreen(Backdrop, Place, Screen[None]):
    """One novel."""

    BINDINGS = keys_for("desk")
    CSS_PATH = "screen.tcss"
    WHERE = ("desk",)
    AUTO_FOCUS = "#outline"

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.prepared = asyncio.Event()
        """Set when the novel is open and every widget there: the first frame has less."""
        self.state = DeskState()
        self.painter: Painter = Painter(self, self)
        self.panes: Panes = Panes(self, self)
        self.browser: Browser = Browser(self, self)
        self.bridge: Bridge
        self.features: Features
        """Both are there once the novel is open."""

    @cached_property
    def session(self) -> Session:
        """The novel, opened when it is first asked for: its types take long to load."""
        from studio.session import Session

        return Session.open(self.folder, self.studio.environ, self.studio.overrides)

    @property
    def is_prepared(self) -> bool:
        """Whether the novel is open and every widget there."""
        return self.prepared.is_set()

    async def wait_prepared(self) -> None:
        """Returns when they are."""
        await self.prepared.wait()

    @property
    def is_settled(self) -> bool:
        """Whether the tab in sight has been read."""
        return not self._is_equipped or self.features.material.is_read.is_set()

    async def wait_settled(self) -> None:
        """Returns when it has."""
        await self.features.material.is_read.wait()

    @property
    def _is_equipped(self) -> bool:
        return "features" in vars(self)

    # Coming and going

    def compose(self) -> ComposeResult:
        """What the first frame shows, and what costs nothing to have hidden; see `furnish`."""
        if not self.has_class("-wide", "-tall"):  # else they come with the later sheets (P5)
            read_sheet_of_small_windows(self.app)
        self.add_class("-on-outline", update=False)
        yield Static(id="title-line")
        with Pane(id="panes"):
            with Pane(id="outline-pane", classes="pane", keys=keys_for("outline")):
                yield Static(content(Said(_("Outline"), "heading")), classes="pane-title -in-use")
                yield self._focused_outline()
            with Pane(id="text-pane", classes="pane", keys=keys_for("text")):
                yield TabLine(TABS, id="tabs", classes="pane-title")
                with Pane(id="tab-pages"):
                    yield ProseView(id="draft")
            with Pane(id="directives-pane", classes="pane"):
                yield Static(id="directives-title", classes="pane-title")
        yield StageBar(id="stages")
        yield ActionLine(id="hints")
        yield Static(id="too-small")

    def _focused_outline(self) -> OutlineList:
        """The outline, which has the keys before it has styles: with the keys given to it later
        Textual would look up all its styles again (performance P5)."""
        outline = OutlineList(id="outline")
        outline.set_reactive(OutlineList.has_focus, self.app.app_focus)
        return outline

    def on_mount(self) -> None:
        """A glance at the novel, then all of it."""
        Opening(self).glance()

    def equip(self) -> Features:
        """Makes what the desk can do, now that the novel is open."""
        from studio.tui.desk.features import Features
        from studio.tui.runtime.bridge import Bridge

        features = Features(self, self, self.panes)
        self.bridge = Bridge(self.session, features.run.follow, self._run_ended)
        self.features = features
        return features

    async def furnish(self) -> None:
        """The widgets nobody sees at first; laid out and drawn once for all of them."""
        from studio.tui.desk.parts.direction_line import DirectionLine
        from studio.tui.widgets.diff_view import DiffView
        from studio.tui.widgets.directives_pane import DirectivesPane
        from studio.tui.widgets.lines_view import LinesView
        from studio.tui.widgets.saved_texts_list import KeptList

        hidden = (DiffView(id="diff"), LinesView(id="plan"), LinesView(id="context"))
        pages = (*hidden, KeptList(id="variations"))
        for page in pages:
            page.display = False
        with self.app.batch_update():
            read_later_sheets(self.app)
            await self.mount(ActionLine(id="notice"), before="#panes")
            await self.mount(DirectionLine(id="direction"), before="#stages")
            await self.query_one("#directives-pane").mount(DirectivesPane(id="directives"))
            await self.query_one("#tab-pages").mount(*pages)
        await self.wait_drawn()  # before a thread begins to read: they share one interpreter

    async def wait_drawn(self) -> None:
        """Returns when what was changed is on the screen, or soon: under a page nothing is drawn.

        Beside a thread at work a drawing takes twice as long (P6).
        """
        first_frame = asyncio.Event()
        self.call_after_refresh(first_frame.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(first_frame.wait(), _ONE_DRAWING)

    def halt(self) -> None:
        """Stops the run where it stands; what it has is kept by the engine."""
        if self._is_equipped:
            self.bridge.halt()

    async def put_away(self) -> None:
        """Stops what runs, remembers the place, and makes a dated copy of the novel."""
        if self._is_equipped:
            await self.bridge.close()
        if self.is_prepared:  # before, she is not yet where she was
            memory = self.studio.memory.with_place(self.folder, self.panes.place())
            self.studio.memory = memory
            await asyncio.to_thread(recent.keep, self.studio.environ, memory)
        if self._is_equipped:
            self.features.external_changes.stop()
            await self.features.external_changes.back_up()

    async def on_unmount(self) -> None:
        """Nobody looks any more."""
        if self._is_equipped:
            self.features.external_changes.stop()

    # What its parts ask of it

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""
        return cast("DirectivesPane", self.query_one("#directives"))

    @property
    def is_on_top(self) -> bool:
        """Whether nothing lies over it."""
        return self.app.screen is self

    def situation(self) -> Situation:
        """What the actions look at."""
        if not self.is_prepared:
            return facts(self.state)._replace(opening=True)
        now = facts(
            self.state,
            self.directives.selected,
            counsel=self.directives.counsel is not None,
            selection=bool(self.painter.prose.selector.text),
            directing=self.features.direction.is_open,
        )
        choice = now.directives_here and self.directives.open_choice is not None
        answered = self.directives.answered_choice is not None
        more = self.directives.lists_several
        now = now._replace(choice=choice, answered=answered, more=more)
        return self.features.material.add_to(now)

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """Reads the novel again; with `fresh` every file that changed is looked at."""
        await self.features.reader.reread(fresh=fresh, chapter=chapter)
        if fresh:
            await self.find_edits()

    async def find_edits(self) -> None:
        """Looks for what was changed elsewhere, once what was read is drawn."""
        await self.wait_drawn()
        await self.features.external_changes.find_edits()

    async def show_chapter(self, chapter: int) -> None:
        """Shows a chapter in the text pane and its directives beside it."""
        await self.features.reader.show_chapter(chapter)

    def draw_rest(self) -> None:
        """Draws everything but the outline and the text, and reads the tab in sight again."""
        self.painter.rest()
        self.show_hints()
        self.features.material.read_tab()

    def go_to_pane(self, pane: PaneName) -> None:
        """Gives a pane the keys and makes sure it is in sight."""
        self.panes.go_to(pane)
        self.show_hints()

    def go_to_tab(self, tab: str) -> None:
        """Turns the text pane, and reads what the tab shows."""
        self.panes.go_to_tab(tab)
        self.features.material.read_tab()

    def work(self, task: Coroutine[Any, Any, None], group: str, *, exclusive: bool = False) -> None:
        """Lets something go on beside the screen, in place of its group where it is exclusive."""
        self.run_worker(task, group=group, exclusive=exclusive)

    def _run_ended(self, outcome: Outcome) -> None:
        self.work(self.features.take_outcome(outcome), "outcome")

    # Actions

    def can_perform(self, action: Action) -> bool:
        """Its parts may not be there yet; an action waits for them."""
        return action.where in PLACES

    def performer(self, action_id: str) -> Deed | None:
        """The part of the desk that performs an action; before they are there it can be left."""
        if self.is_prepared:
            if action_id == "desk.stop" and self._may_leave_direction:
                action_id = "direction.leave"
            return self.features.performer(action_id)
        return self.studio.return_to_launcher if action_id == "desk.stop" else None

    @property
    def _may_leave_direction(self) -> bool:
        """Whether its line stayed open when a click took the keys elsewhere."""
        return self.features.direction.is_open and not self.state.run.running

    def naming(self, words: str) -> str:
        """Words with each directive of the chapter in sight by its kind and place."""
        from studio.tui.views.review.decision_card import named

        return named(words, self.state.sheet)

    @property
    def help_places(self) -> tuple[Where, ...]:
        """The pane in use, then what works in all of them."""
        return (self.state.pane, *self.WHERE)

    def hinted(self) -> Iterable[Action]:
        """First what the pane itself can do; while words are typed, only what works then."""
        if self.is_prepared and self.features.direction.has_keys:
            return (a for a in (*of("direction"), *of("global")) if a.hint)
        pane = self.state.pane
        here, behind = of(pane), of("desk")
        if pane == "text" and self.panes.tab != "draft":  # what is about the text is not in sight
            here = tuple(a for a in here if a.id not in ("text.another", "text.follow"))
        if pane == "outline":
            here, behind = behind, here
        return (a for a in (*here, *behind, *of("global")) if a.hint)

    def on_any_key(self) -> None:
        """The stream waits while the key is painted."""
        super().on_any_key()
        if self.is_prepared:  # a key may come before there is anything to paint it on
            self.bridge.hold()
            self.painter.prose.stream.hold_back()

    # Messages

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """A card that waited comes now."""
        self.painter.prose.measure = self.studio.measure
        if self._is_equipped and self.features.decisions.take_waiting_card():
            self.call_after_refresh(self.features.decisions.decide)

    def on_resize(self, event: events.Resize) -> None:
        """Draws what depends on the width."""
        self.painter.title()
        self.painter.too_small()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The mouse changes panes too."""
        self.panes.heed_focus(event.widget)
        self.show_hints()

    def on_tab_line_chosen(self, message: TabLine.Chosen) -> None:
        """A tab by mouse."""
        if self.is_prepared:
            self.go_to_tab(message.tab)

    def on_outline_list_selected(self, message: Selected) -> None:
        """Enter in the outline goes to the chapter, or to its scene; on another row, its way."""
        place = message.place
        if place.is_chapter:
            self.browser.go_to(place)
        elif self._is_equipped:
            self.features.planning.follow_row(place)

    def on_outline_list_highlighted(self, message: Highlighted) -> None:
        """The text follows the cursor, when it rests."""
        if message.place.is_chapter:
            self.browser.pass_by(message.place)

    def on_directives_pane_moved(self) -> None:
        """The text follows the cursor here as well."""
        self.features.review.follow_cursor()

    def on_prose_view_paragraph_clicked(self, message: ParagraphClicked) -> None:
        """A click on a paragraph finds its directive."""
        if self.is_prepared:
            self.features.review.go_to_paragraph(message.scene, message.paragraph)

    def on_option_list_option_selected(self) -> None:
        """Enter or a click on a kept text."""
        self.features.material.compare()

"""The screen of the desk: outline, text, directives. It owns the widgets, and passes events to the
features. It opens by a glance at the novel first, everything else after the first frame.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.config import recent
from studio.errors import StudioError
from studio.i18n import _, translate
from studio.story.lengths import unit_in
from studio.tui.actions import BY_ID, Action, Where, of
from studio.tui.desk.facts import facts
from studio.tui.desk.first_frame import draw_first_frame
from studio.tui.desk.painter import Painter
from studio.tui.desk.panes import TABS, Panes, TabLine
from studio.tui.desk.parts.browser import Browser
from studio.tui.desk.state import DeskState
from studio.tui.key_bindings import binding_of, bindings_of
from studio.tui.performs import Performer
from studio.tui.runtime.garbage import tidy
from studio.tui.runtime.look import read_later_sheets, read_sheet_of_small_windows
from studio.tui.runtime.warm_up import load_desk, warm_up
from studio.tui.screen import StudioScreen
from studio.tui.textual_private import Toast
from studio.tui.views.key_names import keys_of
from studio.tui.views.situation import Situation
from studio.tui.views.words import Phrase
from studio.tui.widgets.backdrop import Backdrop, Pane
from studio.tui.widgets.outline_list import Highlighted, OutlineList, Selected
from studio.tui.widgets.prose_view import ParagraphClicked, ProseView
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studio.pipeline.events import Event
    from studio.pipeline.outcome import Outcome
    from studio.session import Session
    from studio.tui.desk.features import Features
    from studio.tui.desk.state import Pane as PaneName
    from studio.tui.runtime.bridge import Bridge
    from studio.tui.widgets.directives_pane import DirectivesPane


_LOOK = 1.0
"""Seconds between two checks of change detection, of a silent run, and of garbage to collect."""


class Opening:
    """Opens the desk: outline and text first, the rest after the first frame (performance P5,
    P6)."""

    def __init__(self, desk: DeskScreen) -> None:
        self._desk = desk

    def glance(self) -> None:
        """Draws what the first frame shows."""
        desk = self._desk
        at = draw_first_frame(desk.folder, desk.studio, desk.state, desk.painter, desk.panes)
        # The app runs this once it has drawn a frame; called earlier, it would delay the frame.
        desk.app.call_later(desk.call_after_refresh, self.after_first_frame, at)

    def after_first_frame(self, paragraph: tuple[int, int] | None) -> None:
        """Scrolls to the writer's last place, then opens the rest."""
        if paragraph is not None:
            self._desk.painter.prose.go_to(*paragraph)
        self._desk.work(self._settle(), "settle")

    async def _settle(self) -> None:
        """Opens everything the first frame did not wait for."""
        desk = self._desk
        await desk.lay_foot()
        try:
            await asyncio.to_thread(self._open)
        except StudioError as error:
            desk.studio.refuse(error.problem)
            return
        features = desk.equip()
        await desk.furnish()
        desk.painter.diff_view.ascii_only = desk.studio.ascii_only
        desk.studio.take_novel(desk.session)
        desk.painter.prose.measure = desk.studio.measure
        desk.painter.prose.window.close_up(desk.studio.look.compact)
        desk.panes.name_count(unit_in(desk.session.settings))
        await self._finish_change()
        if desk.state.current is not None and desk.state.current.text is None:
            desk.go_to_tab("plan")
        try:
            await features.reader.reread()
        finally:
            desk.state.first_question_comes = features.decisions.leads_on
            desk.prepared.set()  # a glance knows neither questions nor a book that is being begun
            desk.show_hints()
        await desk.find_edits()
        await features.reader.recall_spending()
        # One at a time: two busy threads would starve the event loop (P6).
        await desk.wait_drawn()
        await features.reader.name_model()
        if (failure := desk.painter.failure()) is not None:
            desk.studio.tell(failure)  # the line above the panes has no room for what to do
        features.decisions.lead_on()
        desk.watch(desk.app, "app_focus", self._heed_focus, init=False)
        desk.set_interval(_LOOK, features.look_again)
        await features.reader.look_up_price()
        await features.external_changes.begin()
        await desk.wait_drawn()
        await asyncio.to_thread(warm_up)
        desk.set_interval(_LOOK, self._tidy)

    async def _finish_change(self) -> None:
        """Completes plans or texts that a crash left partly saved before they are read:
        otherwise a plan would look unplanned, and a form over it would be refused. Enters what
        calls cost that it killed, and keeps what they had written of other versions."""
        from studio.pipeline.chapter.run import keep_half_versions
        from studio.pipeline.costs import settle_killed_calls
        from studio.project.commit.writing import finish_change

        desk = self._desk
        store = desk.session.store
        try:
            sentences = await desk.bridge.call(finish_change, store)
            for sentence in sentences:
                desk.studio.say(translate(sentence))
            settings = desk.session.settings
            await desk.bridge.call(settle_killed_calls, store, settings)
            half_versions = await desk.bridge.call(
                keep_half_versions, store, settings.novel.language
            )
            desk.state.half_versions = half_versions
        except StudioError:  # no one, or someone else, can write now: her next action reports it
            return

    def _tidy(self) -> None:
        """Collects garbage while the writer is idle and no page or message is open, when live
        objects are likely to stay. Also during streaming: leaving it all to the end of a run
        would take too long."""
        desk = self._desk
        if desk.is_on_top and desk.hands_rest and not desk.query(Toast):
            tidy()

    def _open(self) -> None:
        """Opens the novel and imports the modules of the desk; runs in a thread."""
        load_desk()
        _ = self._desk.session

    def _heed_focus(self, focused: bool) -> None:
        """Checks for changes when the writer returns, perhaps from another editor."""
        if focused:
            self._desk.features.external_changes.look_soon()


PLACES: tuple[Where, ...] = ("desk", "outline", "direction", "text", "directives")
"""The places whose actions the desk's features perform."""
_ONE_DRAWING = 0.5
"""Seconds after which nothing waits for a drawing any longer."""


class DeskScreen(Backdrop, StudioScreen, Screen[None]):
    """The desk of one novel."""

    BINDINGS = [*bindings_of("desk"), binding_of(BY_ID["outline.add"])]
    """A chapter can be added from any pane: the question says where it will stand."""
    CSS_PATH = "screen.tcss"
    WHERE = ("desk",)
    AUTO_FOCUS = "#outline"

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.prepared = asyncio.Event()
        """Set when the novel is open and every widget exists: the first frame has fewer."""
        self.state = DeskState()
        self.painter: Painter = Painter(self, self)
        self.panes: Panes = Panes(self, self)
        self.browser: Browser = Browser(self, self)
        self.bridge: Bridge
        self.features: Features
        """Both exist once the novel is open."""

    @cached_property
    def session(self) -> Session:
        """The session on the novel, opened on first use: its types are slow to import."""
        from studio.session import Session

        session = Session.open(self.folder, self.studio.environ, self.studio.overrides)
        session.store.say = partial(self.studio.say, severity="warning")
        return session

    @property
    def is_prepared(self) -> bool:
        """Whether the novel is open and every widget exists."""
        return self.prepared.is_set()

    async def wait_prepared(self) -> None:
        """Returns when the novel is open and every widget exists."""
        await self.prepared.wait()

    @property
    def takes_keys(self) -> bool:
        """Whether no question is on its way with which a book begins."""
        return not self.state.first_question_comes

    @property
    def is_settled(self) -> bool:
        """Whether the visible tab has been read."""
        return not self._is_equipped or self.features.material.is_read.is_set()

    async def wait_settled(self) -> None:
        """Returns when the visible tab has been read."""
        await self.features.material.is_read.wait()

    @property
    def is_deciding(self) -> bool:
        """Whether one is, with nothing over the desk."""
        return self._is_equipped and self.is_on_top and self.bridge.under_way > 0

    @property
    def _is_equipped(self) -> bool:
        return "features" in vars(self)

    # Opening and closing

    def compose(self) -> ComposeResult:
        """Yields what the first frame shows, and hidden widgets that cost nothing; see
        `furnish`."""
        if not self.has_class("-wide", "-tall"):  # otherwise loaded with the later sheets (P5)
            read_sheet_of_small_windows(self.app)
        self.add_class("-on-outline", update=False)
        yield Static(id="title-line")
        with Pane(id="panes"):
            with Pane(id="outline-pane", classes="pane", keys=bindings_of("outline")):
                yield Static(content(Phrase(_("Outline"), "heading")), classes="pane-title -in-use")
                yield self._focused_outline()
            with Pane(id="text-pane", classes="pane", keys=bindings_of("text")):
                yield TabLine(TABS, id="tabs", classes="pane-title")
                with Pane(id="tab-pages"):
                    yield ProseView(id="draft", has_cursor=True)
            yield Pane(id="directives-pane", classes="pane")
        yield Pane(id="foot")

    def _focused_outline(self) -> OutlineList:
        """Returns the outline, focused before it is styled: focusing it later would make Textual
        compute all its styles again (performance P5)."""
        outline = OutlineList(id="outline")
        outline.set_reactive(OutlineList.has_focus, self.app.app_focus)
        return outline

    def on_mount(self) -> None:
        """Opens the novel: a glance first, then all of it."""
        Opening(self).glance()

    def equip(self) -> Features:
        """Creates the features of the desk, once the novel is open."""
        from studio.tui.desk.features import Features
        from studio.tui.runtime.bridge import Bridge

        features = Features(self, self, self.panes)
        self.bridge = Bridge(self.session, self._follow, self._run_ended)
        self.features = features
        return features

    async def lay_foot(self) -> None:
        """The lines under the panes, for which the first frame keeps the room, and what a window
        that is too small shows."""
        from studio.tui.widgets.action_line import ActionLine
        from studio.tui.widgets.stage_bar import StageBar

        bar = StageBar(id="stages")
        bar.ascii_only = self.studio.ascii_only
        with self.app.batch_update():
            await self.query_one("#foot").mount(bar, ActionLine(id="hints"))
            await self.mount(Static(id="too-small"))
        self.painter.too_small()
        self.show_hints()
        await self.wait_drawn()  # before a thread begins to read: they share one interpreter

    async def furnish(self) -> None:
        """Mounts the widgets that are hidden at first, with a single layout and drawing."""
        from studio.tui.desk.parts.direction import DirectionLine
        from studio.tui.widgets.action_line import ActionLine
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
            lines = (ActionLine(id="kept-direction"), DirectionLine(id="direction"))
            await self.mount(*lines, before="#foot")
            title = Static(id="directives-title", classes="pane-title")
            review = DirectivesPane(id="directives")
            await self.query_one("#directives-pane").mount(title, review)
            await self.query_one("#tab-pages").mount(*pages)
        await self.wait_drawn()  # before a reading thread starts: both share one interpreter

    async def wait_drawn(self) -> None:
        """Returns when changes are drawn, or after a short wait: below a page nothing is drawn.

        Beside a busy thread, drawing takes twice as long (P6).
        """
        first_frame = asyncio.Event()
        self.call_after_refresh(first_frame.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(first_frame.wait(), _ONE_DRAWING)

    def halt(self) -> None:
        """Stops the run at once; the engine saves what it has."""
        if self._is_equipped:
            self.bridge.halt()

    async def keep_typed(self) -> None:
        """Keeps what stands in the line for the direction."""
        if self._is_equipped:
            await self.features.direction.keep_typed()

    async def put_away(self) -> None:
        """Stops the running work, remembers the place, and backs up the novel under today's
        date."""
        if self._is_equipped:
            await self.bridge.close()
        if self.is_prepared:  # before that, she is not yet at her place
            memory = self.studio.memory.with_place(self.folder, self.panes.place())
            self.studio.memory = memory
            since = self.studio.recalled
            await asyncio.to_thread(recent.keep, self.studio.environ, memory, since)
        if self._is_equipped:
            self.features.external_changes.stop()
            await self.features.external_changes.back_up()

    async def on_unmount(self) -> None:
        """Stops watching for outside changes."""
        if self._is_equipped:
            self.features.external_changes.stop()

    # What its features ask of it

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""
        return cast("DirectivesPane", self.query_one("#directives"))

    @property
    def is_on_top(self) -> bool:
        """Whether nothing lies over the desk."""
        return self.app.screen is self

    def situation(self) -> Situation:
        """Returns the facts that actions check."""
        if not self.is_prepared:
            return facts(self.state)._replace(opening=True)
        now = facts(
            self.state,
            self.directives.directive_under_cursor,
            counsel=self.directives.counsel is not None,
            selection=bool(self.painter.prose.selector.text),
            directing=self.features.direction.is_open,
        )
        choice = self.directives.open_choice is not None
        answered = self.directives.answered_choice is not None
        placed, lost = self.directives.proposal, self.directives.unplaced_under_cursor
        group = self.directives.line_edits
        now = now._replace(
            follows=self.painter.prose.follow,
            choice=choice,
            answered=answered,
            last_decided=bool(self.directives.last_decided),
            more=self.directives.lists_several,
            proposal=placed.proposal if placed is not None else None,
            unplaced=lost is not None,
            edits=group.counts if group is not None else None,
        )
        return self.features.material.add_to(now)

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """Rereads the novel; with `fresh`, checks every changed file."""
        with self.bridge.changing():
            await self.features.reader.reread(fresh=fresh, chapter=chapter)
        if fresh:
            await self.find_edits()

    async def find_edits(self) -> None:
        """Looks for changes of other programs, once the latest read is drawn."""
        await self.wait_drawn()
        await self.features.external_changes.find_edits()

    async def show_chapter(self, chapter: int) -> None:
        """Shows a chapter in the text pane and its directives beside it."""
        await self.features.reader.show_chapter(chapter)

    def draw_rest(self) -> None:
        """Draws everything but the outline and the text, and rereads the visible tab."""
        self.painter.rest()
        self.show_hints()
        self.features.material.read_tab()

    def go_to_pane(self, pane: PaneName) -> None:
        """Focuses a pane and makes sure it is visible."""
        self.panes.go_to(pane)
        self.show_hints()

    def go_to_tab(self, tab: str) -> None:
        """Switches the text pane to a tab, and reads what the tab shows."""
        self.panes.go_to_tab(tab)
        self.features.material.read_tab()

    def work(self, task: Coroutine[Any, Any, None], group: str, *, exclusive: bool = False) -> None:
        """Runs a task beside the screen; if exclusive, it replaces the others of its group."""
        self.run_worker(task, group=group, exclusive=exclusive)

    def _follow(self, events: Sequence[Event]) -> None:
        if self.display:  # not while it is being closed, when its lines are gone
            self.features.run.follow(events)

    def _run_ended(self, outcome: Outcome) -> None:
        self.work(self.features.take_outcome(outcome), "outcome")

    # Actions

    def can_perform(self, action: Action) -> bool:
        """Whether the action is the desk's, even before its features exist: the action waits for
        them."""
        return action.where in PLACES

    def performer(self, action_id: str) -> Performer | None:
        """Returns what performs an action of the desk; before the features exist, the desk can
        only be left."""
        if self.is_prepared:
            if action_id == "desk.stop" and self.features.direction.may_be_left:
                action_id = "direction.leave"
            return self.features.performer(action_id)
        return self.studio.return_to_launcher if action_id == "desk.stop" else None

    def action_meant_by(self, action_id: str) -> str:
        """Returns the plan for the key that turns back through calls, where no calls can be turned
        through: the foot of the screen names it by that key."""
        if action_id != "text.previous_call" or not self.is_prepared:
            return action_id
        keymap = self.studio.keymap
        shared = {*keys_of(BY_ID[action_id], keymap).split(",")} & {
            *keys_of(BY_ID["desk.plan"], keymap).split(",")
        }
        turns = self.panes.tab == "context" and (not self.is_settled or self.situation().calls > 1)
        return "desk.plan" if shared and not turns else action_id

    def with_names(self, words: str) -> str:
        """Returns a text with each directive's id replaced by kind and place in the current
        chapter."""
        from studio.tui.views.review.decision_card import name_directives

        return name_directives(words, self.state.sheet)

    @property
    def help_places(self) -> tuple[Where, ...]:
        """The focused pane, then the places common to all panes."""
        return (self.state.pane, *self.WHERE)

    def actions_to_hint(self) -> Iterable[Action]:
        """Returns the focused pane's actions first; while the writer types, only those that work
        then."""
        if self.is_prepared and self.features.direction.has_keys:
            return (a for a in (*of("direction"), *of("global")) if a.hint)
        pane = self.state.pane
        here, behind = of(pane), of("desk")
        if pane == "text" and self.panes.tab != "draft":  # what is about the text is hidden
            here = tuple(a for a in here if a.id not in ("text.another", "text.follow"))
        if pane == "outline":
            here, behind = behind, here
        return (a for a in (*here, *behind, *of("global")) if a.hint)

    def on_any_key(self) -> None:
        """Holds the stream back while the key's effect is painted."""
        super().on_any_key()
        self.state.first_question_comes = False  # while it comes, only a way out is handed on
        if self.is_prepared:  # a key may come before there is anything to paint
            self.bridge.hold()
            self.painter.prose.stream.hold_back()

    # Messages

    def on_screen_suspend(self) -> None:
        """The question that was on its way has come, or another."""
        self.state.first_question_comes = False

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Opens a waiting card once nothing lies over the desk, and counts what was spent there."""
        self.painter.prose.measure = self.studio.measure
        self.painter.prose.window.close_up(self.studio.look.compact)
        if self._is_equipped:
            self.work(self.features.reader.renew_spending(), "spending", exclusive=True)
        if self._is_equipped and self.features.decisions.take_waiting_card():
            self.call_after_refresh(self.features.decisions.decide)

    def on_resize(self, event: events.Resize) -> None:
        """Redraws what depends on the width."""
        self.painter.title()
        self.painter.too_small()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Enters the pane that the mouse has focused."""
        self.panes.heed_focus(event.widget)
        self.show_hints()

    def on_tab_line_chosen(self, message: TabLine.Chosen) -> None:
        """Switches to the tab that was clicked."""
        if self.is_prepared:
            self.go_to_tab(message.tab)

    def on_outline_list_selected(self, message: Selected) -> None:
        """Goes to the chapter or scene on which Enter was pressed; any other row opens what it
        stands for."""
        place = message.place
        if place.is_chapter:
            self.browser.go_to(place)
        elif self._is_equipped:
            self.features.planning.follow_row(place)

    def on_outline_list_highlighted(self, message: Highlighted) -> None:
        """Makes the text follow the outline's cursor, once it rests."""
        if message.place.is_chapter:
            self.browser.pass_by(message.place)

    def on_directives_pane_moved(self) -> None:
        """Makes the text follow the cursor of the directives."""
        self.features.review.follow_cursor()

    def on_prose_view_follow_changed(self) -> None:
        """Names what the key of following does now."""
        if self.state.run.running:
            self.show_hints()

    def on_prose_view_paragraph_clicked(self, message: ParagraphClicked) -> None:
        """Finds the directive of the clicked paragraph."""
        if self.is_prepared:
            self.features.review.go_to_paragraph(message.scene, message.paragraph)

    def on_option_list_option_selected(self) -> None:
        """Opens the saved text that was chosen by Enter or a click."""
        self.features.material.compare()

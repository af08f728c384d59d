"""The base of every screen: what performs its actions, and the facts those actions check."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from itertools import takewhile
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from textual.reactive import Reactive

from studio.errors import StudioError
from studio.tui import textual_private as private
from studio.tui.actions import Action, Where, of
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import Performer, performer
from studio.tui.runtime.app_loop import close_when_over
from studio.tui.runtime.drawing import compute_undivided, settled_sizes
from studio.tui.runtime.resilience import Steady
from studio.tui.terminal.composing import SparingCompositor, behind
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from textual.app import App
    from textual.await_remove import AwaitRemove
    from textual.binding import BindingType
    from textual.events import Resize, ScreenResume
    from textual.geometry import Region, Size
    from textual.messages import Prune
    from textual.screen import Screen
    from textual.strip import Strip
    from textual.widget import Widget
    from textual.worker import Worker, WorkType

    from studio.tui.runtime.bridge import Bridge
    from studio.tui.studio import Studio
    from studio.tui.widgets.action_line import ActionLine

REST = 3.0
"""Seconds without a key after which the writer counts as idle."""
PROMPT = 1 / 30
"""Seconds after a key during which its effect is drawn at once."""


def classes_for_size(app: App[Any]) -> list[str]:
    """Returns the classes that Textual gives a screen for the size of the window."""
    size = app.size
    sides = ((size.width, app.HORIZONTAL_BREAKPOINTS), (size.height, app.VERTICAL_BREAKPOINTS))
    return [
        max((least, name) for least, name in steps if least <= cells)[1]
        for cells, steps in sides
        if steps
    ]


class StudioScreen(Steady):
    """The mixin that every screen of the studio shares."""

    WHERE: ClassVar[tuple[Where, ...]] = ()
    """The places whose actions work on this screen, in addition to the global ones; their keys are
    bound here, unless the screen names its BINDINGS itself."""
    BINDINGS: ClassVar[list[BindingType]]
    _bridge: Bridge | None = None
    """The bridge to the engine, on a screen that runs work itself."""
    _prompt_until = 0.0
    _question_comes = False
    """Whether a question was asked for that is not on the screen yet."""
    fitted: Size | None = None
    """The window size for which the layout and the classes were computed."""
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """The focused widget. Only it and the previously focused one redraw; Textual would draw
    everything."""

    def __init_subclass__(cls, **options: Any) -> None:
        if "WHERE" in vars(cls) and "BINDINGS" not in vars(cls):
            cls.BINDINGS = [*bindings_of(*cls.WHERE), *bindings_of("global")]
        super().__init_subclass__(**options)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        private.COMPOSITOR.put(self, SparingCompositor())

    @property
    def studio(self) -> Studio:
        """The app, as the protocol that screens know."""
        return cast("Studio", cast("Screen[object]", self).app)

    @property
    def is_prepared(self) -> bool:
        """Whether everything the screen's actions need is ready."""
        return True

    async def wait_prepared(self) -> None:
        """Returns when everything the screen's actions need is ready."""

    @property
    def takes_keys(self) -> bool:
        """Whether any key acts here; otherwise only those that lead out."""
        return True

    @property
    def is_settled(self) -> bool:
        """Whether the data the screen's actions check has been read, with no read in progress."""
        return True

    async def wait_settled(self) -> None:
        """Returns when that data has been read."""

    @property
    def is_deciding(self) -> bool:
        """Whether a change of hers is being recorded or read back."""
        return False

    @property
    def below(self) -> StudioScreen | None:
        """The nearest screen of ours below this one, regardless of what lies above."""
        here = cast("object", self)
        under = takewhile(lambda screen: screen is not here, self.app.screen_stack)
        return next((s for s in reversed([*under]) if isinstance(s, StudioScreen)), None)

    def situation(self) -> Situation:
        """Returns the facts that actions check: by default those of the screen below."""
        return Situation() if self.below is None else self.below.situation()

    def action_meant_by(self, action_id: str) -> str:
        """Returns the action that a key means here and now: that of a place within the screen gives
        way where it is about nothing in sight."""
        return action_id

    def with_names(self, words: str) -> str:
        """Returns a text with each directive's id replaced by kind and place, as the screen
        below knows them."""
        from studio.tui.views.review.decision_card import name_directives

        return name_directives(words, None) if self.below is None else self.below.with_names(words)

    @property
    def help_places(self) -> tuple[Where, ...]:
        """The places whose keys and marks the help page lists first."""
        return self.WHERE

    def actions_to_hint(self) -> Iterable[Action]:
        """Returns the actions that the foot of the screen names, the most useful first."""
        return (a for a in (*of(*self.WHERE), *of("global")) if a.hint)

    def show_hints(self) -> None:
        """Redraws the hints at the foot of the screen."""
        now = self.situation()
        screen = cast("Screen[object]", self)
        for line in screen.query("#hints"):
            cast("ActionLine", line).offer(self.actions_to_hint(), now)

    def converse(self, questions: Coroutine[Any, Any, None]) -> None:
        """Asks the writer a series of questions; an error in between is reported. While the first
        of others is on its way, nothing is asked: its key was pressed twice."""
        if self._question_comes:
            questions.close()
            return
        self._question_comes = True
        cast("Screen[object]", self).run_worker(self._converse(questions), group="ask")

    async def _converse(self, questions: Coroutine[Any, Any, None]) -> None:
        try:
            await questions
        except StudioError as error:
            self.studio.tell(error.problem)
        finally:
            self._question_comes = False

    def on_any_key(self) -> None:
        """Notes that any key was pressed: a stream waits while its effect is painted."""
        self._prompt_until = monotonic() + PROMPT

    @property
    def hands_rest(self) -> bool:
        """Whether no key has been pressed on this screen for a while."""
        return monotonic() > self._prompt_until + REST

    def on_idle(self) -> None:
        """Draws right after a key instead of at the screen's next tick, which a stream could
        delay by a frame (performance P4)."""
        if private.UNDRAWN_WIDGETS.of(self) and monotonic() < self._prompt_until:
            private.DRAW_NOW.of(self)()

    def remove(self) -> AwaitRemove:
        """Textual's hook for removing a screen: prunes only this screen. For its parent's sake
        Textual would lay out and redraw the screen below, which is already drawn (performance
        P18)."""
        return cast("AwaitRemove", private.PRUNE.of(self.app)(self))

    @property
    def is_current(self) -> bool:
        """Whether any of this screen is visible: Textual would also draw what a page covers, and
        the page with it (performance P18)."""
        if not cast("Screen[object]", super()).is_current:
            return False
        top = cast("object", self.app.screen)
        return top is self or self.app.screen.styles.background.a < 1

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Redraws only what has moved in a new layout; Textual would draw everything when a
        widget is added or removed (performance P18)."""
        screen = cast("Screen[object]", super())
        screen.refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)
        return self

    def render_lines(self, crop: Region) -> list[Strip]:
        """Returns the screen's rows; behind a card, those of the screen showing through."""
        screen, below = cast("Screen[object]", self), self.below
        if below is None or screen.styles.background.a == 1:
            return cast("Screen[object]", super()).render_lines(crop)
        strips = behind(screen, cast("Screen[object]", below), crop)
        background = screen.background_colors[1]
        for line_filter in screen.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        return strips

    @property
    def is_made(self) -> bool:
        """Whether the screen's widgets exist."""
        return cast("Screen[object]", self).is_mounted

    @property
    def can_be_missed(self) -> bool:
        """Whether the page may close if it cannot be built: there is another screen of ours
        below."""
        return any(screen is cast("object", self) for screen in self.app.screen_stack[1:])

    def give_up(self) -> None:
        """Returns to the screen below."""
        super().give_up()
        page = cast("Screen[Any]", self)
        if page is self.studio.screen:
            page.dismiss(None)

    def on_compose(self) -> None:
        """Sets the size classes before the widgets exist: later, all styles would be computed
        again."""
        cast("Screen[object]", self).add_class(*classes_for_size(self.app), update=False)
        self.fitted = self.app.size

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Skips the styles before the first layout, when they are as new as the widgets, and a
        repaint that Textual would do twice."""
        screen = cast("Screen[object]", self)
        if not screen.outer_size:
            event.refresh_styles = False
            event.prevent_default()
            private.RESUME_SCREEN.of(self)(event)
            private.MUST_REPAINT.put(self, False)

    def on_screen_suspend(self) -> None:
        """Takes the messages off a screen that another one covers: that one shows them, and a card
        leaves room to see them below it a second time. A question that was on its way has come."""
        self._question_comes = False
        screen = cast("Screen[object]", self)
        for rack in screen.query_children(private.ToastRack):
            if rack.display:
                rack.display = False
                self.lay_out()

    def on_resize(self, event: Resize) -> None:
        """Ignores a repeated size: Textual reports the same one up to three times for a new
        screen, and would lay out and draw each time (performance P5)."""
        if event.size == self.fitted == cast("Screen[object]", self).outer_size:
            event.prevent_default()
        self.fitted = event.size

    @private.LAY_OUT
    def lay_out(self, size: Size | None = None, scroll: bool = False) -> None:
        """Textual's hook for a layout: sizes that it sets ask for no further one."""
        self.studio.widths.settle()
        with compute_undivided(), settled_sizes():
            private.LAY_OUT.of(super())(size, scroll)

    @private.DRAW
    def draw(self) -> None:
        """Textual's hook for a drawing: threads wait while it computes."""
        with compute_undivided():
            private.DRAW.of(super())()

    def run_worker(self, work: WorkType[Any], *positional: Any, **options: Any) -> Worker[Any]:
        """Textual's hook for starting a worker: a closing screen starts none, since it would
        draw in widgets that no longer exist."""
        screen = cast("Screen[object]", self)
        if going := not screen.display:
            options["start"] = False
        worker = cast("Screen[object]", super()).run_worker(work, *positional, **options)
        if going:
            worker.cancel()
        if isinstance(work, Coroutine):
            task = private.TASK.of(worker)
            if task is None:
                work.close()
            else:
                close_when_over(work, task)
        return worker

    async def on_prune(self, event: Prune) -> None:
        """Cancels a closing screen's work before its widgets are removed: it would draw into
        them."""
        cast("Screen[object]", self).workers.cancel_node(cast("Screen[object]", self))

    def halt(self) -> None:
        """Stops the running work at once when the app cannot continue (reliability T6)."""
        if self._bridge is not None:
            self._bridge.halt()

    def performer(self, action_id: str) -> Performer | None:
        """Returns what performs an action of this screen; None if nothing here does."""
        return performer(self, action_id)

    def can_perform(self, action: Action) -> bool:
        """Whether something on this screen performs the action."""
        return self.performer(action.id) is not None

    def close_to_launcher(self) -> bool:
        """Closes what lies over the launcher; returns whether that was enough to get back there."""
        return False

    async def keep_typed(self) -> None:
        """Keeps what was typed and is not in the novel, before the app is left.

        Raises StudioError (exit 1) if that fails: the app then asks before it leaves.
        """

    async def put_away(self) -> None:
        """Stops the running work and remembers the place, before the app leaves the screen."""
        if self._bridge is not None:
            await self._bridge.close()

    async def on_unmount(self) -> None:
        """Stops the work that ran for the screen, after it is removed."""
        if self._bridge is not None:
            await self._bridge.close()

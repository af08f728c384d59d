"""What every screen of ours has: keys from the list of actions, and the facts they look at."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from itertools import takewhile
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from textual.binding import Binding, BindingType
from textual.reactive import Reactive

from studio.errors import StudioError
from studio.tui.actions import Action, Where, of
from studio.tui.performs import Deed, performer
from studio.tui.runtime.app_loop import close_when_over
from studio.tui.runtime.drawing import settled_sizes, undivided
from studio.tui.runtime.resilience import Steady
from studio.tui.terminal.composing import SparingCompositor, behind
from studio.tui.views.situation import Situation
from studio.tui.widgets.action_line import ActionLine, Hint

if TYPE_CHECKING:
    from textual.app import App
    from textual.await_remove import AwaitRemove
    from textual.events import Resize, ScreenResume
    from textual.geometry import Region, Size
    from textual.messages import Prune
    from textual.screen import Screen
    from textual.strip import Strip
    from textual.widget import Widget
    from textual.worker import Worker, WorkType

    from studio.tui.runtime.bridge import Bridge
    from studio.tui.studio import Studio

REST = 3.0
"""Seconds without a key after which the writer's hands are taken to rest."""
PROMPT = 1 / 30
"""Seconds after a key in which what it did is drawn at once."""


def keys_for(*places: Where) -> list[BindingType]:
    """The bindings of these places."""
    return [binding(action) for action in of(*places) if action.keys]


def binding(action: Action) -> Binding:
    """An action as Textual binds it; its id makes it remappable."""
    return Binding(
        action.keys,
        f"app.perform('{action.id}')",
        action.title,
        show=False,
        priority=action.priority,
        id=action.id,
    )


def fitting(app: App[Any]) -> list[str]:
    """The classes that Textual gives a screen for the size of the window."""
    size = app.size
    sides = ((size.width, app.HORIZONTAL_BREAKPOINTS), (size.height, app.VERTICAL_BREAKPOINTS))
    return [
        max((least, name) for least, name in steps if least <= cells)[1]
        for cells, steps in sides
        if steps
    ]


class Place(Steady):
    """Mixed into every screen."""

    WHERE: ClassVar[tuple[Where, ...]] = ()
    """The places whose actions work here, beside those that work everywhere."""
    _bridge: Bridge | None = None
    """To the engine, on a screen that has something run by itself."""
    _prompt_until = 0.0
    fitted: Size | None = None
    """The size its layout and its classes were made for."""
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """What has the keys. It and what had them draw themselves; Textual would draw all."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        cast("Screen[object]", self)._compositor = SparingCompositor()

    @property
    def studio(self) -> Studio:
        """The app, as far as a screen knows it."""
        return cast("Studio", cast("Screen[object]", self).app)

    @property
    def is_prepared(self) -> bool:
        """Whether everything its actions need is there."""
        return True

    async def wait_prepared(self) -> None:
        """Returns when everything its actions need is there."""

    @property
    def is_settled(self) -> bool:
        """Whether what its actions look at has been read, and is not on its way."""
        return True

    async def wait_settled(self) -> None:
        """Returns when it has."""

    @property
    def below(self) -> Place | None:
        """The nearest screen of ours under this one, whatever stands over it."""
        here = cast("object", self)
        under = takewhile(lambda screen: screen is not here, self.app.screen_stack)
        return next((s for s in reversed([*under]) if isinstance(s, Place)), None)

    def situation(self) -> Situation:
        """The facts that actions look at: those of what lies below, where it has none itself."""
        return Situation() if self.below is None else self.below.situation()

    def naming(self, words: str) -> str:
        """Words with each directive in them by its kind and place, as what lies below knows it."""
        from studio.tui.views.review.decision_card import named

        return named(words, None) if self.below is None else self.below.naming(words)

    @property
    def help_places(self) -> tuple[Where, ...]:
        """The places whose keys and marks help names first."""
        return self.WHERE

    def hinted(self) -> Iterable[Action]:
        """The actions the foot of the screen names, the most useful first."""
        return (a for a in (*of(*self.WHERE), *of("global")) if a.hint)

    def show_hints(self) -> None:
        """Draws the foot of the screen again."""
        now = self.situation()
        screen = cast("Screen[object]", self)
        for line in screen.query("#hints").results(ActionLine):
            available = [a for a in self.hinted() if a.reason_disabled(now) is None]
            line.show((), [Hint(a, a.hinted_as(now)) for a in available])

    def converse(self, questions: Coroutine[Any, Any, None]) -> None:
        """Puts questions to the writer, one after the other; what is refused is told."""
        cast("Screen[object]", self).run_worker(self._conversed(questions), group="ask")

    async def _conversed(self, questions: Coroutine[Any, Any, None]) -> None:
        try:
            await questions
        except StudioError as error:
            self.studio.tell(error.problem)

    def on_any_key(self) -> None:
        """A key was pressed, whatever it is for: a stream waits while it is painted."""
        self._prompt_until = monotonic() + PROMPT

    @property
    def hands_rest(self) -> bool:
        """Whether no key was pressed on it for a while."""
        return monotonic() > self._prompt_until + REST

    def on_idle(self) -> None:
        """After a key, draws without waiting for the next tick of the screen, which a stream
        would have put a frame away (performance P4)."""
        screen = cast("Screen[object]", self)
        if screen._dirty_widgets and monotonic() < self._prompt_until:
            screen._on_timer_update()

    def remove(self) -> AwaitRemove:
        """Textual's; for the parent's sake it would lay out and draw anew the screen that comes
        into sight, which has been drawn already (performance P18)."""
        return self.app._prune(cast("Screen[object]", self))

    @property
    def is_current(self) -> bool:
        """Whether anything of it can be seen: Textual would draw what a page covers, and with it
        the page (performance P18)."""
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
        """Of a new layout is drawn what has another place; Textual would draw everything when a
        widget comes or goes (performance P18)."""
        screen = cast("Screen[object]", super())
        screen.refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)
        return self

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its rows; under a card, those of the screen that shows through it."""
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
        """Whether its widgets are there."""
        return cast("Screen[object]", self).is_mounted

    @property
    def can_be_missed(self) -> bool:
        """A page with another screen of ours below it goes away where it cannot be made."""
        return any(screen is cast("object", self) for screen in self.app.screen_stack[1:])

    def give_up(self) -> None:
        """Back to the screen below."""
        super().give_up()
        page = cast("Screen[Any]", self)
        if page is self.studio.screen:
            page.dismiss(None)

    def on_compose(self) -> None:
        """Classes that came when the widgets are there would cost all their styles anew."""
        cast("Screen[object]", self).add_class(*fitting(self.app), update=False)
        self.fitted = self.app.size

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Before there was a layout, the styles are as new as the widgets; and what Textual draws
        with the first layout it would draw a second time."""
        screen = cast("Screen[object]", self)
        if not screen.outer_size:
            event.refresh_styles = False
            event.prevent_default()
            screen._on_screen_resume(event)
            screen._repaint_required = False

    def on_resize(self, event: Resize) -> None:
        """Textual says the same size up to three times when a screen comes, and would lay it out
        and draw it each time (performance P5)."""
        if event.size == self.fitted == cast("Screen[object]", self).outer_size:
            event.prevent_default()
        self.fitted = event.size

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        with undivided(), settled_sizes():
            cast("Screen[object]", super())._refresh_layout(size, scroll)

    def _compositor_refresh(self) -> None:
        with undivided():
            cast("Screen[object]", super())._compositor_refresh()

    def run_worker(self, work: WorkType[Any], *positional: Any, **options: Any) -> Worker[Any]:
        """Textual's; a screen that goes begins nothing more, which would draw in widgets that are
        no longer there."""
        screen = cast("Screen[object]", self)
        if going := screen._pruning or screen._closing:
            options["start"] = False
        worker = cast("Screen[object]", super()).run_worker(work, *positional, **options)
        if going:
            worker.cancel()
        if isinstance(work, Coroutine):
            if worker._task is None:
                work.close()
            else:
                close_when_over(work, worker._task)
        return worker

    async def on_prune(self, event: Prune) -> None:
        """Ends the work of a screen that goes before its widgets go: it would draw in them."""
        cast("Screen[object]", self).workers.cancel_node(cast("Screen[object]", self))

    def halt(self) -> None:
        """Called when the app cannot go on: stops what runs, at once (reliability T6)."""
        if self._bridge is not None:
            self._bridge.halt()

    def performer(self, action_id: str) -> Deed | None:
        """What performs an action of this screen; None where nobody here does."""
        return performer(self, action_id)

    def can_perform(self, action: Action) -> bool:
        """Whether somebody here knows how to do it."""
        return self.performer(action.id) is not None

    def close_to_launcher(self) -> bool:
        """Closes what lies over the launcher; whether that was all it took to go there."""
        return False

    async def put_away(self) -> None:
        """Called before the app leaves the screen: stops what runs and remembers the place."""
        if self._bridge is not None:
            await self._bridge.close()

    async def on_unmount(self) -> None:
        """The screen has gone, and what ran for it goes too."""
        if self._bridge is not None:
            await self._bridge.close()

"""What a feature may ask of the desk; a test can supply one without a screen."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from studio.errors import StudioError

if TYPE_CHECKING:
    from textual.app import App

    from studio.session import Session
    from studio.tui.desk.painter import Painter
    from studio.tui.desk.state import DeskState, Pane
    from studio.tui.runtime.bridge import Bridge
    from studio.tui.studio import Studio
    from studio.tui.views.situation import Situation
    from studio.tui.widgets.directives_pane import DirectivesPane

R = TypeVar("R")


class Desk(Protocol):
    """The desk of one novel, as its features see it."""

    bridge: Bridge
    """The bridge to the engine and the disk, off the app's event loop."""

    @property
    def state(self) -> DeskState:
        """The desk's present state."""

    @property
    def painter(self) -> Painter:
        """The painter that draws the desk."""

    @property
    def session(self) -> Session:
        """The session on the novel."""

    @property
    def app(self) -> App[Any]:
        """The Textual app, for its style sheets and its terminal."""

    @property
    def studio(self) -> Studio:
        """The app as the studio's protocol: shows messages, asks questions."""

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""

    @property
    def is_prepared(self) -> bool:
        """Whether the novel is open and every widget exists."""

    @property
    def is_on_top(self) -> bool:
        """Whether nothing lies over the desk."""

    async def wait_prepared(self) -> None:
        """Returns when the novel is open and every widget exists."""

    def situation(self) -> Situation:
        """Returns the facts that actions check."""

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """Rereads the novel and shows a chapter: the given one, the streaming one, or the same."""

    async def show_chapter(self, chapter: int) -> None:
        """Shows a chapter in the text pane and its directives beside it."""

    def draw_rest(self) -> None:
        """Draws everything but the outline and the text."""

    def show_hints(self) -> None:
        """Redraws the hints at the foot of the screen."""

    def go_to_pane(self, pane: Pane) -> None:
        """Focuses a pane and makes sure it is visible."""

    def go_to_tab(self, tab: str) -> None:
        """Switches the text pane to a tab."""

    def work(self, task: Coroutine[Any, Any, None], group: str, *, exclusive: bool = False) -> None:
        """Runs a task beside the screen; if exclusive, it replaces the others of its group."""

    def converse(self, questions: Coroutine[Any, Any, None]) -> None:
        """Asks the writer a series of questions, unless the first of others is on its way."""


async def result_of(desk: Desk, work: Callable[..., R], *args: Any) -> R | None:
    """Returns the result of work done off the event loop; on a StudioError, reports it and
    returns None."""
    try:
        with desk.bridge.changing():
            return await desk.bridge.call(work, *args)
    except StudioError as error:
        desk.studio.tell(error.problem)
        return None


async def try_to_do(desk: Desk, work: Callable[..., object], *args: Any, **options: Any) -> bool:
    """Does work on the novel off the event loop; on a StudioError, reports it and returns False."""
    try:
        with desk.bridge.changing():
            await desk.bridge.call(work, *args, **options)
    except StudioError as error:
        desk.studio.tell(error.problem)
        return False
    return True

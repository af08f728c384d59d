"""What a feature of the desk can ask of it; a test can give it another that has no screen."""

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
    """The desk on one novel."""

    bridge: Bridge
    """The engine and the disk, off the app's loop."""

    @property
    def state(self) -> DeskState:
        """What the desk knows now."""

    @property
    def painter(self) -> Painter:
        """What draws it."""

    @property
    def session(self) -> Session:
        """The novel."""

    @property
    def app(self) -> App[Any]:
        """Textual's app, for its sheets and its terminal."""

    @property
    def studio(self) -> Studio:
        """The app as ours: says sentences, puts questions."""

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""

    @property
    def is_prepared(self) -> bool:
        """Whether the novel is open and every widget there."""

    @property
    def is_on_top(self) -> bool:
        """Whether nothing lies over it."""

    async def wait_prepared(self) -> None:
        """Returns when the novel is open and every widget there."""

    def situation(self) -> Situation:
        """The facts that actions look at."""

    async def reread(self, *, fresh: bool = True, chapter: int | None = None) -> None:
        """Reads the novel again and shows a chapter: that one, the one streaming, or the same."""

    async def show_chapter(self, chapter: int) -> None:
        """Shows a chapter in the text pane and its directives beside it."""

    def draw_rest(self) -> None:
        """Draws everything but the outline and the text."""

    def show_hints(self) -> None:
        """Draws the foot of the screen again."""

    def go_to_pane(self, pane: Pane) -> None:
        """Gives a pane the keys and makes sure it is in sight."""

    def go_to_tab(self, tab: str) -> None:
        """Turns the text pane."""

    def work(self, task: Coroutine[Any, Any, None], group: str, *, exclusive: bool = False) -> None:
        """Lets something go on beside the screen, in place of its group where it is exclusive."""


async def result_of(desk: Desk, work: Callable[..., R], *args: Any) -> R | None:
    """What the work returns, done off the loop; None, and said, where it is refused."""
    try:
        return await desk.bridge.call(work, *args)
    except StudioError as error:
        desk.studio.tell(error.problem)
        return None


async def tried(desk: Desk, work: Callable[..., object], *args: Any, **options: Any) -> bool:
    """Does something with the novel off the loop; False, and said, where it is refused."""
    try:
        await desk.bridge.call(work, *args, **options)
    except StudioError as error:
        desk.studio.tell(error.problem)
        return False
    return True

"""What screens, and the parts of the app itself, can ask of the app; they do not know its class."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from textual.screen import Screen, ScreenResultCallbackType, ScreenResultType
    from textual.worker import Worker

    from studio.config.recent import Memory
    from studio.config.schema import Settings
    from studio.errors import Problem
    from studio.session import Session


class Studio(Protocol):
    """One window on one novel at a time."""

    environ: Mapping[str, str]
    overrides: dict[str, object]
    """Settings of the command line."""
    memory: Memory
    ascii_only: bool
    no_color: bool
    measure: int
    """Columns of a line of prose at most."""
    signalled: int | None
    """The signal that ends the app."""

    @property
    def keymap(self) -> Mapping[str, str]:
        """The keys in force, for what names a command."""

    @property
    def screen(self) -> Screen[Any]:
        """The screen on top."""

    @property
    def screen_stack(self) -> Sequence[Screen[Any]]:
        """Every screen that is open, the one on top last."""

    def push_screen(
        self,
        screen: Screen[ScreenResultType],
        callback: ScreenResultCallbackType[ScreenResultType] | None = None,
    ) -> object:
        """Opens a screen over the others; its answer is handed on."""

    async def push_screen_wait(self, screen: Screen[ScreenResultType]) -> ScreenResultType:
        """The answer of a screen that is opened over the others."""

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str = "", exclusive: bool = False
    ) -> Worker[None]:
        """Lets something go on that outlives the screen, in place of its group where exclusive."""

    async def action_perform(self, action_id: str) -> None:
        """Does an action of the list, or says why it cannot be done now."""

    def say(self, words: str, severity: Any = "information") -> None:
        """A short message."""

    def tell(self, problem: Problem) -> None:
        """What went wrong and what to do."""

    def bell(self) -> None:
        """The terminal's own sound."""

    def keep_memory(self) -> None:
        """Writes what is remembered."""

    def go_to(self, folder: Path) -> None:
        """Opens a novel in place of what is open."""

    async def return_to_launcher(self) -> None:
        """Leaves what is open, with its place remembered."""

    def take_novel(self, session: Session) -> None:
        """Called by the desk when its novel is open."""

    def take_settings(self, settings: Settings) -> None:
        """Theme and keys as the writer set them."""

    def refuse(self, problem: Problem) -> None:
        """Called by the desk when its novel cannot be opened."""

"""What screens and parts of the app may ask of the app, without knowing its class."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from textual.screen import Screen, ScreenResultCallbackType, ScreenResultType
    from textual.worker import Worker

    from studio.config.recent import RecentNovels
    from studio.config.schema import Settings
    from studio.errors import Problem
    from studio.session import Session
    from studio.tui.runtime.left_words import AllLeftWords
    from studio.tui.runtime.look import Look
    from studio.tui.terminal.ambiguous_width import Widths


class KeyQueue(Protocol):
    """The keys typed ahead, as what opens a screen sees them."""

    def begin_wait(self, screen: Screen[Any]) -> None:
        """Begins the wait of an action for a screen; keys typed after it wait as well."""

    def end_wait(self, screen: Screen[Any]) -> None:
        """Ends the wait of an action for a screen."""


class Messages(Protocol):
    """The messages in the corner, as the log reads them."""

    unseen: list[str]
    """Those that gave way to newer ones of the same moment."""


class Studio(Protocol):
    """The app as its screens see it: one window on one novel at a time."""

    environ: Mapping[str, str]
    overrides: dict[str, object]
    """Settings given on the command line."""
    memory: RecentNovels
    recalled: RecentNovels
    """The memory as it was read when the app began."""
    ascii_only: bool
    no_color: bool
    measure: int
    """The maximum width of a line of prose, in columns."""
    look: Look
    signalled: int | None
    """The signal that ends the app."""
    typed: KeyQueue
    left_words: AllLeftWords
    """What was typed into cards and not taken."""
    widths: Widths

    @property
    def toasts(self) -> Messages:
        """The messages in the corner."""

    @property
    def keymap(self) -> Mapping[str, str]:
        """The keys in force, for text that names a command."""

    @property
    def screen(self) -> Screen[Any]:
        """The screen on top."""

    @property
    def screen_stack(self) -> Sequence[Screen[Any]]:
        """Every open screen, the top one last."""

    def push_screen(
        self,
        screen: Screen[ScreenResultType],
        callback: ScreenResultCallbackType[ScreenResultType] | None = None,
    ) -> object:
        """Opens a screen over the others; its answer goes to the callback."""

    async def push_screen_wait(self, screen: Screen[ScreenResultType]) -> ScreenResultType:
        """Opens a screen over the others and returns its answer."""

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str = "", exclusive: bool = False
    ) -> Worker[None]:
        """Runs a task that outlives the screen; if exclusive, it replaces the others of its
        group."""

    async def action_perform(self, action_id: str) -> None:
        """Performs an action of the list, or says why it is unavailable now."""

    def say(self, words: str, severity: Any = "information") -> None:
        """Shows a short message."""

    def take_back_said(self) -> None:
        """Takes away the messages from before her last key, which has answered them."""

    def tell(self, problem: Problem) -> None:
        """Shows a problem and what to do about it."""

    def bell(self) -> None:
        """Rings the terminal's bell."""

    def keep_memory(self) -> None:
        """Saves the remembered state."""

    def go_to(self, folder: Path) -> None:
        """Opens a novel in place of the present one."""

    async def return_to_launcher(self) -> None:
        """Closes the present novel, remembering the writer's place."""

    def take_novel(self, session: Session) -> None:
        """Remembers a novel that the desk has opened."""

    def take_settings(self, settings: Settings) -> None:
        """Applies the theme and the keys of the writer's settings."""

    def refuse(self, problem: Problem) -> None:
        """Reports why the desk could not open its novel."""

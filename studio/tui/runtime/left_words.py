"""Words typed into a card, a form or a line that were not taken yet: saved in every pause of
typing, so that a crash loses a few seconds at most, they outlive Esc, leaving the app and a kill,
and are there again when the same card opens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.message_pump import MessagePump
from textual.timer import Timer

from studio.errors import StudioError

if TYPE_CHECKING:
    from textual.app import App

    from studio.project.unsaved import UnsavedForm


PAUSE = 1.0
"""The number of seconds without a key after which the text is saved."""
LONGEST = 5.0
"""The number of seconds of continuous typing after which the text is saved as well."""
_AT_ONCE = 0.01


class TypingPause:
    """Saves typed text when the writer pauses, or after `LONGEST` seconds of typing without a
    pause."""

    def __init__(self, screen: MessagePump, keep: Callable[[], Awaitable[Any]]) -> None:
        self._screen = screen
        self._keep = keep
        self._timer: Timer | None = None
        self._since = 0.0
        """The time, on the monotonic clock, of the first key that is not saved yet."""

    def note_typing(self) -> None:
        """Notes that something was typed and schedules the next save."""
        now = monotonic()
        if self._timer is None:
            self._since = now
        else:
            self._timer.stop()
        wait = min(PAUSE, max(_AT_ONCE, self._since + LONGEST - now))
        self._timer = self._screen.set_timer(wait, self._over)

    def stop(self) -> None:
        """Cancels the scheduled save."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    async def _over(self) -> None:
        self._timer = None
        await self._keep()


_FIELD = "words"


class LeftWords:
    """The words of one card: in memory at once, in the state folder soon after."""

    def __init__(self, app: App[Any], form: UnsavedForm) -> None:
        self._app = app
        self._form = form
        self._one_at_a_time = asyncio.Lock()
        self._is_read = False
        self.words = ""
        """What was left; empty if nothing was, or if nobody has looked yet."""

    async def before(self) -> str:
        """Returns what was left by an earlier card, in this sitting or in one before it."""
        async with self._one_at_a_time:
            if not self._is_read:
                with suppress(StudioError):  # a disk without an answer keeps nobody from typing
                    left = await asyncio.to_thread(self._form.before)
                    self.words = self.words or left.get(_FIELD, "")
                self._is_read = True
        return self.words

    def keep(self, words: str) -> None:
        """Keeps the words; with none, nothing is kept any longer."""
        if words != self.words:
            self.words = words
            self._app.run_worker(self.wait_until_written(), group="left words")

    async def wait_until_written(self) -> None:
        """Returns when the words as they are now are on the disk, or could not be written: in
        memory they are kept all the same."""
        with suppress(StudioError):
            await self.write()

    async def write(self) -> None:
        """Writes the words as they are now to the disk, also those that were written before: their
        file may be gone with its disk. Raises StudioError (exit 1) if that fails."""
        async with self._one_at_a_time:
            self._is_read = True
            if self.words:
                await asyncio.to_thread(self._form.keep, {_FIELD: self.words})
            else:
                await asyncio.to_thread(self._form.forget)


class AllLeftWords:
    """The left words of every card of the novels that are open in this app."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._cards: dict[tuple[Path, str], LeftWords] = {}

    def writes(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        """Returns what writes the words of each card; it raises StudioError (exit 1) if that
        fails."""
        return [left.write for left in self._cards.values() if left.words]

    async def forget(self, title: str, words: str) -> None:
        """Keeps the words of the card with this title and text no longer."""
        if (left := self.of("|".join((title, words)))) is not None:
            await left.before()
            left.keep("")

    def of(self, card: str) -> LeftWords | None:
        """Returns those of a card, by a name of its own within the novel; None without a novel."""
        screens = (getattr(screen, "session", None) for screen in self._app.screen_stack)
        session = next(filter(None, screens), None)
        if session is None:
            return None
        from studio.project.unsaved import UnsavedForm

        store = session.store
        key = (store.layout.folder, card)
        if key not in self._cards:
            self._cards[key] = LeftWords(self._app, UnsavedForm(store, f"card-{card}"))
        return self._cards[key]

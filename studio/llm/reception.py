"""An answer while it comes in: what is shown, what is kept, and when it is too much."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from studio.errors import StudioError
from studio.llm.errors import ModelError
from studio.llm.limits import LOOP_WINDOW, is_looping
from studio.llm.provider import Delta, Listen

CHECK_EVERY = 400
"""Characters between two looks for a loop."""


class Reception:
    """Takes the deltas of one attempt; use it on the event loop's thread and close it.

    The text so far is handed to `save` at most `save_every` seconds after
    anything came, so that what is older than a second survives any kill (N11).
    """

    def __init__(
        self,
        listen: Listen,
        save: Callable[[str], None],
        *,
        largest: int,
        save_every: float,
        on_life: Callable[[], None] = lambda: None,
    ) -> None:
        self._listen = listen
        self._save = save
        self._largest = largest
        self._save_every = save_every
        self.on_life = on_life
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._size = 0
        self._checked = 0
        self._timer: asyncio.TimerHandle | None = None
        self._fault: StudioError | None = None

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(self._text)

    @property
    def reasoning(self) -> str:
        """The thinking so far."""
        return "".join(self._reasoning)

    @property
    def everything(self) -> str:
        """All that was generated, for counting."""
        return self.reasoning + self.text

    def take(self, delta: Delta) -> None:
        """Shows and keeps a delta; raises ModelError (runaway) when the answer must be stopped."""
        self.on_life()
        if self._fault is not None:
            raise self._fault
        if not delta.text:
            return
        (self._text if delta.kind == "text" else self._reasoning).append(delta.text)
        self._size += len(delta.text)
        self._listen(delta)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._save_every, self._keep)
        if self._size - self._checked >= CHECK_EVERY or self._size > self._largest:
            self._checked = self._size
            self._stop_a_runaway()

    def close(self) -> None:
        """Ends the attempt; text that was not yet saved is saved."""
        if self._timer is not None:
            self._timer.cancel()
            self._keep()

    def forget(self) -> None:
        """Ends the attempt; its text is kept elsewhere."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _keep(self) -> None:
        self._timer = None
        try:
            self._save(self.text)
        except StudioError as error:
            self._fault = error

    def _stop_a_runaway(self) -> None:
        if self._size > self._largest:
            raise ModelError("runaway", f"more than {self._largest:,} characters came")
        if is_looping(_tail(self._text)) or is_looping(_tail(self._reasoning)):
            raise ModelError("runaway", "it says the same thing over and over")


def _tail(pieces: list[str]) -> str:
    tail: list[str] = []
    size = 0
    for piece in reversed(pieces):
        tail.append(piece)
        size += len(piece)
        if size >= LOOP_WINDOW:
            break
    return "".join(reversed(tail))

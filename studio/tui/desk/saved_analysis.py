"""A text that was just saved is looked at by code, beside everything else (C10)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.pipeline.judging.saved_text import SavedText
    from studio.tui.desk.protocol import Desk


class SavedAnalysis:
    """What was seen in the text that was saved last; the next save takes its place."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.seen: SavedText | None = None
        """None before anything was saved in this sitting, and while a text is looked at."""

    def begin(self) -> None:
        """Looks at the text on the screen, which was saved just now."""
        self.seen = None
        self._desk.work(self._look(), "analysis", exclusive=True)

    async def _look(self) -> None:
        current = self._desk.state.current
        if current is None or current.text is None:
            return
        try:
            self.seen = await asyncio.to_thread(
                self._desk.session.analyse, current.chapter, current.text
            )
        except StudioError:
            return  # what cannot be read is named where it is shown, and in `studio verify`

    def of(self, sha256: str) -> SavedText | None:
        """What was seen in this very text."""
        return self.seen if self.seen is not None and self.seen.sha256 == sha256 else None

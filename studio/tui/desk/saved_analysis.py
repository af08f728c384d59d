"""The analysis by code of a text just saved, in the background (C10)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.pipeline.judging.measures import SavedText
    from studio.tui.desk.protocol import Desk


class SavedAnalysis:
    """The findings in the text saved last; the next save replaces them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.seen: SavedText | None = None
        """None before the first save of this session, and while an analysis runs."""

    def begin(self) -> None:
        """Analyses the text on the screen, which has just been saved."""
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
            return  # what cannot be read is reported where it is shown, and by `studio verify`

    def of(self, sha256: str) -> SavedText | None:
        """Returns the findings for exactly this text."""
        return self.seen if self.seen is not None and self.seen.sha256 == sha256 else None

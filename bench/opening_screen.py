"""The measured program of bench.opening: the real app, looked at from its first frame on."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, ClassVar

import studio.tui.app
from bench.stalls import Probe
from bench.terminal import report
from studio.tui.desk import screen
from studio.tui.desk.screen import DeskScreen

HEAVY = ("anthropic", "jsonschema", "kiwipiepy", "xllamacpp")
_SHEETS = Path(studio.tui.app.__file__).parent
SECONDS = 5.0
"""How long it is looked at, while the rest is read and loaded."""


class Watched(DeskScreen):
    """The desk, looked at from the moment its first frame is drawn."""

    CSS_PATH: ClassVar[Any] = _SHEETS / "screens/desk.tcss"
    seen: list[str]

    def _after_first_frame(self, paragraph: tuple[int, int] | None) -> None:
        self.seen = [name for name in HEAVY if name in sys.modules]
        super()._after_first_frame(paragraph)
        self.run_worker(self.look())

    async def look(self) -> None:
        """What was loaded, and how long the loop stalls from now on."""
        probe = Probe()
        probe.start()
        await asyncio.sleep(SECONDS)
        report({"loaded": self.seen, **probe.stop()})
        await self.studio.leave(0)


class Bench(studio.tui.app.StudioApp):
    """The app."""

    CSS_PATH: ClassVar[Any] = [_SHEETS / "studio.tcss", _SHEETS / "screens/desk.tcss"]


if __name__ == "__main__":
    screen.DeskScreen = Watched  # type: ignore[misc]
    Bench(Path(sys.argv[1]), {}, os.environ).run()

"""The measured program of bench.opening: the real app, observed from its first frame on."""

from __future__ import annotations

import asyncio
import sys

from bench.stalls import Probe
from bench.terminal import report
from studio.__main__ import open_app
from studio.tui.desk import screen
from studio.tui.desk.screen import Opening

HEAVY = ("anthropic", "jsonschema", "xllamacpp")
SECONDS = 5.0
"""The number of seconds it is observed while the rest is loaded."""


class Watched(Opening):
    """Opens the desk, observed from the moment its first frame is drawn."""

    seen: list[str]

    def after_first_frame(self, paragraph: tuple[int, int] | None) -> None:
        """Records the modules imported by then, and continues."""
        self.seen = [name for name in HEAVY if name in sys.modules]
        super().after_first_frame(paragraph)
        self._desk.run_worker(self.look())

    async def look(self) -> None:
        """Reports the imported modules, and the stalls of the event loop from now on."""
        probe = Probe()
        probe.start()
        await asyncio.sleep(SECONDS)
        report({"loaded": self.seen, **probe.stop()})
        self._desk.app.exit()


if __name__ == "__main__":
    screen.Opening = Watched  # type: ignore[misc]
    open_app(sys.argv[1:])  # as in the program, which first sets up the garbage collector

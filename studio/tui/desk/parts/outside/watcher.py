"""The app's watch over its novel: a thread that looks, and what it sees told on the app's loop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from studio.tui.runtime.app_loop import AppLoop

if TYPE_CHECKING:
    from studio.project.watch.snapshot import FileChange
    from studio.project.watch.watch import Watch


class Watcher:
    """Made, started and stopped on the app's loop."""

    def __init__(self, watch: Watch, on_changes: Callable[[Sequence[FileChange]], None]) -> None:
        self._watch = watch
        self._heard = on_changes
        self._app = AppLoop()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self.ready = threading.Event()
        """Set when changes are noticed from now on, or never will be."""

    @property
    def polling(self) -> bool:
        """Whether the files are looked at again and again, for want of events."""
        return self._watch.polling

    @property
    def gone(self) -> bool:
        """Whether the novel's folder is not there."""
        return self._watch.is_gone

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def look(self) -> None:
        """Looks at everything soon, for instance because the writer is back."""
        self._watch.look_soon()

    def stop(self) -> None:
        """Ends it; nothing is heard afterwards."""
        self._heard = lambda changes: None
        self._watch.stop()
        self.ready.set()  # nobody has to wait any longer

    def _run(self) -> None:
        self._watch.run(self._tell, self.ready.set)

    def _tell(self, changes: Sequence[FileChange]) -> None:
        self._app.call(self._pass_on, changes)

    def _pass_on(self, changes: Sequence[FileChange]) -> None:
        self._heard(changes)

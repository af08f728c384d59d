"""The app's watch on its novel: a thread detects changes and reports them on the app's event
loop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from studio.tui.runtime.app_loop import AppLoop

if TYPE_CHECKING:
    from studio.project.watch.watch import FileChange, Watch


class Watcher:
    """Watches a novel in a thread; created, started and stopped on the app's event loop."""

    def __init__(self, watch: Watch, on_changes: Callable[[Sequence[FileChange]], None]) -> None:
        self._watch = watch
        self._heard = on_changes
        self._app = AppLoop()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self.ready = threading.Event()
        """Set once changes are noticed, or never will be."""

    @property
    def is_polling(self) -> bool:
        """Whether the files are polled because there are no change events."""
        return self._watch.polling

    @property
    def is_gone(self) -> bool:
        """Whether the novel's folder is missing."""
        return self._watch.is_gone

    def start(self) -> None:
        """Starts watching."""
        self._thread.start()

    def look(self) -> None:
        """Rescans everything soon, for instance because the writer is back."""
        self._watch.look_soon()

    def stop(self) -> None:
        """Stops watching; no callback runs afterwards."""
        self._heard = lambda changes: None
        self._watch.stop()
        self.ready.set()

    def _run(self) -> None:
        self._watch.run(self._tell, self.ready.set)

    def _tell(self, changes: Sequence[FileChange]) -> None:
        self._app.call(self._pass_on, changes)

    def _pass_on(self, changes: Sequence[FileChange]) -> None:
        self._heard(changes)

"""An editor that saves at the worst moment: just before the n-th rename of a step.

In the process of the step itself, so that the moment is exact. What it saved for certain is
told by a mark outside of the novel, for the process may be killed in the middle of the save.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studio.fsio import replacement

SAVED = "# Hers\n\nWhat she saved at that very moment, and nowhere else.\n"


@dataclass
class Saver:
    """Saves `path` once, before rename number `before`; zero: never, only counts."""

    path: Path
    before: int
    mark: Path
    renames: int = 0
    _rename: Callable[..., None] = field(default=os.rename)

    def install(self) -> None:
        """Stands before every rename of this process, for the rest of its life."""
        real = replacement.rename_call()
        assert real is not None

        def rename2(*arguments: Any) -> int:
            self._save()
            return real(*arguments)

        def rename(*arguments: Any, **options: Any) -> None:
            self._save()
            self._rename(*arguments, **options)

        replacement.rename_call = lambda: rename2  # type: ignore[assignment]
        os.rename = rename  # type: ignore[assignment]

    def _save(self) -> None:
        self.renames += 1
        if self.renames != self.before:
            return
        with suppress(OSError):  # a disk that refuses the save told her so
            self.path.parent.mkdir(exist_ok=True)
            over = self.path.read_bytes() if self.path.exists() else b""
            beside = self.path.with_name("4913.swp")
            beside.write_text(SAVED, "utf-8")
            self._rename(beside, self.path)
            self.mark.write_bytes(over)

    @property
    def has_saved(self) -> bool:
        """Whether the text was in its place."""
        return self.mark.exists()

    @property
    def saved_over(self) -> bytes:
        """What stood there and she replaced by her own hand."""
        return self.mark.read_bytes() if self.has_saved else b""

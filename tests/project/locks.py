"""Locks as other programs and other starts of the machine leave them."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from studio.project.lock import holder


def info_of(folder: Path, **changes: object) -> dict[str, object]:
    """What a lock of this process would say, with some fields changed."""
    return {
        "pid": os.getpid(),
        "host": holder.host_name(),
        "process_start": holder.process_start(os.getpid()),
        "started": "2026-01-01T00:00:00.000Z",
        "chapter": 7,
        "token": "t" * 32,
        "schema_version": 1,
        **changes,
    }


def leave_lock(folder: Path, info: object) -> None:
    """A lock that says so of its holder."""
    (folder / ".novel.lock").mkdir()
    text = info if isinstance(info, str) else json.dumps(info)
    (folder / ".novel.lock/info.json").write_text(text)


def grow_old(folder: Path, seconds: float) -> None:
    """The lock as it looks when nobody has renewed it for so long."""
    then = time.time() - seconds
    for name in (".novel.lock/info.json", ".novel.lock"):
        if (folder / name).exists():
            os.utime(folder / name, (then, then))

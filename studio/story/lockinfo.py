"""Who holds a project."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from studio.story.document import Document


class LockInfo(Document):
    """.novel.lock/info.json; written once, never rewritten (its mtime is the heartbeat)."""

    SCHEMA: ClassVar[str] = "lock"

    pid: int = Field(ge=1)
    host: str
    process_start: str
    """The kernel's start time of the process, so that a reused pid is not taken for the holder."""
    boot: str = ""
    """Which start of the machine it runs under: names of machines are not unique, and after a
    restart no process of before is alive. Empty where the system does not say."""
    started: str
    """ISO 8601, UTC."""
    chapter: int | None = Field(default=None, ge=1)
    token: str

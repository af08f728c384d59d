"""A novel to bring chapters into, and the files they come from."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from studio.exchange.import_.commit import ImportAs, ImportResult, plan_import
from studio.pipeline.events import Event, WarningEvent
from studio.pipeline.outcome import Outcome
from studio.project.create import create_novel
from studio.session import Session, WriteOrder


def file_of(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    """A file as another program would have left it."""
    file = folder / name
    file.write_bytes(text.encode(encoding))
    return file


def novel(folder: Path, language: str = "ko") -> Path:
    """A new novel."""
    create_novel(folder, "소금길", language)
    return folder


def brought(folder: Path, *files: Path, kind: ImportAs = "drafts") -> ImportResult:
    """Imports files into a novel, opened anew like by another process."""
    plan, sources = plan_import(files)
    return Session.open(folder, os.environ).bring_in(plan, sources, kind)


def write(folder: Path, **order: object) -> tuple[Outcome, str]:
    """`studio write --review reject`, and its warnings."""
    events: list[Event] = []
    wanted = WriteOrder(**{"review": "reject", **order})  # type: ignore[arg-type]
    outcome = asyncio.run(Session.open(folder, os.environ).write(wanted, events.append))
    return outcome, "\n".join(e.message for e in events if isinstance(e, WarningEvent))

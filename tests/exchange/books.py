"""A novel to bring chapters into, and the files they come from."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from studio.exchange.export import ExportOrder, Part, book_bytes
from studio.exchange.import_.commit import ImportAs, ImportResult, plan_import
from studio.pipeline.events import Event, WarningEvent
from studio.pipeline.outcome import Outcome
from studio.project.create import create_novel
from studio.session import Session, WriteOrder

SAMPLE = Path(__file__).parents[2] / "sample-project"


def file_of(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    """A file as another program would have left it."""
    file = folder / name
    file.write_bytes(text.encode(encoding))
    return file


def novel(folder: Path, language: str = "ko") -> Path:
    """A new novel."""
    create_novel(folder, "소금길", language)
    return folder


def exported(folder: Path, format_: str, part: Part = "book") -> bytes:
    """A novel, or what stands beside it, as one file."""
    session = Session.open(folder, os.environ)
    own = session.settings.novel
    order = ExportOrder(format_, "-", part=part)
    return book_bytes(session.store, own.title, own.language, order)[0]


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

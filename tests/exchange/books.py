"""A novel to bring chapters into, and the files they come from."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from studio.config.paths import state_dir
from studio.exchange.export import ExportOrder, Part, book_bytes
from studio.exchange.import_.commit import ImportAs, ImportResult, plan_import
from studio.pipeline.events import Event, WarningEvent
from studio.pipeline.outcome import Outcome
from studio.project.create import create_novel
from studio.project.spending import begin_anew
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
    begin_anew(folder, state_dir(os.environ))
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


SCRIVX = """<?xml version="1.0"?><ScrivenerProject><Binder>
<BinderItem UUID="D" Type="DraftFolder"><Title>Draft</Title><Children>
<BinderItem UUID="A1" Type="Folder"><Title>The Quay</Title><Children>
<BinderItem UUID="A2" Type="Text"><Title>x</Title></BinderItem>
<BinderItem UUID="A3" Type="Text"><Title>y</Title></BinderItem>
<BinderItem UUID="A4" Type="Text"><MetaData><IncludeInCompile>No</IncludeInCompile></MetaData>
</BinderItem></Children></BinderItem>
<BinderItem UUID="B1" Type="Text"><Title>등대</Title></BinderItem></Children></BinderItem>
<BinderItem UUID="R" Type="ResearchFolder"><Children><BinderItem UUID="R1" Type="Text"/></Children>
</BinderItem></Binder></ScrivenerProject>"""


def scrivener(folder: Path, **texts: bytes) -> Path:
    """A project of Scrivener's with these texts by the ids of its binder."""
    for id_, data in texts.items():
        place = folder / "Files" / "Data" / id_
        place.mkdir(parents=True)
        (place / "content.rtf").write_bytes(data)
    (folder / "Tide.scrivx").write_text(SCRIVX, "utf-8")
    return folder

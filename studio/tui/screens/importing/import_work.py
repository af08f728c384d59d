"""The work of an import off the app's event loop: reading files, and writing chapters."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from studio.config.paths import state_dir
from studio.exchange.import_.plan import ImportPlan
from studio.exchange.import_.sources import Source
from studio.i18n import Language
from studio.project.layout import is_novel
from studio.tui.screens.finding.work_in_progress import Left
from studio.tui.views.pages.import_plan import ChosenFile, Files

if TYPE_CHECKING:
    from studio.exchange.import_.commit import ImportAs, ImportResult, OnChapter


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """The target of the chapters."""

    folder: Path
    kind: ImportAs
    title: str = ""
    """The title of a new novel; ignored for an existing one."""
    language: Language = "en"


def files_at(place: Path) -> Files:
    """Returns a file, or the texts of a folder and its subfolders in reading order.

    Raises StudioError (exit 2) if the folder holds no text, or too many.
    """
    from studio.exchange.import_.sources import named_files

    return tuple(ChosenFile(one.file, folder=one.folder) for one in named_files([place]))


_LOOK = 0.02
"""Seconds between two looks at whether the files are read."""


class FileReading:
    """Reads files in a thread of its own, which ends wherever it is once nobody waits for it.

    The libraries that read documents report nothing and ask nothing for minutes, so the thread is
    ended by an exception raised inside it (`PyThreadState_SetAsyncExc`). Nothing is written, so
    nothing is left half done.
    """

    def __init__(self, files: Files, headings: str = "") -> None:
        self._files, self._headings = files, headings
        self._plan: tuple[ImportPlan, tuple[Source, ...]] | None = None
        self._error: Exception | None = None
        self._nobody_waits = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    async def plan(self) -> tuple[ImportPlan, tuple[Source, ...]]:
        """Returns the plan and the sources; raises Left once `stop` was called, and StudioError as
        `read_plan` does."""
        self._thread.start()
        while self._thread.is_alive() and not self._nobody_waits:
            await asyncio.sleep(_LOOK)
        if self._nobody_waits or self._plan is None:
            raise self._error or Left()
        return self._plan

    def stop(self) -> None:
        """Ends the reading."""
        self._nobody_waits, self._error = True, None
        if self._thread.ident is not None and self._thread.is_alive():
            thread = ctypes.c_ulong(self._thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(Left))

    def _run(self) -> None:
        try:
            self._plan = read_plan(self._files, self._headings)
        except Exception as error:  # whatever it is, the screen says it
            if not self._nobody_waits:
                self._error = error


def read_plan(files: Files, headings: str = "") -> tuple[ImportPlan, tuple[Source, ...]]:
    """Returns the import plan of some files, in their order; `headings` is the kind of lines that
    begin the chapters, if not what the text suggests. Changes nothing.

    Raises StudioError (exit 2) if one of them cannot be read as text, or holds no prose.
    """
    from studio.exchange.import_.commit import plan_import
    from studio.exchange.import_.detect import Rules
    from studio.exchange.import_.sources import Named

    encodings = {file.path: file.encoding for file in files if file.encoding}
    named = [Named(file.path, file.folder) for file in files]
    return plan_import(named, Rules(headed_by=headings), encodings=encodings)


def language_of(folder: Path, environ: Mapping[str, str]) -> Language | None:
    """Returns the language of the novel in a folder, None if there is none.

    Raises StudioError: 2 or 5 if its settings cannot be read, 2 if nothing can be brought in there
    now, or a novel would be made at the root of the disk.
    """
    if not is_novel(folder):
        from studio.project.create import refuse_unfit

        refuse_unfit(folder)
        return None
    from studio.config.load import load_settings
    from studio.config.paths import state_dir
    from studio.exchange.import_.commit import must_be_at_rest
    from studio.project.store import ProjectStore

    must_be_at_rest(ProjectStore(folder, state_dir(environ)))
    return load_settings(folder, environ).novel.language


def put_in(
    plan: ImportPlan,
    sources: tuple[Source, ...],
    target: ImportTarget,
    environ: Mapping[str, str],
    hear: OnChapter,
) -> ImportResult:
    """Creates the novel if there is none, and imports the chapters.

    A new novel is created together with its chapters, or not at all. Raises StudioError as creating
    a novel and `Session.bring_in` do. Repeated after a failure, it resumes where it stopped.
    """
    from studio.project.create import novel_in
    from studio.project.spending import begin_anew
    from studio.session import Session

    with novel_in(target.folder, target.title, target.language) as place:
        session = Session.open(place, environ)
        own = replace(plan, language=session.settings.novel.language)
        done = session.bring_in(own, sources, target.kind, hear)
    if place != target.folder:
        begin_anew(target.folder, state_dir(environ))
    return done

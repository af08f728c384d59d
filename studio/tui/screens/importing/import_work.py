"""What an import does away from the loop of the app: reading files, and putting chapters in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from studio.config.paths import state_dir
from studio.exchange.import_.plan import ImportPlan
from studio.exchange.import_.sources import Source
from studio.i18n import Language
from studio.project.layout import is_novel
from studio.tui.views.pages.import_files_order import ChosenFile, Files

if TYPE_CHECKING:
    from studio.exchange.import_.commit import ImportAs, ImportResult, OnChapter


@dataclass(frozen=True, slots=True)
class Target:
    """Where the chapters go."""

    folder: Path
    kind: ImportAs
    title: str = ""
    """Of a new novel; not looked at where there is one."""
    language: Language = "en"


def files_at(place: Path) -> Files:
    """A file, or the texts of a folder and of those in it as a reader would order them.

    StudioError (exit 2): the folder holds no text, or too many.
    """
    from studio.exchange.import_.sources import named_files

    return tuple(ChosenFile(one.file, folder=one.folder) for one in named_files([place]))


def read_plan(files: Files) -> tuple[ImportPlan, tuple[Source, ...]]:
    """The plan for some files, in that order. Changes nothing.

    StudioError (exit 2): one of them cannot be read as text, or holds no prose.
    """
    from studio.exchange.import_.commit import plan_import
    from studio.exchange.import_.sources import Named

    encodings = {file.path: file.encoding for file in files if file.encoding}
    return plan_import([Named(file.path, file.folder) for file in files], encodings=encodings)


def language_of(folder: Path, environ: Mapping[str, str]) -> Language | None:
    """The language of the novel there, None where there is none.

    StudioError (exit 2 or 5): its settings cannot be read.
    """
    from studio.config.load import load_settings

    return load_settings(folder, environ).novel.language if is_novel(folder) else None


def put_in(
    plan: ImportPlan,
    sources: tuple[Source, ...],
    target: Target,
    environ: Mapping[str, str],
    hear: OnChapter,
) -> ImportResult:
    """Makes the novel where there is none, and brings the chapters in.

    A new novel comes into being with the chapters, or not at all. StudioError: as for a new
    novel and for `Session.bring_in`. Done again after a failure, it goes on where it stopped.
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

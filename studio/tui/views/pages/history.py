"""The versions of a file: read in a thread, rendered as one line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from studio.i18n import _, ngettext, translate
from studio.project.clock import local_time
from studio.project.history.reasons import reason_words
from studio.tui.views.terms import term
from studio.tui.views.words import Line, Phrase

if TYPE_CHECKING:
    from studio.project.history.blobs import Version
    from studio.session import Session


@dataclass(frozen=True, slots=True)
class Past:
    """The present text of a file and its versions."""

    path: str
    present: str
    present_sha256: str | None
    versions: tuple[Version, ...]
    """The versions, the newest first."""
    texts: dict[str, str]
    """The readable texts, by sha256."""


def read_past(session: Session, path: str) -> Past:
    """Reads every version of a file; call it in a thread."""
    versions = session.versions()
    newest_first = tuple(reversed(versions.of(path)))
    sha = session.store.root.sha(path)
    return Past(path, versions.present(path), sha, newest_first, versions.readable(newest_first))


def files_with_past(session: Session) -> list[tuple[str, str]]:
    """Returns the path and name of every file whose versions the writer can restore."""
    from studio.project.commit.versions import may_be_restored

    files = session.versions().files()
    return [(f.path, f"{f.path}  ({f.versions})") for f in files if may_be_restored(f.path)]


def version_line(past: Past, version: Version) -> Line:
    """Returns the time and reason of a version, and whether it is the present text."""
    when = local_time(version.ts, seconds=True)
    in_work = version.path != past.path and version.reason == "staged"
    words = [
        Phrase(f"{when}  ", "quiet"),
        Phrase(_("in progress") if in_work else translate(term(reason_words(version.reason)))),
    ]
    if version.sha == past.present_sha256:
        words.append(Phrase("  " + _("as it is now"), "good"))
    if version.sha not in past.texts:
        words.append(Phrase("  " + _("cannot be read"), "bad"))
    return tuple(words)


def head(past: Past) -> Line:
    """Returns the chapter or the file, and the number of its versions."""
    from studio.project.layout import chapter_of

    number = chapter_of(past.path)
    what = _("chapter {number}", number=number) if number is not None else past.path
    count = len(past.versions)
    words = ngettext("{n} version", "{n} versions", count)
    return (Phrase(_("History of {what}", what=what), "heading"), Phrase(f"  {words}", "quiet"))

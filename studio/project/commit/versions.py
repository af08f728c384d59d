"""Lists, reads and restores every version of a file that was ever kept (seed C12).

A chapter's versions are those of its file in the book and of its file in staging. Restoring one is
an ordinary edit by the author: the current text is kept first, and nothing else of the book is
touched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from dataclasses import replace as with_changes
from pathlib import PurePosixPath
from shlex import quote
from typing import NamedTuple

from studio.errors import StudioError, damaged, usage
from studio.fsio import sha256_hex
from studio.messages import said
from studio.project import layout as places
from studio.project.author import replace
from studio.project.commit.writing import hold_for_writing
from studio.project.files import front_matter
from studio.project.files.front_matter import Provenance
from studio.project.history.blobs import Version
from studio.project.history.reasons import Reason
from studio.project.store import ProjectStore
from studio.project.which_chapter import as_number
from studio.story.form.numerals import whole_number

SHORT = 10
"""The number of sha256 digits that identify a version and are short enough to type."""
_ENOUGH = 4
_FILES = {
    places.SETTINGS,
    places.BRIEF,
    places.STYLE_PROFILE,
    places.BLACKLIST,
    places.BASELINE,
    places.WAIVERS,
    places.LOCKS,
    places.SPELLING,
    places.STORYLINES,
    places.STORYLINE_SPEC,
}
_FOLDERS = (
    f"{places.CHAPTERS}/",
    f"{places.SUMMARIES}/",
    f"{places.WORLD}/",
    "characters/",
    f"{places.VOLUMES}/",
    f"{places.STYLE_LIBRARY}/",
    f"{places.AGENTS}/",
    "context/",
)


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that has versions."""

    path: str
    versions: int
    newest: str
    """The time of the newest version, ISO 8601 in UTC."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of restoring a version of a file."""

    path: str
    sha256: str
    replaced_sha256: str | None
    """The sha256 of the replaced text, now in history; None for no file."""


class Versions:
    """The versions of one novel's files."""

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._history = store.history

    def files(self) -> list[KeptFile]:
        """Returns every file with versions, sorted by path."""
        versions_by_path: dict[str, list[Version]] = {}
        for version in self._history.log():
            versions_by_path.setdefault(version.path, []).append(version)
        return [
            KeptFile(path, len(_each_once(versions)), versions[-1].ts)
            for path, versions in sorted(versions_by_path.items())
        ]

    def path_of(self, name: str) -> str:
        """Returns the file that a chapter (its number or label) or a path in the novel refers to.

        Raises StudioError (exit 2) if it is no path inside the novel, or two chapters are called
        so.
        """
        name = as_number(self._store, name)
        if number := whole_number(name):
            return self._store.layout.chapter(number)
        path = PurePosixPath(name.replace("\\", "/"))
        folder = PurePosixPath(self._store.layout.folder.as_posix())
        path = path.relative_to(folder) if path.is_relative_to(folder) else path
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise usage(
                said("{name} is not a file of this novel.", name=name),
                said("Name a chapter by its number, or a file by its path in the novel."),
            )
        return str(path)

    def of(self, path: str) -> list[Version]:
        """Returns the versions of a file, oldest first; for a chapter including the staged ones. A
        text that was kept again while it stood is one version, under the name that it came by."""
        chapter = places.chapter_of(path)
        own = {path} if chapter is None else {path, self._store.layout.staged_chapter(chapter)}
        return _each_once(version for version in self._history.log() if version.path in own)

    def find(self, path: str, sha: str | None) -> Version:
        """Returns the version whose sha256 begins with `sha`; without it the newest that is not the
        current text. Raises StudioError (exit 2) if there is none, or more than one."""
        versions = self.of(path)
        if not versions:
            raise usage(
                said("History has no version of {path}.", path=path),
                said("`studio history list` shows all."),
            )
        if sha is None:
            present = self._store.root.sha(path)
            earlier = [version for version in versions if version.sha != present]
            own = [version for version in earlier if version.path == path]
            if not earlier:
                raise usage(
                    said("{path} has no version but the present one.", path=path),
                    said("There is nothing to go back to."),
                )
            return (own or earlier)[-1]
        matches = {v.sha: v for v in versions if v.sha.startswith(sha.lower())}
        if len(sha) < _ENOUGH or len(matches) != 1:
            problem = said("more than one version") if len(matches) > 1 else said("no version")
            problem = said("too little") if len(sha) < _ENOUGH else problem
            raise usage(
                said("{sha} names {problem} of {path}.", sha=repr(sha), problem=problem, path=path),
                said(
                    "`studio history list {path}` shows them; {ENOUGH} letters or more will do.",
                    path=quote(path),
                    ENOUGH=_ENOUGH,
                ),
            )
        return next(iter(matches.values()))

    def text(self, version: Version) -> str:
        """Returns a version's text. Raises StudioError (exit 5) if its bytes are lost or are no
        text."""
        try:
            return self._history.blob(version.sha).decode()
        except UnicodeDecodeError as error:
            raise damaged(
                said(
                    "Version {sha} of {path} is not text.",
                    sha=version.sha[:SHORT],
                    path=version.path,
                )
            ) from error

    def readable(self, versions: Iterable[Version]) -> dict[str, str]:
        """Returns the text of each readable version by its sha256."""
        texts: dict[str, str] = {}
        for version in versions:
            try:
                texts[version.sha] = texts.get(version.sha) or self.text(version)
            except StudioError:
                continue
        return texts

    def present(self, path: str) -> str:
        """Returns the current text of the file, empty if there is none."""
        data = self._store.root.find(path) or b""
        return data.decode(errors="replace")

    def restore(self, path: str, sha: str | None) -> Restored:
        """Makes a version the current one. The current text goes to history first.

        Raises StudioError: the file belongs to the studio, its chapter is in progress, there is no
        such version (exit 2), the version is lost (exit 5), the novel is locked (exit 3), or the
        file was changed at this very moment (exit 1).
        """
        if not may_be_restored(path) and self.of(path):
            raise usage(
                said(
                    "{path} is kept by the studio itself and is not brought back on its own.",
                    path=path,
                ),
                said(
                    "Chapters, summaries and the files you write can be; `studio repair` "
                    "mends the rest."
                ),
            )
        with hold_for_writing(self._store):
            self._not_in_work(path)
            version = self.find(path, sha)
            data = self._restamp(path, self._history.blob(version.sha))
            present = self._store.root.find(path)
            replaced_sha = None if present is None else sha256_hex(present)
            if present == data:
                return Restored(path, sha256_hex(data), replaced_sha)
            reason = Reason.BEFORE_EARLIER_VERSION
            replace.replace(self._store, path, data, Reason.BROUGHT_BACK, reason, replaced_sha)
        return Restored(path, sha256_hex(data), replaced_sha)

    def _not_in_work(self, path: str) -> None:
        inflight = self._store.checkpoint().inflight_chapter
        if inflight is not None and places.chapter_of(path) == inflight:
            raise usage(
                said(
                    "Chapter {inflight} is in progress; its text is in staging.", inflight=inflight
                ),
                said(
                    "Run `studio resume` first, and bring the version back when it is in the book."
                ),
            )

    def _restamp(self, path: str, data: bytes) -> bytes:
        """Updates a summary to refer to the committed text; returns anything else unchanged."""
        if not path.startswith(places.SUMMARIES + "/"):
            return data
        text = data.decode(errors="replace")
        old_provenance = front_matter.provenance(text, path)
        committed = self._store.committed_sha(old_provenance.chapter) if old_provenance else None
        if old_provenance is None or committed in (None, old_provenance.source_sha256):
            return data
        now = Provenance(
            chapter=old_provenance.chapter,
            source_sha256=committed or "",
            made_from_sha256=old_provenance.made_from_sha256 or old_provenance.source_sha256,
        )
        return front_matter.with_provenance(
            now, front_matter.split_front_matter(text, path)[1]
        ).encode()


def may_be_restored(path: str) -> bool:
    """Whether the file is the author's text; derived files follow from it and may not be restored
    (N2)."""
    return path in _FILES or path.startswith(_FOLDERS)


class ChangesByStudio(NamedTuple):
    """Chapters whose text nobody has changed since the studio put it there, by what it did."""

    brought_back: tuple[int, ...] = ()
    """They hold an earlier version."""
    taken_back: tuple[int, ...] = ()
    """A fix was taken out of them."""


def changes_by_studio(store: ProjectStore, chapters: Collection[int]) -> ChangesByStudio:
    """Returns which of these changed chapters the studio changed; the history is read once, and not
    at all for none."""
    paths = {store.layout.chapter(number): number for number in chapters}
    log = store.history.log() if paths else ()
    newest = {version.path: version for version in log if version.path in paths}
    as_kept = [
        (number, version.reason)
        for path, number in paths.items()
        if (version := newest.get(path)) is not None and version.sha == store.root.sha(path)
    ]
    return ChangesByStudio(
        *(
            tuple(number for number, why in as_kept if why == reason)
            for reason in (Reason.BROUGHT_BACK, Reason.TAKEN_BACK)
        )
    )


def _each_once(versions: Iterable[Version]) -> list[Version]:
    """Returns versions, oldest first, without those that only keep again what their file held
    already, as the commit does that takes a hand edit into account; it is named all the same."""
    newest: dict[str, int] = {}
    once: list[Version] = []
    for version in versions:
        at = newest.get(version.path)
        if at is not None and once[at].sha == version.sha:
            once[at] = with_changes(once[at], commit_id=once[at].commit_id or version.commit_id)
            continue
        newest[version.path] = len(once)
        once.append(version)
    return once

"""Puts one file of a commit in place and checks what it replaces.

The new file and the one in the book are exchanged atomically, so that a version another program
saved a moment before ends up in staging and is not lost: it is kept in history and as a variation,
even if a kill intervenes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from studio.errors import failed
from studio.fsio import ChangedOnDisk, Root, sha256_hex
from studio.messages import said
from studio.project import layout as places
from studio.project.history.blobs import History
from studio.project.history.reasons import Reason
from studio.project.layout import Layout
from studio.story.form.document import Value
from studio.story.form.ids import Sha256

_TRIES = 20
"""How many times in a row another program may save a file at the moment it is replaced."""
_BOOK = (
    *("chapters/", "summaries/", "evaluations/", "state/", "storylines/", "foreshadowing/"),
    f"{places.AUTHOR_NOTES}/",
)


_PLANS = (
    *("volumes/", "world/", "characters/", "imports/", f"{places.STYLE_LIBRARY}/"),
    *(f"{places.GUIDELINES}/", f"{places.KNOWLEDGE}/", f"{places.STAGING}/chapters/"),
    f"{places.VARIATIONS}/",
)
_PLAN_FILES = (
    *(places.BRIEF, places.STYLE_PROFILE, places.WAIVERS, places.PLAN_CHANGES),
    *(places.CONTEXT_LINES, places.LOCKS),
)


def in_the_book(path: str) -> str:
    """Returns the path if a chapter's commit may write to it; raises ValueError otherwise."""
    if not path.startswith(_BOOK):
        raise ValueError(f"a commit puts nothing at {path}")
    return path


def _in_book_or_plans(path: str) -> str:
    return path if path.startswith(_PLANS) or path in _PLAN_FILES else in_the_book(path)


def _in_staging(path: str | None) -> str | None:
    if path is not None and not path.startswith(places.STAGING + "/"):
        raise ValueError(f"a commit takes nothing from {path}")
    return path


class Placement(Value):
    """A file that a commit puts in place: a staged one, `content` itself, or if neither is given a
    version from history.

    Only the folders of the book are written (seed B2), and only from staging; a change of plans and
    a replacement over the book also write plan files and the writer's text in progress.
    """

    dst: Annotated[str, AfterValidator(_in_book_or_plans)]
    sha256: Sha256
    """The sha256 of the new bytes."""
    expected: Sha256 | None
    """The sha256 of the bytes expected before; None for no file."""
    src: Annotated[str | None, AfterValidator(_in_staging)] = None
    content: str | None = None
    to_history: bool = Field(default=True, alias="kept")
    """Whether its versions go to history; the state is derived from the changelog and need not."""

    def waits_at(self, number: int) -> str:
        """Returns the path where the new bytes of the `number`-th placement wait, and where the
        replaced bytes end up."""
        return self.src or f"{places.CARRIED}/{number:03d}"

    def new_bytes(self, root: Root) -> bytes | None:
        """Returns the bytes to put in place, None if the staged file is missing or different."""
        data = self.content.encode() if self.content is not None else self._read_staged(root)
        return data if self.is_made_of(data) else None

    def is_made_of(self, data: bytes | None) -> bool:
        """Whether these are the new bytes; None stands for no file."""
        return data is not None and sha256_hex(data) == self.sha256

    def _read_staged(self, root: Root) -> bytes | None:
        return None if self.src is None else root.find(self.src)


class Removal(Value):
    """A file of the book that is deleted; history has it."""

    path: Annotated[str, AfterValidator(_in_book_or_plans)]
    sha256: Sha256
    """The sha256 of the bytes to delete; other content stays."""


class Placer:
    """Carries out the placements of one commit; `notes` collects remarks for the writer."""

    def __init__(self, layout: Layout, chapter: int, commit_id: str, ts: str) -> None:
        self._layout = layout
        self._root = layout.root
        self._history = History(layout.root)
        self._chapter = chapter
        self._commit_id = commit_id
        self._ts = ts
        self.notes: list[str] = []

    def place(self, number: int, placement: Placement) -> None:
        """Puts the `number`-th file of the commit in place; may be repeated."""
        dst, source = placement.dst, placement.waits_at(number)
        for _ in range(_TRIES):
            present = self._root.find(dst)
            sha = None if present is None else sha256_hex(present)
            if sha == placement.sha256 or not self._is_ready(placement, source, sha):
                return
            if present is not None and sha != placement.expected:
                self._keep_beside(dst, present)
            try:
                self._root.move(source, dst, sha)
                return
            except ChangedOnDisk:
                self.take_in(number, placement)
        raise failed(
            said("{dst} is saved again and again by another program.", dst=dst),
            said("Close it there, then run `studio resume`."),
        )

    def take_in(self, number: int, placement: Placement) -> None:
        """Clears the waiting place of the new bytes; if the exchange left an unexpected version
        there, it is kept first."""
        source = placement.waits_at(number)
        content = self._root.find(source)
        sha = None if content is None else sha256_hex(content)
        if content is None or sha == placement.sha256:
            return
        if sha != placement.expected:
            self._keep_beside(placement.dst, content)
        self._root.remove(source)

    def bring_together(self, numbered: Sequence[tuple[int, Placement]]) -> None:
        """Writes the texts in the manifest to their waiting places in one batch; one by one, each
        would wait for the disk."""
        self._root.write_several(
            {
                source: placement.content.encode()
                for number, placement in numbered
                if placement.content is not None
                and self._root.sha(source := placement.waits_at(number)) != placement.sha256
            }
        )

    def take_away(self, removal: Removal) -> None:
        """Deletes a file, unless it has changed or is already gone."""
        for _ in range(_TRIES):
            try:
                self._root.remove(removal.path, expected=removal.sha256)
                return
            except ChangedOnDisk:
                if self._root.sha(removal.path) != removal.sha256:
                    break  # otherwise it was only briefly unreadable
        self.notes.append(said("{path} was changed meanwhile; it stays.", path=removal.path))

    def _is_ready(self, placement: Placement, source: str, present: str | None) -> bool:
        """Whether the new bytes wait at `source`; copies them there if they are available."""
        if self._root.sha(source) == placement.sha256:
            return True
        new = placement.new_bytes(self._root)
        if new is None and present in (placement.expected, None):
            in_history = self._history.has(placement.sha256)
            new = self._history.blob(placement.sha256) if in_history else None
        if new is None:
            # A missing staged file means that it was already placed: the present content is a later
            # change.
            not_renewed = said("was not renewed: its staged file is gone")
            later = said("was changed after it was committed; it stays as it is")
            self.notes.append(
                f"{placement.dst} {not_renewed if present == placement.expected else later}."
            )
            return False
        self._root.write(source, new)
        return True

    def _keep_beside(self, dst: str, data: bytes) -> None:
        """Keeps a version that somebody saved concurrently, in history and as a file in
        variations/."""
        reason = Reason.FOUND_AT_COMMIT
        self._history.keep(dst, data, reason, self._commit_id, self._ts)
        name, folder = PurePosixPath(dst), self._layout.variations(self._chapter)
        beside = f"{folder}/{name.stem}-yours-{sha256_hex(data)[:8]}{name.suffix}"
        if self._root.sha(beside) != sha256_hex(data):
            self._root.write(beside, data)
        self.notes.append(
            said(
                "{dst} was changed during the commit; your version is {beside}.",
                dst=dst,
                beside=beside,
            )
        )

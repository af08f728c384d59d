"""Putting one file of a commit in place, with a look at what it replaces.

The new file and the one in the book change places in one step, so that what
another program saved a moment before is in staging then, and nowhere lost: it
is kept in history and as a variation, also if a kill came in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from studio.errors import failed
from studio.fsio import ChangedOnDisk, Root, sha256_hex
from studio.project import layout as places
from studio.project.history.blobs import History
from studio.project.layout import Layout
from studio.story.form.document import Value
from studio.story.form.ids import Sha256

_TRIES = 20
"""How often a file may be saved by somebody else at the very moment it is replaced."""
_BOOK = ("chapters/", "summaries/", "evaluations/", "state/", "storylines/", "foreshadowing/")


_PLANS = (
    *("volumes/", "world/", "characters/", "imports/", f"{places.STYLE_LIBRARY}/"),
    *(f"{places.GUIDELINES}/", f"{places.KNOWLEDGE}/", f"{places.STAGING}/chapters/"),
)
_PLAN_FILES = (places.BRIEF, places.STYLE_PROFILE, places.WAIVERS, places.PLAN_CHANGES)


def in_the_book(path: str) -> str:
    """The path, if a commit of a chapter may put something there; ValueError otherwise."""
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
    """One file that a commit puts in place: a staged one, `content` itself, or with neither a
    version that history holds.

    Only the folders of the book are written (seed B2), and only from staging; a change of plans
    and one of words over the book write what the writer plans with, and her text in work.
    """

    dst: Annotated[str, AfterValidator(_in_book_or_plans)]
    sha256: Sha256
    """Of the bytes that will be there."""
    expected: Sha256 | None
    """Of the bytes that must be there before; None for no file."""
    src: Annotated[str | None, AfterValidator(_in_staging)] = None
    content: str | None = None
    to_history: bool = Field(default=True, alias="kept")
    """Whether its versions go to history; the state is made of the changelog and need not."""

    def waits_at(self, number: int) -> str:
        """Where its bytes wait, if it is the `number`-th of a commit, and what it replaces comes
        out."""
        return self.src or f"{places.CARRIED}/{number:03d}"

    def new_bytes(self, root: Root) -> bytes | None:
        """The bytes to put in place, None if the staged file is gone or another."""
        data = self.content.encode() if self.content is not None else self._staged(root)
        return data if self.is_made_of(data) else None

    def is_made_of(self, data: bytes | None) -> bool:
        """Whether these are the bytes that will be there; None stands for no file."""
        return data is not None and sha256_hex(data) == self.sha256

    def _staged(self, root: Root) -> bytes | None:
        return None if self.src is None else root.find(self.src)


class Removal(Value):
    """One file of the book that goes; history has it."""

    path: Annotated[str, AfterValidator(_in_book_or_plans)]
    sha256: Sha256
    """Of the bytes that go: others stay."""


class Placer:
    """The placements of one commit, carried out; what the writer should know is in `notes`."""

    def __init__(self, layout: Layout, chapter: int, commit_id: str, ts: str) -> None:
        self._layout = layout
        self._root = layout.root
        self._history = History(layout.root)
        self._chapter = chapter
        self._commit_id = commit_id
        self._ts = ts
        self.notes: list[str] = []

    def place(self, number: int, placement: Placement) -> None:
        """Put the `number`-th file of the commit in place; may be done again."""
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
            f"{dst} is saved again and again by another program.",
            "Close it there, then run `studio resume`.",
        )

    def take_in(self, number: int, placement: Placement) -> None:
        """Empty the place where the new bytes waited, if something else has come out of the
        exchange: nothing of it is lost."""
        source = placement.waits_at(number)
        content = self._root.find(source)
        sha = None if content is None else sha256_hex(content)
        if content is None or sha == placement.sha256:
            return
        if sha != placement.expected:
            self._keep_beside(placement.dst, content)
        self._root.remove(source)

    def bring_together(self, numbered: Sequence[tuple[int, Placement]]) -> None:
        """Bring the texts that the manifest itself holds to where they wait, all at once: one
        after another each would wait for the disk."""
        self._root.write_several(
            {
                source: placement.content.encode()
                for number, placement in numbered
                if placement.content is not None
                and self._root.sha(source := placement.waits_at(number)) != placement.sha256
            }
        )

    def take_away(self, removal: Removal) -> None:
        """Remove a file, unless it is another by now or gone already."""
        for _ in range(_TRIES):
            try:
                self._root.remove(removal.path, expected=removal.sha256)
                return
            except ChangedOnDisk:
                if self._root.sha(removal.path) != removal.sha256:
                    break  # else it only could not be read for a moment
        self.notes.append(f"{removal.path} was changed meanwhile; it stays.")

    def _is_ready(self, placement: Placement, source: str, present: str | None) -> bool:
        """Whether the new bytes wait at `source`, brought there if they are at hand."""
        if self._root.sha(source) == placement.sha256:
            return True
        new = placement.new_bytes(self._root)
        if new is None and present in (placement.expected, None):
            in_history = self._history.has(placement.sha256)
            new = self._history.blob(placement.sha256) if in_history else None
        if new is None:
            # Without its staged file it was put in place before: then this change came later.
            not_renewed = "was not renewed: its staged file is gone"
            later = "was changed after it was committed; it stays as it is"
            self.notes.append(
                f"{placement.dst} {not_renewed if present == placement.expected else later}."
            )
            return False
        self._root.write(source, new)
        return True

    def _keep_beside(self, dst: str, data: bytes) -> None:
        """A version that somebody saved meanwhile: in history, and as a file beside the others."""
        reason = "hand edit found while finishing a commit"
        self._history.keep(dst, data, reason, self._commit_id, self._ts)
        name, folder = PurePosixPath(dst), self._layout.variations(self._chapter)
        beside = f"{folder}/{name.stem}-yours-{sha256_hex(data)[:8]}{name.suffix}"
        if self._root.sha(beside) != sha256_hex(data):
            self._root.write(beside, data)
        self.notes.append(f"{dst} was changed during the commit; your version is {beside}.")

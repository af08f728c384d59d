"""Collects the changes of one commit, file by file, until its manifest can be written."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from studio.fsio import first_sha, sha256_hex
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit.placement import Placement, Removal
from studio.project.commit.transaction import PLANS, Aside, Base, CommitPlan
from studio.project.files.load import decode, refuse_large_chapter
from studio.project.files.renumbered_lines import renumber_line
from studio.project.store import ProjectStore
from studio.project.which_chapter import listed_with
from studio.story.form.document import to_bytes
from studio.story.state import Delta, StoryState


class CommitBuilder:
    """A commit under construction: its id and time, the files it places, and its changelog entries.

    `kind` is the letter its id begins with. A file that the commit replaces must still be what this
    computation saw in it first, or else its present content; `expected` overrides that by a sha256
    (None: there must be no file). Raises StudioError (exit 5) for bytes that are no text.
    """

    def __init__(
        self,
        store: ProjectStore,
        kind: str,
        chapter: int,
        expected: Mapping[str, str | None] | None = None,
    ) -> None:
        number = "" if kind == PLANS else f"{chapter:03d}-"  # plans belong to no chapter
        self.commit_id = f"{kind}{number}{secrets.token_hex(8)}"
        self.ts = now()
        self._store = store
        self._chapter = chapter
        self._expected = expected or {}
        self._placements: dict[str, Placement] = {}
        self._removals: list[Removal] = []
        self._asides: list[Aside] = []
        self._state: StoryState | None = None
        self._line = ""
        self._reworded: list[str] = []
        self._renumber = ""
        self._label: str | None = None

    def label(self, words: str) -> None:
        """Sets what the author calls the chapter, if that is not its number."""
        self._label = words if words not in ("", str(self._chapter)) else None

    def put(self, path: str, data: bytes, to_history: bool = True) -> None:
        """Sets new bytes for a file of the book, overriding any set before.

        Raises StudioError (exit 2) for an oversized chapter.
        """
        refuse_large_chapter(path, data)
        self._place(path, sha256_hex(data), content=decode(data, path), to_history=to_history)

    def change(self, files: Mapping[str, bytes | None]) -> None:
        """Sets new bytes for these files, None for deletion."""
        for path, data in files.items():
            if data is not None:
                self.put(path, data)
            else:
                self.take_away(path)

    def put_staged(self, source: str, path: str) -> None:
        """Places a staged file in the book."""
        self._place(path, sha256_hex(self._store.root.read(source)), src=source)

    def put_version(self, path: str, sha256: str) -> None:
        """Places a version from history in the book."""
        self._place(path, sha256)

    def take_away(self, path: str) -> None:
        """Deletes a file, if there is one, after everything is in place."""
        sha256 = first_sha(self._store.root, path)
        if sha256 is not None:
            self._removals.append(Removal(path=path, sha256=sha256))

    def set_aside(self, path: str, content: str) -> None:
        """Records in history only a text of a file that is not the file's newest."""
        self._asides.append(Aside(path=path, content=content))

    def tell(self, entry: log.ChangelogEntry) -> None:
        """Sets the changelog line of the commit."""
        self._line = entry.line().decode()

    def reword(self, entry: log.ChangelogEntry) -> None:
        """Adds a changelog line for a chapter in which only words changed."""
        self._reworded.append(entry.line().decode())

    def renumber(self, numbers: Mapping[str, int | str]) -> None:
        """Has the logs say the new numbers of chapters, by their old ones or by their ids."""
        if numbers:
            self._renumber = renumber_line(numbers, self.ts).decode()

    def fold(self, changes: log.Changelog, delta: Delta) -> log.ChangelogEntry:
        """Folds the chapter's delta into the story: adds a changelog line and the new state.

        Raises StudioError (exit 5) if the state is damaged.
        """
        entry, self._state = log.fold_in(
            changes, self._store.state(), delta, self.commit_id, self.ts
        )
        self.tell(entry)
        return entry

    def plan(self, checkpoint: bytes = b"") -> CommitPlan:
        """Returns the manifest, with the bytes of the new checkpoint; if empty, the checkpoint
        stays."""
        if self._state is not None:
            self.put(places.STATE, to_bytes(self._state), to_history=False)
            self._list_chapter()
        entries = self._store.changelog().entries
        return CommitPlan(
            commit_id=self.commit_id,
            chapter=max(1, self._chapter),
            ts=self.ts,
            base=Base(
                seq=max((entry.seq for entry in entries), default=0),
                state_version=max((entry.state_version for entry in entries), default=0),
                history_bytes=self._store.history.length(),
            ),
            placements=tuple(self._placements.values()),
            removals=tuple(self._removals),
            asides=tuple(self._asides),
            changelog_line=self._line,
            reworded=tuple(self._reworded),
            renumber=self._renumber,
            checkpoint=checkpoint.decode(),
        )

    def _list_chapter(self) -> None:
        """Lists the chapter, and with it all others if there is no list yet."""
        listed = listed_with(self._store, self._chapter)
        if self._label is not None:
            listed = listed.with_label(self._chapter, self._label)
        if listed != self._store.chapter_list():
            self.put(places.CHAPTER_LIST, to_bytes(listed), to_history=False)

    def _place(
        self,
        path: str,
        sha256: str,
        src: str | None = None,
        content: str | None = None,
        to_history: bool = True,
    ) -> None:
        expected = self._expected
        self._placements.pop(path, None)
        self._placements[path] = Placement(
            dst=path,
            sha256=sha256,
            expected=expected[path] if path in expected else first_sha(self._store.root, path),
            src=src,
            content=content,
            to_history=to_history,
        )

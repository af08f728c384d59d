"""Text that was typed into an editor or a form and is not in the novel yet.

It is kept in the state folder, in `novels/{id}/unsaved/`, by the id of the novel and the id of the
chapter, so that neither a renamed folder nor a change of plans moves it anywhere. Every open editor
writes a file of its own: two windows never write over each other, and what both leave is offered
afterwards.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from studio.errors import StudioError, failed
from studio.foreign_json import read_json
from studio.fsio import Root, make_root, sha256_hex
from studio.fsio.messages import reason_of
from studio.messages import said
from studio.project.lock.holder import is_alive, process_start
from studio.project.novel_id import (
    claim_novel_id,
    folder_before_ids,
    folder_of,
    ids_before_this,
    novel_id,
)
from studio.project.store import ProjectStore
from studio.story.chapter_list import id_by_number, number_in

_NAME = re.compile(r"^(.+)\.(\d+)-(\d*)-[0-9a-f]{8}\.(md|json)$")
"""Key, process and its start (empty if unknown), a token of the editor, ending."""


@dataclass(frozen=True, slots=True)
class LeftText:
    """What one editor left."""

    path: str
    """Its file, relative to the state folder."""
    text: str
    saved_at: float
    """When it was written, in seconds since the epoch."""
    elsewhere: bool
    """Whether the process that wrote it is still running: it may be open in another window."""
    perhaps_of_another: bool = False
    """Whether it was left in this folder before that lost its `.studio`: another novel may have
    been here."""


class _OwnFile:
    """The file of one open editor, and those of others with the same key."""

    def __init__(self, store: ProjectStore, key: str, earlier: Callable[[str], str | None]) -> None:
        """`earlier` returns the file that had the text before novels had ids, by the folder of the
        novel."""
        self._root, self._state = store.root, store.state_folder
        self._key, self._earlier = key, earlier
        self._own: str | None = None

    def left_texts(self) -> tuple[LeftText, ...]:
        """Returns what other editors left under the same key, newest first."""
        if self._state is None:
            return ()
        return self._read(self._state, self._others(self._state))

    def _left_before(self) -> tuple[LeftText, ...]:
        """Returns what was left in this folder before that lost its `.studio`."""
        if self._state is None:
            return ()
        files = (
            file
            for name in ids_before_this(self._root, self._state)
            for file in self._files_of(self._state, name)
        )
        texts = self._read(self._state, files)
        return tuple(replace(one_text, perhaps_of_another=True) for one_text in texts)

    @staticmethod
    def _read(state: Path, files: Iterable[tuple[str, bool]]) -> tuple[LeftText, ...]:
        read = (_read_left(state, path, elsewhere) for path, elsewhere in files)
        texts = [one_text for one_text in read if one_text is not None]
        return tuple(sorted(texts, key=lambda one_text: -one_text.saved_at))

    def _files_of(self, state: Path, name: str) -> Iterator[tuple[str, bool]]:
        """Yields the files of other editors of the novel with an id, and whether each may still be
        open."""
        folder = f"{folder_of(name)}/unsaved"
        for file in Root(state).names(folder):
            match = _NAME.match(file)
            path = f"{folder}/{file}"
            if match and f"{match[1]}.{match[4]}" == self._key and path != self._own:
                yield path, _is_another(int(match[2]), match[3])

    def _others(self, state: Path) -> Iterator[tuple[str, bool]]:
        name = novel_id(self._root, state)
        if name is not None:
            yield from self._files_of(state, name)
        old_folder = folder_before_ids(self._root, state)
        old = None if old_folder is None else self._earlier(old_folder)
        if old is not None:
            yield old, False

    def take_over(self, one_text: LeftText) -> None:
        """Makes what an earlier editor left the text of this one; one that another window may have
        open stays with it."""
        if one_text.elsewhere:
            return
        own = self._name()
        with suppress(StudioError):  # otherwise it is kept once more with the next change
            self._place().move(one_text.path, own, None)
            self._own = own

    def _write(self, data: bytes) -> Path:
        try:
            own, place = self._name(), self._place()
            place.write(own, data, private=True)
        except StudioError as error:
            raise self._not_kept(error) from error
        self._own = own
        return place.path / own

    def _not_kept(self, error: StudioError) -> StudioError:
        """Returns the same problem about what was typed, which has no path that she knows."""
        if self._state is None or not isinstance(error.__cause__, OSError):
            return error
        reason, _ = reason_of(error.__cause__)
        return failed(
            said(
                "What you typed could not be kept in {folder}: {reason}.",
                folder=self._state,
                reason=reason,
            ),
            said("Save it in the novel, or copy it to another place, before you leave."),
        )

    def leave(self) -> None:
        """Leaves what is kept as a text of its own, which is offered the next time; what is kept
        from now on stands beside it."""
        self._own = None

    def forget(self) -> None:
        """Deletes what is kept, once the novel has it; raises StudioError (exit 1) if that
        fails."""
        if self._own is not None:
            self._place().remove(self._own)
            self._own = None

    def _place(self) -> Root:
        if self._state is None:
            raise failed(said("There is no state folder to keep unsaved text in."))
        return make_root(self._state)

    def _name(self) -> str:
        """Returns the path of the file, which has a new name for every editor."""
        if self._own is not None:
            return self._own
        novel = claim_novel_id(self._root, self._place().path)
        stem, _, ending = self._key.rpartition(".")
        process = f"{os.getpid()}-{process_start(os.getpid())}"
        return f"{folder_of(novel)}/unsaved/{stem}.{process}-{secrets.token_hex(4)}.{ending}"


class Unsaved(_OwnFile):
    """The unsaved text of one editor: its own file, and what earlier editors left of the same
    chapter, whose id is `chapter`."""

    def __init__(self, store: ProjectStore, chapter: str) -> None:
        self.chapter = chapter
        number = number_in(chapter)
        super().__init__(
            store,
            f"{chapter}.md",
            lambda folder: f"unsaved-{_sha(folder)[:12]}-{number:03d}.md" if number else None,
        )

    def left_texts(self) -> tuple[LeftText, ...]:
        """Returns what other editors left of this chapter, newest first.

        Raises StudioError (exit 1) if the disk gives no answer.
        """
        return (*super().left_texts(), *self._left_before())

    def keep(self, text: str) -> Path:
        """Keeps the text and returns its file; raises StudioError (exit 1) if that fails."""
        return self._write(text.encode(errors="replace"))


class UnsavedForm(_OwnFile):
    """The unsaved fields of one open form, which has a name within the novel."""

    def __init__(self, store: ProjectStore, form: str, earlier_form: str = "") -> None:
        """`earlier_form` is the name the form had before chapters had ids."""
        old = earlier_form or form
        super().__init__(
            store,
            f"{_sha(form)[:24]}.json",
            lambda folder: f"unsaved-form-{_sha(f'{folder}|{old}')[:24]}.json",
        )

    @classmethod
    def of_chapter(cls, store: ProjectStore, chapter: int, form: str, earlier: str) -> UnsavedForm:
        """Returns those of a form about a chapter; `earlier` formats the name it had before
        chapters had ids, from the number."""
        name = _id_of(store, chapter)
        number = number_in(name)
        return cls(store, f"{form}-{name}", earlier.format(number) if number else f"-{name}")

    def before(self, *, to_look: bool = False) -> dict[str, str]:
        """Takes over what the form held when it was last left or killed, or only looks at it; empty
        if nothing.

        Raises StudioError (exit 1) if the disk gives no answer.
        """
        for one_text in self.left_texts():
            with suppress(ValueError):
                fields = read_json(one_text.text, dict)
                values = {str(k): v for k, v in fields.items() if isinstance(v, str)}
                if values and not one_text.elsewhere:
                    if not to_look:
                        self.take_over(one_text)
                    return values
        return {}

    @property
    def is_left(self) -> bool:
        """Whether anything was typed into the form and not saved."""
        return bool(self.left_texts())

    def keep(self, fields: Mapping[str, str]) -> None:
        """Keeps the fields; raises StudioError (exit 1) if that fails."""
        self._write(json.dumps(dict(fields), ensure_ascii=False).encode(errors="replace"))


def unsaved_of(store: ProjectStore, chapter: int) -> Unsaved:
    """Returns the unsaved text of an editor that opens on the chapter with a number now."""
    return Unsaved(store, _id_of(store, chapter))


def _id_of(store: ProjectStore, chapter: int) -> str:
    try:
        return store.chapter_list().id_of(chapter)
    except StudioError:  # a damaged list is reported elsewhere, and keeps nobody from typing
        return id_by_number(chapter)


def chapters_left(store: ProjectStore) -> tuple[int, ...]:
    """Returns the chapters for which the state folder has text that an editor left."""
    state = store.state_folder
    if state is None:
        return ()
    name, listed = novel_id(store.root, state), store.chapter_list()
    files = Root(state).names(f"{folder_of(name)}/unsaved") if name else ()
    matches = [match for file in files if (match := _NAME.match(file)) and match[4] == "md"]
    numbers = {listed.number_of(match[1]) for match in matches}
    if (old := folder_before_ids(store.root, state)) is not None:
        begin = f"unsaved-{_sha(old)[:12]}-"
        earlier = (file for file in Root(state).names("") if file.startswith(begin))
        ends = (file.removeprefix(begin) for file in earlier)
        numbers |= {int(end[:-3]) for end in ends if end[:-3].isdecimal()}
    return tuple(sorted(number for number in numbers if number))


def forget_left(store: ProjectStore, left: LeftText) -> None:
    """Deletes what an editor left, once it is kept elsewhere."""
    if store.state_folder is not None:
        make_root(store.state_folder).remove(left.path)


def unsaved_plan(store: ProjectStore, chapter: int) -> UnsavedForm:
    """Returns the unsaved fields of a form with the plan of a chapter."""
    return UnsavedForm.of_chapter(store, chapter, "plan", "plan-{}")


def unsaved_wishes(store: ProjectStore, chapter: int) -> UnsavedForm:
    """Returns what was wanted of a plan that was asked for and is not taken."""
    return UnsavedForm.of_chapter(store, chapter, "plan-wishes", "plan-wishes-{}")


def chapters_wished(store: ProjectStore, chapters: Iterable[int]) -> tuple[int, ...]:
    """Returns those of the chapters of which a plan was asked for and is not taken."""
    state = store.state_folder
    name = novel_id(store.root, state) if state is not None else None
    files = Root(state).names(f"{folder_of(name)}/unsaved") if state and name else ()
    keys = {match[1] for file in files if (match := _NAME.match(file))}
    asked = ((n, _sha(f"plan-wishes-{_id_of(store, n)}")[:24]) for n in chapters if keys)
    return tuple(number for number, key in asked if key in keys)


def has_unsaved(store: ProjectStore, chapter: int) -> bool:
    """Whether an editor left unsaved text of a chapter, or a form its unsaved plan."""
    texts = unsaved_of(store, chapter).left_texts()
    return any(one_text.text.strip() for one_text in texts) or unsaved_plan(store, chapter).is_left


def _is_another(pid: int, start: str) -> bool:
    """Whether another process than this one, still running, has written a file."""
    if pid == os.getpid() or not is_alive(pid):
        return False
    return not start or process_start(pid) in ("", start)


def _sha(words: str) -> str:
    return sha256_hex(words.encode(errors="replace"))


def _read_left(state: Path, path: str, elsewhere: bool) -> LeftText | None:
    file = Root(state).read_with_identity(path)
    if file is None or not file[1]:
        return None
    return LeftText(path, file[1].decode(errors="replace"), file[0].st_mtime, elsewhere)

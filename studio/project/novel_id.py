"""The identity of a novel on this machine, which survives a new name for its folder.

`.studio/novel-id` names the novel and is not in git. The state folder of the machine keeps, in
`novels/{id}/folder.json`, where the novel with that id lives. What the machine remembers of a novel
(unsaved text, spending, what was agreed to) is filed by this id, so that it follows the folder, and
no other folder inherits it.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from studio.errors import StudioError
from studio.foreign_json import read_json
from studio.fsio import ChangedOnDisk, Root, make_root
from studio.fsio.messages import disk_error
from studio.project import layout as places
from studio.story.form.document import Value, to_bytes

NOVELS = "novels"
"""The subfolder of the state folder with a folder for each novel."""
_FOLDER = "folder.json"
_FORM = re.compile(r"[0-9a-f]{32}")


class NovelFolder(Value):
    """Where the novel with an id lives: `novels/{id}/folder.json` in the state folder."""

    schema_version: int = 1
    folder: str
    """The absolute path, with links resolved."""
    device: int
    inode: int
    carries_id: bool | None = None
    """Whether the folder got a file with the id; not where it cannot be written, and there alone
    the novel is known by its place. None: nobody noted it."""
    took_place_of: str | None = None
    """The id of the novel that this machine knew in this very folder before it lost its `.studio`:
    it may be this one. What was typed into that is offered here, and nothing of it inherited."""
    before_ids: str | None = None
    """The path by which its unsaved text was filed before novels had ids; None for a novel that
    never was without one."""

    @property
    def place(self) -> tuple[str, int, int]:
        """The path together with the numbers of the folder."""
        return self.folder, self.device, self.inode

    @property
    def same_folder(self) -> tuple[int, int]:
        """The numbers by which the system knows the folder, whatever its name is."""
        return self.device, self.inode


_SEEN: dict[tuple[Path, Path], tuple[NovelFolder, str | None]] = {}
"""Where each novel was when this process last looked, and its id: its folder may be moved away, or
its disk be taken out, while it is open."""


def novel_id(root: Root, state: Path) -> str | None:
    """Returns the id under which this machine knows the novel in the folder; writes nothing.

    None for a novel that was not yet written on this machine and brings no id of its own, and for a
    copy of a novel that lives elsewhere. Raises StudioError (exit 1) if the disk gives no answer,
    which is not the same as no id.
    """
    here = _whereabouts(root)
    if here is None:
        return _SEEN[root.path, state][1] if (root.path, state) in _SEEN else None
    name = _id_of(root, state, here)
    _SEEN[root.path, state] = here, name
    return name


def _id_of(root: Root, state: Path, here: NovelFolder) -> str | None:
    carried = _id_in_folder(root)
    if carried is not None and not _lives_elsewhere(state, carried, here):
        return carried
    known = _ids_at(state, here).items()
    return next((name for name, there in known if not there.carries_id), None)


def folder_before_ids(root: Root, state: Path) -> str | None:
    """Returns the path by which unsaved text of this novel was filed before novels had ids; None
    for a novel that never was without one."""
    name = novel_id(root, state)
    there = _read_place(state, name) if name else None
    if there is not None:
        return there.before_ids
    here = _whereabouts(root)
    return None if name or _id_in_folder(root) or here is None else _path_if_unclaimed(state, here)


def ids_before_this(root: Root, state: Path) -> tuple[str, ...]:
    """Returns the ids of the novels that this machine knew in this very folder before it lost its
    `.studio`, the latest first; empty where a new novel was begun in the place of another."""
    here, name = _whereabouts(root), novel_id(root, state)
    if name is not None:
        before = _took_place_of(state, name)
    elif here is not None and _id_in_folder(root) is None:
        before = next(iter(_ids_at(state, here)), None)
    else:
        before = None
    ids: list[str] = []
    while before is not None and before not in ids:
        ids.append(before)
        before = _took_place_of(state, before)
    return tuple(ids)


def _took_place_of(state: Path, name: str) -> str | None:
    there = _read_place(state, name)
    return there.took_place_of if there else None


def _ids_at(state: Path, here: NovelFolder) -> dict[str, NovelFolder]:
    """Returns the novels that this machine knows in this very folder."""
    return {name: there for name, there in _known_novels(state) if there.place == here.place}


def claim_novel_id(root: Root, state: Path, *, anew: bool = False) -> str:
    """Returns the id of the novel in the folder, giving it one at its first write on this machine.

    A copy of a living novel gets an id of its own. `anew` is for a novel that was just created: it
    takes over nothing that was known of an earlier one in its place. Raises StudioError (exit 1) if
    the disk gives no answer or the state folder cannot be written; a novel's folder that cannot be
    written is known by its place alone.
    """
    here = _whereabouts(root)
    if here is None or not places.is_novel(root.path):
        return _id_of_vanished(root, state)
    carried = _id_in_folder(root)
    known = None if anew and carried is None else novel_id(root, state)
    name = known or secrets.token_hex(16)
    _SEEN[root.path, state] = here, name
    here = here.copy_with(carries_id=name == carried)
    _note_place(state, name, here, inherits=carried is None and not anew)
    if known is None:
        for other, place in _ids_at(state, here).items():
            if other != name:  # it was deleted: this has its place
                _keep(state, other, place.copy_with(inode=0))
    if name == carried:
        return name
    expected = root.sha(places.NOVEL_ID)
    try:
        root.write(places.NOVEL_ID, f"{name}\n".encode(), expected=expected)
    except ChangedOnDisk:  # another process was first
        return claim_novel_id(root, state)
    except StudioError:
        return name
    there = _read_place(state, name) or here
    _keep(state, name, there.copy_with(carries_id=True))
    return name


def _note_place(state: Path, name: str, here: NovelFolder, *, inherits: bool) -> None:
    """Notes where a novel lives, unless that is known. One that is new here `inherits` what was
    typed before in this place, or may be offered it."""
    there = _read_place(state, name)
    if there is None and inherits:
        before = _path_if_unclaimed(state, here), next(iter(_ids_at(state, here)), None)
    else:
        before = (there.before_ids, there.took_place_of) if there else (None, None)
    now = here.copy_with(**dict(zip(("before_ids", "took_place_of"), before, strict=True)))
    if there != now:
        _keep(state, name, now)


def _id_of_vanished(root: Root, state: Path) -> str:
    """Returns the id of a novel whose folder was there and has vanished since."""
    if (root.path, state) not in _SEEN:
        raise places.vanished_error(root.path)
    here, known = _SEEN[root.path, state]
    name = known or secrets.token_hex(16)
    if known is None:
        _keep(state, name, here.copy_with(carries_id=False))
        _SEEN[root.path, state] = here, name
    return name


def folder_of(name: str) -> str:
    """Returns the folder in the state folder for what is remembered of a novel."""
    return f"{NOVELS}/{name}"


def _whereabouts(root: Root) -> NovelFolder | None:
    """Returns the folder's place; None if it has vanished."""
    try:
        info = os.stat(root.path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise disk_error(error, str(root.path), "read") from error
    return NovelFolder(folder=str(root.path), device=info.st_dev, inode=info.st_ino)


def _id_in_folder(root: Root) -> str | None:
    """Returns the id that the folder brings; None if it brings none, or anything else there."""
    try:
        name = (root.find(places.NOVEL_ID) or b"").decode("ascii", "replace").strip()
    except StudioError as error:
        if error.problem.kind == "disk":
            raise
        return None
    return name if _FORM.fullmatch(name) else None


def _lives_elsewhere(state: Path, name: str, here: NovelFolder) -> bool:
    """Whether the novel with this id lives in another folder than this one: this is its copy."""
    there = _read_place(state, name)
    if there is None or there.folder == here.folder or there.same_folder == here.same_folder:
        return False
    try:
        other = Root(there.folder)
        present = _whereabouts(other)
        if present is None or present.same_folder == here.same_folder:
            return False
        return places.is_novel(other.path) and _id_in_folder(other) in (name, None)
    except StudioError:  # it may be a disk that sleeps: what is there is not taken from it
        return True


def _keep(state: Path, name: str, there: NovelFolder) -> None:
    make_root(state).write(f"{folder_of(name)}/{_FOLDER}", to_bytes(there), private=True)


def _path_if_unclaimed(state: Path, here: NovelFolder) -> str | None:
    """Returns the path of a folder unless another novel that was there has what was filed by it."""
    taken = any(there.before_ids == here.folder for _, there in _known_novels(state))
    return None if taken else here.folder


def _read_place(state: Path, name: str) -> NovelFolder | None:
    data = Root(state).find(f"{folder_of(name)}/{_FOLDER}")
    try:
        return NovelFolder.model_validate(read_json(data, dict)) if data else None
    except ValueError:
        return None


def _known_novels(state: Path) -> Iterator[tuple[str, NovelFolder]]:
    """Yields the novels this machine knows, with their places."""
    for name in Root(state).names(NOVELS):
        if _FORM.fullmatch(name) and (there := _read_place(state, name)) is not None:
            yield name, there

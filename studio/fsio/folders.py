"""Folders as wholes: made where they are missing, or coming into being with all they hold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from studio.errors import StudioError, usage
from studio.fsio.descriptors import alive, temporary_maker, temporary_name
from studio.fsio.messages import in_words
from studio.fsio.root import Root

READY = ".beginning~"
"""In a folder that was there before: all that will be in it, whole, on its way up."""


def make_root(folder: Path | str) -> Root:
    """The Root of a folder, made with those above it where they are missing.

    Links above it are followed, as everywhere outside of a novel, and each
    writer clears away what a killed one left. Raises StudioError (kind `disk`,
    exit 1) when it cannot be made.
    """
    existing, missing = _nearest(Path(os.path.abspath(folder)))
    if missing:
        Root(existing).make_folder("/".join(missing))
    return Root(folder, shared=True)


@contextmanager
def whole_folder(folder: Path | str, last: str) -> Iterator[Root]:
    """A folder, new or empty, that comes into being with all the block puts into it, or not.

    The block gets another folder to fill. Where there is none of that name,
    the filled one is renamed to it with all the folders above it that are
    missing. One that is there already stays the folder it is (a shell may stand
    in it): what was made moves up into it name by name, the file `last` at the
    end, and `finish_folder` goes on with that after a kill. What the block
    raises leaves nothing behind; what a kill left beside goes away the next
    time. StudioError (exit 2) if the folder holds something.
    """
    place = Path(os.path.realpath(folder))
    above, missing = _nearest(place)
    name, root = (missing or [place.name])[0], Root(above)
    _sweep_folders(root, name)
    if missing and root.info(name) is not None:
        raise _full(place)
    if not missing:
        finish_folder(place, last)
        _refuse_full(place)
    draft = temporary_name(name)
    draft_inside = "/".join([draft, *missing[1:]])
    try:
        root.make_folder(draft_inside)
        yield Root(root.path / draft_inside)
        if not root.claim(draft, missing[0] if missing else READY):
            raise _full(place)
    except BaseException:
        with suppress(StudioError):
            remove_tree(root, draft)
        raise
    finish_folder(place, last)


def finish_folder(folder: Path | str, last: str) -> None:
    """Moves up what `whole_folder` had ready when it was killed, if it was.

    StudioError (exit 2) where something else of one of its names was put there meanwhile.
    """
    there, missing = _nearest(Path(folder))
    if missing or not Root(there).is_folder(READY):
        return
    root = Root(there)
    names = root.names(READY)
    with root.together():
        for name in names:
            if name != last:
                _move_up(root, name)
    if last in names:
        _move_up(root, last)
    root.remove_folder(READY)


def _move_up(root: Root, name: str) -> None:
    if not root.claim(f"{READY}/{name}", name):
        raise usage(
            f"{name} is in the way in {root.path}: a novel was about to begin there.",
            "Move it to another place and try again.",
        )


def _nearest(place: Path) -> tuple[Path, list[str]]:
    """The folder that is there, and the names that are missing below it."""
    missing: list[str] = []
    with in_words(place.name, "read"):
        while not place.is_dir() and place != place.parent:
            missing.insert(0, place.name)
            place = place.parent
    return place, missing


def _refuse_full(place: Path) -> None:
    with in_words("", "read"):
        if os.listdir(place):
            raise _full(place)


def _full(place: Path) -> StudioError:
    return usage(f"{place} is not empty.", "Name a new folder, or an empty one.")


def _sweep_folders(root: Root, name: str) -> None:
    """Takes away what killed processes had half made for a folder of that name."""
    start = temporary_name(name, "")
    with in_words("", "read"):
        names = [entry for entry in os.listdir(root.path) if entry.startswith(start)]
    for entry in names:
        maker = temporary_maker(entry)
        if maker is not None and not alive(maker) and root.is_folder(entry):
            remove_tree(root, entry)


def remove_tree(root: Root, rel: str) -> None:
    """Take a folder and everything in it away; links in it are removed, not followed."""
    if root.is_folder(rel):
        for name in root.all_names(rel):
            remove_tree(root, f"{rel}/{name}")
        root.remove_folder(rel)
    else:
        root.remove(rel)


def sweep(root: Root, rel: str = "") -> list[str]:
    """Remove the temporary files that killed processes left; returns their paths."""
    return [path for path in root.temporary(rel) if root.remove(path)]

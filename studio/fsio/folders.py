"""Operations on whole folders: creating missing ones, and creating a folder with all its content at
once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from studio.errors import StudioError, usage
from studio.fsio.descriptors import alive, temporary_maker, temporary_name
from studio.fsio.messages import in_words
from studio.fsio.read import temporary_below
from studio.fsio.root import Root
from studio.messages import said

READY = ".beginning~"
"""The subfolder of an existing folder that holds its complete new content before it is moved up."""


def make_root(folder: Path | str) -> Root:
    """Returns the Root of a folder, creating it and its parents where they are missing.

    Links above the folder are followed, as everywhere outside of a novel, and each writer cleans up
    after killed ones. Raises StudioError (kind `disk`, exit 1) if it cannot be created.
    """
    existing, missing = _nearest(Path(os.path.abspath(folder)))
    if missing:
        Root(existing).make_folder("/".join(missing))
    return Root(folder, shared=True)


@contextmanager
def whole_folder(folder: Path | str, last: str) -> Iterator[Root]:
    """Creates a folder, new or empty, with everything the block puts into it, or not at all.

    The block gets a temporary folder to fill. If the target does not exist, the filled folder is
    renamed to it along with any missing parents. An existing folder stays in place (a shell may be
    in it): the content is moved up into it name by name, the file `last` at the end, and
    `finish_folder` resumes that after a kill. If the block raises, nothing is left behind;
    leftovers of a kill are removed the next time. Raises StudioError (exit 2) if the folder is not
    empty, or would be made at the root of the disk.
    """
    place = Path(os.path.realpath(folder))
    refuse_root(place)
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
    """Completes the move of a `whole_folder` that was killed midway, if there is one.

    Raises StudioError (exit 2) if something else has been put under one of its names.
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


def refuse_root(place: Path | str) -> None:
    """Raises StudioError (exit 2) where a file or folder would be made at the root of the disk: a
    `/` before a name that was typed by accident leads there. What already is there may be used."""
    above, missing = _nearest(Path(os.path.realpath(place)))
    if missing and above == above.parent and not os.path.lexists(above / missing[0]):
        raise usage(
            said("{place} would be made at the root of the disk.", place=above / missing[0]),
            said("Name a place in your home folder, or make that folder yourself first."),
        )


def _move_up(root: Root, name: str) -> None:
    if not root.claim(f"{READY}/{name}", name):
        raise usage(
            said(
                "{name} is in the way in {path}: a novel was about to begin there.",
                name=name,
                path=root.path,
            ),
            said("Move it to another place and try again."),
        )


def _nearest(place: Path) -> tuple[Path, list[str]]:
    """Returns the nearest existing folder, and the names that are missing below it."""
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
    return usage(
        said("{place} is not empty.", place=place), said("Name a new folder, or an empty one.")
    )


def _sweep_folders(root: Root, name: str) -> None:
    """Deletes unfinished folders that killed processes left for a folder of that name."""
    start = temporary_name(name, "")
    with in_words("", "read"):
        names = [entry for entry in os.listdir(root.path) if entry.startswith(start)]
    for entry in names:
        maker = temporary_maker(entry)
        if maker is not None and not alive(maker) and root.is_folder(entry):
            remove_tree(root, entry)


def remove_tree(root: Root, rel: str) -> None:
    """Deletes a folder and everything in it; links in it are removed, not followed."""
    if root.is_folder(rel):
        for name in root.all_names(rel):
            remove_tree(root, f"{rel}/{name}")
        root.remove_folder(rel)
    else:
        root.remove(rel)


def sweep(root: Root, rel: str = "") -> list[str]:
    """Deletes the temporary files that killed processes left; returns their paths."""
    return [path for path in temporary_below(root, rel) if root.remove(path)]

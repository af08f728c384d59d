"""Files that a writer names in a command: read completely, without blocking, and named in
errors."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import exists, isdir
from pathlib import Path

from studio.errors import usage
from studio.fsio import make_root
from studio.messages import said

LARGEST = 50_000_000
"""The maximum size of a file in bytes; anything larger is no chapter."""


def given_bytes(file: Path) -> bytes:
    """Returns the bytes of a regular file; raises StudioError (exit 2) if it is missing, too large,
    or a pipe, device or folder."""
    try:
        if not file.exists():
            raise usage(
                said("There is no file {file}.", file=file),
                (said("Check the name; it is relative to the current folder.")),
            )
        if not file.is_file():
            raise usage(
                said("{file} is not a file.", file=file), said("Name files of text, one by one.")
            )
        if file.stat().st_size > LARGEST:
            raise usage(
                said(
                    "{file} is larger than {largest} MB.", file=file, largest=LARGEST // 1_000_000
                ),
                said("Cut it into parts, and name the part you need."),
            )
        return file.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else ""
        raise usage(
            said("{path} cannot be read: {strerror}.", path=file, strerror=reason or error),
            said("Check its name and your permissions."),
        ) from error


def given_text(file: Path) -> str:
    """Returns the text of a file that the writer named, decoded as UTF-8 and otherwise
    unchanged."""
    return text_of(given_bytes(file), str(file))


def text_of(data: bytes, name: str) -> str:
    """Decodes UTF-8 bytes; raises StudioError (exit 2) with the first invalid byte."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise usage(
            said(
                "{name} is not UTF-8 text: byte {start} (line {count}) cannot be read.",
                name=name,
                start=error.start,
                count=data.count(10, 0, error.start) + 1,
            ),
            said("Save it as UTF-8 in your editor and try again; nothing was changed."),
        ) from error
    if "\0" in text:
        raise usage(
            said(
                "{name} holds zero bytes from byte {index} on; it is not a text.",
                name=name,
                index=data.index(0),
            ),
            said("Bring it back from a backup, or save it anew in your editor."),
        )
    return text


def put_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Writes files by name into a folder, which is created if missing; returns those that changed.

    Raises StudioError: the name is that of a file (exit 2), the folder cannot be written (exit 1).
    """
    if exists(folder) and not isdir(folder):
        raise usage(
            said("{folder} is not a folder.", folder=folder),
            said("Name a folder, or one that is not there yet."),
        )
    root = make_root(folder)
    changed_paths = []
    for name, data in files.items():
        if root.find(name) != data:
            root.write(name, data)
            changed_paths.append(folder / name)
    return changed_paths

"""Texts that a command is given by name."""

from __future__ import annotations

import sys
from pathlib import Path

from studio.errors import usage

LARGEST = 50_000_000
"""Bytes; more is no chapter."""


def read_text(file: Path) -> str:
    """A UTF-8 file as it is, `-` for stdin. Never hangs on a pipe or device by name.

    Raises StudioError (exit 2) with the first byte that is not UTF-8.
    """
    name = "stdin" if file == Path("-") else str(file)
    data = _read(file, name)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise usage(
            f"{name} is not UTF-8 text: byte {error.start} (line"
            f" {data.count(10, 0, error.start) + 1}) cannot be read.",
            "Save it as UTF-8 in your editor and try again.",
        ) from error
    if "\0" in text:
        raise usage(f"{name} holds zero bytes from byte {data.index(0)} on; it is not a text.")
    return text


def _read(file: Path, name: str) -> bytes:
    if file == Path("-"):
        return sys.stdin.buffer.read() if sys.stdin is not None else b""
    try:
        if not file.exists():
            raise usage(f"There is no file {name}.", "Check the name; it is relative to here.")
        if not file.is_file():
            raise usage(f"{name} is not a file.")
        if file.stat().st_size > LARGEST:
            raise usage(f"{name} is larger than {LARGEST // 1_000_000} MB; it is no chapter.")
        return file.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else ""
        raise usage(f"{name} cannot be read: {reason or error}.") from error

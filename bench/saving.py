"""The ways in which editors save a file, for benchmarks of detecting changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

GAP = 0.03
"""The seconds between the two pieces of a slow save."""


def direct(path: Path, text: str) -> None:
    """Overwrites the file in place."""
    path.write_text(text)


def in_two_pieces(path: Path, text: str) -> None:
    """Overwrites the file in place, with a pause in between."""
    with path.open("w") as file:
        file.write(text[: len(text) // 2])
        file.flush()
        time.sleep(GAP)
        file.write(text[len(text) // 2 :])


def renamed(path: Path, text: str) -> None:
    """Writes a temporary file and renames it over the old one."""
    other = path.with_name(f".{path.name}.new")
    other.write_text(text)
    other.rename(path)


def like_vim(path: Path, text: str) -> None:
    """Renames the old file away, writes a new one, and deletes the old one."""
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


SAVES: dict[str, Callable[[Path, str], None]] = {
    "direct": direct,
    "in two pieces": in_two_pieces,
    "temp+rename": renamed,
    "like vim": like_vim,
}

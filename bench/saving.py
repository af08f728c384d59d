"""The ways editors save a file, for what is measured about noticing it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

GAP = 0.03
"""Seconds between the two pieces of a slow save."""


def direct(path: Path, text: str) -> None:
    """In place."""
    path.write_text(text)


def in_two_pieces(path: Path, text: str) -> None:
    """In place, with a pause."""
    with path.open("w") as file:
        file.write(text[: len(text) // 2])
        file.flush()
        time.sleep(GAP)
        file.write(text[len(text) // 2 :])


def renamed(path: Path, text: str) -> None:
    """A temporary file, renamed over it."""
    other = path.with_name(f".{path.name}.new")
    other.write_text(text)
    other.rename(path)


def like_vim(path: Path, text: str) -> None:
    """The old one renamed away, a new one written, the old one deleted."""
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

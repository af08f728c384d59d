"""Guards that decide whether the files of a folder may be changed, called before every change.

A process that holds a novel may be suspended for hours, and another process may hold the novel when
it resumes. It cannot know that, so it asks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Guard = Callable[[str], None]
"""A callback that gets the file's path relative to the folder and raises if it may not be
changed."""

_guards: dict[Path, Guard] = {}


def guard(folder: Path, ask: Guard) -> None:
    """Registers `ask` to be called before this process changes a file of the folder."""
    _guards[folder] = ask


def unguard(folder: Path, ask: Guard) -> None:
    """Removes a guard, unless another one has replaced it."""
    if _guards.get(folder) == ask:
        del _guards[folder]


def ask_before_changing(folder: Path, rel: str) -> None:
    """Calls the folder's guard, if it has one, and lets its exception through."""
    ask = _guards.get(folder)
    if ask is not None:
        ask(rel)

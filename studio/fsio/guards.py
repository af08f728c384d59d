"""Who may change the files of a folder now: asked before every change that is made in it.

A process that holds a novel may be stopped for hours, and somebody else hold
the novel when it wakes. It cannot know, so it asks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Guard = Callable[[str], None]
"""Is given the path of a file, relative to the folder; raises if it may not be changed."""

_guards: dict[Path, Guard] = {}


def guard(folder: Path, ask: Guard) -> None:
    """From now on `ask` is called before a file of the folder is changed by this process."""
    _guards[folder] = ask


def unguard(folder: Path, ask: Guard) -> None:
    """Removes a guard, unless another one has taken its place."""
    if _guards.get(folder) == ask:
        del _guards[folder]


def ask_before_changing(folder: Path, rel: str) -> None:
    """Raises what the guard of the folder raises, if it has one."""
    ask = _guards.get(folder)
    if ask is not None:
        ask(rel)

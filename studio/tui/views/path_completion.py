"""Paths on the writer's machine: completion while typing, expansion, and names for new folders."""

from __future__ import annotations

import itertools
import os
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from studio.story.form.slugs import DEVICE_NAMES
from studio.text.safe import safe_text

MOST = 500
"""The greatest number of names that are offered for one completion."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The possible completions of a path."""

    text: str
    """The longest prefix that all matches share; never shorter than the typed text."""
    names: tuple[str, ...] = ()
    """The names of the matches; folders end with `/`."""


def complete_path(text: str) -> Completion:
    """Completes a path; a folder that cannot be read has no matches.

    Names with control characters are not offered, because an input field would draw them.
    """
    head, tail = os.path.split(text)
    try:
        with os.scandir(Path(head or ".").expanduser()) as entries:
            names = [_show(e) for e in entries if e.name.startswith(tail)]
    except (OSError, ValueError, RuntimeError):
        return Completion(text)
    hidden = tail.startswith(".")
    visible = [n for n in names if safe_text(n) == n and (hidden or not n.startswith("."))]
    names = sorted(visible, key=lambda n: (not n.endswith("/"), n.casefold()))[:MOST]
    shared = _common_prefix(names)
    return Completion(os.path.join(head, shared) if shared else text, tuple(names))


def _common_prefix(names: list[str]) -> str:
    """Returns the longest common prefix, character by character."""
    first, last = min(names, default=""), max(names, default="")
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(character for character, _ in same)


def _show(entry: os.DirEntry[str]) -> str:
    try:
        return entry.name + "/" * entry.is_dir()
    except OSError:
        return entry.name


def path_of(text: str) -> Path:
    """Returns the absolute path for a typed one."""
    plain = Path(text.strip())
    try:
        return plain.expanduser().absolute()
    except RuntimeError:  # `~somebody` of an unknown user
        return plain.absolute()


_LONGEST_NAME = 120
"""Bytes of a name made from a title; with a number and an ending it fits every file system."""
_APOSTROPHES = "'’‘ʼ＇`´ʹ′"
_LETTERS = ("L", "M", "N")
"""Categories of Unicode that stay: letters, the marks upon them, and numbers."""


def slug(title: str) -> str:
    """Converts a title to the name of a folder or file: its letters as they are, in any script,
    words joined by hyphens and none broken by an apostrophe; a name that Windows keeps for a device
    gets another word before it."""
    plain = unicodedata.normalize("NFC", title).lower()
    plain = plain.translate(dict.fromkeys(map(ord, _APOSTROPHES)))
    plain = "".join(c if unicodedata.category(c)[0] in _LETTERS else " " for c in plain)
    name = "-".join(plain.split())
    if len(name.encode()) > _LONGEST_NAME:
        name = name.encode()[: _LONGEST_NAME + 1].decode(errors="ignore")
        whole_words, _hyphen, _cut = name.rpartition("-")
        name = (whole_words or name).encode()[:_LONGEST_NAME].decode(errors="ignore")
    if unicodedata.normalize("NFKC", name) in DEVICE_NAMES:
        name = f"novel-{name}"
    return name or "novel"


def free_folder(name: str) -> Path:
    """Returns the current folder if it is empty, as one made for a novel; else one in the home
    folder, named after `name`, that does not exist yet."""
    home = Path.home()
    with suppress(OSError):  # a shell may stand in a folder that was deleted
        here = Path.cwd()
        if here != home and not any(here.iterdir()):
            return here
    candidates = (home / (name if n == 1 else f"{name}-{n}") for n in range(1, 1000))
    return next((path for path in candidates if not path.exists()), home / name)

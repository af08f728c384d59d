"""Lists as a writer types them, with the commas of any script: names, numbers, ranges."""

from __future__ import annotations

import re

_COMMA = re.compile(r"[,，、;；\n]")
_BREAK = re.compile(r"[,，、;；\s]+")
_TO = re.compile(r"\s*(?:[-‐‑–—~～〜－]|부터|到|至)\s*")


def names_of(text: str) -> tuple[str, ...]:
    """Splits names, which may hold blanks, at commas or at line ends."""
    return tuple(name for part in _COMMA.split(text) if (name := " ".join(part.split())))


def items_of(text: str) -> tuple[str, ...]:
    """Splits numbers, or other words that hold no blank, at commas or blanks; a range such as
    `5 ~ 9` becomes `5-9`."""
    return tuple(filter(None, _BREAK.split(_TO.sub("-", text))))

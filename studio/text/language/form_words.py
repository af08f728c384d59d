"""Words by which windows, chats and letters inside a story are told from its prose."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "form_words.toml"
NOTHING = r"(?!)"
"""Matches nothing: for a language without such words."""


@cache
def _lists() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def form_words(name: str, language: str = "") -> re.Pattern[str]:
    """Returns what matches one of a list's words, of one language or of all; Chinese in simplified
    characters."""
    return re.compile(alternatives(name, language), re.IGNORECASE)


@cache
def alternatives(name: str, language: str = "") -> str:
    """Returns a list's words as one expression, to be part of a longer one."""
    lists = _lists()[name]
    words = lists.get(language, ()) if language else [w for each in lists.values() for w in each]
    return f"(?:{'|'.join(words)})" if words else NOTHING

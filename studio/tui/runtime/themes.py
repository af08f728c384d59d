"""Colour themes: data files in themes/, converted to Textual's type.

They are JSON, for which the first frame needs a parser anyway; a TOML parser would be loaded for
the themes alone.
"""

from __future__ import annotations

from functools import cache

import orjson
from textual.theme import Theme

from studio.resources import themes_dir

DEFAULT = "studio-night"
PLAIN = "studio-terminal"
"""The theme under NO_COLOR: the only one that sends no colours of its own (sdk-notes)."""
_PREFIX = "studio-"


@cache
def theme_names() -> tuple[str, ...]:
    """Returns the names of all themes of the app, in the order of their files."""
    return tuple(f"{_PREFIX}{path.stem}" for path in sorted(themes_dir().glob("*.json")))


def theme_name(setting: str | None) -> str:
    """Returns the full name of a theme, given with or without the prefix; the default if
    unknown."""
    for name in (setting, f"{_PREFIX}{setting}"):
        if name in theme_names():
            return name
    return DEFAULT


def themes() -> tuple[Theme, ...]:
    """Returns all themes of the app."""
    return tuple(theme(name) for name in theme_names())


@cache
def theme(name: str) -> Theme:
    """Returns the theme with this full name."""
    path = themes_dir() / f"{name.removeprefix(_PREFIX)}.json"
    data = orjson.loads(path.read_bytes())
    return Theme(
        name=name,
        dark=data["dark"],
        ansi=data.get("ansi", False),
        text_alpha=data.get("text_alpha", 0.95),
        variables=data["variables"],
        **data["colors"],
    )

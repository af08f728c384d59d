"""Colour themes: data files in themes/, turned into Textual's type.

They are JSON, which the first frame reads for other reasons; TOML would be loaded for them alone.
"""

from __future__ import annotations

from functools import cache

import orjson
from textual.theme import Theme

from studio.resources import themes_dir

DEFAULT = "studio-night"
PLAIN = "studio-terminal"
"""Used under NO_COLOR: only it sends no colours of its own (sdk-notes)."""
_PREFIX = "studio-"


@cache
def theme_names() -> tuple[str, ...]:
    """All themes of the app, by file name."""
    return tuple(f"{_PREFIX}{path.stem}" for path in sorted(themes_dir().glob("*.json")))


def theme_name(setting: str | None) -> str:
    """The theme of that name, with or without the prefix; the default where there is none."""
    for name in (setting, f"{_PREFIX}{setting}"):
        if name in theme_names():
            return name
    return DEFAULT


def themes() -> tuple[Theme, ...]:
    """All themes of the app."""
    return tuple(theme(name) for name in theme_names())


@cache
def theme(name: str) -> Theme:
    """One theme of the app."""
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

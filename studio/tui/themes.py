"""Colour themes: data files in themes/, turned into Textual's type."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from textual.theme import Theme

from studio.resources import themes_dir

DEFAULT = "studio-night"
PLAIN = "studio-terminal"
"""Used under NO_COLOR: only it sends no colours of its own (sdk-notes)."""


@cache
def themes() -> tuple[Theme, ...]:
    """All themes of the app, by file name."""
    return tuple(_theme(path) for path in sorted(themes_dir().glob("*.toml")))


def theme_name(wanted: str | None) -> str:
    """The theme of that name, with or without the prefix; the default where there is none."""
    names = [theme.name for theme in themes()]
    for name in (wanted, f"studio-{wanted}"):
        if name in names:
            return name
    return DEFAULT


def _theme(path: Path) -> Theme:
    data = tomllib.loads(path.read_text("utf-8"))
    return Theme(
        name=data["name"],
        dark=data["dark"],
        ansi=data.get("ansi", False),
        text_alpha=data.get("text_alpha", 0.95),
        variables=data["variables"],
        **data["colors"],
    )

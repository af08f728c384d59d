"""The look of the app: its colour themes, its style sheets, and the theme and keys that the writer
configured.

Themes are data files in themes/. They are JSON, for which the first frame needs a parser anyway; a
TOML parser would be loaded for the themes alone. Style sheets that the first frame of a novel does
not need are read later (performance P5, P18).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from textual.app import App
from textual.screen import Screen
from textual.theme import Theme

from studio.resources import themes_dir
from studio.tui.actions import BY_ID

if TYPE_CHECKING:
    from textual.app import App

    from studio.config.schema import Settings


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


# Style sheets


_FOLDER = Path(__file__).parents[1]
_SMALL = _FOLDER / "desk/small_windows.tcss"
_LATER = (_FOLDER / "overlays.tcss", _FOLDER / "desk/furniture.tcss", _SMALL)


def read_later_sheets(app: App[Any]) -> None:
    """Reads the later sheets once; call it before anything is mounted that they have rules for."""
    if _read(app, _LATER):
        app.stylesheet.update(app)


def read_sheet_of_small_windows(app: App[Any]) -> None:
    """Reads the sheet for small windows once; call it before the widgets of the desk have
    styles."""
    _read(app, (_SMALL,))


def read_sheets_of(screen: Screen[Any], app: App[Any]) -> None:
    """Reads the sheets of a page once, before the page opens. Textual would parse all sheets again
    for each new one and look up every widget's styles, although the new sheet has no rules for
    them."""
    _read(app, screen.css_path)


def _read(app: App[Any], paths: Sequence[Path]) -> bool:
    sheet = app.stylesheet
    unread = [path for path in paths if not sheet.has_source(str(path))]
    if unread:
        sheet.read_all([*unread])
        sheet.parse()  # sheets that have been parsed are not parsed again
    return bool(unread)


class Look:
    """The theme and the keymap of an app; applying an unchanged setting redraws nothing."""

    def __init__(self, app: App[Any], plain: bool, theme_chosen: str | None) -> None:
        self._app = app
        self._plain = plain
        app.no_color = app.no_color or plain  # Textual knows of NO_COLOR alone
        self._theme_chosen = theme_chosen
        self.keymap: Mapping[str, str] = {}
        """The active keys by action id, for actions whose keys differ from their defaults."""
        self.compact = False
        """Whether the text page is in its compact form."""

    def take(
        self, theme_setting: str | None, keymap: Mapping[str, str], compact: bool = False
    ) -> None:
        """Applies the settings for the theme, the keys and the text page; ids of unknown actions
        are ignored."""
        app = self._app
        self.compact = compact
        name = PLAIN if self._plain else theme_name(theme_setting or self._theme_chosen)
        self._register(theme(name))
        app.theme = name
        own_keys = {i: keys for i, keys in keymap.items() if i in BY_ID}
        if own_keys != self.keymap:
            self.keymap = own_keys
            app.set_keymap(own_keys)

    def take_settings(self, settings: Settings) -> None:
        """Registers every theme, and applies what the settings say of the look."""
        self.take_themes()
        self.take(settings.theme, settings.keymap, settings.tui.compact)

    def take_themes(self) -> None:
        """Registers every theme with Textual."""
        for one in themes():
            self._register(one)

    def next_theme(self) -> str:
        """Switches to the next theme and returns its name."""
        names = theme_names()
        at = names.index(self._app.theme) if self._app.theme in names else -1
        self._app.theme = self._theme_chosen = names[(at + 1) % len(names)]
        return self._app.theme

    def _register(self, one: Theme) -> None:
        """Registers a theme once: registering the active theme again makes Textual redraw
        everything."""
        if one.name not in self._app.available_themes:
            self._app.register_theme(one)

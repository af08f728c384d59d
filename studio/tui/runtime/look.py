"""The theme and the key bindings of the app, as configured by the writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual.theme import Theme

from studio.tui.actions import BY_ID
from studio.tui.runtime.themes import PLAIN, theme, theme_name, theme_names, themes

if TYPE_CHECKING:
    from textual.app import App

    from studio.config.schema import Settings


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

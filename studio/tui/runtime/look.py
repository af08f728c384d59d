"""How the app looks and which keys are in force, as the writer set them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual.theme import Theme

from studio.tui.actions import BY_ID
from studio.tui.runtime.themes import PLAIN, theme, theme_name, theme_names, themes

if TYPE_CHECKING:
    from textual.app import App


class Look:
    """The theme and the keymap of an app; nothing is drawn anew that is the same."""

    def __init__(self, app: App[Any], plain: bool, theme_chosen: str | None) -> None:
        self._app = app
        self._plain = plain
        self._theme_chosen = theme_chosen
        self.keymap: Mapping[str, str] = {}
        """The keys in force by the id of their action, where they are not those of the list."""

    def take(self, theme_setting: str | None, keymap: Mapping[str, str]) -> None:
        """Looks as the settings say; ids that no action has are left out."""
        app = self._app
        name = PLAIN if self._plain else theme_name(theme_setting or self._theme_chosen)
        self._register(theme(name))
        app.theme = name
        own_keys = {i: keys for i, keys in keymap.items() if i in BY_ID}
        if own_keys != self.keymap:
            self.keymap = own_keys
            app.set_keymap(own_keys)

    def take_themes(self) -> None:
        """Makes every theme known to Textual."""
        for one in themes():
            self._register(one)

    def next_theme(self) -> str:
        """Goes on to the next theme; its name."""
        names = theme_names()
        at = names.index(self._app.theme) if self._app.theme in names else -1
        self._app.theme = self._theme_chosen = names[(at + 1) % len(names)]
        return self._app.theme

    def _register(self, one: Theme) -> None:
        """Once: Textual draws everything anew for the one in force."""
        if one.name not in self._app.available_themes:
            self._app.register_theme(one)

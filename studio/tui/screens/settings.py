"""Every setting: its source, its meaning, and how to change it.

The files are written by `studio.config.load`; a rejected value leaves them unchanged.
"""

from __future__ import annotations

import asyncio
from typing import Any

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studio.config.catalog import Home, Setting, all_settings
from studio.config.load import user_config_path
from studio.config.schema import Settings
from studio.errors import StudioError
from studio.i18n import _, one_after_another, translate
from studio.project.novel_settings import change_novel_setting, lengths_sentence
from studio.session import Session
from studio.tui.performs import performs
from studio.tui.runtime.look import themes
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask, Choose
from studio.tui.views.pages import settings as page
from studio.tui.views.pages.settings import HOMES, SettingRow
from studio.tui.views.terms import term
from studio.tui.views.words import Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content, contents
from studio.tui.widgets.text_field import LineField

_DEFAULT = "\0default"
"""The choice that removes a value; no value of a setting can equal it."""


class SettingsScreen(StudioScreen, Screen[None]):
    """One row per setting; without an open novel, only the writer's own file can be changed."""

    CSS_PATH = "settings.tcss"
    WHERE = ("settings",)
    AUTO_FOCUS = "#settings-rows"

    def __init__(self, settings: Settings, session: Session | None, at: str = "") -> None:
        """`at` is the setting the cursor begins on; the first one where it is empty."""
        super().__init__()
        self._at = at
        self.settings = settings
        self._session = session
        self._there_are: list[Setting] = []
        self._rows: list[SettingRow] = []

    def compose(self) -> ComposeResult:
        """Yields the title, the rows, the marked one explained, and the hints."""
        yield Static(content(Phrase(_("Settings"), "heading")), id="settings-title")
        yield LineField(
            id="settings-filter", placeholder=_("words of a name, a meaning or a value")
        )
        yield OptionList(id="settings-rows", compact=True)
        yield Static(id="settings-detail")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows all settings, with the cursor where it begins."""
        from studio.text.metrics.metric_kinds import METRIC_NAMES

        names = tuple(theme.name.removeprefix("studio-") for theme in themes())
        self._there_are = all_settings(METRIC_NAMES, page.ACTION_IDS, names)
        own = user_config_path(self.studio.environ)
        words = (
            Phrase(_("Settings"), "heading"),
            Phrase("   " + _("yours: {file}", file=own), "quiet"),
        )
        self.query_one("#settings-title", Static).update(content(words))
        self.query_one("#settings-filter").display = False
        self._draw()
        self.query_one("#settings-rows", OptionList).scroll_to_highlight()
        self.show_hints()

    @property
    def setting_under_cursor(self) -> Setting | None:
        """The setting under the cursor."""
        at = self.query_one("#settings-rows", OptionList).highlighted
        return None if at is None else self._rows[at].setting

    def _draw(self) -> None:
        rows = self.query_one("#settings-rows", OptionList)
        before = rows.highlighted
        top = rows.scroll_y
        words = self.query_one("#settings-filter", Input).value
        rows_of_all = page.setting_rows(self.settings, self._there_are)
        self._rows = list(page.with_words(rows_of_all, words))
        first = next((at for at, r in enumerate(self._rows) if self._is_first(r.setting)), None)
        if first is None or (before is not None and before >= len(self._rows)):
            before = None
            first = next((at for at, r in enumerate(self._rows) if r.setting is not None), None)
        with self.prevent(OptionList.OptionHighlighted):
            rows.clear_options()
            rows.add_options(
                Option(content(row.line), disabled=row.setting is None) for row in self._rows
            )
            rows.highlighted = first if before is None else before
        rows.scroll_to(y=top, animate=False)
        self._draw_detail()

    def _is_first(self, setting: Setting | None) -> bool:
        return setting is not None and self._at in ("", setting.key)

    def _draw_detail(self) -> None:
        setting = self.setting_under_cursor
        lines = page.detail_lines(setting, self.settings) if setting else (line(),)
        self.query_one("#settings-detail", Static).update(contents(lines))

    @performs("settings.filter")
    def filter(self) -> None:
        """Opens an input line that narrows the rows with each character."""
        field = self.query_one("#settings-filter", Input)
        field.display = True
        field.focus()

    def on_input_changed(self) -> None:
        """Filters the rows by the changed words."""
        self.query_one("#settings-rows", OptionList).highlighted = None
        self._draw()

    def on_input_submitted(self) -> None:
        """Focuses the remaining rows."""
        self.query_one("#settings-rows", OptionList).focus()

    def on_option_list_option_highlighted(self) -> None:
        """Explains the setting the cursor has moved to."""
        self._draw_detail()

    def on_option_list_option_selected(self) -> None:
        """Changes the setting chosen by Enter or a click."""
        self.change()

    # Changing a setting

    @performs("settings.change")
    def change(self) -> None:
        """Asks for another value."""
        if (setting := self.setting_under_cursor) is not None:
            self.converse(self._change(setting))

    @performs("settings.default")
    def reset(self) -> None:
        """Removes the value from the file that sets it."""
        if (setting := self.setting_under_cursor) is not None:
            self.converse(self._back(setting))

    @performs("settings.close")
    def close(self) -> None:
        """Clears the filter and shows all rows, or closes the page if there is no filter."""
        field = self.query_one("#settings-filter", Input)
        if not field.display:
            self.dismiss(None)
            return
        field.value = ""
        field.display = False
        self.query_one("#settings-rows", OptionList).focus()

    async def _back(self, setting: Setting) -> None:
        source = self.settings.provenance(setting.key)
        home = next((home for home in HOMES if home == source), None)
        if home is not None:
            await self._write(setting, None, home)
        elif source == "default":
            self.studio.say(
                _("{key} is already at its default.", key=page.name_in_a_sentence(setting))
            )
        else:
            self.studio.say(
                _(
                    "{key} is set by {source}; no file of settings holds it.",
                    key=page.name_in_a_sentence(setting),
                    source=term(source),
                )
            )

    async def _change(self, setting: Setting) -> None:
        home = await self._home(setting)
        if home is None:
            return
        if (setting.choices and not setting.many) or setting.kind is bool:
            rows = [(choice, page.choice_words(setting, choice)) for choice in setting.choices]
            choices = rows or [("yes", _("yes")), ("no", _("no"))]
            choices.append((_DEFAULT, _("Back to the default")))
            choice = await self.app.push_screen_wait(
                Choose(page.name_of(setting), choices, _(setting.meaning))
            )
            if choice is not None:
                value = None if choice == _DEFAULT else setting.value_of(choice)
                await self._write(setting, value, home)
            return
        await self._change_text(setting, home)

    async def _home(self, setting: Setting) -> Home | None:
        """Returns the file to write the setting to; asks if there is a choice."""
        homes = [home for home in setting.homes if self._session or home != "studio.toml"]
        if not homes:
            self.studio.say(
                _(
                    "{key} belongs to a novel; open one to set it.",
                    key=page.name_in_a_sentence(setting),
                )
            )
            return None
        if len(homes) == 1:
            return homes[0]
        title = _("Change “{name}”", name=page.name_of(setting))
        choice = await self.app.push_screen_wait(
            Choose(title, [(home, _(HOMES[home])) for home in homes])
        )
        return next((home for home in homes if home == choice), None)

    async def _change_text(self, setting: Setting, home: Home) -> None:
        """Asks until the value is valid; an error is shown on the card, with the valid range."""
        fault, name = "", page.name_of(setting)
        old_value = self.settings.display_values().get(setting.key)
        text = "" if old_value is None or setting.secret else page.value_words(old_value)
        text = "" if old_value in ("", []) else text
        while True:
            words = _(
                "{meaning} Takes {takes}. Left empty, it is the default again.",
                meaning=_(setting.meaning),
                takes=page.takes_words(setting),
            )
            answer = await self.app.push_screen_wait(
                Ask(name, f"{fault}\n\n{words}".strip(), text, secret=setting.secret)
            )
            if answer is None:
                return
            try:
                value = setting.value_of(answer) if answer.strip() else None
                await self._write(setting, value, home)
                return
            except StudioError as error:
                fault, text = translate(error.problem.message).replace(setting.key, name), answer

    async def _write(self, setting: Setting, value: Any, home: Home) -> None:
        app = self.studio
        novel = self._session.store.layout.folder if self._session else None
        before = self.settings
        settings = await asyncio.to_thread(
            change_novel_setting, setting, value, home, novel, app.environ, app.overrides
        )
        if self._session is not None:
            self._session.settings = settings
        app.take_settings(settings)
        self.take(settings)
        words = page.changed_words(setting, settings, home, value)
        lengths = translate(lengths_sentence(setting, before, settings))
        app.say(one_after_another(words, lengths))

    def take(self, settings: Settings) -> None:
        """Shows other settings: she changed one here, or the novel's file was edited elsewhere."""
        self.settings = settings
        self._draw()

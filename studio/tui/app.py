"""The app: themes, keys, signals, and the dispatch from a key to its action."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.filter import LineFilter
from textual.screen import Screen

from studio.config import recent
from studio.errors import Exit, Problem, StudioError
from studio.i18n import _, call_chapters, translate
from studio.project.layout import is_novel
from studio.text.safe import safe_text
from studio.tui import textual_private as private
from studio.tui.action_dispatch import ActionDispatch
from studio.tui.actions import unknown_ids
from studio.tui.desk.first_frame import own_look
from studio.tui.key_bindings import bindings_of
from studio.tui.performs import performs
from studio.tui.runtime.app_loop import AppLoop
from studio.tui.runtime.faults import SECONDS_OF_A_FAULT, Faults
from studio.tui.runtime.leaving import ask_once, leave_or_ask, put_all_away
from studio.tui.runtime.left_words import AllLeftWords
from studio.tui.runtime.look import Look, read_later_sheets, read_sheets_of
from studio.tui.runtime.resilience import SteadyApp
from studio.tui.runtime.toasts import Toasts
from studio.tui.runtime.typed_ahead import TypedAhead
from studio.tui.screen import StudioScreen
from studio.tui.terminal import capabilities
from studio.tui.terminal.ambiguous_width import Widths
from studio.tui.terminal.every_character import take_every_character
from studio.tui.views.prose.wrapping import MEASURE
from studio.tui.views.situation import at_work

if TYPE_CHECKING:
    from studio.config.schema import Settings
    from studio.session import Session

take_every_character()


class StudioApp(SteadyApp, App[int], inherit_bindings=False):
    """The Textual app: one window on one novel at a time."""

    CSS_PATH: ClassVar[Any] = ["studio.tcss", "desk/screen.tcss"]  # each new screen reads them all
    TITLE = "studio"
    ENABLE_COMMAND_PALETTE = False  # the app has its own, `ActionPalette`
    BINDINGS = bindings_of("global")
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (80, "-medium"), (120, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (15, "-tall")]

    def __init__(
        self,
        folder: Path | None,
        overrides: Mapping[str, object] | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.environ = os.environ if environ is None else environ
        plain = capabilities.has_no_colours(self.environ)
        super().__init__(ansi_color=True if plain else None)  # its filter is chosen only here
        self.folder = folder
        self.overrides = dict(overrides or {})
        self.memory = self.recalled = recent.recall(self.environ)
        self.ascii_only = capabilities.wants_ascii(self.environ)
        self.measure = MEASURE  # maximum width of a line of prose, in columns
        self.signalled: int | None = None
        self.left_words = AllLeftWords(self)
        self._wanted: list[Screen[Any]] = []
        self.look = Look(self, plain, self.memory.theme)
        self.toasts = Toasts(self, self.look)
        self.take_back_said = self.toasts.take_back
        self.faults = Faults(self)
        self.actions = ActionDispatch(self)
        self.typed = TypedAhead(self, super().on_event)
        if capabilities.wants_no_motion(self.environ):
            self.animation_level = "none"
        self.widths = Widths(self, (own := own_look(self.environ)).ambiguous)
        self.look.take(own.theme, own.keymap, own.compact)

    # Opening and closing

    def get_default_screen(self) -> Screen[Any]:
        """Returns the desk if there is a novel: a screen below it would be drawn first (P5)."""
        screen = self._desk(self.folder) or super().get_default_screen()
        private.AWAIT_RESULT.of(screen)(self, None)  # else Textual cannot switch from it
        return screen

    async def on_mount(self) -> None:
        """Shows the launcher if there is no novel."""
        self._heed_signals()
        self.set_class(self.no_color, "-plain")
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())  # the shell drew over it
        if not isinstance(self.screen, StudioScreen):
            self.take_settings(self._settings())
            await self.open_folder(self.folder)

    def _settings(self) -> Settings:
        from studio.config.load import load_settings
        from studio.config.schema import Settings

        try:
            return load_settings(None, self.environ, self.overrides)
        except StudioError as error:
            self.tell(error.problem)
            return Settings()

    def take_settings(self, settings: Settings) -> None:
        """Applies the theme, the keys and the words of the settings."""
        self.look.take_settings(settings)
        self.measure = settings.tui.measure
        call_chapters(settings.novel.word_for_chapters)
        for name in unknown_ids(settings.keymap):
            self.say(_("There is no action {name!r}; its key is ignored.", name=name), "warning")

    def refresh_css(self, animate: bool = True) -> None:
        """Parses no style sheet before there is a screen: it would be parsed again then (P5)."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    async def open_folder(self, folder: Path | None) -> None:
        """Opens a novel in place of the present screen; the launcher if there is none."""
        await self._show(self._desk(folder) or self._launcher(folder))

    def _desk(self, folder: Path | None) -> Screen[Any] | None:
        if folder is None or not is_novel(folder):
            return None
        from studio.tui.desk.screen import DeskScreen

        return DeskScreen(folder.resolve())

    def take_novel(self, session: Session) -> None:
        """Remembers a novel that the desk has opened, and applies its settings."""
        novel, there = session.settings.novel, session.store.layout.folder
        self.memory = self.memory.with_novel(there, novel.title or there.name, novel.language)
        self.keep_memory()
        self.toasts.unseen.clear()  # they were about the novel that was open before
        self.take_settings(session.settings)

    def refuse(self, problem: Problem) -> None:
        """Shows the launcher with the reason why the desk could not open its novel."""
        self.run_worker(self._report_refusal(problem), group="open")

    async def _report_refusal(self, problem: Problem) -> None:
        await self._show(self._launcher(None))
        self.tell(problem)

    def go_to(self, folder: Path | None) -> None:
        """Opens a novel on behalf of a screen that closes in the process."""
        self.run_worker(self.open_folder(folder), group="open")

    def _launcher(self, folder: Path | None) -> Screen[Any]:
        from studio.tui.screens.launcher import LauncherScreen

        return LauncherScreen(folder)

    async def _show(self, screen: Screen[Any]) -> None:
        """Switches screens one at a time: one closed while being built would miss its widgets."""
        self._wanted.append(screen)
        if len(self._wanted) == 1:
            try:
                for wanted in self._wanted:  # the list may grow while a screen changes
                    await self._change_to(wanted)
            finally:
                self._wanted.clear()

    async def _change_to(self, screen: Screen[Any]) -> None:
        read_later_sheets(self)
        while len(self.screen_stack) > 1:  # pages above the present screen
            await self.pop_screen()
        self.toasts.leave(self.screen)
        await self.switch_screen(screen)

    def push_screen(self, screen: Any, *args: Any, **options: Any) -> Any:
        """Textual's hook for opening a screen: reads the style sheets of the page first."""
        read_sheets_of(screen, self)
        return super().push_screen(screen, *args, **options)

    def pop_screen(self) -> AwaitComplete:
        """Textual's hook for closing a screen: its messages close with it."""
        self.toasts.leave(self.screen)
        return super().pop_screen()

    def keep_memory(self) -> None:
        """Saves the remembered state in a thread."""
        memories = self.environ, self.memory, self.recalled
        self.run_worker(lambda: recent.keep(*memories), thread=True, group="memory")

    async def leave(self, code: int) -> None:
        """Stops the running work, remembers the writer's place, and ends the app."""
        try:
            await put_all_away(self)
            recent.keep(self.environ, self.memory, self.recalled)
        finally:
            self.exit(code, return_code=code)

    @private.END_BY_FAULT
    def end_by_fault(self, error: Exception) -> None:
        """Stops the run, saves its text and exits, for an exception that cannot be survived."""
        if self.faults.survives(error) or private.FAULT.of(self) is not None:
            return
        private.FAULT.put(self, error)
        fault = self.faults.record(error)
        private.EXIT_CODE.put(self, fault.exit_code)
        for screen in self.screen_stack:
            if isinstance(screen, StudioScreen):
                screen.halt()
        self.panic(Text(safe_text(f"{fault.message} {fault.hint}")))
        private.FAULT_EVENT.of(self).set()

    def report_stumble(self, error: Exception) -> None:
        """Reports an exception of a key, a click or a message; everything else continues."""
        self.faults.tell(error)

    def say(self, words: str, severity: Any = "information") -> None:
        """Shows a short message."""
        self.toasts.show(words, severity)

    def tell(self, problem: Problem) -> None:
        """Shows a problem and what to do about it."""
        words = filter(None, map(translate, (problem.message, problem.hint)))
        self.toasts.show("\n".join(words), "error", SECONDS_OF_A_FAULT)

    def _heed_signals(self) -> None:
        """Exits cleanly on a signal: Textual alone leaves the terminal raw (reliability T1)."""
        for number in () if self.is_headless else (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            AppLoop().on_signal(number, self._take_signal, number)

    def _take_signal(self, number: int) -> None:
        if self.signalled is None:
            self.signalled = number
            self.run_worker(self.leave(128 + number))

    # Keys and actions

    @property
    def keymap(self) -> Mapping[str, str]:
        """The keys in force, for text that names a command."""
        return self.look.keymap

    async def action_perform(self, action_id: str) -> None:
        """Performs an action of the list, or says why it is unavailable now."""
        if done := await self.actions.perform(action_id):
            self.typed.note_deed(done)

    async def on_event(self, event: events.Event) -> None:
        """A key waits for those before it, and acts only on what she could see (`TypedAhead`)."""
        if isinstance(event, events.InputEvent | events.Paste):
            await self.typed.take(event)
        else:
            await super().on_event(event)

    @private.SHOW_FRAME
    def show_frame(self, screen: Screen[Any], renderable: Any) -> None:
        """Textual's hook for sending a frame: notes which screen she can see from now on."""
        private.SHOW_FRAME.of(super())(screen, renderable)
        if renderable is not None:
            self.typed.note_painting(screen)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Stops the cursor of a focused field from blinking if animations are off."""
        field: Any = event.widget
        if self.animation_level == "none" and hasattr(field, "cursor_blink"):
            field.cursor_blink = False

    @performs("app.quit")
    async def quit(self) -> None:
        """Leaves the app, after a confirmation if work is running."""
        if self._busy():
            question = _("The studio is at work. Stop it and leave? What it has so far is kept.")
            ask_once(self, _("Leave the studio?"), question, self._leave_or_ask)
        else:
            await self._leave_or_ask()

    async def _leave_or_ask(self) -> None:
        await leave_or_ask(self, lambda: self.leave(Exit.DONE))

    def _busy(self) -> bool:
        return any(s.situation().running for s in self.screen_stack if isinstance(s, StudioScreen))

    @performs("app.palette")
    def open_palette(self) -> None:
        """Opens the command palette, which lists every action by name."""
        from studio.tui.palette import ActionPalette

        if not isinstance(self.screen, ActionPalette):
            self.push_screen(ActionPalette())

    @performs("app.help")
    def open_help(self) -> None:
        """Opens the help page with every key."""
        from studio.tui.screens.help import HelpScreen

        here = self.screen.help_places if isinstance(self.screen, StudioScreen) else ()
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(here))

    @performs("app.settings")
    def open_settings(self, at: str = "") -> None:
        """Opens the page of settings, with the cursor on the one named."""
        from studio.tui.screens.settings import SettingsScreen

        session = next((s.session for s in self.screen_stack if hasattr(s, "session")), None)
        settings = session.settings if session else self._settings()
        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen(settings, session, at))

    @performs("app.language")
    def _choose_language(self) -> None:
        self.open_settings("interface")

    @performs("app.theme")
    def next_theme(self) -> None:
        """Switches to the next theme and remembers it."""
        name = self.look.next_theme()
        self.memory = self.memory.with_theme(name)
        self.keep_memory()
        self.say(_("Theme: {theme}", theme=name.removeprefix("studio-")))

    @performs("app.suspend")
    def suspend_to_shell(self) -> None:
        """Suspends the app to the shell."""
        self.action_suspend_process()

    @performs("app.launcher")
    async def return_to_launcher(self) -> None:
        """Returns to the launcher, to open another novel."""
        closes = isinstance(self.screen, StudioScreen) and self.screen.close_to_launcher()
        if not closes and self._busy():
            self.say(at_work())
        elif not closes:
            await leave_or_ask(self, self._close_novel)

    async def _close_novel(self) -> None:
        await put_all_away(self)
        await self._show(self._launcher(None))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Returns defaults for variables that other people's themes may lack."""
        return {"quiet": "#888888"}

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Returns Textual's filters that our sheets need, plus ours if only ASCII may be drawn."""
        filters = capabilities.without_palette(super().get_line_filters())
        return [*filters, self.widths.filter] if self.ascii_only else filters

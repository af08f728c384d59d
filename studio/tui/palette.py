"""The command palette: every action by name, with its key and what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

from rich.align import Align
from rich.text import Text
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.widgets.option_list import Option

from studio.i18n import N_, _
from studio.story.form.lists import names_of
from studio.tui import textual_private as private
from studio.tui.actions import ACTIONS, Action
from studio.tui.performs import performer
from studio.tui.screen import StudioScreen
from studio.tui.views.key_names import shown_keys

if TYPE_CHECKING:
    from textual.messages import Prune

    from studio.tui.studio import Studio


_OTHER_WORDS: Mapping[str, str] = {
    "desk.write": N_("draft, continue, episode"),
    "desk.commit": N_("finish, accept, done"),
    "desk.unattended": N_(
        "unattended, automatic, accept everything, accept all, no questions, several chapters,"
        " overnight"
    ),
    "desk.waivers": N_("waivers, exceptions, intended, whole book, not this, rejected"),
    "desk.published": N_("publish, post, upload, release, update"),
    "desk.published_changes": N_("revised, republish, update"),
    "desk.platform": N_("upload, publish, post, paste, clipboard, serial"),
    "desk.author_note": N_("author's note, afterword"),
    "desk.reader_comments": N_("feedback, reviews"),
    "desk.export": N_("save as, manuscript, e-book"),
    "desk.board": N_("buffer, stockpile, ahead, word count, goal, progress"),
    "desk.volume": N_("arc, progress"),
    "desk.volume_plan": N_("synopsis, outline, arc"),
    "desk.style": N_("style profile, voice, diction, tone"),
    "desk.brief": N_("premise, synopsis, idea"),
    "desk.log": N_("money, spent, spending, budget, usage, price, dollars"),
    "desk.find": N_("search, replace"),
    "desk.history": N_("versions, restore, earlier text"),
    "desk.bible": N_("characters, world, setting, glossary, memory"),
    "desk.remembered": N_("memory, remember, facts"),
    "app.language": N_("language, Korean, Chinese, 한국어, 中文"),
    "desk.promises": N_("foreshadowing, mysteries, threads"),
}
"""What else a writer calls an action, by its id: the words of whoever writes a serial above all."""


_CALLED = 100
"""The score of another word for an action: more than letters scattered over a title ever have."""
_WHOLE_TITLE, _BEGUN_TITLE = 2.0, 1.5
"""How many times as much its whole title has, and the beginning of its title."""


class ActionProvider(Provider):
    """Offers the actions of the current screen and those that work everywhere."""

    async def discover(self) -> Hits:
        """Yields every action, before anything is typed."""
        for action in self._actions():
            yield DiscoveryHit(_(action.title), self._do(action), help=self._help(action))

    async def search(self, query: str) -> Hits:
        """Yields the actions whose title, sentence or other name matches the query."""
        matcher = self.matcher(query)
        for action in self._actions():
            score = max(
                matcher.match(_(action.title)),
                matcher.match(_(action.help)) / 2,
                _CALLED * _is_called(action, query),
                _CALLED * _is_title(action, query),
            )
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(_(action.title)),
                    self._do(action),
                    text=_(action.title),
                    help=self._help(action),
                )

    def _actions(self) -> Iterator[Action]:
        for action in sorted(ACTIONS, key=lambda action: action.where == "global"):
            if action.id != "app.palette" and self._is_performed(action):
                yield action

    def _is_performed(self, action: Action) -> bool:
        """Whether the app or the screen on top performs the action."""
        screen = self.screen
        is_here = isinstance(screen, StudioScreen) and screen.can_perform(action)
        return is_here or performer(self.app, action.id) is not None

    def _do(self, action: Action) -> Callable[[], Awaitable[None]]:
        return partial(cast("Studio", self.app).action_perform, action.id)

    def _help(self, action: Action) -> str:
        keys = shown_keys(action, cast("Studio", self.app).keymap)
        return f"{keys}  {_(action.help)}" if keys else _(action.help)


def _is_title(action: Action, query: str) -> float:
    """Returns how many times more than another word of an action what is typed counts, where it is
    the title, or the beginning of it; 0 where it is neither."""
    typed, title = _squeeze(query), _squeeze(_(action.title))
    if typed == title:
        return _WHOLE_TITLE
    return _BEGUN_TITLE if len(typed) > 1 and title.startswith(typed) else 0.0


def _is_called(action: Action, query: str) -> bool:
    """Whether a writer's other words for an action begin with what is typed, or are in it."""
    typed = _squeeze(query)
    others = _(_OTHER_WORDS[action.id]) if action.id in _OTHER_WORDS else ""
    names = map(_squeeze, names_of(others))
    return len(typed) > 1 and any(name.startswith(typed) or name in typed for name in names)


def _squeeze(words: str) -> str:
    return "".join(words.casefold().split())


class ActionPalette(CommandPalette):
    """Textual's command palette, with its search ended before its list is removed."""

    def __init__(self) -> None:
        words = _("Find an action by its name …")
        super().__init__({ActionProvider}, placeholder=words, id="--command-palette")

    @private.NAME_NOTHING_FOUND
    def name_nothing_found(self, search_value: str) -> None:
        """Says in the interface's language that nothing was found, which Textual 8.2 says in
        English only."""
        private.NAME_NOTHING_NO_MORE.of(self)()

        def say_so() -> None:
            if search_value:
                words = Align.center(Text(_("No matches found"), style="not bold"))
                nothing = Option(words, disabled=True, id=private.NOTHING_FOUND_ID.of(self))
                self.query_one(CommandList).add_option(nothing)
            private.IS_LIST_VISIBLE.put(self, bool(search_value))

        timer = self.set_timer(private.NOTHING_FOUND_SECONDS.of(self), say_so)
        private.NOTHING_FOUND_TIMER.put(self, timer)

    async def on_prune(self, event: Prune) -> None:
        """Cancels the search when the palette closes, for instance with a screen below it."""
        self.workers.cancel_node(self)

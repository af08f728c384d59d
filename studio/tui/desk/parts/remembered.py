"""What the book will remember of the chapter in work: read, left out or said otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from studio.i18n import N_, _, ngettext
from studio.story.state_words import change_in_words
from studio.tui.actions import BY_ID
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs
from studio.tui.views.key_names import first_key

if TYPE_CHECKING:
    from studio.pipeline.review.to_remember import Remembered
    from studio.tui.desk.protocol import Desk

_MOST = 3
"""The most promises that are named on a card."""
_WAYS = {
    "words": N_("In other words"),
    "leave": N_("The book does not remember it"),
}


class RememberedPages:
    """Lists what a chapter adds to what the book remembers, and changes it one by one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.remembered")
    def list_remembered(self) -> None:
        """Opens the list."""
        self._desk.work(self._change(), "decide")

    async def _change(self) -> None:
        from studio.pipeline.review.to_remember import leave_out, say_otherwise
        from studio.tui.screens.ask import Ask, Choose

        desk, current = self._desk, self._desk.state.current
        rows = current.remembered if current is not None else ()
        if current is None or not rows:
            desk.studio.say(_("There is nothing that the book would remember of this chapter."))
            return
        entries = [(str(one.number), words_of(one, current.names)) for one in rows]
        title = _("The book will remember of it")
        about = _("Enter on a row says it otherwise, or leaves it out.")
        picked = await desk.studio.push_screen_wait(Choose(title, entries, about))
        if picked is None:
            return
        one = rows[int(picked) - 1]
        words = words_of(one, current.names)
        ways = [(way, _(name)) for way, name in _WAYS.items()]
        way = await desk.studio.push_screen_wait(Choose(title, ways, words))
        done = False
        if way == "leave":
            done = await try_to_do(desk, leave_out, desk.session.store, one.number)
        elif way == "words":
            now = one.words if one.is_promise else str(one.change.value)
            ask = Ask(_("In other words"), words, now, empty=False)
            if (hers := await desk.studio.push_screen_wait(ask)) is None:
                return
            done = await try_to_do(desk, say_otherwise, desk.session.store, one.number, hers)
        if done:
            await desk.reread(fresh=False)
            desk.studio.say(_("Left out.") if way == "leave" else _("Kept in your words."))
            await self._change()


def words_of(one: Remembered, names: Mapping[str, str]) -> str:
    """Returns one thing that the book will remember, in a reader's words."""
    return change_in_words(one.change, one.words, {**names, **one.names})


def new_promises(rows: Sequence[Remembered]) -> tuple[str, ...]:
    """Returns a sentence that names the promises that nobody planned; empty without one."""
    new = [one for one in rows if one.is_new]
    if not new:
        return ()
    head = ngettext(
        "{n} promise that nobody planned comes into the book with it:",
        "{n} promises that nobody planned come into the book with it:",
        len(new),
    )
    return ("\n".join([head, *(f"  {one.words}" for one in new[: 2 * _MOST])]),)


def on_the_card(
    rows: Sequence[Remembered], names: Mapping[str, str], keymap: Mapping[str, str]
) -> tuple[str, ...]:
    """Returns what the card of a review says of it: its promises, and how many facts."""
    if not rows:
        return ()
    promises = [words_of(one, names).rstrip(".。") for one in rows if one.is_promise][:_MOST]
    more = len(rows) - len(promises)
    rest = ngettext("{n} more thing", "{n} more things", more) if more else ""
    words = _("; ").join(filter(None, (*promises, rest)))
    key = first_key(BY_ID["desk.remembered"], keymap)
    return (
        _("The book will remember: {words}. {key} shows and changes it.", words=words, key=key),
    )

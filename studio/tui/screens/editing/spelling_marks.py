"""Spelling in the editor: unknown words are underlined, and corrected one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from textual.screen import Screen

from studio.book.bible import read_bible
from studio.errors import StudioError
from studio.i18n import _
from studio.project.author.learnt_words import learn_word
from studio.session import Session
from studio.text.spelling import (
    KnownWords,
    has_spelling,
    plain_word,
    without_possessive,
    word_spans,
)
from studio.tui.screens.ask import Choose
from studio.tui.terminal.hunspell import OFF, Hunspell, SpellingError, spelling_program
from studio.tui.widgets.text_field import TextField

PAUSE = 0.6
"""Seconds without a key after which new words are checked."""
_LEARN, _NEXT, _INSTEAD = "learn", "next", "instead "
_AROUND = 40
"""Characters of context on each side of the word in question."""


class SpellingMarks:
    """Marks the misspellings of one text. Each word is checked once per session, in a thread; a
    line's marks are computed when it is drawn, so that none has to move with the text."""

    def __init__(self, screen: Screen[Any], session: Session, say: Callable[[str], None]) -> None:
        self._screen = screen
        self._session = session
        self._say = say
        self._language = session.settings.novel.language
        self._program: Hunspell | None = None
        self._known_words = KnownWords()
        self._right: set[str] = set()
        self._change = asyncio.Event()
        self._change.set()
        self.is_ready = asyncio.Event()
        """Set once it is known whether there is a spelling checker."""

    @property
    def _area(self) -> TextField:
        return self._screen.query_one("#editor", TextField)

    @property
    def _wish(self) -> str:
        return self._session.settings.tui.spelling

    def text_changed(self) -> None:
        """Notes that the text has changed."""
        self._change.set()

    async def follow(self, environ: dict[str, str]) -> None:
        """Marks what is typed until cancelled; returns if there is no spelling checker."""
        try:
            await asyncio.to_thread(self._begin, environ)
        finally:
            self.is_ready.set()
        while self._program is not None:
            await self._change.wait()
            while self._change.is_set():
                self._change.clear()
                await asyncio.sleep(PAUSE)
            await self.look(besides_cursor=True)

    def _begin(self, environ: dict[str, str]) -> None:
        if not has_spelling(self._language):
            return
        try:
            self._program = spelling_program(self._language, self._wish, environ)
        except SpellingError:
            return
        if self._program is None:
            return
        store = self._session.store
        names: list[str] = []
        words: tuple[str, ...] = ()
        with suppress(StudioError):  # the desk reports what cannot be read
            words = store.spelling_words().words
        with suppress(StudioError):
            names = [name for entry in read_bible(store).entries.values() for name in entry.names]
        self._known_words = KnownWords(names, words)

    async def look(self, *, besides_cursor: bool = False) -> None:
        """Checks the words of the text that are still unchecked; `besides_cursor` skips the word
        being typed."""
        program, area = self._program, self._area
        if program is None:
            return
        text = area.text
        at = area.offset_of(area.cursor_location) if besides_cursor else -1
        spans = word_spans(text, self._language)
        words = {plain_word(text[a:b]) for a, b in spans if b != at}
        fresh = {
            word
            for word in words - self._right - area.wrong_words
            if not self._known_words.knows(word)
        }
        if not fresh:
            return
        try:
            unknown = await asyncio.to_thread(program.unknown, fresh)
        except SpellingError:
            self._program = None
            return
        self._right |= fresh - unknown
        area.mark_wrong(area.wrong_words | unknown, self._language)

    async def put_right(self) -> None:
        """Goes through the unknown words, wrapping around at the end, and asks for each
        correction."""
        await self.is_ready.wait()
        if self._program is None:
            self._say(self._why_not())
            return
        await self.look()
        area = self._area
        begin = at = area.offset_of(min(area.selection))
        is_round = False
        while True:
            text = area.text
            spans = [s for s in word_spans(text, self._language) if s[0] >= at]
            span = next((s for s in spans if plain_word(text[slice(*s)]) in area.wrong_words), None)
            if span is None and not is_round:
                at, is_round = 0, True
                continue
            if span is None or (is_round and span[0] >= begin):
                self._say(_("Every other word of this text is known."))
                return
            behind = await self._ask(*span)
            if behind is None:
                return
            begin += (behind - span[1]) if is_round else 0
            at = behind

    async def _ask(self, start: int, end: int) -> int | None:
        """Asks about one word; returns the offset at which to continue, or None to stop."""
        area, text = self._area, self._area.text
        word = text[start:end]
        area.select_span(start, end)
        choices = [
            *((_INSTEAD + other, other) for other in await self._suggestions(word)),
            (_LEARN, _("It is a word of this book")),
            (_NEXT, _("Leave it; to the next")),
        ]
        before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
        after = text[end : end + _AROUND].partition("\n")[0]
        card = Choose(_("“{word}” is not known", word=word), choices, f"{before}{word}{after}")
        answer = await self._screen.app.push_screen_wait(card)
        if answer is None:
            return None
        if answer == _LEARN:
            await self._learn(without_possessive(word))
        elif answer.startswith(_INSTEAD) and area.text[start:end] == word:
            other = answer.removeprefix(_INSTEAD)
            area.replace(other, area.location_at(start), area.location_at(end))
            return start + len(other)
        return end

    async def _suggestions(self, word: str) -> list[str]:
        try:
            words = (
                await asyncio.to_thread(self._program.suggestions, word) if self._program else []
            )
        except SpellingError:
            return []
        return [w.replace("'", "’") for w in words] if "’" in self._area.text else words

    async def _learn(self, word: str) -> None:
        """Adds a word to the novel's own list; it counts as known even if that cannot be saved."""
        self._known_words = self._known_words.with_word(word)
        area = self._area
        wrong = {w for w in area.wrong_words if not self._known_words.knows(w)}
        area.mark_wrong(frozenset(wrong), self._language)
        await asyncio.to_thread(learn_word, self._session.store, word)

    def _why_not(self) -> str:
        if self._wish == OFF:
            return _("Spelling is off; tui.spelling in the settings (F2) turns it on.")
        if not has_spelling(self._language):
            return _("Chinese has no boundaries between words, so there is no spelling to check.")
        package = "hunspell-ko" if self._language == "ko" else "hunspell-en-us"
        return _(
            "Spelling needs the program hunspell and a dictionary of the novel's language: install"
            " them, as with `apt install hunspell {package}`, and open the text again.",
            package=package,
        )

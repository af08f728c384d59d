"""The question how much a model can read at once, where its server does not say (BOOK 6)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.pipeline.windows import REFUSED, remembered_window, window_question
from studio.tui.screens.ask import Ask

if TYPE_CHECKING:
    from studio.pipeline.windows import WindowQuestion
    from studio.session import Session
    from studio.tui.studio import Studio


class _AskWindow(Ask):
    """Asks for a number of tokens; Enter alone takes what is assumed."""

    def __init__(self, question: WindowQuestion) -> None:
        self._question = question
        words = (translate(question.reason), translate(question.words).strip())
        super().__init__(_("How much it can read"), "\n".join(words))

    @property
    def _kept_words(self) -> None:
        """A number half typed is not worth keeping."""

    def _is_answer(self, words: str) -> bool:
        return self._question.window_in(words) is not None

    def _what_is_missing(self) -> str:
        return translate(REFUSED)


async def is_window_settled(studio: Studio, session: Session) -> bool:
    """Asks where nobody knows how much the model can read at once, and remembers the answer; the
    command line asks the same. False if she leaves the question: nothing is begun then."""
    state = session.store.state_folder
    before = session.settings
    settings, question = await asyncio.to_thread(window_question, before, state)
    if session.settings is before:  # else they were read again meanwhile
        session.settings = settings
    if question is None:
        return True
    typed = await studio.push_screen_wait(_AskWindow(question))
    window = None if typed is None else question.window_in(typed)
    if window is None:
        return False
    session.settings = await asyncio.to_thread(remembered_window, session.settings, state, window)
    return True

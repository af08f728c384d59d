"""Asks the writer for a model's context window where its server does not report it (BOOK 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.cli import keyboard, output

if TYPE_CHECKING:
    from studio.session import Session


def ask_for_window(session: Session) -> None:
    """Asks at the terminal and remembers the answer for the model's address; Enter accepts the
    assumed window. Does nothing where the window is known, or where no model is available."""
    from studio.pipeline.windows import REFUSED, remembered_window, window_question

    state = session.store.state_folder
    session.settings, question = window_question(session.settings, state)
    if question is None:
        return
    output.say(question.reason)
    while (typed := keyboard.typed_line(question.words)) is not None:
        if (window := question.window_in(typed)) is not None:
            session.settings = remembered_window(session.settings, state, window)
            return
        output.say(REFUSED)

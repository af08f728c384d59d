"""Asks the writer for a model's context window where its server does not report it (BOOK 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.cli import output
from studio.cli.keyboard import typed_line
from studio.errors import StudioError
from studio.messages import said

if TYPE_CHECKING:
    from studio.session import Session


def ask_for_window(session: Session) -> None:
    """Asks at the terminal and remembers the answer for the model's address; Enter accepts the
    assumed window. Does nothing where the window is known, or where no model is available."""
    from studio.llm.provider import WINDOWS
    from studio.pipeline.windows import remembered_window, window_is_assumed, with_window

    state = session.store.state_folder
    try:
        session.settings = with_window(session.settings, state)
        if not window_is_assumed(session.settings):
            return
        provider = session.choice().provider
    except StudioError:
        return  # the run reports the problem
    if provider is None:
        return
    assumed = provider.profile.window
    output.say(
        said(
            "The server does not say how much {name} can read at once.",
            name=provider.model_for("deep"),
        )
    )
    while (
        typed := typed_line(said("Its window in tokens, or Enter for {n}: ", n=f"{assumed:,}"))
    ) is not None:
        number = typed.replace(",", "").replace("_", "") or str(assumed)
        if number.isdecimal() and int(number) in WINDOWS:
            session.settings = remembered_window(session.settings, state, int(number))
            return
        output.say(
            said("A window is a whole number of tokens, {start} or more.", start=WINDOWS.start)
        )

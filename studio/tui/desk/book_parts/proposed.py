"""What a question about the book proposes, put on its page at the desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studio.i18n import _
from studio.tui.desk.protocol import try_to_do

if TYPE_CHECKING:
    from studio.story.checkpoint import Decision
    from studio.tui.desk.protocol import Desk

SAVED = "saved"


async def answer_on_page(desk: Desk, question: Decision) -> str | None:
    """Opens the page of a proposal until she has answered. Returns the answer, `saved` for one that
    is taken as it stands there; None where it waits."""
    from studio.pipeline.beginning.steps import AGAIN, BY_HAND, with_telling
    from studio.pipeline.volume.proposed import LEAVES_OUT, ask_otherwise, take_proposal
    from studio.project.unsaved import UnsavedForm
    from studio.tui.screens.ask import AskText
    from studio.tui.screens.editing.start_page import StartPage, name_of

    studio, session = desk.studio, desk.session

    async def take(words: Mapping[str, str]) -> None:
        language = session.settings.novel.language
        await desk.bridge.call(take_proposal, session.store, language, words, question.id)
        session.settings = await desk.bridge.read(with_telling, session.settings, session.store)

    unsaved = UnsavedForm(session.store, name_of(question))
    while True:
        page = StartPage(unsaved, question, take)
        end = await studio.push_screen_wait(page)
        if end == SAVED:
            return SAVED
        if end == "again":
            words = _(
                "Your own words and what you left out stay; so does what you do not speak of."
            )
            wish = await studio.push_screen_wait(AskText(_("Again, but …"), words))
            if not (wish or "").strip():
                continue
            asked = (session.store, page.words, question.id, wish)
            return AGAIN if await try_to_do(desk, ask_otherwise, *asked) else None
        if end == "left":
            return None
        option = BY_HAND if end == "by-hand" else LEAVES_OUT[question.kind]
        return option if await try_to_do(desk, session.decide, option, question.id) else None

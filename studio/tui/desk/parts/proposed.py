"""What a question about the book proposes, put on its page at the desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.tui.desk.protocol import try_to_do

if TYPE_CHECKING:
    from studio.story.checkpoint import Decision
    from studio.tui.desk.protocol import Desk


SAVED = "saved"
"""The answer of a proposal that was taken as it stands on its page."""


async def put_off(desk: Desk, question_id: str) -> None:
    """Lets w go on without the answer to a question: she has closed it and answers later."""
    desk.state.for_later = question_id
    await desk.reread()


async def answer_on_page(desk: Desk, question: Decision, *, is_asked_for: bool) -> str | None:
    """Opens the page of a proposal until she has answered. Returns the answer, `saved` for one that
    is taken as it stands there; None where it waits. One that she has not asked for by a key takes
    no letters until she has moved into a field."""
    from studio.pipeline.beginning.steps import AGAIN, BY_HAND, with_telling
    from studio.pipeline.volume.proposed import LEAVES_OUT, take_proposal
    from studio.project.unsaved import UnsavedForm
    from studio.tui.screens.editing.start_page import StartPage, name_of

    studio, session = desk.studio, desk.session

    async def take(words: Mapping[str, str]) -> None:
        language = session.settings.novel.language
        await desk.bridge.call(take_proposal, session.store, language, words, question.id)
        session.settings = await desk.bridge.read(with_telling, session.settings, session.store)

    while True:
        # Anew each time: what the page before kept is brought back to another form alone.
        unsaved = UnsavedForm(session.store, name_of(question))
        page = StartPage(unsaved, question, take, is_asked_for=is_asked_for)
        end = await studio.push_screen_wait(page)
        is_asked_for = True
        if end == SAVED:
            return SAVED
        if end == "again":
            if await _ask_again(desk, question, page.words):
                return AGAIN
            continue
        if end == "left":
            return None
        option = BY_HAND if end == "by-hand" else LEAVES_OUT[question.kind]
        if not await _is_left_out(desk, question, option):
            continue
        return option if await try_to_do(desk, session.decide, option, question.id) else None


async def _is_left_out(desk: Desk, question: Decision, option: str) -> bool:
    """Asks whether she means all of it: what comes next, and what it costs, stands in the card. A
    step that she does herself is left without a question where nothing is paid for next."""
    from studio.pipeline.beginning.steps import BY_HAND
    from studio.tui.actions.advice import in_keys
    from studio.tui.screens.ask import Confirm

    is_step = question.kind == "start"
    title = _("Leave the whole step out?") if is_step else _("Leave all of it out?")
    if option == BY_HAND:
        if not await desk.bridge.read(desk.session.volumes().price_of_next, question):
            return True
        title = _("Do it yourself, later?")
    words = in_keys(question.data.get("options", {}).get(option, ""), desk.studio.keymap)
    return await desk.studio.push_screen_wait(Confirm(title, words)) is True


async def _ask_again(desk: Desk, question: Decision, words: Mapping[str, str]) -> bool:
    """Asks what she wants otherwise, and has it proposed anew with what she made of this proposal;
    returns False where she leaves it. What was refused stands in the card again."""
    from studio.pipeline.volume.proposed import ask_otherwise, unanswered_wish
    from studio.tui.screens.ask import AskText

    price = await desk.bridge.read(desk.session.volumes().price_of_another, question)
    if price is None:
        desk.studio.say(_("No model is set that can propose another."), "warning")
        return False
    stays = _(
        "Your own words and what you left out stay; so does what you do not speak of: {price}.",
        price=translate(price.words),
    )
    wish: str | None = unanswered_wish(question)
    while wish is not None:
        wish = await desk.studio.push_screen_wait(AskText(_("Again, but …"), stays, wish))
        request = (desk.session.store, words, question.id, wish)
        if wish is not None and await try_to_do(desk, ask_otherwise, *request):
            return True
    return False

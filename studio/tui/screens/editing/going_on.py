"""Going on behind the cursor of the editor."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, translate
from studio.messages import said
from studio.session import Session
from studio.story.chapter import Chapter
from studio.story.ledger import FREE
from studio.story.lengths import length_of, unit_in
from studio.text.prose.answer import first_words
from studio.tui.views.lengths import length_words
from studio.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from studio.tui.studio import Studio


async def goes_on(studio: Studio, session: Session, chapter: int, field: TextField) -> bool:
    """Opens the scene under the cursor again, so that it goes on there; what stands behind the
    cursor in it is kept as a version. Returns whether it does: she is asked first where that costs
    something or puts words away, and told why where it cannot."""
    from studio.pipeline.review.one_scene import check_place, go_on_from, scenes_in_work
    from studio.tui.screens.ask import Confirm

    row, column = field.cursor_location
    rows = field.document.lines[:row]
    cursor = len(field.document.newline.join([*rows, ""])) + column
    text = Chapter(field.text)
    novel = session.settings.novel
    scenes = await asyncio.to_thread(scenes_in_work, session.store, chapter, text, novel)
    scene = next((scene for scene in reversed(scenes.scenes) if scene.start < cursor), None)
    if scene is None:
        studio.say(_("Nothing stands before the cursor; w on the desk begins it."))
        return False
    place = scene.number, text.text[scene.start : cursor]
    try:
        await asyncio.to_thread(check_place, session.store, chapter, place)
        behind = _what_is_put_away(session, text.text[cursor : scene.end])
        price = await asyncio.to_thread(_price, session, chapter, place)
        question = Confirm(_("Go on from here?"), "\n".join(filter(None, (behind, price))))
        if (behind or price) and not await studio.push_screen_wait(question):
            return False
        await asyncio.to_thread(go_on_from, session.store, chapter, place, session.settings)
    except StudioError as error:
        studio.tell(error.problem)
        return False
    return True


def _what_is_put_away(session: Session, behind: str) -> str:
    """Says what goes out of the text and where it is kept; empty where nothing stands there."""
    if not behind.strip():
        return ""
    unit = unit_in(session.settings)
    return _(
        "What stands behind the cursor goes out of the text: {beginning} ({length}). The "
        "Variations tab keeps the scene as it is now, and brings it back.",
        beginning=first_words(behind),
        length=length_words(length_of(behind, unit), unit),
    )


def _price(session: Session, chapter: int, place: tuple[int, str]) -> str:
    """Says what going on there costs; empty for nothing, or where it cannot be known."""
    try:
        price = session.previews().price_of_going_on(chapter, place)
    except StudioError:
        return ""
    return "" if price == FREE else translate(said("It costs {price}.", price=price.words))

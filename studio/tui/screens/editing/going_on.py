"""Going on behind the cursor of the editor."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _
from studio.session import Session
from studio.story.chapter import Chapter
from studio.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from studio.tui.studio import Studio


async def goes_on(studio: Studio, session: Session, chapter: int, field: TextField) -> bool:
    """Opens the scene under the cursor again, so that it goes on there; what stands behind the
    cursor in it is kept as a version. Returns whether it does; if not, the writer is told why."""
    from studio.pipeline.review.one_scene import go_on_from, scenes_in_work

    row, column = field.cursor_location
    rows = field.document.lines[:row]
    place = len(field.document.newline.join([*rows, ""])) + column
    text = Chapter(field.text)
    novel = session.settings.novel
    scenes = await asyncio.to_thread(scenes_in_work, session.store, chapter, text, novel)
    scene = next((scene for scene in reversed(scenes.scenes) if scene.start < place), None)
    if scene is None:
        studio.say(_("Nothing stands before the cursor; w on the desk begins it."))
        return False
    words, behind = text.text[scene.start : place], text.text[place : scene.end].strip()
    try:
        at = scene.number, words
        await asyncio.to_thread(go_on_from, session.store, chapter, at, session.settings)
    except StudioError as error:
        studio.tell(error.problem)
        return False
    if behind:
        studio.say(_("What stood behind is kept: the Variations tab brings the scene back."))
    return True

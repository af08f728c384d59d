"""The planned scenes of a chapter: a list of them, and a form for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, translate
from studio.project.planning.chapter_plan import (
    ScenePlan,
    people_names,
    places_names,
    plan_of_scene,
    save_scene,
    scenes_of,
)
from studio.project.unsaved import UnsavedForm
from studio.story.lengths import unit_in
from studio.tui.views.forms.scene_form import form_of_scene, scene_of_form

if TYPE_CHECKING:
    from studio.project.store import ProjectStore
    from studio.session import Session
    from studio.story.contract import SceneSpec
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.forms.form_fields import Form


_NEW = "new"


class SceneForms:
    """Edits the planned scenes of one chapter that is not yet in the book."""

    def __init__(self, desk: Desk, chapter: int) -> None:
        self._desk = desk
        self._chapter = chapter

    async def go_through(self) -> None:
        """Shows the list, then the form of the chosen scene, until Esc."""
        from studio.tui.screens.ask import Choose

        desk = self._desk
        try:
            while True:
                scenes = await desk.bridge.call(scenes_of, self._store, self._chapter)
                rows = [(str(s.number), f"{s.number}  {s.purpose}") for s in scenes]
                title = _("Scenes of chapter {chapter}", chapter=self._chapter)
                card = Choose(title, (*rows, (_NEW, _("+ scene"))))
                answer = await desk.studio.push_screen_wait(card)
                if answer is None:
                    break
                await self._fill_in(None if answer == _NEW else scenes[int(answer) - 1])
        except StudioError as error:
            desk.studio.tell(error.problem)
        await desk.reread(chapter=self._chapter)

    async def _fill_in(self, scene: SceneSpec | None) -> None:
        from studio.tui.screens.form import FormScreen

        desk, session = self._desk, self._desk.session
        form, unsaved = await desk.bridge.call(_form, session, self._chapter, scene)

        made: list[str] = []

        async def save(values: Mapping[str, str]) -> None:
            plan, number = scene_of_form(values)
            made[:] = await desk.bridge.call(
                save_scene,
                session.store,
                session.settings.novel.language,
                self._chapter,
                scene.number if scene else None,
                plan,
                number,
                scene,
            )

        screen = FormScreen(unsaved, form, save)
        if await desk.studio.push_screen_wait(screen) == "saved":
            end = _("The scenes are saved. u in the outline takes it back.")
            desk.studio.say("\n".join([*map(translate, made), end]))

    @property
    def _store(self) -> ProjectStore:
        return self._desk.session.store


def _form(session: Session, chapter: int, scene: SceneSpec | None) -> tuple[Form, UnsavedForm]:
    store, number = session.store, scene.number if scene else None
    form = form_of_scene(
        chapter,
        number,
        plan_of_scene(store, scene) if scene else ScenePlan(),
        people=(names[0] for names in people_names(store).values()),
        places=(names[0] for names in places_names(store).values()),
        unit=unit_in(session.settings),
    )
    earlier = f"scene-{{:03d}}-{number or 'new'}"
    return form, UnsavedForm.of_chapter(store, chapter, form.name, earlier)

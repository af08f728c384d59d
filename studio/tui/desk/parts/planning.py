"""The chapters ahead at the desk: adding, renaming, moving, and planning them and their scenes on
forms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from studio.chapter_names import label_of
from studio.errors import StudioError
from studio.i18n import _, translate
from studio.pipeline.book_runs.chapter_planner import standing_plan
from studio.pipeline.book_runs.waiting_plan import is_plan_waiting
from studio.project.planning.chapter_plan import (
    ScenePlan,
    people_names,
    places_names,
    plan_of_scene,
    save_scene,
    scenes_of,
)
from studio.project.planning.her_length import length_in_brief
from studio.project.planning.plan_change import last_change, taken_back
from studio.project.planning.plans import Plans
from studio.project.unsaved import UnsavedForm, unsaved_plan
from studio.story.form.slugs import chapter_name
from studio.story.lengths import unit_in
from studio.tui.actions import BY_ID
from studio.tui.desk.parts.book_notes import BookNotes
from studio.tui.desk.protocol import result_of
from studio.tui.performs import asks, performs
from studio.tui.views import situation as can
from studio.tui.views.forms.plan_forms import (
    form_of_plan,
    form_of_scene,
    plan_of_form,
    scene_of_form,
    with_told_length,
)
from studio.tui.views.key_names import first_key

if TYPE_CHECKING:
    from studio.pipeline.opening import Ground
    from studio.project.store import ProjectStore
    from studio.session import Session
    from studio.story.contract import SceneSpec
    from studio.text.language.names import NameIndex
    from studio.tui.desk.protocol import Desk
    from studio.tui.screens.form import FormEnd
    from studio.tui.views.forms.form_fields import Form, SearchTerm
    from studio.tui.views.outline.rows import RowPlace


class Planning:
    """Edits the plans of the novel; each change is one step, which `u` takes back."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._notes = BookNotes(desk)

    @property
    def _plans(self) -> Plans:
        session = self._desk.session
        return Plans(session.store, session.settings.novel.language)

    def follow_row(self, place: RowPlace) -> None:
        """Opens the row of the outline on which Enter was pressed, if it is no chapter."""
        if place.note is not None:
            self._desk.converse(self._notes.show_row(place.note))
        elif place.chapter and can.at_rest(self._desk.situation()) is None:
            self._desk.converse(self.add())

    @asks("desk.brief", "Brief")
    @asks("desk.style", "Style")
    async def show_note(self, name: str) -> None:
        """Opens the brief, or how the author writes."""
        await self._notes.show(name)

    # The order of the chapters

    @asks("outline.add")
    async def add(self) -> None:
        """Adds a chapter below the marked one."""
        from studio.tui.screens.ask import Ask

        after = self._after()
        where = _("at the end") if after is None else _("after chapter {after}", after=after)
        words = _("It is planned {where}. A title may come later.", where=where)
        if await result_of(self._desk, self._plans.is_unplanned):
            after = None
            words = _("Nothing is planned yet: this will be the title of chapter 1.")
        title = await self._desk.studio.push_screen_wait(Ask(_("A new chapter"), words))
        if title is not None:
            await self._change(self._plans.add, title, after)

    def _after(self) -> int | None:
        """Returns the marked chapter if another can follow it; None for the end."""
        marked, book = self._desk.painter.outline_list.place, self._desk.state.book
        if marked is None or not marked.is_chapter or book is None:
            return None
        fixed = max(book.checkpoint.last_completed_chapter, book.checkpoint.inflight_chapter or 0)
        planned = book.contents.entry(marked.chapter) is not None
        return marked.chapter if marked.chapter >= fixed and planned else None

    @asks("outline.rename")
    async def retitle(self) -> None:
        """Renames the marked chapter."""
        from studio.tui.screens.ask import Ask

        chapter, book = self._marked_chapter(), self._desk.state.book
        if chapter is None or book is None:
            return
        entry = book.contents.entry(chapter)
        value = entry.title if entry else ""
        question = Ask(_("Chapter {chapter}", chapter=chapter), _("What is it called?"), value)
        title = await self._desk.studio.push_screen_wait(question)
        if title is not None:
            await self._change(self._plans.retitle, chapter, title)

    @asks("outline.label")
    async def label(self) -> None:
        """Changes what the author calls the marked chapter."""
        from studio.tui.screens.ask import Ask

        chapter = self._marked_chapter()
        if chapter is None:
            return
        label = label_of(chapter)
        question = Ask(
            chapter_name(chapter),
            _("What do you call this chapter: 4, Prologue? Nothing: the number of its file."),
            "" if label == str(chapter) else label,
        )
        words = await self._desk.studio.push_screen_wait(question)
        if words is not None:
            await self._change(self._set_label, chapter, words)

    def _set_label(self, chapter: int, words: str) -> int:
        self._plans.label(chapter, words)
        return chapter

    @performs("outline.up", Plans.step, -1)
    @performs("outline.down", Plans.step, 1)
    @performs("outline.split", Plans.split)
    @performs("outline.join", Plans.merge)
    @performs("outline.remove", Plans.take_out)
    async def change_marked(self, work: Callable[..., int], *more: object) -> None:
        """Moves the marked chapter, splits it in two, merges it with the next or takes it out of
        the plan."""
        chapter = self._marked_chapter()
        if chapter is not None:
            await self._change(partial(work, self._plans), chapter, *more)

    @performs("outline.undo")
    async def undo(self) -> None:
        """Undoes the last change of the plans."""
        desk = self._desk
        step = await result_of(self._desk, self._plans.undo)
        if step is None:
            return
        await desk.reread()
        desk.studio.say(translate(taken_back(step.title)))

    def _marked_chapter(self) -> int | None:
        """Returns the chapter under the outline's cursor; says so if there is none."""
        place = self._desk.painter.outline_list.place
        if place is None or not place.is_chapter:
            self._desk.studio.say(_("Choose a chapter in the outline first."))
            return None
        return place.chapter

    async def _change(self, work: Callable[..., int], *args: object) -> None:
        """Changes the plans, shows the chapter concerned, and says how to undo the change."""
        desk = self._desk
        chapter = await result_of(self._desk, work, *args)
        if chapter is None:
            return
        step = await result_of(self._desk, last_change, desk.session.store)
        if step is not None:
            desk.studio.say(_("{title} u in the outline takes it back.", title=step.title))
        await desk.reread(chapter=chapter)
        desk.painter.outline_list.go_to(chapter)

    # The plan of a chapter

    async def can_be_written(self, then: Callable[[], None] | None = None) -> bool:
        """Whether a run can begin the next chapter; if not, opens what is missing: the plan, after
        which it goes on with `then`, or without a model the writer's own draft."""
        desk, book = self._desk, self._desk.state.book
        if book is None:
            return True
        chapter = book.next_chapter
        ground, missing = await desk.bridge.read(_ground_of, desk.session, chapter)
        if ground.due or ground.text or (missing is None and ground.plan):
            return True
        await desk.show_chapter(chapter)
        desk.painter.outline_list.go_to(chapter)
        if missing is None:
            words = _("One sentence is enough; then w writes it.")
            if then is not None:
                words = _("It has no plan yet: one sentence, and it goes on.")
            await self.open_plan(chapter, words, then=then)
        else:
            desk.work(self._without_model(chapter, ground, missing), "plan")
        return False

    async def _without_model(self, chapter: int, ground: Ground, why: str) -> None:
        from studio.tui.actions.advice import in_keys
        from studio.tui.screens.ask import Choose

        title = _("Chapter {chapter} waits for you", chapter=chapter)
        if not ground.plan:
            title = _("Chapter {chapter} is not planned yet", chapter=chapter)
        choices = (
            ("desk.edit", _("Write it yourself")),
            (
                "desk.plan",
                _("Look at its plan") if ground.plan else _("Say first what happens in it"),
            ),
            ("app.settings", _("Set up a model that drafts it")),
        )
        words = _("There is no model to draft it; everything else works.")
        if why:
            words = f"{words} {in_keys(translate(why), self._desk.studio.keymap)}"
        answer = await self._desk.studio.push_screen_wait(Choose(title, choices, words))
        if answer is not None:
            await self._desk.studio.action_perform(answer)

    @performs("desk.propose_plan")
    async def propose_plan(self) -> None:
        """Opens the plan of the current chapter, filled in by the plot architect."""
        if self._desk.state.chapter is not None:
            await self.open_plan(self._desk.state.chapter, at_once=True)

    @performs("desk.plan")
    async def plan(self) -> None:
        """Opens the plan of the current chapter."""
        if self._desk.state.chapter is not None:
            await self.open_plan(self._desk.state.chapter)

    async def open_plan(
        self,
        chapter: int,
        words: str = "",
        wording: SearchTerm | None = None,
        *,
        at_once: bool = False,
        then: Callable[[], None] | None = None,
    ) -> None:
        """Opens the form of a chapter's plan, with the given words selected; once it is saved,
        goes on with `then`."""
        from studio.tui.screens.form import FormScreen

        desk = self._desk
        read = await result_of(self._desk, _read_form, desk.session, chapter, words)
        if read is None:
            return
        form, before, unsaved, has_length = read
        sentences: list[str] = []
        wishes: list[tuple[str, str]] = []

        async def save(values: Mapping[str, str]) -> None:
            unit = unit_in(desk.session.settings)
            plan = plan_of_form(values, unit)
            if not has_length:
                plan = with_told_length(plan, form, unit)
            sentences[:] = await desk.bridge.call(self._plans.save, chapter, plan, before)
            for wish, again in wishes:
                keep = desk.session.volumes().chapters().keep_wish
                sentences.extend(await desk.bridge.call(keep, chapter, plan, wish, again))

        async def propose(values: Mapping[str, str]) -> Mapping[str, str] | None:
            from studio.tui.screens.editing.plan_proposal import propose_plan

            plan = plan_of_form(values, unit_in(desk.session.settings))
            accepted = await propose_plan(desk.studio, desk.session, chapter, plan)
            if accepted is None:
                return None
            wishes.append((accepted.wish, accepted.again))
            with suppress(StudioError):  # else the proposal waits on
                await asyncio.to_thread(unsaved.keep, {**values, **accepted.values})
                await asyncio.to_thread(accepted.end)
            return accepted.values

        def ended(end: FormEnd | None) -> None:
            words = list(map(translate, sentences))
            desk.work(self._after_form(chapter, end, words, then), "plan")

        screen = FormScreen(unsaved, form, save, wording, propose)
        desk.studio.push_screen(screen, ended)
        if at_once:
            screen.call_after_refresh(screen.propose)
        elif await asyncio.to_thread(is_plan_waiting, desk.session.store, chapter):
            key = first_key(BY_ID["form.propose"], desk.studio.keymap)
            desk.studio.say(
                _("A proposed plan waits: {keys} shows it; that costs nothing more.", keys=key)
            )

    async def _after_form(
        self,
        chapter: int,
        end: FormEnd | None,
        sentences: list[str],
        then: Callable[[], None] | None = None,
    ) -> None:
        """Continues after the form has closed; pending messages are shown together with the
        result."""
        desk = self._desk
        if sentences and end != "saved":
            desk.studio.say("\n".join(sentences))
        if end == "write":
            await desk.studio.action_perform("desk.edit")
        elif end == "scenes":
            await desk.reread(chapter=chapter)
            await SceneForms(desk, chapter).go_through()
            if then is not None:
                then()
        elif end == "left":
            await desk.reread(fresh=False)  # a plan may wait now
        elif end == "saved":
            await desk.reread(chapter=chapter)
            book = desk.state.book
            comes_next = book is not None and book.next_chapter == chapter
            if comes_next and then is not None:
                then()
            elif comes_next and not desk.situation().in_steps:
                way = _("w writes it") if desk.state.has_model else _("Ctrl+E writes it")
                words = _("Chapter {chapter} is planned. {way}.", chapter=chapter, way=way)
                sentences.append(words)
            if sentences:
                desk.studio.say("\n".join(sentences))


def _ground_of(session: Session, chapter: int) -> tuple[Ground, str | None]:
    """Returns what a chapter is drafted from, and the problem of its model: None for none, empty
    if no model is set up. Unreadable plans count as present: the run reports what is wrong with
    them."""
    from studio.pipeline.opening import Ground, ground_of

    try:
        ground = ground_of(session.store, chapter)
    except StudioError:
        return Ground(plan=True, text=True), None
    try:
        return ground, None if session.choice().provider is not None else ""
    except StudioError as error:
        return ground, str(error.problem)


def _known_names(store: ProjectStore) -> NameIndex | None:
    """Returns who and what the book knows, prepared off the event loop; None where an entry cannot
    be read."""
    from studio.book.bible import NameFinder, read_bible

    with suppress(StudioError):
        names = NameFinder(read_bible(store).entries.values())
        names.find("")
        return names
    return None


def _read_form(
    session: Session, chapter: int, words: str
) -> tuple[Form, bytes | None, UnsavedForm, bool]:
    """Returns the form of a chapter's plan, the contract's bytes at the time, what was typed into
    the form before, and whether the plan has a length of its own."""
    store = session.store
    storylines = store.storylines()
    plan, before = standing_plan(store, chapter)
    form = form_of_plan(
        chapter,
        plan,
        people=(names[0] for names in people_names(store).values()),
        promises=(p.about for p in store.foreshadowing().promises),
        lines=(line.title for line in storylines.storylines),
        places=(names[0] for names in places_names(store).values()),
        unit=unit_in(session.settings),
        words=words,
        hers=length_in_brief(store, session.settings),
        known=_known_names(store),
    )
    return form, before, unsaved_plan(store, chapter), plan.length is not None


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
            plan, number = scene_of_form(values, unit_in(session.settings))
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

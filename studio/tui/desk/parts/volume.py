"""The current volume at the desk: its progress, its plan by the architect, and its review."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import _, translate
from studio.pipeline.outcome import Failed, NothingToDo, Paused, Stopped
from studio.project.files import load
from studio.project.outline import preface_of
from studio.story.lengths import unit_in
from studio.tui.desk.protocol import result_of
from studio.tui.performs import asks, performs
from studio.tui.screens.page import PageScreen, open_page
from studio.tui.views.pages.chapter import summary_lines
from studio.tui.views.pages.volume_page import volume_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from studio.pipeline.events import Event
    from studio.pipeline.outcome import Outcome
    from studio.story.checkpoint import Decision
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.words import Line


ACCEPT, EDIT = "accept", "edit"


class Volume:
    """Shows, plans and reviews the current volume; reads off the event loop, and asks with
    cards."""

    def __init__(self, desk: Desk, run: RunFollower) -> None:
        self._desk = desk
        self._run = run
        self._reviewed: int | None = None
        """The volume that a run has just looked back on."""
        self._is_review_closed = False
        """Whether the page of a review was just closed: its question then opens by itself."""

    @performs("desk.volume")
    async def show(self) -> None:
        """Opens the page of the volume: plan against text, scores, promises, storylines."""
        session = self._desk.session
        number = session.store.checkpoint().current_volume

        def read() -> tuple[Line, ...]:
            from studio.pipeline.volume.figures import volume_standing
            from studio.text.language.packs import for_form, load_pack

            novel = session.settings.novel
            pack = for_form(load_pack(novel.language), novel.is_serial)
            volume = volume_standing(session.store, session.settings, pack, number)
            names = {}
            with suppress(StudioError):  # a novel may have no storylines file
                names = {line.id: line.title for line in session.store.storylines().storylines}
            outline = load.text(session.store.root, session.store.layout.outline(number)) or ""
            unit = unit_in(session.settings)
            return tuple(volume_lines(volume, names, unit, preface_of(outline)))

        await open_page(self._desk.studio, _("Volume {number}", number=number), read)

    @asks("desk.volume_plan")
    async def plan(self) -> None:
        """Asks what she wants of the volume, how many chapters and how long, stating the price, and
        has the plot architect plan it; opens the plan that waits, where there is one."""
        from studio.pipeline.volume.architect import VolumeOrder
        from studio.project.planning.her_length import length_in_brief
        from studio.project.unsaved import UnsavedForm
        from studio.tui.screens.form import FormScreen
        from studio.tui.screens.window_question import is_window_settled
        from studio.tui.views.forms.plan_forms import form_of_order, order_of_form

        session = self._desk.session
        volumes = session.volumes()
        waits = await result_of(self._desk, lambda: [volumes.plan_that_waits(VolumeOrder())])
        if waits is None:
            return
        if waits[0] is not None:
            self._ask(None)
            return
        if not await is_window_settled(self._desk.studio, session):
            return
        targets = session.settings.targets
        read = await result_of(
            self._desk,
            lambda: (
                volumes.price(VolumeOrder()),
                volumes.usual_count(),
                length_in_brief(session.store, session.settings),
            ),
        )
        if read is None:
            return
        price, count, hers = read
        unit = unit_in(session.settings)
        form = form_of_order(price, count, targets.chapter_length, unit, hers)
        order = VolumeOrder()

        async def save(values: Mapping[str, str]) -> None:
            nonlocal order
            order = order_of_form(values, form, hers)

        unsaved = UnsavedForm(session.store, form.name)
        if await self._desk.studio.push_screen_wait(FormScreen(unsaved, form, save)) == "saved":
            self._run.begin_work(lambda hear: volumes.plan(order, hear))

    @asks("desk.volume_review")
    async def review(self) -> None:
        """Counts the volume, has the judge explain it where a model judges, opens its page, and
        asks about anything that can be tidied."""
        desk = self._desk
        volumes = desk.session.volumes()
        prices = await result_of(desk, lambda: [volumes.review_price()])
        if prices is None:
            return
        if prices[0] is not None:
            words = translate(prices[0].words)
            desk.studio.say(_("The judge looks back on the volume: {price}.", price=words))

        async def work(hear: Callable[[Event], None]) -> Outcome:
            ended = await desk.session.volumes().review("ask", hear)
            if isinstance(ended, Failed | Stopped):
                return ended
            self._reviewed = ended.volume
            return NothingToDo("") if ended.decision is None else Paused(ended.decision)

        self._run.begin_work(work)

    async def show_review(self) -> bool:
        """Opens the page of the volume that was just looked back on; returns whether there is
        one. Its question follows once the page is closed."""
        desk, session = self._desk, self._desk.session
        number, self._reviewed = self._reviewed, None
        if number is None:
            return False
        path = session.store.layout.review(number)
        data = await desk.bridge.read(session.store.root.find, path)
        _heading, _line, page = (data or b"").decode().partition("\n")
        lines = tuple(summary_lines(page.lstrip("\n")))
        title = _("Volume {number} in review", number=number)
        desk.studio.push_screen(PageScreen(title, lines), self._ask)
        return True

    def _ask(self, _result: None) -> None:
        """Opens the page or the card of the question that waits."""
        if self._desk.state.question is not None:
            self._desk.studio.run_worker(self._ask_by_itself())

    async def _ask_by_itself(self) -> None:
        self._is_review_closed = True
        try:
            await self._desk.studio.action_perform("desk.decide")
        finally:
            self._is_review_closed = False

    def show_proposal(self, question: Decision, *, is_asked_for: bool) -> bool:
        """Opens the page of a proposed plan, or of what may be tidied, by a key of hers or by
        itself; returns whether the question has one."""
        from studio.pipeline.volume.proposed import pieces_of

        if not pieces_of(question):
            return False
        is_asked_for = is_asked_for and not self._is_review_closed
        self._desk.work(self._show(question, is_asked_for), "proposal", exclusive=True)
        return True

    async def _show(self, question: Decision, is_asked_for: bool) -> None:
        from studio.pipeline.beginning.steps import AGAIN
        from studio.pipeline.volume.architect import VolumeOrder
        from studio.tui.desk.parts.proposed import SAVED, answer_on_page, put_off

        desk = self._desk
        desk.state.for_later = ""
        answer = await answer_on_page(desk, question, is_asked_for=is_asked_for)
        if answer == AGAIN:
            volumes = desk.session.volumes()
            self._run.begin_work(lambda hear: volumes.plan(VolumeOrder(), hear))
        elif answer is None:
            await put_off(desk, question.id)
        else:
            await desk.reread()
            if answer == SAVED and question.kind == "outline":
                volume = question.data["volume"]
                desk.studio.say(_("Volume {volume} is planned. w writes on.", volume=volume))

    async def words_for(self, question: Decision, option: str) -> str | None:
        """Returns the accepted pieces of a plan that was proposed by an earlier version, which has
        no page; None if the writer cancels."""
        from studio.tui.screens.ask import Ask

        if option != ACCEPT:
            return ""
        words = _(
            "Numbers of chapters and names of promises: 4 5 bell. Leave it empty to take "
            "everything."
        )
        return await self._desk.studio.push_screen_wait(Ask(_("Which of it"), words))

    def tell_edit(self) -> None:
        """Says how to change a proposed plan."""
        self._desk.studio.say(_("Nothing was changed. p opens the plan of a chapter."))

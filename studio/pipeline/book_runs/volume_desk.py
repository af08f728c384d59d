"""The interface for a volume: planned by the plot architect, looked back on with the judge; events,
a question, an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.start import Start
from studio.pipeline.beginning.steps import OTHERWISE, as_proposed, title_of_step
from studio.pipeline.book_runs.chapter_planner import ChapterPlanner
from studio.pipeline.events import DecisionRequired, Emit, Emitter, unheard
from studio.pipeline.gateway import gateway_if_any
from studio.pipeline.locked_run import RunLog
from studio.pipeline.novel import OnNovel
from studio.pipeline.outcome import Failed, NothingToDo, Outcome, Paused, Stopped, outcome_of
from studio.pipeline.questions.hand_edits import name_edits
from studio.pipeline.volume.architect import VolumeArchitect, VolumeOrder
from studio.pipeline.volume.close import VolumeClose, VolumeReview
from studio.pipeline.volume.outline_proposal import ASKED, shown_pieces, volume_to_plan
from studio.pipeline.volume.review import VolumeReading
from studio.story.checkpoint import BeginningStep, Decision, VolumeStep
from studio.story.form.document import Words
from studio.story.ledger import Estimate
from studio.story.status import ReviewMode


class LeftOut(NamedTuple):
    """A step of the beginning, or what was proposed for a volume, that was left out."""

    step: BeginningStep | VolumeStep
    title: Words
    price: Words
    """What it costs to open it again; empty where nobody is asked for it."""


@dataclass(frozen=True)
class VolumeDesk(OnNovel):
    """Plans the volumes of one novel, and looks back on them."""

    def price(self, order: VolumeOrder) -> Estimate:
        """Returns what a plan will cost; makes no call.

        StudioError 2 without a model that can plan, while a chapter is in work or another question
        open.
        """
        architect = self._architect(self.novel.gateway_for(unheard()), unheard())
        order = self._once_more(order)
        return architect.estimate(self._volume(order), order)

    def price_of_another(self, question: Decision) -> Estimate | None:
        """Returns what another proposal will cost than the one in a question about the book, a step
        of its beginning or a volume's plan; None where no model can make one. Makes no call."""
        if question.kind == "start":
            return self._start().estimate_another(question)
        gateway = gateway_if_any(self.novel.gateway_for, unheard())
        wish = {"wish": "", "before": as_proposed(self.store, shown_pieces(question))}
        order = _order_once_more(VolumeOrder(), {**question.data, OTHERWISE: wish})
        architect = self._architect(gateway, unheard())
        return architect.estimate_another(int(question.data["volume"]), order)

    def price_of_next(self, question: Decision) -> str:
        """Returns what the step behind a step of the beginning will cost to propose; empty where no
        model is asked then. Makes no call."""
        return self._start().price_of_next(question) if question.kind == "start" else ""

    def price_of_step(self, trials: int | None = None) -> Estimate | None:
        """Returns what the next step of the book's beginning will cost to propose, with so many
        trial chapters; None where no model is asked. Makes no call."""
        return self._start().price_of_step(trials)

    def left_out(self) -> tuple[LeftOut, ...]:
        """Returns what was left out and can be opened again. Makes no call."""
        checkpoint = self.store.checkpoint()
        rows = [
            LeftOut(step, title_of_step(step), price) for step, price in self._start().left_out()
        ]
        return (*rows, *(LeftOut(n, q.rationale, "") for n, q in checkpoint.left_out.items()))

    def price_of_sample(self, sample: str) -> str:
        """Returns what it costs to have a sample of her prose read; empty where no model reads
        it. Makes no call."""
        return self._start().price_of_sample(sample)

    def _start(self) -> Start:
        gateway = gateway_if_any(self.novel.gateway_for, unheard())
        return Start(self.novel.ready(), gateway, unheard())

    def usual_count(self) -> int:
        """Returns how many chapters a plan has where nobody says how many."""
        return self._architect(None, unheard()).usual_count(volume_to_plan(self.store))

    async def plan(self, order: VolumeOrder, listen: Emit) -> Outcome:
        """Plans a volume and ends with the question about the proposal. Never raises for an
        error that the writer can cause."""
        log = RunLog(self.store, listen)
        emit = Emitter(log)
        with log.record():
            return await outcome_of(self._plan(order, emit), emit)

    def review_price(self) -> Estimate | None:
        """Returns what the judge's part in `review` will cost, None where nobody is asked; makes no
        call. StudioError as `review` refuses."""
        figures = self._close().figures()
        return self._reading(unheard()).estimate(figures)

    async def review(self, mode: ReviewMode, listen: Emit) -> VolumeReview | Failed | Stopped:
        """Looks back on the volume: code counts, the judge explains, and what can be tidied is
        asked about. Never raises for an error that the writer can cause; stopped, it changes
        nothing."""
        log = RunLog(self.store, listen)
        emit = Emitter(log)
        with log.record():
            return await outcome_of(self._reviewed(mode, emit), emit)

    async def _reviewed(self, mode: ReviewMode, emit: Emitter) -> VolumeReview:
        close = self._close()
        figures = close.figures()
        name_edits(self.store, emit)
        reading = self._reading(emit)
        try:
            judged = await reading.read(figures)
        finally:
            if reading.gateway is not None:
                await reading.gateway.provider.close()
        return close.review(mode, judged)

    def _close(self) -> VolumeClose:
        return VolumeClose(self.store, self.settings)

    def _reading(self, emit: Emitter) -> VolumeReading:
        """The judge's part; a model that is named and out of reach holds no counting up."""
        gateway = gateway_if_any(self.novel.gateway_for, emit)
        return VolumeReading(self.novel.ready(), gateway, emit)

    def chapters(self) -> ChapterPlanner:
        """The service that plans single chapters."""
        return ChapterPlanner(self.novel)

    def plan_that_waits(self, order: VolumeOrder) -> Decision | None:
        """Returns the question about a plan that was proposed and is not answered, where the order
        asks for no other one: it is shown as it stands. Makes no call."""
        question = self.store.checkpoint().pending_decision
        if question is None or not shown_pieces(question) or question.data.get(OTHERWISE):
            return None
        asked = question.data.get(ASKED) or VolumeOrder().as_asked
        is_other = any(value and value != asked.get(name) for name, value in order.as_asked.items())
        return question if question.data["volume"] == self._volume(order) and not is_other else None

    async def _plan(self, order: VolumeOrder, emit: Emitter) -> Outcome:
        if (waits := self.plan_that_waits(order)) is not None:
            emit(DecisionRequired(**waits.model_dump()))
            return Paused(waits)
        gateway = self.novel.gateway_for(emit)
        order = self._once_more(order)
        volume = self._volume(order)
        try:
            architect = self._architect(gateway, emit)
            name_edits(self.store, emit)
            proposal = await architect.plan(volume, order)
        finally:
            if gateway is not None:
                await gateway.provider.close()
        if proposal.decision is None:
            return NothingToDo(said("Volume {volume} is already planned that way.", volume=volume))
        emit(DecisionRequired(**proposal.decision.model_dump()))
        return Paused(proposal.decision)

    def _architect(self, gateway: Gateway | None, emit: Emitter) -> VolumeArchitect:
        return VolumeArchitect(self.novel.ready(), gateway, emit)

    def _once_more(self, order: VolumeOrder) -> VolumeOrder:
        """Returns the order with what was asked for before and what she wants otherwise, where she
        asked for another plan and says nothing new."""
        question = self.store.checkpoint().pending_decision
        if question is None or question.kind != "outline":
            return order
        return _order_once_more(order, question.data)

    def _volume(self, order: VolumeOrder) -> int:
        return order.volume or volume_to_plan(self.store)


def _order_once_more(order: VolumeOrder, data: Mapping[str, Any]) -> VolumeOrder:
    """Returns an order with what the question of this `data` was asked with, and what its author
    wants otherwise, where she says nothing new."""
    if not data.get(OTHERWISE) or order.direction or order.volume not in (None, data["volume"]):
        return order
    asked, wish = data.get(ASKED) or {}, data[OTHERWISE]
    direction = (asked.get("direction"), wish["wish"])
    return VolumeOrder(
        volume=data["volume"],
        chapters=order.chapters or asked.get("chapters"),
        direction="\n\n".join(filter(None, direction)),
        length=order.length or asked.get("length"),
        before=wish["before"],
    )

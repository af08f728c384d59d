"""One run of a book's beginning: to the next question, or through the next trial chapter."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from studio.book.plans import planned_in, volume_of
from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.messages import join, said
from studio.pipeline.beginning.start import Start
from studio.pipeline.beginning.steps import with_telling
from studio.pipeline.chapter.derived_contract import contract_from_outline
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import DecisionRequired, Emit, Emitter, unheard
from studio.pipeline.gateway import gateway_if_any
from studio.pipeline.locked_run import locked_run
from studio.pipeline.novel import Novel, OnNovel
from studio.pipeline.opening import ways_to_a_plan
from studio.pipeline.orchestrator import Orchestrator
from studio.pipeline.orders import StartOrder, WriteOrder
from studio.pipeline.outcome import Committed, NothingToDo, Outcome, Paused
from studio.pipeline.previews.price import price_of_writing
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.stage import Sight
from studio.pipeline.volume.left_out import other_put_by, put_by, with_its_volume
from studio.pipeline.volume.outline_proposal import may_ask
from studio.pipeline.volume.proposed import opened_again
from studio.project.store import ProjectStore
from studio.story.calls import PREVIEW
from studio.story.checkpoint import SAMPLE, STEPS, Checkpoint, Trigger, VolumeStep, move

_PLANNED = said("The book is begun. `studio write` writes chapter {next}, which is planned.")
_UNPLANNED = said("The book is begun. Chapter {next} has no plan yet.")


@dataclass(frozen=True)
class BeginningRun(OnNovel):
    """Takes a novel through its beginning."""

    async def run(self, order: StartOrder, listen: Emit) -> Outcome:
        """Runs to the next question or to the end. Never raises for an error that the writer can
        cause."""
        while True:
            outcome = await locked_run(self.store, listen, lambda emit, _: self._ask(order, emit))
            if outcome is not None:
                return outcome
            outcome = await Orchestrator(self._as_told()).run(self._order(), listen)
            if not isinstance(outcome, Committed) or _is_stopped():
                return outcome

    def _as_told(self) -> Novel:
        """Returns the novel with what an answer says by now of how the book is told."""
        return replace(self.novel, settings=with_telling(self.settings, self.store)).ready()

    def _order(self) -> WriteOrder:
        """Returns the order for the next trial chapter; what she wanted otherwise in the plan of
        them all is a direction for each. A chapter that is begun has its own."""
        checkpoint = self.store.checkpoint()
        beginning = checkpoint.beginning
        hers = checkpoint.order_for(checkpoint.last_completed_chapter + 1).direction
        if beginning is None or checkpoint.inflight_chapter or hers:
            return WriteOrder()
        return WriteOrder(direction=beginning.wish)

    def _open_volume_step(self, step: VolumeStep, emit: Emitter) -> Outcome:
        """Puts what was proposed for a volume and left out to the writer again."""
        checkpoint = self.store.checkpoint()
        may_ask(checkpoint)
        step = with_its_volume(checkpoint, step)
        question = opened_again(self.store, checkpoint, step)
        checkpoint = put_by(checkpoint, step).copy_with(pending_decision=question)
        self.store.save_checkpoint(checkpoint)
        emit(DecisionRequired(**question.model_dump()))
        return Paused(question)

    async def _ask(self, order: StartOrder, emit: Emitter) -> Outcome | None:
        if order.step is not None and order.step not in STEPS:
            return self._open_volume_step(order.step, emit)
        gateway = gateway_if_any(self.novel.gateway_for, emit)
        start = Start(self.novel.ready(), gateway, emit)
        before = self.store.checkpoint()
        by_itself = start.is_sample_alone(before, order)
        if by_itself or order.step is not None:
            may_ask(before)
        elif before.inflight_chapter is not None:
            return None
        checkpoint = start.begin_book(order)
        if order.step is not None:
            checkpoint = put_by(checkpoint, order.step)
        novel = self._as_told()
        price = partial(_price_of_a_trial, novel)
        start = replace(start, novel=novel, price_of_a_trial=price)
        try:
            async with gateway or nullcontext():
                question = await (
                    start.style_question() if by_itself else start.question(checkpoint, order)
                )
        except ModelError:
            self.store.save_checkpoint(move(checkpoint, Trigger.ERROR))
            raise
        if question is not None:
            checkpoint = other_put_by(checkpoint, SAMPLE if by_itself else question.data["step"])
            self.store.save_checkpoint(checkpoint.copy_with(pending_decision=question))
            emit(DecisionRequired(**question.model_dump()))
            return Paused(question)
        message = _rest(self.store)
        return None if message is None else NothingToDo(message)


def _price_of_a_trial(novel: Novel, gateway: Gateway) -> str:
    """Returns what drafting and reading a trial chapter will cost, by the size of one whose
    plan is not saved yet, as long as she said; empty for one that costs nothing."""
    title = novel.settings.novel.title or novel.store.layout.folder.name
    contract = contract_from_outline(novel.store, 1, 1, (title, ""))
    view = ChapterView(
        novel=novel,
        gateway=gateway,
        contract=contract,
        checkpoint=Checkpoint(run=PREVIEW),
        emit=unheard(),
        text=None,
    )
    price = price_of_writing(Sight(view, PromptBlocks(novel.store, contract, view.pack)))
    return price.words if price.most != 0 else ""


def _is_stopped() -> bool:
    """Whether the run was stopped after a chapter that was in the book already."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _rest(store: ProjectStore) -> str | None:
    """Returns the closing message if nothing is asked; None if a model drafts the next chapter."""
    checkpoint = store.checkpoint()
    beginning, last = checkpoint.beginning, checkpoint.last_completed_chapter
    if beginning is None or beginning.over:
        following = last + 1
        if following in planned_in(store, volume_of(store, following)):
            return _PLANNED.with_values(next=following)
        return join((_UNPLANNED.with_values(next=following), ways_to_a_plan(checkpoint)))
    if beginning.steps.get("trials") == "by-hand":
        return said(
            "Chapter {last} is yours to write: `studio write --draft FILE` brings it in.",
            last=last + 1,
        )
    return None

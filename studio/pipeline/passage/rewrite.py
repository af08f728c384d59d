"""Other versions of a passage, written by the drafter and kept beside the chapter (seed C9).

The chapter stays as it is; a version enters it when the writer takes it (`take.py`). Each version
is kept as soon as it is whole, so that an order that was stopped or killed has lost none; the
unfinished part of the next one is kept, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from studio.config.schema import Settings
from studio.errors import usage
from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.chapter.run import keep_half, keep_partials
from studio.pipeline.chapter.view import ChapterView, gateway_or_refusal
from studio.pipeline.drafting.prewriter import (
    brief_question,
    briefed,
    finished_brief,
    prewrites,
    with_brief,
)
from studio.pipeline.events import Emit, Emitter
from studio.pipeline.log import RunLog
from studio.pipeline.opening import plan_of
from studio.pipeline.passage.passage_order import (
    MOST_VERSIONS,
    PassageOrder,
    PassagePrice,
    PassageVersion,
)
from studio.pipeline.passage.passage_question import passage_question
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.answer_parts import story_of
from studio.pipeline.prompting.material import Material
from studio.pipeline.stage import Sight
from studio.project.author.passage_locks import refuse_locked, text_in_work
from studio.project.commit.writing import writing
from studio.project.history.variations import CUT_OFF, NO_TEXT, STOPPED, Variation, Variations
from studio.project.store import ProjectStore
from studio.story.chapter import Paragraph, passage_text, sha256_of, split_paragraphs
from studio.story.checkpoint import Checkpoint
from studio.story.ledger import Estimate
from studio.story.lengths import unit_in
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import length_in

REASONS = {"regenerate": said("another version"), "refine": said("changed as you asked")}
"""The reason for which a version is kept, by the mode of its order."""
_REPEATS = 3
"""Consecutive duplicate answers after which the model is assumed to have no other versions."""


@dataclass(frozen=True)
class PassageWriter:
    """Writes versions of passages of one novel."""

    store: ProjectStore
    settings: Settings
    pack: LanguagePack
    gateway_for: Callable[[Emitter], Gateway | None]

    def price(self, order: PassageOrder) -> PassagePrice:
        """Returns what an order would ask and can cost; makes no call.

        StudioError (exit 2): no such passage, one that is locked, or no suitable model.
        """
        gateway = self._gateway(Emitter(lambda event: None))
        work, passage = self._work(order, gateway, Emitter(lambda event: None))
        question = passage_question(work, passage, order, 1)
        requests = [work.agents.request(question)]
        if prewrites(work.run):
            requests.append(work.agents.request(brief_question(work.run, question)))
        cost = Estimate.together(gateway.estimate(request) for request in requests)
        return PassagePrice(
            calls=len(requests) * order.versions,
            model=gateway.provider.model_for(requests[0].role),
            estimate=cost.times(order.versions),
        )

    def ahead(self, order: PassageOrder) -> tuple[Sight, Question]:
        """Returns the first call that an order would make now: for the brief if one comes first
        and is not written yet, else the drafter's. Makes no call; StudioError as in `price`."""
        emit = Emitter(lambda event: None)
        work, passage = self._work(order, self._gateway(emit), emit)
        question = passage_question(work, passage, order, self._versions_so_far(passage, order) + 1)
        if not prewrites(work.run):
            return work, question
        brief = finished_brief(work, question)
        if brief is None:
            return work, brief_question(work.run, question)
        return work, briefed(work.run, question, brief)

    async def write(self, order: PassageOrder, listen: Emit) -> tuple[PassageVersion, ...]:
        """Writes the versions and keeps each; the chapter stays as it is.

        StudioError: 2 as in `price`, 3 if the novel is locked, 6 if the model fails before the
        first version is whole, 7 at a cap. If it fails later, the earlier versions are the result,
        and a warning says so.
        """
        log = RunLog(self.store, listen)
        emit = Emitter(log)
        emit.chapter = order.chapter
        gateway = self._gateway(emit)
        self._work(order, gateway, emit)
        with writing(self.store, order.chapter, emit.warn), log.recording():
            async with gateway:
                staged, variations = (
                    self.store.staging(order.chapter),
                    Variations(self.store.layout),
                )
                keep_partials(staged, variations, order.chapter, CUT_OFF)
                work, passage = self._work(order, gateway, emit)
                versions: list[PassageVersion] = []
                try:
                    await self._versions(work, passage, order, versions)
                except asyncio.CancelledError:
                    keep_partials(staged, variations, order.chapter, STOPPED)
                    raise
                except ModelError as error:
                    keep_half(variations, order.chapter, order.place, error.partial, CUT_OFF)
                    keep_partials(staged, variations, order.chapter, CUT_OFF)
                    if not versions:
                        raise
                    emit.warn(
                        said(
                            "{why} {number} of {all} arrived.",
                            why=error.problem.message,
                            number=len(versions),
                            all=order.versions,
                        )
                    )
        return tuple(versions)

    async def _versions(
        self,
        work: Sight,
        passage: tuple[Paragraph, ...],
        order: PassageOrder,
        versions: list[PassageVersion],
    ) -> None:
        number = self._versions_so_far(passage, order)
        repeats = 0
        while len(versions) < order.versions:
            number += 1
            version = await self._one(work, passage, order, number)
            if version is not None:
                versions.append(version)
                continue
            repeats += 1
            if repeats == _REPEATS:
                work.run.emit.warn(
                    said(
                        "The model repeated words that you already have; ask for it with a "
                        "wish of your own."
                    )
                )
                return

    def _versions_so_far(self, passage: tuple[Paragraph, ...], order: PassageOrder) -> int:
        """Returns how many versions of this passage a model has written; the next call's name
        contains the number."""
        source = sha256_of(passage_text(passage))
        known = Variations(self.store.layout).of(order.chapter, order.place.scene).variations
        return sum(1 for v in known if v.source_sha256 == source and v.generation_id)

    async def _one(
        self, work: Sight, passage: tuple[Paragraph, ...], order: PassageOrder, number: int
    ) -> PassageVersion | None:
        """Returns one version, kept; None if its words are those of the passage or of another
        version."""
        view = work.run
        question = passage_question(work, passage, order, number)
        if prewrites(view):
            question = await with_brief(work, question)
        record = await work.agents.prose(question)
        prose, asides = story_of(record.generated_text, self.pack, short=question.short)
        paragraphs = split_paragraphs(prose)
        if not paragraphs:
            raise ModelError("empty", said("the passage {place}", place=order.place))
        if asides:
            view.emit.warn(
                said(
                    "The model spoke to you instead of telling the story. Left out: “{quote}”",
                    quote=asides[0],
                )
            )
        text = "\n\n".join(paragraphs)
        source = passage_text(passage)
        if text == source:
            return None
        variation = Variation(
            file="",
            sha256=NO_TEXT,
            reason=REASONS[order.mode],
            created_at="",
            generation_id=record.id,
            passage=str(order.place),
            source_sha256=sha256_of(source),
            mode=order.mode,
            direction=order.direction,
        )
        variations = Variations(self.store.layout)
        saved = variations.keep_version(order.chapter, variation, text, order.place.scene)
        if saved is None:
            return None
        length = length_in(text, self.pack, unit_in(self.settings))
        return PassageVersion(order.chapter, order.place, saved, text, length)

    def _gateway(self, emit: Emitter) -> Gateway:
        return gateway_or_refusal(self.gateway_for(emit))

    def _work(
        self, order: PassageOrder, gateway: Gateway, emit: Emitter
    ) -> tuple[Sight, tuple[Paragraph, ...]]:
        """Returns the chapter as an agent sees it, and the passage; refuses a passage that must
        not be rewritten."""
        self._refuse(order, gateway)
        text = text_in_work(self.store, order.chapter)
        passage = order.place.within(text, order.chapter)
        refuse_locked(self.store, order.chapter, text, order.place)
        contract = plan_of(self.store, order.chapter, self.settings.novel.language)
        actual = self.store.checkpoint()
        is_inflight = actual.inflight_chapter == order.chapter
        about = (str(order.place), passage_text(passage), order.mode, order.direction)
        view = ChapterView(
            store=self.store,
            gateway=gateway,
            settings=self.settings,
            pack=self.pack,
            contract=contract,
            checkpoint=Checkpoint(
                run=f"v{sha256_of(chr(0).join(about))[:6]}",
                direction=order.direction,
                stage_records=actual.stage_records if is_inflight else (),
            ),
            emit=emit,
            text=text,
        )
        return Sight(view, Material(self.store, contract, self.pack)), passage

    def _refuse(self, order: PassageOrder, gateway: Gateway) -> None:
        if not 1 <= order.versions <= MOST_VERSIONS:
            raise usage(
                said(
                    "Ask for 1 to {most_versions} versions at a time.", most_versions=MOST_VERSIONS
                )
            )
        if order.mode == "refine" and gateway.provider.profile.short_prompts:
            raise usage(
                said("This model is too small to change a passage as you say."),
                said("--mode regenerate writes it anew, or change it yourself."),
            )

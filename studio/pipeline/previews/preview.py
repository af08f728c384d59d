"""Previews of the prompt that an agent would get now, before any token is paid for, and its
differences from the last one of the same agent.

A preview reads the same files and builds the same question as the run; it writes nothing and makes
no call.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from typing import Literal, NamedTuple

from studio.agent_pages import load_agent
from studio.errors import StudioError, usage
from studio.llm.choose import ProviderChoice
from studio.llm.gateway import Gateway
from studio.llm.provider import BlockPlace, Request, high_estimate, token_ceiling
from studio.messages import said
from studio.pipeline.book_runs.chapter_windows import chapters_to_read
from studio.pipeline.book_runs.continuity_checking import ContinuityReader
from studio.pipeline.chapter.scene_in_progress import UNKNOWN_TARGET, waiting_decision, with_prices
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.direction import direction_told
from studio.pipeline.drafting.scene_plans import planned_length, scene_specs
from studio.pipeline.events import DRAFTER, PREWRITER, unheard
from studio.pipeline.gateway import gateway_to_look
from studio.pipeline.novel import Novel, OnNovel
from studio.pipeline.opening import plan_of
from studio.pipeline.orders import PassageOrder
from studio.pipeline.passage.rewrite import PassageWriter
from studio.pipeline.previews.agent_previews import (
    Ahead,
    agent_question,
    next_question,
    prices_of_open_scene,
)
from studio.pipeline.previews.price import (
    price_answers,
    price_of_draft,
    price_of_fix,
    price_of_going_on,
    price_of_reading_again,
    price_of_summary,
    price_of_writing,
)
from studio.pipeline.prompting.agent_question import CHECKER
from studio.pipeline.prompting.fit_to_window import INSTRUCTIONS, ORDER_STEP
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.rebuild import Rebuilder
from studio.pipeline.review.choice_answers import fix_ahead
from studio.pipeline.review.gate_question import as_it_stands
from studio.pipeline.review.question import with_hers
from studio.pipeline.stage import Sight
from studio.plugins.active_plugins import plugins_of
from studio.project.journal import CallJournal
from studio.story.calls import PREVIEW
from studio.story.checkpoint import Checkpoint, Decision, Revision
from studio.story.form.document import Value
from studio.story.ledger import Estimate
from studio.story.records import CallRecord, PromptMessage
from studio.story.review.answers import ContinuityAnswer
from studio.story.review.directive import Directive
from studio.story.status import ReviewMode


@dataclass(frozen=True, slots=True)
class Preview:
    """One call that has not been made yet."""

    chapter: int
    scene: int | None
    """The scene; None for a call about the whole chapter."""
    scenes: int
    """The number of scenes planned for the chapter."""
    request: Request
    model: str
    window: int
    """The model's context window in tokens, for prompt and answer together."""
    max_tokens: int
    """The most tokens of the answer as they are asked for, with the room for thinking."""
    cost: Estimate
    pending: Mapping[str, str] = field(default_factory=dict)
    """Blocks whose text does not exist yet, and why."""
    plugin_warnings: tuple[str, ...] = ()
    """A sentence on each plugin that does not run, or was switched off over this prompt."""

    @property
    def worst_usd(self) -> float | None:
        """The maximum cost in US dollars; None if the model's price is unknown."""
        return self.cost.most

    @property
    def blocks(self) -> list[BlockText]:
        """The prompt's pieces in the order they are sent."""
        return blocks_of(self.request.messages)

    @property
    def places(self) -> list[BlockPlace]:
        """The place and the origin of each of `blocks`."""
        by_id = {place.id: place for place in self.request.places}
        names = [_ID_OF.get(piece.name, piece.name) for piece in self.blocks]
        return [
            by_id.get(name, BlockPlace(name, piece.role, number * ORDER_STEP, "default"))
            for number, (name, piece) in enumerate(zip(names, self.blocks, strict=True), start=1)
        ]


@dataclass(frozen=True, slots=True)
class Pending:
    """A call that cannot be made yet."""

    chapter: int
    scene: int | None
    agent: str
    reason: str


@dataclass(frozen=True, slots=True)
class Previews(OnNovel):
    """Previews of agents' prompts; without a model, for the vendor's default one."""

    choice: ProviderChoice

    @property
    def _gateway(self) -> Gateway:
        return gateway_to_look(self.choice, self.store.journal, self.settings)

    @property
    def _novel_to_look(self) -> Novel:
        """The novel with a gateway that makes no call."""
        gateway = self._gateway
        return replace(self.novel, gateway_for=lambda emit: gateway)

    def of_scene(self, chapter: int | None = None, scene: int | None = None) -> Preview:
        """Returns the drafter's call for a scene: by default the next one of the chapter in work,
        else the first of the next chapter; if a model plans the scenes, the call for their plan
        comes first.

        StudioError: 2 for a chapter without a plan or of the author's own text, or for a scene it
        does not have; 5 for a damaged plan, or for files under context/ or agents/ that may not be
        sent.
        """
        work = self._sight(chapter, again=_drafting_again(scene))
        ahead = next_question(work, scene)
        if isinstance(ahead, str):
            raise usage(
                said(
                    "Chapter {chapter} is your own text; no model is asked to draft it.",
                    chapter=work.run.chapter,
                ),
                said(
                    "`studio log {chapter}` lists what was asked about it.",
                    chapter=work.run.chapter,
                ),
            )
        return _preview(work, ahead)

    def price_of_writing(self, chapter: int | None = None, review: ReviewMode = "ask") -> Estimate:
        """Returns what `studio write` will cost until it asks, like `price_of_writing` of a chapter
        in sight. StudioError as in `of_scene`."""
        return price_of_writing(self._sight(chapter), review)

    def price_of_going_on(self, chapter: int, place: tuple[int, str]) -> Estimate:
        """Returns what `studio write` will cost until it asks, once a scene goes on behind the
        words given. StudioError as in `of_scene`."""
        return price_of_going_on(self._sight(chapter), place)

    def price_of_reading_again(self, chapter: int) -> Estimate:
        """Returns what it costs to have a chapter read again. StudioError as in `of_scene`."""
        return price_of_reading_again(self._sight(chapter))

    def price_of_draft(self, chapter: int, text: str) -> Estimate:
        """Returns what it costs to have the author's own draft of a chapter read. StudioError 5 for
        a damaged file."""
        return price_of_draft(self._sight(chapter, text), text)

    def price_of_summary(self) -> Estimate:
        """Returns what the summary of the chapter in work costs. StudioError as in `of_scene`."""
        return price_of_summary(self._sight(None))

    def price_of_retry(self, directive: Directive) -> Estimate:
        """Returns what it costs to let the surgeon try a directive of the chapter in work again.
        StudioError as in `of_scene`."""
        return price_of_fix(self._sight(None), directive)

    def price_of_answer(self, issue: str, words: str = "", chapter: int | None = None) -> Estimate:
        """Returns what the surgeon's work costs where a choice of the chapter in work, or of a
        `chapter` of the book, is answered by a fix. StudioError 2 for no such choice, or one that
        quotes none of the text."""
        return price_of_fix(self._sight(chapter), fix_ahead(self.store, issue, words, chapter))

    def prices_of_open_scene(self) -> dict[str, Estimate]:
        """Returns what each answer about the scene in progress costs. StudioError as in
        `of_scene`."""
        return prices_of_open_scene(self._sight(None))

    def waiting_decision(self) -> Decision | None:
        """Returns the decision that waits, or may be taken about the scene in progress, with what
        each answer costs; None if there is none."""
        checkpoint, target = self.store.checkpoint(), self._length_of_scene
        decision = waiting_decision(self.store, checkpoint, self.settings, target)
        return decision and self.with_prices(decision)

    def _length_of_scene(self, number: int) -> int:
        """Returns the length that a scene of the chapter in work is to have; that of none where a
        damaged file hides it."""
        with suppress(StudioError):
            return planned_length(self._sight(None).run, number)
        return UNKNOWN_TARGET

    def with_prices(self, question: Decision) -> Decision:
        """Returns the question about the chapter in work, as its text stands, or about chapters
        changed by hand, with what each answer costs; a damaged file costs the prices, not the
        question."""
        if question.between_chapters:
            return question
        with suppress(StudioError):
            if question.kind == "hand_edit":
                return Rebuilder(self._novel_to_look).price_answers(question)
            if question.kind == "cut_off":
                return with_prices(question, self.prices_of_open_scene())
            work = self._sight(None)
            return price_answers(work, with_hers(work.run, as_it_stands(work.run, question)))
        return question

    def as_it_stands(self, question: Decision) -> Decision:
        """Returns a waiting question as it is about the present text; a damaged file leaves it as
        it was."""
        if question.kind == "gate":
            with suppress(StudioError):
                return as_it_stands(self._sight(None).run, question)
        return question

    def of_agent(
        self, agent: str, chapter: int | None = None, scene: int | None = None
    ) -> Preview | Pending:
        """Returns the next call of one agent for a chapter, or why there is none yet.

        StudioError: 2 for an agent or a scene that does not exist, and for a chapter without a
        plan; 5 as for a scene.
        """
        load_agent(agent, self.store.layout.folder / "agents")
        if agent == CHECKER:
            return self._preview_reading(chapter)
        again = _drafting_again(scene) if agent in (DRAFTER, PREWRITER) else None
        work = self._sight(chapter, again=again)
        ahead = agent_question(work, agent, scene)
        if isinstance(ahead, str):
            return Pending(work.run.chapter, scene, agent, ahead)
        return _preview(work, ahead)

    def of_passage(self, order: PassageOrder) -> Preview:
        """Returns the first call that `studio rewrite` would make for this order.

        StudioError (exit 2): no such passage, one that is locked, or a model too small for it.
        """
        work, question = PassageWriter(self._novel_to_look).ahead(order)
        return _preview(work, Ahead(question))

    def _preview_reading(self, chapter: int | None) -> Preview | Pending:
        """Returns what `studio continuity CHAPTER --model` would ask first."""
        gateway = self._gateway
        chapters = chapters_to_read(self.store, chapter)
        why = None if chapters else said("no chapter up to this one is in the book")
        if not gateway.provider.profile.judges:
            why = said("{words} cannot judge", words=gateway.provider.model_for("standard"))
        if why is not None:
            following = self.store.checkpoint().last_completed_chapter + 1
            return Pending(chapter or following, None, CHECKER, why)
        work, question = ContinuityReader(self._novel_to_look).ahead(chapters)
        return _preview(work, Ahead(question, ContinuityAnswer))

    def _sight(
        self, chapter: int | None, draft: str | None = None, again: Revision | None = None
    ) -> Sight:
        """Returns the chapter as a run would see it now; a committed one as it would be reviewed
        again, or drafted `again`. `draft` is the author's text, if it is to become the chapter."""
        store = self.store
        checkpoint = store.checkpoint()
        inflight = checkpoint.inflight_chapter
        number = chapter or inflight or checkpoint.last_completed_chapter + 1
        contract = plan_of(store, number, self.settings.novel.language, draft)
        text = store.staging_of(number).text()
        if number != inflight:
            text = store.chapter(number)
            again = None if text is None else again
            checkpoint = Checkpoint(
                run=PREVIEW,
                direction=direction_told(store, number, self.pack),
                laps=int(again is not None),
                revision=again,
            )
        view = ChapterView(
            novel=self.novel,
            gateway=self._gateway,
            contract=contract,
            checkpoint=checkpoint,
            emit=unheard(),
            text=text,
        )
        return Sight(view, PromptBlocks(store, contract, self.pack))


def _drafting_again(scene: int | None) -> Revision:
    """Returns how a scene of a chapter in the book, or all of them, is drafted again."""
    return Revision(number=1, scenes=() if scene is None else (scene,), deep=False)


def _preview(work: Sight, ahead: Ahead) -> Preview:
    view, warnings = work.run, list[str]()
    view.close_plugins()
    view.plugins = plugins_of(view.store, warnings.append)
    request = work.agents.request(ahead.question, ahead.answer)
    provider = view.gateway.provider
    return Preview(
        chapter=view.chapter,
        scene=request.scene,
        scenes=len(scene_specs(view)),
        request=request,
        model=provider.model_for(request.role),
        window=provider.profile.window,
        max_tokens=token_ceiling(request, provider.profile),
        cost=view.gateway.estimate(request),
        pending=ahead.pending,
        plugin_warnings=tuple(warnings),
    )


_OPENING = re.compile(r'^<(m\w*) name="([\w-]+)">\n', re.MULTILINE)
_CLOSING = re.compile(r"\n</(m\w*)>$", re.MULTILINE)
_OWN = {"system": "the agent's own text", "user": "the task", "assistant": "an answer before"}
_ID_OF = {"the agent's own text": INSTRUCTIONS, "the task": "task"}
"""Maps the reader's name of a piece to the id of its block."""


class BlockText(NamedTuple):
    """One piece of a prompt."""

    role: str
    """The role of the message that holds the block: system, user or assistant."""
    name: str
    text: str

    @property
    def tokens(self) -> int:
        """The approximate number of tokens, estimated high."""
        return high_estimate(self.text)


def blocks_of(messages: Iterable[PromptMessage]) -> list[BlockText]:
    """Returns the pieces of a prompt in the order they are sent."""
    blocks: list[BlockText] = []
    for message in messages:
        at = 0
        for opening, closing in _fences(message.content):
            blocks += _strip_fences(message.role, message.content[at : opening.start()])
            text = message.content[opening.end() : closing.start()]
            blocks.append(BlockText(message.role, opening[2], text))
            at = closing.end()
        blocks += _strip_fences(message.role, message.content[at:])
    return blocks


def _fences(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Yields where each fence opens and closes: in sequence, each up to the next end marker of
    its kind. Scans the text once, however many fences are never closed."""
    ends: dict[str, deque[re.Match[str]]] = {}
    for closing in _CLOSING.finditer(text):
        ends.setdefault(closing[1], deque()).append(closing)
    at = 0
    for opening in _OPENING.finditer(text):
        behind = ends.get(opening[1], deque())
        while behind and behind[0].start() < opening.end():
            behind.popleft()
        if opening.start() >= at and behind:
            yield opening, behind[0]
            at = behind[0].end()


def _strip_fences(role: str, text: str) -> list[BlockText]:
    return [BlockText(role, _OWN[role], text.strip())] if text.strip() else []


Change = Literal["added", "removed", "changed"]


class BlockDiff(Value):
    """One block that differs."""

    id: str
    change: Change
    tokens: int
    """The approximate change in tokens; negative if the block is shorter."""
    diff: tuple[str, ...]
    """The lines of both as a unified diff without its header."""


class PromptDiff(Value):
    """All blocks that differ from the last call; `against` is None if there was none."""

    against: str | None = None
    created_at: str = ""
    chapter: int | None = None
    scene: int | None = None
    blocks: tuple[BlockDiff, ...] = ()


def diff_to_last(journal: CallJournal, ahead: Preview) -> PromptDiff:
    """Compares a call with the newest finished call of the same agent, in any chapter. Reads
    records."""
    last = last_call(journal, ahead.request.agent)
    if last is None:
        return PromptDiff()
    return _against(last, ahead.blocks)


def diff_between(earlier: CallRecord, later: CallRecord) -> PromptDiff:
    """Returns how the prompt of one call differs from that of another. Pure."""
    return _against(earlier, blocks_of(later.messages))


def _against(earlier: CallRecord, blocks: list[BlockText]) -> PromptDiff:
    before, now = _by_name(blocks_of(earlier.messages)), _by_name(blocks)
    rows = [_block_diff(name, before.get(name), now.get(name)) for name in {**before, **now}]
    return PromptDiff(
        against=earlier.id,
        created_at=earlier.created_at,
        chapter=earlier.chapter,
        scene=earlier.scene,
        blocks=tuple(row for row in rows if row is not None),
    )


def last_call(journal: CallJournal, agent: str) -> CallRecord | None:
    """Returns the newest finished call of an agent, searched from the last chapter that has any."""
    by_chapter: dict[str, list[CallRecord]] = {}
    for name in sorted(journal.generation_ids(), reverse=True):
        head = name[: len("gen-000")]
        if by_chapter and head not in by_chapter:
            break
        record = journal.recall_today(name)
        if record is not None and record.agent == agent:
            by_chapter.setdefault(head, []).append(record)
    newest = [record for records in by_chapter.values() for record in records]
    return max(newest, key=lambda record: record.created_at, default=None)


def _by_name(blocks: list[BlockText]) -> dict[str, BlockText]:
    return {block.name: block for block in blocks}


def _block_diff(name: str, before: BlockText | None, now: BlockText | None) -> BlockDiff | None:
    old, new = before.text if before else "", now.text if now else ""
    if old == new:
        return None
    rows = list(unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""))[2:]
    change: Change = "added" if before is None else "removed" if now is None else "changed"
    tokens = (now.tokens if now else 0) - (before.tokens if before else 0)
    diff = tuple(row for row in rows if not row.startswith("@@"))
    return BlockDiff(id=name, change=change, tokens=tokens, diff=diff)

"""One attempt of one call: its cost is reserved, and its answer is received, kept and settled.

Some servers silently drop whatever exceeds their window, usually the beginning, which holds the
rules (BOOK 6). The only sign is the number of prompt tokens that they report.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from studio.errors import StudioError
from studio.llm.budget import Account, Clock
from studio.llm.errors import ModelError
from studio.llm.provider import WINDOWS, AnswerDelta, Listen, Provider, Reply, Request, low_estimate
from studio.llm.providers.profiles import is_claude
from studio.llm.records import Journal, Shelf
from studio.llm.stream import FINISHED, STOPPED, Deadlines, Reception, bad_ending
from studio.llm.surrogates import half_characters
from studio.llm.tool_loop import LOOKING_UP
from studio.messages import said
from studio.story.form.document import to_jsonable
from studio.story.records import CallRecord, Usage, UsageEntry

_FAR_FEWER = 2 / 3
"""Reported prompt tokens below this fraction of our low estimate indicate a truncated prompt."""


def cut_prompt(provider: Provider, request: Request, reply: Reply) -> ModelError | None:
    """Returns the error for an answer to a truncated prompt, or None where nothing indicates one.

    Claude refuses a prompt that is too long, and a model in this process counts the tokens before
    it reads the prompt.
    """
    profile = provider.profile
    if profile.free or not profile.counts or is_claude(provider.model_for(request.role)):
        return None
    tokens = _tokens_read(reply.usage)
    sent = sum(low_estimate(part.text) for part in request.parts)
    # A server that reports fewer tokens than any window holds counts something else, such as cache
    # misses.
    if not WINDOWS.start <= tokens < sent * _FAR_FEWER:
        return None
    return ModelError(
        "too_large",
        said(
            "this server cuts prompts: it read {tokens} tokens of more than {sent}",
            tokens=f"{tokens:,}",
            sent=f"{sent:,}",
        ),
        partial=reply.text,
        usage=reply.usage,
        hint=said(
            "Start the server with more room for a prompt, or say in your own config.toml how "
            "much it has: window = {tokens} under its address in provider.endpoints. If it "
            "counts wrongly, set counts = false there to ignore its numbers.",
            tokens=tokens,
        ),
    )


def _tokens_read(usage: Usage) -> int:
    counts = (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    return sum(count or 0 for count in counts)


Parse = Callable[[str], BaseModel | None]
"""Parses the text of a structured answer; returns None when the text holds no usable value."""


@dataclass(frozen=True, slots=True)
class AttemptContext:
    """The provider, the journal and the limits that all attempts of a gateway share."""

    provider: Provider
    journal: Journal
    shelf: Shelf
    account: Account
    deadlines: Deadlines
    clock: Clock
    largest_answer: int
    """The number of characters, thinking included, at which an answer is stopped (M10)."""
    save_every: float
    """Received text reaches the journal within this many seconds (N11)."""
    warn: Callable[[str], None]


class Attempt:
    """The attempt with this `number` at one request."""

    def __init__(
        self,
        desk: AttemptContext,
        request: Request,
        number: int,
        listen: Listen,
        parse: Parse | None,
    ) -> None:
        self._desk = desk
        self._request = request
        self._number = number
        self._parse = parse
        self._started_at = desk.clock()
        self._answering_since: datetime | None = None
        """When the answer began, with a thought that it may not show or with a word: what came
        before was no thinking, but a connection, or a place in a queue."""
        self._reserve: UsageEntry | None = None
        self._reception = Reception(
            listen, self._save, largest=desk.largest_answer, save_every=desk.save_every
        )

    async def run(self) -> CallRecord:
        """Returns the record of the finished answer, already kept;
        raises ModelError or BudgetError."""
        reserve = self._reserve = self._desk.account.reserve(self._request)
        # So that a kill before the first word costs no maximum, and leaves known what was asked.
        self._desk.account.record_received(reserve, "")
        model = self._desk.provider.model_for(self._request.role)
        self._desk.shelf.begin(self._record(model=model))
        try:
            return await self._run(reserve)
        finally:
            self._desk.shelf.end(self._request.generation_id)

    async def _run(self, reserve: UsageEntry) -> CallRecord:
        account, request, reception = self._desk.account, self._request, self._reception
        try:
            reply = await self._receive()
        except ModelError as error:
            reception.close()
            error.partial = error.partial or reception.text
            error.generation = request.generation_id
            cost = account.cost(reserve, request, error.usage, reception.all_text, self._thinking)
            self._put_aside(error, cost)
            account.settle(reserve, error.usage, cost)
            if request.broke_off is not None and error.partial.strip():
                error.stands = request.broke_off(error)
            self._desk.journal.drop_partial(request.generation_id)
            raise
        except asyncio.CancelledError:
            reception.close()
            used = account.settle_stopped(
                reserve, request, reception.usage, reception.all_text, self._thinking
            )
            self._keep_stopped(*used)
            account.settle(reserve, *used, "stopped")
            raise
        except BaseException:
            reception.close()
            usage = reception.usage
            cost = account.cost(reserve, request, usage, reception.all_text, self._thinking)
            account.settle(reserve, usage, cost)
            raise
        cost = account.cost(reserve, request, reply.usage)
        record = self._keep(reply, cost)
        account.settle(reserve, reply.usage, cost)
        if reply.half_characters:
            self._desk.warn(half_characters(reply.half_characters))
        return record

    @property
    def _seconds(self) -> float:
        """The time since the attempt began."""
        return max(0.0, (self._desk.clock() - self._started_at).total_seconds())

    @property
    def _thinking(self) -> float:
        """The seconds in which the endpoint can have been thinking."""
        if self._answering_since is None:
            return 0.0
        return max(0.0, (self._desk.clock() - self._answering_since).total_seconds())

    async def _receive(self) -> Reply:
        limits, reception = self._desk.deadlines, self._reception
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(limits.total), asyncio.timeout(limits.first_byte) as silence:

                def alive(delta: AnswerDelta) -> None:
                    if not delta.waits:
                        self._answering_since = self._answering_since or self._desk.clock()
                    if not silence.expired():
                        silence.reschedule(loop.time() + limits.idle)

                reception.on_life = alive
                reply = await self._desk.provider.stream(self._request, reception.take)
        except TimeoutError as error:
            progress = said("after {n} characters", n=f"{len(reception.text):,}")
            raise ModelError("timeout", progress, usage=reception.usage) from error
        provider = self._desk.provider
        ending = bad_ending(reply, self._request) or cut_prompt(provider, self._request, reply)
        if ending is not None:
            raise ending
        return reply

    def _save(self, text: str) -> None:
        if self._reserve is not None:
            self._desk.account.record_received(self._reserve, self._reception.all_text)
        if text:
            self._desk.journal.partial(self._request.generation_id, text)

    def _keep(self, reply: Reply, cost: float | None) -> CallRecord:
        if reply.finish_reason == LOOKING_UP and not self._request.must_answer and reply.content:
            return self._keep_step(reply, cost)
        value = self._parse(reply.text) if self._parse else None
        usable = value is not None or self._parse is None
        record = self._record(
            generated_text=reply.text,
            answer=None if value is None else to_jsonable(value),
            finish_reason=FINISHED if usable else "unusable",
            total_usage=reply.usage,
            cost_usd=cost,
            model=reply.model or self._desk.provider.model_for(self._request.role),
            **(self._request.annotate(reply.text) if self._request.annotate else {}),
        )
        if self._request.conclude is not None:
            record = self._request.conclude(record)
        shelf = self._desk.shelf
        record = shelf.keep(record) if usable else shelf.put_aside(record)
        self._reception.forget()
        self._desk.journal.drop_partial(self._request.generation_id)
        return record

    def _keep_step(self, reply: Reply, cost: float | None) -> CallRecord:
        """Keeps a step that asks for look-ups, so that the next step can continue from it."""
        record = self._record(
            generated_text=reply.text,
            content=reply.content,
            finish_reason=LOOKING_UP,
            total_usage=reply.usage,
            cost_usd=cost,
            model=reply.model or self._desk.provider.model_for(self._request.role),
        )
        record = self._desk.shelf.keep(record)
        self._reception.forget()
        self._desk.journal.drop_partial(self._request.generation_id)
        return record

    def _keep_stopped(self, usage: Usage, cost: float | None) -> None:
        """Keeps the record of an attempt that the writer stopped: what was asked, what had come of
        the answer, what it cost. What came stays beside it as the running answer's partial text."""
        text = self._reception.text
        annotate = self._request.annotate
        with suppress(StudioError):  # the stop comes first; a full disk does not keep her waiting
            self._desk.shelf.put_aside(
                self._record(
                    generated_text=text,
                    finish_reason=STOPPED,
                    total_usage=usage,
                    cost_usd=cost,
                    model=self._desk.provider.model_for(self._request.role),
                    **(annotate(text) if annotate and text else {}),
                )
            )

    def _put_aside(self, error: ModelError, cost: float | None) -> None:
        if error.partial.strip() or error.error_kind == "refusal":
            self._desk.shelf.put_aside(
                self._record(
                    generated_text=error.partial,
                    finish_reason=error.error_kind,
                    total_usage=error.usage,
                    cost_usd=cost,
                    model=self._desk.provider.model_for(self._request.role),
                )
            )

    def _record(self, **ending: Any) -> CallRecord:
        request = self._request
        return CallRecord(
            id=request.generation_id,
            created_at=self._started_at.isoformat(),
            chapter=request.chapter,
            scene=request.scene,
            stage=request.stage,
            agent=request.agent,
            request_sha256=request.sha256,
            input=request.input,
            source_sha256=request.source_sha256,
            messages=request.messages,
            provider=self._desk.provider.profile.provider,
            role=request.role,
            duration_ms=round(self._seconds * 1000),
            attempts=self._number,
            reasoning=self._reception.thinking or None,
            exemplars=request.exemplars,
            tools_offered=tuple(tool.name for tool in request.tools),
            dropped_blocks=request.dropped_blocks,
            cut_blocks=request.cut_blocks,
            dropped_lines=tuple(f"{line.block}/{line.id}" for line in request.dropped_lines),
            **ending,
        )

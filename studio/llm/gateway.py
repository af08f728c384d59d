"""The only way to call a model: it handles budgets, retries and records, and never repeats a call.

Every attempt is reserved before it starts and settled after it ends. A finished answer is kept
before it is returned, so that after any crash the same request is answered from the journal (N11,
DESIGN section 10).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from studio.llm.attempt import Attempt, AttemptContext, Parse
from studio.llm.budget import Account, Caps, Clock, prompt_estimate
from studio.llm.errors import ModelError
from studio.llm.prices import PriceList, published
from studio.llm.provider import AnswerDelta, Listen, LookUp, Provider, Request, token_ceiling
from studio.llm.records import Journal, Shelf
from studio.llm.retry import PAUSE, OnRetry, Patience, Sleep
from studio.llm.stream import Deadlines
from studio.llm.structured import Accept, AnswerReader, form_of, repair_request
from studio.llm.surrogates import REPLACEMENT, half_characters
from studio.llm.tool_loop import generate
from studio.messages import join, readable, said
from studio.story.ledger import Estimate
from studio.story.records import CallRecord, UsageEntry

M = TypeVar("M", bound=BaseModel)
OnCall = Callable[[Request, float | None], None]
"""Called as an attempt begins, with its request and the seconds it will take; None if unknown."""
LARGEST_ANSWER = 1_000_000
SAVE_EVERY = 0.8


def utc_now() -> datetime:
    """Returns the current time in UTC."""
    return datetime.now(UTC)


def _ignore(*_: Any) -> None:
    """Does nothing; this is the default callback."""


class Gateway:
    """Asks one provider on behalf of one project."""

    def __init__(
        self,
        provider: Provider,
        journal: Journal,
        caps: Caps | None = None,
        *,
        prices: PriceList | None = None,
        deadlines: Deadlines | None = None,
        waits: tuple[float, ...] = (1.0, 4.0),
        pause: float = PAUSE,
        sleep: Sleep = asyncio.sleep,
        clock: Clock = utc_now,
        on_usage: Callable[[UsageEntry], None] = _ignore,
        on_retry: OnRetry = _ignore,
        on_warning: Callable[[str], None] = _ignore,
        on_call: OnCall | None = None,
        largest_answer: int = LARGEST_ANSWER,
        save_every: float = SAVE_EVERY,
    ) -> None:
        self._shelf = Shelf(journal)
        self._patience = Patience(waits, pause, sleep=sleep)
        self._on_retry = on_retry
        self._on_warning = on_warning
        self._on_call = on_call
        account = Account(
            provider,
            journal,
            caps or Caps(),
            prices or published(),
            clock=clock,
            on_usage=on_usage,
            on_warning=on_warning,
        )
        self._desk = AttemptContext(
            provider,
            journal,
            self._shelf,
            account,
            deadlines or Deadlines(),
            clock,
            largest_answer,
            save_every,
            on_warning,
        )

    @property
    def provider(self) -> Provider:
        """The provider that answers requests."""
        return self._desk.provider

    def estimate(self, request: Request, more: str = "") -> Estimate:
        """Returns what one attempt would cost in US dollars: about, by this novel's own calls of
        its kind, and at most. `more` is text that its prompt may also have to hold."""
        return self._desk.account.estimate(request, more)

    def unpriced_models(self) -> list[str]:
        """Returns the models of unknown price under a cap, which need the writer's consent."""
        return self._desk.account.unpriced_models()

    async def __aenter__(self) -> Gateway:
        """Settles attempts that killed runs left open; only while the novel is locked."""
        self.settle_interrupted()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Releases the model."""
        await self.provider.close()

    def settle_interrupted(self) -> None:
        """Settles attempts that killed runs left open; only while the novel is locked."""
        journal = self._desk.journal
        before = journal.interrupted_calls()
        self._desk.account.settle_interrupted()
        still_open = {entry.id for entry in journal.interrupted_calls()} if before else set()
        ends = {e.id: e for e in journal.latest_usage() if e.event == "settle"} if before else {}
        for entry in before:
            end = ends.get(entry.id)
            if end is not None and end.settled_by == "record":
                self._shelf.end(entry.call)  # its answer is kept
            elif entry.call and entry.id not in still_open:
                self._shelf.put_killed_aside(entry.call, end)

    def find_finished(self, request: Request) -> CallRecord | None:
        """Returns the finished record of this exact call, if the call was made before."""
        return self._shelf.find_finished(request)

    def answered(
        self, request: Request, answer_type: type[M], accept: Accept[M] | None = None
    ) -> M | None:
        """Returns the value that `structure` would find without a call; None if it would make
        one."""
        finished = self._shelf.find_finished(request)
        reading = AnswerReader(answer_type, accept)
        return None if finished is None else reading.read(finished.generated_text)[0]

    async def prose(
        self, request: Request, listen: Listen = _ignore, look_up: LookUp | None = None
    ) -> CallRecord:
        """Returns the finished record of a prose call, from the journal if it finished before.

        Where the request offers tools, `look_up` answers the model's look-ups.

        `listen` receives the text as it streams in; a delta marked `again` restarts the text from
        its beginning. Raises ModelError (exit 6) and BudgetError (exit 7).
        """
        finished = self._shelf.find_finished(request)
        if finished is not None:
            listen(AnswerDelta("text", finished.generated_text))
            return finished
        if request.tools and look_up is not None:
            return await generate(request, listen, self._step, look_up, self.room)
        return await self._ask(request, listen)

    async def wait_to_go_on(self, error: ModelError, number: int) -> None:
        """Waits before an answer that broke off for the `number`-th time goes on from the words
        that stand; raises its error if it is not to go on by itself."""
        await self._patience.wait(error, number, self._on_retry)

    async def _step(self, step: Request, listen: Listen) -> CallRecord:
        return self._shelf.find_finished(step) or await self._ask(step, listen)

    def room(self, request: Request) -> int:
        """Returns the tokens of the model's window that a request and its answer leave free."""
        profile = self.provider.profile
        needed = token_ceiling(request, profile) + prompt_estimate(self.provider, request)
        return max(0, profile.window - needed)

    async def structure(
        self,
        request: Request,
        answer_type: type[M],
        *,
        accept: Accept[M] | None = None,
        listen: Listen = _ignore,
    ) -> tuple[M, CallRecord]:
        """Returns a value of `answer_type` and its record; an unusable answer is retried once.

        A malformed entry in a list that can do without it is dropped with a warning. `accept` names
        faults of a value that its type does not cover. Raises BudgetError, and ModelError: its kind
        is `unusable` when the second answer is no better.
        """
        if request.schema is None:
            request = replace(request, schema=form_of(answer_type))
        reading = AnswerReader(answer_type, accept)
        finished = self._shelf.find_finished(request)
        if finished is not None:
            value, _ = reading.read(finished.generated_text)
            if value is not None:
                listen(AnswerDelta("text", finished.generated_text))
                return value, finished
        record = await self._ask(request, listen, reading.value)
        value, faults = reading.read(record.generated_text)
        if value is not None:
            self._warn_of_losses(request, value, record, faults)
            return value, record
        return await self._ask_to_repair(request, reading, record, faults, listen)

    async def _ask_to_repair(
        self,
        request: Request,
        reading: AnswerReader[M],
        first: CallRecord,
        faults: list[str],
        listen: Listen,
    ) -> tuple[M, CallRecord]:
        repair = repair_request(request, first.generated_text, faults)
        second = await self._ask(repair, listen, reading.value)
        value, faults = reading.read(second.generated_text)
        if value is None:
            raise ModelError("unusable", join(faults[:3], "; "), partial=second.generated_text)
        self._warn_of_losses(request, value, second, faults)
        # The mended answer is also kept under the request's own id, where it is looked up after a
        # crash.
        mended = second.copy_with(
            id=request.generation_id,
            request_sha256=request.sha256,
            messages=request.messages,
            attempts=first.attempts + second.attempts,
        )
        return value, self._shelf.keep(mended)

    def _warn_of_losses(
        self, request: Request, value: BaseModel, record: CallRecord, faults: list[str]
    ) -> None:
        left_out = (
            said("Left out of the answer of {agent}: {fault}.", agent=request.agent, fault=fault)
            for fault in faults
        )
        for sentence in readable(left_out):
            self._on_warning(sentence)
        replacements = value.model_dump_json().count(REPLACEMENT)
        if replacements > record.generated_text.count(REPLACEMENT):
            self._on_warning(half_characters(replacements))

    async def _ask(
        self, request: Request, listen: Listen, parse: Parse | None = None
    ) -> CallRecord:
        async def attempt(number: int) -> CallRecord:
            if number > 1:
                listen(AnswerDelta("again", ""))
            if self._on_call is not None:
                self._on_call(request, self._desk.account.seconds(request))
            return await Attempt(self._desk, request, number, listen, parse).run()

        return await self._patience.run(attempt, self._on_retry)

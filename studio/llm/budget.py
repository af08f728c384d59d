"""Decides how much may be spent and whether the next call may start (N7, M12).

A reserve without a matching settle counts in full, because the process may have died in between. A
cap stops calls; it never switches to a cheaper model.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from studio.config.schema import ROLES
from studio.llm.errors import BudgetError, Cap, UnpricedError
from studio.llm.prices import PriceList
from studio.llm.provider import Provider, Request, token_ceiling
from studio.llm.records import Journal
from studio.messages import said
from studio.story.calls import is_of_beginning, kind_of_call
from studio.story.ledger import Estimate, Usual, share_counted
from studio.story.records import CallRecord, Counted, Usage, UsageEntry

CENT_DUST = 1e-9
"""Tolerance for comparing sums of binary fractions with a cap."""


@dataclass(frozen=True, slots=True)
class Caps:
    """Spending caps in US dollars; None means no cap, and 0 allows only free calls."""

    chapter_usd: float | None = None
    day_usd: float | None = None
    """The daily cap for this novel."""
    project_usd: float | None = None
    all_novels_usd: float | None = None
    """The writer's own daily cap across all novels."""
    of_the_writer: frozenset[Cap] = frozenset()
    """The caps on this novel that come from the writer's own settings."""

    @property
    def any(self) -> bool:
        """Whether any cap is set."""
        caps = (self.chapter_usd, self.day_usd, self.project_usd, self.all_novels_usd)
        return any(cap is not None for cap in caps)

    def check(self, totals: Counted, worst: float) -> None:
        """Raises BudgetError when a call that may cost up to `worst` would exceed a cap."""
        figures: tuple[tuple[Cap, float | None, float], ...] = (
            ("all novels", self.all_novels_usd, totals.all_novels),
            ("chapter", self.chapter_usd, totals.chapter),
            ("day", self.day_usd, totals.day),
            ("project", self.project_usd, totals.novel),
        )
        for cap, limit, spent in figures:
            if limit is not None and spent + worst > limit + CENT_DUST:
                own = cap == "all novels" or cap in self.of_the_writer
                raise BudgetError(cap, limit, spent, worst, perhaps=totals.perhaps, own=own)


Clock = Callable[[], datetime]
THINKING_TOKENS_A_SECOND = 80
"""How fast a model is taken to think that shows nothing of it (WRITING 6)."""
ENVELOPE_TOKENS = 200
"""Tokens that the wire format adds to a prompt."""
ABSURD = 4
"""Reported token counts above this multiple of our high estimate are not believed."""


ANSWER_TOKENS_A_SECOND = 50
"""How fast an answer is taken to come while this novel has no call of its kind."""
_LIKELY_SHARE, _LIKELY_SHARE_OF_FORM, _LEAST_ANSWER = 6, 12, 200
"""An answer is taken to be this fraction (1/n) of the most it may be, the second for one in a form,
and no less than so many tokens, while this novel has no call of its kind."""
_LEAST_OF_A_LENGTH = 40
"""The same where the length asked for is known: a paragraph of one line is no page."""
USUAL_SHARE = 0.7
"""How much of our high estimate of a prompt is counted as a rule, before an endpoint has counted
one."""


def likely_answer(request: Request, whole: int | None = None) -> int:
    """Returns about how many tokens an answer will have: by those of the `whole` that it is a part
    of, where they are known, by what its plan asks for, where the request says it, or else by the
    size of the request alone."""
    share = _LIKELY_SHARE if request.schema is None else _LIKELY_SHARE_OF_FORM
    tokens, least = round((whole or request.max_tokens // share) * request.share), _LEAST_ANSWER
    if not whole and request.likely_tokens:
        tokens, least = request.likely_tokens, _LEAST_OF_A_LENGTH
    return min(request.max_tokens, max(least, tokens))


_REST_OF_IT = "-on"
"""The end of the kind of a call for the rest of what a call of that kind begins."""


def prompt_estimate(provider: Provider, request: Request) -> int:
    """Estimates the tokens of the whole prompt, erring on the high side."""
    prompt = sum(provider.estimate_tokens(part.text) for part in request.parts)
    schema = provider.estimate_tokens(str(request.schema)) if request.schema else 0
    steps = "".join(str(part) for part in (*request.tools, *request.turns))
    return prompt + schema + provider.estimate_tokens(steps) + ENVELOPE_TOKENS


class Account:
    """Reserves and settles the cost of calls to one provider in one usage log."""

    def __init__(
        self,
        provider: Provider,
        journal: Journal,
        caps: Caps,
        prices: PriceList,
        *,
        clock: Clock,
        on_usage: Callable[[UsageEntry], None],
        on_warning: Callable[[str], None],
    ) -> None:
        self._provider = provider
        self._journal = journal
        self._caps = caps
        self._prices = prices
        self._clock = clock
        self._on_usage = on_usage
        self._on_warning = on_warning
        self._warned: set[str] = set()
        self._latest: list[UsageEntry] | None = None
        """The newest lines of the usage log, read once and then added to: a run asks before every
        call how long such calls take."""

    def reserve(self, request: Request) -> UsageEntry:
        """Logs the worst-case cost of an attempt; raises BudgetError when that exceeds a cap."""
        model = self._provider.model_for(request.role)
        worst = self.worst_case(request)
        now = self._clock()
        if self._caps.any:
            self._ask_about_prices(model, worst)
        entry = UsageEntry(
            event="reserve",
            id=f"{request.generation_id}-{secrets.token_hex(4)}",
            ts=now.isoformat(),
            call=request.generation_id,
            chapter=None if is_of_beginning(request.generation_id) else request.chapter,
            model=model,
            reserved_usd=worst,
            prompt_tokens=prompt_estimate(self._provider, request),
        )

        def check_caps(totals: Counted) -> None:
            if worst:
                self._caps.check(totals, worst)

        self._warn(self._journal.reserve(entry, check_caps))
        self._add(entry)
        return entry

    def unpriced_models(self) -> list[str]:
        """Returns the models of unknown price that a cap applies to and
        the writer has not allowed."""
        if self._provider.profile.free or not self._caps.any:
            return []
        models = dict.fromkeys(self._provider.model_for(role) for role in ROLES)
        return [
            model
            for model in models
            if not self._prices.tiers(model) and not self._journal.may_go_unpriced(model)
        ]

    def record_received(self, reserve: UsageEntry, text: str) -> None:
        """Logs what a running attempt has received, so that a kill leaves its cost known."""
        tokens = self._provider.estimate_tokens(text) if text else 0
        self._journal.record_received(reserve.id, tokens)

    def settle_interrupted(self) -> None:
        """Settles the attempts that killed runs left open, as far as their cost is known (S14).

        A finished answer is kept before it is settled, so its record has the token counts. For an
        answer that was cut off, its prompt and what had come of it are counted on the high side.
        Attempts covered by neither stay reserved for the writer to settle. Call this only while the
        novel is locked, so that none of these calls is still in progress.
        """
        for entry in self._journal.interrupted_calls():
            record = self._journal.recall(entry.call) if entry.call else None
            if record is not None and _answers(record, entry):
                cost = self._prices.price(entry.model, record.total_usage or Usage())
                cost = record.cost_usd if cost is None else cost
                self._settle(entry, record.total_usage, cost, "record")
                continue
            tokens, prompt = self._journal.tokens_received(entry.id), entry.prompt_tokens
            if tokens is None or prompt is None:
                continue
            cost = self._prices.worst_case(entry.model, prompt, tokens)
            if cost is not None and entry.reserved_usd is not None:
                cost = min(cost, entry.reserved_usd)
            usage = Usage(input_tokens=prompt, output_tokens=tokens)
            self._settle(entry, usage, cost, "received")

    def _settle(
        self, entry: UsageEntry, usage: Usage | None, cost: float | None, source: str
    ) -> None:
        if cost is None and entry.reserved_usd is not None:
            return
        self._journal.settle(
            entry.copy_with(
                event="settle",
                ts=self._clock().isoformat(),
                usd=cost,
                usage=usage,
                settled_by=source,
            )
        )

    def cost(
        self,
        reserve: UsageEntry,
        request: Request,
        usage: Usage | None,
        received: str = "",
        seconds: float | None = None,
    ) -> float | None:
        """Returns the cost of an attempt in US dollars, erring on the high side; None when unknown.

        A `usage` of None means that the endpoint never began the attempt, which therefore costs
        nothing. For an attempt that broke off after `seconds`, the `received` text is counted on
        the high side, as for one that is stopped; a finished answer without any credible figure
        costs the worst case (M11).
        """
        worst = reserve.reserved_usd
        if usage is None:
            return 0.0
        if not worst:
            return worst
        if seconds is not None and usage.output_tokens is None:
            return self._cost_so_far(reserve, self._used_so_far(request, usage, received, seconds))
        full_usage = self._full_usage(request, usage, received)
        if not self._is_plausible(request, full_usage):
            return worst
        return self._prices.price(reserve.model, full_usage)

    def settle_stopped(
        self, reserve: UsageEntry, request: Request, reported: Usage, received: str, seconds: float
    ) -> tuple[Usage, float | None]:
        """Returns what an attempt that the writer stopped used and cost: its prompt, as the
        endpoint has `reported` it, if it did, and the thinking and the text that came, at most the
        worst case.

        Of a model that thinks and showed nothing of it in these `seconds` since its endpoint
        answered, 80 tokens for each of them count: at most as many as the answer was allowed, and
        as any such call of this novel has had.
        """
        usage = self._used_so_far(request, reported, received, seconds)
        return usage, self._cost_so_far(reserve, usage)

    def _used_so_far(self, request: Request, usage: Usage, received: str, seconds: float) -> Usage:
        """Returns the tokens of an attempt that ended before its answer did."""
        profile, share = self._provider.profile, self._share_of_estimate(request)
        tokens = round(self._provider.estimate_tokens(received) * share) if received else 0
        if profile.thinks and not received:
            most = self.usual(request).tokens or token_ceiling(request, profile)
            tokens = min(round(seconds * THINKING_TOKENS_A_SECOND), most)
        prompt = usage.input_tokens
        if prompt is None:
            prompt = round(prompt_estimate(self._provider, request) * share)
        return usage.copy_with(input_tokens=prompt, output_tokens=tokens)

    def _cost_so_far(self, reserve: UsageEntry, usage: Usage) -> float | None:
        worst = reserve.reserved_usd
        cost = self._prices.price(reserve.model, usage) if worst else worst
        return min(cost, worst) if cost is not None and worst else cost

    def settle(
        self,
        reserve: UsageEntry,
        usage: Usage | None,
        cost: float | None,
        source: Literal["stopped"] | None = None,
    ) -> None:
        """Logs the end of an attempt and notifies the listeners."""
        entry = reserve.copy_with(
            event="settle", ts=self._clock().isoformat(), usd=cost, usage=usage, settled_by=source
        )
        self._journal.settle(entry)
        self._add(entry)
        self._on_usage(entry)

    def _add(self, entry: UsageEntry) -> None:
        if self._latest is not None:
            self._latest.append(entry)

    def worst_case(self, request: Request, more: str = "") -> float | None:
        """Returns the highest cost of one attempt in US dollars; None when the price is unknown.
        `more` is text that its prompt may also have to hold."""
        model = self._provider.model_for(request.role)
        profile = self._provider.profile
        if profile.free:
            return 0.0
        prompt = prompt_estimate(self._provider, request) + self._provider.estimate_tokens(more)
        return self._prices.worst_case(model, prompt, token_ceiling(request, profile))

    def usual(self, request: Request) -> Usual:
        """Returns what such calls cost and how long they took in this novel; of the rest of a scene
        what those of whole scenes did."""
        model, kind = self._provider.model_for(request.role), kind_of_call(request.generation_id)
        return Usual.of(self._newest_lines, kind.removesuffix(_REST_OF_IT), model)

    def _share_of_estimate(self, request: Request) -> float:
        """Returns how much of our estimates the endpoint has counted so far: ours are on the high
        side, and each model divides a language into tokens in its own way."""
        if not self._provider.profile.counts:
            return 1.0
        model = self._provider.model_for(request.role)
        return share_counted(self._newest_lines, model, USUAL_SHARE)

    @property
    def _newest_lines(self) -> list[UsageEntry]:
        if self._latest is None:
            self._latest = [*self._journal.latest_usage()]
        return self._latest

    def estimate(self, request: Request, more: str = "") -> Estimate:
        """Returns what one attempt will cost: about as much as this novel's own calls of its kind,
        or else by the size of the request, and at most the worst case."""
        most = self.worst_case(request, more)
        if not most:
            return Estimate(most, most)
        usual = self.usual(request)
        about = usual.usd if request.share == 1 else None
        if about is None:
            share = self._share_of_estimate(request)
            prompt = round(prompt_estimate(self._provider, request) * share)
            answer = likely_answer(request, usual.tokens if request.share != 1 else None)
            size = Usage(input_tokens=prompt, output_tokens=answer)
            about = self._prices.price(self._provider.model_for(request.role), size)
        return Estimate(min(about or 0.0, most), most)

    def seconds(self, request: Request) -> float | None:
        """Returns about how long an attempt takes in seconds: as this novel's own calls of its
        kind, or else by the size of the answer; None for a model on this machine that was never
        asked such a thing."""
        usual = self.usual(request)
        seconds = None if usual.seconds is None else usual.seconds * request.share
        if seconds is None and not self._provider.profile.free:
            seconds = likely_answer(request) / ANSWER_TOKENS_A_SECOND
        return seconds

    def _full_usage(self, request: Request, usage: Usage, received: str) -> Usage:
        if usage.output_tokens is not None or not received:
            return usage
        prompt = usage.input_tokens
        return usage.copy_with(
            input_tokens=prompt_estimate(self._provider, request) if prompt is None else prompt,
            output_tokens=self._provider.estimate_tokens(received),
        )

    def _is_plausible(self, request: Request, usage: Usage) -> bool:
        prompt = sum(
            count or 0
            for count in (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        )
        answer = usage.output_tokens
        if usage.input_tokens is None or answer is None or not prompt or not answer:
            return False
        most_answer = ABSURD * token_ceiling(request, self._provider.profile)
        most_prompt = ABSURD * prompt_estimate(self._provider, request)
        return prompt <= most_prompt and answer <= most_answer

    def _ask_about_prices(self, model: str, worst: float | None) -> None:
        if worst is None:
            if not self._journal.may_go_unpriced(model):
                raise UnpricedError(model)
            self._warn(
                said(
                    "The price of {model} is unknown: its calls are not counted against the "
                    "budget.",
                    model=model,
                )
            )
        elif worst and self._prices.is_old(self._clock().date()):
            self._warn(
                said(
                    "The prices are those of {day}: the real cost may differ.", day=self._prices.day
                )
            )

    def _warn(self, text: str) -> None:
        if text and text not in self._warned:
            self._warned.add(text)
            self._on_warning(text)


def _answers(record: CallRecord, entry: UsageEntry) -> bool:
    """Whether the record belongs to this attempt or an earlier one: an attempt that began after the
    record was kept must belong to a different answer."""
    try:
        started_at = datetime.fromisoformat(record.created_at)
        return started_at <= datetime.fromisoformat(entry.ts)
    except (ValueError, TypeError):
        return False

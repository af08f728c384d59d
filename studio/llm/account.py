"""Paying for attempts: a reserve before each, a settle after each (N7, M11)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime

from studio.llm.budget import Caps, Ledger
from studio.llm.journal import Journal
from studio.llm.prices import PriceList
from studio.llm.provider import Provider, Request, token_ceiling
from studio.story.calls import Usage, UsageEntry

Clock = Callable[[], datetime]
ENVELOPE_TOKENS = 200
"""What the wire format adds to a prompt."""
ABSURD = 4
"""Reported tokens may be this many times our high estimate before they are not believed."""


def prompt_estimate(provider: Provider, request: Request) -> int:
    """Tokens of the whole prompt, on the high side."""
    told = sum(provider.estimate_tokens(part.text) for part in request.parts)
    schema = provider.estimate_tokens(str(request.schema)) if request.schema else 0
    return told + schema + ENVELOPE_TOKENS


class Account:
    """The money side of one provider and one usage log."""

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

    def reserve(self, request: Request) -> UsageEntry:
        """Notes the worst case of an attempt; raises BudgetError when it passes a cap."""
        model = self._provider.model_for(request.role)
        worst = self.worst_case(request)
        now = self._clock()
        if self._caps.any:
            ledger = Ledger(self._journal.usage_entries(), self._caps, now.date().isoformat())
            ledger.check(request.chapter, worst or 0.0)
            self._warn_about_prices(model, worst)
        entry = UsageEntry(
            event="reserve",
            id=f"{request.generation_id}-{secrets.token_hex(4)}",
            ts=now.isoformat(),
            call=request.generation_id,
            chapter=request.chapter,
            model=model,
            reserved_usd=worst,
        )
        self._journal.note(entry)
        return entry

    def cost(
        self, reserve: UsageEntry, request: Request, usage: Usage | None, received: str = ""
    ) -> float | None:
        """What an attempt cost in US dollars, rather more than less; None when unknown.

        `usage` None is an attempt the endpoint never took up: it costs
        nothing. What was `received` of an attempt that broke off is counted
        on the high side; with nothing to believe the worst case stands (M11).
        """
        worst = reserve.reserved_usd
        if usage is None:
            return 0.0
        if not worst:
            return worst
        counted = self._counted(request, usage, received)
        if not self._is_plausible(request, counted):
            return worst
        return self._prices.price(reserve.model, counted)

    def settle(self, reserve: UsageEntry, usage: Usage | None, cost: float | None) -> None:
        """Notes the end of an attempt and tells whoever listens."""
        entry = reserve.model_copy(
            update={
                "event": "settle",
                "ts": self._clock().isoformat(),
                "usd": cost,
                "usage": usage,
            }
        )
        self._journal.note(entry)
        self._on_usage(entry)

    def worst_case(self, request: Request) -> float | None:
        """The most one attempt can cost in US dollars; None when the price is unknown."""
        model = self._provider.model_for(request.role)
        profile = self._provider.profile
        if profile.free:
            return 0.0
        prompt = prompt_estimate(self._provider, request)
        return self._prices.worst_case(model, prompt, token_ceiling(request, profile))

    def _counted(self, request: Request, usage: Usage, received: str) -> Usage:
        if usage.output_tokens is not None or not received:
            return usage
        prompt = usage.input_tokens
        return usage.model_copy(
            update={
                "input_tokens": prompt_estimate(self._provider, request)
                if prompt is None
                else prompt,
                "output_tokens": self._provider.estimate_tokens(received),
            }
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

    def _warn_about_prices(self, model: str, worst: float | None) -> None:
        if worst is None:
            self._warn(
                f"The price of {model} is unknown: its calls are not counted against the budget."
            )
        elif worst and self._prices.is_old(self._clock().date()):
            self._warn(f"The prices are those of {self._prices.day}: the real cost may differ.")

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            self._on_warning(text)

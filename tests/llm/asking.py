"""What the gateway's tests share: a journal in memory, a request, a gateway that never waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from studio.llm.gateway import Gateway
from studio.llm.provider import AnswerDelta, PromptPart, Request, Sampling
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.stream import Deadlines
from studio.story.ledger import Total, UsageLedger
from studio.story.records import CallRecord, Counted, UsageEntry

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
CLAUDE = {
    "deep": "claude-opus-5-5",
    "standard": "claude-sonnet-5-5",
    "fast": "claude-haiku-5-5",
}
LOCAL = {"deep": "qwen3-8b", "standard": "qwen3-8b", "fast": "qwen3-8b"}


def counted(total: Total) -> float:
    """What a sum counts for against a cap: what is spent and what perhaps is."""
    return total.usd + total.perhaps_usd


@dataclass
class MemoryJournal:
    """A journal whose writes can be read, in their order, like a disk after a crash."""

    records: dict[str, CallRecord] = field(default_factory=dict)
    partials: dict[str, str] = field(default_factory=dict)
    usage: list[UsageEntry] = field(default_factory=list)
    story: list[str] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    """Received, by attempt."""
    allowed: set[str] = field(default_factory=set)
    """Models of unknown price that may be asked under a cap."""

    def recall(self, generation_id: str) -> CallRecord | None:
        return self.records.get(generation_id)

    def keep(self, record: CallRecord) -> None:
        self.story.append(f"keep {record.finish_reason}")
        self.records[record.id] = record

    def begin(self, record: CallRecord) -> None:
        self.records[record.id] = record

    def withdraw(self, generation_id: str) -> None:
        self.records.pop(generation_id, None)

    def partial(self, generation_id: str, text: str) -> None:
        self.story.append("partial")
        self.partials[generation_id] = text

    def received(self, generation_id: str) -> str:
        return self.partials.get(generation_id, "")

    def drop_partial(self, generation_id: str) -> None:
        self.story.append("drop")
        self.partials.pop(generation_id, None)

    def reserve(self, entry: UsageEntry, allowed: Callable[[Counted], None]) -> str:
        ledger, day = UsageLedger(self.usage), entry.ts[:10]
        today, chapter = counted(ledger.spent(day=day)), counted(ledger.spent(entry.chapter))
        every = ledger.spent()
        allowed(Counted(chapter, today, counted(every), today, every.perhaps_usd))
        self.settle(entry)
        return ""

    def settle(self, entry: UsageEntry) -> None:
        self.story.append(entry.event)
        self.usage.append(entry)

    def record_received(self, attempt: str, tokens: int) -> None:
        self.tokens[attempt] = tokens

    def tokens_received(self, attempt: str) -> int | None:
        return self.tokens.get(attempt)

    def interrupted_calls(self) -> tuple[UsageEntry, ...]:
        return UsageLedger(self.usage).open

    def spent_on(self, chapter: int) -> float:
        return UsageLedger(self.usage).spent(chapter).usd

    def latest_usage(self) -> list[UsageEntry]:
        return self.usage

    def may_go_unpriced(self, model: str) -> bool:
        return model in self.allowed

    def aside(self) -> list[CallRecord]:
        """The records of failed attempts."""
        return [record for name, record in self.records.items() if "-failed" in name]


class Ear:
    """Hears the deltas of an answer."""

    def __init__(self) -> None:
        self.deltas: list[AnswerDelta] = []

    def __call__(self, delta: AnswerDelta) -> None:
        self.deltas.append(delta)

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if delta.kind == "text")


class Waits:
    """Sleeps that are only written down."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def asked(text: str = "Write the scene at the lamp room.", **changes: Any) -> Request:
    """A prose request of chapter 3."""
    fields: dict[str, Any] = {
        "call": "003-draft-s01",
        "stage": "draft",
        "agent": "scene-drafter",
        "role": "standard",
        "parts": (
            PromptPart("system", "You write fiction.", stable=True),
            PromptPart("system", "The house style is plain.", stable=True),
            PromptPart("user", "The world: an island with one lighthouse.", stable=True),
            PromptPart("user", text),
        ),
        "chapter": 3,
        "scene": 1,
        "max_tokens": 2000,
        "sampling": Sampling(temperature=0.7, top_p=0.9),
    }
    return Request(**{**fields, **changes})


def provider_at(url: str, models: dict[str, str] | None = None, **more: Any) -> AnthropicProvider:
    """The real provider against a fake server."""
    return AnthropicProvider("key-of-the-writer", models or CLAUDE, base_url=url, **more)  # type: ignore[arg-type]


def gateway_at(
    url: str, journal: MemoryJournal, *, models: dict[str, str] | None = None, **more: Any
) -> Gateway:
    """A gateway that waits for nothing."""
    settings = {
        "waits": (1.0, 4.0),
        "sleep": Waits(),
        "clock": lambda: NOON,
        "deadlines": Deadlines(180, 180, 360),
        **more,
    }
    return Gateway(provider_at(url, models), journal, **settings)

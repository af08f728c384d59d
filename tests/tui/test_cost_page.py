"""The cost of a book, by chapter and model, as lines."""

from __future__ import annotations

from studio.llm.budget import Caps
from studio.pipeline.costs import Costs
from studio.story.ledger import UsageLedger
from studio.story.records import Counted, Usage, UsageEntry
from studio.tui.views.pages.chapter import log_lines
from studio.tui.views.run.moment import RunState


def told(*entries: UsageEntry, caps: Caps | None = None) -> str:
    ledger = UsageLedger(entries)
    total = ledger.spent()
    counted = Counted(
        total.counted_usd, total.counted_usd, total.counted_usd, 9.0, total.perhaps_usd
    )
    costs = Costs(ledger, caps or Caps(), "2026-11-21", counted, ledger.open)
    lines = log_lines(RunState(), (), costs)
    return "\n".join("".join(said.text for said in line) for line in lines)


def attempt(number: int, **more: object) -> UsageEntry:
    given = {"event": "settle", "id": f"a{number}", "ts": "2026-11-21T09:30:00Z", "chapter": 3}
    return UsageEntry.model_validate({**given, "model": "claude-opus-5-5", **more})


def test_attempts_are_added_up_with_what_came_from_the_cache() -> None:
    used = Usage(input_tokens=1000, cache_read_tokens=9000, output_tokens=500)
    page = told(attempt(1, usd=0.25, usage=used), attempt(2, usd=0.5, usage=used))
    assert "chapter 3    claude-opus-5-5  20,000 tokens in, 1,000 out  $0.7500" in page


def test_an_attempt_that_never_ended_stands_apart_with_its_reserve() -> None:
    page = told(attempt(1, event="reserve", reserved_usd=0.4), attempt(2, usd=0.1))
    assert "$0.1000 and perhaps $0.4000" in page
    assert "Perhaps spent: up to $0.4000, for a call has no end." not in page
    assert "`studio usage settle`" in page


def test_the_caps_are_said_with_what_counts_against_them() -> None:
    page = told(attempt(1, usd=0.25), caps=Caps(chapter_usd=1.0, day_usd=2.0, all_novels_usd=10.0))
    assert "today: $0.2500 of $2.00" in page
    assert "today, all your novels: $9.0000 of $10.00" in page
    assert "a chapter: $1.00 at most" in page
    assert "No cap is set." in told()


def test_calls_without_a_price_are_said_to_be_so() -> None:
    assert "$0.0000 and 2 calls of unknown price" in told(attempt(1), attempt(2))
    assert "No model was called" in told()

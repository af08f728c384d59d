"""The cost of a book, by chapter and model, as lines."""

from __future__ import annotations

from studio.story.calls import Usage, UsageEntry
from studio.tui.views.chapter_pages import log_lines
from studio.tui.views.running import RunState


def told(*entries: UsageEntry) -> str:
    lines = log_lines(RunState(), (), entries)
    return "\n".join("".join(said.text for said in line) for line in lines)


def attempt(number: int, **more: object) -> UsageEntry:
    given = {"event": "settle", "id": f"a{number}", "ts": "2026-11-21T09:30:00Z", "chapter": 3}
    return UsageEntry.model_validate({**given, "model": "claude-opus-5-5", **more})


def test_attempts_are_added_up_with_what_came_from_the_cache() -> None:
    used = Usage(input_tokens=1000, cache_read_tokens=9000, output_tokens=500)
    page = told(attempt(1, usd=0.25, usage=used), attempt(2, usd=0.5, usage=used))
    assert "chapter 3    claude-opus-5-5  20,000 tokens in, 1,000 out  $0.7500" in page


def test_an_attempt_that_never_ended_counts_with_its_reserve() -> None:
    assert "$0.4000" in told(attempt(1, event="reserve", reserved_usd=0.4))


def test_calls_without_a_price_are_said_to_be_so() -> None:
    assert "$0.0000 and 2 calls of unknown price" in told(attempt(1), attempt(2))
    assert "No model was called" in told()

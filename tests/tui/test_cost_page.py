"""The cost of a book, by chapter and model, as lines."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.llm.budget import Caps
from studio.pipeline.costs import Costs
from studio.story.ledger import UsageLedger
from studio.story.records import Counted, Usage, UsageEntry
from studio.tui.screens.ask import Ask
from studio.tui.screens.cost import CostScreen
from studio.tui.views.pages.chapter import log_lines
from studio.tui.views.run.moment import RunState
from tests.small_novels import copied_sample
from tests.tui.pilot import opened


def told(*entries: UsageEntry, caps: Caps | None = None) -> str:
    ledger = UsageLedger(entries)
    total = ledger.spent()
    counts = total.usd + total.perhaps_usd
    counted = Counted(counts, counts, counts, 9.0, total.perhaps_usd)
    costs = Costs(ledger, caps or Caps(), "2026-11-21", counted, ledger.open)
    lines = log_lines(RunState(), (), costs)
    return "\n".join("".join(said.text for said in line) for line in lines)


def attempt(number: int, **more: object) -> UsageEntry:
    given = {"event": "settle", "id": f"a{number}", "ts": "2026-11-21T09:30:00Z", "chapter": 3}
    return UsageEntry.model_validate({**given, "model": "claude-opus-5-5", **more})


def test_attempts_are_added_up_with_what_came_from_the_cache() -> None:
    used = Usage(input_tokens=1000, cache_read_tokens=9000, output_tokens=500)
    page = told(attempt(1, usd=0.25, usage=used), attempt(2, usd=0.5, usage=used))
    assert "chapter 3 claude-opus-5-5  20,000 tokens in, 1,000 out  $0.7500" in page


def test_an_attempt_that_never_ended_stands_apart_with_its_reserve() -> None:
    page = told(attempt(1, event="reserve", reserved_usd=0.4), attempt(2, usd=0.1))
    assert "$0.1000 and perhaps $0.4000" in page
    assert "Perhaps spent: up to $0.4000, for a call has no end." not in page
    assert "It counts until you say what it cost." in page


def test_the_caps_are_said_with_what_counts_against_them() -> None:
    page = told(attempt(1, usd=0.25), caps=Caps(chapter_usd=1.0, day_usd=2.0, all_novels_usd=10.0))
    assert "today: $0.2500 of $2.00" in page
    assert "today, all your novels: $9.0000 of $10.00" in page
    assert "a chapter: $1.00 at most" in page
    assert "No cap is set." in told()


def test_calls_without_a_price_are_said_to_be_so() -> None:
    assert "$0.0000 and 2 calls of unknown price" in told(attempt(1), attempt(2))
    assert "No model was called" in told()


def test_the_cost_comes_first_and_then_what_happened() -> None:
    page = told(attempt(1, usd=0.25))
    assert page.index("Cost by chapter") < page.index("The budget") < page.index("This sitting")


def test_the_sum_that_counts_against_a_cap_says_that_it_holds_what_was_perhaps_spent() -> None:
    open_ = attempt(1, event="reserve", reserved_usd=0.4)
    page = told(open_, attempt(2, usd=0.1), caps=Caps(day_usd=10.0))
    assert "today, with what was perhaps spent: $" in page
    assert "today: $" not in page


def test_a_stage_that_was_done_before_is_no_line_of_the_log() -> None:
    from studio.pipeline.events import StageEvent
    from studio.tui.views.run.run_state import apply_events

    events = [
        StageEvent(name="draft", status="skipped", note="drafted"),
        StageEvent(name="judge", status="skipped", note="judged"),
        StageEvent(name="gate", status="finished", note="pass"),
    ]
    (line,) = apply_events(RunState(), events).journal
    assert "drafted" not in line
    assert "judged" not in line


def test_each_step_of_the_beginning_is_told_by_its_own_question() -> None:
    from studio.pipeline.events import DecisionRequired
    from studio.tui.views.run.run_state import apply_events

    asked = [
        DecisionRequired(
            id=f"q{n}", kind="start", recommendation="take", options=("take",), rationale=words
        )
        for n, words in enumerate(("Who is it about?", "Where does it take place?"))
    ]
    one, other = apply_events(RunState(), asked).journal
    assert "Who is it about?" in one
    assert "Where does it take place?" in other


@pytest.mark.sweep
async def test_what_a_call_without_an_end_cost_is_said_on_the_page_that_shows_it(
    own_home: Path,
) -> None:
    folder = copied_sample(own_home / "novel")
    entry = attempt(1, event="reserve", reserved_usd=0.4, call="gen-003-7f3a91-draft-s01")
    with (folder / "logs/usage.jsonl").open("a", encoding="utf-8") as log:
        log.write(entry.model_dump_json(exclude_none=True) + "\n")
    async with opened(folder, dict(os.environ)) as studio:
        await studio.press("l")
        await studio.sees(CostScreen, "Perhaps spent: up to $0.4000")
        await studio.until(lambda: "s Say what it cost" in studio.screen, "the key")
        await studio.press("s")
        await studio.sees(Ask, "as your provider")
        await studio.answer(Ask, "two cents")
        await studio.sees(Ask, "A number of US dollars")
        await studio.type("$0.02")
        await studio.press("enter")
        await studio.sees(CostScreen)
        await studio.until(lambda: "Perhaps spent" not in studio.screen, "the page as it is now")
        assert "s Say what it cost" not in studio.screen
        (call,) = [e for e in studio.store.journal.usage_entries() if e.settled_by == "writer"]
        assert call.usd == 0.02

"""Caps, reserves and prices: what is recorded is never less than what was spent."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit
from studio.llm.budget import Caps, Ledger, Total
from studio.llm.errors import BudgetError, ModelError
from studio.llm.prices import PriceList, published
from studio.story.calls import Usage, UsageEntry
from tests.fake_messages import Rule
from tests.llm.asking import LOCAL, MemoryJournal, asked, gateway_at
from tests.llm.conftest import Serve

TODAY = "2026-11-21"


def entry(
    event: str, name: str, usd: float | None, day: str = TODAY, chapter: int = 3
) -> UsageEntry:
    amount = {"reserved_usd" if event == "reserve" else "usd": usd}
    row = {"event": event, "id": name, "ts": f"{day}T12:00:00+00:00", "chapter": chapter, **amount}
    return UsageEntry.model_validate(row)


def money(total: Total) -> tuple[float, int]:
    """The sum, and how many calls are missing from it."""
    return total.usd, total.unknown


def ledger(*entries: UsageEntry, **caps: float) -> Ledger:
    return Ledger(entries, Caps(**caps), TODAY)


def test_a_reserve_counts_in_full_until_it_is_settled() -> None:  # req: N7
    reserve = entry("reserve", "a", 0.30)
    assert money(ledger(reserve).spent()) == (0.30, 0)
    assert money(ledger(reserve, entry("settle", "a", 0.02)).spent()) == (0.02, 0)


def test_the_day_and_the_chapter_are_counted_apart() -> None:
    book = ledger(
        entry("settle", "a", 1.0, day="2026-11-20"),
        entry("settle", "b", 2.0, chapter=2),
        entry("settle", "c", 4.0),
    )
    assert book.spent(chapter=3).usd == 5.0
    assert book.spent(day=TODAY).usd == 6.0
    assert book.spent().usd == 7.0


def test_an_unknown_price_is_counted_as_unknown() -> None:
    both = ledger(entry("settle", "a", None), entry("settle", "b", 1.0))
    assert money(both.spent()) == (1.0, 1)


@pytest.mark.parametrize(
    ("caps", "cap"),
    [
        ({"chapter_usd": 1.5}, "chapter"),
        ({"day_usd": 1.5}, "day"),
        ({"project_usd": 1.5}, "project"),
    ],
)
def test_a_cap_is_named_with_its_figures(caps: dict[str, float], cap: str) -> None:  # req: M12
    book = ledger(entry("settle", "a", 1.0), **caps)
    book.check(3, 0.5)
    with pytest.raises(BudgetError, match=rf"{cap} budget of \$1\.50") as caught:
        book.check(3, 0.51)
    assert (caught.value.cap, caught.value.spent, caught.value.worst) == (cap, 1.0, 0.51)
    assert caught.value.problem.exit_code == Exit.BUDGET
    assert f"{cap}_usd" in caught.value.problem.hint


def test_another_chapter_does_not_count_against_this_one() -> None:
    ledger(entry("settle", "a", 1.0, chapter=2), chapter_usd=1.0).check(3, 0.9)


def test_a_cap_of_nothing_allows_what_is_free() -> None:
    book = ledger(day_usd=0.0)
    book.check(3, 0.0)
    with pytest.raises(BudgetError):
        book.check(3, 0.0001)


async def test_no_call_starts_that_may_pass_a_cent(serve: Serve, journal: MemoryJournal) -> None:
    server = serve()
    gateway = gateway_at(server.url, journal, caps=Caps(chapter_usd=0.01))
    with pytest.raises(BudgetError):
        await gateway.prose(asked(max_tokens=30_000))
    assert server.asked == []
    assert journal.usage == []


async def test_a_cap_holds_between_the_tries_of_one_call(  # req: M12 N7
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(mode="thinking_only", usage={"output_tokens": 9000}))
    gateway = gateway_at(server.url, journal, caps=Caps(project_usd=0.2))
    with pytest.raises(BudgetError):
        await gateway.prose(asked())
    assert len(server.asked) == 2


async def test_another_process_may_spend_the_same_budget(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve()
    gateway = gateway_at(server.url, journal, caps=Caps(day_usd=1.0))
    await gateway.prose(asked())
    journal.usage.append(entry("reserve", "elsewhere", 0.999))
    with pytest.raises(BudgetError, match="day"):
        await gateway.prose(asked("Another scene."))


@pytest.mark.parametrize(
    "usage",
    [None, {}, {"output_tokens": 0}, {"output_tokens": -5}, {"output_tokens": 10**9}],
    ids=["missing", "empty", "zero", "negative", "absurd"],
)
async def test_a_count_nobody_can_believe_costs_the_worst_case(  # req: M11 N7
    usage: object, serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(usage=usage))
    await gateway_at(server.url, journal).prose(asked())
    reserve, settle = journal.usage
    assert settle.usd == reserve.reserved_usd
    assert settle.usd


async def test_a_model_without_a_price_is_allowed_and_said_once(  # req: M11
    serve: Serve, journal: MemoryJournal
) -> None:
    warnings: list[str] = []
    gateway = gateway_at(
        serve().url,
        journal,
        models=LOCAL,
        caps=Caps(day_usd=1.0),
        on_warning=warnings.append,
    )
    await gateway.prose(asked("One."))
    record = await gateway.prose(asked("Two."))
    assert record.cost_usd is None
    assert len(warnings) == 1
    assert "qwen3-8b is unknown" in warnings[0]


async def test_usage_is_told_as_it_is_settled(serve: Serve, journal: MemoryJournal) -> None:
    told: list[UsageEntry] = []
    await gateway_at(serve().url, journal, on_usage=told.append).prose(asked())
    assert told == journal.usage[1:]


def test_prices_are_those_of_the_list() -> None:
    usage = Usage(input_tokens=1000, output_tokens=500, cache_read_tokens=10_000)
    assert published().price("claude-opus-5-5", usage) == pytest.approx(0.004 + 0.01 + 0.002)
    assert published().price("claude-opus-5-5-20260901", usage) == pytest.approx(0.016)


def test_haiku_has_two_tiers() -> None:
    small = Usage(input_tokens=100_000, output_tokens=0)
    large = Usage(input_tokens=100_001, output_tokens=0)
    assert published().price("claude-haiku-5-5", small) == pytest.approx(0.01)
    assert published().price("claude-haiku-5-5", large) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize("model", ["claude-mythos-5-2", "qwen3-8b", ""])
def test_an_unknown_model_has_no_price(model: str) -> None:
    assert published().price(model, Usage(input_tokens=1, output_tokens=1)) is None
    assert published().worst_case(model, 1, 1) is None


def test_an_unknown_count_has_no_price() -> None:
    assert published().price("claude-opus-5-5", Usage(input_tokens=1)) is None


def test_an_old_list_says_so() -> None:
    prices = PriceList(date(2026, 1, 1))
    assert not prices.is_old(date(2026, 6, 1))
    assert prices.is_old(date(2026, 8, 1))


counts = st.integers(min_value=0, max_value=400_000)


@given(st.sampled_from(sorted(published().models)), counts, counts, counts, counts)
def test_no_call_costs_more_than_its_worst_case(  # req: N7
    model: str, fresh: int, read: int, written: int, answer: int
) -> None:
    usage = Usage(
        input_tokens=fresh,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=answer,
    )
    cost = published().price(model, usage)
    worst = published().worst_case(model, fresh + read + written, answer)
    assert cost is not None
    assert worst is not None
    assert cost <= worst + 1e-9


async def test_money_is_found_again_after_any_failure(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(Rule(mode="cut", times=1), Rule(mode="status", status=400))
    with pytest.raises(ModelError):
        await gateway_at(server.url, journal).prose(asked())
    spent = Ledger(journal.usage, Caps(), TODAY).spent()
    assert 0 < spent.usd < sum(e.reserved_usd or 0 for e in journal.usage if e.event == "reserve")

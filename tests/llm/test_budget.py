"""Caps, reserves and prices: what is recorded is never less than what was spent."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from studio.errors import Exit
from studio.llm.budget import Caps
from studio.llm.errors import BudgetError, ModelError, UnpricedError
from studio.llm.prices import Price, PriceList, published
from studio.story.ledger import Total, UsageLedger
from studio.story.records import Counted, Usage, UsageEntry
from tests.fake_messages import Rule
from tests.llm.asking import LOCAL, MemoryJournal, asked, counted, gateway_at
from tests.llm.conftest import Serve

TODAY = "2026-11-21"


def entry(
    event: str, name: str, usd: float | None, day: str = TODAY, chapter: int = 3
) -> UsageEntry:
    amount = {"reserved_usd" if event == "reserve" else "usd": usd}
    row = {"event": event, "id": name, "ts": f"{day}T12:00:00+00:00", "chapter": chapter, **amount}
    return UsageEntry.model_validate(row)


def spent(*entries: UsageEntry) -> Total:
    return UsageLedger(entries).spent()


def test_a_reserve_stands_apart_until_it_is_settled() -> None:  # req: N7
    reserve = entry("reserve", "a", 0.30)
    total = spent(reserve)
    assert (total.usd, total.perhaps_usd, counted(total), total.unknown) == (0, 0.30, 0.30, 0)
    total = spent(reserve, entry("settle", "a", 0.02))
    assert (total.usd, total.perhaps_usd, counted(total)) == (0.02, 0, 0.02)


def test_the_day_and_the_chapter_are_counted_apart() -> None:
    book = UsageLedger(
        [
            entry("settle", "a", 1.0, day="2026-11-20"),
            entry("settle", "b", 2.0, chapter=2),
            entry("settle", "c", 4.0),
        ]
    )
    assert book.spent(chapter=3).usd == 5.0
    assert book.spent(day=TODAY).usd == 6.0
    assert book.spent().usd == 7.0


def test_an_attempt_counts_for_the_day_it_was_begun() -> None:
    ends_tomorrow = entry("settle", "a", 0.5, day="2026-11-22")
    assert UsageLedger([entry("reserve", "a", 1.0), ends_tomorrow]).spent(day=TODAY).usd == 0.5


def test_a_later_line_takes_nothing_back() -> None:  # req: O7
    again = (entry("settle", "a", 0.0), entry("reserve", "a", 0.0))
    assert spent(entry("settle", "a", 0.5), *again).usd == 0.5


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf"), 1e300])
def test_an_amount_nobody_can_believe_makes_no_line(amount: float) -> None:
    with pytest.raises(ValidationError):
        entry("settle", "a", amount)


def test_an_unknown_price_is_counted_as_unknown() -> None:
    both = spent(entry("settle", "a", None), entry("settle", "b", 1.0))
    assert (both.usd, both.unknown) == (1.0, 1)


HERE = Counted(chapter=1.0, day=1.0, novel=1.0, all_novels=1.0, perhaps=0.0)


@pytest.mark.parametrize(
    ("caps", "cap", "setting"),
    [
        ({"chapter_usd": 1.5}, "chapter", "chapter_usd"),
        ({"day_usd": 1.5}, "day", "day_usd"),
        ({"project_usd": 1.5}, "project", "project_usd"),
        ({"all_novels_usd": 1.5}, "all novels", "day_usd"),
    ],
)
def test_a_cap_is_named_with_its_figures(  # req: M12
    caps: dict[str, float], cap: str, setting: str
) -> None:
    book = Caps(**caps)  # type: ignore[arg-type]
    book.check(HERE, 0.5)
    with pytest.raises(BudgetError, match=r"budget .*of \$1\.50") as caught:
        book.check(HERE, 0.51)
    assert (caught.value.cap, caught.value.spent, caught.value.worst) == (cap, 1.0, 0.51)
    assert caught.value.problem.exit_code == Exit.BUDGET
    hint = caught.value.problem.hint
    assert f"`[budget] {setting}`" in hint
    assert ("your own config.toml" in hint) == (cap == "all novels")


def test_what_a_kill_reserved_is_said_with_what_to_do() -> None:
    with pytest.raises(BudgetError) as caught:
        Caps(chapter_usd=1.0).check(HERE._replace(perhaps=0.4), 0.1)
    assert "$0.4000" in caught.value.problem.hint
    assert "`studio usage settle`" in caught.value.problem.hint


def test_a_cap_of_nothing_allows_what_is_free() -> None:
    nothing = Counted(0.0, 0.0, 0.0, 0.0, 0.0)
    Caps(day_usd=0.0).check(nothing, 0.0)
    with pytest.raises(BudgetError):
        Caps(day_usd=0.0).check(nothing, 0.0001)


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


@pytest.mark.sweep
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


async def test_under_a_cap_a_model_without_a_price_waits_for_the_writers_word(  # req: M11
    serve: Serve, journal: MemoryJournal
) -> None:
    warnings: list[str] = []
    server = serve()
    caps = {"models": LOCAL, "caps": Caps(day_usd=1.0), "on_warning": warnings.append}
    gateway = gateway_at(server.url, journal, **caps)
    assert gateway.unpriced_models() == ["qwen3-8b"]
    with pytest.raises(UnpricedError, match="qwen3-8b") as refused:
        await gateway.prose(asked("One."))
    assert refused.value.problem.exit_code == Exit.DECIDE
    assert (server.asked, journal.usage) == ([], [])
    journal.allowed.add("qwen3-8b")
    assert gateway.unpriced_models() == []
    await gateway.prose(asked("One."))
    record = await gateway.prose(asked("Two."))
    assert record.cost_usd is None
    assert len(warnings) == 1
    assert "qwen3-8b is unknown" in warnings[0]


async def test_without_a_cap_no_price_is_asked_for(serve: Serve, journal: MemoryJournal) -> None:
    gateway = gateway_at(serve().url, journal, models=LOCAL)
    assert gateway.unpriced_models() == []
    assert (await gateway.prose(asked())).cost_usd is None


async def test_a_price_of_the_writers_own_counts(serve: Serve, journal: MemoryJournal) -> None:
    prices = published().with_own({"qwen3-8b": Price(1.0, 2.0, 1.0, 1.25)})
    gateway = gateway_at(serve().url, journal, models=LOCAL, caps=Caps(day_usd=1.0), prices=prices)
    assert gateway.unpriced_models() == []
    assert (await gateway.prose(asked())).cost_usd


async def test_a_killed_call_is_settled_by_its_record_or_by_what_came(  # req: N7
    serve: Serve, journal: MemoryJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    monkeypatch.setattr(journal, "record_received", lambda attempt, n: counts.append(n))
    gateway = gateway_at(serve().url, journal)
    record = await gateway.prose(asked())
    reserve, end = journal.usage
    came = reserve.model_copy(update={"id": "came", "call": "gen-other"})
    silent = reserve.model_copy(update={"id": "silent", "call": "gen-silent"})
    unknown = reserve.model_copy(update={"id": "unknown", "call": "gen-none"})
    journal.usage = [reserve, came, silent, unknown]
    journal.tokens = {"came": 10, "silent": counts[0]}
    gateway.settle_interrupted()
    by_record, by_tokens, of_silent = journal.usage[4:]
    assert (by_record.id, by_record.usd, by_record.settled_by) == (reserve.id, end.usd, "record")
    assert record.cost_usd == end.usd
    assert (by_tokens.id, by_tokens.settled_by) == ("came", "received")
    assert 0 < (by_tokens.usd or 0) < (reserve.reserved_usd or 0)
    assert [entry.id for entry in journal.interrupted_calls()] == ["unknown"]
    used = of_silent.usage
    assert used is not None
    assert (used.input_tokens, used.output_tokens) == (reserve.prompt_tokens, 0)


async def test_the_record_of_a_killed_call_has_what_had_come_of_it(
    serve: Serve, journal: MemoryJournal
) -> None:
    """Met: a paid half was played again as an empty page."""
    gateway = gateway_at(serve().url, journal)
    record = await gateway.prose(asked())
    reserve, _ = journal.usage
    journal.records = {f"{record.id}-asked": record.model_copy(update={"generated_text": ""})}
    journal.usage, journal.tokens = [reserve], {reserve.id: 3}
    journal.partials = {record.id: "He had let two lorries go"}
    gateway.settle_interrupted()
    killed = journal.records[f"{record.id}-failed1"]
    assert (killed.finish_reason, killed.generated_text) == ("killed", "He had let two lorries go")


async def test_usage_is_told_as_it_is_settled(serve: Serve, journal: MemoryJournal) -> None:
    entries: list[UsageEntry] = []
    await gateway_at(serve().url, journal, on_usage=entries.append).prose(asked())
    assert entries == journal.usage[1:]


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


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("broken", "largest"), [(Rule(mode="cut"), 10**6), (Rule(mode="loop"), 10**6), (Rule(), 500)]
)
async def test_money_is_found_again_after_any_failure(
    serve: Serve, journal: MemoryJournal, broken: Rule, largest: int
) -> None:
    """Cut off, the same word for ever, and more than anybody asked for."""
    server = serve(replace(broken, times=1), Rule(mode="status", status=400))
    with pytest.raises(ModelError):
        await gateway_at(server.url, journal, largest_answer=largest).prose(asked())
    total = UsageLedger(journal.usage).spent()
    assert 0 < total.usd < sum(e.reserved_usd or 0 for e in journal.usage if e.event == "reserve")


# req: N7
@pytest.mark.sweep
@pytest.mark.parametrize(
    "unreported",
    [
        *(Rule(mode=mode) for mode in ("cut", "reset", "eof", "error_event", "loop")),
        Rule(usage=None),
        Rule(usage={"output_tokens": "many"}),
    ],
    ids=lambda rule: rule.mode if rule.usage == "honest" else str(rule.usage),
)
async def test_what_an_answer_cost_of_which_no_length_was_reported_is_an_estimate(
    serve: Serve, journal: MemoryJournal, unreported: Rule
) -> None:
    server = serve(replace(unreported, times=1), Rule(mode="status", status=400), Rule())
    with suppress(ModelError):
        await gateway_at(server.url, journal).prose(asked())
    end, *others = [entry for entry in journal.usage if entry.event == "settle"]
    assert end.usd
    assert end.is_estimate
    assert not any(entry.is_estimate for entry in others), "a refusal costs nothing"
    assert UsageLedger(journal.usage).spent().estimated_calls == 1


async def test_what_a_whole_answer_cost_is_no_estimate(
    serve: Serve, journal: MemoryJournal
) -> None:
    await gateway_at(serve().url, journal).prose(asked())
    assert journal.usage[-1].usd
    assert not journal.usage[-1].is_estimate

"""What a novel has cost, what it may have cost, and how close the caps are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from studio.config.schema import Settings
from studio.errors import usage
from studio.llm.budget import Caps
from studio.messages import Said, join, said
from studio.pipeline.gateway import caps_of, choice_to_look, gateway_to_look
from studio.project.clock import now, today
from studio.project.lock.holder import read_lock
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Decision
from studio.story.decision_words import COSTS, UNKNOWN_PRICE
from studio.story.ledger import BEGINNING, Estimate, Spent, Total, UsageLedger
from studio.story.records import MOST_A_CALL_COSTS, Counted, UsageEntry

_TO_THE_MILLISECOND = len("2026-11-21T22:52:17.505")


def asked_now(most: float) -> Said:
    """Returns what calls of a run that is on can cost: there is nothing to settle while they
    last."""
    return said(
        "A model is being asked now; that can cost up to ${most} more, and less as a rule.",
        most=f"{most:.4f}",
    )


def with_price(words: str, price: str) -> str:
    """Returns what an answer does, and what that costs, if it is known."""
    return join((words, said(COSTS, price=price))) if price else words


def with_cost(question: Decision, option: str, cost: Estimate) -> Decision:
    """Returns a question of which one answer says what it costs; one that costs nothing stays."""
    words = question.data["options"]
    one = words[option]
    if cost.most is None:
        one = join((one, UNKNOWN_PRICE))
    elif cost.most:
        one = with_price(one, cost.words)
    return question.with_data({"options": {**words, option: one}})


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of one novel as the caps count it: the higher of its usage log and of what this
    machine has noted."""

    ledger: UsageLedger
    caps: Caps
    day: str
    counted: Counted
    open: tuple[UsageEntry, ...]
    """Reservations without a matching end: calls in progress or killed, oldest first."""
    beginning_usd: float = 0.0
    """US dollars that count against the cap of the beginning: as high as a chapter's, and its
    own."""
    running: tuple[UsageEntry, ...] = ()
    """Those of `open` that a run makes which is on: they are simply not over."""

    @property
    def ended_unseen(self) -> tuple[UsageEntry, ...]:
        """Those of `open` that are over, of which nobody knows what they cost."""
        return tuple(entry for entry in self.open if entry not in self.running)

    @property
    def ended_unseen_usd(self) -> float:
        """The most that those can have cost."""
        return self.perhaps_usd - self.running_usd

    @property
    def running_usd(self) -> float:
        """The most that the calls of the run that is on can cost."""
        return sum(entry.reserved_usd or 0.0 for entry in self.running)

    @property
    def running_words(self) -> Said:
        """What the calls of the run that is on can cost, in a sentence."""
        return asked_now(self.running_usd)

    @property
    def spent_usd(self) -> float:
        """US dollars spent on this novel, without those that are only possibly spent."""
        return max(0.0, self.counted.novel - self.perhaps_usd)

    def spent_on(self, chapter: int | None) -> float | None:
        """US dollars spent on a chapter, over all its attempts and runs, the number on the bar;
        None without a chapter."""
        return None if chapter is None else self.ledger.spent(chapter).usd

    @property
    def today_usd(self) -> float:
        """US dollars spent on this novel today, in UTC."""
        perhaps = sum(e.reserved_usd or 0.0 for e in self.open if e.ts[:10] == self.day)
        return max(0.0, self.counted.day - perhaps)

    def estimated(self, chapter: int | None) -> tuple[Spent, ...]:
        """Returns which of the amounts spent, that on `chapter` among them, hold estimates of what
        stopped or killed calls cost."""
        totals: dict[Spent, Total] = {
            "chapter": Total() if chapter is None else self.ledger.spent(chapter),
            "today": self.ledger.spent(day=self.day),
            "novel": self.ledger.spent(),
        }
        return tuple(name for name, total in totals.items() if total.estimated_calls)

    @property
    def perhaps_usd(self) -> float:
        """The most that the open calls can have cost; it counts against the caps."""
        return self.counted.perhaps

    @property
    def all_novels_today_usd(self) -> float:
        """US dollars that count against the writer's own daily cap, over all her novels."""
        return self.counted.all_novels

    @property
    def unpriced_calls(self) -> int:
        """The number of calls whose price is unknown."""
        return self.ledger.spent().unknown


def costs_of(store: ProjectStore, settings: Settings, entries: Sequence[UsageEntry]) -> Costs:
    """Returns the costs; `entries` is the complete usage log of the novel."""
    ledger, day = UsageLedger(entries), today()
    sums = store.journal.spending.sums()
    novel = store.journal.spending.novel().added_up(ledger, (0, 0, 0))
    pending = tuple(sorted((call.entry for call in novel.open), key=lambda entry: entry.ts))
    counted = sums.count(novel, None, day)
    beginning_usd = sums.count(novel, BEGINNING, day).chapter
    running = _of_the_run(store, pending)
    return Costs(ledger, caps_of(settings), day, counted, pending, beginning_usd, running)


def _of_the_run(store: ProjectStore, pending: Sequence[UsageEntry]) -> tuple[UsageEntry, ...]:
    """Returns the calls that were begun since a run took the novel which holds it still."""
    lock = read_lock(store.layout.folder) if pending else None
    if lock is None or lock.state != "held" or lock.holder is None:
        return ()
    since = lock.holder.started[:_TO_THE_MILLISECOND]
    return tuple(entry for entry in pending if entry.ts[:_TO_THE_MILLISECOND] >= since)


def settle_killed_calls(store: ProjectStore, settings: Settings) -> None:
    """Enters what the calls of a killed run cost, as far as it is known: an estimate. The others
    stay for the writer. Makes no call. StudioError 3 while a run is at
    work."""
    if not store.journal.interrupted_calls():
        return
    gateway = gateway_to_look(choice_to_look(settings), store.journal, settings)
    with ProjectLock(store.layout.folder):
        gateway.settle_interrupted()


def settle_by_hand(
    store: ProjectStore,
    settings: Settings,
    select: Callable[[Sequence[UsageEntry]], Sequence[UsageEntry]],
    usd: float | None,
) -> list[UsageEntry]:
    """Records what the writer says her killed calls cost: `usd` for each, or all that was reserved.

    `select` chooses among the open calls. The novel is locked during the call, so that no call in
    question is in progress. StudioError: 2 for an amount that no call costs, 3 if the novel is in
    use.
    """
    if usd is not None and not 0 <= usd <= MOST_A_CALL_COSTS:
        raise usage(
            said("No call costs that amount."),
            said(
                "Give US dollars from 0 to {most_a_call_costs}.",
                most_a_call_costs=f"{MOST_A_CALL_COSTS:,.0f}",
            ),
        )
    ends = []
    with ProjectLock(store.layout.folder):
        for entry in select(costs_of(store, settings, store.journal.usage_entries()).open):
            cost = entry.reserved_usd if usd is None else usd
            end = entry.copy_with(event="settle", ts=now(), usd=cost, settled_by="writer")
            store.journal.settle(end)
            ends.append(end)
    return ends

"""What was asked before the first chapter is booked as the beginning's, and not as chapter 1's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.i18n import use
from studio.llm.budget import Caps
from studio.pipeline.costs import Costs
from studio.pipeline.events import UsageEvent, usage_event
from studio.session import Session
from studio.story.ledger import BEGINNING, Spendings, UsageLedger, booked_under
from studio.story.records import Counted, UsageEntry
from studio.tui.views.pages.chapter import log_lines
from studio.tui.views.run.moment import RunState
from studio.tui.views.run.run_state import apply_events
from tests.cli.command import studio

LOCALES = {"en": "en_US.UTF-8", "ko": "ko_KR.UTF-8", "zh": "zh_CN.UTF-8"}
NAMES = [("en", "the beginning"), ("ko", "책의 시작"), ("zh", "开书")]
WORLD = "gen-001-abcdef-draft-start-world-l0-7f3a91abcd"
DRAFT = "gen-001-7f3a91-draft-s01-l0-7f3a91abcd"


def ended(call: str, usd: float, chapter: int | None = 1) -> UsageEntry:
    return UsageEntry.model_validate(
        {
            "event": "settle",
            "id": call,
            "ts": "2026-11-21T09:30:00Z",
            "call": call,
            "chapter": chapter,
            "model": "claude-opus-5-5",
            "usd": usd,
        }
    )


# req: N7
@pytest.mark.parametrize("chapter", [1, None], ids=["an older line", "a line of today"])
@pytest.mark.parametrize(("language", "name"), NAMES)
def test_the_page_of_costs_has_a_row_of_the_beginning(
    language: str, name: str, chapter: int | None
) -> None:
    ledger = UsageLedger([ended(WORLD, 0.25, chapter), ended(DRAFT, 0.5)])
    costs = Costs(ledger, Caps(), "2026-11-21", Counted(0.75, 0.75, 0.75, 0.75, 0.0), ())
    use(language)
    rows = ["".join(p.text for p in row) for row in log_lines(RunState(), (), costs)]
    use("en")
    assert [row for row in rows if name in row and row.endswith("$0.2500")]
    assert [row for row in rows if "1" in row and row.endswith("$0.5000")]
    assert costs.spent_on(1) == 0.5, "as status says it"


# req: N7
@pytest.mark.sampled
@pytest.mark.parametrize(("language", "name"), NAMES)
def test_usage_has_a_row_of_the_beginning(project: Path, language: str, name: str) -> None:
    journal = Session.open(project, os.environ).store.journal
    for entry in (ended(WORLD, 0.25), ended(DRAFT, 0.5)):
        journal.spending.append(entry)
    environ = {"LANG": LOCALES[language]}
    rows = studio("usage", cwd=project, environ=environ).out.splitlines()
    assert [row for row in rows if row.startswith(name) and "$0.2500" in row]
    keys = {row["key"]: row["usd"] for row in studio("usage", "--json", cwd=project).json["rows"]}
    assert keys["beginning"] == 0.25
    assert keys["1"] == 0.5
    assert journal.spent_on(1) == 0.5, "as the bar says it"


# req: N7
@pytest.mark.sampled
@pytest.mark.parametrize(("language", "name"), NAMES)
def test_the_cap_of_the_beginning_is_told_as_its_own(
    project: Path, language: str, name: str
) -> None:
    session = Session.open(project, os.environ)
    assert session.costs().caps.chapter_usd == 2
    assert name not in told_by_both(session, project, language), "nothing was asked yet"
    session.store.journal.spending.append(ended(DRAFT, 0.5))
    assert name not in told_by_both(session, project, language), "this book has no beginning"
    session.store.journal.spending.append(ended(WORLD, 0.25))
    page = told_by_both(session, project, language)
    assert len([r for r in page.splitlines() if name in r and "$0.2500" in r and "$2.00" in r]) == 2


def told_by_both(session: Session, project: Path, language: str) -> str:
    """What `studio usage` and the page of costs say."""
    use(language)
    try:
        rows = ["".join(p.text for p in row) for row in log_lines(RunState(), (), session.costs())]
    finally:
        use("en")
    return "\n".join([*rows, studio("usage", cwd=project, environ={"LANG": LOCALES[language]}).out])


@pytest.mark.parametrize("chapter", [1, None], ids=["an older line", "a line of today"])
def test_every_cap_holds_for_the_beginning_as_a_whole(chapter: int | None) -> None:
    begun = ended(WORLD, 0.25, chapter).model_copy(
        update={"event": "reserve", "reserved_usd": 0.25}
    )
    novel = Spendings().novel("a").add_reserve(begun, (0, 0, 0))
    counted = Spendings().count(novel, booked_under(begun), "2026-11-21")
    assert (counted.chapter, counted.day, counted.novel) == (0.25, 0.25, 0.25)
    counted = Spendings().count(novel, 1, "2026-11-21")
    assert (counted.chapter, counted.day, counted.novel) == (0, 0.25, 0.25)


def test_what_was_spent_on_a_chapter_taken_out_is_not_the_beginnings() -> None:
    novel = Spendings().novel("a")
    summed = novel.added_up(UsageLedger([ended(DRAFT, 0.5, None)]), (0, 0, 0))
    assert Spendings().count(summed, BEGINNING, "2026-11-21").chapter == 0
    assert Spendings().count(summed, BEGINNING, "2026-11-21").novel == 0.5


def test_the_bar_of_a_chapter_leaves_the_beginning_out() -> None:
    event = usage_event(ended(WORLD, 0.25, None))
    assert isinstance(event, UsageEvent)
    assert apply_events(RunState(chapter=1), [event]).spending.cost == 0
    assert apply_events(RunState(), [event]).spending.cost == 0.25

"""What a call cost that was stopped or killed, or whose server did not say how long the answer was,
is an estimate, and every amount that holds one says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.i18n import use
from studio.llm.budget import Caps
from studio.pipeline.costs import Costs
from studio.pipeline.events import usage_event
from studio.session import Session
from studio.story.ledger import UsageLedger
from studio.story.records import Counted, UsageEntry
from studio.tui.views.pages.chapter import log_lines
from studio.tui.views.run.moment import ChapterSpending, RunState
from studio.tui.views.run.stage_line import stage_line
from tests.cli.command import studio

LOCALES = {"en": "en_US.UTF-8", "ko": "ko_KR.UTF-8", "zh": "zh_CN.UTF-8"}
ABOUT = [("en", "about "), ("ko", "약 "), ("zh", "约 ")]
UNREPORTED = "unreported"
"""A call whose server did not say how long the answer was."""


def ended(number: int, usd: float, by: str | None = None, chapter: int = 3) -> UsageEntry:
    is_reported = by != UNREPORTED
    tokens = {"input_tokens": 900, "output_tokens": 400 if is_reported else None}
    return UsageEntry.model_validate(
        {
            "event": "settle",
            "id": f"a{number}",
            "ts": f"2026-11-2{number}T09:30:00Z",
            "chapter": chapter,
            "model": "claude-opus-5-5",
            "usd": usd,
            "settled_by": by if is_reported else None,
            "usage": tokens,
        }
    )


def page(*entries: UsageEntry) -> str:
    ledger = UsageLedger(entries)
    usd = ledger.spent().usd
    costs = Costs(ledger, Caps(), "2026-11-21", Counted(usd, usd, usd, usd, 0.0), ())
    lines = log_lines(RunState(chapter=3), (), costs)
    return "\n".join("".join(said.text for said in line) for line in lines)


def bar(*entries: UsageEntry) -> str:
    spending = ChapterSpending()
    for entry in entries:
        spending = spending.plus(usage_event(entry))
    line = stage_line(RunState(chapter=3, spending=spending), 80)
    return "".join(part.text for part in line)


# req: N7
@pytest.mark.parametrize(("language", "about"), ABOUT)
@pytest.mark.parametrize("by", ["stopped", "received", UNREPORTED])
def test_the_page_of_costs_and_the_bar_mark_an_estimate(language: str, about: str, by: str) -> None:
    known, guessed = ended(1, 0.25), ended(2, 0.5, by)
    use(language)
    words = page(known, guessed)
    assert words.count(f"{about}$0.7500") == 3, "of chapter and model, the chapter, all"
    assert f"{about}$0.2500" not in words, "of today's calls every cost is known"
    amount = "75 cents" if about == "about " else "$0.75"
    assert f"{about}{amount}" in bar(known, guessed)
    assert about not in page(known)
    assert about not in bar(known)


def test_what_the_provider_or_the_writer_said_is_no_estimate() -> None:
    for by in ("record", "writer", None):
        assert "about" not in page(ended(1, 0.5, by))
        assert "about" not in bar(ended(1, 0.5, by))


# req: N7
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "about", "by"),
    [*((*row, "stopped") for row in ABOUT), ("ko", "약 ", UNREPORTED)],
)
def test_usage_and_status_mark_an_estimate(
    project: Path, language: str, about: str, by: str
) -> None:
    journal = Session.open(project, os.environ).store.journal
    for entry in (ended(1, 0.25, chapter=1), ended(2, 0.5, by, 2)):
        journal.spending.append(entry)
    environ = {"LANG": LOCALES[language]}
    rows = studio("usage", cwd=project, environ=environ).out.splitlines()
    assert sum(f"{about}$0.5000" in row for row in rows) == 1
    assert sum(f"{about}$0.7500" in row for row in rows) == 1, "the sum of all"
    assert sum("$0.2500" in row and about not in row for row in rows) == 1
    status = studio("status", cwd=project, environ=environ).out
    assert f"{about}$0.7500" in status
    assert f"{about}$0.0000" not in status
    assert studio("status", "--json", cwd=project, environ=environ).json["estimated"] == ["novel"]

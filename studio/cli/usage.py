"""`studio usage`: tokens and money by chapter, day or model, and how far the caps are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import speech
from studio.cli.options import json_option, open_session, project_option
from studio.errors import Exit

if TYPE_CHECKING:
    from studio.llm.budget import Total
    from studio.story.calls import UsageEntry

_KEYS: dict[str, Callable[[UsageEntry], str]] = {
    "chapter": lambda entry: "" if entry.chapter is None else str(entry.chapter),
    "day": lambda entry: entry.ts[:10],
    "model": lambda entry: entry.model,
}


@click.command()
@click.option(
    "--by", type=click.Choice(list(_KEYS)), default="chapter", help="How to add up.", metavar="WHAT"
)
@json_option
@project_option
def usage(by: str, as_json: bool, project: Path) -> int:
    """What was spent on this novel, by chapter, day or model. Changes nothing.

    A call whose end was never noted counts with all that was reserved for it.
    --json prints {schema_version, by, rows: [{key, calls, input_tokens,
    cached_tokens, output_tokens, usd, unknown}], total: the same without a
    key, caps: {chapter_usd, day_usd, project_usd}, today_usd}.
    """
    from studio.llm.budget import Caps, Ledger
    from studio.project.clock import now

    session = open_session(project)
    caps, today = session.settings.budget, now()[:10]
    entries = session.store.journal.usage_entries()
    ledger = Ledger(entries, Caps(), today)
    rows = ledger.totals(_KEYS[by])
    whole = ledger.spent()
    spent_today = ledger.spent(day=today).usd
    limits = {
        "chapter_usd": caps.chapter_usd,
        "day_usd": caps.day_usd,
        "project_usd": caps.project_usd,
    }
    if as_json:
        speech.say_json(
            {
                "schema_version": 1,
                "by": by,
                "rows": [{"key": key, **asdict(total)} for key, total in rows.items()],
                "total": asdict(whole),
                "caps": limits,
                "today_usd": spent_today,
            }
        )
        return Exit.DONE
    if not rows:
        speech.say("No model was asked for this novel yet.")
        return Exit.DONE
    table: list[tuple[str, ...]] = [(by, "calls", "tokens in", "from the cache", "out", "cost")]
    table += [(key or "none", *_cells(total)) for key, total in rows.items()]
    table.append(("all", *_cells(whole)))
    for line in speech.columns(table):
        speech.say(line)
    for name, limit, spent in (
        ("today", caps.day_usd, spent_today),
        ("the novel", caps.project_usd, whole.usd),
    ):
        if limit is not None:
            speech.say(f"Of ${limit:.2f} for {name}, ${spent:.4f} is spent.")
    if caps.chapter_usd is not None:
        speech.say(f"A chapter may cost ${caps.chapter_usd:.2f}.")
    return Exit.DONE


def _cells(total: Total) -> tuple[str, ...]:
    tokens = (total.input_tokens, total.cached_tokens, total.output_tokens)
    more = f" and {total.unknown} of unknown price" if total.unknown else ""
    return (str(total.calls), *(f"{count:,}" for count in tokens), f"${total.usd:.4f}{more}")

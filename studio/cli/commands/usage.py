"""`studio usage`: tokens and money by chapter, day or model, the distance to the caps, and the
calls whose cost only the writer can supply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.options import (
    ShowFirst,
    Telling,
    command,
    novel_options,
    open_session,
    project_option,
)
from studio.errors import Exit
from studio.errors import usage as misused
from studio.messages import quantity, said
from studio.project.clock import local_time
from studio.story.ledger import BEGINNING, booked_under

if TYPE_CHECKING:
    from studio.pipeline.costs import Costs
    from studio.story.ledger import Total
    from studio.story.records import UsageEntry

_BEGINNING = "beginning"
"""The key of what was asked before the first chapter, for the book as a whole."""


def _chapter_key(entry: UsageEntry) -> str:
    chapter = booked_under(entry)
    if chapter == BEGINNING:
        return _BEGINNING
    return "" if chapter is None else str(chapter)


_KEYS: dict[str, Callable[[UsageEntry], str]] = {
    "chapter": _chapter_key,
    "day": lambda entry: entry.ts[:10],
    "model": lambda entry: entry.model,
}


@click.group(cls=ShowFirst)
def usage() -> None:
    """What was spent on this novel; what killed calls cost; models of unknown price."""


@usage.command()
@click.option(
    "--by",
    type=click.Choice(list(_KEYS)),
    default="chapter",
    help=("How to group the sums."),
    metavar="WHAT",
)
@novel_options
def show(by: str, project: Path) -> Telling:
    """What was spent on this novel, by chapter, day or model. Changes nothing.

    A call whose end was never recorded, because it was killed, is listed separately as perhaps
    spent; the full amount reserved for it counts against the caps. A call of a run that is on is
    named as such.

    --json prints {schema_version, by, rows: [{key, calls, input_tokens, cached_tokens,
    output_tokens, usd, unknown, estimated_calls, perhaps_calls, perhaps_usd}], total:
    the same without a key, caps: {chapter_usd, day_usd, project_usd, all_novels_day_usd},
    counted_usd, today_usd, perhaps_usd, all_novels_today_usd,
    open: [{id, chapter, ts, model, reserved_usd}]}.
    """
    session = open_session(project)
    costs = session.costs()
    rows = costs.ledger.totals(_KEYS[by])
    whole = costs.ledger.spent()
    yield {
        "by": by,
        "rows": [{"key": key, **asdict(total)} for key, total in rows.items()],
        "total": asdict(whole),
        **_figures(costs),
    }
    if not rows and not costs.counted.novel:
        output.say(said("No model was asked for this novel yet."))
        return
    heads = (said("tokens in"), said("from the cache"), said("out"), said("cost"))
    table: list[tuple[str, ...]] = [(_BY.get(by, by), said("calls"), *heads)]
    for key, total in rows.items():
        name = _name_of_chapter(key) if by == "chapter" else key
        table.append((name or said("none"), *_cells(total)))
    table.append((said("all"), *_cells(whole)))
    output.say_columns(table)
    _say_caps(costs)
    if costs.running:
        output.say(costs.running_words)
    if costs.ended_unseen:
        output.say(
            said(
                "Perhaps spent: up to ${perhaps_usd}, by {calls} with no recorded end. "
                "{command} shows them.",
                perhaps_usd=f"{costs.ended_unseen_usd:.4f}",
                calls=quantity(len(costs.ended_unseen), "{n} call", "{n} calls"),
                command=command("usage settle", project),
            )
        )


_BY = {"chapter": said("chapter"), "model": said("model"), "day": said("day")}
"""The headings of the sums."""


def _figures(costs: Costs) -> dict[str, Any]:
    caps = costs.caps
    return {
        "caps": {
            "chapter_usd": caps.chapter_usd,
            "day_usd": caps.day_usd,
            "project_usd": caps.project_usd,
            "all_novels_day_usd": caps.all_novels_usd,
        },
        "counted_usd": costs.counted.novel,
        "today_usd": costs.today_usd,
        "perhaps_usd": costs.perhaps_usd,
        "all_novels_today_usd": costs.all_novels_today_usd,
        "open": [
            entry.model_dump(include={"id", "chapter", "ts", "model", "reserved_usd"})
            for entry in costs.open
        ],
    }


def _say_caps(costs: Costs) -> None:
    caps = costs.caps
    for name, limit, sum_ in (
        (said("today"), caps.day_usd, costs.counted.day),
        (said("today over all your novels"), caps.all_novels_usd, costs.all_novels_today_usd),
        (said("the novel"), caps.project_usd, costs.counted.novel),
        (said("the beginning"), caps.chapter_usd, costs.beginning_usd or None),
    ):
        if limit is not None and sum_ is not None:
            output.say(
                said(
                    "Of ${limit} for {name}, ${sum} is spent or reserved.",
                    limit=f"{limit:.2f}",
                    name=name,
                    sum=f"{sum_:.4f}",
                )
            )
    if caps.chapter_usd is not None:
        output.say(
            said("A chapter may cost ${chapter_usd}.", chapter_usd=f"{caps.chapter_usd:.2f}")
        )


def _name_of_chapter(key: str) -> str:
    if key == _BEGINNING:
        return said("the beginning")
    return label_of(int(key)) if key else ""


def _cells(total: Total) -> tuple[str, ...]:
    tokens = (total.input_tokens, total.cached_tokens, total.output_tokens)
    return (str(total.calls), *(f"{count:,}" for count in tokens), total.words)


@usage.command()
@click.argument("numbers", nargs=-1, type=click.IntRange(min=1), metavar="[NUMBER]...")
@click.option("--all", "all_", is_flag=True, help="All calls with no recorded end.")
@click.option(
    "--usd", type=float, metavar="AMOUNT", help="What each of them cost, as your provider says."
)
@novel_options
def settle(numbers: tuple[int, ...], all_: bool, usd: float | None, project: Path) -> Telling:
    """Say what killed calls cost; without NUMBER or --all, list them.

    A call that was killed before its end may have cost all that was reserved
    for it, or nothing. With --usd the amount your provider's bill names counts
    instead; without it the call counts as spent in full.

    --json prints
    {schema_version, open or settled: [{number, id, chapter, ts, model,
    reserved_usd, usd}]}.
    """
    from studio.pipeline.costs import settle_by_hand

    session = open_session(project)
    if not numbers and not all_:
        if usd is not None:
            raise misused(
                said("Say which calls cost that."), f"{command('usage settle', project)}."
            )
        return (yield from _list(session.costs(), project))

    def choose(pending: Sequence[UsageEntry]) -> Sequence[UsageEntry]:
        if numbers and max(numbers) > len(pending):
            raise misused(
                said("There is no unsettled call {numbers}.", numbers=max(numbers)),
                said("{command} lists them.", command=command("usage settle", project)),
            )
        return pending if all_ else [pending[number - 1] for number in sorted(set(numbers))]

    entries = settle_by_hand(session.store, session.settings, choose, usd)
    yield {"settled": _rows(entries)}
    if not entries:
        output.say(said("Every call is accounted for."))
    else:
        total = sum(entry.usd or 0.0 for entry in entries)
        output.report(
            said(
                "{calls} settled with ${total}.",
                calls=quantity(len(entries), "{n} call", "{n} calls"),
                total=f"{total:.4f}",
            )
        )


def _list(costs: Costs, project: Path) -> Telling:
    pending = costs.ended_unseen
    yield {"open": _rows(pending)}
    if costs.running:
        output.say(costs.running_words)
    if not pending and costs.running:
        return
    if not pending:
        output.say(said("Every call is accounted for."))
        return
    rows = [output.in_words("", said("chapter"), said("begun"), said("model"), said("at most"))]
    rows += [
        (
            str(number),
            _name_of_chapter(_chapter_key(entry)),
            local_time(entry.ts),
            entry.model,
            said("not known") if entry.reserved_usd is None else f"${entry.reserved_usd:.4f}",
        )
        for number, entry in enumerate(pending, start=1)
    ]
    output.say_columns(rows)
    say = command("usage settle 1 --usd 0.02", project)
    output.say(said("{say} says what the first of them cost; --all means every one.", say=say))


def _rows(entries: Sequence[UsageEntry]) -> list[dict[str, Any]]:
    fields = {"id", "chapter", "ts", "model", "reserved_usd", "usd"}
    return [
        {"number": number, **entry.model_dump(include=fields)}
        for number, entry in enumerate(entries, start=1)
    ]


@usage.command()
@click.argument("model")
@click.option("--today", is_flag=True, help="For today only (a day in UTC).")
@project_option
def allow(model: str, today: bool, project: Path) -> int:
    """Allow a MODEL of unknown price, although a budget cannot count its calls."""
    open_session(project).store.journal.spending.allow_unpriced([model], for_good=not today)
    until = said(" today") if today else ""
    output.say(
        said(
            "{one_line} may be asked{until}; its calls are not counted.",
            one_line=output.one_line(model),
            until=until,
        )
    )
    return Exit.DONE

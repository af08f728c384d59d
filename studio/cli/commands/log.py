"""`studio log`: the list of model calls, and the full record of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.completion import call_ids, chapters
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    novel_options,
    only_one,
    open_session,
    project_option,
    say_command,
)
from studio.cli.terms import term
from studio.errors import Exit, damaged
from studio.i18n import translate
from studio.messages import said
from studio.project.clock import local_time
from studio.story.ledger import dollars

if TYPE_CHECKING:
    from studio.story.records import CallRecord

_NEWEST = 20


@click.group(cls=ShowFirst)
def log() -> None:
    """What was asked of a model for this novel, and what came back.

    Each finished call is kept whole in logs/generations/.
    """


@log.command("list")
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@click.option(
    "--last", type=click.IntRange(min=1), default=None, help=f"How many; {_NEWEST} by default."
)
@novel_options
def list_them(chapter: int | None, last: int | None, as_json: bool, project: Path) -> Telling:
    """The newest calls, of CHAPTER or of the whole book, the newest last.

    --json prints {schema_version, calls: [{id, created_at, chapter, scene,
    stage, agent, model, provider, role, finish_reason, input_tokens,
    cached_tokens, output_tokens, cost_usd, duration_ms}]}; all of them unless
    --last says how many.
    """
    calls = list(_calls(project, chapter))
    newest = calls[-(last or (len(calls) if as_json else _NEWEST)) :]
    yield {"calls": [_row(call) for call in newest]}
    if not calls:
        about = said("chapter {number}", number=chapter) if chapter else said("this novel")
        output.say(said("No model was asked for {about} yet.", about=about))
        return
    if len(newest) < len(calls):
        output.say(
            said(
                "The newest {count} of {count2} calls; --last N shows more.",
                count=len(newest),
                count2=len(calls),
            ),
            "quiet",
        )
    output.say_columns(_table(newest))
    say_command(said("{command} prints one whole."), "log show ID", project, "quiet")


@log.command()
@click.argument("call", metavar="ID", shell_complete=call_ids)
@novel_options
def show(call: str, project: Path) -> Telling:
    """One call whole: what was sent, block by block, and what came back.

    ID may be shortened.

    --json prints the record as it is kept.
    """

    record = _find(project, call)
    yield record
    for line in _whole(record):
        output.say(line)


@log.command()
@click.argument("call", metavar="ID", shell_complete=call_ids)
@project_option
def replay(call: str, project: Path) -> int:
    """Plays a call again: its events as `write --events` prints them, one a line.

    ID may be shortened. No model is asked and nothing is changed. The pieces are
    sentences, dated evenly over the time that the call took.
    """
    from studio.pipeline.prompting.answer_stream import replay as events_of

    for event in events_of(_find(project, call)):
        output.put_json(event.line())
    return Exit.DONE


def _calls(project: Path, chapter: int | None) -> Iterator[CallRecord]:
    """Yields the calls, oldest first; an unreadable one is reported and skipped."""
    journal = open_session(project).store.journal
    records = []
    for generation in journal.generation_ids(chapter):
        record = journal.recall_today(generation)
        if record is None:
            output.warn(said("{path} cannot be read; it is left out.", path=_place_of(generation)))
        else:
            records.append(record)
    yield from sorted(records, key=lambda record: record.created_at)


def _place_of(generation: str) -> str:
    return f"logs/generations/{generation}.json"


def _find(project: Path, beginning: str) -> CallRecord:
    journal = open_session(project).store.journal
    generation = only_one(
        beginning, journal.generation_ids(), said("call"), said("`studio log` lists them.")
    )
    record = journal.recall_today(generation)
    if record is None:
        raise damaged(
            said("{path} cannot be read.", path=_place_of(generation)),
            said("`studio verify` says what is wrong with it."),
        )
    return record


def _row(record: CallRecord) -> dict[str, object]:
    usage = record.total_usage
    return {
        "id": record.id,
        "created_at": record.created_at,
        "chapter": record.chapter,
        "scene": record.scene,
        "stage": record.stage,
        "agent": record.agent,
        "model": record.model,
        "provider": record.provider,
        "role": record.role,
        "finish_reason": record.finish_reason,
        "input_tokens": usage.input_tokens if usage else None,
        "cached_tokens": usage.cache_read_tokens if usage else None,
        "output_tokens": usage.output_tokens if usage else None,
        "cost_usd": record.cost_usd,
        "duration_ms": record.duration_ms,
    }


def _table(calls: list[CallRecord]) -> Iterator[tuple[str, ...]]:
    yield (
        said("when"),
        said("for"),
        said("agent"),
        said("model"),
        said("tokens in, out"),
        said("cost"),
        said("ended"),
        "id",
    )
    for call in calls:
        usage = call.total_usage
        tokens = (usage.input_tokens, usage.output_tokens) if usage else (None, None)
        yield (
            local_time(call.created_at),
            _subject(call),
            term(call.agent),
            call.model or said("unknown"),
            ", ".join("?" if count is None else f"{count:,}" for count in tokens),
            dollars(call.cost_usd),
            term(call.finish_reason),
            call.id,
        )


def _subject(call: CallRecord) -> str:
    """Returns the chapter and scene that a call was for, or its stage."""
    if not call.chapter:
        return term(call.stage)
    if not call.scene:
        return said("chapter {number}", number=call.chapter)
    return said("chapter {number}, scene {scene}", number=call.chapter, scene=call.scene)


def _whole(record: CallRecord) -> Iterator[str]:
    from studio.pipeline.previews.preview import blocks_of

    yield from output.columns(list(_table([record])))
    for name, value in (
        (said("Direction"), record.input),
        (said("Exemplars"), ", ".join(record.exemplars)),
        (said("Left out"), ", ".join(record.dropped_blocks)),
        (said("Cut short"), ", ".join(record.cut_blocks)),
        (said("Goes on from"), record.continues),
        (said("Characters that repeated what stood"), record.trimmed),
        (said("Thinking"), record.reasoning),
    ):
        if value:
            yield f"{translate(name)}: {value}"
    for piece in blocks_of(record.messages):
        yield ""
        yield f"[{translate(term(piece.name)) if ' ' in piece.name else piece.name}]"
        yield piece.text
    yield ""
    yield f"[{translate(said('the answer'))}]"
    yield record.generated_text

"""`studio continuity`: contradictions within the book, and open threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.options import (
    A_CHAPTER,
    CommandResult,
    Telling,
    model_overrides,
    novel_options,
    open_session,
    provider_option,
    say_command,
)
from studio.cli.paid_call import ask_for_window, once_agreed
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import quantity, said
from studio.quotation_marks import put_in_quotes
from studio.story.form.document import to_jsonable

if TYPE_CHECKING:
    from studio.book.continuity.ledger import Ledger
    from studio.session import Session
    from studio.story.continuity import ContinuityFinding


@click.command()
@click.argument("chapter", type=A_CHAPTER, required=False)
@click.option("--all", "everything", is_flag=True, help="The whole book and every plan behind it.")
@click.option("--strict", is_flag=True, help="End with 1 if a grave finding is open.")
@click.option("--model", "by_model", is_flag=True, help="Have a model read the chapters, too.")
@provider_option
@novel_options
def continuity(
    chapter: int | None,
    everything: bool,
    strict: bool,
    by_model: bool,
    provider: str | None,
    as_json: bool,
    project: Path,
) -> Telling:
    """Look for contradictions; with --model, a model reads the chapters as well.

    Without a number the book and the plan of the next chapter. The check by code uses no model
    and changes nothing. With --model the price comes first, and at a terminal you are asked; the
    last ten chapters are read, with --all the book, with CHAPTER the ten up to it. What was found
    is kept in evaluations/continuity.json and holds while its chapters stay as they are.

    --json prints {schema_version, chapters: [first, last], findings, waived, checked}; a finding
    is {id, code, severity, chapters, entities, fact_key, message, evidence: [{chapter,
    paragraph_sha256, quote}], source}; checked has `model` where one read these chapters.
    """
    from studio.book.continuity.ledger import ledger_of
    from studio.text.language.packs import load_pack

    if chapter is not None and everything:
        raise usage(said("Name a chapter or say --all, not both."))
    session = open_session(project, model_overrides(provider, None))
    if by_model and (code := _read_by_a_model(session, chapter, everything, as_json)) is not None:
        return code
    store, pack = session.store, load_pack(session.settings.novel.language)
    numbers = None if chapter is None else [chapter]
    if everything:
        from studio.book.continuity.book_view import BookView

        book = BookView(store, pack)
        numbers = [*book.committed_deltas, *(n for n in book.planned_chapters if n > book.last)]
    ledger = ledger_of(store, pack, numbers)
    yield CommandResult(_as_json(ledger), Exit.FAILED if strict and ledger.high else Exit.DONE)
    _tell(ledger, project)


def _read_by_a_model(
    session: Session, chapter: int | None, everything: bool, as_json: bool
) -> int | None:
    """Has a model read the chapters, once the writer has agreed to the price; returns an exit code
    where the command ends there."""
    from studio.pipeline.book_runs.chapter_windows import chapters_to_read

    ask_for_window(session, is_for_programs=as_json)
    reader = session.continuity_reader()
    numbers = chapters_to_read(session.store, chapter, everything=everything)
    plan = reader.plan(numbers)
    calls = quantity(len(plan.windows), "{n} call", "{n} calls")
    outcome = once_agreed(
        lambda emit: reader.run(numbers, emit),
        said(
            "{calls} to {model}, and as many to disprove what is found.",
            calls=calls,
            model=plan.model,
        ),
        plan.cost,
        as_json=as_json,
        stopped=said("Stopped; only what the calls said was kept. The same command goes on."),
    )
    if isinstance(outcome, int):
        return outcome
    if not as_json and outcome.explained:
        output.say(
            said(
                "{findings} could be explained and were dropped.",
                findings=quantity(outcome.explained, "{n} finding", "{n} findings"),
            )
        )
    return None


def _as_json(ledger: Ledger) -> dict[str, object]:
    return {
        "schema_version": 1,
        "chapters": [ledger.first, ledger.last],
        "findings": [to_jsonable(entry) for entry in ledger.findings],
        "waived": [to_jsonable(entry) for entry in ledger.waived],
        "checked": list(ledger.checked),
    }


def _tell(ledger: Ledger, project: Path) -> None:
    reach = (
        said("Chapter {chapter}", chapter=ledger.first)
        if ledger.first == ledger.last
        else said("Chapters {first} to {last}", first=ledger.first, last=ledger.last)
    )
    if not ledger.findings:
        output.say(said("{reach}: nothing that contradicts itself was seen.", reach=reach))
    else:
        output.say(said("{reach}:", reach=reach), "strong")
        show_findings(ledger.findings)
        say_command(
            said("{command} says it is meant."), "waivers add --fact KEY --reason WORDS", project
        )
    if ledger.waived:
        output.say(said("{count} more are meant, as you said.", count=len(ledger.waived)))


def show_findings(findings: Sequence[ContinuityFinding]) -> None:
    """Prints findings with their places."""
    for entry in findings:
        output.say(
            f"  {translate(entry.message)}", "strong" if entry.severity == "high" else "plain"
        )
        for place in entry.evidence:
            if place.quote:
                output.say(
                    f"    {label_of(place.chapter)}: {put_in_quotes(output.one_line(place.quote))}"
                )
        output.say(f"    {entry.fact_key}")

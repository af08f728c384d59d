"""`studio rebuild`: previews and then applies the consequences of chapters edited by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import label_of, typed_name
from studio.cli import completion, output
from studio.cli.commands.continuity import show_findings
from studio.cli.keyboard import asks, confirm
from studio.cli.options import (
    A_CHAPTER,
    CommandResult,
    Telling,
    command,
    model_options,
    model_overrides,
    novel_options,
    open_session,
    say_command,
)
from studio.cli.paid_call import ask_for_window
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.signals import StoppableCall
from studio.errors import usage
from studio.messages import chapters_named, quantity, said
from studio.pipeline.outcome import Failed, Stopped
from studio.story.state_words import change_in_words

if TYPE_CHECKING:
    from studio.pipeline.rebuild import Rebuilder, RebuildOrder, RebuildReport
    from studio.session import Session
    from studio.story.consistency import Disagreement

WHY = {
    "changed": said("changed by hand"),
    "brought_back": said("an earlier version brought back"),
    "taken_back": said("a fix taken back"),
    "named": said("named by you"),
    "interrupted": said("left over from an interrupted rebuild"),
}
_MANY = 8


@click.command()
@click.argument(
    "chapters",
    type=A_CHAPTER,
    nargs=-1,
    metavar="[CHAPTER...]",
    shell_complete=completion.chapters,
)
@click.option("--all", "everything", is_flag=True, help="Every chapter: trust the text alone.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and change nothing.")
@click.option(
    "--let-stand",
    is_flag=True,
    help=(
        "Change nothing: these chapters, or all of them, stand as they are although their plans "
        "changed."
    ),
)
@model_options
@novel_options
def rebuild(
    chapters: Sequence[int],
    everything: bool,
    dry_run: bool,
    let_stand: bool,
    as_json: bool,
    provider: str | None,
    model: str | None,
    project: Path,
) -> Telling:
    """Summarize changed chapters again, and make the story's state anew from there.

    Without CHAPTER those that were changed by hand; chapters the story's state
    knows nothing of are named, and at a terminal offered. What will be done,
    and what it can cost at most, is shown first; at a terminal you are asked.
    Your text is never changed. The same command goes on where it was interrupted.

    --json prints {schema_version, chapters: [{chapter, title, why, status,
    most_usd}], replayed, stale: [{chapter, entry, reason}], findings, checked, missing,
    moved, gaps, about_usd, most_usd, model}; with --let-stand {schema_version,
    settled: [{path, chapters}]}.
    """
    from studio.pipeline.rebuild import RebuildOrder

    if everything and chapters:
        raise usage(said("Name chapters or say --all, not both."))
    order = RebuildOrder(tuple(sorted(set(chapters))), everything)
    session = open_session(project, model_overrides(provider, model))
    if let_stand:
        return (yield from _let_stand(session, chapters))
    rebuilder = session.rebuilder()
    preview = rebuilder.preview(order)
    if not (as_json or dry_run or chapters) and _wanted_too(preview):
        order = RebuildOrder((*(c.chapter for c in preview.chapters), *preview.gaps))
        preview = rebuilder.preview(order)
    if dry_run or not preview.chapters:
        yield preview
        _foretell(preview, project)
        return None
    if not as_json:
        _foretell(preview, project)
        if not confirm(said("Go on? y or n: ")):
            output.say(said("Nothing was changed."))
            return None
        ask_for_window(session)
    return (yield from _carry_out(session.rebuilder(), order, project, as_json))


def _wanted_too(preview: RebuildReport) -> bool:
    """Whether the writer, asked at a terminal, also wants to close the gaps in the state."""
    if not preview.gaps or not asks():
        return False
    output.say(_gap_sentence(preview))
    return confirm(said("Read them as well? y or n: "))


def _gap_sentence(preview: RebuildReport) -> str:
    return said("The story's state knows nothing of {numbers}.", numbers=_numbers(preview.gaps))


def _let_stand(session: Session, chapters: Sequence[int]) -> Telling:
    settled_changes = session.upkeep().let_stand(chapters or None)
    rows = [{"path": change.path, "chapters": list(change.chapters)} for change in settled_changes]
    yield {"settled": rows}
    if not settled_changes:
        output.say(said("No plan of theirs was changed."))
    for change in settled_changes:
        subject = said("the book") if change.whole_book else _numbers(change.chapters)
        output.say(said("{path}: {subject} stands as it is.", path=change.path, subject=subject))


def _carry_out(rebuilder: Rebuilder, order: RebuildOrder, project: Path, as_json: bool) -> Telling:
    listener = Warnings() if as_json else ProgressLines(streams=False)
    run = StoppableCall(lambda emit: rebuilder.run(order, emit), listener)
    outcome = run.go()
    code = int(outcome.exit_code) if run.exit_code is None else run.exit_code
    if isinstance(outcome, Failed):
        output.show_problem(outcome.problem)
    elif isinstance(outcome, Stopped):
        output.tell(
            said(
                "Stopped; finished chapters stay done. {command} goes on.",
                command=command("rebuild", project),
            )
        )
    else:
        yield CommandResult(outcome.report, code)
        _tell(outcome.report, project)
        if isinstance(listener, ProgressLines) and (cost := listener.cost_sentence()):
            output.say(cost)
    return code


def _foretell(preview: RebuildReport, project: Path) -> None:
    """Prints what a rebuild will do, and what prevents it."""
    for number in preview.missing:
        restore = command(f"history restore {typed_name(number)}", project)
        output.warn(
            said(
                "Chapter {number} is missing or empty; {restore} brings its text back.",
                number=number,
                restore=restore,
            )
        )
    for sentence in preview.moved:
        output.warn(sentence)
    if preview.moved:
        back = command("history put-back", project)
        output.warn(
            said(
                "A rebuild takes them as they are now; {back} returns them to their places.",
                back=back,
            )
        )
    if preview.gaps and not asks():
        which = " ".join(map(str, preview.gaps)) if len(preview.gaps) <= _MANY else "--all"
        reads = command(f"rebuild {which}", project)
        output.say(
            said(
                "{gap_sentence} {reads} reads them.",
                gap_sentence=_gap_sentence(preview),
                reads=reads,
            )
        )
    if not preview.chapters:
        output.say(
            said("No chapter was changed by hand.")
            if preview.gaps
            else said("No chapter was changed by hand; there is nothing to rebuild.")
        )
        return
    output.say(said("Summarized again:"), "strong")
    rows = [(label_of(c.chapter), c.title, WHY[c.why]) for c in preview.chapters]
    output.say_columns(rows, indent="  ")
    if preview.replayed:
        output.say(said("Replayed as they are: {numbers}.", numbers=_numbers(preview.replayed)))
    if preview.stale:
        output.say(said("These rest on them and may no longer agree:"), "strong")
        _disagreements(preview.stale, is_read=False)
    output.say(_cost(preview))


def _cost(preview: RebuildReport) -> str:
    if not preview.model:
        return said("No model takes part: summaries are taken from the text itself.")
    calls = quantity(len(preview.chapters), "{n} call", "{n} calls")
    return said(
        "{calls} to {model}: {price}.", calls=calls, model=preview.model, price=preview.cost.words
    )


def _tell(report: RebuildReport, project: Path) -> None:
    """Prints what was rebuilt, and what no longer agrees with it."""
    rebuilt_chapters = [entry.chapter for entry in report.chapters]
    output.say(said("Rebuilt: {numbers}.", numbers=_numbers(rebuilt_chapters)))
    if report.stale:
        output.say(said("No longer in agreement; look at them again:"), "strong")
        _disagreements(report.stale)
    if report.findings:
        output.say(said("What contradicts itself after it:"), "strong")
        show_findings(report.findings)
    if report.checked:
        clean = not report.stale and not report.findings
        what = (
            said("no contradiction was seen that code can see")
            if clean
            else said("nothing else was seen")
        )
        output.say(
            said(
                "Looked at: {numbers}, with summaries, promises and plans; {what}.",
                numbers=_numbers(report.checked),
                what=what,
            )
        )
    elif not report.stale:
        output.say(said("No chapter comes after it."))
    first = min(
        [*(entry.chapter for entry in report.stale), *_chapters_in_conflict(report)], default=None
    )
    if first is not None:
        say_command(
            said("{command} reviews one anew."), f"write {typed_name(first)} --again", project
        )


def _chapters_in_conflict(report: RebuildReport) -> list[int]:
    """Returns the later chapters that a finding is about."""
    return [n for entry in report.findings for n in entry.chapters if n in report.checked]


def _disagreements(stale: Sequence[Disagreement], *, is_read: bool = True) -> None:
    """Prints what does not agree any more; before anything `is_read`, without a reason."""
    rows: list[tuple[str, str]] = []
    for one in stale:
        change = change_in_words(one.op, one.op.about)
        why = said("{entry}: {reason}", entry=change, reason=one.reason)
        rows.append((str(one.chapter), why if is_read else change))
    output.say_columns(rows, indent="  ")


def _numbers(chapters: Sequence[int]) -> str:
    """Formats chapter numbers: `chapter 4`, `chapters 4, 5, 7`, `12 chapters from 4 to 20`."""
    if len(chapters) > _MANY:
        return said(
            "{n} chapters from {first} to {last}",
            n=len(chapters),
            first=chapters[0],
            last=chapters[-1],
        )
    return chapters_named(chapters)

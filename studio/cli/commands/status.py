"""`studio status`: where the book stands (seed D10). Reads only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output, prompt
from studio.cli.options import command, json_option, open_session, project_option
from studio.cli.progress import counted
from studio.errors import Exit
from studio.story.form.document import to_jsonable

if TYPE_CHECKING:
    from studio.pipeline.status import StatusReport

LANGUAGES = {"ko": "Korean", "en": "English", "zh": "Chinese"}


@click.command()
@json_option
@project_option
def status(as_json: bool, project: Path) -> int:
    """Show the chapters, the one in work, the open question, the lock, and what was spent.

    --json prints the same with these keys: schema_version, title, language,
    orchestrator_state, volume, last_completed_chapter, next_chapter,
    next_title, inflight_chapter, pipeline_stage, pending_decision, lock,
    lock_sentence, chapters, spent_today_usd, spent_usd, perhaps_usd,
    perhaps_calls, all_novels_today_usd, unpriced_calls, model, warnings.
    """
    report = open_session(project, warned=False).status()
    if as_json:
        output.say_json(to_jsonable(report))
    else:
        _show(report, project)
    return Exit.DONE


def _show(report: StatusReport, project: Path) -> None:
    title = output.one_line(report.title) or "(no title)"
    output.say(f"{title} ({LANGUAGES.get(report.language, report.language)})", "strong")
    rows = [
        (str(chapter.chapter), chapter.title, f"[{', '.join(chapter.badges)}]")
        if chapter.badges
        else (str(chapter.chapter), chapter.title, "")
        for chapter in report.chapters
    ]
    for line in output.columns(rows, indent="  "):
        output.say(line)
    output.say(_next(report, project))
    if report.pending_decision is not None:
        prompt.show(report.pending_decision, project)
    if report.lock_sentence:
        output.say(report.lock_sentence)
    output.say(_spent(report))
    if report.perhaps_calls:
        output.say(
            f"Perhaps spent: up to ${report.perhaps_usd:.4f} more, by"
            f" {counted(report.perhaps_calls, 'call')} without an end."
            f" {command('usage settle', project)} shows them."
        )
    output.say(report.model)
    for warning in report.warnings:
        output.warn(warning)


def _next(report: StatusReport, project: Path) -> str:
    name = f"chapter {report.next_chapter}"
    if report.next_title:
        name += f", “{output.one_line(report.next_title)}”"
    if report.inflight_chapter is None:
        return f"Next: {name}. {command('write', project)}"
    stage = f" ({report.pipeline_stage.value})" if report.pipeline_stage else ""
    return f"In work: {name}{stage}. {command('resume', project)}"


def _spent(report: StatusReport) -> str:
    unpriced = (
        f", {counted(report.unpriced_calls, 'call')} of unknown price"
        if report.unpriced_calls
        else ""
    )
    return f"Spent: ${report.spent_usd:.4f}, today ${report.spent_today_usd:.4f}{unpriced}."

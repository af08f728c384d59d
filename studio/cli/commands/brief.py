"""`studio brief`: how the last chapters went, computed without a model (seed D4). Read-only."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import Telling, json_option, open_session, project_option
from studio.messages import said


@click.command()
@json_option
@project_option
def brief(project: Path) -> Telling:
    """Show means and curves of the last five chapters, and what needs another look.

    Chapters with a low score or a broken rule, chapters the story's state knows nothing of
    (three of them: how they are read again), overdue promises, cost. No model is asked.

    --json prints {schema_version, first, last, mean, book_mean, means, curves, problem_chapters,
    state_gaps, held_back, left_open, rebuild_offered, overdue_promises, cost_usd,
    book_cost_usd}, or null where no chapter is in the book.
    """
    from studio.pipeline.volume.brief import brief_of, sentences_of

    store = open_session(project).store
    last = store.checkpoint().last_completed_chapter
    report = brief_of(store, last) if last else None
    yield report
    if report is None:
        output.say(said("No chapter is in the book yet."))
    else:
        chapters = said("Chapters {first} to {last}", first=report.first, last=report.last)
        output.say(
            chapters
            if report.first < report.last
            else said("Chapter {chapter}", chapter=report.last),
            "strong",
        )
        for sentence in sentences_of(report):
            output.say(f"  {output.one_line(sentence)}")

"""`studio verify` and `studio repair`: whether the files of a novel are consistent."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output
from studio.cli.options import (
    CommandResult,
    Telling,
    command,
    name_chapters,
    novel_options,
    project_option,
)
from studio.errors import Exit
from studio.i18n import one_after_another, translate
from studio.messages import quantity, said
from studio.project.verify import Finding, VerifyReport

HEADINGS = {
    "damage": said("Damaged:"),
    "edit": said("Changed by hand:"),
    "gap": said("Missing:"),
    "orphan": said("Left over:"),
    "note": said("Worth knowing:"),
}


@click.command()
@novel_options
def verify(project: Path) -> Telling:
    """Look at every file of the novel. Changes nothing.

    Edits made by hand are listed but are not a fault; damage ends with 5.

    --json prints {schema_version, chapters, findings: [{severity, path, message, hint,
    details}]}, worst first.
    """
    from studio.project.verify import verify as look

    name_chapters(project)
    report = look(project)
    yield CommandResult(report, Exit.DAMAGED if report.is_damaged else Exit.DONE)
    _show(report, project)


@click.command()
@click.option(
    "--break-lock",
    is_flag=True,
    help="Also remove a lock from another machine, a damaged one, or one silent for 30 minutes. "
    "Only if nobody is working on the novel.",
)
@project_option
def repair(break_lock: bool, project: Path) -> int:
    """Restore whatever follows from what is certain. What is replaced is kept."""
    from studio.project.repair import repair as mend

    name_chapters(project)
    repairs = mend(project, break_the_lock=break_lock)
    for sentence in repairs:
        output.say(sentence)
    if not repairs:
        output.say(said("Nothing needed repair."))
    return _show_damage(project)


def _show_damage(project: Path) -> int:
    from studio.project.verify import verify as look

    report = look(project)
    damage = report.of("damage")
    if not damage:
        return Exit.DONE
    output.tell(said("This cannot be repaired automatically:"))
    for finding in damage:
        for line in _lines(finding):
            output.tell(line)
    return Exit.DAMAGED


def _show(report: VerifyReport, project: Path) -> None:
    chapters = quantity(report.chapters, "{n} chapter", "{n} chapters")
    if not report.findings:
        output.say(
            said(
                "All is well: {chapters}, nothing damaged, nothing changed by hand.",
                chapters=chapters,
            ),
            "good",
        )
        return
    for severity, heading in HEADINGS.items():
        group = [finding for finding in report.findings if finding.severity == severity]
        if group:
            output.say(heading, "strong")
        for finding in group:
            for line in _lines(finding):
                output.say(line)
    if report.is_damaged:
        output.tell(
            said(
                "The novel is damaged. {command} mends what it can.",
                command=command("repair", project),
            )
        )
    else:
        output.say(said("{chapters}, nothing damaged.", chapters=chapters))


def _lines(finding: Finding) -> list[str]:
    hint = translate(finding.hint) if finding.hint else ""
    lines = [f"  {one_after_another(output.one_line(finding.message), hint)}"]
    return lines + [f"      {output.one_line(line)}" for line in finding.details.splitlines()]

"""`studio volume`: a volume planned from an outline, and looked back on at its end (seed D5)."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output, prompt
from studio.cli.input import read_text
from studio.cli.options import json_option, open_session, project_option
from studio.errors import Exit
from studio.story.form.document import to_jsonable
from studio.story.status import ReviewMode


@click.group()
def volume() -> None:
    """The volumes of the book."""


@volume.command("review")
@click.option(
    "--review",
    type=click.Choice(["ask", "accept", "reject"]),
    default="ask",
    help="Ask about what can be tidied (default), or leave it.",
)
@json_option
@project_option
def review_it(review: ReviewMode, as_json: bool, project: Path) -> int:
    """Look back on the volume in work: pace, scores, style, promises, storylines, continuity.

    Counted by code, written to volumes/vol-NN/review.md in the novel's language; then what its
    story leaves behind can be tidied, item by item. Refused (2) while a chapter of it is planned
    and not in the book.

    --json prints schema_version, volume, path, chapters, mean, leftovers (path, why), decision.
    """
    from studio.pipeline.volume.volume_close import VolumeClose

    session = open_session(project)
    result = VolumeClose(session.store, session.settings).review(review)
    if as_json:
        output.say_json(to_jsonable(result))
    else:
        output.say(f"Volume {result.volume} is looked back on in {result.path}.")
        if result.decision is not None:
            prompt.show(result.decision, project)
    return Exit.DONE if result.decision is None else Exit.DECIDE


@volume.command("plan")
@click.argument("number", type=click.IntRange(min=1), required=False, metavar="[N]")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    required=True,
    metavar="FILE",
    help="Your outline, - for stdin: a heading `## Chapter 4: Title` for each chapter.",
)
@json_option
@project_option
def plan_it(number: int | None, source: Path, as_json: bool, project: Path) -> int:
    """Propose an outline as the plan of volume N: by default the one in work, else the next.

    What would change is shown chapter by chapter and waits for your answer (4): `studio decide
    accept`, or with --note some chapters alone. Chapters in the book stay as they are.

    --json prints schema_version, volume, chapters (chapter, title, change: new, changed, gone or
    fixed; before, after), decision.
    """
    from studio.pipeline.volume.outline_proposal import propose, volume_to_plan

    text = read_text(source)
    store = open_session(project).store
    proposal = propose(store, number or volume_to_plan(store), text)
    if as_json:
        output.say_json(to_jsonable(proposal))
    elif proposal.decision is None:
        output.say(f"Volume {proposal.volume} is planned that way already.")
    else:
        prompt.show(proposal.decision, project)
    return Exit.DONE if proposal.decision is None else Exit.DECIDE

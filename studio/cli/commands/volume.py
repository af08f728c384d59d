"""`studio volume`: looking back on a volume once its last chapter is in the book (seed D5)."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output, prompt
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

"""`studio rewrite`: alternative versions of a passage, kept beside the current one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.commands.history import length_words
from studio.cli.completion import chapters
from studio.cli.event_stream import EventLines
from studio.cli.options import (
    A_CHAPTER,
    CommandResult,
    Telling,
    events_option,
    model_options,
    model_overrides,
    novel_options,
    open_session,
    say_command,
)
from studio.cli.paid_call import ask_for_window
from studio.cli.progress import ProgressLines, Warnings
from studio.cli.signals import StoppableCall
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import said
from studio.pipeline.outcome import Stopped
from studio.story.lengths import Unit, unit_in
from studio.story.review.passage import read_place

if TYPE_CHECKING:
    from studio.pipeline.orders import PassageOrder, PassageVersion
    from studio.project.history.variations import PassageMode
    from studio.session import Session

_SHORT = 10


@click.command()
@click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
@click.option(
    "--passage",
    required=True,
    metavar="2.3[-2.5]",
    help="Scene and paragraph: 2.3, or 2.3-2.5 for several.",
)
@click.option(
    "--mode",
    type=click.Choice(["regenerate", "refine"]),
    required=True,
    help="Written anew by a model that does not see it, or changed as you say.",
)
@click.option("--direction", default="", metavar="TEXT", help="What you want of it.")
@click.option(
    "--versions", type=click.IntRange(min=1), default=1, show_default=True, help="How many."
)
@click.option("--prewriter", is_flag=True, help="Have a brief written first.")
@click.option("--dry-run", is_flag=True, help="Say what it would cost, and ask nobody.")
@events_option
@model_options
@novel_options
def rewrite(
    chapter: int,
    passage: str,
    mode: PassageMode,
    direction: str,
    versions: int,
    prewriter: bool,
    dry_run: bool,
    events: bool,
    provider: str | None,
    model: str | None,
    as_json: bool,
    project: Path,
) -> Telling:
    """Other versions of a passage of CHAPTER: in the chapter in progress, or else in the book.

    They are kept beside the chapter, which stays as it is until you take one with `studio
    variations restore`. You see what they can cost before any model is asked.

    --json prints {schema_version, chapter, passage, mode, direction, calls, about_usd,
    worst_usd, versions: [{sha256, scene, passage, mode, direction, generation_id, length, text}]}.
    """
    from studio.pipeline.orders import PassageOrder

    if events and as_json:
        raise usage(said("--events and --json both need all of stdout; give only one of them."))
    overrides: dict[str, object] = {**model_overrides(provider, model)}
    if prewriter:
        overrides["generation.mode"] = "prewriter"
    session = open_session(project, overrides, warn=False)
    order = PassageOrder(chapter, read_place(passage), mode, direction, versions)
    ask_for_window(session, is_for_programs=dry_run or as_json or events)
    price = session.passages().price(order)
    if not as_json or not dry_run:
        output.tell(price.sentence(order))
    written: tuple[PassageVersion, ...] = ()
    code: int | None = None
    if not dry_run:
        written, code = _write(session, order, events, as_json)
    head = {"chapter": chapter, "passage": str(order.place), "mode": mode}
    cost = {"direction": direction, "calls": price.calls, **price.estimate.data}
    rows = [_row(version) for version in written]
    yield CommandResult({**head, **cost, "versions": rows}, Exit.DONE if code is None else code)
    if not events and written:
        _show(written, unit_in(session.settings), project)


def _write(
    session: Session, order: PassageOrder, events: bool, as_json: bool
) -> tuple[tuple[PassageVersion, ...], int | None]:
    """Returns the versions received, and the code of the signal that stopped the run, if any."""
    listener: EventLines | ProgressLines | Warnings
    quietly = Warnings() if as_json else ProgressLines(False)
    listener = EventLines() if events else quietly
    run: StoppableCall[Any] = StoppableCall(
        lambda emit: session.passages().write(order, emit), listener
    )
    written = run.go()
    if isinstance(written, Stopped):
        if not events:
            output.tell(
                said("Stopped; what was finished is kept, and so is what was half written.")
            )
        return (), run.exit_code
    if isinstance(listener, ProgressLines) and (cost := listener.cost_sentence()):
        output.tell(cost)
    return written, run.exit_code


def _show(versions: tuple[PassageVersion, ...], unit: Unit, project: Path) -> None:
    for version in versions:
        length = length_words(version.length, unit)
        output.say(f"{version.sha256[:_SHORT]}  {translate(length)}", "strong")
        output.show(version.text)
        for change in version.changes:
            output.say(change, "bad")
        output.say("")
    first = versions[0]
    take = f"variations restore {first.chapter} --sha {first.sha256[:_SHORT]}"
    say_command(said("{command} puts that one into the chapter."), take, project, "quiet")


def _row(version: PassageVersion) -> dict[str, object]:
    variation = version.variation
    return {
        "sha256": version.sha256,
        "scene": version.place.scene,
        "passage": str(version.place),
        "mode": variation.mode,
        "direction": variation.direction,
        "generation_id": variation.generation_id,
        "length": version.length,
        "text": version.text,
    }

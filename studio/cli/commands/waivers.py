"""`studio waivers`: findings that are meant the way they are, with a reason and an end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click

from studio.cli import output
from studio.cli.completion import directive_ids, waiver_ids
from studio.cli.options import ShowFirst, command, json_option, open_session, project_option
from studio.errors import Exit
from studio.story.form.document import to_jsonable
from studio.story.review.waiver import Waiver, ends_at, reach


@click.group(cls=ShowFirst)
def waivers() -> None:
    """What the author means the way it is, and what is therefore not proposed again."""


@waivers.command("list")
@json_option
@project_option
def list_them(as_json: bool, project: Path) -> int:
    """Every waiver, where it holds and whether it still does.

    --json prints {schema_version, waivers: [{id, type, metric, scope, chapter,
    paragraphs, quote, reason, until_chapter, until_date, created_at, lapsed}]};
    lapsed is empty or says why it is not in force.
    """
    session = open_session(project)
    craft, waivers_of_novel = session.craft(), session.store.waivers().waivers
    lapsed = {waiver.id: craft.holds(waiver) for waiver in waivers_of_novel}
    if as_json:
        rows = [{**to_jsonable(waiver), "lapsed": lapsed[waiver.id]} for waiver in waivers_of_novel]
        output.say_json({"schema_version": 1, "waivers": rows})
    elif not waivers_of_novel:
        output.say("Nothing is waived.")
        output.say(f"{command('waivers add ID --reason WORDS', project)} waives a directive.")
    else:
        for waiver in waivers_of_novel:
            _tell(waiver, lapsed[waiver.id])
    return Exit.DONE


@waivers.command()
@click.argument("ids", nargs=-1, metavar="ID...", required=True, shell_complete=directive_ids)
@click.option("--reason", required=True, metavar="WORDS", help="Why it is meant this way.")
@click.option(
    "--scope",
    type=click.Choice(["here", "chapter", "book"]),
    default="here",
    show_default=True,
    help="These paragraphs while nobody edits them, this chapter, or the whole book.",
)
@click.option("--until", metavar="CHAPTER|DATE", help="The last chapter, or the last day.")
@project_option
def add(
    ids: Sequence[str],
    reason: str,
    scope: Literal["here", "chapter", "book"],
    until: str | None,
    project: Path,
) -> int:
    """Waive directives by ID: of the chapter in work, else of the last one in the book."""
    from studio.pipeline.author import WaiveOrder

    chapter, day = ends_at(until or "")
    order = WaiveOrder(reason, scope, until_chapter=chapter, until_date=day)
    for waiver in open_session(project).craft().waive(ids, order):
        output.say(f"{waiver.id}: {waiver.type.value} is meant, {reach(waiver)}.")
    return Exit.DONE


@waivers.command()
@click.argument("name", metavar="WAIVER", shell_complete=waiver_ids)
@project_option
def remove(name: str, project: Path) -> int:
    """Take a waiver back; what it covered is proposed again."""
    waiver = open_session(project).craft().lift(name)
    output.say(f"Removed {waiver.id}.")
    return Exit.DONE


def _tell(waiver: Waiver, lapsed: str) -> None:
    state = f" ({lapsed})" if lapsed else ""
    output.say(f"{waiver.id}  {waiver.type.value}, {reach(waiver)}{state}", "strong")
    if waiver.scope == "here":
        output.say(f"  {waiver.quote}")
    output.say(f"  {waiver.reason}")

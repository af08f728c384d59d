"""`studio bible suggest`: entries for names of the text that have none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.options import command, json_option, open_session, project_option
from studio.errors import Exit, usage

if TYPE_CHECKING:
    from studio.book.suggesting import Suggestion


@click.command()
@click.option("--take", "taken", multiple=True, metavar="NAME", help="Make it an entry.")
@click.option(
    "--take-as", "renamed", multiple=True, nargs=2, metavar="NAME NEW", help="Under another name."
)
@click.option("--leave", "refused", multiple=True, metavar="NAME", help="Offer it no more.")
@click.option("--least", type=click.IntRange(min=1), default=3, show_default=True,
              help="How often a name has to stand in the book.")  # fmt: skip
@json_option
@project_option
def suggest(
    taken: Sequence[str],
    renamed: Sequence[tuple[str, str]],
    refused: Sequence[str],
    least: int,
    as_json: bool,
    project: Path,
) -> int:
    """Names of the chapters that have no entry, each taken or left by itself.

    Found by how they are used, in Korean, English and Chinese; no model is asked. An entry
    holds the name, and the words it was first seen in as a note that no model is told.
    --json prints {schema_version, suggestions: [{name, aliases, kind, count, chapter, quote}],
    taken: [path], left: [name]}.
    """
    from studio.book.suggesting import leave, suggestions, take

    session = open_session(project)
    store, language = session.store, session.settings.novel.language
    offered = suggestions(store, language, least)
    orders = [(name, "") for name in taken] + list(renamed)
    for name in (*(name for name, _ in orders), *refused):
        _named(offered, name)
    paths = [take(store, _named(offered, name), new) for name, new in orders]
    for name in refused:
        leave(store, name)
    done = {*(name for name, _ in orders), *refused}
    rest = [entry for entry in offered if entry.name not in done]
    if as_json:
        rows = [
            {
                "name": entry.name,
                "aliases": list(entry.aliases),
                "kind": entry.kind,
                "count": entry.count,
                "chapter": entry.first_chapter,
                "quote": entry.quote,
            }
            for entry in rest
        ]
        left = sorted(refused)
        output.say_json({"schema_version": 1, "suggestions": rows, "taken": paths, "left": left})
        return Exit.DONE
    for path in paths:
        output.say(f"{path} is an entry now.")
    _tell(rest, project)
    return Exit.DONE


def _named(offered: Sequence[Suggestion], name: str) -> Suggestion:
    entry = next((entry for entry in offered if entry.name == name), None)
    if entry is None:
        names = ", ".join(entry.name for entry in offered) or "none"
        raise usage(f"{name} is not among the names on offer.", f"They are: {names}.")
    return entry


def _tell(rest: Sequence[Suggestion], project: Path) -> None:
    if not rest:
        output.say("Every name that stands often enough in the book has its entry.")
        return
    for entry in rest:
        kind = "person" if entry.kind == "character" else entry.kind
        output.say(f"{entry.name}  {kind}, {entry.count} times", "strong")
        output.say(f"  chapter {entry.first_chapter}: “{output.one_line(entry.quote)}”")
    output.say(f"{command('bible suggest --take NAME', project)} makes one an entry.")

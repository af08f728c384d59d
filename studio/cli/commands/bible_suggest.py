"""`studio bible suggest`: entries for imported notes, and for names in the text that have none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.options import (
    command,
    json_option,
    model_overrides,
    open_session,
    project_option,
    provider_option,
)
from studio.cli.priced_run import once_agreed
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import quantity, said, series
from studio.text.prose.answer import quoted

if TYPE_CHECKING:
    from studio.book.suggested_entries import Suggestion
    from studio.session import Session

_KINDS = {"character": "person", "item": "thing", "faction": "group"}


@click.command()
@click.option("--take", "taken", multiple=True, metavar="NAME", help="Make it an entry.")
@click.option(
    "--take-as", "renamed", multiple=True, nargs=2, metavar="NAME NEW", help="Under another name."
)
@click.option("--take-notes", "all_notes", is_flag=True, help="Make entries of all notes.")
@click.option("--leave", "refused", multiple=True, metavar="NAME", help="Do not offer it again.")
@click.option("--least", type=click.IntRange(min=1), default=3, show_default=True,
              help="How often a name has to occur in the book.")  # fmt: skip
@click.option(
    "--model",
    "by_model",
    is_flag=True,
    help=("Have a model say what the chapters tell about them."),
)
@provider_option(said("Who is asked, with --model."))
@json_option
@project_option
def suggest(
    taken: Sequence[str],
    renamed: Sequence[tuple[str, str]],
    all_notes: bool,
    refused: Sequence[str],
    least: int,
    by_model: bool,
    provider: str | None,
    as_json: bool,
    project: Path,
) -> int:
    """Notes of a vault, and names of the chapters that have no entry, each taken or left by
    itself.

    A note that was imported is the entry's text. Names are found by how they are used, in Korean,
    English and Chinese; no model is asked without --model. Such an entry holds the name and, as a
    note that no model sees, the words it was first seen in. With --model the price comes first,
    and at a terminal you are asked: agents say what the chapters tell about each name, and a fact
    without a quote from there is dropped. With --take the entry holds them; you do not pay twice
    for an answer while names and chapters stay as they are.
    --json prints {schema_version, suggestions: [{name, aliases, kind, count, chapter, quote,
    note, facts: [{fact, chapter, quote}], same_as, is_a_name}], taken: [path], left: [name]};
    chapter is 0 where no chapter names it, note the file that waits.
    """
    from studio.book.suggested_entries import leave, suggestions, take

    session = open_session(project, model_overrides(provider, None))
    store, language = session.store, session.settings.novel.language
    offered = suggestions(store, language, least)
    orders = [(name, "") for name in taken] + list(renamed)
    for name in (*(name for name, _ in orders), *refused):
        _named(offered, name)
    if by_model:
        answered = _filled(session, offered, as_json)
        if isinstance(answered, int):
            return answered
        offered = answered
    if all_notes:
        chosen = {*(name for name, _ in orders), *refused}
        orders += [(one.name, "") for one in offered if one.note and one.name not in chosen]
    paths = [take(store, _named(offered, name), new) for name, new in orders]
    for name in refused:
        leave(store, _named(offered, name))
    done = {*(name for name, _ in orders), *refused}
    rest = [entry for entry in offered if entry.name not in done]
    if as_json:
        rows = [_row(entry) for entry in rest]
        left = sorted(refused)
        output.say_json({"schema_version": 1, "suggestions": rows, "taken": paths, "left": left})
        return Exit.DONE
    for path in paths:
        output.say(said("{path} is an entry now.", path=path))
    _tell(rest, project)
    return Exit.DONE


def _row(entry: Suggestion) -> dict[str, Any]:
    return {
        "name": entry.name,
        "aliases": list(entry.aliases),
        "kind": entry.kind,
        "count": entry.count,
        "chapter": entry.first_chapter,
        "quote": entry.quote,
        "note": entry.note.path if entry.note else "",
        "facts": [
            {"fact": one.fact, "chapter": one.chapter, "quote": one.quote} for one in entry.facts
        ],
        "same_as": entry.same_as,
        "is_a_name": entry.is_a_name,
    }


def _filled(
    session: Session, offered: Sequence[Suggestion], as_json: bool
) -> list[Suggestion] | int:
    """Returns the suggestions filled in by a model, once the writer has agreed to the price; an
    exit code where the command ends there."""
    if all(entry.note for entry in offered):
        return list(offered)
    filler = session.entry_filler()
    price = filler.price(offered)
    outcome = once_agreed(
        lambda emit: filler.fill(offered, emit),
        said(
            "{calls} to {model}.",
            calls=quantity(price.calls, "{n} call", "{n} calls"),
            model=price.model,
        ),
        price.cost,
        as_json=as_json,
    )
    return outcome if isinstance(outcome, int) else list(outcome.suggestions)


def _named(offered: Sequence[Suggestion], name: str) -> Suggestion:
    entry = next((entry for entry in offered if entry.name == name), None)
    if entry is None:
        names = series(entry.name for entry in offered) or said("none")
        raise usage(
            said("{name} is not among the names on offer.", name=name),
            said("They are: {names}.", names=names),
        )
    return entry


def _tell(rest: Sequence[Suggestion], project: Path) -> None:
    if not rest:
        output.say(said("Every name that occurs often enough in the book has its entry."))
        return
    for entry in rest:
        kind = translate(_KINDS.get(entry.kind) or term(entry.kind))
        times = (
            said(", {n} in the book", n=quantity(entry.count, "{n} time", "{n} times"))
            if entry.count
            else ""
        )
        output.say(f"{output.one_line(entry.name)}  {kind}{translate(times)}", "strong")
        if entry.note:
            where = output.one_line(entry.note.meta.source or entry.note.path)
        else:
            where = said("chapter {number}", number=entry.first_chapter)
        quote = f": {quoted(output.one_line(entry.quote))}" if entry.quote else ""
        output.say(f"  {translate(where)}{quote}")
        if not entry.is_a_name:
            output.say(f"  {translate(said('A model does not take it for a name.'))}")
        elif entry.same_as:
            output.say(
                "  "
                + translate(
                    said("A model takes it for {name}.", name=output.one_line(entry.same_as))
                )
            )
        for one in entry.facts:
            output.say(f"  {output.one_line(one.fact)}")
            output.say(f"    {label_of(one.chapter)}: {quoted(output.one_line(one.quote))}")
    output.say(
        said("{command} makes one an entry.", command=command("bible suggest --take NAME", project))
    )
    if any(entry.note for entry in rest):
        output.say(
            said(
                "{command} makes entries of all notes.",
                command=command("bible suggest --take-notes", project),
            )
        )

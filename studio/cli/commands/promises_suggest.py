"""`studio promises suggest`: promises that a model finds in the chapters, to accept or reject."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.options import (
    A_CHAPTER,
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
from studio.messages import quantity, said
from studio.text.prose.answer import quoted

if TYPE_CHECKING:
    from studio.project.store import ProjectStore
    from studio.session import Session
    from studio.story.novel import PromiseProposal


@click.command()
@click.argument("chapter", type=A_CHAPTER, required=False)
@click.option("--all", "everything", is_flag=True, help="Have the whole book read.")
@click.option("--model", "by_model", is_flag=True, help="Have a model read the chapters.")
@click.option("--take", "names", multiple=True, metavar="NAME", help="Take it into the book.")
@click.option(
    "--take-as",
    "renamed",
    multiple=True,
    nargs=2,
    metavar="NAME TEXT",
    help=("Take it in your own words."),
)
@click.option("--leave", "refused", multiple=True, metavar="NAME", help="Do not propose it again.")
@provider_option(said("Who is asked, with --model."))
@json_option
@project_option
def suggest(
    chapter: int | None,
    everything: bool,
    by_model: bool,
    names: Sequence[str],
    renamed: Sequence[tuple[str, str]],
    refused: Sequence[str],
    provider: str | None,
    as_json: bool,
    project: Path,
) -> int:
    """Promises that a model read in the chapters, each taken or left by itself.

    With --model the price comes first, and at a terminal you are asked; the last ten chapters are
    read, with --all the book, with CHAPTER the ten up to it. A model proposes what the text
    promises its reader, and which chapters plant, advance or pay off what is already promised;
    each proposal must quote words from its chapter, or it is dropped. None of it goes into the
    book, or to a model that writes, until you take it; without --model, what is waiting is
    listed. What you take is your own word, as with `settle`.
    --json prints {schema_version, proposals: [{name, id, new, description, characters, events:
    [{event, chapter, quote}]}], taken: [name], left: [name]}.
    """
    from studio.book.promise_changes import proposed_promises

    if chapter is not None and everything:
        raise usage(said("Name a chapter or say --all, not both."))
    if not by_model and (chapter is not None or everything):
        raise usage(said("Chapters are read by a model: say --model."))
    session = open_session(project, model_overrides(provider, None))
    store = session.store
    if by_model and (code := _read_by_a_model(session, chapter, everything, as_json)) is not None:
        return code
    accepted, refusals = _settle(store, [*((name, "") for name in names), *renamed], refused)
    rest = proposed_promises(store)
    if as_json:
        output.say_json(
            {
                "schema_version": 1,
                "proposals": [_row(one) for one in rest],
                "taken": accepted,
                "left": refusals,
            }
        )
        return Exit.DONE
    for name in accepted:
        output.say(said("{name} is in the book now.", name=name))
    _tell(rest, project)
    return Exit.DONE


def _read_by_a_model(
    session: Session, chapter: int | None, everything: bool, as_json: bool
) -> int | None:
    """Has a model read the chapters, once the writer has agreed to the price; returns an exit code
    where the command ends there."""
    from studio.pipeline.continuity.chapter_windows import chapters_to_read

    reader = session.promise_reader()
    numbers = chapters_to_read(session.store, chapter, everything=everything)
    plan = reader.plan(numbers)
    outcome = once_agreed(
        lambda emit: reader.run(numbers, emit),
        said(
            "{calls} to {model}.",
            calls=quantity(len(plan.windows), "{n} call", "{n} calls"),
            model=plan.model,
        ),
        plan.cost,
        as_json=as_json,
    )
    return outcome if isinstance(outcome, int) else None


def _settle(
    store: ProjectStore, orders: Sequence[tuple[str, str]], refused: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Accepts the promises with these names, in the given wording, and rejects the others; returns
    the full names of both. Nothing is done where one of the names is not among the proposals."""
    from studio.book.promise_changes import leave_promise, proposal_named, take_promise

    proposals = [(proposal_named(store, name), words) for name, words in orders]
    refusals = [proposal_named(store, name) for name in refused]
    for one, words in proposals:
        take_promise(store, one, words)
    for one in refusals:
        leave_promise(store, one)
    return [one.key for one, _ in proposals], [one.key for one in refusals]


def _row(one: PromiseProposal) -> dict[str, Any]:
    events = [{"event": e.kind, "chapter": e.chapter, "quote": e.quote} for e in one.events]
    return {
        "name": one.key,
        "id": one.id,
        "new": one.is_new,
        "description": one.description,
        "characters": list(one.characters),
        "events": events,
    }


def _tell(rest: Sequence[PromiseProposal], project: Path) -> None:
    if not rest:
        words = command("promises suggest --model", project)
        output.say(
            said(
                "Nothing is proposed. {words} has a model read the last ten chapters.", words=words
            )
        )
        return
    for one in rest:
        about = f"  {output.one_line(one.description)}" if one.is_new else ""
        output.say(f"{one.key}{about}", "strong")
        for event in one.events:
            quote = quoted(output.one_line(event.quote))
            what = said(
                "{event} in chapter {chapter}: {quote}",
                event=term(event.kind),
                chapter=event.chapter,
                quote=quote,
            )
            output.say(f"  {translate(what)}")
    output.say(
        said(
            "{command} takes one into the book.",
            command=command("promises suggest --take NAME", project),
        )
    )

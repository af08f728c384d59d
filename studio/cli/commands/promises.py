"""`studio promises`: the promises made to the reader, the state of each, what is due, and
(`suggest`) promises that a model finds in the chapters, to accept or reject.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    command,
    model_overrides,
    novel_options,
    open_session,
    provider_option,
    say_command,
)
from studio.cli.paid_call import ask_for_window, once_agreed
from studio.cli.terms import term
from studio.errors import usage
from studio.i18n import _, further, translate
from studio.messages import quantity, said
from studio.quotation_marks import put_in_quotes

if TYPE_CHECKING:
    from studio.book.promises import PromiseSoFar
    from studio.project.store import ProjectStore
    from studio.session import Session
    from studio.story.novel import PromiseProposal
    from studio.story.state import EventKind


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
@provider_option
@novel_options
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
) -> Telling:
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
    yield {"proposals": [_proposal_row(one) for one in rest], "taken": accepted, "left": refusals}
    for name in accepted:
        output.say(said("{name} is in the book now.", name=name))
    _tell(rest, project)


def _read_by_a_model(
    session: Session, chapter: int | None, everything: bool, as_json: bool
) -> int | None:
    """Has a model read the chapters, once the writer has agreed to the price; returns an exit code
    where the command ends there."""
    from studio.pipeline.book_runs.chapter_windows import chapters_to_read

    ask_for_window(session, is_for_programs=as_json)
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


def _proposal_row(one: PromiseProposal) -> dict[str, Any]:
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
            quote = put_in_quotes(output.one_line(event.quote))
            what = said(
                "{event} in chapter {chapter}: {quote}",
                event=term(event.kind),
                chapter=event.chapter,
                quote=quote,
            )
            output.say(f"  {translate(what)}")
    say_command(said("{command} takes one into the book."), "promises suggest --take NAME", project)


@click.group(cls=ShowFirst)
def promises() -> None:
    """Foreshadowing: planted, advanced, paid, overdue or asleep."""


@promises.command("list")
@novel_options
def list_them(project: Path) -> Telling:
    """Every promise and where it stands at the end of the book.

    --json prints {schema_version, promises: [{id, description, scope, status, planted, last,
    resolved, due, overdue, dormant, storyline_id, characters, places}]}.
    """
    from studio.book.promise_changes import promises_now
    from studio.book.promises import is_planting_gone

    store = open_session(project).store
    following = store.checkpoint().last_completed_chapter + 1
    every = promises_now(store).values()
    rows = [_row(promise, following) for promise in every]
    yield {"promises": rows}
    if not every:
        output.say(said("Nothing is promised yet."))
    rows_of_text = [
        (promise.id, _how_it_stands(promise, following), promise.plan.description)
        for promise in every
    ]
    output.say_columns(rows_of_text)
    for promise in every:
        if is_planting_gone(store, promise):
            output.say(
                said(
                    "The words that planted it are no longer in chapter {chapter}: {name}.",
                    chapter=promise.chapter_of_planting,
                    name=promise.plan.clause,
                )
            )


@promises.command()
@click.argument("promise_id", metavar="ID")
@novel_options
def show(promise_id: str, project: Path) -> Telling:
    """One promise with everything the chapters did for it, and what is planned.

    --json prints the keys of list, and {setup, trigger, payoff, events: [{event, chapter,
    paragraph_sha256, quote}], tasks: [{chapter, action}]}.
    """
    from studio.book.promise_changes import promise_named

    store = open_session(project).store
    promise = promise_named(store, promise_id)
    following = store.checkpoint().last_completed_chapter + 1
    tasks = _tasks(store, promise_id)
    yield _whole(promise, following, tasks)
    output.say(f"{promise.id}: {_how_it_stands(promise, following)}", "strong")
    plan = promise.plan
    for words in (plan.description, plan.setup, plan.trigger, plan.payoff):
        if words:
            output.say(f"  {words}")
    for event in promise.events:
        quote = f"  {put_in_quotes(event.quote)}" if event.quote else ""
        made = _("{event} in chapter {chapter}", event=_(event.kind), chapter=event.chapter)
        output.show(f"  {made}{quote}")
    for number, action in tasks:
        if number >= following:
            output.say(
                _(
                    "  planned for chapter {chapter}: {action}",
                    chapter=number,
                    action=term(action),
                )
            )


@promises.command()
@click.argument("promise_id", metavar="ID")
@click.option("--about", required=True, metavar="TEXT", help="What is promised, in a sentence.")
@click.option("--due", type=A_CHAPTER, help="The chapter by which it is paid.")
@novel_options
def add(promise_id: str, about: str, due: int | None, project: Path) -> Telling:
    """Write down a promise of the book.

    --json prints it as `show` does."""
    from studio.book.promise_changes import add_promise, promise_named

    store = open_session(project).store
    add_promise(store, promise_id, about, due)
    following = store.checkpoint().last_completed_chapter + 1
    yield _whole(promise_named(store, promise_id), following, [])
    output.say(said("Added {promise_id}.", promise_id=promise_id))


@promises.command()
@click.argument("promise_id", metavar="ID")
@click.argument("kind", type=click.Choice(["planted", "advanced", "resolved", "abandoned"]))
@click.option("--chapter", type=A_CHAPTER, help="Where; by default the last one.")
@click.option("--quote", default="", metavar="TEXT", help="Words of that chapter that show it.")
@click.option("--reason", default="", metavar="TEXT", help="Why; kept with it.")
@novel_options
def settle(
    promise_id: str,
    kind: EventKind,
    chapter: int | None,
    quote: str,
    reason: str,
    project: Path,
) -> Telling:
    """Say what a chapter did for a promise, where no model read it or one read it wrong.

    What you say outlives every later reading.

    --json prints the promise as `show` does.
    """
    from studio.book.promise_changes import settle as settle_promise

    store = open_session(project).store
    promise = settle_promise(store, promise_id, kind, chapter, quote, reason)
    following = store.checkpoint().last_completed_chapter + 1
    yield _whole(promise, following, _tasks(store, promise_id))
    output.say(f"{promise.id}: {_how_it_stands(promise, following)}")


promises.add_command(suggest)


def _tasks(store: ProjectStore, promise_id: str) -> list[tuple[int, str]]:
    """Returns the chapters whose contracts advance the promise."""
    tasks: list[tuple[int, str]] = []
    for volume in store.layout.volume_numbers():
        for number in store.layout.contract_numbers(volume):
            contract = store.contract_in(volume, number)
            own = contract.foreshadowing if contract else ()
            tasks += [(number, task.action) for task in own if task.id == promise_id]
    return sorted(tasks)


def _whole(promise: PromiseSoFar, following: int, tasks: list[tuple[int, str]]) -> dict[str, Any]:
    plan = promise.plan
    return {
        **_row(promise, following),
        "setup": plan.setup,
        "trigger": plan.trigger,
        "payoff": plan.payoff,
        "events": [
            {
                "event": event.kind,
                "chapter": event.chapter,
                "paragraph_sha256": event.paragraph_sha256,
                "quote": event.quote,
            }
            for event in promise.events
        ],
        "tasks": [{"chapter": number, "action": action} for number, action in tasks],
    }


def _row(promise: PromiseSoFar, following: int) -> dict[str, Any]:
    plan = promise.plan
    return {
        "id": promise.id,
        "description": plan.description,
        "scope": plan.scope,
        "status": promise.status,
        "planted": promise.chapter_of_planting,
        "last": promise.last,
        "resolved": promise.chapter_of_payment,
        "due": plan.due,
        "overdue": promise.is_overdue(following),
        "dormant": promise.is_dormant(following),
        "storyline_id": plan.storyline_id,
        "characters": list(plan.characters),
        "places": list(plan.places),
    }


def _how_it_stands(promise: PromiseSoFar, following: int) -> str:
    status, due = _(promise.status), promise.plan.due
    words = [_("{status} in {chapter}", status=status, chapter=promise.last)]
    if not promise.last:
        words = [status]
    if promise.is_overdue(following):
        words.append(_("overdue since {chapter}", chapter=due))
    elif promise.is_dormant(following):
        words.append(_("asleep"))
    elif due and promise.is_open:
        words.append(_("due in {chapter}", chapter=due))
    return words[0] + "".join(map(further, words[1:]))

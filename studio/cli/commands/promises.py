"""`studio promises`: the promises made to the reader, the state of each, and what is due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.commands.promises_suggest import suggest
from studio.cli.options import A_CHAPTER, ShowFirst, json_option, open_session, project_option
from studio.cli.terms import term
from studio.errors import Exit
from studio.i18n import _, further
from studio.messages import said
from studio.text.prose.answer import quoted

if TYPE_CHECKING:
    from studio.book.promises import PromiseSoFar
    from studio.project.store import ProjectStore
    from studio.story.state import EventKind


@click.group(cls=ShowFirst)
def promises() -> None:
    """Foreshadowing: planted, advanced, paid, overdue or asleep."""


promises.add_command(suggest)


@promises.command("list")
@json_option
@project_option
def list_them(as_json: bool, project: Path) -> int:
    """Every promise and where it stands at the end of the book.

    --json prints {schema_version, promises: [{id, description, scope, status, planted, last,
    resolved, due, overdue, dormant, storyline_id, characters, places}]}.
    """
    from studio.book.promise_changes import promises_now

    store = open_session(project).store
    following = store.checkpoint().last_completed_chapter + 1
    every = promises_now(store).values()
    if as_json:
        rows = [_row(promise, following) for promise in every]
        output.say_json({"schema_version": 1, "promises": rows})
        return Exit.DONE
    if not every:
        output.say(said("Nothing is promised yet."))
    rows_of_text = [
        (promise.id, _standing(promise, following), promise.plan.description) for promise in every
    ]
    for line in output.columns(rows_of_text):
        output.say(line)
    return Exit.DONE


@promises.command()
@click.argument("promise_id", metavar="ID")
@json_option
@project_option
def show(promise_id: str, as_json: bool, project: Path) -> int:
    """One promise with everything the chapters did for it, and what is planned.

    --json prints the keys of list, and {setup, trigger, payoff, events: [{event, chapter,
    paragraph_sha256, quote}], tasks: [{chapter, action}]}.
    """
    from studio.book.promise_changes import promise_named

    store = open_session(project).store
    promise = promise_named(store, promise_id)
    following = store.checkpoint().last_completed_chapter + 1
    tasks = _tasks(store, promise_id)
    if as_json:
        _say_whole(promise, following, tasks)
        return Exit.DONE
    output.say(f"{promise.id}: {_standing(promise, following)}", "strong")
    plan = promise.plan
    for words in (plan.description, plan.setup, plan.trigger, plan.payoff):
        if words:
            output.say(f"  {words}")
    for event in promise.events:
        quote = f"  {quoted(event.quote)}" if event.quote else ""
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
    return Exit.DONE


@promises.command()
@click.argument("promise_id", metavar="ID")
@click.option("--about", required=True, metavar="TEXT", help="What is promised, in a sentence.")
@click.option("--due", type=A_CHAPTER, help="The chapter by which it is paid.")
@json_option
@project_option
def add(promise_id: str, about: str, due: int | None, as_json: bool, project: Path) -> int:
    """Write down a promise of the book. --json prints it as `show` does."""
    from studio.book.promise_changes import add_promise, promise_named

    store = open_session(project).store
    add_promise(store, promise_id, about, due)
    following = store.checkpoint().last_completed_chapter + 1
    if as_json:
        _say_whole(promise_named(store, promise_id), following, [])
    else:
        output.say(said("Added {promise_id}.", promise_id=promise_id))
    return Exit.DONE


@promises.command()
@click.argument("promise_id", metavar="ID")
@click.argument("kind", type=click.Choice(["planted", "advanced", "resolved", "abandoned"]))
@click.option("--chapter", type=A_CHAPTER, help="Where; by default the last one.")
@click.option("--quote", default="", metavar="TEXT", help="Words of that chapter that show it.")
@click.option("--reason", default="", metavar="TEXT", help="Why; kept with it.")
@json_option
@project_option
def settle(
    promise_id: str,
    kind: EventKind,
    chapter: int | None,
    quote: str,
    reason: str,
    as_json: bool,
    project: Path,
) -> int:
    """Say what a chapter did for a promise, where no model read it or one read it wrong.

    What you say outlives every later reading. --json prints the promise as `show` does.
    """
    from studio.book.promise_changes import settle as settle_promise

    store = open_session(project).store
    promise = settle_promise(store, promise_id, kind, chapter, quote, reason)
    following = store.checkpoint().last_completed_chapter + 1
    if as_json:
        _say_whole(promise, following, _tasks(store, promise_id))
    else:
        output.say(f"{promise.id}: {_standing(promise, following)}")
    return Exit.DONE


def _tasks(store: ProjectStore, promise_id: str) -> list[tuple[int, str]]:
    """Returns the chapters whose contracts advance the promise."""
    tasks: list[tuple[int, str]] = []
    for volume in store.layout.volume_numbers():
        for number in store.layout.contract_numbers(volume):
            contract = store.contract_in(volume, number)
            own = contract.foreshadowing if contract else ()
            tasks += [(number, task.action) for task in own if task.id == promise_id]
    return sorted(tasks)


def _say_whole(promise: PromiseSoFar, following: int, tasks: list[tuple[int, str]]) -> None:
    plan = promise.plan
    output.say_json(
        {
            "schema_version": 1,
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
    )


def _row(promise: PromiseSoFar, following: int) -> dict[str, Any]:
    plan = promise.plan
    return {
        "id": promise.id,
        "description": plan.description,
        "scope": plan.scope,
        "status": promise.status,
        "planted": promise.planted,
        "last": promise.last,
        "resolved": promise.resolved,
        "due": plan.due,
        "overdue": promise.is_overdue(following),
        "dormant": promise.is_dormant(following),
        "storyline_id": plan.storyline_id,
        "characters": list(plan.characters),
        "places": list(plan.places),
    }


def _standing(promise: PromiseSoFar, following: int) -> str:
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

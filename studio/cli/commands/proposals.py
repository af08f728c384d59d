"""`studio proposals`: changes of a passage whose words are given, and the writer's decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from studio.cli import output
from studio.cli.completion import chapters, proposal_ids
from studio.cli.input import read_text
from studio.cli.options import (
    A_CHAPTER,
    FILE_OR_STDIN,
    ShowFirst,
    command,
    decision_options,
    json_option,
    open_session,
    project_option,
)
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import said, series
from studio.story.form.document import to_jsonable
from studio.story.review.passages import read_place
from studio.story.review.proposal import Proposal, ProposalAction, ProposalKind


@click.group(cls=ShowFirst)
def proposals() -> None:
    """Changes of a passage whose words are given: other words, more words, or none.

    What you accept changes exactly that passage; no model is asked. A chapter of the book is
    opened for review with it and stays as it is until `studio resume` has committed it.
    """


@proposals.command("list")
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@json_option
@project_option
def list_them(chapter: int | None, as_json: bool, project: Path) -> int:
    """Every proposal, of CHAPTER alone if you name one.

    --json prints {schema_version, proposals}: each as in its file.
    """
    rows = open_session(project).proposals().all(chapter)
    if not rows and not as_json:
        output.say(said("There are no proposals."))
        example = command("proposals add CHAPTER --passage 2.3 --cut", project)
        output.say(said("{command} makes one.", command=example), "quiet")
        return Exit.DONE
    return _print(rows, as_json, _show_one)


@proposals.command()
@click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=proposal_ids)
@json_option
@project_option
def show(ids: Sequence[str], as_json: bool, project: Path) -> int:
    """One proposal, several or all of them, with both texts.

    --json prints {schema_version, proposals}.
    """
    every = open_session(project).proposals().all()
    rows = [_named(every, name) for name in ids] or list(every)
    return _print(rows, as_json, _show_one)


@proposals.command()
@click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
@click.option("--passage", required=True, metavar="2.3[-2.5]", help="Scene and paragraph.")
@click.option("--replace", "replacement", metavar="TEXT", help="Other words for it.")
@click.option("--insert", "insertion", metavar="TEXT", help="Words to stand behind it.")
@click.option("--cut", is_flag=True, help="Nothing in its place.")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
@json_option
@project_option
def add(
    chapter: int,
    passage: str,
    replacement: str | None,
    insertion: str | None,
    cut: bool,
    reason: str,
    as_json: bool,
    project: Path,
) -> int:
    """Propose a change of a passage of CHAPTER, to be decided on later.

    --json prints {schema_version, proposals}: the one that was made.
    """
    ways: dict[ProposalKind, str | None] = {
        "replace": replacement,
        "insert": insertion,
        "cut": "" if cut else None,
    }
    named_ways = [(kind, words) for kind, words in ways.items() if words is not None]
    if len(named_ways) != 1:
        raise usage(said("Say one of --replace TEXT, --insert TEXT and --cut."))
    ((kind, words),) = named_ways
    place = read_place(passage)
    proposal = open_session(project).proposals().add(chapter, place, kind, words, reason)
    if as_json:
        return _print([proposal], as_json, _show_one)
    output.say(said("{id} waits for your decision.", id=proposal.id))
    return Exit.DONE


@proposals.command()
@decision_options(proposal_ids)
def accept(ids: Sequence[str], all_: bool, reason: str, as_json: bool, project: Path) -> int:
    """Put the words into the text."""
    return _decide("accept", ids, all_, reason, as_json, project)


@proposals.command()
@decision_options(proposal_ids)
def reject(ids: Sequence[str], all_: bool, reason: str, as_json: bool, project: Path) -> int:
    """Leave the passage as it is."""
    return _decide("reject", ids, all_, reason, as_json, project)


@proposals.command()
@decision_options(proposal_ids)
def undo(ids: Sequence[str], all_: bool, reason: str, as_json: bool, project: Path) -> int:
    """Take the words out of the text again, or a decision back."""
    return _decide("undo", ids, all_, reason, as_json, project)


@proposals.command()
@click.argument("proposal_id", metavar="ID", shell_complete=proposal_ids)
@click.option(
    "--text",
    "text_file",
    type=FILE_OR_STDIN,
    metavar="FILE",
    required=True,
    help="Your own words instead; - reads stdin.",
)
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
@json_option
@project_option
def edit(proposal_id: str, text_file: Path, reason: str, as_json: bool, project: Path) -> int:
    """Accept a proposal with your own words."""
    words = read_text(text_file)
    change = open_session(project).proposals().change
    rows = change("edit", [proposal_id], reason=reason, words=words)
    return _tell(rows, as_json, project)


def _decide(
    action: ProposalAction,
    ids: Sequence[str],
    all_: bool,
    reason: str,
    as_json: bool,
    project: Path,
) -> int:
    if bool(ids) == all_:
        raise usage(
            said("Name the proposals or say --all."), f"{command('proposals list', project)}."
        )
    rows = open_session(project).proposals().change(action, ids, all_=all_, reason=reason)
    return _tell(rows, as_json, project)


def _tell(rows: Sequence[Proposal], as_json: bool, project: Path) -> int:
    if as_json:
        return _print(rows, as_json, _show_one)
    for proposal in rows:
        output.say(said("{id}: {status}", id=proposal.id, status=term(proposal.status)))
    if any(proposal.status in ("applied", "undone") for proposal in rows):
        output.say(said("{command} goes on.", command=command("resume", project)))
    elif not rows:
        output.say(said("No proposal is open."))
    return Exit.DONE


def _print(rows: Sequence[Proposal], as_json: bool, show_: Callable[[Proposal], None]) -> int:
    if as_json:
        listed = [to_jsonable(proposal) for proposal in rows]
        output.say_json({"schema_version": 1, "proposals": listed})
        return Exit.DONE
    for proposal in rows:
        show_(proposal)
    return Exit.DONE


def _named(every: Sequence[Proposal], name: str) -> Proposal:
    for proposal in every:
        if proposal.id == name.replace("-", "_"):
            return proposal
    ids = series(p.id for p in every) or said("none")
    raise usage(
        said("There is no proposal {name}.", name=name), said("Known here: {ids}.", ids=ids)
    )


def _show_one(proposal: Proposal) -> None:
    output.say()
    standing = {
        "same": "",
        "changed": said("; changed since"),
        "gone": said("; its passage is gone"),
    }
    then = translate(standing[proposal.stands]) if proposal.stands != "same" else ""
    output.say(f"{proposal.id}  {translate(term(proposal.status))}{then}", "strong")
    entries: list[tuple[str, str]] = [
        (term(proposal.kind), proposal.before),
        (term("words"), proposal.after or ""),
        (said("reason"), proposal.reason),
        (said("note"), proposal.note),
    ]
    rows = [row for row in entries if row[1]]
    for line in output.columns(rows, indent="  "):
        output.say(line)

"""`studio proposals`: changes of a passage whose words are given, and the writer's decisions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from studio.cli import output
from studio.cli.completion import chapters, proposal_ids
from studio.cli.input import read_text
from studio.cli.options import (
    A_CHAPTER,
    FILE_OR_STDIN,
    CommandResult,
    ShowFirst,
    Telling,
    add_decisions,
    command,
    novel_options,
    open_session,
    say_command,
)
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.i18n import as_label, translate
from studio.messages import said
from studio.story.form.ids import typed_id
from studio.story.review.passage import read_place
from studio.story.review.proposal import Proposal, ProposalKind
from studio.text.prose.answer import first_words


@click.group(cls=ShowFirst)
def proposals() -> None:
    """Changes of a passage whose words are given: other words, more words, or none; and notes.

    What you accept changes exactly that passage; no model is asked. A chapter of the book is
    opened for review with it and stays as it is until `studio resume` has committed it.
    """


@proposals.command("list")
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@novel_options
def list_them(chapter: int | None, project: Path) -> Telling:
    """Every proposal, of CHAPTER alone if you name one.

    --json prints {schema_version, proposals}: each as in its file.
    """
    rows = open_session(project).proposals().all(chapter)
    yield from _show(rows)
    if not rows:
        output.say(said("There are no proposals."))
        example = command("proposals add CHAPTER --passage 2.3 --cut", project)
        output.say(said("{command} makes one.", command=example), "quiet")


@proposals.command()
@click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=proposal_ids)
@novel_options
def show(ids: Sequence[str], project: Path) -> Telling:
    """One proposal, several or all of them, with both texts.

    --json prints {schema_version, proposals}.
    """
    from studio.pipeline.passage.proposals import proposal_named

    every = open_session(project).proposals().all()
    rows = [proposal_named(name, every) for name in ids] or list(every)
    return _show(rows)


@proposals.command()
@click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
@click.option("--passage", required=True, metavar="2.3[-2.5]", help="Scene and paragraph.")
@click.option("--replace", "replacement", metavar="TEXT", help="Other words for it.")
@click.option("--insert", "insertion", metavar="TEXT", help="Words to stand behind it.")
@click.option("--cut", is_flag=True, help="Nothing in its place.")
@click.option("--comment", metavar="TEXT", help="A note about it, for later.")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
@novel_options
def add(
    chapter: int,
    passage: str,
    replacement: str | None,
    insertion: str | None,
    cut: bool,
    comment: str | None,
    reason: str,
    project: Path,
) -> Telling:
    """Propose a change of a passage of CHAPTER, to be decided on later.

    --json prints {schema_version, proposals}: the one that was made.
    """
    ways: dict[ProposalKind, str | None] = {
        "replace": replacement,
        "insert": insertion,
        "cut": "" if cut else None,
        "comment": comment,
    }
    named_ways = [(kind, words) for kind, words in ways.items() if words is not None]
    if len(named_ways) != 1:
        raise usage(said("Say one of --replace TEXT, --insert TEXT, --cut and --comment TEXT."))
    ((kind, words),) = named_ways
    place = read_place(passage)
    proposal = open_session(project).proposals().add(chapter, place, kind, words, reason)
    yield {"proposals": [proposal]}
    output.say(said("{id} waits for your decision.", id=_name(proposal)))
    output.say(command(f"proposals accept {typed_id(proposal.id)}", project), "quiet")


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
@novel_options
def edit(proposal_id: str, text_file: Path, reason: str, project: Path) -> Telling:
    """Accept a proposal with your own words."""
    words = read_text(text_file)
    change = open_session(project).proposals().change
    rows = change("edit", [proposal_id], reason=reason, words=words)
    return _tell(rows, project)


def _tell(rows: Sequence[Proposal], project: Path) -> Telling:
    is_stopped = any(proposal.status == "conflict" for proposal in rows)
    yield CommandResult({"proposals": rows}, Exit.DECIDE if is_stopped else Exit.DONE)
    for proposal in rows:
        output.say(said("{id}: {status}", id=_name(proposal), status=term(proposal.status)))
        if proposal.status == "conflict":
            _show_conflict(proposal, project)
    if any(proposal.status in ("applied", "undone") for proposal in rows):
        say_command(said("{command} goes on."), "resume", project)
    elif not rows:
        output.say(said("No proposal is open."))


add_decisions(
    proposals,
    lambda session: session.proposals().change,
    _tell,
    {
        "accept": """Put the words into the text; of a note, that it was seen to.

If its passage is not what it was proposed for, nothing is changed: it is a `conflict`, both
texts are shown, and the command ends with 4. Accepted again, it replaces the words there now.""",
        "reject": "Leave the passage as it is.",
        "undo": "Take the words out of the text again, or a decision back.",
    },
    proposal_ids,
    said("Name the proposals or say --all."),
)


def _show_conflict(proposal: Proposal, project: Path) -> None:
    """Says why nothing was done, with the passage as it was and as it is."""
    present = open_session(project, warn=False).proposals().place(proposal).present
    texts = [(said("text then"), proposal.before), (said("text now"), present)]
    output.say_fields(texts)
    again = command(f"proposals accept {typed_id(proposal.id)}", project)
    if proposal.stands == "gone":
        output.tell(
            said(
                "Its passage is no longer in the text, so nothing was done; `reject` puts it aside."
            )
        )
    else:
        output.tell(
            said(
                "Its passage was changed since, so nothing was done. {again} replaces the words "
                "that stand there now; `edit` and `reject` work too.",
                again=again,
            )
        )


def _show(rows: Sequence[Proposal]) -> Telling:
    yield {"proposals": rows}
    for proposal in rows:
        _show_one(proposal)


def _name(proposal: Proposal) -> str:
    """Returns what a proposal is called: what it does, and the words it is about."""
    words = translate(term(proposal.kind)), first_words(proposal.before)
    return " ".join(filter(None, words))


def _show_one(proposal: Proposal) -> None:
    output.say()
    standing = {
        "same": "",
        "changed": said("; changed since"),
        "gone": said("; its passage is gone"),
    }
    then = translate(standing[proposal.stands]) if proposal.stands != "same" else ""
    status = f"{translate(term(proposal.status))}{then}"
    output.say(f"{as_label(_name(proposal))}{status}  {typed_id(proposal.id)}", "strong")
    entries: list[tuple[str, str]] = [
        (term(proposal.kind), proposal.before),
        (said("do"), proposal.instruction),
        (term("words"), proposal.after or ""),
        (said("reason"), proposal.reason),
        (said("note"), proposal.note),
    ]
    output.say_fields(entries)

"""`studio waivers`: intended deviations, each with a reason and an end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from studio.cli import output
from studio.cli.completion import directive_ids, waiver_ids
from studio.cli.options import (
    ShowFirst,
    Telling,
    novel_options,
    open_session,
    project_option,
    say_command,
)
from studio.errors import Exit, usage
from studio.i18n import translate
from studio.messages import said
from studio.project.which_chapter import as_number
from studio.story.form.document import to_jsonable
from studio.story.review.waiver import (
    FactWaiver,
    Waiver,
    WaiverScope,
    ends_at,
    reach,
    subject_words,
)


@click.group(cls=ShowFirst)
def waivers() -> None:
    """What the author intends, and what is therefore not proposed again."""


@waivers.command("list")
@novel_options
def list_them(project: Path) -> Telling:
    """Every waiver, where it holds and whether it still does.

    --json prints {schema_version, waivers: [{id, type, metric, scope, chapter,
    paragraphs, words, quote, reason, until_chapter, until_date, created_at, lapsed}], facts};
    words is there for a waiver of one thing, lapsed is empty or says why it is not in force.
    """
    session = open_session(project)
    craft, waivers_of_novel = session.craft(), session.store.waivers().waivers
    lapsed = {waiver.id: craft.holds(waiver) for waiver in waivers_of_novel}
    rows = [{**to_jsonable(waiver), "lapsed": lapsed[waiver.id]} for waiver in waivers_of_novel]
    facts = [to_jsonable(waiver) for waiver in session.store.waivers().facts]
    yield {"waivers": rows, "facts": facts}
    if not waivers_of_novel and not session.store.waivers().facts:
        output.say(said("Nothing is waived."))
        say_command(said("{command} waives a directive."), "waivers add ID --reason WORDS", project)
    else:
        for waiver in waivers_of_novel:
            _tell(waiver, lapsed[waiver.id])
        for fact in session.store.waivers().facts:
            output.say(f"{fact.id}  {fact.fact_key}", "strong")
            output.say(f"  {fact.reason}")


@waivers.command()
@click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=directive_ids)
@click.option("--fact", metavar="KEY", help="A finding of `studio continuity`, by its fact.")
@click.option("--reason", required=True, metavar="WORDS", help="Why it is meant this way.")
@click.option(
    "--scope",
    type=click.Choice(["here", "chapter", "book"]),
    default="here",
    show_default=True,
    help="These paragraphs while nobody edits them, this chapter, or the whole book.",
)
@click.option(
    "--words",
    default="",
    metavar="WORDS",
    help="Only what quotes or names these words; without it, everything of the kind in the scope.",
)
@click.option("--until", metavar="CHAPTER|DATE", help="The last chapter, or the last day.")
@novel_options
def add(
    ids: Sequence[str],
    fact: str | None,
    reason: str,
    scope: WaiverScope,
    words: str,
    until: str | None,
    project: Path,
) -> Telling:
    """Waive directives by ID: of the chapter in progress, or else of the last one in the book.

    --json prints what was added as `list` does.
    """
    from studio.pipeline.author import WaiveOrder

    session = open_session(project)
    chapter, day = ends_at(as_number(session.store, until or ""))
    if not ids and fact is None:
        raise usage(said("Name a directive by its ID, or a finding of the book with --fact KEY."))
    waived: Sequence[Waiver] = ()
    facts: list[FactWaiver] = []
    if fact is not None:
        facts.append(_waive_fact(fact, ids, reason, chapter, day, project))
    else:
        order = WaiveOrder(reason, scope, words, until_chapter=chapter, until_date=day)
        waived = session.craft().waive(ids, order)
    rows = [{**to_jsonable(waiver), "lapsed": ""} for waiver in waived]
    yield {"waivers": rows, "facts": facts}
    for waiver in waived:
        output.say(
            said(
                "{id}: {fact_key} is meant, {reach_words}.",
                id=waiver.id,
                fact_key=subject_words(waiver),
                reach_words=reach(waiver),
            )
        )
    for meant in facts:
        until_words = said("until chapter {n}", n=chapter) if chapter else said("in the whole book")
        output.say(
            said(
                "{id}: {fact_key} is meant, {reach_words}.",
                id=meant.id,
                fact_key=meant.fact_key,
                reach_words=until_words,
            )
        )


@waivers.command()
@click.argument("name", metavar="WAIVER", shell_complete=waiver_ids)
@project_option
def remove(name: str, project: Path) -> int:
    """Take a waiver back; what it covered is proposed again."""
    session = open_session(project)
    if name.startswith("fact_"):
        from studio.book.continuity.ledger import lift_fact

        output.say(said("Removed {id}.", id=lift_fact(session.store, name).id))
        return Exit.DONE
    output.say(said("Removed {id}.", id=session.craft().lift(name).id))
    return Exit.DONE


def _waive_fact(
    fact: str,
    ids: Sequence[str],
    reason: str,
    chapter: int | None,
    day: str | None,
    project: Path,
) -> FactWaiver:
    from studio.book.continuity.ledger import waive_fact

    if ids or day is not None:
        raise usage(said("A fact is waived by itself, and until a chapter, not a day."))
    return waive_fact(open_session(project).store, fact, reason, chapter)


def _tell(waiver: Waiver, lapsed: str) -> None:
    words = said("{kind}, {reach}", kind=subject_words(waiver), reach=reach(waiver))
    if lapsed:
        words = said("{waiver} ({lapsed})", waiver=words, lapsed=lapsed)
    output.say(f"{waiver.id}  {translate(words)}", "strong")
    if waiver.scope == "here":
        output.say(f"  {waiver.quote}")
    output.say(f"  {waiver.reason}")

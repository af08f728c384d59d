"""`studio replace`: words replaced over the whole book, shown first, undone by one word (H3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.commands.find import IN, WORD, findings_as_json, heading_of, place_of
from studio.cli.options import command, json_option, open_session, project_option
from studio.cli.progress import quantity
from studio.errors import Exit, usage

if TYPE_CHECKING:
    from studio.project.search.replacement import Replacement


@click.command()
@click.argument("text", required=False)
@click.argument("with_", metavar="WITH", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--any-case", is_flag=True, help="Capitals of TEXT do not count.")
@WORD
@click.option("--particles", is_flag=True, help="Let Korean particles follow the new word.")
@IN
@click.option("--undo", is_flag=True, help="Put back what the newest replacement changed.")
@json_option
@project_option
def replace(
    text: str | None,
    with_: str | None,
    dry_run: bool,
    any_case: bool,
    whole: bool,
    particles: bool,
    areas: Sequence[Any],
    undo: bool,
    as_json: bool,
    project: Path,
) -> int:
    """Put WITH in the place of TEXT over prose, plans and bible, all at once or not at all.

    The events stay as they are: summaries and memories follow, ids do not
    change, no model is asked. History has every text before; --undo puts the
    newest replacement back wherever nobody has written since.

    --json prints {schema_version, text, with, dry_run, files, followers,
    remarks, count, hits, chapters, unreadable}, the last four as in `find`;
    with --undo {schema_version, restored, changed_since}.
    """
    from studio.project.search import replacement as search
    from studio.project.search.book_texts import AREAS

    store = open_session(project, warn=False).store
    if undo:
        return _undo(project, as_json)
    if text is None or with_ is None:
        raise usage(
            "Say which words, and what shall stand in their place.",
            "`studio replace TEXT WITH --dry-run` shows what would change.",
        )
    order = search.ReplaceOrder(
        text, with_, tuple(areas) or AREAS, any_case=any_case, whole=whole, particles=particles
    )
    done = search.preview(store, order) if dry_run else search.replace_words(store, order)
    if as_json:
        output.say_json(
            {
                "schema_version": 1,
                "text": text,
                "with": with_,
                "dry_run": dry_run,
                "files": done.files,
                "followers": done.followers,
                "remarks": list(done.remarks),
                **findings_as_json(done.findings),
            }
        )
        return Exit.DONE
    _show(done, with_, dry_run, project)
    return Exit.DONE


def _show(done: Replacement, new: str, dry_run: bool, project: Path) -> None:
    heading = ""
    for hit in done.findings.hits if dry_run else ():
        if heading != (fresh := heading_of(hit)):
            heading = fresh
            output.say(heading, "strong")
        words = output.one_line(hit.words)
        output.say(f"  {place_of(hit):<8}{hit.before}[-{words}-]{{+{new}+}}{hit.after}")
    for sentence in (*done.remarks, *(f"{s} It stays." for s in done.findings.unreadable)):
        output.warn(sentence)
    count = len(done.findings.hits)
    if not count:
        output.say("Nowhere; nothing changes.")
        return
    places = f"{quantity(count, 'place')} in {quantity(done.files, 'text')}"
    if dry_run:
        output.say(f"{places} would change.")
        return
    output.say(f"Replaced {places}. {command('replace --undo', project)} puts it back.")
    if done.followers:
        output.say("Summaries and memories of the storylines say the new words, too.")


def _undo(project: Path, as_json: bool) -> int:
    from studio.project.search.replacement import undo_newest

    undone = undo_newest(open_session(project, warn=False).store)
    if as_json:
        restored, changed = list(undone.paths), list(undone.changed_since)
        output.say_json({"schema_version": 1, "restored": restored, "changed_since": changed})
        return Exit.DONE
    output.say(f"Put back {quantity(len(undone.paths), 'text')}.")
    for path in undone.changed_since:
        output.warn(f"{path} was changed since; it stays as it is.")
    return Exit.DONE

"""`studio retire`: a character leaves the story, and may return (seed D8)."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.options import (
    CommandResult,
    Telling,
    novel_options,
    open_session,
    say_command,
)
from studio.cli.terms import term
from studio.errors import Exit, usage
from studio.messages import quantity, said

if TYPE_CHECKING:
    from studio.pipeline.volume.retire_character import Retirement


@click.command()
@click.argument("who", metavar="NAME")
@click.option("--dry-run", is_flag=True, help="Say what would happen; change nothing.")
@click.option("--undo", is_flag=True, help="Bring somebody back who was retired.")
@novel_options
def retire(who: str, dry_run: bool, undo: bool, project: Path) -> Telling:
    """Retire a character: files to characters/retired/, out of state and relationships.

    NAME is a name, in any form that means one person, or the slug.

    Refused (2) for anyone still needed by an open promise, a storyline that is not closed, or a
    chapter ahead in which storylines meet. What they did in the chapters stays. A dry run that
    finds one of them ends with 2 as well.

    --json prints {schema_version, slug, files, relationships, state, protected_by: [{kind:
    promise|storyline|schedule, by, sentence}], done}.
    """
    from studio.pipeline.volume.retire_character import CharacterArchive

    if dry_run and undo:
        raise usage(said("--dry-run or --undo, not both."))
    archive = CharacterArchive(open_session(project).store)
    slug = archive.slug_of(who, retired=undo)
    name = archive.names(retired=undo).get(slug, (slug,))[0]
    if undo:
        result = archive.bring_back(slug)
    else:
        result = archive.foresee(slug) if dry_run else archive.retire(slug)
    yield CommandResult(result, Exit.USAGE if result.protected_by else Exit.DONE)
    _show(result, name, undo, project)


def _show(result: Retirement, name: str, undo: bool, project: Path) -> None:
    for protection in result.protected_by:
        output.say(
            said(
                "{slug} would stay ({kind}). {sentence}",
                slug=name,
                kind=term(protection.kind),
                sentence=protection.sentence,
            )
        )
    for path in result.files:
        output.say(
            said("now {path}", path=path) if result.done else said("would be {path}", path=path)
        )
    if result.relationships:
        count = quantity(len(result.relationships), "{n} relationship", "{n} relationships")
        went = said("{count} removed") if result.done else said("{count} would go")
        output.say((said("{count} back") if undo else went).with_values(count=count))
    if not undo and result.done:
        say_command(said("{command} takes it back."), f"retire {quote(name)} --undo", project)

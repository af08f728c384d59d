"""`studio keep`: passages that no revision of the chapter may change."""

from __future__ import annotations

from pathlib import Path

import click

from studio.cli import output
from studio.cli.completion import chapters
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    novel_options,
    open_session,
    project_option,
    say_command,
)
from studio.errors import Exit, usage
from studio.messages import quantity, said, series
from studio.quotation_marks import put_in_quotes
from studio.story.form.document import to_jsonable
from studio.story.review.passage import read_place


@click.group(cls=ShowFirst)
def keep() -> None:
    """Passages that no model changes: no fix, no refinement, no other version, no new draft.

    You still can; a passage you change is a different passage, and no longer locked.
    """


_chapter = click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
_passage = click.option(
    "--passage", metavar="2.3[-2.5]", help="Scene and paragraph: 2.3, or 2.3-2.5 for several."
)


@keep.command("list")
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@novel_options
def list_them(chapter: int | None, project: Path) -> Telling:
    """Every kept passage, of CHAPTER alone if you name one.

    --json prints {schema_version, locks: [{id, chapter, paragraphs, quote, created_at, places}]};
    places is empty where you have changed the words since.
    """
    from studio.project.author.passage_locks import locked_passages

    rows = locked_passages(open_session(project).store, chapter)
    locks = [
        {**to_jsonable(row.lock), "places": [str(place) for place in row.places]} for row in rows
    ]
    yield {"locks": locks}
    if not rows:
        output.say(said("No passage is kept."))
        say_command(
            said("{command} keeps one."), "keep add CHAPTER --passage 2.3-2.5", project, "quiet"
        )
    for row in rows:
        where = series(row.places) or said("its words have changed")
        quote = put_in_quotes(output.one_line(row.lock.quote))
        output.say(
            said(
                "Chapter {chapter}, {where}  {quote}  ({id})",
                chapter=row.lock.chapter,
                where=where,
                quote=quote,
                id=row.lock.id,
            )
        )


@keep.command()
@_chapter
@_passage
@novel_options
def add(chapter: int, passage: str | None, project: Path) -> Telling:
    """Keep a passage of CHAPTER as it is: in the chapter in progress, or else in the book.

    --json prints the lock: {schema_version, id, chapter, paragraphs, quote, created_at}.
    """
    from studio.project.author.passage_locks import keep_passage

    place = read_place(_name_passage(passage))
    lock = keep_passage(open_session(project).store, chapter, place)
    yield {**to_jsonable(lock)}
    output.say(
        said(
            "The passage {place} of chapter {chapter} stays as it is.",
            place=place,
            chapter=chapter,
        )
    )


@keep.command()
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@_passage
@click.option("--id", "lock_id", metavar="ID", help="A lock by the name `list` shows.")
@project_option
def remove(chapter: int | None, passage: str | None, lock_id: str | None, project: Path) -> int:
    """Free a passage of CHAPTER again, or a lock by its --id."""
    from studio.project.author.passage_locks import drop_lock, free_passage

    store = open_session(project).store
    if lock_id is not None:
        lock = drop_lock(store, lock_id)
        output.say(said("The passage of chapter {chapter} is free again.", chapter=lock.chapter))
        return Exit.DONE
    if chapter is None:
        raise usage(said("Name the chapter and --passage, or a lock with --id."))
    place = read_place(_name_passage(passage))
    freed = free_passage(store, chapter, place)
    output.say(
        said(
            "The passage {place} of chapter {chapter} is free again ({paragraphs}).",
            place=place,
            chapter=chapter,
            paragraphs=quantity(freed, "{n} paragraph", "{n} paragraphs"),
        )
    )
    return Exit.DONE


def _name_passage(passage: str | None) -> str:
    if passage is None:
        raise usage(said("Say which passage: --passage 2.3, or --passage 2.3-2.5."))
    return passage

"""`studio notes`: what the writer says to her readers with a chapter, and what they say of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from studio.cli import output
from studio.cli.completion import chapters
from studio.cli.input import read_text
from studio.cli.options import (
    A_CHAPTER,
    FILE_OR_STDIN,
    ShowFirst,
    Telling,
    json_option,
    open_session,
    project_option,
)
from studio.errors import Exit, usage
from studio.messages import said
from studio.story.form.document import to_jsonable


@click.group(cls=ShowFirst)
def notes() -> None:
    """What you say to your readers with a chapter, and what they said of it.

    The note goes out with the text for a platform. Readers' comments are yours: planners see those
    of a chapter only if you say so, drafters never.
    """


_chapter = click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
_text = click.option("--text", metavar="T", help="The words themselves.")
_file = click.argument("file", type=FILE_OR_STDIN, required=False)


@notes.command()
@_chapter
@json_option
@project_option
def show(chapter: int, project: Path) -> Telling:
    """The note of CHAPTER, and its readers' comments.

    --json prints {schema_version, chapter, author, planners, comments: [{source, at, text}]}.
    """
    store = open_session(project).store
    note, readers = (store.author_note(chapter) or "").strip(), store.reader_comments(chapter)
    about = {"chapter": chapter, "author": note, **to_jsonable(readers)}
    yield about
    output.show(note) if note else output.say(said("There is no note to readers."), "quiet")
    for one in readers.comments:
        output.show(f"{one.at}  {output.one_line(one.source)}", "strong")
        output.show(one.text)
    if readers.comments:
        output.say(_SEEN if readers.planners else _UNSEEN, "quiet")


@notes.command()
@_chapter
@_file
@_text
@project_option
def author(chapter: int, file: Path | None, text: str | None, project: Path) -> int:
    """Set what you say to your readers with CHAPTER, from FILE, - or --text; empty for nothing."""
    from studio.project.author.readers import put_author_note

    put_author_note(open_session(project).store, chapter, _words(file, text))
    output.report(said("The note to readers of chapter {chapter} is saved.", chapter=chapter))
    return Exit.DONE


@notes.command()
@_chapter
@_file
@_text
@click.option("--source", default="", metavar="S", help="Where the comment comes from.")
@click.option(
    "--on", "day", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Otherwise today."
)
@click.option(
    "--planners/--no-planners",
    "planners",
    default=None,
    help="Whether planners see the comments of this chapter; by default they do not.",
)
@project_option
def readers(
    chapter: int,
    file: Path | None,
    text: str | None,
    source: str,
    day: datetime | None,
    planners: bool | None,
    project: Path,
) -> int:
    """Keep what readers said of CHAPTER, from FILE, - or --text; or say who sees it."""
    from studio.project.author.readers import add_comment, show_to_planners

    store = open_session(project).store
    comments = store.reader_comments(chapter)
    if planners is None or file is not None or text is not None:
        words = _words(file, text)
        comments = add_comment(store, chapter, words, source, day.date() if day else None)
    if planners is not None:
        comments = show_to_planners(store, chapter, planners)
    count = len(comments.comments)
    output.report(said("Chapter {chapter}: comments kept, {n}.", chapter=chapter, n=count))
    output.say(_SEEN if comments.planners else _UNSEEN, "quiet")
    return Exit.DONE


_SEEN = said("Planners see these comments; drafters never do.")
_UNSEEN = said("No model sees these comments.")


def _words(file: Path | None, text: str | None) -> str:
    if (file is None) == (text is None):
        raise usage(said("Nothing to keep, or two things."), said("Name a FILE, or give --text."))
    return read_text(file) if file is not None else text or ""

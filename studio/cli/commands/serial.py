"""A serial at its readers: `studio published` says which chapters the writer has put where, and
what changed in them since; `studio notes` what she says to her readers with a chapter, and what
they say of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.completion import chapters
from studio.cli.input import read_text
from studio.cli.options import (
    A_CHAPTER,
    FILE_OR_STDIN,
    ShowFirst,
    Telling,
    command,
    novel_options,
    open_session,
    project_option,
)
from studio.errors import Exit, usage
from studio.i18n import further, translate
from studio.messages import Said, said
from studio.story.form.document import to_jsonable

if TYPE_CHECKING:
    from studio.project.author.published import PublishedChapter
    from studio.session import Session


@click.group(cls=ShowFirst)
def published() -> None:
    """Chapters that you have published: where, on which day, and what you changed since.

    You say so yourself; the studio posts nothing. The text as it was that day is kept in history.
    """


_chapter = click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
_platform = click.option(
    "--platform",
    default="",
    metavar="P",
    help="Where, in any words; otherwise where you published the last time.",
)


@published.command("list")
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@novel_options
def list_them(chapter: int | None, project: Path) -> Telling:
    """Every published chapter, or CHAPTER alone, with what changed in it since.

    --json prints {schema_version, published: [{chapter, id, label, platform, at, sha256, stands,
    changes: [{passage, before, after}]}]}; stands is same, changed or gone.
    """
    from studio.project.author.published import published_chapters

    rows = published_chapters(open_session(project).store, chapter)
    yield {"published": [_as_json(row) for row in rows]}
    if not rows:
        output.say(said("Nothing is marked as published."))
        example = command("published add CHAPTER --platform PLATFORM", project)
        output.say(said("{command} marks a chapter.", command=example), "quiet")
    for row in rows:
        _show(row)


@published.command()
@click.argument("chapters", metavar="CHAPTERS", shell_complete=chapters)
@_platform
@click.option(
    "--on", "day", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Otherwise today."
)
@novel_options
def add(chapters: str, platform: str, day: datetime | None, project: Path) -> Telling:
    """Mark CHAPTERS (3, 3-5 or 1-3,7; ~5 up to the fifth from the first that is not published) as
    published, as they are in the book now; again once you have put a change there.

    --json prints the marks: {schema_version, marks: [{chapter, platform, at, sha256, label}]}.
    """
    from studio.exchange.export import chapters_to_publish
    from studio.project.author.published import publish

    session = open_session(project)
    name = _where(session, platform)
    numbers = chapters_to_publish(chapters, session.store)
    marks = publish(session.store, numbers, name, day.date() if day else None)
    yield {"marks": [to_jsonable(mark) for mark in marks]}
    for number, mark in zip(numbers, marks, strict=True):
        output.report(
            said(
                "Chapter {chapter} is marked as published on {platform}, {day}.",
                chapter=number,
                platform=mark.platform,
                day=mark.at,
            )
        )


@published.command()
@_chapter
@_platform
@project_option
def remove(chapter: int, platform: str, project: Path) -> int:
    """Take the mark of CHAPTER on a platform away."""
    from studio.project.author.published import unpublish

    session = open_session(project)
    name = _where(session, platform)
    unpublish(session.store, chapter, name)
    output.report(
        said(
            "Chapter {chapter} is no longer marked as published on {platform}.",
            chapter=chapter,
            platform=name,
        )
    )
    return Exit.DONE


def _where(session: Session, platform: str) -> str:
    """Returns a platform by its own name; one we know nothing of as it was typed.

    Raises StudioError (exit 2) for more than 60 characters.
    """
    from studio.exchange.platform import known_platform, platform_in_use

    words = " ".join(platform.split())
    if len(words) > 60:  # the longest name that a mark has
        raise usage(
            said("The name of a platform has at most {n} characters.", n=60),
            said("Give a shorter one with --platform."),
        )
    if not words:
        return platform_in_use(session.store, session.settings.novel.language).name
    known = known_platform(words)
    return known.name if known else words


def _stands(row: PublishedChapter) -> str:
    if row.number is None:
        return "gone"
    return "changed" if row.is_changed else "same"


def _as_json(row: PublishedChapter) -> dict[str, object]:
    return {
        "chapter": row.number,
        "id": row.mark.chapter,
        "label": row.mark.label,
        "platform": row.mark.platform,
        "at": row.mark.at,
        "sha256": row.mark.sha256,
        "stands": _stands(row),
        "changes": [
            {"passage": change.passage, "before": list(change.before), "after": list(change.after)}
            for change in row.changes
        ],
    }


_STANDS: dict[str, Said] = {
    "same": said("as published"),
    "changed": said("changed since: put it there too"),
    "gone": said("no longer in the book"),
}


def _show(row: PublishedChapter) -> None:
    name = label_of(row.number) if row.number is not None else row.mark.label or row.mark.chapter
    stands = translate(_STANDS[_stands(row)])
    where = output.one_line(row.mark.platform) + further(row.mark.at)
    output.show(f"{name}  {where}  {stands}")
    for change in row.changes:
        before, after = ("\n".join(texts).strip() for texts in (change.before, change.after))
        output.show(f"  {change.passage}")
        for sign, words in (("-", before), ("+", after)):
            if words:
                output.show(
                    f"    {sign} {output.one_line(words)}", "bad" if sign == "-" else "good"
                )


@click.group(cls=ShowFirst)
def notes() -> None:
    """What you say to your readers with a chapter, and what they said of it.

    The note goes out with the text for a platform. Readers' comments are yours: planners see those
    of a chapter only if you say so, drafters never.
    """


_noted_chapter = click.argument("chapter", type=A_CHAPTER, shell_complete=chapters)
_text = click.option("--text", metavar="T", help="The words themselves.")
_file = click.argument("file", type=FILE_OR_STDIN, required=False)


@notes.command()
@_noted_chapter
@novel_options
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
@_noted_chapter
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
@_noted_chapter
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

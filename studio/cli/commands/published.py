"""`studio published`: which chapters the writer has put where, and what changed in them since."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.completion import chapters
from studio.cli.options import (
    A_CHAPTER,
    ShowFirst,
    Telling,
    command,
    json_option,
    open_session,
    project_option,
)
from studio.errors import Exit, usage
from studio.i18n import translate
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
@json_option
@project_option
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
@json_option
@project_option
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
    output.show(f"{name}  {output.one_line(row.mark.platform)}, {row.mark.at}  {stands}")
    for change in row.changes:
        before, after = ("\n".join(texts).strip() for texts in (change.before, change.after))
        output.show(f"  {change.passage}")
        for sign, words in (("-", before), ("+", after)):
            if words:
                output.show(
                    f"    {sign} {output.one_line(words)}", "bad" if sign == "-" else "good"
                )

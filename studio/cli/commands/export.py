"""`studio export`: the book for other programs. Reads the novel without changing it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from studio.chapter_names import label_of, own_title
from studio.cli import output
from studio.cli.options import Telling, novel_options, open_session
from studio.errors import Exit, usage
from studio.messages import Said, quantity, said
from studio.story.lengths import Unit
from studio.text.safe import as_unicode

if TYPE_CHECKING:
    from studio.exchange.export import ExportOrder, Part
    from studio.exchange.platform import Platform, PlatformChapter, Spacing


@click.command()
@click.argument("part", type=click.Choice(["book", "bible", "outline"]), default="book")
@click.option(
    "--format",
    "format_",
    default="",
    metavar="md|txt|html|epub|docx",
    help=(
        "The format; otherwise the ending of OUT decides, and for a folder or stdout it is "
        "Markdown."
    ),
)
@click.option(
    "-o",
    "--out",
    "--output",
    "out",
    default="",
    metavar="OUT",
    help=(
        "A file, or - for stdout; with a / at the end, a folder that gets a file for each chapter."
    ),
)
@click.option(
    "--form",
    type=click.Choice(["platform"]),
    help="Plain text as a platform for serials takes it, to paste there.",
)
@click.option(
    "--platform",
    default="",
    metavar="NAME",
    help="Which: 문피아, 카카오페이지, 조아라, 네이버 시리즈, 리디, 노벨피아, 起点, 番茄, 晋江, "
    "Royal Road.",
)
@click.option(
    "--spacing",
    type=click.Choice(["none", "blank", "dialogue"]),
    help="Blank lines: none, between all paragraphs, or where narration and speech meet.",
)
@click.option(
    "--to",
    default="",
    metavar="clipboard|FILE",
    help="Where the text for a platform goes; otherwise to stdout.",
)
@click.option("--chapters", default="", metavar="LIST", help="3, 1-5, 4- or 1-3,7; otherwise all.")
@click.option("--author", default="", metavar="NAME", help="The name on the title page.")
@click.option("--force", is_flag=True, help="Replace what is there.")
@novel_options
def export(
    part: Part,
    format_: str,
    out: str,
    form: str | None,
    platform: str,
    spacing: Spacing | None,
    to: str,
    chapters: str,
    author: str,
    force: bool,
    as_json: bool,
    project: Path,
) -> Telling:
    """Write the chapters of the book to OUT: text, web page, e-book, or a manuscript in Word
    format.

    With `bible` or `outline` its people, places and rules, or its plans, as one file. With --form
    platform its chapters as text to paste on a platform for serials.

    Notes to people stay out. A cover.jpg or cover.png in the novel's folder is the front of an
    e-book. Chapters are those in chapters/: committed ones, and your own changes to them.

    --json prints {schema_version, part, format, files, chapters}, with --form platform
    {schema_version, form, platform, to, chapters: [{chapter, label, title, length, unit, sha256,
    text}]}.
    """
    from studio.exchange.export import ExportOrder, format_of

    if form or platform or to or spacing:
        _refuse_with_platform(format_ or author or part != "book")
        episodes = _ForPlatform(platform, spacing, chapters, to or out)
        return (yield from _for_platform(episodes, force, as_json, project))
    if not out:
        raise usage(said("Nothing says where the book goes."), said("Name a file with -o OUT."))
    kind = format_of(format_, out)
    if part == "bible" and chapters:
        raise usage(said("The bible has no chapters."), said("Leave --chapters out."))
    order = ExportOrder(kind, out, chapters, force, author, part)
    if out == "-":
        return _to_stdout(order, as_json, project)
    exported = open_session(project).export(order)
    files = [str(file) for file in exported.files]
    yield {
        "part": part,
        "format": kind,
        "files": [as_unicode(file) for file in files],
        "chapters": list(exported.chapters),
    }
    where = files[0] if len(files) == 1 else f"{exported.files[0].parent}/"
    output.report(
        said("{what} written to {where}.", what=_what(part, len(exported.chapters)), where=where)
    )
    if exported.note:
        output.tell(exported.note, "bad")


def _to_stdout(order: ExportOrder, as_json: bool, project: Path) -> int:
    from studio.exchange.export import BINARY, note_on

    if as_json:
        raise usage(
            said("stdout can hold the book or the JSON, not both."), said("Leave --json out.")
        )
    if order.format in BINARY and output.is_terminal(sys.stdout):
        raise usage(
            said("A terminal cannot show {format}.", format=order.format),
            said("Name a file, or pipe it on."),
        )
    session = open_session(project)
    data, numbers = session.export_bytes(order)
    output.put_file(data)
    output.tell(said("{what} written.", what=_what(order.part, len(numbers))))
    if order.part == "book" and (note := note_on(session.store, numbers)):
        output.tell(note, "bad")
    return Exit.DONE


CLIPBOARD = "clipboard"
_COUNTED: Mapping[Unit, Said] = {
    "words": said("Chapter {n}, “{title}”: {length} words, as {platform} counts."),
    "characters with spaces": said(
        "Chapter {n}, “{title}”: {length} characters with spaces, as {platform} counts."
    ),
    "characters without spaces": said(
        "Chapter {n}, “{title}”: {length} characters without spaces, as {platform} counts."
    ),
}

_UNTITLED: Mapping[Unit, Said] = {
    "words": said("Chapter {n}: {length} words, as {platform} counts."),
    "characters with spaces": said(
        "Chapter {n}: {length} characters with spaces, as {platform} counts."
    ),
    "characters without spaces": said(
        "Chapter {n}: {length} characters without spaces, as {platform} counts."
    ),
}


def _refuse_with_platform(is_other: object) -> None:
    if is_other:
        raise usage(
            said("The text for a platform has no other format, part or author."),
            said("Leave them out, or leave out --form, --platform, --spacing and --to."),
        )


class _ForPlatform(NamedTuple):
    """What is asked of the text for a platform."""

    platform: str
    spacing: Spacing | None
    chapters: str
    to: str


def _for_platform(order: _ForPlatform, force: bool, as_json: bool, project: Path) -> Telling:
    from studio.exchange.platform import doubt_of, for_platform, together

    session = open_session(project)
    platform, episodes = for_platform(
        session.store, session.settings, order.platform, order.chapters, order.spacing
    )
    to = order.to
    text, what = together(episodes), _what("book", len(episodes))
    if to == CLIPBOARD:
        words = said("{what} sent to the terminal, for {platform}; it may put it on the clipboard.")
        if _is_copied(text):
            words = said("{what} copied to the clipboard, for {platform}.")
        words = words.format(what=what, platform=platform.name)
    elif to in ("", "-"):
        to, words = "-", said("{what} written.", what=what)
        if not as_json:
            output.put_file(text.encode())
    else:
        place = Path(os.path.abspath(to))
        _write(place, text, force)
        to, words = str(place), said("{what} written to {where}.", what=what, where=place)
    yield _as_json(platform, episodes, as_unicode(to))
    (output.tell if to == "-" else output.report)(words)
    for chapter in episodes:
        title = own_title(output.one_line(chapter.title), chapter.number)
        words = (_COUNTED if title else _UNTITLED)[platform.unit].format(
            n=chapter.number,
            title=title,
            length=f"{chapter.length:,}",
            platform=platform.name,
        )
        (output.tell if to == "-" else output.say)(words)
    if doubt := doubt_of(platform):
        (output.tell if to == "-" else output.say)(doubt)


def _write(place: Path, text: str, force: bool) -> None:
    from studio.exchange.destination import check_file, refuse_unfit, write_file

    refuse_unfit(place)
    check_file(place, force)
    write_file(place, text.encode(), force)


def _is_copied(text: str) -> bool:
    """Copies a text; whether a tool of the system did it, or else the terminal was asked to. Raises
    StudioError (exit 2) where neither is there."""
    from studio.exchange.clipboard import copied_by, osc52, takes_sequences

    if copied_by(text, os.environ):
        return True
    if takes_sequences(os.environ) and output.put_sequence(osc52(text)):
        return False
    raise usage(
        said("There is no clipboard here, and no terminal that has one."),
        said("Write it to a file with `--to FILE`."),
    )


def _as_json(platform: Platform, chapters: list[PlatformChapter], to: str) -> Mapping[str, object]:
    return {
        "schema_version": 1,
        "form": "platform",
        "platform": platform.name,
        "to": to,
        "chapters": [
            {
                "chapter": chapter.number,
                "label": label
                if (label := label_of(chapter.number)).strip() != f"{chapter.number}"
                else None,
                "title": chapter.title,
                "length": chapter.length,
                "unit": platform.unit,
                "sha256": chapter.sha256,
                "text": chapter.text,
            }
            for chapter in chapters
        ],
    }


def _what(part: Part, chapters: int) -> str:
    if part == "bible":
        return said("The bible is")
    return (
        quantity(chapters, "{n} chapter", "{n} chapters")
        if part == "book"
        else said("The outline is")
    )

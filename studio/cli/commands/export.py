"""`studio export`: the book for other programs. Reads the novel without changing it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.options import json_option, open_session, project_option
from studio.errors import Exit, usage
from studio.messages import quantity, said
from studio.text.safe import as_unicode

if TYPE_CHECKING:
    from studio.exchange.export import ExportOrder, Part


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
    required=True,
    metavar="OUT",
    help=(
        "A file, or - for stdout; with a / at the end, a folder that gets a file for each chapter."
    ),
)
@click.option("--chapters", default="", metavar="LIST", help="3, 1-5, 4- or 1-3,7; otherwise all.")
@click.option("--author", default="", metavar="NAME", help="The name on the title page.")
@click.option("--force", is_flag=True, help="Replace what is there.")
@json_option
@project_option
def export(
    part: Part,
    format_: str,
    out: str,
    chapters: str,
    author: str,
    force: bool,
    as_json: bool,
    project: Path,
) -> int:
    """Write the chapters of the book to OUT: text, web page, e-book, or a manuscript in Word
    format.

    With `bible` or `outline` its people, places and rules, or its plans, as one file.

    Notes to people stay out. A cover.jpg or cover.png in the novel's folder is the front of an
    e-book. Chapters are those in chapters/: committed ones, and your own changes to them. --json
    prints {schema_version, part, format, files, chapters}.
    """
    from studio.exchange.export import ExportOrder, format_of

    kind = format_of(format_, out)
    if part == "bible" and chapters:
        raise usage(said("The bible has no chapters."), said("Leave --chapters out."))
    order = ExportOrder(kind, out, chapters, force, author, part)
    if out == "-":
        return _to_stdout(order, as_json, project)
    exported = open_session(project).export(order)
    files = [str(file) for file in exported.files]
    if as_json:
        output.say_json(
            {
                "schema_version": 1,
                "part": part,
                "format": kind,
                "files": [as_unicode(file) for file in files],
                "chapters": list(exported.chapters),
            }
        )
    else:
        where = files[0] if len(files) == 1 else f"{exported.files[0].parent}/"
        output.report(
            said(
                "{what} written to {where}.", what=_what(part, len(exported.chapters)), where=where
            )
        )
    return Exit.DONE


def _to_stdout(order: ExportOrder, as_json: bool, project: Path) -> int:
    from studio.exchange.export import BINARY

    if as_json:
        raise usage(
            said("stdout can hold the book or the JSON, not both."), said("Leave --json out.")
        )
    if order.format in BINARY and output.is_terminal(sys.stdout):
        raise usage(
            said("A terminal cannot show {format}.", format=order.format),
            said("Name a file, or pipe it on."),
        )
    data, numbers = open_session(project).export_bytes(order)
    output.put_file(data)
    output.tell(said("{what} written.", what=_what(order.part, len(numbers))))
    return Exit.DONE


def _what(part: Part, chapters: int) -> str:
    if part == "bible":
        return said("The bible is")
    return (
        quantity(chapters, "{n} chapter", "{n} chapters")
        if part == "book"
        else said("The outline is")
    )

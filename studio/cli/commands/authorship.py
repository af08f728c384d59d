"""`studio authorship`: who wrote each paragraph (row G15). Changes nothing in the novel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import output
from studio.cli.completion import chapters as chapter_names
from studio.cli.options import A_CHAPTER, novel_options, open_session
from studio.errors import Exit, usage
from studio.messages import said
from studio.story.form.document import encode_line

if TYPE_CHECKING:
    from studio.book.authorship import ChapterAuthorship
    from studio.session import Session


@click.command()
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapter_names)
@click.option(
    "-o", "--out", "--output", "out", metavar="OUT", help="A file for the statement, - for stdout."
)
@click.option("--force", is_flag=True, help="Replace what is there.")
@novel_options
def authorship(
    chapter: int | None, out: str | None, force: bool, as_json: bool, project: Path
) -> int:
    """Show who wrote the book, paragraph by paragraph: by hand, brought in, or a model.

    A chapter in progress counts with its text so far. Text from files and from other programs is
    brought; a model's paragraph that was changed there, or by hand, is hand_edited; a person's
    that a model changed is model_edited.

    -o writes a statement for a publisher, in Markdown.

    --json prints, on a line for each chapter, {schema_version, chapter, paragraphs: [{sha256, by:
    hand|brought|model|model_edited|hand_edited|unknown}]}.
    """
    session = open_session(project)
    if out is not None:
        return _state(session, out, force, as_json, chapter)
    chapters = _chapters(session, chapter)
    if as_json:
        for one in chapters:
            rows = [{"sha256": p.sha256, "by": p.by} for p in one.paragraphs]
            line = {"schema_version": 1, "chapter": one.chapter, "paragraphs": rows}
            output.put_json(encode_line(line))
        return Exit.DONE
    _show(session, chapters)
    return Exit.DONE


def _chapters(session: Session, chapter: int | None) -> list[ChapterAuthorship]:
    from studio.book.authorship import Authorship

    ledger = Authorship(session.store, session.settings.novel.language)
    written = ledger.written_chapters()
    if chapter is not None and chapter not in written:
        raise usage(
            said("Chapter {chapter} has no text yet.", chapter=chapter),
            said("`studio status` lists the chapters."),
        )
    return [ledger.of(number) for number in ([chapter] if chapter is not None else written)]


def _show(session: Session, chapters: list[ChapterAuthorship]) -> None:
    from studio.exchange.statement import lengths, summary, table
    from studio.story.lengths import unit_in

    unit = unit_in(session.settings)
    sums = lengths(chapters, unit)
    output.say(summary(sums, unit))
    if sums.total():
        rows = table(chapters, sums, unit)
        output.say_columns(rows)


def _state(session: Session, out: str, force: bool, as_json: bool, chapter: int | None) -> int:
    from studio.exchange.statement import export_statement, statement

    if as_json or chapter is not None:
        raise usage(
            said("The statement is about the whole book, in words."), said("Leave the others out.")
        )
    if out == "-":
        output.put_file(statement(session.store, session.settings).encode())
        return Exit.DONE
    place = export_statement(session.store, session.settings, Path(out), force)
    output.report(said("The statement is in {place}.", place=place))
    return Exit.DONE

"""`studio find`: where words occur in the book, and every note to people (row H3). Read-only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.long_work import long_work
from studio.cli.options import Telling, json_option, open_session, project_option
from studio.errors import usage
from studio.i18n import _, translate
from studio.messages import quantity, said

if TYPE_CHECKING:
    from studio.project.search.hits import Hit, SearchResults

IN = click.option(
    "--in",
    "areas",
    type=click.Choice(["prose", "plans", "bible"]),
    multiple=True,
    help="Look only there; may be given more than once.",
)
WORD = click.option("--word", "whole", is_flag=True, help="Whole words only.")


@click.command()
@click.argument("text", required=False)
@click.option("--regex", is_flag=True, help="TEXT is a regular expression.")
@click.option("--case", is_flag=True, help="Capitals count.")
@WORD
@IN
@click.option("--notes", is_flag=True, help="The notes to people, all or those that hold TEXT.")
@json_option
@project_option
def find(
    text: str | None,
    regex: bool,
    case: bool,
    whole: bool,
    areas: Sequence[Any],
    notes: bool,
    project: Path,
) -> Telling:
    """Find TEXT in the prose, the plans and the bible, by chapter.

    Prose in progress and imported drafts are searched too. --notes lists the
    notes to people, `<!-- -->` and `%% %%`.

    --json prints {schema_version, text, count, hits: [{in, chapter, title,
    path, staged, scene, paragraph, field, line, note, before, match, after}],
    chapters: [{chapter, count}], unreadable}.
    """
    from studio.project.search import hits
    from studio.project.search.book_texts import AREAS
    from studio.project.search.hits import words_pattern

    if text is None and not notes:
        raise usage(
            said("There is nothing to look for."),
            said("`studio find WORDS`, or --notes for every note."),
        )
    pattern = None if text is None else words_pattern(text, regex=regex, case=case, whole=whole)
    store = open_session(project, warn=False).store
    with long_work() as work:
        if notes:
            findings = hits.notes(store, tuple(areas) or AREAS, pattern, work)
        else:
            assert pattern is not None
            findings = hits.find(store, pattern, tuple(areas) or AREAS, work)
    yield {"text": text, **findings_as_json(findings)}
    _show(findings, "notes" if notes else "places")


def findings_as_json(findings: SearchResults) -> dict[str, Any]:
    """Returns the findings in their JSON form."""
    return {
        "count": len(findings.hits),
        "hits": [hit_as_json(hit) for hit in findings.hits],
        "chapters": [{"chapter": n, "count": c} for n, c in findings.chapters.items()],
        "unreadable": list(findings.unreadable),
    }


def hit_as_json(hit: Hit) -> dict[str, Any]:
    """Returns one place in its JSON form."""
    at = hit.at
    return {
        "in": at.area,
        "chapter": at.chapter,
        "title": at.title,
        "path": at.path,
        "staged": at.staged,
        "scene": hit.scene,
        "paragraph": hit.paragraph,
        "field": at.field or None,
        "line": hit.line,
        "note": hit.note,
        "before": hit.before,
        "match": hit.words,
        "after": hit.after,
    }


def _show(findings: SearchResults, noun: str) -> None:
    heading = ""
    for hit in findings.hits:
        if heading != (fresh := heading_of(hit)):
            heading = fresh
            output.show(heading, "strong")
        output.show(hit_line(hit))
    for sentence in findings.unreadable:
        output.warn(said("{sentence} It was not looked through.", sentence=sentence))
    count = len(findings.hits)
    output.say(
        _sum(count, noun, len({hit.at.path for hit in findings.hits}))
        if count
        else said("No notes.")
        if noun == "notes"
        else said("Nowhere.")
    )


def _sum(count: int, noun: str, texts: int) -> str:
    amount = (
        quantity(count, "{n} note", "{n} notes")
        if noun == "notes"
        else quantity(count, "{n} place", "{n} places")
    )
    where = _("{places} in {texts}", places=amount, texts=quantity(texts, "{n} text", "{n} texts"))
    return _("{sentence}.", sentence=where)


def heading_of(hit: Hit) -> str:
    """Returns the heading of the text that contains a hit: `3  The Lamp Room (in work)`."""
    at, kind = hit.at, ""
    if at.area == "prose":
        kind = said("(not in the book yet)") if at.staged else ""
    else:
        kind = said("(plan)") if at.area == "plans" else said("(notes)")
    number = f"{label_of(at.chapter)}  " if at.chapter is not None else ""
    return f"{number}{translate(at.title) or at.path} {translate(kind)}".rstrip()


def hit_line(hit: Hit) -> str:
    """Returns a line with a hit, its place and the surrounding words."""
    words = output.one_line(hit.words)
    return f"  {place_of(hit):<8}{hit.before}[{words}]{hit.after}"


def place_of(hit: Hit) -> str:
    """Returns a hit's place: `2.3` for scene and paragraph, the field of a plan, or
    the line of any other text."""
    if hit.scene is not None:
        return f"{hit.scene}.{hit.paragraph}"
    if hit.at.field:
        from studio.project.search.hits import field_in_words

        return f"{field_in_words(hit.at.field)}: "
    if hit.at.area == "prose" and not hit.note:
        return translate(said("title"))
    return translate(said("line {line}", line=hit.line))

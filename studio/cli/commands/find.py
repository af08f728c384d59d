"""`studio find`: where words occur in the book, and every note to people; `studio replace`: puts
others there across the book, with a preview and single-step undo (H3)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.long_work import long_work
from studio.cli.options import LEAVE, CommandResult, Telling, command, novel_options, open_session
from studio.errors import usage
from studio.i18n import _, translate
from studio.messages import quantity, said
from studio.story.form.lists import items_of, names_of

if TYPE_CHECKING:
    from studio.project.search.hits import Hit, SearchResults
    from studio.project.search.replacement import Replacement, ReplaceOrder


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
@novel_options
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


_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@click.command()
@click.argument("text", required=False)
@click.argument("with_", metavar="WITH", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--any-case", is_flag=True, help="Upper and lower case in TEXT are the same.")
@WORD
@click.option("--name", "is_name", is_flag=True, help="TEXT is a name: change all of its forms.")
@click.option("--particles", is_flag=True, help="Let Korean particles follow the new word.")
@IN
@LEAVE
@click.option("--undo", is_flag=True, help="Put back what the newest replacement changed.")
@novel_options
def replace(
    text: str | None,
    with_: str | None,
    dry_run: bool,
    any_case: bool,
    whole: bool,
    is_name: bool,
    particles: bool,
    areas: Sequence[Any],
    leave: Sequence[str],
    undo: bool,
    as_json: bool,
    project: Path,
) -> Telling:
    """Put WITH in the place of TEXT over prose, plans and bible, all at once or not at all.

    The events stay as they are: summaries and memories follow, ids do not
    change, no model is asked. History has every text before; --undo puts the
    newest replacement back wherever nobody has written since. With --name, TEXT
    is the name of somebody or something: the given name alone, the name with a
    title and pet forms change too, and names of others stay. Ctrl+C stops it
    with nothing changed until the texts are being saved.

    --json prints {schema_version, text, with, dry_run, files, followers,
    remarks, stay, count, hits, chapters, unreadable}, the last four as in
    `find`; stay has the numbers of the places that --leave names, counted from
    1 over the hits there are without it; with --undo {schema_version,
    restored, changed_since}.
    """
    from studio.book.renaming import named_order
    from studio.project.search import replacement as search
    from studio.project.search.book_texts import AREAS

    store = open_session(project, warn=False).store
    if undo:
        return (yield from _undo(project))
    if text is None or with_ is None:
        raise usage(
            said("Say which words, and what should replace them."),
            said("`studio replace TEXT WITH --dry-run` shows what would change."),
        )
    order = search.ReplaceOrder(text, with_, tuple(areas) or AREAS, any_case, whole, particles)
    order = named_order(store, order) if is_name else order
    hits: Sequence[Hit] = ()
    with long_work(changes=not dry_run) as work:
        if leave or (dry_run and not as_json):
            hits = search.places_of(store, order, work)
        stay = numbers_of(leave, hits)
        spots = frozenset(search.spot_of(hits[number - 1]) for number in stay)
        order = dataclasses.replace(order, leave=spots)
        carry_out = search.preview if dry_run else search.replace_words
        done = carry_out(store, order, work)
    head = {"text": text, "with": with_, "dry_run": dry_run}
    yield CommandResult({**head, **_as_json(done), "stay": sorted(stay)}, work.exit_code)
    if dry_run:
        show_places(hits, order, stay)
    _show_replacement(done, dry_run, project)


def _as_json(done: Replacement) -> dict[str, Any]:
    return {
        "files": done.files,
        "followers": done.followers,
        "remarks": [*done.remarks, *done.to_put_there],
        **findings_as_json(done.findings),
    }


def numbers_of(leave: Sequence[str], hits: Sequence[Hit]) -> frozenset[int]:
    """Returns the numbers of the places that `--leave` names, by number or by the very words that
    are there; raises StudioError (exit 2) for one that does not exist."""
    most, numbers = len(hits), set[int]()
    by_words: dict[str, set[int]] = {}
    for number, hit in enumerate(hits, start=1):
        by_words.setdefault(output.one_line(hit.words), set()).add(number)
    typed = [part for one in leave for part in names_of(one)]
    parts = (part for one in typed for part in ((one,) if one in by_words else items_of(one)))
    for part in parts:
        if part in by_words:
            numbers |= by_words[part]
            continue
        match = _RANGE.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= most:
            raise usage(
                said(
                    "{part} names none of the {places}.",
                    part=repr(part),
                    places=quantity(most, "{n} place", "{n} places"),
                ),
                said("`studio replace TEXT WITH --dry-run` numbers them."),
            )
        numbers.update(range(first, last + 1))
    return frozenset(numbers)


def show_places(hits: Sequence[Hit], order: ReplaceOrder, stay: Collection[int]) -> None:
    """Prints every numbered place before and after the replacement."""
    from studio.text.changed_lines import put_in_brackets

    heading, width = "", len(str(len(hits)))
    for number, hit in enumerate(hits, start=1):
        if heading != (fresh := heading_of(hit)):
            heading = fresh
            output.show(heading, "strong")
        stays = number in stay
        words, new = order.change(hit.at.text, hit.start, hit.end, endings=not stays)
        after = hit.after.removeprefix(words[len(hit.words) :])
        old = output.one_line(words)
        change = f"{old} ({translate(said('stays'))})" if stays else put_in_brackets(old, new)
        output.show(f"  {number:>{width}}  {place_of(hit):<8}{hit.before}{change}{after}")


def _show_replacement(done: Replacement, dry_run: bool, project: Path) -> None:
    for sentence in (
        *done.remarks,
        *(said("{s} It stays.", s=s) for s in done.findings.unreadable),
    ):
        output.warn(sentence)
    count = len(done.findings.hits)
    if not count:
        output.say(said("Nowhere; nothing changes."))
        return
    amount, texts = (
        quantity(count, "{n} place", "{n} places"),
        quantity(done.files, "{n} text", "{n} texts"),
    )
    places = _("{places} in {texts}", places=amount, texts=texts)
    if dry_run:
        output.say(said("{places} would change.", places=places))
        return
    output.say(
        said(
            "Replaced {places}. {command} puts it back.",
            places=places,
            command=command("replace --undo", project),
        )
    )
    for sentence in done.to_put_there:
        output.warn(sentence)
    if done.followers:
        output.say(said("Summaries and memories of the storylines say the new words, too."))


def _undo(project: Path) -> Telling:
    from studio.project.search.replacement import undo_newest

    store = open_session(project, warn=False).store
    with long_work(changes=True) as work:
        undone = undo_newest(store, work)
    restored, changed = list(undone.paths), list(undone.changed_since)
    yield CommandResult({"restored": restored, "changed_since": changed}, work.exit_code)
    output.say(
        said("Put back {texts}.", texts=quantity(len(undone.paths), "{n} text", "{n} texts"))
    )
    for sentence in undone.to_put_there:
        output.warn(sentence)
    for path in undone.changed_since:
        output.warn(said("{path} was changed since; it stays as it is.", path=path))
    return work.exit_code

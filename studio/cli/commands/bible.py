"""`studio bible`: the people, places, things and lore of the book, where the text names them, and
(`suggest`) entries for imported notes and for names in the text that have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import label_of
from studio.cli import output
from studio.cli.options import (
    A_CHAPTER,
    LEAVE,
    ShowFirst,
    Telling,
    model_overrides,
    novel_options,
    open_session,
    provider_option,
    say_command,
)
from studio.cli.paid_call import ask_for_window, once_agreed
from studio.cli.terms import term
from studio.errors import usage
from studio.foreign_json import JsonError, read_json
from studio.i18n import aside, series, translate
from studio.messages import quantity, said
from studio.messages import series as said_series
from studio.quotation_marks import put_in_quotes

if TYPE_CHECKING:
    from studio.book.bible import BibleEntry
    from studio.book.entries_from_names import Suggestion
    from studio.project.store import ProjectStore
    from studio.session import Session
    from studio.story.state import Scalar


_KINDS = {"character": "person", "item": "thing", "faction": "group"}


@click.command()
@click.option("--take", "taken", multiple=True, metavar="NAME", help="Make it an entry.")
@click.option(
    "--take-as", "renamed", multiple=True, nargs=2, metavar="NAME NEW", help="Under another name."
)
@click.option("--take-notes", "all_notes", is_flag=True, help="Make entries of all notes.")
@click.option("--leave", "refused", multiple=True, metavar="NAME", help="Do not offer it again.")
@click.option("--least", type=click.IntRange(min=1), default=3, show_default=True,
              help="How often a name has to occur in the book.")  # fmt: skip
@click.option(
    "--model",
    "by_model",
    is_flag=True,
    help=("Have a model say what the chapters tell about them."),
)
@provider_option
@novel_options
def suggest(
    taken: Sequence[str],
    renamed: Sequence[tuple[str, str]],
    all_notes: bool,
    refused: Sequence[str],
    least: int,
    by_model: bool,
    provider: str | None,
    as_json: bool,
    project: Path,
) -> Telling:
    """Notes of a vault, and names of the chapters that have no entry, each taken or left by
    itself.

    A note that was imported is the entry's text. Names are found by how they are used, in Korean,
    English and Chinese; no model is asked without --model. Such an entry holds the name and, as a
    note that no model sees, the words it was first seen in. With --model the price comes first,
    and at a terminal you are asked: agents say what the chapters tell about each name, and a fact
    without a quote from there is dropped. With --take the entry holds them; you do not pay twice
    for an answer while names and chapters stay as they are.

    --json prints {schema_version, suggestions: [{name, aliases, kind, count, chapter, quote,
    note, facts: [{fact, chapter, quote}], same_as, is_a_name}], taken: [path], left: [name]};
    chapter is 0 where no chapter names it, note the file that waits.
    """
    from studio.book.entries_from_names import leave, suggestions, take

    session = open_session(project, model_overrides(provider, None))
    store, language = session.store, session.settings.novel.language
    offered = suggestions(store, language, least)
    orders = [(name, "") for name in taken] + list(renamed)
    for name in (*(name for name, _ in orders), *refused):
        _find(offered, name)
    if by_model:
        answered = _fill(session, offered, as_json)
        if isinstance(answered, int):
            return answered
        offered = answered
    if all_notes:
        chosen = {*(name for name, _ in orders), *refused}
        orders += [(one.name, "") for one in offered if one.note and one.name not in chosen]
    paths = [take(store, _find(offered, name), new) for name, new in orders]
    for name in refused:
        leave(store, _find(offered, name))
    done = {*(name for name, _ in orders), *refused}
    rest = [entry for entry in offered if entry.name not in done]
    rows = [_suggestion_row(entry) for entry in rest]
    left = sorted(refused)
    yield {"suggestions": rows, "taken": paths, "left": left}
    for path in paths:
        output.say(said("{path} is an entry now.", path=path))
    _tell(rest, project)


def _suggestion_row(entry: Suggestion) -> dict[str, Any]:
    return {
        "name": entry.name,
        "aliases": list(entry.aliases),
        "kind": entry.kind,
        "count": entry.count,
        "chapter": entry.first_chapter,
        "quote": entry.quote,
        "note": entry.note.path if entry.note else "",
        "facts": [
            {"fact": one.fact, "chapter": one.chapter, "quote": one.quote} for one in entry.facts
        ],
        "same_as": entry.same_as,
        "is_a_name": entry.is_a_name,
    }


def _fill(session: Session, offered: Sequence[Suggestion], as_json: bool) -> list[Suggestion] | int:
    """Returns the suggestions filled in by a model, once the writer has agreed to the price; an
    exit code where the command ends there."""
    if all(entry.note for entry in offered):
        return list(offered)
    ask_for_window(session, is_for_programs=as_json)
    filler = session.entry_filler()
    price = filler.price(offered)
    outcome = once_agreed(
        lambda emit: filler.fill(offered, emit),
        said(
            "{calls} to {model}.",
            calls=quantity(price.calls, "{n} call", "{n} calls"),
            model=price.model,
        ),
        price.cost,
        as_json=as_json,
    )
    return outcome if isinstance(outcome, int) else list(outcome.suggestions)


def _find(offered: Sequence[Suggestion], name: str) -> Suggestion:
    entry = next((entry for entry in offered if entry.name == name), None)
    if entry is None:
        names = said_series(entry.name for entry in offered) or said("none")
        raise usage(
            said("{name} is not among the names on offer.", name=name),
            said("They are: {names}.", names=names),
        )
    return entry


def _tell(rest: Sequence[Suggestion], project: Path) -> None:
    if not rest:
        output.say(said("Every name that occurs often enough in the book has its entry."))
        return
    for entry in rest:
        kind = translate(_KINDS.get(entry.kind) or term(entry.kind))
        times = (
            said(", {n} in the book", n=quantity(entry.count, "{n} time", "{n} times"))
            if entry.count
            else ""
        )
        output.say(f"{output.one_line(entry.name)}  {kind}{translate(times)}", "strong")
        if entry.note:
            where = output.one_line(entry.note.meta.source or entry.note.path)
        else:
            where = said("chapter {number}", number=entry.first_chapter)
        quote = f": {put_in_quotes(output.one_line(entry.quote))}" if entry.quote else ""
        output.say(f"  {translate(where)}{quote}")
        if not entry.is_a_name:
            output.say(f"  {translate(said('A model does not take it for a name.'))}")
        elif entry.same_as:
            output.say(
                "  "
                + translate(
                    said("A model takes it for {name}.", name=output.one_line(entry.same_as))
                )
            )
        for one in entry.facts:
            output.say(f"  {output.one_line(one.fact)}")
            output.say(f"    {label_of(one.chapter)}: {put_in_quotes(output.one_line(one.quote))}")
    say_command(said("{command} makes one an entry."), "bible suggest --take NAME", project)
    if any(entry.note for entry in rest):
        say_command(
            said("{command} makes entries of all notes."), "bible suggest --take-notes", project
        )


@click.group(cls=ShowFirst)
def bible() -> None:
    """Entries of characters/active/ and world/: who and what the book is made of."""


def _store_with_notes(project: Path) -> ProjectStore:
    """Returns the novel's store, and names what a sync program left among the entries."""
    from studio.project.files.other_hands import sync_copies_of_notes

    store = open_session(project).store
    for sentence in sync_copies_of_notes(store.root):
        output.warn(sentence)
    return store


@bible.command("list")
@novel_options
def list_them(project: Path) -> Telling:
    """Every entry with its kind, names and file.

    --json prints {schema_version, entries: [{slug, kind, name, aliases, include, links, tags,
    dead_from, gone_from, path, changes: ["12", "12.3"]}]}.
    """
    from studio.book.bible import read_bible

    entries = read_bible(_store_with_notes(project)).entries.values()
    yield {"entries": [_row(entry) for entry in entries]}
    if not entries:
        output.say(said("The bible is empty: characters/active/ and world/ hold no entry yet."))
    rows = [(e.name, term(e.kind), series(n for n in e.names if n != e.name)) for e in entries]
    output.say_columns(rows)


@bible.command()
@click.argument("slug")
@click.option("--at", "at", type=A_CHAPTER, help="As it is when chapter N is written.")
@novel_options
def show(slug: str, at: int | None, project: Path) -> Telling:
    """One entry, by its slug or a name; with --at as it stands at a chapter.

    --json prints the keys of list, and `at`, `text`, `state`: what is true of it when that
    chapter begins.
    """
    from studio.book.as_of import StoryAt
    from studio.book.bible import read_bible
    from studio.story.state_words import fact_in_words, labelled_fact, word_of_state

    def named(word: str) -> str:
        name = story.name_of(word)
        return name if name != word else word_of_state(word)

    store = _store_with_notes(project)
    entry = read_bible(store).entry(slug)
    chapter = at or store.checkpoint().last_completed_chapter + 1
    story = StoryAt(store, chapter)
    state = story.about(entry)
    text = entry.text.at(at)
    yield {**_row(entry), "at": at, "text": text, "state": state}
    output.show(f"{entry.name}{aside(translate(term(entry.kind)))}", "strong")
    if text:
        output.show(text)
    else:
        output.say(said("Nothing is written about it yet."))
    if state:
        output.say()
        output.say(said("When chapter {chapter} begins:", chapter=chapter), "strong")
        for name, value in state.items():
            words = fact_in_words(value, named, name)
            output.show(f"  {labelled_fact(name, word_of_state(name), value, words)}")


@bible.command()
@click.argument("slug")
@novel_options
def mentions(slug: str, project: Path) -> Telling:
    """Where an entry is named in the chapters of the book.

    --json prints {schema_version, slug, chapters: [{chapter, count, places: [{scene, paragraph,
    paragraph_sha256, quote}]}]}.
    """
    from studio.book.bible import mentions_in_book, read_bible

    store = _store_with_notes(project)
    all_entries = read_bible(store)
    entry = all_entries.entry(slug)
    chapters = mentions_in_book(store, all_entries, entry)
    rows = [chapter.as_json() for chapter in chapters]
    yield {"slug": entry.slug, "chapters": rows}
    if not chapters:
        output.say(said("{name} is named in no chapter.", name=entry.name))
    for chapter in chapters:
        output.say(
            said("Chapter {chapter}: {name}", chapter=chapter.chapter, name=chapter.count), "strong"
        )
        for place in chapter.places[:_MOST_PLACES]:
            output.say(f"  {place.scene}.{place.paragraph}  {place.quote}")


_MOST_PLACES = 5
"""The maximum number of places per chapter that are printed; --json has all."""


@bible.command()
@click.argument("old")
@click.argument("new")
@click.option("--prose", is_flag=True, help="In the chapters too; their events stay as they are.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@LEAVE
@novel_options
def rename(
    old: str,
    new: str,
    prose: bool,
    dry_run: bool,
    leave: Sequence[str],
    project: Path,
) -> Telling:
    """Give an entry another name or alias; its slug stays.

    Of a person every form of the name changes: the given name alone, the name with a title, pet
    forms. Look-alikes that the entry excludes stay, and so do the names of others. --dry-run lists
    and numbers every place.

    Plans, the bible, summaries, memories and secrets change too, all at once or not at all; with
    --prose so do the chapters. `studio replace --undo` takes it back.

    --json prints
    {schema_version, slug, old, new, dry_run, files, followers, paths, remarks, forms: [{from, to,
    count}], stay}; stay has the numbers of the places that --leave names.
    """
    from studio.book.renaming import plan_renaming
    from studio.cli.commands.find import numbers_of, show_places

    store = open_session(project).store
    planned = plan_renaming(store, old, new, prose=prose)
    stay = numbers_of(leave, planned.hits)
    renamed = planned.without(stay)
    done = renamed.preview(store) if dry_run else renamed.carry_out(store)
    yield {
        "slug": renamed.entry.slug,
        "old": renamed.old,
        "new": new,
        "dry_run": dry_run,
        "files": done.files,
        "followers": done.followers,
        "paths": [edit.path for edit in done.edits],
        "remarks": list(done.remarks),
        "forms": [
            {"from": old_form, "to": new_form, "count": count}
            for (old_form, new_form), count in planned.forms().items()
        ],
        "stay": sorted(stay),
    }
    if dry_run:
        show_places(planned.hits, planned.order, stay)
    for sentence in done.remarks:
        output.warn(sentence)
    files = quantity(len(done.edits), "{n} file", "{n} files")
    name = renamed.old
    output.say(
        said("{name_old} would be {name_new} in {files}.", name_old=name, name_new=new, files=files)
        if dry_run
        else said("{name_old} is {name_new} in {files}.", name_old=name, name_new=new, files=files)
    )


@bible.command("set")
@click.argument("path")
@click.argument("value")
@click.option(
    "--from",
    "chapter",
    type=A_CHAPTER,
    required=True,
    help="The chapter it happens in.",
)
@novel_options
def set_(path: str, value: str, chapter: int, project: Path) -> Telling:
    """Say yourself what is true: `studio bible set characters.joss.alive false --from 6`.

    It holds from the end of that chapter on and wins over what a model reads. VALUE is true,
    false, a number, null (nothing any more) or words.

    --json prints {schema_version, path, value,
    from}.
    """
    from studio.book.author_facts import set_fact
    from studio.story.state_words import fact_in_words

    fact = set_fact(open_session(project).store, path, _value(value), chapter)
    yield {"path": path, "value": fact.value, "from": fact.from_chapter}
    output.say(
        said(
            "From chapter {chapter} on: {path} is {in_words}.",
            chapter=chapter,
            path=path,
            in_words=fact_in_words(fact.value),
        )
    )


def _value(words: str) -> Scalar:
    """Parses a typed value of the state; anything that is not another type of value is text."""
    try:
        value: Any = read_json(words)
    except JsonError:
        return words
    return value if value is None or isinstance(value, str | int | float | bool) else words


def _row(entry: BibleEntry) -> dict[str, Any]:
    meta = entry.meta
    return {
        "slug": entry.slug,
        "kind": entry.kind,
        "name": entry.name,
        "aliases": list(entry.aliases),
        "include": meta.include,
        "links": list(meta.links),
        "tags": list(meta.tags),
        "dead_from": meta.dead_from,
        "gone_from": meta.gone_from,
        "path": entry.path,
        "changes": [
            f"{label_of(part.chapter)}.{part.scene}" if part.scene else label_of(part.chapter)
            for part in entry.text.progressions
        ],
    }


bible.add_command(suggest)

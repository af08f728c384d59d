"""`studio import`: turns files, folders and other programs' documents into chapters of a novel."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.chapter_names import typed_name
from studio.cli import keyboard, output
from studio.cli.input import STDIN, read_stdin
from studio.cli.long_work import long_work, saying_how_long
from studio.cli.options import FILE_OR_STDIN, LANGUAGE, Telling, command, json_option, say_command
from studio.cli.terms import term
from studio.config.paths import state_dir
from studio.errors import Exit, Problem, StudioError, usage
from studio.i18n import call_chapters, translate
from studio.messages import join, quantity, said, series
from studio.project.progress import Progress

if TYPE_CHECKING:
    from studio.exchange.import_.blocks import Paragraphing
    from studio.exchange.import_.commit import ImportAs, ImportResult, OnChapter
    from studio.exchange.import_.detect import Rules
    from studio.exchange.import_.plan import ImportPlan
    from studio.exchange.import_.sources import Source
    from studio.i18n import Language
    from studio.project.progress import Listener

_PARAGRAPHS: dict[str, Paragraphing | None] = {"auto": None, "blocks": "blocks", "lines": "lines"}
_MOST_NAMES = 3
_MOST_IN_DOUBT = 20
_LARGE = 1_000_000
"""The number of bytes from which reading is certainly not over at once."""
_HOW = {"sure": said("certain"), "likely": said("probably"), "guess": said("a guess")}
_TAKES = {"blocks": said("paragraphs between blank lines"), "lines": said("a paragraph each line")}


@click.command("import")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=FILE_OR_STDIN,
    metavar="FILE|DIR|-...",
)
@click.option(
    "--into",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A novel, or a new folder that becomes one.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["drafts", "committed"]),
    default="drafts",
    help="Drafts wait for `studio write`, one by one (default); committed ones are in the book.",
)
@click.option("--language", type=LANGUAGE, help="Otherwise it is guessed.")
@click.option("--title", default="", metavar="TEXT", help="The title of a new novel.")
@click.option("--encoding", metavar="NAME", help="Otherwise it is detected: cp949, gb18030, ...")
@click.option(
    "--split",
    "rule",
    metavar="REGEX",
    help="What a heading line of a chapter looks like; a group in it is the title.",
)
@click.option(
    "--paragraphs",
    type=click.Choice(list(_PARAGRAPHS)),
    default="auto",
    help="Blocks between blank lines, or every line a paragraph; otherwise it is detected.",
)
@click.option(
    "--headings",
    default="",
    metavar="KIND",
    help="Which lines begin the chapters, as the preview names them, if it took the wrong ones.",
)
@click.option(
    "--join",
    default="",
    metavar="LIST",
    help="Chapters of the preview that go on with the one before: 3 or 2,5-7.",
)
@click.option(
    "--take-plans",
    "takes_plans",
    is_flag=True,
    help="The chapters take the plans at their places, also of chapters with other titles.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be brought in; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def import_(
    files: tuple[Path, ...],
    folder: Path,
    kind: ImportAs,
    language: Language | None,
    title: str,
    encoding: str | None,
    rule: str | None,
    paragraphs: str,
    headings: str,
    join: str,
    takes_plans: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> Telling:
    """Bring the chapters of FILEs into a novel, in their order.

    A FILE is Markdown, plain text, a Word or OpenDocument text, an e-book, a web page
    or RTF; a folder of these, an Obsidian vault or a Scrivener project; or - for
    stdin. Chapters are found by their headings, scenes by `* * *` and the like; no
    model is asked. The files themselves are kept in the novel's history.

    A chapter takes the plan that has its title. Planned chapters with other titles
    move behind what is brought in, unless --take-plans says otherwise.

    --json prints {schema_version, language, title, unit, sureness, files,
    chapters, entries, kinds, notes, places}; without --dry-run also imported: {as,
    already, chapters, entries}. places says which plans are taken, which chapters make
    room and which names are double.
    """
    from studio.exchange.import_.detect import Rules

    rules = Rules(_language_of(folder, language), _PARAGRAPHS[paragraphs], rule, headings)
    plan, sources = _read(files, rules, encoding)
    if join:
        plan = _with_joined(plan, join)
    places = _places(plan, folder, takes_plans)
    if not as_json:
        _show(plan, places)
    if dry_run:
        yield _as_json(plan, None, places)
        output.say(said("Nothing was changed."))
        return Exit.DONE
    if not yes and not _confirm(plan, folder, kind, as_json):
        output.tell(said("Nothing was changed."))
        return Exit.DONE
    return (yield from _bring_in(plan, sources, folder, kind, title, takes_plans))


def _places(plan: ImportPlan, folder: Path, takes_plans: bool) -> tuple[str, ...]:
    """Returns what the writer is told of the places of the chapters in a novel with plans."""
    from studio.exchange.import_.commit import places_of
    from studio.project.layout import is_novel
    from studio.project.store import ProjectStore

    if not is_novel(folder):
        return ()
    store = ProjectStore(folder, state_dir(os.environ))
    return places_of(store, plan, plan.language, takes_plans=takes_plans).sentences


def _read(
    files: tuple[Path, ...], rules: Rules, encoding: str | None
) -> tuple[ImportPlan, tuple[Source, ...]]:
    """Returns the plan for the files, and the files, saying how long the reading takes."""
    from studio.exchange.import_.commit import plan_import

    stdin = read_stdin() if STDIN in files else None
    names = series(file.name for file in files[:_MOST_NAMES])
    with (
        long_work(changes=True),
        saying_how_long(
            lambda n: said("Reading {names}, {n} seconds so far.", names=names, n=n),
            at_once=len(stdin or b"") + sum(map(_size_of, files)) > _LARGE,
        ),
    ):
        return plan_import(files, rules, encoding, stdin=stdin)


def _with_joined(plan: ImportPlan, spec: str) -> ImportPlan:
    """Returns the plan with the chapters of a list such as `2,5-7` joined to those before them, as
    the writer has now said it: nothing about them is a guess any more."""
    from studio.exchange.export import numbers_in
    from studio.exchange.import_.plan import join_chapters

    there = list(range(1, len(plan.chapters_to_import) + 1))
    return join_chapters(plan, numbers_in(spec, there, _number_typed))


def _number_typed(words: str) -> int | None:
    return int(words) if words.isascii() and words.isdecimal() and len(words) < 10 else None


def _size_of(file: Path) -> int:
    """Returns the bytes of a file; 0 where there is none to read."""
    with suppress(OSError):
        return file.stat().st_size
    return 0


def _language_of(folder: Path, language: Language | None) -> Language | None:
    """Returns an existing novel's language; StudioError (exit 2) if another is requested."""
    from studio.project.layout import is_novel

    if not is_novel(folder):
        return language
    from studio.config.load import load_settings

    novel = load_settings(folder, os.environ).novel
    call_chapters(novel.word_for_chapters)
    own = novel.language
    if language not in (None, own):
        raise usage(
            said(
                "The novel in {folder} is written in {own}, not {language}.",
                folder=folder,
                own=own,
                language=language,
            ),
            said("Leave --language out."),
        )
    return own


def _confirm(plan: ImportPlan, folder: Path, kind: ImportAs, as_json: bool) -> bool:
    """Whether the writer agrees to the plan. Without a terminal, every plan but a guess is
    accepted; a guess raises StudioError (exit 4)."""
    if as_json or not keyboard.asks():
        if plan.sureness == "guess":
            raise StudioError(_unsure_problem(plan))
        return True
    proposal = (
        said("Let these chapters wait as drafts")
        if kind == "drafts"
        else said("Commit these chapters")
    )
    return keyboard.confirm(
        said("{proposal} in {folder}? [y/N] ", proposal=proposal, folder=folder)
    )


def _unsure_problem(plan: ImportPlan) -> Problem:
    files = [f for f in plan.files if f.sureness == "guess"]
    doubt = (
        said(
            "The encoding of {name} is only a guess ({encoding}).",
            name=files[0].name,
            encoding=files[0].encoding,
        )
        if files
        else said("Where the chapters begin is only a guess.")
    )
    remedy = (
        said("name the encoding with --encoding")
        if files
        else said("say how chapters begin with --split")
    )
    return Problem(
        said("{doubt} Nothing was changed.", doubt=doubt),
        said("Look at it with --dry-run; then go on with --yes, or {remedy}.", remedy=remedy),
        exit_code=Exit.DECIDE,
        kind="unsure",
    )


def _bring_in(
    plan: ImportPlan,
    sources: tuple[Source, ...],
    folder: Path,
    kind: ImportAs,
    title: str,
    takes_plans: bool,
) -> Telling:
    from studio.project.create import novel_in
    from studio.project.layout import is_novel
    from studio.project.spending import begin_anew
    from studio.session import Session

    name = title or plan.title_for(folder.resolve().name)
    if is_novel(folder):
        _check_title(folder, title)
    with novel_in(folder, name, plan.language) as place:
        session = Session.open(place, os.environ)
        for warning in session.warnings:
            output.warn(warning)
        with long_work() as work:
            imported = session.bring_in(
                plan,
                sources,
                kind,
                _listener_of(work, len(plan.chapters_to_import)),
                takes_plans=takes_plans,
            )
        new = place != folder
    if new:
        begin_anew(folder, state_dir(os.environ))
        output.tell(
            said("“{title}” begins in {folder}.", title=output.one_line(name), folder=folder)
        )
    yield _as_json(plan, imported, imported.places)
    _conclude(imported, folder)


def _listener_of(listener: Listener, of: int) -> OnChapter:
    """Returns a callback that reports every chapter in place to the listener."""
    in_place = count(1)
    return lambda number, title: listener(Progress("bringing", next(in_place), of))


def _check_title(folder: Path, title: str) -> None:
    """Raises StudioError (exit 2) for a title other than the novel's."""
    from studio.config.load import load_settings

    own = load_settings(folder, os.environ).novel.title
    if title.strip() not in ("", own):
        raise usage(
            said("The novel in {folder} is called “{quote}” already.", folder=folder, quote=own),
            said("Leave --title out, or change the title in studio.toml."),
        )


def _show(plan: ImportPlan, places: tuple[str, ...]) -> None:
    from studio.story.lengths import unit_of

    for file in plan.files:
        sure, how = output.in_words(_HOW[file.sureness], _TAKES[file.paragraphing])
        words = f"{translate(file.encoding)} ({sure}: {translate(file.how)}); {how}"
        output.show(f"{output.one_line(file.name)}: {words}.", "strong")
    if plan.title:
        output.say(said("Title of the book: {title}", title=output.one_line(plan.title)))
    number, rows = 0, []
    for chapter in plan.chapters:
        number += chapter.included
        unsure = (
            [_HOW[chapter.sureness]] if chapter.included and chapter.sureness == "guess" else []
        )
        notes = join(
            [*([] if chapter.included else [said("left out")]), *unsure, *chapter.notes], "; "
        )
        first, last = chapter.lines
        rows.append(
            (
                str(number) if chapter.included else "-",
                chapter.title,
                quantity(len(chapter.scenes), "{n} scene", "{n} scenes"),
                *output.in_words(
                    said(
                        "{n} {unit}",
                        n=f"{chapter.length(plan.language):,}",
                        unit=term(unit_of(plan.language)),
                    ),
                    said("lines {first}-{last}", first=first, last=last),
                    notes,
                ),
            )
        )
    output.say_columns(rows, indent="  ")
    if plan.entries:
        names = series(output.one_line(entry.name) for entry in plan.entries)
        output.say(said("Proposed for the bible: {names}.", names=names))
    for note in (*plan.notes, *places):
        output.warn(note)
    _show_doubts(plan)
    if len(plan.kinds) > 1 and not plan.is_sure_of_chapters:
        kinds = series(
            said(
                "{option} ({n} lines like “{line}”)",
                option=f"--headings '{kind.key}'" if " " in kind.key else f"--headings {kind.key}",
                n=kind.count,
                line=output.one_line(kind.first),
            )
            for kind in plan.kinds
        )
        output.say(said("If the chapters begin elsewhere: {kinds}.", kinds=kinds))


def _show_doubts(plan: ImportPlan) -> None:
    """Says in one line which chapters to look at, and how to correct them in one go."""
    if not plan.in_doubt:
        return
    numbers = series(plan.in_doubt[:_MOST_IN_DOUBT])
    more = len(plan.in_doubt) - _MOST_IN_DOUBT
    several = len(plan.in_doubt) > 1
    output.warn(
        said("Look at chapters {numbers} and {n} more.", numbers=numbers, n=more)
        if more > 0
        else said("Look at chapters {numbers}.", numbers=numbers)
        if several
        else said("Look at chapter {numbers}.", numbers=numbers)
    )
    chapters = plan.chapters_to_import
    guesses = [n for n in plan.in_doubt if n > 1 and chapters[n - 1].sureness == "guess"]
    if guesses and len(guesses) < len(chapters) - 1:
        option = f"--join {','.join(map(str, guesses))}"
        output.say(
            said("Where they only go on with the chapter before: {option}.", option=option)
            if len(guesses) > 1
            else said("Where it only goes on with the chapter before: {option}.", option=option)
        )
    if any(chapter.is_long for chapter in chapters):
        output.say(said("Where a heading was not found: --split says what they look like."))


def _conclude(imported: ImportResult, folder: Path) -> None:
    if imported.already:
        output.say(
            said(
                "Already there: {chapters}.",
                chapters=quantity(imported.already, "{n} chapter", "{n} chapters"),
            )
        )
    _conclude_chapters(imported, folder)
    for sentence in imported.places:
        output.say(sentence)
    if imported.entries:
        notes = quantity(len(imported.entries), "{n} note", "{n} notes")
        wait = (
            said("waits as a proposal") if len(imported.entries) == 1 else said("wait as proposals")
        )
        offers = command("bible suggest", folder)
        output.say(
            said(
                "{notes} {wait} for the bible: {command} offers them.",
                notes=notes,
                wait=wait,
                command=offers,
            )
        )


def _conclude_chapters(imported: ImportResult, folder: Path) -> None:
    if not imported.chapters and imported.entries:
        return
    if not imported.chapters:
        say_command(
            said("Nothing was left to bring in. {command} shows the book."), "status", folder
        )
        return
    first, last = imported.chapters[0][0], imported.chapters[-1][0]
    is_single = first == last
    if imported.kind == "drafts":
        waiting = folder / "imports"
        output.report(
            said(
                "Chapter {chapter} waits as your draft in {folder}.", chapter=first, folder=waiting
            )
            if is_single
            else said(
                "Chapters {first} to {last} wait as your drafts in {folder}.",
                first=first,
                last=last,
                folder=waiting,
            )
        )
        takes = command(f"write {typed_name(first)}", folder)
        output.say(
            said("{command} takes it.", command=takes)
            if is_single
            else said("{command} takes the first.", command=takes)
        )
        output.say(
            said("It is summarized, judged and reviewed as your own text, and no model drafts it.")
        )
        return
    output.report(
        said("Chapter {chapter} is in the book, not summarized, not judged.", chapter=first)
        if is_single
        else said(
            "Chapters {first} to {last} are in the book, not summarized, not judged.",
            first=first,
            last=last,
        )
    )
    output.say(
        said(
            "{command} summarizes and reviews a chapter; {command2} lists what is missing.",
            command=command(f"write {typed_name(first)} --again", folder),
            command2=command("verify", folder),
        )
    )


def _as_json(
    plan: ImportPlan, imported: ImportResult | None, places: tuple[str, ...]
) -> dict[str, Any]:
    from studio.exchange.import_.plan import as_json

    data = {**as_json(plan), "places": list(places)}
    if imported is not None:
        chapters = [{"chapter": number, "title": title} for number, title in imported.chapters]
        data["imported"] = {
            "as": imported.kind,
            "already": imported.already,
            "chapters": chapters,
            "entries": list(imported.entries),
        }
    return data

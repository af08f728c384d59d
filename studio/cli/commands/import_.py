"""`studio import`: turns files, folders and other programs' documents into chapters of a novel."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.cli import keyboard, output
from studio.cli.input import STDIN, read_stdin
from studio.cli.long_work import long_work
from studio.cli.options import FILE_OR_STDIN, LANGUAGE, command, json_option
from studio.cli.progress import quantity
from studio.config.paths import state_dir
from studio.errors import Exit, Problem, StudioError, usage
from studio.i18n import translated
from studio.project.progress import Progress

if TYPE_CHECKING:
    from studio.exchange.import_.blocks import Paragraphing
    from studio.exchange.import_.commit import ImportAs, ImportResult, OnChapter
    from studio.exchange.import_.plan import ImportPlan
    from studio.exchange.import_.sources import Source
    from studio.i18n import Language
    from studio.project.progress import Listener

_PARAGRAPHS: dict[str, Paragraphing | None] = {"auto": None, "blocks": "blocks", "lines": "lines"}
_HOW = {"sure": "certain", "likely": "probably", "guess": "a guess"}
_TAKES = {"blocks": "paragraphs between blank lines", "lines": "a paragraph each line"}


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
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Bring the chapters of FILEs into a novel, in their order.

    A FILE is Markdown, plain text, a Word document, an e-book, a web page or
    RTF; a folder of these, an Obsidian vault or a Scrivener project; or - for
    stdin. Chapters are found by their headings, scenes by `* * *` and the like; no
    model is asked. The files themselves are kept in the novel's history.
    --json prints {schema_version, language, title, unit, sureness, files,
    chapters, entries, notes}; without --dry-run also imported: {as, already,
    chapters, entries}.
    """
    from studio.exchange.import_.commit import plan_import
    from studio.exchange.import_.detect import Rules

    language_in_force = _language_of(folder, language)
    plan, sources = plan_import(
        files,
        Rules(language_in_force, _PARAGRAPHS[paragraphs], rule),
        encoding,
        stdin=read_stdin() if STDIN in files else None,
    )
    if not as_json:
        _show(plan)
    if dry_run:
        if as_json:
            _say_json(plan, None)
        else:
            output.say("Nothing was changed.")
        return Exit.DONE
    if not yes and not _confirm(plan, folder, kind, as_json):
        output.tell("Nothing was changed.")
        return Exit.DONE
    return _bring_in(plan, sources, folder, kind, title, as_json)


def _language_of(folder: Path, language: Language | None) -> Language | None:
    """Returns an existing novel's language; StudioError (exit 2) if another is requested."""
    from studio.project.layout import is_novel

    if not is_novel(folder):
        return language
    from studio.config.load import load_settings

    own = load_settings(folder, os.environ).novel.language
    if language not in (None, own):
        raise usage(
            f"The novel in {folder} is written in {own}, not {language}.",
            "Leave --language out.",
        )
    return own


def _confirm(plan: ImportPlan, folder: Path, kind: ImportAs, as_json: bool) -> bool:
    """Whether the writer agrees to the plan. Without a terminal, every plan but a guess is
    accepted; a guess raises StudioError (exit 4)."""
    if as_json or not keyboard.asks():
        if plan.sureness == "guess":
            raise StudioError(_unsure_problem(plan))
        return True
    proposal = "Let these chapters wait as drafts" if kind == "drafts" else "Commit these chapters"
    return keyboard.confirm(f"{proposal} in {folder}? [y/N] ")


def _unsure_problem(plan: ImportPlan) -> Problem:
    files = [f for f in plan.files if f.sureness == "guess"]
    doubt = (
        f"The encoding of {files[0].name} is only a guess ({files[0].encoding})."
        if files
        else "Where the chapters begin is only a guess."
    )
    remedy = "name the encoding with --encoding" if files else "say how chapters begin with --split"
    return Problem(
        f"{doubt} Nothing was changed.",
        f"Look at it with --dry-run; then go on with --yes, or {remedy}.",
        exit_code=Exit.DECIDE,
        kind="unsure",
    )


def _bring_in(
    plan: ImportPlan,
    sources: tuple[Source, ...],
    folder: Path,
    kind: ImportAs,
    title: str,
    as_json: bool,
) -> int:
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
            imported = session.bring_in(plan, sources, kind, _hearing(work, len(plan.included)))
        new = place != folder
    if new:
        begin_anew(folder, state_dir(os.environ))
        output.tell(f"“{output.one_line(name)}” begins in {folder}.")
    if as_json:
        _say_json(plan, imported)
    else:
        _conclude(imported, folder)
    return Exit.DONE


def _hearing(listener: Listener, of: int) -> OnChapter:
    """Returns a callback that reports every chapter in place to the listener."""
    in_place = count(1)
    return lambda number, title: listener(Progress("bringing", next(in_place), of))


def _check_title(folder: Path, title: str) -> None:
    """Raises StudioError (exit 2) for a title other than the novel's."""
    from studio.config.load import load_settings

    own = load_settings(folder, os.environ).novel.title
    if title.strip() not in ("", own):
        raise usage(
            f"The novel in {folder} is called “{own}” already.",
            "Leave --title out, or change the title in studio.toml.",
        )


def _show(plan: ImportPlan) -> None:
    from studio.story.novel import unit_of

    for file in plan.files:
        sure, how = output.in_words(_HOW[file.sureness], _TAKES[file.paragraphing])
        words = f"{file.encoding} ({sure}: {translated(file.how)}); {how}"
        output.show(f"{output.one_line(file.name)}: {words}.", "strong")
    if plan.title:
        output.say(f"Title of the book: {output.one_line(plan.title)}")
    number, rows = 0, []
    for chapter in plan.chapters:
        number += chapter.included
        unsure = (
            [_HOW[chapter.sureness]] if chapter.included and chapter.sureness == "guess" else []
        )
        notes = "; ".join([*([] if chapter.included else ["left out"]), *unsure, *chapter.notes])
        first, last = chapter.lines
        rows.append(
            (
                str(number) if chapter.included else "-",
                chapter.title,
                quantity(len(chapter.scenes), "scene"),
                *output.in_words(
                    f"{chapter.length(plan.language):,} {unit_of(plan.language)}",
                    f"lines {first}-{last}",
                    notes,
                ),
            )
        )
    for line in output.columns(rows, indent="  "):
        output.say(line)
    if plan.entries:
        names = ", ".join(output.one_line(entry.name) for entry in plan.entries)
        output.say(f"Proposed for the bible: {names}.")
    for note in plan.notes:
        output.warn(note)


def _conclude(imported: ImportResult, folder: Path) -> None:
    if imported.already:
        output.say(f"Already there: {quantity(imported.already, 'chapter')}.")
    _conclude_chapters(imported, folder)
    if imported.entries:
        notes = quantity(len(imported.entries), "note")
        wait = "waits as a proposal" if len(imported.entries) == 1 else "wait as proposals"
        offers = command("bible suggest", folder)
        output.say(f"{notes} {wait} for the bible: {offers} offers them.")


def _conclude_chapters(imported: ImportResult, folder: Path) -> None:
    if not imported.chapters and imported.entries:
        return
    if not imported.chapters:
        output.say(f"Nothing was left to bring in. {command('status', folder)} shows the book.")
        return
    first, last = imported.chapters[0][0], imported.chapters[-1][0]
    is_single = first == last
    if imported.kind == "drafts":
        waiting = folder / "imports"
        output.report(
            f"Chapter {first} waits as your draft in {waiting}."
            if is_single
            else f"Chapters {first} to {last} wait as your drafts in {waiting}."
        )
        takes = command(f"write {first}", folder)
        output.say(f"{takes} takes it." if is_single else f"{takes} takes the first.")
        output.say(
            "It is summarized, judged and reviewed as your own text, and no model drafts it."
        )
        return
    output.report(
        f"Chapter {first} is in the book, not summarized, not judged."
        if is_single
        else f"Chapters {first} to {last} are in the book, not summarized, not judged."
    )
    output.say(
        f"{command(f'write {first} --again', folder)} summarizes and reviews a chapter;"
        f" {command('verify', folder)} lists what is missing."
    )


def _say_json(plan: ImportPlan, imported: ImportResult | None) -> None:
    from studio.exchange.import_.preview import as_json

    data = as_json(plan)
    if imported is not None:
        chapters = [{"chapter": number, "title": title} for number, title in imported.chapters]
        data["imported"] = {
            "as": imported.kind,
            "already": imported.already,
            "chapters": chapters,
            "entries": list(imported.entries),
        }
    output.say_json(data)

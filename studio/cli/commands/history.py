"""`studio history`: a file's versions, their differences, how to restore one (seed C12), and
(`backups`) what protects a book beyond its versions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from os.path import isfile
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from studio.chapter_names import typed_name
from studio.cli import output
from studio.cli.completion import kept_names, version_shas
from studio.cli.keyboard import confirm
from studio.cli.options import (
    ShowFirst,
    Telling,
    command,
    json_option,
    novel_options,
    open_session,
    project_option,
    say_command,
)
from studio.errors import usage
from studio.messages import quantity, said
from studio.project.clock import local_time
from studio.project.history.reasons import reason_words
from studio.story.lengths import Unit, length_of, unit_in

if TYPE_CHECKING:
    from studio.project.history.blobs import Version
    from studio.session import Session
    from studio.text.diff import Change


@click.command()
@novel_options
def backups(project: Path) -> Telling:
    """The dated copies of this novel, newest last.

    --json prints {schema_version, folder, backups: [{path, taken, size}]}.
    """
    shelf = open_session(project).upkeep().backups(os.environ)
    copies = shelf.all()
    rows = [{**asdict(copy), "path": str(copy.path)} for copy in copies]
    yield {"folder": str(shelf.folder), "backups": rows}
    if not copies:
        output.say(said("There is no backup yet in {folder}.", folder=shelf.folder))
    else:
        output.say_columns((copy.taken, _megabytes(copy.size), str(copy.path)) for copy in copies)
        output.say(said("`studio history restore-backup FILE DIR` unpacks one into a new folder."))


@click.command()
@novel_options
def backup(project: Path) -> Telling:
    """Make a dated copy of the novel now, and read it back.

    --json prints {schema_version, path, files, fresh, dropped}.
    """
    session = open_session(project)
    copy = session.upkeep().backups(os.environ).take(session.settings.backup.keep)
    dropped = [str(path) for path in copy.dropped]
    row = {"path": str(copy.path), "files": copy.files, "fresh": copy.fresh, "dropped": dropped}
    yield row
    if not copy.fresh:
        output.say(said("Nothing changed since {path}.", path=copy.path))
    else:
        output.say(
            said(
                "{path}: {files}, read back and complete.",
                path=copy.path,
                files=quantity(copy.files, "{n} file", "{n} files"),
            )
        )


@click.command("restore-backup")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@json_option
def restore_backup(file: Path, folder: Path) -> Telling:
    """Unpack the backup FILE into DIR, which is new or empty. No novel is replaced.

    What belongs to git or to other programs (hidden folders, hooks) is left in it.

    --json prints {schema_version, folder, files, left_out}.
    """
    from studio.project.history.backup import restore

    if not isfile(file):
        raise usage(
            said("{file} is no file.", file=file),
            said("`studio history backups` shows those there are."),
        )
    result = restore(file, folder)
    yield {
        "folder": str(folder),
        "files": result.files,
        "left_out": list(result.left_out),
    }
    if result.left_out:
        output.warn(
            said(
                "{files} of git or of other programs stayed in the backup, the first of "
                "them {one_line}.",
                files=quantity(len(result.left_out), "{n} file", "{n} files"),
                one_line=output.one_line(result.left_out[0]),
            )
        )
    output.say(
        said(
            "{files} restored. {command} looks at it.",
            files=quantity(result.files, "{n} file", "{n} files"),
            command=command("status", folder),
        )
    )


@click.command("put-back")
@novel_options
def put_back(project: Path) -> Telling:
    """Return renamed, moved, exchanged and deleted chapters of the book to their places.

    What stands there now is kept first.

    --json prints {schema_version, done}.
    """
    sentences = open_session(project).upkeep().put_back()
    yield {"done": sentences}
    for sentence in sentences:
        output.say(sentence)


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be dropped, and change nothing.")
@novel_options
def thin(dry_run: bool, as_json: bool, project: Path) -> Telling:
    """Drop what was autosaved for texts that are now in the book.

    Only the texts of stopped calls, kept as variations of chapters committed long ago, are
    dropped; versions of the book never are. At a terminal you are asked.

    --json prints
    {schema_version, files, bytes}.
    """
    from studio.project.autosaves import autosaves, thin_out

    session = open_session(project)
    old_autosaves = autosaves(session.store)
    size = sum(autosave.size for autosave in old_autosaves)
    if not as_json:
        for autosave in old_autosaves:
            output.say(autosave.path)
        amount = quantity(len(old_autosaves), "{n} autosave", "{n} autosaves")
        output.say(said("{files}, {size}.", files=amount, size=_megabytes(size)))
    if old_autosaves and not dry_run and (as_json or confirm(said("Drop them? y or n: "))):
        thin_out(session.store, old_autosaves)
        if not as_json:
            output.say(said("Dropped."))
    yield {"files": [e.path for e in old_autosaves], "bytes": size}


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


_TONES: dict[str, output.TerminalTone] = {"removed": "bad", "added": "good", "same": "plain"}


@click.group(cls=ShowFirst)
def history() -> None:
    """Every version of a chapter or file that was staged, committed, replaced or edited.

    NAME is a chapter's number or a file's path in the novel.
    """


def _of_one(function: Callable[..., Telling]) -> Callable[..., int]:
    name = click.argument("name", metavar="NAME", shell_complete=kept_names)
    sha = click.option(
        "--sha",
        metavar="SHA",
        shell_complete=version_shas,
        help="Which version, by the first letters `list` shows; by default the one before this.",
    )
    return name(sha(json_option(project_option(function))))


@history.command("list")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=kept_names)
@novel_options
def list_them(name: str | None, project: Path) -> Telling:
    """The versions of NAME, newest last; without NAME, every file that has versions.

    --json prints {schema_version, path, versions: [{path, sha, ts, reason,
    commit_id, length}]}, or {schema_version, files: [{path, versions, newest}]}.
    """
    session = open_session(project)
    versions = session.versions()
    if name is None:
        return (yield from _list_files(project))
    path = versions.path_of(name)
    file_versions, unit = versions.of(path), unit_in(session.settings)
    lengths = {sha: length_of(text, unit) for sha, text in versions.readable(file_versions).items()}
    rows = [{**asdict(v), "length": lengths.get(v.sha)} for v in file_versions]
    yield {"path": path, "versions": rows}
    if not file_versions:
        output.say(said("History has no version of {path}.", path=path))
        return
    present = session.store.root.sha(path)
    output.say_columns(_rows(file_versions, lengths, unit, path, present))
    say_command(
        said("{command} brings one back."), f"history restore {quote(name)} --sha SHA", project
    )


def _list_files(project: Path) -> Telling:
    files = open_session(project, warn=False).versions().files()
    yield {"files": [asdict(file) for file in files]}
    if not files:
        output.say(said("Nothing was kept yet."))
    else:
        rows = [
            (f.path, quantity(f.versions, "{n} version", "{n} versions"), local_time(f.newest))
            for f in files
        ]
        output.say_columns(rows)


def _rows(
    versions: Sequence[Version],
    lengths: dict[str, int],
    unit: Unit,
    path: str,
    present: str | None,
) -> Iterator[tuple[str, ...]]:
    from studio.project.commit.versions import SHORT

    for version in versions:
        length = lengths.get(version.sha)
        size = said("cannot be read") if length is None else length_words(length, unit)
        where = "" if version.path == path else said(" (in staging)")
        now = said(", as it is now") if version.sha == present else ""
        why = said("{why}{where}{now}", why=reason_words(version.reason), where=where, now=now)
        yield version.sha[:SHORT], local_time(version.ts, seconds=True), size, why


def length_words(length: int, unit: Unit) -> str:
    """Returns a length with its unit."""
    if unit == "words":
        return quantity(length, "{n} word", "{n} words")
    if unit == "characters":
        return quantity(length, "{n} character", "{n} characters")
    if unit == "characters with spaces":
        return quantity(length, "{n} character with spaces", "{n} characters with spaces")
    return quantity(length, "{n} character without spaces", "{n} characters without spaces")


@history.command()
@_of_one
def show(name: str, sha: str | None, project: Path) -> Telling:
    """Print a version of NAME, whole.

    --json prints {schema_version, path, sha, ts, reason, text}.
    """
    versions = open_session(project).versions()
    version = versions.find(versions.path_of(name), sha)
    text = versions.text(version)
    yield {**_head(version), "text": text}
    output.put_file(text.encode())


@history.command()
@_of_one
def diff(name: str, sha: str | None, project: Path) -> Telling:
    """Show what changed from a version of NAME to the file as it is.

    [red → black] is a word changed in its place; where more changed, − is the old and + the new.

    --json prints {schema_version, path, sha, ts, reason, changes: [{kind, text}]}.
    """
    from studio.text.diff import diff_to_read

    session = open_session(project)
    versions = session.versions()
    path = versions.path_of(name)
    version = versions.find(path, sha)
    language = session.settings.novel.language
    changes = diff_to_read(versions.text(version), versions.present(path), language)
    steps = [{"kind": change.kind, "text": change.text} for change in changes]
    yield {**_head(version), "changes": steps}
    for line in _marked_lines(changes):
        output.say_pieces(line)


def _marked_lines(changes: Sequence[Change]) -> Iterator[list[tuple[str, output.TerminalTone]]]:
    """Yields the changed lines with their changes marked, in colour where the output allows it."""
    from studio.text.changed_lines import SIGNS, changed_lines

    if all(change.kind == "same" for change in changes):
        yield [(said("Nothing: it is the text as it stands."), "plain")]
        return
    left_out = False
    for mark, steps in changed_lines(changes):
        if mark != " ":
            pieces = [(step.text.strip("\n"), _TONES[step.kind]) for step in steps]
            yield [(f"{SIGNS[mark]} ", "plain"), *pieces]
        elif steps and not left_out:
            yield [("…", "quiet")]
        left_out = mark == " " and (left_out or bool(steps))


@history.command()
@_of_one
def restore(name: str, sha: str | None, project: Path) -> Telling:
    """Make a version of NAME the present one. What stands there now is kept first.

    A chapter that is brought back counts as changed by your hand.

    --json prints {schema_version, path, sha256, replaced_sha256}.
    """
    session = open_session(project)
    versions = session.versions()
    restored = versions.restore(versions.path_of(name), sha)
    yield asdict(restored)
    if restored.sha256 == restored.replaced_sha256:
        output.say(said("{path} is that version already.", path=restored.path))
    else:
        safety = said("; what stood there is kept") if restored.replaced_sha256 else ""
        output.say(
            said("{path} is the earlier version again{safety}.", path=restored.path, safety=safety)
        )
        for chapter in _chapters_to_rebuild(session, restored.path):
            say_command(
                said("{command} if its events changed with it."),
                f"rebuild {typed_name(chapter)}",
                project,
            )


def _chapters_to_rebuild(session: Session, path: str) -> list[int]:
    """Returns the committed chapter at `path`, if its text differs from the book's record of it."""
    layout, edits = session.store.layout, session.store.hand_edits()
    return [edit.chapter for edit in edits if layout.chapter(edit.chapter) == path]


def _head(version: Version) -> dict[str, object]:
    return {
        "path": version.path,
        "sha": version.sha,
        "ts": version.ts,
        "reason": version.reason,
    }


history.add_command(backups)
history.add_command(backup)
history.add_command(restore_backup)
history.add_command(put_back)
history.add_command(thin)

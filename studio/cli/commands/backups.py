"""`studio history backups` and related commands: what protects a book beyond its versions."""

from __future__ import annotations

import os
from dataclasses import asdict
from os.path import isfile
from pathlib import Path

import click

from studio.cli import output
from studio.cli.keyboard import confirm
from studio.cli.options import command, json_option, open_session, project_option
from studio.errors import Exit, usage
from studio.messages import quantity, said


@click.command()
@json_option
@project_option
def backups(as_json: bool, project: Path) -> int:
    """The dated copies of this novel, newest last.

    --json prints {schema_version, folder, backups: [{path, taken, size}]}.
    """
    shelf = open_session(project).upkeep().backups(os.environ)
    copies = shelf.all()
    if as_json:
        rows = [{**asdict(copy), "path": str(copy.path)} for copy in copies]
        output.say_json({"schema_version": 1, "folder": str(shelf.folder), "backups": rows})
    elif not copies:
        output.say(said("There is no backup yet in {folder}.", folder=shelf.folder))
    else:
        rows_ = [(copy.taken, _megabytes(copy.size), str(copy.path)) for copy in copies]
        for line in output.columns(rows_):
            output.say(line)
        output.say(said("`studio history restore-backup FILE DIR` unpacks one into a new folder."))
    return Exit.DONE


@click.command()
@json_option
@project_option
def backup(as_json: bool, project: Path) -> int:
    """Make a dated copy of the novel now, and read it back.

    --json prints {schema_version, path, files, fresh, dropped}.
    """
    session = open_session(project)
    copy = session.upkeep().backups(os.environ).take(session.settings.backup.keep)
    if as_json:
        dropped = [str(path) for path in copy.dropped]
        row = {"path": str(copy.path), "files": copy.files, "fresh": copy.fresh}
        output.say_json({"schema_version": 1, **row, "dropped": dropped})
    elif not copy.fresh:
        output.say(said("Nothing changed since {path}.", path=copy.path))
    else:
        output.say(
            said(
                "{path}: {files}, read back and complete.",
                path=copy.path,
                files=quantity(copy.files, "{n} file", "{n} files"),
            )
        )
    return Exit.DONE


@click.command("restore-backup")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@json_option
def restore_backup(file: Path, folder: Path, as_json: bool) -> int:
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
    if as_json:
        restored = {
            "folder": str(folder),
            "files": result.files,
            "left_out": list(result.left_out),
        }
        output.say_json({"schema_version": 1, **restored})
    else:
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
    return Exit.DONE


@click.command("put-back")
@json_option
@project_option
def put_back(as_json: bool, project: Path) -> int:
    """Return renamed, moved, exchanged and deleted chapters of the book to their places.

    What stands there now is kept first. --json prints {schema_version, done}.
    """
    sentences = open_session(project).upkeep().put_back()
    if as_json:
        output.say_json({"schema_version": 1, "done": sentences})
    else:
        for sentence in sentences:
            output.say(sentence)
    return Exit.DONE


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be dropped, and change nothing.")
@json_option
@project_option
def thin(dry_run: bool, as_json: bool, project: Path) -> int:
    """Drop what was autosaved for texts that are now in the book.

    Only the texts of stopped calls, kept as variations of chapters committed long ago, are
    dropped; versions of the book never are. At a terminal you are asked. --json prints
    {schema_version, files, bytes}.
    """
    from studio.project.restore.autosaves import autosaves, thin_out

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
    if as_json:
        output.say_json(
            {"schema_version": 1, "files": [e.path for e in old_autosaves], "bytes": size}
        )
    return Exit.DONE


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"

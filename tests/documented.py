"""The `studio` commands in the shell blocks of README and docs, and the files they need."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from studio.cli import program
from studio.cli.options import ShowFirst
from tests.cli.command import Ended, studio
from tests.exchange import own_documents as own
from tests.small_novels import copied_sample

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = ROOT / "tests/data/readme/weighing-house.md"
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
_CONTRACT = re.compile(r"<!-- example: chapter-contract -->\n```json\n(.*?)```", re.S)

COMMANDS = ("studio", "cd ")
KILN = (own.Part("The Kiln", ("The pans were *dry*.", "Bo had gone.")),)

Ready = Callable[[Path, Mapping[str, str]], None]
"""Prepares a folder before a block is run; the mapping is the environment of the commands."""


@dataclass(frozen=True)
class Block:
    """The circumstances in which one shell block is run."""

    ready: Ready
    ends: Mapping[str, int] = field(default_factory=dict)
    """The exit codes of lines that do not end with 0, by the start of the line."""
    left: Mapping[str, str] = field(default_factory=dict)
    """The lines that cannot be run here, by the start of the line, with the reason."""
    each_anew: bool = False
    """Whether the lines are alternatives, each run in a fresh folder, and not one session."""
    scores: float = 4.2
    """The score that the judge gives, from 0 to 5."""


def empty(_folder: Path, _environ: Mapping[str, str]) -> None:
    """Prepares nothing."""


def sample(folder: Path, _environ: Mapping[str, str]) -> None:
    """Prepares the sample novel, with a chapter of the writer's own beside it."""
    copied_sample(folder)
    shutil.copy(WRITTEN, folder / "chapter-07.md")


def with_a_third_chapter(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares the sample novel with a third chapter that was committed and then edited by hand."""
    sample(folder, environ)
    assert studio("write", "--review", "accept", cwd=folder, environ=environ).code == 0
    chapter = folder / "chapters/chapter-003.md"
    chapter.write_text(chapter.read_text("utf-8") + "\nThe lamp was out.\n", "utf-8")


def new(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares a new novel with a chapter that the writer wrote."""
    words = ("new", folder, "--title", "The Salt Road", "--language", "en")
    assert studio(*words, cwd=folder.parent, environ=environ).code == 0
    shutil.copy(WRITTEN, folder / "my-chapter.md")


def planned(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares a new novel with the contract shown in docs/command-line.md."""
    new(folder, environ)
    text = _CONTRACT.findall((ROOT / "docs/command-line.md").read_text("utf-8"))[0]
    place = folder / "volumes/vol-01/chapter-contracts/chapter-001.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(json.loads(text)), "utf-8")


def started(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares the planned novel with its first chapter committed."""
    planned(folder, environ)
    ended = studio("write", "--review", "accept", cwd=folder, environ=environ)
    assert ended.code == 0, ended.err


def at_the_gate(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares a new novel whose first chapter stays weak however often it is revised."""
    planned(folder, environ)
    ended = studio("write", "--review", "accept", cwd=folder, environ=environ)
    assert ended.code == 4, ended.out


def twelve_chapters(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares an imported and planned novel of twelve short chapters, with a person in its
    bible."""
    text = "".join(f"# Chapter {number}\n\nIt rained.\n\n" for number in range(1, 13))
    (folder.parent / "twelve.md").write_text(text, "utf-8")
    words = ("import", "twelve.md", "--into", folder, "--as", "committed", "--language", "en")
    ended = studio(*words, cwd=folder.parent, environ=environ)
    assert ended.code == 0, ended.err
    plan = "".join(f"## Chapter {number}\n\nIt rains.\n\n" for number in range(1, 13))
    (folder / "volumes/vol-01/outline.md").write_text(f"# Volume 1\n\n{plan}", "utf-8")
    (folder / "characters/active/mara.md").write_text("# Mara\n\nKeeps the lamps.\n", "utf-8")


def documents(folder: Path, _environ: Mapping[str, str]) -> None:
    """Prepares manuscripts to import."""
    two = "Chapter 1: Salt\n\nIt rained.\n\nChapter 2: Lead\n\nIt stopped.\n"
    (folder / "manuscript.txt").write_text(two, "utf-8")
    (folder / "diary.txt").write_text("Day 1: Salt\n\nIt rained.\n\nDay 2: Lead\n\nIt stopped.\n")
    (folder / "tale.txt").write_text("***\n\nIt rained.\n\n***\n\nIt stopped.\n", "utf-8")
    for name, parts in (("manuscript.docx", own.ENGLISH), ("Salt.docx", KILN)):
        (folder / name).write_bytes(own.word_document(parts))
    own.scrivener_project(folder / "Salt.scriv", own.ENGLISH)


def from_a_vault(folder: Path, environ: Mapping[str, str]) -> None:
    """Prepares a novel imported from a vault that has notes on Mara, Joss and the salt tax."""
    vault = folder.parent / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    notes = {
        "Chapters/1 Salt.md": "# Chapter 1: Salt\n\nMara met Joss. Joss Pattinson knew Mara.\n",
        "Characters/Mara.md": "Keeps the lamps.\n",
        "Characters/Joss.md": "Cannot hear.\n",
        "World/Salt tax.md": "Nine sacks in a hundred.\n",
    }
    for name, text in notes.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(text, "utf-8")
    words = ("import", vault, "--into", folder, "--as", "committed", "--yes")
    ended = studio(*words, cwd=folder.parent, environ=environ)
    assert ended.code == 0, ended.err


def blocks(page: str) -> list[list[str]]:
    """Returns the `studio` and `cd` lines of each shell block of a page that runs the studio."""
    texts = _BLOCK.findall((ROOT / page).read_text("utf-8"))
    typed = [[line for line in text.splitlines() if line.startswith(COMMANDS)] for text in texts]
    return [lines for lines in typed if any(line.startswith("studio") for line in lines)]


def run(line: str, folder: Path, environ: Mapping[str, str]) -> Ended:
    """Runs one line as the shell would."""
    words = shlex.split(line, comments=True)[1:]
    home = environ["HOME"]
    return studio(
        *(word.replace("~", home, 1) if word.startswith("~/") else word for word in words),
        cwd=folder,
        environ=environ,
    )


def understood(line: str) -> None:
    """Parses a command line as the program would; raises click's error if it is invalid."""
    words = shlex.split(line, comments=True)[1:]
    command: click.Command = program.studio
    context = click.Context(program.studio, info_name="studio")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        member = command.get_command(context, name)
        if member is None:
            raise click.UsageError(f"no command {name}")
        command = member
    if isinstance(command, ShowFirst) and words:
        command = next(iter(command.commands.values()))
    command.make_context(
        "studio", words, parent=context, allow_interspersed_args=True
    ) if words else None

"""O2: another program saves between two looks of a command that commits.

Every look at the novel opens a folder through the read door; before each of them, one at a time,
another program saves one of the files that the command changes. Its text is then in the book, or
the command says what became of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from studio.cli.program import catch, command_line
from studio.fsio import read, sha256_hex
from studio.project.commit import transaction
from studio.project.store import ProjectStore
from tests.architecture import ROOT, modules, relative
from tests.faults import tally
from tests.faults.invariants import tree
from tests.forking import in_child
from tests.project.plans import ANOTHER_OUTLINE, planned_book_with_people

pytestmark = pytest.mark.crash
HERS = "saved by another hand"
A_DRAFT = "# The Bell\n\nMara heard the bell and went down. 조스는 없었다. 灯还亮着。\n"
_STUDIOS = ("history", "logs", "state", "summaries", "evaluations", "staging", "variations")
"""Folders of files that only the studio writes, or that hold what was kept beside the book."""
_WORDS = ("description", "objectives", "beats", "note", "fact", "aliases", "quote", "kind")


def run(folder: Path, words: str) -> int:
    """A command in this process, with its novel named."""
    arguments = words.replace("OUTLINE", f"{folder.parent}/outline.md").split()
    arguments = [word.replace("DRAFT", f"{folder.parent}/draft.md") for word in arguments]
    return catch(command_line, [*arguments, "--project", str(folder)])


def _exchange(folder: Path) -> None:
    """Another program gives two chapters each other's name."""
    first, second = (folder / f"chapters/chapter-00{number}.md" for number in (1, 2))
    texts = first.read_bytes(), second.read_bytes()
    second.write_bytes(texts[0])
    first.write_bytes(texts[1])


def _edit(folder: Path) -> None:
    """Another program changes a word of a chapter."""
    chapter = folder / "chapters/chapter-002.md"
    chapter.write_text(chapter.read_text("utf-8").replace("Mara", "Mara Stobbs"), "utf-8")


@dataclass(frozen=True)
class Command:
    """A command that commits, and what has to happen before it: a change by another program, then
    commands."""

    words: str
    before: tuple[str, ...] = ()
    outside: Callable[[Path], None] | None = None


COMMANDS = {
    command.words: command
    for command in (
        Command("retire joss"),
        Command("plan add Ebb --after 3"),
        Command("plan rename 3 Undertow"),
        Command("plan move 3 5"),
        Command("plan split 3"),
        Command("plan merge 3"),
        Command("plan remove 3"),
        Command("plan undo", ("plan move 3 5",)),
        Command("bible rename mara Maren"),
        Command("bible rename mara Maren --prose"),
        Command(
            "bible set items.bell.condition cracked --from 2",
            ("bible set items.bell.condition whole --from 1",),
        ),
        Command("replace Mara Maren"),
        Command("replace --undo", ("replace Mara Maren",)),
        Command("retire joss --undo", ("retire joss",)),
        Command("promises add key --about The-key-is-found"),
        Command("promises settle drowned_bell advanced --chapter 2"),
        Command("keep add 2 --passage 1.1", ("keep add 1 --passage 1.1",)),
        Command("decide accept", ("volume plan 1 --from OUTLINE",)),
        Command("history restore world/places/lamp.md", ("replace drowned sunken",)),
        Command("history put-back", outside=_exchange),
        Command("write 2 --again --draft DRAFT --review accept"),
        Command("resume --review accept", ("write 3 --draft DRAFT", "decide style"), _edit),
    )
}


def written_by(command: Command, folder: Path, spare: Path) -> list[str]:
    """The writer's files that a command changes or deletes when nobody interferes."""
    before = tree(folder)
    work_on(command, shutil.copytree(folder, spare), 0, "")
    after = tree(spare)
    paths = sorted({path for path in {*before, *after} if before.get(path) != after.get(path)})
    return [
        path
        for path in map(str, paths)
        if not path.startswith(".") and not path.startswith(_STUDIOS) and path in map(str, before)
    ]


def with_her_words(data: bytes, path: str) -> bytes:
    """The file as another program saves it, with a sentence more."""
    if not path.endswith(".json"):
        return data + f"\nThis was {HERS}.\n".encode()
    document = json.loads(data)
    for holder, key in _sentences(document):
        holder[key] = f"{holder[key]}, {HERS}"
        break
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _sentences(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        if isinstance(inner, str) and key in _WORDS:
            yield value, key
        elif isinstance(inner, list) and key in _WORDS and inner:
            yield inner, 0
        elif isinstance(inner, dict | list):
            yield from _sentences(inner)


@dataclass(frozen=True)
class Ended:
    """What a command did, and whether somebody saved."""

    code: int
    looks: list[str]
    """The folder of each look, in order."""
    said: str
    saved: bool

    def around(self, path: str) -> list[int]:
        """Returns the numbers of the looks to save before: the first and those after a look at the
        file's own folder, in the full run all of them.

        Two saves between which the command does not touch the file's folder are the same save. A
        folder that was looked at may still be open during the next look, hence the one after.
        """
        own = path.rpartition("/")[0]
        looked = [n for n, folder in enumerate(self.looks, start=1) if folder == own]
        after = sorted({n + more for n in looked for more in (1, 2)} - {1})
        numbers = [n for n in after if n <= len(self.looks)]
        return [1, *(numbers[point - 1] for point in tally.points(len(numbers), 5))]


def work_on(command: Command, folder: Path, before: int, path: str) -> Ended:
    """Runs a command in a process of its own; before its look number `before` (none for 0) another
    program saves the file."""
    report = folder.parent / "report.json"
    said = folder.parent / "said.txt"
    said.unlink(missing_ok=True)

    def step() -> None:
        out = said.open("w", encoding="utf-8")
        sys.stdout = sys.stderr = out
        looks, saves = _stand_at_the_door(folder, before, path)
        code = run(folder, command.words)
        out.flush()
        report.write_text(json.dumps([code, looks, bool(saves)]))

    assert in_child(step) == 0, said.read_text("utf-8")
    code, looks, saved = json.loads(report.read_text())
    return Ended(code, looks, said.read_text("utf-8"), saved)


def _stand_at_the_door(folder: Path, before: int, path: str) -> tuple[list[str], list[str]]:
    """Lists the folder of each look at the novel from now on in this process, and the save before
    one of them."""
    looks: list[str] = []
    saves: list[str] = []
    real = read.Readable._open_at

    def open_at(self: read.Readable, folders: Any) -> int:
        if self.path == folder:
            looks.append("/".join(folders))
            if len(looks) == before:
                with suppress(OSError):
                    beside = folder / "4913~"
                    data = with_her_words((folder / path).read_bytes(), path)
                    if HERS.encode() in data:
                        beside.write_bytes(data)
                        os.replace(beside, folder / path)
                        saves.append(path)
        return real(self, folders)

    read.Readable._open_at = open_at  # type: ignore[method-assign]
    return looks, saves


def her_words_are_in_the_book(folder: Path) -> bool:
    """Whether what she saved stands in a file of the book, wherever it has been moved to."""
    return any(
        HERS.encode() in path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] not in _STUDIOS
    )


def novel_before(command: Command, folder: Path) -> None:
    """The novel in which the command can be given."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    planned_book_with_people(folder)
    outline = folder.parent / "outline.md"
    outline.write_text(ANOTHER_OUTLINE, "utf-8")
    (folder.parent / "draft.md").write_text(A_DRAFT, "utf-8")
    if command.outside is not None:
        command.outside(folder)
    for words in command.before:
        assert in_child(lambda words=words: run(folder, words)) == 0


def losses(command: Command, place: Path) -> list[str]:
    """Gives a command again and again, with a save before another look; returns what was replaced
    without a word."""
    folder, copy = place / "novel", place / "copy"
    novel_before(command, folder)
    done = work_on(command, shutil.copytree(folder, copy), 0, "")
    assert done.code == 0, done.said
    shutil.rmtree(copy)
    lost = []
    paths = written_by(command, folder, copy)
    assert paths, "it changes nothing of hers"
    for path in paths:
        is_taken_away = False
        for look in done.around(path):
            shutil.rmtree(copy)
            shutil.copytree(folder, copy)
            fresh = with_her_words((folder / path).read_bytes(), path)
            ended = work_on(command, copy, look, path)
            if not ended.saved:
                continue
            tally.fault("saves between two looks")
            if her_words_are_in_the_book(copy) or Path(path).name in ended.said:
                continue
            # What was saved before the command began to read is part of what it is about.
            is_taken_away = is_taken_away or look == 1
            if not is_taken_away or not ProjectStore(copy).history.has(sha256_hex(fresh)):
                lost.append(f"{command.words}: {path}, before look {look}: {ended.said}")
    return lost


def committing() -> set[str]:
    """The modules that commit."""
    return {
        relative(path)
        for path in modules("studio")
        if re.search(r"^\s+(?:\w+ = |return )?commit\(", path.read_text("utf-8"), re.MULTILINE)
    }


def committed_by(command: Command, place: Path) -> set[str]:
    """The modules by which a command commits."""
    novel_before(command, place / "novel")
    named = place / "modules.json"

    def step() -> None:
        files: set[str] = set()
        named.write_text("[]")
        real = transaction._apply

        def apply(*arguments: Any) -> Any:
            frame = sys._getframe()
            while frame := frame.f_back:
                files.add(frame.f_code.co_filename)
            named.write_text(json.dumps(sorted(files)))
            return real(*arguments)

        transaction._apply = apply
        run(place / "novel", command.words)

    assert in_child(step) == 0
    return {relative(Path(name)) for name in json.loads(named.read_text()) if str(ROOT) in name}


@pytest.mark.sweep
def test_the_list_has_a_command_for_every_way_to_commit(tmp_path: Path, no_syncing: None) -> None:
    ways: set[str] = set()
    for number, command in enumerate(COMMANDS.values()):
        ways |= committed_by(command, tmp_path / str(number))
    assert committing() - {"studio/project/commit/transaction.py"} <= ways


# fault: O2
@pytest.mark.sweep
@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.long
def test_what_another_program_saves_between_two_looks_is_not_replaced_without_a_word(
    words: str, tmp_path: Path, no_syncing: None
) -> None:
    assert losses(COMMANDS[words], tmp_path) == []


# fault: O2
@pytest.mark.repairs("T15")
@pytest.mark.sweep
def test_a_plan_and_a_person_saved_meanwhile_are_not_replaced_without_a_word(
    tmp_path: Path, no_syncing: None
) -> None:
    commands = ("plan rename 3 Undertow", "retire joss --undo")
    assert [loss for words in commands for loss in losses(COMMANDS[words], tmp_path / words)] == []

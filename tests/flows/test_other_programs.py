"""Other programs at work on the same novel: what they save or bring back is never lost to ours."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.command import Ended, studio

FIRST = "# The Weighing House\n\nMara weighed the load twice. The beam came to rest.\n"
SECOND = "# The Lamp Room\n\nJoss counted the steps down, and lost count at ninety.\n"
THIRD = "# The Quay\n\nNobody on the quay said a word about the missing boat.\n"
OTHER = "# The Lamp Room\n\nJoss never went down. He waited at the door for an hour.\n"
SAVED = "# Hers\n\nWhat she saved at that very moment, and nowhere else.\n"


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A novel with its first chapter in the book."""
    folder = tmp_path / "novel"
    assert studio("new", folder, "--title", "The Scales", "--language", "en").code == 0
    assert write(folder, FIRST).code == 0
    return folder


def draft_of(folder: Path, text: str) -> Path:
    """The text as a file beside the novel."""
    file = folder.parent / f"{hashlib.sha256(text.encode()).hexdigest()[:8]}.md"
    file.write_text(text, "utf-8")
    return file


def write(
    folder: Path, text: str, *options: object, environ: Mapping[str, str] | None = None
) -> Ended:
    """`studio write` with a chapter of the author's own, and no model."""
    order = ("write", *options, "--draft", draft_of(folder, text), "--review", "reject")
    return studio(*order, "--project", folder, environ=environ)


def killed(folder: Path, text: str, point: str, *options: object) -> None:
    """The same, killed at that point of its commit."""
    environ = {"STUDIO_FAULT": f"commit.{point}:kill"}
    assert write(folder, text, *options, environ=environ).code == -9


def status(folder: Path) -> str:
    """What the writer reads about where she stands."""
    ended = studio("status", "--project", folder)
    return ended.out + ended.err


def chapters(folder: Path) -> dict[str, str]:
    """The texts of the book by file name."""
    return {p.name: p.read_text("utf-8") for p in sorted((folder / "chapters").iterdir())}


def texts_anywhere(folder: Path) -> set[bytes]:
    """The bytes of every file of the novel, and of every version in its history."""
    every: set[bytes] = set()
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            every.add(data)
            try:
                every.add(zlib.decompress(data))
            except zlib.error:
                continue
    return every


# Files that come back (O1)


@pytest.mark.sweep
def test_a_commit_that_comes_back_replaces_nothing(novel: Path) -> None:
    killed(novel, SECOND, "after_manifest")
    staged = shutil.copytree(novel / "staging", novel.parent / "elsewhere")
    assert studio("resume", "--project", novel).code == 0
    assert write(novel, THIRD).code == 0
    (novel / "chapters/chapter-002.md").write_text(OTHER, "utf-8")
    before = chapters(novel)
    state = (novel / "state/current-state.json").read_bytes()
    checkpoint = (novel / ".checkpoint.json").read_bytes()

    shutil.copytree(staged, novel / "staging", dirs_exist_ok=True)
    looked = status(novel)
    resumed = studio("resume", "--project", novel)

    assert chapters(novel) == before
    assert (novel / "state/current-state.json").read_bytes() == state
    assert (novel / ".checkpoint.json").read_bytes() == checkpoint
    assert "Next: chapter 4." in status(novel)
    assert "carried out before" in looked
    assert "nothing was replaced" in resumed.out + resumed.err
    assert resumed.code == 0
    assert not (novel / "staging/commit").exists()
    assert any("manifest.json" in path.name for path in (novel / "history/quarantine").iterdir())
    assert studio("verify", "--project", novel).code == 0


@pytest.mark.sampled
@pytest.mark.parametrize("point", ["after_manifest", "after_clearing"])
def test_the_same_draft_after_a_kill_is_one_chapter(novel: Path, point: str) -> None:
    killed(novel, SECOND, point)
    again = write(novel, SECOND)
    assert chapters(novel) == {"chapter-001.md": FIRST, "chapter-002.md": SECOND}
    assert again.code == 0
    assert "Chapter 2" in again.out
    assert "Next: chapter 3." in status(novel)


@pytest.mark.sweep
def test_a_draft_that_is_the_last_chapter_is_not_written_twice(novel: Path) -> None:
    for order in ((), (1,)):
        assert write(novel, FIRST, *order).code == 0
        assert chapters(novel) == {"chapter-001.md": FIRST}
    assert write(novel, SECOND).code == 0
    assert len(chapters(novel)) == 2


# A save between the last look and the rename (O2)


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that saves at the wrong moment."""
    if sys.platform != "linux" or shutil.which("gcc") is None:
        pytest.skip("needs Linux and a C compiler")
    library = tmp_path_factory.mktemp("shim") / "saves.so"
    source = Path(__file__).with_name("saves.c")
    command = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return library


def saving(shim: Path, folder: Path, over: str) -> dict[str, str]:
    """The environment in which somebody saves a file of the novel just before it is replaced."""
    return {
        "LD_PRELOAD": str(shim),
        "SAVE_OVER": f"{folder.name}/{over}",
        "SAVE_TEXT": SAVED,
        "SAVE_MARK": str(folder.parent / "saved"),
    }


@pytest.mark.sweep
@pytest.mark.parametrize("what", ["commit", "review again", "restore", "put back"])
def test_what_is_saved_at_the_last_moment_is_not_lost(novel: Path, shim: Path, what: str) -> None:
    over = f"chapters/chapter-00{2 if what == 'commit' else 1}.md"
    environ = saving(shim, novel, over)
    if what == "commit":
        done = write(novel, SECOND, environ=environ)
    elif what == "review again":
        done = write(novel, OTHER, 1, "--again", environ=environ)
    elif what == "restore":
        (novel / over).write_text(OTHER, "utf-8")
        done = studio("history", "restore", 1, "--project", novel, environ=environ)
    else:
        (novel / over).rename(novel / "chapters/renamed.md")
        done = studio("history", "put-back", "--project", novel, environ=environ)
    assert (novel.parent / "saved").exists(), done.err
    assert SAVED.encode() in texts_anywhere(novel)
    assert done.code in (0, 1)
    assert FIRST.encode() in texts_anywhere(novel)
    assert studio("verify", "--project", novel).code == 0
    left = [name for _, _, names in os.walk(novel) for name in names if name.endswith("~")]
    assert left == []

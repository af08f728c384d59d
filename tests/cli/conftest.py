"""Fixtures of the command line's tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studio.cli.program import catch, command_line
from studio.config.paths import state_dir
from studio.project.create import create_novel
from studio.project.spending import begin_anew
from studio.project.store import ProjectStore
from tests.cli.command import Ended, has_traceback
from tests.fake_messages import FakeMessages

Typed = Callable[..., Ended]

OWN_CHAPTER = """# The Salt Ledger

Mara saw the ledger. She saw that it was wet. Under her thumb she felt that it had been opened, \
and she noticed a thumbprint. On the spine she saw salt.

“You might have written,” Joss said.

She closed the book, and nobody on the quay said a word about the missing boat.

* * *

The stove ticked as it cooled. She counted the steps down to the cellar and lost count.
"""


def own_chapter(folder: Path) -> Path:
    """A file with a chapter that gets one directive."""
    file = folder / "own.md"
    file.write_text(OWN_CHAPTER, "utf-8")
    return file


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs a command inside this process: `typed("status", "--project", folder)`."""

    def run(*arguments: object) -> Ended:
        code = catch(command_line, [str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert not any(map(has_traceback, said))
        return Ended(code, said.out, said.err)

    return run


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeMessages]:
    """The model that the writer has a key for; it answers whatever it is asked."""
    with FakeMessages() as running:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        yield running


@pytest.fixture
def novel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new English novel, and the current folder."""
    folder = tmp_path / "book"
    create_novel(folder, "The Salt Ledger", "en")
    begin_anew(folder, state_dir(os.environ))
    monkeypatch.chdir(folder)
    return folder


def reserved(novel: Path) -> float:
    """The most that all calls so far can have cost."""
    entries = ProjectStore(novel).journal.usage_entries()
    return sum(entry.reserved_usd or 0 for entry in entries if entry.event == "reserve")

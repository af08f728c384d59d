"""A writer that was stopped, lost its lock and wakes: it writes nothing more."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM, studio, tree

FIRST = "# The Weighing House\n\nMara weighed the load twice. The beam came to rest.\n"
OTHER = "# The Quay\n\nNobody on the quay said a word about the missing boat.\n"


def order(novel: Path, text: str) -> list[str]:
    """Writes a chapter of the author's own, without a model."""
    draft = novel.parent / f"{len(text)}.md"
    draft.write_text(text, "utf-8")
    options = ["--draft", str(draft), "--review", "reject", "--project", str(novel)]
    return ["write", *options]


def book(novel: Path) -> dict[str, str]:
    """Every file but those that are only added to, and what is being written."""
    there = tree(novel)
    more = ("logs/", "history/")
    return {n: sha for n, sha in there.items() if not n.startswith(more) and n[-1] != "~"}


@pytest.mark.sweep
@pytest.mark.parametrize("point", ["fsio.write:stop:20", "commit.after_manifest:stop"])
def test_a_holder_whose_lock_was_broken_writes_nothing_when_it_wakes(
    point: str, tmp_path: Path
) -> None:
    novel = tmp_path / "novel"
    assert studio("new", novel, "--title", "The Scales", "--language", "en").code == 0
    environ = {**os.environ, "STUDIO_FAULT": point}
    first = subprocess.Popen(
        [PROGRAM, *order(novel, FIRST)],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        assert os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1])
        an_hour_ago = time.time() - 3600
        os.utime(novel / ".novel.lock/info.json", (an_hour_ago, an_hour_ago))
        assert studio("repair", "--break-lock", "--project", novel).code == 0
        assert studio(*order(novel, OTHER)).code == 0
        before = book(novel)
    finally:
        os.kill(first.pid, signal.SIGCONT)
    said = first.communicate()[0].decode()
    assert book(novel) == before, said
    assert first.returncode == 3, said
    assert studio("verify", "--project", novel).code == 0

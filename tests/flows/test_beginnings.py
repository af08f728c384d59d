"""A new novel, and an import into one: the whole of it or nothing, and the same command again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.command import Ended, studio

BOOK = "# 1. The Lamp\n\nThe rain had stopped.\n\n# 2. The Key\n\nThere was no key.\n"
FAULTS = ("kill:{}", "ENOSPC:{}+", "EIO:{}")


def begin(place: Path, way: str, fault: str = "") -> Ended:
    """`new` or `import` into `place/novel`, with a fault at one of its changes of files."""
    folder, book = place / "novel", place / "book.txt"
    book.write_text(BOOK)
    environ = {"STUDIO_FAULT": fault and f"fsio.any:{fault}"}
    if way == "import":
        order = ("import", book, "--into", folder, "--as", "committed", "--title", "Salt", "--yes")
        return studio(*order, environ=environ)
    return studio("new", folder, "--title", "Salt", "--language", "en", environ=environ)


def is_nothing_or_whole(folder: Path) -> bool:
    """Whether there is no novel, or one in which nothing is damaged or half done."""
    if not folder.exists() or not any(folder.iterdir()):
        return True
    looked = studio("verify", "--project", folder)
    return looked.code == 0 and "interrupted" not in looked.out


@pytest.mark.sampled
@pytest.mark.crash
@pytest.mark.parametrize("way", ["new", "import"])
def test_killed_or_refused_anywhere_it_is_nothing_or_a_novel_and_goes_on(
    way: str, tmp_path: Path
) -> None:
    counted = begin(tmp_path, way, "count")
    assert counted.code == 0
    steps = counted.err.count("fsio.any")
    moments = sorted({round(steps * part) for part in (0.1, 0.5)} | {steps})
    for number, step in enumerate(moments):
        shutil.rmtree(tmp_path / "novel")
        faulty = begin(tmp_path, way, FAULTS[number % len(FAULTS)].format(step))
        assert faulty.code in (-9, 0, 1), faulty
        assert is_nothing_or_whole(tmp_path / "novel"), (step, faulty)
        again = begin(tmp_path, way)
        assert again.code == 0, (step, again)
    assert studio("verify", "--project", tmp_path / "novel").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.txt", "novel"]


@pytest.mark.crash
def test_an_empty_folder_stays_the_folder_it_is_and_the_command_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    folder.mkdir()
    steps = begin(tmp_path, "new", "count").err.count("fsio.any")
    for step in (steps // 2, steps - 8):
        shutil.rmtree(folder)
        folder.mkdir()
        node = folder.stat().st_ino
        begin(tmp_path, "new", f"kill:{step}")
        again = begin(tmp_path, "new")
        assert again.code == 0, (step, again)
        assert folder.stat().st_ino == node
        assert studio("verify", "--project", folder).code == 0
        assert list(folder.glob(".*~")) == []

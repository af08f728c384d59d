"""What a full disk or a kill leaves behind is said, and the next writer clears it away."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.project.plans import planned_book_with_people

BOOK = "# Slack Water\n\n비가 그쳤다.\n\n# The Bell\n\nMara counts.\n\n# 灯\n\n玛拉点灯。\n"


@pytest.mark.sampled
@pytest.mark.crash
@pytest.mark.parametrize(("kind", "stride"), [("drafts", 1), ("committed", 7)])
def test_an_import_that_a_full_disk_ends_never_says_that_nothing_was_changed_if_something_was(
    tmp_path: Path, kind: str, stride: int
) -> None:
    fresh, file = tmp_path / "novel", tmp_path / "book.md"
    assert studio("new", fresh, "--title", "Salt", "--language", "en").code == 0
    file.write_text(BOOK, "utf-8")
    name = "imports" if kind == "drafts" else "chapters"
    whole = Path(shutil.copytree(fresh, tmp_path / "whole"))
    order = ("import", file, "--as", kind, "--yes", "--into")
    counted = studio(*order, whole, environ={"STUDIO_FAULT": "fsio.rename:count"})
    changes, some = counted.err.count("fsio.rename"), False
    for step in range(5, changes + 1, stride):
        folder = Path(shutil.copytree(fresh, tmp_path / str(step)))
        ended = studio(*order, folder, environ={"STUDIO_FAULT": f"fsio.rename:ENOSPC:{step}+"})
        if ended.code == 0:
            break
        there = sorted(p.name for p in (folder / name).glob("*.md"))
        some |= bool(there)
        assert "disk is full" in ended.err, (step, ended)
        assert not (there and "Nothing was changed" in ended.err), (step, there, ended.err)
        assert studio(*order, folder).code == 0, step
        assert len(list((folder / name).glob("*.md"))) == 3
    assert some


@pytest.mark.repairs("T24")
def test_the_next_writer_clears_away_what_a_killed_exchange_left_in_staging(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "novel"
    planned_book_with_people(folder)
    staged = folder / "staging/chapters"
    staged.mkdir(parents=True, exist_ok=True)
    left = staged / f".chapter-003.md.{2**22 + 1}.0a1b2c3d.{'f' * 8}.out~"
    left.write_text("에드윈이 편지를 읽는다.\n", "utf-8")
    assert studio("plan", "add", "The Ebb", "--project", folder).code == 0
    assert not left.exists()
    (version,) = ProjectStore(folder).history.versions("staging/chapters/chapter-003.md")
    assert ProjectStore(folder).history.blob(version.sha).decode() == "에드윈이 편지를 읽는다.\n"

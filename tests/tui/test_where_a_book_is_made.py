"""Where a new book is made: never at the root of the disk for a `/` typed before its name, and a
folder that will not do is asked for again with everything else as it was answered."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from textual.widgets import Input

from studio.config.load import load_settings
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, Choose
from tests.cli.command import studio as command
from tests.small_novels import copied_sample
from tests.tui.pilot import opened

AT_ROOT = "root of the disk"


@pytest.fixture
def at_root() -> Iterator[Path]:
    """A name at the root of the disk under which nothing is, and is left."""
    place = Path(f"/st-{uuid4().hex[:8]}")
    yield place
    shutil.rmtree(place, ignore_errors=True)
    place.unlink(missing_ok=True)


@pytest.mark.sweep
async def test_a_slash_before_the_name_asks_for_the_folder_again(
    own_home: Path, at_root: Path
) -> None:
    async with opened(None, dict(os.environ)) as studio:
        await studio.press("n")
        await studio.answer(Ask, "Lamps")
        await studio.answer(Choose, 0)
        await studio.answer(Choose, 0)
        await studio.sees(Ask, "Its folder")
        await studio.press(*str(at_root))
        assert studio.app.screen.query_one(Input).value == str(at_root)
        await studio.press("enter")
        await studio.sees(Ask, AT_ROOT)
        assert studio.app.screen.query_one(Input).value == str(at_root), "hers, to be mended"
        assert not at_root.exists()
        (own_home / "full").mkdir()
        (own_home / "full/letter.txt").write_text("Dear Joss")
        studio.app.screen.query_one(Input).value = str(own_home / "full")
        await studio.press("enter")
        await studio.sees(Ask, "Name a new folder, or an empty one.")
        studio.app.screen.query_one(Input).value = str(own_home / "lamps")
        await studio.press("enter")
        await studio.sees(DeskScreen)
    assert load_settings(own_home / "lamps", {}).novel.title == "Lamps"


async def test_the_copy_of_the_sample_is_not_made_at_the_root_either(
    own_home: Path, at_root: Path
) -> None:
    async with opened(None, dict(os.environ)) as studio:
        await studio.press("s")
        await studio.sees(Ask, "The sample is copied there")
        await studio.press(*str(at_root / "sample"), "enter")
        await studio.sees(Ask, AT_ROOT)
        assert not at_root.exists()
        await studio.press("escape")
        await studio.until(lambda: not isinstance(studio.app.screen, Ask), "the launcher")


def test_no_command_makes_anything_at_the_root(at_root: Path, tmp_path: Path) -> None:
    text = tmp_path / "salt.txt"
    text.write_text("Chapter 1\n\nMara lifted the oil cans.\n\nChapter 2\n\nThe rain stopped.\n")
    folder = copied_sample(tmp_path / "novel")
    for arguments in (
        ["new", at_root, "--title", "Salt", "--language", "en"],
        ["new", at_root / "salt", "--title", "Salt", "--language", "en"],
        ["import", text, "--into", at_root, "--yes"],
        ["export", "-o", f"{at_root}.epub", "--project", folder],
        ["export", "-o", f"{at_root}/", "--project", folder],
        ["export", "--form", "platform", "--to", f"{at_root}.txt", "--project", folder],
        ["authorship", "--out", f"{at_root}.md", "--project", folder],
    ):
        done = command(*arguments)
        assert (done.code, AT_ROOT in done.err) == (2, True), (arguments, done)
        assert not [name for name in os.listdir("/") if name.startswith(at_root.name)]


def test_a_folder_at_the_root_that_is_there_may_be_used(at_root: Path) -> None:
    at_root.mkdir()
    done = command("new", at_root, "--title", "Salt", "--language", "en")
    assert done.code == 0, done

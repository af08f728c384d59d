"""What the machine remembers, and what it does where it cannot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.config import recent
from studio.config.load import state_dir
from studio.config.recent import LastPlace, RecentNovels

FOLDER = Path("/novels/등대")


def test_novels_and_places_come_back() -> None:
    memory = (
        RecentNovels()
        .with_novel(FOLDER, "등대", "ko")
        .with_place(FOLDER, LastPlace(chapter=3, paragraph=(2, 7)))
    )
    recent.keep(os.environ, memory.with_theme("studio-paper"))
    record = recent.recall(os.environ)
    assert record.recent[0].title == "등대"
    assert record.place(FOLDER) == LastPlace(chapter=3, paragraph=(2, 7))
    assert record.theme == "studio-paper"


def test_the_novel_opened_last_is_first_and_each_stands_once() -> None:
    memory = RecentNovels()
    for number in (*range(30), 5):
        memory = memory.with_novel(Path(f"/n/{number}"), str(number), "en")
    assert [r.title for r in memory.recent[:2]] == ["5", "29"]
    assert len(memory.recent) == len({r.folder for r in memory.recent}) == 20


def test_a_damaged_memory_is_an_empty_one() -> None:
    recent.keep(os.environ, RecentNovels())
    (state_dir(os.environ) / "app.json").write_bytes(b"{")
    assert recent.recall(os.environ) == RecentNovels()


def test_a_state_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:  # req: T7
    (tmp_path / "file").write_text("")
    environ = {"XDG_STATE_HOME": str(tmp_path / "file")}
    recent.keep(environ, RecentNovels())
    assert recent.recall(environ) == RecentNovels()


@pytest.mark.parametrize(
    "text",
    [
        '{"recent": [{"folder": 1, "title": "x", "language": ""}], "places": {}, "theme": null}',
        '{"recent": [], "places": {"/n": {"chapter": "3", "paragraph": null, "tab": "draft"}}}',
        '{"recent": [], "places": {}, "theme": 7}',
        "[]",
    ],
)
def test_a_memory_of_other_shapes_is_an_empty_one(text: str) -> None:
    recent.keep(os.environ, RecentNovels())
    (state_dir(os.environ) / "app.json").write_text(text)
    assert recent.recall(os.environ) == RecentNovels()


def test_of_two_windows_the_one_that_ends_last_loses_nothing_of_the_other() -> None:
    since = RecentNovels().with_novel(FOLDER, "등대", "ko").with_novel(Path("/n/old"), "Old", "en")
    recent.keep(os.environ, since)
    one, other = (recent.recall(os.environ) for _ in range(2))
    other = other.with_novel(Path("/n/salt"), "Salt", "en")
    other = other.with_place(Path("/n/salt"), LastPlace(chapter=2))
    recent.keep(os.environ, other.with_theme("studio-paper"), since)
    one = one.with_novel(FOLDER, "등대", "ko").with_place(FOLDER, LastPlace(chapter=3))
    recent.keep(os.environ, one, since)
    record = recent.recall(os.environ)
    assert [novel.title for novel in record.recent] == ["등대", "Salt", "Old"]
    assert record.place(Path("/n/salt")).chapter == 2
    assert record.place(FOLDER).chapter == 3
    assert record.theme == "studio-paper"

"""A long novel is taken up again from checkpoint, state, summaries and plans, as a new process and
a lost memory would (seed 003, 8.1): the file layer counts which texts of chapters it opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.fsio import read
from studio.project.index import brought_up_to_date
from studio.project.store import ProjectStore
from studio.session import Session
from studio.story.checkpoint import Checkpoint
from tests.pipeline.flows import SETTINGS
from tests.project.novels import put

CHAPTERS, IN_A_VOLUME = 2000, 50
pytestmark = pytest.mark.sweep


@pytest.fixture(scope="module")
def novel(homes: Iterator[Path]) -> Path:
    """The next chapter is planned, in the volume of the last one."""
    folder = next(homes)
    put(folder, "studio.toml", SETTINGS)
    put(folder, "brief.md", "A lighthouse that was never lit.\n")
    layout = ProjectStore(folder).layout
    for number in range(1, CHAPTERS + 1):
        for path in (layout.chapter(number), layout.summary(number)):
            put(folder, path, f"# Night {number}\n\nMara climbed on night {number}.\n")
    last = CHAPTERS // IN_A_VOLUME
    for volume in range(1, last + 1):
        first = (volume - 1) * IN_A_VOLUME + 1
        numbers = range(first, first + IN_A_VOLUME + (volume == last))
        sections = (f"## Chapter {n}: Night {n}\n\nMara climbs on night {n}.\n" for n in numbers)
        put(folder, f"volumes/vol-{volume:02d}/outline.md", "\n".join(sections))
    ProjectStore(folder).save_checkpoint(
        Checkpoint(last_completed_chapter=CHAPTERS, state_version=0, current_volume=last)
    )
    brought_up_to_date(ProjectStore(folder), "words")  # as the app left it
    return folder


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every file the file layer opened, in order."""
    paths: list[str] = []
    whole = read.open_file

    def counted(name: str, flags: int, at: int, rel: str) -> int:
        paths.append(rel)
        return whole(name, flags, at, rel)

    monkeypatch.setattr(read, "open_file", counted)
    return paths


def _texts(opened: list[str]) -> list[str]:
    return [path for path in opened if path.startswith("chapters/")]


# req: D1
def test_a_cold_start_opens_no_text_of_a_chapter(novel: Path, opened: list[str]) -> None:
    report = Session.open(novel, {}).status()
    assert (report.next_chapter, report.last_completed_chapter) == (CHAPTERS + 1, CHAPTERS)
    assert ".checkpoint.json" in opened
    assert _texts(opened) == []


# req: D1
def test_the_next_prompt_needs_the_end_of_one_chapter(novel: Path, opened: list[str]) -> None:
    preview = Session.open(novel, {}).preview()
    summaries = [path for path in opened if path.startswith("summaries/")]
    assert f"Mara climbed on night {CHAPTERS}." in str(preview)
    assert len(set(summaries)) <= 10
    following = f"chapters/chapter-{CHAPTERS + 1}.md"
    assert set(_texts(opened)) <= {f"chapters/chapter-{CHAPTERS}.md", following}

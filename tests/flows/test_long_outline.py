"""A book that is planned to its end: what a command does grows with the outline, not faster."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from studio.project.store import ProjectStore
from studio.session import Session
from tests.cli.command import PROGRAM

FEW, MANY = 10_000, 40_000
"""Sections of an outline."""


def seconds_of_status(novel: Path, outline: str, sections: int) -> float:
    """Of the processor; a busy machine makes them hardly longer."""
    planned = (
        f"\n## Chapter {number}: Night {number}\n\nMara goes out.\n"
        for number in range(100, 100 + sections)
    )
    (novel / "volumes/vol-01/chapter-contracts/chapter-003.json").unlink(missing_ok=True)
    (novel / "volumes/vol-01/outline.md").write_text(outline + "".join(planned), "utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [PROGRAM, "status", "--project", novel, "--json"]  # a child of this process
    ended = subprocess.run(command, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.returncode == 0, ended.stderr
    return after.ru_utime - before.ru_utime


@pytest.mark.sweep
def test_status_takes_no_longer_for_each_section_of_a_long_outline(project: Path) -> None:
    outline = (project / "volumes/vol-01/outline.md").read_text("utf-8")
    none = seconds_of_status(project, outline, 0)
    few, many = (seconds_of_status(project, outline, n) - none for n in (FEW, MANY))
    assert many < 2 * (MANY / FEW) * max(few, none / 4), f"{none:.2f}, {few:.2f}, {many:.2f} s"


def counted_readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The volumes whose outline is read, one entry a reading."""
    readings: list[int] = []
    outline = ProjectStore.outline

    def counted(store: ProjectStore, volume: int) -> str:
        readings.append(volume)
        return outline(store, volume)

    monkeypatch.setattr(ProjectStore, "outline", counted)
    return readings


def test_status_reads_the_outline_once_for_all_chapters_without_a_title(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = counted_readings(monkeypatch)
    session = Session.open(project, {})
    session.status()
    with_titles = len(readings)
    for path in (project / "chapters").iterdir():
        path.write_text(path.read_text("utf-8").partition("\n")[2], "utf-8")
    readings.clear()
    assert [chapter.title for chapter in session.status().chapters] == [
        "Slack Water",
        "A Man About the Shaft",
    ]
    assert len(readings) == with_titles + 1


def test_a_volume_at_a_glance_reads_its_outline_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten thousand chapters of an outline of their own length each would take its square."""
    from studio.pipeline.volume.figures import volume_standing  # not there before R13
    from studio.text.language.packs import load_pack

    path = project / "volumes/vol-01/outline.md"
    planned = [f"\n## Chapter {n}: Night {n}\n\nMara goes out.\n" for n in range(100, 500)]
    path.write_text(path.read_text("utf-8") + "".join(planned), "utf-8")
    readings = counted_readings(monkeypatch)
    session = Session.open(project, {})
    standing = volume_standing(session.store, session.settings, load_pack("en"))
    titles = {chapter.chapter: chapter.title for chapter in standing.chapters}
    assert (titles[3], titles[499]) == ("The Lamp Room", "Night 499")
    assert len(readings) < 5

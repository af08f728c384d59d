"""A lock that the program itself holds beside its writer: over in a moment, it refuses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.project.lock import lock as locking
from studio.project.lock.lock import ProjectLock


# req: E9
def test_what_the_program_does_beside_its_writer_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = ProjectLock(tmp_path)
    beside.acquire()
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 20:
            beside.release()

    monkeypatch.setattr(locking.time, "sleep", pause)
    with ProjectLock(tmp_path) as hers:
        assert hers.holds()
    assert len(pauses) == 20


# req: E9
@pytest.mark.parametrize(("chapter", "waits"), [(3, False), (None, True)])
def test_a_chapter_that_is_being_written_is_not_waited_for_and_nothing_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chapter: int | None, waits: bool
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(locking.time, "sleep", pauses.append)
    with ProjectLock(tmp_path, chapter), pytest.raises(StudioError) as refused:
        ProjectLock(tmp_path).acquire()
    assert refused.value.problem.exit_code == Exit.LOCKED
    assert bool(pauses) is waits

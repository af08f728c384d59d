"""The brief says that no chapter needs another look only where nothing of them is left to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.volume.brief import brief_of, sentences_of
from studio.project.store import ProjectStore
from tests.project.plans import planned_book

ALL_WELL = "No chapter needs another look."


def told(
    folder: Path, *, are_judged: bool = True, **open_of_it: tuple[int, ...]
) -> tuple[str, ...]:
    store = ProjectStore(folder)
    store.save_checkpoint(store.checkpoint().copy_with(last_completed_chapter=2, **open_of_it))
    brief = brief_of(store, 2)
    if are_judged:
        curves = {**brief.curves, "overall": (4.0, 4.0)}
        brief = brief.model_copy(update={"curves": curves})
    return sentences_of(brief)


# req: D4
@pytest.mark.parametrize("name", ["left_open", "state_gap"])
def test_the_brief_never_says_that_all_is_well_beside_what_is_not_decided(
    tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "book"
    planned_book(folder)
    assert ALL_WELL in told(folder), "nothing is open"
    assert ALL_WELL not in told(folder, **{name: (2,)})


def test_chapters_that_nobody_judged_are_not_said_to_be_well(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    planned_book(folder)
    assert ALL_WELL not in told(folder, are_judged=False)

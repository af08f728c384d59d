"""The sample novel as a writer gets it: a copy of her own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.fsio import sha256_hex
from studio.project.create import REVIEW, copy_sample
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.resources import sample_project_dir
from studio.story.status import DirectiveStatus
from tests.project.novels import tree
from tests.small_novels import copied_sample


def test_the_sample_is_copied_whole_and_only_into_an_empty_folder(tmp_path: Path) -> None:
    there = copy_sample(tmp_path / "deep" / "copy")
    assert tree(there) == tree(copied_sample(tmp_path / "by hand"))
    assert not (there / REVIEW).exists()
    with pytest.raises(StudioError, match="not empty"):
        copy_sample(tmp_path)


# req: J8
def test_the_copy_in_review_is_a_sound_novel_whose_third_chapter_waits(tmp_path: Path) -> None:
    store = ProjectStore(copy_sample(tmp_path / "novel", in_review=True))
    assert verify(store.layout.folder).findings == ()
    sheet = store.staging_of(3).sheet()
    assert sheet is not None
    fixes = [d for d in sheet.directives if d.status is DirectiveStatus.PENDING]
    evaluation = store.staging_of(3).evaluation()
    assert evaluation is not None
    choices = [c for c in evaluation.counsel if c.kind == "decide"]
    assert (len(fixes), len(choices)) == (4, 1)
    decision = store.checkpoint().pending_decision
    assert decision is not None
    assert decision.kind == "review"
    assert store.journal.spent_on(3) == 0, "its record's cost is nobody's here"


def test_what_is_laid_over_the_sample_goes_on_from_it() -> None:
    """A change of the sample has to be followed by one of the review."""
    sample, review = sample_project_dir(), sample_project_dir() / REVIEW
    for name in ("history/log.jsonl", "logs/pipeline.log"):
        assert (review / name).read_bytes().startswith((sample / name).read_bytes())
    logged = (json.loads(line) for line in (review / "history/log.jsonl").open(encoding="utf-8"))
    plans = [row for row in logged if row["reason"] == "the plan as it was found"]
    assert plans
    for row in plans:
        assert sha256_hex((sample / row["path"]).read_bytes()) == row["sha"]

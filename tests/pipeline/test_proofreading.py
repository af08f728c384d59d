"""The fast role proofreads until it is seen to err too often."""

from __future__ import annotations

import pytest

from studio.pipeline.review.surgeon import FEWEST, error_rate, role_for
from studio.project.store import ProjectStore
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.status import DirectiveStatus
from tests.pipeline.conftest import OpenDesk
from tests.project.novels import put


def sheet(wrong: int, right: int, **more: object) -> DirectiveSheet:
    statuses = [DirectiveStatus.UNDONE] * wrong + [DirectiveStatus.KEPT] * right
    return DirectiveSheet(
        chapter=1,
        source_sha256="0" * 64,
        directives=tuple(
            Directive(
                id=f"dir_proofreading_{number:03d}",
                type=DirectiveType.PROOFREADING,
                priority=10,
                location=PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1),
                issue="맞춤법",
                instruction="고친다.",
                max_scope=1,
                status=status,
            ).copy_with(**more)
            for number, status in enumerate(statuses, start=1)
        ),
    )


# req: A12
@pytest.mark.parametrize(
    ("wrong", "right", "rate"), [(1, 19, 0.05), (2, 18, 0.1), (3, FEWEST - 4, None), (0, 0, None)]
)
def test_the_error_rate_is_what_was_refused_or_taken_back(
    wrong: int, right: int, rate: float | None
) -> None:
    assert error_rate([sheet(wrong, right)]) == rate


def test_the_writers_own_words_and_other_types_measure_nobody() -> None:
    assert error_rate([sheet(20, 20, edited_text="내 문장")]) is None
    assert error_rate([sheet(20, 20, type=DirectiveType.CUT)]) is None


# req: A12
@pytest.mark.parametrize(("wrong", "role"), [(1, "fast"), (2, "standard")])
def test_over_five_percent_a_better_model_proofreads(desk: OpenDesk, wrong: int, role: str) -> None:
    desk_ = desk()
    data = sheet(wrong, 20 - wrong).model_dump(mode="json", by_alias=True)
    put(desk_.folder, "evaluations/chapter-001-directives.json", data)
    store = ProjectStore(desk_.folder)
    assert role_for(DirectiveType.PROOFREADING, store, 2) == role
    assert role_for(DirectiveType.PROOFREADING, store, 1) == "fast"
    assert role_for(DirectiveType.CUT, store, 2) == "standard"

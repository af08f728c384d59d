"""Earlier chapters come into a prompt by what they share with the plan, and never all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.book.as_of import MOST, related_chapters
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.state import StateOp, Touched, touched_by

PLAN = ChapterContract(
    chapter=40,
    volume=1,
    title="Night",
    storyline_id="sea",
    objectives=("She counts",),
    foreshadowing=(ForeshadowTask(id="bell", action="resolve"),),
)


def entry(line: str, *ops: StateOp) -> Touched:
    return touched_by(line, [(op.op, op.path, op.value) for op in ops])


def touches(slug: str) -> StateOp:
    return StateOp(op="set", path=f"characters.{slug}.last_seen", value=1)


def test_a_shared_promise_counts_more_than_a_person_and_a_line_alone_nothing() -> None:
    # req: G10
    entries = {
        1: entry("sea"),
        2: entry("main", touches("mara")),
        3: entry("sea", touches("mara")),
        4: entry("main", StateOp(op="foreshadow", path="bell", value="plant")),
        39: entry("sea", touches("mara")),
    }
    assert related_chapters(PLAN, ("mara",), entries, 37) == [3, 4]


@pytest.mark.sweep
@given(st.sets(st.integers(1, 300), max_size=200))
def test_however_long_the_book_is_few_come(numbers: set[int]) -> None:  # req: G10
    entries = {n: entry("sea", touches("mara")) for n in numbers}
    chosen = related_chapters(PLAN, ("mara",), entries, 297)
    earlier = sorted(n for n in numbers if n < 297)
    assert chosen == earlier[-MOST:]

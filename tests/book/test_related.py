"""Earlier chapters come into a prompt by what they share with the plan, and never all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.book.related import MOST, related_chapters
from studio.project.changelog import Changelog, Entry, entry_of
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.state import Delta, StateOp

PLAN = ChapterContract(
    chapter=40,
    volume=1,
    title="Night",
    storyline_id="sea",
    objectives=("She counts",),
    foreshadowing=(ForeshadowTask(id="bell", action="resolve"),),
)


def entry(chapter: int, line: str, *ops: StateOp) -> Entry:
    delta = Delta(chapter=chapter, storyline_id=line, source_sha256="0" * 64, ops=ops)
    return entry_of(Changelog(), delta, f"c{chapter}", "2026-01-01T00:00:00Z", chapter)


def touches(slug: str) -> StateOp:
    return StateOp(op="set", path=f"characters.{slug}.last_seen", value=1)


def test_a_shared_promise_counts_more_than_a_person_and_a_line_alone_nothing() -> None:
    # req: G10
    entries = {
        1: entry(1, "sea"),
        2: entry(2, "main", touches("mara")),
        3: entry(3, "sea", touches("mara")),
        4: entry(4, "main", StateOp(op="foreshadow", path="bell", value="plant")),
        39: entry(39, "sea", touches("mara")),
    }
    assert related_chapters(PLAN, ("mara",), entries, 37) == [3, 4]


@pytest.mark.sweep
@given(st.sets(st.integers(1, 300), max_size=200))
def test_however_long_the_book_is_few_come(numbers: set[int]) -> None:  # req: G10
    entries = {n: entry(n, "sea", touches("mara")) for n in numbers}
    chosen = related_chapters(PLAN, ("mara",), entries, 297)
    earlier = sorted(n for n in numbers if n < 297)
    assert chosen == earlier[-MOST:]

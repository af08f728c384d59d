"""The freshness rule, against the plain reading of it, on random histories of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studio.pipeline.chapter.lineage import REWRITERS, Lineage
from studio.story.chapter import sha256_of
from studio.story.checkpoint import StageRecord

A, B, C, D = (sha256_of(name) for name in "ABCD")


def record(
    stage: str, before: str | None, after: str | None, guarded: bool = True, lap: int = 0
) -> StageRecord:
    return StageRecord(
        stage=stage, input_sha256=before, output_sha256=after, guarded=guarded, lap=lap
    )


RECORDS = st.lists(
    st.builds(
        record,
        st.sampled_from(["draft", "refine", "polish", "operate", "unrefine", "summarize", "judge"]),
        st.sampled_from([None, A, B, C, D]),
        st.sampled_from([A, B, C, D]),
        st.booleans(),
        st.integers(0, 2),
    ),
    max_size=8,
)


def leads(records: list[StageRecord], start: str, end: str, guarded: bool) -> bool:
    """A path of rewrites from `start` to `end`, found by spreading from the start."""
    reached = {start}
    for _ in records:
        reached |= {
            r.output_sha256
            for r in records
            if r.stage in REWRITERS and r.input_sha256 in reached and (r.guarded or not guarded)
            if r.output_sha256
        }
    return end in reached


@given(RECORDS, st.sampled_from([A, B, C, D]), st.sampled_from([A, B, C, D]), st.booleans())
def test_a_text_leads_here_when_rewrites_join_them(
    records: list[StageRecord], start: str, end: str, guarded: bool
) -> None:
    answer = Lineage(records, end).leads_here(start, guarded=guarded)
    assert answer == leads(records, start, end, guarded)


@given(RECORDS, st.sampled_from([A, B, C, D]))
def test_what_was_derived_is_fresh_exactly_while_its_text_leads_here_guarded(
    records: list[StageRecord], current: str
) -> None:
    lineage = Lineage(records, current)
    reading = lineage.reader("judge")
    drafted = max((r.lap for r in records if r.stage == "draft"), default=0)
    fresh = [
        r
        for r in records
        if r.stage == "judge" and r.input_sha256 and r.lap >= drafted
        if leads(records, r.input_sha256, current, True)
    ]
    assert reading == (fresh[-1] if fresh else None)


@given(RECORDS)
def test_a_text_that_no_writer_left_is_the_authors_own(records: list[StageRecord]) -> None:
    own = sha256_of("typed in another editor")
    lineage = Lineage(records, own)
    assert not lineage.is_by_a_stage()
    assert not any(lineage.writer_done(stage) for stage in ("draft", "refine", "operate"))
    assert lineage.reader("summarize") is None


def test_a_summary_survives_a_guarded_rewrite_and_not_another() -> None:
    summary = record("summarize", A, A)
    assert Lineage([summary, record("refine", A, B)], B).reader("summarize") == summary
    assert Lineage([summary, record("operate", A, B, guarded=False)], B).reader("summarize") is None
    assert Lineage([summary, record("draft", A, B)], B).reader("summarize") is None


def test_a_redraft_is_read_anew_even_where_it_came_out_the_same() -> None:  # req: B6
    reading = record("judge", A, A)
    again = [record("draft", None, A), reading, record("draft", A, A, lap=1)]
    assert Lineage(again, A).reader("judge") is None
    anew = record("judge", A, A, lap=1)
    assert Lineage([*again, anew], A).reader("judge") == anew


def test_a_draft_stays_done_through_every_rewrite() -> None:
    records = [record("draft", None, A), record("refine", A, B), record("operate", B, C, False)]
    assert Lineage(records, C).writer_done("draft", 0)
    assert not Lineage(records, C).writer_done("draft", 1)
    assert Lineage(records, C).writer_done("refine", 0)
    assert not Lineage(records, D).writer_done("draft", 0)


def test_a_text_began_as_what_the_first_of_its_rewrites_was_given() -> None:
    refined, operated = record("refine", A, B), record("operate", B, C, guarded=False)
    assert Lineage([record("draft", None, A), refined, operated], C).origin == A
    assert Lineage([record("draft", None, A)], A).origin is None
    assert Lineage([refined, operated], D).origin is None
    assert Lineage([refined, record("unrefine", B, A)], A).origin == A


def test_a_refinement_that_was_undone_stays_done() -> None:
    records = [record("draft", None, A), record("refine", A, B), record("unrefine", B, A)]
    lineage = Lineage(records, A)
    assert lineage.writer_done("refine", 0)
    assert lineage.is_by_a_stage()


def test_of_two_readings_the_newest_counts() -> None:
    first, second = record("judge", A, A), record("judge", B, B)
    assert Lineage([first, record("refine", A, B), second], B).reader("judge") == second


def test_before_there_is_a_text_nothing_is_done() -> None:
    lineage = Lineage([record("draft", None, A), record("judge", A, A)], None)
    assert not lineage.is_by_a_stage()
    assert not lineage.writer_done("draft")
    assert lineage.reader("judge") is None

"""A chapter changed by hand is summarized again, alone; what was folded after it is replayed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from studio.book.as_of import StoryAt
from studio.errors import Exit, StudioError
from studio.pipeline.events import Event, UsageEvent, WarningEvent
from studio.pipeline.outcome import Failed
from studio.pipeline.rebuild import RebuildOrder
from studio.project.verify import verify
from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import Desk, Model, block
from tests.pipeline.korean_book import (
    OWN,
    changed,
    done,
    edit,
    faults_found,
    rebuild,
    remembered,
)
from tests.project.novels import tree


@pytest.mark.sweep
def test_only_the_changed_chapter_is_asked_about(book: Desk) -> None:  # req: E10
    changed(book)
    assert faults_found(book)
    report = done(book)
    assert book.calls() == ["summary"]
    assert "열쇠는 없었다" in block(book.server.asked[0], "chapter")
    assert [(c.chapter, c.why, c.status) for c in report.chapters] == [(1, "changed", "rebuilt")]
    assert report.replayed == (2, 3)
    assert book.store.hand_edits() == []
    assert faults_found(book) == []


@pytest.mark.sweep
def test_the_state_is_that_of_a_book_written_so_at_once(book: Desk) -> None:  # req: E10
    assert book.store.state().characters["mara"]["steps"] == 3
    changed(book)
    done(book)
    state = book.store.state()
    assert state.characters["mara"]["steps"] == 7
    assert state.items == {}
    assert (state.state_version, state.last_chapter) == (3, 3)
    assert book.checkpoint.last_completed_chapter == 3


@pytest.mark.sweep
def test_the_summarizer_sees_the_state_from_before_the_chapter(book: Desk) -> None:  # req: E10
    edit(book, 2, "세 번 올랐다", "세 번 올랐다가 내려왔다")
    done(book)
    (asked,) = book.server.asked
    assert '"steps": 1' in block(asked, "state")


@pytest.mark.sweep
def test_chapters_that_no_longer_agree_are_named(book: Desk) -> None:  # req: E10 F14
    changed(book)
    events: list[Event] = []
    report = done(book, listen=events.append)
    entries = {(entry.chapter, entry.entry.split()[0]) for entry in report.stale}
    assert entries == {(2, "inc"), (3, "remove"), (3, "foreshadow")}
    reasons = " ".join(entry.reason for entry in report.stale)
    assert "was 1 before it and is 5 now" in reasons
    assert "was planted before it and is not any more" in reasons
    warned = [e.message for e in events if isinstance(e, WarningEvent)]
    assert any(m.startswith("Chapter 3 no longer agrees: remove") for m in warned)
    notes = [f.message for f in verify(book.folder).findings if f.severity == "note"]
    assert any("items.key.owners" in message for message in notes)


@pytest.mark.sweep
def test_an_edit_that_changes_no_facts_shakes_no_chapter(book: Desk) -> None:
    edit(book, 1, "등대에서", "낡은 등대에서")
    assert done(book).stale == ()


@pytest.mark.sweep
def test_the_text_is_never_touched_and_its_edit_is_in_history(book: Desk) -> None:  # req: N1 N4
    changed(book)
    before = {n: book.text(n) for n in OWN}
    done(book)
    assert {n: book.text(n) for n in OWN} == before
    assert before[1].encode() in [
        book.store.history.blob(v.sha)
        for v in book.store.history.versions("chapters/chapter-001.md")
    ]


@pytest.mark.sweep
def test_the_judgement_stays_and_is_measured_again(book: Desk) -> None:
    was = book.store.evaluation(1)
    changed(book)
    done(book)
    now = book.store.evaluation(1)
    assert was is not None
    assert now is not None
    assert (now.judged_sha256, now.scores) == (was.judged_sha256, was.scores)
    assert now.source_sha256 == book.store.committed_sha(1) != was.source_sha256


@pytest.mark.sweep
def test_a_preview_changes_nothing_and_says_what_rests_on_it(book: Desk) -> None:  # req: E10
    changed(book)
    before = tree(book.folder)
    preview = book.session().rebuilder().preview(RebuildOrder())
    assert tree(book.folder) == before
    assert book.server.asked == []
    assert [(c.chapter, c.status) for c in preview.chapters] == [(1, "planned")]
    assert {entry.chapter for entry in preview.stale} == {2, 3}
    assert preview.model


@pytest.mark.sweep
def test_nothing_changed_costs_nothing(book: Desk) -> None:
    before = tree(book.folder)
    assert done(book).chapters == ()
    assert book.server.asked == []
    after = tree(book.folder)
    assert {n for n in {*before, *after} if before.get(n) != after.get(n)} <= {
        "logs",
        "logs/pipeline.log",
    }


@pytest.mark.sweep
def test_all_chapters_can_be_read_again_and_again(book: Desk) -> None:
    assert [c.chapter for c in done(book, everything=True).chapters] == [1, 2, 3]
    assert book.calls() == ["summary"] * 3
    done(book, 2)
    assert book.calls() == ["summary"] * 4


@pytest.mark.sweep
def test_two_chapters_that_changed_places_are_both_read_again(book: Desk) -> None:
    first, second = (book.folder / f"chapters/chapter-00{n}.md" for n in (2, 3))
    was = (first.read_bytes(), second.read_bytes())
    first.write_bytes(was[1])
    second.write_bytes(was[0])
    assert [c.chapter for c in done(book).chapters] == [2, 3]
    assert book.store.state().characters["mara"]["steps"] == 3
    assert faults_found(book) == []


@pytest.mark.sweep
@pytest.mark.parametrize("left", ["", "# 등대\n", " \n\n"])
def test_an_emptied_chapter_is_left_alone_and_refused_by_name(book: Desk, left: str) -> None:
    (book.folder / "chapters/chapter-002.md").write_text(left, "utf-8")
    changed(book)
    assert book.session().rebuilder().preview(RebuildOrder()).missing == (2,)
    report = done(book)
    assert (report.missing, [c.chapter for c in report.chapters]) == ((2,), [1])
    for refused in (rebuild(book, 2), rebuild(book, 1, 2)):
        assert isinstance(refused, Failed)
        assert refused.exit_code is Exit.DAMAGED
        assert "history restore 2" in refused.problem.hint


def test_a_renamed_chapter_is_told_as_renamed_and_not_as_missing(book: Desk) -> None:  # req: F13
    file = book.folder / "chapters/chapter-002.md"
    file.rename(file.with_name("the flood.md"))
    report = done(book)
    assert report.missing == ()
    assert report.moved == ("Chapter 2 was renamed: its text is chapters/the flood.md.",)


@pytest.mark.sweep
def test_an_edit_made_while_the_model_reads_is_not_taken_for_read(book: Desk) -> None:  # req: F11
    changed(book)

    def listen(event: Event) -> None:
        if isinstance(event, UsageEvent):
            edit(book, 1, "상자", "궤짝")

    outcome = rebuild(book, listen=listen)
    assert isinstance(outcome, Failed)
    assert "changed again" in outcome.problem.message
    assert "궤짝" in book.text(1)
    done(book)
    assert book.store.hand_edits() == []
    assert len(book.server.asked) == 2


@pytest.mark.sweep
def test_an_answer_that_cannot_be_read_leaves_the_chapter_as_it_was(book: Desk) -> None:
    changed(book)
    before = book.store.state()
    book.server.answering = Model(summary=Rule(text="not an object"))
    outcome = rebuild(book)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.MODEL
    assert book.store.state() == before
    assert [edit.chapter for edit in book.store.hand_edits()] == [1]


@pytest.mark.sweep
def test_a_missing_chapter_is_left_alone_and_said(book: Desk) -> None:  # req: F13
    (book.folder / "chapters/chapter-002.md").unlink()
    changed(book)
    report = done(book)
    assert (report.missing, [c.chapter for c in report.chapters]) == ((2,), [1])
    outcome = rebuild(book, 2)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.DAMAGED
    assert "history restore 2" in outcome.problem.hint


@pytest.mark.sweep
def test_a_chapter_that_was_never_committed_is_refused(book: Desk) -> None:
    outcome = rebuild(book, 9)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.USAGE


@pytest.mark.sweep
def test_without_a_model_facts_that_one_had_read_are_not_lost(  # req: N3
    book: Desk,
) -> None:
    changed(book)
    rebuilder = book.session().rebuilder()
    rebuilder = replace(rebuilder, novel=replace(rebuilder.novel, gateway_for=lambda emit: None))
    with pytest.raises(StudioError, match="was read by a model"):
        rebuilder.preview(RebuildOrder())
    outcome = asyncio.run(rebuilder.run(RebuildOrder(), print))
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.USAGE
    assert [edit.chapter for edit in book.store.hand_edits()] == [1]


@pytest.mark.sweep
def test_an_open_question_about_the_edit_is_settled_by_it(book: Desk) -> None:
    edit(book, 3, "종소리가 들렸다", "종소리는 들리지 않았다")
    file = book.folder.parent / "own-4.md"
    file.write_text("# 넷째 장\n\n비가 왔다.\n", "utf-8")
    assert book.write(draft=file).decision.kind == "hand_edit"
    done(book)
    assert book.checkpoint.pending_decision is None
    assert book.write(draft=file, review="reject").exit_code == 0
    assert faults_found(book) == []


@pytest.mark.sweep
def test_three_gaps_in_the_state_offer_a_rebuild(book: Desk) -> None:  # req: E7
    checkpoint = book.checkpoint
    book.store.save_checkpoint(checkpoint.copy_with(state_gap=(1, 2)))
    assert "studio rebuild" not in " ".join(book.session().status().warnings)
    book.store.save_checkpoint(checkpoint.copy_with(state_gap=(1, 2, 3)))
    assert "`studio rebuild 1 2 3`" in " ".join(book.session().status().warnings)
    done(book, everything=True)
    assert book.checkpoint.state_gap == ()


# req: D5 E10 J1
def test_the_memory_stays_that_of_the_newest_chapter_when_an_early_one_is_read_again(
    book: Desk,
) -> None:
    """Met: after chapter 1 was read again a storyline remembered its first chapter and two cut
    summaries, and had forgotten what three chapters had left open."""

    def remembering(asked: Asked) -> Rule:
        value = dict(remembered(asked).value or {})
        return Rule(value={**value, "memory": "처음만 안다."})

    newest = book.store.memory("main").strip()
    book.server.answering = Model(summary=remembering)
    edit(book, 1, "아직 불이", "이제 불이")
    assert rebuild(book).exit_code == 0
    summary = book.store.summary(1)
    assert book.store.memory("main").strip() == f"{newest}\n- 제1장, 지금의 글: {summary}".strip()
    edit(book, 1, "이제 불이", "다시 불이")
    assert rebuild(book).exit_code == 0
    assert book.store.memory("main").count("지금의 글") == 1, "its row is the latest one"
    third = StoryAt(book.store, 3).memory("main")
    assert third.splitlines()[0] == newest
    assert "- 제1장, 지금의 글: " in third, "read again since chapter 2 was remembered"
    assert StoryAt(book.store, 2).memory("main") == "처음만 안다."

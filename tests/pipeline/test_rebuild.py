"""A chapter changed by hand is summarized again, alone; what was folded after it is replayed."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from studio.errors import Exit
from studio.fsio import faults
from studio.pipeline.events import CommittedEvent, Event, UsageEvent, WarningEvent
from studio.pipeline.outcome import Failed, NothingToDo, Stopped
from studio.pipeline.rebuild_plan import RebuildOrder, RebuildReport, left_over
from studio.pipeline.rebuilding import Rebuilt
from studio.project.changelog import replay
from studio.project.commit import roll_forward
from studio.project.doctor import verify
from studio.project.lock import ProjectLock
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SETTINGS, Desk, Model, block, make_novel
from tests.pipeline.killing import die, in_child
from tests.project.novels import tree

OWN = {
    1: "# 첫 장\n\n마라는 등대에서 열쇠를 찾았다.\n\n“아직 불이 켜져 있어.” 조스가 말했다.\n",
    2: "# 둘째 장\n\n조스는 계단을 세 번 올랐다. 마라는 말이 없었다.\n",
    3: "# 셋째 장\n\n종소리가 들렸다. 마라는 열쇠를 놓았다.\n",
}
OPS: dict[str, list[dict[str, Any]]] = {
    "열쇠를 찾았다": [
        {"op": "set", "path": "characters.mara.steps", "value": 1},
        {"op": "foreshadow", "path": "bell", "value": "plant"},
        {"op": "add", "path": "items.key.owners", "value": "마라"},
    ],
    "계단을 세 번": [{"op": "inc", "path": "characters.mara.steps", "value": 2}],
    "열쇠를 놓았다": [
        {"op": "remove", "path": "items.key.owners", "value": "마라"},
        {"op": "foreshadow", "path": "bell", "value": "advance"},
    ],
    "열쇠는 없었다": [{"op": "set", "path": "characters.mara.steps", "value": 5}],
}
KOREAN = SETTINGS.replace('language = "en"', 'language = "ko"')


def remembered(asked: Asked) -> Rule:
    """A summary whose ops follow from the words of the chapter alone."""
    text = block(asked, "chapter")
    ops = [op for words, entries in OPS.items() if words in text for op in entries]
    value = {"summary": f"요약 {len(text)}", "ops": ops, "crossref": [], "memory": "열쇠와 종."}
    return Rule(value=value)


@pytest.fixture
def book(desk: OpenDesk, tmp_path: Path) -> Desk:
    """A Korean book of three chapters, the first one changed by hand since."""
    make_novel(tmp_path / "novel", KOREAN, contract=None)
    found = desk(Model(summary=remembered))
    for number, text in OWN.items():
        file = tmp_path / f"own-{number}.md"
        file.write_text(text, "utf-8")
        assert found.write(draft=file, review="reject").exit_code == 0
    found.server.asked.clear()
    return found


def edit(desk: Desk, number: int, old: str, new: str) -> None:
    """What a writer does in another editor."""
    file = desk.folder / f"chapters/chapter-{number:03d}.md"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def changed(desk: Desk) -> None:
    """Chapter 1 without its key: the later chapters build on it."""
    edit(desk, 1, "열쇠를 찾았다", "빈 상자를 보았다. 열쇠는 없었다")


def rebuild(
    desk: Desk, *chapters: int, everything: bool = False, listen: Callable[[Event], None] = print
) -> Rebuilt | Failed | Stopped:
    """`studio rebuild` in a process of its own."""
    order = RebuildOrder(chapters, everything)
    return asyncio.run(desk.session().rebuilder().run(order, listen))


def done(desk: Desk, *chapters: int, **more: Any) -> RebuildReport:
    """A rebuild that must come to its end, and the book must be whole after it."""
    outcome = rebuild(desk, *chapters, **more)
    assert isinstance(outcome, Rebuilt), outcome
    assert desk.store.state() == replay(desk.store.changelog().entries)
    return outcome.report


def faults_found(desk: Desk) -> list[str]:
    """What verify names, apart from worth-knowing notes."""
    return [f.message for f in verify(desk.folder).findings if f.severity != "note"]


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


def test_the_state_is_that_of_a_book_written_so_at_once(book: Desk) -> None:  # req: E10
    assert book.store.state().characters["mara"]["steps"] == 3
    changed(book)
    done(book)
    state = book.store.state()
    assert state.characters["mara"]["steps"] == 7
    assert state.items == {}
    assert (state.state_version, state.last_chapter) == (3, 3)
    assert book.checkpoint.last_completed_chapter == 3


def test_the_summarizer_sees_the_state_from_before_the_chapter(book: Desk) -> None:  # req: E10
    edit(book, 2, "세 번 올랐다", "세 번 올랐다가 내려왔다")
    done(book)
    (asked,) = book.server.asked
    assert '"steps": 1' in block(asked, "state")


def test_chapters_that_no_longer_agree_are_named(book: Desk) -> None:  # req: E10 F14
    changed(book)
    events: list[Event] = []
    report = done(book, listen=events.append)
    told = {(entry.chapter, entry.entry.split()[0]) for entry in report.stale}
    assert told == {(2, "inc"), (3, "remove"), (3, "foreshadow")}
    reasons = " ".join(entry.reason for entry in report.stale)
    assert "was 1 before it and is 5 now" in reasons
    assert "was planted before it and is not any more" in reasons
    warned = [e.message for e in events if isinstance(e, WarningEvent)]
    assert any(m.startswith("Chapter 3 no longer agrees: remove") for m in warned)
    notes = [f.message for f in verify(book.folder).findings if f.severity == "note"]
    assert any("items.key.owners" in message for message in notes)


def test_an_edit_that_changes_no_facts_shakes_no_chapter(book: Desk) -> None:
    edit(book, 1, "등대에서", "낡은 등대에서")
    assert done(book).stale == ()


def test_the_text_is_never_touched_and_its_edit_is_in_history(book: Desk) -> None:  # req: N1 N4
    changed(book)
    before = {n: book.text(n) for n in OWN}
    done(book)
    assert {n: book.text(n) for n in OWN} == before
    assert before[1].encode() in [
        book.store.history.blob(v.sha)
        for v in book.store.history.versions("chapters/chapter-001.md")
    ]


def test_the_judgement_stays_and_is_measured_again(book: Desk) -> None:
    was = book.store.evaluation(1)
    changed(book)
    done(book)
    now = book.store.evaluation(1)
    assert was is not None
    assert now is not None
    assert (now.judged_sha256, now.scores) == (was.judged_sha256, was.scores)
    assert now.source_sha256 == book.store.committed_sha(1) != was.source_sha256


def test_a_preview_changes_nothing_and_says_what_rests_on_it(book: Desk) -> None:  # req: E10
    changed(book)
    before = tree(book.folder)
    preview = book.session().rebuilder().preview(RebuildOrder())
    assert tree(book.folder) == before
    assert book.server.asked == []
    assert [(c.chapter, c.status) for c in preview.chapters] == [(1, "planned")]
    assert {entry.chapter for entry in preview.stale} == {2, 3}
    assert preview.model


def test_nothing_changed_costs_nothing(book: Desk) -> None:
    before = tree(book.folder)
    assert done(book).chapters == ()
    assert book.server.asked == []
    after = tree(book.folder)
    assert {n for n in {*before, *after} if before.get(n) != after.get(n)} <= {
        "logs",
        "logs/pipeline.log",
    }


def test_all_chapters_can_be_read_again_and_again(book: Desk) -> None:
    assert [c.chapter for c in done(book, everything=True).chapters] == [1, 2, 3]
    assert book.calls() == ["summary"] * 3
    done(book, 2)
    assert book.calls() == ["summary"] * 4


def committed_at(number: int) -> Callable[[Event], None]:
    """Dies after the n-th committed chapter."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        count += isinstance(event, CommittedEvent)
        if count == number:
            die()

    return listen


def test_killed_between_two_chapters_it_goes_on_with_the_rest(book: Desk) -> None:  # req: E10 N8
    killed = in_child(lambda: rebuild(book, everything=True, listen=committed_at(1)))
    assert killed == -signal.SIGKILL
    assert left_over(book.checkpoint) == (2, 3)
    asked = len(book.server.asked)
    report = done(book, everything=True)
    assert [(c.chapter, c.why) for c in report.chapters] == [
        (2, "interrupted"),
        (3, "interrupted"),
    ]
    assert len(book.server.asked) - asked == 2
    assert left_over(book.checkpoint) == ()


def test_killed_after_the_call_its_answer_is_found_again(book: Desk) -> None:  # req: E10 N11
    changed(book)

    def listen(event: Event) -> None:
        if isinstance(event, UsageEvent):
            die()

    assert in_child(lambda: rebuild(book, listen=listen)) == -signal.SIGKILL
    assert len(book.server.asked) == 1
    assert book.store.hand_edits()
    done(book)
    assert len(book.server.asked) == 1
    assert faults_found(book) == []


@pytest.mark.parametrize(
    "point",
    ["commit.before_manifest", "commit.after_manifest", "commit.after_placement",
     "commit.after_changelog", "commit.after_checkpoint"],
)  # fmt: skip
def test_killed_inside_the_commit_it_is_whole_after_the_next_start(  # req: N2 N3 N8
    book: Desk, point: str
) -> None:
    changed(book)

    def work() -> None:
        faults.arm(f"{point}:kill:1")
        rebuild(book)

    assert in_child(work) == -signal.SIGKILL
    done(book)
    assert book.store.hand_edits() == []
    assert book.store.state().characters["mara"]["steps"] == 7
    assert len(book.server.asked) == 1
    assert faults_found(book) == []
    assert len([e for e in book.store.changelog().entries if e.chapter == 1]) == 2


@pytest.mark.crash
def test_killed_at_every_step_the_chapter_is_all_old_or_all_new(  # req: N2 N3 N8
    book: Desk, tmp_path: Path
) -> None:
    changed(book)
    done_before = (book.store.state(), book.store.summary(1))
    seen, killed, number = set(), True, 0
    while killed:
        number += 3
        copy = Desk(tmp_path / "copy", book.server)
        shutil.rmtree(copy.folder, ignore_errors=True)
        shutil.copytree(book.folder, copy.folder)
        killed = in_child(partial(_killed_at_step, copy, number)) != 0
        with ProjectLock(copy.folder):
            roll_forward(copy.store.layout)
        new = not copy.store.hand_edits()
        seen.add(new)
        assert ((copy.store.state(), copy.store.summary(1)) == done_before) is not new
        assert copy.store.state() == replay(copy.store.changelog().entries)
        assert copy.text(1) == book.text(1)
        done(copy)
        assert copy.store.state().characters["mara"]["steps"] == 7
    assert seen == {True, False}
    assert number > 20


def _killed_at_step(desk: Desk, number: int) -> None:
    faults.arm(f"fsio.any:kill:{number}")
    rebuild(desk)


def test_two_chapters_that_changed_places_are_both_read_again(book: Desk) -> None:
    first, second = (book.folder / f"chapters/chapter-00{n}.md" for n in (2, 3))
    was = (first.read_bytes(), second.read_bytes())
    first.write_bytes(was[1])
    second.write_bytes(was[0])
    assert [c.chapter for c in done(book).chapters] == [2, 3]
    assert book.store.state().characters["mara"]["steps"] == 3
    assert faults_found(book) == []


def test_an_emptied_chapter_is_refused_with_the_way_back(book: Desk) -> None:
    (book.folder / "chapters/chapter-001.md").write_text("", "utf-8")
    outcome = rebuild(book)
    assert isinstance(outcome, Failed)
    assert "history restore 1" in outcome.problem.hint
    assert book.server.asked == []


def test_resume_finishes_a_half_rebuilt_chapter_and_begins_no_other(book: Desk) -> None:
    changed(book)

    def work() -> None:
        faults.arm("commit.after_manifest:kill:1")
        rebuild(book)

    assert in_child(work) == -signal.SIGKILL
    assert isinstance(book.resume().outcome, NothingToDo)
    assert book.store.hand_edits() == []
    assert book.calls() == ["summary"]


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


def test_an_answer_that_cannot_be_read_leaves_the_chapter_as_it_was(book: Desk) -> None:
    changed(book)
    before = book.store.state()
    book.server.answering = Model(summary=Rule(text="not an object"))
    outcome = rebuild(book)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.MODEL
    assert book.store.state() == before
    assert [edit.chapter for edit in book.store.hand_edits()] == [1]


def test_a_chapter_in_work_comes_first(book: Desk, tmp_path: Path) -> None:
    file = tmp_path / "own-4.md"
    file.write_text("# 넷째 장\n\n비가 왔다.\n", "utf-8")
    assert book.write(draft=file, review="ask").exit_code == 4
    changed(book)
    outcome = rebuild(book)
    assert isinstance(outcome, Failed)
    assert "Chapter 4 is in work" in outcome.problem.message


def test_a_missing_chapter_is_left_alone_and_said(book: Desk) -> None:  # req: F13
    (book.folder / "chapters/chapter-002.md").unlink()
    changed(book)
    report = done(book)
    assert (report.missing, [c.chapter for c in report.chapters]) == ((2,), [1])
    outcome = rebuild(book, 2)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.DAMAGED
    assert "history restore 2" in outcome.problem.hint


def test_a_chapter_that_was_never_committed_is_refused(book: Desk) -> None:
    outcome = rebuild(book, 9)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.USAGE


def test_without_a_model_facts_that_one_had_read_are_not_lost(  # req: N3
    book: Desk,
) -> None:
    changed(book)
    rebuilder = replace(book.session().rebuilder(), gateway_for=lambda emit: None)
    outcome = asyncio.run(rebuilder.run(RebuildOrder(), print))
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.USAGE
    assert [edit.chapter for edit in book.store.hand_edits()] == [1]


def test_an_open_question_about_the_edit_is_settled_by_it(book: Desk) -> None:
    edit(book, 3, "종소리가 들렸다", "종소리는 들리지 않았다")
    file = book.folder.parent / "own-4.md"
    file.write_text("# 넷째 장\n\n비가 왔다.\n", "utf-8")
    assert book.write(draft=file).decision.kind == "hand_edit"
    done(book)
    assert book.checkpoint.pending_decision is None
    assert book.write(draft=file, review="reject").exit_code == 0
    assert faults_found(book) == []


def test_an_interrupted_rebuild_shows_in_the_status(book: Desk) -> None:  # req: D10
    assert in_child(lambda: rebuild(book, everything=True, listen=committed_at(2))) != 0
    warnings = " ".join(book.session().status().warnings)
    assert "A rebuild was interrupted before chapter 3" in warnings
    report = done(book)
    assert [c.chapter for c in report.chapters] == [3]


def test_three_gaps_in_the_state_offer_a_rebuild(book: Desk) -> None:  # req: E7
    checkpoint = book.checkpoint
    book.store.save_checkpoint(checkpoint.updated(state_gap=(1, 2)))
    assert "studio rebuild" not in " ".join(book.session().status().warnings)
    book.store.save_checkpoint(checkpoint.updated(state_gap=(1, 2, 3)))
    assert "`studio rebuild 1 2 3`" in " ".join(book.session().status().warnings)
    done(book, everything=True)
    assert book.checkpoint.state_gap == ()

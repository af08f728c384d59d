"""Every chapter of the book is compared with what was committed before anything is built on it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from studio.errors import Exit
from studio.fsio import read
from studio.pipeline.events import Event, WarningEvent
from studio.pipeline.outcome import Failed
from studio.pipeline.rebuild import RebuildOrder
from studio.story.chapter import sha256_of
from tests.pipeline.flows import Desk
from tests.pipeline.korean_book import changed, done, edit, faults_found, rebuild
from tests.project.novels import tree

OWN = "# 넷째 장\n\n비가 왔다. 조스는 우산을 폈다.\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The fourth chapter, the author's own."""
    file = tmp_path / "own-4.md"
    file.write_text(OWN, "utf-8")
    return file


@pytest.mark.sampled
@pytest.mark.repairs("S2")
@pytest.mark.parametrize("review", ["ask", "accept", "reject"])
def test_an_edit_of_the_first_chapter_stops_the_fourth(  # req: U5
    book: Desk, own: Path, review: str
) -> None:
    changed(book)
    ran = book.write(draft=own, review=review)
    assert ran.exit_code == Exit.DECIDE
    assert ran.decision.kind == "hand_edit"
    assert {"style", "meaning"} <= set(ran.decision.options)
    assert ran.decision.recommendation == ""
    assert book.calls() == []


@pytest.mark.sweep
@pytest.mark.repairs("S2")
def test_a_chapter_in_progress_hinders_neither_answer_nor_rebuild(  # req: E10
    book: Desk, own: Path
) -> None:
    assert book.write(draft=own, review="ask").decision.kind == "review"
    changed(book)
    ran = book.resume(review="ask")
    assert ran.exit_code == Exit.DECIDE
    assert (ran.decision.kind, {"style", "meaning"} <= set(ran.decision.options)) == (
        "hand_edit",
        True,
    )
    before = tree(book.folder)
    preview = book.session().rebuilder().preview(RebuildOrder())
    assert [chapter.chapter for chapter in preview.chapters] == [1]
    assert tree(book.folder) == before
    book.server.asked.clear()
    book.decide("meaning")
    assert book.resume(review="ask").decision.kind == "review"
    assert book.calls() == ["summary"]
    assert book.store.hand_edits() == []
    assert book.checkpoint.inflight_chapter == 4
    book.decide("commit")
    assert book.resume(review="ask").committed.chapter == 4
    assert faults_found(book) == []


@pytest.mark.sweep
def test_a_rebuild_by_name_leaves_the_chapter_in_progress_where_it_is(
    book: Desk, own: Path
) -> None:
    assert book.write(draft=own, review="ask").decision.kind == "review"
    changed(book)
    report = done(book)
    assert [chapter.chapter for chapter in report.chapters] == [1]
    assert book.resume(review="reject").committed.chapter == 4
    assert faults_found(book) == []


@pytest.mark.sweep
def test_a_chapter_under_review_is_read_when_it_goes_into_the_book(book: Desk) -> None:
    assert book.write(chapter=2, again=True, review="ask").decision.kind == "review"
    outcome = rebuild(book, 2)
    assert isinstance(outcome, Failed)
    assert outcome.exit_code is Exit.USAGE
    assert "Chapter 2 is in progress itself" in outcome.problem.message


@pytest.mark.sweep
def test_all_edits_are_asked_about_once(book: Desk, own: Path) -> None:
    changed(book)
    edit(book, 2, "세 번 올랐다", "세 번이나 올랐다")
    ran = book.write(draft=own, review="ask")
    assert [row["chapter"] for row in ran.decision.data["chapters"]] == [1, 2]
    assert "Chapters 1, 2 were changed by hand" in ran.decision.rationale
    book.decide("style")
    assert book.resume(review="ask").decision.kind == "review"
    assert book.store.hand_edits() == []


@pytest.mark.sweep
def test_what_was_put_off_is_named_and_only_what_is_new_is_asked(book: Desk, own: Path) -> None:
    changed(book)
    book.write(draft=own, review="ask")
    book.decide("later")
    ran = book.resume(review="ask")
    assert ran.decision.kind == "review"
    assert "Chapter 1 was changed by hand" in ran.warnings
    edit(book, 2, "세 번 올랐다", "세 번이나 올랐다")
    again = book.resume(review="ask")
    assert [row["chapter"] for row in again.decision.data["chapters"]] == [2]


@pytest.mark.sweep
def test_without_a_model_the_question_comes_again(
    book: Desk, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(book)
    book.write(draft=own, review="ask")
    book.decide("meaning")
    module = "studio.pipeline.rebuild.gateway_if_any"
    monkeypatch.setattr(module, lambda gateway_for, emit: None)
    ran = book.write(draft=own, review="ask")
    assert ran.exit_code == Exit.USAGE
    assert "was read by a model" in str(ran.outcome)
    assert book.write(draft=own, review="ask").decision.kind == "hand_edit"


@pytest.mark.sweep
def test_a_killed_answer_about_several_still_counts_for_the_rest(book: Desk, own: Path) -> None:
    from studio.project.commit.new_wording import accept_edit
    from studio.project.lock.lock import ProjectLock

    edit(book, 1, "열쇠를 찾았다", "열쇠를 찾아냈다")
    edit(book, 2, "세 번 올랐다", "세 번이나 올랐다")
    edit(book, 3, "들렸다", "들려왔다")
    book.write(draft=own, review="ask")
    book.decide("later")
    book.resume(review="ask")
    with ProjectLock(book.folder) as lock:
        accept_edit(book.store, lock, 2)
    assert book.resume(review="ask").decision.kind == "review"


@pytest.mark.sweep
def test_an_unchanged_chapter_is_opened_only_if_it_is_read(
    book: Desk, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from studio.project.watch import cached_hashes

    monkeypatch.setattr(cached_hashes, "_SETTLED_NS", 0)
    monkeypatch.setattr(cached_hashes, "_FEWEST", 1)
    assert book.write(draft=own, review="ask").decision.kind == "review"
    texts: list[str] = []
    whole = read.open_file

    def counted(name: str, flags: int, at: int, rel: str) -> int:
        texts.append(rel)
        return whole(name, flags, at, rel)

    monkeypatch.setattr(read, "open_file", counted)
    assert book.resume(review="ask").decision.kind == "review"
    assert "chapters/chapter-001.md" not in texts
    edit(book, 1, "열쇠를", "열쇠 하나를")
    assert book.resume(review="ask").decision.kind == "hand_edit"


@pytest.mark.sweep
def test_a_chapter_that_is_gone_further_back_is_named(book: Desk, own: Path) -> None:
    (book.folder / "chapters/chapter-001.md").unlink()
    ran = book.write(draft=own, review="reject")
    assert ran.committed.chapter == 4
    assert "chapters/chapter-001.md is in the book, but the file is gone" in ran.warnings


@pytest.mark.sweep
def test_what_asks_nothing_names_the_edit(book: Desk) -> None:
    from studio.pipeline.orders import PassageOrder
    from studio.pipeline.volume.architect import VolumeOrder
    from studio.story.review.passage import read_place

    changed(book)
    events: list[Event] = []
    order = PassageOrder(2, read_place("1.1"), "regenerate", "", 1)
    asyncio.run(book.session().passages().write(order, events.append))
    asyncio.run(book.session().volumes().plan(VolumeOrder(volume=2, chapters=1), events.append))
    own = PassageOrder(1, read_place("1.1"), "regenerate", "", 1)
    asyncio.run(book.session().passages().write(own, events.append))
    warnings = [e.message for e in events if isinstance(e, WarningEvent) and "by hand" in e.message]
    assert warnings == ["Chapter 1 was changed by hand since it went into the book."] * 2


def test_an_earlier_version_that_was_brought_back_is_not_called_an_edit_by_hand(
    book: Desk, own: Path
) -> None:
    from studio.story.decision_words import title_of

    path = "chapters/chapter-001.md"
    upkeep, versions = book.session().upkeep(), book.session().versions()
    first = sha256_of((book.folder / path).read_text("utf-8"))
    changed(book)
    upkeep.only_style(1)
    versions.restore(path, first)
    back = "An earlier version of chapter 1 was brought back since it went into the book."
    question = book.write(draft=own, review="reject").decision
    assert (question.kind, str(question.rationale)) == ("hand_edit", back)
    assert "by hand" not in title_of(question)
    assert book.session().upkeep().differences().reasons_by_chapter == {
        1: "an earlier version was brought back"
    }
    assert [c.why for c in book.session().rebuilder().preview(RebuildOrder()).chapters] == [
        "brought_back"
    ]
    assert "An earlier version of chapter 1 was brought back; `studio rebuild 1`" in " ".join(
        map(str, book.session().status().warnings)
    )
    edit(book, 2, "\n\n", "\n\n비가 왔다.\n\n")
    both = upkeep.question(1, 2)
    assert both is not None
    assert str(both.rationale) == (
        f"{back} Chapter 2 was changed by hand since it went into the book."
    )
    edit(book, 1, "열쇠를 찾았다", "열쇠를 보았다")
    changed_since = upkeep.question(1)
    assert changed_since is not None
    assert "Chapter 1 was changed by hand" in str(changed_since.rationale)


def test_a_fix_that_was_taken_back_is_not_called_an_edit_by_hand(book: Desk) -> None:
    """Met: u of a fix in a chapter of the book, and the line above the text asked what changed."""
    from studio.pipeline.chapter.own_text import save_own_text
    from studio.project.history.reasons import Reason
    from studio.tui.desk.load import read_book
    from studio.tui.desk.text import notice
    from studio.tui.views.situation import Situation

    session = book.session()
    now = session.store.chapter(1)
    assert now is not None
    without = now.text.replace("열쇠를 찾았다", "열쇠를 보았다")
    assert without != now.text
    save_own_text(session.store, 1, without, now.sha256, "ko", Reason.TAKEN_BACK)
    differences = session.upkeep().differences()
    assert differences.reasons_by_chapter == {1: "a fix was taken back"}
    assert [c.why for c in session.rebuilder().preview(RebuildOrder()).chapters] == ["taken_back"]
    line = notice(read_book(session)._replace(differences=differences), Situation(current=1), 0)
    assert line is not None
    assert "A fix was taken back: chapter 1." in line.words[0].text
    question = session.upkeep().question(1)
    assert question is not None
    assert "A fix in chapter 1 was taken back" in str(question.rationale)
    warnings = " ".join(map(str, session.status().warnings))
    assert "A fix was taken back in chapter 1; `studio rebuild 1`" in warnings

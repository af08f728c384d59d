"""What was changed elsewhere is named, and settled the way the writer says."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.pipeline.external_changes import Upkeep
from studio.pipeline.outcome import Failed
from studio.pipeline.rebuild import RebuildOrder
from tests.pipeline.flows import Desk
from tests.pipeline.korean_book import changed, done, edit, faults_found


def upkeep(book: Desk) -> Upkeep:
    return book.session().upkeep()


@pytest.mark.sweep
def test_a_book_at_peace_has_no_differences(book: Desk) -> None:
    now = upkeep(book).differences()
    assert (now.edited_chapters, dict(now.reasons_by_chapter)) == ((), {})


@pytest.mark.sweep
def test_an_edit_is_marked_with_its_reason_and_its_words(book: Desk) -> None:  # req: U5
    edit(book, 2, "세 번", "네 번")
    keep = upkeep(book)
    assert dict(keep.differences().reasons_by_chapter) == {2: "its text was changed by hand"}
    committed = book.store.committed_sha(2)
    assert keep.words(committed, "chapters/chapter-002.md") == (
        "“조스는 계단을 세 번 올랐다.…” is now “조스는 계단을 네 번 올랐다.…”"
    )
    question = keep.question(2)
    assert question is not None
    assert (question.kind, question.options) == ("hand_edit", ("style", "meaning", "later"))


@pytest.mark.sweep
def test_a_style_edit_becomes_the_chapters_own_text(book: Desk) -> None:  # req: U5
    edit(book, 2, "세 번 올랐다", "세 번이나 올랐다")
    keep, state = upkeep(book), book.store.state()
    keep.only_style(2)
    assert keep.differences().edited_chapters == ()
    assert keep.question(2) is None
    assert book.store.state() == state
    assert faults_found(book) == []


# req: E10 F14
@pytest.mark.sweep
def test_a_rebuild_is_taken_back_whole_and_can_be_done_again(book: Desk) -> None:
    derived = ("summaries", "evaluations", "state/crossref", "storylines")

    def made() -> dict[str, bytes]:
        paths = [p for folder in derived for p in sorted((book.folder / folder).rglob("*.*"))]
        return {str(p): p.read_bytes() for p in paths}

    before, state = made(), book.store.state()
    changed(book)
    text = book.text(1)
    done(book)
    after, rebuilt = made(), book.store.state()
    assert rebuilt != state
    keep = upkeep(book)
    keep.take_back([1])
    assert (made(), book.store.state().characters) == (before, state.characters)
    assert book.text(1) == text
    assert keep.differences().edited_chapters == (1,)
    keep.take_back([1])
    assert (made(), book.store.state().characters) == (after, rebuilt.characters)
    assert faults_found(book) == []


@pytest.mark.sweep
def test_what_was_not_rebuilt_is_not_taken_back(book: Desk) -> None:
    with pytest.raises(StudioError) as refused:
        upkeep(book).take_back([2])
    assert refused.value.problem.exit_code == Exit.USAGE


# req: F13
@pytest.mark.sweep
def test_exchanged_chapters_are_named_before_a_rebuild_and_can_be_put_back(book: Desk) -> None:
    first, second = (book.folder / f"chapters/chapter-00{n}.md" for n in (1, 2))
    texts = first.read_text(), second.read_text()
    first.write_text(texts[1])
    second.write_text(texts[0])
    preview = book.session().rebuilder().preview(RebuildOrder())
    assert preview.moved == ("Chapters 1 and 2 have changed places.",)
    assert upkeep(book).put_back() == [
        "Chapter 1 is back at chapters/chapter-001.md.",
        "Chapter 2 is back at chapters/chapter-002.md.",
    ]
    assert faults_found(book) == []


# req: F13 N1
def test_a_run_that_reads_a_moved_chapter_stops_and_names_the_move(book: Desk) -> None:
    (book.folder / "chapters/chapter-003.md").rename(book.folder / "chapters/old three.md")
    outcome = book.write(chapter=4, draft=_own(book)).outcome
    assert isinstance(outcome, Failed)
    assert outcome.exit_code == Exit.DAMAGED
    assert "Chapter 3 was renamed: its text is chapters/old three.md." in outcome.problem.message
    assert not (book.folder / "chapters/chapter-004.md").exists()


# req: U5
@pytest.mark.sweep
def test_a_run_keeps_the_plans_it_is_written_from(book: Desk) -> None:
    profile = book.folder / "characters/active/mara.md"
    profile.parent.mkdir(parents=True, exist_ok=True)
    profile.write_text("마라는 등대를 지킨다.\n")
    book.write(chapter=4, draft=_own(book), review="reject")
    profile.write_text("마라는 등대를 판다.\n")
    keep = upkeep(book)
    assert "the entry on Mara was changed" in keep.differences().reasons_by_chapter[1]
    keep.let_stand(None)
    assert dict(keep.differences().reasons_by_chapter) == {}


def _own(book: Desk) -> Path:
    file = book.folder.parent / "own-4.md"
    file.write_text("# 넷째 장\n\n마라는 문을 닫았다. 바람이 불었다.\n", "utf-8")
    return file

"""`C` takes a chapter into the book: one press does what needs no answer, and what does need one is
asked at once."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from studio.pipeline.outcome import Committed, Failed
from studio.project.planning.plans import Plans
from studio.session import Session
from studio.story.checkpoint import CHANGED_SINCE, Checkpoint
from studio.story.review.passage import PassagePlace
from studio.tui.book import CurrentChapter
from studio.tui.desk import reader
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.form import FormScreen
from tests.fake_messages import Rule
from tests.pipeline.flows import SETTINGS, Model, directive, judged, summarized, unrefined
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened

FIRST, SECOND = directive(1, 2), directive(2, 3, type="dialogue-subtext")


async def in_the_book(studio: StudioPilot) -> None:
    """Waits until the chapter is in the book."""
    await studio.until(
        lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
    )
    await studio.settled()


@pytest.mark.sweep
async def test_a_chapter_that_she_reopened_with_her_own_words_takes_one_press(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined))
    assert isinstance((await asyncio.to_thread(there.write)).outcome, Committed)
    there.session().proposals().add(1, PassagePlace(1, 2, 2), "replace", "The boards were pale.")
    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.on_directive("prop_0001")
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().inflight == 1, "its review")
        assert studio.desk.situation().decision is None
        await studio.press("C")
        await studio.sees(Confirm, "A model summarizes it first: ")
        assert there.calls().count("summary") == 1, "no call before its price is agreed to"
        await studio.press("y")
        await studio.until(lambda: "boards were pale" in there.text(), "it in the book")
        await studio.until(lambda: studio.desk.situation().inflight is None, "the end")
        await studio.settled()
        await studio.desk.features.take_outcome(Committed(1, "", (CHANGED_SINCE,)))
        whole = "is in the book (words in it were changed after it was judged, by you or by a fix"
        await studio.until(lambda: whole in " ".join(studio.told.split()), "since what")


@pytest.mark.sweep
async def test_what_a_second_reading_proposes_on_the_way_is_asked_at_once_by_name(
    desk: OpenDesk,
) -> None:
    readings = [judged(directives=[FIRST, SECOND]), judged(directives=[directive(2, 2)]), judged()]
    there = desk(Model(refine=unrefined, judge=readings))
    put(there.folder, "studio.toml", f"{SETTINGS}[review]\nrounds = 3\n")
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("a", "x", "enter")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the fix taken")
        await studio.until(lambda: studio.desk.situation().pending == 0, "the other put aside")
        await studio.press("C")
        await studio.sees(Confirm, "1 is left as it stands, undecided")
        assert "2.2" in studio.screen
        await studio.press("y")
        await in_the_book(studio)


@pytest.mark.sweep
async def test_what_goes_into_the_book_unread_is_named_where_she_is_asked_and_said_where_not(
    desk: OpenDesk,
) -> None:  # req: H4
    there = desk(Model(refine=unrefined, judge=judged(directives=[FIRST, SECOND])))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first taken")
        await studio.until(lambda: studio.desk.state.writing_price is not None, "its price")
        await studio.press("C")
        await studio.sees(Confirm, "1 is left as it stands, undecided")
        head = "1 is done by the surgeon first, and goes into the book unread:"
        words = " ".join(studio.screen.replace("│", " ").split())
        assert f"{head} 1.2 " in words
        assert "What the surgeon does: " in words
        await studio.press("n")
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 2, "both taken")
        await studio.press("C")
        assert "2 fixes go into the book as the surgeon writes them, unread" in studio.told
        await in_the_book(studio)


@pytest.mark.sweep
async def test_what_she_changed_since_it_was_judged_is_named_where_she_is_asked(
    desk: OpenDesk,
) -> None:  # req: H4
    there = desk(Model(refine=unrefined, judge=judged(directives=[FIRST, SECOND])))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.press("C")
        await studio.sees(Confirm, "2 are left as they stand, undecided")
        assert "changed since it was judged" not in studio.screen
        await studio.press("n")
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press(*"Early", "space")
        await studio.press("ctrl+s", "escape")
        await studio.sees(DeskScreen)
        await studio.until(lambda: "Early" in studio.desk.state.current.text.text, "the change")
        await studio.press("C")
        await studio.sees(Confirm, "The text was changed since it was judged (1.2)")


@pytest.mark.sweep
async def test_what_could_not_be_done_on_the_way_is_asked_at_once_by_name(desk: OpenDesk) -> None:
    judge = judged(directives=[FIRST, SECOND])
    there = desk(Model(refine=unrefined, judge=judge, surgery=Rule(text="  \n")))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("a", "x", "enter")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first taken")
        await studio.until(lambda: studio.desk.situation().pending == 0, "the other put aside")
        before = there.staged().read_text("utf-8")
        await studio.press("C")
        await studio.sees(Confirm, "1 could not be done, and its passage stays as it was")
        assert "1.2 Show" in " ".join(studio.screen.split())
        assert not there.store.checkpoint().last_completed_chapter
        await studio.press("y")
        await in_the_book(studio)
        assert there.text() == before


@pytest.mark.sweep
async def test_then_the_cursor_is_on_the_chapter_that_comes_next(desk: OpenDesk) -> None:
    """Met: it was in the text of the chapter, in which nothing can be done and p is dead."""
    there = desk(Model(refine=unrefined))
    Plans(there.store, "en").add("The Ledger", happens=["Mara counts the boats."])
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.press("w")
        await studio.sees(DecisionScreen, "Take it into the book")
        await studio.press("enter")
        await in_the_book(studio)
        await studio.until(lambda: studio.desk.state.pane == "outline", "the outline")
        place = studio.desk.painter.outline_list.place
        assert place is not None
        assert place.chapter == 2
        await studio.press("enter", "p")
        await studio.sees(FormScreen)


async def test_fixes_taken_together_are_named_in_the_question_once(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[FIRST, SECOND])))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.press("A")
        await studio.sees(Confirm, "Take the rest?")
        await studio.press("y")
        await studio.until(lambda: studio.desk.situation().approved == 2, "both taken")
        await studio.press("C")
        await studio.sees(Confirm, "2 are done by the surgeon first")
        assert all(place in studio.screen for place in ("1.2 Show", "2.3 Subtext"))
        await studio.press("y")
        await in_the_book(studio)  # no second question


async def test_a_fix_in_the_text_that_nobody_kept_is_named_in_the_question(
    desk: OpenDesk,
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[FIRST, SECOND])))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first taken")
        await studio.press("w")
        await studio.settled()
        await studio.press("C")
        await studio.sees(Confirm, "1 is left as it stands, undecided")
        words = " ".join(studio.screen.replace("│", " ").split())
        assert "1 stays though nobody kept it: 1.2 Show" in words


async def test_a_chapter_taken_while_the_book_is_read_after_a_run_asks_nothing_again(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[FIRST, SECOND])))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("a", "x", "enter")
        await studio.until(lambda: studio.desk.situation().pending == 0, "both decided")
        released, reread = asyncio.Event(), studio.desk.reread

        held: list[int | None] = []

        async def slow(*, fresh: bool = True, chapter: int | None = None) -> None:
            if held:  # what the next run has written is not read before
                await released.wait()
            await reread(fresh=fresh, chapter=chapter)
            if chapter and not held:  # after the run of `w`
                held.append(chapter)
                await released.wait()

        monkeypatch.setattr(studio.desk, "reread", slow)
        await studio.press("w")
        await studio.until(lambda: held, "the end of the run")
        await studio.press("C")
        await studio.until(lambda: studio.store.checkpoint().last_completed_chapter, "its run")
        released.set()
        await studio.settled()
        assert not isinstance(studio.app.screen, DecisionScreen), studio.screen


@pytest.mark.sweep
async def test_what_only_she_decides_is_named_below_everything_else_that_is_open(
    desk: OpenDesk,
) -> None:  # req: H4
    asked = {"Whose key is it?": "the shape of a key", "Whose bell is it?": "a bell rang"}
    choices = [
        {"kind": "decide", "issue": issue, "options": ["Hers.", "His."], "scene": 1, "quote": quote}
        for issue, quote in asked.items()
    ]
    rule = judged(directives=[directive(*at) for at in ((1, 1), (1, 2), (1, 4), (2, 1), (2, 2))])
    judge = Rule(value={**rule.value, "counsel": choices})
    there = desk(Model(refine=unrefined, judge=judge))
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.to_review()
        await studio.press("C")
        await studio.sees(Confirm, "5 are left as they stand, undecided")
        assert "2 that only you decide are not answered" in studio.screen
        assert all(issue in studio.screen for issue in asked)
        assert "y yes" in studio.screen


async def test_a_chapter_of_hers_that_nobody_has_read_is_said_to_be_read_on_its_way_to_the_book(
    desk: OpenDesk, tmp_path: Path
) -> None:
    there = desk(Model(summary=[Rule(mode="status", status=400), summarized]))
    draft = tmp_path / "mine.md"
    draft.write_text("# One\n\nThe bell rang, and nobody on the quay said a word.\n", "utf-8")
    ran = await asyncio.to_thread(lambda: there.write(draft=draft, review="ask"))
    assert isinstance(ran.outcome, Failed)
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        await studio.until(lambda: "w has it read: " in studio.screen, "which key reads it")
        assert "Nobody has read it yet." in studio.screen
        await studio.press("C")
        await studio.sees(Confirm, "Nobody has read it yet: ")
        await studio.press("y")
        await in_the_book(studio)
    assert there.calls().count("judge") == 1


async def test_a_reading_of_the_book_does_not_lead_back_to_the_chapter_before(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk(Model(refine=unrefined))
    assert isinstance((await asyncio.to_thread(there.write)).outcome, Committed)
    released, read = threading.Event(), reader.read_current

    def slow(session: Session, chapter: int, checkpoint: Checkpoint) -> CurrentChapter:
        if chapter == 1:
            released.wait(20)
        return read(session, chapter, checkpoint)

    async with opened(there.folder, there.environ) as studio:
        await studio.on_chapter(1)
        await studio.settled()
        monkeypatch.setattr(reader, "read_current", slow)
        older = asyncio.create_task(studio.desk.reread(fresh=False, chapter=1))
        await studio.pilot.pause()
        await studio.desk.show_chapter(2)
        released.set()
        await older
        assert studio.desk.state.chapter == 2


async def test_the_question_waits_until_what_she_decided_before_it_is_recorded(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Met: on a busy machine it called undecided what she had just rejected."""
    there = desk(Model(refine=unrefined, judge=judged(directives=[FIRST, SECOND])))
    gate, change = threading.Event(), Session.change_directives

    def gated(session: Session, *args: Any, **options: Any) -> Any:
        assert gate.wait(60)
        return change(session, *args, **options)

    monkeypatch.setattr(Session, "change_directives", gated)
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3", "r", "enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.press("C")
        gate.set()
        await studio.sees(Confirm, "1 is left as it stands, undecided")

"""What is said in the corner can be read whole, whatever lies below it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static
from textual.widgets._toast import Toast, ToastRack

from studio.tui.desk.screen import DeskScreen
from studio.tui.runtime import toasts
from studio.tui.runtime.toasts import WholeToast, keep_toasts_whole
from studio.tui.screens.cost import CostScreen
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.help import HelpScreen
from studio.tui.screens.reading import ReadingScreen
from studio.tui.screens.settings import SettingsScreen
from studio.tui.views.review.decision_card import Card, Choice
from studio.tui.widgets.prose_view import ProseView
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged
from tests.tui.environs import no_server
from tests.tui.painted import strips_of
from tests.tui.pilot import StudioPilot, opened
from tests.tui.three_novels import at_rest


class Panes(App[None]):
    """Panes whose edges lie at every second column and then at every third."""

    def compose(self) -> ComposeResult:
        """Narrow columns, as many as there are."""
        with Horizontal():
            for width in (*[2] * 20, *[3] * 13):
                pane = Static("\n".join(["x" * width] * 12))
                pane.styles.width = width
                yield pane


# req: H6
@pytest.mark.sampled
@pytest.mark.parametrize("words", ["3장이 책에 들어갔습니다.", "a3章已经收入书中。"])
async def test_a_message_over_the_edges_of_panes_keeps_its_characters(words: str) -> None:
    keep_toasts_whole()
    app = Panes()
    async with app.run_test(size=(79, 12), notifications=True) as pilot:
        app.notify(words)
        await pilot.pause()
        await pilot.pause()
        assert app.screen.query(WholeToast)
        lines = [strip.text for strip in strips_of(app.screen)]
    assert any(words in line for line in lines)
    assert {cell_len(line) for line in lines} == {79}


async def test_of_several_messages_at_once_two_stand_and_the_log_has_the_others(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five that were said at once five stood over the text."""
    there = desk(Model())
    async with opened(there.folder, there.environ) as studio:
        studio.app.NOTIFICATION_TIMEOUT = 600  # none goes because its time is over
        for name in ("first", "second", "third", "fourth", "fifth"):
            studio.app.say(f"The {name} message.")
        await studio.until(lambda: "The fifth message." in studio.told, "the messages")
        await studio.settled()
        assert len(studio.app._notifications) == 2
        assert [n for n in ("first", "fourth", "fifth") if n in studio.told] == ["fourth", "fifth"]
        monkeypatch.setattr(toasts, "_READ_IN", 0.0)  # the next one takes the place of one read
        studio.app.say("The sixth message.")
        await studio.until(lambda: "The sixth message." in studio.told, "the sixth")
        await studio.press("l")
        await studio.sees(CostScreen)
        await studio.until(lambda: "The third message." in studio.screen, "the log")
        assert "The fourth message." not in studio.screen
        assert "The first message." in studio.screen


@pytest.mark.sweep
async def test_what_was_said_goes_with_the_key_that_answers_it(desk: OpenDesk) -> None:
    """“w writes it” still stood in the corner while w was writing it."""
    there = desk(Model())
    async with opened(there.folder, there.environ) as studio:
        studio.app.NOTIFICATION_TIMEOUT = 600  # none goes because its time is over
        studio.app.say("Chapter 1 is planned.")
        await studio.until(lambda: "is planned" in studio.told, "the message")
        await studio.press("w")
        await studio.until(lambda: studio.store.checkpoint().inflight_chapter == 1, "the run")
        assert "is planned" not in studio.told


# req: H6
@pytest.mark.sweep
async def test_a_message_names_a_directive_by_its_place_on_every_page(desk: OpenDesk) -> None:
    there = desk(Model(judge=judged(directives=[directive(2, 1)])))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        words = f"{studio.directives.changes[0].id} is done already."
        studio.app.say(words)
        await studio.until(
            lambda: "already" in studio.told and "done" in studio.told, "the message"
        )
        assert " in 2.1 is done already." in studio.told
        await studio.press("f1")
        await studio.until(lambda: isinstance(studio.app.screen, HelpScreen), "the help")
        studio.app.say(words.replace("done", "seen"))
        await studio.until(
            lambda: "already" in studio.told and "seen" in studio.told, "the message"
        )
        assert " in 2.1 is seen already." in studio.told


# req: H6
@pytest.mark.sweep
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("place", ["draft", "editor", "reading-prose"])
async def test_a_message_never_lies_over_prose(
    size: tuple[int, int], place: str, tmp_path: Path
) -> None:
    novel = at_rest("en", tmp_path / "novel")
    async with opened(novel, no_server(), size, notifications=True) as studio:
        studio.app.NOTIFICATION_TIMEOUT = 600
        chapter = studio.store.chapter(2)
        assert chapter is not None
        await studio.on_chapter(2)
        await studio.press("2", "end")
        if place == "editor":
            await studio.ask_for("desk.edit")
            await studio.sees(EditorScreen)
            await studio.press("ctrl+end")
        elif place == "reading-prose":
            await studio.app.action_perform("desk.read")
            await studio.sees(ReadingScreen)
            await studio.until(lambda: studio.app.screen.query_one(ProseView).page.height, "text")
            studio.app.screen.query_one(ProseView).load(chapter.text)
            await studio.press("end")
        end = " ".join(chapter.text.split()[-2:])
        await studio.until(lambda: end in studio.screen, "the end of the text")
        for words in ("The words are kept.", "Chapter 1 was changed outside the studio. " * 3):
            studio.app.say(words)
        await studio.until(lambda: len(studio.app.screen.query(Toast)) == 2, "both messages")
        prose = studio.app.screen.query_one(f"#{place}")
        for toast in studio.app.screen.query(Toast):
            assert toast.region.height
            assert not toast.region.overlaps(prose.region), (toast.region, prose.region)
        assert "outside the studio." in studio.screen
        await studio.until(lambda: end in studio.screen, "the end of the text above them")


# req: U2
@pytest.mark.sweep
async def test_what_was_said_about_a_page_goes_with_it(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ, notifications=True) as studio:
        studio.app.NOTIFICATION_TIMEOUT = 600  # none goes because its time is over
        studio.desk.work(said(studio, "The run goes on."), "said")
        await studio.press("f2")
        await studio.sees(SettingsScreen)
        studio.app.say("Saved.")
        await studio.until(lambda: "Saved." in studio.screen, "the message")
        assert "The run goes on." in studio.screen
        await studio.press("escape")
        await studio.sees(DeskScreen)
        assert studio.told == "The run goes on."
        await studio.until(lambda: "Saved." not in studio.screen, "its end")


# req: U2
async def test_what_a_page_says_as_it_goes_stays(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        studio.app.NOTIFICATION_TIMEOUT = 600
        await studio.press("f2")
        await studio.sees(SettingsScreen)
        studio.app.say("Stopped; nothing was changed.")
        await studio.until(lambda: studio.told, "the message")
        studio.app.screen.dismiss(None)
        await studio.sees(DeskScreen)
        assert studio.told == "Stopped; nothing was changed."


async def test_a_message_that_is_taken_back_leaves_no_blank_row(tmp_path: Path) -> None:
    """Seen at 80x24: eight blank rows stood over the text until a dialog was opened."""
    novel = at_rest("en", tmp_path / "novel")
    async with opened(novel, no_server(), (80, 24), notifications=True) as studio:
        await studio.on_chapter(2)
        await studio.settled()
        studio.app.clear_notifications()
        await studio.until(lambda: not studio.app.screen.query(Toast), "no message")
        before = studio.screen.splitlines()[1:-2]
        studio.app.NOTIFICATION_TIMEOUT = 600
        for number in range(5):
            studio.app.say(f"Message {number}. " * 9)
            await studio.until(lambda n=number: f"Message {n}." in studio.screen, "it")
        rack = studio.app.screen.query_one(ToastRack)
        await studio.until(
            lambda: len(rack.children) == len(studio.app.screen.query(Toast)) == 2,
            "two in the corner",
        )
        studio.app.clear_notifications()
        await studio.until(lambda: studio.screen.splitlines()[1:-2] == before, "all of it")


async def said(studio: StudioPilot, words: str) -> None:
    """Says it, beside whatever is in sight."""
    studio.app.say(words)


# req: H6
@pytest.mark.sweep
async def test_a_message_lies_over_no_word_of_a_card(desk: OpenDesk) -> None:
    there = desk(Model(judge=judged()))
    async with opened(there.folder, there.environ, (80, 24), notifications=True) as studio:
        studio.app.NOTIFICATION_TIMEOUT = 600
        await studio.to_review()
        choices = tuple(Choice(f"c{n}", f"Choice {n}", "What follows.", False) for n in range(5))
        facts = tuple(f"Fact {n}" for n in range(9))
        studio.app.push_screen(
            DecisionScreen(Card("x", "gate", "A question", "It came.", facts, choices))
        )
        await studio.sees(DecisionScreen, "A question")
        words = studio.screen
        studio.app.say("A person, perhaps broken: " + "words of some length that go on " * 3)
        await studio.until(lambda: "perhaps broken" in studio.screen, "the message")
        for row in words.splitlines():
            if "│" in row:
                assert row in studio.screen

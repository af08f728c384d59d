"""What a card and the foot of a screen promise: the keys that do something there, the answer that
is marked, and the word for what a key does."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio import i18n
from studio.story.ledger import Estimate
from studio.tui.actions import BY_ID
from studio.tui.screens.ask import Choose, Confirm, NotThis
from studio.tui.views.situation import Situation
from tests.pipeline.flows import Model, directive, judged, unrefined
from tests.tui.conftest import OpenDesk
from tests.tui.gallery import novel
from tests.tui.pilot import opened


async def test_behind_a_card_no_keys_are_named_that_do_nothing_there(
    tmp_path: Path, desk: OpenDesk
) -> None:
    folder = novel(tmp_path / "book", "ko").layout.folder
    async with opened(folder, desk().environ, (80, 24)) as studio:
        assert "Ctrl+Q Quit" in studio.screen
        studio.app.push_screen(Confirm("Chapter 3 into the book?", "A bell rang."))
        await studio.sees(Confirm, "y yes")
        assert "Ctrl+Q Quit" not in studio.screen
        assert "Your review" in studio.screen, "the stage bar is no key"
        await studio.press("n")
        await studio.until(lambda: "Ctrl+Q Quit" in studio.screen, "the desk's own keys again")


@pytest.mark.parametrize("kind", [NotThis, Choose])
async def test_the_answer_that_is_marked_has_a_sign(
    tmp_path: Path, desk: OpenDesk, kind: type[NotThis | Choose]
) -> None:
    folder = novel(tmp_path / "book", "ko").layout.folder
    cards = {
        NotThis: (NotThis("", "here"), "Here from now on", "This one thing"),
        Choose: (Choose("?", [("a", "Aye"), ("n", "Nay")], marked="a"), "Aye", "Nay"),
    }
    card, marked, following = cards[kind]
    async with opened(folder, desk().environ, (80, 24)) as studio:
        studio.app.push_screen(card)
        await studio.sees(kind)
        await studio.until(lambda: f"› {marked}" in studio.screen, "the sign")
        assert studio.screen.count("› ") == 2, "the other one is in the head of the desk"
        await studio.press("down")
        await studio.until(lambda: f"› {following}" in studio.screen, "the sign one further")
        assert f"› {marked}" not in studio.screen


@pytest.mark.parametrize("action", ["versions.close", "rebuild.close", "proposal.close"])
def test_the_key_that_stops_is_called_so_while_there_is_something_to_stop(action: str) -> None:
    titled = BY_ID[action].hinted_as
    assert (titled(Situation(running=True)), titled(Situation())) == ("Stop", "")


def test_a_price_names_the_unit_of_both_amounts() -> None:
    assert str(Estimate(0.01, 0.26).words) == "about a cent (at most 26 cents)"
    assert str(Estimate(0.04, 0.68).words) == "about 4 cents (at most 68)"
    i18n.use("ko")
    assert i18n.translate(Estimate(0.01, 0.26).words) == "약 $0.01(최대 $0.26)"


async def test_a_chapter_with_nothing_open_goes_into_the_book_with_a_word(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined, judge=judged(directives=[])))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.home()
        await studio.commit()
        assert "Chapter 1 goes into the book: nothing is open." in studio.told
    assert (there.folder / "chapters/chapter-001.md").exists()


async def test_after_a_restart_the_row_that_waits_is_marked(desk: OpenDesk) -> None:
    there = desk(
        Model(refine=unrefined, judge=judged(directives=[directive(1, 1), directive(1, 3)]))
    )
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        first, second = (change.id for change in studio.directives.changes)
        await studio.reject(first)
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        change = studio.directives.change
        assert change is not None
        assert change.id == second

"""What a card says is read before it is answered: where the window has no room for all of it, a
line says so, and a key leads on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widgets import Static

from studio import i18n
from studio.story.checkpoint import Decision
from studio.tui.screens.ask import Ask, AskText, Choose, Confirm, NotThis
from studio.tui.screens.decision import DecisionScreen
from studio.tui.views.review.decision_card import card_of
from studio.tui.widgets.words_to_read import WordsToRead
from tests.tui.conftest import OpenDesk
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened

LAST = "마지막 말이다."
REASON = "마라는 등대의 종이 울린 뒤에야 편지를 읽었다. " * 30 + LAST
GATE = Decision(
    id="gate-003",
    kind="gate",
    recommendation="mend",
    options=("mend", "revise", "pass", "edit"),
    rationale="정해 둔 것을 어깁니다: 회차의 계획. " + REASON,
    data={
        "options": {
            "mend": "퇴고자가 그 문장만 그 자리에서 고치고, 회차를 다시 읽습니다.",
            "revise": "이 지적에 따라 회차를 다시 씁니다. 지금 글은 따로 남습니다.",
            "pass": "그대로 검토로 갑니다. 지적은 목록에 남아 있습니다.",
            "edit": "글을 직접 고친 뒤에 이어 갑니다.",
        }
    },
)
MORE = re.compile(r"↓ (\d+)줄 더 있음: (PageDown|Down)")


@pytest.fixture(autouse=True)
def korean() -> None:
    """The app speaks Korean."""
    i18n.use("ko")


async def reads_to_the_end(studio: StudioPilot) -> None:
    """Follows the line to the last word, as a writer would."""
    assert LAST not in studio.screen, "there is more than the window holds"
    while (more := MORE.search(studio.screen)) and LAST not in studio.screen:
        assert more[2] == "PageDown"
        before = studio.screen
        await studio.press("pagedown")
        await studio.until(lambda before=before: studio.screen != before, "the next rows")
    assert LAST in studio.screen


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind is Confirm else pytest.mark.sweep)
        for kind in (Confirm, Ask, AskText, Choose, NotThis)
    ],
)
async def test_a_card_says_how_much_there_is_below(
    tmp_path: Path, desk: OpenDesk, kind: type[Screen[object]]
) -> None:
    folder = novel(tmp_path / "book", "ko").layout.folder
    cards = {
        Confirm: lambda: Confirm("3화를 책에 넣을까요?", REASON),
        Ask: lambda: Ask("그래서?", REASON),
        AskText: lambda: AskText("직접 쓰기", REASON),
        Choose: lambda: Choose("그래서?", [(str(n), f"답 {n}") for n in range(5)], REASON),
        NotThis: lambda: NotThis(REASON),
    }
    async with opened(folder, desk().environ, (80, 24)) as studio:
        studio.app.push_screen(cards[kind]())
        await studio.sees(kind)
        await studio.until(lambda: MORE.search(studio.screen), "the line that says so")
        await reads_to_the_end(studio)


async def test_the_reason_of_an_answer_that_costs_is_read_on_its_card(
    tmp_path: Path, desk: OpenDesk
) -> None:
    folder = novel(tmp_path / "book", "ko").layout.folder
    async with opened(folder, desk().environ, (80, 24)) as studio:
        studio.app.push_screen(DecisionScreen(card_of(GATE)))
        await studio.sees(DecisionScreen)
        await studio.until(lambda: len(MORE.findall(studio.screen)) == 2, "a line below each part")
        await reads_to_the_end(studio)
        assert re.search(r"↑ \d+줄 위에 있음: PageUp", studio.screen)
        await studio.press(*["pageup"] * 9)
        await studio.press("j", "j", "j")
        await studio.until(lambda: "직접 고친 뒤에" in studio.screen, "the last answer")
        assert LAST not in studio.screen
        await studio.press(*["down"] * 30)
        await studio.until(lambda: LAST in studio.screen, "Down behind the last answer reads on")


async def test_a_card_that_is_in_sight_as_a_whole_has_no_such_line(
    tmp_path: Path, desk: OpenDesk
) -> None:
    folder = novel(tmp_path / "book", "ko").layout.folder
    async with opened(folder, desk().environ, (80, 24)) as studio:
        studio.app.push_screen(Confirm("3화를 책에 넣을까요?", LAST))
        await studio.sees(Confirm, LAST)
        assert not re.search("줄 (더|위에) 있음", studio.screen)


async def test_words_that_come_to_more_rows_later_are_counted_too(
    tmp_path: Path, desk: OpenDesk
) -> None:
    """Met: a card at 120x36 had a scrollbar, a blank line under it, and its last words out of
    sight."""
    folder = novel(tmp_path / "book", "ko").layout.folder
    async with opened(folder, desk().environ, (80, 24)) as studio:
        studio.app.push_screen(Confirm("3화를 책에 넣을까요?", "짧다."))
        await studio.sees(Confirm, "짧다.")
        studio.app.screen.query_one(WordsToRead).query("_Rows > Static").first(Static).update(
            REASON
        )
        await studio.until(lambda: MORE.search(studio.screen), "the line that says so")
        await reads_to_the_end(studio)

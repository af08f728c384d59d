"""The foot of a screen and the notice at its head: what they name, and what has no room."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from studio import i18n
from studio.tui.actions import BY_ID, of
from studio.tui.views.words import Line, Phrase
from studio.tui.widgets.action_line import ActionLine, Hint


class Foot(App[None]):
    """A screen of one line."""

    def compose(self) -> ComposeResult:
        """The line."""
        yield ActionLine()


async def drawn(words: Line, *actions: str, width: int = 80) -> str:
    """What a line shows in a window of a width."""
    app = Foot()
    async with app.run_test(size=(width, 3)) as pilot:
        line = app.query_one(ActionLine)
        line.show(words, [Hint(BY_ID[action]) for action in actions])
        await pilot.pause()
        return line.render().plain


EVERYWHERE = tuple(action.id for action in of("global") if action.hint)
BIBLE = ("memory.next_tab", "memory.read", "memory.names", "memory.retire", "memory.later")


# req: U2
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("width", [60, 80])
async def test_the_way_back_has_room_whatever_else_a_page_can_do(width: int, language: str) -> None:
    i18n.use(language)
    line = await drawn((), *BIBLE, "memory.close", *EVERYWHERE, width=width)
    assert line.index("Tab ") < line.index("Esc ") < line.index("F1 ")
    assert "Ctrl+Q" not in line


async def test_where_there_is_next_to_no_room_the_way_back_is_what_stays() -> None:
    assert (await drawn((), *BIBLE, "memory.close", *EVERYWHERE, width=14)).strip() == "Esc Back"
    assert (await drawn((), "desk.write", *EVERYWHERE, width=10)).strip() == "F1 Help"


async def test_a_sentence_stays_whole_where_the_last_hint_can_go() -> None:
    offers = ("desk.write", "app.settings", "desk.discard")
    sentence = (Phrase("Chapter 1: The service does not accept the API key."),)
    line = await drawn(sentence, *offers)
    assert line.startswith(sentence[0].text)
    assert line.endswith("[F2] Settings")
    longer = await drawn((Phrase("Chapter 1: The service says " + "no, " * 20),), *offers)
    assert longer.index("…") >= 50
    assert longer.endswith("[F2] Settings")


async def test_a_sentence_without_room_ends_behind_a_whole_word() -> None:
    """Met: the line above the panes broke off in the middle of a word."""
    words = "Chapter 1: nobody answers at the address that the settings of this novel name now."
    for width in range(60, 80):
        head = (await drawn((Phrase(words),), "app.settings", width=width)).split("…")[0]
        assert words.startswith(head)
        assert words[len(head)] == " ", head
    chinese = (
        "第1章：这部小说的设置里写的那个地址现在没有人应答请再看一遍设置里的地址是否写对了没有"
    )
    assert (await drawn((Phrase(chinese),), "app.settings", width=60)).index("…") > 15


async def test_a_key_beside_a_sentence_is_no_number() -> None:
    sentence = (Phrase("Chapter 3: 2 directives wait for you."),)
    line = await drawn(sentence, "desk.directives", "desk.commit")
    assert line == f"{sentence[0].text}  [3] Directives  [C] Into the book"

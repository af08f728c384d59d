"""What stands between opening the studio and the first streamed word, for somebody who skips the
guided way: keys and calls, counted on a real pseudo-terminal (WRITING 7)."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from studio.project.store import ProjectStore
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Model
from tests.tui.terminals import Terminal

pytestmark = pytest.mark.pty
MOST_KEYS, MOST_CALLS = 15, 2


class Words(NamedTuple):
    """What a writer types, and how her story begins."""

    title: str
    sentence: str
    first: str


WORDS = {
    "en": Words("Salt Tally", "Ness weighs the salt twice.", "The scale came down on the left."),
    "ko": Words("소금 장부", "순이가 소금을 두 번 단다.", "저울이 왼쪽으로 기울었다."),
    "zh": Words("盐账", "阿盐把盐称了两遍。", "秤杆往左边沉了下去。"),
}


class Fingers:
    """Types at a terminal and counts: a key that is pressed counts as one, words of hers do not."""

    def __init__(self, there: Terminal) -> None:
        self.there = there
        self.keys = 0

    def press(self, key: str) -> None:
        self.there.types(key)
        self.keys += 1

    def write(self, words: str) -> None:
        self.there.types(words)
        self.there.sees(words)


@pytest.fixture
def calls() -> list[int]:
    """The number of calls up to the first draft, once it is asked for."""
    return []


@pytest.fixture
def server(language: str, calls: list[int]) -> Iterator[FakeMessages]:
    def draft(asked: Asked) -> Rule:
        calls.append(asked.index + 1)
        return Rule(text="\n\n".join([WORDS[language].first] * 12))

    with FakeMessages(answering=Model(draft=draft)) as fake:
        yield fake


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=str)
@pytest.mark.parametrize("language", WORDS)
def test_the_first_word_comes_after_few_keys_and_calls(
    tmp_path: Path,
    server: FakeMessages,
    calls: list[int],
    language: str,
    size: tuple[int, int],
) -> None:  # req: E2 J7
    words, home = WORDS[language], tmp_path / "home"
    home.mkdir()
    environ = {
        "HOME": str(home),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "key-of-the-writer",
    }
    there = Terminal(["-m", "studio"], environ, cwd=home, size=size)
    hand = Fingers(there)
    try:
        there.sees("Begin a book")
        hand.press("n")
        there.sees("What is its title?")
        hand.write(words.title)
        hand.press("\r")
        there.sees("Its language")
        for _ in range(["en", "ko", "zh"].index(language)):
            hand.press("j")
        hand.press("\r")
        there.sees("Its form")
        hand.press("\r")
        there.sees("A new or empty folder")
        hand.press("\r")
        there.sees("Outline")
        hand.press("w")
        there.sees("One sentence is enough")
        hand.write(words.sentence)
        hand.press("\x13")
        there.sees("is planned", gone="One sentence is enough")
        hand.press("w")
        there.sees(words.first)
        assert hand.keys <= MOST_KEYS, hand.keys
        assert calls[0] <= MOST_CALLS, [asked.body for asked in server.asked]
        (novel,) = (path.parent for path in home.glob("*/studio.toml"))
        assert ProjectStore(novel).checkpoint().inflight_chapter == 1
        print(f"{language}: {hand.keys} keys, {calls[0]} calls")
    finally:
        there.child.kill(signal.SIGKILL)
        there.ends()

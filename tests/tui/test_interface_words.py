"""Every word of every screen comes out of the catalogue.

The catalogue of this test puts each sentence into ⟦ ⟧ and its letters into circles, so that what
it never saw stands in plain letters; the novel is in Chinese, so that its own text does not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from studio import i18n
from tests.tui.environs import MACHINE
from tests.tui.pilot import StudioPilot, opened
from tests.tui.showing import WALKS, Sitting, ready
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import manuscript

CIRCLES = {ord("A") + i: 0x24B6 + i for i in range(26)} | {
    ord("a") + i: 0x24D0 + i for i in range(26)
}
LETTERS = {circled: letter for letter, circled in CIRCLES.items()}
_FILLED = re.compile(r"(\{[^}]*\})")
NO_WORDS = re.compile(
    r"""
      \b(?:Ctrl|Shift|Alt)(?:\+\w+)?\b | \b(?:Esc|Enter|Tab|Home|End|Del|Space|PageUp|PageDown)\b
    | \b(?:Up|Down|Left|Right)\b                # keys
    | [\w~.-]*/[\w./…-]* | [\w.-]+\.(?:toml|json|md|txt|gguf|book)\b    # files
    | \bhttps?://\S+ | \bclaude-[\w.-]* | \$EDITOR | \[[a-z.]+\]
    | \bstudio\b | `[^`]*` | \bUTF-8\b | \b[Gg][Bb]18030\b
    """,
    re.VERBOSE,
)
"""Names of keys, files, models and encodings are the same in every language."""

OF_FILES = {
    "launcher": "The Returns Book",
    "new-novel-title": "Th http",  # the novel's title, partly behind the card
    "new-novel-language": "English Th http",
    "new-novel-folder": "Th http",
    "new-novel-form": "The Returns Book Th http",
    "volume-plan": "mended",
    "import-place": "writing Th http cla",  # the model's name too
    "import-files": "writing",
    "settings": "literary fantasy third limited targets scene length",
    "setting-home": "literary fantasy third limited targets scene length",
    "setting-value": "literary fantasy third limited targets scene length ninety",
    "history-files": "characters chapters",
    "find": "Chapter",
    "replacement": "Chapter",
    "state": "flood ledger lodging mark shop slip",
    "memory": "flood lodging mark",
    "desk-context": "quiet room",
    "desk-plan": "east end",
    "note-list": "east end",
    "desk-direction": "east end",
    "evaluation": "overall",  # a reason in a file from before messages were kept
}
"""Values, ids and paths of the novel's own files, and what the engine composes of pieces, by the
screen that shows them."""


class Bracketed:
    """A catalogue in which every sentence is marked."""

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """The sentence in brackets; what will be filled in stays as it is."""
        pieces = _FILLED.split(one if number == 1 else many)
        return "⟦" + "".join(p if p[:1] == "{" else p.translate(CIRCLES) for p in pieces) + "⟧"


class ReadingPilot(StudioPilot):
    """Reads the marked sentences as what they say."""

    @property
    def screen(self) -> str:
        """What is on the screen, in plain letters and without brackets."""
        return re.sub("[⟦⟧]", "", self.drawn).translate(LETTERS)

    @property
    def drawn(self) -> str:
        """What is on the screen."""
        return super().screen


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Mapping[str, str]:
    """The interface in the marked catalogue, on a machine of its own."""
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    monkeypatch.setattr(TextArea.cursor_blink, "_default", False)
    monkeypatch.setattr("tests.tui.pilot.StudioPilot", ReadingPilot)
    monkeypatch.setattr("studio.tui.screens.launcher.path_of", Path)
    monkeypatch.chdir(tmp_path)
    i18n.use("ko", Bracketed())
    return {**os.environ, **MACHINE}


# req: H6
@pytest.mark.sampled
@pytest.mark.parametrize("sitting", WALKS)
async def test_no_word_stands_outside_of_the_catalogue(
    sitting: Sitting, marked: Mapping[str, str], tmp_path: Path
) -> None:
    manuscript(Path("writing"), "zh")
    folder = sitting.novel("zh", tmp_path / "novel") if sitting.novel else None
    outside: dict[str, list[str]] = {}
    async with opened(folder, marked) as studio:
        assert isinstance(studio, ReadingPilot)
        await ready(studio)
        await studio.pilot.resize_terminal(120, 36)
        for act in sitting.acts:
            for row in act:
                if row.name == "palette-search":
                    continue  # finds by English words
                if not row.goes_on:
                    await studio.home()
                await row.bring(studio, THIRD["zh"])
                await studio.pilot.wait_for_animation()
                drawn = NO_WORDS.sub(" ", studio.drawn)
                for words in re.findall("[A-Za-z]{2,}", drawn):
                    if words not in OF_FILES.get(row.name, "").split():
                        outside.setdefault(words, []).append(row.name)
            await studio.home()
    assert not outside, "\n".join(f"{words}: {sorted({*rows})}" for words, rows in outside.items())

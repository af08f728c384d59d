"""Steps of a writer who imports a manuscript from the launcher."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import OptionList

from studio.tui.screens.ask import AskPath
from studio.tui.screens.importing import ImportScreen
from tests.tui.pilot import StudioPilot

KOREAN = (
    "제1장 썰물\n\n마라는 기름통을 하나씩 들어 창턱에 올려놓았다.\n\n* * *\n\n비가 그쳤다.\n\n"
    "제2장 램프실\n\n방이 아까보다 추웠다.\n\n그는 계단에서 말했다.\n\n그녀를 보지 않았다.\n\n"
    "제3장 늦은 공연\n\n열여덟 개의 램프가 있었다.\n"
)
"""A manuscript of three chapters."""


def text_file(folder: Path, text: str = KOREAN, encoding: str = "utf-8") -> Path:
    """Writes a manuscript to a file."""
    file = folder / "manuscript.txt"
    file.write_bytes(text.encode(encoding))
    return file


async def preview(studio: StudioPilot, place: Path) -> ImportScreen:
    """Goes from the launcher to the preview of the chapters."""
    await studio.press("i")
    await studio.until(lambda: isinstance(studio.app.screen, AskPath), "the field")
    await studio.type(str(place))
    await studio.press("enter")
    await studio.until(lambda: studio.app.screen.state, "the plan")
    screen = studio.app.screen
    assert isinstance(screen, ImportScreen)
    await studio.until(lambda: screen.query_one(OptionList).option_count, "the rows")
    return screen


def titles(screen: ImportScreen) -> list[str]:
    """Returns the titles of the chapters to import."""
    assert screen.state is not None
    return [c.title for c in screen.state.plan.chapters_to_import]


async def answer(studio: StudioPilot, kind: type, words: str | int | None = None) -> None:
    """Answers a question of the import: a string for a field, an index for a list, None for the
    default."""
    await studio.until(lambda: type(studio.app.screen) is kind, kind.__name__)
    if isinstance(words, str):
        await studio.type(words)
    elif words is not None:
        studio.app.screen.query_one(OptionList).highlighted = words
    asked = studio.app.screen
    await studio.press("enter")
    await studio.until(lambda: studio.app.screen is not asked, "the next question")

"""A click on a row of a list does what the keys do that go there and take it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual.widget import Widget
from textual.widgets import OptionList

from studio.tui.screens.decision import ChoiceRow, DecisionScreen
from studio.tui.screens.importing import ImportFilesScreen
from studio.tui.widgets.directives_pane import DirectiveRows
from studio.tui.widgets.outline_list import OutlineList
from tests.tui import ways
from tests.tui.environs import no_server
from tests.tui.pilot import StudioPilot, opened
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import CUT, Novel, at_rest, in_review
from tests.tui.ways import Bring


class Clicked(NamedTuple):
    """A list, how one gets there, and the keys that go to its row and take it."""

    name: str
    novel: Novel | None
    bring: tuple[Bring, ...]
    rows: str
    row: int
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


async def at_the_end(studio: StudioPilot, third: Any) -> None:
    """On the outline's last row: a click on the row that is marked already takes it."""
    await studio.press("1", "end")


FILES = (
    ways.import_place,
    ways.import_page,
    ways.importing("import.files", ImportFilesScreen),
)
LISTS = (
    Clicked("recent", None, (ways.first_time,), "#recent", 1, ("down", "enter")),
    Clicked("chapters", None, FILES[:2], "#import-rows", 1, ("home", "down", "enter")),
    Clicked("files", None, FILES, "#files-rows", 0, ("home", "enter")),
    Clicked("outline", at_rest, (ways.desk, at_the_end), "#outline", 1, ("home", "j")),
    Clicked("settings", at_rest, (ways.settings,), "#settings-rows", 3, ()),
    Clicked("history", at_rest, (ways.history,), "#history-list", 0, ("home",)),
    Clicked(
        "choices", at_rest, (ways.history, ways.history_files), "OptionList", 2,
        ("home", "down", "down", "enter"),
    ),
    Clicked("directives", in_review, (ways.on(CUT),), "DirectiveRows", 0, ("k", "k", "k")),
    Clicked("variations", in_review, (ways.tab("variations", "09:30"),), "#variations", 0,
            ("home", "enter")),
    Clicked("decisions", in_review, (ways.gate,), "#choices", 2, ("j", "j", "enter")),
)  # fmt: skip


def standing(studio: StudioPilot, rows: Widget) -> tuple[Any, ...]:
    """Which screen is there, which row has the cursor, which widget the keys."""
    seen: dict[type[Widget], Callable[[Any], Any]] = {
        OptionList: lambda w: w.highlighted,
        OutlineList: lambda w: w.cursor,
        DirectiveRows: lambda w: w.cursor,
    }
    at = next((look(rows) for kind, look in seen.items() if isinstance(rows, kind)), None)
    focused = studio.app.focused
    screen = studio.app.screen
    return (type(screen).__name__, at, focused.id if focused is not None else None)


async def there(studio: StudioPilot, one: Clicked) -> Widget:
    """On the list, from wherever one is."""
    await studio.home()
    for bring in one.bring:
        await bring(studio, THIRD["en"])
    await studio.pilot.pause()
    return studio.app.screen.query(one.rows).first()


async def take(studio: StudioPilot, one: Clicked, rows: Widget) -> None:
    """By a click on the row."""
    if one.name == "decisions":
        await studio.pilot.click(list(studio.app.screen.query(ChoiceRow))[one.row])
        return
    inset = rows.content_region.offset - rows.region.offset
    top = int(rows.scroll_offset.y)
    await studio.pilot.click(rows, offset=(inset.x + 4, inset.y + one.row - top))


@pytest.mark.sweep
@pytest.mark.sampled(9)
@pytest.mark.parametrize("one", LISTS, ids=str)
async def test_a_click_on_a_row_does_what_the_keys_do(
    one: Clicked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: U3
    monkeypatch.chdir(tmp_path)
    (tmp_path / "writing").mkdir()
    chapters = "# One\n\nRain fell.\n\n# Two\n\nIt fell on.\n\n# Three\n\nIt stopped.\n"
    (tmp_path / "writing/manuscript.txt").write_text(chapters)
    folder = one.novel("en", tmp_path / "novel") if one.novel else None
    async with opened(folder, no_server(), (120, 36)) as studio:
        rows = await there(studio, one)
        keys = one.keys or await keys_to(rows, one.row)
        answers: list[object] = []
        listen(studio, answers)
        await studio.press(*keys)
        await studio.pilot.pause()
        by_keys = standing(studio, rows)
        rows = await there(studio, one)
        listen(studio, answers)
        await take(studio, one, rows)
        await studio.until(lambda: standing(studio, rows) == by_keys, f"{by_keys}")
        assert len(set(answers)) <= 1


def listen(studio: StudioPilot, answers: list[object]) -> None:
    """Keeps what a question is answered with."""
    screen = studio.app.screen
    if isinstance(screen, DecisionScreen):
        dismiss = screen.dismiss

        def kept(result: Any = None) -> Any:
            answers.append(result)
            return dismiss(result)

        screen.dismiss = kept  # type: ignore[method-assign]


async def keys_to(rows: Widget, row: int) -> tuple[str, ...]:
    """Down from the first row that has a cursor, headings left out."""
    assert isinstance(rows, OptionList)
    steps = [y for y in range(row + 1) if not rows.get_option_at_index(y).disabled]
    return ("home", *["down"] * (len(steps) - 1), "enter")

"""Pictures of every screen at two sizes, four of them at a third, with novels in three languages.

`pytest tests/tui/test_every_screen.py --snapshot-update` takes them anew.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.screen import Screen
from textual.widgets import Input, TextArea

from studio.i18n import Language
from studio.tui import screens
from studio.tui.app import StudioApp
from studio.tui.desk.panes import TABS
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.work_in_progress import WorkInProgress
from studio.tui.widgets.diff_view import DiffView
from studio.tui.widgets.prose_view import ProseView
from tests.sweeps import swept
from tests.tui.drawn import SmallPicture
from tests.tui.environs import HOME, MACHINE
from tests.tui.pilot import StudioPilot, opened
from tests.tui.showing import (
    EVERY,
    NUMBER,
    SITTINGS,
    TABLE,
    UP_TO_WIDEST,
    Showing,
    Sitting,
    Window,
    ready,
)
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import LANGUAGES, manuscript

WALKS = [
    (swept if (row + column) % 3 or sitting.name == "rest" else pytest.param)(
        sitting, language, id=f"{sitting}-{language}"
    )
    for row, sitting in enumerate(SITTINGS)
    for column, language in enumerate(LANGUAGES)
]
"""Every sitting in one language, but the longest; that one and the others in the sweep."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A writer's machine whose places have the same names in every picture."""
    config = HOME / ".config/studio/config.toml"
    monkeypatch.setattr("studio.tui.screens.settings.user_config_path", lambda _: config)
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    monkeypatch.setattr(TextArea.cursor_blink, "_default", False)
    monkeypatch.setenv("HOME", str(HOME))
    monkeypatch.setattr("studio.tui.screens.launcher.path_of", Path)
    monkeypatch.chdir(tmp_path)
    return {**os.environ, **MACHINE}


# req: U2
@pytest.mark.sweep
@pytest.mark.every_row
@pytest.mark.long
@pytest.mark.timeout(400)
@pytest.mark.snapshot
@pytest.mark.parametrize(("sitting", "language"), WALKS)
async def test_the_pictures(
    sitting: Sitting,
    language: Language,
    tmp_path: Path,
    machine: dict[str, str],
    snapshot: SnapshotAssertion,
) -> None:
    manuscript(Path("writing"), language)
    folder = sitting.novel(language, tmp_path / "novel") if sitting.novel else None
    stored = snapshot.use_extension(SmallPicture)
    other = []
    async with opened(folder, machine) as studio:
        await ready(studio)
        for act in sitting.shots(language):
            for window, rows in act:
                await dress(studio, window)
                for row in rows:
                    name = f"{row.name}-{window}"
                    if not row.goes_on:
                        await studio.home()
                    picture = await taken(studio, row, language)
                    if stored(name=name) != picture:
                        other.append(f"{name}:\n{studio.screen}")
                await studio.home()
    assert not other, f"{len(other)} pictures are not as they were:\n" + "\n\n".join(other)


async def dress(studio: StudioPilot, window: Window) -> None:
    """Another size, another theme."""
    studio.app.theme = f"studio-{window.theme}"
    await studio.pilot.resize_terminal(window.columns, window.rows)
    await studio.pilot.pause()


async def taken(studio: StudioPilot, row: Showing, language: Language) -> str:
    """The picture of a screen."""
    await row.bring(studio, THIRD[language])
    assert type(studio.app.screen) is row.kind
    await studio.pilot.wait_for_animation()
    before = ""
    while studio.screen != before or any(view.busy for view in views(studio.app)):
        before = studio.screen
        await studio.pilot.pause(0.02)
    studio.app.screen.refresh()  # what was read as text had no screen below it
    return studio.app.export_screenshot(title="studio")


def views(app: StudioApp) -> list[Any]:
    """What may still be at work on its lines."""
    return [*app.screen.query(ProseView), *app.screen.query(DiffView)]


# The table


def test_every_screen_is_in_the_table() -> None:
    classes: set[type] = set()
    for module in pkgutil.iter_modules(screens.__path__, f"{screens.__name__}."):
        there = vars(importlib.import_module(module.name)).values()
        classes |= {c for c in there if isinstance(c, type) and issubclass(c, Screen)}
    parts = {*DeskScreen.__mro__} - {DeskScreen}
    wanted = {
        c
        for c in classes - parts
        if c.__module__.startswith(screens.__name__) and not c.__name__.startswith("_")
    }
    wanted -= {c for c in wanted if c.__subclasses__() and "WHERE" not in vars(c)}  # shown as those
    passing = {WorkInProgress}  # over in a moment: test_finding reads what it says
    assert wanted - passing - {row.kind for row in TABLE} == set()


def test_every_tab_is_in_the_table() -> None:
    assert {f"desk-{tab}" for tab in TABS if tab != "draft"} <= set(NUMBER)


def test_names_are_given_once() -> None:
    assert len(NUMBER) == len(TABLE)


def test_four_screens_are_shown_at_the_largest_size() -> None:
    assert sum(row.windows is UP_TO_WIDEST for row in TABLE) == 4


@pytest.mark.parametrize(
    "row", [r for r in TABLE if r.windows in (EVERY, UP_TO_WIDEST)], ids=lambda r: r.name
)
def test_a_screen_is_shown_in_every_language_at_every_size_and_in_both_themes(
    row: Showing,
) -> None:
    shots = [(x, w) for w in row.windows for x in row.languages(NUMBER[row.name], w)]
    assert {x for x, _ in shots} == set(LANGUAGES)
    assert {w for _, w in shots} == set(row.windows)
    if row.everywhere:
        sizes = {w.columns for w in row.windows}
        assert len({(x, w.columns) for x, w in shots}) == len(LANGUAGES) * len(sizes)

"""Pictures of the screens, with novels in three languages, at both sizes, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from studio import remembered
from studio.remembered import Memory
from studio.tui.app import StudioApp
from studio.tui.screens.desk import DeskScreen
from studio.tui.widgets.diff_view import DiffView
from tests.tui.gallery import in_review, novel, with_material
from tests.tui.pilot import StudioPilot

pytestmark = pytest.mark.snapshot
Snap = Callable[..., bool]
SIZES = [(80, 24), (120, 36)]
WIDE = (200, 60)
LANGUAGES = ["en", "ko", "zh"]


def environ(folder: Path, theme: str = "night") -> dict[str, str]:
    """A machine of its own, with an endpoint that is named and never asked."""
    home = folder / "home"
    config = home / "config" / "studio"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'theme = "{theme}"\n')
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    }


def pressing(*keys: str) -> Callable[[Pilot[Any]], Any]:
    """Waits for the desk, then presses keys."""

    async def before(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, StudioApp)
        driver = StudioPilot(app, pilot)
        await driver.until(lambda: len(app.screen_stack) > 1, "the first screen")
        if any(isinstance(screen, DeskScreen) for screen in app.screen_stack):
            await driver.settled()
        await driver.press(*keys)
        await pilot.wait_for_animation()

    return before


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk(tmp_path: Path, snap_compare: Snap, language: str, size: Any) -> None:
    store = novel(tmp_path / "novel", language)
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=size, run_before=pressing("2"))


@pytest.mark.parametrize("theme", ["paper", "contrast", "terminal"])
def test_the_desk_in_other_colours(tmp_path: Path, snap_compare: Snap, theme: str) -> None:
    store = in_review(tmp_path / "novel", "en")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path, theme))
    assert snap_compare(app, terminal_size=(120, 36), run_before=pressing("3"))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_directives(tmp_path: Path, snap_compare: Snap, language: str, size: Any) -> None:
    store = in_review(tmp_path / "novel", language)
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=size, run_before=pressing("3"))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_fix_with_its_measures(tmp_path: Path, snap_compare: Snap, size: Any) -> None:
    store = in_review(tmp_path / "novel", "en")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=size, run_before=pressing("3", "j", "j"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk_on_a_wide_screen(tmp_path: Path, snap_compare: Snap, language: str) -> None:
    store = novel(tmp_path / "novel", language)
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=WIDE, run_before=pressing())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_on_a_wide_screen(tmp_path: Path, snap_compare: Snap, language: str) -> None:
    store = in_review(tmp_path / "novel", language)
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=WIDE, run_before=pressing("3"))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("tab", "turns"), [("context", 3), ("variations", 4)])
def test_the_tabs_behind_the_text(
    tmp_path: Path, snap_compare: Snap, tab: str, turns: int, size: Any
) -> None:
    store = with_material(tmp_path / "novel", "ko")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))

    async def turned(pilot: Pilot[Any]) -> None:
        await pressing("2", *["right_square_bracket"] * turns)(pilot)
        driver = StudioPilot(app, pilot)
        shown = "claude-opus-5-5 (deep)" if tab == "context" else "before the redraft"
        await driver.until(lambda: driver.desk.tab == tab and shown in driver.screen, tab)

    assert snap_compare(app, terminal_size=size, run_before=turned)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_kept_text_beside_the_present_one(tmp_path: Path, snap_compare: Snap, size: Any) -> None:
    store = with_material(tmp_path / "novel", "en")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))

    async def compared(pilot: Pilot[Any]) -> None:
        await pressing("2", *["right_square_bracket"] * 4)(pilot)
        driver = StudioPilot(app, pilot)
        await driver.until(lambda: "09:30" in driver.screen, "the kept texts")
        await driver.press("c")
        view = app.screen.query_one(DiffView)
        await driver.until(lambda: not view.busy and "Mara" in driver.screen, "the comparison")

    assert snap_compare(app, terminal_size=size, run_before=compared)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_decision(tmp_path: Path, snap_compare: Snap, size: Any) -> None:
    store = in_review(tmp_path / "novel", "en")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path, "paper"))
    assert snap_compare(app, terminal_size=size, run_before=pressing("d"))


def test_help(tmp_path: Path, snap_compare: Snap) -> None:
    store = novel(tmp_path / "novel", "en")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=(120, 36), run_before=pressing("f1"))


@pytest.mark.parametrize("size", [(80, 24), (58, 20), (70, 20)], ids=str)
def test_small_windows(tmp_path: Path, snap_compare: Snap, size: Any) -> None:
    store = novel(tmp_path / "novel", "ko")
    app = StudioApp(store.layout.folder, {}, environ(tmp_path))
    assert snap_compare(app, terminal_size=size, run_before=pressing())


@pytest.mark.parametrize("known", [False, True])
def test_the_launcher(tmp_path: Path, snap_compare: Snap, known: bool) -> None:
    where = environ(tmp_path)
    memory = Memory()
    if known:
        for language in LANGUAGES:
            memory = memory.opened(Path(f"/novels/{language}"), f"A novel in {language}", language)
    remembered.keep(where, memory)

    async def named(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, StudioApp)
        await StudioPilot(app, pilot).until(
            lambda: "claude" in StudioPilot(app, pilot).screen, "the model"
        )

    app = StudioApp(None, {}, where)
    assert snap_compare(app, terminal_size=(80, 24), run_before=named)

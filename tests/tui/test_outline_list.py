"""The outline in an app: cursor, folding, finding, mouse, foreign titles."""

from __future__ import annotations

from textual.app import App, ComposeResult

from studio.tui.views.outline.rows import ChapterItem, RowPlace, SceneItem, VolumeItem
from studio.tui.widgets.outline_list import Highlighted, OutlineList, Selected
from tests.tui.painted import strips_of

SCENES = (SceneItem(1, "부두", "committed", 700), SceneItem(2, "램프실", "planned"))
NOVEL = (
    VolumeItem(
        1,
        "안개",
        (
            ChapterItem(1, "등대지기", "committed", 12_345, 4.25, scenes=SCENES),
            ChapterItem(2, "The Lamp Room", "waiting", 900, stale=True),
        ),
    ),
    VolumeItem(2, "바다", (ChapterItem(3, "[@click=app.quit]나가기[/b]\x1b[2J", "planned"),)),
)
MANY = (
    VolumeItem(1, "안개", tuple(ChapterItem(n, f"제{n}장 안개") for n in range(1, 10_001))),
    VolumeItem(2, "바다", (ChapterItem(10_001, "끝"),)),
)


class Desk(App[None]):
    """An outline and nothing else."""

    CSS = "OutlineList { height: 1fr; }"

    def __init__(self, volumes: tuple[VolumeItem, ...]) -> None:
        super().__init__()
        self.volumes = volumes
        self.heard: list[tuple[str, RowPlace]] = []

    def compose(self) -> ComposeResult:
        yield OutlineList(self.volumes)

    def on_mount(self) -> None:
        self.query_one(OutlineList).focus()

    def on_outline_list_highlighted(self, message: Highlighted) -> None:
        self.heard.append(("highlighted", message.place))

    def on_outline_list_selected(self, message: Selected) -> None:
        self.heard.append(("selected", message.place))


def screen(app: App[None]) -> list[str]:
    return [strip.text.rstrip() for strip in strips_of(app.screen)]


async def test_volumes_and_chapters_show_with_state_count_and_score() -> None:
    app = Desk(NOVEL)
    async with app.run_test(size=(40, 10)):
        rows = screen(app)
        assert rows[0].split() == ["▾", "1.", "안개", "13.2k"]
        assert rows[1].split() == ["▸✓", "1", "등대지기", "12.3k", "4.2"]
        assert rows[2].split() == ["◉", "2", "The", "Lamp", "Room", "900", "↻"]
        outline = app.query_one(OutlineList)
        assert outline.size.height <= 10


async def test_the_cursor_says_where_it_is_and_enter_chooses() -> None:
    app = Desk(NOVEL)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("down", "enter")
        assert app.heard == [("highlighted", RowPlace(1, 1)), ("selected", RowPlace(1, 1))]
        await pilot.press("up", "enter")
        assert [row.split()[:3] for row in screen(app)[:2]] == [
            ["▸", "1.", "안개"],
            ["▾", "2.", "바다"],
        ]
        assert ("selected", RowPlace(1)) not in app.heard


async def test_scenes_unfold_and_left_goes_up_and_folds() -> None:
    app = Desk(NOVEL)
    async with app.run_test(size=(40, 10)) as pilot:
        outline = app.query_one(OutlineList)
        await pilot.press("down", "right", "down", "down")
        assert outline.place == RowPlace(1, 1, 2)
        assert screen(app)[3].split() == ["◦", "2", "램프실"]
        await pilot.press("left")
        assert outline.place == RowPlace(1, 1)
        await pilot.press("left", "left")
        assert outline.place == RowPlace(1)
        assert len(outline.outline) == 5


async def test_what_is_typed_after_a_slash_is_found() -> None:
    app = Desk(MANY)
    async with app.run_test(size=(40, 10)) as pilot:
        outline = app.query_one(OutlineList)
        await pilot.press("slash", *"777")
        assert screen(app)[-1] == "/777"
        assert outline.place == RowPlace(1, 777)
        await pilot.press("enter", "n")
        assert outline.place == RowPlace(1, 1777)
        assert not outline.prompt.is_open
        await pilot.press("slash", "끝", "escape")
        assert outline.place == RowPlace(2, 10_001)


async def test_ten_thousand_chapters_scroll_from_end_to_end() -> None:
    app = Desk(MANY)
    async with app.run_test(size=(40, 10)) as pilot:
        outline = app.query_one(OutlineList)
        await pilot.press("G")
        assert outline.place == RowPlace(2, 10_001)
        await pilot.pause()
        assert "끝" in screen(app)[-1]
        await pilot.press("pageup", "g")
        assert outline.place == RowPlace(1)
        assert outline.size.height <= 10
        assert not outline.children


async def test_a_click_marks_a_second_chooses_and_the_fold_mark_folds() -> None:
    app = Desk(NOVEL)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click(OutlineList, offset=(8, 2))
        assert app.heard == [("highlighted", RowPlace(1, 2))]
        await pilot.click(OutlineList, offset=(8, 2))
        assert app.heard[-1] == ("selected", RowPlace(1, 2))
        await pilot.click(OutlineList, offset=(1, 1))
        assert "부두" in screen(app)[2]


async def test_other_contents_leave_the_cursor_on_its_chapter() -> None:
    app = Desk(NOVEL)
    async with app.run_test(size=(40, 10)) as pilot:
        outline = app.query_one(OutlineList)
        assert outline.go_to(3)
        assert not outline.go_to(99)
        outline.model = (
            VolumeItem(1, "안개", (*NOVEL[0].chapters, ChapterItem(4, "새 장"))),
            NOVEL[1],
        )
        await pilot.pause()
        assert outline.place == RowPlace(2, 3)
        outline.model = ()
        await pilot.pause()
        assert outline.place is None


async def test_a_foreign_title_is_shown_literally() -> None:  # req: S7, S8
    app = Desk(NOVEL)
    async with app.run_test(size=(60, 10)) as pilot:
        assert "[@click=app.quit]나가기[/b]␛[2J" in screen(app)[4]
        await pilot.click(OutlineList, offset=(12, 4))
        assert app.is_running


async def test_ascii_only_draws_ascii_glyphs() -> None:
    app = Desk(NOVEL)
    async with app.run_test(size=(40, 10)) as pilot:
        app.query_one(OutlineList).ascii_only = True
        await pilot.pause()
        assert screen(app)[1].split()[0] == "+*"

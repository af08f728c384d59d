"""How the widgets look at 80x24 and 120x36, in Korean, English and Chinese."""

from __future__ import annotations

from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.pilot import Pilot

from studio.tui.views.outline.rows import ChapterItem, ChapterState, SceneItem, VolumeItem
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan
from studio.tui.widgets.diff_view import DiffView
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.stage_bar import StageBar
from tests.tui.gallery import RUN_STATE

pytestmark = pytest.mark.snapshot

PROSE = {
    "ko": """# 등대지기

미라는 등불을 들고 계단을 올랐다. “누구 있어요?” 아무도 대답하지 않았다. 바람만 문틈으로 들어와
불꽃을 흔들었다.

계단은 백서른두 개였다. 세어 본 적은 없지만 발이 먼저 기억했다. 백서른세 번째에서 그녀는 멈췄다.

* * *

아침이 되자 바다는 잔잔했다. 조스는 그물을 고치고 있었다. \x1b[31m[@click=app.quit]나가기[/]

“어제는,” 그가 말했다. “종이 울리지 않았어.” 👩‍👧
""",
    "en": """# The Lamp Room

Mara carried the lamp up the stairs. “Is anyone there?” Nobody answered; only the wind came in
under the door and leaned on the flame.

There were a hundred and thirty-two steps. She had never counted them, but her feet remembered.

* * *

By morning the sea lay flat. Joss was mending the net. \x1b[31m[@click=app.quit]leave[/]

"Last night," he said, "the bell didn't ring."
""",
    "zh": """# 灯塔看守人

米拉提着灯走上楼梯。“有人吗？”没有人回答，只有风从门缝里钻进来，把火苗吹得摇晃不定……

楼梯一共一百三十二级。她从来没有数过，可是脚记得。走到第一百三十三级的时候，她停住了。

* * *

早晨，海面很平静。乔斯正在补网。\x1b[31m[@click=app.quit]离开[/]

“昨天夜里，”他说，“钟没有响。”
""",
}
CHANGES = {
    "ko": ("미라는 두려움을 느꼈다. 바람이 불었다.", "미라의 손이 떨렸다. 바람이 불었다."),
    "en": ("Mara felt fear. The wind blew.", "Mara's hand shook. The wind blew."),
    "zh": ("米拉感到害怕。风吹着。", "米拉的手在发抖。风吹着。"),
}
STATES: tuple[ChapterState, ...] = (
    "committed",
    "committed",
    "waiting",
    "drafting",
    "planned",
    "empty",
)
NAMES = (
    "등대지기",
    "The Lamp Room",
    "灯塔看守人",
    "[b]굵은[/b] 제목",
    "먼 바다의 종소리와 안개",
    "끝",
)
NOVEL = (
    VolumeItem(
        1,
        "안개",
        tuple(
            ChapterItem(
                number,
                title,
                state,
                count=number * 1_234,
                score=4.25 if state == "committed" else None,
                badge="forced" if number == 2 else "",
                stale=number == 1,
                scenes=(SceneItem(1, "부두", "committed", 700), SceneItem(2, "램프실", "planned")),
            )
            for number, (title, state) in enumerate(zip(NAMES, STATES, strict=True), 1)
        ),
    ),
    VolumeItem(2, "바다", ()),
)


class Pictured(App[None]):
    """Widgets side by side as on the desk, under a theme of Textual's own."""

    CSS = """
    OutlineList { width: 28; height: 1fr; border-right: solid $primary; }
    ProseView, DiffView { width: 1fr; height: 1fr; }
    Horizontal { height: 1fr; }
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def on_mount(self) -> None:
        self.query(StageBar).first().show(RUN_STATE)


class Prose(Pictured):
    """A chapter with its directive's passage marked, and the stage bar."""

    def compose(self) -> ComposeResult:
        yield ProseView()
        yield StageBar()

    def on_mount(self) -> None:
        super().on_mount()
        view = self.query_one(ProseView)
        view.load(PROSE[self.language])
        view.highlight(ParagraphRange(1, 2, 2))
        view.mark([QuotedSpan(1, 1, 0, 4)])


class OutlineAndDiff(Pictured):
    """The outline beside a change."""

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield OutlineList(NOVEL)
            yield DiffView()
        yield StageBar()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(OutlineList).go_to(1, 2)
        self.query_one(DiffView).show(*CHANGES[self.language], self.language)


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    for view in pilot.app.query(ProseView):
        while view.busy:
            await pilot.pause()
    await pilot.pause()


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_prose(snap_compare: Any, language: str, size: tuple[int, int]) -> None:
    assert snap_compare(Prose(language), terminal_size=size, run_before=settled)


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_outline_and_diff(snap_compare: Any, language: str, size: tuple[int, int]) -> None:
    assert snap_compare(OutlineAndDiff(language), terminal_size=size, run_before=settled)

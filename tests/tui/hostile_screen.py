"""A program that displays hostile text in every widget until `q`; run it in a pseudo-terminal."""

from __future__ import annotations

from textual.app import App, ComposeResult

from studio.tui.views.outline.rows import ChapterItem, SceneItem, VolumeItem
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan
from studio.tui.widgets.diff_view import DiffView
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView

HOSTILE = (
    "종\x1b]52;c;aGFja2Vk\x07소\x1b]0;owned\x1b\\리 \x9d52;c;aGk=\x9c \x1b[?1049l "
    "\u202e\u200b\x00[@click=app.quit]나가기[/b]"
)
LAST_WORDS = ("차례 끝", "본문 끝", "비교 끝")
"""The text in each widget after the hostile text; once it is visible, the hostile text has been
drawn too."""


class Hostile(App[None]):
    """An app with every widget that displays text from outside."""

    CSS = "ProseView, DiffView, OutlineList { height: 1fr; }"
    BINDINGS = [("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        scenes = (SceneItem(1, HOSTILE),)
        chapters = (ChapterItem(1, HOSTILE, badge=HOSTILE, scenes=scenes),)
        last = ChapterItem(2, LAST_WORDS[0])
        yield OutlineList((VolumeItem(1, HOSTILE, (*chapters, last)),))
        yield ProseView()
        yield DiffView()

    def on_mount(self) -> None:
        """Fills the widgets, at once and in pieces."""
        self.query_one(OutlineList).go_to(1, 1)
        prose = self.query_one(ProseView)
        prose.load(f"# {HOSTILE}\n\n{HOSTILE}\n\n")
        for character in HOSTILE:
            prose.stream.append(character)
        prose.stream.append(f"\n\n{LAST_WORDS[1]}.")
        prose.highlight(ParagraphRange(1, 1, 2))
        prose.mark([QuotedSpan(1, 1, 3, 9)])
        self.query_one(DiffView).show(HOSTILE, f"{HOSTILE}{HOSTILE} {LAST_WORDS[2]}", "ko")


if __name__ == "__main__":
    Hostile().run()

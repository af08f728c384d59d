"""The desk's panes: what stands where at each width, which one has the keys, what they show."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from textual import events
from textual.app import ComposeResult
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from studio.config.recent import Place as Remembered
from studio.tui.actions import Action, Where, of
from studio.tui.book import Book, Shown
from studio.tui.desk.facts import facts
from studio.tui.desk.text import title_line
from studio.tui.screen import Place, fitting, keys_for
from studio.tui.views.prose.passages import About, about, counselled
from studio.tui.views.run.moment import RunState
from studio.tui.views.situation import Situation
from studio.tui.views.words import Said
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.backdrop import Backdrop, Column, Columns, Pages
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.stage_bar import StageBar
from studio.tui.widgets.styled import content
from studio.tui.widgets.tab_line import TabLine

if TYPE_CHECKING:
    from studio.session import Session
    from studio.story.review.directive import Directive
    from studio.tui.runtime.bridge import Bridge
    from studio.tui.widgets.diff_view import DiffView
    from studio.tui.widgets.directives_pane import DirectivesPane
    from studio.tui.widgets.lines_view import LinesView
    from studio.tui.widgets.saved_texts_list import KeptList

Pane = Literal["outline", "text", "directives"]
PANES: tuple[Pane, ...] = ("outline", "text", "directives")
TABS = ("draft", "diff", "plan", "context", "variations")
_NARROWEST, _WIDEST = 20, 80
_ONE_DRAWING = 0.5
"""Seconds after which nobody waits for a drawing any longer."""


class TextPane(Column):
    """The middle pane; its keys work whichever tab is shown."""

    BINDINGS = keys_for("text")


class DeskPanes(Place, Screen[None], Backdrop):
    """Layout, focus and drawing; what happens in them is for the classes above."""

    CSS_PATH = "screen.tcss"
    WHERE = ("desk",)
    AUTO_FOCUS = "#outline"

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.bridge: Bridge
        self.prepared = asyncio.Event()
        """Set when the novel is open and every widget there: the first frame has less."""
        self.book: Book | None = None
        self.shown: Shown | None = None
        self.run_state = RunState()
        self.pane: Pane = "outline"
        self.model = ""
        self.has_model = True
        self.direction = ""
        self._warned: set[str] = set()

    @cached_property
    def session(self) -> Session:
        """The novel, opened when it is first asked for: its types take long to load."""
        from studio.session import Session

        return Session.open(self.folder, self.studio.environ, self.studio.overrides)

    @property
    def is_prepared(self) -> bool:
        """Whether the novel is open and every widget there."""
        return self.prepared.is_set()

    async def wait_prepared(self) -> None:
        """Returns when they are."""
        await self.prepared.wait()

    def compose(self) -> ComposeResult:
        """What the first frame shows, and what costs nothing to have hidden; see `furnish`."""
        # Classes that came when the widgets are there would cost all their styles anew.
        self.add_class("-on-outline", *fitting(self.app))
        yield Static(id="title-line")
        with Columns(id="panes"):
            with Column(id="outline-pane", classes="pane"):
                yield Static(content(Said("Outline", "heading")), classes="pane-title")
                yield OutlineList(id="outline")
            with TextPane(id="text-pane", classes="pane"):
                yield TabLine(TABS, id="tabs", classes="pane-title")
                with Pages(initial="draft", id="tab-pages"):
                    yield ProseView(id="draft")
            with Column(id="directives-pane", classes="pane"):
                yield Static(id="directives-title", classes="pane-title")
        yield StageBar(id="stages")
        yield ActionLine(id="hints")
        yield Static(id="too-small")

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """At first the styles are as new as the widgets."""
        event.refresh_styles = self.is_prepared

    async def furnish(self) -> None:
        """The widgets nobody sees at first; laid out and drawn once for all of them."""
        from studio.tui.desk.direction_line import DirectionLine
        from studio.tui.widgets.diff_view import DiffView
        from studio.tui.widgets.directives_pane import DirectivesPane
        from studio.tui.widgets.lines_view import LinesView
        from studio.tui.widgets.saved_texts_list import KeptList

        hidden = (DiffView(id="diff"), LinesView(id="plan"), LinesView(id="context"))
        pages = (*hidden, KeptList(id="variations"))
        for page in pages:
            page.display = False
        with self.app.batch_update():
            await self.mount(ActionLine(id="notice"), before="#panes")
            await self.mount(DirectionLine(id="direction"), before="#stages")
            await self.query_one("#directives-pane").mount(DirectivesPane(id="directives"))
            await self.query_one("#tab-pages").mount(*pages)
        await self.drawn_once()  # before a thread begins to read, for they share one interpreter

    async def drawn_once(self) -> None:
        """Returns when what was changed is on the screen, or soon: under a page nothing is drawn.

        Beside a thread at work a drawing takes twice as long (P6).
        """
        drawn = asyncio.Event()
        self.call_after_refresh(drawn.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(drawn.wait(), _ONE_DRAWING)

    # Widgets

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""
        return cast("DirectivesPane", self.query_one("#directives"))

    @property
    def diff(self) -> DiffView:
        """What the Diff tab shows."""
        return cast("DiffView", self.query_one("#diff"))

    @property
    def kept(self) -> KeptList:
        """What the Variations tab shows."""
        return cast("KeptList", self.query_one("#variations"))

    def page(self, tab: Literal["plan", "context"]) -> LinesView:
        """What a tab of lines shows."""
        return cast("LinesView", self.query_one(f"#{tab}"))

    # Panes

    def go_to_pane(self, pane: Pane) -> None:
        """Gives a pane the keys and makes sure it is in sight."""
        self._enter(pane)
        self._target(pane).focus()
        self.show_hints()

    def _enter(self, pane: Pane) -> None:
        self.pane = pane
        for name in PANES:
            self.set_class(name == pane, f"-on-{name}")
        if self.is_prepared:
            self.mark()

    def _target(self, pane: Pane) -> Widget:
        if pane == "text":
            return self.query_one(f"#{self.tab}")
        return self.query_one("#outline" if pane == "outline" else "#directives")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The mouse changes panes too."""
        for pane in PANES:
            holder = self.query_one(f"#{pane}-pane")
            if event.widget in holder.walk_children(with_self=True) and self.pane != pane:
                self._enter(pane)
        self.show_hints()

    def do_desk_next_pane(self) -> None:
        """The next pane, round the end."""
        self.go_to_pane(PANES[(PANES.index(self.pane) + 1) % len(PANES)])

    def do_desk_previous_pane(self) -> None:
        """The pane before."""
        self.go_to_pane(PANES[(PANES.index(self.pane) - 1) % len(PANES)])

    def do_desk_outline(self) -> None:
        """The outline."""
        self.go_to_pane("outline")

    def do_desk_text(self) -> None:
        """The text."""
        self.go_to_pane("text")

    def do_desk_directives(self) -> None:
        """The directives."""
        self.go_to_pane("directives")

    def do_desk_zoom(self) -> None:
        """Only this pane, or all again."""
        self.toggle_class("-zoom")

    def do_desk_narrower(self) -> None:
        """Takes two columns from a side pane."""
        self._widen(-2)

    def do_desk_wider(self) -> None:
        """Gives a side pane two columns."""
        self._widen(2)

    def _widen(self, columns: int) -> None:
        side: Pane = "outline" if self.pane == "text" else self.pane
        holder = self.query_one(f"#{side}-pane")
        holder.styles.width = min(_WIDEST, max(_NARROWEST, holder.size.width + columns))

    # Tabs

    @property
    def tab(self) -> str:
        """The tab in sight."""
        return self.query_one(Pages).current or "draft"

    def go_to_tab(self, tab: str) -> None:
        """Turns the text pane."""
        self.query_one(Pages).current = tab
        self.query_one(TabLine).show(tab)
        if self.pane == "text":
            self.query_one(f"#{tab}").focus()

    def do_desk_next_tab(self) -> None:
        """The next tab, round the end."""
        self.go_to_tab(TABS[(TABS.index(self.tab) + 1) % len(TABS)])

    def do_desk_previous_tab(self) -> None:
        """The tab before."""
        self.go_to_tab(TABS[(TABS.index(self.tab) - 1) % len(TABS)])

    def on_tab_line_chosen(self, message: TabLine.Chosen) -> None:
        """By mouse."""
        if self.is_prepared:
            self.go_to_tab(message.tab)

    def do_text_follow(self) -> None:
        """Follow the stream, or stay."""
        prose = self.query_one(ProseView)
        prose.follow = not prose.follow
        self.studio.say("Following the text." if prose.follow else "Staying where you read.")

    def do_text_copy(self) -> None:
        """The selected words to the clipboard."""
        self.app.copy_to_clipboard(self.query_one(ProseView).selected_text)
        self.studio.say("Copied.")

    # Drawing

    def draw_title(self) -> None:
        """The line at the head."""
        width = self.size.width or 80
        words = title_line(self.book, self.shown, self.at_the_right(), width)
        self.query_one("#title-line", Static).update(content(words))

    def at_the_right(self) -> str:
        """What stands at the end of the line at the head."""
        return self.model

    def draw_directives(self) -> None:
        """The right pane, and the marks in the text."""
        from studio.tui.desk.text import empty_directives
        from studio.tui.views.review import directive_text

        shown, pane = self.shown, self.directives
        sheet, counsel = (shown.sheet, shown.counsel) if shown else (None, ())
        earlier = shown.earlier if shown else ()
        empty = empty_directives(self.situation(), self.has_model)
        pane.show(sheet, self.run_state.rewrites, empty, counsel, earlier)
        count = directive_text.counter(sheet)
        title = (Said("Directives", "heading"), Said(f"  {count}", "accent"))
        self.query_one("#directives-title", Static).update(content(title))
        self.mark()

    def mark(self) -> None:
        """Highlights the passage of the selected entry, and the words it quotes."""
        prose = self.query_one(ProseView)
        at_hand = self.pane == "directives" or self.situation().pending
        found = self._about() if at_hand else None
        prose.highlight(*((found.passage,) if found else ()))
        prose.mark(found.words if found else ())

    def _about(self) -> About | None:
        """What the entry under the cursor is about."""
        text = self.shown.text if self.shown else None
        if (chosen := self.directives.selected) is not None:
            return about(text, chosen)
        counsel = self.directives.counsel
        return counselled(text, counsel) if counsel is not None else None

    def reveal(self, directive: Directive | None) -> None:
        """Brings a directive's passage into sight, or what is made of it; without one, the words
        the entry under the cursor is about."""
        changed = directive is not None and (directive.result or directive.edited_text)
        if (found := self._about()) is not None:
            self.go_to_tab("diff" if changed else "draft")
            self.query_one(ProseView).go_to(found.passage.scene, found.passage.first)

    def draw_plan(self) -> None:
        """The plan tab."""
        from studio.tui.desk.text import plan_lines

        lines = plan_lines(self.shown, self.studio.keymap) if self.shown else ()
        self.page("plan").show(lines)

    def draw_too_small(self) -> None:
        """The notice for a window that is too small."""
        size = self.app.size
        words = f"The studio needs 60 columns and 15 rows; this is {size.width}x{size.height}."
        self.query_one("#too-small", Static).update(content(words))

    def on_resize(self) -> None:
        """Draws what depends on the width."""
        self.draw_title()
        self.draw_too_small()

    def hinted(self) -> Iterable[Action]:
        """First what the pane itself can do."""
        here: tuple[Where, ...] = () if self.pane == "outline" else (self.pane,)
        return (a for a in (*of(*here), *of("desk"), *of("global")) if a.hint)

    # Facts

    def situation(self) -> Situation:
        """What the actions look at."""
        chosen, counsel, selection = None, False, False
        with suppress(NoMatches):
            chosen, counsel = self.directives.selected, self.directives.counsel is not None
            selection = bool(self.query_one(ProseView).selected_text)
        return facts(
            self.book,
            self.shown,
            self.run_state,
            chosen=chosen,
            counsel=counsel,
            selection=selection,
            has_model=self.has_model,
        )

    def where_now(self) -> Remembered:
        """What to remember of this desk."""
        cells = [self._set_width(name) for name in ("outline", "directives")]
        return Remembered(
            chapter=self.shown.chapter if self.shown else None,
            paragraph=self._paragraph_read(),
            tab=self.tab,
            outline_width=cells[0],
            directives_width=cells[1],
        )

    def _paragraph_read(self) -> tuple[int, int] | None:
        """The paragraph where `go_to` would put it: a third down the pane."""
        prose = self.query_one(ProseView)
        top = prose.scroll_offset.y
        row = prose.page.row(top + prose.size.height // 3) if top else None
        if row is None:
            return None
        block = prose.page.blocks[row.block]
        return (block.scene, block.number) if block.number else None

    def _set_width(self, side: str) -> int | None:
        """The width the writer gave a pane; None where the style sheet's is in force."""
        inline = self.query_one(f"#{side}-pane").styles.inline
        width = inline.width if inline.has_rule("width") else None
        return int(width.value) if width is not None else None

    def on_any_key(self) -> None:
        """The stream waits while the key is painted."""
        super().on_any_key()
        if self.is_prepared:
            self.bridge.hold()
        self.query_one(ProseView).hold_back()

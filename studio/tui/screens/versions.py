"""The versions of a passage beside the present one: written, compared, taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from studio.errors import StudioError
from studio.i18n import _, as_label
from studio.story.chapter import split_paragraphs
from studio.tui.performs import performs
from studio.tui.runtime.bridge import Bridge
from studio.tui.runtime.wait_clock import WaitClock
from studio.tui.screen import StudioScreen, keys_for
from studio.tui.views.pages.version_columns import column, first_line, legend
from studio.tui.views.situation import Situation
from studio.tui.views.terms import term
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.pipeline.passage.order import PassageOrder, PassageVersion
    from studio.pipeline.passage.room import PassageVersions
    from studio.session import Session


class VersionsScreen(StudioScreen, Screen[Any]):
    """The page of versions; returns the one taken, or None if the chapter stays as it is."""

    CSS_PATH = "versions.tcss"
    WHERE = ("versions",)
    AUTO_FOCUS = ""
    """The keys belong to the page itself."""
    BINDINGS = [
        *keys_for("versions"),
        *keys_for("global"),
        Binding("pagedown", "scroll_both(1)", "Page down", show=False),
        Binding("pageup", "scroll_both(-1)", "Page up", show=False),
    ]

    def __init__(self, session: Session, order: PassageOrder, *, at_once: bool) -> None:
        """`order` is how another version is requested; `at_once` requests it on opening."""
        super().__init__()
        self._session = session
        self._order = order
        self._at_once = at_once
        self._bridge: Bridge
        self._versions: PassageVersions | None = None
        self._at = 0
        self._row = 0
        self._marked: set[int] = set()
        self._stream = ""
        self._whole = 0
        """The number of characters streamed for versions that are complete."""
        self._at_work = False
        self._note = ""

    def compose(self) -> ComposeResult:
        """Yields the title, both texts and the hints."""
        yield Static(id="versions-title")
        yield Static(id="versions-note")
        with Horizontal(id="versions-texts"):
            with Vertical(classes="versions-column"):
                yield Static(content(Phrase(_("As it stands"), "strong")), classes="versions-head")
                yield LinesView(id="versions-present")
            with Vertical(classes="versions-column"):
                yield Static(content(Phrase(_("The version"), "strong")), classes="versions-head")
                yield LinesView(id="versions-other")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the existing versions, and requests another if asked to."""
        clock = WaitClock(self, self._say_wait)
        self._bridge = Bridge(self._session, clock.before(self._hear), self._over)
        for view in self.query(LinesView):
            view.can_focus = False
        self.converse(self._begin())

    async def _begin(self) -> None:
        await self._read()
        if self._at_once:
            await self._ask(self._order)

    def situation(self) -> Situation:
        """Returns whether a version is visible, and whether one is being written."""
        return Situation(novel=True, running=self._at_work, result=self._version is not None)

    @property
    def _version(self) -> PassageVersion | None:
        versions = self._versions.versions if self._versions else ()
        return versions[self._at] if self._at < len(versions) and not self._at_work else None

    # Requesting

    @performs("versions.more")
    async def more(self) -> None:
        """Requests another version."""
        self.converse(self._ask(replace(self._order, versions=1)))

    async def _ask(self, order: PassageOrder) -> None:
        """Shows the price, and has the versions written."""
        from studio.tui.screens.window_question import is_window_settled

        if not await is_window_settled(self.studio, self._session):
            return
        passages = self._session.passages()
        price = await self._bridge.call(passages.price, order)
        self._note = price.sentence(order)
        self._at_work, self._stream, self._whole = True, "", 0
        self._draw()

        async def work(hear: Any) -> Any:
            return await self._session.passages().write(order, hear)

        self._bridge.begin(work, order.chapter)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.type in ("text", "rewrite-text"):
                self._stream += getattr(event, "text", "")
            elif event.type == "again":
                self._stream = self._stream[: self._whole]
            elif event.type == "finish" and not getattr(event, "stopped", False):
                self._stream += "\n\n"
                self._whole = len(self._stream)
            elif event.type == "warning":
                self.studio.say(getattr(event, "message", ""), "warning")
        self._draw()

    def _over(self, outcome: Any) -> None:
        from studio.pipeline.outcome import Failed, Stopped

        self._at_work = False
        if isinstance(outcome, Failed):
            self.studio.tell(outcome.problem)
        elif isinstance(outcome, Stopped):
            self.studio.say(_("Stopped; what was written of it is kept in the Variations tab."))
        else:
            self._at = 0
        self.converse(self._read())

    async def _read(self) -> None:
        order = self._order
        self._versions = await self._bridge.call(
            self._session.passages().versions_of, order.chapter, order.place
        )
        self._marked.clear()
        self._draw()

    # Comparing

    @performs("versions.next")
    def next(self) -> None:
        """Shows the next version, wrapping around at the end."""
        self._turn(1)

    @performs("versions.previous")
    def previous(self) -> None:
        """Shows the previous version, wrapping around at the beginning."""
        self._turn(-1)

    def action_scroll_both(self, pages: int) -> None:
        """Scrolls both texts by pages."""
        for view in self.query(LinesView):
            view.scroll_to(y=view.scroll_offset.y + pages * view.size.height, animate=False)

    def _turn(self, step: int) -> None:
        if self._versions and self._versions.versions:
            self._at = (self._at + step) % len(self._versions.versions)
            self._row, self._marked = 0, set()
            self._draw()

    @performs("versions.down")
    def down(self) -> None:
        """Moves to the next paragraph."""
        self._move(1)

    @performs("versions.up")
    def up(self) -> None:
        """Moves to the previous paragraph."""
        self._move(-1)

    def _move(self, step: int) -> None:
        version = self._version
        if version is not None:
            last = len(split_paragraphs(version.text)) - 1
            self._row = max(0, min(last, self._row + step))
            self._draw()

    @performs("versions.mark")
    def mark(self) -> None:
        """Marks or unmarks the paragraph under the cursor for taking."""
        self._marked ^= {self._row + 1}
        self._draw()

    # Taking

    @performs("versions.take")
    async def take(self) -> None:
        """Puts the version into the chapter."""
        version = self._version
        if version is None:
            return
        try:
            taken = await self._bridge.call(
                self._session.passages().take,
                version.chapter,
                version.place.scene,
                version.sha256,
                frozenset(self._marked),
            )
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        self.dismiss(taken)

    @performs("versions.close")
    def close(self) -> None:
        """Stops the running request, or else closes the page."""
        if self._at_work:
            self._bridge.stop()
        else:
            self.dismiss(None)

    # Drawing

    def _say_wait(self, words: str) -> None:
        """Shows what is waited for behind the price, until something of the version is there."""
        if self._at_work and len(self._stream) == self._whole:
            note = (Phrase(self._note, "quiet"), Phrase("   "), Phrase(words, "accent"))
            self.query_one("#versions-note", Static).update(content(note))

    def _draw(self) -> None:
        if not self.is_made or self._versions is None:
            return
        plain = self.studio.ascii_only
        version, versions = self._version, self._versions
        what = term(version.variation.reason) if version else ""
        direction = version.variation.direction if version else ""
        what = as_label(what) + direction if direction else what
        title = legend(versions, self._at, what)
        self.query_one("#versions-title", Static).update(content(title))
        self.query_one("#versions-note", Static).update(content(Phrase(self._note, "quiet")))
        row = self._row if version else None
        left = self.query_one("#versions-present", LinesView)
        right = self.query_one("#versions-other", LinesView)
        left.show(column(versions.present, row, plain=plain), keep_place=True)
        text = version.text if version else self._stream
        right.show(column(text, row, self._marked, plain=plain), keep_place=True)
        if version:
            left.go_to_line(first_line(versions.present, self._row))
            right.go_to_line(first_line(version.text, self._row))
        self.show_hints()

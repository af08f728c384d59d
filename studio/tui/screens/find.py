"""The page that finds and replaces words in the whole book (row H3): thousands of matches of a
replacement, before and after, cost no more than a few."""

from __future__ import annotations

import asyncio
import dataclasses
from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studio.errors import StudioError
from studio.i18n import _, ngettext, translate
from studio.project.search.hits import Hit, SearchResults, find, notes, words_pattern
from studio.project.search.replacement import (
    HitSpot,
    ReplaceOrder,
    preview,
    replace_words,
    spot_of,
    undo_newest,
)
from studio.tui.performs import asks, performs
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask
from studio.tui.screens.work_in_progress import Pace, WorkCancelled, in_thread, with_a_card
from studio.tui.views.pages.search_hits import (
    FoundRow,
    change_of,
    count_words,
    found_rows,
    progress_words,
    replacement_question,
    replacement_rows,
    replacement_title,
)
from studio.tui.views.words import Line, Phrase, Tone
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.line_scroll import LineScroll
from studio.tui.widgets.lines_view import wrap_line
from studio.tui.widgets.styled import content
from studio.tui.widgets.text_field import LineField

if TYPE_CHECKING:
    from textual.events import Resize

    from studio.project.progress import Progress
    from studio.project.search.replacement import Replacement
    from studio.session import Session


_ROWS = 2
"""The rows of a match, before and after. They are cut rather than wrapped, so that every
position is known without drawing any match."""


class ReplacedPlaces(LineScroll):
    """A list with two rows per match below a row for each text; matches are rendered when
    visible."""

    COMPONENT_CLASSES = {"replaced-places--marked"}
    DEFAULT_CSS = """
    ReplacedPlaces > .replaced-places--marked {
        color: $block-cursor-foreground;
        background: $block-cursor-background;
        text-style: $block-cursor-text-style;
    }
    """

    class Clicked(Message):
        """Posted when a match is clicked and so marked."""

    def __init__(
        self, rows: Sequence[FoundRow], order: ReplaceOrder, *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._rows = rows
        self._order = order
        self._stay: Collection[HitSpot] = ()
        self._starts: list[int] = []
        """The first row of each of `_rows`, followed by the number of rows."""
        self._places = [at for at, row in enumerate(rows) if row.hit is not None]
        self.cursor = 0
        """The index of the marked match."""

    @property
    def hit_under_cursor(self) -> Hit | None:
        """The match under the cursor."""
        return self._rows[self._places[self.cursor]].hit if self._places else None

    def leave_out(self, stay: Collection[HitSpot]) -> None:
        """Draws these matches as left alone, and the others as replaced."""
        self._stay = stay
        self.refresh()

    def fit(self) -> None:
        """Computes the rows; only headings and remarks are wrapped."""
        width = self.pane.width
        if not width:
            return
        heights = (_ROWS if row.hit else len(wrap_line(row.line, width)) for row in self._rows)
        self._starts = [*accumulate(heights, initial=0)]
        self.count_rows(self._starts[-1])
        self._go_to_cursor()
        self.refresh()

    def row_strip(self, y: int, width: int) -> Strip:
        """Returns one row."""
        style = self.visual_style
        if not self._starts or y >= self._starts[-1]:
            return Strip.blank(width, style.rich_style)
        at = bisect_right(self._starts, y) - 1
        row = self._rows[at]
        if row.hit is None:
            words = wrap_line(row.line, width)[y - self._starts[at]]
        else:
            line = self._lines(row.hit, width)[y - self._starts[at]]
            words = content(line).truncate(width, ellipsis=True)
            if at == self._places[self.cursor]:
                style += self.get_visual_style("replaced-places--marked", partial=True)
        strip = Strip(words.render_segments(style), words.cell_length)
        return strip.adjust_cell_length(width, style.rich_style)

    def _lines(self, hit: Hit, width: int) -> tuple[Line, Line]:
        return change_of(hit, self._order, width, stays=spot_of(hit) in self._stay)

    def action_move(self, rows: int) -> None:
        """Moves the mark by a number of matches; at the first one, also reveals the remarks
        above it."""
        if self._places:
            self.cursor = min(max(0, self.cursor + rows), len(self._places) - 1)
            self._go_to_cursor()
            self.refresh()

    def action_page(self, pages: int) -> None:
        """Moves the mark by about that many panes."""
        self.action_move(pages * max(1, self.pane.height // _ROWS - 1))

    def action_first(self) -> None:
        """Marks the first match."""
        self.action_move(-len(self._places))

    def action_last(self) -> None:
        """Marks the last match."""
        self.action_move(len(self._places))

    def on_click(self, event: events.Click) -> None:
        """Marks the clicked match."""
        at = bisect_right(self._starts, self.scroll_offset.y + event.y) - 1
        if at in self._places:
            self.action_move(self._places.index(at) - self.cursor)
            self.post_message(self.Clicked())

    def _go_to_cursor(self) -> None:
        """Scrolls to the marked match, and to its heading if it is the first below it."""
        if not self._places or not self._starts:
            return
        at = self._places[self.cursor]
        above = 0 if self.cursor == 0 else at - (self._rows[at - 1].hit is None)
        self.show_row(self._starts[above])
        self.show_row(self._starts[at] + _ROWS - 1)


_BESIDE = 4
"""Cells beside a match: padding and the scrollbar."""
_PAUSE = 0.1
"""Seconds without a key after which a search begins."""


class FindScreen(StudioScreen, Screen[Hit | None]):
    """An input line with the matches below it; the page's result is the one to go to."""

    CSS_PATH = "find.tcss"
    WHERE = ("find",)

    def __init__(self, session: Session, words: str = "") -> None:
        super().__init__()
        self._session = session
        self._words = words
        self.rows: list[FoundRow] = []
        """The rows of the list."""
        self._only_notes = False
        self.last_words = words
        """The words typed last, as the start of the next search."""
        self.findings: SearchResults | None = None
        """The result of the last search; None before the first."""

    def compose(self) -> ComposeResult:
        """Yields the line, the count, the matches and the hints."""
        yield Static(content(Phrase(_("Find in the book"), "heading")), id="find-title")
        yield LineField(
            self._words, id="find-words", placeholder=_("words of the prose, plans, notes")
        )
        yield Static(id="find-count")
        yield OptionList(id="find-rows", compact=True)
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Focuses the input line; Up and Down move in the list."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._show(None)
        self.show_hints()

    @property
    def words(self) -> str:
        """The words in the input line."""
        return self.query_one(Input).value

    @property
    def hit_under_cursor(self) -> Hit | None:
        """The match under the cursor."""
        at = self.query_one(OptionList).highlighted
        return self.rows[at].hit if at is not None and at < len(self.rows) else None

    def on_input_changed(self) -> None:
        """Searches again when the writer pauses."""
        self.last_words = self.words
        self.look()

    def look(self) -> None:
        """Searches for the typed words, replacing a search still in progress."""
        self.run_worker(self._look(), group="look", exclusive=True)

    async def _look(self) -> None:
        words, only_notes = self.words, self._only_notes
        if not words.strip() and not only_notes:
            self._show(None)
            return
        await asyncio.sleep(_PAUSE)
        try:
            findings = await in_thread(
                lambda pace: self._findings(words, only_notes, pace), Pace(), self._show_progress
            )
        except StudioError as error:
            self._say_beside(str(error.problem), "warn")
            return
        self._show(findings)

    def _findings(self, words: str, only_notes: bool, pace: Pace) -> SearchResults:
        store = self._session.store
        pattern = words_pattern(words) if words.strip() else None
        if only_notes or pattern is None:
            return notes(store, pattern=pattern, listener=pace)
        return find(store, pattern, listener=pace)

    def _show_progress(self, progress: Progress) -> None:
        self._say_beside(progress_words(progress), "quiet")

    def _say_beside(self, words: str, tone: Tone) -> None:
        self.query_one("#find-count", Static).update(content(Phrase(words, tone)))

    def _show(self, findings: SearchResults | None) -> None:
        self.findings = findings
        self._list(1)
        self._say_beside(count_words(findings, self._only_notes), "quiet")

    def _list(self, marked: int | None) -> None:
        """Lists the matches, with one marked, if there are any."""
        width = self.size.width - _BESIDE
        self.rows = [] if self.findings is None else list(found_rows(self.findings, width))
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options(Option(content(r.line), disabled=r.hit is None) for r in self.rows)
        rows.highlighted = marked if self.rows else None

    def on_resize(self, event: Resize) -> None:
        """Refits the list to the width, so that the matching words stay visible."""
        self._list(self.query_one(OptionList).highlighted)

    def on_option_list_option_selected(self) -> None:
        """Goes to the clicked match."""
        self.go_there()

    @performs("find.go")
    def go_there(self) -> None:
        """Goes to the marked match."""
        if self.hit_under_cursor is not None:
            self.dismiss(self.hit_under_cursor)

    @performs("find.next")
    def mark_next(self) -> None:
        """Marks the next match."""
        self.query_one(OptionList).action_cursor_down()

    @performs("find.previous")
    def mark_previous(self) -> None:
        """Marks the previous match."""
        self.query_one(OptionList).action_cursor_up()

    @performs("find.notes")
    def turn_to_notes(self) -> None:
        """Toggles between notes to people and the whole book."""
        self._only_notes = not self._only_notes
        title = _("Notes to people") if self._only_notes else _("Find in the book")
        self.query_one("#find-title", Static).update(content(Phrase(title, "heading")))
        self.look()

    @performs("find.replace")
    def replace(self) -> None:
        """Asks for the new words, previews the result, and replaces."""
        if not self.words.strip():
            self.studio.say(_("First type the words to be replaced."))
            return
        self.converse(self._replace(self.words.strip()))

    async def _replace(self, old: str) -> None:
        new = await self.app.push_screen_wait(Ask(_("Replace “{old}” with", old=old), "", ""))
        if new is None:
            return
        exact = any(hit.words == old for hit in (self.findings.hits if self.findings else ()))
        order = ReplaceOrder(old, new.strip(), any_case=not exact, particles=True)
        title, store = replacement_question(order.old, order.new), self._session.store
        try:
            order, replacement = await with_a_card(
                self.studio, title, lambda pace: self._preview(order, pace)
            )
            stay = await self.app.push_screen_wait(ReplacementScreen(replacement, order))
            if stay is None or not replacement.edits:
                return
            final = dataclasses.replace(order, leave=stay)
            done = await with_a_card(
                self.studio, title, lambda pace: replace_words(store, final, pace)
            )
        except WorkCancelled:
            self.studio.say(_("Stopped; nothing was changed."))
            return
        count = len(done.findings.hits)
        self.studio.say(
            ngettext(
                "{n} place changed. Ctrl+Z here puts them back.",
                "{n} places changed. Ctrl+Z here puts them back.",
                count,
            )
        )
        for sentence in done.to_put_there:
            self.studio.say(translate(sentence))
        self.look()

    def _preview(self, order: ReplaceOrder, pace: Pace) -> tuple[ReplaceOrder, Replacement]:
        """Returns what would change; if the words are the name of an entry, in all of its forms."""
        from studio.book.renaming import order_for

        named = order_for(self._session.store, order)
        return named, preview(self._session.store, named, pace)

    @asks("find.undo")
    async def undo(self) -> None:
        """Undoes the last replacement."""
        title, store = _("Undo the last replacement"), self._session.store
        try:
            undone = await with_a_card(self.studio, title, lambda pace: undo_newest(store, pace))
        except WorkCancelled:
            self.studio.say(_("Stopped; nothing was changed."))
            return
        stay = len(undone.changed_since)
        since = (
            _(" {count} have been changed since and stay as they are.", count=stay) if stay else ""
        )
        self.studio.say(
            _("{count} texts are as they were.{since}", count=len(undone.paths), since=since)
        )
        for sentence in undone.to_put_there:
            self.studio.say(translate(sentence))
        self.look()

    @performs("find.close")
    def close(self) -> None:
        """Closes the page."""
        self.dismiss(None)


class ReplacementScreen(StudioScreen, Screen[frozenset[HitSpot] | None]):
    """Every match before and after a replacement; returns those to leave alone, or None to
    cancel."""

    CSS_PATH = "find.tcss"
    WHERE = ("replacement",)

    def __init__(self, replacement: Replacement, order: ReplaceOrder) -> None:
        super().__init__()
        self._order = order
        self._hits = replacement.findings.hits
        self._rows = list(replacement_rows(replacement))
        self._stay: frozenset[HitSpot] = frozenset()

    def compose(self) -> ComposeResult:
        """Yields the title, the matches and the hints."""
        yield Static(id="find-title")
        yield ReplacedPlaces(self._rows, self._order, id="find-rows")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows the matches."""
        self._places.focus()
        self._draw_title()
        self.show_hints()

    @property
    def _places(self) -> ReplacedPlaces:
        return self.query_one(ReplacedPlaces)

    def _draw_title(self) -> None:
        hits = [hit for hit in self._hits if spot_of(hit) not in self._stay]
        title = replacement_title(hits, self._order.old, self._order.new)
        self.query_one("#find-title", Static).update(content(title))

    @performs("replacement.leave")
    def leave(self) -> None:
        """Leaves the marked match as it is, or includes it again."""
        hit = self._places.hit_under_cursor
        if hit is not None:
            self._turn([hit])
            self._places.action_move(1)

    @performs("replacement.leave_text")
    def leave_text(self) -> None:
        """Leaves or includes every match of the marked text."""
        hit = self._places.hit_under_cursor
        if hit is not None:
            self._turn([other for other in self._hits if other.at.path == hit.at.path])

    def _turn(self, hits: list[Hit]) -> None:
        """Leaves these matches as they are; if all of them already are, includes them again."""
        spots = {spot_of(hit) for hit in hits}
        self._stay = self._stay - spots if spots <= self._stay else self._stay | spots
        self._places.leave_out(self._stay)
        self._draw_title()

    def on_replaced_places_clicked(self) -> None:
        """Leaves or includes the clicked match."""
        self.leave()

    @performs("replacement.replace")
    def replace(self) -> None:
        """Confirms the replacement."""
        self.dismiss(self._stay)

    @performs("replacement.close")
    def close(self) -> None:
        """Cancels the replacement."""
        self.dismiss(None)

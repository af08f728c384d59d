"""The directives of a chapter and the proposals for it: a list with one row each, and the details
of the selected one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from studio.story.review.directive import Directive, DirectiveSheet, Unplaced
from studio.story.review.evaluation import Counsel
from studio.story.review.stale_directives import PlacedProposal
from studio.story.status import DirectiveStep, allows
from studio.tui.key_bindings import bindings_of
from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.views.review import directive_text
from studio.tui.views.review.counsel_text import (
    Listed,
    Rejected,
    beyond_lines,
    changes_of,
    counsel_detail,
    earlier_lines,
    list_review,
)
from studio.tui.views.review.plain_names import FixOrProposal, in_reading_order
from studio.tui.views.review.proposal_text import (
    LineEdits,
    edits_detail,
    proposal_detail,
    unplaced_detail,
)
from studio.tui.views.words import Line, line
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content

_CURSOR = "$block-cursor-foreground on $block-cursor-background"
_BEYOND: Literal["beyond"] = "beyond"
"""The single entry for all findings beyond the limit of one review."""
_Entry = FixOrProposal | LineEdits | Unplaced | Counsel | tuple[Rejected, ...] | Literal["beyond"]


class DirectiveRows(SteadyWidget, Widget):
    """The list of entries; a click moves the cursor."""

    DEFAULT_CSS = """
    DirectiveRows { height: auto; max-height: 40%; }
    """

    class Clicked(Message):
        """A row was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Listed, ...] = ()
        self.cursor = 0

    def show(self, rows: tuple[Listed, ...], cursor: int) -> None:
        """Shows other rows, or moves the cursor to another entry."""
        if (rows, cursor) == (self.rows, self.cursor):
            return
        grown = len(rows) != len(self.rows)
        self.rows, self.cursor = rows, cursor
        self.refresh(layout=grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Returns one line for each row."""
        return max(1, len(self.rows))

    @property
    def top(self) -> int:
        """The first row in sight, chosen so that the cursor is in the middle of the list where
        possible."""
        under = next((y for y, row in enumerate(self.rows) if row.entry == self.cursor), 0)
        most = max(0, len(self.rows) - self.size.height)
        return min(max(0, under - self.size.height // 2), most)

    def render(self) -> Content:
        """Renders the rows in sight, with the cursor's row highlighted."""
        width = max(1, self.size.width)
        rows = []
        for row in self.rows[self.top : self.top + max(1, self.size.height)]:
            words = _cut_to_width(content(row.words), width)
            if row.entry == self.cursor:
                words = words.stylize("reverse" if self.app.no_color else _CURSOR)
            rows.append(words)
        return Content("\n").join(rows)

    def on_click(self, event: events.Click) -> None:
        """Moves the cursor to the clicked row."""
        y = self.top + event.y
        if y < len(self.rows) and (entry := self.rows[y].entry) is not None:
            self.post_message(self.Clicked(entry))


def _cut_to_width(words: Content, width: int) -> Content:
    """Fits a row to exactly `width` cells. No blank is left before the ellipsis, even where only
    half of a Korean or Chinese character would have fitted."""
    cut = words.truncate(width, ellipsis=True)
    if cut.plain.endswith(" …"):
        cut = words.truncate(width - 1, ellipsis=True)
    return cut.truncate(width, pad=True)


class DirectivesPane(SteadyWidget, Vertical, can_focus=True):
    """The list and the details below it; the screen decides what the keys do."""

    BINDINGS = bindings_of("directives")

    expanded: reactive[bool] = reactive(False, init=False)
    edits_listed: reactive[bool] = reactive(False, init=False)

    class Moved(Message):
        """The cursor moved to another entry, or the list became empty."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sheet: DirectiveSheet | None = None
        self.index = 0
        self._proposals: tuple[PlacedProposal, ...] = ()
        self._counsel: tuple[Counsel, ...] = ()
        self._earlier: tuple[Rejected, ...] = ()
        self._empty: tuple[Line, ...] = ()
        self._writing: Mapping[str, str] = {}
        self._in_book = False
        self._decided: tuple[tuple[int, str], ...] = ()
        """What she has decided here, chapter and key, the last decision last."""

    def compose(self) -> ComposeResult:
        """Places the list above the details."""
        yield DirectiveRows()
        detail = LinesView(id="directive-detail")
        detail.can_focus = False
        yield detail

    @property
    def entries(self) -> tuple[_Entry, ...]:
        """The entries that the cursor moves through: directives and proposals, findings beyond the
        limit of one review, what could not be placed, choices and advice, then earlier
        rejections."""
        sheet = self.sheet
        beyond = [_BEYOND] if sheet is not None and sheet.suppressed and sheet.beyond else []
        earlier = [self._earlier] if self._earlier else []
        lost = sheet.unplaced if sheet is not None else ()
        group = self._edits
        edits: list[_Entry] = [group, *self._listed_edits] if group is not None else []
        return (*self.changes, *beyond, *edits, *lost, *self._counsel, *earlier)

    @property
    def changes(self) -> tuple[FixOrProposal, ...]:
        """The directives and the proposals, in reading order, but for the small changes."""
        own = [p for p in self._proposals if not p.proposal.is_line_edit]
        return changes_of(self.sheet, own)

    @property
    def line_edits(self) -> LineEdits | None:
        """The small changes, with their one row under the cursor."""
        entry = self._entry()
        return entry if isinstance(entry, LineEdits) else None

    @property
    def _edits(self) -> LineEdits | None:
        edits = [p for p in self._proposals if p.proposal.is_line_edit and p.stands != "gone"]
        return LineEdits(in_reading_order(edits), self.edits_listed) if edits else None

    @property
    def _listed_edits(self) -> tuple[PlacedProposal, ...]:
        group = self._edits
        return group.edits if group is not None and group.is_open else ()

    @property
    def directive_under_cursor(self) -> Directive | None:
        """The directive under the cursor."""
        entry = self._entry()
        return entry if isinstance(entry, Directive) else None

    @property
    def proposal(self) -> PlacedProposal | None:
        """The proposal with given words under the cursor."""
        entry = self._entry()
        return entry if isinstance(entry, PlacedProposal) else None

    @property
    def change(self) -> FixOrProposal | None:
        """The directive or the proposal under the cursor."""
        return self.directive_under_cursor or self.proposal

    @property
    def unplaced_under_cursor(self) -> Unplaced | None:
        """What could not be placed, under the cursor."""
        entry = self._entry()
        return entry if isinstance(entry, Unplaced) else None

    @property
    def counsel(self) -> Counsel | None:
        """The choice or the advice under the cursor."""
        entry = self._entry()
        return entry if isinstance(entry, Counsel) else None

    @property
    def open_choice(self) -> Counsel | None:
        """The choice under the cursor, if it is not answered yet."""
        counsel = self.counsel
        return counsel if counsel is not None and counsel.waits else None

    @property
    def open_pattern(self) -> Counsel | None:
        """The pattern under the cursor, if a place of it is not answered yet."""
        counsel = self.counsel
        is_open = (
            counsel is not None
            and counsel.kind == "pattern"
            and len(counsel.answers) < len(counsel.places)
        )
        return counsel if is_open else None

    @property
    def answered_choice(self) -> Counsel | None:
        """The choice under the cursor, if the writer has answered it."""
        counsel = self.counsel
        return counsel if counsel is not None and counsel.answer is not None else None

    @property
    def lists_several(self) -> bool:
        """Whether the row under the cursor stands for several findings that can only be read."""
        entry = self._entry()
        return isinstance(entry, str | tuple) and not isinstance(entry, LineEdits)

    def show(
        self,
        sheet: DirectiveSheet | None,
        writing: Mapping[str, str],
        empty: tuple[Line, ...] = (),
        counsel: Sequence[Counsel] = (),
        earlier: tuple[Rejected, ...] = (),
        *,
        proposals: Sequence[PlacedProposal] = (),
        in_book: bool = False,
    ) -> None:
        """Shows the directives, the proposals and the counsel of a chapter, or `empty` where there
        are none.

        With `in_book`, the chapter is committed and no directive waits for a decision.
        """
        before = _key(self._entry())
        chapters = [one.chapter if one is not None else 0 for one in (self.sheet, sheet)]
        is_other = chapters[0] != chapters[1] or in_book != self._in_book
        self._in_book = in_book
        self.sheet, self._empty, self._writing = sheet, empty, writing
        self._proposals = tuple(proposals)
        self._counsel, self._earlier = tuple(counsel), earlier
        keys = [_key(entry) for entry in self.entries]
        hers = [c for c in self._counsel if c.waits] if in_book and is_other else []
        if hers:
            self.index = keys.index(_key(hers[0]))  # no fix of the book waits, and her word does
        elif before in keys:
            self.index = keys.index(before)
        elif not before or self.index >= len(keys):
            waiting = [] if in_book else self._waiting
            self.index = keys.index(_key(waiting[0])) if waiting else 0
        self._draw()
        if before != _key(self._entry()):
            self.post_message(self.Moved())

    def move(self, step: int) -> None:
        """Moves the cursor by `step` entries, stopping at both ends."""
        self._go(min(max(0, self.index + step), max(0, len(self.entries) - 1)))

    def advance(self) -> None:
        """Moves the cursor to the next change that waits for a decision; among small changes that
        are listed, to the next of them."""
        if (edit := self.proposal) is not None and edit.proposal.is_line_edit:
            open_ids = [other.id for other in self._listed_edits if other.is_open]
            later = [name for name in open_ids if name > edit.id]
            self.go_to((later or open_ids or [edit.id])[0])
        elif changes := self.changes:
            self._go(directive_text.next_open(changes, self.index))

    def go_to_open(self) -> None:
        """Moves the cursor to the first entry that waits for the writer's word, a change before a
        choice that only she can make, unless the selected one does."""
        waiting = self._waiting
        if self._entry() not in waiting:
            self.go_to(_key(waiting[0]) if waiting else "")

    @property
    def _waiting(self) -> list[_Entry]:
        """What waits for the writer's word: the changes, then the choices."""
        changes: list[_Entry] = [change for change in self.changes if change.is_open]
        return [*changes, *(choice for choice in self._counsel if choice.waits)]

    def go_to_choice(self) -> None:
        """Moves the cursor to the first choice that only the writer can make and has not made,
        past the fixes in the text; unless the selected one is one."""
        waiting = [choice for choice in self._counsel if choice.waits]
        if waiting and self._entry() not in waiting:
            self.go_to(_key(waiting[0]))

    def note_decided(self, entry: FixOrProposal | LineEdits | Counsel) -> None:
        """Notes that the writer has just decided on an entry."""
        one = (self._chapter, _key(entry))
        self._decided = (*(other for other in self._decided if other != one), one)

    @property
    def last_decided(self) -> str:
        """The key of the entry whose decision she made last, of those that can be taken back;
        empty if there is none."""
        standing = {_key(entry) for entry in self.entries if _can_be_taken_back(entry)}
        own = (key for chapter, key in reversed(self._decided) if chapter == self._chapter)
        return next((key for key in own if key in standing), "")

    @property
    def _chapter(self) -> int:
        return self.sheet.chapter if self.sheet is not None else 0

    def go_to(self, change_id: str) -> None:
        """Moves the cursor to the directive or the proposal with this id."""
        ids = [_key(entry) for entry in self.entries]
        if change_id in ids:
            self._go(ids.index(change_id))

    def watch_expanded(self) -> None:
        """Redraws the details of the selected entry in their longer or shorter form."""
        self._draw()

    def watch_edits_listed(self) -> None:
        """Lists the small changes one by one, or folds them into their row again."""
        self._draw()

    def on_directive_rows_clicked(self, message: DirectiveRows.Clicked) -> None:
        """Moves the cursor to the clicked row and takes the focus."""
        self.focus()
        self._go(message.index)

    def read_on(self, pages: int) -> None:
        """Scrolls the details by this number of pages."""
        detail = self.query_one(LinesView)
        detail.scroll_relative(y=pages * max(1, detail.size.height - 1), animate=False)

    def on_mouse_scroll_down(self) -> None:
        """Scrolls the details with the mouse wheel."""
        self.query_one(LinesView).scroll_relative(y=2, animate=False)

    def on_mouse_scroll_up(self) -> None:
        """Scrolls the details with the mouse wheel."""
        self.query_one(LinesView).scroll_relative(y=-2, animate=False)

    def _entry(self) -> _Entry | None:
        entries = self.entries
        return entries[self.index] if self.index < len(entries) else None

    def _go(self, index: int) -> None:
        if index != self.index:
            self.index = index
            self._draw()
            self.post_message(self.Moved())

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        own = [p for p in self._proposals if not p.proposal.is_line_edit]
        rows = tuple(list_review(self.sheet, self._counsel, self._earlier, own, self._edits))
        self.query_one(DirectiveRows).show(rows, self.index)
        self.query_one(LinesView).show(self._detail(), keep_place=bool(self._writing))

    def _detail(self) -> list[Line]:
        directive = self.directive_under_cursor
        if self.counsel is not None:
            return [line(), *counsel_detail(self.counsel)]
        if self._entry() == _BEYOND and self.sheet is not None:
            return [line(), *beyond_lines(self.sheet, expanded=self.expanded)]
        if (group := self.line_edits) is not None:
            return [line(), *edits_detail(group)]
        if (lost := self.unplaced_under_cursor) is not None:
            return [line(), *unplaced_detail(lost, in_book=self._in_book)]
        if (placed := self.proposal) is not None:
            others = directive_text.neighbours(self.changes, placed)
            return [line(), *proposal_detail(placed, others, expanded=self.expanded)]
        if directive is None:
            return [line(), *earlier_lines(self._earlier)] if self._earlier else list(self._empty)
        detail = directive_text.detail(
            directive,
            directive_text.neighbours(self.changes, directive),
            writing=self._writing.get(directive.id, ""),
            expanded=self.expanded,
            in_book=self._in_book,
        )
        return [line(), *detail]


def _can_be_taken_back(entry: _Entry) -> bool:
    """Whether something that she decided on an entry still stands."""
    if isinstance(entry, Directive):
        steps: tuple[DirectiveStep, ...] = ("undo", "lift")
        return any(allows(entry.status, step, entry.stands) for step in steps)
    if isinstance(entry, PlacedProposal):
        return entry.proposal.allows("undo")
    if isinstance(entry, LineEdits):
        return bool(entry.counts[1])
    return isinstance(entry, Counsel) and entry.answer is not None


def _key(entry: _Entry | None) -> str:
    """Returns the key by which an entry is recognized after the list has been read again."""
    if isinstance(entry, Directive | PlacedProposal):
        return entry.id
    if isinstance(entry, LineEdits):
        return "line edits"
    if isinstance(entry, Unplaced):
        return f"unplaced {entry.label} {entry.quote} {entry.issue}"
    if isinstance(entry, str):
        return entry
    if isinstance(entry, tuple):
        return "earlier"
    return f"{entry.kind} {entry.issue}" if entry is not None else ""

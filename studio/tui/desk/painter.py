"""The drawing of the desk: each pane and line, the title line too, from the desk's state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from rich.cells import cell_len, set_cell_size
from textual.screen import Screen
from textual.widgets import Static

from studio.i18n import N_, _, as_label, translate
from studio.tui.book import Book, CurrentChapter
from studio.tui.views.lengths import both_counts
from studio.tui.views.outline.row_text import chapter_beside_number
from studio.tui.views.outline.rows import with_present, with_ways
from studio.tui.views.run.moment import ChapterSpending
from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from studio.tui.widgets.styled import fill

if TYPE_CHECKING:
    from collections.abc import Iterable

    from studio.errors import Problem
    from studio.tui.desk.state import DeskState, Pane
    from studio.tui.studio import Studio
    from studio.tui.views.prose.marks import ParagraphRange
    from studio.tui.views.prose.passages import About
    from studio.tui.views.situation import Situation
    from studio.tui.widgets.diff_view import DiffView
    from studio.tui.widgets.directives_pane import DirectivesPane
    from studio.tui.widgets.lines_view import LinesView
    from studio.tui.widgets.saved_texts_list import KeptList
    from studio.tui.widgets.stage_bar import StageBar


def title_line(
    book: Book | None,
    current: CurrentChapter | None,
    model: str,
    width: int,
    scenes: Iterable[str] = (),
) -> Line:
    """Returns the novel, the chapter on the screen with its length where there is room, which is
    that of `scenes` while they are being written, and at the right the model in use."""
    if book is None:
        return (Phrase("studio", "strong"),)
    pieces = [Phrase(book.title, "strong")]
    if current is not None:
        number, title = chapter_beside_number(current.chapter, chapter_title(book, current))
        pieces.append(Phrase("  ›  " + f"{number} {title}".strip()))
    cells = sum(cell_len(piece.text) for piece in pieces)
    paragraphs = [row for scene in scenes for row in scene.splitlines()]
    counts = both_counts(paragraphs, book.unit) if paragraphs and book.unit else ""
    counts = counts or _counts(book, current)
    if counts and cells + 3 + cell_len(counts) <= width - 2:
        pieces.append(Phrase(f"   {counts}", "quiet"))
        cells += 3 + cell_len(counts)
    room = width - 2 - cells - 2
    if room < 8 or not model:
        return tuple(pieces)
    short = model if cell_len(model) <= room else set_cell_size(model, room - 1) + "…"
    return (*pieces, Phrase(" " * (width - 2 - cells - cell_len(short))), Phrase(short, "quiet"))


def _counts(book: Book, current: CurrentChapter | None) -> str:
    """Returns the length of the chapter on the screen, with spaces and without, where the novel
    counts one of them (SERIAL 2.1)."""
    if current is None or current.text is None or book.unit is None:
        return ""
    return both_counts((p.text for s in current.text.scenes for p in s.paragraphs), book.unit)


def chapter_title(book: Book, current: CurrentChapter) -> str:
    """Returns the chapter's own title, or else the planned one."""
    if current.text is not None and current.text.title:
        return current.text.title
    entry = book.contents.entry(current.chapter)
    return entry.title if entry else ""


_LATE = N_("notices changes late")
_WIDE = 100
"""Columns from which the line above the panes has room for both amounts of a price."""


class PaintedDesk(Protocol):
    """The desk, as its painter sees it."""

    @property
    def state(self) -> DeskState:
        """The desk's present state."""

    @property
    def studio(self) -> Studio:
        """The app as the studio's protocol: its keys in force."""

    @property
    def directives(self) -> DirectivesPane:
        """The right pane."""

    def situation(self) -> Situation:
        """Returns the facts that actions check."""

    def go_to_tab(self, tab: str) -> None:
        """Switches the text pane to a tab."""


class Painter:
    """Draws the desk; each part can be drawn on its own."""

    def __init__(self, desk: PaintedDesk, screen: Screen[Any]) -> None:
        self._desk = desk
        self._state = desk.state
        self._screen = screen

    # Widgets

    @property
    def outline_list(self) -> OutlineList:
        """The left pane."""
        return self._screen.query_one(OutlineList)

    @property
    def prose(self) -> ProseView:
        """The view of the text."""
        return self._screen.query_one(ProseView)

    @property
    def stage_bar(self) -> StageBar:
        """The bar with the stages of the chapter in progress."""
        return cast("StageBar", self._screen.query_one("#stages"))

    @property
    def diff_view(self) -> DiffView:
        """The view in the Diff tab."""
        return cast("DiffView", self._screen.query_one("#diff"))

    @property
    def variations(self) -> KeptList:
        """The list in the Variations tab."""
        return cast("KeptList", self._screen.query_one("#variations"))

    def page(self, tab: Literal["plan", "context"]) -> LinesView:
        """Returns the view in a tab of lines."""
        return cast("LinesView", self._screen.query_one(f"#{tab}"))

    def is_in_sight(self, pane: Pane) -> bool:
        """Whether the window has room for a pane now."""
        return self._screen.query_one(f"#{pane}-pane").display

    # Drawn from the first frame on

    def title(self) -> None:
        """Draws the line at the head, with a badge if changes are polled for instead of
        notified."""
        state = self._state
        right = " · ".join(filter(None, (_(_LATE) if state.notices_late else "", state.model)))
        run, current, width = state.run, state.current, self._screen.size.width or 80
        is_here = run.running and current is not None and run.chapter == current.chapter
        scenes = run.texts.values() if is_here else ()
        words = title_line(state.book, current, right, width, scenes)
        fill(self._screen.query_one("#title-line", Static), words)

    def outline(self) -> None:
        """Draws the left pane."""
        state = self._state
        if state.book is not None:
            now = self._desk.situation()
            is_drafting = state.run.running and not (now.in_steps and now.unplanned)
            number = state.run.chapter if is_drafting else None
            volumes = with_present(state.volumes, state.book, state.current, number)
            self.outline_list.model = with_ways(volumes, state.book, asleep=state.run.running)

    def too_small(self) -> None:
        """Draws the notice for a window that is too small, once it is there."""
        size = self._screen.app.size
        words = _(
            "The studio needs 60 columns and 15 rows; this is {width}x{height}.",
            width=size.width,
            height=size.height,
        )
        for row in self._screen.query("#too-small").results(Static):
            fill(row, words)

    # Drawn once every widget exists

    def rest(self) -> None:
        """Draws everything but the outline, the text and the foot."""
        self.title()
        self.plan()
        self.directives()
        self.diff()
        self.stages()
        self.notice()
        self.direction()

    def directives(self) -> None:
        """Draws the right pane, and the marks in the text."""
        from studio.tui.desk.text import empty_directives
        from studio.tui.views.review import directive_text

        state, current = self._state, self._state.current
        counsel, earlier = (current.counsel, current.earlier) if current else ((), ())
        proposals = current.proposals if current else ()
        now = self._desk.situation()
        empty = empty_directives(now, state.has_model, self._price())
        self._desk.directives.show(
            state.sheet,
            state.run.rewrites,
            empty,
            counsel,
            earlier,
            proposals=proposals,
            in_book=not now.directives_here,
        )
        count = directive_text.counter(self._desk.directives.changes)
        title = (Phrase(_("Your review"), "heading"), Phrase(f"  {count}", "accent"))
        fill(self._screen.query_one("#directives-title", Static), title)
        self.room()
        self.mark()

    def _price(self, *, brief: bool = False) -> str:
        """Returns what w costs, in words; empty where that is nothing or was not looked up."""
        price = self._state.writing_price
        return "" if price is None else translate(price.brief if brief else price.words)

    def mark(self) -> None:
        """Highlights the passage of the selected entry, and the words it quotes."""
        entry = self._in_question()
        self.prose.cursor.use(not self._state.run.running)
        self.prose.highlight(*((entry.passage,) if entry else ()))
        self.prose.mark(entry.words if entry else ())
        current = self._state.current
        is_in_view = current and current.text and current.text.text == self._state.in_view
        self.prose.show_locks(current.locked if current and is_in_view else ())

    @property
    def passage_at_hand(self) -> ParagraphRange | None:
        """The passage that is selected in the text, else the paragraph she chose there, else that
        of the entry in question."""
        if selected := self.prose.selector.passages:
            return selected[0]
        chosen = self.prose.cursor.chosen if self._state.pane == "text" else None
        entry = self._in_question()
        return chosen or (entry.passage if entry else None)

    def _in_question(self) -> About | None:
        now = self._desk.situation()
        at_hand = self._state.pane == "directives" or now.pending or now.choices
        return self._about() if at_hand else None

    def _about(self) -> About | None:
        """Returns the passage of the entry under the cursor."""
        from studio.tui.views.prose.passages import about, place_of_counsel, place_of_offer

        pane, text = self._desk.directives, self._state.text
        if pane.change is not None:
            return about(text, pane.change)
        if pane.unplaced_under_cursor is not None:
            return place_of_offer(text, pane.unplaced_under_cursor)
        return place_of_counsel(text, pane.counsel) if pane.counsel is not None else None

    def reveal(self) -> None:
        """Scrolls to the passage of the entry under the cursor, or to its fix; of a choice, to the
        words it quotes."""
        pane = self._desk.directives
        directive, placed = pane.directive_under_cursor, pane.proposal
        has_fix = directive is not None and (directive.result or directive.edited_text is not None)
        in_text = placed is not None and placed.status == "applied"
        if (entry := self._about()) is not None:
            self._desk.go_to_tab("diff" if has_fix or in_text else "draft")
            self.prose.go_to(entry.passage.scene, entry.passage.first)

    def plan(self) -> None:
        """Draws the plan tab."""
        from studio.tui.desk.text import plan_lines

        current, now = self._state.current, self._desk.situation()
        is_asked = now.running and self._state.run.waits is not None
        if current is not None and is_asked and now.in_steps and now.unplanned:
            words = _("The model is asked. What it proposes opens here as a page; Esc stops it.")
            self.page("plan").show((line(), line(words, "quiet")))
        elif current is None or (now.in_steps and now.unplanned):
            self.page("plan").show(())  # the line above the panes says it
        else:
            self.page("plan").show(plan_lines(current, self._desk.studio.keymap))

    def notice(self) -> None:
        """Draws the notice line above the panes."""
        from studio.tui.actions import BY_ID
        from studio.tui.actions.advice import said_in_keys
        from studio.tui.desk.text import notice, notice_of_half_version
        from studio.tui.widgets.action_line import ActionLine, Hint

        bar, book = self._screen.query_one("#notice", ActionLine), self._state.book
        now = self._desk.situation()
        fixes = self._undecided_fixes() if now.directives_here else 0
        has_room = self._screen.size.width >= _WIDE
        price, failure = self._price(brief=not has_room), self.failure()
        message = notice(book, now, now.approved, fixes, failure, price, has_room) if book else None
        if book and failure is None and not (now.running or book.trouble or book.elsewhere):
            message = notice_of_half_version(self._state.half_versions, now, message) or message
        bar.display = message is not None
        if message is not None:
            offers = [Hint(BY_ID[i], title) for i, title in message.offers]
            bar.show(said_in_keys(message.words, self._desk.studio.keymap), offers)

    def direction(self) -> None:
        """Draws what the writer wants of the chapter, until a draft has used it."""
        from studio.pipeline.direction import is_used
        from studio.story.checkpoint import Checkpoint
        from studio.tui.actions import BY_ID
        from studio.tui.widgets.action_line import ActionLine, Hint

        state, bar = self._state, self._screen.query_one("#kept-direction", ActionLine)
        checkpoint = state.book.checkpoint if state.book else None
        over = isinstance(checkpoint, Checkpoint) and is_used(checkpoint)
        words = "" if over and state.typed_direction is None else state.direction
        bar.display = bool(words) and not self._screen.query_one("#direction").display
        if words:
            named = (Phrase(as_label(_("Direction")), "quiet"), Phrase(words, "accent"))
            bar.show(named, [Hint(BY_ID["desk.direction"], _("Change"))])

    def failure(self) -> Problem | None:
        """Returns the problem that ended the last run of the chapter in progress, in this sitting
        or before it."""
        from studio.pipeline.outcome import Failed

        run, book = self._state.run, self._state.book
        if book is None:
            return None
        is_about_it = run.chapter in (None, book.checkpoint.inflight_chapter)
        if is_about_it and isinstance(run.outcome, Failed):
            return run.outcome.problem
        before_it = book.checkpoint.failure
        return before_it.problem if before_it is not None else None

    def _undecided_fixes(self) -> int:
        """Returns how many applied fixes the writer has neither kept nor undone."""
        sheet = self._state.sheet
        return sum(d.status == "applied" for d in sheet.directives) if sheet else 0

    def stages(self) -> None:
        """Draws the stage bar: the stages of the run, or else those of the chapter in progress."""
        from studio.tui.desk.text import resting_stages

        run, book = self._state.run, self._state.book
        if not run.running and book is not None:
            run = run._replace(stages=resting_stages(book.checkpoint), stage=None)
            if run.chapter not in (None, self._state.chapter):  # what another chapter has cost
                run = run._replace(spending=ChapterSpending())
        self.stage_bar.show(run)
        self.room()

    def room(self) -> None:
        """Gives the text the room of the directives where there are none: while a chapter is
        written, and beside a chapter of the book of which nothing is proposed."""
        state, run = self._state, self._state.run
        begun = any(run.stages.get(stage) for stage in ("judge", "review"))
        writing = run.running and not begun and state.sheet is None
        in_book = self._desk.situation().current_is_committed
        unneeded = writing or (in_book and not self._lists_anything)
        # Set on the pane: a class on the screen would make Textual restyle all its widgets.
        pane = self._screen.query_one("#directives-pane")
        pane.set_class(unneeded and state.pane != "directives", "-unneeded")

    @property
    def _lists_anything(self) -> bool:
        """Whether the right pane has an entry; in the first frame it has none yet."""
        return any(
            cast("DirectivesPane", pane).entries for pane in self._screen.query("#directives")
        )

    def diff(self) -> None:
        """Draws the change a directive or a proposal made or would make, or else the chapter's
        difference from before."""
        from studio.text.oracle.fix_effect import statement
        from studio.tui.views.review.proposal_text import before_and_after

        view, directive = self.diff_view, self._desk.directives.directive_under_cursor
        state, language = self._state, self._state.language
        if directive is not None and directive.result is not None:
            result, effect = directive.result, translate(statement(directive))
            if directive.status == "undone":
                effect = _("It is taken back; this is what the fix had made of the passage.")
            view.show(result.before, result.after, language, head=effect)
        elif directive is not None and (rewrite := state.run.rewrites.get(directive.id)):
            view.show(directive.current_text, rewrite, language, finished=False)
        elif directive is not None and directive.edited_text is not None:
            view.show(directive.current_text, directive.edited_text, language)
        elif (placed := self._desk.directives.proposal) is not None:
            view.show(*before_and_after(placed.proposal), language)
        elif state.current and state.current.text and state.current.base is not None:
            view.show(state.current.base, state.current.text.text, language)
        else:
            view.show("", "", language, head=_("Nothing to compare here yet."))

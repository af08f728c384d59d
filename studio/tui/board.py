"""The board: the book at the top, then chapters, promises, people and storylines, as rows; and
their page, read off the event loop, from which Enter goes to the chapter of a row.

The rows are pure. Everything is drawn with blocks of one cell, and repeated in numbers or words
beside them: nothing depends on colour.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.book.figures import BookFigures, ChapterFigures
from studio.book.promises import PromiseSoFar
from studio.chapter_names import label_of
from studio.errors import StudioError
from studio.i18n import _, ngettext, series, translate
from studio.project.author.book_length import BookLength
from studio.story.form.slugs import name_of_id
from studio.story.review.scores import score_words
from studio.text.oracle.patterns import FORM_NAMES
from studio.text.safe import safe_text
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.views import signs
from studio.tui.views.lengths import unit_words
from studio.tui.views.run.stage_line import cents
from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.book.figures import BookFigures
    from studio.project.author.book_length import BookLength
    from studio.session import Session


_PROMISED = (signs.PLANTED, signs.TOUCHED, signs.PAID, signs.DUE)
_BETWEEN = " · "
"""Between the parts of the head."""
_BAR = 16
"""Cells of the bar that compares a chapter's length with its plan."""
_TITLE = 22
_NAME = 14
_PROMISE = 30
"""Cells of a promise's first words."""


class BoardRow(NamedTuple):
    """A row, and where Enter leads."""

    words: Line
    chapter: int | None = None
    """The chapter that Enter opens; None for a heading."""
    is_trouble: bool = False


def board_rows(
    figures: BookFigures, book: BookLength, *, width: int, ascii_only: bool = False
) -> list[BoardRow]:
    """Returns all rows of the board, fitted to a width in cells."""
    bars = signs.ASCII_LEVELS if ascii_only else signs.LEVELS
    rows = [BoardRow(line()), *_chapters(figures, unit_words(book.unit), bars, width)]
    for heading, group in (
        (_("Promises"), list(_promises(figures, width, ascii_only))),
        (_("People"), list(_people(figures, bars))),
        (_("Storylines"), list(_lines(figures, ascii_only))),
        (_("Far too often"), list(_tics(figures))),
    ):
        if group:
            rows += [BoardRow(line()), BoardRow(line(heading, "heading")), *group]
    rows[:0] = map(BoardRow, head_lines(figures, book, width))
    return [row._replace(words=_within(row.words, width)) for row in rows]


def head_lines(figures: BookFigures, book: BookLength, width: int) -> Iterator[Line]:
    """Yields the head, `3 of 8 chapters · 5,365 of 19,000 words · due 2027-03-14: 310 a day`, in as
    many lines as the width needs: goal, buffer and date are never cut."""
    words = ""
    for part in _head(figures, book):
        longer = f"{words}{_BETWEEN}{part}" if words else part
        if words and cell_len(longer) > width:
            yield line(words, "strong")
            longer = part
        words = longer
    yield line(words, "strong")


def _head(figures: BookFigures, book: BookLength) -> list[str]:
    written = sum(1 for chapter in figures.chapters if chapter.length)
    unit = unit_words(book.unit)
    goal = book.goal or sum(max(c.planned, c.length) for c in figures.chapters)
    parts = [
        _("{written} of {all} chapters", written=written, all=len(figures.chapters)),
        _("{length} of {goal} {unit}", length=f"{book.length:,}", goal=f"{goal:,}", unit=unit),
    ]
    if book.day_goal:
        goal_words = _(
            "today {count} of {goal}", count=f"{book.today:+,}", goal=f"{book.day_goal:,}"
        )
        parts.append(goal_words)
    elif book.today:
        parts.append(_("today {today}", today=f"{book.today:+,}"))
    if book.buffer is not None:
        chapters = ngettext("{n} chapter", "{n} chapters", book.buffer)
        parts.append(_("buffer {chapters}", chapters=chapters))
    if book.due and book.per_day is not None:
        due = _day(book.due)
        parts.append(_("due {due}: {pace} a day", due=due, pace=f"{book.per_day:,}"))
    troubles = sum(1 for chapter in figures.chapters if chapter.troubles)
    if troubles:
        parts.append(ngettext("{n} chapter to look at", "{n} chapters to look at", troubles))
    return parts


def _day(iso: str) -> str:
    try:
        day = date.fromisoformat(iso)
    except ValueError:
        return iso
    return _("{day}.{month}.{year}", day=day.day, month=day.month, year=day.year)


def _chapters(figures: BookFigures, unit: str, bars: str, width: int) -> Iterator[BoardRow]:
    digits = max((cell_len(label_of(c.chapter)) for c in figures.chapters), default=1)
    marks = 2 if any(c.is_changed_there is not None for c in figures.chapters) else 0
    most = max((max(c.length, c.planned) for c in figures.chapters), default=1) or 1
    room = max(8, min(_TITLE, width - digits - marks - _BAR - 34))
    unit_width = max(8, cell_len(unit) + 1)  # aligned with the end of the numbers below
    cells = (
        ("", digits + marks + 3),
        (_("Chapter"), room + 8 - unit_width),
        (" " * (unit_width - cell_len(unit)) + unit, unit_width),
        ("", 2),
        (_("against the plan"), _BAR),
        ("", 1),
        (_("score"), 6),
    )
    head = "".join(_cell(words, width) for words, width in cells) + _("cost")
    yield BoardRow(line(head, "quiet"))
    for chapter in figures.chapters:
        yield BoardRow(
            _chapter(chapter, digits, marks, room, most, bars),
            chapter.chapter,
            bool(chapter.troubles),
        )


def _chapter(
    chapter: ChapterFigures, digits: int, marks: int, room: int, most: int, bars: str
) -> Line:
    mark = Phrase(f"{signs.LOOK.glyph} ", signs.LOOK.tone) if chapter.troubles else Phrase("  ")
    count = f"{chapter.length:>7,}" if chapter.length else f"{signs.NO_TEXT.glyph:>7}"
    score = f"{score_words(chapter.score):>4}" if chapter.score is not None else "    "
    low = chapter.score is not None and chapter.score < 3
    cost = cents(chapter.cost_usd) if chapter.cost_usd else ""
    why = series(_(signs.TROUBLES[name][0]) for name in chapter.troubles)
    return (
        Phrase(f"{label_of(chapter.chapter):>{digits}} "),
        mark,
        _publication(chapter, marks, bars),
        Phrase(_cell(safe_text(chapter.title, keep_newlines=False), room)),
        Phrase(f" {count}  "),
        *_against_plan(chapter, most, bars),
        Phrase(f" {score} ", "bad" if low else "good"),
        Phrase(f" {cost}", "quiet"),
        Phrase(f"  {why}" if why else "", "warn"),
    )


def _publication(chapter: ChapterFigures, room: int, bars: str) -> Phrase:
    """Returns the mark of a published chapter; no cell in a book of which nothing is published."""
    if chapter.is_changed_there is None:
        return Phrase(" " * room)
    sign = signs.TO_PUT_THERE if chapter.is_changed_there else signs.PUBLISHED
    return Phrase(_cell(sign.draw(bars is signs.ASCII_LEVELS), room), sign.tone)


def _against_plan(chapter: ChapterFigures, most: int, bars: str) -> tuple[Phrase, ...]:
    """Returns a bar: full blocks for what is written, a line for the rest of the plan."""
    written = round(_BAR * chapter.length / most)
    if chapter.length:
        written = max(1, written)
    planned = round(_BAR * chapter.planned / most)
    rest = max(0, planned - written)
    line_ = signs.WORDS_PLANNED.draw(bars is signs.ASCII_LEVELS)
    return (
        Phrase(bars[-1] * written, "accent"),
        Phrase(line_ * rest, "quiet"),
        Phrase(" " * max(0, _BAR - written - rest)),
    )


def _promises(figures: BookFigures, width: int, ascii_only: bool) -> Iterator[BoardRow]:
    last = max(
        [c.chapter for c in figures.chapters] + [p.plan.due or 0 for p in figures.promises],
        default=0,
    )
    room = max(1, min(last, width - _PROMISE - 20))
    for promise in figures.promises:
        yield _promise(promise, figures.next_chapter, last, room, ascii_only)


def _promise(
    promise: PromiseSoFar, following: int, last: int, room: int, ascii_only: bool
) -> BoardRow:
    """Returns the row of a promise's way through the chapters: planted, touched, paid, and where
    it is due."""
    kinds = [sign.draw(ascii_only) for sign in _PROMISED]
    cells = [signs.WORDS_PLANNED.draw(ascii_only)] * room

    def put(chapter: int | None, sign: str) -> None:
        if chapter and last:
            cells[min(room - 1, (chapter - 1) * room // last)] = sign

    put(promise.plan.due, kinds[3])
    for event in promise.events:
        sign = {"planted": kinds[0], "resolved": kinds[2]}.get(event.kind, kinds[1])
        put(event.chapter, sign)
    late = promise.is_overdue(following)
    if promise.chapter_of_payment:
        words = _("paid in {n}", n=promise.chapter_of_payment)
    elif late:
        words = _("was due in {n} !", n=promise.plan.due)
    elif promise.plan.due:
        words = _("due in {n}", n=promise.plan.due)
    else:
        words = _("open") if promise.is_open else _("planned")
    target = promise.last or promise.plan.due or following
    words_of_it = promise.words or name_of_id(promise.id)
    name = safe_text(words_of_it, keep_newlines=False)
    pieces = (
        Phrase(f"  {_cell(name, _PROMISE)} "),
        Phrase("".join(cells), "accent"),
        Phrase(f"  {words}", "warn" if late else "quiet"),
    )
    return BoardRow(pieces, target, late)


def _people(figures: BookFigures, bars: str) -> Iterator[BoardRow]:
    """Yields how much of each chapter is about whom, the most present people first."""
    sums: dict[str, int] = {}
    for chapter in figures.chapters:
        for slug, count in chapter.people.items():
            sums[slug] = sums.get(slug, 0) + count
    for slug in sorted(sums, key=lambda name: -sums[name])[:12]:
        counts = [chapter.people.get(slug, 0) for chapter in figures.chapters]
        most = max(counts)
        cells = "".join(_block(count, most, bars) for count in counts)
        there = [c.chapter for c, count in zip(figures.chapters, counts, strict=True) if count]
        name = safe_text(figures.names.get(slug) or name_of_id(slug), keep_newlines=False)
        words = _("last in {n}", n=there[-1])
        pieces = (
            Phrase(f"  {_cell(name, _NAME)} "),
            Phrase(cells, "accent"),
            Phrase(f"  {words}", "quiet"),
        )
        yield BoardRow(pieces, there[-1])


def _tics(figures: BookFigures) -> Iterator[BoardRow]:
    """Yields what the book has far too often; Enter opens the chapter that has the most of it."""
    for tic in figures.tics:
        words = translate(FORM_NAMES[tic.words]) if tic.is_form else f"“{tic.words}”"
        sentence = _(
            "{words}: {count} times in {chapters} chapters; published prose of this length has it"
            " {usual}",
            words=safe_text(words),
            count=tic.count,
            chapters=len(tic.chapters),
            usual=f"{tic.usual:.0f}" if tic.usual >= 1 else f"{tic.usual:.1g}",
        )
        most = max(tic.chapters, key=lambda number: (tic.chapters[number], -number))
        yield BoardRow(line(sentence), most)


def _lines(figures: BookFigures, ascii_only: bool) -> Iterator[BoardRow]:
    """Yields which chapters belong to each storyline."""
    slugs = dict.fromkeys(chapter.line for chapter in figures.chapters if chapter.line)
    full, gap = signs.OF_LINE.draw(ascii_only), signs.NO_TEXT.draw(ascii_only)
    for slug in slugs:
        own = [chapter.chapter for chapter in figures.chapters if chapter.line == slug]
        cells = "".join(full if chapter.line == slug else gap for chapter in figures.chapters)
        name = safe_text(figures.names.get(slug) or name_of_id(slug), keep_newlines=False)
        words = ngettext("{n} chapter", "{n} chapters", len(own))
        pieces = (
            Phrase(f"  {_cell(name, _NAME)} "),
            Phrase(cells, "accent"),
            Phrase(f"  {words}", "quiet"),
        )
        yield BoardRow(pieces, own[-1])


def _block(count: int, most: int, bars: str) -> str:
    """Returns one cell for an amount; an amount above zero is never drawn as empty."""
    if not count or not most:
        return bars[1]
    return bars[max(2, round(count / most * (len(bars) - 1)))]


def _within(words: Line, width: int) -> Line:
    """Returns the pieces that fit; a cut one ends with an ellipsis."""
    pieces: list[Phrase] = []
    room = width
    for piece in words:
        cells = cell_len(piece.text)
        if cells > room:
            pieces.append(piece._replace(text=_cell(piece.text, room)) if room > 1 else Phrase(""))
            break
        pieces.append(piece)
        room -= cells
    return tuple(pieces)


def _cell(text: str, room: int) -> str:
    """Returns the text in exactly that many cells."""
    if cell_len(text) > room:
        return set_cell_size(text, room - 1) + "…"
    return set_cell_size(text, room)


# The page


class BoardScreen(StudioScreen, Screen[int | None]):
    """The page of the board; returns the chapter to go to, or None."""

    CSS_PATH = "board.tcss"
    WHERE = ("board",)

    def __init__(self, session: Session, chapter: int | None) -> None:
        """`chapter`: the one on which the cursor starts."""
        super().__init__()
        self._session = session
        self._begin = chapter
        self._book: tuple[BookFigures, BookLength] | None = None
        self.rows: list[BoardRow] = []

    def compose(self) -> ComposeResult:
        """Yields the title, the rows and the hints."""
        title = Phrase(self._session.settings.novel.title, "heading")
        yield Static(content(title), id="board-title")
        yield OptionList(id="board")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the book, and shows it."""
        board = self.query_one(OptionList)
        board.add_option(Option(content(Phrase(_("Looking at the book …"), "quiet"))))
        board.focus()
        self.show_hints()
        self.run_worker(self._begin_to_show(), group="read")

    async def _begin_to_show(self) -> None:
        try:
            self._book = await asyncio.to_thread(self._read)
        except StudioError as error:
            self.studio.tell(error.problem)
            self.dismiss(None)
            return
        self.query_one(OptionList).highlighted = None
        self._show(self._begin)

    def _read(self) -> tuple[BookFigures, BookLength]:
        from studio.book.figures import figures_of
        from studio.project.author.book_length import book_length
        from studio.project.index import brought_up_to_date
        from studio.project.planning.her_length import targets_of_book
        from studio.story.lengths import unit_in
        from studio.text.language.packs import for_form, load_pack

        store, settings = self._session.store, self._session.settings
        contents = brought_up_to_date(store, unit_in(settings))
        pack = for_form(load_pack(settings.novel.language), settings.novel.is_serial)
        usual = targets_of_book(store, settings).chapter_length
        by_first_person = settings.novel.narration.startswith("first")
        figures = figures_of(store, contents, usual, pack, by_first_person=by_first_person)
        lengths = {c.chapter: c.length for c in figures.chapters if c.length}
        today = datetime.now(UTC).astimezone().date()
        return figures, book_length(store, settings, lengths, today)

    def _show(self, chapter: int | None = None) -> None:
        if self._book is None:
            return
        width = self.size.width - 4
        self.rows = board_rows(*self._book, width=width, ascii_only=self.studio.ascii_only)
        board = self.query_one(OptionList)
        at = board.highlighted
        board.clear_options()
        rows = [Option(content(row.words), disabled=row.chapter is None) for row in self.rows]
        board.add_options(rows)
        places = [i for i, row in enumerate(self.rows) if row.chapter is not None]
        wanted = [i for i in places if self.rows[i].chapter == chapter]
        if chapter is None and at is not None and at < len(self.rows):
            board.highlighted = at
        elif wanted or places:
            board.highlighted = (wanted or places)[0]

    def on_resize(self, event: Resize) -> None:
        """Fits the rows to the width."""
        super().on_resize(event)
        self._show()

    @performs("board.problem")
    def next_problem(self) -> None:
        """Moves to the next row that needs another look, wrapping around at the end."""
        board = self.query_one(OptionList)
        troubles = [i for i, row in enumerate(self.rows) if row.is_trouble]
        here = board.highlighted or 0
        if not troubles:
            self.studio.say(_("No chapter wants another look."))
        else:
            board.highlighted = next((i for i in troubles if i > here), troubles[0])

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Goes to the row chosen by Enter or a click."""
        if self._book is None:
            return
        self.dismiss(self.rows[message.option_index].chapter)

    @performs("board.go")
    def go(self) -> None:
        """Goes to the chapter of the marked row."""
        at = self.query_one(OptionList).highlighted
        if at is not None:
            self.dismiss(self.rows[at].chapter)

    @performs("board.close")
    def close(self) -> None:
        """Closes the board."""
        self.dismiss(None)

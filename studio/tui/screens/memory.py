"""What the book remembers: bible, promises, knowledge, contradictions, lines of a prompt; and what
a model can read for each, at what cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.errors import StudioError, usage
from studio.i18n import N_, _, series, translate
from studio.tui.actions import BY_ID, Action, of
from studio.tui.performs import performs
from studio.tui.runtime.bridge import Bridge
from studio.tui.runtime.wait_clock import WaitClock
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.views.key_names import first_key
from studio.tui.views.pages.memory_rows import (
    LEFT,
    STANDINGS,
    TABS,
    MemoryRow,
    OfferedRow,
    Tab,
    named_rows,
    proposed_promise_rows,
    rows_of,
    waiting_rows,
)
from studio.tui.views.words import Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from studio.book.entries_from_names import Suggestion
    from studio.pipeline.book_runs.continuity_checking import ContinuityReader
    from studio.pipeline.book_runs.promise_reading import PromiseReader
    from studio.session import Session
    from studio.story.ledger import Estimate
    from studio.tui.runtime.bridge import RunWork


_TOGETHER = 10
"""The number of latest chapters that are checked against each other."""


class OfferedReading(NamedTuple):
    """A reading that a model could do."""

    price: str
    """A sentence that says what is read, by whom and for how much."""
    work: RunWork


def reading_of(tab: Tab, session: Session, chapter: int) -> OfferedReading:
    """Returns what a model would read for a tab as `chapter` begins; calls no model.

    Raises StudioError (exit 2) if there is nothing to read for it, or no model that can.
    """
    if tab == "bible":
        return _names(session)
    if tab == "continuity":
        words = N_(
            "It reads chapters {first} to {last} against each other and tries to disprove what it "
            "finds."
        )
        return _read_chapters(session.continuity_reader(), chapter, words, 2)
    if tab == "promises":
        words = N_(
            "It reads chapters {first} to {last} for what they promise the reader and what they do "
            "for existing promises. Its proposals wait here until you take or leave them."
        )
        return _read_chapters(session.promise_reader(), chapter, words, 1)
    raise usage(
        _("A model reads for the bible, for promises and for contradictions."),
        _("Turn to one of these pages."),
    )


def _names(session: Session) -> OfferedReading:
    from studio.book.entries_from_names import suggestions

    offered = suggestions(session.store, session.settings.novel.language)
    filler = session.entry_filler()
    price = filler.price(offered)
    if not price.calls:
        raise usage(_("Every name that occurs often enough in the book has its entry."), "")
    words = _("For names without an entry, it says what the chapters tell about them, with quotes.")
    return OfferedReading(
        _say_price(words, price.calls, price.model, price.cost),
        lambda hear: filler.fill(offered, hear),
    )


def _read_chapters(
    reader: PromiseReader | ContinuityReader, chapter: int, words: str, calls: int
) -> OfferedReading:
    """Returns the reading of the latest chapters, with so many calls for each of its windows."""
    numbers = range(max(1, chapter - _TOGETHER), chapter)
    plan = reader.plan(numbers)
    words = _(words, first=plan.windows[0][0], last=plan.windows[-1][-1])
    return OfferedReading(
        _say_price(words, calls * len(plan.windows), plan.model, plan.cost),
        lambda hear: reader.run(numbers, hear),
    )


def _say_price(words: str, calls: int, model: str, cost: Estimate) -> str:
    price = _("Calls: {count} to {model}, {cost}.", count=calls, model=model,
              cost=translate(cost.words))  # fmt: skip
    return f"{words}\n{price}"


_HINTS: Mapping[Tab, tuple[str, ...]] = {
    "bible": ("memory.read", "memory.names", "memory.retire"),
    "promises": ("memory.read", "memory.settle"),
    "knowledge": (),
    "continuity": ("memory.meant", "memory.read"),
    "lines": ("memory.pin", "memory.mute", "memory.swap"),
}
"""The actions of each page, the most useful first."""
_EMPTY: Mapping[Tab, tuple[str, str]] = {
    "bible": (
        N_(
            "There is no person, place or thing yet. {key} looks for names in the chapters; in the"
            " outline, under “Notes”, Enter on “People” or “Places and things” makes the first."
        ),
        "memory.names",
    ),
    "promises": (
        N_(
            "Nothing is promised yet. {key} has a model look for promises in the chapters; in the"
            " outline, under “Notes”, Enter on “Promises” makes the first."
        ),
        "memory.read",
    ),
    "knowledge": (
        N_(
            "There is no secret yet. In the outline, under “Notes”, Enter on “Secrets” makes the"
            " first; {key} leads back to it."
        ),
        "memory.close",
    ),
    "continuity": (
        N_("No contradiction is known. {key} has a model look for what code cannot find."),
        "memory.read",
    ),
    "lines": (
        N_("No model is told anything yet. {key} goes back to the outline and its plans."),
        "memory.close",
    ),
}
"""The message of an empty page, and the action whose key it names."""
_OF_A_PROPOSAL = ("memory.take", "memory.leave", "memory.take_as")
_EVERYWHERE = ("memory.later", "memory.earlier", "memory.close")


class MemoryScreen(StudioScreen, Screen[None]):
    """Rows of one tab, and the details of the marked one, as of a given chapter."""

    CSS_PATH = "memory.tcss"
    WHERE = ("memory",)

    def __init__(self, session: Session, chapter: int, tab: Tab = "bible") -> None:
        """`chapter`: the one at whose beginning the book is shown."""
        super().__init__()
        self._session = session
        self._chapter = chapter
        self._last = chapter
        self._tab: Tab = tab
        self._rows: list[MemoryRow] = []
        self._with_names = False
        self._filled: dict[str, Suggestion] = {}
        """Proposed names with what a model read about them."""
        self._bridge: Bridge

    def compose(self) -> ComposeResult:
        """Yields the title, the tabs, the rows, the details and the hints."""
        yield Static(id="memory-title")
        yield Static(id="memory-tabs")
        yield OptionList(id="memory-rows", compact=True)
        yield LinesView(id="memory-details")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the initial tab."""
        clock = WaitClock(self, self._title)
        self._bridge = Bridge(self._session, clock.before(lambda _: None), self._read_by_model)
        self.query_one(OptionList).focus()
        self.query_one(LinesView).show((line(_("Looking at the book …"), "quiet"),))
        self.show_hints()
        self._read_again()

    def actions_to_hint(self) -> Iterable[Action]:
        """Returns the actions of the visible page, or of the marked proposal, before all others."""
        here = _HINTS[self._tab]
        if (proposal := self._proposal) is not None:
            here = _OF_A_PROPOSAL if proposal.asks else _OF_A_PROPOSAL[:-1]
        names = ("memory.next_tab", *here, *_EVERYWHERE)
        return (*(BY_ID[name] for name in names), *(a for a in of("global") if a.hint))

    def _title(self, words: str) -> None:
        self.query_one("#memory-title", Static).update(content(Phrase(words, "heading")))

    def _read_again(self, mark: int = 0) -> None:
        title = _("The book when chapter {n} begins", n=self._chapter)
        if self._bridge.is_running:
            title = _("A model reads; Esc stops it.")
        self._title(title)
        words = tuple(
            Phrase(f"{_(name)}   ", "accent" if tab == self._tab else "quiet")
            for tab, name in TABS.items()
        )
        self.query_one("#memory-tabs", Static).update(content(words))
        self.run_worker(self._read(mark), group="read", exclusive=True)

    async def _read(self, mark: int) -> None:
        rows = self.query_one(OptionList)
        try:
            self._rows = await asyncio.to_thread(self._rows_now)
        except StudioError as error:
            self._rows = []
            rows.clear_options()
            self.query_one(LinesView).show((line(translate(str(error.problem)), "warn"),))
            return
        rows.clear_options()
        rows.add_options(Option(content(row.words)) for row in self._rows)
        if self._rows:
            rows.highlighted = min(mark, len(self._rows) - 1)
        else:
            words, action = _EMPTY[self._tab]
            key = first_key(BY_ID[action], self.studio.keymap)
            self.query_one(LinesView).show((line(_(words, key=key), "quiet"),))
        self.show_hints()

    def _rows_now(self) -> list[MemoryRow]:
        rows = rows_of(self._tab, self._session, self._chapter)
        if self._tab == "bible":
            rows += waiting_rows(self._session)
            rows += named_rows(self._session, self._filled) if self._with_names else []
        if self._tab == "promises":
            rows = proposed_promise_rows(self._session) + rows
        return rows

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Shows the details of the row the cursor has moved to."""
        self.show_hints()
        if (row := self.row_under_cursor) is not None:
            self.run_worker(self._show(row), group="details", exclusive=True)

    async def _show(self, row: MemoryRow) -> None:
        try:
            lines = await asyncio.to_thread(lambda: tuple(row.details()))
        except StudioError as error:
            lines = (line(translate(str(error.problem)), "warn"),)
        self.query_one(LinesView).show((row.words, line(), *lines))

    @property
    def row_under_cursor(self) -> MemoryRow | None:
        """The row under the cursor."""
        at = self.query_one(OptionList).highlighted
        return self._rows[at] if at is not None and at < len(self._rows) else None

    @performs("memory.next_tab", 1)
    @performs("memory.previous_tab", -1)
    def turn(self, step: int) -> None:
        """Shows the next or the previous page."""
        tabs = list(TABS)
        self._tab = tabs[(tabs.index(self._tab) + step) % len(tabs)]
        self._read_again()

    @performs("memory.later", 1)
    @performs("memory.earlier", -1)
    def move(self, step: int) -> None:
        """Shows the book a chapter later, up to the next one to be written, or earlier."""
        chapter = min(max(1, self._chapter + step), self._last)
        if chapter != self._chapter:
            self._chapter = chapter
            self._read_again(self.query_one(OptionList).highlighted or 0)

    @performs("memory.meant")
    def waive_as_meant(self) -> None:
        """Waives the marked contradiction as intended."""
        if self._tab == "continuity" and self.row_under_cursor is not None:
            self.run_worker(self._waive(self.row_under_cursor), group="meant", exclusive=True)

    async def _waive(self, row: MemoryRow) -> None:
        from studio.book.continuity.ledger import waive_fact

        title = _("Why is it meant this way?")
        reason = await self.app.push_screen_wait(Ask(title, empty=False))
        if reason:
            await self._change(lambda: waive_fact(self._session.store, row.key, reason))

    @performs("memory.retire")
    def retire(self) -> None:
        """Retires the marked person from the story, or brings back a retired one."""
        if self._tab == "bible" and self.row_under_cursor is not None:
            self.run_worker(self._retire(self.row_under_cursor), group="meant", exclusive=True)

    async def _retire(self, row: MemoryRow) -> None:
        from studio.pipeline.volume.retire_character import CharacterArchive

        archive, slug = CharacterArchive(self._session.store), row.key.removeprefix(LEFT)
        if row.key.startswith(LEFT):
            await self._change(lambda: archive.bring_back(slug))
            return
        if slug not in await asyncio.to_thread(self._session.store.characters):
            self.studio.say(_("Only people leave the story."))
            return
        try:
            await asyncio.to_thread(archive.may_go, slug)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        title = _("{name} leaves the story?", name=row.words[0].text)
        words = _(
            "The chapters stay; profile, state and relationships go. The same key brings them back."
        )
        if await self.app.push_screen_wait(Confirm(title, words)):
            await self._change(lambda: archive.retire(slug))

    @performs("memory.settle")
    def settle(self) -> None:
        """Says what a chapter did for the marked promise; that outlives every reading."""
        row = self.row_under_cursor
        if self._tab == "promises" and row is not None and row.proposal is None:
            self.run_worker(self._settle(row), group="meant", exclusive=True)

    async def _settle(self, row: MemoryRow) -> None:
        from studio.book.promise_changes import settle

        store, about = self._session.store, row.words[1].text.strip()
        kinds = [(kind, _(name)) for kind, name in STANDINGS.items() if kind != "planned"]
        kind = await self.app.push_screen_wait(
            Choose(_("What did a chapter do for it?"), kinds, about)
        )
        if kind is None:
            return
        last = await asyncio.to_thread(lambda: store.checkpoint().last_completed_chapter)
        chapters = [(str(n), _("chapter {n}", n=n)) for n in range(last, 0, -1)]
        number: str | None = "0"  # a book without a chapter says so itself
        if chapters:
            number = await self.app.push_screen_wait(Choose(_("Which chapter?"), chapters, about))
        if number is not None:
            await self._change(lambda: settle(store, row.key, kind, int(number)))

    @performs("memory.swap")
    def swap(self) -> None:
        """Cycles the marked line between one line, its full text, and the default."""
        from studio.pipeline.prompting import lines as line_choices

        row, chosen = self.row_under_cursor, self._session.store.context_lines()
        in_one_line = row is not None and any(
            s.line == row.key and s.to == "one_line" and s.chapter is None for s in chosen.swaps
        )
        if not in_one_line:
            self.steer("swaps")
        elif self._tab == "lines" and row is not None:
            change = partial(line_choices.swap, self._session.store, row.key, "full")
            self.run_worker(self._change(change), group="meant", exclusive=True)

    @performs("memory.pin", "pins")
    @performs("memory.mute", "mutes")
    def steer(self, kind: Literal["pins", "mutes", "swaps"]) -> None:
        """Toggles whether the marked line is in every prompt, in none, or in one line."""
        from studio.pipeline.prompting import lines as line_choices

        row, store = self.row_under_cursor, self._session.store
        if self._tab != "lines" or row is None:
            return
        is_so = any(entry.line == row.key for entry in getattr(store.context_lines(), kind))
        put: Mapping[str, Callable[..., object]] = {
            "pins": line_choices.pin,
            "mutes": line_choices.mute,
            "swaps": partial(line_choices.swap, to="one_line"),
        }
        change = partial(line_choices.reset if is_so else put[kind], store, row.key)
        self.run_worker(self._change(change), group="meant", exclusive=True)

    async def _change(self, change: Callable[[], object]) -> None:
        try:
            await asyncio.to_thread(change)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        self._read_again(self.query_one(OptionList).highlighted or 0)

    # Proposals

    @performs("memory.names")
    def names(self) -> None:
        """Toggles whether names from the chapters are listed too."""
        if self._tab == "bible":
            self._with_names = not self._with_names
            self._read_again(self.query_one(OptionList).highlighted or 0)

    @performs("memory.take")
    def take(self) -> None:
        """Accepts the proposal into the book."""
        if (proposal := self._proposal) is not None:
            self.run_worker(self._take([proposal]), group="meant", exclusive=True)

    @performs("memory.take_as")
    def take_as(self) -> None:
        """Accepts the proposal under a typed name, or in typed words."""
        if (proposal := self._proposal) is not None and proposal.asks:
            self.run_worker(self._take_as(proposal), group="meant", exclusive=True)

    @performs("memory.take_notes")
    def take_notes(self) -> None:
        """Accepts the entries proposed from all notes."""
        notes = [row.proposal for row in self._rows if row.proposal and row.proposal.is_note]
        if self._tab == "bible" and notes:
            self.run_worker(self._take_all(notes), group="meant", exclusive=True)

    @performs("memory.leave")
    def leave(self) -> None:
        """Dismisses the proposal."""
        if (proposal := self._proposal) is not None:
            self.run_worker(self._change(proposal.leave), group="meant", exclusive=True)

    @property
    def _proposal(self) -> OfferedRow | None:
        return self.row_under_cursor.proposal if self.row_under_cursor is not None else None

    async def _take(self, chosen: Sequence[OfferedRow], words: str = "") -> None:
        def change() -> None:
            for proposal in chosen:
                proposal.take(words)

        await self._change(change)

    async def _take_as(self, proposal: OfferedRow) -> None:
        ask = Ask(proposal.asks, "", proposal.name, False)
        words = await self.app.push_screen_wait(ask)
        if words is not None:
            await self._take([proposal], words)

    async def _take_all(self, notes: Sequence[OfferedRow]) -> None:
        title = _("Make entries of {n} notes?", n=len(notes))
        if await self.app.push_screen_wait(Confirm(title, series(one.name for one in notes))):
            await self._take(notes)

    # Reading by a model

    @performs("memory.read")
    def read_with_a_model(self) -> None:
        """Asks whether a model should read the book, stating the price."""
        if not self._bridge.is_running:
            self.run_worker(self._offer_reading(), group="meant", exclusive=True)

    async def _offer_reading(self) -> None:
        from studio.tui.screens.window_question import is_window_settled

        if not await is_window_settled(self.studio, self._session):
            return
        try:
            reading = await asyncio.to_thread(reading_of, self._tab, self._session, self._chapter)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        if await self.app.push_screen_wait(Confirm(_("Have a model read?"), reading.price)):
            self._bridge.begin(reading.work)
            self._read_again()

    def _read_by_model(self, outcome: Any) -> None:
        from studio.pipeline.book_runs.entry_filling import Filled
        from studio.pipeline.book_runs.promise_reading import PromisesRead
        from studio.pipeline.outcome import Failed, Stopped

        if isinstance(outcome, Failed):
            self.studio.tell(outcome.problem)
        elif isinstance(outcome, Stopped):
            self.studio.say(_("Stopped. You do not pay again for what was read."))
        elif isinstance(outcome, Filled):
            self._filled = {one.name: one for one in outcome.suggestions}
            self._with_names = True
        elif isinstance(outcome, PromisesRead) and not outcome.waiting:
            self.studio.say(_("Nothing is proposed."))
        self._read_again(self.query_one(OptionList).highlighted or 0)

    @performs("memory.close")
    def close(self) -> None:
        """Stops the reading model, or else closes the page."""
        if self._bridge.is_running:
            self._bridge.stop()
        else:
            self.dismiss(None)

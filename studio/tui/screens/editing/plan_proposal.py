"""A plan proposed by the plot architect: requested, compared field by field, accepted in part."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.app import ComposeResult
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.i18n import _, translate
from studio.pipeline.book_runs.waiting_plan import WaitingPlan, waiting_plan
from studio.project.planning.chapter_plan import HEADINGS, heading
from studio.text.changed_lines import SIGNS, Mark, changed_list
from studio.text.safe import safe_text
from studio.tui.performs import asks, performs
from studio.tui.runtime.bridge import Bridge
from studio.tui.runtime.wait_clock import WaitClock
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask
from studio.tui.views.forms.plan_forms import values_of_plan
from studio.tui.views.prose.wrapping import NARROWEST, wrap
from studio.tui.views.situation import Situation
from studio.tui.views.words import Phrase, Tone
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content

if TYPE_CHECKING:
    from textual.content import Content

    from studio.pipeline.events import Event
    from studio.project.planning.chapter_plan import ChapterPlan
    from studio.session import Session
    from studio.story.ledger import Estimate
    from studio.tui.studio import Studio

FormValues = Mapping[str, str]


class Accepted(NamedTuple):
    """What she takes of a proposed plan."""

    values: FormValues
    wish: str
    """What she wanted of the plan."""
    again: str
    """What she wanted otherwise in what was proposed, a line each."""
    end: Callable[[], None]
    """Has the proposal wait no more, once what she takes is kept elsewhere."""


_TONES: Mapping[Mark, Tone] = {"-": "bad", "+": "good", "~": "plain", " ": "quiet"}
_MARGIN = 8
"""The columns that the sign of a line takes, and the edge of its row."""


async def propose_plan(
    studio: Studio, session: Session, chapter: int, plan: ChapterPlan
) -> Accepted | None:
    """Shows the plan that waits; else asks for a wish, stating the price, and has one made. Returns
    what she accepted; None for nothing.

    Raises StudioError as `ChapterPlanner.propose` does.
    """
    from studio.tui.screens.window_question import is_window_settled

    if not await is_window_settled(studio, session):
        return None
    planner = session.volumes().chapters()
    waiting = await asyncio.to_thread(waiting_plan, planner, chapter, plan)
    if waiting.proposed is None:
        cost = await asyncio.to_thread(planner.price, chapter, plan)
        title = _("Plan chapter {chapter} for me", chapter=chapter)
        wish = await wish_for(studio, title, cost, begun=waiting.unanswered)
        if wish is None:
            return None
        waiting.unanswered = wish
    return await studio.push_screen_wait(PlanProposal(session, chapter, plan, waiting))


async def wish_for(
    studio: Studio,
    title: str,
    cost: Estimate,
    may_be_empty: bool = True,
    *,
    begun: str = "",
) -> str | None:
    """Asks what the writer wants of a plan, stating its cost; None if she cancels. `begun` is what
    she wanted before and nothing came of."""
    price = translate(cost.words)
    words = _("What do you want otherwise? What you do not speak of stays: {price}.", price=price)
    if may_be_empty:
        words = _(
            "What do you want of it? It may stay empty. Nothing changes before you say so:"
            " {price}.",
            price=price,
        )
    return await studio.push_screen_wait(Ask(title, words, "", may_be_empty, begun=begun))


class PlanProposal(StudioScreen, Screen[Accepted | None]):
    """The fields that would change, each with a tick."""

    CSS_PATH = "../find.tcss"
    WHERE = ("proposal",)

    def __init__(
        self, session: Session, chapter: int, plan: ChapterPlan, waiting: WaitingPlan
    ) -> None:
        """`waiting` has the proposal that is shown, or the wish of which one is to be made."""
        super().__init__()
        self._session = session
        self._chapter = chapter
        self._plan = plan
        self._waiting = waiting
        self._bridge: Bridge
        self._before = values_of_plan(plan)
        self._after: FormValues = {}
        self._fields: list[str] = []
        """The keys of the fields that would change."""
        self._ticks: set[str] = set()

    def compose(self) -> ComposeResult:
        """Yields the title, the fields and the hints."""
        yield Static(id="find-title")
        yield OptionList(id="find-rows", compact=True)
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows the proposal that waits, or asks the model for one."""
        clock = WaitClock(self, self._draw)
        self._bridge = Bridge(self._session, clock.before(self._hear), self._over)
        if self._waiting.proposed is None:
            self._plan_it(self._waiting.unanswered)
        else:
            self._show(self._waiting.proposed)
            if self._fields:
                self._draw(
                    _("made from an earlier plan or book; nothing was asked")
                    if self._waiting.outdated
                    else _("it waited here; nothing was asked")
                )

    def _plan_it(self, wish: str) -> None:
        waiting, before = self._waiting, self._waiting.proposed
        self._draw(_("the model plans; Esc stops it"))

        async def work(hear: Any) -> Any:
            planner = self._session.volumes().chapters()
            direction = await asyncio.to_thread(waiting.ask, wish)
            proposed = await planner.propose(self._chapter, self._plan, direction, hear, before)
            await asyncio.to_thread(waiting.answer, proposed)
            return proposed

        self._bridge.begin(work, self._chapter)
        self.show_hints()

    @asks("proposal.again")
    async def ask_again(self) -> None:
        """Asks for another proposal, with what she wants otherwise in it."""
        planner, waiting = self._session.volumes().chapters(), self._waiting
        cost = await asyncio.to_thread(
            planner.price, self._chapter, self._plan, waiting.direction, waiting.proposed
        )
        title, begun = _("Again, but …"), waiting.unanswered
        wish = await wish_for(self.studio, title, cost, may_be_empty=False, begun=begun)
        if wish:
            self._plan_it(wish)

    def situation(self) -> Situation:
        """Returns whether a plan is being made."""
        return Situation(novel=True, running=self._bridge.is_running)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.type == "warning":
                self.studio.say(getattr(event, "message", ""), "warning")

    def _over(self, outcome: Any) -> None:
        from studio.pipeline.outcome import Failed, Stopped

        if isinstance(outcome, Failed | Stopped):
            if isinstance(outcome, Failed):
                self.studio.tell(outcome.problem)
            else:
                self.studio.say(_("Stopped; nothing was changed."))
            if self._waiting.proposed is None:
                self.dismiss(None)
                return
            outcome = self._waiting.proposed  # it stands as it stood
        self._show(outcome)

    def _show(self, proposed: ChapterPlan) -> None:
        left_out = {key for key in self._fields if key not in self._ticks}
        after = values_of_plan(proposed)
        # What she left out and is not proposed again stands as left out; it is hers to tick.
        gone = {key for key in left_out if after[key] == self._before[key]}
        self._after = {**after, **{key: self._after[key] for key in gone}}
        self._fields = [key for key in HEADINGS if self._after[key] != self._before[key]]
        self._ticks = set(self._fields) - left_out
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options(Option(self._prompt(key)) for key in self._fields)
        rows.focus()
        rows.action_first()
        self._draw("" if self._fields else _("It would be as it is."))
        self.show_hints()

    def _draw(self, note: str) -> None:
        title = _("Proposed for chapter {chapter}", chapter=self._chapter)
        words = (Phrase(title, "heading"), Phrase(f"   {note}", "accent"))
        self.query_one("#find-title", Static).update(content(words))

    def _prompt(self, key: str) -> Content:
        """Returns a field as it is and as it would be, below its name."""
        ticked = key in self._ticks
        words = [Phrase(f"{'✓' if ticked else ' '} "), Phrase(heading(key), "strong")]
        width = max(NARROWEST, self.query_one(OptionList).scrollable_content_region.width - _MARGIN)
        sides = (self._before[key].splitlines(), self._after[key].splitlines())
        for mark, pieces in changed_list(*sides, self._session.settings.novel.language):
            sign = mark if self.studio.ascii_only else SIGNS[mark]
            rows = wrap(safe_text("".join(piece.text for piece in pieces)), width) or [""]
            whole = f"\n{'':6}".join(row.rstrip() for row in rows)
            words += [Phrase(f"\n    {sign} "), Phrase(whole, _TONES[mark] if ticked else "quiet")]
        return content(tuple(words), keep_newlines=True)

    def on_resize(self, event: Resize) -> None:
        """Breaks the lines anew: what is proposed is read whole, in every window."""
        self.call_after_refresh(self._break_anew)

    def _break_anew(self) -> None:
        rows = self.query_one(OptionList)
        for at, key in enumerate(self._fields):
            rows.replace_option_prompt_at_index(at, self._prompt(key))

    @performs("proposal.tick")
    def tick(self) -> None:
        """Ticks or unticks the marked field."""
        rows = self.query_one(OptionList)
        at = rows.highlighted
        if at is None or at >= len(self._fields):
            return
        self._ticks ^= {self._fields[at]}
        rows.replace_option_prompt_at_index(at, self._prompt(self._fields[at]))
        rows.action_cursor_down()

    async def on_option_list_option_selected(self) -> None:
        """Ticks or unticks the clicked field."""
        await self.studio.action_perform("proposal.tick")

    @performs("proposal.take")
    def take(self) -> None:
        """Accepts the ticked fields."""
        values = {key: self._after[key] for key in self._fields if key in self._ticks}
        waiting = self._waiting
        first = waiting.wishes[0] if waiting.wishes else ""
        self.dismiss(Accepted(values, first, waiting.wanted_otherwise, waiting.end))

    @asks("proposal.refuse")
    async def refuse(self) -> None:
        """Puts the proposal aside: it waits no more."""
        await asyncio.to_thread(self._waiting.end)
        self.dismiss(None)

    @performs("proposal.close")
    def close(self) -> None:
        """Stops the running proposal, or else closes the page; what is on it waits."""
        if self._bridge.is_running:
            self._bridge.stop()
        else:
            self.dismiss(None)

"""The desk between runs: what came of the last one, the questions that wait, and the commit."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual import events

from studio.errors import StudioError
from studio.tui.desk.run import DeskWriting
from studio.tui.views.run.moment import ended

if TYPE_CHECKING:
    from studio.pipeline.outcome import Outcome
    from studio.story.checkpoint import Decision
    from studio.tui.screens.decision import Chosen

_LONG = 20.0
"""Seconds after which the end of a run rings the bell."""


class DeskDeciding(DeskWriting):
    """Questions, each put once and answered by the writer alone."""

    _card_waits = False
    """Whether a question came while another screen lay over the desk."""

    async def do_desk_write(self) -> None:
        """Goes on: with the question that waits, the surgeon's work, or the next scene."""
        now = self.situation()
        pending = self.book.checkpoint.pending_decision if self.book else None
        if pending is not None and not now.approved and not self._outdated():
            self.ask_or_point(pending)
            if self._is_open:
                self.studio.say("First what is open; `studio decide commit` passes it by.")
            return
        self.start("resume" if now.inflight else "write")

    async def outcome(self, outcome: Outcome) -> None:
        """A run has ended."""
        from studio.pipeline.outcome import Committed, Failed, NothingToDo, Paused, Stopped

        self._journal = (*self._journal, *self.run_state.journal)
        self.settled = False
        self.run_state = ended(self.run_state, outcome)
        self._streamed = ""
        if monotonic() - self._began_at > _LONG:
            self.app.bell()
        await self.reread(chapter=self.run_state.chapter)
        if isinstance(outcome, Committed):
            badges = f" ({', '.join(outcome.badges)})" if outcome.badges else ""
            self.studio.say(f"Chapter {outcome.chapter} is in the book{badges}.")
            self.go_to_tab("draft")
            self.go_to_pane("text")
        elif isinstance(outcome, Paused):
            self.ask_or_point(outcome.decision)
        elif isinstance(outcome, Stopped):
            self.studio.say("Stopped. What was written is kept; w goes on.")
        elif isinstance(outcome, NothingToDo):
            self.studio.say(outcome.message)
        elif isinstance(outcome, Failed):
            self.studio.tell(outcome.problem)
        self.settled = True

    # Deciding

    def ask_or_point(self, decision: Decision) -> None:
        """Open directives are decided in their pane; every other question has its card."""
        if decision.kind == "review" and self._is_open:
            self.directives.go_to_open()
            self.reveal(self.directives.selected)
            self.go_to_pane("directives")
            return
        self.go_to_tab("diff" if decision.kind == "refine" else "draft")
        if self.app.screen is self:
            self.do_desk_decide()
        else:
            self._card_waits = True

    def on_screen_resume(self, _: events.ScreenResume) -> None:
        """A card never comes over what the writer is reading or answering."""
        if self._card_waits:
            self._card_waits = False
            self.call_after_refresh(self.do_desk_decide)

    @property
    def _is_open(self) -> bool:
        """Whether the chapter in work is on the screen and something of it is undecided."""
        sheet = self.shown.sheet if self.shown else None
        return self.situation().directives_here and sheet is not None and bool(sheet.open)

    def do_desk_decide(self) -> None:
        """The card of the question that waits."""
        from studio.tui.screens.decision import DecisionScreen
        from studio.tui.views.review.decision_card import card_of

        pending = self.book.checkpoint.pending_decision if self.book else None
        if self._outdated():
            self.start("resume")
            return
        if pending is None or isinstance(self.app.screen, DecisionScreen):
            return
        sheet = self.shown.sheet if self.shown else None
        card = card_of(pending, self.studio.keymap, sheet)
        self.app.push_screen(DecisionScreen(card), self._decided)

    def do_desk_commit(self) -> None:
        """Into the book; where something is open, only after it was named."""
        from studio.pipeline.review.question import COMMIT
        from studio.tui.screens.ask import Confirm
        from studio.tui.screens.decision import Chosen

        pending = self.book.checkpoint.pending_decision if self.book else None
        assert pending is not None  # the action's reason_disabled says so
        if self._outdated():
            self.start("resume")
            return
        chosen = Chosen(pending.id, COMMIT)
        if not self._is_open:
            self._decided(chosen)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._decided(chosen)

        title = f"Chapter {self.situation().inflight} into the book?"
        self.app.push_screen(Confirm(title, str(pending.data["options"][COMMIT])), answered)

    def _outdated(self) -> bool:
        """Whether directives were decided since the question was put: it is put anew then."""
        pending = self.book.checkpoint.pending_decision if self.book else None
        sheet = self.shown.sheet if self.shown else None
        if pending is None or pending.kind != "review" or sheet is None:
            return False
        if not self.situation().directives_here:
            return False
        asked = {*pending.data.get("pending", ()), *pending.data.get("applied", ())}
        return asked != {directive.id for directive in sheet.open}

    def _decided(self, chosen: Chosen | None) -> None:
        if chosen is not None:
            self.run_worker(self._carry_out(chosen), group="decide")

    async def _carry_out(self, chosen: Chosen) -> None:
        from studio.session import EDIT, STOP
        from studio.story.checkpoint import DIRECTIVES

        decision, option, note = *chosen, await self.note_with(chosen)
        if note is None or not await self.tried(self.session.decide, option, decision, note):
            return
        if chosen.option == EDIT:
            await self.studio.action_perform("desk.edit")
            return
        if chosen.option == DIRECTIVES:
            await self.do_desk_look()
            self.directives.go_to_open()
            self.go_to_pane("directives")
            return
        if chosen.option != STOP:
            self.start("resume")

    async def note_with(self, chosen: Chosen) -> str | None:
        """What the writer says with an answer; None where she takes it back."""
        return ""

    async def tried(self, work: Callable[..., object], *args: Any, **options: Any) -> bool:
        """Does something with the novel off the loop; False, and said, where it is refused."""
        try:
            await self.bridge.call(work, *args, **options)
        except StudioError as error:
            self.studio.tell(error.problem)
            return False
        return True

    def do_desk_discard(self) -> None:
        """Gives the chapter in work up, after asking."""
        from studio.tui.screens.ask import Confirm

        inflight = self.situation().inflight

        def answered(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._discard(), group="decide")

        words = "Its texts stay in history, and it can be drafted afresh."
        self.app.push_screen(Confirm(f"Discard chapter {inflight}?", words), answered)

    async def _discard(self) -> None:
        if await self.tried(self.session.discard):
            await self.reread()

    async def do_desk_look(self) -> None:
        """The text of the chapter in work."""
        inflight = self.situation().inflight
        if inflight is not None:
            await self.show_chapter(inflight)
            self.go_to_pane("text")

    def do_desk_again(self) -> None:
        """A chapter of the book into review anew."""
        from studio.session import WriteOrder

        if self.shown is not None:
            self.start("write", WriteOrder(chapter=self.shown.chapter, again=True))

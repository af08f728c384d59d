"""The review at the desk: the same decisions as `studio directives`, one key each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus
from studio.tui.screens.desk_deciding import DeskDeciding
from studio.tui.views.prose.marks import Passage
from studio.tui.widgets.prose_view import ProseView

if TYPE_CHECKING:
    from studio.story.checkpoint import Decision
    from studio.story.review.directive import Directive
    from studio.tui.desk.panes import Pane
    from studio.tui.screens.decision import Chosen

_WITH_NOTE = {
    "again": ("Once more", "What should be different this time? Your note goes to the surgeon."),
    "leave": ("Leave it as it is", "A reason helps to learn from it; it may stay empty."),
}
"""What is asked with an answer to the question about a passage that does not get better."""


class DeskReview(DeskDeciding):
    """Directives."""

    def on_directives_pane_moved(self) -> None:
        """The text follows the cursor."""
        self.mark()
        self.draw_diff()
        self.show_hints()
        if not self.run_state.running and self.pane == "directives":
            self.reveal(self.directives.selected)

    def _enter(self, pane: Pane) -> None:
        """The passage comes into sight with its directive, once the panes have their widths."""
        entered = pane != self.pane
        super()._enter(pane)
        if entered and pane == "directives" and self.is_prepared and not self.run_state.running:
            self.call_after_refresh(self._reveal_selected)

    def _reveal_selected(self) -> None:
        if self.pane == "directives":
            self.reveal(self.directives.selected)

    def ask_or_point(self, decision: Decision) -> None:
        """A question about one passage is asked with that passage in sight."""
        if named := decision.data.get("directive"):
            self.go_to_pane("directives")
            self.directives.go_to(str(named))
            self.reveal(self.directives.selected)
        super().ask_or_point(decision)

    async def note_with(self, chosen: Chosen) -> str | None:
        """Of a passage the surgeon cannot get right: why it stays, or what to do differently."""
        from studio.tui.screens.ask import Ask

        pending = self.book.checkpoint.pending_decision if self.book else None
        if pending is None or pending.kind != "breaker" or chosen.option not in _WITH_NOTE:
            return await super().note_with(chosen)
        return await self.app.push_screen_wait(Ask(*_WITH_NOTE[chosen.option]))

    def on_prose_view_paragraph_clicked(self, message: ProseView.ParagraphClicked) -> None:
        """A click on a paragraph finds its directive."""
        sheet = self.shown.sheet if self.shown else None
        for directive in sheet.directives if sheet else ():
            at = directive.location
            here = Passage(at.scene_number, at.paragraph_start, at.paragraph_end)
            if here.holds(message.scene, message.paragraph):
                self.directives.go_to(directive.id)
                return

    def do_directives_next(self) -> None:
        """The next."""
        self.directives.move(1)

    def do_directives_previous(self) -> None:
        """The one before."""
        self.directives.move(-1)

    def do_directives_read_on(self) -> None:
        """The rest of it."""
        self.directives.read_on(1)

    def do_directives_read_back(self) -> None:
        """Its beginning."""
        self.directives.read_on(-1)

    def do_directives_expand(self) -> None:
        """More or less of it."""
        self.directives.expanded = not self.directives.expanded

    async def do_directives_accept(self) -> None:
        """Accept, or keep what is in the text."""
        await self._change("accept")

    def do_directives_reject(self) -> None:
        """Reject, with a reason if she likes."""
        from studio.tui.screens.ask import Ask

        words = "A reason helps to learn from it; it may stay empty."
        self.app.push_screen(
            Ask("Reject this directive?", words), lambda said: self._after(said, "reject", "reason")
        )

    def do_directives_edit(self) -> None:
        """Her own instruction."""
        from studio.tui.screens.ask import AskText

        chosen = self._chosen()
        if chosen.edited_text:  # no model is asked, so the words themselves are what can change
            self.do_directives_edit_text()
            return
        words = "The surgeon follows your words and changes nothing but this passage."
        self.app.push_screen(
            AskText("Edit the instruction", words, chosen.instruction),
            lambda said: self._after(said, "edit", "instruction"),
        )

    def do_directives_edit_text(self) -> None:
        """Her own passage."""
        from studio.tui.screens.ask import AskText

        chosen = self._chosen()
        begin = chosen.edited_text or (chosen.result.after if chosen.result else "")
        self.app.push_screen(
            AskText(
                "Edit the result",
                "Your words replace the passage; no model is asked.",
                begin or chosen.current_text,
            ),
            lambda said: self._after(said, "edit", "text"),
        )

    async def do_directives_undo(self) -> None:
        """Takes the decision or the fix back."""
        await self._change("undo")

    def do_directives_retry(self) -> None:
        """Again, with a note."""
        from studio.tui.screens.ask import Ask

        chosen = self._chosen()
        if chosen.edited_text:
            self.studio.say("No model wrote this. Take it back, then edit the words themselves.")
            return
        words = "What should be different this time? Your note goes to the surgeon."

        def answered(note: str | None) -> None:
            if note is not None:
                self.run_worker(self._retry(chosen, note.strip()), group="decide")

        self.app.push_screen(Ask("Try again", words), answered)

    def do_directives_accept_rest(self) -> None:
        """All that are open, after asking."""
        self._ask_rest("accept", "Accept the rest?", "The surgeon works on each of them.")

    def do_directives_reject_rest(self) -> None:
        """All that are open, after asking."""
        self._ask_rest("reject", "Reject the rest?", "They do not come back for this text.")

    def _ask_rest(self, action: str, title: str, words: str) -> None:
        from studio.tui.screens.ask import Confirm

        count = self.situation().pending
        told = f"{count} directive{'s' if count > 1 else ''}. {words}"

        def answered(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._change_all(action), group="decide")

        self.app.push_screen(Confirm(title, told), answered)

    def _chosen(self) -> Directive:
        chosen = self.directives.selected
        assert chosen is not None  # the action's reason_disabled says so
        return chosen

    def _after(self, said: str | None, action: str, field: str) -> None:
        """Carries out what was typed; an empty reason is one, an empty text is none."""
        if said is not None and (said.strip() or field == "reason"):
            self.run_worker(self._change(action, **{field: said.strip()}), group="decide")

    async def _change(self, action: str, **options: str) -> None:
        chosen = self._chosen()
        changed = await self.tried(self.session.change_directives, action, [chosen.id], **options)
        if changed:
            await self._decided_on(advance=action != "undo")

    async def _change_all(self, action: str) -> None:
        sheet = self.shown.sheet if self.shown else None
        ids = [d.id for d in sheet.open if d.status is DirectiveStatus.PENDING] if sheet else []
        if await self.tried(self.session.change_directives, action, ids, batch=True):
            await self._decided_on(advance=False)

    async def _retry(self, chosen: Directive, note: str) -> None:
        if chosen.status in IN_TEXT_STATUSES and not await self.tried(
            self.session.change_directives, "undo", [chosen.id]
        ):
            return
        instruction = chosen.instruction
        if await self.tried(
            self.session.change_directives,
            "edit",
            [chosen.id],
            reason=note,
            instruction=instruction,
        ):
            await self.reread(fresh=False)
            self.start("resume")

    async def _decided_on(self, *, advance: bool) -> None:
        await self.reread(fresh=False)
        if advance:
            self.directives.advance()
        now = self.situation()
        if now.directives_here and not now.pending and now.approved:
            self.studio.say(f"All decided. w lets the surgeon work on {now.approved}.")
        elif now.directives_here and not now.pending and not self._is_open:
            self.studio.say("All decided. `studio decide commit` takes the chapter into the book.")

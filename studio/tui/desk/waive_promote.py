"""The author's own standards at the desk: what is meant as it is, and what to write like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from studio.errors import StudioError
from studio.story.status import DirectiveStatus
from studio.tui.desk.review import DeskReview
from studio.tui.widgets.prose_view import ProseView

if TYPE_CHECKING:
    from studio.pipeline.author import WaiveOrder
    from studio.story.novel import ExemplarMeta
    from studio.story.review.directive import Directive
    from studio.tui.desk.promote import Taught

_REACHES = (
    ("here", "Here: these paragraphs, while nobody edits them"),
    ("chapter", "In this chapter"),
    ("book", "In the whole book"),
)


class DeskCraft(DeskReview):
    """Waive, lift, promote."""

    # What is meant

    def do_directives_waive(self) -> None:
        """Puts a finding aside that is meant."""
        self.run_worker(self._waive(self._chosen()), group="decide")

    async def do_directives_undo(self) -> None:
        """Takes a waiver back, or the decision or the fix."""
        if self._chosen().status is DirectiveStatus.WAIVED:
            self.run_worker(self._lift(self._chosen()), group="decide")
        else:
            await super().do_directives_undo()

    async def _waive(self, chosen: Directive) -> None:
        order = await self._order()
        if order is None:
            return
        craft = self.session.craft()
        if await self.tried(craft.waive, [chosen.id], order):
            from studio.story.review.waiver import reach

            waiver = (await self.bridge.call(craft.covering, chosen.id))[-1:]
            where = f", {reach(waiver[0])}" if waiver else ""
            self.studio.say(f"Waived{where}. It is measured, and no longer proposed.")
            await self._decided_on(advance=True)

    async def _order(self) -> WaiveOrder | None:
        """Why, how far, until when; None where she leaves it."""
        from studio.pipeline.author import WaiveOrder
        from studio.story.review.waiver import ends_at
        from studio.tui.screens.ask import Ask, Choose

        ask = self.app.push_screen_wait
        words = "Why is it meant so? The next reader may be you."
        reason = await ask(Ask("Waive this finding", words, empty=False))
        scope = await ask(Choose("How far?", _REACHES)) if reason is not None else None
        if reason is None or scope is None:
            return None
        words = "A chapter as 12, or a day as 2027-03-31. Empty: without an end."
        said: str | None = ""
        while said is not None:
            if (said := await ask(Ask("Until when?", words, said))) is None:
                break
            try:
                chapter, day = ends_at(said)
            except StudioError as error:
                words = str(error.problem)
                continue
            reaching = cast("Literal['here', 'chapter', 'book']", scope)
            return WaiveOrder(reason.strip(), reaching, until_chapter=chapter, until_date=day)
        return None

    async def _lift(self, chosen: Directive) -> None:
        from studio.story.review.waiver import reach
        from studio.tui.screens.ask import Confirm

        craft = self.session.craft()
        covering = await self.bridge.call(craft.covering, chosen.id)
        wide = [w for w in covering if w.scope != "here"]
        if wide:
            words = f"It holds {reach(wide[0])}: {wide[0].reason}"
            if not await self.app.push_screen_wait(Confirm("Lift the waiver?", words)):
                return
        if await self.tried(craft.raise_again, chosen.id):
            self.studio.say("The waiver is lifted; the finding waits for you again.")
            await self._decided_on(advance=False)

    # What to write like

    def do_desk_promote(self) -> None:
        """A passage into the style library."""
        self.run_worker(self._promote(), group="decide")

    async def _promote(self) -> None:
        from studio.tui.desk.promote import kept_passage, selected_passage

        shown, book = self.shown, self.book
        if shown is None or book is None:
            return
        own_text = book.checkpoint.own_text and book.checkpoint.inflight_chapter == shown.chapter
        chosen = self.directives.selected if self.pane == "directives" else None
        try:
            if chosen is not None:
                taught = kept_passage(shown, own_text, chosen)
            else:
                selected = self.query_one(ProseView).selected_passages
                taught = selected_passage(shown, own_text, selected)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        answered = await self._as_exemplar(taught)
        if answered is not None and await self.tried(self._add, *answered, taught.text):
            path = self.session.store.layout.exemplar(answered[0])
            self.studio.say(f"The passage is in the style library as {path}.")

    def _add(self, wanted: str, meta: ExemplarMeta, text: str) -> str:
        return self.session.craft().add_exemplar(wanted, meta, text)

    async def _as_exemplar(self, taught: Taught) -> tuple[str, ExemplarMeta] | None:
        """Its id, kind of scene and tone, each proposed; None where she leaves it."""
        from studio.story.novel import ExemplarMeta
        from studio.tui.desk.promote import planned_kind, proposed_id
        from studio.tui.screens.ask import Ask

        ask = self.app.push_screen_wait
        library = await self.bridge.call(self.session.store.exemplars)
        kind, tone = planned_kind(self.shown.contract if self.shown else None, taught.passage.scene)
        begin = " ".join(taught.text.split())[:_BEGIN]
        proposed = proposed_id(taught, {e.id for e in library})
        wanted = await ask(Ask("Into the style library", f"“{begin}…” Its id:", proposed, False))
        if wanted is None:
            return None
        known = ", ".join(sorted({e.meta.scene_type for e in library} - {""}))
        words = "Scenes of this kind are shown it." + (f" Known: {known}." if known else "")
        scene_type = await ask(Ask("What kind of scene?", words, kind))
        if scene_type is None:
            return None
        known = ", ".join(sorted({e.meta.emotional_tone for e in library} - {""}))
        words = f"Known: {known}." if known else "Such as tender, uneasy, dry."
        emotional_tone = await ask(Ask("In what tone?", words, tone))
        if emotional_tone is None:
            return None
        novel = self.session.settings.novel
        return wanted.strip(), ExemplarMeta(
            genre=novel.genre,
            scene_type=scene_type.strip(),
            emotional_tone=emotional_tone.strip(),
            pov=novel.point_of_view,
            source=taught.source,
        )


_BEGIN = 60
"""Characters of a passage that name it."""

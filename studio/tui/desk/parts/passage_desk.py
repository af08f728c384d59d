"""Passages at the desk: requesting another version, locking, and reverting."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from studio.errors import StudioError, usage
from studio.i18n import N_, _, one_after_another, translate
from studio.messages import said
from studio.project.author.passage_locks import free_passage, keep_passage, text_in_work
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import passage_text
from studio.story.notes import about_moved_notes
from studio.story.review.passage import PassagePlace
from studio.story.review.proposal import ProposalKind
from studio.text.prose.answer import excerpt
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs
from studio.tui.views.prose.marks import ParagraphRange

if TYPE_CHECKING:
    from studio.pipeline.orders import PassageOrder
    from studio.pipeline.passage.versions import TakenVersion
    from studio.tui.book import CurrentChapter
    from studio.tui.desk.parts.own_text import SavedAnalysis
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk

_WISH = N_("What do you want of it?")
_BEGIN = 60
"""The characters of a passage that identify it in a message."""
_PROPOSED: Mapping[ProposalKind, tuple[str, str]] = {
    "comment": (N_("A note …"), N_("What you want to come back to.")),
    "replace": (N_("Other words for it …"), N_("Your words would replace the passage.")),
    "cut": (N_("Out with it"), ""),
}
"""What can be proposed of a passage, and what is asked then."""
_SEVERAL = 3
"""The number of versions requested at once if the writer wants to choose."""


class PassageDesk:
    """Acts on the selected paragraphs, else on the paragraph that the keys are on, with the whole
    passage if it is marked, or on its scene. What it acts on is marked in the text."""

    def __init__(self, desk: Desk, run: RunFollower, analysis: SavedAnalysis) -> None:
        self._desk = desk
        self._run = run
        self._analysis = analysis
        self._taken: TakenVersion | None = None
        """The last version taken, as long as it can be reverted."""

    # Another version

    @performs("text.another")
    def another(self) -> None:
        """Requests another version of the passage: asks how and states the price; the result
        opens beside it."""
        self._desk.converse(self._tell(partial(self._another, whole_scene=False)))

    @performs("text.scene")
    def scene_again(self) -> None:
        """Requests another version of the whole scene; before there is a text, drafts one
        planned scene."""
        current = self._desk.state.current
        is_whole = current is not None and current.source in ("staged", "book")
        work = partial(self._another, whole_scene=True) if is_whole else self._draft_one
        self._desk.converse(self._tell(work))

    async def _tell(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except StudioError as error:
            self._desk.studio.tell(error.problem)
        finally:
            self._desk.painter.mark()  # what it acted on is done with

    async def _draft_one(self) -> None:
        """Asks for a scene of the plan, and has only that one drafted."""
        from studio.pipeline.opening import choose_chapter
        from studio.pipeline.orders import WriteOrder
        from studio.tui.screens.ask import Choose

        desk, current = self._desk, self._desk.state.current
        if current is None:
            return
        chapter = current.chapter
        checkpoint = await desk.bridge.call(desk.session.store.checkpoint)
        choose_chapter(checkpoint, chapter, again=False)  # nothing is offered that is refused
        ahead = await desk.bridge.call(desk.session.preview, chapter)
        plans = {s.number: s.purpose for s in current.contract.scenes} if current.contract else {}
        scenes = [(str(n), plans.get(n, "")) for n in range(1, ahead.scenes + 1)]
        choices = [(n, _("Scene {scene}", scene=f"{n}  {what}").rstrip()) for n, what in scenes]
        title = _("Which scene is to be drafted?")
        price = translate(said("It costs {price}.", price=ahead.cost.words))
        others = _("The others stand as they are, or wait.")
        about = one_after_another(others, price)
        chosen = await desk.studio.push_screen_wait(Choose(title, choices, about))
        if chosen is not None:
            self._run.start("write", WriteOrder(chapter, scene=int(chosen)), is_priced=True)

    async def _another(self, *, whole_scene: bool) -> None:
        from studio.pipeline.orders import PassageOrder
        from studio.tui.screens.versions import VersionsScreen

        desk = self._desk
        chapter, place, words = self._selection(whole_scene=whole_scene)
        plain = PassageOrder(chapter, place, "regenerate")
        order, at_once = await self._order(plain, words)
        if order is None:
            return
        screen = VersionsScreen(desk.session, order, at_once=at_once)
        version = await desk.studio.push_screen_wait(screen)
        if order.direction:  # a kill would have left it to be typed again
            await desk.studio.left_words.forget(_(_WISH), put_in_quotes(words))
        if version is not None:
            await self._show(version)

    async def _order(self, plain: PassageOrder, words: str) -> tuple[PassageOrder | None, bool]:
        """Asks what the writer wants; returns the order, and whether to request a version at
        once."""
        from dataclasses import replace

        from studio.tui.screens.ask import Ask, Choose, one_back

        desk, passages = self._desk, self._desk.session.passages()
        versions = await desk.bridge.call(passages.versions_of, plain.chapter, plain.place)
        several, changed = replace(plain, versions=_SEVERAL), replace(plain, mode="refine")
        about = put_in_quotes(words)
        try:
            one, three = [await desk.bridge.call(passages.price, o) for o in (plain, several)]
        except StudioError:
            if not versions.versions:
                raise
            return plain, False
        anew, several_anew = translate(one.cost), translate(three.cost)
        choices = [
            ("one", _("Written anew: {cost}", cost=anew)),
            (
                "several",
                _("Written anew, {count} versions: {cost}", count=_SEVERAL, cost=several_anew),
            ),
            ("wish", _("Written anew, with a wish of yours: {cost} …", cost=anew)),
        ]
        try:
            change = translate((await desk.bridge.call(passages.price, changed)).cost)
            choices.append(("change", _("Changed as you say: {cost} …", cost=change)))
        except StudioError as error:  # a small model can do the others
            about = f"{about}\n\n{translate(error.problem.message)}"
        if versions.versions:
            count = len(versions.versions)
            choices.append(("look", _("Look at those there are: {count}", count=count)))
        title = _("Another version of {place}", place=self._name(plain))
        way = None
        while True:
            card = Choose(title, choices, about, marked=way)
            way = await desk.studio.push_screen_wait(card)
            if way in (None, "look"):
                return (plain if way else None), False
            if way in ("one", "several"):
                return (plain if way == "one" else several), True
            quote = put_in_quotes(words)
            box = Ask(_(_WISH), quote, empty=False, stays=True, keys=one_back())
            if (wish := await desk.studio.push_screen_wait(box)) is not None:
                mode = "refine" if way == "change" else plain.mode
                return replace(plain, mode=mode, direction=wish.strip()), True

    def _name(self, order: PassageOrder) -> str:
        """Returns the words by which the writer would call a passage."""
        current, place = self._desk.state.current, order.place
        if current is not None:
            number, whole = _whole_scene(current, place) or (place.scene, None)
            if whole == place:
                return _("scene {scene}", scene=number)
        return str(place)

    async def _show(self, taken: TakenVersion) -> None:
        desk = self._desk
        self._taken = taken if taken.replaced_sha256 else None
        await desk.reread(fresh=False, chapter=taken.chapter)
        self._analysis.begin()
        where = _("It is in the text; what it replaced is kept. u takes it back.")
        if taken.is_opened:
            where = _("The chapter is open for review with it; w goes on. u takes it back.")
        if taken.moved_notes:
            where = f"{translate(about_moved_notes(taken.moved_notes))}\n{where}"
        desk.studio.say(where)

    @performs("text.untake")
    async def untake(self) -> None:
        """Restores the passage as it was before the last version was taken."""
        taken, desk = self._taken, self._desk
        if taken is None or taken.replaced_sha256 is None:
            desk.studio.say(_("No version was taken in this sitting."))
            return
        take = desk.session.passages().taker.take
        if await try_to_do(desk, take, taken.chapter, taken.place.scene, taken.replaced_sha256):
            self._taken = None
            await desk.reread(fresh=False, chapter=taken.chapter)
            self._analysis.begin()
            desk.studio.say(_("The passage is as it was; the version is kept."))

    # The lock

    @performs("text.keep")
    def keep(self) -> None:
        """Locks the selected paragraphs, or unlocks them if all of them are locked."""
        self._desk.work(self._tell(self._keep), "decide")

    async def _keep(self) -> None:
        desk = self._desk
        chapter, place, _words = self._selection()
        store = desk.session.store
        text = await desk.bridge.call(text_in_work, store, chapter)
        held = store.locks().held_in(chapter, text)
        numbers = range(place.first, place.last + 1)
        if all((place.scene, number) in held for number in numbers):
            if await try_to_do(desk, free_passage, store, chapter, place):
                await desk.reread()
                desk.studio.say(_("{place} is free again.", place=place))
        elif await try_to_do(desk, keep_passage, store, chapter, place):
            await desk.reread()
            words = _(
                "{place} stays as it is, whoever works on it: {mark} in the margin. K frees it.",
                place=place,
                mark=desk.painter.prose.strips.lock_bar,
            )
            desk.studio.say(words)

    # A proposal of her own

    @performs("text.propose")
    def propose(self) -> None:
        """Makes a proposal of the author's own about the selected paragraphs."""
        self._desk.work(self._tell(self._propose), "decide")

    async def _propose(self) -> None:
        from studio.tui.screens.ask import AskText, Choose

        desk, current = self._desk, self._desk.state.current
        chapter, place, beginning = self._selection()
        choices = [(kind, _(words)) for kind, (words, _about) in _PROPOSED.items()]
        title = _("For later: {place}", place=place)
        choice = await desk.studio.push_screen_wait(
            Choose(title, choices, put_in_quotes(beginning))
        )
        kind = next((kind for kind in _PROPOSED if kind == choice), None)
        if kind is None or current is None or current.text is None:
            return
        words = ""
        if about := _PROPOSED[kind][1]:
            passage = place.within(current.text, chapter)
            begin = passage_text(passage) if kind == "replace" else ""
            answer = await desk.studio.push_screen_wait(AskText(title, _(about), begin))
            words = (answer or "").strip()
            if not words:
                return
        add = desk.session.proposals().add
        if await try_to_do(desk, add, chapter, place, kind, words or None):
            await desk.reread(fresh=False, chapter=chapter)
            desk.studio.say(_("It stands among the proposals and waits for your decision."))

    def _selection(self, *, whole_scene: bool = False) -> tuple[int, PassagePlace, str]:
        """Returns the chapter, the selected paragraphs of one scene, and their first words.
        Without a selection: the paragraph that the keys are on, or the marked passage that it
        belongs to; or its whole scene if asked for. Raises StudioError 2 if there is none."""
        desk, current = self._desk, self._desk.state.current
        if current is None or current.text is None:
            raise usage(_("This chapter has no text yet."))
        prose = desk.painter.prose
        self._desk.go_to_tab("draft")  # the text is what it is about, whatever tab is in front
        passages = prose.selector.passages
        if len(passages) > 1:
            raise usage(_("The selection crosses a scene break; a passage lies within one scene."))
        at_hand = passages[0] if passages else prose.cursor.passage
        if at_hand is None:
            raise usage(_("No paragraph is in sight."))
        place = PassagePlace(*at_hand)
        if whole_scene:
            _number, place = _whole_scene(current, place) or (place.scene, place)
        passage = place.within(current.text, current.chapter)
        prose.highlight(ParagraphRange(place.scene, place.first, place.last))
        return current.chapter, place, excerpt(passage[0].text, _BEGIN)


def _whole_scene(current: CurrentChapter, place: PassagePlace) -> tuple[int, PassagePlace] | None:
    """Returns the number of the scene that a passage begins in, and where all of it is; of a
    planned scene in which a break stands, the part of the passage. None if the text has no such
    passage."""
    text = current.text
    there = text.passage(place.scene, place.first, place.first) if text else ()
    if text is None or not there:
        return None
    number = current.planned.number_of(there[0]) if current.planned else place.scene
    scene = (current.planned or text).scene(number)
    here = [p.number for p in (scene.paragraphs if scene else there) if p.scene == place.scene]
    return number, PassagePlace(place.scene, here[0], here[-1])

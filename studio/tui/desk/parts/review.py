"""The review at the desk: the same decisions as `studio directives`, one key each, and the answers
to what only the writer decides: a choice, and the places of a pattern."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from studio.i18n import N_, _, ngettext, one_after_another, translate
from studio.messages import said
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus
from studio.tui.desk.facts import undecided_changes
from studio.tui.desk.protocol import result_of, try_to_do
from studio.tui.performs import performs
from studio.tui.views.prose.marks import ParagraphRange
from studio.tui.views.situation import answerable, at_rest, undoable_here

if TYPE_CHECKING:
    from studio.story.review.directive import Directive, Unplaced
    from studio.story.review.evaluation import ChoiceAnswer, Counsel
    from studio.story.review.passage import PassageLocation
    from studio.story.review.proposal import ProposalAction
    from studio.story.review.stale_directives import PlacedProposal
    from studio.story.review.surgery import SurgeryResult
    from studio.tui.desk.parts.decisions import Decisions
    from studio.tui.desk.parts.own_text import OwnText
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.parts.waivers import WaiverDesk
    from studio.tui.desk.protocol import Desk
    from studio.tui.screens.ask import RejectionReach
    from studio.tui.views.review.plain_names import FixOrProposal


_ASKED: Mapping[ChoiceAnswer, str] = {
    "fix": N_("What should stand in this paragraph? The surgeon changes nothing else."),
    "wish": N_("What should the next draft do? It goes to the drafter."),
    "next": N_(
        "What is the next chapter to do with it? Whoever plans, writes and judges it is told."
    ),
    "note": N_("It is in the text after the paragraph; no model and no export sees it."),
    "meant": N_("A reason, if you like. It is not asked again while these words stand."),
    "always": N_("How is it, from now on? Whoever writes or judges a chapter is told."),
}
_THEN: Mapping[ChoiceAnswer, str] = {
    "fix": N_("It is among the fixes now; w lets the surgeon do it."),
    "wish": N_("Kept for the next draft of this chapter; d offers one."),
    "next": N_(
        "Kept for the next chapter. Once this one is in the book it stands as the direction on the"
        " desk, where i changes it or takes it back."
    ),
    "note": N_("The note stands behind the passage."),
    "meant": N_("It is meant; it is not asked again while these words stand."),
    "always": N_(
        "It holds from now on; whoever writes or judges is told. It stands under Rules in the"
        " outline’s notes; taken out there, it holds no more."
    ),
}
"""The prompts for an answer to a choice (`_ASKED`), and the messages after it (`_THEN`)."""
_STANDS = N_(
    "Kept for the next chapter: it stands as the direction on the desk, where i changes it or takes"
    " it back."
)
_NO_SURGEON = N_("It is among the fixes now; the surgeon needs a model, and none is set.")
_IN_REVIEW = N_("With this answer the chapter is in review again; in the book it stays as it was.")
_BY_A_WAY: Mapping[ChoiceAnswer, str] = {
    "fix": N_("The surgeon rewrites this paragraph by it"),
    "meant": N_("It is so already: nothing is changed"),
}
"""What becomes of one of the judge's ways, where it is said otherwise than of her own words."""
_PATTERN_WAYS: Mapping[str, str] = {
    "take": N_("Taken: the surgeon says it otherwise"),
    "leave": N_("Left: it stays as it is"),
    "make cliche-replacement": N_("A directive: other words"),
    "make cut": N_("A directive: cut it"),
    "make rhythm-variation": N_("A directive: another rhythm"),
}
"""What can become of a place of a pattern, by the way and the directive's type."""


async def answer_choice(desk: Desk, decisions: Decisions, choice: Counsel) -> None:
    """Asks for the answer to a choice: one of the judge's ways or words of hers, and what is to
    become of it, with what a fix costs; only then is anything done."""
    from studio.tui.desk.load import price_of_answer
    from studio.tui.views.review.counsel_text import ANSWERS
    from studio.tui.widgets.text_field import in_one_line

    chapter, answers = desk.state.chapter, _answers_to(desk, choice)
    in_book = not desk.situation().directives_here
    price = None
    if "fix" in answers and desk.state.has_model and chapter is not None:
        price = await desk.bridge.read(price_of_answer, desk.session, choice.issue, chapter)

    def offer(answer: ChoiceAnswer, names: Mapping[ChoiceAnswer, str]) -> str:
        words = _(names.get(answer, ANSWERS[answer]))
        if answer != "fix" or price is None:
            return words
        return _("{offer} · {price}", offer=words, price=translate(price.words))

    own = [(answer, offer(answer, ANSWERS)) for answer in answers]
    by_a_way = [(answer, offer(answer, _BY_A_WAY)) for answer in answers]
    decision = await _ask_for_answer(desk, choice, own, by_a_way)
    if decision is None:
        return
    answer, words = decision
    give, words = desk.session.answer_choice, in_one_line(words.strip())
    if await try_to_do(desk, give, choice.issue, answer, words, chapter):
        desk.directives.note_decided(choice)
        await decisions.after_directives(advance=False, fresh=answer == "always")
        _lead_on(desk)
        is_stuck = answer == "fix" and not desk.state.has_model
        then = _(_NO_SURGEON if is_stuck else _THEN[answer])
        if in_book and answer == "next":
            then = _(_STANDS)
        if in_book and desk.situation().directives_here:
            then += "\n" + _(_IN_REVIEW)
        desk.studio.say(then)


async def _ask_for_answer(
    desk: Desk,
    choice: Counsel,
    own: Sequence[tuple[ChoiceAnswer, str]],
    by_a_way: Sequence[tuple[ChoiceAnswer, str]],
) -> tuple[ChoiceAnswer, str] | None:
    """Returns the answer to a choice and its words; Esc leads from the second card back to the
    first. None if she leaves the first."""
    from studio.tui.screens.ask import AskText, Choose, one_back
    from studio.tui.views.review.counsel_text import ANSWERS

    ways = {f"way {number}": way for number, way in enumerate(choice.options)}
    key: str | None = None
    while True:
        card = Choose(_("Only you decide"), [*ways.items(), *own], choice.issue, marked=key)
        key = await desk.studio.push_screen_wait(card)
        if key is None:
            return None
        if (way := ways.get(key)) is not None:
            about = f"{choice.issue}\n\n{way}"
            then = Choose(_("And then?"), by_a_way, about, one_back())
            how = await desk.studio.push_screen_wait(then)
            if how is not None:
                return next(answer for answer, _words in by_a_way if answer == how), way
            continue
        answer = next(answer for answer, _words in own if answer == key)
        title, ask = _(ANSWERS[answer]), f"{_(_ASKED[answer])}\n\n{choice.issue}"
        box = AskText(title, ask, empty=answer == "meant", is_in_a_row=True)
        if (words := await desk.studio.push_screen_wait(box)) is not None:
            return answer, words


def _answers_to(desk: Desk, choice: Counsel) -> list[ChoiceAnswer]:
    """Returns the answers that can be given now: a fix and a note need the words the choice is
    about, a wish for the next draft a chapter that is drafted again, as none of the book is, and a
    chapter of the book is not opened while another is in progress."""
    from studio.pipeline.review.choice_answers import is_next_open
    from studio.tui.views.prose.passages import place_of_counsel
    from studio.tui.views.review.counsel_text import ANSWERS

    now = desk.situation()
    if not now.directives_here and now.inflight is not None:
        return ["meant", "always"]
    allowed: set[ChoiceAnswer] = {"meant", "always"}
    if place_of_counsel(desk.state.text, choice) is not None:
        allowed |= {"fix", "note"}
    book = desk.state.book
    if now.directives_here and book is not None and not book.checkpoint.own_text:
        allowed.add("wish")
    chapter = desk.state.chapter
    if (
        book is not None
        and chapter is not None
        and is_next_open(now.inflight, book.checkpoint.last_completed_chapter, chapter)
    ):
        allowed.add("next")
    return [answer for answer in ANSWERS if answer in allowed]


def _lead_on(desk: Desk) -> None:
    """Moves the cursor to what is next once every proposal is decided: another choice, or else what
    is open."""
    now = desk.situation()
    if now.choices and not now.pending:
        desk.directives.go_to_choice()
    elif not now.pending:
        desk.directives.go_to_open()


async def answer_pattern(desk: Desk, decisions: Decisions, pattern: Counsel) -> None:
    """Asks what becomes of a place of a pattern, or of all that are open."""
    from studio.pipeline.review import choice_answers
    from studio.story.review.directive import DirectiveType
    from studio.tui.screens.ask import Choose, one_back

    open_ = [n for n in range(1, len(pattern.places) + 1) if pattern.answered(n) is None]
    rows = [("all", _("Every place that is open ({count})", count=len(open_)))]
    rows += [(str(n), f"{n}  {pattern.places[n - 1].opens}") for n in open_]
    ways = [(way, _(words)) for way, words in _PATTERN_WAYS.items()]
    where = None
    while True:
        card = Choose(_("Which place?"), rows, pattern.issue, marked=where)
        where = await desk.studio.push_screen_wait(card)
        if where is None:
            return
        then = Choose(_("And then?"), ways, pattern.issue, one_back())
        if (way := await desk.studio.push_screen_wait(then)) is not None:
            break
    places = () if where == "all" else (int(where),)
    deed, _blank, kind = way.partition(" ")
    wanted = DirectiveType(kind) if kind else None
    if await try_to_do(
        desk,
        choice_answers.answer_pattern,
        desk.session.store,
        pattern.words,
        places,
        deed,
        wanted,
    ):
        await decisions.after_directives(advance=False)


_WRITTEN = {
    "replace": N_("Your words replace the passage; no model is asked."),
    "insert": N_("Your words stand behind the passage; no model is asked."),
}
_WRITTEN_NOW = N_("Your words are in the text; u takes them out again.")
_CUT_NOW = N_("The passage is cut; u brings it back.")
_ALL = 10_000
"""More entries than a review has."""
_QUOTED = 160
"""Characters of a judge's quote on the card that asks for its passage."""


class ReviewDesk:
    """Navigates the directives, and decides each."""

    def __init__(
        self,
        desk: Desk,
        run: RunFollower,
        own_text: OwnText,
        decisions: Decisions,
        waivers: WaiverDesk,
    ) -> None:
        self._desk = desk
        self._own_text = own_text
        self._run = run
        self._decisions = decisions
        self._waivers = waivers

    def follow_cursor(self) -> None:
        """Makes the text follow the cursor."""
        desk = self._desk
        desk.painter.mark()
        desk.painter.diff()
        desk.show_hints()
        if not desk.state.run.running and desk.state.pane == "directives":
            desk.painter.reveal()

    def go_to_paragraph(self, scene: int, paragraph: int) -> None:
        """Moves the cursor to the directive, or the proposal, of a paragraph."""
        for change in self._desk.directives.changes:
            at = change.location
            if change.stands == "gone" or at is None:
                continue
            here = ParagraphRange(at.scene_number, at.paragraph_start, at.paragraph_end)
            if here.holds(scene, paragraph):
                self._desk.directives.go_to(change.id)
                return

    @performs("directives.next", 1)
    @performs("directives.previous", -1)
    @performs("directives.first", -_ALL)
    @performs("directives.last", _ALL)
    def move(self, step: int) -> None:
        """Moves the cursor by so many entries, as far as there are any."""
        self._desk.directives.move(step)

    @performs("directives.read_on")
    def read_on(self) -> None:
        """Scrolls on in the details of the directive."""
        self._desk.directives.read_on(1)

    @performs("directives.read_back")
    def read_back(self) -> None:
        """Scrolls back in the details of the directive."""
        self._desk.directives.read_on(-1)

    @performs("directives.expand")
    def expand(self) -> None:
        """Expands or collapses the details; asks for the answer to an open choice, and for the
        passage of what could not be placed."""
        pane = self._desk.directives
        choice, lost, pattern = pane.open_choice, pane.unplaced_under_cursor, pane.open_pattern
        allows_it = answerable if choice is None else at_rest
        if pane.line_edits is not None:
            pane.edits_listed = not pane.edits_listed
        elif choice is None and lost is None and pattern is None:
            self._desk.directives.expanded = not self._desk.directives.expanded
        elif (reason := allows_it(self._desk.situation())) is not None:
            self._desk.studio.say(reason)
        elif choice is not None:
            self._desk.converse(answer_choice(self._desk, self._decisions, choice))
        elif pattern is not None:
            self._desk.converse(answer_pattern(self._desk, self._decisions, pattern))
        elif lost is not None:
            self._place(lost, lost.label)

    def _place(self, lost: Unplaced, label: str) -> None:
        """Asks which passage the judge meant; a wrong address is asked about again."""
        from studio.quotation_marks import put_in_quotes
        from studio.text.prose.answer import excerpt
        from studio.tui.screens.ask import Ask

        rows = (lost.issue or lost.instruction, put_in_quotes(excerpt(lost.quote, _QUOTED)))
        ask = _("Scene and paragraph, as they are numbered beside the text: 2.3, or 2.3-5.")
        words = "\n\n".join((*(rows if lost.quote else rows[:1]), ask))

        def on_answer(address: str | None) -> None:
            if address is not None:
                self._desk.work(self._place_lost(lost, address.strip()), "decide")

        card = Ask(_("Which passage is it about?"), words, label, empty=False)
        self._desk.studio.push_screen(card, on_answer)

    async def _place_lost(self, lost: Unplaced, address: str) -> None:
        desk, sheet = self._desk, self._desk.state.sheet
        if sheet is None or lost not in sheet.unplaced:
            return
        number = sheet.unplaced.index(lost) + 1
        directive = await result_of(desk, desk.session.place_proposal, number, address)
        if directive is None:
            self._place(lost, address)
            return
        await self._decisions.after_directives(advance=False)
        desk.directives.go_to(directive.id)
        desk.studio.say(_("It is a directive now, and waits for you like any other."))

    @performs("directives.accept")
    async def accept(self) -> None:
        """Accepts the directive or the proposal, or keeps the fix that is in the text; asks for the
        passage of what could not be placed."""
        if (lost := self._desk.directives.unplaced_under_cursor) is not None:
            self._place(lost, lost.label)
        elif (group := self._desk.directives.line_edits) is not None:
            await self._change_edits("accept", [edit.id for edit in group.undecided_edits])
        elif (placed := self._desk.directives.proposal) is not None:
            await self._change_proposal(placed, "accept")
        else:
            await self._change("accept")

    @performs("directives.reject")
    def reject(self) -> None:
        """Opens the rejection card with "once" marked; a proposal is rejected just once, so only
        the reason is asked for, and of the small changes not even that."""
        if (group := self._desk.directives.line_edits) is not None:
            waiting = [edit.id for edit in group.undecided_edits]
            self._desk.work(self._change_edits("reject", waiting), "decide")
            return
        if (placed := self._desk.directives.proposal) is not None:
            self._reject_proposal(placed)
            return
        self._desk.work(self._not_this("once"), "decide")

    @performs("directives.waive")
    def waive(self) -> None:
        """Opens the rejection card with "here from now on" marked, for a finding that is
        intended."""
        self._desk.work(self._not_this("here"), "decide")

    async def _not_this(self, proposed: RejectionReach) -> None:
        from studio.story.review.directive import kind_name
        from studio.text.prose.answer import first_words
        from studio.tui.screens.ask import NotThis

        directive = self._selection()
        kind, words = kind_name(directive.type), first_words(directive.current_text)
        what = _("{kind}: {words}", kind=kind, words=words)
        answer = await self._desk.studio.push_screen_wait(NotThis(what, proposed))
        if answer is None:
            return
        if answer.reach == "once":
            await self._change("reject", reason=answer.reason)
        else:
            await self._waivers.waive(directive, answer.reach, answer.reason)

    @performs("directives.edit")
    def edit(self) -> None:
        """Edits the instruction of the directive."""
        from studio.tui.screens.ask import AskText

        if self._desk.directives.proposal is not None:  # there are no words but its own
            self.edit_text()
            return
        directive = self._selection()
        if directive.edited_text is not None:  # no model is asked, so there are only the words
            self.edit_text()
            return
        words = _("The surgeon follows your words and changes nothing but this passage.")
        instruction, is_offered = directive.instruction, not directive.is_in_her_words
        if is_offered:
            how = _("Type in place of what is proposed, or press End and type behind it.")
            words = one_after_another(words, how)
        self._desk.studio.push_screen(
            AskText(_("Say it otherwise"), words, instruction, is_offered=is_offered),
            lambda instruction: self._after(instruction, "edit", "instruction"),
        )

    @performs("directives.edit_text")
    def edit_text(self) -> None:
        """Her own passage, or her own words in place of a proposal's."""
        if (placed := self._desk.directives.proposal) is not None:
            proposal = placed.proposal
            self._ask_for_words(placed, proposal.after or proposal.before)
            return
        from studio.tui.views.review.directive_text import words_to_begin_with

        self._ask_for_passage(words_to_begin_with(self._selection()))

    def _ask_for_passage(self, begin: str) -> None:
        from studio.tui.screens.ask import AskText

        def on_answer(text: str | None) -> None:
            if text is not None and not text.strip():
                _ask_to_cut(self._desk, lambda: self._change("edit", text=""))
            else:
                self._after(text, "edit", "text")

        words = _("Your words replace the passage; no model is asked.")
        self._desk.studio.push_screen(AskText(_("Write it"), words, begin), on_answer)

    @performs("directives.undo")
    async def undo(self) -> None:
        """Takes back an answer, a waiver, a decision, or a fix: the one under the cursor, or else
        the last decision of this review, from which the cursor has moved on."""
        if undoable_here(self._desk.situation()) is not None:
            self._desk.directives.go_to(self._desk.directives.last_decided)
        choice = self._desk.directives.answered_choice
        if choice is not None:
            await self._take_back(choice)
            return
        if (group := self._desk.directives.line_edits) is not None:
            applied = [edit.id for edit in group.edits if edit.status == "applied"]
            await self._change_edits("undo", applied)
            return
        if (placed := self._desk.directives.proposal) is not None:
            await self._undo_proposal(placed)
            return
        directive = self._selection()
        if not self._desk.situation().directives_here:
            await self._own_text.take_out(directive)
        elif directive.status is DirectiveStatus.WAIVED:
            self._waivers.lift(directive)
        elif directive.status in IN_TEXT_STATUSES and directive.stands == "changed":
            at, result = directive.location, directive.result
            _ask_to_undo_her_words(self._desk, at, result, lambda: self._change("undo"))
        else:
            await self._change("undo")

    async def _change_proposal(
        self, placed: PlacedProposal, action: ProposalAction, **options: Any
    ) -> None:
        """Carries out a decision on one proposal; words of an edit that is refused are kept."""
        desk, was_here = self._desk, self._desk.situation().directives_here
        change = partial(desk.session.proposals().change, action, [placed.id], **options)
        rows = await result_of(desk, change)
        if not rows:
            if "words" in options:
                self._ask_for_words(placed, options["words"])
            return
        if action != "undo":
            desk.directives.note_decided(placed)
        await self._decisions.after_directives(advance=action != "undo")
        if words := _what_came_of(rows[0].status, is_in_review=was_here):
            desk.studio.say(words)

    async def _change_edits(self, action: ProposalAction, ids: Sequence[str]) -> None:
        """Carries out one decision on small changes, all at once."""
        group = self._desk.directives.line_edits
        if await try_to_do(self._desk, self._desk.session.proposals().change, action, list(ids)):
            if action != "undo" and group is not None:
                self._desk.directives.note_decided(group)
            await self._decisions.after_directives(advance=False)
            if action != "undo" and not self._desk.situation().pending:
                self._desk.directives.go_to_open()

    def _reject_proposal(self, placed: PlacedProposal) -> None:
        from studio.tui.screens.ask import Ask

        def on_answer(reason: str | None) -> None:
            if reason is not None:
                rejected = self._change_proposal(placed, "reject", reason=reason.strip())
                self._desk.work(rejected, "decide")

        words = _("The passage stays as it is. A reason, if you like.")
        self._desk.studio.push_screen(Ask(_("Not this"), words), on_answer)

    def _ask_for_words(self, placed: PlacedProposal, begin: str) -> None:
        from studio.tui.screens.ask import AskText

        def on_answer(words: str | None) -> None:
            if words is not None and not words.strip():
                self._desk.studio.say(
                    _("Without a word there the proposal stays as it was; r puts it aside.")
                )
            elif words is not None:
                edited = self._change_proposal(placed, "edit", words=words.strip())
                self._desk.work(edited, "decide")

        kind = "insert" if placed.proposal.kind == "insert" else "replace"
        self._desk.studio.push_screen(AskText(_("Write it"), _(_WRITTEN[kind]), begin), on_answer)

    async def _undo_proposal(self, placed: PlacedProposal) -> None:
        proposal = placed.proposal
        if proposal.status == "applied" and proposal.stands == "changed":
            undo = partial(self._change_proposal, placed, "undo")
            _ask_to_undo_her_words(self._desk, placed.location, proposal.result, undo)
        else:
            await self._change_proposal(placed, "undo")

    async def _take_back(self, choice: Counsel) -> None:
        desk = self._desk
        answer, chapter = desk.session.answer_choice, desk.state.chapter
        is_noted = choice.answer == "always"
        if await try_to_do(desk, answer, choice.issue, None, "", chapter):
            await self._decisions.after_directives(advance=False, fresh=is_noted)
            self._desk.studio.say(_("Your answer is taken back; the choice is open again."))

    @performs("directives.retry")
    async def retry(self) -> None:
        """Retries the fix, with a note, after saying what that costs."""
        from studio.tui.desk.load import price_of_retry
        from studio.tui.screens.ask import Ask

        directive = self._selection()
        if directive.edited_text is not None:
            words = _("No model wrote this. Take it back, then edit the words themselves.")
            self._desk.studio.say(words)
            return
        words = _("What should be different this time? Your note goes to the surgeon.")
        desk, price = self._desk, None
        if desk.state.has_model:
            price = await desk.bridge.read(price_of_retry, desk.session, directive)
        if price is not None:
            costs = translate(said("It costs {price}.", price=price.words))
            words = one_after_another(words, costs)

        def on_answer(note: str | None) -> None:
            if note is not None:
                self._desk.work(self._retry(directive, note.strip()), "decide")

        self._desk.studio.push_screen(Ask(_("Try again"), words), on_answer)

    @performs("directives.accept_rest")
    def accept_rest(self) -> None:
        """Accepts all open directives, after a confirmation."""
        self._ask_rest("accept", _("Take the rest?"), _("The surgeon works on each of them."))

    @performs("directives.reject_rest")
    def reject_rest(self) -> None:
        """Rejects all open directives, after a confirmation."""
        self._ask_rest("reject", _("None of the rest?"), _("They do not come back for this text."))

    def _ask_rest(self, action: Literal["accept", "reject"], title: str, words: str) -> None:
        from studio.tui.screens.ask import Confirm

        count = self._desk.situation().pending
        question = ngettext("{n} proposal. {words}", "{n} proposals. {words}", count, words=words)
        if action == "accept" and any(map(_is_proposal, self._undecided_changes())):
            question += "\n\n" + _("What has its own words goes into the text at once.")

        def on_answer(yes: bool | None) -> None:
            if yes:
                self._desk.work(self._change_all(action), "decide")

        self._desk.studio.push_screen(Confirm(title, question), on_answer)

    def _selection(self) -> Directive:
        directive = self._desk.directives.directive_under_cursor
        assert directive is not None  # the action's reason_disabled ensures it
        return directive

    def _after(self, words: str | None, action: str, field: str) -> None:
        """Carries out typed input; an empty reason is valid, any other empty text cancels."""
        if words is not None and (words.strip() or field == "reason"):
            self._desk.work(self._change(action, **{field: words.strip()}), "decide")
        elif words is not None:
            self._desk.studio.say(_("Without a word there the instruction stays as it was."))

    async def _change(self, action: str, **options: str) -> None:
        desk, directive = self._desk, self._selection()
        change = desk.session.change_directives
        if action == "accept" and not await _is_as_seen(desk, directive):
            return
        if await try_to_do(desk, change, action, [directive.id], **options):
            if action != "undo":
                desk.directives.note_decided(directive)
            await self._decisions.after_directives(advance=action != "undo")
            if (hers := options.get("text")) is not None:
                desk.studio.say(_(_WRITTEN_NOW if hers else _CUT_NOW))
        elif "text" in options:  # refused, and hers all the same
            self._ask_for_passage(options["text"])

    async def _change_all(self, action: Literal["accept", "reject"]) -> None:
        desk, changes = self._desk, self._undecided_changes()
        proposed = [change.id for change in changes if _is_proposal(change)]
        ids = [change.id for change in changes if not _is_proposal(change)]
        decide, change = desk.session.change_directives, desk.session.proposals().change
        done = not ids or await try_to_do(desk, decide, action, ids, batch=True)
        if done and proposed:
            done = await try_to_do(desk, change, action, proposed)
        for one in changes if done or ids else ():
            desk.directives.note_decided(one)
        if done or ids:
            await self._decisions.after_directives(advance=False)

    def _undecided_changes(self) -> list[FixOrProposal]:
        current = self._desk.state.current
        return undecided_changes(current) if current is not None else []

    async def _retry(self, directive: Directive, note: str) -> None:
        desk, ids = self._desk, [directive.id]
        change, words = desk.session.change_directives, directive.instruction
        if directive.status in IN_TEXT_STATUSES and not await try_to_do(desk, change, "undo", ids):
            return
        if await try_to_do(desk, change, "edit", ids, reason=note, instruction=words):
            await desk.reread(fresh=False)
            self._run.start("resume", is_priced=True)


async def _is_as_seen(desk: Desk, directive: Directive) -> bool:
    """Whether a fix is what the screen says: at the end of a run its answer may have come that
    moment, and nobody keeps what she has not read."""
    sheet = await desk.bridge.call(desk.session.directives)
    now = sheet.find(directive.id) if sheet is not None else None
    if now is None or now.status == directive.status:
        return True
    await desk.reread(fresh=False)
    desk.studio.say(_("This fix came just now: read it first."))
    return False


def _what_came_of(status: str, *, is_in_review: bool) -> str:
    """Returns what is said after a decision on a proposal; empty where its row says enough."""
    if status == "conflict":
        return _("Its passage is not what it was; nothing was done. Decide again.")
    if status == "applied" and not is_in_review:
        return _("The chapter is in review with it, and stays in the book as it was.")
    return ""


def _is_proposal(change: FixOrProposal) -> bool:
    from studio.story.review.stale_directives import PlacedProposal

    return isinstance(change, PlacedProposal)


def _ask_to_cut(desk: Desk, cut: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Asks whether a passage that she left without a word is to be cut."""
    from studio.tui.screens.ask import Confirm

    def on_answer(yes: bool | None) -> None:
        if yes:
            desk.work(cut(), "decide")

    words = _("Nothing is put in its place, and no model is asked.")
    desk.studio.push_screen(Confirm(_("Cut the passage?"), words), on_answer)


def _ask_to_undo_her_words(
    desk: Desk,
    at: PassageLocation | None,
    result: SurgeryResult | None,
    undo: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    """Shows both texts of a fix that she has typed into before the old one comes back."""
    from studio.tui.screens.ask import Confirm

    text = desk.state.text
    if text is None or at is None or result is None:
        return
    now = text.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    words = _both_texts(" ".join(p.text for p in now), result.before)

    def on_answer(yes: bool | None) -> None:
        if yes:
            desk.work(undo(), "decide")

    desk.studio.push_screen(Confirm(_("Undo your words too?"), words), on_answer)


def _both_texts(present: str, before: str) -> str:
    """Returns a question's words on what of hers goes and what comes back."""
    from studio.text.diff import where_they_part

    hers, old = where_they_part(present, " ".join(before.split()))
    goes, comes = _("It goes, with the words you typed; history keeps it:"), _("This comes back:")
    return "\n\n".join((goes, hers, comes, old))

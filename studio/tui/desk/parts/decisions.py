"""The desk between runs: the outcome of the last run, pending questions, and the commit."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.i18n import N_, _, aside, language_in_force, ngettext, series, translate
from studio.messages import said
from studio.pipeline.outcome import (
    Committed,
    Failed,
    NothingToDo,
    Outcome,
    Paused,
    Stopped,
    tally_in_all,
)
from studio.pipeline.review.question import COMMIT, LOOK_AGAIN
from studio.pipeline.volume.close import END_VOLUME, PLAN_MORE
from studio.resources import IN_ENGLISH, SAMPLE_TITLE
from studio.session import EDIT, STOP, WriteOrder
from studio.story.checkpoint import DIRECTIVES, GO_ON
from studio.story.decision_words import NEEDS_A_MODEL, needs_model, without_a_model
from studio.tui.actions import BY_ID
from studio.tui.desk.parts.own_text import once_hers_is_safe
from studio.tui.desk.parts.proposed import put_off
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs
from studio.tui.views.key_names import first_key
from studio.tui.views.run.moment import end_run
from studio.tui.views.signs import badge_meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from studio.story.checkpoint import Decision
    from studio.story.ledger import Estimate
    from studio.tui.desk.parts.beginning import BeginningGuide
    from studio.tui.desk.parts.planning import Planning
    from studio.tui.desk.parts.run import InProgress, RunFollower
    from studio.tui.desk.parts.volume import Volume
    from studio.tui.desk.protocol import Desk
    from studio.tui.desk.state import DeskState
    from studio.tui.runtime.bridge import RunKind
    from studio.tui.screens.decision import Chosen
    from studio.tui.views.situation import Situation

_LONG = 20.0
"""Seconds after which the end of a run rings the bell."""
_WITH_NOTE = {
    "again": (
        N_("Once more"),
        N_("What should be different this time? Your note goes to the surgeon."),
    ),
    "draft-scenes": (
        N_("Which scenes"),
        N_("Their numbers, then what should be different: 2, 3: slower. It goes to the drafter."),
    ),
    "choose": (N_("Which of it"), N_("The names of what may go, as the question lists them.")),
    "leave": (N_("Leave it as it is"), N_("A reason helps to learn from it; it may stay empty.")),
}
"""The prompt for a note, by option: for a passage that does not improve, and for a chapter of
which some scenes are drafted again."""


_STAYS_OUT = frozenset({EDIT, STOP, DIRECTIVES, "draft-again", "draft-scenes", LOOK_AGAIN})
"""The answers after which a chapter does not go into the book without another word of hers."""

_PROPOSES = frozenset({"start", "outline", "clean_up"})
"""The questions that propose something for the book: she may answer later, and write."""


class _Bound(NamedTuple):
    """A wish to commit: what does not need her is done, and only a question stops it."""

    known: frozenset[str]
    """The open things that she knew of."""
    agreed: frozenset[str] = frozenset()
    """The fixes of which she was told that they go in as the surgeon writes them."""
    answered: bool = False
    """Whether the review's question was answered for her: another one tells something new."""


def _go_on_from(desk: Desk, made: Committed) -> None:
    """Goes to the chapter that comes next: in the one that went into the book there is nothing to
    do, unless it was an earlier one, or left something open."""
    chapters, following = desk.painter.outline_list, made.chapter + 1
    is_next = desk.state.book is not None and desk.state.book.next_chapter == following
    goes_on = is_next and not made.left_open and chapters.go_to(following)
    desk.go_to_pane("outline" if goes_on else "text")


class Decisions:
    """Asks each question once; only the writer answers it."""

    def __init__(
        self,
        desk: Desk,
        run: RunFollower,
        planning: Planning,
        beginning: BeginningGuide,
        volume: Volume,
        in_progress: InProgress,
    ) -> None:
        self._desk = desk
        self._planning = planning
        self._in_progress = in_progress
        self._state = desk.state
        self._run = run
        self._beginning = beginning
        self._volume = volume
        self._card_waits = False
        """Whether a question arrived while another screen lay over the desk."""
        self._answered = ""
        """The question whose answer is being typed or carried out: its card does not open again."""
        self._bound_for_book: _Bound | None = None
        """Her wish to commit the chapter, while what has to be done first is done."""

    @performs("desk.write")
    async def write(self) -> None:
        """Continues with the pending question, the surgeon's work, or the next scene; a scene that
        broke off goes on from its last word, and `d` offers the other ways. Nothing begins before
        its price stands beside the key; a question has none."""
        if self._state.is_price_due and self._state.question is None:
            self._desk.work(_once_priced(self._desk, self._write), "write", exclusive=True)
        else:
            await self._write()

    async def _write(self) -> None:
        from studio.tui.screens.decision import Chosen

        now, question = self._desk.situation(), self._state.question
        if question is not None and question.kind == "cut_off" and GO_ON in question.options:
            goes_on = Chosen(question.id, GO_ON)
            once_hers_is_safe(self._desk, lambda: self._decide(goes_on))
            return
        is_open = question is not None and not self._state.is_for_later
        if question is not None and is_open and not now.approved and not _is_outdated(self._desk):
            self.ask_or_point(question, is_asked_for=True)
            if self.is_open:
                self._desk.studio.say(
                    _("First decide what is open; {key} skips it.", key=_commit_key(self._desk))
                )
            return
        if now.in_steps and question is None:
            self._beginning.begin(is_priced=True)
            return
        if now.inflight or await self._planning.can_be_written():
            waits = question is not None and self._state.is_for_later
            order = WriteOrder(puts_by=question.id) if question is not None and waits else None
            kind: RunKind = "resume" if now.inflight else "write"
            once_hers_is_safe(self._desk, lambda: self._run.start(kind, order, is_priced=True))

    async def take_outcome(self, outcome: Outcome, chapters: Sequence[Committed]) -> None:
        """Updates the book, reports what a run ended with, and tells what `chapters` left open."""
        desk, state = self._desk, self._state
        begun = self._run.began_at
        state.journal = (*state.journal, *state.run.journal, *_end_in_the_log(outcome))
        state.settled = False
        state.run = end_run(state.run, outcome)
        state.streamed = ""
        if monotonic() - self._run.began_at > _LONG:
            desk.studio.bell()
        await desk.reread(chapter=state.run.chapter)
        if await self._volume.show_review():
            self._bound_for_book = None
            state.settled = True
            return
        if isinstance(outcome, Committed):
            names = series(badge_meaning(name) for name in outcome.badges)
            badges, chapter = aside(names) if names else "", outcome.chapter
            words = _("Chapter {chapter} is in the book{badges}.", chapter=chapter, badges=badges)
            desk.studio.say(words)
            desk.go_to_tab("draft")
            _go_on_from(desk, outcome)
        elif isinstance(outcome, Paused):
            # She may have answered while the book was read: the run of her answer asks the rest.
            is_answered = outcome.decision.id == self._answered or self._run.began_at != begun
            self._pause(outcome, asks=not is_answered)
        elif isinstance(outcome, Stopped):
            desk.studio.say(" ".join(filter(None, (_where_it_stopped(state), _asked_again(state)))))
        elif isinstance(outcome, NothingToDo) and not await self._beginning.plan_volume(outcome):
            desk.studio.say(outcome.message)
        elif isinstance(outcome, Failed):
            desk.studio.tell(outcome.problem)
        is_question = isinstance(outcome, Paused)
        if isinstance(outcome, Paused | Failed) and (words := _asked_again(state, is_question)):
            desk.studio.say(words)
        await _tell_what_became(desk, chapters, on_page=not isinstance(outcome, Paused))
        if not isinstance(outcome, Paused):
            self._bound_for_book = None
            state.first_question_comes = False
        state.settled = True

    def _pause(self, outcome: Paused, *, asks: bool) -> None:
        if (before := outcome.committed) is not None:
            self._bound_for_book = None
            words = _("Chapter {chapter} is in the book.", chapter=before.chapter)
            self._desk.studio.say(words)
        if not asks:
            return
        if self._bound_for_book is not None:
            self._on_the_way_to_the_book(outcome.decision, self._bound_for_book)
        else:
            self.ask_or_point(outcome.decision)

    # Questions

    def ask_or_point(self, decision: Decision, *, is_asked_for: bool = False) -> None:
        """Leads to a question: open directives are decided in their pane, everything else on a
        card; a question about a passage scrolls to it first."""
        desk = self._desk
        if directive := decision.data.get("directive"):
            desk.go_to_pane("directives")
            desk.directives.go_to(str(directive))
            desk.painter.reveal()
        if decision.kind == "review" and self.is_open:
            desk.directives.go_to_open()
            desk.painter.reveal()
            desk.go_to_pane("directives")
            return
        desk.go_to_tab("diff" if decision.kind == "refine" else desk.state.first_tab)
        if desk.is_on_top:
            self.decide(is_asked_for=is_asked_for)
        else:
            self._card_waits = not _is_put(desk, decision)

    @property
    def leads_on(self) -> bool:
        """Whether a book that is being begun waits with a question that is asked once the desk is
        open; one for which a model has to be asked first waits for `w`."""
        question = self._state.question
        if question is not None:
            return question.kind == "start"
        return self._beginning.is_first_step_next

    def lead_on(self) -> None:
        """Asks that question, if there is one."""
        desk = self._desk
        if not self.leads_on or not desk.is_on_top or desk.bridge.is_running:
            self._state.first_question_comes = False
        elif self._state.question is not None:
            self.decide()
        else:
            self._beginning.begin()

    def take_waiting_card(self) -> bool:
        """Whether a card is waiting now that nothing lies over the desk; resets the flag.

        A card never covers what the writer is reading or answering.
        """
        waited, self._card_waits = self._card_waits, False
        return waited

    @property
    def is_open(self) -> bool:
        """Whether the chapter in progress is on the screen with something undecided."""
        now = self._desk.situation()
        is_open = now.choices or any(change.is_open for change in self._desk.directives.changes)
        return now.directives_here and bool(is_open)

    @performs("desk.decide")
    async def decide_what_is_here(self) -> None:
        """Asks the choice under the cursor, or else the pending question."""
        is_here = self._state.pane == "directives"
        if self._desk.situation().choice and (is_here or self._state.decidable is None):
            if not is_here:
                await self._desk.studio.action_perform("desk.directives")
            await self._desk.studio.action_perform("directives.expand")
        else:
            self.decide(is_asked_for=True)

    def decide(self, *, is_asked_for: bool = False) -> None:
        """Opens the card or the page of the pending question, by a key of hers or by itself."""
        from studio.tui.desk.parts.pages import on_the_card
        from studio.tui.screens.decision import DecisionScreen
        from studio.tui.views.review.decision_card import card_of

        desk, question = self._desk, self._state.decidable
        studio = desk.studio
        if self._state.run.running:
            return  # a card that waited below the answer to it
        if _is_outdated(desk):
            _ask_anew(desk, self._run, is_asked_for=is_asked_for)
            return
        if question is None or isinstance(studio.screen, DecisionScreen):
            return
        if question.id == self._answered:
            return
        if question.kind == "start" and self._beginning.show(question, is_asked_for=is_asked_for):
            return
        if question.kind in ("outline", "clean_up") and self._volume.show_proposal(
            question, is_asked_for=is_asked_for
        ):
            return
        if not self._state.has_model:
            question = without_a_model(question)
        card = card_of(question, studio.keymap, self._state.sheet)
        current = self._state.current
        if question.kind == "review" and current is not None:
            facts = on_the_card(current.remembered, current.names, studio.keymap)
            card = replace(card, facts=(*_about_the_sample(desk), *card.facts, *facts))
        studio.push_screen(DecisionScreen(card), self._decide)

    @performs("desk.commit")
    def commit(self) -> None:
        """Commits the chapter, once words of hers that are not saved are decided on."""
        once_hers_is_safe(self._desk, self._commit)

    def _commit(self) -> None:
        """Commits the chapter; asks once if anything is open, and names it. Whatever has to be
        done first is done, and only a question stops it, which is asked at once. What the surgeon
        writes on the way is said in either case: nobody reads it first."""
        from studio.tui.desk.parts.pages import new_promises
        from studio.tui.views.review.still_open import (
            is_taken_by_name,
            left_to_surgeon,
            stays_unkept,
            still_open,
            unread_fixes,
        )

        now, current = self._desk.situation(), self._state.current
        sheet = self._state.sheet if now.directives_here else None
        proposals = current.proposals if current and now.directives_here else ()
        counsel = current.counsel if current and now.directives_here else ()
        open_things, unread = still_open(sheet, proposals, counsel), unread_fixes(sheet)
        summary = _what_a_model_does_first(self._state, is_unread=now.without_review)
        promises = new_promises(current.remembered) if current and now.directives_here else ()
        along = () if open_things else stays_unkept(sheet)
        surgery = _price_of_surgery(self._state.writing_price) if unread else ""
        if not (open_things or promises or summary) and all(map(is_taken_by_name, unread)):
            words = tuple(filter(None, (*along, _goes_in_unread(len(unread)), surgery)))
            if all_words := "\n".join(words) or _nothing_to_ask(now):
                self._desk.studio.say(all_words)
            self._into_the_book()
            return
        own = (translate(current.since_judged) if current else "", *left_to_surgeon(unread))
        self._ask_to_commit((*open_things, *along, *promises, *own, surgery, summary))

    def _ask_to_commit(self, rows: Sequence[str]) -> None:
        """Asks whether the chapter goes into the book with all this."""
        from studio.tui.screens.ask import Confirm

        def on_answer(yes: bool | None) -> None:
            if yes:
                self._into_the_book()
            else:
                self._bound_for_book = None

        title = _("Chapter {inflight} into the book?", inflight=self._desk.situation().inflight)
        self._desk.studio.push_screen(Confirm(title, "\n".join(filter(None, rows))), on_answer)

    def _into_the_book(self) -> None:
        from studio.tui.screens.decision import Chosen
        from studio.tui.views.review.still_open import unread_fixes, worth_a_look

        question, sheet = self._state.question, self._state.sheet
        before = self._bound_for_book.agreed if self._bound_for_book else frozenset()
        agreed = before | {directive.id for directive in unread_fixes(sheet)}
        bound = self._bound_for_book = _Bound(worth_a_look(sheet, agreed), agreed)
        if question is None or self._desk.situation().approved or _is_outdated(self._desk):
            self._run.start("resume", is_priced=True)
        elif question.kind == "review":
            self._bound_for_book = bound._replace(answered=True)
            self._decide(Chosen(question.id, COMMIT))
        else:
            self.decide(is_asked_for=True)

    def _on_the_way_to_the_book(self, decision: Decision, bound: _Bound) -> None:
        """Goes on to the commit the writer asked for where the work in between has left nothing
        for her to look at; else asks at once."""
        from studio.tui.screens.decision import Chosen
        from studio.tui.views.review.still_open import name_news, worth_a_look

        desk, is_review, sheet = self._desk, decision.kind == "review", self._state.sheet
        news = worth_a_look(sheet, bound.agreed) - bound.known if is_review else frozenset()
        if is_review and not bound.answered and not news:
            self._bound_for_book = bound._replace(answered=True)
            self._decide(Chosen(decision.id, COMMIT))
        elif not desk.is_on_top:
            self._bound_for_book = None
            self.ask_or_point(decision)
        elif news:
            desk.directives.go_to(min(news))
            desk.painter.reveal()
            desk.go_to_pane("directives")
            self._ask_to_commit(name_news(sheet, news))
        elif is_review:
            self.decide()
        else:
            self.ask_or_point(decision)

    def _decide(self, answer: Chosen | None) -> None:
        question = self._state.decidable
        is_stuck = question and answer and needs_model(question, answer.option)
        if is_stuck and not self._state.has_model:  # the question stays open
            self._desk.studio.say(translate(NEEDS_A_MODEL), "warning")
            answer = None
        if answer is None or answer.option in _STAYS_OUT:
            self._bound_for_book = None
        if answer is not None and answer.option == COMMIT:
            once_hers_is_safe(
                self._desk, lambda: self._desk.work(self._carry_out(answer), "decide")
            )
        elif answer is not None:
            self._desk.work(self._carry_out(answer), "decide")
        elif question is not None and question.kind in _PROPOSES:
            self._desk.work(put_off(self._desk, question.id), "begin")

    async def _carry_out(self, answer: Chosen) -> None:
        desk, question = self._desk, self._state.decidable
        self._answered = answer.decision_id
        try:
            note = await self._note_with(answer)
            if note is not None:
                words = (answer.option, answer.decision_id, note)
                if await try_to_do(desk, desk.session.decide, *words):
                    desk.studio.take_back_said()
                    if question is not None and question.kind == "questions":
                        await _forget_answers(desk, question)
                    await self._go_on(question, answer.option)
        finally:
            self._answered = ""
        is_start = question is not None and question.kind == "start"
        is_back = self._beginning.take_step_back() if is_start else note is None
        if is_back and desk.is_on_top:
            self.decide()

    async def _go_on(self, question: Decision | None, option: str) -> None:
        """Continues after an answer has been accepted."""
        desk = self._desk
        if question is not None and question.kind == "start":
            await self._beginning.goes_on(question, option)
        elif question is not None and question.kind == "outline" and option == EDIT:
            self._volume.tell_edit()
        elif option == EDIT:
            await desk.studio.action_perform("desk.edit")
        elif option == DIRECTIVES:
            await self._in_progress.show()
            desk.directives.go_to_open()
            desk.go_to_pane("directives")
        elif question is not None and question.between_chapters:
            await desk.reread()
            consequence = question.data.get("options", {}).get(option)  # older ones have none
            if option in (PLAN_MORE, END_VOLUME) and consequence:
                desk.studio.say(consequence)
        elif option != STOP:
            self._run.start("resume", is_priced=True)

    async def _note_with(self, answer: Chosen) -> str | None:
        """Returns the writer's note to an answer; None if she cancels.

        For a passage the surgeon cannot get right: why it stays, or what to do differently. For a
        chapter that is held back: which scenes, and what she wants of them.
        """
        from studio.tui.screens.ask import Ask

        question = self._state.question
        if question is not None and question.kind == "start":
            return await self._beginning.words_for(question, answer.option)
        if question is not None and question.kind == "outline":
            return await self._volume.words_for(question, answer.option)
        if question is not None and question.kind == "questions":
            return await _ask_one_by_one(self._desk, question, answer.option)
        asks = ("breaker", "gate") if answer.option != "choose" else ("clean_up",)
        if question is None or question.kind not in asks or answer.option not in _WITH_NOTE:
            return ""
        title, words = _WITH_NOTE[answer.option]
        return await self._desk.studio.push_screen_wait(Ask(_(title), _(words)))

    async def after_directives(self, *, advance: bool, fresh: bool = False) -> None:
        """Redraws after directives were decided, advances to the next, and reports when all are
        decided; `fresh` if the notes of the book changed with it."""
        desk = self._desk
        desk.studio.take_back_said()
        await desk.reread(fresh=fresh)
        if advance:
            desk.directives.advance()
        now = desk.situation()
        if not now.directives_here or now.pending:
            return
        if now.choices:
            if advance:
                desk.directives.go_to_open()
            if not any(change.is_open for change in desk.directives.changes):
                desk.studio.say(_what_only_she_decides(now.choices))
        elif now.for_a_model and not desk.state.has_model:
            desk.studio.say(_what_needs_a_model(now.for_a_model, desk.studio.keymap))
        elif words := _after_the_last(now, is_open=self.is_open, commit_key=_commit_key(desk)):
            desk.studio.say(words)


def _ask_anew(desk: Desk, run: RunFollower, *, is_asked_for: bool) -> None:
    """Has the question asked of the text as it stands, which costs nothing: not where fixes that
    she accepted would be made first."""
    fixes, studio = desk.situation().for_a_model, desk.studio
    if not fixes:
        run.start("resume", is_priced=True)
    elif is_asked_for:
        studio.say(_what_comes_first(fixes, studio.keymap))


def _commit_key(desk: Desk) -> str:
    return first_key(BY_ID["desk.commit"], desk.studio.keymap)


async def _once_priced(desk: Desk, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Writes once its price stands, unless she has gone on to something else by then."""
    desk.studio.say(_("What it costs is being looked up; then it begins."))
    await desk.state.priced.wait()
    if desk.is_on_top and not desk.state.run.running:
        await write()


def _is_put(desk: Desk, decision: Decision) -> bool:
    """Whether the question's card is already open: the writer asked for it before the run had quite
    ended."""
    from studio.tui.screens.decision import DecisionScreen

    screen = desk.studio.screen
    return isinstance(screen, DecisionScreen) and screen.card.id == decision.id


def _is_outdated(desk: Desk) -> bool:
    """Whether directives were decided after the question was asked, so that it must be asked
    again."""
    question, sheet = desk.state.question, desk.state.sheet
    if question is not None and _is_of_other_words(desk, question):
        return True
    if question is None or question.kind != "review" or sheet is None:
        return False
    if not desk.situation().directives_here:
        return False
    kinds = ("pending", "applied", "still")
    listed = {name for kind in kinds for name in question.data.get(kind, ())}
    return listed != {directive.id for directive in sheet.open}


def _is_of_other_words(desk: Desk, question: Decision) -> bool:
    """Whether the writer has typed since the question was asked; asking anew costs nothing."""
    now, text = desk.situation(), desk.state.text
    if not (now.changed and now.directives_here) or text is None:
        return False
    return question.kind in ("review", "gate") and f"-{text.sha256[:8]}" not in question.id


async def _ask_one_by_one(desk: Desk, question: Decision, option: str) -> str | None:
    """Asks the questions one by one and returns the answers; an empty line leaves a question
    open. Esc goes back by one; what she answered stays in its card until all of it is taken. None
    if the writer answers none of them, or goes back before the first."""
    from studio.tui.screens.ask import Ask, one_back

    if option == "skip":
        return ""
    cards, answers = _cards_of(question), list[str]()
    while len(answers) < len(cards):
        card = Ask(*cards[len(answers)], keys=one_back(), stays=True)
        answer = await desk.studio.push_screen_wait(card)
        if answer is not None:
            answers.append(answer.strip())
        elif answers:
            answers.pop()
        else:
            return None
    if len(answers) == 1:
        return answers[0] or None
    rows = [
        f"{words} {answer}"
        for (_title, words), answer in zip(cards, answers, strict=True)
        if answer
    ]
    return "\n".join(rows) or None


def _cards_of(question: Decision) -> list[tuple[str, str]]:
    """Returns title and words of the card for each question before a chapter is drafted."""
    questions = [str(words) for words in question.data.get("questions", ())]
    return [
        (_("Question {number} of {n}", number=number, n=len(questions)), words)
        for number, words in enumerate(questions, start=1)
    ]


async def _forget_answers(desk: Desk, question: Decision) -> None:
    """Keeps the answers to these questions no longer: they are in the book now."""
    for title, words in _cards_of(question):
        await desk.studio.left_words.forget(title, words)


def _about_the_sample(desk: Desk) -> tuple[str, ...]:
    """Returns why the sample is in English, for who reads the studio in another language."""
    is_sample = desk.session.settings.novel.title == SAMPLE_TITLE
    return (_(IN_ENGLISH),) if is_sample and language_in_force() != "en" else ()


def _end_in_the_log(outcome: Outcome) -> Sequence[str]:
    """Returns the line of the log that says that a run was stopped; none for any other end."""
    if not isinstance(outcome, Stopped):
        return ()
    return (f"{datetime.now():%H:%M}  {translate(said('Stopped.'))}",)


def _where_it_stopped(state: DeskState) -> str:
    """Returns what stands after a stop: words of the chapter, or none yet."""
    book, current = state.book, state.current
    inflight = book.checkpoint.inflight_chapter if book is not None else None
    if book is None or inflight is None:
        return _("Stopped. The novel is as it was.")
    is_here = current is not None and current.chapter == inflight
    if book.staged or (current is not None and is_here and current.text is not None):
        return _("Stopped. What was written is kept; w goes on.")
    return _("Stopped. No word was written yet; w goes on.")


def _asked_again(state: DeskState, is_question: bool = False) -> str:
    """Returns that a chapter begun without questions asks from here on, and how it would not; empty
    for any other. A question may come before the chapter is begun."""
    is_open = state.book is not None and state.book.checkpoint.inflight_chapter is not None
    if not ((is_open or is_question) and state.run.asks_nobody):
        return ""
    return _(
        "From here on you are asked; “{action}” in the palette goes on without.",
        action=_(BY_ID["desk.unattended"].title),
    )


async def _tell_what_became(desk: Desk, chapters: Sequence[Committed], *, on_page: bool) -> None:
    """Opens the page of what chapters went into the book with that nobody was asked about: what was
    taken into each, what was left open and what it cost. A promise that came along is only said,
    and everything is while she reads or answers something else."""
    from studio.story.review.left_open import left_open_lines, waits_for_her
    from studio.tui.screens.page import open_page
    from studio.tui.views.pages.chapter import unasked_chapter_lines

    tallies: dict[int, str] = {}
    in_all = ""
    if chapters and desk.state.run.asks_nobody:
        ledger = (await desk.bridge.read(desk.session.costs)).ledger
        tallies = {one.chapter: translate(one.tally(ledger)) for one in chapters}
        in_all = translate(tally_in_all(chapters, ledger) or "")
    if not any(one.left_open or one.chapter in tallies for one in chapters):
        return
    first, last = chapters[0].chapter, chapters[-1].chapter
    title = _("Chapter {chapter} is in the book.", chapter=first)
    if first != last:
        title = _("Chapters {first} to {last} are in the book.", first=first, last=last)
    has_much = len(tallies) > 1 or any(
        one.changes or waits_for_her(one.left_open) for one in chapters
    )
    if on_page and desk.is_on_top and has_much:
        lines = tuple(unasked_chapter_lines(chapters, tallies, in_all))
        await open_page(desk.studio, title, lambda: lines)
        return
    for one in chapters:
        tally = tallies.get(one.chapter, "")
        desk.studio.say("\n".join(filter(None, (tally, *left_open_lines(one.left_open)))))
    if in_all:
        desk.studio.say(in_all)


def _after_the_last(now: Situation, *, is_open: bool, commit_key: str) -> str:
    """Returns what follows once everything in a chapter is decided; empty where something is not
    answered yet."""
    if now.decision != "review":  # a text that was changed has not been read yet
        return _("All decided. w goes on with the chapter.")
    if now.approved and now.approved == now.in_her_words:
        return _(
            "All decided. w puts your words into the text and shows you; C does that and"
            " takes the chapter into the book."
        )
    if now.approved:
        return _(
            "All decided. w lets the surgeon do {approved} and shows you; C does that and"
            " takes the chapter into the book.",
            approved=now.approved - now.in_her_words,
        )
    if is_open:
        return ""
    return _("All decided. {key} takes the chapter into the book.", key=commit_key)


def _what_only_she_decides(count: int) -> str:
    """Returns how many choices are open that no model makes."""
    return ngettext(
        "One thing that only you decide is still open: Enter answers it.",
        "{n} things that only you decide are still open: Enter answers each.",
        count,
    )


def _what_comes_first(count: int, keymap: Mapping[str, str]) -> str:
    """Returns what is done before the review asks its question anew."""
    return ngettext(
        "The question comes after the fix you accepted: {key} has the surgeon make it.",
        "The question comes after the {n} fixes you accepted: {key} has the surgeon make them.",
        count,
        key=first_key(BY_ID["desk.write"], keymap),
    )


def _what_needs_a_model(count: int, keymap: Mapping[str, str]) -> str:
    """Returns what she can do about so many fixes that only a model can carry out."""
    return ngettext(
        "{n} fix needs a model, and none is set: {write} writes it yourself, {undo} takes it back.",
        "{n} fixes need a model, and none is set: {write} writes one yourself, {undo} takes it"
        " back.",
        count,
        write=first_key(BY_ID["directives.edit_text"], keymap),
        undo=first_key(BY_ID["directives.undo"], keymap),
    )


def _what_a_model_does_first(state: DeskState, *, is_unread: bool) -> str:
    """Returns what a model does with the chapter on its way to the book, and what that costs: it
    reads one that was in no review yet, or summarizes it; empty where it does nothing."""
    if is_unread and state.writing_price is not None:
        return _(
            "Nobody has read it yet: a model does so first ({price}), and you are asked if it finds"
            " anything.",
            price=translate(state.writing_price.words),
        )
    price = translate(state.book.summary) if state.book and state.model_summarizes else ""
    if not price:
        return ""
    return _(
        "A model summarizes it first: {price}. You are asked once more only if the summary says"
        " what you were not asked about.",
        price=price,
    )


def _price_of_surgery(price: Estimate | None) -> str:
    """Returns what the surgeon's fixes cost that go into the book unread; empty where that is
    nothing or is not known yet."""
    if price is None:
        return ""
    return _("What the surgeon does: {price}.", price=translate(price.words))


def _nothing_to_ask(now: Situation) -> str:
    """Returns why the chapter goes into the book without a question; empty where one waits."""
    if now.decision and now.decision != "review":
        return ""
    return _("Chapter {chapter} goes into the book: nothing is open.", chapter=now.inflight)


def _goes_in_unread(count: int) -> str:
    """Returns how many fixes go into the book as the surgeon writes them; empty for none."""
    words = ngettext(
        "{n} fix goes into the book as the surgeon writes it, unread; Esc stops that, and w shows"
        " it first.",
        "{n} fixes go into the book as the surgeon writes them, unread; Esc stops that, and w"
        " shows them first.",
        count,
    )
    return words if count else ""

"""Beginning a book at the desk: the steps as cards, and the writer's answer to each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import N_, _, one_after_another, translate
from studio.messages import join, said
from studio.pipeline.beginning.steps import BY_ITSELF, FOLLOWS, OPENED, read_as
from studio.pipeline.outcome import NothingToDo
from studio.session import EDIT, StartOrder
from studio.story.checkpoint import STEPS
from studio.story.lengths import unit_in
from studio.story.notes import without_notes
from studio.tui.actions import BY_ID
from studio.tui.desk.load import price_of_step
from studio.tui.desk.parts.proposed import SAVED, put_off
from studio.tui.desk.protocol import result_of
from studio.tui.desk.state import NEXT_STEP
from studio.tui.performs import asks, performs
from studio.tui.views.forms.form_fields import length_answered
from studio.tui.views.lengths import unit_words

if TYPE_CHECKING:
    from studio.pipeline.outcome import Outcome
    from studio.session import Session
    from studio.story.checkpoint import Decision
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk


NEXT = "next"
_OPEN = "open"
"""The choice of the proposal that waits, among those that were left out."""
_TRIALS = {
    3: N_("Three chapters"),
    2: N_("Two chapters"),
    1: N_("One chapter"),
    0: N_("None: the volume is planned at once"),
}
"""The choices for how many trial chapters to write before the volume is planned."""
_SAID = {
    "premise": N_("Who wants what, what stands in the way, how it should feel to read."),
    "world": N_("A heading in the first line, then what the place is like."),
    "people": N_("A name, after a comma who that is; more in the lines below."),
    "trials": N_("A line for each chapter: a title, a colon, what happens."),
}
"""The prompt shown for each step."""
_ASKS_FOR_SAMPLE = N_(
    "Paste a page or more of your own prose, or say how you write; @ and a name takes a file."
)


class BeginningGuide:
    """Takes the writer through the steps one by one; `w` resumes where she left off."""

    def __init__(self, desk: Desk, run: RunFollower) -> None:
        self._desk = desk
        self._run = run
        self._is_volume_next = False
        """Whether she tries no chapters out, and has the volume planned at once."""
        self._is_step_back = False
        """Whether she left the text box of a step."""

    @performs("desk.begin")
    def begin(self, *, is_priced: bool = False) -> None:
        """Starts with the first step, or resumes at the one that was left; `is_priced` says that
        she has read what a model's proposal for it costs, else she is told and asked first."""
        work = self._go_on() if is_priced else self._go_on_if_agreed()
        self._desk.work(work, "begin", exclusive=True)

    async def _go_on_if_agreed(self) -> None:
        from studio.tui.screens.ask import Confirm

        desk = self._desk
        price = await desk.bridge.read(price_of_step, desk.session)
        is_asked_how_many = await desk.bridge.read(_trials_to_ask_for, desk.session) is not None
        if price is not None and not is_asked_how_many:
            words = translate(said("A model proposes the next step: {price}.", price=price.words))
            if not await desk.studio.push_screen_wait(Confirm(_("Begin the book?"), words)):
                return
        await self._go_on()

    @property
    def is_first_step_next(self) -> bool:
        """Whether the first question of all is next, which costs nothing and is asked without a
        key."""
        checkpoint = self._desk.state.book.checkpoint if self._desk.state.book else None
        begun = getattr(checkpoint, "beginning", None)
        is_in_steps = checkpoint is not None and checkpoint.is_in_steps
        return is_in_steps and begun is not None and begun.next_step == STEPS[0]

    async def _go_on(self) -> None:
        """Runs the next step; before the trial chapters, asks the writer how many."""
        desk = self._desk
        desk.state.for_later = ""
        standing = await desk.bridge.read(_trials_to_ask_for, desk.session)
        if desk.bridge.is_running:  # the key was pressed twice
            return
        if standing is None:
            self._run.begin_book(StartOrder())
            return
        order = await self._with_trials(standing)
        if order is None:
            await put_off(desk, NEXT_STEP)
            action = _(BY_ID["desk.begin"].title)
            words = _("“{action}” in the palette goes on with the beginning.", action=action)
            desk.studio.say(words)
            return
        self._is_volume_next = not order.trials
        self._run.begin_book(order)

    async def _with_trials(self, standing: int) -> StartOrder | None:
        """Asks how many chapters she tries out, and how long they are; Esc goes back by one. None
        if she leaves it."""
        from studio.tui.screens.ask import Choose

        desk = self._desk
        names = sorted(_TRIALS.items(), key=lambda item: item[0] != standing)
        choices = [(str(number), _(name)) for number, name in names]
        title = _("How many chapters do you try out?")
        words = _("They become the first of volume 1; the rest of it is planned after them.")
        words = one_after_another(words, await self._what_follows(standing))
        while True:
            answer = await desk.studio.push_screen_wait(Choose(title, choices, words))
            if answer is None:
                return None
            plain = StartOrder(trials=int(answer))
            order = await self._with_length(plain) if plain.trials else plain
            if order is not None:
                return order

    async def _what_follows(self, trials: int) -> str:
        """Returns what the plan of so many trial chapters costs; empty where no model is asked."""
        price = await self._desk.bridge.read(price_of_step, self._desk.session, trials)
        return "" if price is None else translate(FOLLOWS.with_values(price=price.words))

    async def _with_length(self, order: StartOrder) -> StartOrder | None:
        """Asks how long a chapter is, with what her brief says of it as the answer that stands
        there; None if she cancels. A length that nobody named stays the novel's."""
        from studio.project.planning.her_length import length_in_brief
        from studio.tui.screens.ask import Ask, one_back

        desk, settings = self._desk, self._desk.session.settings
        hers = await desk.bridge.read(length_in_brief, desk.session.store, settings)
        words = one_after_another(
            _("In {unit}.", unit=unit_words(unit_in(settings))),
            "" if hers is None else _("Your brief says “{words}”.", words=hers.words),
            await self._what_follows(order.trials or 0),
        )
        standing = str(hers.length if hers else settings.targets.chapter_length)
        answer: str | None = standing
        while answer is not None:
            question = Ask(_("How long is a chapter?"), words, answer, keys=one_back())
            answer = await desk.studio.push_screen_wait(question)
            if answer is not None:
                try:
                    length = length_answered(answer or standing)
                    is_usual = hers is None and length == settings.targets.chapter_length
                    return order if is_usual else replace(order, length=length)
                except StudioError as error:
                    desk.studio.tell(error.problem)
        return None

    async def plan_volume(self, outcome: Outcome) -> bool:
        """Asks what she wants of the volume where its plan is what comes next, as she has chosen;
        returns whether it does."""
        is_next, self._is_volume_next = self._is_volume_next, False
        if not is_next or not isinstance(outcome, NothingToDo):
            return False
        await self._desk.studio.action_perform("desk.volume_plan")
        return True

    async def words_for(self, question: Decision, option: str) -> str | None:
        """Returns the writer's text for a step without a proposal; None if she cancels, or gives
        a sample from which a proposal can be made."""
        from studio.tui.screens.ask import AskText

        if option != NEXT or not question.data.get("asks"):
            return ""
        if question.data.get("step") == "style":
            self._is_step_back = not await self._is_sample_given()
            return None
        words = _SAID.get(str(question.data.get("step")), "")
        card = AskText(question.rationale, _(words) if words else "")
        answer = await self._desk.studio.push_screen_wait(card)
        self._is_step_back = answer is None
        return answer

    def take_step_back(self) -> bool:
        """Whether she left the text box of a step, so that its question is asked again; resets the
        flag."""
        is_back, self._is_step_back = self._is_step_back, False
        return is_back

    def show(self, question: Decision, *, is_asked_for: bool) -> bool:
        """Opens the page of a step's proposal, by a key of hers or by itself; returns whether the
        question has one."""
        if not question.data.get("files"):
            return False
        self._desk.work(self._show(question, is_asked_for), "begin", exclusive=True)
        return True

    async def _show(self, question: Decision, is_asked_for: bool) -> None:
        from studio.pipeline.beginning.steps import AGAIN
        from studio.tui.desk.parts.proposed import answer_on_page

        if question.data.get("step") == "style":  # what was proposed from her page holds it
            left_words = self._desk.studio.left_words
            await left_words.forget(_("How do you write?"), _(_ASKS_FOR_SAMPLE))
        self._desk.state.for_later = ""
        answer = await answer_on_page(self._desk, question, is_asked_for=is_asked_for)
        if answer is None:
            await put_off(self._desk, question.id)
        elif answer == AGAIN:
            self._run.begin_book(StartOrder())
        else:
            await self.goes_on(question, answer)

    async def goes_on(self, question: Decision, option: str) -> None:
        """Continues with the next step once one is answered; a question that belongs to no
        beginning has none. What follows the plan of the trial chapters is the first of them, which
        is not drafted before she says so."""
        if option == EDIT:
            self._desk.studio.say(_("Change it under Notes in the outline; w then asks again."))
            return
        await self._desk.reread()
        if question.data.get("step") == STEPS[-1] and option in (NEXT, SAVED):
            self._desk.studio.say(_("The trial chapters are planned; w writes the first."))
        elif not question.data.get(BY_ITSELF) and not question.data.get(OPENED):
            await self._go_on()

    @asks("desk.left_out")
    async def open_left_out(self) -> None:
        """Opens something again that was left out."""
        from studio.tui.screens.ask import Choose

        desk = self._desk
        rows, waits = await result_of(desk, desk.session.volumes().left_out), desk.state.question
        if rows is None:
            return
        free = _("it opens as it stood, and no model is asked")
        choices = [
            (row.step, f"{translate(row.title)} {translate(row.price) or free}") for row in rows
        ]
        if waits is not None and waits.kind == "start" and waits.data.get("files"):
            choices = [(s, words) for s, words in choices if s != waits.data["step"]]
            if not choices:
                self.show(waits, is_asked_for=True)
                return
            choices.insert(0, (_OPEN, f"{translate(waits.rationale)} {free}"))
        if not choices:
            desk.studio.say(_("Nothing is left out that can be opened again."))
            return
        answer = await desk.studio.push_screen_wait(Choose(_("Which step?"), choices))
        step = next((row.step for row in rows if row.step == answer), None)
        if waits is not None and answer == _OPEN:
            self.show(waits, is_asked_for=True)
        elif step is not None:
            self._run.begin_book(StartOrder(step=step))

    @performs("desk.style_sample")
    def give_sample(self) -> None:
        """Takes a sample of the writer's prose, from which her style is proposed."""
        self._desk.work(self._give_sample(), "begin", exclusive=True)

    async def _give_sample(self) -> None:
        await self._is_sample_given()

    async def _is_sample_given(self) -> bool:
        """Asks for a sample until a model may read it; returns whether she gave one. What she
        typed stays in its card."""
        from studio.tui.screens.ask import AskText, Confirm

        desk = self._desk
        while True:
            card = AskText(_("How do you write?"), _(_ASKS_FOR_SAMPLE), stays=True)
            answer = await desk.studio.push_screen_wait(card)
            if answer is None or not answer.strip():
                return False
            sample = await self._sample_in(answer)
            if sample is None:
                continue
            if price := await desk.bridge.read(desk.session.volumes().price_of_sample, sample):
                words = translate(
                    join(
                        [
                            read_as(without_notes(sample)),
                            said("A model proposes your style from it: {price}.", price=price),
                        ]
                    )
                )
                if not await desk.studio.push_screen_wait(Confirm(_("Have it read?"), words)):
                    continue
            self._run.begin_book(StartOrder(sample=sample))
            return True

    async def _sample_in(self, answer: str) -> str | None:
        """Returns the prose of an answer, or that of the file which it names; None, told to her,
        where it cannot be read."""
        from studio.project.files.user_files import given_text
        from studio.tui.views.path_completion import path_of

        name = answer.strip()
        if not name.startswith("@") or "\n" in name:
            return answer
        try:
            return await self._desk.bridge.read(given_text, Path(path_of(name[1:].strip())))
        except StudioError as error:
            self._desk.studio.tell(error.problem)
            return None


def _trials_to_ask_for(session: Session) -> int | None:
    """Returns the number of trial chapters if they are next and none has begun. None otherwise,
    and if the checkpoint cannot be read: the run reports that."""
    try:
        checkpoint = session.store.checkpoint()
    except StudioError:
        return None
    beginning = checkpoint.beginning
    is_open = checkpoint.inflight_chapter is not None or checkpoint.pending_decision is not None
    if beginning is None or beginning.over or is_open or beginning.next_step != "trials":
        return None
    return beginning.trials

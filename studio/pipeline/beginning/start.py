"""The beginning of a book, step by step: each step is a question that can be left and resumed at
any time, and all of it works without a model.

A step's proposal comes from an agent if a suitable model exists, from code if code can make it,
else from the writer's own words. Nothing is remembered between runs: the checkpoint and the files
tell how far the beginning is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replaced

from pydantic import BaseModel

from studio.errors import usage
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning import files
from studio.pipeline.beginning.answers import (
    OutlineAnswer,
    PersonAnswer,
    StyleAnswer,
    WorldAnswer,
    newcomers,
)
from studio.pipeline.beginning.book_questions import BookQuestion, BookQuestions, otherwise_task
from studio.pipeline.beginning.files import ProposedFiles
from studio.pipeline.beginning.passages import cut_by_code, passages_in_sample
from studio.pipeline.beginning.pieces import pieces_of
from studio.pipeline.beginning.steps import (
    ANSWERED,
    BY_ITSELF,
    OPENED,
    OTHERWISE,
    READ_AS,
    as_it_stood,
    as_proposed,
    confirm_question,
    end_beginning,
    left_out_of,
    opened,
    otherwise,
    question_of,
    read_as,
    standing_of,
    with_hers,
    with_price_of_another,
)
from studio.pipeline.events import Emitter
from studio.pipeline.novel import OnNovel
from studio.pipeline.orders import StartOrder
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.files import load
from studio.project.history.reasons import Reason
from studio.project.planning.her_length import length_in_brief
from studio.project.planning.plan_change import MADE_FROM, made_from
from studio.story.checkpoint import (
    STEPS,
    Beginning,
    BeginningStep,
    Checkpoint,
    Decision,
    Trigger,
    move,
)
from studio.story.ledger import Estimate
from studio.story.lengths import unit_in
from studio.story.notes import without_notes
from studio.text.craft import describes_writing
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import read

_LONGEST_SAMPLE = 40_000
"""Characters of the sample that are shown to a model; more by one author adds little."""
_SHOWN = 70


@dataclass(frozen=True, slots=True)
class Start(OnNovel):
    """The beginning of one novel; the caller holds the lock."""

    gateway: Gateway | None
    emit: Emitter
    price_of_a_trial: Callable[[Gateway], str] = field(default=lambda gateway: "")
    """Returns what drafting and reading a trial chapter will cost, in words."""

    def begin_book(self, order: StartOrder) -> Checkpoint:
        """Returns the checkpoint of a book that is being begun, after storing what the order gives.

        A sample for a book whose style was settled, or that was never begun this way, changes
        nothing but the sample. StudioError (exit 2) if such a book is to be begun.
        """
        checkpoint = self.store.checkpoint()
        if self.is_sample_alone(checkpoint, order):
            self._keep_sample(order)
            return checkpoint
        beginning = checkpoint.beginning
        if beginning is None:
            if checkpoint.last_completed_chapter or checkpoint.inflight_chapter:
                raise usage(
                    said("The book has chapters already."),
                    said("`studio write` goes on with the next one."),
                )
            beginning = Beginning()
        if order.trials is not None and "trials" not in beginning.steps:
            beginning = beginning.copy_with(trials=order.trials)
        if order.length is not None:
            beginning = beginning.copy_with(length=order.length)
            self._set_length(order.length)
        self._keep_sample(order)
        begun = move(checkpoint, Trigger.CREATE).copy_with(beginning=beginning)
        return begun if begun == checkpoint else self.store.save_checkpoint(begun)

    def is_sample_alone(self, checkpoint: Checkpoint, order: StartOrder) -> bool:
        """Whether the order is no more than a new sample, for a book that is past that step."""
        beginning = checkpoint.beginning
        if order.sample is None or order.sample == self._sample():
            return False
        if beginning is None:
            return bool(checkpoint.last_completed_chapter or checkpoint.inflight_chapter)
        return beginning.over or "style" in beginning.steps

    def _set_length(self, length: int) -> None:
        settings = load.exact_text(self.store.root, places.SETTINGS) or ""
        fresh = files.with_settings(settings, {files.LENGTH: str(length)})
        if fresh != settings:
            replace(self.store, places.SETTINGS, fresh.encode(), Reason.TELLING)

    def _keep_sample(self, order: StartOrder) -> None:
        if order.sample is not None:
            sample = order.sample.encode()
            replace(self.store, places.STYLE_SAMPLE, sample, Reason.SAMPLE)

    def _sample(self) -> str | None:
        return load.exact_text(self.store.root, places.STYLE_SAMPLE)

    async def style_question(self) -> Decision:
        """Returns the question what the author's style is from now on, asked by itself."""
        return await self._ask("style", Beginning(), StartOrder(), {}, by_itself=True)

    async def _ask(
        self,
        step: BeginningStep,
        beginning: Beginning,
        order: StartOrder,
        wish: Mapping[str, str],
        *,
        by_itself: bool = False,
    ) -> Decision:
        with self.store.remember_looks(afresh=True):  # an edit during a model's call is one as well
            proposal = await self._proposal(step, beginning, order, wish)
            if proposal is not None and by_itself:
                proposal.by_model = False  # another is had with another sample
            price = self._price_after(step, beginning)
            if step == "trials" and self.gateway is not None:
                price = self.price_of_a_trial(self.gateway)
            if step == "trials" and (hers := length_in_brief(self.store, self.settings)):
                proposal = proposal or ProposedFiles()
                proposal.settings[files.LENGTH] = str(hers.length)
                proposal.notes.append(
                    said("The length of a chapter, from the brief: “{words}”.", words=hers.words)
                )
            question = question_of(step, proposal, price, by_itself)
            if step == "style" and (sample := self._sample()):
                question = question.with_data({READ_AS: read_as(without_notes(sample))})
            if wish:
                question = with_hers(question, self.store.checkpoint().pending_decision)
            if (another := self.estimate_another(question)) is not None:
                question = with_price_of_another(question, another.words)
            made = {MADE_FROM: made_from(self.store, question.data["files"])}
        answered = {**wish, ANSWERED: True}
        beside = {BY_ITSELF: True} if by_itself else {OTHERWISE: answered} if wish else {}
        return question.with_data(made | beside)

    async def question(self, checkpoint: Checkpoint, order: StartOrder) -> Decision | None:
        """Returns the next question to the writer; None while trial chapters are to be written,
        or when the beginning is over."""
        beginning = checkpoint.beginning or Beginning()
        if (again := self._open_again(checkpoint, order)) is not None:
            return opened(await self._put(again, beginning, order, checkpoint))
        if beginning.over:
            return None
        step = beginning.next_step
        if step in ("trials", None) and not beginning.trials:
            self.store.save_checkpoint(end_beginning(checkpoint))
            return None
        if step is not None:
            return await self._put(step, beginning, order, checkpoint)
        if checkpoint.last_completed_chapter >= beginning.trials:
            return confirm_question(beginning.trials)
        return None

    async def _put(
        self, step: BeginningStep, beginning: Beginning, order: StartOrder, checkpoint: Checkpoint
    ) -> Decision:
        """Returns the question of a step: as it stood, if it waits; else asked for."""
        wish = otherwise(checkpoint, step)
        standing = as_it_stood(self.store, beginning, step) if not wish else None
        return standing or await self._ask(step, beginning, order, wish)

    def _open_again(self, checkpoint: Checkpoint, order: StartOrder) -> BeginningStep | None:
        """Returns the step that was left out and is open again, or is to be. StudioError (exit 2)
        for one that was not left out."""
        question = checkpoint.pending_decision
        if order.step is None:
            is_step = question is not None and question.kind == "start"
            if question is None or not is_step or not question.data.get(OPENED):
                return None
            if question.data.get(BY_ITSELF):
                return None
            return next((step for step in STEPS if step == question.data["step"]), None)
        step = next((step for step in left_out_of(checkpoint) if step == order.step), None)
        if step is None:
            raise usage(
                said("This step was not left out."), said("`studio start` goes on with the next.")
            )
        return step

    def left_out(self) -> tuple[tuple[BeginningStep, str], ...]:
        """Returns the steps that were left out, and what it costs to open each again; empty where
        nobody is asked for it. Makes no call."""
        checkpoint = self.store.checkpoint()
        beginning, questions = checkpoint.beginning or Beginning(), self._questions()
        rows: list[tuple[BeginningStep, str]] = []
        for step in left_out_of(checkpoint):
            asked = self._asked(step, beginning) if questions.can_ask else None
            is_free = asked is None or as_it_stood(self.store, beginning, step) is not None
            rows.append(
                (step, "" if is_free or asked is None else questions.estimate(*asked).words)
            )
        return tuple(rows)

    def price_of_sample(self, sample: str) -> str:
        """Returns what a model's proposal from a sample costs; empty where none is asked. Makes no
        call."""
        questions, question = self._questions(), self._style_question(sample)
        if question is None or not questions.can_ask:
            return ""
        return questions.estimate(question, StyleAnswer).words

    async def _proposal(
        self, step: BeginningStep, beginning: Beginning, order: StartOrder, wish: Mapping[str, str]
    ) -> ProposedFiles | None:
        if step == "premise":
            return self._premise(order)
        if step == "style":
            return await self._style(wish)
        ask = self._questions().ask
        standing = standing_of(self.store, self.settings.novel.language, beginning.trials)
        if step == "world":
            answer = await ask(_again(self._world(), wish, self.pack), WorldAnswer)
            proposal = (
                None
                if answer is None
                else files.world(files.plain(answer), standing.rules, standing.names)
            )
        elif step == "people":
            whom = await ask(_again(_PEOPLE, wish, self.pack), PersonAnswer)
            proposal = None
            if whom is not None:
                whom = files.plain(whom)
                proposal = files.person(whom, standing.names, standing.person(whom.name))
        else:
            plan = await ask(_again(self._trials(beginning), wish, self.pack), OutlineAnswer)
            plan = None if plan is None else files.plain(plan)
            first = None if plan is None else _first(plan, beginning.trials)
            proposal = None if first is None else files.outline(first, standing)
            if plan is not None and proposal is not None and proposal.files:
                files.cards(proposal, newcomers(self.store, plan.introduces), standing.names)
        if proposal is not None:
            proposal.by_model = True
        return proposal

    def _questions(self) -> BookQuestions:
        return BookQuestions(self.novel, self.gateway, self.emit)

    def price_of_step(self, trials: int | None = None) -> Estimate | None:
        """Returns what the model's proposal for the step that comes next will cost, with so many
        trial chapters; None where a question waits or no model is asked. Makes no call."""
        checkpoint, questions = self.store.checkpoint(), self._questions()
        begun = checkpoint.beginning or Beginning()
        if trials is not None:
            begun = begun.copy_with(trials=trials)
        step = None if begun.over or checkpoint.pending_decision else begun.next_step
        if step is None or not questions.can_ask:
            return None
        asked = self._asked(step, begun)
        if asked is None or as_it_stood(self.store, begun, step) is not None:
            return None
        return questions.estimate(*asked)

    def price_of_next(self, question: Decision) -> str:
        """Returns what the model's proposal for the step behind a question will cost; empty where
        no model is asked then. Makes no call."""
        beginning = self.store.checkpoint().beginning
        if beginning is None or question.data.get(BY_ITSELF) or question.data.get(OPENED):
            return ""
        return self._price_after(question.data["step"], beginning)

    def _price_after(self, step: BeginningStep, beginning: Beginning) -> str:
        """Returns what the model's proposal for the next step will cost, as every offer says it;
        empty where no model is asked then."""
        following = beginning.end_step(step, "done").next_step
        questions = self._questions()
        if following is None or not questions.can_ask:
            return ""
        if as_it_stood(self.store, beginning, following) is not None:
            return ""
        asked = self._asked(following, beginning)
        return questions.estimate(*asked).words if asked is not None else ""

    def estimate_another(self, question: Decision) -> Estimate | None:
        """Returns what another proposal for the question will cost, asked for with a wish; None
        where no model can make one. Makes no call."""
        questions = self._questions()
        asked = self._asked(question.data["step"], self.store.checkpoint().beginning)
        if asked is None or not questions.can_ask:
            return None
        wish = {"wish": "", "before": as_proposed(self.store, pieces_of(question))}
        return questions.estimate(_again(asked[0], wish, self.pack), asked[1])

    def _asked(
        self, step: BeginningStep, beginning: Beginning | None
    ) -> tuple[BookQuestion, type[BaseModel]] | None:
        """Returns what a model is asked for a step, and the form of its answer; None where it is
        asked nothing."""
        begun = beginning or Beginning()
        if step == "style" and (question := self._style_question()) is not None:
            return question, StyleAnswer
        if step == "trials" and begun.trials:
            return self._trials(begun), OutlineAnswer
        return (self._world(), WorldAnswer) if step == "world" else _ASKED.get(step)

    def _world(self) -> BookQuestion:
        """Returns the question for a world: with the beginning of the author's sample, whose facts
        it is built on, if she gave one."""
        sample = without_notes(self._sample() or "").strip()
        sample = "" if describes_writing(sample) else sample
        if len(sample) > _SAMPLE_OF_THE_WORLD:
            head = sample[:_SAMPLE_OF_THE_WORLD]
            sample = head.rpartition("\n\n")[0] or head
        if not sample:
            return _WORLD
        return replaced(_WORLD, blocks={"passage": sample}, more=("passage",))

    def _trials(self, beginning: Beginning) -> BookQuestion:
        """Returns the question for the plans of the trial chapters."""
        hers = length_in_brief(self.store, self.settings)
        length = hers.length if hers is not None else self.settings.targets.chapter_length
        many = f"first {beginning.trials} chapters, numbered from 1"
        task = _TRIALS.format(
            "first chapter, number 1" if beginning.trials == 1 else many,
            f"{length} {unit_in(self.settings)}",
        )
        kind = "planning returning trials"
        return BookQuestion("plot-architect", "start-trials", task, kind=kind)

    def _premise(self, order: StartOrder) -> ProposedFiles | None:
        if order.premise is not None and order.premise.strip():
            return files.premise(order.premise)
        present = load.exact_text(self.store.root, places.BRIEF) or ""
        rows = without_notes(present).splitlines()
        body = "\n".join(row for row in rows if not row.startswith("# ")).strip()
        if not body:
            return None
        return ProposedFiles(
            {places.BRIEF: present}, [said("The book: {body}", body=excerpt(body, _SHOWN))]
        )

    def _style_question(self, sample: str | None = None) -> BookQuestion | None:
        """Returns the question about a sample, by default the one that is there; None without
        one."""
        sample = self._sample() if sample is None else sample
        if sample is None or not sample.strip():
            return None
        passage = without_notes(sample)[:_LONGEST_SAMPLE]
        if describes_writing(passage):
            # What she says is laid out, and nothing beside it: no rule of the house's.
            blocks = {"notes": passage, "craft": "", "blacklist": ""}
            return BookQuestion("style-analyzer", "start-style", _STYLE_AS_SAID, blocks)
        return BookQuestion("style-analyzer", "start-style", _STYLE, {"passage": passage})

    async def _style(self, wish: Mapping[str, str]) -> ProposedFiles | None:
        sample = self._sample()
        if sample is None or not sample.strip():
            return None
        novel = self.settings.novel
        question = self._style_question()
        assert question is not None
        answer = await self._questions().ask(_again(question, wish, self.pack), StyleAnswer)
        if (words := question.blocks.get("notes")) is not None:
            return self._style_as_said(words, answer)
        passage = question.blocks["passage"]
        by_code = cut_by_code(sample, self.pack, novel.genre, novel.point_of_view)
        if answer is None and not by_code:
            return None
        if answer is not None:
            proposal = files.style(answer, passages_in_sample(answer.exemplars, sample) or by_code)
            files.add_narration(proposal, answer, self.settings.novel)
            proposal.by_model = True
            return proposal
        own = _NO_STYLE.model_copy(update={"sample": by_code[0][1]})
        reading = read(f"\n\n{passage}", self.pack)
        person = "first" if reading.is_told_by_one else "third" if reading.is_told_of_others else ""
        proposal = files.style(own, by_code)
        by_code_alone = own.model_copy(update={"narration": person})
        files.add_narration(proposal, by_code_alone, self.settings.novel)
        return proposal

    def _style_as_said(self, words: str, answer: StyleAnswer | None) -> ProposedFiles:
        """Proposes the style that the author describes: as a model lays it out, else in her own
        words; nothing of them is a passage to write like."""
        hers = _NO_STYLE.model_copy(update={"voice": words.strip()})
        own = answer.model_copy(update={"sample": "", "exemplars": []}) if answer else hers
        proposal = files.style(own, ())
        files.add_narration(proposal, own, self.settings.novel)
        proposal.by_model = answer is not None
        return proposal


def _again(question: BookQuestion, wish: Mapping[str, str], pack: LanguagePack) -> BookQuestion:
    """Returns a question asked once more, with what the author wants otherwise in its answer."""
    if not wish:
        return question
    task = otherwise_task(question.task.removeprefix(_BEGINS), wish["before"], pack)
    blocks = {**question.blocks, "before": wish["before"], "direction": wish["wish"]}
    more = (*question.more, "before", "direction")
    return replaced(question, task=task, blocks=blocks, more=more)


def _first(plan: OutlineAnswer, trials: int) -> OutlineAnswer:
    """Returns only the chapters that were asked for."""
    return OutlineAnswer(chapters=[c for c in plan.chapters if 1 <= c.chapter <= trials])


_BEGINS = "The book begins. "
_STYLE = (
    "Describe how the author of `passage` writes: an object with the fields of a style profile,"
    " `exemplars`, `narration` and `genre`, the last two from brief and sample."
)
_STYLE_AS_SAID = (
    "Lay out what the author says in `notes` as an object with the fields of a style profile,"
    " `exemplars`, `narration` and `genre`."
)
_NO_STYLE = StyleAnswer(
    voice="",
    tense="",
    sentence_rhythm="",
    diction="",
    imagery=[],
    dialogue="",
    do=[],
    avoid=[],
    sample="",
    exemplars=[],
)
_WORLD = BookQuestion(
    "world-builder",
    "start-world",
    f"{_BEGINS}From the brief, lay out a light world: an object with `documents` (one to"
    " three of them, half a page each: the place known by heart, the trouble in the air) and"
    " `rules` (one to three laws no chapter may break).",
    kind="begin",
)
_PEOPLE = BookQuestion(
    "character-weaver",
    "start-people",
    f"{_BEGINS}From the brief and the world, make its protagonist: an object with id, name,"
    " aliases, role, voice, wants, fears, always, never, knows and profile.",
    kind="begin",
)
_SAMPLE_OF_THE_WORLD = 2_000
"""The characters of the author's sample that a world is built on."""
_ASKED: dict[str, tuple[BookQuestion, type[BaseModel]]] = {
    "people": (_PEOPLE, PersonAnswer),
}
_TRIALS = (
    _BEGINS + "Plan its {}, each about {} long: an object with `chapters`, each"
    " with chapter, title and `happens`, three to six sentences, and `introduces`, which has"
    " whoever and wherever is new in them, by name, with a line of"
    " what stays true of them."
)

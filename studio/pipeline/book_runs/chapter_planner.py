"""The plan of one chapter proposed by the plot architect, from what the writer has said of it.

Nothing is written: the result is a plan in the shape of the form, of which she takes what she
likes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from studio.book.plans import outline_title, volume_of
from studio.errors import usage
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.answers import (
    ChapterPlanAmongLines,
    ChapterPlanAnswer,
    newcomers,
)
from studio.pipeline.beginning.book_questions import (
    BookQuestion,
    BookQuestions,
    otherwise_task,
    planning_of,
)
from studio.pipeline.chapter.derived_contract import contract_from_outline
from studio.pipeline.direction import keep_wish, order_told
from studio.pipeline.drafting.scene_plans import in_groups, in_one_line
from studio.pipeline.events import Emit, Emitter, unheard
from studio.pipeline.locked_run import RunLog, forget_failure
from studio.pipeline.novel import OnNovel
from studio.pipeline.prompting.plan_words import not_in_plan, outline_adds
from studio.pipeline.prompting.story_lines import NARRATOR, UNNAMED_NARRATOR
from studio.pipeline.questions.hand_edits import name_edits
from studio.project.author.readers import comments_for_planners
from studio.project.commit.writing import hold_for_writing
from studio.project.planning.chapter_plan import (
    ChapterPlan,
    people_called,
    places_called,
    plan_of_contract,
    promises_of,
)
from studio.project.planning.her_length import length_in_plan
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.form.document import encode
from studio.story.ledger import Estimate
from studio.story.told_length import scenes_told
from studio.text.prose.segmentation import sentences

_TASK = (
    "Plan chapter {chapter}{so_far}, so that it follows from the chapters"
    " before it and leaves the ones after it possible. An object with title, happens, characters,"
    " pov, place, must_not, ends, promises{line} and introduces, which has a line for"
    " everybody and every place that is not in the book yet: what stays true of them, and nothing"
    " that is so in this chapter alone."
)

_SO_FAR = (
    ". `contract` holds what its author has said of it so far: keep all of that and in her words,"
    " and fill in what she left open"
)
_OF_ALL = (
    ". Where the one sentence of `happens` is about the whole chapter, it is no step: it stands"
    " first in `ends`, and `happens` has the steps"
)
_HAS_IT = 0.75
"""The share of such a sentence's content from which the steps have it."""


class StandingPlan(NamedTuple):
    """The existing plan of a chapter."""

    plan: ChapterPlan
    contract: bytes | None
    """The contract that the plan comes from; None if it comes from the outline, or there is no
    plan."""


def standing_plan(store: ProjectStore, number: int) -> StandingPlan:
    """Returns the plan of a chapter from its contract and what its section of the outline says
    beyond that, else from the section alone, else empty.

    StudioError (exit 5) for a file that cannot be read.
    """
    contract = store.contract(number)
    if contract is not None:
        data = store.root.find(store.layout.contract(contract.volume, number))
        section = store.outline_section(number, contract.volume)
        plan = plan_of_contract(store, contract)
        return StandingPlan(_with_outline(plan, contract, section[1] if section else ""), data)
    volume = volume_of(store, number)
    section = store.outline_section(number, volume)
    if section is None:
        return StandingPlan(ChapterPlan(title=outline_title(store, number)), None)
    title, body = section
    made = contract_from_outline(store, number, volume, (title or str(number), body))
    return StandingPlan(replace(plan_of_contract(store, made), title=title), None)


def _with_outline(plan: ChapterPlan, contract: ChapterContract, outline: str) -> ChapterPlan:
    """Returns a plan with what the outline tells beside it; where the contract has only what the
    chapter is to come to, the outline tells what happens."""
    more = outline_adds(contract, outline)
    if not more:
        return plan
    if contract.beats:
        return replace(plan, happens=(*plan.happens, *_lines(more.splitlines())))
    return replace(plan, happens=_lines(outline.splitlines()), ends=contract.objectives)


@dataclass(frozen=True)
class ChapterPlanner(OnNovel):
    """Proposes plans for chapters of one novel that are not in the book."""

    def price(
        self,
        number: int,
        plan: ChapterPlan,
        direction: str | None = None,
        before: ChapterPlan | None = None,
    ) -> Estimate:
        """Returns what a proposal will cost: nothing where just this was answered, None for a wish
        that is still to come. Makes no call. StudioError as in `propose`."""
        questions = self._questions(number, unheard())
        question = self._question(number, plan, direction or "", before)
        price = questions.estimate if direction is None else questions.left_to_pay
        return price(question, self._form())

    def answered(
        self,
        number: int,
        plan: ChapterPlan,
        direction: str = "",
        before: ChapterPlan | None = None,
    ) -> ChapterPlan | None:
        """Returns what was proposed in answer to just this question, with the book as it is; None
        where nobody has answered it. Makes no call. StudioError as in `propose`."""
        questions = self._questions(number, unheard())
        question = self._question(number, plan, direction, before)
        answer = questions.answered(question, self._form())
        return None if answer is None else self._as_wished(self._plan(answer, plan), direction)

    async def propose(
        self,
        number: int,
        plan: ChapterPlan,
        direction: str,
        listen: Emit,
        before: ChapterPlan | None = None,
    ) -> ChapterPlan:
        """Returns the plan that the architect proposes; where it leaves a part out, the writer's
        stays. With what was proposed `before`, another one: `direction` says what is to be
        otherwise.

        StudioError: 2 for a chapter that is in the book, without a model that can plan, or for an
        unusable answer; 3 while another process writes the novel; 6 if the model fails, 7 at a cap.
        """
        log = RunLog(self.store, listen)
        emit = Emitter(log)
        emit.chapter = number
        questions = self._questions(number, emit)
        gateway = questions.gateway
        assert gateway is not None
        with hold_for_writing(self.store, number, emit.warn), log.record():
            name_edits(self.store, emit, before=number)
            async with gateway:
                question = self._question(number, plan, direction, before)
                answer = await questions.ask(question, self._form())
            if answer is not None:
                forget_failure(self.store)
        if answer is None:
            raise usage(
                said("The model's plan cannot be used."), said("Try again, or another model.")
            )
        return self._as_wished(self._plan(answer, plan), direction)

    def keep_wish(
        self, number: int, taken: ChapterPlan, direction: str, again: str = ""
    ) -> list[str]:
        """Keeps as the direction of a chapter what the plan that she took cannot hold of her
        words: the `direction` she gave with it, unless the plan says all of it, and of what she
        wanted otherwise (`again`), which was about a proposal, what the plan has not. Returns what
        she has to be told.

        StudioError: as `take_back_direction`.
        """
        plan, pack = _words_of(taken), self.pack
        words = (
            not_in_plan(direction.strip(), plan, pack, fulfilled=1.0),
            not_in_plan(again.strip(), plan, pack),
        )
        new_words = keep_wish(self.store, number, "\n".join(filter(None, words)))
        if not new_words:
            return []
        return [said("Told to whoever writes and judges the chapter: {words}", words=new_words)]

    def _questions(self, number: int, emit: Emitter) -> BookQuestions:
        if number <= self.store.checkpoint().last_completed_chapter:
            raise usage(
                said("Chapter {number} is in the book; its plan is history.", number=number)
            )
        gateway: Gateway | None = self.novel.gateway_for(emit)
        questions = BookQuestions(self.novel.ready(), gateway, emit)
        if not questions.can_ask:
            raise usage(
                said("No model is set that can plan a chapter."),
                said("One sentence of your own is a plan; F2 or `studio models` sets a model."),
            )
        return questions

    def _question(
        self, number: int, plan: ChapterPlan, direction: str, before: ChapterPlan | None
    ) -> BookQuestion:
        order = order_told(self.store.checkpoint().order_for(number), self.pack)
        if order and order not in direction:
            direction = "\n".join(filter(None, (order, direction)))
        volume = volume_of(self.store, number)
        section = self.store.outline_section(number, volume)
        own = _fields_of(plan)
        blocks = {
            "contract": encode(own).decode() if own else "",
            "outline": "\n\n".join(part for part in section or () if part),
            "direction": direction.strip(),
            "readers": comments_for_planners(self.store, self.pack),
        }
        if before is not None:
            blocks["before"] = encode(_fields_of(before)).decode()
        what, task = (
            f"chapter-plan-{number:03d}",
            _TASK.format(
                chapter=number,
                so_far=(_SO_FAR if own else "") + (_OF_ALL if self._is_of_all(plan) else ""),
                line=", storyline_id" if self._has_lines else "",
            ),
        )
        return BookQuestion(
            "plot-architect",
            what,
            task if before is None else otherwise_task(task, blocks["before"], self.pack),
            blocks,
            number,
            volume,
            more=() if before is None else ("before",),
            kind=planning_of(self.store, "chapter"),
        )

    @property
    def _has_lines(self) -> bool:
        """Whether the book has several storylines, one of which a chapter belongs to."""
        return len(self.store.storylines().storylines) > 1

    def _is_of_all(self, plan: ChapterPlan) -> bool:
        """Whether a plan is one sentence, which may be about the whole chapter."""
        return len(plan.happens) == 1 and len(list(sentences(plan.happens[0], self.pack))) == 1

    def _form(self) -> type[ChapterPlanAnswer]:
        return ChapterPlanAmongLines if self._has_lines else ChapterPlanAnswer

    def _as_wished(self, plan: ChapterPlan, direction: str) -> ChapterPlan:
        """Returns a plan with the length that her wish names, and in as many scenes as it says
        where it has steps enough."""
        hers, count = length_in_plan((direction,), self.settings), scenes_told((direction,))
        if hers is not None:
            plan = replace(plan, length=hers.length)
        if count and len(plan.happens) >= count and not plan.scenes:
            plan = replace(plan, scenes=tuple(map(in_one_line, in_groups(plan.happens, count))))
        return plan

    def _plan(self, answer: ChapterPlanAnswer, plan: ChapterPlan) -> ChapterPlan:
        """Returns the answer as a plan with names; the length and the scenes stay the writer's."""
        people, world = people_called(self.store), places_called(self.store)
        nameless = (NARRATOR, self.pack.label(UNNAMED_NARRATOR))  # there without being listed
        present = [people.get(who, who) for who in answer.characters]
        seen_by = people.get(answer.pov, answer.pov).strip()
        lines = {line.id: line.title for line in self.store.storylines().storylines}
        promises = {p.id: p.about for p in promises_of(self.store)}
        happens, ends = _lines(answer.happens) or plan.happens, _lines(answer.ends) or plan.ends
        if self._is_of_all(plan):
            (whole,) = plan.happens
            steps = tuple(step for step in happens if step != whole)
            if len(steps) > 1 and not not_in_plan(whole, "\n".join(steps), self.pack, _HAS_IT):
                happens, ends = steps, tuple(dict.fromkeys((whole, *ends)))
        last_event = " ".join((answer.ends or answer.happens or [""])[-1].split())
        line = answer.storyline_id if isinstance(answer, ChapterPlanAmongLines) else ""
        return replace(
            plan,
            title=" ".join(answer.title.split()) or plan.title,
            happens=happens,
            people=_lines([who for who in present if who not in nameless]) or plan.people,
            seen_by=(seen_by if seen_by not in nameless else "") or plan.seen_by,
            place=" ".join(world.get(answer.place, answer.place).split()) or plan.place,
            must_not=_lines(answer.must_not) or plan.must_not,
            ends=ends,
            promises=tuple(
                (task.action, _promise(task.promise, promises, last_event))
                for task in answer.promises
                if task.promise.strip()
            )
            or plan.promises,
            line=lines.get(line, plan.line),
            introduces=newcomers(self.store, answer.introduces),
        )


def _fields_of(plan: ChapterPlan) -> dict[str, Any]:
    """Returns what a plan says, as the architect is shown it."""
    fields = {
        "title": plan.title,
        "happens": list(plan.happens),
        "characters": list(plan.people),
        "pov": plan.seen_by,
        "place": plan.place,
        "must_not": list(plan.must_not),
        "ends": list(plan.ends),
        "promises": [{"promise": words, "action": action} for action, words in plan.promises],
        "line": plan.line,
        "length": plan.length,
        "scenes": list(plan.scenes),
        "introduces": [newcomer.model_dump(exclude={"exclude"}) for newcomer in plan.introduces],
    }
    return {key: value for key, value in fields.items() if value}


def _words_of(plan: ChapterPlan) -> str:
    """Returns what a plan says is to be, a line each: no name of a field, nothing that must not
    be."""
    newcomers = (words for one in plan.introduces for words in (one.name, one.line))
    return "\n".join(
        (
            *(plan.title, *plan.happens, *plan.people, plan.seen_by, plan.place, *plan.ends),
            *(words for _, words in plan.promises),
            *(plan.line, str(plan.length or ""), *plan.scenes, *newcomers),
        )
    )


_AN_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")
_ID_AHEAD = re.compile(r"(?P<id>[a-z0-9]+(?:[-_][a-z0-9]+)+)\s*[:：]\s*(?=\S)")


def _promise(words: str, about: Mapping[str, str], last_event: str) -> str:
    """Returns what a promise of an answer is about: an id stands for its promise, one that stands
    before words of its own is no part of them, and one that nobody has heard of says nothing: then
    it is about the `last_event` of the chapter."""
    words = " ".join(words.split())
    ahead = _ID_AHEAD.match(words)
    by_id = about.get(ahead["id"] if ahead else words)
    if not by_id and last_event and _AN_ID.fullmatch(words):
        return last_event
    return by_id or (words[ahead.end() :] if ahead else words)


def _lines(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for each in words if (line := " ".join(each.split()))))

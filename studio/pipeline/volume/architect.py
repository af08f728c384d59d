"""A volume planned by the plot architect: its material, and its answer turned into plans (seed
8.3).

Outline, contracts, schedule and promises are put to the writer as a difference of plans, which she
takes piece by piece. The people and places it introduces are proposed along with it; where it names
other unknown characters or storylines, the name is dropped, not the chapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from studio.book.as_of import StoryAt
from studio.book.plans import planned_in
from studio.errors import usage
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.answers import ArchitectChapter, VolumeAnswer, newcomers
from studio.pipeline.beginning.book_questions import (
    BookQuestion,
    BookQuestions,
    otherwise_task,
    plan_before,
    planning_of,
)
from studio.pipeline.events import Emitter
from studio.pipeline.novel import OnNovel
from studio.pipeline.prompting.story_lines import (
    PromiseLines,
    StorylineLines,
    has_rules,
    rules_of,
    without_heading,
)
from studio.pipeline.volume.outline_proposal import OutlineProposal, PlannedParts, may_ask, propose
from studio.pipeline.volume.plan_pages import Cast
from studio.project.author.readers import comments_for_planners
from studio.project.commit.writing import hold_for_writing
from studio.project.files.front_matter import entry_parts
from studio.project.planning.chapter_plan import Making, people_names
from studio.project.planning.her_length import length_in_brief
from studio.project.planning.names import KnownNames, new_id
from studio.project.planning.outline_sections import new_section
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.form.as_asked import fold
from studio.story.form.slugs import slug_fault
from studio.story.ledger import Estimate
from studio.story.lengths import unit_in
from studio.story.novel import Promise, ScheduledChapter
from studio.story.told_length import chapter_length_told

CHAPTERS = 10
"""The number of chapters of a volume if nobody gives one and none was planned before."""
MOST_CHAPTERS = 200
"""The most chapters of a volume."""
_TASK = (
    "Lay out volume {volume}: {extent}, numbered so, none left out; {length}. An object with"
    " `about`, `chapters`, `promises` and `introduces`; each chapter with chapter, title, happens"
    " (three to six sentences), storyline_id, concurrent, pov, place, characters, objectives,"
    " must_not and promises. People, places, storylines and promises by their ids; a new promise"
    " stands in `promises` too, and whoever and wherever is new in `introduces`, by name, with a"
    " line of what stays true of them."
)
_CHAPTERS_TOLD = "chapters {first} to {last}"
_CHAPTERS_OPEN = (
    "from chapter {first} on as many chapters as `direction` says, {count} where it does not"
)
_LENGTH_TOLD = "each is about {length} {unit} long"
_LENGTH_OPEN = "each is about {length} {unit} long, unless `direction` says otherwise"


@dataclass(frozen=True, slots=True)
class VolumeOrder:
    """What the writer wants of a volume's plan."""

    volume: int | None = None
    """The volume; by default the one in work while chapters of it are ahead, else the next."""
    chapters: int | None = None
    """The number of chapters, from the next one on; by default what the direction says, else as
    many as are planned, or as before."""
    direction: str = ""
    length: int | None = None
    """How long each chapter is, in the novel's unit; it becomes part of each plan. By default what
    the direction says, else the novel's own."""
    before: str = ""
    """The plan that was proposed before, where another one is asked for: then the direction may
    speak against number and length."""

    @property
    def as_asked(self) -> dict[str, object]:
        """The order as a question about the plan keeps it."""
        return {"chapters": self.chapters, "length": self.length, "direction": self.direction}


@dataclass(frozen=True, slots=True)
class VolumeArchitect(OnNovel):
    """Plans volumes of one novel."""

    gateway: Gateway | None
    emit: Emitter

    async def plan(self, volume: int, order: VolumeOrder) -> OutlineProposal:
        """Asks the plot architect and puts its proposal to the writer.

        StudioError: 2 without a model that can plan, while a chapter is in work or another question
        open; 3 while another process writes the novel; 6 if the model fails.
        """
        questions = self._questions()
        assert questions.gateway is not None
        with hold_for_writing(self.store, say=self.emit.warn):
            may_ask(self.store.checkpoint())
            questions.gateway.settle_interrupted()
            question = self._question(volume, order)
            answer = await questions.ask(question, VolumeAnswer)
        if answer is None:
            raise usage(
                said("The model's plan cannot be used."), said("Try again, or another model.")
            )
        return self.put(volume, order, answer)

    def put(self, volume: int, order: VolumeOrder, answer: VolumeAnswer) -> OutlineProposal:
        """Puts an answer of the architect to the writer. StudioError 2: it has no chapter that was
        asked for, a chapter is in work, or another question open."""
        first, last = self._reach(volume, order.chapters)
        if _is_open(order, order.chapters):
            last = first + MOST_CHAPTERS - 1
        answer = _by_the_books_numbers(answer, first)
        chapters = {c.chapter: c for c in answer.chapters if first <= c.chapter <= last}
        if not chapters:
            raise usage(
                said("The model planned no chapter that was asked for."), said("Try again.")
            )
        length, is_told = self._length(order)
        parts = self._parts(volume, answer, length if is_told else None)
        outline = self._outline(chapters)
        price = self.estimate_another(volume, replace(order, before=outline))
        words = price.words if price is not None else ""
        return propose(self.store, volume, outline, parts, order.as_asked, words)

    def estimate(self, volume: int, order: VolumeOrder) -> Estimate:
        """Returns what `plan` will cost; calls no model.

        StudioError 2 without a model that can plan, while a chapter is in work or another question
        open.
        """
        questions = self._questions()
        may_ask(self.store.checkpoint())
        return questions.estimate(self._question(volume, order), VolumeAnswer)

    def estimate_another(self, volume: int, order: VolumeOrder) -> Estimate | None:
        """Returns what a plan will cost that is made in place of the one `before` it; None where no
        model can make one. Makes no call."""
        questions = self._book_questions()
        if not questions.can_ask:
            return None
        return questions.estimate(self._question(volume, order), VolumeAnswer)

    def usual_count(self, volume: int) -> int:
        """Returns how many chapters are planned where nobody says how many."""
        first, last = self._reach(volume, None)
        return last - first + 1

    def _book_questions(self) -> BookQuestions:
        return BookQuestions(self.novel, self.gateway, self.emit)

    def _questions(self) -> BookQuestions:
        questions = self._book_questions()
        if not questions.can_ask:
            raise usage(
                said("No model is set that can plan a volume."),
                said(
                    "`studio volume plan --from FILE` takes your own outline; `studio plan "
                    "add` one chapter."
                ),
            )
        return questions

    def _reach(self, volume: int, count: int | None) -> tuple[int, int]:
        """Returns the first and the last chapter to plan: those of the book are fixed."""
        done = self.store.checkpoint().last_completed_chapter
        planned = planned_in(self.store, volume)
        before = planned_in(self.store, volume - 1) if volume > 1 else ()
        ahead = max((n for n in planned if n > done), default=0)
        if count is None and ahead:
            return done + 1, ahead
        return done + 1, done + (count or len(before) or CHAPTERS)

    def _question(self, volume: int, order: VolumeOrder) -> BookQuestion:
        first, last = self._reach(volume, order.chapters)
        extent, length = _CHAPTERS_TOLD, _LENGTH_TOLD
        if _is_open(order, order.chapters):
            extent = _CHAPTERS_OPEN
        wanted_length, is_told = self._length(order)
        if _is_open(order, wanted_length if is_told else None):
            length = _LENGTH_OPEN
        count = last - first + 1
        task = _TASK.format(
            volume=volume,
            extent=extent.format(first=first, last=last, count=count),
            length=length.format(length=wanted_length, unit=unit_in(self.settings)),
        )
        before = order.before
        return BookQuestion(
            "plot-architect",
            f"volume-{volume:02d}",
            otherwise_task(task, before, self.pack) if before else task,
            {
                **self.material(volume, first),
                "before": before,
                "direction": self._wanted(order.direction, first, last),
                "readers": comments_for_planners(self.store, self.pack),
            },
            chapter=first,
            volume=volume,
            more=("style", "blacklist", *(("before",) if before else ())),
            kind=planning_of(self.store, "volume"),
        )

    def _wanted(self, direction: str, first: int, last: int) -> str:
        """Returns what the writer wants of these chapters, with what waits for one of them."""
        orders = self.store.checkpoint().orders
        waiting = (f"Chapter {o.chapter}: {o.words}" for o in orders if first <= o.chapter <= last)
        return "\n\n".join(filter(None, (direction, *waiting)))

    def _length(self, order: VolumeOrder) -> tuple[int, bool]:
        """Returns how long each chapter is to be, and whether its author says so, in numbers, in
        what she wants of the volume or in the brief."""
        wishes = reversed(order.direction.split("\n\n"))  # the last one is about the plan before
        wish = chapter_length_told(wishes, unit_in(self.settings))
        hers = order.length or (wish.length if wish is not None and wish.is_sure else None)
        if hers is None:
            brief = length_in_brief(self.store, self.settings)
            hers = brief.length if brief is not None and brief.is_sure else None
        return hers or self.settings.targets.chapter_length, hers is not None

    def material(self, volume: int, chapter: int) -> dict[str, str]:
        """Returns what seed 8.3 has the architect read besides brief, style, blacklist and the
        review of the volume before: the whole world, every active character with what holds of them
        and from when, all promises, all storylines."""
        pages = self.store.layout.profile
        named = people_names(self.store)
        people = [
            f"{named[slug][0]}\n{_card(who.profile, pages(slug), named[slug])}".strip()
            for slug, who in self.store.characters().items()
        ]
        world = [_words(text, path) for path, text in self.store.world_docs().items()]
        plan = plan_before(self.store, chapter, volume)
        story = StoryAt(self.store, chapter)
        promises = PromiseLines(self.store, story, plan, self.pack).all()
        lines = StorylineLines(self.store, story, plan, self.pack)
        storylines = [line.text for line in lines.all_with_people(story.name_of)]
        contracts = [who.contract for who in self.store.characters().values() if who.contract]
        return {
            "characters-contract": "\n".join(
                rules_of(contract, self.pack) for contract in contracts if has_rules(contract)
            ),
            "world": "\n\n".join(world),
            "people": "\n\n".join(people),
            "foreshadowing": "\n".join(line.text for line in promises),
            "storyline": "\n\n".join(filter(None, (*storylines, lines.rules()))),
        }

    def _outline(self, chapters: Mapping[int, ArchitectChapter]) -> str:
        language = self.settings.novel.language
        return "\n".join(
            new_section(number, chapter.title, chapter.happens, language).text
            for number, chapter in sorted(chapters.items())
        )

    def _parts(self, volume: int, answer: VolumeAnswer, length: int | None) -> PlannedParts:
        """Returns contracts, schedule and promises, as far as they are valid."""
        standing = {p.id for p in self.store.foreshadowing().promises}
        standing |= {p.id for p in self.store.volume_foreshadowing(volume).promises}
        fresh: dict[str, Promise] = {}
        ids = {fold(promise): promise for promise in standing}
        making = Making(self.store)
        for newcomer in newcomers(self.store, answer.introduces):
            making.newcomer(newcomer)
        cast = Cast(self.store, making.entries)
        for promise in answer.promises:
            if (word := fold(promise.id)) and word not in ids:
                is_id = slug_fault(promise.id) is None
                own = promise.id if is_id else new_id(promise.id, "promise", {*standing, *fresh})
                ids[word] = own
                fresh[own] = Promise(
                    id=own,
                    description=promise.description.strip() or _planted_with(promise.id, answer),
                    scope=promise.scope,
                    due=promise.due if promise.due and promise.due > 0 else None,
                    characters=cast.people(promise.characters),
                )
        titles = {line.id: (line.title,) for line in self.store.storylines().storylines}
        lines = KnownNames(titles, are_people=False)
        main = self.store.storylines().main
        contracts, schedule = [], []
        for chapter in answer.chapters:
            line = lines.id_of(chapter.storyline_id) or main
            try:
                contract = _contract(chapter, volume, line, cast, ids)
                contracts.append(contract.copy_with(target_length=length))
            except ValidationError as error:
                fault = error.errors(include_url=False)[0]["msg"]
                self.emit.warn(
                    said(
                        "Chapter {chapter} gets no plan: {why}.", chapter=chapter.chapter, why=fault
                    )
                )
            others = dict.fromkeys(filter(None, map(lines.id_of, chapter.concurrent)))
            beside = tuple(one for one in others if one != line)
            if chapter.chapter > 0:
                schedule.append(
                    ScheduledChapter(chapter=chapter.chapter, storyline_id=line, concurrent=beside)
                )
        return PlannedParts(
            about=answer.about,
            contracts=tuple(contracts),
            schedule=tuple(schedule),
            promises=tuple(fresh.values()),
            entries=making.entries,
        )


def _is_open(order: VolumeOrder, number: int | None) -> bool:
    """Whether the direction may say how many or how long: where nobody else did, or where it says
    what is to be otherwise. So it and the task never contradict each other."""
    return bool(order.direction.strip()) and (number is None or bool(order.before))


def _by_the_books_numbers(answer: VolumeAnswer, first: int) -> VolumeAnswer:
    """Returns a plan whose chapters count on in the book, where the model counted them within the
    volume, from 1 on."""
    numbers = [chapter.chapter for chapter in answer.chapters]
    if first <= len(numbers) or numbers != list(range(1, len(numbers) + 1)):
        return answer
    chapters = [
        chapter.model_copy(update={"chapter": first + at})
        for at, chapter in enumerate(answer.chapters)
    ]
    promises = [
        promise.model_copy(update={"due": promise.due + first - 1 if promise.due else None})
        for promise in answer.promises
    ]
    return answer.model_copy(update={"chapters": chapters, "promises": promises})


def _planted_with(promise: str, answer: VolumeAnswer) -> str:
    """Returns what happens in the first chapter that has to do with a promise, where the answer
    does not say what is promised."""
    tasks = ((c, task.id) for c in answer.chapters for task in c.promises)
    return next((c.happens.strip() for c, task in tasks if fold(task) == fold(promise)), promise)


def _words(page: str, path: str) -> str:
    """Returns a page of the bible without the keys at its head, which are for the studio."""
    return entry_parts(page, path)[1].strip()


def _card(page: str, path: str, names: Sequence[str]) -> str:
    """Returns a person's page below the heading that repeats the name."""
    return without_heading(_words(page, path), names)


def _contract(
    chapter: ArchitectChapter, volume: int, line: str, cast: Cast, promises: Mapping[str, str]
) -> ChapterContract:
    tasks = [
        ForeshadowTask(id=promises[fold(task.id)], action=task.action)
        for task in chapter.promises
        if fold(task.id) in promises
    ]
    objectives = tuple(words for words in chapter.objectives if words.strip())
    return ChapterContract(
        chapter=chapter.chapter,
        volume=volume,
        title=" ".join(chapter.title.split()),
        storyline_id=line,
        pov=cast.person(chapter.pov),
        location=cast.place(chapter.place),
        characters=cast.people(chapter.characters),
        objectives=objectives or (chapter.happens.strip(),),
        must_not=tuple(words for words in chapter.must_not if words.strip()),
        foreshadowing=tuple(tasks),
    )

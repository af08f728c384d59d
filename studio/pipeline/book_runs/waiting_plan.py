"""A plan that was proposed for a chapter and neither taken nor put aside: it waits.

What was wanted of it is kept, and what came: it waits also where its plan, or the book before it,
is another by now, and is shown as made from what was.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from studio.errors import StudioError
from studio.pipeline.book_runs.chapter_planner import ChapterPlanner
from studio.project.contents import last_known
from studio.project.planning.chapter_plan import ChapterPlan
from studio.project.store import ProjectStore
from studio.project.unsaved import UnsavedForm, chapters_wished, unsaved_wishes

_WISH, _PROPOSED = "wish-{}", "proposed-{}"
_FORM = TypeAdapter(ChapterPlan)


@dataclass
class WaitingPlan:
    """What was wanted of the plan of one chapter, and the proposal that answers it."""

    file: UnsavedForm
    wishes: list[str] = field(default_factory=list)
    """Her wish and what she wanted otherwise since, oldest first, as far as they were answered."""
    proposals: list[ChapterPlan] = field(default_factory=list)
    """What came of each of them."""
    unanswered: str = ""
    """The wish that nothing came of, as the call was stopped or killed."""
    outdated: bool = False
    """Whether the newest proposal was made from another plan, or behind a book that was another."""

    @property
    def proposed(self) -> ChapterPlan | None:
        """The newest proposal; None if nothing waits."""
        return self.proposals[-1] if self.proposals else None

    @property
    def direction(self) -> str:
        """All that she wanted, a line each."""
        return "\n".join(filter(None, self.wishes))

    @property
    def wanted_otherwise(self) -> str:
        """What she wanted otherwise than it was proposed at first, a line each."""
        return "\n".join(filter(None, self.wishes[1:]))

    def ask(self, wish: str) -> str:
        """Keeps a wish that is about to be told to the model, and returns all there are."""
        self.unanswered = wish
        self._keep((*self.wishes, wish))
        return "\n".join(filter(None, (*self.wishes, wish)))

    def answer(self, proposed: ChapterPlan) -> None:
        """Keeps that the newest wish was answered."""
        self.wishes.append(self.unanswered)
        self.proposals.append(proposed)
        self.unanswered, self.outdated = "", False
        self._keep(self.wishes)

    def end(self) -> None:
        """Has nothing wait any more: it was taken, or put aside."""
        with suppress(StudioError):
            self.file.forget()

    def _keep(self, wishes: tuple[str, ...] | list[str]) -> None:
        rows = {_WISH.format(n): wish for n, wish in enumerate(wishes)}
        plans = (_FORM.dump_json(plan).decode() for plan in self.proposals)
        rows |= {_PROPOSED.format(n): plan for n, plan in enumerate(plans)}
        with suppress(StudioError):  # the plan is made all the same, and waits for nobody
            self.file.keep(rows)


def is_plan_waiting(store: ProjectStore, number: int) -> bool:
    """Whether a plan was proposed for a chapter, and neither taken nor put aside."""
    with suppress(StudioError):
        return _PROPOSED.format(0) in unsaved_wishes(store, number).before(to_look=True)
    return False


def plans_waiting(store: ProjectStore) -> tuple[int, ...]:
    """Returns the chapters without a text for which a proposed plan waits."""
    there = set(store.chapter_numbers())
    contents = last_known(store.layout)
    entries = contents.entries if contents else []
    last = max((*there, *(entry.chapter for entry in entries)), default=0)
    ahead = (number for number in range(1, last + 2) if number not in there)
    return tuple(n for n in chapters_wished(store, ahead) if is_plan_waiting(store, n))


def waiting_plan(planner: ChapterPlanner, number: int, plan: ChapterPlan) -> WaitingPlan:
    """Returns what waits for a chapter of which its form says `plan`. Makes no call.

    StudioError as in `ChapterPlanner.propose`.
    """
    waiting = WaitingPlan(unsaved_wishes(planner.novel.store, number))
    rows: dict[str, str] = {}
    with suppress(StudioError):  # a disk that gives no answer keeps nobody from planning
        rows = waiting.file.before()
    wishes = [rows[name] for n in range(len(rows)) if (name := _WISH.format(n)) in rows]
    plans = (rows[name] for n in range(len(wishes)) if (name := _PROPOSED.format(n)) in rows)
    with suppress(ValidationError):  # of an earlier state of the program, which knew other fields
        waiting.proposals = [_FORM.validate_json(one) for one in plans]
    count = len(waiting.proposals)
    waiting.wishes, waiting.unanswered = wishes[:count], next(iter(wishes[count:]), "")
    if count:
        before = waiting.proposals[-2] if count > 1 else None
        same = planner.answered(number, plan, waiting.direction, before)
        waiting.outdated = same is None
    return waiting

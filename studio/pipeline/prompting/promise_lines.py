"""The promises to the reader in a call's prompt: its tasks, then the promises relevant to the work
(G5).

All other promises stay out. An open promise is marked "not yet" unless it is due; if the chapter
pays one, the passage that planted it is included.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from studio.book.as_of import StoryAt
from studio.book.plans import planted_later
from studio.book.promises import PromiseSoFar, seed_passage
from studio.pipeline.prompting.lines import Line
from studio.pipeline.prompting.occasion import Occasion
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.text.prose.answer import excerpt

_NOT_YET = "not yet: leave it open"
_LONGEST_NAME = 60
"""Characters by which a promise is recognised beside its id; `foreshadowing` has its full text."""


class PromiseLines:
    """The lines about promises for one chapter's calls."""

    def __init__(self, store: ProjectStore, story: StoryAt, contract: ChapterContract) -> None:
        self._store = store
        self._story = story
        self._contract = contract

    def named(self, promise_id: str) -> str:
        """Returns a promise by its id and its words, without which an id tells a model nothing; of
        one that nobody has described the id alone."""
        promise = self._promises.get(promise_id)
        words = promise.plan.description if promise is not None else ""
        return f"{promise_id} ({excerpt(words, _LONGEST_NAME)})" if words.strip() else promise_id

    def nameable(self) -> Iterator[PromiseSoFar]:
        """Yields the promises that may be mentioned in this chapter: begun before it, named by
        its plan, or planned for no later chapter."""
        own = {task.id for task in self._contract.foreshadowing}
        later = planted_later(self._store, self._contract.volume, self._contract.chapter)
        for promise in self._promises.values():
            begun = bool(promise.events) or promise.id in own
            if begun or not (promise.id in later or self._story.opened_later(promise)):
                yield promise

    def lines(
        self, occasion: Occasion, slugs: set[str], pinned: Collection[str] = ()
    ) -> Iterator[Line]:
        """Yields the tasks of the contract, then open promises that are `pinned` or whose
        people, places, storyline or trigger occur in the work; `slugs` are the entries that the
        call includes."""
        tasks = {task.id for task in self._contract.foreshadowing}
        for task in self._contract.foreshadowing:
            yield Line(task.id, self._task(task), "promise", "contract")
        words = "\n".join(occasion.words.values()).casefold()
        for promise in self._promises.values():
            if promise.id in tasks or not promise.is_open:
                continue
            is_wanted = promise.id in pinned and not self._story.opened_later(promise)
            if is_wanted or self._touches(promise, slugs, words):
                due = promise.plan.due == self._contract.chapter
                late = promise.is_overdue(self._contract.chapter)
                standing = "overdue" if late else "due in this chapter" if due else _NOT_YET
                why = "due" if due or late else "related"
                about = promise.plan.about
                text = f"- open {promise.id}: {about} ({standing})"
                yield Line(promise.id, text, "promise", why)

    def _task(self, task: ForeshadowTask) -> str:
        promise = self._promises.get(task.id)
        plan = promise.plan if promise else None
        words = f"- {task.action} {task.id}: {plan.description if plan else ''}".rstrip(": ")
        if plan is not None:
            how = {"plant": plan.setup, "advance": plan.trigger, "resolve": plan.payoff}
            words += f" ({how[task.action]})" if how[task.action] else ""
        if promise is not None and task.action == "resolve":
            passage = seed_passage(self._store, promise)
            words += f"\n  It was planted in chapter {passage[0]}: {passage[1]}" if passage else ""
        return words

    def _touches(self, promise: PromiseSoFar, slugs: set[str], words: str) -> bool:
        plan = promise.plan
        if slugs & {*plan.characters, *plan.places}:
            return True
        if plan.storyline_id is not None and plan.storyline_id == self._contract.storyline_id:
            return True
        trigger = plan.trigger.casefold().strip()
        return bool(trigger) and trigger in words

    @cached_property
    def _promises(self) -> dict[str, PromiseSoFar]:
        return self._story.promises(self._contract.volume)

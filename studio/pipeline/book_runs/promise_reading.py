"""The plot architect reads chapters for promises: those the text makes, and what it does for known
ones (G5).

Each needs a quote that stands in its chapter; one without is left out. Nothing enters the book: the
proposals wait until the writer takes or leaves them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.book.as_of import StoryAt
from studio.book.bible import read_bible
from studio.book.plans import planted_later, volume_of
from studio.book.promise_changes import keep_proposals, merge, promises_now
from studio.errors import Exit, usage
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.book_questions import BookQuestion, BookQuestions
from studio.pipeline.book_runs.chapter_windows import (
    ReadingPlan,
    committed_texts,
    longest_words,
    windows_of,
)
from studio.pipeline.events import Emit, Emitter, unheard
from studio.pipeline.gateway import gateway_or_refusal
from studio.pipeline.judging.placement import find_quote
from studio.pipeline.locked_run import locked_run
from studio.pipeline.novel import OnNovel
from studio.pipeline.outcome import Failed, Stopped
from studio.project.planning.names import KnownNames, new_id
from studio.story.chapter import Chapter
from studio.story.form.as_asked import fold
from studio.story.ledger import Estimate
from studio.story.novel import (
    PromiseProposal,
    PromiseProposals,
    ProposedEvent,
)
from studio.story.review.answers import PromisesAnswer, ReadPromise
from studio.story.state import KIND_OF_ACTION
from studio.text.safe import safe_sentence

_BLOCKS = ("brief", "entity-ids", "foreshadowing", "passage", "task")
_MOST_NEW = 8
"""The most new promises taken from one window of chapters, the first ones of the answer."""
_TASK = (
    "Read chapters {0} to {1} of `passage` for what they promise their reader: a question, an"
    " oath, a threat, a thing or a scar that is given so much weight that she waits for what comes"
    " of it. `foreshadowing` lists what is known already. Return promises that are not on the"
    " list, at most {2}, the weightiest first; and for those and for the listed ones each place"
    " of these chapters that plants, advances or resolves one. What merely happens, and what is"
    " asked and answered on one page, is none. Every quote is copied exactly from its chapter. Two"
    " empty lists are a good answer."
)
_Promises = Mapping[str, str]
"""Promises that need no proposal: maps each id to its description."""


@dataclass(frozen=True, slots=True)
class PromisesRead:
    """The reading is done, and its proposals wait."""

    waiting: int
    """The number of proposals that wait now."""

    exit_code = Exit.DONE


@dataclass(frozen=True)
class PromiseReader(OnNovel):
    """Reads chapters of one novel for promises to the reader."""

    def plan(self, chapters: Sequence[int]) -> ReadingPlan:
        """Returns what a reading of these chapters would ask and cost at most; makes no call.

        StudioError (exit 2) without a model that reads, or if none of the chapters is in the book.
        """
        emit = unheard()
        gateway = self._gateway(emit)
        texts = committed_texts(self.store, chapters)
        windows = windows_of(gateway.provider, texts)
        questions = self._questions(gateway, emit)
        document = self.store.promise_proposals()
        costs: list[Estimate] = []
        for at, window in enumerate(windows):
            promises = self._promises(document, window) | self._as_long_as_can_be(at)
            question = self._question(window, texts, promises)
            costs.append(questions.left_to_pay(question, PromisesAnswer))
        return ReadingPlan(windows, gateway.provider.model_for("deep"), Estimate.together(costs))

    async def run(self, chapters: Sequence[int], listen: Emit) -> PromisesRead | Failed | Stopped:
        """Reads the chapters and keeps the proposals. Never raises for an error that the writer
        can cause. A paid answer is reused as long as the chapters and promises stay the same."""
        return await locked_run(self.store, listen, lambda emit, _: self._ask(chapters, emit))

    async def _ask(self, chapters: Sequence[int], emit: Emitter) -> PromisesRead:
        async with self._gateway(emit) as gateway:
            return await self._read(chapters, gateway, emit)

    async def _read(self, chapters: Sequence[int], gateway: Gateway, emit: Emitter) -> PromisesRead:
        texts = committed_texts(self.store, chapters)
        questions = self._questions(gateway, emit)
        entries = read_bible(self.store).people.items()
        people = KnownNames({slug: one.names for slug, one in entries}, are_people=True)
        before = document = self.store.promise_proposals()
        for window in windows_of(gateway.provider, texts):
            promises = self._promises(document, window)
            answer = await questions.ask(
                self._question(window, texts, promises),
                PromisesAnswer,
                said("These chapters were not read for promises."),
            )
            if answer is not None:
                own = {number: texts[number] for number in window}
                ids = {*promises_now(self.store), *(one.id for one in document.proposals)}
                read = _proposals(answer, own, promises, ids, people)
                document = merge(self.store, document, read)
        if document != before:
            keep_proposals(self.store, document)
        return PromisesRead(len(document.proposals))

    def _questions(self, gateway: Gateway, emit: Emitter) -> BookQuestions:
        return BookQuestions(self.novel, gateway, emit)

    def _gateway(self, emit: Emitter) -> Gateway:
        gateway = gateway_or_refusal(self.novel.gateway_for(emit))
        if not gateway.provider.profile.extracts:
            raise usage(
                said("{model} cannot read for promises.", model=gateway.provider.model_for("deep")),
                said("Choose another model, or write promises down yourself."),
            )
        return gateway

    def _question(
        self, window: tuple[int, ...], texts: Mapping[int, Chapter], promises: _Promises
    ) -> BookQuestion:
        """Returns the call for one window, as of the chapter after it, when its agent knows what
        the reader of the window knows."""
        title = self.pack.chapter
        passage = "\n\n".join(
            "\n\n".join([title(number), *(p.prose for p in texts[number].paragraphs)])
            for number in window
        )
        listed = "\n".join(f"- {promise}: {words}" for promise, words in promises.items())
        return BookQuestion(
            "plot-architect",
            f"promises-{window[0]:03d}",
            _TASK.format(window[0], window[-1], _MOST_NEW),
            {"foreshadowing": listed, "passage": passage},
            window[-1] + 1,
            volume_of(self.store, window[-1]),
            kind="promises",
            order=_BLOCKS,
            looks_back_on=window[-1],
        )

    def _as_long_as_can_be(self, windows: int) -> dict[str, str]:
        """Returns the longest list that this many windows can add, so that the price is never
        too low."""
        words = longest_words(self.pack.language)
        return {f"promise-{n}".ljust(40, "-"): words for n in range(windows * _MOST_NEW)}

    def _promises(self, document: PromiseProposals, window: tuple[int, ...]) -> dict[str, str]:
        """Returns the promises known after a window: those of the book and those that wait.
        Nothing of later chapters is included (BOOK 1)."""
        chapter, volume = window[-1] + 1, volume_of(self.store, window[-1])
        story = StoryAt(self.store, chapter)
        planned = planted_later(self.store, volume, window[-1])
        promises = {
            one.id: f"{one.status}{f' in chapter {one.last}' if one.last else ''}: {one.plan.about}"
            for one in story.promises(volume).values()
            if one.events or not (one.id in planned or story.opened_later(one))
        }
        for one in document.proposals:
            past = [event for event in one.events if event.chapter < chapter]
            if one.is_new and past:
                done = f"{past[-1].kind} in chapter {past[-1].chapter}"
                promises[one.id] = f"{done}: {one.description}"
        return promises


def _proposals(
    answer: PromisesAnswer,
    texts: Mapping[int, Chapter],
    promises: _Promises,
    ids_in_use: Collection[str],
    people: KnownNames,
) -> Iterator[PromiseProposal]:
    """Yields the proposals whose words stand in the chapters shown: new promises with everything
    said about them, under unused ids, then events of known ones, each separately."""
    ids = {fold(promise): promise for promise in promises}
    new: dict[str, tuple[ReadPromise, ProposedEvent]] = {}
    events: dict[str, list[ProposedEvent]] = {}
    for one in answer.promises:
        event = _event("planted", one.chapter, one.quote, texts)
        if event is None or not one.about.strip():
            continue
        standing = ids.get(fold(one.id), "")
        if standing in promises:
            events.setdefault(standing, []).append(event)
        elif not standing and len(new) < _MOST_NEW:
            ids[fold(one.id)] = own = new_id(one.id, "promise", {*ids_in_use, *new})
            new[own] = (one, event)
    for read in answer.events:
        event = _event(KIND_OF_ACTION[read.action], read.chapter, read.quote, texts)
        promise = ids.get(fold(read.promise), "")
        if event is not None and (promise in new or promise in promises):
            events.setdefault(promise, []).append(event)
    for promise, (one, planted) in new.items():
        about = safe_sentence(one.about)
        those = tuple(dict.fromkeys(filter(None, map(people.id_of, one.characters))))
        every = (planted, *events.get(promise, ()))
        yield PromiseProposal(id=promise, description=about, characters=those, events=every)
    for promise in promises:
        for event in events.get(promise, ()):
            yield PromiseProposal(id=promise, events=(event,))


def _event(
    kind: object, chapter: int, quote: str, texts: Mapping[int, Chapter]
) -> ProposedEvent | None:
    """Returns an event whose quote stands in a paragraph of that chapter, in the author's own
    letters."""
    place = find_quote(texts.get(chapter), quote)
    if place is None:
        return None
    words = place[1].strip()
    return ProposedEvent.model_validate({"kind": kind, "chapter": chapter, "quote": words})

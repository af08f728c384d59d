"""Entries for names in the chapters, filled by agents from the passages that mention them (G14).

The character weaver reads about people, the world builder about everything else. Each fact needs a
quote that stands in its chapter; one without is left out. Nothing is written: the writer takes or
leaves each entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from studio.book.entries_from_names import SuggestedFact, Suggestion
from studio.book.plans import volume_of
from studio.errors import Exit, usage
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.answers import EntriesAnswer, FilledEntry
from studio.pipeline.beginning.book_questions import BookQuestion, BookQuestions
from studio.pipeline.events import Emit, Emitter, unheard
from studio.pipeline.gateway import gateway_or_refusal
from studio.pipeline.judging.placement import find_quote
from studio.pipeline.locked_run import locked_run
from studio.pipeline.novel import OnNovel
from studio.pipeline.outcome import Failed, Stopped
from studio.story.chapter import Chapter
from studio.story.ledger import Estimate
from studio.text.language.packs import LanguagePack
from studio.text.safe import safe_sentence

_MOST = 20
"""The most names of one kind that are asked about, by frequency."""
_MOST_FACTS = 20
"""The most facts of a name taken from an answer, the first ones."""
_PASSAGES = 4
"""Paragraphs shown for each name: the first ones, and the last."""
_LONGEST_PASSAGE = 600
_TASK = (
    "`passage` has paragraphs of the manuscript with their chapters. For each of these names say"
    " what an entry of the story bible should hold: {0}. Only what the passages say, a fact a"
    " sentence, each with its chapter and a quote copied exactly. `kind` is `none` where it is no"
    " name; `same_as` names another one of the list that is the same person or thing."
)
_AGENTS = (("character-weaver", "suggest-people", True), ("world-builder", "suggest-world", False))


@dataclass(frozen=True, slots=True)
class Filled:
    """The suggestions, with what the agents read about them."""

    suggestions: tuple[Suggestion, ...]

    exit_code = Exit.DONE


@dataclass(frozen=True, slots=True)
class FillingPrice:
    """What the calls would cost."""

    calls: int
    model: str
    cost: Estimate


@dataclass(frozen=True)
class EntryFiller(OnNovel):
    """Asks agents what the chapters say about names that have no entry."""

    def price(self, offered: Sequence[Suggestion]) -> FillingPrice:
        """Returns what `fill` would ask and cost at most; makes no call. StudioError (exit 2)
        without a model that reads."""
        emit = unheard()
        gateway = self._gateway(emit)
        questions = BookQuestions(self.novel, gateway, emit)
        costs = [
            questions.left_to_pay(question, EntriesAnswer) for question in self._questions(offered)
        ]
        return FillingPrice(
            len(costs), gateway.provider.model_for("deep"), Estimate.together(costs)
        )

    async def fill(self, offered: Sequence[Suggestion], listen: Emit) -> Filled | Failed | Stopped:
        """Asks the agents. Never raises for an error that the writer can cause. A paid answer is
        reused as long as the names and their passages stay the same."""
        return await locked_run(self.store, listen, lambda emit, _: self._ask(offered, emit))

    async def _ask(self, offered: Sequence[Suggestion], emit: Emitter) -> Filled:
        async with self._gateway(emit) as gateway:
            return Filled(tuple(await self._fill(offered, gateway, emit)))

    async def _fill(
        self, offered: Sequence[Suggestion], gateway: Gateway, emit: Emitter
    ) -> list[Suggestion]:
        questions = BookQuestions(self.novel, gateway, emit)
        read: dict[str, FilledEntry] = {}
        for question in self._questions(offered):
            answer = await questions.ask(
                question, EntriesAnswer, said("These names were not read up on.")
            )
            for entry in answer.entries if answer else ():
                read.setdefault(entry.name.strip(), entry)
        texts = self._texts
        names = {entry.name for entry in offered}
        return [_fill_entry(entry, read.get(entry.name), texts, names) for entry in offered]

    def _gateway(self, emit: Emitter) -> Gateway:
        gateway = gateway_or_refusal(self.novel.gateway_for(emit))
        if not gateway.provider.profile.extracts:
            raise usage(
                said(
                    "{model_for} cannot read for facts.",
                    model_for=gateway.provider.model_for("deep"),
                ),
                said("Choose another model; names alone are found by code, too."),
            )
        return gateway

    @property
    def _texts(self) -> dict[int, Chapter]:
        texts = {number: self.store.chapter(number) for number in self.store.chapter_numbers()}
        return {number: text for number, text in texts.items() if text is not None}

    def _questions(self, offered: Sequence[Suggestion]) -> Iterator[BookQuestion]:
        """Yields the question of each call, as of the next chapter."""
        texts = self._texts
        chapter = self.store.checkpoint().last_completed_chapter + 1
        volume = volume_of(self.store, chapter)
        for agent, what, of_people in _AGENTS:
            own = [one for one in offered if (one.kind == "character") is of_people]
            names = [one.name for one in own if one.note is None][:_MOST]
            if names:
                passages = "\n\n".join(dict.fromkeys(_passages(texts, names, self.pack)))
                task, blocks = _TASK.format(", ".join(names)), {"passage": passages}
                more = ("passage",)
                yield BookQuestion(agent, what, task, blocks, chapter, volume, more, "entries")


def _passages(
    texts: Mapping[int, Chapter], names: Sequence[str], pack: LanguagePack
) -> Iterator[str]:
    for name in names:
        own = [
            pack.labelled(pack.chapter(number), paragraph.prose[:_LONGEST_PASSAGE])
            for number, text in texts.items()
            for paragraph in text.paragraphs
            if name in paragraph.prose
        ]
        yield from own if len(own) <= _PASSAGES else (*own[: _PASSAGES - 1], own[-1])


def _fill_entry(
    entry: Suggestion, read: FilledEntry | None, texts: Mapping[int, Chapter], names: set[str]
) -> Suggestion:
    """Returns a suggestion with the facts whose quotes stand in their chapters."""
    if read is None:
        return entry
    facts = [
        SuggestedFact(safe_sentence(fact.fact), fact.chapter, place[1])
        for fact in read.facts[:_MOST_FACTS]
        if fact.fact.strip() and (place := find_quote(texts.get(fact.chapter), fact.quote))
    ]
    same = read.same_as.strip()
    return replace(
        entry,
        kind=entry.kind if read.kind == "none" else read.kind,
        facts=tuple(facts),
        same_as=same if same in names - {entry.name} else "",
        is_a_name=read.kind != "none",
    )

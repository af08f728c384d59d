"""The continuity checker: reads chapters in windows, and disproves or keeps each finding (E2, G8);
a chapter that has just come into the book at once, if the writer wants it (`generation.analyse`,
C10).

It reads chapters, not summaries. Each window receives what the ones before it settled. A finding
needs two verbatim quotes, or one and a rule of the book, which are verified against the text, and
has to survive a second call that tries to explain it away. An empty report is a valid result.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.book.continuity.ledger import ledger_of
from studio.book.plans import volume_of
from studio.errors import Exit, StudioError, usage
from studio.i18n import words_for_the_book
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.book_runs.chapter_windows import (
    MOST_CHAPTERS,
    ReadingPlan,
    committed_texts,
    longest_words,
    reach_of,
    windows_of,
)
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import Emit, Emitter, StageEvent, unheard
from studio.pipeline.gateway import gateway_or_refusal
from studio.pipeline.judging.placement import SHORTEST_QUOTE, find_quote, letters_of
from studio.pipeline.locked_run import locked_run
from studio.pipeline.novel import OnNovel
from studio.pipeline.outcome import Failed, Stopped
from studio.pipeline.prompting.agent_question import CHECKER, Question
from studio.pipeline.prompting.prompt_blocks import PromptBlocks, number_paragraphs
from studio.pipeline.stage import Sight
from studio.pipeline.volume.chapters_check import EVERY
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.clock import now
from studio.project.history.reasons import Reason
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter, sha256_of
from studio.story.continuity import ChapterRead, ContinuityFinding, ContinuityRecord, Evidence
from studio.story.contract import ChapterContract
from studio.story.form.document import to_bytes
from studio.story.form.slugs import slug_fault
from studio.story.ledger import Estimate
from studio.story.review.answers import (
    ContinuityAnswer,
    DisproofAnswer,
    ReadContradiction,
    ReadFact,
)
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import excerpt
from studio.text.safe import LONGEST_SENTENCE, safe_sentence

CODE = "model_"
_STORY = "story"
"""The subject of a finding that names no known entry."""


def verify_findings(
    read: Iterable[ReadContradiction],
    texts: Mapping[int, Chapter],
    rules: Collection[str],
    slug_of: Callable[[str], str | None],
) -> Iterator[ContinuityFinding]:
    """Yields the contradictions with two verbatim quotes, or one and a rule of the book; `slug_of`
    returns the id of whoever or whatever goes by a name."""
    for entry in read:
        first = _evidence(texts, entry.first_chapter, entry.first_quote)
        second = _evidence(texts, entry.second_chapter, entry.second_quote)
        rule = _own_rule(entry.rule, rules)
        if first is None or (second is None and not rule) or first == second:
            continue
        subject = slug_of(entry.entity) or _slug(entry.entity) or _STORY
        yield _finding(entry, subject, tuple(e for e in (first, second) if e is not None), rule)


def verify_facts(read: Iterable[ReadFact], texts: Mapping[int, Chapter]) -> Iterator[str]:
    """Yields facts whose quotes stand in their chapter, one line each, for later windows."""
    for fact in read:
        place = _evidence(texts, fact.chapter, fact.quote)
        if place is not None and fact.fact.strip():
            words = f"{safe_sentence(fact.entity)}: {safe_sentence(fact.fact)}"
            yield f"{words} (chapter {place.chapter}: {_quoted(place)})"


def _quoted(place: Evidence) -> str:
    return put_in_quotes(excerpt(place.quote, LONGEST_SENTENCE))


def message_of(why: str, rule: str) -> str:
    """Returns the message of a finding; `rule` is the rule it breaks, if any."""
    return said("{why} The rule: {rule}", why=why, rule=rule) if rule else why


def list_findings(findings: Sequence[tuple[str, Sequence[Evidence]]]) -> str:
    """Lists findings for the call that disproves them, numbered, with the message and evidence
    of each. The beginning of the evidence is enough, because the chapters are sent in full."""
    rows = []
    for number, (message, evidence) in enumerate(findings, start=1):
        rows.append(f"{number}. {message}")
        rows += [f"  chapter {e.chapter}: {_quoted(e)}" for e in evidence]
        rows.append("")
    return "\n".join(rows).strip()


def _finding(
    entry: ReadContradiction, subject: str, evidence: tuple[Evidence, ...], rule: str
) -> ContinuityFinding:
    code = f"{CODE}{entry.kind}"
    key = ":".join(part for part in (code, subject, _slug(entry.about)) if part)
    message = message_of(safe_sentence(entry.why) or said("Both cannot be true."), rule)
    quotes = [place.quote for place in evidence]
    return ContinuityFinding(
        id=f"{code}_{sha256_of(f'{key} {quotes}')[:8]}",
        code=code,
        severity=entry.severity,
        chapters=tuple(sorted({place.chapter for place in evidence})),
        entities=() if subject == _STORY else (subject,),
        fact_key=key,
        message=message,
        evidence=evidence,
        source="model",
    )


def _evidence(texts: Mapping[int, Chapter], chapter: int | None, quote: str) -> Evidence | None:
    place = find_quote(texts.get(chapter), quote) if chapter is not None else None
    if chapter is None or place is None:
        return None
    paragraph, words = place
    return Evidence(chapter=chapter, paragraph_sha256=sha256_of(paragraph.text), quote=words)


def _own_rule(rule: str, rules: Collection[str]) -> str:
    """Returns the rule of the book that a model refers to, in the book's words; empty if there
    is none. It may give a part of it, or with it what stands around it in the material: its id,
    whose it is, the others on its line."""
    said_so = letters_of(rule)
    if len(said_so) < SHORTEST_QUOTE:
        return ""
    whole = (own for own in rules if SHORTEST_QUOTE <= len(letters_of(own)) <= len(said_so))
    within = [own for own in whole if letters_of(own) in said_so]
    if within:
        letters = dict.fromkeys(map(letters_of, within))
        parts = {one for one in letters if any(one in other for other in letters if other != one)}
        named = (own for own in within if letters_of(own) not in parts)
        return "; ".join(dict.fromkeys(named))
    return next((own for own in rules if said_so in letters_of(own)), "")


def _slug(words: str) -> str:
    """Returns the words as an id. Words that cannot form one, such as those of another script,
    get a unique id, so that a waiver for one of them does not apply to all."""
    slug = "-".join(words.strip().lower().split())
    if not slug or not slug_fault(slug):
        return slug
    return f"x-{sha256_of(slug)[:8]}"


_MOST_CARRIED = 60
"""The most settled facts, and findings, that are carried to the next window: the latest ones."""
_MOST_READ, _MOST_FINDINGS = 200, 24
"""The most entries of a window's answer that are looked up in the text, and the most of them
that are passed on to be disproved."""
_GRAVEST = ("high", "medium", "low")
_TASK = (
    "Read chapters {0} to {1} against each other{2}. Return"
    " the contradictions and the lasting facts; two empty lists are a good answer."
)
_SETTLED = " and against what `notes` says is settled"
_DISPROOF = (
    "Try to explain away every finding of `findings`, as a fair reader would: a lie, a dream, an"
    " elision, time that passed, a teller who errs. Answer each by its number."
)


@dataclass(frozen=True, slots=True)
class BookRead:
    """The reading is done, and its findings are stored."""

    record: ContinuityRecord
    explained: int
    """The number of findings that did not survive."""

    exit_code = Exit.DONE


@dataclass(frozen=True)
class ContinuityReader(OnNovel):
    """Checks chapters of one novel against each other."""

    def plan(self, chapters: Sequence[int]) -> ReadingPlan:
        """Returns what a reading of these chapters would ask and cost at most; makes no call.

        StudioError (exit 2) without a model that judges, or if none of the chapters is in the book.
        """
        gateway = self._gateway(unheard())
        texts = committed_texts(self.store, chapters)
        windows = windows_of(gateway.provider, texts)
        costs: list[Estimate] = []
        for at, window in enumerate(windows):
            sight = self._sight(gateway, unheard(), texts, window)
            question = _question(self.pack, window, texts, self._notes(window, [], []))
            reading = sight.agents.request(question, ContinuityAnswer)
            disproof = sight.agents.request(_disproof(self.pack, window, texts, []), DisproofAnswer)
            costs.append(gateway.estimate(reading, self._most_notes() if at else ""))
            costs.append(gateway.estimate(disproof, self._most_findings()))
        return ReadingPlan(
            windows, gateway.provider.model_for("standard"), Estimate.together(costs)
        )

    def ahead(self, chapters: Sequence[int]) -> tuple[Sight, Question]:
        """Returns the first call of a reading of these chapters, as it would be made now; makes no
        call.

        StudioError as in `plan`.
        """
        gateway = self._gateway(unheard())
        texts = committed_texts(self.store, chapters)
        window = windows_of(gateway.provider, texts)[0]
        sight = self._sight(gateway, unheard(), texts, window)
        return sight, _question(self.pack, window, texts, self._notes(window, [], []))

    async def run(self, chapters: Sequence[int], listen: Emit) -> BookRead | Failed | Stopped:
        """Reads the chapters and stores the findings. Never raises for an error that the writer
        can cause."""
        return await locked_run(self.store, listen, lambda emit, _: self._ask(chapters, emit))

    async def read(self, chapters: Sequence[int], emit: Emitter) -> ContinuityRecord:
        """Does the same inside another run, which holds the lock. Raises StudioError."""
        return (await self._ask(chapters, emit)).record

    async def _ask(self, chapters: Sequence[int], emit: Emitter) -> BookRead:
        async with self._gateway(emit) as gateway:
            return await self._read(chapters, gateway, emit)

    async def _read(self, chapters: Sequence[int], gateway: Gateway, emit: Emitter) -> BookRead:
        texts = committed_texts(self.store, chapters)
        findings: list[ContinuityFinding] = []
        facts: list[str] = []
        explained = 0
        for window in windows_of(gateway.provider, texts):
            emit.chapter = window[-1]
            emit(StageEvent(name="judge", status="started", note=reach_of(window)))
            sight = self._sight(gateway, emit, texts, window)
            notes = self._notes(window, findings[-_MOST_CARRIED:], facts)
            answer, _ = await sight.agents.structure(
                _question(self.pack, window, texts, notes), ContinuityAnswer
            )
            candidates = self._candidates(answer, texts, sight)
            survivors = await _survivors(sight, window, texts, candidates)
            explained += len(candidates) - len(survivors)
            findings += survivors
            facts = [*facts, *verify_facts(answer.facts, texts)][-_MOST_CARRIED:]
            emit(StageEvent(name="judge", status="finished", note=reach_of(window)))
        record = self._record_of(texts, findings, gateway.provider.model_for("standard"))
        return BookRead(record, explained)

    def _candidates(
        self, answer: ContinuityAnswer, texts: Mapping[int, Chapter], sight: Sight
    ) -> list[ContinuityFinding]:
        """Returns the findings of an answer that the texts confirm, without duplicates, the most
        serious first."""
        read = answer.contradictions[:_MOST_READ]
        every = verify_findings(read, texts, self._rules(), sight.prompt_blocks.slug_of)
        findings = {one.id: one for one in every}
        gravest = sorted(findings.values(), key=lambda one: _GRAVEST.index(one.severity))
        left = len(gravest[_MOST_FINDINGS:]) + len(answer.contradictions[_MOST_READ:])
        if left:
            sight.run.emit.warn(
                said(
                    "Left out of the model's findings: {left}, more than anybody would read.",
                    left=left,
                )
            )
        return gravest[:_MOST_FINDINGS]

    def _gateway(self, emit: Emitter) -> Gateway:
        gateway = gateway_or_refusal(self.novel.gateway_for(emit))
        if not gateway.provider.profile.judges:
            raise usage(
                said(
                    "{model_for} cannot judge, so it cannot read a book for you.",
                    model_for=gateway.provider.model_for("standard"),
                ),
                said("Choose another model, or let code look: `studio continuity`."),
            )
        return gateway

    def _sight(
        self,
        gateway: Gateway,
        emit: Emitter,
        texts: Mapping[int, Chapter],
        window: tuple[int, ...],
    ) -> Sight:
        """Returns the story as it stands after the window: what its chapters have to agree with."""
        last = window[-1]
        contract = ChapterContract(
            chapter=last + 1,
            volume=volume_of(self.store, last),
            title=reach_of(window),
            storyline_id=log.entries_that_count(self.store.changelog().entries)[last].storyline_id,
            objectives=(reach_of(window),),
        )
        token = sha256_of(" ".join(texts[n].sha256 for n in window))[:6]
        view = ChapterView(
            novel=self.novel,
            gateway=gateway,
            contract=contract.copy_with(chapter=last),
            checkpoint=self.store.checkpoint().at_rest().copy_with(run=token),
            emit=emit,
            text=None,
        )
        return Sight(view, PromptBlocks(self.store, contract, self.pack))

    def _notes(
        self, window: tuple[int, ...], findings: Sequence[ContinuityFinding], facts: Sequence[str]
    ) -> str:
        """Returns the notes on what is intended, what is reported already, and what earlier
        windows settled."""
        ledger = ledger_of(self.store, self.pack, window)
        language = self.pack.language
        meant = [f"meant: {words_for_the_book(e.message, language)}" for e in ledger.waived]
        meant += [f"meant: {w.fact_key}: {w.reason}" for w in self.store.waivers().facts]
        rows = (*ledger.findings, *findings)
        reported = [f"reported: {words_for_the_book(row.message, language)}" for row in rows]
        return "\n".join([*meant, *reported, *(f"settled: {fact}" for fact in facts)])

    def _most_notes(self) -> str:
        """Returns notes of the greatest length that earlier windows can carry on."""
        message, words = self._longest_message(), longest_words(self.pack.language)
        return f"reported: {message}\nsettled: {3 * words} (chapter 1000: “”)\n" * _MOST_CARRIED

    def _most_findings(self) -> str:
        """Returns a list of findings to be disproved, of the greatest possible length."""
        place = Evidence(chapter=1000, quote=longest_words(self.pack.language))
        return list_findings([(self._longest_message(), (place, place))] * _MOST_FINDINGS)

    def _longest_message(self) -> str:
        rule = max(self._rules(), key=len, default="")
        return message_of(longest_words(self.pack.language), rule)

    def _rules(self) -> tuple[str, ...]:
        """Returns every rule a finding may appeal to: of the world, of storylines, of people."""
        rules = [rule.rule for rule in self.store.world_rules().rules]
        rules += [rule.rule for rule in self.store.storyline_spec().rules]
        contracts = (person.contract for person in self.store.characters().values())
        rules += [text for c in contracts if c is not None for text in (*c.always, *c.never)]
        return tuple(rules)

    def _record_of(
        self, texts: Mapping[int, Chapter], findings: Sequence[ContinuityFinding], model: str
    ) -> ContinuityRecord:
        """Returns the record in which this reading replaces earlier readings of these chapters."""
        before = self.store.continuity_record()
        others = [f for f in before.findings if not set(f.chapters) & set(texts)]
        shas = {read.chapter: read.sha256 for read in before.chapters}
        shas |= {number: text.sha256 for number, text in texts.items()}
        record = ContinuityRecord(
            chapters=tuple(ChapterRead(chapter=n, sha256=sha) for n, sha in sorted(shas.items())),
            findings=tuple({f.id: f for f in (*others, *findings)}.values()),
            model=model,
            created_at=now(),
        )
        replace(self.store, places.CONTINUITY, to_bytes(record), Reason.CONTRADICTIONS)
        return record


def _question(
    pack: LanguagePack, window: tuple[int, ...], texts: Mapping[int, Chapter], notes: str
) -> Question:
    return Question(
        agent=CHECKER,
        stage="judge",
        what=f"continuity-{window[0]:03d}",
        blocks={
            "chapter": _chapters(pack, window, texts),
            "outline": "",
            "notes": notes,
            "task": _TASK.format(window[0], window[-1], _SETTLED if notes.strip() else ""),
        },
        whole=frozenset(window),
        needed=frozenset({"chapter"}),
    )


def _disproof(
    pack: LanguagePack,
    window: tuple[int, ...],
    texts: Mapping[int, Chapter],
    findings: Sequence[ContinuityFinding],
) -> Question:
    return Question(
        agent=CHECKER,
        stage="judge",
        what=f"continuity-{window[0]:03d}-disproof",
        blocks={
            "chapter": _chapters(pack, window, texts),
            "findings": list_findings([(entry.message, entry.evidence) for entry in findings]),
            "task": _DISPROOF,
        },
        order=("brief", "world-rules", "characters-contract", "findings", "chapter", "task"),
        needed=frozenset({"chapter", "findings"}),
    )


async def _survivors(
    sight: Sight,
    window: tuple[int, ...],
    texts: Mapping[int, Chapter],
    findings: Sequence[ContinuityFinding],
) -> list[ContinuityFinding]:
    """Returns the findings that a second call, in a fresh context, could not explain."""
    if not findings:
        return []
    answer, _ = await sight.agents.structure(
        _disproof(sight.run.pack, window, texts, findings), DisproofAnswer
    )
    explained = {entry.number for entry in answer.explanations if entry.explained}
    return [entry for number, entry in enumerate(findings, 1) if number not in explained]


def _chapters(pack: LanguagePack, window: tuple[int, ...], texts: Mapping[int, Chapter]) -> str:
    return "\n\n".join(f"{pack.chapter(n)}\n\n{number_paragraphs(texts[n])}" for n in window)


async def read_saved(reader: ContinuityReader, chapter: int, emit: Emitter) -> None:
    """Reads the chapter and up to nine before it, and reports contradictions. Raises only
    CancelledError: a stop applies to the whole run."""
    try:
        record = await reader.read(_chapters_up_to(chapter), emit)
    except asyncio.CancelledError:
        emit.warn(
            said(
                "Chapter {chapter} was not read against the chapters before it: you stopped it.",
                chapter=chapter,
            )
        )
        raise
    except StudioError as error:
        emit.warn(
            said(
                "Chapter {chapter} was not read against the chapters before it: {why}",
                chapter=chapter,
                why=error.problem.message,
            )
        )
        return
    finally:
        emit.chapter = chapter
    for finding in record.findings:
        if chapter in finding.chapters:
            emit.warn(said("{why} `studio continuity` shows where.", why=finding.message))


def offer_reading(reader: ContinuityReader, chapter: int, emit: Emitter) -> None:
    """Says once after every tenth chapter what it would cost to have a model check the ten
    against each other. Silent if no model can, and raises nothing."""
    if chapter % EVERY:
        return
    try:
        plan = reader.plan(_chapters_up_to(chapter))
    except StudioError:
        return
    emit.warn(
        said(
            "A model can read chapters {first} to {last} against each other: {calls} calls to "
            "{name}, {cost}. `studio continuity {number} --model` does that.",
            first=plan.windows[0][0],
            last=chapter,
            calls=2 * len(plan.windows),
            name=plan.model,
            cost=plan.cost.words,
            number=chapter,
        )
    )


def _chapters_up_to(chapter: int) -> range:
    return range(max(1, chapter - MOST_CHAPTERS + 1), chapter + 1)

"""Summarize: from the text to what the story must remember of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isinf
from typing import NamedTuple

from studio.book.promises import PromiseSoFar, paragraph_of
from studio.book.state_names import WITH_IDS, names_in
from studio.llm.errors import ModelError
from studio.messages import readable, said
from studio.pipeline.chapter.hints_kept import hints_that_hold
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import StageName
from studio.pipeline.judging.placement import near_words, own_words
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.fit_to_window import TooLarge
from studio.pipeline.prompting.prompt_blocks import number_paragraphs
from studio.pipeline.prompting.story_lines import NARRATOR, UNNAMED_NARRATOR, ops_before
from studio.pipeline.review.changed_since_judged import text_of
from studio.pipeline.review.to_remember import carry_over
from studio.pipeline.stage import Go, Sight, Step, Work
from studio.project.commit.plan import keep_memory
from studio.project.planning.names import plain_name
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import sha256_of
from studio.story.checkpoint import PipelineStage
from studio.story.form.slugs import name_of_id, slug_fault
from studio.story.records import Crossref, Mention
from studio.story.review.answers import SummaryAnswer, SummaryMention, SummaryOp
from studio.story.state import (
    CATEGORIES,
    LAST_SEEN,
    Conflict,
    Delta,
    DroppedOp,
    HeldBack,
    Scalar,
    StateOp,
    Tree,
    as_meant,
    op_fault,
    read_by_a_model,
    sift,
)
from studio.story.state_words import said_of_left_out
from studio.text.extractive import appearances, extractive_summary
from studio.text.language.name_grammar import behind_epithet
from studio.text.language.romanisation import id_is_words, romanise, words_for_id
from studio.text.prose.answer import excerpt, first_sentences
from studio.text.prose.parse import read, units_in

_WITH_ID = 2
"""The parts of a path that begins with a category and an id."""
MEMORY_LINES = 12
"""Chapters that a storyline's memory keeps if no model condenses it."""
_LONGEST_LINE = 240
"""Characters of each of them."""

_LONGEST_QUOTE = 60
"""Characters of the words that stand for somebody without a name."""
MOST_NEW = 20
"""The most new entries that one chapter can bring into the state."""


@dataclass(frozen=True, slots=True)
class Derived:
    """The four results of summarizing a chapter."""

    summary: str
    delta: Delta
    crossref: Crossref
    memory: str


_SHARE = 5
"""How much shorter than its chapter a summary is at least: of a short one half as long would save
nobody the reading."""


class _Lengths(NamedTuple):
    """The bounds of the longest summary and the longest memory, in the unit of the language."""

    least: int
    most: int
    memory: int


_LENGTHS: Mapping[str, _Lengths] = {
    "words": _Lengths(80, 250, 150),
    "characters": _Lengths(150, 600, 400),
}


def _lengths_for(view: ChapterView) -> str:
    """Returns how long the summary of a chapter of this length is to be, and the memory."""
    unit = view.pack.unit
    least, most, memory = _LENGTHS[unit]
    length = sum(units_in(paragraph.prose, view.pack) for paragraph in view.current.paragraphs)
    longest = min(most, max(least, round(length / _SHARE, -1)))
    fewest = round(longest / 2, -1)
    return f"`summary`: {fewest:.0f} to {longest:.0f} {unit}. `memory`: at most {memory} {unit}."


def summary_question(work: Sight) -> Question:
    """Returns the question to the summarizer about the text of the run."""
    view = work.run
    return Question(
        agent="summarizer",
        stage="summarize",
        what=view.current.sha256[:8],
        blocks={
            "chapter": number_paragraphs(view.current),
            "hints": "\n".join(_hints_that_stand(view)),
            "task": (
                f"Summarize chapter {view.chapter} and list what it changes."
                f" {_lengths_for(view)}{_who_says_i(work)}"
            ),
        },
    )


def _who_says_i(work: Sight) -> str:
    """Returns, of a text told in the first person, whose id its narrator has: the name that no plan
    gives is made up by each summary anew. Empty of any other text."""
    view, blocks = work.run, work.prompt_blocks
    if not read(view.current.text, view.pack).is_told_by_one:
        return ""
    own = f"`characters.{NARRATOR}`"
    tellers = blocks.tellers()
    if tellers:
        who = " or, by scene, ".join(f"`characters.{slug}`" for slug in tellers)
    elif NARRATOR in view.story.state_before.tree["characters"] or not blocks.bible.people:
        who = own
    else:
        who = f"one of the people in `entity-ids` or, where nobody there can be it, {own}"
    return f" “I” in `chapter` is {who}, and nobody else: no new id."


def _hints_that_stand(view: ChapterView) -> Iterator[str]:
    """Yields the drafter's hints that hold of its scenes as they stand in the text. Where these are
    not the scenes between breaks, as in a serial, a hint goes by the label of the paragraph with
    which its scene begins."""
    scenes = view.scenes
    texts = {int(n): scenes.text_of(int(n)) or "" for n in view.records.drafted_scenes}
    for number, words in hints_that_hold(view, texts).items():
        scene = scenes.scene(number) if scenes.are_planned else None
        place = f"{scene.paragraphs[0].scene}.{scene.paragraphs[0].number}" if scene else ""
        label = "From [{place}] on" if place else "Scene {scene}"
        yield view.pack.headed(view.pack.label(label, scene=number, place=place), words)


async def read_by_summarizer(work: Sight) -> Derived:
    """Returns the summarizer's reading of the text. ModelError of kind `unusable` if it gives
    none."""
    question = summary_question(work)
    answer, _ = await work.agents.structure(question, SummaryAnswer, _no_summary)
    return _from_answer(work, answer)


def extract_by_code(work: Sight, state_gap: bool = False) -> Derived:
    """Returns what code can extract from the text without a model; with `state_gap` it contains
    no change of the state."""
    view = work.run
    chapter = view.current
    summary = extractive_summary(chapter, view.pack)
    delta = Delta(
        chapter=view.chapter,
        storyline_id=view.contract.storyline_id,
        source_sha256=chapter.sha256,
        ops=() if state_gap else _appearances(work),
        state_gap=state_gap,
    )
    old = view.story.memory(view.contract.storyline_id).splitlines()
    head = f"- {view.pack.chapter(view.chapter)}, "
    title = view.pack.headed(view.contract.title, first_sentences(summary, _LONGEST_LINE))
    line, heads = f"{head}{title}", (head, f"- Chapter {view.chapter}, ")
    other_chapters = [row for row in old if not row.startswith(heads)]
    return Derived(
        summary, delta, _crossref(view, ()), "\n".join([*other_chapters, line][-MEMORY_LINES:])
    )


def _no_summary(answer: SummaryAnswer) -> list[str]:
    return [] if answer.summary.strip() else ["summary: must not be empty"]


def _appearances(work: Sight) -> tuple[StateOp, ...]:
    """Returns who appears, determined by code: the latest appearance of every character has to
    be right (seed D7)."""
    view = work.run
    present = appearances(view.current, work.prompt_blocks.finder, view.pack)
    return tuple(
        StateOp(op="set", path=f"characters.{slug}{LAST_SEEN}", value=view.chapter)
        for slug in sorted(present)
        if slug in work.prompt_blocks.bible.people
    )


def _from_answer(work: Sight, answer: SummaryAnswer) -> Derived:
    view = work.run
    proposals, misfits, unfit = [], [], list[str]()
    people = _Meant(work, answer)
    listed = work.run.story.promises(view.contract.volume)
    for op in answer.ops:
        try:
            change = _op(view, people.in_place(op))
            if _tells_of_a_new_promise(op, listed):
                words = people.name_of(op.path) or change.quote or view.contract.title
                change = change.copy_with(about=words)
            proposals.append(change)
        except ValueError as error:
            misfits.append(DroppedOp(entry=f"{op.op} {op.path}"[:200], reason=str(error)[:200]))
            reason = error.args[0] if isinstance(error, Conflict) else _NOT_KNOWN
            unfit.append(said_of_left_out((op.op, op.path, op.value), reason, people.called))
    sound, misplaced = sift([*proposals, *people.new_names()])
    unfit += [
        said_of_left_out(op.plain, _why_left_out(op), people.called)
        for op in proposals
        if op_fault(op) is not None
    ]
    sound = as_meant(view.story.state_before.tree, sound, view.chapter)
    accepted, unproven = _with_evidence(work, sound)
    accepted = (*accepted, *people.words_for_unnamed(accepted))
    for sentence in readable(unfit):
        view.emit.warn(sentence)
    for sentence in readable(
        said("The book no longer takes note of {path}.", path=people.called(path.partition(".")[2]))
        for path in _ends(accepted)
    ):
        view.emit.warn(sentence)
    delta = Delta(
        chapter=view.chapter,
        storyline_id=view.contract.storyline_id,
        source_sha256=view.current.sha256,
        ops=(*(op for op in accepted if not op.path.endswith(LAST_SEEN)), *_appearances(work)),
        dropped=(*misfits, *misplaced),
        held_back=unproven,
    )
    # An empty answer of the model must not erase the memory of the storyline.
    memory = answer.memory.strip() or view.story.memory(view.contract.storyline_id).strip()
    mentions = [m.model_copy(update={"entity": people.slug_of(m.entity)}) for m in answer.crossref]
    return Derived(answer.summary.strip(), delta, _crossref(view, mentions), memory)


_NOT_KNOWN = said("nobody and nothing that the book knows goes by this name")


def _why_left_out(op: StateOp) -> str:
    """Returns why the state cannot take a change, for a reader: its form is no matter of hers."""
    if op.op == "foreshadow" and slug_fault(op.path) is None:
        return said("a promise is made, taken up or kept, and nothing else")
    parts = op.path.split(".")
    is_placed = parts[0] in CATEGORIES and len(parts) > 1
    if is_placed and op.op in ("inc", "add") and not any(map(slug_fault, parts[1:])):
        return said("it says nothing that could be added")
    return _NOT_KNOWN


class _Meant:
    """Whom the ids of an answer mean: entries of the bible, or somebody new with a name."""

    def __init__(self, work: Sight, answer: SummaryAnswer) -> None:
        self._ids = work.run.story.ids
        self._name_of = work.run.story.name_of
        self._known = names_in(work.run.story.state.tree)
        given = {one.id: " ".join(one.name.split()) for one in answer.names}
        self._names = {**_names_before(work.run), **given}
        named = {**self._known, **_new_ids_before(work.run)}
        self._there = {*named, *_ids_in(work.run.story.state.tree)}
        self._by_name = _ids_by_name(named)
        self._text, self._language = work.run.current.text, work.run.pack.language
        self._mentions = answer.crossref
        self._narrator = work.run.pack.label(UNNAMED_NARRATOR)
        self._used: dict[tuple[str, str], None] = {}

    def in_place(self, op: SummaryOp) -> SummaryOp:
        """Returns a change under the slug of the entry that its id means."""
        parts = op.path.split(".")
        if op.op == "foreshadow" or len(parts) < _WITH_ID:
            return op
        category, id_ = parts[:2]
        parts[2:] = [self._id_in(part) for part in parts[2:]]
        op = op.model_copy(update={"path": ".".join(parts)})
        slug = self._slug(category, id_)
        if slug == id_ and slug_fault(id_) and slug_fault(id_.lower()) is None:
            slug = id_.lower()  # somebody new, whose id has the capital of the name
            self._names.setdefault(slug, self._names.get(id_, id_))
            self._used[category, slug] = None
        elif slug == id_:
            if slug_fault(id_) is None:
                self._used[category, id_] = None
            return op  # what is no id and nobody's name is said and left out as it is
        if slug in self._names:
            self._used[category, slug] = None
        return op.model_copy(update={"path": ".".join((category, slug, *parts[2:]))})

    def _slug(self, category: str, id_: str) -> str:
        """Returns whom an id means: an entry, or whoever has this very name already, as the state
        or this answer calls them. Two whom the state holds apart stay two."""
        name = self._names.get(id_, "")
        slug = self._ids.slug_of(category, id_, name)
        if slug == id_ and not name and slug_fault(id_):
            return self._id_by_name(category, id_) or id_
        is_new = category in WITH_IDS and slug == id_ and not self._ids.is_entry(id_)
        if not is_new or id_ == NARRATOR or (category, id_) in self._there:
            return slug
        if not name:  # `aunt-nan`, where somebody with another id is called Aunt Nan
            known = self._id_by_name(category, name_of_id(id_))
            return known or self._id_of_the_same_letters(category, id_) or slug
        own = id_.lower() if slug_fault(id_) else id_
        bare = behind_epithet(name) if category == "characters" else ""
        is_known = (category, plain_name(name)) in self._by_name
        if bare and not is_known and (known := self._id_by_name(category, bare)):
            return known
        return self._by_name.setdefault((category, plain_name(name)), own) or id_

    def _id_by_name(self, category: str, name: str) -> str:
        """Returns the id of whoever the state, or this answer, knows by a name that stands in the
        place of an id; empty where nobody, or more than one, has it."""
        known = self._by_name.get((category, plain_name(name)))
        if known is not None:
            return known
        own = {id_ for id_, given in self._names.items() if plain_name(given) == plain_name(name)}
        ids = [id_ for id_ in own if slug_fault(id_) is None]
        return ids[0] if len(ids) == 1 else ""

    def _id_of_the_same_letters(self, category: str, id_: str) -> str:
        """Returns the one id that is `id_` with other hyphens, or whose name is so in Latin
        letters: `do-yun` of `doyun` or 도윤; empty for none."""
        is_person, letters = category == "characters", _letters(id_)
        ids = {
            known
            for (kind, name), known in self._by_name.items()
            if kind == category
            and known
            and letters in (_letters(known), _letters(romanise(name, is_person=is_person)))
        }
        return ids.pop() if len(ids) == 1 else ""

    def _id_in(self, part: str) -> str:
        """Returns a further part of a path, the id of somebody where it is their name: of whom one
        knows or whom one trusts."""
        if slug_fault(part) is None:
            return part
        slugs = (self._slug(category, part) for category in WITH_IDS)
        return next((slug for slug in slugs if slug != part), part)

    def name_of(self, new_id: str) -> str:
        """Returns what the answer calls somebody or something new; "" where it does not say."""
        name = self._names.get(new_id, "")
        if new_id == NARRATOR and name in ("", new_id):
            return "" if ("characters", new_id) in self._known else self._narrator
        return "" if name == new_id else name

    def called(self, id_: str) -> str:
        """Returns the name of whoever an id means, for a reader; without one the id in words."""
        name = self._names.get(id_) or self._name_of(id_)
        return name_of_id(id_) if name == id_ else name

    def slug_of(self, entity: str) -> str:
        """Returns the slug of whoever a cross-reference means; what is no id and nobody's name as
        it is, to be said and left out."""
        slugs = (self._slug(category, entity) for category in WITH_IDS)
        return next((slug for slug in slugs if slug != entity), entity)

    def new_names(self) -> list[StateOp]:
        """Returns the changes that give each new id its name."""
        return [
            StateOp(op="set", path=f"{category}.{id_}.name", value=name)
            for category, id_ in self._new_entries()
            if (name := self.name_of(id_)) and self._known.get((category, id_)) != name
        ]

    def words_for_unnamed(self, ops: Sequence[StateOp]) -> list[StateOp]:
        """Returns the changes that give each new id of `ops` without a name the words of the text
        that it stands for, or that are quoted for it: nobody reads an id."""
        entries = {tuple(op.path.split(".")[:2]) for op in ops if op.op != "remove"}
        return [
            StateOp(op="set", path=f"{category}.{id_}.name", value=words)
            for category, id_ in self._new_entries()
            if (category, id_) in entries and (category, id_) not in self._known
            if not self.name_of(id_) and (words := self._words_for(id_))
        ]

    def _new_entries(self) -> list[tuple[str, str]]:
        return [
            (category, id_)
            for category, id_ in self._used
            if category in WITH_IDS and not self._ids.is_entry(id_)
        ]

    def _words_for(self, id_: str) -> str:
        """Returns what a reader is shown in place of an id; "" where its letters are words."""
        words = words_for_id(id_, self._text)
        if words or (id_is_words(id_) and self._language == "en"):
            return "" if words.isascii() else words
        return put_in_quotes(excerpt(own_words(self._text, self._quote_of(id_)), _LONGEST_QUOTE))

    def _quote_of(self, id_: str) -> str:
        return next((one.quote for one in self._mentions if one.entity == id_), "")


def _names_before(view: ChapterView) -> dict[str, str]:
    """Returns what an earlier summary of this chapter, in review or in the book, calls the new ids
    it made: those are given to the next one as ids that are there, and names are asked for new ones
    alone."""
    promises = {op.path: op.about for op in _ops_of_earlier(view) if op.op == "foreshadow"}
    people = {id_: name for (_, id_), name in _new_ids_before(view).items()}
    return {**{id_: about for id_, about in promises.items() if about}, **people}


def _ops_of_earlier(view: ChapterView) -> tuple[StateOp, ...]:
    delta = view.staged.delta()
    return (*ops_before(view.store, view.chapter), *(delta.ops if delta is not None else ()))


def _new_ids_before(view: ChapterView) -> dict[tuple[str, str], str]:
    """Maps category and id to the name that an earlier summary of this chapter gave."""
    names: dict[tuple[str, str], str] = {}
    for op in _ops_of_earlier(view):
        category, _, rest = op.path.partition(".")
        if category in WITH_IDS and rest.endswith(".name") and isinstance(op.value, str):
            names[category, rest.removesuffix(".name")] = op.value
    return names


def _ids_in(tree: Tree) -> Iterator[tuple[str, str]]:
    return ((category, id_) for category in WITH_IDS for id_ in tree.get(category, {}))


def _letters(id_: str) -> str:
    return "".join(filter(str.isalnum, id_)).casefold()


def _ids_by_name(names: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """Maps category and name to the one id that has it; to an empty one where several do, which
    then stay apart."""
    ids: dict[tuple[str, str], str] = {}
    for (category, id_), name in names.items():
        key = (category, plain_name(name))
        ids[key] = "" if ids.get(key, id_) != id_ else id_
    return ids


def _with_evidence(
    work: Sight, ops: Sequence[StateOp]
) -> tuple[tuple[StateOp, ...], tuple[HeldBack, ...]]:
    """Separates the changes that the chapter bears out from those a summarizer only claims: that
    somebody whom the chapter names is no longer part of the story, that a promise is kept though no
    words show it, and more new entries than a chapter can bring."""
    view = work.run
    named = set(appearances(view.current, work.prompt_blocks.finder, view.pack))
    tree, fresh = view.story.state_before.tree, set[tuple[str, str]]()
    proven: list[StateOp] = []
    unproven: list[HeldBack] = []
    for op in ops:
        category, _, rest = op.path.partition(".")
        entry = category, rest.partition(".")[0]
        fault = ""
        if _ends((op,)) and category == "characters" and entry[1] in named:
            fault = said("the chapter names them")
        elif op.op == "foreshadow" and op.value == "resolve" and not op.quote:
            fault = said("no words of the chapter show it")
        elif op.op == "set" and rest and entry[1] not in (tree.get(category) or {}):
            if entry not in fresh and len(fresh) == MOST_NEW:
                fault = said("a chapter brings {MOST_NEW} new entries at most", MOST_NEW=MOST_NEW)
            else:
                fresh.add(entry)
        if fault:
            unproven.append(HeldBack(change=op, reason=fault))
        else:
            proven.append(op)
    return tuple(proven), tuple(unproven)


def _ends(ops: Iterable[StateOp]) -> tuple[str, ...]:
    """Returns the entries that these changes take out of the state as a whole."""
    return tuple(op.path for op in ops if op.op == "remove" and op.path.count(".") == 1)


def _tells_of_a_new_promise(op: SummaryOp, listed: Mapping[str, PromiseSoFar]) -> bool:
    """Whether a change brings a promise into the book of which nobody has said anything yet."""
    return op.op == "foreshadow" and (op.path not in listed or not listed[op.path].words)


def _op(view: ChapterView, op: SummaryOp) -> StateOp:
    """Returns one change in the form the state takes; one that serves a promise gets its place
    in the text. Conflict for a number without end."""
    if isinstance(op.value, float) and isinf(op.value):
        raise Conflict(said("{path} would be a number too large to be kept", path=op.path))
    words = _words_of_promise(view, op) if op.op == "foreshadow" and op.quote else ""
    paragraph = paragraph_of(view.current, None, words) if words else None
    return StateOp(
        op=op.op,
        path=op.path,
        value=_scalar(op.value),
        quote=words,
        paragraph_sha256=sha256_of(paragraph.text) if paragraph else None,
    )


def _words_of_promise(view: ChapterView, op: SummaryOp) -> str:
    """Returns the words of the text that an event of a promise quotes. Where it plants or goes on,
    a quote that is off by a word or two tells the place all the same: the text's words are taken,
    and prove nothing but what is promised."""
    words = own_words(view.current.text, op.quote)
    if words or op.value == "resolve":
        return words
    near = (near_words(paragraph.text, op.quote) for paragraph in view.current.paragraphs)
    return next(filter(None, near), "")


def _scalar(value: Scalar) -> Scalar:
    """Turns a float from the wire back into an integer if it is whole."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _crossref(view: ChapterView, mentions: list[SummaryMention] | tuple[()]) -> Crossref:
    """Returns the mentions with usable ids whose quote is in the text; warns of the others and
    leaves them out."""
    usable: list[Mention] = []
    faults: list[str] = []
    for mention in mentions:
        line = mention.storyline_id
        fault = slug_fault(mention.entity) or (slug_fault(line) if line else None)
        words = own_words(view.current.text, mention.quote)
        if fault is None and mention.quote and not words:
            fault = said("its quote is not in the chapter")
        if fault is not None:
            faults.append(
                said(
                    "Left out of the cross-references: {entity}: {fault}.",
                    entity=mention.entity[:60],
                    fault=fault,
                )
            )
            continue
        usable.append(
            Mention(entity=mention.entity, storyline_id=line, quote=words, leak=mention.leak)
        )
    for sentence in readable(faults):
        view.emit.warn(sentence)
    return Crossref(
        chapter=view.chapter,
        storyline_id=view.contract.storyline_id,
        source_sha256=view.current.sha256,
        mentions=tuple(usable),
    )


class SummarizeStage:
    """The stage of the summarizer, or of the extractive summary if no model can extract."""

    name: StageName = "summarize"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns a reason if a summary made from this text, or carried over guarded changes,
        still stands, else None."""
        record = run.lineage.reader("summarize")
        if record is None:
            return said("out of date; made once more before the commit") if _waits(run) else None
        whole = run.staged.holds(record.artifacts)
        if run.being_carried:
            whole = run.staged.delta() is not None and bool(run.staged.summary().strip())
        if not whole:
            run.emit.warn(
                said(
                    "The summary of the chapter in progress is missing or was changed; it is "
                    "made again."
                )
            )
            return None
        return said("the summary still fits the text")

    async def work(self, work: Work) -> Step:
        """Asks for the summary, or extracts one from the text itself."""
        run = work.run
        profile = run.profile
        if profile is not None and profile.extracts:
            derived = await self._by_model(work)
        else:
            derived = _with_what_still_stands(run, extract_by_code(work))
        derived = replace(derived, delta=carry_over(run.staged.delta(), derived.delta))
        artifacts = _stage_files(run, derived)
        record = run.records.record_summary(run.current.sha256, artifacts)
        run.record(record, PipelineStage.SUMMARIZED)
        return Go(said("state gap") if derived.delta.state_gap else "")

    async def _by_model(self, work: Work) -> Derived:
        """Returns the summarizer's answer; a gap in the state if no readable answer comes."""
        try:
            return await read_by_summarizer(work)
        except TooLarge:
            why = said("The chapter is too long for the model's window, so nobody summarizes it")
        except ModelError as error:
            if error.error_kind != "unusable":
                raise
            why = said("The summarizer's answer could not be read twice")
        work.run.emit.warn(
            said(
                "{why}; chapter {chapter} goes into the book with a gap in the story state.",
                why=why,
                chapter=work.run.chapter,
            )
        )
        return extract_by_code(work, state_gap=True)


def _with_what_still_stands(run: ChapterRun, by_code: Derived) -> Derived:
    """Returns what a model once found in the chapter, where nobody can read again what the writer
    changed in it since: all but what her words took away. By code alone where most of it is another
    text."""
    before, record = run.staged.delta(), run.lineage.overtaken("summarize")
    if before is None or record is None or not read_by_a_model(before.ops):
        return by_code
    if not _mostly_stands(run, record.input_sha256):
        return by_code
    text, crossref = run.current.text, run.staged.crossref()
    mentions = crossref.mentions if crossref is not None else ()
    absent = _seen_in(before.ops) - _seen_in(by_code.delta.ops)
    ops = [
        op
        for op in before.ops
        if not op.path.endswith(LAST_SEEN)
        and (not op.quote or own_words(text, op.quote))
        and not (op.path.startswith("characters.") and op.path.split(".")[1] in absent)
    ]
    run.emit.warn(
        said(
            "No model is there to read what you changed in chapter {chapter}: what was found in it"
            " before stands, but for what is no longer there.",
            chapter=run.chapter,
        )
    )
    still = tuple(one for one in mentions if not one.quote or own_words(text, one.quote))
    return Derived(
        run.staged.summary(),
        by_code.delta.copy_with(ops=(*ops, *by_code.delta.ops)),
        by_code.crossref.copy_with(mentions=still),
        run.staged.memory(run.contract.storyline_id) or by_code.memory,
    )


def _mostly_stands(run: ChapterRun, sha256: str | None) -> bool:
    """Whether at least half of the paragraphs stood in an earlier text too."""
    before = text_of(run.store, sha256) if sha256 else None
    words = {paragraph.text for paragraph in before.paragraphs} if before is not None else set()
    now = run.current.paragraphs
    return 2 * sum(paragraph.text in words for paragraph in now) >= len(now)


def _seen_in(ops: Iterable[StateOp]) -> set[str]:
    return {op.path.split(".")[1] for op in ops if op.path.endswith(LAST_SEEN)}


def _waits(run: ChapterRun) -> bool:
    """Whether a summary that the writer's changes have overtaken waits until the chapter goes into
    the book: in ask mode nothing is called because she typed (CONTRACTS 7)."""
    lineage, text = run.lineage, run.text
    if not run.is_attended or text is None or lineage.overtaken("summarize") is None:
        return False
    if lineage.reader("judge") is None and lineage.overtaken("judge") is None:
        return False  # it was not read yet, and is read now
    review = lineage.reader("review")
    return review is None or review.input_sha256 != text.sha256


def _stage_files(run: ChapterRun, derived: Derived) -> dict[str, str]:
    """Writes what was derived under staging/; returns the sha256 of each path."""
    sha256 = run.current.sha256
    line = run.contract.storyline_id
    keep_memory(run.store, line)
    files = [
        run.staged.put_summary(derived.summary, sha256),
        run.staged.put_delta(derived.delta),
        run.staged.put_crossref(derived.crossref),
    ]
    # An earlier chapter, reviewed again, must not take later memories away.
    if run.chapter >= run.checkpoint.last_completed_chapter:
        files.append(run.staged.put_memory(line, derived.memory, sha256))
    return dict(files)

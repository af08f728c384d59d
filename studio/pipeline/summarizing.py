"""What the story must remember of a chapter: summary, delta, cross-references, memory.

A summarizer derives them, or code extracts them from the text if no model can. The ids of the
chapter and the storyline come from the contract, never from the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.book.seeds import paragraph_of
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.quotes import own_words
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.material import numbered
from studio.pipeline.stage import Sight
from studio.story.chapter import sha256_of
from studio.story.form.long_lists import readable
from studio.story.form.slugs import slug_fault
from studio.story.records import Crossref, Mention
from studio.story.review.answers import SummaryAnswer, SummaryMention, SummaryOp
from studio.story.state import LAST_SEEN, Delta, DroppedOp, Scalar, StateOp, sift
from studio.text.extractive import appearances, extractive_summary

MEMORY_LINES = 12
"""Chapters that a storyline's memory keeps if no model condenses it."""


MOST_NEW = 20
"""The most new entries that one chapter can bring into the state."""


@dataclass(frozen=True, slots=True)
class Derived:
    """The four results of summarizing a chapter."""

    summary: str
    delta: Delta
    crossref: Crossref
    memory: str


def summary_question(view: ChapterView) -> Question:
    """Returns the question to the summarizer about the text of the run."""
    return Question(
        agent="summarizer",
        stage="summarize",
        what=view.current.sha256[:8],
        blocks={
            "chapter": numbered(view.current),
            "hints": "\n".join(view.records.hints),
            "task": f"Summarize chapter {view.chapter} and list what it changes.",
        },
    )


async def summarized(work: Sight) -> Derived:
    """Returns the summarizer's reading of the text. ModelError of kind `unusable` if it gives
    none."""
    question = summary_question(work.run)
    answer, _ = await work.agents.structured(question, SummaryAnswer, _no_summary)
    return _from_answer(work, answer)


def extracted(work: Sight, state_gap: bool = False) -> Derived:
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
    line = f"- Chapter {view.chapter}, {view.contract.title}: {' '.join(summary.split())[:240]}"
    other_chapters = [row for row in old if not row.startswith(f"- Chapter {view.chapter},")]
    return Derived(
        summary, delta, _crossref(view, ()), "\n".join([*other_chapters, line][-MEMORY_LINES:])
    )


def _no_summary(answer: SummaryAnswer) -> list[str]:
    return [] if answer.summary.strip() else ["summary: must not be empty"]


def _appearances(work: Sight) -> tuple[StateOp, ...]:
    """Returns who appears, determined by code: the latest appearance of every character has to
    be right (seed D7)."""
    view = work.run
    present = appearances(view.current, work.material.finder, view.pack)
    return tuple(
        StateOp(op="set", path=f"characters.{slug}{LAST_SEEN}", value=view.chapter)
        for slug in sorted(present)
        if slug in work.material.bible.people
    )


def _from_answer(work: Sight, answer: SummaryAnswer) -> Derived:
    view = work.run
    proposals, misfits = [], []
    for op in answer.ops:
        try:
            proposals.append(_op(view, op))
        except ValueError as error:
            misfits.append(DroppedOp(entry=f"{op.op} {op.path}"[:200], reason=str(error)[:200]))
    sound, misplaced = sift(proposals)
    accepted, unproven = _with_evidence(work, sound)
    for sentence in readable(entry.sentence for entry in (*misfits, *misplaced, *unproven)):
        view.emit.warn(sentence)
    for sentence in readable(f"Taken out of the story state: {path}." for path in _ends(accepted)):
        view.emit.warn(sentence)
    delta = Delta(
        chapter=view.chapter,
        storyline_id=view.contract.storyline_id,
        source_sha256=view.current.sha256,
        ops=(*(op for op in accepted if not op.path.endswith(LAST_SEEN)), *_appearances(work)),
        dropped=(*misfits, *misplaced, *unproven),
    )
    # An empty answer of the model must not erase the memory of the storyline.
    memory = answer.memory.strip() or view.story.memory(view.contract.storyline_id).strip()
    return Derived(answer.summary.strip(), delta, _crossref(view, answer.crossref), memory)


def _with_evidence(
    work: Sight, ops: Sequence[StateOp]
) -> tuple[tuple[StateOp, ...], tuple[DroppedOp, ...]]:
    """Separates the changes that the chapter bears out from those a summarizer only claims: that
    somebody whom the chapter names is no longer part of the story, that a promise is kept though no
    words show it, and more new entries than a chapter can bring."""
    view = work.run
    named = set(appearances(view.current, work.material.finder, view.pack))
    tree, fresh = view.story.folded.tree, set[tuple[str, str]]()
    proven: list[StateOp] = []
    unproven: list[DroppedOp] = []
    for op in ops:
        category, _, rest = op.path.partition(".")
        entry = category, rest.partition(".")[0]
        fault = ""
        if _ends((op,)) and category == "characters" and entry[1] in named:
            fault = "the chapter names them"
        elif op.op == "foreshadow" and op.value == "resolve" and not op.quote:
            fault = "no words of the chapter show it"
        elif op.op == "set" and rest and entry[1] not in (tree.get(category) or {}):
            if entry not in fresh and len(fresh) == MOST_NEW:
                fault = f"a chapter brings {MOST_NEW} new entries at most"
            else:
                fresh.add(entry)
        if fault:
            unproven.append(DroppedOp(entry=op.wording, reason=fault))
        else:
            proven.append(op)
    return tuple(proven), tuple(unproven)


def _ends(ops: Iterable[StateOp]) -> tuple[str, ...]:
    """Returns the entries that these changes take out of the state as a whole."""
    return tuple(op.path for op in ops if op.op == "remove" and op.path.count(".") == 1)


def _op(view: ChapterView, op: SummaryOp) -> StateOp:
    """Returns one change in the form the state takes; one that serves a promise gets its place
    in the text."""
    words = own_words(view.current.text, op.quote) if op.op == "foreshadow" and op.quote else ""
    paragraph = paragraph_of(view.current, None, words) if words else None
    return StateOp(
        op=op.op,
        path=op.path,
        value=_scalar(op.value),
        quote=words,
        paragraph_sha256=sha256_of(paragraph.text) if paragraph else None,
    )


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
            fault = "its quote is not in the chapter"
        if fault is not None:
            faults.append(f"Left out of the cross-references: {mention.entity[:60]}: {fault}.")
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

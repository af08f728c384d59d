"""The surgeon at work on one directive: slices, guard, attempts, and the proof that is shown,
stored and used for undo.

Only the named paragraphs can change: the answer replaces their spans and every byte outside stays
(seed A13). An answer that breaks the scope or the facts is refused and asked for again; after three
refusals the directive has failed. The fast role proofreads, unless its record shows too many errors
(seed A12).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from studio.config.schema import Role
from studio.foreign_json import JsonError, read_json
from studio.i18n import words_for_the_book
from studio.llm.errors import ModelError
from studio.llm.structured import FENCE
from studio.messages import join, said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.scene_plans import scene_spec
from studio.pipeline.judging.evaluation import REFUSED_BY_JUDGE
from studio.pipeline.judging.measures import metrics_of
from studio.pipeline.judging.placement import places_of
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.answer_stream import to_last_sentence
from studio.pipeline.prompting.fit_to_window import TooLarge
from studio.pipeline.prompting.held_here import held_here
from studio.pipeline.prompting.plan_words import must_not_lines
from studio.pipeline.review.changed_since_judged import (
    outdated_in,
    spoken_of,
    with_present_addresses,
)
from studio.pipeline.review.decisions import REJECTED_BY_MODE
from studio.pipeline.review.fixes_kept import (
    aimed_at,
    better_by,
    is_cut_by_code,
    is_quiet,
    is_unattended,
    metric_changes,
)
from studio.pipeline.review.undo import change_made
from studio.pipeline.stage import Sight, Work
from studio.pipeline.turns import side_by_side
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import (
    Chapter,
    Paragraph,
    passage_text,
    sha256_of,
    split_paragraphs,
    with_breaks,
)
from studio.story.contract import SceneSpec
from studio.story.notes import about_moved_notes, without_notes
from studio.story.records import CallRecord
from studio.story.review.demand import Demand
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType, Fingerprint
from studio.story.review.operations import OPERATIONS, SLICE_PARAGRAPHS
from studio.story.review.surgery import SurgeryResult
from studio.story.status import DirectiveStatus
from studio.text.content import clauses_gone, kept_share
from studio.text.craft import without_examples
from studio.text.guard import facts_changed, guarded_names, said_otherwise, surgery_guard
from studio.text.language.packs import LanguagePack
from studio.text.pointing import left_pointing
from studio.text.prose.answer import (
    remarks,
    says_none,
    split_sections,
    tidy,
    without_list_marks,
    without_thoughts,
)
from studio.text.prose.marks_in_use import with_marks_of

MOST_ERRORS = 0.05
"""The share of wrong proofread passages above which a better model is used (A12)."""
FEWEST = 20
"""Passages below which a rate is not meaningful."""
LOOKED_AT = 30
"""The number of earlier chapters that are considered."""
_WRONG = frozenset({DirectiveStatus.UNDONE, DirectiveStatus.FAILED})
_RIGHT = frozenset({DirectiveStatus.KEPT})


def role_for(kind: DirectiveType, store: ProjectStore, chapter: int) -> Role:
    """Returns the role of an operation; for proofreading, the record of earlier chapters
    decides."""
    role = OPERATIONS[kind].role
    if kind is not DirectiveType.PROOFREADING:
        return role
    first = max(1, chapter - LOOKED_AT)
    sheets = (store.directives(number) for number in range(first, chapter))
    rate = error_rate(sheet for sheet in sheets if sheet is not None)
    return "standard" if rate is not None and rate > MOST_ERRORS else role


def error_rate(sheets: Iterable[DirectiveSheet]) -> float | None:
    """Returns the share of proofread passages that were refused three times or that the writer
    took back; None if there are too few."""
    verdicts = [_wrong(d) for sheet in sheets for d in sheet.directives if _counts(d)]
    return sum(verdicts) / len(verdicts) if len(verdicts) >= FEWEST else None


def _counts(directive: Directive) -> bool:
    """Whether the surgeon did the work: the writer's own words say nothing about a model."""
    of_surgeon = directive.type is DirectiveType.PROOFREADING and directive.edited_text is None
    return of_surgeon and directive.status in _WRONG | _RIGHT


def _wrong(directive: Directive) -> bool:
    return directive.status in _WRONG


@dataclass(frozen=True, slots=True)
class Rewrite:
    """New paragraphs for a passage, and how they were made."""

    paragraphs: tuple[str, ...]
    attempts: int = 1
    calls: tuple[CallRecord, ...] = ()


def _guard(work: Work, after: str) -> tuple[str, ...]:
    return guarded_names(work.prompt_blocks.names(), work.run.current.text, after, work.run.pack)


def result_of(
    work: Work,
    directive: Directive,
    passage: tuple[Paragraph, ...],
    rewrite: Rewrite,
    after: Chapter,
) -> SurgeryResult:
    """Returns what was done to a passage: both texts, the measures, and what was lost and added."""
    run = work.run
    before_text = without_notes(passage_text(passage))
    after_text = without_notes("\n\n".join(rewrite.paragraphs))
    changes = metric_changes(run, directive, before_text, after_text, after)
    own = next((c for c in changes if c.metric == directive.metric), None)
    costs = [call.cost_usd for call in rewrite.calls]
    target_spans = aimed_at(directive, before_text, run)
    findings = {
        "metrics": changes,
        "helped": own.better if own else None,
        "facts": _facts(work, directive, passage, before_text, after_text),
        "lost": clauses_gone(before_text, after_text, run.pack, target_spans),
        "added": clauses_gone(after_text, before_text, run.pack),
        "kept_share": round(kept_share(before_text, after_text, run.pack), 3),
        "attempts": rewrite.attempts,
        "model": rewrite.calls[-1].model if rewrite.calls else "",
        "cost_usd": None if not costs or None in costs else sum(c for c in costs if c is not None),
        "generation_ids": tuple(call.id for call in rewrite.calls),
    }
    return change_made(run.current, passage, rewrite.paragraphs, after).copy_with(**findings)


def _facts(
    work: Work, directive: Directive, passage: tuple[Paragraph, ...], before: str, after: str
) -> tuple[str, ...]:
    """Returns what a fix changed beside the words it was to change: names, numbers and speech; and,
    where a model wrote it, what it denies, or says otherwise than the passage did, and what points
    at its lost words from behind."""
    names, pack = _guard(work, after), work.run.pack
    if directive.edited_text is not None:
        return facts_changed(before, after, names, pack)
    kind, text = directive.type.value, work.run.current.text
    return (
        *said_otherwise(before, after, kind, directive.demand, names, pack),
        *left_pointing(text[: passage[0].start], before, after, text[passage[-1].end :], pack),
    )


ATTEMPTS = 3
"""Refused answers before a person must look (seed A13)."""
SAMPLES = 8
"""Short answers sampled from a small model for one directive (DESIGN section 10)."""
LONGEST_SAMPLED = 700
"""Characters of a paragraph beyond which a small model loses the thread."""
NOTHING_LEFT = "NONE"
"""The surgeon's answer if a cut removes the whole passage; for other types it is no answer."""
TOO_LONG = said("the passage is too long for the model's window; edit it yourself")
_LABEL = re.compile(r"^[ \t]*[*_]*[\[【(]\d+\.\d+[\])】][*_]*:?\s*", re.MULTILINE)
_BESIDE = re.compile(
    r"^[ \t]*(?:</?(?:passage|answer|output|rewrite|result|text|paragraphs?)\b[^>\n]*>"
    r"|[\[【](?:수정(?:본|문)?|결과|修改|改写|润色|正文)[\]】])[ \t]*\r?\n?"
    r"|</?passage>[ \t]*\Z",
    re.MULTILINE | re.IGNORECASE,
)
"""Lines around the paragraphs: the tags of the material, headings in brackets."""
_WHOLE_QUOTED = re.compile(r"""["“「『]([^"“”「」『』]*)["”」』]""")
_OFFER = re.compile(
    r"(?:드릴까요|원하시면|말씀해 주세요|필요하시면)"
    r"|(?:需要|要不要|是否需要)[^。\n]{0,24}吗[？?]\s*\Z"
    r"|\b(?:would you like|let me know|shall I|do you want)\b",
    re.IGNORECASE,
)
"""What an assistant asks once it is done."""
_PASSAGE_HERE = "the passage stands here"
_IN_ORDER = " in the same order, separated by a blank line"
_MOST_REASONS = 5
"""The author's latest reasons for rejections that are given to a rewrite."""
_EVERYWHERE = re.compile(
    r"\b(?:whole|entire|this|in the)\s+(?:chapter|book|novel)\b|\b(?:everywhere|throughout)\b"
    r"|이번? ?[장화회](?:에서|에는|에선|에|은|는|의| |$)|전체|내내|(?:소설|작품|책)에서"
    r"|全[章书書篇]|整[章本部]|本[章书書]|[这這]一?[章本]|通篇",
    re.IGNORECASE,
)
"""What a reason says that holds in more places than the one it was given for."""
_NOT_OF_THE_BOOK = frozenset({"craft", "exemplars", "blacklist", "must-not", "task"})
"""Blocks of a prompt whose names are examples, or are to stay out: nothing of them may come into
the book."""
_AROUND = 600
"""The characters before and after a passage that the surgeon sees, in whole paragraphs
(WRITING 5)."""


class Refused(Exception):
    """No answer was acceptable; `reasons` says why, one line per attempt."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(join(dict.fromkeys(reasons), "; "))
        self.reasons = tuple(reasons)


async def operate(
    work: Work, directive: Directive, passage: tuple[Paragraph, ...]
) -> tuple[Chapter, SurgeryResult]:
    """Returns the chapter after one directive, with the proof of what was done.

    Raises Refused if the directive could not be carried out; nothing has changed then.
    """
    run = work.run
    _check_scope(directive, passage)
    _check_locks(run, passage)
    before = run.current
    rewrite = await _rewrite(work, directive, passage)
    rewrite = replace(rewrite, paragraphs=before.with_newlines(rewrite.paragraphs))
    if directive.edited_text is None:
        rewrite = _with_notes(run, passage, rewrite)
    after = before.replace_passage(passage, rewrite.paragraphs)
    if after.text == before.text:
        raise Refused((said("the text came back unchanged"),))
    _check_outside(before, after, passage, rewrite.paragraphs)
    return after, result_of(work, directive, passage, rewrite, after)


def _with_notes(run: ChapterRun, passage: tuple[Paragraph, ...], rewrite: Rewrite) -> Rewrite:
    """Returns the rewrite with the author's notes to people, which no model has seen, restored."""
    paragraphs, moved_notes = run.current.with_notes(passage, rewrite.paragraphs)
    if moved_notes:
        run.emit.warn(about_moved_notes(moved_notes))
    return replace(rewrite, paragraphs=paragraphs)


def _check_scope(directive: Directive, passage: tuple[Paragraph, ...]) -> None:
    """Refuses a passage larger than was approved: the file may have been changed, or the range
    named wrongly. The writer may place her own words as she likes."""
    lengths = [len(paragraph.text) for paragraph in passage]
    widest = OPERATIONS[directive.type].count_fitting(lengths, directive.max_scope)
    if directive.edited_text is None and len(passage) > widest:
        raise Refused(
            (
                said(
                    "it names {n} paragraphs and may change {widest}", n=len(passage), widest=widest
                ),
            )
        )


def _check_locks(run: ChapterRun, passage: tuple[Paragraph, ...]) -> None:
    """Refuses a passage that the author has locked, whoever asks."""
    if run.store.locks().holds_any(run.chapter, run.current, passage):
        raise Refused((said("you keep this passage as it is"),))


async def _rewrite(work: Work, directive: Directive, passage: tuple[Paragraph, ...]) -> Rewrite:
    profile = work.run.profile
    if directive.edited_text is not None:
        paragraphs = tuple(split_paragraphs(directive.edited_text))
        return Rewrite(paragraphs) if paragraphs else _cut_passage(work.run.current, passage)
    if is_cut_by_code(directive) and directive.evidence:
        return _cut_words(work.run.current, passage, directive.evidence)
    if directive.remove and directive.status is not DirectiveStatus.EDITED:
        return _cut_words(work.run.current, passage, _lines_of(passage, directive.remove))
    if directive.type is DirectiveType.CUT and (profile is None or profile.rewrites != "well"):
        return _cut_passage(work.run.current, passage)
    if profile is None or profile.rewrites == "no":
        raise Refused((said("there is no model that can rewrite; edit the passage yourself"),))
    if profile.rewrites == "sampling":
        return await _best_of_samples(work, directive, passage)
    return await _rewritten_in_slices(work, directive, passage)


def _lines_of(passage: tuple[Paragraph, ...], words: str) -> list[str]:
    """Returns words to be cut as each paragraph of a passage has them: they may go over its end.

    Raises Refused unless the passage has them once.
    """
    text = passage_text(passage)
    if text.count(words) != 1:
        raise Refused((said("the words that it names are not in its passage"),))
    return [piece.strip() for piece in words.split("\n\n") if piece.strip()]


def _cut_words(chapter: Chapter, passage: tuple[Paragraph, ...], words: Sequence[str]) -> Rewrite:
    """Returns the passage without the words that code found there, and without what is empty after
    that, a scene included."""
    shorter = [without_words(paragraph.prose, words) for paragraph in passage]
    if all(rest == p.prose for rest, p in zip(shorter, passage, strict=True)):
        raise Refused((said("the words that it names are not in its passage"),))
    rest = tuple(text for text in shorter if text)
    if not rest and len(chapter.paragraphs) == len(passage):
        raise Refused((said("cutting this passage would leave the chapter empty"),))
    return Rewrite(rest)


def without_words(text: str, words: Sequence[str]) -> str:
    """Returns a text without these words, wherever they stand in it, and without the lines that are
    empty after that; all else stays as it is, but for a doubled space where words were."""
    gone = bytearray(len(text))
    for word in words:
        at = text.find(word) if word else -1
        while at >= 0:
            gone[at : at + len(word)] = b"\1" * len(word)
            at = text.find(word, at + len(word))
    lines, at = [], 0
    for line in text.splitlines(keepends=True):
        marks, at = gone[at : at + len(line)], at + len(line)
        rest = "".join(char for char, mark in zip(line, marks, strict=True) if not mark)
        if rest == line:
            lines.append(line)
        elif rest.strip():
            lines.append(re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", rest))
    return "".join(lines).strip()


def _cut_passage(chapter: Chapter, passage: tuple[Paragraph, ...]) -> Rewrite:
    """Cuts a passage, but never the whole of a scene, which nobody but code asks for: there its
    words are none of the story."""
    scene = chapter.scene(passage[0].scene)
    if scene is None or len(scene.paragraphs) <= len(passage):
        raise Refused((said("cutting this passage would leave the scene empty"),))
    return Rewrite(())


async def _rewritten_in_slices(
    work: Work, directive: Directive, passage: tuple[Paragraph, ...]
) -> Rewrite:
    """Returns the passage rewritten in slices of at most three paragraphs, side by side: each sees
    the text as it stands around it, and none what becomes of the others. Of several that one stays
    as it is which holds nothing of what the directive names."""
    pieces = list(_slices(passage, _width(directive)))
    sent = _slices_named(directive, pieces)
    slices = [
        partial(_slice, work, directive, piece, number, _part_of_whole(pieces, sent, piece))
        for number, piece in enumerate(pieces, start=1)
        if piece in sent
    ]
    done = iter(await side_by_side(slices))
    rewrites = [next(done) if piece in sent else _as_it_is(piece) for piece in pieces]
    paragraphs = tuple(text for rewrite in rewrites for text in rewrite.paragraphs)
    if not paragraphs:
        _cut_passage(work.run.current, passage)
    calls = tuple(call for rewrite in rewrites for call in rewrite.calls)
    return Rewrite(paragraphs, max(rewrite.attempts for rewrite in rewrites), calls)


def _width(directive: Directive) -> int:
    """Returns how many paragraphs one call is given: all that it may, so that one directive is one
    question; fewer only of a whole scene, where `maxScope` is that of a slice, unless the order or
    number of paragraphs is to be another."""
    demand = directive.demand
    is_whole = demand.joins or demand.splits or demand.reorders
    if is_whole or OPERATIONS[directive.type].paragraph_limit is not None:
        return SLICE_PARAGRAPHS
    return min(SLICE_PARAGRAPHS, directive.max_scope)


def _slices(passage: tuple[Paragraph, ...], width: int) -> Iterable[tuple[Paragraph, ...]]:
    for start in range(0, len(passage), width):
        yield passage[start : start + width]


def _slices_named(
    directive: Directive, pieces: Sequence[tuple[Paragraph, ...]]
) -> list[tuple[Paragraph, ...]]:
    """Returns the slices that hold words which the directive quotes: a surgeon who does not have
    them in the passage can only damage it. All, if none holds any, and of a whole scene, where a
    quote is an example."""
    if OPERATIONS[directive.type].paragraph_limit is None:
        return list(pieces)
    quotes = "\n".join((*directive.evidence, *directive.demand.named))
    lines = [line for line in quotes.splitlines() if line.strip()]
    named = [p for p in pieces if any(places_of(one.prose, line) for one in p for line in lines)]
    return named or list(pieces)


def _part_of_whole(
    pieces: Sequence[tuple[Paragraph, ...]],
    sent: Sequence[tuple[Paragraph, ...]],
    piece: tuple[Paragraph, ...],
) -> str:
    """Returns what the task says of a slice where the passage has several: which part of the whole
    it is, and what becomes of the others; empty for a whole passage."""
    if len(pieces) == 1:
        return ""
    others = [one for one in pieces if one is not piece]
    with_others = " and ".join(_labels(one) for one in others if one in sent)
    as_before = " and ".join(_labels(one) for one in others if one not in sent)
    number = pieces.index(piece) + 1
    parts = [f"This is part {number} of {len(pieces)} of the passage that `directive` speaks of"]
    if with_others:
        parts.append(f"{with_others}, rewritten by it in another answer, see to their own share")
    if as_before:
        parts.append(f"{as_before} stay as they are")
    return f" {'; '.join(parts)}."


def _labels(piece: tuple[Paragraph, ...]) -> str:
    """Returns the labels of the first and last paragraph of a slice: `[2.4] to [2.6]`."""
    ends = dict.fromkeys(f"[{p.scene}.{p.number}]" for p in (piece[0], piece[-1]))
    return " to ".join(ends)


def _as_it_is(piece: tuple[Paragraph, ...]) -> Rewrite:
    """Returns a slice that stays as it is."""
    return Rewrite(tuple(paragraph.prose for paragraph in piece))


async def _slice(
    work: Work,
    directive: Directive,
    piece: tuple[Paragraph, ...],
    number: int,
    part: str = "",
) -> Rewrite:
    """Returns a slice rewritten. That nothing of it needs a change is a good answer where it is a
    `part` of the passage: then another has what the directive speaks of."""
    refusals: list[str] = []
    calls: list[CallRecord] = []
    # Without refusals, which name what must not be there.
    material = _names_given(work, _question(work, directive, piece, f"{number}-a1"))
    for attempt in range(1, ATTEMPTS + 1):
        question = _question(work, directive, piece, f"{number}-a{attempt}", refusals, part)
        try:
            record = await work.agents.prose(question)
        except TooLarge:
            raise Refused((*refusals, TOO_LONG)) from None
        except ModelError as error:
            if error.error_kind == "too_large":
                raise Refused((*refusals, TOO_LONG)) from None
            if error.error_kind not in ("empty", "refusal", "cut", "runaway"):
                raise
            if error.error_kind == "empty" and directive.type is DirectiveType.CUT:
                return Rewrite((), attempt, tuple(calls))  # the whole passage is cut
            refusals.append(error.problem.message.removesuffix("."))
            continue
        calls.append(record)
        demand = directive.demand
        may_go = OPERATIONS[directive.type].may_drop_paragraphs or demand.takes_out
        before = [p.prose for p in piece]
        is_counted = not (demand.joins or demand.splits or demand.room)
        rewritten = _paragraphs(record.generated_text, before, may_go=may_go, is_counted=is_counted)
        answer = [with_marks_of(work.run.current.text, paragraph) for paragraph in rewritten]
        if part and answer == before:
            return Rewrite(tuple(before), attempt, tuple(calls))
        faults = _faults(work, directive, piece, answer, material)
        if not faults:
            return Rewrite(tuple(answer), attempt, tuple(calls))
        refusals.append(join(faults, "; "))
    raise Refused(refusals)


def _paragraphs(
    answer: str, before: Sequence[str], *, may_go: bool = False, is_counted: bool = True
) -> list[str]:
    """Returns the paragraphs of an answer that stand for the old ones, without what the model says
    around them; none if it says that nothing is left, in whatever letters where all of it `may_go`.
    How many were asked for tells what is no part of them where the directive leaves their number as
    it is (`is_counted`); nothing of the story is dropped for it."""
    text = _BESIDE.sub("", without_thoughts(answer)).strip()
    listed = _paragraphs_in_json(text)
    prose = "\n\n".join(listed) if listed else _up_to_rule(split_sections(text).prose, len(before))
    prose = _LABEL.sub("", tidy(prose))
    if prose.strip(".") == NOTHING_LEFT or (may_go and says_none(prose)):
        return []
    paragraphs = split_paragraphs(prose) if prose else []
    if may_go and paragraphs and paragraphs[-1].strip(" .*") == NOTHING_LEFT:
        return []
    lines = [line.strip() for line in prose.splitlines() if line.strip()]
    if is_counted and len(paragraphs) < len(before) == len(lines):
        paragraphs = lines
    while len(paragraphs) > len(before) and _is_said_behind(paragraphs[-1]):
        paragraphs = paragraphs[:-1]
    paragraphs = without_list_marks(paragraphs, before)
    if len(paragraphs) == 1 == len(before):
        paragraphs = [_unwrap(paragraphs[0], before[0])]
    return paragraphs


_BEGINS_JSON = re.compile(r"^[\[{]\s*[\"\[{]", re.MULTILINE)


def _paragraphs_in_json(text: str) -> list[str]:
    """Returns the paragraphs of an answer that gives them as JSON."""
    fenced = FENCE.findall(text)
    bare = (fenced[0] if len(fenced) == 1 else text).strip()
    begins = _BEGINS_JSON.search(bare)
    bare = bare[begins.start() :] if begins else bare  # a sentence may stand before it
    if not bare.startswith(("{", "[")) or not bare.endswith(("}", "]")):
        return []
    try:
        data = read_json(bare, lenient=True)
    except JsonError:
        return []
    values = (
        [data] if isinstance(data, list) else [*data.values()] if isinstance(data, dict) else []
    )
    lists = [[v] if isinstance(v, str) and len(values) == 1 else v for v in values]
    texts = [one for one in lists if isinstance(one, list) and one]
    whole = texts[0] if len(texts) == 1 else []
    return whole if all(isinstance(one, str) for one in whole) else []


def _up_to_rule(prose: str, count: int) -> str:
    """Returns an answer up to a rule behind all the paragraphs that were asked for: below it stands
    what was done."""
    head, rule, _ = prose.partition("\n---")
    return head if rule and len(split_paragraphs(tidy(head))) == count else prose


def _is_said_behind(paragraph: str) -> bool:
    """Whether a paragraph beyond those asked for speaks to whoever asked."""
    bracketed = paragraph[:1] in "([（【" and paragraph.rstrip("*_ ")[-1:] in ")]）】"
    return bracketed or bool(remarks("", paragraph) or _OFFER.search(paragraph))


def _unwrap(paragraph: str, before: str) -> str:
    """Returns a paragraph without marks around the whole, where the old one was no speech."""
    around = _WHOLE_QUOTED.fullmatch(paragraph)
    return around[1] if around and not _WHOLE_QUOTED.fullmatch(before) else paragraph


def _faults(
    work: Work,
    directive: Directive,
    piece: tuple[Paragraph, ...],
    answer: Sequence[str],
    material: str,
) -> list[str]:
    return surgery_guard(
        [p.prose for p in piece],
        list(answer),
        OPERATIONS[directive.type],
        work.prompt_blocks.names(),
        work.run.pack,
        work.run.current.text,
        material=material,
        demand=directive.demand,
        attended=not is_unattended(directive, work.run.review),
    )


def _names_given(work: Work, question: Question) -> str:
    """Returns the material of a question whose names are those of the book: none of them is new
    in its answer (WRITING 5.8)."""
    return "\n\n".join(
        text for name, text in work.agents.blocks(question).items() if name not in _NOT_OF_THE_BOOK
    )


def first_question(work: Sight, directive: Directive) -> Question | None:
    """Returns the first question to the surgeon for a directive; None if its passage is gone."""
    at = directive.location
    passage = work.run.current.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    pieces = list(_slices(passage, _width(directive)))
    if not pieces:
        return None
    sent = _slices_named(directive, pieces)
    part, number = _part_of_whole(pieces, sent, sent[0]), pieces.index(sent[0]) + 1
    return _question(work, directive, sent[0], f"{number}-a1", part=part)


def _question(
    work: Sight,
    directive: Directive,
    piece: tuple[Paragraph, ...],
    what: str,
    refusals: Sequence[str] = (),
    part: str = "",
) -> Question:
    chapter = work.run.current
    operation = OPERATIONS[directive.type]
    count = len(piece)
    hers = directive.is_in_her_words
    spec = scene_spec(work.run, piece[0])
    beyond = _shown(directive, piece) if hers else _what_is_new(directive)
    present = _present(work, piece, spec)
    to_do = _what_to_do(work, directive, piece)
    blocks = {
        "passage": "\n\n".join(f"[{p.scene}.{p.number}] {p.prose}" for p in piece),
        "around": _around(chapter, piece, work.run.pack, to_do),
        "directive": to_do,
        "exemplars": directive.exemplar_content or "",
        "must-not": _must_not(work, present),
        "held-here": held_here(work, piece, spec),
        "notes": _notes(work.run, directive, refusals),
        "craft": without_examples(
            work.prompt_blocks.craft(of_a_passage=True, kind=None if hers else directive.type)
        ),
        **({} if hers else _NOT_NEEDED.get(directive.type, {})),
        "task": _task(count, directive.demand) + beyond + part,
    }
    paragraphs = f"{count} paragraphs" if count > 1 else "one paragraph"
    return Question(
        agent="prose-surgeon",
        stage="review",
        what=f"r{work.run.checkpoint.surgery_round}-{directive.id}-{what}",
        scene=piece[0].scene,
        part=piece[0].number,
        present=present,
        location=work.prompt_blocks.place_of(spec) if spec else None,
        on_the_surface=operation.on_the_surface and not hers,
        blocks=blocks,
        slots={
            "directive_type": directive.type.value,
            "paragraph_count": str(count),
            "paragraphs": paragraphs,
            "paragraphs_in_order": _paragraphs_asked(count, directive.demand),
            "max_paragraphs": str(count),
        },
        role=role_for(directive.type, work.run.store, work.run.chapter),
        likely_tokens=work.run.gateway.provider.estimate_tokens(blocks["passage"]),
        temperature=operation.temperature,
        effort=operation.effort,
        directive=directive.id,
        hers=hers,
        exemplars=(directive.exemplar_id,) if directive.exemplar_id else (),
    )


def _what_to_do(work: Sight, directive: Directive, piece: tuple[Paragraph, ...]) -> str:
    """Returns what is to be done, and what of the passage is another since it was written down."""
    pack = work.run.pack
    words = _in_her_words(directive, pack) if directive.is_in_her_words else _ours(directive, pack)
    rows = (with_present_addresses(words, work.run), outdated_in(words, piece, work.run))
    return "\n".join(filter(None, rows))


def _task(count: int, demand: Demand) -> str:
    """Returns the closing line: how many paragraphs come back, if the directive leaves their number
    as it is."""
    if demand.joins or demand.splits:
        return "Return the passage, rewritten, in as many paragraphs as `directive` makes of it."
    if demand.room:
        return (
            f"Return the passage, rewritten: {_paragraphs_asked(count, demand)}. What she decided"
            " may show in any of them, or in one more of its own where a reader would miss it."
        )
    return f"Return the {f'{count} paragraphs' if count > 1 else 'one paragraph'}, rewritten."


_AS_IT_IS = "stands there as the material has it, or in the fewest words where it does not"


def _paragraphs_asked(count: int, demand: Demand) -> str:
    """Returns how many paragraphs are asked for: `2 paragraphs, or 3, in the same order, ...`."""
    counted = f"{count} paragraphs" if count > 1 else "one paragraph"
    counted += f", or {count + demand.room}," if demand.room else ""
    return counted + (_IN_ORDER if count + demand.room > 1 else "")


_NEW: Mapping[DirectiveType, str] = {
    DirectiveType.SHOW_NOT_TELL: "what is seen, done or said in the place of the statement",
    DirectiveType.SENSORY_ENRICHMENT: "the one or two things perceived",
    DirectiveType.SPECIFICITY: "the one thing in the place of the general word",
    DirectiveType.CLICHE_REPLACEMENT: "the plain word or the image in the place of the worn one",
    DirectiveType.DIALOGUE_SUBTEXT: "what the lines say in the place of what they said",
    DirectiveType.TRANSITION_SMOOTHING: "when, where or who, as the chapter has it",
}
"""What of its kind is new where a rewrite does what it is for."""


def _what_is_new(directive: Directive) -> str:
    """Returns what alone may be new in a rewrite: what its kind is for, and what its instruction
    asks for. Without it “no new facts” would stand beside an order to tell one, or to put another
    image in the place of one."""
    of_kind = _NEW.get(directive.type, "")
    clauses = "; ".join(put_in_quotes(clause) for clause in directive.demand.tells)
    as_material = f"; what it asks to be told ({clauses}) {_AS_IT_IS}" if clauses else ""
    if not of_kind:
        return f" New in it is at most what `directive` asks for{as_material}."
    return f" New in it is only {of_kind}, and what else `directive` asks for{as_material}."


def _shown(directive: Directive, piece: tuple[Paragraph, ...]) -> str:
    """Returns which words of the passage the author was shown when she put the instruction in words
    of her own: she may speak of them without naming them."""
    text = passage_text(piece)
    quotes = (quote.strip().strip('“”"「」『』') for quote in directive.evidence)
    seen = [q for q in quotes if q and q in text and q not in directive.instruction]
    if directive.origin == "writer" or not seen:
        return ""
    return f" She was shown these words of it: {', '.join(map(put_in_quotes, seen))}."


_NOT_NEEDED: Mapping[DirectiveType, Mapping[str, str]] = {
    DirectiveType.CUT: {"must-not": ""},
    DirectiveType.PROOFREADING: dict.fromkeys(
        ("style", "blacklist", "answered", "must-not", "held-here"), ""
    ),
}
"""The blocks that say nothing to a rewrite of that type: where a character is wrong, how the book
sounds decides nothing, and where words go nothing new happens."""


def _ours(directive: Directive, pack: LanguagePack) -> str:
    """Returns the fault and the change that was approved, in the language of the novel."""
    words = (directive.issue, directive.instruction)
    return "\n".join(words_for_the_book(text, pack.language) for text in words)


def _in_her_words(directive: Directive, pack: LanguagePack) -> str:
    """Returns the author's own instruction, told apart from one that was offered and that she left
    beside it; one that answers a choice she was given says nothing without what it answers."""
    issue = directive.issue.strip()
    if hers := _beside_the_offered(directive):
        offered = words_for_the_book(directive.offered_words or "", pack.language)
        return f"{hers}\n{pack.labelled(_OFFERED, offered)}"
    if directive.origin != "writer" or not issue or directive.is_worded_anew:
        return directive.instruction
    quotes = (words.strip().strip('“”"「」『』') for words in directive.evidence)
    quote = "".join(pack.aside(f"“{words}”") for words in quotes if words)
    asked = words_for_the_book(issue, pack.language) + quote
    return f"{directive.instruction}\n{pack.labelled('It answers this question', asked)}"


_OFFERED = "The proposal she said this to; it holds as well, and where the two differ, hers does"
_ENDED = re.compile(r"(?:\A|\n|[.!?…。！？][\"'”’」』）)]*)\s*\Z")
"""The end of a sentence or a line, or no words at all."""


def _beside_the_offered(directive: Directive) -> str:
    """Returns what the author put before or behind the instruction that was offered to her; empty
    where she left none of it, or made one sentence of both."""
    before, offered, behind = directive.instruction.partition(directive.offered_words or "\0")
    up_to_hers = directive.instruction.removesuffix(behind.lstrip())
    if not offered or not _ENDED.search(before) or (behind and not _ENDED.search(up_to_hers)):
        return ""
    return "\n".join(filter(None, (before.strip(), behind.strip())))


def _must_not(work: Sight, present: Sequence[str]) -> str:
    """Returns what must not happen in the chapter, but for what is of people of whom none is in
    the scene."""
    lines, people_in = work.run.contract.must_not, work.prompt_blocks.people_named
    here = [line for line in lines if not people_in(line) or {*people_in(line)} & {*present}]
    return must_not_lines(here, work.run.pack)


def _present(work: Sight, piece: tuple[Paragraph, ...], spec: SceneSpec | None) -> tuple[str, ...]:
    """Returns who is in the scene of a passage: the point of view, those the passage names, those
    of the plan, and those the scene's own words name."""
    planned = work.prompt_blocks.people_of(spec) if spec else ()
    scenes = work.run.scenes
    scene = scenes.scene(scenes.number_of(piece[0]))
    near = work.prompt_blocks.people_named("\n\n".join(p.prose for p in piece))
    in_scene = work.prompt_blocks.people_named(
        "\n\n".join(p.prose for p in scene.paragraphs) if scene else ""
    )
    pov = (spec.pov,) if spec and spec.pov else ()
    return tuple(dict.fromkeys((*pov, *near, *planned, *in_scene)))


def _notes(run: ChapterView, directive: Directive, refusals: Sequence[str]) -> str:
    """Returns what the rewrite must heed beyond its instruction: why answers were refused, the
    bridge that an instruction of the writer's is about, and her reasons for rejections that hold
    here."""
    pack = run.pack
    notes = _bridge(run, directive)
    label = "The author on this passage"
    notes += [pack.labelled(label, directive.note)] if directive.note else []
    rejections = (_rejection(r, directive, pack) for r in run.rejections() if _is_hers(r.reason))
    notes += list(filter(None, rejections))[-_MOST_REASONS:]
    why = (words_for_the_book(reason, pack.language) for reason in refusals)
    return "\n".join([*notes, *(pack.labelled("Refused before", reason) for reason in why)])


def _rejection(rejected: Fingerprint, directive: Directive, pack: LanguagePack) -> str:
    """Returns the author's reason for a rejection if it is about this passage, or about every
    proposal of this kind; else nothing: about another passage it would be taken for this one's."""
    kind = rejected.type.value
    label = ""
    if rejected.is_of_passage(directive):
        label = "The author rejected another proposal for this passage ({kind})"
    elif rejected.type is directive.type and _EVERYWHERE.search(rejected.reason):
        label = "The author rejected the same kind of change ({kind}) elsewhere"
    return pack.labelled(pack.label(label, kind=kind), rejected.reason) if label else ""


def _is_hers(reason: str) -> bool:
    """Whether the writer gave the reason for a rejection, rather than a review mode or a judge."""
    return bool(reason) and reason != REJECTED_BY_MODE and not reason.startswith(REFUSED_BY_JUDGE)


def _bridge(run: ChapterView, directive: Directive) -> list[str]:
    """Returns the bridge proposed into this scene, if the surgeon is to write it differently."""
    at = directive.location
    words = run.records.bridges.get(run.scenes.number_at(at), "")
    here = directive.type is DirectiveType.TRANSITION_SMOOTHING and at.paragraph_start == 1
    label = "Proposed as the first words of the passage"
    return [run.pack.labelled(label, words)] if words and here else []


def _around(
    chapter: Chapter, piece: tuple[Paragraph, ...], pack: LanguagePack, directive: str
) -> str:
    """Returns the paragraphs before and after a passage, with its place between them; those beyond
    the borders of its scene too, with the break. What else the words of a directive label or quote
    stands there once, in order, after its label: the passage may have to agree with it."""
    before = _near(p for p in reversed(chapter.paragraphs) if p.start < piece[0].start)
    after = _near(p for p in chapter.paragraphs if p.start > piece[-1].start)
    if not before and not after:
        return ""
    others = [p for p in chapter.paragraphs if p not in piece]
    near = {p: p for p in (*before, *after)}
    for p in spoken_of(directive, others):
        near[p] = p._replace(text=f"[{p.scene}.{p.number}] {p.prose}")
    near[piece[0]] = piece[0]._replace(text=f"[{pack.label(_PASSAGE_HERE)}]")
    rows: list[Paragraph] = []
    for p in chapter.paragraphs:
        if p in near:
            rows.append(near[p])
        elif p not in piece and rows and rows[-1].text != _LEFT_OUT:
            rows.append(p._replace(text=_LEFT_OUT))
    return with_breaks(rows[:-1] if rows[-1].text == _LEFT_OUT else rows)


_LEFT_OUT = "[…]"
"""What stands for paragraphs that are not shown between two that are."""


def _near(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Returns the first of these paragraphs, whole, at least one: so many that they hold as nearly
    `_AROUND` characters as they can."""
    near: list[Paragraph] = []
    held = 0
    for paragraph in paragraphs:
        missing, over = _AROUND - held, held + len(paragraph.text) - _AROUND
        if near and over >= missing:
            break
        near.append(paragraph)
        held += len(paragraph.text)
    return near


async def _best_of_samples(
    work: Work, directive: Directive, passage: tuple[Paragraph, ...]
) -> Rewrite:
    """Returns a small model's best rewrite: each paragraph is sampled up to eight times, and the
    best answer that passes the guard and lowers the fault is taken."""
    paragraphs: list[str] = []
    calls: list[CallRecord] = []
    tried = 0
    if any(len(p.text) > LONGEST_SAMPLED for p in passage):
        raise Refused((said("the passage is too long for this model; edit it yourself"),))
    for paragraph in passage:
        best: str | None = None
        best_gain = 0.0
        for sample in range(max(2, SAMPLES // len(passage))):
            record = await _sample(work, directive, paragraph, sample)
            tried += 1
            if record is None:
                continue
            calls.append(record)
            prose = tidy(split_sections(record.generated_text).prose)
            answer = to_last_sentence(prose, work.run.pack)
            material = "\n".join((directive.instruction, directive.note))
            if _faults(work, directive, (paragraph,), [answer] if answer else [], material):
                continue
            gain = _gain(work.run, directive, paragraph.text, answer)
            if gain > best_gain:
                best, best_gain = answer, gain
            if best is not None and _is_cured(work.run, directive, best):
                break
        paragraphs.append(best if best is not None else paragraph.text)
    if paragraphs == [p.text for p in passage]:
        raise Refused(
            (said("none of {count} answers kept the facts and improved the passage", count=tried),)
        )
    return Rewrite(tuple(paragraphs), 1, tuple(calls))


async def _sample(
    work: Work, directive: Directive, paragraph: Paragraph, sample: int
) -> CallRecord | None:
    what = f"r{work.run.checkpoint.surgery_round}-{directive.id}-p{paragraph.number}-{sample + 1}"
    try:
        return await work.agents.prose(
            Question(
                agent="prose-surgeon",
                stage="review",
                what=what,
                scene=paragraph.scene,
                part=paragraph.number,
                slots={"instruction": directive.instruction, "passage": paragraph.text},
                role=OPERATIONS[directive.type].role,
                directive=directive.id,
                seed=int(sha256_of(what)[:7], 16),
                short=True,
                max_tokens=min(240, max(48, len(paragraph.text) // 3)),
            )
        )
    except ModelError as error:
        if error.error_kind in ("empty", "cut", "refusal", "runaway"):
            return None
        raise


def _gain(run: ChapterRun, directive: Directive, before: str, after: str) -> float:
    """Returns how much the target metric improved; without a metric, any accepted change counts
    a little."""
    if directive.metric is None:
        return 0.1
    old, new = metrics_of(run, Chapter(before)), metrics_of(run, Chapter(after))
    return better_by(directive.metric, old, new)


def _is_cured(run: ChapterRun, directive: Directive, text: str) -> bool:
    """Whether an answer leaves nothing of what the directive targets."""
    metric = directive.metric
    return metric is None or is_quiet(metric, metrics_of(run, Chapter(text)))


def _check_outside(
    before: Chapter,
    after: Chapter,
    passage: tuple[Paragraph, ...],
    paragraphs: Sequence[str],
) -> None:
    """Checks as the last line of defence that nothing outside the passage differs by a byte."""
    head = before.text[: passage[0].start]
    rest = before.text[passage[-1].end :]
    if paragraphs and not (after.text.startswith(head) and after.text.endswith(rest)):
        raise Refused((said("the rewrite would have changed text outside the passage"),))

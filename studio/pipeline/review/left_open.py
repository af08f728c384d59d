"""What a chapter goes into the book with that nobody was asked about: what is open, and what was
taken into its text.

Where nobody is asked (`--review accept` or `reject`), that is everything the writer would have been
shown; where she is, only what was done without her (`[review] auto_accept`). A promise that nobody
planned is named in every mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.judging.placement import counsel_in, find_quote
from studio.pipeline.review.question import LONG, SHORT, measure_of, target_of
from studio.pipeline.review.to_remember import remembered_of
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter, sha256_of, split_paragraphs
from studio.story.lengths import length_of, unit_in
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType
from studio.story.review.evaluation import Counsel, Evaluation
from studio.story.review.left_open import ChangeMade, LeftKind, LeftOpen
from studio.story.review.passage import PassageLocation
from studio.story.review.proposal import Proposal
from studio.story.review.stale_directives import lies_under, sheet_in
from studio.story.review.surgery import SurgeryResult
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus
from studio.text.diff import are_overwritten, beginning_of, where_they_part
from studio.text.oracle.fix_effect import facts_changed
from studio.text.prose.answer import excerpt

_BEGIN = 40
"""The characters of a passage that are quoted."""
_TYPES = {kind.value: kind for kind in DirectiveType}


def left_open_by(run: ChapterRun, evaluation: Evaluation) -> tuple[LeftOpen, ...]:
    """Returns what the chapter is about to go into the book with; a breach with which she kept it
    as it is was put before her in every mode."""
    asked = run.review == "ask"
    return (
        *(
            ()
            if asked
            else hers_left_open(counsel_in(evaluation.counsel, run.current), run.current)
        ),
        *(() if asked or evaluation.kept_as_is else _breaches(run, evaluation)),
        *_fixes(run, of_mode=asked),
        *(() if asked else _without_a_place(run)),
        *(() if asked else _headings(run)),
        *(() if asked else _length(run)),
        *_promises(run),
    )


def closed_by(
    store: ProjectStore, chapter: int, text: Chapter, after: Chapter
) -> tuple[LeftOpen, ...]:
    """Returns what waits for the writer in a text and is about words that another text does not
    have: what she takes in its place closes it, and it is named to her."""
    staged = store.staging_of(chapter)
    sheet, then = sheet_in(staged.sheet(), text), sheet_in(staged.sheet(), after)
    evaluation = staged.evaluation() or store.evaluation(chapter)
    counsel = evaluation.counsel if evaluation is not None else ()
    choices = counsel_in(counsel, after)
    waiting = (one for one in counsel_in(counsel, text) if one.waits)
    yours = [one for one in waiting if one.copy_with(stands="gone") in choices]
    gone = _without_words(then) if then else frozenset()
    open_fixes = [d for d in sheet.directives if d.is_pending or d.is_doubtful] if sheet else ()
    proposals = sheet.proposals if sheet else ()
    own = [p for p in proposals if p.status == "pending" and not p.is_line_edit]
    return (
        *hers_left_open(yours, text),
        *(
            _fix("hers_overtaken" if d.is_doubtful else "undecided", d)
            for d in open_fixes
            if d.id in gone
        ),
        *(_proposal(p, text) for p in own if p.id in gone),
    )


def _without_words(sheet: DirectiveSheet) -> frozenset[str]:
    """Returns the ids of what is about a passage that is nowhere."""
    fixes = (d.id for d in sheet.directives if d.stands == "gone")
    return frozenset((*fixes, *(p.id for p in sheet.proposals if p.stands == "gone")))


def changes_by(run: ChapterRun) -> tuple[ChangeMade, ...]:
    """Returns the fixes and small changes that are in a text that nobody was asked about; call it
    while the small changes still stand on the sheet."""
    if run.review == "ask":
        return ()
    sheet = run.sheet()
    fixes = [one for one in sheet.directives if one.status in IN_TEXT_STATUSES]
    small = [one for one in sheet.proposals if one.status == "applied"]
    made: list[Directive | Proposal] = [*fixes, *small]
    return (
        *(
            ChangeMade(
                type=one.type,
                place=_at(one.location),
                quote=_quoted(one.current_text),
                why=one.issue,
                **_what_it_did(run, one, made),
            )
            for one in fixes
        ),
        *(
            ChangeMade(
                place=_at(one.location),
                quote=_quoted(one.before),
                why=one.reason,
                **_what_it_did(run, one, made),
            )
            for one in small
        ),
    )


class _WhatItDid(TypedDict, total=False):
    before: str
    after: str
    follows: str
    facts: str
    stands: bool


def _what_it_did(
    run: ChapterRun, fix: Directive | Proposal, made: Sequence[Directive | Proposal]
) -> _WhatItDid:
    """Returns the words of a fix before and after it, what follows a cut, and whether it stands."""
    result = fix.result
    if result is None:
        return {}
    before, after = _on_one_line(result.before), _on_one_line(result.after)
    stands = not _is_overwritten(run, fix, result, made)
    facts = facts_changed(result)
    if not after:
        follows = _behind_a_cut(run, result) if stands else ""
        return {
            "before": put_in_quotes(beginning_of(before)),
            "follows": put_in_quotes(beginning_of(follows)),
            "facts": facts,
            "stands": stands,
        }
    was, now = where_they_part(before, after)
    return {"before": was, "after": now, "facts": facts, "stands": stands}


def _on_one_line(words: str) -> str:
    return " ".join(words.split())


def _behind_a_cut(run: ChapterRun, result: SurgeryResult) -> str:
    """Returns the paragraph that stands behind a passage that was cut; empty where none does."""
    if result.precedes_sha256 is None:
        return ""
    known = (p.text for p in run.current.paragraphs if sha256_of(p.text) == result.precedes_sha256)
    return _on_one_line(next(known, ""))


def _is_overwritten(
    run: ChapterRun,
    fix: Directive | Proposal,
    result: SurgeryResult,
    made: Sequence[Directive | Proposal],
) -> bool:
    """Whether another fix that began from the words of this one took them out again; what else of
    the chapter says the same is no part of it."""
    words = split_paragraphs(result.after)
    if not lies_under(fix, made) or {*words} <= {p.text for p in run.current.paragraphs}:
        return False
    others = [one.result for one in made if one is not fix and one.result is not None]
    while later := next((o for o in others if {*words} & {*split_paragraphs(o.before)}), None):
        others.remove(later)
        gone = split_paragraphs(later.before)
        words = [*(p for p in words if p not in gone), *split_paragraphs(later.after)]
    language, texts = run.settings.novel.language, ("\n\n".join(words), run.current.text)
    return any(are_overwritten(result.before, result.after, text, language) for text in texts)


def _length(run: ChapterRun) -> Iterator[LeftOpen]:
    """Yields how long the chapter is, where it is short or long: a review says so, and there was
    none."""
    target, unit = target_of(run), unit_in(run.settings)
    length = sum(length_of(paragraph.prose, unit) for paragraph in run.current.paragraphs)
    if not SHORT <= length / max(1, target) <= LONG:
        yield LeftOpen(kind="length", why=measure_of(length, target, unit))


def hers_left_open(counsel: Iterable[Counsel], text: Chapter) -> Iterator[LeftOpen]:
    """Yields what only she decides, and has not."""
    for choice in counsel:
        if choice.waits:
            yield LeftOpen(
                kind="yours",
                place=_place_in(text, choice.quote),
                quote=_quoted(choice.quote),
                why=choice.issue,
            )


def _breaches(run: ChapterRun, evaluation: Evaluation) -> Iterator[LeftOpen]:
    """Yields what is broken, and what the judge was not sure of: it was told while the run went
    on."""
    for one in evaluation.violations:
        if one.state == "stands":
            place, quote = _place_of(run, one.quote), _quoted(one.quote)
            kind: LeftKind = "breach" if one.forces else "doubt"
            yield LeftOpen(kind=kind, place=place, quote=quote, why=one.rule)


def _fixes(run: ChapterRun, *, of_mode: bool) -> Iterator[LeftOpen]:
    """Yields the fixes that came to nothing, and what nobody decided on; with `of_mode`, only the
    former, of those that the writer did not accept herself."""
    for directive in run.sheet().directives:
        if of_mode and directive.accepted_by != "mode":
            continue
        if directive.is_withdrawn:
            yield _fix("taken_back", directive)
        elif directive.status is DirectiveStatus.FAILED and directive.stands != "gone":
            yield _fix("tried", directive)
        elif directive.is_doubtful:
            yield _fix(
                "overtaken" if directive.accepted_by == "mode" else "hers_overtaken", directive
            )
        elif not of_mode and directive.is_pending:
            yield _fix("undecided", directive)


def _fix(kind: LeftKind, directive: Directive) -> LeftOpen:
    why = directive.failures[-1] if directive.failures else directive.issue
    return LeftOpen(
        kind=kind,
        type=directive.type,
        place=_at(directive.location),
        quote=_quoted(directive.current_text),
        why=why if kind in ("tried", "taken_back") else directive.issue,
    )


def _proposal(proposal: Proposal, text: Chapter) -> LeftOpen:
    return LeftOpen(
        kind="undecided",
        place=_place_in(text, proposal.before),
        quote=_quoted(proposal.before),
        why=proposal.instruction or proposal.reason,
    )


def _at(place: PassageLocation | None) -> str:
    if place is None:
        return ""
    behind = f"-{place.paragraph_end}" if place.paragraph_end > place.paragraph_start else ""
    return f"{place.scene_number}.{place.paragraph_start}{behind}"


def _without_a_place(run: ChapterRun) -> Iterator[LeftOpen]:
    for lost in run.sheet().unplaced:
        yield LeftOpen(
            kind="unplaced",
            type=_TYPES.get(lost.type),
            quote=_quoted(lost.quote),
            why=lost.issue or lost.instruction,
        )


def _headings(run: ChapterRun) -> Iterator[LeftOpen]:
    """Yields the headings that were left out of the draft, before words that still stand."""
    for words in run.records.headings_left_out:
        if place := _place_of(run, words):
            yield LeftOpen(kind="heading", place=place, quote=_quoted(words))


def _promises(run: ChapterRun) -> Iterator[LeftOpen]:
    for one in remembered_of(run.store, run.chapter):
        if one.is_new:
            yield LeftOpen(kind="promise", place=_place_of(run, one.change.quote), why=one.words)


def _place_of(run: ChapterRun, quote: str) -> str:
    return _place_in(run.current, quote)


def _place_in(text: Chapter, quote: str) -> str:
    """Returns the paragraph that holds a quote, `2.3`; empty where none does."""
    place = find_quote(text, quote)
    return f"{place[0].scene}.{place[0].number}" if place else ""


def _quoted(words: str) -> str:
    return put_in_quotes(excerpt(words, _BEGIN))

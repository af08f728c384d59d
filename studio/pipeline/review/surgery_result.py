"""The result of the surgeon's work on one passage: the proof that is shown, stored and used for
undo."""

from __future__ import annotations

from dataclasses import dataclass

from studio.pipeline.review.effect import aimed_at, metric_changes
from studio.pipeline.stage import Work
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.notes import without_notes
from studio.story.records import CallRecord
from studio.story.review.directive import Directive
from studio.story.review.passage_places import location_of
from studio.story.review.surgery import SurgeryResult
from studio.text.content import clauses_gone, kept_share
from studio.text.guard import facts_changed, guarded_names


@dataclass(frozen=True, slots=True)
class Rewrite:
    """New paragraphs for a passage, and how they were made."""

    paragraphs: tuple[str, ...]
    attempts: int = 1
    calls: tuple[CallRecord, ...] = ()


def _beside(chapter: Chapter, of: Paragraph, step: int, across: bool) -> str | None:
    """Returns the sha256 of the paragraph before (-1) or behind (1) one of a passage, if its scene
    has one there; `across` says that the passage is its scene, and the next scene counts."""
    at = chapter.paragraphs.index(of) + step
    beside = chapter.paragraphs[at] if 0 <= at < len(chapter.paragraphs) else None
    if beside is None or (beside.scene != of.scene and not across):
        return None
    return sha256_of(beside.text)


def _guarded(work: Work, after: str) -> tuple[str, ...]:
    return guarded_names(work.material.names(), work.run.current.text, after, work.run.pack)


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
    is_scene = not rewrite.paragraphs and len(after.scenes) < len(run.current.scenes)
    placed = after.passage(
        passage[0].scene,
        passage[0].number,
        passage[0].number + max(1, len(rewrite.paragraphs)) - 1,
    )
    return SurgeryResult(
        before=run.current.text[passage[0].start : passage[-1].end],
        after=run.current.gap.join(rewrite.paragraphs),
        removed=""
        if rewrite.paragraphs
        else run.current.text[slice(*run.current.cut_span(passage))],
        location=location_of(placed) if rewrite.paragraphs and placed else directive.location,
        follows_sha256=_beside(run.current, passage[0], -1, is_scene),
        precedes_sha256=_beside(run.current, passage[-1], 1, is_scene),
        before_sha256=run.current.sha256,
        after_sha256=after.sha256,
        paragraphs_touched=len(passage),
        metrics=changes,
        helped=own.better if own else None,
        facts=facts_changed(before_text, after_text, _guarded(work, after_text), run.pack),
        lost=clauses_gone(before_text, after_text, run.pack, aimed_at(directive, before_text, run)),
        added=clauses_gone(after_text, before_text, run.pack),
        kept_share=round(kept_share(before_text, after_text, run.pack), 3),
        attempts=rewrite.attempts,
        model=rewrite.calls[-1].model if rewrite.calls else "",
        cost_usd=None if not costs or None in costs else sum(c for c in costs if c is not None),
        generation_ids=tuple(call.id for call in rewrite.calls),
    )

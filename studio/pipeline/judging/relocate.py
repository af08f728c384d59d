"""Keeps the evaluation and the directives in step with the text after guarded changes."""

from __future__ import annotations

from studio.pipeline.chapter.origin import draft_of
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.targets import intended
from studio.pipeline.judging.measures import (
    announce,
    announce_metrics,
    as_measures,
    metrics_of,
    with_code_headings,
    with_exemplars,
)
from studio.pipeline.judging.placement import exact_passage, location_of
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.review.directive import Directive, DirectiveSheet, Fingerprint
from studio.story.review.evaluation import Evaluation
from studio.story.review.operations import MAX_DIRECTIVES
from studio.story.status import APPROVED_STATUSES, IN_TEXT_STATUSES, DirectiveStatus
from studio.text.metrics.metrics import Metric
from studio.text.oracle.directives import MOST_BEYOND, findings, merge, overlaps

_MOVABLE = APPROVED_STATUSES | {DirectiveStatus.PENDING}


def refresh(run: ChapterRun) -> None:
    """Measures the current text again if the evaluation was measured on another one.

    The judgement stays (`judged_sha256`); the numbers, the addresses of the directives and the code
    findings are updated to the current text.
    """
    evaluation = run.evaluation()
    chapter = run.current
    if evaluation.source_sha256 == chapter.sha256:
        return
    metrics = metrics_of(run, chapter, draft_of(run))
    sheet = relocated(run.sheet(), chapter)
    if run.checkpoint.surgery_round == 0:
        sheet = _with_code_findings(run, chapter, metrics, sheet)
    announce_metrics(run, metrics, evaluation.overall)
    run.staged.put_evaluation(remeasured(evaluation, chapter, metrics, sheet))
    run.staged.put_sheet(sheet)


def remeasured(
    evaluation: Evaluation, chapter: Chapter, metrics: dict[str, Metric], sheet: DirectiveSheet
) -> Evaluation:
    """Returns the evaluation with the metrics of another text."""
    return evaluation.model_copy(
        update={
            "source_sha256": chapter.sha256,
            "made_from_sha256": evaluation.made_from_sha256 or evaluation.source_sha256,
            "metrics": as_measures(metrics),
            "verdict": "REVISE" if sheet.open else "PASS",
            "assessment": with_code_headings(evaluation.assessment, metrics),
        }
    )


def relocated(sheet: DirectiveSheet, chapter: Chapter) -> DirectiveSheet:
    """Returns the sheet with each undecided directive at the present address of its passage, or
    stale if it has none; a fix whose old passage stands there again was undone by hand."""
    directives = tuple(_taken_back(relocate(d, chapter), chapter) for d in sheet.directives)
    beyond = (relocate(directive, chapter) for directive in sheet.beyond)
    still_there = tuple(d for d in beyond if d.status is DirectiveStatus.PENDING)
    return renamed(sheet, chapter.sha256).model_copy(
        update={"directives": directives, "beyond": still_there}
    )


def _taken_back(directive: Directive, chapter: Chapter) -> Directive:
    result = directive.result
    if result is None or directive.status not in IN_TEXT_STATUSES:
        return directive
    there = result.after and result.after in chapter.text
    if there or not exact_passage(chapter, result.before.replace("\r\n", "\n")):
        return directive
    return directive.updated(status=DirectiveStatus.UNDONE)


def renamed(sheet: DirectiveSheet, sha256: str) -> DirectiveSheet:
    """Returns the sheet as that of the text `sha256`; it keeps the name of the text it was made
    from."""
    if sheet.source_sha256 == sha256:
        return sheet
    made_from = sheet.made_from_sha256 or sheet.source_sha256
    return sheet.model_copy(update={"source_sha256": sha256, "made_from_sha256": made_from})


def relocate(directive: Directive, chapter: Chapter) -> Directive:
    """Returns a directive with the address its passage has in `chapter`; stale if it is not there.

    Without its text the passage is identified by `source_sha256`, never by number alone.
    """
    if directive.status not in _MOVABLE:
        return directive
    at = directive.location
    passage_there = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    words = passage_text(passage_there) if passage_there else ""
    if words and words == directive.current_text:
        return directive
    if words and not directive.current_text and sha256_of(words) == directive.source_sha256:
        return directive.updated(current_text=words)
    passage = exact_passage(chapter, directive.current_text)
    if not passage:
        return directive.updated(
            status=DirectiveStatus.STALE,
            failures=(*directive.failures, "its passage is no longer in the text"),
        )
    return directive.updated(location=location_of(passage))


def next_round(run: ChapterRun) -> bool:
    """Opens another surgery round if one is allowed, the last one changed text, and code still
    finds something, including in what was just rewritten (seed A15)."""
    sheet = run.sheet()
    text_changed = any(w.round == sheet.round and w.changed for w in run.checkpoint.worked)
    if not text_changed or sheet.round >= run.settings.review.rounds:
        return False
    fresh = _with_code_findings(run, run.current, metrics_of(run, run.current), sheet, again=True)
    if not fresh.open:
        return False
    run.staged.put_sheet(fresh.model_copy(update={"round": sheet.round + 1}))
    return True


def _with_code_findings(
    run: ChapterRun,
    chapter: Chapter,
    metrics: dict[str, Metric],
    sheet: DirectiveSheet,
    *,
    again: bool = False,
) -> DirectiveSheet:
    """Returns the sheet with its undecided code findings replaced by those of the current text;
    a rewritten passage is included only with `again`."""
    standing = [
        d
        for d in sheet.directives
        if not (d.origin == "code" and d.status is DirectiveStatus.PENDING)
        or d.edited_text is not None
    ]
    forgotten = [*run.rejections(), *(one for d in standing if (one := d.fingerprint))]
    if not again:
        forgotten += [
            Fingerprint(type=d.type, passage_sha256=sha256_of(d.result.after))
            for d in standing
            if d.result
        ]
    new_findings = findings(
        chapter,
        run.pack,
        metrics,
        forgotten=forgotten,
        intended=intended(run.store, run.chapter),
        judged=run.evaluation().judged_sha256 is not None,
    )
    open_ = [d for d in standing if d.status is DirectiveStatus.PENDING]
    numbered = merge(new_findings, (), used_ids={d.id for d in standing})
    new = [d for d in numbered.directives if not any(overlaps(d, o) for o in open_)]
    room = MAX_DIRECTIVES - len(open_)
    fresh = with_exemplars(new[:room], run.store.exemplars())
    for directive in fresh:
        announce(run, directive)
    return sheet.model_copy(
        update={
            "directives": (*standing, *fresh),
            "suppressed": new_findings.suppressed + len(new[room:]),
            "beyond": (*new[room:], *numbered.beyond)[:MOST_BEYOND],
        }
    )

"""Keeps the evaluation and the directives in step with a text that is changed."""

from __future__ import annotations

from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.targets import intended
from studio.pipeline.events import ProposalEvent
from studio.pipeline.judging.measures import (
    announce,
    announce_metrics,
    as_measures,
    draft_of,
    metrics_of,
    with_code_headings,
    with_exemplars,
)
from studio.pipeline.judging.placement import counsel_in, holds
from studio.project.scenes_of_chapter import scenes_as_of
from studio.story.chapter import Chapter, sha256_of
from studio.story.form.document import to_jsonable
from studio.story.review.directive import DirectiveSheet, Fingerprint
from studio.story.review.evaluation import Evaluation, Violation
from studio.story.review.operations import MAX_DIRECTIVES
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.review.stale_directives import relocate, relocate_sheet
from studio.story.status import DirectiveStatus
from studio.text.metrics.measure import Metric
from studio.text.oracle.directives import MOST_BEYOND, findings, merge, overlaps


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
    sheet = relocate_sheet(run.sheet(), chapter)
    if run.checkpoint.surgery_round == 0:
        sheet = _with_code_findings(run, chapter, metrics, sheet)
    announce_metrics(run, metrics, evaluation.overall)
    _announce_places(run, run.sheet(), sheet)
    run.staged.put_evaluation(remeasure(evaluation, chapter, metrics, sheet))
    run.staged.put_sheet(sheet)
    if (planned := scenes_as_of(run.store, run.chapter, chapter)) is not None:
        run.staged.put_planned_scenes(planned)


def _announce_places(run: ChapterRun, before: DirectiveSheet, after: DirectiveSheet) -> None:
    """Emits every directive and proposal of which the change of the text made something else."""
    for directive in after.directives:
        if before.find(directive.id) not in (None, directive):
            announce(run, directive)
    earlier = {proposal.id: proposal for proposal in before.proposals}
    for proposal in after.proposals:
        if proposal != earlier.get(proposal.id):
            run.emit(ProposalEvent(proposal=to_jsonable(proposal)))


def remeasure(
    evaluation: Evaluation, chapter: Chapter, metrics: dict[str, Metric], sheet: DirectiveSheet
) -> Evaluation:
    """Returns the evaluation with the metrics of another text."""
    return evaluation.copy_with(
        violations=tuple(looked_for(v, chapter) for v in evaluation.violations),
        counsel=counsel_in(evaluation.counsel, chapter),
        source_sha256=chapter.sha256,
        made_from_sha256=evaluation.made_from_sha256 or evaluation.source_sha256,
        metrics=as_measures(metrics),
        verdict="REVISE" if sheet.open else "PASS",
        assessment=with_code_headings(evaluation.assessment, metrics),
    )


def looked_for(violation: Violation, chapter: Chapter) -> Violation:
    """Returns a violation with whether its words are still in the text; one that named no words is
    where it was."""
    if not violation.quote.strip() or violation.confidence != "high":
        return violation
    there = holds(chapter, violation.quote, violation.elsewhere)
    return violation.copy_with(state="stands" if there else "mended?")


def _with_code_findings(
    run: ChapterRun, chapter: Chapter, metrics: dict[str, Metric], sheet: DirectiveSheet
) -> DirectiveSheet:
    """Returns the sheet with its undecided code findings replaced by those of the current text,
    but for those in a passage that was just rewritten."""
    standing = [
        d
        for d in sheet.directives
        if not (d.origin == "code" and d.status is DirectiveStatus.PENDING)
        or d.edited_text is not None
    ]
    forgotten = [*run.rejections(), *(one for d in standing if (one := d.fingerprint))]
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
    ground = SearchableChapter(chapter)
    fresh = with_exemplars((relocate(d, ground) for d in new[:room]), run.store.exemplars())
    for directive in fresh:
        announce(run, directive)
    beyond = (*new[room:], *numbered.beyond)[:MOST_BEYOND]
    return sheet.copy_with(
        directives=(*standing, *fresh),
        suppressed=new_findings.suppressed + len(new[room:]),
        beyond=tuple(relocate(d, ground) for d in beyond),
    )

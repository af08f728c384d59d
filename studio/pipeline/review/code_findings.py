"""What code sees in a chapter before a model reads it: its measures, and the faults they show."""

from __future__ import annotations

from dataclasses import replace

from studio.pipeline.chapter.targets import intended
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.scene_plans import climax_paragraphs
from studio.pipeline.judging.measures import draft_of, metrics_of
from studio.pipeline.review.line_edits import edited_paragraphs, open_edits
from studio.story.review.directive import Directive
from studio.text.metrics.measure import Metric
from studio.text.oracle.directives import CodeFindings, findings


def measure(view: ChapterView) -> tuple[dict[str, Metric], CodeFindings]:
    """Returns the metrics of the chapter's text, and the faults that code finds before a judge
    reads it."""
    metrics = metrics_of(view, view.current, draft_of(view))
    return metrics, _not_proposed(view, code_findings(view, metrics))


def code_findings(
    view: ChapterView, metrics: dict[str, Metric], *, judged: bool = True
) -> CodeFindings:
    """Returns what code finds in the chapter's text; `judged` if a judge will answer it."""
    return findings(
        view.current,
        view.pack,
        metrics,
        climax=climax_paragraphs(view),
        forgotten=view.rejections(),
        intended=intended(view.store, view.chapter),
        judged=judged,
    )


def _not_proposed(view: ChapterView, code: CodeFindings) -> CodeFindings:
    """Returns code's findings without those in paragraphs that a line edit waits for."""
    edited = edited_paragraphs(open_edits(view.staged.sheet(), view.current), view.current)

    def stays(directive: Directive) -> bool:
        at = directive.location
        numbers = range(at.paragraph_start, at.paragraph_end + 1)
        return all((at.scene_number, number) not in edited for number in numbers)

    return replace(code, directives=tuple(filter(stays, code.directives)))

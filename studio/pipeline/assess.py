"""What code measures of the current text, and the sheet of directives that follows.

Used by the judge, and again after every guarded change: metrics and code
findings are cheap and must always be those of the text that is committed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from studio.pipeline.events import DirectiveEvent, MetricsEvent
from studio.pipeline.exemplars import for_scene_types
from studio.pipeline.run import ChapterRun
from studio.settings import Settings
from studio.story.answers import JudgedDirective
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.directive import Directive, PassageLocation
from studio.story.document import to_jsonable
from studio.story.evaluation import Assessment, Evaluation, GateResult, GateVerdict, Measure
from studio.story.novel import Exemplar
from studio.story.operations import OPERATIONS
from studio.text.language import LanguagePack
from studio.text.metrics import Metric, measure


def measured(run: ChapterRun, chapter: Chapter) -> dict[str, Metric]:
    """All metrics of a text, with the project's targets."""
    targets = {
        name: target.model_dump(exclude_none=True) for name, target in run.settings.metrics.items()
    }
    return measure(chapter.text, run.pack, targets)


def measured_only(
    number: int, chapter: Chapter, pack: LanguagePack, settings: Settings
) -> Evaluation:
    """The evaluation of a chapter that no judge has read: what code measures, nothing else."""
    targets = {name: t.model_dump(exclude_none=True) for name, t in settings.metrics.items()}
    metrics = measure(chapter.text, pack, targets)
    return Evaluation(
        chapter=number,
        source_sha256=chapter.sha256,
        assessment=code_assessment(metrics),
        metrics=as_measures(metrics),
        gate=GateResult(verdict=GateVerdict.UNJUDGED, reasons=("imported; nobody judged it",)),
    )


def as_measures(metrics: Mapping[str, Metric]) -> dict[str, Measure]:
    """Metrics without their spans, as the evaluation file keeps them."""
    return {name: metric.measure() for name, metric in metrics.items()}


def announce_metrics(run: ChapterRun, metrics: Mapping[str, Metric], overall: float | None) -> None:
    """Says what was measured."""
    shown = {name: to_jsonable(m) for name, m in as_measures(metrics).items()}
    run.emit(MetricsEvent(metrics=shown, overall=overall))


def announce(run: ChapterRun, directive: Directive) -> None:
    """Says that a directive is new or has changed."""
    run.emit(DirectiveEvent(directive=directive.model_dump(mode="json", by_alias=True)))


def code_assessment(metrics: Mapping[str, Metric]) -> Assessment:
    """The three headings code fills (seed A8)."""

    def row(name: str, **extra: Any) -> dict[str, Any]:
        metric = metrics[name]
        return {"value": metric.value, "unit": metric.unit, "ok": metric.ok, **extra}

    return Assessment(
        sensory_grounding=row("sensory_grounding"),
        filter_word_density=row(
            "filter_word_density", count=len(metrics["filter_word_density"].spans)
        ),
        rhythm_variation=row(
            "same_ending_run",
            repetition_instances=[span.text for span in metrics["same_ending_run"].spans],
        ),
    )


def placed(
    chapter: Chapter, proposals: Iterable[JudgedDirective]
) -> tuple[list[Directive], list[str]]:
    """The judge's directives with a checked place, and why the others were dropped.

    A quote that is not in the text drops the directive (DESIGN section 6).
    Numbers yield to the quote: where they disagree, the words decide.
    """
    kept: list[Directive] = []
    dropped: list[str] = []
    for proposal in proposals:
        passage = _passage(chapter, proposal)
        fault = _fault(proposal, passage)
        if fault:
            dropped.append(f"A directive ({proposal.type.value}) was dropped: {fault}.")
            continue
        operation = OPERATIONS[proposal.type]
        kept.append(
            Directive(
                id="dir_" + proposal.type.value.replace("-", "_") + "_001",
                type=proposal.type,
                priority=proposal.priority,
                location=_location(passage),
                issue=proposal.issue.strip(),
                current_text=passage_text(passage),
                instruction=proposal.instruction.strip(),
                max_scope=min(proposal.maxScope, operation.max_scope),
                source_sha256=sha256_of(passage_text(passage)),
                origin="judge",
                metric=operation.metric,
                evidence=(proposal.currentText.strip(),),
            )
        )
    return kept, dropped


def _fault(proposal: JudgedDirective, passage: tuple[Paragraph, ...]) -> str:
    if not 1 <= proposal.priority <= 10:
        return f"priority {proposal.priority} is not between 1 and 10"
    if not 1 <= proposal.maxScope <= 5:
        return f"maxScope {proposal.maxScope} is not between 1 and 5"
    if not proposal.issue.strip() or not proposal.instruction.strip():
        return "it says no issue or no instruction"
    if not proposal.currentText.strip():
        return "it quotes nothing"
    if not passage:
        return f"its quote is not in the chapter ({proposal.currentText.strip()[:60]!r})"
    limit = min(proposal.maxScope, OPERATIONS[proposal.type].max_scope)
    if len(passage) > limit:
        return f"it spans {len(passage)} paragraphs and may change {limit}"
    return ""


def _passage(chapter: Chapter, proposal: JudgedDirective) -> tuple[Paragraph, ...]:
    """The paragraphs that hold the quote, the named place first, else the only place."""
    at = proposal.location
    named = chapter.passage(at.sceneNumber, at.paragraphStart, at.paragraphEnd)
    quote = _plain(proposal.currentText)
    if named and quote and quote in _plain(passage_text(named)):
        return named
    return find_passage(chapter, proposal.currentText)


def find_passage(chapter: Chapter, quote: str) -> tuple[Paragraph, ...]:
    """The consecutive paragraphs of one scene that hold `quote`; empty if none or several do."""
    wanted = _plain(quote)
    if not wanted:
        return ()
    found: list[tuple[Paragraph, ...]] = []
    width = len([part for part in quote.split("\n\n") if part.strip()])
    for scene in chapter.scenes:
        for start in range(len(scene.paragraphs) - width + 1):
            passage = scene.paragraphs[start : start + width]
            if wanted in _plain(passage_text(passage)):
                found.append(passage)
    return found[0] if len(found) == 1 else ()


def _plain(text: str) -> str:
    """Composed, with white space folded: what a model may change in a quote."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _location(passage: tuple[Paragraph, ...]) -> PassageLocation:
    return PassageLocation(
        scene_number=passage[0].scene,
        paragraph_start=passage[0].number,
        paragraph_end=passage[-1].number,
    )


def location_of(passage: tuple[Paragraph, ...]) -> PassageLocation:
    """Where a passage stands, as a directive says it."""
    return _location(passage)


def with_exemplars(
    directives: Iterable[Directive], library: list[Exemplar]
) -> tuple[Directive, ...]:
    """Each directive with a passage of its own category that shows the fix (seed A11)."""
    return tuple(_with_exemplar(directive, library) for directive in directives)


def _with_exemplar(directive: Directive, library: list[Exemplar]) -> Directive:
    operation = OPERATIONS[directive.type]
    found = for_scene_types(library, operation.exemplar_scene_types)
    if found is None and operation.needs_exemplar:
        found = next((e for e in library if e.meta.kind == "good"), None)
    if found is None:
        return directive
    return directive.updated(exemplar_id=found.id, exemplar_content=found.text.strip())

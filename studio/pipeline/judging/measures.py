"""What code measures of a text: the current one, against the text that the chapter began as and
with the sheet of directives that follows; and one that was just saved (C10).

The judge uses it, and every guarded change again: metrics and code findings are cheap and must
always match the text that is committed. Of a text just saved nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from studio.book.continuity.book_view import BookView
from studio.book.continuity.detectors import DETECTORS, findings_in
from studio.errors import StudioError
from studio.i18n import words_for_the_book
from studio.messages import said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.targets import earlier, intended, targets
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import DirectiveEvent, MetricsEvent
from studio.pipeline.novel import Novel
from studio.pipeline.prompting.exemplars import for_scene_types
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter, sha256_of
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import to_jsonable
from studio.story.novel import Exemplar
from studio.story.review.directive import Directive
from studio.story.review.evaluation import Assessment, Evaluation, GateResult, GateVerdict, Measure
from studio.story.review.operations import OPERATIONS
from studio.text.language.packs import LanguagePack, Threshold, is_seeds
from studio.text.language.reference import load_reference
from studio.text.metrics.comparison import is_telling
from studio.text.metrics.measure import Metric, measure
from studio.text.metrics.metric_kinds import METRICS, metric_words
from studio.text.oracle.directives import findings
from studio.text.prose.answer import excerpt


def draft_of(view: ChapterView) -> str:
    """Returns the text from which refining and surgery made the current one; "" if they changed
    nothing."""
    return _text_in_history(view.store, view.lineage.origin)


def first_staged(store: ProjectStore, chapter: int, text: str) -> str:
    """Returns the first text staged since the chapter's last version that is not `text`; "" if
    there was none."""
    staged_path, committed_path = (
        store.layout.staged_chapter(chapter),
        store.layout.chapter(chapter),
    )
    first = None
    for version in store.history.log():
        if version.path == committed_path and version.sha != sha256_of(text):
            first = None
        elif version.path == staged_path:
            first = first or version.sha
    return _text_in_history(store, first)


def _text_in_history(store: ProjectStore, sha256: str | None) -> str:
    """Returns a version from history; "" if history no longer holds it, which must not stop the
    measuring."""
    try:
        return store.history.blob(sha256).decode() if sha256 else ""
    except (StudioError, UnicodeDecodeError):
        return ""


def metrics_of(view: ChapterView, chapter: Chapter, before: str = "") -> dict[str, Metric]:
    """Returns all metrics of a text, against the novel's own standards and the chapters before it.

    `before` is the text a whole chapter began as; a passage has none.
    """
    return measure(chapter.text, view.pack, view.targets, earlier=view.earlier, before=before)


def evaluation_by_code(
    number: int, chapter: Chapter, pack: LanguagePack, targets: Mapping[str, Threshold]
) -> Evaluation:
    """Returns the evaluation of a chapter that no judge has read: only what code measures."""
    metrics = measure(chapter.text, pack, targets)
    return Evaluation(
        chapter=number,
        source_sha256=chapter.sha256,
        assessment=code_assessment(metrics),
        metrics=as_measures(metrics),
        gate=GateResult(
            verdict=GateVerdict.UNJUDGED, reasons=(said("imported; nobody judged it"),)
        ),
    )


def as_measures(metrics: Mapping[str, Metric]) -> dict[str, Measure]:
    """Returns metrics without their spans, as the evaluation file keeps them."""
    return {name: metric.measure() for name, metric in metrics.items()}


def measures_in_words(metrics: Mapping[str, Metric], pack: LanguagePack) -> str:
    """Returns the measures that tell something as a judge reads them: each by its name and with
    its unit, beside the range of published prose. A number that most books have tells a reader
    nothing of this one."""
    works = load_reference(pack.language).works
    years = sorted(work.year for work in works if work.year is not None)
    known = years and any(metric.reference is not None for metric in metrics.values())
    rows = [
        _in_words(name, metric, pack)
        for name, metric in metrics.items()
        if name not in _OF_THE_WORK
        and is_telling(name, metric.measure(), by_method=is_seeds(name, metric.threshold, pack))
    ]
    if not rows:
        return pack.label(_NOTHING_TELLS)
    if not known:
        return "\n".join(rows)
    head = pack.label(_RANGES, n=len(works), first=years[0], last=years[-1])
    return "\n".join((head, *rows))


_OF_THE_WORK = frozenset({"length_growth"})
"""Measures of how a text came about, and of nothing on its pages."""
_NOTHING_TELLS = "Nothing that is counted stands out."
_RANGES = (
    "Of {n} published works of {first} to {last}, stretches as long as this chapter: nine of ten"
    " lie within the range in brackets. What is not listed is no worse than theirs."
)


def _in_words(name: str, metric: Metric, pack: LanguagePack) -> str:
    kind = METRICS.get(name)

    def worded(value: float) -> str:
        if kind is not None and kind.unit == "share":
            return f"{100 * value:.3g}%"
        return f"{value:.3g}"

    title = words_for_the_book(metric_words(name), pack.language)
    words = f"- {pack.labelled(title, worded(metric.value))}"
    if kind is None or kind.unit not in ("share", "spread"):
        unit = words_for_the_book(metric.unit, pack.language)
        behind = f" {unit}" if pack.language == "en" else pack.aside(unit)
        words += behind if unit else ""
    if kind is not None and kind.unit == "spread":
        words += pack.aside(pack.label("deviation over mean"))
    if (usual := metric.reference) is not None:
        words += f" [{worded(usual.p5)}–{worded(usual.p95)}]"
    return pack.headed(words, quotes) if (quotes := _places(metric, pack)) else words


def _places(metric: Metric, pack: LanguagePack) -> str:
    """Returns the first words of the first places of a measure: a number says nothing of where."""
    texts = dict.fromkeys(" ".join(place.text.split()) for place in metric.spans)
    quotes = [put_in_quotes(excerpt(text, _QUOTED)) for text in texts if text]
    more = ["…"] if len(quotes) > _PLACES else []
    return pack.comma.join((*quotes[:_PLACES], *more))


_QUOTED, _PLACES = 30, 3
"""Characters of each place that a measure quotes, and the most places."""


def announce_metrics(run: ChapterRun, metrics: Mapping[str, Metric], overall: float | None) -> None:
    """Emits the measures as an event."""
    values = {name: to_jsonable(m) for name, m in as_measures(metrics).items()}
    run.emit(MetricsEvent(metrics=values, overall=overall))


def announce(run: ChapterRun, directive: Directive) -> None:
    """Emits a directive that is new or has changed."""
    run.emit(DirectiveEvent(directive=directive.model_dump(mode="json", by_alias=True)))


def code_assessment(metrics: Mapping[str, Metric]) -> Assessment:
    """Returns the three headings that code fills (seed A8)."""

    def row(name: str, **extra: Any) -> dict[str, Any]:
        metric = metrics[name]
        return {"value": metric.value, "unit": metric.unit, "ok": metric.ok, **extra}

    def target(name: str, side: str) -> float | None:
        """The limit in force; None if nothing is required."""
        return (metrics[name].threshold or {}).get(side)

    return Assessment(
        sensory_grounding=row("sensory_grounding", required=target("sensory_grounding", "min")),
        filter_word_density=row(
            "filter_word_density",
            count=len(metrics["filter_word_density"].spans),
            threshold=target("filter_word_density", "max"),
        ),
        rhythm_variation=row(
            "same_ending_run",
            threshold=target("same_ending_run", "max"),
            repetition_instances=[span.text for span in metrics["same_ending_run"].spans],
        ),
    )


def with_code_headings(assessment: Assessment, metrics: Mapping[str, Metric]) -> Assessment:
    """Returns an assessment with code's headings refreshed; what the judge wrote stays."""
    by_code = code_assessment(metrics)
    return assessment.copy_with(
        sensory_grounding=by_code.sensory_grounding,
        filter_word_density=by_code.filter_word_density,
        rhythm_variation={**assessment.rhythm_variation, **by_code.rhythm_variation},
    )


def with_exemplars(
    directives: Iterable[Directive], library: list[Exemplar]
) -> tuple[Directive, ...]:
    """Returns each directive with a passage of its own category that shows the fix (seed A11)."""
    return tuple(_with_exemplar(directive, library) for directive in directives)


def _with_exemplar(directive: Directive, library: list[Exemplar]) -> Directive:
    operation = OPERATIONS[directive.type]
    exemplar = for_scene_types(library, operation.exemplar_scene_types)
    if exemplar is None and operation.needs_exemplar:
        exemplar = next((e for e in library if e.meta.kind == "good"), None)
    if exemplar is None:
        return directive
    return directive.copy_with(exemplar_id=exemplar.id, exemplar_content=exemplar.text.strip())


_CODES = tuple(code for code in DETECTORS if code != "near_name")
"""Detectors that look at one chapter; names that occur once are searched for in the whole book."""


@dataclass(frozen=True, slots=True)
class SavedText:
    """The findings in one version of a text."""

    sha256: str
    metrics: Mapping[str, Measure]
    directives: tuple[Directive, ...]
    """Findings that stand on no sheet, because nobody has judged the text."""
    names: tuple[str, ...] = ()
    """The names of entries that the text mentions, in order."""
    continuity: tuple[ContinuityFinding, ...] = ()
    """Contradictions and waiting promises, the most serious first, without those that are
    waived."""


def saved_chapter(novel: Novel, number: int, chapter: Chapter) -> SavedText:
    """Returns the findings in a chapter as it was saved. StudioError 5 for a file of the book
    that cannot be read."""
    store, pack = novel.store, novel.pack
    metrics = measure(
        chapter.text,
        pack,
        targets(store, novel.settings),
        earlier=earlier(store, number, pack),
        before=first_staged(store, number, chapter.text),
    )
    by_code = findings(
        chapter, pack, metrics, intended=intended(store, number), judged=False
    ).directives
    book, waivers = BookView(store, pack, {number: chapter}), store.waivers()
    loose = findings_in(book, [number], _CODES)
    return SavedText(
        sha256=chapter.sha256,
        metrics=as_measures(metrics),
        directives=by_code,
        names=_names(book, chapter),
        continuity=tuple(f for f in loose if not waivers.means(f.fact_key, f.chapters)),
    )


def analyse_scene(run: ChapterRun, scene: int, text: str) -> None:
    """Starts analysing a saved scene in the background; the findings are emitted as a `metrics`
    event."""
    run.background.start(
        scene, lambda: _saved_scene(run, scene, text), lambda seen: run.emit(_event(scene, seen))
    )


def _saved_scene(view: ChapterView, scene: int, text: str) -> SavedText:
    passage = Chapter(text)
    metrics = metrics_of(view, passage)
    by_code = findings(
        passage, view.pack, metrics, intended=intended(view.store, view.chapter), judged=False
    ).directives
    return SavedText(
        sha256=passage.sha256,
        metrics=as_measures(metrics),
        directives=tuple(_in_scene(directive, scene) for directive in by_code),
    )


def _in_scene(directive: Directive, scene: int) -> Directive:
    """Returns a finding in a separate scene with the place it has in its chapter."""
    place = directive.location.copy_with(scene_number=scene)
    return directive.copy_with(location=place)


def _event(scene: int, seen: SavedText) -> MetricsEvent:
    return MetricsEvent(
        scene=scene,
        metrics={name: to_jsonable(m) for name, m in seen.metrics.items()},
        findings=tuple(
            {
                "type": d.type.value,
                "location": d.location.model_dump(mode="json", by_alias=True, exclude_none=True),
                "issue": d.issue,
                "currentText": d.current_text,
            }
            for d in seen.directives
        ),
    )


def _names(book: BookView, chapter: Chapter) -> tuple[str, ...]:
    first: dict[str, None] = {}
    for paragraph in chapter.paragraphs:
        first.update(dict.fromkeys(book.finder.slugs_in(paragraph.prose)))
    return tuple(book.bible.entries[slug].name for slug in first)

"""What code finds in a text that was just saved (C10): no model is called, nothing is written.

A scene is measured while the run continues; a chapter saved by hand, or with a version taken into
it, while the author works on. The judge measures the whole chapter in any case, so a result that
comes too late is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.book.continuity.book_view import BookView
from studio.book.continuity.detectors import DETECTORS, findings_in
from studio.config.schema import Settings
from studio.pipeline.chapter.origin import first_staged
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.targets import earlier, intended, targets
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import MetricsEvent
from studio.pipeline.judging.measures import as_measures, metrics_of
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import to_jsonable
from studio.story.review.directive import Directive
from studio.story.review.evaluation import Measure
from studio.text.language.packs import LanguagePack
from studio.text.metrics.measure import measure
from studio.text.oracle.directives import findings

_CODES = tuple(code for code in DETECTORS if code != "near_name")
"""Detectors that look at one chapter; names that occur once are searched for in the whole book."""


@dataclass(frozen=True, slots=True)
class SavedText:
    """The findings in one version of a text."""

    chapter: int
    sha256: str
    metrics: Mapping[str, Measure]
    directives: tuple[Directive, ...]
    """Findings that stand on no sheet, because nobody has judged the text."""
    names: tuple[str, ...] = ()
    """The names of entries that the text mentions, in order."""
    continuity: tuple[ContinuityFinding, ...] = ()
    """Contradictions and waiting promises, the most serious first, without those that are
    waived."""


def saved_chapter(
    store: ProjectStore, settings: Settings, pack: LanguagePack, number: int, chapter: Chapter
) -> SavedText:
    """Returns the findings in a chapter as it was saved. StudioError 5 for a file of the book
    that cannot be read."""
    metrics = measure(
        chapter.text,
        pack,
        targets(store, settings),
        earlier=earlier(store, number, pack),
        before=first_staged(store, number, chapter.text),
    )
    by_code = findings(
        chapter, pack, metrics, intended=intended(store, number), judged=False
    ).directives
    book, waivers = BookView(store, pack, {number: chapter}), store.waivers()
    loose = findings_in(book, [number], _CODES)
    return SavedText(
        chapter=number,
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
        chapter=view.chapter,
        sha256=passage.sha256,
        metrics=as_measures(metrics),
        directives=tuple(_in_scene(directive, scene) for directive in by_code),
    )


def _in_scene(directive: Directive, scene: int) -> Directive:
    """Returns a finding in a separate scene with the place it has in its chapter."""
    place = directive.location.model_copy(update={"scene_number": scene})
    return directive.model_copy(update={"location": place})


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

"""What a novel's prose is measured against: its targets, its author's baseline, and her waivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from studio.config.schema import Settings
from studio.errors import StudioError
from studio.project.clock import today
from studio.project.store import ProjectStore
from studio.story.review.directive import Directive
from studio.story.review.passage_locks import hashes_of
from studio.text.language.packs import LanguagePack, Threshold
from studio.text.metrics.metric_kinds import METRIC_NAMES
from studio.text.metrics.repetition import Earlier

_NEAREST = 30


def targets(store: ProjectStore, settings: Settings) -> dict[str, Threshold]:
    """Returns the thresholds that override those of the language, by metric.

    `[metrics]` is the writer's word and wins; next comes the range of her own prose
    (baseline.json), if it was learned in the novel's language. StudioError (exit 5) if
    baseline.json is damaged.
    """
    return {**_learned_thresholds(store, settings), **_thresholds_in_settings(settings)}


def intended(store: ProjectStore, chapter: int | None) -> Callable[[Directive], bool]:
    """Returns the test whether a finding in a chapter (None: in another text) is one that the
    writer has waived, or is about words that she keeps as they are."""
    waivers, day = store.waivers(), today()
    locks = store.locks().of(chapter) if chapter is not None else ()
    locked = {sha256 for lock in locks for sha256 in lock.paragraphs}
    return lambda directive: (
        waivers.cover(directive, chapter, day)
        or any(
            not hashes_of(part).isdisjoint(locked) for part in directive.current_text.split("\n\n")
        )
    )


def earlier(store: ProjectStore, chapter: int, pack: LanguagePack) -> Earlier:
    """Returns what the chapters before this one say: what it may echo."""
    return Earlier.of(texts_before(store, chapter), pack)


def texts_before(store: ProjectStore, chapter: int) -> list[str]:
    """Returns the nearest thirty chapters before this one; an unreadable one is left out.

    `verify` names an unreadable chapter; it must not stop the measuring of this one.
    """
    before = [number for number in store.chapter_numbers() if number < chapter]
    return [text for number in before[-_NEAREST:] if (text := _readable(store, number))]


def _readable(store: ProjectStore, number: int) -> str:
    try:
        text = store.chapter(number)
    except StudioError:
        return ""
    return text.text if text else ""


def _learned_thresholds(store: ProjectStore, settings: Settings) -> Mapping[str, Threshold]:
    baseline = store.baseline()
    if baseline is None or baseline.language != settings.novel.language:
        return {}
    return {name: band for name, band in baseline.targets.items() if name in METRIC_NAMES}


def _thresholds_in_settings(settings: Settings) -> Mapping[str, Threshold]:
    return {name: t.model_dump(exclude_none=True) for name, t in settings.metrics.items()}

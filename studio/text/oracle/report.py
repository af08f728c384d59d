"""The report of `studio check`: every metric of a text, its places, and what to do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import ClassVar, Literal

from studio.i18n import Language
from studio.story.chapter import Chapter
from studio.story.form.document import Document
from studio.story.form.ids import Sha256
from studio.story.lengths import Unit, length_of
from studio.story.review.directive import Directive
from studio.story.review.evaluation import Counsel
from studio.story.review.passage import PassageLocation
from studio.text.language.packs import LanguagePack, Threshold, is_seeds, load_pack
from studio.text.language.reference import load_reference
from studio.text.language.script import guess_language
from studio.text.metrics.comparison import (
    failing_side,
    how_it_stands,
    is_notable,
    is_worth_showing,
    numbers_without_place,
)
from studio.text.metrics.measure import Metric, measure
from studio.text.metrics.metric_kinds import figure
from studio.text.metrics.repetition import NOTHING_EARLIER, Earlier
from studio.text.oracle.advice import advice
from studio.text.oracle.directives import Intended, findings, nothing_intended
from studio.text.oracle.speech_levels import speech_levels
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import Reading, count_words, read
from studio.text.safe import safe_text

_SURROGATE = re.compile("[\\ud800-\\udfff]")
_QUOTES = 6
_LINE = 48
"""The maximum number of characters quoted from a hit."""


class CheckReport(Document):
    """The output of `studio check --json` (DESIGN section 7)."""

    SCHEMA: ClassVar[str] = "check-report"

    schema_version: Literal[1] = 1
    language: Language
    source_sha256: Sha256
    """The hash of the text as given, before NFC."""
    characters: int
    """Non-space characters without title and scene breaks, as are the next three; in a novel that
    counts its lengths with spaces, with them."""
    words: int
    paragraphs: int
    sentences: int
    metrics: dict[str, Metric]
    """The metrics by name; spans count characters of the NFC text of the whole file."""
    directives: tuple[Directive, ...]
    suppressed: int
    redraft_suggested: bool = False
    advice: tuple[Counsel, ...] = ()
    """What no fix can settle: a motif, a line in another speech level."""


def check_text(
    text: str,
    language: str | None = None,
    targets: Mapping[str, Threshold] | None = None,
    pack: LanguagePack | None = None,
    intended: Intended = nothing_intended,
    earlier: Earlier = NOTHING_EARLIER,
    before: str = "",
    unit: Unit = "characters",
) -> CheckReport:
    """Returns the report of a text; the language is guessed unless given.

    `pack` replaces the language's own, for a writer's blacklist; what is `intended` is measured,
    but makes no directive. `earlier` and `before` are those of `measure`; `unit` is that of the
    novel's lengths. Raises StudioError (exit
    2) for an unknown language or metric.
    """
    source = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    text = _SURROGATE.sub("\ufffd", text)  # no file can contain surrogates, but JSON can
    if pack is None:
        pack = load_pack(language or guess_language(text))
    metrics = measure(text, pack, targets, earlier=earlier, before=before)
    result = findings(Chapter(text), pack, metrics, intended=intended, judged=False)
    reading = read(text, pack)
    return CheckReport(
        language=pack.language,
        source_sha256=source,
        characters=sum(
            length_of(part.text, unit) if unit == "characters with spaces" else part.characters
            for _, part in reading.parts
        ),
        words=sum(count_words(part.text, pack) for _, part in reading.parts),
        paragraphs=len(reading.parts),
        sentences=sum(len(part.sentences) for _, part in reading.parts),
        metrics=metrics,
        directives=result.directives,
        suppressed=result.suppressed,
        redraft_suggested=result.redraft_suggested,
        advice=advice(reading, metrics),
    )


def render(
    report: CheckReport, text: str, unit: Unit = "characters", is_serial: bool = False
) -> str:
    """Returns the report as a page of plain text in the language of the prose.

    `text` is the checked text, from which each hit gets its scene and paragraph; `unit` is the one
    it was counted in. In a serial, with which nothing published is compared, the numbers stand
    without a place.
    """
    pack = load_pack(report.language)
    words = pack.report
    reading = read(text, pack)
    lines = [words["title"], _counts(report, words, unit), *_levels(reading)]
    lines += [*_reference_line(report, words), ""]
    telling = [
        name
        for name, metric in report.metrics.items()
        if is_worth_showing(
            name, metric.measure(), by_method=is_seeds(name, metric.threshold, pack)
        )
    ]
    for name in telling:
        lines += _metric_lines(name, report.metrics[name], pack)
        lines += _where_lines(report.metrics[name], reading.chapter, words)
    alone = numbers_without_place(report.metrics, telling) if is_serial else []
    if alone:
        lines.append(words["no_place"])
    lines += [_number_line(name, report.metrics[name], pack) for name in alone]
    lines += [*([] if telling or alone else [words["no_numbers"]]), "", words["proposals"]]
    for number, directive in enumerate(report.directives, 1):
        place = directive.location
        where = words["place"].format(scene=place.scene_number, paragraph=_range(place))
        lines += [f"{number}. {where} · {directive.type.value}", f"   {directive.issue}"]
        lines.append(f"   {directive.instruction}")
    if not report.directives:
        lines.append(words["no_proposals"])
    if report.suppressed:
        lines.append(words["suppressed"].format(count=report.suppressed))
    if report.redraft_suggested:
        lines.append(words["redraft"])
    if report.advice:
        lines += ["", pack.advice["title"], *(f"- {counsel.issue}" for counsel in report.advice)]
    return safe_text("\n".join(lines) + "\n")


def _levels(reading: Reading) -> list[str]:
    """Returns how the people address one another, where the language has speech levels."""
    counts = speech_levels(reading)
    levels = " · ".join(f"{level} {count}" for level, count in counts.items())
    return [reading.pack.levels.report_line.format(levels=levels)] if counts else []


def _reference_line(report: CheckReport, words: Mapping[str, str]) -> list[str]:
    """Returns what the numbers are compared with, where any is."""
    if all(metric.reference is None for metric in report.metrics.values()):
        return []
    reference = load_reference(report.language)
    first, last = reference.years
    return [words["reference"].format(first=first, last=last, n=len(reference.works))]


def _counts(report: CheckReport, words: Mapping[str, str], unit: Unit) -> str:
    names = ("characters", "words", "paragraphs", "sentences")
    counts = {name: getattr(report, name) for name in names}
    if unit.startswith("characters "):  # the novel says which
        counts["characters"] = words[unit].format(n=report.characters)
    return words["counts"].format_map(counts)


def _metric_lines(name: str, metric: Metric, pack: LanguagePack) -> list[str]:
    words, naming = pack.report, pack.metric_names[name]
    verdict = words[{True: "ok", False: "off_target", None: "no_verdict"}[metric.ok]]
    seeds = metric.threshold if is_seeds(name, metric.threshold, pack) else None
    side = failing_side(metric.value, metric.threshold)
    if is_notable(metric.ok, metric.place, seeds, metric.reference, side=side):
        verdict = words["not_ok"]
    if metric.ok is None and metric.threshold:
        verdict = words["too_short"]
    target = _target(name, metric, pack)
    parts = [figure(name, metric.value), verdict, *([target] if target else [])]
    line = words["named"].format(name=pack.of_chapters(naming.label), words=" · ".join(parts))
    lines = [line, f"   {pack.of_chapters(naming.meaning)}"]
    if metric.reference is not None and metric.place is not None:
        sentence, tenths = how_it_stands(metric.value, metric.place, metric.reference)
        lines.append(f"   {words[f'published_{sentence}'].format(tenths=tenths)}")
    return lines


def _number_line(name: str, metric: Metric, pack: LanguagePack) -> str:
    label = pack.of_chapters(pack.metric_names[name].label)
    return "   " + pack.report["named"].format(name=label, words=figure(name, metric.value))


def _target(name: str, metric: Metric, pack: LanguagePack) -> str:
    """Formats the threshold; one from neither a project nor a baseline is the seed's."""
    threshold = metric.threshold
    if not threshold:
        return ""
    whose = "seed" if metric.reference and is_seeds(name, threshold, pack) else "target"
    key = "both" if len(threshold) == 2 else next(iter(threshold))
    sides = {side: figure(name, value) for side, value in threshold.items()}
    return pack.report[f"{whose}_{key}"].format_map(sides)


def _where_lines(metric: Metric, chapter: Chapter, words: Mapping[str, str]) -> list[str]:
    """Returns the first few places, by scene and paragraph; nothing where the metric is fine."""
    if metric.ok is True or metric.unit == "ratio":
        return []
    lines = []
    for place in metric.spans[:_QUOTES]:
        paragraphs = [p for p in chapter.paragraphs if p.start <= place.start < p.end]
        where = words["place"].format(scene=paragraphs[0].scene, paragraph=paragraphs[0].number)
        quote = words["named"].format(name=where, words=excerpt(place.text, _LINE))
        lines.append(f"   - {quote}")
    if len(metric.spans) > _QUOTES:
        lines.append(f"   - {words['more'].format(count=len(metric.spans) - _QUOTES)}")
    return lines


def _range(place: PassageLocation) -> str:
    first, last = place.paragraph_start, place.paragraph_end
    return str(first) if first == last else f"{first}-{last}"

"""The metrics: the numbers that measure a chapter, each with the places it comes from and the
formula that makes a number of them.

Narration metrics exclude speech; no metric includes the title or scene breaks. CJK counts non-space
characters, English counts words. Working notes exclude what a story may legitimately contain: each
paragraph's reading has its lines that discuss the text as a text; only the whole chapter shows
whether a heading divides it, and whether fences frame a document of the story (PROSE 4).

A block of notes that a heading sets apart, an outline before the chapter or remarks behind it, goes
or stays as a whole, and that is the writer's to do: a cut of one line of it, or of the heading
behind which the chapter begins, would leave the rest in the text of the chapter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from math import sqrt
from operator import mul
from typing import NamedTuple

from studio.errors import usage
from studio.messages import said, series
from studio.story.review.evaluation import Measure, ReferenceRange
from studio.text.language.packs import LanguagePack, Threshold
from studio.text.metrics.comparison import comparison
from studio.text.metrics.habits import (
    DASHES,
    commonest_opening,
    contrasts,
    dashes,
    is_told,
    openings_of,
    sentences_opening,
    speech_tags,
)
from studio.text.metrics.metric_kinds import METRICS, MetricKind
from studio.text.metrics.repetition import NOTHING_EARLIER, Earlier, repeated_phrases
from studio.text.metrics.runs import SentenceSide, longest_run, runs
from studio.text.metrics.senses import sense_windows
from studio.text.prose.letters import is_within_letter
from studio.text.prose.parse import ParagraphReading, Reading, read

Range = tuple[int, int]
_HEADING = re.compile(r"^#{1,6} [^\n]{1,60}$", re.M)
_NOTES = re.compile(
    r"#{1,6} \W*(?:(?:本章|章节|章節|写作|寫作|创作|創作|作者)?"
    r"(?:概要|备注|備註|大纲|大綱|梗概|笔记|筆記|设定|設定)"
    r"|(?:이번 ?)?(?:장|화|회|챕터)? ?(?:요약|개요|메모|비고|구성|노트)"
    r"|(?:(?:chapter|author|writer|writing|scene)(?:[’']?s)?)? ?"
    r"(?:summary|notes?|outline|overview|synopsis))\W*",
    re.I,
)
_STORY = re.compile(r"#{1,6} \W*(?:正文|본문|prose|story|text|chapter text)\W*", re.I)


def outside_note_sections(places: Iterable[Range], text: str) -> list[Range]:
    """Returns the places that are in no such block and no heading that ends one."""
    starts = [(match.start(), match[0]) for match in _HEADING.finditer(text)]
    blocks = [
        (start, end)
        for (start, heading), (end, _) in pairwise([*starts, (len(text), "")])
        if _NOTES.fullmatch(heading)
    ]
    if not blocks:
        return list(places)
    return [
        (first, last)
        for first, last in places
        if not any(start <= first < end for start, end in blocks)
        and not _STORY.fullmatch(text[first:last])
    ]


FEWEST = 5
"""The minimum number of sentences or paragraphs for a verdict on a spread or a share."""


@dataclass(frozen=True, slots=True)
class Count:
    """The value of a metric and the size of its sample, before a threshold judges it."""

    value: float
    n: int
    enough: bool
    """Whether the sample is large enough for a verdict."""
    spans: Iterable[tuple[int, int]] = ()


def density(hits: int, units: int, pack: LanguagePack) -> Count:
    """Returns hits per 1000 units of narration; no verdict below the language's minimum of text."""
    value = hits * 1000 / units if units else 0.0
    return Count(value, units, units >= pack.minimum)


def share(part: int, whole: int, fewest: int = FEWEST) -> Count:
    """Returns the ratio of a part to a whole, with a verdict from `fewest` on."""
    return Count(part / whole if whole else 0.0, whole, whole >= fewest)


def spread_of(n: int, total: int, squares: int) -> Count:
    """Returns standard deviation over mean, from a sample's size, sum and sum of squares."""
    value = sqrt(n * squares - total * total) / total if total else 0.0
    return Count(value, n, n >= FEWEST)


def grown(length: int, before: int) -> Count:
    """Returns the growth in length over the previous version, relative to that version."""
    value = (length - before) / before if before else 0.0
    return Count(value, before, before > 0)


def count_senses(fewest: int, windows: int, units: int, pack: LanguagePack) -> Count:
    """Returns the fewest distinct senses in any window of the narration."""
    return Count(float(fewest), windows, units >= pack.window)


def in_a_row(longest: int, narrated: int) -> Count:
    """Returns the longest run of sentences that are alike."""
    return Count(float(longest), narrated, True)


def dialogue(spoken: int, total: int, length: int, pack: LanguagePack) -> Count:
    """Returns the share of the characters that is speech."""
    return replace(share(spoken, total), enough=length >= pack.minimum)


def count_echoes(places: int, earlier: Earlier) -> Count:
    """Returns the number of places that repeat an earlier chapter word for word."""
    return Count(float(places), earlier.chapters, earlier.chapters > 0)


_FENCE = "```"
_PAIR = 2


def working_notes(reading: Reading) -> list[Range]:
    """Returns the places of working notes. A heading is one where it repeats the chapter's, at
    either end; several headings, or one in the middle, are the sections of a story."""
    places = [
        (paragraph.start + span.start, paragraph.start + span.end)
        for paragraph, part in reading.parts
        for span in part.leaks
    ]
    headings = [place for place in places if _is_heading(reading.text[slice(*place)], reading.pack)]
    if len(headings) > 1 or not all(_is_at_an_end(place, reading) for place in headings):
        places = [place for place in places if place not in headings]
    places = outside_note_sections(places, reading.text)
    fences = [place for place in places if reading.text[slice(*place)].strip() == _FENCE]
    if fences and _frame_a_document(reading):
        places = [place for place in places if place not in fences]
    return places


def _is_heading(words: str, pack: LanguagePack) -> bool:
    """Whether a note counts as one only because it is a heading."""
    return pack.leak_lines.match(words) is None and not any(mark in words for mark in "<>|/")


def _is_at_an_end(place: Range, reading: Reading) -> bool:
    starts = [paragraph.start for paragraph, _ in reading.parts]
    return place[0] in (*starts[:2], *starts[-1:])


def _frame_a_document(reading: Reading) -> bool:
    """Whether fences come in pairs with prose before or after them; a single pair around the whole
    text is what a model wraps its answer in."""
    texts = [part.text.strip() for _, part in reading.parts]
    fences = sum(text.count(_FENCE) for text in texts)
    is_wrapped = texts[0].startswith(_FENCE) and texts[-1].endswith(_FENCE)
    return fences % 2 == 0 and not (is_wrapped and fences == _PAIR)


RUN_TO_SHOW = 5
"""The minimum length of a run that is displayed if no target applies (seed A16)."""
SENSES_WANTED = 2
"""Windows with fewer senses are displayed if no target applies (seed A16)."""
VARIETY_WANTED = 0.25
"""Paragraphs below this spread of sentence lengths are displayed if no target applies."""
SENTENCES_FOR_HABITS = 20
"""The minimum number of sentences for a favourite opening that is not due to chance."""
OPENING_TO_SHOW = 1 / 3
"""The share from which sentences with one opening are displayed if no target applies."""


@dataclass(frozen=True, slots=True)
class MetricPlace:
    """A place a metric points at: `text` is `nfc_text[start:end]`, the text in NFC."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Metric:
    """One number, its sample, and its places."""

    value: float
    unit: str
    n: int
    """The size of the sample: units of text, sentences, paragraphs or windows."""
    threshold: dict[str, float] | None = None
    """The threshold in force: `min` is enough, `max` is already too much."""
    ok: bool | None = None
    """The verdict; None below the metric's own minimum, or where no threshold is in force."""
    spans: tuple[MetricPlace, ...] = ()
    reference: ReferenceRange | None = None
    """The range in published prose of this length; None where no data exists."""
    place: float | None = None
    """The rank of the value in published prose, 0 to 1; None where there is no reference."""

    def measure(self) -> Measure:
        """Returns the metric without its places, as an evaluation stores it."""
        return Measure(
            value=self.value,
            unit=self.unit,
            n=self.n,
            threshold=self.threshold,
            ok=self.ok,
            reference=self.reference,
            place=self.place,
        )


@dataclass(frozen=True, slots=True)
class Beside:
    """The texts for comparison: the earlier chapters, and the version a text was made from."""

    earlier: Earlier = NOTHING_EARLIER
    before: int = 0
    """The length of that version in the language's units; 0 where there is none."""


class Yardstick(NamedTuple):
    """The measuring context of every text of a novel: the language and the thresholds in force."""

    pack: LanguagePack
    thresholds: Mapping[str, dict[str, float]]
    """The thresholds in force, by metric (see `in_force`)."""


@dataclass(frozen=True, slots=True)
class _Case:
    reading: Reading
    beside: Beside
    threshold: Threshold

    @property
    def pack(self) -> LanguagePack:
        return self.reading.pack


def measure(
    text: str,
    pack: LanguagePack,
    targets: Mapping[str, Threshold] | None = None,
    *,
    earlier: Earlier = NOTHING_EARLIER,
    before: str = "",
) -> dict[str, Metric]:
    """Returns every metric of a text, in a fixed order.

    `targets` are the project's thresholds, `{"filter_word_density": {"max": 5}}`; each replaces the
    language's own, and an empty one disables it. A value passes from `min` on and fails from `max`
    on. `earlier` are the preceding chapters, `before` is the version a revision was made from;
    without them the metrics that compare with them are 0 and give no verdict. Raises StudioError
    (exit 2) for a target no metric has.
    """
    beside = Beside(earlier, length_of(read(before, pack)) if before else 0)
    return measure_reading(read(text, pack), in_force(pack, targets), beside)


def measure_reading(
    reading: Reading,
    thresholds: Mapping[str, dict[str, float]],
    beside: Beside = Beside(),
    names: Iterable[str] = METRICS,
) -> dict[str, Metric]:
    """Measures a text that is already read, with the thresholds in force; only the metrics in
    `names` are counted."""
    length = length_of(reading)
    return {
        name: _verdict(
            METRICS[name],
            _COUNTERS[name](_Case(reading, beside, thresholds.get(name, {}))),
            thresholds.get(name),
            reading,
            length,
        )
        for name in names
    }


def in_force(
    pack: LanguagePack, targets: Mapping[str, Threshold] | None = None
) -> dict[str, dict[str, float]]:
    """Returns the thresholds in force: the language's, each replaced by the project's where set."""
    thresholds = {name: dict(threshold) for name, threshold in pack.thresholds.items()}
    for name, threshold in (targets or {}).items():
        if name not in METRICS:
            raise usage(
                said("There is no metric called {name} to set a target for.", name=repr(name)),
                said("The metrics are {names}.", names=series(METRICS)),
            )
        if set(threshold) - {"min", "max"}:
            raise usage(
                said(
                    "The target of {name} can have `min` and `max`, not {names}.",
                    name=name,
                    names=series(sorted(set(threshold) - {"min", "max"})),
                ),
                said("Write it as {form}.", form=f"{name} = {{max = 5}}"),
            )
        thresholds[name] = dict(threshold)
    return {name: threshold for name, threshold in thresholds.items() if threshold}


def _verdict(
    kind: MetricKind,
    count: Count,
    threshold: dict[str, float] | None,
    reading: Reading,
    length: int,
) -> Metric:
    """Builds the metric of a count whose spans are in a reading's text of that length."""
    ok = None
    if threshold is not None and count.enough:
        ok = threshold.get("min", float("-inf")) <= count.value
        ok = ok and count.value < threshold.get("max", float("inf"))
    text = reading.text
    spans = tuple(MetricPlace(start, end, text[start:end]) for start, end in count.spans)
    published = comparison(kind, length, reading.pack) if count.enough and count.n else None
    return Metric(
        count.value,
        kind.unit_in(reading.pack),
        count.n,
        threshold,
        ok,
        spans,
        published.range() if published else None,
        published.place(count.value) if published and kind.has_place else None,
    )


def length_of(reading: Reading) -> int:
    """Returns the length of the whole text in the language's units, speech included."""
    return sum(part.length for _, part in reading.parts)


def in_text(
    reading: Reading, find: Callable[[ParagraphReading], Iterable[tuple[int, int]]]
) -> list[tuple[int, int]]:
    """Returns what is found in each paragraph, with offsets in the whole text."""
    return [
        (paragraph.start + start, paragraph.start + end)
        for paragraph, part in reading.prose
        for start, end in find(part)
    ]


def _dense(reading: Reading, places: Sequence[tuple[int, int]]) -> Count:
    return replace(density(len(places), reading.units, reading.pack), spans=places)


def _count_of_list(*kinds: str) -> Callable[[_Case], Count]:
    return lambda case: _dense(case.reading, case.reading.hits(*kinds))


def _density_of(
    find: Callable[[ParagraphReading, LanguagePack], Sequence[tuple[int, int]]],
    words_in: Callable[[LanguagePack], Iterable[str]],
) -> Callable[[_Case], Count]:
    """Counts what is found in the paragraphs with one of these words."""

    def count(case: _Case) -> Count:
        places = [
            (paragraph.start + start, paragraph.start + end)
            for paragraph, part in case.reading.prose_with(words_in(case.pack))
            for start, end in find(part, case.pack)
        ]
        return _dense(case.reading, places)

    return count


def _count_bookisms(case: _Case) -> Count:
    return _dense(case.reading, in_text(case.reading, lambda part: speech_tags(part, case.pack)))


def _sensory(case: _Case) -> Count:
    """Counts the fewest distinct senses in any window of narration (seed A16).

    The narration of the whole text, without speech, is cut into consecutive windows of 500
    non-space characters (ko, zh) or 100 words (en); the remainder belongs to the last window. A
    sense word counts where it begins. Spans are the windows that have too few.
    """
    windows = sense_windows(case.reading)
    fewest = case.threshold.get("min", SENSES_WANTED)
    value = min((len(w.senses) for w in windows), default=0)
    poor = [(w.start, w.end) for w in windows if len(w.senses) < fewest]
    return replace(count_senses(value, len(windows), case.reading.units, case.pack), spans=poor)


def _sensory_share(case: _Case) -> Count:
    """Computes the share of the windows that touch enough senses."""
    windows = sense_windows(case.reading)
    rich = sum(len(window.senses) >= SENSES_WANTED for window in windows)
    enough = case.reading.units >= case.pack.window
    return replace(share(rich, len(windows)), enough=enough)


def _count_of_runs(side: SentenceSide) -> Callable[[_Case], Count]:
    def count(case: _Case) -> Count:
        shortest = case.threshold.get("max", RUN_TO_SHOW)
        longest = longest_run(case.reading, side)
        long_runs = runs(case.reading, side, shortest) if longest >= shortest else []
        spans = [(s.start, s.end) for run in long_runs for s in run.spans]
        return replace(in_a_row(longest, len(case.reading.narrated_sentences)), spans=spans)

    return count


def _dialogue_ratio(case: _Case) -> Count:
    parts = [part for _, part in case.reading.prose]
    spoken, total = sum(p.spoken for p in parts), sum(p.characters for p in parts)
    count = dialogue(spoken, total, length_of(case.reading), case.pack)
    return replace(count, spans=in_text(case.reading, lambda part: part.speech))


def _sentence_variety(case: _Case) -> Count:
    """Computes the spread of sentence lengths; spans are the monotonous paragraphs."""
    least_variety = case.threshold.get("min", VARIETY_WANTED)
    flat = []
    for paragraph, part in case.reading.prose:
        if len(part.sentences) < FEWEST:
            continue
        narrated = [s for s in part.sentences if s.narrated]
        if (
            len(narrated) >= FEWEST
            and _spread_of([s.length for s in narrated]).value < least_variety
        ):
            flat.append((paragraph.start + narrated[0].start, paragraph.start + narrated[-1].end))
    return replace(_spread_of([s.length for s in case.reading.narrated_sentences]), spans=flat)


def _paragraph_variety(case: _Case) -> Count:
    return _spread_of([part.length for _, part in case.reading.prose])


def _spread_of(sizes: Sequence[int]) -> Count:
    return spread_of(len(sizes), sum(sizes), sum(map(mul, sizes, sizes)))


def _repetition(case: _Case) -> Count:
    return _dense(case.reading, repeated_phrases(case.reading))


def _count_leaks(case: _Case) -> Count:
    places = working_notes(case.reading)
    return Count(float(len(places)), len(case.reading.prose), True, places)


def _count_doubles(case: _Case) -> Count:
    """Finds long paragraphs that occur in the text exactly twice, word for word, at the second
    place. A refrain is shorter, occurs more often, or opens or closes two scenes; what somebody
    writes, a letter or a draft of one, may stand twice (PROSE 0.9)."""
    parts = case.reading.prose
    alike: dict[tuple[str, str, int], list[int]] = {}
    for number, (_, part) in enumerate(parts):
        if part.length >= case.pack.least_doubled:
            key = (part.text[0], part.text[-1], part.characters)
            alike.setdefault(key, []).append(number)
    numbers_of: dict[str, list[int]] = {}
    for number in chain.from_iterable(numbers for numbers in alike.values() if len(numbers) > 1):
        numbers_of.setdefault(" ".join(parts[number][1].text.split()), []).append(number)
    pairs = [tuple(numbers) for numbers in numbers_of.values() if len(numbers) == 2]
    second = {after: before for before, after in pairs}
    places = [
        (parts[after][0].start, parts[after][0].end)
        for after, before in sorted(second.items())
        if not _is_written(case.reading, before)
        and not _is_written(case.reading, after)
        and not _is_refrain(case.reading, before, after, second)
    ]
    return Count(float(len(places)), len(parts), True, places)


def _is_written(reading: Reading, number: int) -> bool:
    """Whether somebody in the story writes, reads or says a paragraph: it is no prose, wholly in
    quotation marks or italics, in a letter that is begun, or announced with a colon."""
    place, part = reading.prose[number]
    if reading.forms[place.scene, place.number] != "prose" or not part.units:
        return True
    text = part.text.strip()
    if text[0] in "*_" and text[-1] in "*_":
        return True
    before = [other.text for p, other in reading.prose[:number] if p.scene == place.scene]
    return is_within_letter(before, text) or bool(before and before[-1].endswith((":", "：")))


def _is_refrain(reading: Reading, before: int, after: int, second: Mapping[int, int]) -> bool:
    """Whether both of two equal paragraphs open, or both close, a scene or the chapter, and their
    neighbours differ: a scene that stands twice is no refrain."""
    if any(second.get(after + step) == before + step for step in (-1, 1)):
        return False
    parts = reading.prose

    def is_edge(number: int, step: int) -> bool:
        beside = number + step
        return not 0 <= beside < len(parts) or parts[beside][0].scene != parts[number][0].scene

    opens, closes = ((is_edge(before, step), is_edge(after, step)) for step in (-1, 1))
    frames = before == 0 and after == len(parts) - 1
    return all(opens) or all(closes) or frames


def _favourite_opening(case: _Case) -> Count:
    """Computes the share of the most common opening; spans are its sentences from a third on."""
    openings = openings_of(part for _, part in case.reading.prose)
    word, most = commonest_opening(openings)
    count = share(most, openings.total(), SENTENCES_FOR_HABITS)
    too_many = count.value >= case.threshold.get("max", OPENING_TO_SHOW)
    return replace(count, spans=sentences_opening(case.reading, word) if too_many else ())


def _lone_sentences(case: _Case) -> Count:
    narrative = [(p, part) for p, part in case.reading.prose if is_told(part)]
    lone = [(p.start, p.end) for p, part in narrative if len(part.sentences) == 1]
    return replace(share(len(lone), len(narrative)), spans=lone)


def _across(case: _Case) -> Count:
    earlier = case.beside.earlier
    places = in_text(case.reading, lambda part: earlier.find_returns(part, case.pack))
    count = _dense(case.reading, places)
    return replace(count, enough=count.enough and earlier.chapters > 0)


def _echoes(case: _Case) -> Count:
    earlier = case.beside.earlier
    places = in_text(case.reading, lambda part: earlier.echoes(part, case.pack))
    return replace(count_echoes(len(places), earlier), spans=places)


def _growth(case: _Case) -> Count:
    return grown(length_of(case.reading), case.beside.before)


_COUNTERS: dict[str, Callable[[_Case], Count]] = {
    "sensory_grounding": _sensory,
    "sensory_share": _sensory_share,
    "filter_word_density": _count_of_list("filter"),
    "same_ending_run": _count_of_runs("closing"),
    "same_opening_run": _count_of_runs("opening"),
    "same_subject_run": _count_of_runs("subject"),
    "dialogue_ratio": _dialogue_ratio,
    "sentence_length_cv": _sentence_variety,
    "paragraph_length_cv": _paragraph_variety,
    "opening_share": _favourite_opening,
    "one_sentence_paragraphs": _lone_sentences,
    "repetition": _repetition,
    "repetition_across": _across,
    "echoes": _echoes,
    "adverb_density": _count_of_list("adverb"),
    "cliche_density": _count_of_list("cliche", "blacklist"),
    "contrast_density": _density_of(contrasts, lambda pack: pack.contrast.hints),
    "dash_density": _density_of(dashes, lambda _: DASHES),
    "bookism_density": _count_bookisms,
    "length_growth": _growth,
    "leaked_meta": _count_leaks,
    "doubled_paragraphs": _count_doubles,
}
"""The counter of each metric in the table."""

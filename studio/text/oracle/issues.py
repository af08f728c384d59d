"""Issues: the places of a metric that are bad enough to propose a fix (PROSE 2).

Code proposes where it is certain (working notes, a phrase of the writer's own blacklist), or where
the chapter is outside its author's own limits, or else outside nine tenths of published prose, and
the named paragraphs cause that. A paragraph crowded with filter words is the one rule of the seed
that applies in every language; where no judge can refuse it, the chapter must also have more of
them than published prose. Verse, letters, lists, scripts, documents and figures are left alone.

A figure of speech is the same construction three times, built on purpose: *She wanted the house,
she wanted the money, she wanted the name*. Sentences that merely open with the same pronoun are no
figure; three words in common are (two in Korean, two characters in Chinese, of which the first is
no pronoun).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from studio.story.chapter import Paragraph
from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS, SLICE_PARAGRAPHS
from studio.text.language.packs import SENSES, LanguagePack, is_seeds
from studio.text.language.reference import load_reference
from studio.text.metrics.cadence import audible_stretches
from studio.text.metrics.measure import RUN_TO_SHOW, Metric
from studio.text.metrics.metric_kinds import METRICS
from studio.text.metrics.metric_kinds import Bound as Fault
from studio.text.metrics.repetition import slips
from studio.text.metrics.runs import SentenceRun, SentenceSide, runs
from studio.text.metrics.senses import fullest_paragraph, sense_windows
from studio.text.oracle.notes_that_stay import is_of_the_story
from studio.text.prose.parse import ParagraphReading, Reading
from studio.text.spans import Span

_TIMES = 3
_WORDS = {"en": 3, "ko": 2, "zh": 2}
"""The number of words (zh: characters) at the head of a sentence or clause that are compared."""
_CLAUSE = re.compile(r"[,;:，；、。.!?！？…—–]+")


def is_figure(
    parts: Sequence[ParagraphReading], quotes: Sequence[Sequence[str]], pack: LanguagePack
) -> bool:
    """Whether a passage has one construction three times, or the hits of one of its paragraphs
    (`quotes`, by paragraph) are one word three times, with at most one other word."""
    if any(_come_back(finds) for finds in quotes):
        return True
    sentences = [s.span.of(part.text) for part in parts for s in part.sentences]
    if _longest_run(sentences, pack) >= _TIMES:
        return True
    return any(_repeats_in_clauses(part.text, pack) for part in parts)


def _come_back(quotes: Sequence[str]) -> bool:
    counted = Counter(" ".join(quote.lower().split()) for quote in quotes)
    most = max(counted.values(), default=0)
    return most >= _TIMES and len(quotes) - most <= 1


def _repeats_in_clauses(text: str, pack: LanguagePack) -> bool:
    clauses = [clause.strip() for clause in _CLAUSE.split(text) if clause.strip()]
    return _longest_run(clauses, pack) >= _TIMES


def _head(clause: str, pack: LanguagePack) -> str:
    size = _WORDS[pack.language]
    bare = clause.strip(" \t\r\n\u3000“”‘’\"'「」『』（）()")
    if pack.language == "zh":
        bare = bare.removeprefix("又").removeprefix("也")
        return bare[:size] if len(bare) > size and bare[0] not in pack.endings.openings else ""
    words = bare.lower().split()
    return " ".join(words[:size]) if len(words) > size else ""


def _longest_run(pieces: Sequence[str], pack: LanguagePack) -> int:
    """Returns the most consecutive sentences (or clauses) that are built alike but not equal."""
    longest = current = 1 if pieces else 0
    for before, piece in pairwise(pieces):
        head = _head(piece, pack)
        alike = head and piece != before and head == _head(before, pack)
        current = current + 1 if alike else 1
        longest = max(longest, current)
    return longest


CROWDED = 3
"""The minimum number of filter words in a paragraph that make a directive in every language ..."""
CROWDED_DENSITY = 40.0
"""... and their minimum density per 1000 units of its narration."""
_TOGETHER = 2
"""The minimum hits of one metric in a paragraph that can put a chapter outside."""
_ARTICLES = frozenset({"the", "a", "an"})
"""Openings whose repetition nobody notices."""
_FIGURES = frozenset(
    {
        "filter_word_density",
        "adverb_density",
        "same_opening_run",
        "repetition",
        "sentence_length_cv",
        "same_ending_run",
    }
)
"""Metrics whose hits may be a figure of the writer's."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A passage that fails one metric, from which code makes a directive."""

    metric: str
    paragraphs: tuple[MarkedParagraph, ...]
    """Neighbouring paragraphs of a scene, each with spans of the metric."""
    quotes: tuple[str, ...]
    weight: float
    """The severity, compared within a type; more is worse."""
    words: Mapping[str, object]
    """What the wording needs besides `count` and `quotes`."""

    @property
    def type(self) -> DirectiveType:
        """The one type of directive this kind of issue makes."""
        return _type_of(self.metric)

    @property
    def scene(self) -> int:
        """The number of the issue's scene in the chapter, from 1."""
        return self.paragraphs[0].paragraph.scene

    @property
    def numbers(self) -> range:
        """The numbers of the issue's paragraphs in the scene, from 1."""
        return range(self.paragraphs[0].paragraph.number, self.paragraphs[-1].paragraph.number + 1)


def _type_of(metric: str) -> DirectiveType:
    kind = METRICS[metric].directive
    assert kind is not None  # only such metrics have a maker
    return kind


def issues(reading: Reading, measures: Mapping[str, Metric], *, judged: bool = True) -> list[Issue]:
    """Returns every issue of a text, by kind, without those in verse, letters and the like and in
    figures and, where there is no judge, without crowded paragraphs that published prose has
    too."""
    makers = (*_MAKERS, _FILTERS if judged else _unjudged_filters)
    every = (issue for make in makers for issue in make(reading, measures))
    return [issue for issue in every if issue.metric == _CERTAIN or _is_plain(issue, reading)]


_CERTAIN = "leaked_meta"


def _is_plain(issue: Issue, reading: Reading) -> bool:
    """Whether a passage is plain prose and no figure."""
    places = [(item.paragraph.scene, item.paragraph.number) for item in issue.paragraphs]
    if any(reading.forms[place] != "prose" for place in places):
        return False
    if issue.metric not in _FIGURES:
        return True
    parts = [item.part for item in issue.paragraphs]
    counted = METRICS[issue.metric].unit == "density"
    quotes = [item.quotes for item in issue.paragraphs] if counted else []
    return not is_figure(parts, quotes, reading.pack)


def _passed_limit(
    reading: Reading, measures: Mapping[str, Metric], name: str, side: Fault
) -> float | None:
    """Returns the limit that a chapter exceeds: its author's own, else the edge of published prose.

    None where the chapter is within the limit, or where no data exists. The method's target is no
    limit here. A metric that does not distinguish prose in a language has no edge there.
    """
    metric = measures.get(name)
    if metric is None:
        return None
    if _is_authors(metric, name, reading):
        return (metric.threshold or {}).get(side) if metric.ok is False else None
    if metric.reference is None or name not in reading.pack.telling:
        return None
    edge = metric.reference.p95 if side == "max" else metric.reference.p5
    beyond = metric.value > edge if side == "max" else metric.value < edge
    return edge if beyond else None


def _is_authors(metric: Metric, name: str, reading: Reading) -> bool:
    """Whether the limit of a metric is the writer's: a target, or the range of their own prose."""
    return bool(metric.threshold) and not is_seeds(name, metric.threshold, reading.pack)


def _spans(metric: Metric) -> list[tuple[int, int]]:
    return [(place.start, place.end) for place in metric.spans]


def _group(
    metric: str, places: Sequence[MarkedParagraph], width: int = SLICE_PARAGRAPHS
) -> list[Issue]:
    issues_of_runs = []
    for run in neighbours(places, min(width, OPERATIONS[_type_of(metric)].max_scope)):
        quotes = tuple(quote for item in run for quote in item.quotes)
        issues_of_runs.append(Issue(metric, tuple(run), quotes, float(len(quotes)), {}))
    return issues_of_runs


def _dense(
    name: str, always: Callable[[MarkedParagraph], bool]
) -> Callable[[Reading, Mapping[str, Metric]], list[Issue]]:
    """Finds paragraphs that are issues by themselves, and the worst others of a chapter outside."""
    count = _count_different if name == "cliche_density" else _count

    def make(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
        if name not in measures:
            return []
        metric = measures[name]
        places = paragraphs_with(reading, _spans(metric))
        worst = [item for item in places if always(item)]
        limit = _passed_limit(reading, measures, name, "max")
        if limit is not None:
            fewest = 1 if _is_authors(metric, name, reading) else _TOGETHER
            rest = [item for item in places if not always(item) and count(item) >= fewest]
            covered = sum(len(item.spans) for item in worst)
            worst += worst_until(rest, _surplus(metric, limit) - covered)
        return _group(name, sorted(worst, key=lambda h: h.paragraph.start))

    return make


def _count(item: MarkedParagraph) -> int:
    return len(item.spans)


def _count_different(item: MarkedParagraph) -> int:
    """Returns how many worn phrases a paragraph has; one that it says again is an echo."""
    return len({"".join(quote.lower().split()) for quote in item.quotes})


def _surplus(metric: Metric, limit: float) -> int:
    """Returns how many hits must go for a density to return to a limit."""
    count, surplus = len(metric.spans), 0
    while count > surplus and (count - surplus) * 1000 / max(1, metric.n) >= limit:
        surplus += 1
    return surplus


def _find_echoes(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
    """Finds phrases that return within earshot; a motif that spans the chapter is left alone."""
    limit = _passed_limit(reading, measures, "repetition", "max")
    if limit is None:
        return []
    places = paragraphs_with(reading, slips(reading))
    worst = worst_until(places, _surplus(measures["repetition"], limit))
    return _group("repetition", sorted(worst, key=lambda h: h.paragraph.start))


def _is_crowded(item: MarkedParagraph) -> bool:
    """Whether a paragraph is crowded with filter words; adjacent ones count once: 仿佛看见."""
    joined = sum(one.end >= other.start for one, other in pairwise(item.spans))
    enough = len(item.spans) - joined >= CROWDED
    return enough and item.density >= CROWDED_DENSITY


def _is_blacklisted(item: MarkedParagraph) -> bool:
    """Whether a paragraph contains a phrase that the writer has blacklisted."""
    return item.part.has("blacklist")


def _never(_: MarkedParagraph) -> bool:
    return False


_CLOSING = re.compile(
    r"[\W_]*(?:(?:第\s?)?[0-9零一二三四五六七八九十百千两]+\s?[章回节節话話]|本[章回节節])[\W_]*[完终終][\W_]*"
    r"|[\W_]*(?:第?\s?[0-9零一二三四五六七八九十百千两]+\s?[卷部季集]|[全本][文书書卷])\s?[·.]?\s?[完终終][\W_]*"
    r"|[\W_]*(?:未完待[续續]|完结|完結)[\W_]*"
    r"|[\W_]*下一?[章回节節话話]预告[\W_]*《[^《》\n]+》[\W_]*"
    r"|[\W_]*(?:the )?end of (?:the )?(?:chapter|scene|book|part|volume|act)(?: [\w-]+)?[\W_]*"
    r"|[\W_]*chapter [\w-]+[\W_]+end[\W_]*|[\W_]*to be continued[\W_]*"
    r"|[\W_]*제?\s?\d+\s?[화장회편권부]\s?[\W_]*[끝완][\W_]*"
    r"|[\W_]*(?:작성|집필) ?(?:완료|끝)[\W_]*"
    r"|[\W_]*(?:다음 [편화]에서? )?계속(?:됩니다)?[\W_]*",
    re.IGNORECASE,
)
"""Matches a line that says that a chapter ends or how the next is called, and nothing else."""
_TO_READERS = re.compile(
    r"[\W_]*(?:t/?l?/n\b|tl?n ?[:：]|(?:tl|ed) ?[:：]|(?:tl|ed) notes?\b"
    r"|(?:translator|editor).?s? notes?\b"
    r"|a/n\b|an[:：]|author.?s? notes?\b"
    r"|역주|역자|옮긴이|(?:작가|완결|연재)의? ?(?:말|후기|공지|잡담)|후기|공지|사담|잡담|tmi\b"
    r"|译者|譯者|译注|譯注|作者(?:的话|有话|注)|ps[:：])"
    r"|.*(?:선작|선호작|추천|댓글|코멘트|조회).*(?:감사|부탁)|.*읽어.*감사"
    r"|.*(?:求|谢谢|謝謝|感谢|感謝)"
    r".*(?:月票|推荐票?|推薦票?|收藏|订阅|訂閱|打赏|打賞|阅读|閱讀|红票|鲜花)"
    r"|.*\b(?:patreon|ko-?fi|buymeacoffee|royalroad)\b"
    r"|.*\bthank(?:s| you)\b.* for "
    r"(?:reading|(?:all )?(?:the|your) (?:votes|reviews|kudos|reads))\b"
    r"|.*\b(?:please|don.?t forget|be sure|remember)\b"
    r".*\b(?:vote|subscribe|leave (?:me )?a (?:comment|review))\b",
    re.IGNORECASE,
)
"""Matches what a person tells readers of the chapter: an author's or a translator's note, thanks, a
plea for votes."""
_LINE_TO_READERS = 300
"""The characters of a line that are looked at for whom it speaks to."""
_TO_ORDER = re.compile(
    r"\blet me know (?:if|whether) (?:you(?:['’]d| would| want| need| have| prefer| like\b)"
    r"|i\b|this\b|it\b)|요청하신|요청에 따라|요청대로|[如若]果?[您你]?还?需",
    re.IGNORECASE,
)
"""Matches what speaks of the text as made to order, which nobody tells her readers."""


def _leaks(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
    """Finds every word of a machine about the text, which is a fault for anybody; a bare closing
    line and a word to readers are named in the report and propose nothing, for who writes one
    knows it."""
    if _CERTAIN not in measures or measures[_CERTAIN].ok is not False:
        return []
    noted = paragraphs_with(reading, _spans(measures[_CERTAIN]))
    cuts = [item for item in noted if not _CLOSING.fullmatch(item.part.text)]
    return _group(_CERTAIN, [item for item in cuts if not _is_meant(item, reading)])


def _is_meant(item: MarkedParagraph, reading: Reading) -> bool:
    """Whether a note is a person's to readers, or of the story."""
    line = item.part.text
    if _TO_READERS.match(line[:_LINE_TO_READERS]) and not _TO_ORDER.search(line):
        return True
    return is_of_the_story(item.paragraph, line, reading)


def _flat(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
    if _passed_limit(reading, measures, "sentence_length_cv", "min") is None:
        return []
    flat = _group(
        "sentence_length_cv", paragraphs_with(reading, _spans(measures["sentence_length_cv"]))
    )
    return [replace(issue, words={"count": _narrated_length(issue)}) for issue in flat]


def _narrated_length(issue: Issue) -> int:
    return sum(s.narrated for item in issue.paragraphs for s in item.part.sentences)


def _runs(name: str, side: SentenceSide) -> Callable[[Reading, Mapping[str, Metric]], list[Issue]]:
    """Finds the paragraphs of runs that are too long, cut into passages a directive may name."""

    def make(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
        limit = _passed_limit(reading, measures, name, "max")
        if limit is None:
            return []
        least = limit
        if not _is_authors(measures[name], name, reading):
            least = max(limit + 1, RUN_TO_SHOW)  # two sentences are no run, however short the text
        long_runs = [run for run in runs(reading, side, least) if run.shared not in _ARTICLES]
        if side == "closing":
            long_runs = [
                part for run in long_runs for part in audible_stretches(run, reading, ceil(least))
            ]
        places = paragraphs_with(
            reading, [(s.start, s.end) for run in long_runs for s in run.spans]
        )
        return [
            replace(issue, words=_of_longest(long_runs, issue))
            for issue in _group(name, places, OPERATIONS[_type_of(name)].max_scope)
            if len(issue.quotes) > 1
        ]

    return make


def _of_longest(long_runs: Sequence[SentenceRun], issue: Issue) -> dict[str, object]:
    """Returns what the longest of the runs in a passage have in common, and its length."""
    start, end = issue.paragraphs[0].paragraph.start, issue.paragraphs[-1].paragraph.end
    first = bisect_right(long_runs, start, key=lambda run: run.spans[-1].end)
    beyond = bisect_left(long_runs, end, key=lambda run: run.spans[0].start)
    longest = max(long_runs[first:beyond], key=lambda run: len(run.spans))
    return {"ending": longest.shared, "count": len(longest.spans)}


def _senses(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
    """Finds the paragraph with the most narration in each window that lacks senses."""
    fewest = _passed_limit(reading, measures, "sensory_grounding", "min")
    if fewest is None:
        return []
    names, comma = reading.pack.sense_names, reading.pack.comma
    poor_windows = []
    for window in sense_windows(reading):
        if len(window.senses) >= fewest:
            continue
        place, part = fullest_paragraph(window, reading)
        span = Span(max(window.start, place.start), min(window.end, place.end))
        passage = MarkedParagraph(place, part, (span.shift(-place.start),))
        words = {
            "count": len(window.senses),
            "quotes": comma.join(names[s] for s in SENSES if s in window.senses),
            "missing": comma.join(names[s] for s in SENSES if s not in window.senses),
        }
        example = next((s for s in part.sentences if s.narrated), part.sentences[0])
        lack = fewest - len(window.senses)
        quotes = (example.span.of(part.text),)
        poor_windows.append(Issue("sensory_grounding", (passage,), quotes, lack, words))
    return poor_windows


_MAKERS: tuple[Callable[[Reading, Mapping[str, Metric]], list[Issue]], ...] = (
    _leaks,
    _runs("same_ending_run", "closing"),
    _runs("same_opening_run", "opening"),
    _flat,
    _senses,
    _dense("adverb_density", _never),
    _dense("cliche_density", _is_blacklisted),
    _find_echoes,
)
_FILTERS = _dense("filter_word_density", _is_crowded)


def _unjudged_filters(reading: Reading, measures: Mapping[str, Metric]) -> list[Issue]:
    """Finds crowded paragraphs when there is no judge, in a chapter with more filter words than all
    measured published prose, of words most of which two readers both mark; none in a serial, which
    nothing measured can be compared with."""
    name = "filter_word_density"
    metric = measures.get(name)
    if metric is None:
        return []
    is_common = reading.pack.is_serial
    if metric.reference is not None:
        of_published = load_reference(reading.pack.language).values[name]
        is_common = is_common or metric.value <= of_published[-1]
    is_core = reading.pack.perception.core.match

    def is_crowded(item: MarkedParagraph) -> bool:
        core = sum(is_core(quote) is not None for quote in item.quotes)
        return _is_crowded(item) and core * 2 > len(item.spans)

    return _dense(name, _never if is_common else is_crowded)(reading, measures)


@dataclass(frozen=True, slots=True)
class MarkedParagraph:
    """A paragraph and one metric's spans, clipped to the paragraph and relative to its start."""

    paragraph: Paragraph
    """The paragraph in the NFC text."""
    part: ParagraphReading
    spans: tuple[Span, ...]

    @property
    def quotes(self) -> tuple[str, ...]:
        """The words of the paragraph that the spans cover."""
        return tuple(span.of(self.part.text) for span in self.spans)

    @property
    def density(self) -> float:
        """The number of spans per 1000 units of the paragraph's narration."""
        return len(self.spans) * 1000 / self.part.units if self.part.units else 0.0


def paragraphs_with(reading: Reading, spans: Iterable[tuple[int, int]]) -> list[MarkedParagraph]:
    """Returns the paragraphs that contain these spans of the text; both are in order."""
    places: list[MarkedParagraph] = []
    ordered = sorted(spans)
    next_one = 0
    for paragraph, part in reading.parts:
        while next_one < len(ordered) and ordered[next_one][1] <= paragraph.start:
            next_one += 1
        inside = []
        later = next_one
        while later < len(ordered) and ordered[later][0] < paragraph.end:
            start, end = ordered[later]
            clipped = Span(max(start, paragraph.start), min(end, paragraph.end))
            inside.append(clipped.shift(-paragraph.start))
            later += 1
        if inside:
            places.append(MarkedParagraph(paragraph, part, tuple(inside)))
    return places


def neighbours(places: Sequence[MarkedParagraph], width: int) -> list[list[MarkedParagraph]]:
    """Groups neighbouring paragraphs of a scene, each group at most `width` long."""
    runs: list[list[MarkedParagraph]] = []
    for item in places:
        last = runs[-1][-1].paragraph if runs else None
        follows = (
            last is not None
            and last.scene == item.paragraph.scene
            and last.number + 1 == item.paragraph.number
        )
        if follows and len(runs[-1]) < width:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def worst_until(places: Sequence[MarkedParagraph], surplus: int) -> list[MarkedParagraph]:
    """Returns the densest paragraphs that together contain `surplus` spans, in text order."""
    worst: list[MarkedParagraph] = []
    for item in sorted(places, key=lambda h: (-len(h.spans), -h.density, h.paragraph.start)):
        if surplus <= 0:
            break
        worst.append(item)
        surplus -= len(item.spans)
    return sorted(worst, key=lambda h: h.paragraph.start)

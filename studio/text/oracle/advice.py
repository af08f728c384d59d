"""Advice by code: what a writer may want to know about a chapter and no fix can settle.

A phrase that recurs through a chapter may be its motif, and a paragraph that stands twice its
frame; a line in a speech level other than the speaker's usual one may be the turn of the scene.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from studio.messages import said
from studio.quotation_marks import put_in_quotes
from studio.story.review.evaluation import Counsel
from studio.text.language.packs import LanguagePack
from studio.text.metrics.measure import Metric
from studio.text.metrics.repetition import motifs
from studio.text.oracle.speech_levels import SpokenLine, level_of, lines
from studio.text.prose.answer import excerpt
from studio.text.prose.parse import Reading, units_in
from studio.text.prose.segmentation import sentences

MOST = 3
"""The maximum number of pieces of advice of one kind; more is noise."""
_USUAL = 4
"""The minimum number of lines that establish how a speaker addresses somebody."""
_SENTENCES_AGAIN = 3
"""How many sentences in a row, word for word, are a passage that stands again."""
_TIMES_AGAIN = 2
_SHARE_AGAIN = 0.6
"""The least length of what is said again, as a share of that of a doubled paragraph."""
_QUOTE = 40
"""The maximum number of characters quoted from a line."""


def advice(reading: Reading, measures: Mapping[str, Metric]) -> tuple[Counsel, ...]:
    """Returns code's advice on a chapter with these `measures`, in the novel's language."""
    counsels = [*_doubles(reading, measures)[:MOST], *_passage_again(reading)]
    counsels += list(stray_levels(reading))[:MOST]
    if "repetition" in measures and measures["repetition"].ok is False:
        counsels += _motifs(reading)
    return tuple(counsels)


def _doubles(reading: Reading, measures: Mapping[str, Metric]) -> list[Counsel]:
    """Returns what is said of paragraphs that stand twice: whether they are meant is the writer's
    to say, so no cut is proposed (PROSE 0.9)."""
    doubles = measures.get("doubled_paragraphs")
    if doubles is None or doubles.ok is not False:
        return []
    first: dict[str, str] = {}
    starts = {span.start for span in doubles.spans}
    counsels = []
    for place, part in reading.prose:
        words, number = " ".join(part.text.split()), f"{place.scene}.{place.number}"
        if place.start in starts:
            issue = said(
                reading.pack.advice["double"],
                first=first[words],
                second=number,
                quotes=put_in_quotes(excerpt(words, _QUOTE)),
            )
            counsels.append(Counsel(kind="advice", issue=issue, scene=place.scene, origin="code"))
        first.setdefault(words, number)
    return counsels


def _passage_again(reading: Reading) -> list[Counsel]:
    """Returns what is said of the passage that stands most often word for word, unless it is a
    whole paragraph: of one that stands twice `_doubles` speaks, and one alone that stands oftener
    is a refrain."""
    starts: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    whole = Counter(" ".join(part.text.split()) for _, part in reading.prose)
    often = [times for times in whole.values() if times > _TIMES_AGAIN]
    once_more = {_TIMES_AGAIN, *(often if len(often) == 1 else ())}
    sentences_told = [
        (" ".join(sentence.span.of(part.text).split()), place)
        for place, part in reading.prose
        if reading.forms[place.scene, place.number] == "prose"
        if whole[" ".join(part.text.split())] not in once_more
        for sentence in part.sentences
        if sentence.narrated
    ]
    for number in range(len(sentences_told) - _SENTENCES_AGAIN + 1):
        passage = sentences_told[number : number + _SENTENCES_AGAIN]
        words = tuple(sentence for sentence, _ in passage)
        if passage[0][1].scene != passage[-1][1].scene or len(set(words)) < len(words):
            continue
        own = starts.setdefault(words, [])
        if not own or number - own[-1][0] >= _SENTENCES_AGAIN:  # none overlaps the one before
            own.append((number, f"{passage[0][1].scene}.{passage[0][1].number}"))
    pack = reading.pack
    joint = "" if pack.language == "zh" else " "
    long_ones = [
        (words, own)
        for words, own in starts.items()
        if len({place for _, place in own}) >= _TIMES_AGAIN or len(own) > _TIMES_AGAIN
        if (len(own) - 1) * units_in(" ".join(words), pack) >= _SHARE_AGAIN * pack.least_doubled
    ]
    if not long_ones:
        return []
    words, own = max(long_ones, key=lambda item: len(item[1]))
    issue = said(
        pack.advice["again"],
        count=len(own),
        quotes=put_in_quotes(excerpt(joint.join(words), _QUOTE)),
        places=pack.comma.join(dict.fromkeys(place for _, place in own)),
    )
    return [Counsel(kind="advice", issue=issue, origin="code")]


def _motifs(reading: Reading) -> list[Counsel]:
    phrases = motifs(reading)[:MOST]
    if not phrases:
        return []
    quotes = reading.pack.comma.join(put_in_quotes(excerpt(phrase, _QUOTE)) for phrase in phrases)
    issue = said(reading.pack.advice["motif"], quotes=quotes)
    return [Counsel(kind="advice", issue=issue, origin="code")]


def stray_levels(reading: Reading) -> Iterator[Counsel]:
    """Yields lines in which a speaker is polite to a person otherwise addressed plainly, or the
    reverse.

    A line counts only where the text clearly names both people, the line itself names its speaker,
    and everything it says aloud is of the other kind, once in the chapter.
    """
    if not reading.pack.levels.polite:
        return
    ordered_lines = sorted(lines(reading), key=_pair)
    for _, group in groupby(ordered_lines, key=_pair):
        spoken = [(line, kind) for line in group if (kind := _kind(line, reading.pack))]
        yield from _strays(spoken, reading.pack)


def _pair(line: SpokenLine) -> tuple[str, str]:
    return (line.speaker, line.listener)


def _strays(spoken: Sequence[tuple[SpokenLine, str]], pack: LanguagePack) -> Iterator[Counsel]:
    frequent = Counter(kind for _, kind in spoken).most_common(2)
    if len(frequent) < 2 or frequent[0][1] < _USUAL or frequent[1][1] > 1:
        return
    usual, odd = frequent[0][0], frequent[1][0]
    line = next(line for line, kind in spoken if kind == odd)
    if line.tagged:
        model = next(line for line, kind in spoken if kind == usual)
        issue = said(
            pack.advice["level"],
            scene=line.scene,
            speaker=line.speaker,
            listener=line.listener,
            usual=pack.advice[usual],
            odd=pack.advice[odd],
            usual_quote=excerpt(model.quotes[0], _QUOTE),
            odd_quote=excerpt(line.quotes[0], _QUOTE),
        )
        yield Counsel(kind="advice", issue=issue, scene=line.scene, origin="code")


def _kind(line: SpokenLine, pack: LanguagePack) -> str:
    """Returns `polite` or `plain` if everything a line says aloud is of that kind, else nothing."""
    kinds = {
        kind
        for quote in line.quotes
        for start, end in sentences(quote, pack)
        if (kind := _kind_of(quote[start:end].strip('“”"「」'), pack))
    }
    return kinds.pop() if len(kinds) == 1 else ""


def _kind_of(sentence: str, pack: LanguagePack) -> str:
    level = level_of(sentence, pack)
    if level in pack.levels.polite:
        return "polite"
    words = sentence.rstrip(" .!?…~")
    clear = words.endswith(pack.levels.plain_endings)
    return "plain" if level in pack.levels.plain and clear else ""

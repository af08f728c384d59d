"""Who speaks to whom, as far as the text itself says so (Korean).

A line has a speaker where its own paragraph has a tag with a subject: 기태가 물었다. In a scene
with two such people the lines of one exchange alternate between them, if every tag in it agrees;
otherwise only the tagged ones are attributed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from studio.story.chapter import Paragraph
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import ParagraphReading, Reading
from studio.text.spans import inside

_ALOUD = ("“", '"', "「")
_TAG = re.compile(
    r"(?<![가-힣])(?P<name>[가-힣]{2,4}?)(?:이|가|은|는)\s"
    r"(?:[가-힣]+\s){0,3}?(?:말했|물었|대답했|되물었)"
)
_PRONOUNS = frozenset({"그녀", "그이", "누구", "누군가", "아무도", "모두", "우리", "당신", "상대"})


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """The speech of one paragraph, with its speaker and addressee."""

    speaker: str
    listener: str
    tagged: bool
    """Whether the line's own paragraph names the speaker."""
    scene: int
    quotes: tuple[str, ...]
    """Each stretch of speech, its marks included."""


def lines(reading: Reading) -> list[SpokenLine]:
    """Returns every spoken line whose speaker and addressee the text reveals, in order."""
    spoken_lines: list[SpokenLine] = []
    for scene, group in groupby(reading.prose, lambda pair: pair[0].scene):
        parts = list(group)
        people = sorted({name for _, part in parts if (name := _named_speaker(part))})
        if len(people) == 2:
            for exchange in _exchanges(parts):
                spoken_lines += _lines_of(exchange, (people[0], people[1]), scene)
    return spoken_lines


def _named_speaker(part: ParagraphReading) -> str:
    """Returns the person whom the tags of a paragraph name, if there is exactly one."""
    if not part.speech:
        return ""
    narration = (span.of(part.text) for span in part.narration)
    names = {match["name"] for words in narration for match in _TAG.finditer(words)}
    return names.pop() if len(names) == 1 and not names & _PRONOUNS else ""


def _exchanges(
    parts: Sequence[tuple[Paragraph, ParagraphReading]],
) -> Iterator[list[ParagraphReading]]:
    """Yields runs of neighbouring paragraphs that all contain speech."""
    for aloud, group in groupby(parts, lambda pair: bool(_quotes(pair[1]))):
        if aloud:
            yield [part for _, part in group]


def _quotes(part: ParagraphReading) -> tuple[str, ...]:
    return tuple(words for span in part.speech if (words := span.of(part.text)).startswith(_ALOUD))


def _lines_of(
    exchange: Sequence[ParagraphReading], people: tuple[str, str], scene: int
) -> Iterator[SpokenLine]:
    """Yields the lines of an exchange, alternating where its tags agree, else the tagged ones."""
    tagged = [_named_speaker(part) for part in exchange]
    turns = {(people.index(name) - place) % 2 for place, name in enumerate(tagged) if name}
    for place, part in enumerate(exchange):
        name = tagged[place]
        if len(turns) == 1:
            (first,) = turns
            name = people[(first + place) % 2]
        if name:
            other = people[1 - people.index(name)]
            yield SpokenLine(name, other, bool(tagged[place]), scene, _quotes(part))


_FINAL_BIEUP = 17
"""The index of ㅂ among the final consonants of a syllable."""
_LONGEST = 6
"""The number of characters examined at the close of a sentence."""
_ASKS_POLITELY = re.compile(
    f"[{''.join(chr(code) for code in range(ord('가') + _FINAL_BIEUP, ord('힣') + 1, 28))}]니까$"
)
"""Matches 갑니까 and 뭡니까, but not the connective of 그러니까."""
_OPENERS = "“‘\"'「『《(—–―-"


def speech_levels(reading: Reading) -> dict[str, int]:
    """Maps each level to the number of spoken sentences that close in it, the most frequent first.

    A sentence that closes on a noun, or breaks off, has no level.
    """
    counts: Counter[str] = Counter()
    if reading.pack.levels.of_ending:
        for _, part in reading.prose:
            if part.speech:
                counts.update(
                    level_of(part.text[s.start : s.end], reading.pack)
                    for s in part.sentences
                    if not s.narrated and inside(s.start, part.speech)
                )
    counts.pop("", None)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def level_of(sentence: str, pack: LanguagePack) -> str:
    """Returns the level of the longest listed ending that the sentence closes on, or nothing."""
    words = sentence
    while words and not words[-1].isalnum():
        words = words[:-1]
    noun = pack.endings.nouns and pack.endings.nouns.search(words)
    if noun:
        return ""
    last = f" {words.split(None)[-1].lstrip(_OPENERS)}"[-_LONGEST:] if words else ""
    level_by_ending = pack.levels.of_ending
    if _ASKS_POLITELY.search(last):
        return level_by_ending.get("습니까", "")
    ends = (last[begin:] for begin in range(len(last)))
    return next((level_by_ending[end] for end in ends if end in level_by_ending), "")

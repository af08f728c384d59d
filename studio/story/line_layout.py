"""Tells by its lines how a text is laid out: wrapped by hand, or with a paragraph to each line.

A line that was wrapped by hand is full: the next word would not have gone on it. Where each line is
a paragraph, as Korean and Chinese serials are often saved, lines end like whole sentences wherever
that is, and a blank line is a pause. Nothing here knows a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_CLOSED = r"[.!?…。！？～\"'”’」』》）)｣»\]】〕〉][*_]*$|[—―]$|^\s*[\[【〔]"
"""A line that ends a sentence or a quotation, or stands in brackets as a message of a system does;
text, for few texts need it."""
_WIDE = r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]"
"""Characters of two columns, but for the rarest."""
_SPEECH = r"[\"“‘「『«„—–-]"
_TWO_SENTENCES = (
    r"(?:\w{3}|[^\x00-\x7f])[.!?…]+[ \u00a0]+\S|[。！？…](?!\s*[。！？…”’」』》）)])\s*\S"
)
"""A sentence ends, and another begins. The end of a speech is none: its tag follows."""

_MOST_FULL = 0.8
"""What share of the lines that end amid a sentence are full in a text wrapped by hand."""
_FEWEST_FULL = 3
_NARROWEST, _WIDEST = 30, 120
"""Columns of a text wrapped by hand."""
_SLACK = 4
"""Columns that may stay free all the same: a closing mark does not begin a line."""
_FEWEST = 5
_MOST_CLOSED = 0.7
"""How many lines, and what share of them closed, make each line a paragraph."""
_IN_A_RUN = 0.6
"""The share of a run that is divided where the lines of its scene are paragraphs: verse stays."""
_FEW_BLOCKS = 3
"""The most pieces between blank lines that a few lines can be in where lines are paragraphs."""
_BESIDE = 10
"""The number of lines that a run needs for each line of its heading and its end."""
_NO_PARAGRAPH = 20
"""The number of closed lines in a row that are no single paragraph, whatever stands around them."""
_MANY = 20
"""Lines that are not two or three paragraphs, though a blank line or two parts them."""
_LONG_SHARE = 0.5
_MANY_MORE, _PER_BLOCK = 40, 5
"""Lines, and lines to a block with the single ones counted, that are no lines of one sentence."""
_TELLING_SHARE = 0.15
"""The share of lines with two sentences, or of speech below speech, that lines of one sentence
each do not have."""

LineBlock = Sequence[str]
"""The lines between two blank lines, without white space at their ends."""


def is_wrapped(blocks: Sequence[LineBlock]) -> bool:
    """Whether a text was wrapped by hand: its lines that end amid a sentence are full."""
    ends_sentence = re.compile(_CLOSED).search
    open_pairs = [
        pair for block in blocks for pair in pairwise(block) if not ends_sentence(pair[0])
    ]
    if len(open_pairs) < _FEWEST_FULL:
        return False
    width = max(_width(upper) for upper, _ in open_pairs)
    if not _NARROWEST <= width <= _WIDEST:
        return False
    full = sum(_width(upper) + _first_word(lower) + _SLACK > width for upper, lower in open_pairs)
    return full >= _MOST_FULL * len(open_pairs)


def paragraph_runs(scenes: Sequence[Sequence[LineBlock]]) -> Iterator[tuple[int, int]]:
    """Yields scene and block, both from 0, of each run of lines of which every one is a
    paragraph."""
    if all(len(block) == 1 for scene in scenes for block in scene):
        return
    if is_wrapped([block for scene in scenes for block in scene]):
        return
    yield from _single_runs(scenes)
    for number, scene in enumerate(scenes):
        runs = [n for n, block in enumerate(scene) if len(block) > 1]
        if runs and _are_paragraphs(scene):
            yield from ((number, n) for n in runs if _is_closed(scene[n], _IN_A_RUN))


def _single_runs(scenes: Sequence[Sequence[LineBlock]]) -> Iterator[tuple[int, int]]:
    """Yields the one run of each scene, where no blank line parts two of its lines; a heading above
    long runs, and an end below them, may stand apart."""
    if any(len(scene) > _FEW_BLOCKS for scene in scenes):
        return
    longest = [max(range(len(scene)), key=lambda n: len(scene[n])) for scene in scenes]
    count = sum(len(block) for scene in scenes for block in scene)
    runs = [(scene, n) for scene, n in zip(scenes, longest, strict=True)]
    beside = count - sum(len(scene[n]) for scene, n in runs)
    if count < _FEWEST or count - beside < _BESIDE * beside:
        return
    if _is_closed([line for scene in scenes for block in scene for line in block]):
        for number, (scene, n) in enumerate(runs):
            if len(scene) == 1 or len(scene[n]) >= _FEWEST:
                yield number, n


def _are_paragraphs(scene: Sequence[LineBlock]) -> bool:
    """Whether the lines of a scene are paragraphs and a blank line is a pause: there are too many
    lines for its blocks, or most are in long runs, or they hold more than a line does of writers
    who give each sentence one."""
    several = [block for block in scene if len(block) > 1]
    lines = [line for block in several for line in block]
    count = sum(map(len, scene))
    if not _is_closed(lines) or len(lines) < _LONG_SHARE * count:
        return False
    if len(scene) <= _FEW_BLOCKS:
        return len(lines) >= _MANY
    long_ones = sum(len(block) for block in several if len(block) >= _NO_PARAGRAPH)
    return (
        long_ones >= _LONG_SHARE * count
        or (len(lines) >= _MANY_MORE and len(lines) >= _PER_BLOCK * len(scene))
        or (len(lines) >= _MANY and _count_telling_lines(several) >= _TELLING_SHARE * len(lines))
    )


def _count_telling_lines(blocks: Sequence[LineBlock]) -> int:
    """Returns the number of lines that hold more than a sentence, or a speech behind a speech."""
    speaks, has_two = re.compile(_SPEECH).match, re.compile(_TWO_SENTENCES).search
    talk = sum(
        1 for block in blocks for upper, lower in pairwise(block) if speaks(upper) and speaks(lower)
    )
    return talk + sum(1 for block in blocks for line in block if has_two(line))


def _is_closed(lines: LineBlock, share: float = _MOST_CLOSED) -> bool:
    """Whether this share of the lines, by default most, end like whole sentences."""
    ends_sentence = re.compile(_CLOSED).search
    closed = sum(1 for line in lines if ends_sentence(line))
    return closed >= share * len(lines)


def _width(line: str) -> int:
    """Returns the columns a line takes in a terminal or an editor."""
    return len(line) if line.isascii() else len(line) + len(re.findall(_WIDE, line))


def _first_word(line: str) -> int:
    """Returns the columns of what would have had to go on the line before, with its space."""
    if re.match(_WIDE, line) and not re.match(r"[\uac00-\ud7a3]", line):
        return 2  # without spaces every character may begin a line
    return 1 + _width(line.split(None, 1)[0])

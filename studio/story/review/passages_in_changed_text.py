"""Where a passage stands in a text that has changed since (WRITING 4).

One ladder serves every decision about a passage: the same paragraphs, the same characters with
other borders, most of its words close together, or gone. A passage is never found by its number
alone, and one that cannot be told from another is gone rather than guessed. The cost grows with
the chapter's length, not with its square.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from studio.story.chapter import Chapter, Paragraph, sha256_of
from studio.story.notes import without_notes
from studio.story.review.passage import KNOWN_BY, Passage, PassageLocation
from studio.story.status import Stands

FEWEST_WORDS = 0.6
"""The share of a passage's words by which it is still itself."""
_BETTER_BY = 0.1
"""How far the best place must be ahead of the next, in shares of the passage's words."""
_ROOM = 2
"""How many more paragraphs than before a changed passage may stand in."""
_OWN = 0.15
"""The share of word pairs, of the fewer, that makes a paragraph one of a changed passage."""
_SPREAD = 2
"""The most paragraphs of the chapter in which a pair of words stands that tells a passage."""
_LEAST_BESIDE, _LEAST_ALONE = 0.1, 0.3
"""The least share of a passage's word pairs at its place, where a paragraph beside it is known;
and, where none is, the share in common with all that stands there."""
_LONG = 5
"""The fewest word pairs of a paragraph that would have one of the passage's if it were of it."""
_TELLING = 20
"""The fewest characters without white space that are a passage's own wherever they stand."""
_MOST_PLACES = 50
"""Places where the same characters stand; with more, none of them is told from the others."""
_WIDE = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
"""The letters of Korean, Chinese and Japanese, which are compared by threes and not by words."""


_Pairs = Counter[tuple[str, ...]]


class Placed(NamedTuple):
    """Where a passage stands now."""

    stands: Stands
    paragraphs: tuple[Paragraph, ...]
    """Its paragraphs in the present text, of one scene; empty where it is gone."""


_GONE = Placed("gone", ())


def plain(text: str) -> str:
    """Returns a paragraph in the form in which it is hashed and compared."""
    return unicodedata.normalize("NFC", without_notes(text).replace("\r", "")).strip()


def _squeeze(text: str) -> str:
    return "".join(plain(text).split())


def location_of(passage: tuple[Paragraph, ...]) -> PassageLocation:
    """Returns the place of a passage in the form a directive uses."""
    return PassageLocation(
        scene_number=passage[0].scene,
        paragraph_start=passage[0].number,
        paragraph_end=passage[-1].number,
    )


class SearchableChapter:
    """A chapter made ready for placing passages in it; each form of it is made once."""

    def __init__(self, chapter: Chapter) -> None:
        self.chapter = chapter
        self.paragraphs = chapter.paragraphs

    @cached_property
    def hashes(self) -> list[str]:
        """The hash of each paragraph, as passages hold it."""
        return [sha256_of(plain(p.text)) for p in self.paragraphs]

    @cached_property
    def places(self) -> Mapping[str, list[int]]:
        """The paragraphs with a hash, by their index in the chapter."""
        places: dict[str, list[int]] = {}
        for index, sha256 in enumerate(self.hashes):
            places.setdefault(sha256, []).append(index)
        return places

    @cached_property
    def characters(self) -> str:
        """Every character of the paragraphs, without white space and notes."""
        return "".join(self._pieces)

    @cached_property
    def _pieces(self) -> list[str]:
        return [_squeeze(p.text) for p in self.paragraphs]

    @cached_property
    def starts(self) -> list[int]:
        """Where each paragraph begins in `characters`, and where the last one ends."""
        starts = [0]
        for piece in self._pieces:
            starts.append(starts[-1] + len(piece))
        return starts

    @cached_property
    def scenes(self) -> list[range]:
        """The indexes of each scene's paragraphs."""
        begins = [i for i, p in enumerate(self.paragraphs) if p.number == 1]
        return [range(a, b) for a, b in pairwise([*begins, len(self.paragraphs)])]

    def words(self, wide: bool) -> list[Counter[str]]:
        """Returns the words of each paragraph; threes of letters where the writing is `wide`."""
        return self._wide_words if wide else self._narrow_words

    def pairs(self, wide: bool) -> tuple[list[_Pairs], _Pairs]:
        """Returns the word pairs of each paragraph, and in how many paragraphs each stands."""
        return self._wide_pairs if wide else self._narrow_pairs

    @cached_property
    def _wide_pairs(self) -> tuple[list[_Pairs], _Pairs]:
        return self._all_pairs(wide=True)

    @cached_property
    def _narrow_pairs(self) -> tuple[list[_Pairs], _Pairs]:
        return self._all_pairs(wide=False)

    def _all_pairs(self, *, wide: bool) -> tuple[list[_Pairs], _Pairs]:
        pairs = [_pairs(p.text, wide) for p in self.paragraphs]
        return pairs, Counter(pair for one in pairs for pair in one)

    @cached_property
    def _wide_words(self) -> list[Counter[str]]:
        return [words_of(p.text, wide=True) for p in self.paragraphs]

    @cached_property
    def _narrow_words(self) -> list[Counter[str]]:
        return [words_of(p.text, wide=False) for p in self.paragraphs]

    def passage(self, paragraphs: Sequence[Paragraph]) -> Passage:
        """Returns what these consecutive paragraphs of the chapter, at least one, are known by."""
        first = self.index_of(paragraphs[0])
        end = first + len(paragraphs)
        characters = self.characters[self.starts[first] : self.starts[end]]
        text = plain("\n\n".join(p.text for p in paragraphs))
        return Passage(
            paragraphs=tuple(self.hashes[first:end]),
            before=self.hashes[first - 1] if first else None,
            after=self.hashes[end] if end < len(self.hashes) else None,
            opens=text[:KNOWN_BY],
            closes=text[-KNOWN_BY:],
            repeated=len(list(_find(self.characters, characters, most=2))) > 1,
        )

    def index_of(self, paragraph: Paragraph) -> int:
        """Returns the index of one of the chapter's paragraphs."""
        return bisect_right(self.paragraphs, paragraph.start, key=lambda p: p.start) - 1

    def index_at(self, location: PassageLocation | None) -> int | None:
        """Returns the index of the paragraph at the beginning of an address, if there is one."""
        if location is None:
            return None
        number = location.paragraph_start
        there = self.chapter.passage(location.scene_number, number, number)
        return self.index_of(there[0]) if there else None

    def agreement(self, passage: Passage, first: int, end: int) -> int:
        """Returns how many of the two paragraphs beside `first` to `end` stood there before."""
        return self.follows(passage, first) + self.precedes(passage, end)

    def follows(self, passage: Passage, first: int) -> bool:
        """Whether the paragraph before `first` is the one that stood before the passage, or none is
        and none was."""
        if passage.before is None:
            return not first and passage.after is not None
        return bool(first) and self.hashes[first - 1] == passage.before

    def precedes(self, passage: Passage, end: int) -> bool:
        """Whether the paragraph at `end` is the one that stood after the passage, or none is and
        none was."""
        if passage.after is None:
            return end == len(self.hashes) and passage.before is not None
        return end < len(self.hashes) and self.hashes[end] == passage.after

    def one_scene(self, first: int, end: int) -> bool:
        """Whether the paragraphs from `first` up to `end` are of one scene."""
        return self.paragraphs[first].scene == self.paragraphs[end - 1].scene


def passage_of(text: str) -> Passage:
    """Returns what a passage is known by when only its words are: those of a sheet from before
    passages. Few words could stand anywhere, so they count as repeated."""
    loose = [p for part in text.replace("\r", "").split("\n\n") if (p := plain(part))]
    whole = plain("\n\n".join(loose)) or text[:KNOWN_BY]
    return Passage(
        paragraphs=tuple(map(sha256_of, loose)) or (sha256_of(plain(text)),),
        opens=whole[:KNOWN_BY],
        closes=whole[-KNOWN_BY:],
        repeated=len(_squeeze(text)) < _TELLING,
    )


def place(
    passage: Passage, words: str, ground: SearchableChapter, near: PassageLocation | None = None
) -> Placed:
    """Returns where a passage stands in a text.

    `words` are its text when it was read, paragraphs separated by a blank line; `near` is its
    address then, which only decides between places that nothing else tells apart.
    """
    return (
        _as_it_was(passage, ground, near)
        or _with_other_borders(passage, words, ground)
        or _find_reworded(passage, words, ground)
        or _GONE
    )


def _as_it_was(
    passage: Passage, ground: SearchableChapter, near: PassageLocation | None
) -> Placed | None:
    """Finds the run of hashes; of several, the one with the same neighbours."""
    width, at = len(passage.paragraphs), ground.index_at(near)
    hits = [
        first
        for first in ground.places.get(passage.paragraphs[0], ())
        if tuple(ground.hashes[first : first + width]) == passage.paragraphs
        and ground.one_scene(first, first + width)
    ]
    if len(hits) > 1 or passage.repeated:
        hits = [i for i in hits if ground.agreement(passage, i, i + width) or i == at]
    if not hits:
        return None
    best = max(
        hits,
        key=lambda i: (
            ground.agreement(passage, i, i + width),
            0 if at is None else -abs(i - at),
            -i,
        ),
    )
    return Placed("same", ground.paragraphs[best : best + width])


def _with_other_borders(passage: Passage, words: str, ground: SearchableChapter) -> Placed | None:
    """Finds the same characters where paragraphs were split or merged."""
    characters = _squeeze(words)
    hits: list[tuple[int, int, bool, bool]] = []
    for start in _find(ground.characters, characters, most=_MOST_PLACES):
        stop = start + len(characters)
        first, end = bisect_right(ground.starts, start) - 1, bisect_right(ground.starts, stop - 1)
        if ground.one_scene(first, end):
            opens, closes = ground.starts[first] == start, ground.starts[end] == stop
            hits.append((first, end, opens, closes))
    if len(hits) > 1 or passage.repeated:
        hits = [
            (first, end, opens, closes)
            for first, end, opens, closes in hits
            if (opens and ground.follows(passage, first))
            or (closes and ground.precedes(passage, end))
        ]
    if len(hits) != 1:
        return None
    ((first, end, opens, closes),) = hits
    return Placed("same" if opens and closes else "changed", ground.paragraphs[first:end])


def _find_reworded(passage: Passage, words: str, ground: SearchableChapter) -> Placed | None:
    """Finds most of the words within a few paragraphs more than there were: between the
    paragraphs that stood beside them, or else at the one place that has clearly more of them than
    any other."""
    its_words = words_of(words)
    if not its_words:
        return None
    search = _Search(passage, words, its_words, ground)
    first, end = search.between_neighbours() or search.best_place() or (0, 0)
    return Placed("changed", ground.paragraphs[first:end]) if first < end else None


class _Search:
    """The search for a passage by its words."""

    def __init__(
        self, passage: Passage, words: str, its_words: Counter[str], ground: SearchableChapter
    ) -> None:
        wide = is_wide(words)
        self._passage, self._ground = passage, ground
        self._size = len(passage.paragraphs) + _ROOM
        self._is_short = len(_squeeze(words)) < _TELLING
        self._its_words = its_words
        self._words = [_common(p, its_words) for p in ground.words(wide)]
        self._lengths = [p.total() for p in ground.words(wide)]
        self._pairs, spread = ground.pairs(wide)
        """Words that stand beside each other in the passage and hardly elsewhere tell its
        paragraphs from others, whose single words may be the same."""
        pairs = _pairs(words, wide)
        self._total = pairs.total()
        self._telling = Counter({p: n for p, n in pairs.items() if spread[p] <= _SPREAD})

    def between_neighbours(self) -> tuple[int, int] | None:
        """Returns where the paragraphs that stood beside the passage enclose most of its words."""
        ground, passage = self._ground, self._passage
        if passage.before is passage.after is None:
            return None
        befores = [-1] if passage.before is None else ground.places.get(passage.before, [])
        ends = [len(self._words)]
        afters = ends if passage.after is None else ground.places.get(passage.after, [])
        for before in befores:
            at = bisect_right(afters, before + 1)
            if at == len(afters) or afters[at] - before - 1 > self._size:
                continue
            first, end = self._trim(before + 1, afters[at], self._is_foreign)
            if first < end and ground.one_scene(first, end) and self._holds_enough(first, end):
                return first, end
        return None

    def best_place(self) -> tuple[int, int] | None:
        """Returns the place with the most of the words, if that is clear."""
        share, window = _best(self._ground.scenes, self._words, self._its_words, self._size)
        if share < FEWEST_WORDS:
            return None
        first, end = self._trim(window.start, window.stop, lambda i: not self._is_own(i))
        if first == end or not self._is_told(first, end):
            return None
        elsewhere = (
            part
            for scene in self._ground.scenes
            for part in (
                range(scene.start, min(scene.stop, first)),
                range(max(scene.start, end), scene.stop),
            )
        )
        second, _ = _best(elsewhere, self._words, self._its_words, self._size)
        return (first, end) if share - second >= _BETTER_BY else None

    def _trim(self, first: int, end: int, is_none: Callable[[int], bool]) -> tuple[int, int]:
        while first < end and is_none(first):
            first += 1
        while end > first and is_none(end - 1):
            end -= 1
        return first, end

    def _holds_enough(self, first: int, end: int) -> bool:
        here: Counter[str] = Counter()
        for words in self._words[first:end]:
            here += words
        common = (here & self._its_words).total()
        if self._is_short and common < _OWN * sum(self._lengths[first:end]):
            return False  # a name alone is found in many a line
        return common >= FEWEST_WORDS * self._its_words.total()

    def _common(self, index: int) -> int:
        return (self._pairs[index] & self._telling).total()

    def _is_foreign(self, index: int) -> bool:
        """Whether a paragraph where the passage stood is a new one: too long to have nothing of
        the passage by chance."""
        return self._pairs[index].total() >= _LONG and not self._common(index)

    def _is_own(self, index: int) -> bool:
        sha256 = self._ground.hashes[index]
        if sha256 in (self._passage.before, self._passage.after):
            return False
        fewer = min(self._pairs[index].total(), self._total)
        return sha256 in self._passage.paragraphs or self._common(index) > _OWN * fewer

    def _is_told(self, first: int, end: int) -> bool:
        """Whether a place is the passage's own: much of it there in the same order, and, where no
        paragraph beside it is known, not much else."""
        common = sum(map(self._common, range(first, end)))
        if self._ground.agreement(self._passage, first, end):
            return common >= _LEAST_BESIDE * self._total
        if self._passage.repeated or self._is_short:
            return False
        here = sum(self._pairs[i].total() for i in range(first, end))
        return common >= _LEAST_ALONE * max(self._total, here)


def _best(
    stretches: Iterable[range], there: Sequence[Counter[str]], its_words: Counter[str], size: int
) -> tuple[float, range]:
    """Returns the largest share of the words looked for in `size` paragraphs of one stretch, and
    which paragraphs these are. Each word is added and taken away once."""
    best, window = 0.0, range(0)
    for stretch in stretches:
        here: Counter[str] = Counter()
        matched = 0
        for last in stretch:
            matched += _move(here, there[last], its_words, 1)
            if last - size >= stretch.start:
                matched += _move(here, there[last - size], its_words, -1)
            share = matched / its_words.total()
            if share > best:
                best, window = share, range(max(stretch.start, last - size + 1), last + 1)
    return best, window


def _move(here: Counter[str], words: Counter[str], its_words: Counter[str], by: int) -> int:
    """Adds the words of a paragraph to a window (`by` 1), or takes them out of it (-1); returns
    by how many the words looked for in it change."""
    change = 0
    for word, count in words.items():
        was = here[word]
        here[word] = was + by * count
        change += min(here[word], its_words[word]) - min(was, its_words[word])
    return change


def _common(paragraph: Counter[str], its_words: Counter[str]) -> Counter[str]:
    return Counter({word: count for word, count in paragraph.items() if word in its_words})


def likeness(one: str, other: str) -> float:
    """Returns the share of words that two passages have in common, of the longer one's: 0 to 1."""
    wide = is_wide(one)
    mine, yours = words_of(one, wide=wide), words_of(other, wide=wide)
    longer = max(mine.total(), yours.total())
    return (mine & yours).total() / longer if longer else float(plain(one) == plain(other))


def is_wide(text: str) -> bool:
    """Whether a text is written in letters of Korean, Chinese or Japanese for the most part."""
    letters = sum(map(str.isalpha, text))
    return 2 * len(re.findall(f"[{_WIDE}]", unicodedata.normalize("NFC", text))) > letters


def words_of(text: str, *, wide: bool | None = None) -> Counter[str]:
    """Returns the words of a text, folded; where it is `wide`, its letters by threes."""
    return Counter(_sequence(text, is_wide(text) if wide is None else wide))


def _sequence(text: str, wide: bool) -> list[str]:
    folded = plain(text).casefold()
    if not wide:
        return re.findall(r"\w+(?:['’]\w+)*", folded)
    letters = "".join(re.findall(r"\w", folded))
    return [letters[i : i + 3] for i in range(max(bool(letters), len(letters) - 2))]


def _pairs(text: str, wide: bool) -> Counter[tuple[str, ...]]:
    """Returns the pairs of words in a text; where it is `wide`, its letters by threes."""
    words = _sequence(text, wide)
    return Counter(pairwise(words)) if not wide else Counter((three,) for three in words)


def _find(text: str, words: str, *, most: int) -> Iterator[int]:
    """Yields where `words` begin in a text, at most that often."""
    at = text.find(words) if words else -1
    while at >= 0 and most:
        yield at
        most -= 1
        at = text.find(words, at + 1)

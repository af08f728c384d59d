"""The tics of a chapter and of a book: what stands there far more often than in human fiction.

A reader forgives a turn of phrase once or twice; what she marks is the same one seven times in a
chapter. Words, runs of two to four of them, and forms of sentences are counted in narration and
compared by log-likelihood (Dunning 1993) with the table of human fiction, and where a book has
earlier chapters with these too: what its author always does is hers. Names are left out, and what
people talk of as well: the subject of a chapter is no tic. Nothing here says that a turn is bad;
each place is the writer's to take, to leave, or to make a directive of.

Of single words only gestures and a quality hung on everything can be tics. Any other word that
recurs is what the chapter is about: its people, its places, its things. A gesture is nobody's
subject (studio/text/language/gestures.toml), and neither is a word that stands before another noun
each time: spectral echoes, a spectral dome, the spectral wind.
"""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from studio.messages import said
from studio.story.review.evaluation import Counsel
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.text.language.name_runs import name_runs
from studio.text.language.packs import LanguagePack
from studio.text.language.reference import FEWEST_AUTHORS, FictionTable, load_background
from studio.text.language.speakers import is_who_speaks
from studio.text.language.story_words import story_words
from studio.text.metrics.grams import LONGEST, TextWords, recurring, without_particle, words_of
from studio.text.metrics.habits import FORMS, Offsets
from studio.text.oracle.instances import (
    FORMS_OF_A_SERIAL,
    count_apart,
    has_old_spelling,
    instances,
    is_the_tellers,
)
from studio.text.prose.letters import is_within_letter
from studio.text.prose.parse import Reading, count_words, read
from studio.text.prose.speech_without_marks import speaks_without_marks
from studio.text.spans import Span

_FILE = Path(__file__).parents[1] / "language" / "gestures.toml"
_NO_NOUN = re.compile(".*(?:ed|ly)|said|says|was|were|had")
_FEWEST_QUALITIES = 8
"""The least number of places of a quality that is hung on everything."""
_FEWEST_DIFFERENT = 6
"""The least number of different words behind a quality that is hung on everything."""
_OF_ONE_THING = 0.3
"""A quality that stands before one noun more often than this share is of somebody: the golden
figure, a golden man."""
_NEARLY_ALWAYS = 0.9
_FEWEST_TAGS = 3
"""The least number of tags of a word that is who speaks ..."""
_SHARE_OF_TAGS = 0.2
"""... and their least share of its places: others tell of the same one otherwise."""
_LONGEST_GESTURE = 3
"""The most characters of a Chinese word of a gesture."""

WordPlaces = tuple[tuple[str, ...], int, list[int]]
"""The keys of a word, how many words of the text one of its places has, and where each begins."""


@cache
def _gestures(language: str) -> tuple[frozenset[str], ...]:
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
    return tuple(frozenset(row) for row in rows)


@cache
def _of_today() -> dict[str, tuple[float, int]]:
    """Returns the rate in 1000 units and the most in one chapter of words of today."""
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))["today"]
    return {word: (rate, most) for word, (rate, most) in rows.items()}


@cache
def _qualities() -> tuple[str, ...]:
    return tuple(tomllib.loads(_FILE.read_text(encoding="utf-8"))["qualities"])


def single_words(text_words: TextWords, pack: LanguagePack, fewest: int) -> Iterator[WordPlaces]:
    """Yields the gestures and qualities that stand so often, whatever is usual."""
    places: dict[str, list[int]] = {}
    size = 2 if text_words.language == "zh" else 1
    words = text_words.words
    for start in range(len(words)):
        for length in (2, 3) if size > 1 else (1,):
            run = words[start : start + length]
            if all(run):
                places.setdefault("".join(run), []).append(start)
    for gesture in _gestures(text_words.language):
        own = sorted(start for key in gesture for start in places.get(key, ()))
        own = _each_gesture_once(own) if size > 1 else own
        if len(own) >= fewest:
            yield tuple(sorted(gesture)), size, own
    if text_words.language == "en":
        for word in _qualities():
            own = places.get(word, [])
            if len(own) >= _FEWEST_QUALITIES and _is_hung_on(own, words, pack):
                yield (word,), 1, own


def _each_gesture_once(starts: Sequence[int]) -> list[int]:
    """Returns where a Chinese gesture begins: 点了点头 is one nod, though two of its words are in
    it."""
    apart: list[int] = []
    for start in starts:
        if not apart or start - apart[-1] >= _LONGEST_GESTURE:
            apart.append(start)
    return apart


def _is_hung_on(own: list[int], words: list[str], pack: LanguagePack) -> bool:
    """Whether a word stands before another noun nearly every time."""
    behind = [words[start + 1] if start + 1 < len(words) else "" for start in own]
    nouns = [w for w in behind if w and w not in pack.function_words and not _NO_NOUN.fullmatch(w)]
    if len(nouns) < _NEARLY_ALWAYS * len(own) or len(set(nouns)) < _FEWEST_DIFFERENT:
        return False
    [(_, most)] = Counter(noun.removesuffix("s") for noun in nouns).most_common(1)
    return most <= _OF_ONE_THING * len(own)


MOST = 2
"""The most patterns shown for a chapter."""
FEWEST = 5
"""The least number of places that make a tic of a chapter."""
_FEWEST_TIMES = {"ko": 6, "en": 5, "zh": 5}
"""The least number of places of a turn of phrase."""
_FEWEST_WORDS = {"ko": 6, "en": 6, "zh": 7}
"""The least number of places of a single word."""
_RATE_OF_COMMON_WORD = {"有人": 5.0, "眼神": 4.0}
"""The least rate (in 1000 units) of a word that every writer needs: of 64 published chapters of
today none has 3, and none 4 looks."""
_SURE = 35.0
"""The least log-likelihood of a turn of phrase."""
_SURE_OF_BOOK = 100.0
"""The least log-likelihood of a turn of phrase in a whole book."""
_SURE_OF_FORM = 8.0
"""That of a form, which is beyond what 99 of 100 chapters have."""
_SURE_OF_COMMON_FORM = 20.0
_COMMON_FORMS = frozenset(("openings", "participle"))
"""Forms that a reader doubts soonest: several acts in a row are often meant."""
_SURE_OF_TODAY = frozenset(("hung-on", "way", "voice", "echo"))
"""Forms of `_TODAY_ALONE` that stand beside those of the table; the others, of which everybody has
a few, behind them, as single words do."""
_FORMS_TO_TELL = 0.99
_FEWEST_OF_FORM = {"short-paragraph": 15, "contrast": 4}
"""The least number of a form: fewer short paragraphs are the beats of a dialogue, and people hardly
ever say four times in a chapter what a thing is not, to say what it is."""
_TODAY: Mapping[str, Mapping[str, tuple[int, float]]] = {
    "en": {
        "clipped": (11, 14.0),
        "negation": (8, 3.3),
        "kind": (6, 3.5),
        "likeness": (12, 9.0),
        "dash": (8, 12.0),
        "participle": (12, 17.5),
    },
    "ko": {
        "clipped": (18, 14.0),
        "negation": (12, 5.55),
        "dash": (9, 3.5),
        "going-on": (12, 4.0),
        "short-paragraph": (30, 20.0),
    },
    "zh": {
        "clipped": (16, 14.0),
        "negation": (6, 3.5),
        "likeness": (9, 6.0),
        "dash": (12, 5.0),
        "short-paragraph": (24, 21.0),
    },
}
"""The least number and rate (in 1000 units) of a form by what fiction of today has, where the
works of the table, which are older, have less or something else: of 148 English, 119 Korean and 197
Chinese passages published from 1950 on, of a chapter's length, about one in a hundred has as
much. Where readers found no use in most of what lay just above that, it is set higher."""
_TODAY_ALONE: Mapping[str, Mapping[str, tuple[int, float, float]]] = {
    "en": {
        "hung-on": (9, 4.6, 0.5),
        "way": (5, 2.0, 0.2),
        "did-not": (16, 8.1, 3.1),
        "something": (9, 4.2, 1.2),
        "exactly": (6, 2.1, 0.3),
    },
    "ko": {
        "likened": (16, 6.2, 2.6),
        "manner": (9, 3.3, 0.8),
        "echo": (5, 1.5, 0.2),
    },
    "zh": {
        "voice": (5, 2.2, 0.3),
        "body": (7, 2.6, 0.6),
        "suddenly": (6, 3.0, 0.8),
        "utterly": (9, 3.9, 0.9),
        "gloss": (5, 1.9, 0.2),
        "echo": (4, 1.6, 0.1),
    },
}
"""The least number and rate of a form that the table knows nothing of, and what is usual: of 64
published chapters of today a language none has as much."""
_UNASKED = frozenset(("colon", "denial"))
"""Forms that are measured and proposed to nobody: no reader has asked for fewer of them."""
_ALSO_CLOSE_BY = frozenset(("contrast", "tag", "openings", "denial", "echo"))
"""Forms of which several are a habit wherever they stand. Any other stands through a chapter; many
in one place are that of a list, a fight or a dispatch."""
_OF_THE_GENRE = {"en": "short-paragraph"}
"""A form that fiction of today is made of in a language, though the table's older works have little
of it: in English one published chapter in eight has more than they, and hardly one by a model."""
_TIMES = 8.0
"""The least ratio to what human fiction has."""
_ABOVE = 1.5
"""How many times the most that any chapter's length of human fiction has."""
_LEAST_SHARE = 0.5
"""A chapter shorter than this share of a window is compared as if it were as long."""
_QUARTERS = 3
"""In so many of a chapter's quarters a tic stands; a subject comes and goes."""
_IN_A_QUARTER = 0.05
"""The least share of its places that a form has in a quarter where it stands."""
_SPOKEN = 0.35
"""A turn that stands in speech more often than this share of what its number in narration lets
one expect is what people talk of."""
_OFTEN = 60.0
"""How often in a million words a word stands that every writer needs."""
_FEWEST_UNITS = {"ko": 900, "en": 400, "zh": 900}
"""The least narration of a chapter that is compared; one that is mostly speech has little more."""
_REFRAIN = {"ko": 5, "en": 6, "zh": 10}
"""The least length of a sentence that stands again word for word because it is meant."""
_FORMS_OF_BOOK = 0.95
_FEWEST_CHAPTERS = 3
MOST_OF_A_BOOK = 5
"""The most patterns shown for a book."""
_MOST_BESIDE = 4
_NEARLY_ALL = 0.7
_HERS_FROM = 2
"""How many chapters before it a book has for what its author does to be known."""


_FIRST = frozenset("的了着过地得们个個只座位条條张張里上中下这這那每某")
"""Characters with which no Chinese turn begins: what they belong to stands before, or a thing is
named."""
_LAST = frozenset("的个個只座位条條张張一不没沒把被那这這是在几两从向对和与像里上中内外我你他她它")
"""Characters with which none ends: what they lead to stands behind, a place is named, or somebody
to whom a thing is done (看着他)."""
_HINGES = re.compile("[了着著把像].|地$")
"""Matches what a Chinese turn has: a manner, or something done or going on."""
_POINTS = frozenset(
    ["그", "이", "저", "내", "나", "네", "우리", "그녀", "그들", "너", "제", "자기"]
)
"""Korean words that point at somebody or something: 내 얼굴 is a thing, 한 박자 is a turn."""
_AROUND = " .!?…。！？*_"
_NUMBERS = frozenset(("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"))
_ORDINAL = "번째"
"""What tells one thing of a row from the others: the third circle is a thing."""
_SUPERLATIVES = frozenset(("가장", "제일"))
"""With one, a Korean turn names which of several things is meant."""
_BOUND_NOUNS = frozenset(("수", "적", "줄", "것", "듯"))
"""Korean nouns that with one word behind them are an ending: 볼 수 있었다, 본 적 없다."""
_THOUGHT = re.compile("[‘']([^‘’'\\n]{2,})[’']")
"""Matches what somebody thinks in quotation marks, as Korean sets it."""
_DENIED = re.compile("[가-힣]*지(?:는|도|를)? (?:않|못|말)")
_WHO = frozenset(("i", "you", "he", "she", "it", "we", "they", "me", "him", "us", "them"))
"""English pronouns: one of them and a verb are an act (I opened, told me), and no turn."""
_SELF = ("자신", "자기", "스스로")
_SPEAKS = frozenset(("say", "said", "says", "asked", "replied", "answered", "cried", "cannot"))
"""English words that readers do not notice, however many there are."""
_TURNS_ON = frozenset((
    "i", "he", "she", "it", "they", "him", "them", "me", "was", "were", "had", "been", "did", "do",
    "didn't", "don't", "doesn't", "couldn't", "can't", "wasn't", "weren't", "wouldn't", "hadn't",
    "isn't", "could", "would", "not", "never", "no", "something", "nothing", "somehow", "like",
    "as", "if", "than", "though", "for", "out", "back", "up", "down", "away", "between", "through",
    "into",
))  # fmt: skip
"""English words one of which a turn has; without one it is a thing: the cocked hat."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A turn of phrase or form that a text has far too often."""

    words: str
    """As the text has it most often; for a form its name in `habits.FORMS`."""
    places: tuple[Span, ...]
    """Where in the text, in order."""
    usual: float
    """How many of them a text of this length has in human fiction."""
    certainty: float
    """The log-likelihood."""
    most: int = 0
    """The most that a chapter's length of human fiction has."""
    is_form: bool = False
    is_word: bool = False
    """Whether it is a single word, which is shown where nothing surer is."""


@dataclass(frozen=True, slots=True)
class Hers:
    """What the chapters before this one do."""

    chapters: int = 0
    words: int = 0
    units: int = 0
    grams: Mapping[str, int] = field(default_factory=dict)
    forms: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether there are enough of them (PROSE 0.1: from chapter 3 on)."""
        return self.chapters >= _HERS_FROM


NOTHING_EARLIER = Hers()
"""The value for a chapter with none before it."""


def hers_of(texts: Sequence[str], pack: LanguagePack) -> Hers:
    """Counts what the chapters before this one do; each text is counted once and remembered."""
    grams: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    counts = units = 0
    for text in texts:
        one = _of_one(text, pack)
        counts += one.words
        units += one.units
        grams.update(one.grams)
        forms.update(one.forms)
    return Hers(len(texts), counts, units, grams, forms)


@lru_cache(maxsize=64)
def _of_one(text: str, pack: LanguagePack) -> Hers:
    reading = read(text, pack)
    text_words = words_of(reading)
    grams = {gram: len(own) for gram, own in recurring(text_words, 2).items()}
    forms = {name: len(find(reading)) for name, find in FORMS.items()}
    return Hers(1, len(text_words), reading.units, grams, forms)


_SAID_BY: Mapping[str, str] = {
    "clipped": "short-paragraph",
    "negation": "contrast",
    "hung-on": "tag",
    "way": "kind",
}
"""Which form says what another says too."""
_BEHIND = frozenset(
    name for forms in _TODAY_ALONE.values() for name in forms if name not in _SURE_OF_TODAY
)


def patterns(
    reading: Reading,
    names: Iterable[str] = (),
    hers: Hers = NOTHING_EARLIER,
    *,
    leave_out: Collection[str] = (),
) -> tuple[Pattern, ...]:
    """Returns the tics of a chapter, at most two, the surest first.

    `names` are those the studio knows, `leave_out` are forms that are none here. Nothing is
    returned for a chapter too short to tell or whose speech stands without marks, or in a language
    whose table rests on fewer than ten authors.
    """
    background = load_background(reading.pack.language)
    if not background.suffices or reading.units < _FEWEST_UNITS[reading.pack.language]:
        return ()
    tics = [*_turns(reading, names, hers, background)]
    tics += _forms(reading, hers, background)
    tics = [pattern for pattern in _each_once(tics) if pattern.words not in leave_out]
    if tics and speaks_without_marks(reading):
        return ()  # its speech is counted with them
    return tuple(sorted(tics, key=_rank)[:MOST])


def _rank(pattern: Pattern) -> tuple[int, float]:
    """Returns where a pattern stands: a single word behind turns and forms, and behind it forms
    that are often meant."""
    is_doubted = pattern.is_word or pattern.words in _BEHIND
    doubt = 2 if pattern.words in _COMMON_FORMS else int(is_doubted)
    return doubt, -pattern.certainty


def _each_once(tics: Sequence[Pattern]) -> Iterator[Pattern]:
    """Yields the patterns without those that another one says already: clipped sentences that are
    short paragraphs most of them, denials that open a contrast, a word that is one of many of a
    form's, and a form that is one turn most of the time."""
    forms = {tic.words: tic for tic in tics if tic.is_form}
    turns = [tic for tic in tics if not tic.is_form]
    for tic in tics:
        named = forms.get(_SAID_BY.get(tic.words, ""))
        others = [named] if named else []
        if tic.words in _BEHIND:
            others += turns
        elif tic.is_word:
            others = [o for o in forms.values() if 2 * len(tic.places) < len(o.places)]
        if not any(2 * _count_again(tic.places, o.places) >= len(tic.places) for o in others):
            yield tic


def _count_again(places: Sequence[Span], other: Sequence[Span]) -> int:
    return sum(any(s.start <= o.end and o.start <= s.end for o in other) for s in places)


def _names(reading: Reading, names: Iterable[str]) -> list[Span]:
    """Returns where names stand: those the studio knows, and those the text reveals."""
    text, places = reading.text, []
    for name in {*names, *name_runs(text, reading.pack)}:
        at = text.find(name) if name else -1
        while at >= 0:
            end = at + len(name)
            if not (
                _goes_on(text, at - 1, at) or (name[-1].isascii() and _goes_on(text, end - 1, end))
            ):
                places.append(Span(at, end))
            at = text.find(name, end)
    return places


def _goes_on(text: str, one: int, two: int) -> bool:
    """Whether two signs belong to one word; Chinese sets none apart."""
    if one < 0 or two >= len(text) or "\u3400" <= text[two] <= "\u9fff":
        return False
    return text[one].isalpha() and text[two].isalpha()


def _turns(
    reading: Reading, names: Iterable[str], hers: Hers, background: FictionTable
) -> Iterator[Pattern]:
    if has_old_spelling(reading):
        return  # the table knows its words by another spelling
    text_words = words_of(reading, [*_names(reading, names), *_copies(reading), *_letters(reading)])
    total = len(text_words)
    candidates: dict[str, _Judged] = {}
    for gram, every in recurring(text_words, FEWEST).items():
        if not _is_a_turn(gram, text_words, background, reading.pack):
            continue
        own = [start for start in every if not _is_denied(gram, start, text_words, reading)]
        if len(own) < _FEWEST_TIMES[reading.pack.language]:
            continue
        compared = _compared(len(own), total, (gram,), hers, background)
        if (
            compared is None
            or not _is_spread(own, text_words)
            or _is_cut_through(gram, own, text_words)
            or _names_somebody(gram, own, text_words, reading)
            or _is_refrain(gram, own, text_words, reading)
            or _is_talked_of(gram, own, text_words, reading)
            or is_the_tellers(_as_written(_places(gram, own, text_words), reading.text), reading)
        ):
            continue
        candidates[gram] = _Judged(own, *compared)
    turns = _without_formulas(_longest(candidates, text_words), text_words)
    for gram, row in turns.items():
        places = _places(gram, row.own, text_words)
        yield Pattern(_as_written(places, reading.text), places, row.usual, row.certainty, row.most)
    yield from _words(reading, text_words, turns, hers, background)


def _words(
    reading: Reading,
    text_words: TextWords,
    turns: Mapping[str, _Judged],
    hers: Hers,
    background: FictionTable,
) -> Iterator[Pattern]:
    """Yields the gestures and qualities that no turn of phrase already names."""
    share = min(1.0, max(_LEAST_SHARE, reading.units / background.window))
    in_turns = {start for row in turns.values() for start in row.own}
    for keys, size, own in single_words(
        text_words, reading.pack, _FEWEST_WORDS[reading.pack.language]
    ):
        compared = _compared(len(own), len(text_words), keys, hers, background, share)
        is_named = any(abs(start - other) < LONGEST for start in own for other in in_turns)
        if compared is None or is_named or not _is_spread(own, text_words):
            continue
        if _is_somebody(keys, own, text_words) or _is_speaker(own, text_words, reading):
            continue
        compared = _compared_today(len(own), keys, reading, compared)
        if compared is None:
            continue
        before, behind = _beside(own, text_words, -1, -1), _beside(own, text_words, size, 1)
        if text_words.joint:
            before = behind = 0
        places = tuple(
            Span(
                text_words.places[start - before][0],
                text_words.places[start + size + behind - 1][1],
            )
            for start in own
        )
        yield Pattern(_each_as_written(places, reading), places, *compared, is_word=True)


def _compared_today(
    times: int, keys: Sequence[str], reading: Reading, compared: tuple[float, float, int]
) -> tuple[float, float, int] | None:
    """Returns what is usual, the certainty and the most of a word, by fiction of today where that
    has more of it than the table, or None where there is no more than there may be."""
    thousands = reading.units / 1000
    if times < thousands * max(_RATE_OF_COMMON_WORD.get(key, 0.0) for key in keys):
        return None
    usual, certainty, most = compared
    for rate, most_today in (_of_today()[key] for key in keys if key in _of_today()):
        usual, most = max(usual, rate * thousands), max(most, most_today)
    return None if times < _TIMES * usual else (usual, certainty, most)


def _is_somebody(keys: Sequence[str], own: Sequence[int], text_words: TextWords) -> bool:
    """Whether a doubled Chinese word is whom the clauses are about: 微微 may be a name, and then it
    opens most of them; how somebody does a thing stands behind him."""
    if text_words.joint or len(keys) > 1 or keys[0][0] != keys[0][-1]:
        return False
    opens = sum(start == 0 or not text_words.words[start - 1] for start in own)
    return 2 * opens > len(own)


def _is_speaker(own: Sequence[int], text_words: TextWords, reading: Reading) -> bool:
    """Whether a word is who speaks in a chapter, so that no gesture is meant: said the whisper."""
    starts = [text_words.places[start][0] for start in own]
    tags = sum(is_who_speaks(reading.text, start, reading.pack.language) for start in starts)
    return tags >= _FEWEST_TAGS and tags >= _SHARE_OF_TAGS * len(own)


def _copies(reading: Reading) -> list[Span]:
    """Returns what stands word for word before, paragraphs and sentences of some length: what they
    hold counts once. Who writes the same sentence again means it."""
    seen: set[str] = set()
    copies = []
    shortest = _REFRAIN[reading.pack.language]
    for paragraph, part in reading.prose:
        words = " ".join(part.text.split())
        if words in seen and count_words(words, reading.pack) >= shortest:
            copies.append(Span(paragraph.start, paragraph.end))
        seen.add(words)
        for sentence in part.sentences:
            words = " ".join(part.text[sentence.start : sentence.end].split())
            if count_words(words, reading.pack) < shortest:
                continue
            if words in seen and words != " ".join(part.text.split()):
                start = paragraph.start + sentence.start
                copies.append(Span(start, start + sentence.end - sentence.start))
            seen.add(words)
    return copies


def _letters(reading: Reading) -> list[Span]:
    """Returns what follows the greeting of a letter that nobody closed: a draft of one, which
    begins again as its writer does, on purpose."""
    texts = [part.text for _, part in reading.prose]
    return [
        Span(paragraph.start, paragraph.end)
        for number, (paragraph, part) in enumerate(reading.prose)
        if is_within_letter(texts[:number], part.text)
    ]


def _is_denied(gram: str, start: int, text_words: TextWords, reading: Reading) -> bool:
    """Whether this place says that it is not so; an answer is no instance of a habit."""
    size = len(gram.split(text_words.joint)) if text_words.joint else len(gram)
    first, last = text_words.places[start], text_words.places[start + size - 1]
    if reading.pack.language == "ko":
        return bool(_DENIED.match(reading.text, last[0], last[1] + 4))
    if reading.pack.language == "zh":
        return reading.text[first[0] - 1 : first[0]] in ("不", "没", "沒")
    return False


def _is_cut_through(gram: str, own: Sequence[int], text_words: TextWords) -> bool:
    """Whether nearly all places of a Chinese run go on alike, so that it is part of a word."""
    if text_words.joint:
        return False
    for offset in (-1, len(gram)):
        beside = Counter(text_words.words[at] if (at := n + offset) >= 0 else "" for n in own)
        word, times = beside.most_common(1)[0]
        if word and _NEARLY_ALL * len(own) <= times < len(own):
            return True
    return False


_AS_WHAT = re.compile("(?<=..)(?:(?:이?라는|이?란)|(?:으?로서의?))$")
"""Matches what stands behind whom or what one is called or acts as."""


def _names_somebody(gram: str, own: Sequence[int], text_words: TextWords, reading: Reading) -> bool:
    """Whether a Korean run names somebody or something of the chapter, with a particle or another:
    its subject. How many they are (세 아이) is a way to tell of them and may be a tic."""
    parts = _parts(gram, text_words)
    if reading.pack.language != "ko" or (parts[0] in _NUMBERS and parts[1] != _ORDINAL):
        return False
    if _ORDINAL in parts:
        return True
    last = [place.of(reading.text).split()[-1] for place in _places(gram, own, text_words)]
    bare = [without_particle(_AS_WHAT.sub("", word)) for word in last]
    name, times = Counter(bare).most_common(1)[0]
    has_particle = any(word != name == stem for word, stem in zip(last, bare, strict=True))
    return has_particle and times >= _NEARLY_ALL * len(own)


def _is_refrain(gram: str, own: Sequence[int], text_words: TextWords, reading: Reading) -> bool:
    """Whether it stands alone as a paragraph twice: so much weight is given to what is meant."""
    written = {" ".join(place.of(reading.text).split()) for place in _places(gram, own, text_words)}
    alone = sum(" ".join(part.text.strip(_AROUND).split()) in written for _, part in reading.prose)
    return alone >= 2


class _Judged(NamedTuple):
    """A turn of phrase that stands too often."""

    own: list[int]
    """The indices of its first words."""
    usual: float
    certainty: float
    most: int
    """The most that a chapter's length of human fiction has."""


def _compared(
    times: int,
    total: int,
    keys: Sequence[str],
    hers: Hers,
    background: FictionTable,
    share: float = 1.0,
) -> tuple[float, float, int] | None:
    """Returns what is usual, the certainty and the most there is, or None where there is no more
    than there may be. The `keys` are the forms of one word, or a run alone; `share` is the
    part of a window that the text is long."""
    usages = [usage for key in keys if (usage := background.usage(key)).known]
    usages = usages or [background.usage(keys[0])]
    in_fiction = sum(usage.times for usage in usages)
    most = max(usage.most for usage in usages)
    usual = in_fiction / background.words * total
    if times < FEWEST or times <= most * _ABOVE * share or times < _TIMES * usual:
        return None
    certainty = log_likelihood(times, total, in_fiction, background.words)
    if certainty < _SURE or (hers.is_known and _is_hers(keys, times, total, hers)):
        return None
    return usual, certainty, most


def _is_hers(keys: Sequence[str], times: int, total: int, hers: Hers) -> bool:
    """Whether the chapters before this one have as many, as nearly as can be told."""
    own = sum(hers.grams.get(key, 0) for key in keys) + 0.5
    expected = own / hers.words * total
    return times < 2 * expected or log_likelihood(times, total, own, hers.words) < _SURE


def log_likelihood(times: float, total: float, other: float, other_total: float) -> float:
    """Returns twice the log-likelihood ratio of one count against another (Dunning 1993)."""
    share = (times + other) / (total + other_total)
    return 2 * (
        times * math.log(times / (total * share)) + other * math.log(other / (other_total * share))
    )


def _is_a_turn(
    gram: str, text_words: TextWords, background: FictionTable, pack: LanguagePack
) -> bool:
    """Whether a run can be a turn of phrase. A single word is what a chapter is about, and so is
    one with an article or a possessive; a turn has a word in it that every writer needs."""
    parts = _parts(gram, text_words)
    if len(parts) < 2:
        return False
    usages = [background.usage(part) for part in parts]
    often = _OFTEN * background.words / 1e6
    staples = [
        p for p, usage in zip(parts, usages, strict=True) if usage.known and usage.times >= often
    ]
    if pack.language == "ko":  # the table knows too few Korean words to ask that it knows all
        if parts[0] in _SUPERLATIVES or (parts[0] in _BOUND_NOUNS and len(parts) == 2):
            return False
        strange = {*_POINTS, *story_words("ko").surnames} - {"한"}
        if parts[0].startswith(_SELF) or parts[0].endswith("의"):
            return False  # whose it is names a thing: 슬럼가의 사람들이
        return not _POINTS.issuperset(staples) and parts[0] not in strange
    if not all(usage.known for usage in usages):
        return False
    if pack.language == "zh":
        return gram[0] not in _FIRST and gram[-1] not in _LAST and bool(_HINGES.search(gram, 1))
    if len(parts) == 2 and not _WHO.isdisjoint(parts):
        return False
    if parts[-1] in ("had", "was", "were") and _is_content(parts[-2], pack):
        return False  # what the chapter is of: the ship had
    return not _TURNS_ON.isdisjoint(parts) and any(_is_content(part, pack) for part in parts)


def _is_content(word: str, pack: LanguagePack) -> bool:
    """Whether it is more than grammar, and more than the verb of a speech tag."""
    bare = word.replace("'", "")
    return word not in _TURNS_ON and bare not in pack.function_words and word not in _SPEAKS


def _parts(gram: str, text_words: TextWords) -> list[str]:
    """Returns the words of a run; of a Chinese one its pairs of characters."""
    if text_words.joint:
        return gram.split(text_words.joint)
    return [gram[at : at + 2] for at in range(len(gram) - 1)]


def _is_spread(own: Sequence[int], text_words: TextWords) -> bool:
    return len({4 * start // len(text_words.words) for start in own}) >= _QUARTERS


def _is_talked_of(gram: str, own: Sequence[int], text_words: TextWords, reading: Reading) -> bool:
    """Whether people in the chapter speak of it too."""
    thoughts: list[str] = []
    words = _as_written(_places(gram, own, text_words), reading.text).lower()
    if reading.pack.language == "ko":
        words = words[: max(2, len(words) - 1)]  # its particle may be another
        thoughts = [t for _, part in reading.prose for t in _THOUGHT.findall(part.text)]
    return _is_spoken_of(words, len(own), (reading,), thoughts)


def _longest(candidates: Mapping[str, _Judged], text_words: TextWords) -> dict[str, _Judged]:
    """Returns the turns, surest first, each once: where nearly all of one are part of a longer
    one, the longer."""
    turns: dict[str, _Judged] = {}
    for gram, row in sorted(candidates.items(), key=lambda item: -item[1].certainty):
        if any(_share_words(gram, other, text_words) for other in turns):
            continue
        least = _NEARLY_ALL * len(row.own)
        longer = [
            o
            for o in candidates
            if _within(gram, o, text_words) and len(candidates[o].own) >= least
        ]
        best = max(longer, key=len)
        if not any(_share_words(best, other, text_words) for other in turns):
            turns[best] = candidates[best]
    return turns


def _without_formulas(turns: Mapping[str, _Judged], text_words: TextWords) -> dict[str, _Judged]:
    """Returns the turns without those that take turns with another: twelve votes, each told by the
    same two sentences, are a form that is meant. The two halves of one long phrase are not; the
    surer half stands for it."""
    habits: dict[str, _Judged] = {}
    for gram, row in turns.items():
        beside = [o for o in turns if o != gram and _take_turns(row.own, turns[o].own)]
        halves = [o for o in beside if _is_one_phrase(row.own, turns[o].own, text_words)]
        if len(halves) == len(beside) and not any(other in habits for other in halves):
            habits[gram] = row
    return habits


def _is_one_phrase(one: Sequence[int], two: Sequence[int], text_words: TextWords) -> bool:
    """Whether two runs are always as far from each other, with words and no end of a sentence
    between."""
    gaps = {second - first for first, second in zip(sorted(one), sorted(two), strict=False)}
    gap = gaps.pop()
    if gaps or abs(gap) > 2 * LONGEST:
        return False
    starts = one if gap > 0 else two
    return all(all(text_words.words[start : start + abs(gap)]) for start in starts)


def _take_turns(one: Sequence[int], two: Sequence[int]) -> bool:
    """Whether nearly every place of a turn is followed by one of the other's."""
    order = sorted([*((at, 1) for at in one), *((at, 2) for at in two)])
    changes = sum(before[1] != behind[1] for before, behind in pairwise(order))
    return changes >= _NEARLY_ALWAYS * (len(order) - 1)


def _within(gram: str, other: str, text_words: TextWords) -> bool:
    joint = text_words.joint
    return f"{joint}{gram}{joint}" in f"{joint}{other}{joint}" if joint else gram in other


def _share_words(gram: str, other: str, text_words: TextWords) -> bool:
    return bool(set(_parts(gram, text_words)) & set(_parts(other, text_words)))


def _places(gram: str, own: Sequence[int], text_words: TextWords) -> tuple[Span, ...]:
    """Returns where a run stands, with the words that stand beside it every time."""
    size = len(gram.split(text_words.joint)) if text_words.joint else len(gram)
    before, behind = _beside(own, text_words, -1, -1), _beside(own, text_words, size, 1)
    return tuple(
        Span(text_words.places[start - before][0], text_words.places[start + size + behind - 1][1])
        for start in own
    )


def _beside(own: Sequence[int], text_words: TextWords, offset: int, step: int) -> int:
    """Returns how many words from `offset` on, in that direction, are the same everywhere."""
    same = 0
    while same < _MOST_BESIDE:
        at = [start + offset + step * same for start in own]
        words = {text_words.words[n] if 0 <= n < len(text_words.words) else "" for n in at}
        if len(words) > 1 or "" in words:
            break
        same += 1
    return same


def _as_written(places: Sequence[Span], text: str) -> str:
    """Returns the words as they stand most often; of several forms a lowercase one."""
    forms = Counter(" ".join(span.of(text).split()) for span in places)
    return max(forms, key=lambda form: (forms[form], form.islower(), form))


def _each_as_written(places: Sequence[Span], reading: Reading) -> str:
    """Returns a word as it stands most often, or of several words none of which is nearly all of
    them the three commonest; a word with another ending is no other."""
    forms = Counter(span.of(reading.text).lower() for span in places).most_common()
    if reading.pack.language != "zh":
        forms = list({form[:2]: (form, n) for form, n in reversed(forms)}.values())[::-1]
    if forms[0][1] >= _NEARLY_ALL * len(places) or len(forms) == 1:
        return _as_written(places, reading.text)
    return ", ".join(form for form, _ in forms[:3])


def _forms(reading: Reading, hers: Hers, background: FictionTable) -> Iterator[Pattern]:
    for name, find in FORMS.items():
        limit = _limit(name, reading, background)
        if limit is None:
            continue
        fewest, least, mean = limit
        places = instances(name, find(reading), reading)
        rate = 1000 * len(places) / max(1, reading.units)
        usual = mean * reading.units / 1000
        if len(places) < fewest or rate <= least or len(places) < 2 * usual:
            continue
        if name == "negation" and count_apart(places) < _FEWEST_APART[reading.pack.language]:
            continue
        if name not in _ALSO_CLOSE_BY and not _is_through_a_text(places, reading):
            continue
        if hers.is_known and rate < 2 * 1000 * hers.forms.get(name, 0) / max(1, hers.units):
            continue
        certainty = log_likelihood(len(places), reading.units, max(0.5, mean * 1000), 1e6)
        if certainty >= (_SURE_OF_COMMON_FORM if name in _COMMON_FORMS else _SURE_OF_FORM):
            spans = tuple(Span(*place) for place in places)
            yield Pattern(name, spans, usual, certainty, is_form=True)


def _limit(
    name: str, reading: Reading, background: FictionTable
) -> tuple[int, float, float] | None:
    """Returns the least number of a form that is a habit, the rate it has to be above, and what is
    usual; None where it is shown to nobody."""
    language = reading.pack.language
    if name in _TODAY_ALONE[language]:
        return None if has_old_spelling(reading) else _TODAY_ALONE[language][name]
    usage = background.forms.get(name)
    if usage is None or usage.authors < FEWEST_AUTHORS or name in _UNASKED:
        return None
    if name == _OF_THE_GENRE.get(language):
        return None
    today = _TODAY[language].get(name)
    fewest, least = today or (_FEWEST_OF_FORM.get(name, FEWEST), 0.0)
    share = _FORMS_OF_BOOK if today else _FORMS_TO_TELL
    if name == "dash" and language == "en" and reading.is_told_by_one:
        share = _FORMS_TO_TELL  # whoever tells it digresses
    high = usage.values[int(share * (len(usage.values) - 1))]
    return fewest, max(high, least), sum(usage.values) / len(usage.values)


_FEWEST_APART = {"en": 4, "ko": 9, "zh": 3}
"""The least number of denials that stand apart: several in a row are one figure."""


def _is_through_a_text(places: Sequence[Offsets], reading: Reading) -> bool:
    """Whether a form stands in three quarters of a text, more than once in a while."""
    length = len(reading.text)
    quarters = Counter(4 * start // length for start, _ in places)
    return sum(n >= _IN_A_QUARTER * len(places) for n in quarters.values()) >= _QUARTERS


@dataclass(frozen=True, slots=True)
class BookPattern:
    """A turn of phrase or form that a whole book has far too often."""

    words: str
    """As the book has it most often; for a form its name."""
    chapters: Mapping[int, int]
    """How often each chapter has it that does."""
    usual: float
    """How many of them a book of this length has in human fiction."""
    certainty: float
    is_form: bool = False

    @property
    def count(self) -> int:
        """How often it stands in the whole book."""
        return sum(self.chapters.values())


def book_patterns(
    chapters: Mapping[int, Reading], names: Iterable[str] = ()
) -> tuple[BookPattern, ...]:
    """Returns the tics of a book, at most five, the surest first: what stands in at least three
    chapters and a third of them. What she always does is not left out, for here she sees it; what
    a serial is told in is no tic of it, and chapters whose speech stands without marks are none
    here."""
    if len(chapters) < _FEWEST_CHAPTERS:
        return ()
    pack = next(iter(chapters.values())).pack
    background = load_background(pack.language)
    if not background.suffices:
        return ()
    bearers = tuple(names)
    tics = [*_turns_of_book(chapters, bearers, background)]
    forms = _forms_of_book(chapters, background)
    tics += (form for form in forms if not (pack.is_serial and form.words in FORMS_OF_A_SERIAL))
    if tics and any(map(speaks_without_marks, chapters.values())):
        others = {n: one for n, one in chapters.items() if not speaks_without_marks(one)}
        return book_patterns(others, bearers)
    return tuple(sorted(tics, key=lambda pattern: -pattern.certainty)[:MOST_OF_A_BOOK])


def _turns_of_book(
    chapters: Mapping[int, Reading], names: Iterable[str], background: FictionTable
) -> Iterator[BookPattern]:
    first = next(iter(chapters.values()))
    if any(map(has_old_spelling, chapters.values())):
        return
    pool = TextWords(first.pack.language)
    begins: list[int] = []
    for reading in chapters.values():
        begins.append(len(pool.words))
        own_words = words_of(reading, _names(reading, names))
        pool.words += own_words.words
        pool.places += own_words.places
    numbers, texts = list(chapters), [reading.text for reading in chapters.values()]
    total = len(pool)
    candidates: dict[str, _Judged] = {}
    for gram, own in recurring(pool, max(FEWEST, len(chapters))).items():
        if not _is_a_turn(gram, pool, background, first.pack):
            continue
        usage = background.usage(gram)
        usual = usage.times / background.words * total
        certainty = log_likelihood(len(own), total, usage.times, background.words)
        if certainty < _SURE_OF_BOOK or len(own) < _TIMES * usual:
            continue
        if _is_through(Counter(bisect_right(begins, start) for start in own), len(chapters)):
            candidates[gram] = _Judged(own, usual, certainty, usage.most)
    for gram, (own, usual, certainty, _) in _longest(candidates, pool).items():
        at = [bisect_right(begins, start) - 1 for start in own]
        spellings = Counter(
            " ".join(span.of(texts[n]).split())
            for n, span in zip(at, _places(gram, own, pool), strict=True)
        )
        words = max(spellings, key=lambda form: (spellings[form], form.islower(), form))
        if not _is_spoken_of(words.lower(), len(own), chapters.values()):
            yield BookPattern(words, dict(Counter(numbers[n] for n in at)), usual, certainty)


def _is_through(chapters: Counter[int], of: int) -> bool:
    """Whether it runs through a book, and not through two chapters of it."""
    more_than_once = sum(times > 1 for times in chapters.values())
    return more_than_once >= _FEWEST_CHAPTERS and 3 * len(chapters) >= of


def _is_spoken_of(
    words: str, times: int, readings: Iterable[Reading], thoughts: Iterable[str] = ()
) -> bool:
    parts = [part for reading in readings for _, part in reading.prose]
    speech = [span.of(part.text).lower() for part in parts for span in part.speech]
    speech += thoughts
    length = sum(span.end - span.start for part in parts for span in part.narration)
    expected = times * sum(map(len, speech)) / max(1, length)
    return sum(text.count(words) for text in speech) > _SPOKEN * expected


def _forms_of_book(
    chapters: Mapping[int, Reading], background: FictionTable
) -> Iterator[BookPattern]:
    units = sum(reading.units for reading in chapters.values())
    today = _TODAY[next(iter(chapters.values())).pack.language]
    for name, find in FORMS.items():
        usage = background.forms.get(name)
        if usage is None or usage.authors < FEWEST_AUTHORS or name in _UNASKED:
            continue
        counts = {n: times for n, reading in chapters.items() if (times := len(find(reading)))}
        count = sum(counts.values())
        mean = sum(usage.values) / len(usage.values)
        least = today.get(name, (0, 0.0))[1]
        high = max(least, usage.values[int(_FORMS_OF_BOOK * (len(usage.values) - 1))])
        rate = 1000 * count / max(1, units)
        if rate <= high or rate < 2 * mean or not _is_through(Counter(counts), len(chapters)):
            continue
        certainty = log_likelihood(count, units, max(0.5, mean * 1000), 1e6)
        if certainty >= _SURE:
            yield BookPattern(name, counts, mean * units / 1000, certainty, is_form=True)


FORM_NAMES: Mapping[str, str] = {
    "contrast": said("Not this but that"),
    "denial": said("Two denials in a row"),
    "dash": said("Dashes, both of a pair counted"),
    "participle": said("Sentences that trail off in -ing"),
    "short-paragraph": said("Paragraphs of one short sentence"),
    "openings": said("Three sentences in a row with one opening"),
    "tag": said("A manner hung on the speech tag, as in “she said, her voice low”"),
    "clipped": said("Sentences of a few words"),
    "negation": said("Short sentences of denial"),
    "colon": said("Colons in narration"),
    "kind": said("Told by a kind, as in “the way people do”"),
    "likeness": said("Likenesses"),
    "going-on": said("Things going on, as in -고 있었다"),
    "hung-on": said("Looks hung on behind a comma, as in “, his eyes fixed on it”"),
    "way": said("Likened by “the way”, as in “the way she read a page”"),
    "did-not": said("Told by things not done, as in “would not look”"),
    "something": said("“Something” instead of a name"),
    "exactly": said("The exact and the particular, as in “precisely”"),
    "likened": said("Likenesses"),
    "manner": said("Adverbs of manner, as in 짧게, 낮게, 조용히"),
    "voice": said("The sound of a voice beside its words"),
    "body": said("The body’s answers, as in 呼吸, 指尖, 瞳孔"),
    "suddenly": said("Suddenly, as in 忽然"),
    "utterly": said("Words of the utmost degree, as in 极其, 绝对, 瞬间"),
    "gloss": said("Explanations, as in 这意味着"),
    "echo": said("Questions that only hand back the other’s words"),
}
"""What each form of `habits.FORMS` is called."""
BOOK = 30
"""The chapters that count as one book where something is rarer than once in a chapter."""


def counsels(
    reading: Reading,
    names: Iterable[str] = (),
    hers: Hers = NOTHING_EARLIER,
    *,
    leave_out: Collection[str] = (),
) -> tuple[Counsel, ...]:
    """Returns the patterns of a chapter; `leave_out` names the forms that its kind of book is made
    of."""
    ground = SearchableChapter(reading.chapter)
    tics = patterns(reading, names, hers, leave_out=leave_out)
    return tuple(_counsel(pattern, reading, ground) for pattern in tics)


def _counsel(pattern: Pattern, reading: Reading, ground: SearchableChapter) -> Counsel:
    paragraphs = [
        paragraph
        for paragraph, _ in reading.prose
        if any(paragraph.start <= span.start < paragraph.end for span in pattern.places)
    ]
    return Counsel(
        kind="pattern",
        issue=in_words(pattern),
        words=FORM_NAMES[pattern.words] if pattern.is_form else pattern.words,
        count=len(pattern.places),
        usual=round(pattern.usual, 4),
        places=tuple(ground.passage((paragraph,)) for paragraph in paragraphs),
        origin="code",
    )


def in_words(pattern: Pattern) -> str:
    """Returns what a pattern is: how often it stands, and how often it does elsewhere."""
    words = FORM_NAMES[pattern.words] if pattern.is_form else f"“{pattern.words}”"
    count, usual = len(pattern.places), pattern.usual
    if usual >= 1.5:
        return said(
            "{words}: {count} times in this chapter; published prose of this length has {usual}.",
            words=words,
            count=count,
            usual=round(usual),
        )
    chapters = max(1, round(1 / max(usual, 1e-6)))
    if chapters == 1:
        return said(
            "{words}: {count} times in this chapter; published prose of this length has it once.",
            words=words,
            count=count,
        )
    if chapters < 2 * BOOK and count > pattern.most > 0:
        return said(
            "{words}: {count} times in this chapter; no chapter of the published prose it is"
            " compared with has more than {most}.",
            words=words,
            count=count,
            most=pattern.most,
        )
    if chapters < 2 * BOOK:
        return said(
            "{words}: {count} times in this chapter; published prose has it once in {n} chapters.",
            words=words,
            count=count,
            n=chapters,
        )
    return said(
        "{words}: {count} times in this chapter; published prose has it once in {n} books.",
        words=words,
        count=count,
        n=round(chapters / BOOK),
    )

"""What is an instance of a chapter's habit, and what only looks like one: a figure, the form of a
document, somebody's way to talk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from studio.text.language.packs import LanguagePack
from studio.text.metrics.habits import Offsets, is_told
from studio.text.prose.parse import Reading

FORMS_OF_A_SERIAL = frozenset({"short-paragraph", "clipped"})
"""The forms that a serial is told in and a table of books does not know."""
_FORMS_OF_NOTES = frozenset({*FORMS_OF_A_SERIAL, "negation"})
"""The forms that a diary or log is told in."""
_FEWEST_LABELS = 5
_FEWEST_ENTRIES = 3
_ROW = 3
_LIKENESSES_OF = {"ko": ("likened",), "zh": ("likeness",)}
_IN_LINES = {"zh": 0.95, "ko": 0.85}
"""The share of paragraphs of one sentence from which on a chapter is told in lines ..."""
_CHOPPED = 0.5
"""... and in which short Chinese ones are a habit only where so many are short. Korean serials are
read on a phone, and so told."""
_PLAIN_CORRECTION = re.compile(
    r"(?:did|do|does)(?:n['’]t| not)\b|(?:not|never) only\b|.*\bbut (?:at least|still|always)\b"
    r"|not (?:quite|yet|exactly)\b|[^.;]*\byet[.;]",
    re.IGNORECASE | re.DOTALL,
)
"""Matches what English says of two things and the table takes for a contrast: it didn't rain. It
was Sunday."""
_THAT_IT_WAS_NOT = re.compile(r"[^.;]*[.;] ?that\b", re.IGNORECASE)
"""Matches a denial behind which `that` is the denial itself: it was not locked. That was odd."""
_POINTS_AT_ONE = re.compile(r"\b(?:that|this)\s?$", re.IGNORECASE)
"""Matches before a denial what is denied of the same thing: that was not mercy. That was fear."""
_ANOTHER_ACTS = re.compile(
    r"Not [^.]*\.\s+(?!(?:\w+ly|Just|Only|Almost|Already|Half|Still) )(?:The \w+|[A-Z][a-z]+)"
    r" (?:[a-z]+ed|stood|sat|went|came|took|ran|said|rose|fell|held|left|gave|kept|made|felt|heard"
    r"|saw|knew|was|were|had|did)\b"
)
"""Matches a denial behind which somebody acts: not the fourth. Gabriel walked on."""
_OVER_A_STOP = re.compile("아니(?:었다|다)\\.")
_WITHIN_A_SENTENCE = 7
"""The least number of Korean contrasts most of which are within a sentence: X가 아니라 Y is how
anybody corrects a thing."""
_NO_DENIALS = {
    "en": re.compile(
        r"No\.|Not (?:now|yet|much|many|often|always|here|today|tonight)\b|Neither of (?:them|us)\b"
    ),
    "ko": re.compile(
        r"하지만|그러나"
        r"|[^.\n]*(?:수 없었다|보이지 않았다|(?:지만|[아어여와워해려져]서) [^.\n]*다)\."
    ),
}
"""Matches an answer, how much or when, and a fact that has a reason or is not seen."""
_LABEL = re.compile(r"^\[[A-Z][A-Z\d _/.-]{1,30}\]$", re.MULTILINE)
"""Matches who writes the lines below it, alone on a line, in a story of messages."""
_BARE_LABEL = re.compile(r"^[A-Z][A-Z\d _/-]{1,30}:?$", re.MULTILINE)
"""Matches one without brackets, which may be a heading: who writes does so again."""
_MONTHS = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_ENTRIES = {
    "en": re.compile(
        r"^[\W_]*(?:(?:Day|Sol|Night|Week|Entry|Log) (?:\d+|one|two|three|four|five|six|seven|eight"
        r"|nine|ten|[a-z]+teen|twenty\S*|thirty\S*)\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
        rf"[.,:—]|{_MONTHS} \d|\d{{1,2}}(?:st|nd|rd|th)? {_MONTHS}\b)",
        re.MULTILINE,
    ),
    "ko": re.compile(r"^[\W_]*(?:\d+월 \d+일|\d+일\s?(?:째|차))", re.MULTILINE),
    "zh": re.compile(
        r"^[\W_]*(?:[\d一二三四五六七八九十]+月[\d一二三四五六七八九十]+[日号號]|第[\d一二三四五六七八九十百]+[天日])",
        re.MULTILINE,
    ),
}
"""Matches the head of an entry in a diary or log, at the beginning of a line."""
_OLD_SPELLING = re.compile("[가-힣](?:엇|엿|얏|햇|겟|(?<!빼)앗)(?:다|고|지|는|던|스)")
"""Matches the past tense as it was written before 1933."""
_FEWEST_OLD = 8
_TELLERS = frozenset((
    "you", "ask", "believe", "course", "dare", "guess", "honest", "know", "listen", "mean", "mind",
    "reckon", "remember", "say", "suppose", "sure", "tell", "telling", "think", "told", "truth",
))  # fmt: skip
"""English words of a turn by which somebody who tells a story turns to whoever reads."""
_TELLERS_ENDS = ("말이다", "말이지", "말이야", "셈이다", "거든", "잖아", "더라", "더라고")
"""How a Korean one ends a sentence."""


def instances(name: str, places: Sequence[Offsets], reading: Reading) -> Sequence[Offsets]:
    """Returns the places that are instances of a habit."""
    language, text = reading.pack.language, reading.text
    if _is_told_in(name, reading):
        return []
    if name == "negation" and language in _NO_DENIALS:
        places = [place for place in places if not _NO_DENIALS[language].match(text, place[0])]
    if name in ("clipped", "negation"):
        places = _each_figure_once(places, text)
    if name == "openings" and language == "en":
        return [place for place in places if _is_row_of_acts(text[slice(*place)], reading.pack)]
    if name == "contrast" and language == "en":
        return [place for place in places if not _is_of_two_things(place, text)]
    if name == "contrast" and language == "ko":
        over = sum(bool(_OVER_A_STOP.search(text, *place)) for place in places)
        return places if 2 * over >= len(places) or len(places) >= _WITHIN_A_SENTENCE else []
    if name in _LIKENESSES_OF.get(language, ()) and reading.is_told_by_one:
        return []  # it is how whoever tells it talks
    if name in FORMS_OF_A_SERIAL and language in _IN_LINES:
        narration = [part for _, part in reading.prose if is_told(part)]
        lines = sum(len(part.sentences) == 1 for part in narration)
        is_chopped = language == "zh" and len(places) >= _CHOPPED * len(narration)
        if lines >= _IN_LINES[language] * len(narration) and not is_chopped:
            return []
    return places


def _is_told_in(name: str, reading: Reading) -> bool:
    """Whether a form is what a chapter of messages, or a diary, is told in."""
    if name in FORMS_OF_A_SERIAL and _is_of_messages(reading.text):
        return True
    return name in _FORMS_OF_NOTES and _is_of_entries(reading)


def _is_of_two_things(place: Offsets, text: str) -> bool:
    """Whether what is denied and what is said behind it are not of one thing."""
    if _PLAIN_CORRECTION.match(text, *place) or _ANOTHER_ACTS.match(text, *place):
        return True
    before = text[max(0, place[0] - 6) : place[0]]
    return bool(_THAT_IT_WAS_NOT.match(text, *place)) and not _POINTS_AT_ONE.search(before)


def _is_of_messages(text: str) -> bool:
    """Whether a chapter is told in messages under labels."""
    bare = Counter(_BARE_LABEL.findall(text))
    again = max(bare.values(), default=0) >= _ROW
    labels = len(_LABEL.findall(text)) + (bare.total() if again else 0)
    return labels >= _FEWEST_LABELS


def _is_of_entries(reading: Reading) -> bool:
    """Whether a chapter is a diary or log: days, of which one person tells, or in which nobody
    speaks."""
    days = _ENTRIES[reading.pack.language].findall(reading.text)
    if len(days) < _FEWEST_ENTRIES:
        return False
    return reading.is_told_by_one or not any(part.speech for _, part in reading.prose)


def _each_figure_once(places: Sequence[Offsets], text: str) -> list[Offsets]:
    """Returns the sentences, of a row that opens with one word again and again the first alone:
    that is a figure."""
    rows: list[list[Offsets]] = []
    for place in places:
        near = rows and not text[rows[-1][-1][1] : place[0]].strip()
        if near and _opening(rows[-1][-1], text) == _opening(place, text):
            rows[-1].append(place)
        else:
            rows.append([place])
    return [place for row in rows for place in (row[:1] if len(row) >= _ROW else row)]


def _opening(place: Offsets, text: str) -> str:
    return text[slice(*place)].split()[0].lower()


def _is_row_of_acts(row: str, pack: LanguagePack) -> bool:
    """Whether sentences that open alike open with who acts, and are no figure of the writer's:
    that opens with more than one word again and again."""
    words = row.lower().split()
    if words[0].strip("“”\"'‘’") not in pack.subjects.of:
        return False
    return row.lower().count(" ".join(words[:2])) < _ROW


def count_apart(places: Sequence[Offsets]) -> int:
    """Returns how many of them do not follow right behind another."""
    return 1 + sum(two[0] - one[1] > 2 for one, two in pairwise(places)) if places else 0


def has_old_spelling(reading: Reading) -> bool:
    """Whether a Korean text is spelled as before 1933 (하엿다), as no table here is."""
    if reading.pack.language != "ko":
        return False
    return len(_OLD_SPELLING.findall(reading.text)) >= _FEWEST_OLD


def is_the_tellers(turn: str, reading: Reading) -> bool:
    """Whether a turn is how the first person of a chapter talks to whoever reads: if you ask me,
    그랬단 말이다. It is a voice, and no tic."""
    if not reading.is_told_by_one:
        return False
    if reading.pack.language == "ko":
        return turn.endswith(_TELLERS_ENDS)
    return reading.pack.language == "en" and not _TELLERS.isdisjoint(turn.lower().split())

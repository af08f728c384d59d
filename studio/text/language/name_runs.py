"""Names as a text itself reveals them, registered or not (PROSE 3).

English names are capitalised words. Korean and Chinese have no capitals, so a name there is a word
that recurs and does what people do, or carries a marker that only people carry. Where the evidence
is thin a word is left alone: an extra reading of a rewrite is better than refusing it over a tree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from studio.text.language.chinese_names import surnames
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.language.story_words import StoryWords, story_words

_TWICE = 2


def name_runs(text: str, pack: LanguagePack) -> tuple[str, ...]:
    """Returns every name-like run of a text, sorted; each word of an English name is separate."""
    return _name_runs(text, pack.language)


@lru_cache(maxsize=32)
def _name_runs(text: str, language: str) -> tuple[str, ...]:
    words = story_words(language)
    return tuple(sorted(_READERS[language](text, words)))


_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_SHORTENED = re.compile(r"['’](?:ve|d|ll|m|re|t)$")
_AFTER_STOP = re.compile(r"(?:^|[.!?…:;\n]|[—–]|--)[\s\"“”'‘’(\[*_«»—–]*$|[\"“‘'«(\[]$")
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Capt|Sgt|Lt|Col|Rev|Prof)\.\s+$")
_NO_PLURAL = ("ss", "us")


def _english(text: str, words: StoryWords) -> set[str]:
    pack = load_pack("en")
    small: Counter[str] = Counter()
    inner: Counter[str] = Counter()
    opening: Counter[str] = Counter()
    acting: set[str] = set()
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match[0])
        if not word[:1].isupper():
            small[word.lower()] += 1
        elif _may_be_name(word, words):
            inside = not _opens(text, match.start())
            (inner if inside else opening)[word] += 1
            if match[0] != word or _acts(text, match.end(), words):
                acting.add(word)
    usual = words.common | pack.function_words | pack.sentence.starters | words.function
    names = {word for word, count in inner.items() if count >= small[word.lower()]}
    for word, count in opening.items():
        if word.lower() in usual or small[word.lower()] or word.lower().endswith("ly"):
            continue
        plural = word.endswith("s") and not word.endswith(_NO_PLURAL)
        if (word in acting and not plural and not word.endswith("ing")) or (
            count >= _TWICE and word in acting
        ):
            names.add(word)
    return names


def _may_be_name(word: str, words: StoryWords) -> bool:
    if _SHORTENED.search(word):
        return False
    shouted = len(word) > 1 and word.isupper()
    return not shouted and len(word) > 1 and word.lower() not in words.not_names


def _opens(text: str, start: int) -> bool:
    """Whether a word is in a position where any word has a capital."""
    before = text[max(0, start - 24) : start]
    if _ABBREVIATED.search(before):
        return False
    return bool(_AFTER_STOP.search(before)) or start == 0


def _acts(text: str, end: int, words: StoryWords) -> bool:
    """Whether a past-tense verb follows directly."""
    follows = re.match(r"\s+([a-z]+)\b", text[end : end + 24])
    return follows is not None and (follows[1].endswith("ed") or follows[1] in words.acts)


_HANGUL_WORD = re.compile("[가-힣]+")
_SUBJECT = ("이가", "이는", "가", "는", "이", "은", "도", "만")
_OBJECT = ("이를", "이의", "을", "를", "의", "와", "과")
_LONGEST_KOREAN = 4
_FULL_NAME = 3
_ACTING_SHARE = 0.15
"""The minimum share of a name's mentions with an action, where no person marker is present."""
_CALLED = re.compile(r"\s*(?:씨|군|양|님)(?![가-힣]{2})")
_NO_NAME_ENDS = (
    "하",
    "었",
    "았",
    "했",
    "있",
    "없",
    "지",
    "리",
    "려",
    "거",
    "던",
    "않",
    "같",
    "에",
    "에서",
    "것은",
    "것이",
)
_ACT_WITHIN = 14
"""The number of characters after a subject within which its verb identifies a person."""


def _korean(text: str, words: StoryWords) -> set[str]:
    mentions: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    acting: Counter[str] = Counter()
    for match in _HANGUL_WORD.finditer(text):
        base, sign = _korean_base(text, match, words)
        if base and base not in words.function:
            mentions[base] += 1
            marked[base] += sign == "mark"
            acting[base] += sign == "act"
    return {base for base in mentions if _is_person(base, mentions, marked, acting, words)}


def _is_person(
    base: str,
    mentions: Counter[str],
    marked: Counter[str],
    acting: Counter[str],
    words: StoryWords,
) -> bool:
    if len(base) == _FULL_NAME and base[0] in words.surnames and marked[base] + acting[base]:
        return True
    if mentions[base] < _TWICE:
        return False
    return marked[base] > 0 or acting[base] >= max(_TWICE, mentions[base] * _ACTING_SHARE)


def _korean_base(text: str, match: re.Match[str], words: StoryWords) -> tuple[str, str]:
    """Returns the name a word may be a form of, and its evidence: `mark`, `act` or none."""
    word, behind = match[0], text[match.end() : match.end() + 1 + _ACT_WITHIN]
    for mark in words.person_marks:
        base = word.removesuffix(mark)
        if base != word and _korean_name(base, words):
            return base, "mark"
    for particle in (*_SUBJECT, *_OBJECT):
        base = word.removesuffix(particle)
        if base != word and _korean_name(base, words):
            acts = particle in _SUBJECT and any(act in behind for act in words.acts)
            return base, "act" if acts else ""
    if not _korean_name(word, words):
        return "", ""
    return word, "mark" if _CALLED.match(behind) else ""


def _korean_name(base: str, words: StoryWords) -> bool:
    plain = base.removesuffix("들")
    if not 2 <= len(base) <= _LONGEST_KOREAN or plain != base or base in words.not_names:
        return False
    ends = (base[at:] for at in range(len(base) - 1))  # each of two letters or more
    if base[:-1] in words.function or any(end in words.not_names for end in ends):
        return False
    return not base.endswith(_NO_NAME_ENDS)


_MOSTLY = 0.7
_HAN = re.compile("[\u3400-\u9fff]+")
_LEADS = "对向给叫问跟和看让被把见找等替陪拉推扶，。！？；：“”、"


def _chinese(text: str, words: StoryWords) -> set[str]:
    counts: Counter[str] = Counter()
    acting: Counter[str] = Counter()
    names: set[str] = set()
    for run in _HAN.finditer(text):
        part = run[0]
        for at, character in enumerate(part):
            if character in words.surnames:
                names |= _names_with_title(part, at, words)
                for length in (2, 3):
                    candidate = part[at : at + length]
                    if len(candidate) == length and _chinese_name(candidate, words):
                        counts[candidate] += 1
                        acting[candidate] += _acts_in(part, at, length, words)
            elif character in "老小阿" and part[at + 1 : at + 2] in words.surnames:
                names |= _nicknames(part, at, words)
    active = {name: count for name, count in counts.items() if count >= _TWICE and acting[name]}
    return names | {name for name in active if _is_whole(name, counts, active)}


def _is_whole(name: str, counts: Counter[str], active: Mapping[str, int]) -> bool:
    """Whether a two-character name is neither mostly the head of a longer one nor the reverse."""
    if len(name) == _FULL_NAME:
        return counts[name] >= counts[name[:2]] * _MOSTLY
    longer = [count for other, count in active.items() if other != name and other[:2] == name]
    return max(longer, default=0) < counts[name] * _MOSTLY


def _acts_in(part: str, at: int, length: int, words: StoryWords) -> bool:
    behind = part[at + length : at + length + 1]
    before = part[at - 1 : at] if at else "，"
    return (behind in words.acts and bool(behind)) and (before in _LEADS or not at)


def _names_with_title(part: str, at: int, words: StoryWords) -> set[str]:
    """Returns family names followed by a title, such as 沈先生."""
    behind = part[at + 1 :]
    return {part[at] + mark for mark in words.person_marks if behind.startswith(mark)}


def _nicknames(part: str, at: int, words: StoryWords) -> set[str]:
    """Returns nicknames such as 老周 and 小林 that a person's action follows."""
    behind = part[at + 2 : at + 3]
    return {part[at : at + 2]} if behind in words.acts and behind else set()


def _chinese_name(candidate: str, words: StoryWords) -> bool:
    if candidate in words.not_names or candidate[:2] in words.not_names:
        return False
    given = candidate[1:]
    return not any(c in words.function or c in words.acts for c in given)


_READERS: dict[str, Callable[[str, StoryWords], set[str]]] = {
    "en": _english,
    "ko": _korean,
    "zh": _chinese,
}


_TOPIC = re.compile(r"(?:^|[.!?…”\"\n])\s*[“\"]?([가-힣]{2,4}?)(?:은|는|이|가|도)(?=\s)")
_BEGINS = re.compile(r"(?:^|[。！？…”\n])\s*[“「]?([\u4e00-\u9fff]{2,3})")


_AFTER_VERB = "了着著过過"


def may_name_somebody(text: str, chapter: str, pack: LanguagePack) -> bool:
    """Whether a text has what may be a name that the chapter does not have: where a sentence
    begins, before or behind what only people carry, or where somebody acts or is acted on.
    A name that occurs once is not recognised in Korean and Chinese; where another name went, this
    is enough to suspect that somebody took their place."""
    words = story_words(pack.language)
    if pack.language == "ko":
        subjects = _TOPIC.findall(text)
        bases = (_korean_base(text, match, words) for match in _HANGUL_WORD.finditer(text))
        subjects += [base for base, sign in bases if sign == "mark" and base not in words.function]
        return any(s not in chapter and s not in words.not_names for s in subjects)
    if pack.language == "zh":
        heads = [head for head in _BEGINS.findall(text) if head[0] in words.surnames]
        return any(head[:2] not in chapter for head in (*heads, *_once_named(text, words)))
    return False


def _once_named(text: str, words: StoryWords) -> Iterator[str]:
    """Yields what may be Chinese names of two characters: one governed by the word before them, or
    behind a verb, with an act behind: 落了文慧一手."""
    for at in range(1, len(text) - 2):
        candidate, before, behind = text[at : at + 2], text[at - 1], text[at + 2]
        if (
            candidate[0] in surnames() - words.function
            and before in _LEADS + _AFTER_VERB
            and behind in words.acts
            and _HAN.fullmatch(candidate)
            and _chinese_name(candidate, words)
        ):
            yield candidate

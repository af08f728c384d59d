"""The length of a chapter, as its author names it in her own words: “chapters of about 900 words”,
“한 화 천이백 자”, “每章三千字”.

A length of the whole book, of a scene, or of a letter that somebody reads in it, is none of a
chapter. Where her words leave open what they speak of, the length is only a first answer to be
asked about.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from math import inf, isfinite
from typing import Literal, NamedTuple

from studio.story.lengths import OF_ALL, Unit

LengthScope = Literal["chapter", "scene", "each", "all", "book", "page", ""]
"""What a length is said of: `each` of several scenes, `all` of what her words are about, a `page`,
which is a letter or a speech within the story; empty where her words leave it open."""
_LEAST = 100
_MOST_UNSAID = {"words": 20_000, "characters": 40_000}
"""The longest chapter; a length above it that says not what it is of is a book's."""
_SHEET = 200
"""Characters of a sheet of Korean manuscript paper, by which books and stories are measured."""
_NEAR = 40
"""Characters between a length and the word that says what it is of."""


class ToldLength(NamedTuple):
    """A length of a chapter in her words."""

    words: str
    """As she says it."""
    length: int
    is_sure: bool
    """Whether her words say that it is a chapter's."""


class _Named(NamedTuple):
    start: int
    end: int
    length: int
    kind: str


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENTHS = "ten twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: n for n, word in enumerate(_SMALL.split())} | {"a": 1, "an": 1}
_TENS = {word: n * 10 for n, word in enumerate(_TENTHS.split(), start=1) if n > 1}
_WORD = "|".join(sorted({*_ONES, *_TENS, "hundred", "thousand"}, key=len, reverse=True))
_FIGURE = r"\d++(?:,\d{3}(?!\d))*+(?:\.\d++)?+"
"""Possessive: a long row of digits is one figure, and is not tried in every way of dividing it."""
_EN = rf"(?:{_FIGURE}\s?k?|(?:{_WORD})(?:[\s-]+(?:and\s+)?(?:{_WORD}))*)"
_TO = r"\s?(?:-|–|—|~|～|to|or|and|에서|到|至)\s?"
_HANGUL = "[일이삼사오육칠팔구십백천만]"
_KO = rf"(?:{_FIGURE}|{_HANGUL})(?:\s?(?:{_FIGURE}|{_HANGUL}))*"
_HAN = "[一二两兩三四五六七八九十百千万萬零〇]"
_ZH = rf"(?:{_FIGURE}\s?k?|{_HAN}){_HAN}*"
_KO_AFTER = (
    r"(?![가-힣\w])|(?=짜리|로|씩|쯤|정도|안팎|내외|이내|이하|이상|까지|를|만|의|가|는|면|분량"
    r"|(?:나|에)\s|이[고면다]|입니다)"
)
_LENGTHS: tuple[tuple[re.Pattern[str], str, int], ...] = (
    (
        re.compile(
            rf"(?<![\w.,])(?:(?P<low>{_EN}){_TO})?(?P<n>{_EN})[\s-]*words?\b"
            r"(?!\s+(?:(?:a|an|per|each|every)\s+)?(?:day|hour|night|minute|week|morning|sitting))",
            re.IGNORECASE,
        ),
        "words",
        1,
    ),
    (
        re.compile(
            rf"(?:원고지|매수)\s?(?:로|는)?\s?(?:약\s?)?(?:(?P<low>{_KO}){_TO})?(?P<n>{_KO})\s?(?:매|장)"
        ),
        "characters",
        _SHEET,
    ),
    (
        re.compile(
            rf"(?<![가-힣\d.,])(?:(?P<low>{_KO}){_TO})?(?P<n>{_KO})\s?(?:글\s?자|자)"
            rf"(?:{_KO_AFTER})(?!\s?원고지)"
        ),
        "characters",
        1,
    ),
    (
        re.compile(
            rf"(?<![\d.,])(?:(?P<low>{_ZH}){_TO})?(?P<n>{_ZH})\s?[来多余餘]?\s?字(?![母符典面迹形体样眼句])"
        ),
        "characters",
        1,
    ),
    (
        re.compile(rf"字[数數]\s?[:：]?[约約在为為是]?\s?(?:(?P<low>{_ZH}){_TO})?(?P<n>{_ZH})(?!\s?[字章卷])"),
        "characters",
        1,
    ),
    (
        re.compile(
            rf"(?<![\w.,])(?:(?P<low>{_EN}){_TO})?(?P<n>{_EN})[\s-]*characters?\b", re.IGNORECASE
        ),
        "characters",
        1,
    ),
)  # fmt: skip
_SCOPES: tuple[tuple[LengthScope, re.Pattern[str]], ...] = (
    (
        "chapter",
        re.compile(
            r"\b(?:chapters?|episodes?|instal?lments?)\b"
            r"|한\s?화|(?:이번|다음|첫)\s?화|[매각]\s?화|화(?:당|마다|씩)|한\s?회(?:차)?|회차|[매각]\s?회|회(?:당|마다)"
            r"|한\s?편|편(?:당|마다)|(?:한|이번|[매각])\s?장(?!면|편)|장(?:당|마다)|챕터|에피소드"
            r"|每一?[章回话話集]|[一单單各这這本首][章回话話集]|章[节節]",
            re.IGNORECASE,
        ),
    ),
    (
        "scene",
        re.compile(
            r"\bscenes?\b|장면|씬|每一?[场場]|[一各][场場]|第\S{1,2}[场場]|[场場]景", re.IGNORECASE
        ),
    ),
    (
        "book",
        re.compile(
            r"\b(?:novels?|novellas?|books?|manuscript|volumes?|whole|story|in all|in total"
            r"|altogether|total|overall)\b"
            r"|전체|총|모두|합쳐|합해|장편|단편|중편|소설|[한각]\s?권|권당|완결|작품|원고"
            r"|全[书書文篇长長]|[总總]|共|整[本部]|[长長中短]篇|[每一]卷|小[说說]",
            re.IGNORECASE,
        ),
    ),
    ("all", OF_ALL),
    (
        "page",
        re.compile(
            r"\b(?:letters?|speech|speeches|messages?|telegrams?|poems?|articles?|essays?"
            r"|sermons?|confessions?|diary|diaries|testament|monologues?)\b"
            r"|편지|쪽지|연설|메시지|전보|일기|보고서|유서|유언|독백|반성문|탄원서|진술서"
            r"|(?<![相自迷诚通坚确])信(?![任心息念仰号用])|便[条條]|演[讲講说說]|[电電短][报報信]"
            r"|[诗詩]|日[记記]|[报報]告|[遗遺][书書]|独白|[检檢][讨討]|供[词詞]",
            re.IGNORECASE,
        ),
    ),
)
_EACH = re.compile(
    r"[\s,:(（，]{0,3}(?:each\b|apiece\b|씩|(?:(?:a|per|for each|in each)\s+scene|scenes)\b)",
    re.IGNORECASE,
)
_EACH_OF = re.compile(
    r"(?:\b(?:each|apiece|scenes of)|마다|각각?|每一?[个個]?(?:[场場]景?[戏戲]?)?|各)"
    r"[\s:：,，]*(?:(?:is|about|some|of|약|한|约|大约)\s?)*$",
    re.IGNORECASE,
)
_OF_SCENES = re.compile(r"\bscenes?\b|장면|씬|[场場]", re.IGNORECASE)
_DIRECTLY = re.compile(
    r"[\s-]*(?:(?:long|a|an|per|for|in|each|every|the)\s+)*|\s?(?:짜리|정도|쯤|내외|안팎)?\s?(?:분량)?(?:으?로|의|인)?\s?|的?"
)
_ENDS = re.compile(r"[.!?](?=\s|$)|[。！？；\n]")  # fmt: skip
_COUNTED = re.compile(r"\d|[一二两兩三四五六七八九十百千万]")


_ABOUT = re.compile(
    r"^(?:(?:about|around|roughly|some|circa|approximately|approx\.|ca\.|c\.)\s+|[~～〜≈]\s*"
    r"|(?:대략|대충|약|한|大约|大概|差不多|约|約)\s*)",
    re.IGNORECASE,
)
_OR_SO = re.compile(r"\s*(?:or so|정도|쯤|가량|내외|안팎|左右|上下|不到)?\s*[.。]?$", re.IGNORECASE)
_BARE = re.compile(rf"(?:(?P<low>{_EN}|{_KO}|{_ZH}){_TO})?(?P<n>{_EN}|{_KO}|{_ZH})", re.IGNORECASE)


def length_alone(words: str) -> tuple[int, str] | None:
    """Returns the length that words say which hold nothing else, as those of a field do: `1000
    words`, `1,000`, `약 3000자`, `三千字`; and what it counts, empty where they do not say. None
    for other words."""
    plain = unicodedata.normalize("NFKC", words).strip().replace("个字", "字").replace("個字", "字")
    plain = _OR_SO.sub("", _ABOUT.sub("", plain))
    whole = [one for one in _named_in(plain) if (one.start, one.end) == (0, len(plain))]
    if whole:
        return whole[0].length, whole[0].kind
    bare = _BARE.fullmatch(plain)
    if bare is None or plain.lower() in ("a", "an"):
        return None
    high = _number(bare["n"])
    low = _number(bare["low"]) if bare["low"] else high
    if not isfinite(low + high):
        return None
    if 0 < low < 10 <= high:
        low *= _power(high)
    return round((low + high) / 2), ""


def chapter_length_told(
    texts: Iterable[str], unit: Unit, *, of_one: bool = False
) -> ToldLength | None:
    """Returns the length of a chapter that her words name, in the novel's unit: what they say of
    chapters, else a length of which they do not say what it is of."""
    kind = "words" if unit == "words" else "characters"
    if of_one:
        return next(filter(None, (_of_one(text, kind) for text in texts)), None)
    open_ones = []
    for text in texts:
        for words, length, scope in _lengths_in(text, kind):
            if scope == "chapter":
                return ToldLength(words, length, is_sure=True)
            if not scope and length <= _MOST_UNSAID[kind]:
                open_ones.append(ToldLength(words, length, is_sure=False))
    return open_ones[0] if open_ones else None


def _of_one(text: str, kind: str) -> ToldLength | None:
    """Returns the length of the one chapter that a text is about: what it says of all of it, else a
    length of which it does not say what it is of, else that of each of its scenes so many times.
    None where it names two different ones."""
    scenes = scenes_told((text,))
    there = [
        (scope, length * (scenes or 0) if scope == "each" else length, words)
        for words, length, scope in _lengths_in(text, kind)
    ]
    for scopes in ("chapter",), ("all",), ("each",), ("", "scene") if scenes == 1 else ("",):
        most = inf if scopes == ("chapter",) else _MOST_UNSAID[kind]
        named = {n: words for scope, n, words in there if scope in scopes and 0 < n <= most}
        if named:
            (length, words), *others = named.items()
            return None if others else ToldLength(words, length, is_sure=True)
    return None


def scene_length_told(texts: Iterable[str], unit: Unit) -> int | None:
    """Returns the length of a scene that her words name, in the novel's unit."""
    kind = "words" if unit == "words" else "characters"
    named = (one for text in texts for one in _lengths_in(text, kind))
    return next((length for _, length, scope in named if scope in ("scene", "each")), None)


def _lengths_in(text: str, kind: str) -> Iterator[tuple[str, int, LengthScope]]:
    for sentence in _ENDS.split(text):
        there = _named_in(sentence)
        for one in there:
            if one.kind == kind and one.length >= _LEAST:
                words = sentence[one.start : one.end].strip()
                yield words, one.length, _scope(sentence, one)


def _named_in(sentence: str) -> list[_Named]:
    there: list[_Named] = []
    for pattern, kind, times in _LENGTHS:
        for match in pattern.finditer(sentence):
            if any(one.start < match.end() and match.start() < one.end for one in there):
                continue
            high = _number(match["n"])
            low = _number(match["low"]) if match["low"] else high
            if not isfinite(low + high):
                continue
            if 0 < low < 10 <= high:  # “3 to 4k”, “3~4천 자”
                low *= _power(high)
            there.append(_Named(match.start(), match.end(), round((low + high) / 2) * times, kind))
    return sorted(there)


def _power(number: float) -> int:
    return int(10 ** (len(str(int(number))) - 1))


def _scope(sentence: str, one: _Named) -> LengthScope:
    """Returns what a length is of: the nearest word before it says so, or one directly behind."""
    near: list[tuple[int, LengthScope]] = []
    for scope, pattern in _SCOPES:
        for match in pattern.finditer(sentence):
            if match.end() <= one.start:
                gap, behind = sentence[match.end() : one.start], 0
            elif match.start() >= one.end:
                gap = sentence[one.end : match.start()]
                behind = int(scope != "all") if _DIRECTLY.fullmatch(gap) else _NEAR
            else:
                continue
            if _COUNTED.search(gap) or len(gap) + behind > _NEAR:
                continue
            near.append((len(gap) + behind, scope))
    nearest: LengthScope = min(near)[1] if near else ""
    of_each = _EACH.match(sentence, one.end)
    if nearest not in ("chapter", "all") and _OF_SCENES.search(sentence):
        return "each" if of_each or _EACH_OF.search(sentence[: one.start]) else nearest
    return "chapter" if of_each else nearest


def _number(words: str) -> float:
    """Returns a number in figures, or in the words of one of the three languages."""
    plain = words.strip().lower().replace(",", "")
    if re.fullmatch(r"\d+(?:\.\d+)?\s?k?", plain):
        return float(plain.rstrip("k ")) * (1000 if plain.endswith("k") else 1)
    if re.match(r"[a-z]", plain):
        return _number_in_english(re.split(r"[\s-]+", plain))
    return _number_by_powers(plain)


def _number_in_english(words: Iterable[str]) -> float:
    total = part = 0
    for word in words:
        if word == "hundred":
            part = max(1, part) * 100
        elif word == "thousand":
            total, part = total + max(1, part) * 1000, 0
        else:
            part += _ONES.get(word, 0) + _TENS.get(word, 0)
    return total + part


_POWERS = {
    "십": 10, "백": 100, "천": 1000, "만": 10_000,
    "十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000,
}  # fmt: skip
_MARKS = ("일이삼사오육칠팔구", "一二三四五六七八九")
_DIGITS = {mark: n for marks in _MARKS for n, mark in enumerate(marks, 1)} | {"两": 2, "兩": 2}


def _number_by_powers(words: str) -> float:
    """Returns a number such as 천이백, 5천, 两千五百, 两千五 or 1.2万; of two digits beside each
    other (两三千) the one between them."""
    total = part = digit = 0.0
    power = 1
    has_digit = False
    for token in re.findall(rf"{_FIGURE}|\S", words):
        if token in _POWERS:
            power = _POWERS[token]
            if power == 10_000:
                total += (part + digit or 1) * power
                part = 0.0
            else:
                part += (digit if has_digit else 1) * power
            digit, has_digit = 0.0, False
            continue
        if token in "零〇":
            power = 1  # what follows is no half-said hundred
            continue
        value = float(_DIGITS[token]) if token in _DIGITS else float(token)
        digit, has_digit = ((digit + value) / 2 if has_digit else value), True
    rest = digit * (power / 10 if power > 10 and words[-1] in "一二三四五六七八九" else 1)
    return total + part + rest


_NATIVE, _COUNTED_KO = "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열", "하나 둘 셋 넷"
_FEW = {
    **{word: n for word, n in _ONES.items() if 1 <= n <= 12 and word not in ("a", "an")},
    "single": 1,
    **{w: n for n, w in enumerate(_NATIVE.split(), start=1)},
    **{w: n for n, w in enumerate(_COUNTED_KO.split(), start=1)},
    **{w: n for n, w in enumerate("一二三四五六七八九十", start=1)},
    "两": 2,
    "兩": 2,
}
_COUNT = "|".join((*sorted(_FEW, key=len, reverse=True), r"1\d|\d"))
_END = r"\s*(?:[,.:;，。：；、–—(（/]|only\b|each\b|$)"
_SHORT_ONES = r"(?:(?:short|long|brief|quiet|small|separate|\S+-word)\s+)*"
_FIELD = (
    r"(?:\bscenes|장면(?:\s?수)?|[场場]景?[数數]?)\s?[:：]"
    rf"\s?(?P<field>{_COUNT})\s?[개个個]?(?!\w)"
)
_SCENES = re.compile(
    rf"(?:^|[,;:.!?]\s*|\b(?:in|as|into|of|only|just|a|make it|keep it to)\s+)"
    rf"(?:a\s+)?(?P<en>{_COUNT})\s+{_SHORT_ONES}scenes?\b{_END}"
    rf"|(?<![가-힣])(?P<ko>{_COUNT})\s?(?:개의\s?)?장면(?:으로|만|이다|씩|{_END})"
    rf"|장면(?:은|을|만)?\s?(?P<ko2>{_COUNT})(?:\s?개)?(?:로|으로|만|다|{_END})"
    rf"|(?:^|[，。：；、,]|[分写寫](?:[成为為])?|只有?|共|就)\s?(?P<zh>{_COUNT})\s?[个個]?(?:短|小)?"
    rf"(?:场景|場景|场戏|場戲|场|場)(?:{_END})|{_FIELD}",
    re.IGNORECASE | re.MULTILINE,
)
_BESIDE_A_LENGTH = re.compile(
    rf"\b(?P<en>{_COUNT})\s+{_SHORT_ONES}scenes\b"
    rf"|(?<![가-힣\d])(?P<ko>{_COUNT})\s?(?:개의?\s?)?장면"
    rf"|장면(?:\s?수)?[은을이]?\s?(?P<ko2>{_COUNT})(?!\d|\s?(?:번째|[백천만]|자))"
    rf"|(?<![第\d])(?P<zh>{_COUNT})\s?[个個]?(?:短|小)?[场場](?![雨雪梦夢仗病火])"
    rf"|[场場]景(?P<zh2>{_COUNT})[个個]|{_FIELD}",
    re.IGNORECASE,
)
"""The same of two scenes or more, in a sentence that speaks of the length of a text anyway."""


def scenes_told(texts: Iterable[str]) -> int | None:
    """Returns how many scenes her words want a chapter to have; None where they do not say."""
    for text in texts:
        for match in _SCENES.finditer(text):
            if count := _count_in(match):
                return count
        for sentence in _ENDS.split(text):
            there = {_scope(sentence, one) for one in _named_in(sentence) if one.length >= _LEAST}
            beside = _BESIDE_A_LENGTH.finditer(sentence) if there - {"page"} else ()
            if count := next((n for n in map(_count_in, beside) if n > 1), 0):
                return count
    return None


def _count_in(match: re.Match[str]) -> int:
    words = next(filter(None, match.groups())).lower()
    return int(words) if words.isdecimal() else _FEW[words]

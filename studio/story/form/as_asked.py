"""A model's answer put into the form it was asked for, where a reader could say what is meant.

Models that know a form by its description alone write its keys in another case, its kinds in
capitals or as words of another language, numbers as words, one entry where a list was asked for,
and null where nothing is to be said. None of that changes what they say. What is missing where
something has to be said is not invented: it stays a fault of the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from studio.foreign_json import JsonError, read_json

_NO_VALUE = frozenset({"", "null", "none", "nil", "n-a", "undefined"})
"""The words for no value, also where any words may stand: “없음” says of somebody that there is
none, and is a value there."""
_NOTHING = _NO_VALUE | {"nothing", "없음", "없다", "无", "無", "没有", "無し"}
"""The words for nothing in a list, or in the place of a number."""
_NAMED_BY = ("id", "name", "text", "title", "option", "label", "value")
"""Keys by which an object stands for the words that were asked for."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SPAN = re.compile(r"(?<!\d)(\d{1,9})\s*(?:[-~–—～至]|to)\s*(\d{1,9})(?!\d)|(?<!\d)(\d{1,9})(?!\d)")
_ENUMERATION = re.compile(r"\s*[,;、，；/]\s*")
_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_WIDEST_SPAN = 100
_COUNTED: Mapping[str, int] = {
    word: number
    for number, words in enumerate(
        (
            "one 하나 한 一",
            "two 둘 두 二 两",
            "three 셋 세 삼 三",
            "four 넷 네 四",
            "five 다섯 五",
            "six 여섯 육 六",
            "seven 일곱 칠 七",
            "eight 여덟 팔 八",
            "nine 아홉 九",
            "ten 열 십 十",
        ),
        start=1,
    )
    for word in words.split()
}
_ADDRESS = re.compile(r"\s*[\[【(]?\d+\.(\d{1,9})[\])】]?\s*")
"""A label of the material, `2.3`, where the number of a paragraph was asked for."""


def as_asked(kind: type[BaseModel], data: dict[str, Any], *, whole: bool = True) -> dict[str, Any]:
    """Returns an object of an answer in the form of its type, where it can be said what is meant.

    `whole` is the answer itself, in which nothing that is missing is filled in: an absent list is
    not an empty one. In its entries absent words are empty and absent lists have nothing in them.
    A list of which entries may be missing (`DISPENSABLE`) may be null, and any may be the word for
    nothing. A type can say what else its fields are called (`OTHER_NAMES`), and their kinds
    (`OTHER_WORDS`), what is taken where nobody knows the word (`OTHERWISE`), which texts enumerate
    (`ENUMERATED`), what an object in the place of a list holds (`of_pair`), and mend the object
    itself (`mended`).
    """
    names, others = _names(kind), getattr(kind, "OTHER_NAMES", {})
    known = {names.get(key) or names.get(fold(key)) or key: value for key, value in data.items()}
    for key in [key for key in known if others.get(fold(key), key) not in known]:
        known[others[fold(key)]] = known.pop(key)
    for name, field in kind.model_fields.items():
        if name in known:
            known[name] = _fit(kind, name, field.annotation, known[name], whole)
        elif not whole and field.is_required():
            filled = _absent(kind, name, field.annotation)
            if filled is not _UNKNOWN:
                known[name] = filled
    mend = getattr(kind, "mended", None)
    return known if mend is None else mend(known)


def fold(words: str) -> str:
    """Returns a word without case, accents, apostrophes and other separators than hyphens:
    `Show, Don't Tell` is `show-dont-tell`."""
    plain = unicodedata.normalize("NFKD", words.strip()).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c) and c not in "'’`")
    return unicodedata.normalize("NFC", re.sub(r"[\W_]+", "-", plain).strip("-"))


_UNKNOWN: Any = object()


@cache
def _names(kind: type[BaseModel]) -> Mapping[str, str]:
    """Returns the fields of a type by their names in any case and with any separator."""
    names: dict[str, str] = {}
    for name in kind.model_fields:
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
        names |= dict.fromkeys((name, fold(spaced), fold(spaced).replace("-", "")), name)
    return names


def _absent(kind: type[BaseModel], name: str, form: Any) -> Any:
    """Returns what an absent field of an entry says: nothing, if that can be said."""
    otherwise = getattr(kind, "OTHERWISE", {})
    if name in otherwise:
        return otherwise[name]
    form, optional = _bare(form)
    if optional:
        return None
    if form is str:
        return ""
    if get_origin(form) is list:
        return []
    if isinstance(form, type) and issubclass(form, BaseModel) and hasattr(form, "in_words"):
        return form.in_words("")
    return _UNKNOWN


def _bare(form: Any) -> tuple[Any, bool]:
    """Returns a form without None and without what checks it, and whether it had None."""
    if get_origin(form) is Annotated:
        form = get_args(form)[0]
    if get_origin(form) not in (Union, UnionType):
        return form, False
    others = [one for one in get_args(form) if one is not NoneType]
    bare = _bare(others[0])[0] if len(others) == 1 else form
    return bare, len(others) < len(get_args(form))


def _fit(kind: type[BaseModel], name: str, form: Any, value: Any, whole: bool = False) -> Any:
    form, optional = _bare(form)
    nothing = _NO_VALUE if form is str or str in get_args(form) else _NOTHING
    if optional and (value is None or (isinstance(value, str) and fold(value) in nothing)):
        return None
    if value is None:
        is_dispensable = name in getattr(kind, "DISPENSABLE", ())
        filled = [] if is_dispensable else _UNKNOWN if whole else _absent(kind, name, form)
        return value if filled is _UNKNOWN else filled
    if get_origin(form) is list:
        value = _unpacked(value)
        if whole and not isinstance(value, list | dict):
            return [] if isinstance(value, str) and fold(value) in _NOTHING else value
        return _entries(kind, name, get_args(form)[0], value)
    if isinstance(form, type) and issubclass(form, BaseModel):
        made = _object(form, value)
        return None if optional and not isinstance(made, dict) else made
    if form is str:
        return _words(value)
    if form in (int, float):
        return _number(kind, name, form, value)
    if form is bool and isinstance(value, str):
        return True if fold(value) in _YES else False if fold(value) in _NO else value
    if get_origin(form) is Literal or (isinstance(form, type) and issubclass(form, Enum)):
        return _kind(kind, name, form, value)
    return value


def _unpacked(value: Any) -> Any:
    """Returns a list that is given as a text of JSON."""
    if not isinstance(value, str) or not value.strip().startswith("["):
        return value
    try:
        return read_json(value, list, lenient=True)
    except JsonError:
        return value


def _object(form: type[BaseModel], value: Any) -> Any:
    if isinstance(value, dict):
        return as_asked(form, value, whole=False)
    if isinstance(value, str | int | float) and hasattr(form, "in_words"):
        return form.in_words(str(value))
    if isinstance(value, list) and hasattr(form, "of_list"):
        return as_asked(form, form.of_list(value), whole=False)
    return value


def _words(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, dict):
        named = [value[key] for key in _NAMED_BY if isinstance(value.get(key), str)]
        parts = [one for one in map(_words, value.values()) if isinstance(one, str)]
        whole = bool(parts) and len(parts) == len(value)
        return named[0] if named else "\n".join(parts) if whole else value
    return value


def _entries(kind: type[BaseModel], name: str, form: Any, value: Any) -> Any:
    value = _apart(value) if name in getattr(kind, "ALTERNATIVES", ()) else value
    if isinstance(value, dict) and not (isinstance(form, type) and issubclass(form, BaseModel)):
        value = [value]
    elif isinstance(value, dict) and hasattr(form, "of_pair") and not is_entry(form, value):
        value = [one for key, inner in value.items() for one in form.of_pair(key, inner)]
    elif isinstance(value, dict):
        every = list(value.values())
        value = every if every and all(isinstance(one, dict) for one in every) else [value]
    elif isinstance(value, str) and name in getattr(kind, "ENUMERATED", ()):
        value = [one for one in _ENUMERATION.split(value.strip()) if one]
    elif isinstance(value, str) and form is not int:
        value = [value] if value.strip() else []
    elif not isinstance(value, list):
        value = [value]
    if form is int:
        return [number for one in value for number in _numbers(one)]
    if isinstance(form, type) and issubclass(form, BaseModel):
        value = [one for one in value if not is_nothing(one)]
    return [_fit(kind, name, form, one) for one in value]


_MARK = re.compile(
    r"(?:^[ \t]*|(?<=[\s;；。.]))"
    r"(?:(?P<opens>[(（]?)(?P<one>\d|[a-eA-E]|[가나다라마])(?P<closes>[.)、）])"
    r"(?:\s+|(?=[^\s\d.]))|(?P<ring>[①-⑨])\s*)",
    re.MULTILINE,
)
"""The number or letter before one of several alternatives."""
_COUNTS = ("123456789", "abcde", "ABCDE", "가나다라마", "①②③④⑤⑥⑦⑧⑨")
_A_DIGIT = re.compile(r"^(?:\d[.)、）](?:\s+|(?=[^\s\d.]))|[①-⑨]\s*)")
_SENTENCE_END = re.compile(r"[.!?…;。！？；”\"’'」』)]\s*$")
_BULLET = re.compile(r"^(?:[-*•·]\s+)")
_EITHER_OR = re.compile(r"\s+[/|]\s+|\s*[／｜]\s*")
_ONE_THING = re.compile(r"[和与與及且]或|[他她它祂]{2}|그그|\d\d")
"""What stands right before and behind the stroke of `和／或`, `他／她`, `그／그녀` and `3 / 4`."""
_STOP = re.compile(r"[.!?。！？][”’\"」』）)]*\s*$")
_HELD_TOGETHER = re.compile(
    r"“[^“”]*”|‘[^‘’]*’|「[^「」]*」|『[^『』]*』|\"[^\"]*\"|\([^()]*\)|（[^（）]*）|《[^《》]*》"
)
"""What is one thing, whatever strokes it holds: lines of a song, an aside."""


def _apart(value: Any) -> Any:
    """Returns a list of alternatives, also where all of it, or of one of its entries, is one
    text."""
    alone = value[0] if isinstance(value, list) and len(value) == 1 else value
    if isinstance(alone, str):
        return alternatives_in(alone) if not is_nothing(alone) else value
    if isinstance(alone, list) and all(isinstance(one, str) for one in alone):
        return [piece for one in alone for piece in _ways_in(one)]
    return value


def _ways_in(entry: str) -> list[str]:
    """Returns the alternatives in one entry of several: those with strokes between them, unless
    they end together, as one sentence does."""
    pieces = _at_strokes(entry)
    stops = {_STOP.search(piece) is not None for piece in pieces}
    return pieces if len(stops) == 1 else [entry]


def _at_strokes(words: str) -> list[str]:
    """Returns the alternatives that strokes part in one text; the text alone where a piece would
    hold no word, as in `3 / 4`."""
    masked = _HELD_TOGETHER.sub(lambda held: "\0" * len(held[0]), words)
    marks = [mark.span() for mark in _EITHER_OR.finditer(masked) if not _is_inside(mark)]
    starts, ends = (0, *(end for _, end in marks)), (*(start for start, _ in marks), len(words))
    pieces = [words[start:end] for start, end in zip(starts, ends, strict=True)]
    return pieces if all(any(map(str.isalpha, piece)) for piece in pieces) else [words]


def alternatives_in(words: str) -> list[str]:
    """Returns the alternatives that one text holds: each behind a number, or a line each, or with
    strokes between them; one alone where none of this is seen. A line without a mark goes on the
    one before it that has one."""
    text = words.strip()
    rows = [row for line in text.splitlines() if (row := line.strip())]
    marks = _marks_in(text)
    bullets = [number for number, row in enumerate(rows) if _BULLET.match(row)]
    if len(marks) > 1:
        ends = (*(mark.start() for mark in marks[1:]), len(text))
        pieces = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    elif len(bullets) > 1:
        parts = zip(bullets, (*bullets[1:], len(rows)), strict=True)
        pieces = [_BULLET.sub("", "\n".join(rows[a:b])) for a, b in parts]
    elif len(rows) > 1:
        pieces = [_A_DIGIT.sub("", row) for row in rows]
    else:
        pieces = _at_strokes(text)
    return [one for piece in pieces if (one := " ".join(piece.split()).strip(" ;；"))]


def _is_inside(stroke: re.Match[str]) -> bool:
    """Whether a stroke joins two words into one thing."""
    around = stroke.string[stroke.start() - 1 : stroke.start()] + stroke.string[stroke.end() :][:1]
    return _ONE_THING.match(around) is not None


def _marks_in(text: str) -> list[re.Match[str]]:
    """Returns the marks of the alternatives in a text, from the first on, which opens a line, each
    the next one of its kind; those at the beginning of lines where there are several."""
    marks = list(_MARK.finditer(text))
    opening = [m for m in marks if not text[: m.start()].rpartition("\n")[2].strip()]
    ahead = next((m for m in opening if _counted(m)[1] == 0), None)
    if ahead is None:
        return []
    inside = [m for m in marks if m is ahead or _may_stand_inside(m, text)]
    runs = [_ascending(ahead, those) for those in (opening, inside)]
    return runs[0] if len(runs[0]) > 1 else runs[1]


def _ascending(first: re.Match[str], marks: list[re.Match[str]]) -> list[re.Match[str]]:
    run = [first]
    for mark in marks:
        kind, number = _counted(run[-1])
        if mark.start() > run[-1].start() and _counted(mark) == (kind, number + 1):
            run.append(mark)
    return run


def _counted(mark: re.Match[str]) -> tuple[str, int]:
    """Returns the kind of a mark, and how many of it stand before it where all do."""
    sign = mark["one"] or mark["ring"]
    row = next(row for row in _COUNTS if sign in row)
    return f"{row}{mark['opens']}{mark['closes']}", row.index(sign)


def _may_stand_inside(mark: re.Match[str], text: str) -> bool:
    """Whether a mark may stand inside a line: no letter with a point, which begins a name, and a
    number with one only behind a sentence."""
    if mark["closes"] not in (".", "、"):
        return True
    is_latin = mark["one"].isascii() and mark["one"].isalpha()
    return not is_latin and _SENTENCE_END.search(text[: mark.start()]) is not None


def is_entry(form: type[BaseModel], value: dict[str, Any]) -> bool:
    """Whether an object has a field of an entry, and is one by itself."""
    names, others = _names(form), getattr(form, "OTHER_NAMES", {})
    return any(key in names or fold(key) in names or fold(key) in others for key in value)


def is_nothing(value: Any) -> bool:
    """Whether a value, or its word, says that there is nothing."""
    return value is None or (isinstance(value, str) and fold(value) in _NOTHING)


def _numbers(value: Any) -> list[Any]:
    """Returns the whole numbers that words enumerate: `1-3`, `第1条`."""
    if not isinstance(value, str):
        return [int(value) if isinstance(value, float) and value.is_integer() else value]
    numbers: list[Any] = []
    for first, last, one in _SPAN.findall(value):
        span = range(int(first or one), int(last or one) + 1)
        numbers += list(span) if len(span) <= _WIDEST_SPAN else []
    return numbers or [value]


def _number(kind: type[BaseModel], name: str, form: type, value: Any) -> Any:
    if isinstance(value, str):
        plain = unicodedata.normalize("NFKC", value)
        is_place = form is int and "paragraph" in name
        if is_place and (address := _ADDRESS.fullmatch(plain)):
            return int(address[1])
        numbers = _NUMBER.findall(plain)
        if not numbers and (number := _in_words(kind, name, plain)) is not None:
            return number
        if not numbers or (len(numbers) > 1 and "/" not in value):
            return getattr(kind, "OTHERWISE", {}).get(name, value)
        value = float(numbers[0])
    if form is int and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _in_words(kind: type[BaseModel], name: str, words: str) -> int | None:
    """Returns a number that is given as a word: `four`, `넷`, `high` where that is one."""
    others = getattr(kind, "OTHER_WORDS", {}).get(name, {})
    first, *more = fold(words).split("-")
    return others.get(first, _COUNTED.get(first)) if len(more) < _LONGEST_NUMBER else None


_LONGEST_NUMBER = 2
"""The words of the longest number in words, with what it counts: `one paragraph`."""


def _kind(kind: type[BaseModel], name: str, form: Any, value: Any) -> Any:
    """Returns one of the kinds a field may have; the word as it is if nobody knows it."""
    if not isinstance(value, str):
        return value
    kinds = [one.value for one in form] if get_origin(form) is not Literal else get_args(form)
    by_name = {fold(str(one)): one for one in kinds}
    others = getattr(kind, "OTHER_WORDS", {}).get(name, {})
    head = re.split(r"[:：(（]", value, maxsplit=1)[0]
    for word in (fold(value), fold(head)):
        for form_of_it in (word, word.removesuffix("s")):
            if form_of_it in by_name:
                return by_name[form_of_it]
            if form_of_it in others:
                return others[form_of_it]
    return getattr(kind, "OTHERWISE", {}).get(name, value)

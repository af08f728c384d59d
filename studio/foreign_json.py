"""The one door for JSON that somebody else wrote: a model, a server, a plugin, or whoever last
edited a file of the novel.

What passes it can be computed with and written again: a reader of JSON accepts more than a writer
does (numbers of any length, halves of characters, a thousand nested lists), so an unchecked value
fails later, far from its source, with an error nobody expects there.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import orjson

from studio.messages import said

DEEPEST = 100
"""The maximum nesting of brackets. The studio's own files need about ten levels."""
JsonFault = Literal["syntax", "depth", "twice", "number", "type"]

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or an unterminated string up to the end of the input: without the second form, every
later quotation mark would start another scan to the end."""
_NOT_BRACKETS = re.compile(r"[^\[\]{}]+")
_TOKENS = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]', re.DOTALL)
_DIGITS = re.compile(rb"\d{19}")
"""Stands in every document with an integer beyond 64 bits."""
_MOST_DIGITS = 20
"""The number of digits of a signed 64-bit integer, with its sign."""
_TYPES: dict[type, str] = {dict: "an object", list: "a list", object: "JSON"}


class JsonError(ValueError):
    """JSON that cannot be taken in.

    `fault` is its kind, `why` what is wrong. `line` and `column` count
    from 1, and are 0 where the whole is meant. For an object with a key twice, `key` is that key,
    and `again` the line in which it stands the second time.
    """

    def __init__(
        self,
        fault: JsonFault,
        why: str,
        line: int = 0,
        column: int = 0,
        key: str = "",
        again: int = 0,
    ) -> None:
        place = f"line {line}, column {column}: " if line and column else ""
        super().__init__(f"{place}{why}")
        self.fault, self.why = fault, why
        self.line, self.column = line, column
        self.key, self.again = key, again


def _too_deep(deepest: int) -> str:
    return said("brackets within brackets, deeper than {deepest} levels", deepest=deepest)


def read_json(
    data: bytes | bytearray | str,
    shape: type[Any] = object,
    *,
    lenient: bool = False,
    deepest: int = DEEPEST,
) -> Any:
    """Returns the value of a JSON text, without the byte order mark some programs put before it.

    `shape` is what its top level has to be: `dict`, `list` or any (`object`). A strict reading
    refuses everything doubtful, because a file is read again and a server's page or a plugin's
    answer can do without. The lenient one is for the words of a model, which come only once: NaN
    and Infinity become null, an integer beyond 64 bits becomes infinite, and halves of characters
    stay for `studio.llm.surrogates` to join.

    Raises JsonError with the place: not JSON, nested deeper than `deepest`, a key with two values
    in one object, a number that cannot be written again, or another top level.
    """
    value = _read_leniently(data, deepest) if lenient else _read_strictly(data, deepest)
    if not isinstance(value, shape):
        raise JsonError("type", f"not {_TYPES[shape]}")
    return value


def read_json_lines(lines: Sequence[bytes]) -> Iterator[Any]:
    """Yields the value of each line strictly; None for one that `read_json` refuses.

    Lines that are written again exactly as they stand have lost nothing in reading, so a block of
    such lines is checked at once, in a tenth of the time.
    """
    block = b"[%b]" % b",".join(lines)
    try:
        values = orjson.loads(block)
        if len(values) == len(lines) and orjson.dumps(values) == block:
            yield from values
            return
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        pass
    for line in lines:
        try:
            yield read_json(line)
        except JsonError:
            yield None


def read_json_at(text: str, start: int) -> tuple[Any, int]:
    """Reads the JSON value that begins at `start` in other words, leniently; returns it and the
    index of its end. Raises JsonError like `read_json`."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise JsonError("syntax", error.msg, error.lineno, error.colno) from error
    except RecursionError as error:
        raise JsonError("depth", _too_deep(DEEPEST)) from error
    if _is_deeper(text[start:end], DEEPEST):
        raise JsonError("depth", _too_deep(DEEPEST))
    return value, end


# Leniently


def _read_leniently(data: bytes | bytearray | str, deepest: int) -> Any:
    try:
        text = data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise JsonError("syntax", "no UTF-8") from error
    text = text.removeprefix("\ufeff")
    if _is_deeper(text, deepest):
        raise JsonError("depth", _too_deep(deepest))
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError("syntax", error.msg, error.lineno, error.colno) from error


def _is_deeper(text: str, deepest: int) -> bool:
    """Whether `text` is nested deeper than `deepest`; brackets inside strings do not count."""
    if text.count("[") + text.count("{") <= deepest:
        return False
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > deepest:
            return True
    return False


def _no_number(_name: str) -> None:
    """Replaces NaN and Infinity, no valid scores, with null, which the schemas refuse (M13)."""


def _whole_number(digits: str) -> float:
    number = int(digits) if len(digits) <= _MOST_DIGITS else math.inf
    return number if -(2**63) <= number < 2**63 else math.inf


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object; a key that repeats its value says nothing new."""
    value = dict(pairs)
    if len(value) < len(pairs):
        for key, first in pairs:
            if value[key] != first:
                raise JsonError("twice", f'the key "{key}" twice, with two values', key=key)
    return value


_DECODER = json.JSONDecoder(
    parse_constant=_no_number, parse_int=_whole_number, object_pairs_hook=_object
)


# Loosely


def read_loose_json_at(text: str, start: int) -> tuple[Any, bool]:
    """Reads the JSON value that begins at `start` as a person would who sees what is meant; returns
    it, and whether it has its end.

    Keys and strings may stand in other quotation marks or none, hold line breaks and unescaped
    marks; commas may be too many or missing; comments and Python's True, False and None are read.
    Of a value that breaks off, the entry that is incomplete is left out. Raises JsonError where
    even that leads nowhere, and like `read_json`.
    """
    reading = _LooseReading(text, start)
    value = reading.value()
    return value, not reading.broken_off


_SKIPPED = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|\#[^\n]*)+", re.DOTALL)
_OPENS = {'"': '"”“', "“": '”"', "”": '”"', "'": "'’", "‘": "’'", "＂": "＂"}
_CLOSED = re.compile(
    r"""\s*+(?:[:}\]]|\Z|//|/\*|\#|,\s*+(?:["“”'‘＂{}\[\]\d-]|\Z|//|/\*|true|false|null|True|False|None|[A-Za-z_]\w*\s*:))
    |[^\S\n]*+\n\s*+["“'‘{\[]""",
    re.VERBOSE,
)
"""What stands behind the mark that ends a string: any other mark belongs to its words."""
_BARE_KEY = re.compile(r"[^\W\d][\w-]*(?=\s*:)")
_LOOSE_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_CONSTANT = re.compile(r"(?:true|false|null|none|nan|undefined)\b", re.IGNORECASE)
_CONSTANTS = {"true": True, "false": False}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class _BrokenOff(Exception):
    """The text ends within a value."""


class _LooseReading:
    """One loose reading of a text."""

    def __init__(self, text: str, at: int) -> None:
        self._text, self._at, self._depth = text, at, 0
        self.broken_off = False

    def value(self) -> Any:
        """Returns the value that begins here."""
        mark = self._next()
        if mark in "{[":
            self._depth += 1
            if self._depth > DEEPEST:
                raise JsonError("depth", _too_deep(DEEPEST))
            value = self._object() if mark == "{" else self._list()
            self._depth -= 1
            return value
        if mark in _OPENS:
            return self._string()
        if match := _LOOSE_NUMBER.match(self._text, self._at):
            self._at = match.end()
            return _number_of(match[0])
        if match := _CONSTANT.match(self._text, self._at):
            self._at = match.end()
            return _CONSTANTS.get(match[0].lower())
        raise self._fault()

    def _next(self) -> str:
        """Returns the next character that says something; what follows is not taken yet."""
        if blank := _SKIPPED.match(self._text, self._at):
            self._at = blank.end()
        if self._at >= len(self._text):
            raise _BrokenOff
        return self._text[self._at]

    def _fault(self) -> JsonError:
        line = self._text.count("\n", 0, self._at) + 1
        column = self._at - self._text.rfind("\n", 0, self._at)
        return JsonError("syntax", "no value", line, column)

    def _entries(self, closing: str) -> Iterator[None]:
        """Yields at the beginning of each entry up to the closing bracket."""
        self._at += 1
        while (mark := self._next()) != closing:
            if mark == ",":
                self._at += 1
            else:
                yield
        self._at += 1

    def _list(self) -> list[Any]:
        entries: list[Any] = []
        try:
            for _ in self._entries("]"):
                entry = self.value()
                if not self.broken_off:
                    entries.append(entry)
        except _BrokenOff:
            self.broken_off = True
        return entries

    def _object(self) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        try:
            for _ in self._entries("}"):
                key = self._key()
                if self._next() != ":":
                    raise self._fault()
                self._at += 1
                pairs.append((key, self.value()))
        except _BrokenOff:
            self.broken_off = True
        return _object(pairs)

    def _key(self) -> str:
        if self._next() in _OPENS:
            return self._string()
        bare = _BARE_KEY.match(self._text, self._at)
        if bare is None:
            raise self._fault()
        self._at = bare.end()
        return bare[0]

    def _string(self) -> str:
        closing, words = _OPENS[self._text[self._at]], list[str]()
        self._at += 1
        while self._at < len(self._text):
            char = self._text[self._at]
            self._at += 1
            if char == "\\":
                words.append(self._read_escape())
            elif char in closing and _CLOSED.match(self._text, self._at):
                return "".join(words)
            else:
                words.append(char)
        raise _BrokenOff

    def _read_escape(self) -> str:
        char = self._text[self._at : self._at + 1]
        self._at += 1
        if char == "u" and (code := re.compile("[0-9a-fA-F]{4}").match(self._text, self._at)):
            self._at = code.end()
            return chr(int(code[0], 16))
        return _ESCAPED.get(char, char)


def _number_of(digits: str) -> float:
    return _whole_number(digits) if digits.lstrip("+-").isdigit() else float(digits)


# Strictly


def _read_strictly(data: bytes | bytearray | str, deepest: int) -> Any:
    try:
        raw = data.encode() if isinstance(data, str) else bytes(data)
    except UnicodeEncodeError as error:
        raise JsonError("syntax", "half a character") from error
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise _unreadable(raw, error, deepest) from error
    colons = _colons(value, deepest)
    # Each key has a colon, so their counts are equal unless a key was lost, or written in escapes.
    if colons != raw.count(b":") or b"\\u003" in raw or _DIGITS.search(raw):
        _refuse_lost(raw)
    return value


def _unreadable(raw: bytes, error: orjson.JSONDecodeError, deepest: int) -> JsonError:
    """Returns the error for bytes that orjson refuses: it runs out of levels at a thousand."""
    if _is_deeper(raw.decode(errors="replace"), deepest):
        return JsonError("depth", _too_deep(deepest))
    return JsonError("syntax", error.msg, error.lineno, error.colno)


def _colons(value: Any, deepest: int) -> int:
    """Returns the number of colons with which a value is written again.

    orjson writes 254 levels; the value has to fit with all levels but its own around it, so one
    pass in C both counts and measures the depth.
    """
    wrapped = value
    for _ in range(_LEVELS - deepest):
        wrapped = [wrapped]
    try:
        return orjson.dumps(wrapped).count(b":")
    except orjson.JSONEncodeError as error:
        raise JsonError("depth", _too_deep(deepest)) from error


_LEVELS = 254
"""The number of nested lists that orjson writes."""


def _refuse_lost(raw: bytes) -> None:
    """Raises JsonError if a key occurs twice in one object, or an integer is too long to keep."""
    twice: list[bool] = []

    def note(pairs: list[tuple[str, None]]) -> None:
        twice.append(len(dict(pairs)) < len(pairs))

    def measure(digits: str) -> str:
        if len(digits) > _MOST_DIGITS or not -(2**63) <= int(digits) < 2**64:
            raise _too_long(raw, digits)
        return digits

    json.loads(raw, object_pairs_hook=note, parse_int=measure, parse_float=str)
    if any(twice) and (place := _first_twice(raw)) is not None:
        key, first, again = place
        where = f"in line {first}" if first == again else f"in lines {first} and {again}"
        raise JsonError("twice", f'the key "{key}" twice, {where}', first, 0, key, again)


def _too_long(raw: bytes, digits: str) -> JsonError:
    outside = _TOKENS.sub(lambda token: b" " * len(token[0]), raw)
    match = re.search(rb"(?<![\d.])%b(?![\d.eE])" % re.escape(digits.encode()), outside)
    at = match.start() if match else 0
    column = at - raw.rfind(b"\n", 0, at)
    return JsonError("number", said("a number with too many digits"), _line(raw, at), column)


def _first_twice(raw: bytes) -> tuple[str, int, int] | None:
    """Returns the key and both lines; in valid JSON a brace outside strings is structural."""
    objects: list[dict[str, int]] = []
    for token in _TOKENS.finditer(raw):
        if token[0] == b"{":
            objects.append({})
        elif token[0] == b"}":
            objects.pop()
        elif token[2] is not None:
            key, at = str(orjson.loads(token[1])), token.start()
            if key in objects[-1]:
                return key, _line(raw, objects[-1][key]), _line(raw, at)
            objects[-1][key] = at
    return None


def _line(raw: bytes, at: int) -> int:
    return raw.count(b"\n", 0, at) + 1

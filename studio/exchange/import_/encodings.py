"""Decodes text files: which encoding a file uses, and how certain that is.

The locale plays no part: the same bytes are always read the same way. Valid UTF-8 is UTF-8.
Anything else is decoded with every legacy encoding that fits, and the result that looks most like
Korean, Chinese or a western language wins.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from studio.errors import StudioError, usage
from studio.messages import said

Sureness = Literal["sure", "likely", "guess"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LARGEST_SAMPLE = 200_000
"""The number of characters examined, enough to identify any language."""
_MOST_LETTERS = 0.95
_LIKELY, _PLAUSIBLE, _AHEAD = 0.75, 0.6, 0.25

# The most frequent characters of prose, which a wrong decoding hardly ever contains.
_SYLLABLES = frozenset(
    "이다는에가을를의고은지기하도한로아어나사그리자서시인대해게있라들니만보여일으과요정"
    "었았던면말음와부무스전마제오소수주안선장우없것거저내더때못모신비같구조눈방집물등"
    "손길문생각세상동미히르려바였겠까네왔갔야데드레"
)
_CHARACTERS = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之"
    "年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样"
    "理心她本前开但因只从想实日把手头给三两又很门样被话问长老见声回走眼身几点水风雨夜灯第章"
    "這個們來為國說時會對過發後裡經現當沒動還進樣開從實頭給兩話問長見聲幾點風燈"
)
_RUN = re.compile(r"[^\x00-\x7f]+")
_HANGUL = re.compile("[가-힣\u3131-\u318e]")
_HAN = re.compile("[\u4e00-\u9fff]")
_WIDE_MARKS = frozenset("，。、；：？！“”‘’「」『』《》〈〉（）…—·～　※")
_WESTERN = frozenset(
    "àâäáãåæçéèêëíìîïñóòôöõøœúùûüýÿßÀÂÄÁÅÆÇÉÈÊËÍÎÏÑÓÔÖØŒÚÛÜ‘’“”„‚«»‹›–—…•·©°§£€¡¿\xa0"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text and how it was decoded."""

    text: str
    encoding: str
    """The encoding, under a name that `--encoding` accepts."""
    sureness: Sureness
    how: str
    """A clause that explains the choice, such as `valid UTF-8`."""


def decode(data: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Decodes a file; `encoding` overrides detection.

    Raises StudioError (exit 2) when the encoding is unknown or does not fit, when no encoding fits,
    or when the bytes are not text.
    """
    decoded = _decode_as(data, name, encoding) if encoding else _guess(data, name)
    if "\0" in decoded.text:
        raise usage(
            said(
                "{name} holds zero bytes; it is not a text, or not in {encoding}.",
                name=name,
                encoding=decoded.encoding,
            ),
            said("Save it as plain text in UTF-8, or name its encoding with --encoding."),
        )
    return decoded


def _decode_as(data: bytes, name: str, encoding: str) -> Decoded:
    try:
        codec = codecs.lookup(encoding).name
        text = data.decode(codec)
    except LookupError as error:
        raise usage(
            said("{encoding} is not a text encoding.", encoding=repr(encoding)),
            said("Use utf-8, utf-16, cp949, euc-kr, gb18030, big5, shift_jis, cp1252 or latin-1."),
        ) from error
    except UnicodeError as error:
        raise usage(
            said(
                "{name} is not in {encoding}: {place}.",
                name=name,
                encoding=encoding,
                place=_place(data, error),
            ),
            said("Leave --encoding out to have it detected, or name another one."),
        ) from error
    if codec == "utf-8":
        text = text.removeprefix("\ufeff")
    return Decoded(text, codec, "sure", said("as you said"))


def _guess(data: bytes, name: str) -> Decoded:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return Decoded(data.decode(encoding), encoding, "sure", said("byte order mark"))
            except UnicodeError as error:
                raise usage(
                    said(
                        "{name} begins like {encoding} but is not: {place}.",
                        name=name,
                        encoding=encoding,
                        place=_place(data, error),
                    ),
                    said(
                        "It may have been cut off; save it again, or name its encoding with "
                        "--encoding."
                    ),
                ) from error
    wide = _without_mark(data)
    if wide is not None:
        return wide
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _most_plausible(data, name, error)
    return Decoded(
        text, "utf-8", "sure", said("plain ASCII") if text.isascii() else said("valid UTF-8")
    )


def _without_mark(data: bytes) -> Decoded | None:
    """Decodes UTF-16 without a byte order mark: it has zero bytes and
    consists mostly of letters."""
    if b"\0" not in data or len(data) % 2:
        return None
    for codec in ("utf-16-le", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            text = data.decode(codec)
            sample = text[:_LARGEST_SAMPLE]
            letters = sum(1 for c in sample if c in "\n\r\t" or " " <= c < "\x7f" or _fits(c))
            if letters >= _MOST_LETTERS * len(sample):
                return Decoded(text, codec, "likely", said("zero bytes where UTF-16 has them"))
    return None


def _fits(character: str) -> bool:
    wide = _HANGUL.match(character) or _HAN.match(character)
    return bool(wide) or character in _WIDE_MARKS or character in _WESTERN


def _most_plausible(data: bytes, name: str, fault: UnicodeDecodeError) -> Decoded:
    readings: list[tuple[float, int, str, str]] = []
    for rank, (encoding, looks_right) in enumerate(_OLD):
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if any(text == other for *_, other in readings):
            continue
        readings.append((looks_right(text[:_LARGEST_SAMPLE]), -rank, encoding, text))
    readings.sort(reverse=True)
    if not readings or readings[0][0] < _PLAUSIBLE:
        raise _none_fits(data, name, fault)
    best, _, encoding, text = readings[0]
    ahead = best - (readings[1][0] if len(readings) > 1 else 0.0)
    sureness: Sureness = "likely" if best >= _LIKELY and ahead >= _AHEAD else "guess"
    return Decoded(
        text, encoding, sureness, said("not UTF-8, and reads best as {name}", name=_NAMES[encoding])
    )


def _none_fits(data: bytes, name: str, fault: UnicodeDecodeError) -> StudioError:
    return usage(
        said(
            "The encoding of {name} cannot be determined: as UTF-8, {place}, and in no other "
            "encoding does it read like a text.",
            name=name,
            place=_place(data, fault),
        ),
        said(
            "Name it with --encoding (cp949, gb18030, big5, cp1252, ...), or save the file as "
            "UTF-8."
        ),
    )


def _place(data: bytes, error: UnicodeError) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return str(error)
    line = data.count(b"\n", 0, error.start) + 1
    return said("byte {n} (line {line}) cannot be read", n=error.start, line=line)


# How much a decoding looks like its language: a score from 0 to 1 over non-ASCII text


def _korean(text: str) -> float:
    return _share(text, _HANGUL, _SYLLABLES)


def _chinese(text: str) -> float:
    return _share(text, _HAN, _CHARACTERS)


def _share(text: str, script: re.Pattern[str], frequent: frozenset[str]) -> float:
    strange = [c for c in text if c > "\x7f"]
    letters = [c for c in strange if c not in _WIDE_MARKS]
    if not letters:
        return _PLAUSIBLE if strange else 0.0
    inside = sum(1 for c in letters if script.match(c))
    usual = sum(1 for c in letters if c in frequent)
    return 0.5 * inside / len(letters) + min(0.5, 0.8 * usual / len(letters))


def _western(text: str) -> float:
    """Scores western text: accented letters and marks occur singly between plain letters,
    while wide scripts come in runs."""
    runs = _RUN.findall(text)
    total = sum(map(len, runs))
    fit = sum(len(run) for run in runs if len(run) <= 2 and _WESTERN.issuperset(run))
    return fit / total if total else 0.0


_OLD: tuple[tuple[str, Callable[[str], float]], ...] = (
    ("cp949", _korean),
    ("gb18030", _chinese),
    ("big5", _chinese),
    ("cp1252", _western),
    ("latin-1", _western),
)
_NAMES = {
    "cp949": said("Korean (cp949, euc-kr)"),
    "gb18030": said("Chinese (gb18030, gbk)"),
    "big5": said("Chinese (big5)"),
    "cp1252": said("a western language (cp1252)"),
    "latin-1": said("a western language (latin-1)"),
}

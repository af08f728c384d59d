"""Parses the marks in a paragraph of prose: emphasis, footnote references, line breaks.

Only the Markdown that novelists type counts as a mark. Everything else, HTML and links included, is
literal text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

_LONGEST = 5000
"""The maximum length of an emphasis, so that the search for the end
of a lone asterisk is bounded."""
_SIGN = re.compile(
    r"\\(?P<plain>[\\`*_{}\[\]()#+\-.!<>|~^])"
    r"|(?P<hard>(?:\\|(?<! )[ ]{2,})\n)"
    r"|\[\^(?P<note>[^\]\s]{1,80})\]"
    r"|(?P<emphasis>[*_])"
)
_EMPHASES = {
    "both": (re.compile(r"\*\*\*(?=[^\s*])"), re.compile(r"(?<=[^\s*\\])\*\*\*(?!\*)")),
    "strong": (re.compile(r"\*\*(?=[^\s*])"), re.compile(r"(?<=[^\s*\\])\*\*(?!\*)")),
    "em": (re.compile(r"\*(?=\S)"), re.compile(r"(?<=[^\s\\])(?<!(?<!\*)\*)\*(?!\*)")),
    "strong2": (re.compile(r"(?<!\w)__(?=[^\s_])"), re.compile(r"(?<=[^\s_\\])__(?!\w)")),
    "em2": (re.compile(r"(?<!\w)_(?=[^\s_])"), re.compile(r"(?<=[^\s_\\])_(?!\w)")),
}
"""The opening and closing patterns of each emphasis, in the order they are tried at one position.

A single pattern for both would rescan for the end of every asterisk: minutes for a page of them.
"""
_STYLE = {
    "both": (True, True),
    "strong": (False, True),
    "strong2": (False, True),
    "em": (True, False),
    "em2": (True, False),
}
_DEEPEST = 6
_NEWLINE = re.compile(r"(?<![ \t])[ \t]*\n[ \t]*")
_SIGNS = re.compile(r"^[ \t]*#{1,6}(?=[ \t])", re.MULTILINE)
_HAN = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of a paragraph with uniform formatting."""

    text: str
    italic: bool = False
    bold: bool = False
    note: int | None = None
    """The number of the footnote referenced here, from 1; such a run has no text."""
    breaks: bool = False
    """Whether the run is a line break; such a run has no text."""


Runs = tuple[TextRun, ...]


def runs_of(markdown: str, notes: Mapping[str, int]) -> Runs:
    """Returns the runs of a paragraph; `notes` maps the labels of existing footnotes to numbers."""
    return tuple(merge(_runs(markdown, notes, TextRun(""), 0)))


def plain_text(runs: Sequence[TextRun]) -> str:
    """Returns the words alone, with footnote numbers in brackets."""
    return "".join(
        f"[{run.note}]" if run.note else "\n" if run.breaks else run.text for run in runs
    )


def with_signs_as_words(text: str) -> str:
    """Returns a paragraph in which no line begins like a Markdown heading; it reads as before."""
    return _SIGNS.sub(lambda sign: sign[0].replace("#", "\\#", 1), text)


def unwrap(runs: Sequence[TextRun]) -> Runs:
    """Returns the runs with the source's line ends replaced by a space, or by nothing
    between Chinese characters."""
    whole = "".join(run.text or "\0" for run in runs)
    at, result = 0, []
    for run in runs:
        start = at
        at += len(run.text) or 1
        if "\n" not in run.text:
            result.append(run)
            continue
        text = _NEWLINE.sub(partial(_joint, whole, start), run.text)
        result.append(replace(run, text=text))
    return tuple(result)


def _joint(whole: str, base: int, match: re.Match[str]) -> str:
    before = whole[base + match.start() - 1 : base + match.start()]
    after = whole[base + match.end() : base + match.end() + 1]
    return "" if _HAN.match(before) and _HAN.match(after) else " "


class _Ends:
    """Finds where each emphasis in one text can close, scanning only once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: dict[str, list[int]] = {}

    def behind(self, kind: str, start: int) -> int | None:
        """Returns the first closing position of an emphasis whose words begin at `start`."""
        if kind not in self._places:
            closing = _EMPHASES[kind][1]
            self._places[kind] = [match.start() for match in closing.finditer(self._text)]
        places = self._places[kind]
        index = bisect_right(places, start)
        if index == len(places) or places[index] - start > _LONGEST:
            return None
        return places[index]


def _runs(text: str, notes: Mapping[str, int], style: TextRun, depth: int) -> Iterator[TextRun]:
    if depth == _DEEPEST:
        yield replace(style, text=text)
        return
    ends, at, searched = _Ends(text), 0, 0
    while sign := _SIGN.search(text, searched):
        piece, end = _piece(sign, ends, notes, style, depth)
        if piece is None:
            searched = end
            continue
        if sign.start() > at:
            yield replace(style, text=text[at : sign.start()])
        yield from piece
        at = searched = end
    if at < len(text):
        yield replace(style, text=text[at:])


def _piece(
    sign: re.Match[str], ends: _Ends, notes: Mapping[str, int], style: TextRun, depth: int
) -> tuple[Iterable[TextRun] | None, int]:
    """Returns what a mark stands for and where to read on; None for a literal character, such as an
    unclosed mark or a reference to an unknown footnote."""
    kind = sign.lastgroup or ""
    if kind == "plain":
        return (replace(style, text=sign[kind]),), sign.end()
    if kind == "hard":
        return (TextRun("", breaks=True),), sign.end()
    if kind == "note":
        number = notes.get(sign[kind])
        return (None if number is None else (TextRun("", note=number),)), sign.end()
    return _emphasis(sign.string, sign.start(), ends, notes, style, depth)


def _emphasis(
    text: str, place: int, ends: _Ends, notes: Mapping[str, int], style: TextRun, depth: int
) -> tuple[Iterable[TextRun] | None, int]:
    for kind, (opening, _) in _EMPHASES.items():
        opened = opening.match(text, place)
        end = ends.behind(kind, opened.end()) if opened else None
        if opened is None or end is None:
            continue
        italic, bold = _STYLE[kind]
        inner = replace(style, italic=style.italic or italic, bold=style.bold or bold)
        width = opened.end() - place
        return _runs(text[opened.end() : end], notes, inner, depth + 1), end + width
    return None, place + 1


def merge(runs: Iterable[TextRun]) -> Iterator[TextRun]:
    """Yields the runs with adjacent ones of the same formatting merged."""
    for (_, _, is_text), group in groupby(runs, lambda r: (r.italic, r.bold, bool(r.text))):
        alike = list(group)
        if is_text and len(alike) > 1:
            alike = [replace(alike[0], text="".join(run.text for run in alike))]
        yield from alike

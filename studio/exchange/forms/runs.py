"""The marks in a paragraph of prose: emphasis, footnote references, line breaks.

Only what a novelist types in Markdown is a mark. Everything else, HTML and
links included, is text and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

_SPAN = r"{1,5000}?"
"""How long an emphasis may be: a lone asterisk is not looked for to the end of the book."""
_MARK = re.compile(
    r"\\(?P<plain>[\\`*_{}\[\]()#+\-.!<>|~^])"
    r"|(?P<hard>(?:\\|[ ]{2,})\n)"
    rf"|\*\*\*(?=[^\s*])(?P<both>(?s:.){_SPAN})(?<=[^\s*\\])\*\*\*(?!\*)"
    rf"|\*\*(?=[^\s*])(?P<strong>(?s:.){_SPAN})(?<=[^\s*\\])\*\*(?!\*)"
    rf"|\*(?=\S)(?P<em>(?s:.){_SPAN})(?<=[^\s\\])(?<!(?<!\*)\*)\*(?!\*)"
    rf"|(?<!\w)__(?=[^\s_])(?P<strong2>(?s:.){_SPAN})(?<=[^\s_\\])__(?!\w)"
    rf"|(?<!\w)_(?=[^\s_])(?P<em2>(?s:.){_SPAN})(?<=[^\s_\\])_(?!\w)"
    r"|\[\^(?P<note>[^\]\s]{1,80})\]"
)
_STYLE = {
    "both": (True, True),
    "strong": (False, True),
    "strong2": (False, True),
    "em": (True, False),
    "em2": (True, False),
}
_DEEPEST = 6
_NEWLINE = re.compile(r"(?<![ \t])[ \t]*\n[ \t]*")
_HAN = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a paragraph that looks the same throughout."""

    text: str
    italic: bool = False
    bold: bool = False
    note: int | None = None
    """The footnote whose number stands here, from 1; such a run has no text."""
    breaks: bool = False
    """Whether the line ends here; such a run has no text."""


Runs = tuple[Run, ...]


def runs_of(markdown: str, notes: Mapping[str, int]) -> Runs:
    """The runs of a paragraph; `notes` are the footnotes there are, label to number."""
    return tuple(_merged(_runs(markdown, notes, Run(""), 0)))


def plain_text(runs: Sequence[Run]) -> str:
    """The words alone, with the number of a footnote in brackets."""
    return "".join(
        f"[{run.note}]" if run.note else "\n" if run.breaks else run.text for run in runs
    )


def unwrapped(runs: Sequence[Run]) -> Runs:
    """The runs with no line of the source left in them: where one ended a space stands, or
    nothing between Chinese characters."""
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


def _runs(text: str, notes: Mapping[str, int], style: Run, depth: int) -> Iterator[Run]:
    at = 0
    for match in _MARK.finditer(text) if depth < _DEEPEST else ():
        piece = _piece(match, notes, style, depth)
        if piece is None:
            continue
        if match.start() > at:
            yield replace(style, text=text[at : match.start()])
        yield from piece
        at = match.end()
    if at < len(text):
        yield replace(style, text=text[at:])


def _piece(
    match: re.Match[str], notes: Mapping[str, int], style: Run, depth: int
) -> Iterator[Run] | tuple[Run, ...] | None:
    """What a mark stands for; None where it stands for itself: a footnote there is not."""
    kind = match.lastgroup or ""
    inside = match[kind]
    if kind == "plain":
        return (replace(style, text=inside),)
    if kind == "hard":
        return (Run("", breaks=True),)
    if kind == "note":
        return (Run("", note=notes[inside]),) if inside in notes else None
    italic, bold = _STYLE[kind]
    inner = replace(style, italic=style.italic or italic, bold=style.bold or bold)
    return _runs(inside, notes, inner, depth + 1)


def _merged(runs: Iterator[Run]) -> Iterator[Run]:
    last: Run | None = None
    for run in runs:
        alike = last and run.text and last.text
        if last and alike and (run.italic, run.bold) == (last.italic, last.bold):
            last = replace(last, text=last.text + run.text)
            continue
        if last:
            yield last
        last = run
    if last:
        yield last

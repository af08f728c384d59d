"""Notes to people inside a text: `<!-- -->` and `%% %%`, never measured, sent or exported.

`%%` opens at the start of a line or after white space and closes in its own paragraph; `<!--`
closes anywhere. An unclosed note is prose. The front matter that a Markdown file may begin with is
not prose either, and is skipped in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from studio.messages import Said, said

_FRONT_MATTER = (
    r"\A\ufeff?---[ \t]*\r?\n"
    r"(?=[^\s:#]+:)(?:(?:[^\s:#-][^\s:]*:(?=\s)|[ \t]+\S|-[ \t]|\#)[^\r\n]*\r?\n|\r?\n)+?"
    r"(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)"
)
_OPENING = r"<!--|(?<!\S)%%"
_BLANK_LINE = r"\n[ \t\r]*\n"
_INK = r"[^\r\n]"
"""Patterns kept as text, compiled at the first text that contains notes: the first frame of a text
without notes does not wait for them."""
UNCLOSED = said("A comment that begins with <!-- has no end; what follows it is read as prose.")
_ANCHOR = 24
"""The number of characters before a note by which its place is found in a rewritten paragraph."""


class Apart(NamedTuple):
    """A stretch of a text that is not prose: `text[start:end]`."""

    start: int
    end: int


class ParagraphWithNotes(NamedTuple):
    """A rewritten paragraph with the notes of the old one."""

    text: str
    displaced: tuple[str, ...]
    """Notes whose old place is gone; they are put before the paragraph."""


def front_matter_end(text: str) -> int:
    """Returns where the prose begins after a front matter block; 0 where there is none."""
    match = re.match(_FRONT_MATTER, text)
    return match.end() if match else 0


def note_spans(text: str) -> tuple[Apart, ...]:
    """Returns every note, in order, including the marks."""
    return tuple(_notes(text, 0)) if _may_hold_notes(text) else ()


def unclosed_comment(text: str) -> int | None:
    """Returns the offset of an unclosed `<!--`, which is read as prose; None if there is none."""
    at = text.rfind("<!--")
    return at if at >= 0 and "-->" not in text[at:] else None


def mask(text: str) -> str:
    """Returns the text with notes and front matter blanked out and every offset unchanged."""
    begin = front_matter_end(text) if text.startswith(("---", "\ufeff---")) else 0
    if not begin and not _may_hold_notes(text):
        return text
    pieces = [re.sub(_INK, " ", text[:begin])]
    at = begin
    for note in _notes(text, begin):
        pieces += [text[at : note.start], re.sub(_INK, " ", text[note.start : note.end])]
        at = note.end
    return "".join([*pieces, text[at:]])


def without_notes(text: str) -> str:
    """Returns the text as everybody except its author sees it."""
    if not _may_hold_notes(text):
        return text
    prose, at = "", 0
    for note in _notes(text, 0):
        prose = _join(prose, text[at : note.start])
        at = note.end
    return _join(prose, text[at:])


def with_notes_of(old: str, new: str) -> ParagraphWithNotes:
    """Returns a rewritten paragraph with the old one's notes, each after the words it followed, or
    before the paragraph where those words are gone."""
    displaced = []
    for note in note_spans(old):
        words = old[note.start : note.end]
        anchor = without_notes(old[: note.start]).rstrip()[-_ANCHOR:]
        if words in new:
            continue
        if anchor and new.count(anchor) == 1:
            at = new.index(anchor) + len(anchor)
            new = f"{new[:at]} {words}{new[at:]}"
        else:
            displaced.append(words)
    return ParagraphWithNotes(
        " ".join([*displaced, new]) if new else " ".join(displaced), tuple(displaced)
    )


def about_moved_notes(notes: Iterable[str]) -> Said:
    """Returns the sentence that says which notes stand before their paragraphs now."""
    return said(
        "The words that a note of yours followed were rewritten; it now stands before "
        "its paragraph: {quote}",
        quote=" ".join(notes),
    )


def between(text: str, paragraphs: Sequence[tuple[int, int]]) -> list[str]:
    """Returns the notes between each paragraph (start, end) and the next one."""
    gaps = zip((end for _, end in paragraphs), (start for start, _ in paragraphs[1:]), strict=False)
    return [" ".join(text[n.start : n.end] for n in _notes(text[:b], a)) for a, b in gaps]


def _may_hold_notes(text: str) -> bool:
    # Searching for one character is many times faster than for two, and most chapters have neither.
    return ("%" in text and "%%" in text) or ("<" in text and "<!--" in text)


def _notes(text: str, start: int) -> Iterator[Apart]:
    # Lookahead results are remembered, so no mark scans the same text twice.
    opening, blank_line = re.compile(_OPENING), re.compile(_BLANK_LINE)
    comments_end, paragraph_end = True, -1
    while match := opening.search(text, start):
        begin, start = match.span()
        if match[0] == "<!--":
            end = text.find("-->", start) if comments_end else -1
            comments_end = end >= 0
        else:
            if paragraph_end < start:
                blank = blank_line.search(text, start)
                paragraph_end = blank.start() if blank else len(text)
            end = text.find("%%", start, paragraph_end)
        if end >= 0:
            start = end + len("-->" if match[0] == "<!--" else "%%")
            yield Apart(begin, start)


def _join(before: str, after: str) -> str:
    """Joins two pieces around a removed note without a double space or a wider gap."""
    if not before or before[-1].isspace():
        after = after.lstrip(" \t")
    if not before.strip() or before.endswith("\n\n"):
        after = after.lstrip("\r\n")
    return before + after

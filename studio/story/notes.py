"""Notes to people inside a text: `<!-- -->` and `%% %%`, never measured, sent or exported.

`%%` opens at the start of a line or behind white space and closes in its own paragraph; `<!--`
closes anywhere. One without an end is prose. The front matter a Markdown file may begin with is
no prose either, and is passed over in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from studio.tuples import NamedTuple

_FRONT_MATTER = (
    r"\A\ufeff?---[ \t]*\r?\n"
    r"(?=[^\s:#]+:)(?:(?:[^\s:#-][^\s:]*:(?=\s)|[ \t]+\S|-[ \t]|\#)[^\r\n]*\r?\n|\r?\n)+?"
    r"(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)"
)
_OPENING = r"<!--|(?<!\S)%%"
_BLANK_LINE = r"\n[ \t\r]*\n"
_INK = r"[^\r\n]"
"""All as text: `re` compiles them for the first text that holds notes, and a first frame of one
that holds none does not wait for them."""
UNCLOSED = "A comment that begins with <!-- has no end; what follows it is read as prose."
_ANCHOR = 24
"""Characters before a note by which its place is looked up in a rewritten paragraph."""


class Apart(NamedTuple):
    """A stretch of a text that is no prose: `text[start:end]`."""

    start: int
    end: int


class Restored(NamedTuple):
    """A rewritten paragraph with the notes of the old one."""

    text: str
    displaced: tuple[str, ...]
    """Notes whose old place is gone; they stand before the paragraph."""


def front_matter_end(text: str) -> int:
    """Where the prose begins behind `---` lines of `key: value`; 0 where there are none."""
    match = re.match(_FRONT_MATTER, text)
    return match.end() if match else 0


def note_spans(text: str) -> tuple[Apart, ...]:
    """Every note, in order, marks included."""
    return tuple(_notes(text, 0)) if _may_hold_notes(text) else ()


def unclosed_comment(text: str) -> int | None:
    """Where a `<!--` without an end stands, which is read as prose; None if there is none."""
    at = text.rfind("<!--")
    return at if at >= 0 and "-->" not in text[at:] else None


def masked(text: str) -> str:
    """The text with white space in place of notes and front matter, every offset unchanged."""
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
    """The text as everybody but its author sees it."""
    if not _may_hold_notes(text):
        return text
    prose, at = "", 0
    for note in _notes(text, 0):
        prose = _joined(prose, text[at : note.start])
        at = note.end
    return _joined(prose, text[at:])


def with_notes_of(old: str, new: str) -> Restored:
    """A rewritten paragraph with the notes that stood in the old one, each behind the words it
    stood behind, or before the paragraph where those words are gone."""
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
    return Restored(" ".join([*displaced, new]) if new else " ".join(displaced), tuple(displaced))


def between(text: str, paragraphs: Sequence[tuple[int, int]]) -> list[str]:
    """The notes that stand behind each paragraph (start, end) and before the next one."""
    gaps = zip((end for _, end in paragraphs), (start for start, _ in paragraphs[1:]), strict=False)
    return [" ".join(text[n.start : n.end] for n in _notes(text[:b], a)) for a, b in gaps]


def _may_hold_notes(text: str) -> bool:
    # One character is looked for many times as fast as two, and most chapters have neither.
    return ("%" in text and "%%" in text) or ("<" in text and "<!--" in text)


def _notes(text: str, start: int) -> Iterator[Apart]:
    # What was looked for ahead is remembered, so that no mark looks over the same text again.
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


def _joined(before: str, after: str) -> str:
    """Two pieces with a note gone between them: no double space, no wider gap."""
    if not before or before[-1].isspace():
        after = after.lstrip(" \t")
    if not before.strip() or before.endswith("\n\n"):
        after = after.lstrip("\r\n")
    return before + after

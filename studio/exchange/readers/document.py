"""The common form of a document from another program (paragraphs, headings, breaks, footnotes), its
conversion to Markdown, and what it contains that a manuscript has no place for.

Everything left behind is counted where it is skipped, and the preview of an import lists it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from studio.exchange.forms.runs import (
    Runs,
    TextRun,
    merge,
    plain_text,
    runs_of,
    with_signs_as_words,
)
from studio.exchange.import_.blocks import LineRole, blanks_are_breaks
from studio.messages import said
from studio.story.form.numerals import chinese_numeral, korean_numeral

LeftBehind = Counter[str]
"""Counts by kind; the kinds are those of the sentences below."""

_SENTENCES: Mapping[str, str] = {
    "missing page": said("Pages that {name} lists but does not contain: {n}."),
    "front": said("Pages of {name} that are its cover, title or contents and stay behind: {n}."),
    "picture": said("Pictures of {name} that stay behind: {n}."),
    "comment": said("Comments in {name} that stay behind: {n}."),
    "hidden": said("Hidden passages of {name} that stay behind: {n}."),
    "deletion": said("Passages of {name} that are marked as deleted and stay behind: {n}."),
    "struck": said("Struck-out passages of {name} that stay behind: {n}."),
    "struck text": said("Struck-out passages of {name} that come in as plain text: {n}."),
    "contents": said("Lines of the list of contents of {name} that stay behind: {n}."),
    "edge": said("Headers and footers of {name} that stay behind: {n}."),
    "menu": said("Menus of {name} that stay behind: {n}."),
    "media": said("Films, sounds and frames of {name} that stay behind: {n}."),
    "formula": said("Formulas of {name} that stay behind: {n}."),
    "reading": said("Readings above characters of {name} that stay behind: {n}."),
    "query": said("Queries of {name} that stay behind: {n}."),
    "frame": said("Text boxes of {name} that stay behind: {n}."),
    "embedded": said("Notes shown inside of {name} that are not repeated there: {n}."),
    "foreign": said("Parts of {name} in another format that stay behind: {n}."),
    "form": said("Fields of forms in {name} that stay behind: {n}."),
    "page number": said("Page numbers in the text of {name} that stay behind: {n}."),
    "unread page": said("Pages outside the reading order of {name} that stay behind: {n}."),
    "table": said("Tables of {name} that come in as paragraphs: {n}."),
    "blank": said("Empty paragraphs of {name} that may be scene breaks and are not: {n}."),
    "not compiled": said("Texts of {name} that are not to be compiled and stay behind: {n}."),
    "beside": said("Synopses and notes of {name} that stay behind: {n}."),
    "research": said("Texts of {name} outside of its Draft that stay behind: {n}."),
}


def sentences(name: str, left: LeftBehind) -> Iterator[str]:
    """Yields one sentence for each kind of content that `left` counts in a file."""
    for kind, words in _SENTENCES.items():
        if left[kind]:
            yield words.format(name=name, n=left[kind])


BlockKind = Literal["paragraph", "quote", "heading", "break", "blank"]
"""A blank is an empty paragraph, which may be a scene break; `settle_blanks` decides."""
_MEANT = re.compile(r"([\\*_])")
_EDGES = re.compile(r"(\s*)(.*?)(\s*)\Z", re.DOTALL)
_SPACE = re.compile(r"[\t\r\n\f][ \t\r\n\f]*| [ \t\r\n\f]+")
"""Matches white space other than a single space; single spaces are already right, and a paragraph
can contain millions of them."""


@dataclass(frozen=True, slots=True)
class Item:
    """One block of a document, in order from top to bottom."""

    kind: BlockKind
    runs: Runs = ()
    level: int = 1
    """The level of a heading, 1 to 6."""
    role: LineRole = ""
    """What the document says that the line is, beyond its kind."""


@dataclass
class FootnotedText:
    """A text with its footnotes."""

    items: list[Item] = field(default_factory=list)
    notes: dict[int, Runs] = field(default_factory=dict)
    """The footnotes, keyed by the number in their references."""
    title: str = ""
    last_note: int = 0
    """The highest footnote number after other documents were appended."""
    left: LeftBehind = field(default_factory=Counter)
    """Counts of what the document contains that has no place here."""


def append_document(whole: FootnotedText, part: FootnotedText) -> None:
    """Appends a document to another, continuing its footnote numbers."""
    first = whole.last_note
    referred = (run.note or 0 for item in part.items for run in item.runs)
    whole.last_note += max((*part.notes, *referred), default=0)
    whole.items += [_shift(item, first) for item in part.items]
    whole.notes |= {number + first: runs for number, runs in part.notes.items()}
    whole.left += part.left


def _shift(item: Item, by: int) -> Item:
    runs = tuple(TextRun("", note=run.note + by) if run.note else run for run in item.runs)
    return replace(item, runs=runs)


def settle_blanks(document: FootnotedText) -> None:
    """Replaces empty paragraphs: they are scene breaks where they are rare, and nothing where most
    paragraphs have one below them. In between that cannot be told, and is counted as left behind.

    Those beside a heading or another break are how a page is set.
    """
    items: list[Item] = []
    for item in document.items:
        if item.kind == "blank" and (not items or items[-1].kind not in ("paragraph", "quote")):
            continue
        if item.kind in ("heading", "break") and items and items[-1].kind == "blank":
            items.pop()
        items.append(item)
    if items and items[-1].kind == "blank":
        items.pop()
    blanks = sum(item.kind == "blank" for item in items)
    gaps = sum(
        upper.kind in ("paragraph", "quote") and lower.kind in ("paragraph", "quote")
        for upper, lower in pairwise(item for item in items if item.kind != "blank")
    )
    are_breaks = blanks_are_breaks(blanks, gaps - blanks + 1)
    if blanks and not are_breaks and blanks * 2 <= gaps:
        document.left["blank"] += blanks
    document.items = [
        Item("break") if item.kind == "blank" else item
        for item in items
        if item.kind != "blank" or are_breaks
    ]


def markdown_of(document: FootnotedText) -> str:
    """Renders the document as Markdown with blank lines between paragraphs. Each footnote follows
    the paragraph that refers to it, so that it stays in its chapter."""
    blocks = [block for _, own in _blocks(document) for block in own]
    return "\n\n".join(blocks) + "\n"


def roles_of(document: FootnotedText) -> dict[int, LineRole]:
    """Returns what the document says of single lines of its Markdown, from 1."""
    roles: dict[int, LineRole] = {}
    line = 1
    for role, blocks in _blocks(document) if any(item.role for item in document.items) else ():
        if role:
            roles[line] = role
        line += sum(block.count("\n") + 2 for block in blocks)
    return roles


def _blocks(document: FootnotedText) -> Iterator[tuple[LineRole, list[str]]]:
    """Yields the head of the text and then each item with its footnotes."""
    if document.title:
        yield "", [f"---\ntitle: {json.dumps(document.title, ensure_ascii=False)}\n---"]
    is_headed = any(item.kind == "heading" for item in document.items)
    for item in document.items:
        text = _block(item)
        if text and is_headed and item.kind == "paragraph":
            text = with_signs_as_words(text)
        if text:
            yield item.role, [text, *_notes_of(item, document.notes)]


def _block(item: Item) -> str:
    if item.kind == "break":
        return "* * *"
    if item.kind == "blank":
        return ""
    if item.kind == "heading":
        words = " ".join(plain_text([r for r in item.runs if not r.note]).split())
        return f"{'#' * item.level} {words}" if words else ""
    text = inline_markdown(item.runs)
    if item.kind == "quote" and text:
        return "\n".join(f"> {line}" for line in text.split("\n"))
    return text


def _notes_of(item: Item, notes: Mapping[int, Runs]) -> Iterator[str]:
    for run in item.runs:
        if run.note and run.note in notes:
            yield f"[^{run.note}]: {inline_markdown(notes[run.note])}"


def inline_markdown(runs: Sequence[TextRun]) -> str:
    """Renders runs as Markdown, escaping literal text that would be read as a mark."""
    parts: list[str] = []
    for run in _trim(runs):
        if run.note:
            parts.append(f"[^{run.note}]")
        elif run.breaks:
            parts.append("  \n")
        else:
            parts.append(_style(run, parts[-1][-1:] if parts else ""))
    return "".join(parts).strip()


def _style(run: TextRun, before: str) -> str:
    match = _EDGES.match(run.text)
    assert match is not None  # the pattern matches any text
    left, words, right = match.groups()
    text = _MEANT.sub(r"\\\1", words) if plain_text(runs_of(words, {})) != words else words
    sign = "_" if before == "*" and not left else "*"
    mark = sign * (run.italic + 2 * run.bold)
    return f"{left}{mark}{text}{mark}{right}" if words else run.text


def _trim(runs: Sequence[TextRun]) -> list[TextRun]:
    """Merges runs of the same formatting and reduces white space to single spaces."""
    present = (run for run in runs if run.text or run.note or run.breaks)
    return [
        replace(run, text=_SPACE.sub(" ", run.text)) if _SPACE.search(run.text) else run
        for run in merge(present)
    ]


_EQUATION = re.compile(r"\s*EQ\b")
_ABOVE = re.compile(r"\\s\s*\\up\s*\d*\s*\([^()]*\)\s*[,;]\s*(?P<base>[^()]*)\)")
_OVER = re.compile(r"\\o\s*(?:\\a[a-z])?\s*\([^()]*[,;]\s*(?P<base>[^()]*)\)")


def words_of_equation(instruction: str, left: LeftBehind) -> str:
    """Returns the words that a field of Word's keeps in its instruction alone: the characters below
    a reading (`EQ \\o\\ad(\\s\\up 9(dù),渡)`), or the one in a frame. Counts what stays behind.
    """
    if not _EQUATION.match(instruction):
        return ""
    above, over = _ABOVE.search(instruction), _OVER.search(instruction)
    left["reading" if above else "formula"] += above is not None or over is None
    match = above or over
    return match["base"].strip() if match else ""


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROMANS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"))


def written_number(number: int, form: str) -> str:
    """Returns a number as the numbering of a document writes it. Forms go by Word's names
    (ECMA-376, ST_NumberFormat); one that is not known is written in digits."""
    if form in ("upperLetter", "lowerLetter") and 0 < number <= len(_LETTERS):
        letter = _LETTERS[number - 1]
        return letter.upper() if form == "upperLetter" else letter
    if form in ("upperRoman", "lowerRoman") and number > 0:
        rest, roman = number, ""
        for value, sign in (*_ROMANS, (4, "iv"), (1, "i")):
            roman += sign * (rest // value)
            rest %= value
        return roman.upper() if form == "upperRoman" else roman
    if not 0 < number < 10_000:
        return str(number)
    if form.startswith("korean"):
        return korean_numeral(number)
    if form.startswith(("chinese", "taiwanese", "ideograph", "japanese")):
        return chinese_numeral(number)
    return str(number)

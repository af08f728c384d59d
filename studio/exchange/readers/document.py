"""What a document of another program comes to: paragraphs, headings, breaks and footnotes, and
the Markdown that says the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from studio.exchange.forms.runs import Run, Runs, merged, plain_text, runs_of
from studio.exchange.readers.left_behind import Left

Kind = Literal["paragraph", "quote", "heading", "break"]
_MEANT = re.compile(r"([\\*_])")
_EDGES = re.compile(r"(\s*)(.*?)(\s*)\Z", re.DOTALL)
_SPACE = re.compile(r"[\t\r\n\f][ \t\r\n\f]*| [ \t\r\n\f]+")
"""White space that is no single space; those are as they shall be, and a paragraph can have
millions of them."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that stands for itself, from top to bottom."""

    kind: Kind
    runs: Runs = ()
    level: int = 1
    """Of a heading, 1 to 6."""


@dataclass
class Document:
    """A text with its footnotes."""

    items: list[Item] = field(default_factory=list)
    notes: dict[int, Runs] = field(default_factory=dict)
    """Footnotes by the number their references have."""
    title: str = ""
    last_note: int = 0
    """The highest number of the footnotes that were put behind it."""
    left: Left = field(default_factory=Counter)
    """What of it has no place here."""


def append_document(whole: Document, part: Document) -> None:
    """Puts a document behind another, its footnotes numbered on."""
    first = whole.last_note
    referred = (run.note or 0 for item in part.items for run in item.runs)
    whole.last_note += max((*part.notes, *referred), default=0)
    whole.items += [_shifted(item, first) for item in part.items]
    whole.notes |= {number + first: runs for number, runs in part.notes.items()}
    whole.left += part.left


def _shifted(item: Item, by: int) -> Item:
    runs = tuple(Run("", note=run.note + by) if run.note else run for run in item.runs)
    return Item(item.kind, runs, item.level)


def markdown_of(document: Document) -> str:
    """The document as Markdown: a blank line between paragraphs, each footnote below the
    paragraph that refers to it, so that it stays in its chapter."""
    head = [f"---\ntitle: {json.dumps(document.title, ensure_ascii=False)}\n---"]
    blocks = head if document.title else []
    for item in document.items:
        text = _block(item)
        if text:
            blocks.append(text)
            blocks += _notes_of(item, document.notes)
    return "\n\n".join(blocks) + "\n"


def _block(item: Item) -> str:
    if item.kind == "break":
        return "* * *"
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


def inline_markdown(runs: Sequence[Run]) -> str:
    """Runs as Markdown; what would be read as a mark and is none gets a backslash."""
    parts: list[str] = []
    for run in _trimmed(runs):
        if run.note:
            parts.append(f"[^{run.note}]")
        elif run.breaks:
            parts.append("  \n")
        else:
            parts.append(_styled(run, parts[-1][-1:] if parts else ""))
    return "".join(parts).strip()


def _styled(run: Run, before: str) -> str:
    match = _EDGES.match(run.text)
    assert match is not None  # it fits anything
    left, words, right = match.groups()
    text = _MEANT.sub(r"\\\1", words) if plain_text(runs_of(words, {})) != words else words
    sign = "_" if before == "*" and not left else "*"
    mark = sign * (run.italic + 2 * run.bold)
    return f"{left}{mark}{text}{mark}{right}" if words else run.text


def _trimmed(runs: Sequence[Run]) -> list[Run]:
    """Runs that look alike as one, white space as single spaces."""
    present = (run for run in runs if run.text or run.note or run.breaks)
    return [replace(run, text=_SPACE.sub(" ", run.text)) for run in merged(present)]

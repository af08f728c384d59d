"""Recognizes the studio's own exports, so that the chapters which leave in one come back as they
were, whatever their titles are and however their paragraphs begin.

An export says nothing of the studio; each form is known by how it is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from studio.exchange.import_.headings import LONGEST, heading_of, is_set_as_title, is_title
from studio.exchange.readers.archive_guard import Archive
from studio.exchange.readers.document import FootnotedText

_MARKDOWN_HEADER = re.compile(
    r'---\ntitle: ".*"\n(?:author: ".*"\n)?lang: "(?:en|ko|zh)"\n---\n\n(?=# )'
)
_HEADING = re.compile(r"^(#{1,6})[ \t]+\S", re.MULTILINE)
_PAGE = re.compile(rb'<body>\n<header><h1>.*</h1></header>\n<nav>\n<ol>\n<li><a href="#chapter-\d')
_STYLES = (b'w:styleId="SceneBreak"', b'w:styleId="Front"')
_GAP = "\n\n\n"
"""What is between the chapters of a plain text: two blank lines."""


def chapter_lines(text: str) -> tuple[int, ...]:
    """Returns the lines, from 1, that head the chapters of a normalised text which is an export as
    Markdown or plain text; none for any other text."""
    header = _MARKDOWN_HEADER.match(text)
    if header is None:
        return _lines_of_plain_text(text)
    heads = list(_HEADING.finditer(text, header.end()))
    if any(len(head[1]) > 1 for head in heads):
        return ()  # its title, language and levels are those of somebody else's pandoc
    return tuple(text.count("\n", 0, head.start()) + 1 for head in heads)


def _lines_of_plain_text(text: str) -> tuple[int, ...]:
    """Returns the first lines of what two blank lines part, where nearly all read as titles and not
    all as headings that anybody writes; the book's title and its author stand before them."""
    before, text = len(text) - len(text.lstrip("\n")), text.strip("\n")
    pieces = text.split(_GAP)
    front = next((at for at, piece in enumerate(pieces[1:3], 1) if "\n" in piece), 0)
    chapters = pieces[front:]
    heads = [piece.partition("\n\n")[0] for piece in chapters]
    if not front or any("\n" in piece for piece in pieces[:front]):
        return ()
    if not all("\n\n" in piece and piece[0] != "\n" for piece in chapters):
        return ()
    if any("\n" in head or len(head) > LONGEST for head in heads) or not _are_titles(heads):
        return ()
    lengths = [piece.count("\n") + len(_GAP) for piece in pieces]
    begins = list(accumulate(lengths, initial=before + 1))
    return tuple(begins[front : len(pieces)])


def _are_titles(heads: Sequence[str]) -> bool:
    titles = sum(is_title(head) or is_set_as_title(head) for head in heads)
    headings = [heading_of(head) for head in heads]
    own = sum(heading is None or heading.form == "capitals" for heading in headings)
    return own > 0 and titles * 5 >= len(heads) * 4


def tell_chapters(document: FootnotedText, kind: str, data: bytes) -> None:
    """Says in a document read from an export which headings are those of chapters."""
    level = _level_of_chapters(kind, data)
    if level:
        document.items = [
            replace(item, role="own")
            if item.kind == "heading" and item.level == level and not item.role
            else item
            for item in document.items
        ]


def _level_of_chapters(kind: str, data: bytes) -> int:
    """Returns the level of the chapters' headings in an export; 0 in any other document."""
    if kind == "html":
        return 2 if _PAGE.search(data) else 0
    if kind == "docx":
        styles = _part(data, "word/styles.xml")
        return int(all(sign in styles for sign in _STYLES))
    if kind == "epub":
        return int(b'<section epub:type="chapter">\n<h1>' in _part(data, "EPUB/chapter-"))
    return 0


def _part(data: bytes, name: str) -> bytes:
    """Returns the first part of a document whose name begins so; nothing if there is none."""
    archive = Archive(data, name)
    names = sorted(own for own in archive.names if own.startswith(name))
    return archive.read(names[0]) if names else b""

"""Reads Word documents by way of mammoth, which knows Word's styles."""

from __future__ import annotations

import io
from collections import Counter
from xml.etree.ElementTree import Element

from studio.errors import usage
from studio.exchange.readers.archive_guard import Archive
from studio.exchange.readers.document import Document
from studio.exchange.readers.left_behind import Left
from studio.exchange.readers.markup import CONTENTS, document_of_markup
from studio.messages import said

_STYLES = f"""
p[style-name='Title'] => p.title:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
r[style-name='Emphasis'] => em
r[style-name='Subtle Emphasis'] => em
r[style-name='Intense Emphasis'] => em
r[style-name='Strong'] => strong
p[style-name^='toc '] => p.{CONTENTS}:fresh
p[style-name^='Contents '] => p.{CONTENTS}:fresh
"""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEFT = {
    f"{_W}comment": "comment",
    f"{_W}del": "deletion",
    "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath": "formula",
}


def document_of_word(data: bytes, name: str) -> Document:
    """Returns the prose of a .docx with headings, emphasis and footnotes; comments are left behind,
    which mammoth does as long as no style of ours names them.

    Raises StudioError (exit 2) when the file is damaged or hostile, or mammoth is not installed.
    """
    archive = Archive(data, name)
    left: Left = Counter()
    for part in archive.names:
        if part.endswith((".xml", ".rels")):
            left += _left_behind(archive.xml(part))
    try:
        import mammoth
    except ImportError as error:
        raise usage(
            said(
                "{name} is a Word document, and what reads those (mammoth) is not installed.",
                name=name,
            ),
            said("Install the studio again, or save the document as plain text."),
        ) from error
    try:
        page = mammoth.convert_to_html(
            io.BytesIO(data),
            style_map=_STYLES,
            convert_image=mammoth.images.img_element(lambda image: {"src": ""}),
            include_embedded_style_map=False,
            external_file_access=False,
        )
    except Exception as error:  # mammoth passes on any exception of its dependencies
        raise usage(
            said(
                "{name} cannot be read as a Word document: {reason}.",
                name=name,
                reason=_reason(error),
            ),
            said("Save it again in the program it comes from, or as plain text."),
        ) from error
    document = document_of_markup(str(page.value))
    document.left += left
    return document


def _reason(error: Exception) -> str:
    """Explains why mammoth failed, for readers who do not know mammoth."""
    if isinstance(error, KeyError):
        return said("its text refers to a part that is not in it")
    if isinstance(error, RecursionError):
        return said("it is nested deeper than any text")
    return " ".join(str(error).split()).rstrip(".")[:120] or type(error).__name__


def _left_behind(part: Element) -> Left:
    """Counts what mammoth skips in a part of the document, by Word's names."""
    return Counter(
        kind
        for element in part.iter()
        if (kind := _LEFT.get(element.tag)) is not None
        and (kind != "deletion" or element.find(f".//{_W}delText") is not None)
    )

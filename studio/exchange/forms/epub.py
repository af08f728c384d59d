"""Renders the book as an EPUB 3.3 with table of contents, language, footnotes, and an optional
cover.

The structure follows the W3C specification (EPUB 3.3, sections 4 to 7): `mimetype` first and
uncompressed, a container that names the package, the package that lists every file, and a
navigation document.
"""

from __future__ import annotations

import uuid
from html import escape

from studio.exchange.forms.archive import pack
from studio.exchange.forms.manuscript import Manuscript, SetChapter
from studio.exchange.forms.web_page import STYLE, chapter_markup

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_CONTAINER = (
    f'{_HEAD}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">\n'
    '<rootfiles><rootfile full-path="EPUB/package.opf"'
    ' media-type="application/oebps-package+xml"/></rootfiles>\n</container>\n'
)
_MEDIA = {"jpg": "image/jpeg", "png": "image/png"}
_CONTENTS = {"en": "Contents", "ko": "차례", "zh": "目录"}
_XHTML = "application/xhtml+xml"


def epub(book: Manuscript) -> bytes:
    """Returns the file; the same book always gives the same bytes."""
    members = [
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", _CONTAINER.encode()),
        ("EPUB/package.opf", _package(book).encode()),
        ("EPUB/nav.xhtml", _navigation(book).encode()),
        ("EPUB/style.css", STYLE.encode()),
    ]
    if book.cover:
        members.append((f"EPUB/cover.{book.cover.suffix}", book.cover.data))
        members.append(("EPUB/cover.xhtml", _cover_page(book).encode()))
    members.append(("EPUB/title.xhtml", _title_page(book).encode()))
    members += [(f"EPUB/{_name(c)}", _chapter(book, c).encode()) for c in book.chapters]
    return pack(members, stored=("mimetype",))


def _name(chapter: SetChapter) -> str:
    return f"chapter-{chapter.number:03d}.xhtml"


def _package(book: Manuscript) -> str:
    """Returns the package document: the manifest, the reading order and the book's metadata."""
    own = uuid.uuid5(uuid.NAMESPACE_URL, f"writing-studio:{book.language}:{book.title}")
    creator = f"<dc:creator>{escape(book.author)}</dc:creator>\n" if book.author else ""
    items = [
        f'<item id="nav" href="nav.xhtml" media-type="{_XHTML}" properties="nav"/>',
        '<item id="style" href="style.css" media-type="text/css"/>',
    ]
    order = []
    if book.cover:
        picture, media = f"cover.{book.cover.suffix}", _MEDIA[book.cover.suffix]
        items.append(
            f'<item id="cover-image" href="{picture}" media-type="{media}"'
            ' properties="cover-image"/>'
        )
        items.append(f'<item id="cover" href="cover.xhtml" media-type="{_XHTML}"/>')
        order.append('<itemref idref="cover"/>')
    items.append(f'<item id="title" href="title.xhtml" media-type="{_XHTML}"/>')
    order.append('<itemref idref="title"/>')
    for chapter in book.chapters:
        id_ = f"chapter-{chapter.number:03d}"
        items.append(f'<item id="{id_}" href="{_name(chapter)}" media-type="{_XHTML}"/>')
        order.append(f'<itemref idref="{id_}"/>')
    listed, spine = "\n".join(items), "\n".join(order)
    return (
        f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"'
        f' unique-identifier="book-id" xml:lang="{book.language}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="book-id">urn:uuid:{own}</dc:identifier>\n'
        f"<dc:title>{_title(book)}</dc:title>\n<dc:language>{book.language}</dc:language>\n"
        f'{creator}<meta property="dcterms:modified">{book.modified}</meta>\n</metadata>\n'
        f"<manifest>\n{listed}\n</manifest>\n<spine>\n{spine}\n</spine>\n</package>\n"
    )


def _navigation(book: Manuscript) -> str:
    rows = "\n".join(
        f'<li><a href="{_name(c)}">{escape(c.title) or c.number}</a></li>' for c in book.chapters
    )
    heading = _CONTENTS[book.language]
    return _page(
        book,
        heading,
        f'<nav epub:type="toc" id="toc">\n<h1>{heading}</h1>\n<ol>\n{rows}\n</ol>\n</nav>',
    )


def _title_page(book: Manuscript) -> str:
    author = f"\n<p>{escape(book.author)}</p>" if book.author else ""
    body = f'<section epub:type="titlepage">\n<h1>{_title(book)}</h1>{author}\n</section>'
    return _page(book, book.title, body)


def _cover_page(book: Manuscript) -> str:
    assert book.cover is not None
    picture = f'<img src="cover.{book.cover.suffix}" alt="{_title(book)}"/>'
    return _page(book, book.title, f'<section epub:type="cover">{picture}</section>')


def _chapter(book: Manuscript, chapter: SetChapter) -> str:
    body = chapter_markup(chapter, "h1", ebook=True)
    return _page(book, chapter.title, f'<section epub:type="chapter">\n{body}\n</section>')


def _page(book: Manuscript, title: str, body: str) -> str:
    return (
        f'{_HEAD}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"'
        f' xmlns:epub="http://www.idpf.org/2007/ops" lang="{book.language}"'
        f' xml:lang="{book.language}">\n<head>\n<meta charset="utf-8"/>\n'
        f"<title>{escape(title) or 'Untitled'}</title>\n"
        '<link rel="stylesheet" type="text/css" href="style.css"/>\n'
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _title(book: Manuscript) -> str:
    return escape(book.title) or "Untitled"

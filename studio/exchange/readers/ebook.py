"""Reads an e-book (EPUB 2 or 3) as a document, with its chapters in reading order."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from studio.errors import usage
from studio.exchange.forms.runs import Run
from studio.exchange.readers.archive_guard import Archive
from studio.exchange.readers.document import Document, Item
from studio.exchange.readers.markup import documents_of_pages, landmarks_of
from studio.exchange.readers.note_links import Page
from studio.messages import said

_OPF = "{http://www.idpf.org/2007/opf}"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_FRONT = frozenset(("cover", "title-page", "titlepage", "toc"))
_BEGINS = frozenset(("text", "start", "bodymatter"))
_ROOT = ".//{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"


def document_of_ebook(data: bytes, name: str) -> Document:
    """Returns the prose of an e-book without cover, title page and contents.

    Raises StudioError (exit 2) when the e-book is damaged or hostile, or holds no chapter.
    """
    archive = Archive(data, name)
    root = archive.xml("META-INF/container.xml").find(_ROOT)
    path = root.attrib.get("full-path", "") if root is not None else ""
    if not path:
        raise usage(
            said(
                "{name} does not say where the list of its files is; it was not opened.", name=name
            ),
            said("Save it again in the program it comes from, or as plain text."),
        )
    package = archive.xml(path)
    whole = Document(title=" ".join((package.findtext(f".//{_TITLE}") or "").split()))
    folder = posixpath.dirname(path)
    read, unread, missing = _files(package, folder, archive)
    front = _front(package, folder, archive)
    if set(read) - front:
        whole.left["front"] += len(front.intersection(read))
        unread += [file for file in read if file in front]
        read = [file for file in read if file not in front]
    whole.left["missing page"] += missing
    styles = _styles(archive)
    pages = [replace(_page(archive, file), styles=styles) for file in read]
    pages += [replace(_page(archive, file), is_read=False) for file in unread]
    for page, document in zip(pages, documents_of_pages(pages), strict=True):
        whole.notes |= document.notes
        whole.left += document.left
        if page.is_read:
            _append(whole, document)
    if not whole.items:
        raise usage(
            said("{name} holds no chapter that could be read.", name=name),
            said("Is it copy-protected?"),
        )
    return whole


def _page(archive: Archive, file: str) -> Page:
    return Page(archive.markup(file).decode("utf-8-sig", "replace"), file)


def _styles(archive: Archive) -> str:
    """Returns all style sheets of the book, concatenated."""
    files = sorted(file for file in archive.names if file.lower().endswith(".css"))
    return "\n".join(archive.read(file).decode("utf-8", "replace") for file in files)


def _files(package: Element, folder: str, archive: Archive) -> tuple[list[str], list[str], int]:
    """Returns the spine's files in order, without the table of contents; the files outside the
    reading order, which may hold footnotes; and the number of missing spine files."""
    pages = {
        item.attrib.get("id", ""): posixpath.normpath(
            posixpath.join(folder, unquote(item.attrib.get("href", "")))
        )
        for item in package.iter(f"{_OPF}item")
        if "nav" not in item.attrib.get("properties", "").split()
        and "html" in item.attrib.get("media-type", "")
    }
    references = [ref.attrib.get("idref", "") for ref in package.iter(f"{_OPF}itemref")]
    in_order = dict.fromkeys(pages[id_] for id_ in references if id_ in pages)
    others = dict.fromkeys(file for file in pages.values() if file not in in_order)
    read, unread = ([file for file in files if archive.holds(file)] for files in (in_order, others))
    listed = {item.attrib.get("id", "") for item in package.iter(f"{_OPF}item")}
    unlisted = sum(id_ not in listed for id_ in dict.fromkeys(references))
    return read, unread, len(in_order) - len(read) + unlisted


def _front(package: Element, folder: str, archive: Archive) -> set[str]:
    """Returns the pages that the book itself names as its cover, title page or contents: in the
    guide of version 2, in the landmarks of version 3. A page of which only a part is named is none
    of them, nor is the one that the text begins with."""
    named: set[tuple[str, str]] = {
        (item.attrib.get("type", ""), posixpath.join(folder, item.attrib.get("href", "")))
        for item in package.iter(f"{_OPF}reference")
    }
    for item in package.iter(f"{_OPF}item"):
        file = posixpath.normpath(posixpath.join(folder, unquote(item.attrib.get("href", ""))))
        if "nav" in item.attrib.get("properties", "").split() and archive.holds(file):
            page = archive.markup(file).decode("utf-8-sig", "replace")
            place = posixpath.dirname(file)
            named |= {(kind, posixpath.join(place, href)) for kind, href in landmarks_of(page)}
    begins = {_file(href) for kind, href in named if kind in _BEGINS}
    return {_file(href) for kind, href in named if kind in _FRONT and "#" not in href} - begins


def _file(href: str) -> str:
    return posixpath.normpath(unquote(href.partition("#")[0]))


def _append(whole: Document, page: Document) -> None:
    """Appends a page to the others; a page without a heading is headed by its title,
    unless that is the book's title."""
    headed = any(item.kind == "heading" for item in page.items)
    if page.items and not headed and page.title not in ("", whole.title, "Untitled"):
        whole.items.append(Item("heading", (Run(page.title),)))
    whole.items += page.items

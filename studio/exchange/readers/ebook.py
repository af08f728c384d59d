"""An e-book (EPUB 2 or 3) as a document: its chapters in the order in which they are read."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from studio.errors import usage
from studio.exchange.forms.runs import Run
from studio.exchange.readers.archive_guard import Archive, refuse_entities
from studio.exchange.readers.document import Document, Item, append_document
from studio.exchange.readers.markup import document_of_markup

_OPF = "{http://www.idpf.org/2007/opf}"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_ROOT = ".//{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"


def document_of_ebook(data: bytes, name: str) -> Document:
    """The prose of an e-book; cover, title page and contents are left out.

    StudioError (exit 2): it is damaged or hostile, or holds no chapter.
    """
    archive = Archive(data, name)
    root = archive.xml("META-INF/container.xml").find(_ROOT)
    path = root.attrib.get("full-path", "") if root is not None else ""
    package = archive.xml(path)
    whole = Document(title=" ".join((package.findtext(f".//{_TITLE}") or "").split()))
    for page in _pages(package, posixpath.dirname(path), archive):
        content = archive.read(page)
        refuse_entities(content, f"{name} ({page})")
        _append(whole, document_of_markup(content.decode("utf-8-sig", "replace")))
    if not whole.items:
        raise usage(f"{name} holds no chapter that could be read.", "Is it locked by a shop?")
    return whole


def _pages(package: Element, folder: str, archive: Archive) -> list[str]:
    """The files of the spine in their order, the list of contents apart."""
    items = {
        item.attrib.get("id", ""): item.attrib
        for item in package.iter(f"{_OPF}item")
        if "nav" not in item.attrib.get("properties", "").split()
    }
    references = [ref.attrib.get("idref", "") for ref in package.iter(f"{_OPF}itemref")]
    paths = [
        posixpath.normpath(posixpath.join(folder, unquote(items[id_].get("href", ""))))
        for id_ in references
        if id_ in items and "html" in items[id_].get("media-type", "")
    ]
    return [path for path in dict.fromkeys(paths) if path in archive.names]


def _append(whole: Document, page: Document) -> None:
    """Puts a page behind the others, its footnotes numbered on; one without a heading is headed
    by its title where that is not the book's."""
    headed = any(item.kind == "heading" for item in page.items)
    if page.items and not headed and page.title not in ("", whole.title, "Untitled"):
        whole.items.append(Item("heading", (Run(page.title),)))
    append_document(whole, page)

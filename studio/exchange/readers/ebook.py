"""Reads an e-book (EPUB 2 or 3) as a document, with its chapters in reading order."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from studio.errors import usage
from studio.exchange.forms.runs import TextRun, plain_text
from studio.exchange.readers.archive_guard import Archive
from studio.exchange.readers.document import FootnotedText, Item, LeftBehind, settle_blanks
from studio.exchange.readers.markup import (
    MATTER,
    documents_of_pages,
    entries_of_contents,
    landmarks_of,
)
from studio.exchange.readers.note_links import HtmlPage
from studio.messages import said

_OPF = "{http://www.idpf.org/2007/opf}"
_NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
_CONTENTS = "application/x-dtbncx+xml"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_FRONT = frozenset(("cover", "title-page", "titlepage", "toc"))
_BEGINS = frozenset(("text", "start", "bodymatter"))
_ROOT = ".//{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"


def document_of_ebook(data: bytes, name: str) -> FootnotedText:
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
    whole = FootnotedText(title=" ".join((package.findtext(f".//{_TITLE}") or "").split()))
    folder = posixpath.dirname(path)
    read, unread, missing = _files(package, folder, archive)
    contents = {file for file, _ in _navigation(package, folder, archive)}
    front = _front(package, folder, archive) - contents
    if set(read) - front:
        whole.left["front"] += len(front.intersection(read))
        unread += [file for file in read if file in front]
        read = [file for file in read if file not in front]
    whole.left["missing page"] += missing
    whole.left += _foreign(package)
    styles = _styles(archive)
    matter = _named_pages(package, folder, archive, MATTER)
    labels = _labels(package, folder, archive)
    pages = [
        replace(_page(archive, file), styles=styles, matter=matter.get(file, "")) for file in read
    ]
    pages += [replace(_page(archive, file), is_read=False) for file in unread]
    for page, document in zip(pages, documents_of_pages(pages), strict=True):
        whole.notes |= document.notes
        if page.address in contents and not _holds_text(document):
            whole.left["front"] += page.is_read
            continue
        whole.left += document.left
        if page.is_read:
            _append(whole, document, labels.get(page.address, ""))
        elif page.address not in front and any(item.runs for item in document.items):
            whole.left["unread page"] += 1
    settle_blanks(whole)
    if not whole.items:
        raise usage(
            said("{name} holds no chapter that could be read.", name=name),
            said("Is it copy-protected?"),
        )
    return whole


def _page(archive: Archive, file: str) -> HtmlPage:
    return HtmlPage(archive.markup(file).decode("utf-8-sig", "replace"), file)


def _styles(archive: Archive) -> str:
    """Returns all style sheets of the book, concatenated."""
    files = sorted(file for file in archive.names if file.lower().endswith(".css"))
    return "\n".join(archive.read(file).decode("utf-8", "replace") for file in files)


def _files(package: Element, folder: str, archive: Archive) -> tuple[list[str], list[str], int]:
    """Returns the spine's files in order; the files outside the reading order, which may hold
    footnotes; and the number of missing spine files."""
    pages = {
        item.attrib.get("id", ""): posixpath.normpath(
            posixpath.join(folder, unquote(item.attrib.get("href", "")))
        )
        for item in package.iter(f"{_OPF}item")
        if _is_text(item)
    }
    references = [ref.attrib.get("idref", "") for ref in package.iter(f"{_OPF}itemref")]
    in_order = dict.fromkeys(pages[id_] for id_ in references if id_ in pages)
    others = dict.fromkeys(file for file in pages.values() if file not in in_order)
    read, unread = ([file for file in files if archive.holds(file)] for files in (in_order, others))
    listed = {item.attrib.get("id", "") for item in package.iter(f"{_OPF}item")}
    unlisted = sum(id_ not in listed for id_ in dict.fromkeys(references))
    return read, unread, len(in_order) - len(read) + unlisted


def _is_text(item: Element) -> bool:
    kind = item.attrib.get("media-type", "")
    return "html" in kind or kind == "text/x-oeb1-document"


def _foreign(package: Element) -> LeftBehind:
    """Counts what the reading order names that is no page of text: a picture, or another format."""
    items = {item.attrib.get("id", ""): item for item in package.iter(f"{_OPF}item")}
    left: LeftBehind = Counter()
    for reference in package.iter(f"{_OPF}itemref"):
        item = items.get(reference.attrib.get("idref", ""))
        if item is not None and not _is_text(item):
            is_picture = item.attrib.get("media-type", "").startswith("image/")
            left["picture" if is_picture else "foreign"] += 1
    return left


def _front(package: Element, folder: str, archive: Archive) -> set[str]:
    """Returns the pages that the book itself names as its cover, title page or contents. A page of
    which only a part is named is none of them, nor is the one that the text begins with."""
    begins = {
        _file(href) for kind, href in _pages_named(package, folder, archive) if kind in _BEGINS
    }
    return set(_named_pages(package, folder, archive, _FRONT)) - begins


def _named_pages(
    package: Element, folder: str, archive: Archive, kinds: AbstractSet[str]
) -> dict[str, str]:
    """Returns the pages that the book itself says are of one of these kinds, with the kind."""
    named_pages = _pages_named(package, folder, archive)
    return {
        _file(href): kind for kind, href in sorted(named_pages) if kind in kinds and "#" not in href
    }


def _pages_named(package: Element, folder: str, archive: Archive) -> set[tuple[str, str]]:
    """Returns what the book calls its pages: in the guide of version 2, in the landmarks of
    version 3."""
    named_pages: set[tuple[str, str]] = {
        (item.attrib.get("type", ""), posixpath.join(folder, item.attrib.get("href", "")))
        for item in package.iter(f"{_OPF}reference")
    }
    for file, page in _navigation(package, folder, archive):
        place = posixpath.dirname(file)
        named_pages |= {(kind, posixpath.join(place, href)) for kind, href in landmarks_of(page)}
    return named_pages


def _navigation(package: Element, folder: str, archive: Archive) -> Iterator[tuple[str, str]]:
    """Yields the pages of contents of version 3."""
    for item in package.iter(f"{_OPF}item"):
        file = posixpath.normpath(posixpath.join(folder, unquote(item.attrib.get("href", ""))))
        if "nav" in item.attrib.get("properties", "").split() and archive.holds(file):
            yield file, archive.markup(file).decode("utf-8-sig", "replace")


def _labels(package: Element, folder: str, archive: Archive) -> dict[str, str]:
    """Returns what the contents call each page: in version 3's page of contents, or in version 2's
    list. Of several entries for one page, only one for the whole page counts."""
    labels: dict[str, str] = {}
    for file, page in _navigation(package, folder, archive):
        place = posixpath.dirname(file)
        for words, href in entries_of_contents(page):
            if "#" not in href:
                labels.setdefault(_file(posixpath.join(place, href)), words)
    if labels:
        return labels
    for item in package.iter(f"{_OPF}item"):
        file = posixpath.normpath(posixpath.join(folder, unquote(item.attrib.get("href", ""))))
        if item.attrib.get("media-type") == _CONTENTS and archive.holds(file):
            place = posixpath.dirname(file)
            for words, href in _entries(archive.xml(file)):
                labels.setdefault(_file(posixpath.join(place, href)), words)
    return labels


def _entries(contents: Element) -> Iterator[tuple[str, str]]:
    """Yields the words and addresses of version 2's list of contents."""
    for point in contents.iter(f"{_NCX}navPoint"):
        content = point.find(f"{_NCX}content")
        href = "" if content is None else content.get("src", "")
        words = " ".join((point.findtext(f"{_NCX}navLabel/{_NCX}text") or "").split())
        if href and words and "#" not in href:
            yield words, href


def _holds_text(page: FootnotedText) -> bool:
    """Whether a page with the list of contents holds more than that: whole books are in one."""
    return any(item.kind not in ("heading", "break", "blank") for item in page.items)


def _file(href: str) -> str:
    return posixpath.normpath(unquote(href.partition("#")[0]))


def _append(whole: FootnotedText, page: FootnotedText, label: str) -> None:
    """Appends a page to the others; a page without a heading is headed by what the contents call
    it, else by its title, unless that is the book's title. The line of the page that says the same
    becomes that heading."""
    headed = any(item.kind == "heading" for item in page.items)
    heading = label or page.title
    items = page.items
    if items and not headed and heading not in ("", whole.title, "Untitled"):
        first = next((item for item in items if item.kind == "paragraph"), None)
        if first is not None and _fold(plain_text(first.runs)) == _fold(heading):
            items = [item for item in items if item is not first]
        whole.items.append(Item("heading", (TextRun(heading),)))
    whole.items += items


def _fold(words: str) -> str:
    return " ".join(words.split()).casefold()

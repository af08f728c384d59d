"""Finds which links of a page, or of all pages of an e-book, lead to footnotes.

References are marked in many ways: by `epub:type`, by `role`, by a class, as a raised number, or as
a number in brackets. Their targets are known only once all pages have been scanned (old e-books
keep notes in a separate file), so this pass precedes the reading of the pages.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import islice
from urllib.parse import unquote

HOLDERS = frozenset(("aside", "li", "p", "div", "section", "dd", "dt", "td", "blockquote"))
"""Elements that can be a footnote, by their own id or that of their first element."""
UNCLOSED = frozenset(("p", "li", "dd", "dt", "td"))
"""Elements that the next one of the same kind ends, when their end tag is omitted."""
_CLASSES = frozenset(("noteref", "footnote-ref", "footnoteref", "fnanchor", "footnote-reference"))
_SIGN = re.compile(r"\s*(?:\[\s*(?:\d{1,4}|[*†‡§])\s*\]|[*†‡§]{1,4})\s*")
"""Matches the text of a link that can only be a reference to a footnote."""
_RAISED_SIGN = re.compile(r"[\s\[\]().]*(?:\w{1,5}|[*†‡§]{1,4})[\s\[\]().]*")
"""Matches the text of a raised link outside headings ("The 19th
hour") that refers to a footnote."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_DEEPEST = 50
"""The maximum number of enclosing elements examined for a link."""
_MOST_NAMES = 50
"""The maximum number of these elements' addresses examined, innermost first."""

TagPosition = tuple[int, int]
"""The position of a tag as the parser reports it: line and column."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page of HTML."""

    text: str
    address: str = ""
    """The page's file in the e-book; empty for a standalone page."""
    is_read: bool = True
    """Whether the page is in the reading order; only footnotes are taken from other pages."""
    styles: str = ""
    """The style sheets that the page refers to."""
    empty_shows: bool = False
    """Whether a paragraph with nothing in it is an empty line."""
    matter: str = ""
    """What the page is by the e-book's own list, if it is no chapter: an imprint, an index."""

    def address_of(self, id_: str) -> str:
        """Returns the address of one of the page's elements, as used by links across the book."""
        return f"{self.address}#{id_}"

    def target(self, link: str) -> str:
        """Returns the address that a link of this page leads to;
        empty where it names no element."""
        file, sign, id_ = link.rpartition("#")
        if not sign or not id_:
            return ""
        if self.address and file:
            folder = posixpath.dirname(self.address)
            return f"{posixpath.normpath(posixpath.join(folder, unquote(file)))}#{unquote(id_)}"
        return self.address_of(unquote(id_))


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """The references to footnotes of one page, and the footnotes of all pages."""

    references: dict[TagPosition, str] = field(default_factory=dict)
    """The start of each link, mapped to the address of its footnote."""
    notes: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Link:
    """A link that may be a reference."""

    place: TagPosition
    target: str
    around: list[list[str]]
    """The addresses of the enclosing elements, outermost first."""
    is_marked: bool
    is_first: bool
    """Whether the link begins its element, as a link back from a footnote does."""
    words: str = ""
    raised: str = ""
    """The raised part of the link's text."""

    @property
    def own(self) -> frozenset[str]:
        """The addresses of the enclosing elements."""
        addresses = (address for own in reversed(self.around) for address in own)
        return frozenset(islice(addresses, _MOST_NAMES))

    def is_reference(self) -> bool:
        """Whether the link looks like a reference to a footnote."""
        if self.is_marked or _SIGN.fullmatch(self.words):
            return True
        rest = self.words.replace(self.raised, "", 1).strip(" \t\n[]()")
        return bool(self.raised and not rest and _RAISED_SIGN.fullmatch(self.words))


def note_links(pages: Sequence[HtmlPage]) -> list[NoteLinks]:
    """Returns the links to footnotes of each page; links back from footnotes are excluded."""
    readers = [_Links(page) for page in pages]
    holders = frozenset(address for reader in readers for address in reader.holders)
    links = [link for reader in readers for link in reader.links]
    led_back_to = {link.target for link in links if link.is_first}
    referred = {
        (link.target, own)
        for link in links
        if not link.is_first
        for own in link.own
        if own in led_back_to
    }
    notes: set[str] = set()
    references = [dict(_references(reader, holders, referred, notes)) for reader in readers]
    return [NoteLinks(own, frozenset(notes)) for own in references]


def _references(
    reader: _Links,
    holders: frozenset[str],
    referred: AbstractSet[tuple[str, str]],
    notes: set[str],
) -> Iterator[tuple[TagPosition, str]]:
    """Yields the references of a page and adds their targets to `notes`.

    Where two elements link to each other, as in a book whose notes precede its chapters, the one
    that begins with its link is the footnote: `referred` pairs the target of every other link with
    each element around that link.
    """
    for link in reader.links if reader.page.is_read else ():
        around = link.own
        leads_back = not notes.isdisjoint(around) or (
            link.is_first and any((own, link.target) in referred for own in around)
        )
        if link.target in holders and not leads_back and link.target not in around:
            notes.add(link.target)
            yield link.place, link.target


class _Links(HTMLParser):
    """Collects a page's links and the elements that could be footnotes."""

    def __init__(self, page: HtmlPage) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[_Link] = []
        self.holders: set[str] = set()
        """The addresses of the elements that can be footnotes."""
        self.page = page
        self._open: list[tuple[str, list[str]]] = []
        """The enclosing elements, with the addresses of each."""
        self._depth: dict[str, int] = {}
        """The number of open elements by tag."""
        self._raised = 0
        self._is_blank = True
        """Whether no word of the innermost element has been read yet."""
        self._link: _Link | None = None
        self.feed(page.text)
        self.close()
        self._end_link()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._raised += tag == "sup"
        if tag in HOLDERS:
            if self._open and tag in UNCLOSED and self._open[-1][0] == tag:
                self._close_innermost()
            self._open.append((tag, []))
            self._depth[tag] = self._depth.get(tag, 0) + 1
            self._is_blank = True
        elif tag in _HEADINGS:
            self._is_blank = False
        if self._open and self._is_blank:
            self._name_innermost(attributes)
        if tag == "a":
            self._begin_link(attributes)

    def handle_endtag(self, tag: str) -> None:
        self._raised = max(0, self._raised - (tag == "sup"))
        if tag == "a":
            self._end_link()
        if self._depth.get(tag):
            while self._close_innermost() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._is_blank = self._is_blank and not data.strip()
        link = self._link
        if link is not None and len(link.words) < 50:
            link.words += data
            link.raised += data if self._raised else ""

    def _begin_link(self, attributes: dict[str, str]) -> None:
        self._end_link()
        target = self.page.target(attributes.get("href", ""))
        if target:
            kind = f"{attributes.get('epub:type', '')} {attributes.get('role', '')}"
            classes = set(attributes.get("class", "").lower().split())
            marked = bool(self._raised) or "noteref" in kind or bool(_CLASSES & classes)
            around = [own for _, own in self._open[-_DEEPEST:]]
            self._link = _Link(self.getpos(), target, around, marked, self._is_blank)

    def _end_link(self) -> None:
        if self._link is not None and self._link.is_reference():
            self.links.append(self._link)
        self._link = None

    def _name_innermost(self, attributes: dict[str, str]) -> None:
        own = {self.page.address_of(id_) for id_ in ids_of(attributes)}
        self._open[-1][1].extend(sorted(own))
        self.holders |= own

    def _close_innermost(self) -> str:
        tag, _ = self._open.pop()
        self._depth[tag] -= 1
        return tag


def ids_of(attributes: dict[str, str]) -> set[str]:
    """Returns the ids by which links refer to an element."""
    return {value for name in ("id", "name") if (value := attributes.get(name))}

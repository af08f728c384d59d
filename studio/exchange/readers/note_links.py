"""Which links of a page, or of all pages of an e-book, lead to footnotes.

Pages mark them in many ways: `epub:type` or `role` names a reference, its
class does, it is a raised number, or one in brackets. Where one leads is
known only once all pages were looked at (old e-books keep their notes in a
file of their own), so this is read before the pages themselves are.
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
"""Elements that can be a footnote, by an id of theirs or of an element they begin with."""
UNCLOSED = frozenset(("p", "li", "dd", "dt", "td"))
"""What one more of the same kind ends, where its own end was left out."""
_CLASSES = frozenset(("noteref", "footnote-ref", "footnoteref", "fnanchor", "footnote-reference"))
_SIGN = re.compile(r"\s*(?:\[\s*(?:\d{1,4}|[*†‡§])\s*\]|[*†‡§]{1,4})\s*")
"""What no other link says than one to a footnote."""
_RAISED_SIGN = re.compile(r"[\s\[\]().]*(?:\w{1,5}|[*†‡§]{1,4})[\s\[\]().]*")
"""What one says whose words are raised, and those of a heading ("The 19th hour") are not."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_DEEPEST = 50
"""Elements around a link that are looked at."""
_MOST_NAMES = 50
"""Addresses of these elements that are, the innermost first."""

Place = tuple[int, int]
"""Where a tag begins in a page, as the parser counts: line and column."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of HTML."""

    text: str
    address: str = ""
    """Its file in the e-book; empty for a page that stands for itself."""
    is_read: bool = True
    """Whether a reader comes to it; of others only the footnotes are taken that lie in them."""
    styles: str = ""
    """The style sheets it refers to."""

    def address_of(self, id_: str) -> str:
        """What a link from anywhere in the book to one of its elements leads to."""
        return f"{self.address}#{id_}"

    def target(self, link: str) -> str:
        """Where a link of this page leads; empty where that is no element of a page."""
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

    references: dict[Place, str] = field(default_factory=dict)
    """Where each link begins, and the address of its footnote."""
    notes: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Link:
    """A link that may be a reference."""

    place: Place
    target: str
    around: list[list[str]]
    """The addresses of the elements around it, the outermost first."""
    is_marked: bool
    is_first: bool
    """Whether it begins the element that it stands in, as a link back from a footnote does."""
    words: str = ""
    raised: str = ""
    """Those of its words that are raised."""

    @property
    def own(self) -> frozenset[str]:
        """The addresses of what is around it."""
        addresses = (address for own in reversed(self.around) for address in own)
        return frozenset(islice(addresses, _MOST_NAMES))

    def is_reference(self) -> bool:
        """Whether it looks like a link to a footnote."""
        if self.is_marked or _SIGN.fullmatch(self.words):
            return True
        rest = self.words.replace(self.raised, "", 1).strip(" \t\n[]()")
        return bool(self.raised and not rest and _RAISED_SIGN.fullmatch(self.words))


def note_links(pages: Sequence[Page]) -> list[NoteLinks]:
    """The links to footnotes of each page; a link that leads back from one is none."""
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
) -> Iterator[tuple[Place, str]]:
    """The references of a page; what they lead to goes into `notes`.

    Where two elements lead to each other, as in a book whose notes come before its chapters, the
    one that begins with its link is the footnote: `referred` has where each link leads that does
    not, with what stands around it.
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
    """Reads a page for its links and for the elements that could be footnotes."""

    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[_Link] = []
        self.holders: set[str] = set()
        """The addresses that elements go by which can be footnotes."""
        self.page = page
        self._open: list[tuple[str, list[str]]] = []
        """The elements around, with the addresses that each goes by."""
        self._depth: dict[str, int] = {}
        """How many of each kind are open."""
        self._raised = 0
        self._is_blank = True
        """Whether no word of the innermost element was read yet."""
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
    """What links call an element by."""
    return {value for name in ("id", "name") if (value := attributes.get(name))}

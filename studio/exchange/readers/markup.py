"""Reads HTML as a document of paragraphs, headings, emphasis, breaks, numbered lists and footnotes
only.

A page's style sheets say which classes are italic, bold or hidden: programs that generate pages
(Google Docs, e-book tools) mark emphasis by classes rather than `<i>`.

Tags and comments that a page never closes are read as text. Python's HTML parser searches for the
end of each one from its start (at least in versions before 3.11.14) and raises an error at an
unknown declaration, so a page of a few hundred kB could block a program for an hour, or crash it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html.parser import HTMLParser

from studio.exchange.forms.runs import Runs, TextRun, plain_text
from studio.exchange.import_.blocks import LineRole
from studio.exchange.readers.document import BlockKind, FootnotedText, Item, settle_blanks
from studio.exchange.readers.note_links import (
    HOLDERS,
    UNCLOSED,
    HtmlPage,
    NoteLinks,
    ids_of,
    note_links,
)
from studio.story.scene_marks import is_ornament

_LISTS = frozenset(("ol", "ul"))
_LETTERS = {"a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_MOST = 9999
"""The highest number at which a list may begin; a higher one is a mistake or an attack."""


@dataclass(slots=True)
class _List:
    """A list whose element is still open."""

    following: int | None
    """The number of its next entry; None for an unordered list."""
    letters: str = ""
    waiting: str = ""
    """The prefix for the first words of the entry just begun."""
    ends_at: int = -1
    """The number of items in the document when the list's last numbered entry was complete."""


@dataclass(slots=True)
class Lists:
    """A stack of the open lists, innermost last."""

    _open: list[_List] = field(default_factory=list)

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Processes the start of an element."""
        if tag in _LISTS:
            first = _number(attributes.get("start", ""), 1) if tag == "ol" else None
            self._open.append(_List(first, _LETTERS.get(attributes.get("type", ""), "")))
        elif tag == "li" and self._open and self._open[-1].following is not None:
            its_list = self._open[-1]
            number = _number(attributes.get("value", ""), self._open[-1].following)
            its_list.following = number + 1
            its_list.waiting = f"{_sign(number, its_list.letters)}. "

    def end(self, tag: str) -> None:
        """Processes the end of an element."""
        if tag in _LISTS and self._open:
            self._open.pop()

    def number_of(self, items: int) -> tuple[str, bool]:
        """Returns the prefix of the next paragraph, given the number of items so far, and whether
        the paragraph continues the list above it, as the line after the previous entry."""
        if not self._open or not self._open[-1].waiting:
            return "", False
        its_list = self._open[-1]
        sign, its_list.waiting = its_list.waiting, ""
        goes_on = its_list.ends_at == items
        its_list.ends_at = items if goes_on else items + 1
        return sign, goes_on


def _number(words: str, otherwise: int) -> int:
    """Returns the number in an attribute, or the default `otherwise`."""
    plain = words.strip()
    is_one = plain.isascii() and plain.isdecimal() and len(plain) <= len(str(_MOST))
    return int(plain) if is_one else otherwise


def _sign(number: int, letters: str) -> str:
    """Returns the number, or the letter in its place."""
    return letters[number - 1] if 0 < number <= len(letters) else str(number)


_CLASS = re.compile(r"(?:span|p)?\.([\w-]{1,80})")
_ANY_CLASS = re.compile(r"(?:[a-z][a-z0-9]{0,20})?\.([\w-]{1,80})")
_ITALIC_LOOK = re.compile(r"font-style\s{0,9}:\s{0,9}(?:italic|oblique)", re.IGNORECASE)
_BOLD_LOOK = re.compile(r"font-weight\s{0,9}:\s{0,9}(?:bold|[6-9]00)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|mso-hide\s{0,9}:\s{0,9}all",
    re.IGNORECASE,
)
_OPEN, _CLOSE = "<style", "</style"
_NOTE, _NOTE_END = "/*", "*/"

STYLED = frozenset(("span", "p"))
"""Elements whose class or style can mean emphasis; other elements express it by their names."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The classes that make text italic, bold, and invisible."""

    italic: frozenset[str] = field(default_factory=frozenset)
    bold: frozenset[str] = field(default_factory=frozenset)
    hidden: frozenset[str] = field(default_factory=frozenset)

    def and_those_of(self, other: Looks) -> Looks:
        """Combines two style sheets."""
        if not (other.italic or other.bold or other.hidden):
            return self
        return Looks(self.italic | other.italic, self.bold | other.bold, self.hidden | other.hidden)

    def hides(self, attributes: Mapping[str, str]) -> bool:
        """Whether no reader sees an element with these attributes."""
        return (
            "hidden" in attributes
            or _HIDDEN.search(attributes.get("style", "")) is not None
            or not self.hidden.isdisjoint(attributes.get("class", "").split())
        )

    def of(self, attributes: Mapping[str, str]) -> tuple[bool, bool]:
        """Whether an element with these attributes is italic, and whether it is bold."""
        classes = set(attributes.get("class", "").split())
        own = attributes.get("style", "")
        return (
            not self.italic.isdisjoint(classes) or bool(_ITALIC_LOOK.search(own)),
            not self.bold.isdisjoint(classes) or bool(_BOLD_LOOK.search(own)),
        )


def looks_of(sheet: str) -> Looks:
    """Returns the classes of a style sheet that are italic, bold or hidden. All other rules are
    ignored, and anything that is not CSS. Runs in roughly linear time."""
    italic: set[str] = set()
    bold: set[str] = set()
    hidden: set[str] = set()
    for rule in _without_notes(sheet).split("}"):
        head, _, body = rule.rpartition("{")
        selectors = [part.strip() for part in head.rpartition("{")[2].split(",")]
        classes = [match[1] for part in selectors if (match := _CLASS.fullmatch(part))]
        italic.update(classes if _ITALIC_LOOK.search(body) else ())
        bold.update(classes if _BOLD_LOOK.search(body) else ())
        if _HIDDEN.search(body):
            hidden.update(m[1] for part in selectors if (m := _ANY_CLASS.fullmatch(part)))
    return Looks(frozenset(italic), frozenset(bold), frozenset(hidden))


def sheets_in(page: str) -> str:
    """Returns the style sheets embedded in a page."""
    lower, sheets, at = page.lower(), [], 0
    while (begins := lower.find(_OPEN, at)) >= 0:
        inside = lower.find(">", begins) + 1
        ends = lower.find(_CLOSE, inside)
        if not inside or ends < 0:
            break
        sheets.append(page[inside:ends])
        at = ends
    return "\n".join(sheets)


def _without_notes(sheet: str) -> str:
    first, *others = sheet.split(_NOTE)
    return first + "".join(other.partition(_NOTE_END)[2] for other in others)


_UNCLOSED_COMMENT, _COMMENT_END = "<!--", "-->"
_DECLARATION = "<!["


def without_unclosed(page: str) -> str:
    """Returns the page with every `<` that begins no tag replaced by `&lt;`.

    A declaration like `<![endif]>` becomes a comment up to the next `>`, as in browsers.
    """
    commented = page.rfind(_COMMENT_END) + len(_COMMENT_END) if _COMMENT_END in page else 0
    page = page[:commented] + page[commented:].replace(_UNCLOSED_COMMENT, "&lt;!--")
    tagged = page.rfind(">") + 1
    page = page[:tagged] + page[tagged:].replace("<", "&lt;")
    return page.replace(_DECLARATION, "<! [")


_BLOCKS = frozenset(
    [
        *("p", "div", "section", "article", "main", "header", "footer", "aside", "address", "pre"),
        *("li", "ul", "ol", "dl", "dt", "dd", "blockquote", "figure", "figcaption", "body", "html"),
        *("table", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "caption", "center"),
        *("hgroup", "details", "summary", "fieldset", "legend", "form"),
    ]
)
_SILENT = frozenset(
    [
        *("script", "style", "nav", "template", "noscript", "svg", "math", "object", "iframe"),
        *("del", "select", "textarea", "datalist"),
    ]
)
_IN_HEAD = frozenset(("title", "meta", "link", "base", "script", "style", "noscript", "template"))
"""Elements of a page's head, whose end tag may be omitted: any other one ends it."""
_FRONT = frozenset(("cover", "titlepage", "toc", "copyright-page"))
"""Values of `epub:type` that mark a part of a page as other than prose."""
MATTER = frozenset(
    [
        *("imprint", "colophon", "halftitlepage", "halftitle", "half-title-page", "seriespage"),
        *("copyright", "copyright-page", "dedication", "epigraph", "acknowledgments", "errata"),
        *("acknowledgements", "contributors", "other-credits", "keywords", "loi", "lot", "loa"),
        *("lov", "bibliography", "index", "glossary", "backlink", "endorsements"),
    ]
)
"""Values of `epub:type`, of `role` without its `doc-`, and of an e-book's guide, that mark text
that is no chapter: it becomes a row that is left out, and may be taken back."""
_PARTS = frozenset(("part", "volume", "division"))
_MEDIA = frozenset(("video", "audio", "canvas"))
"""Elements whose words are for readers whose program cannot show them."""
_EMPTY = frozenset(
    [
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("track", "wbr"),
    ]
)
"""Elements that never hold anything, and have no end tag."""
_READINGS = frozenset(("rt", "rp"))
"""Ruby annotations, which show how a character is pronounced; their end tags may be omitted."""
_PAGE_NUMBER = re.compile(
    r"[\[({|]?\s*(?:pg\.?|page|p\.)?\s*(?:\d{1,5}|[ivxlc]{1,8})\s*[\])}|]?", re.I
)
_PAGE_CLASSES = frozenset(("pagenum", "pageno", "pagenumber", "page-number", "pagebreak", "folio"))
"""Classes by which web pages and e-books mark the numbers of printed pages among the words."""
_END_READINGS = frozenset(("rt", "rp", "rb", "ruby", *_BLOCKS))
_LEFT: Mapping[str, str] = {
    "img": "picture",
    "svg": "picture",
    "video": "media",
    "audio": "media",
    "iframe": "media",
    "object": "media",
    "math": "formula",
    "table": "table",
    "rt": "reading",
    "del": "deletion",
    "s": "struck text",
    "strike": "struck text",
    "nav": "menu",
    **dict.fromkeys(("input", "select", "textarea"), "form"),
    "embed": "media",
}
"""Maps elements that are left behind to the kind they are counted as."""
_WHOLES = frozenset(("section", "body", "div", "article"))
"""Elements that hold a whole part of a book."""
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_COMMENT = re.compile(r"#cmnt\d{1,6}\Z")
"""Matches the link target of an editor's comment in pages that Google Docs writes."""
_SIGN = re.compile(r"[\[(]?(?:\d{1,4}|[*†‡§])[\])]?[.:]?")
"""Matches a term above a footnote that is nothing but its number."""
CONTENTS = "list-of-contents"
"""The class that readers of other formats give to a line of a table of contents."""
_ITALIC, _BOLD = frozenset(("em", "i", "cite", "dfn")), frozenset(("strong", "b"))
_LONG = 10_000
"""The number of characters from which a block is certainly prose, so that
its words need no closer look."""


def document_of_markup(page: str, *, empty_shows: bool = False) -> FootnotedText:
    """Returns the document for a page of HTML or XHTML. With `empty_shows`, a paragraph with
    nothing in it is an empty line, as in Word; on the web it is none."""
    document = next(documents_of_pages([HtmlPage(page, empty_shows=empty_shows)]))
    settle_blanks(document)
    return document


def landmarks_of(page: str) -> list[tuple[str, str]]:
    """Returns the kinds and addresses of the parts that an e-book's page of contents names as its
    landmarks."""
    reader = _Landmarks()
    reader.feed(without_unclosed(page))
    return reader.named


def entries_of_contents(page: str) -> list[tuple[str, str]]:
    """Returns the words and addresses of an e-book's contents."""
    reader = _Landmarks()
    reader.feed(without_unclosed(page))
    return [(" ".join(words.split()), href) for words, href in reader.entries if words.strip()]


class _Landmarks(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.named: list[tuple[str, str]] = []
        self.entries: list[tuple[str, str]] = []
        self._is_inside = self._is_contents = False
        self._link = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        kinds = attributes.get("epub:type", "").split()
        if tag == "nav":
            self._is_inside = "landmarks" in kinds
            self._is_contents = "toc" in kinds
        elif tag == "a" and self._is_inside:
            self.named += [(kind, attributes.get("href", "")) for kind in kinds]
        elif tag == "a" and self._is_contents:
            self._link = attributes.get("href", "")
            self.entries.append(("", self._link))

    def handle_data(self, data: str) -> None:
        if self._link:
            words, href = self.entries[-1]
            self.entries[-1] = words + data, href

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._link = ""


def documents_of_pages(pages: Sequence[HtmlPage]) -> Iterator[FootnotedText]:
    """Yields the documents of pages that belong together, with consecutive footnote numbers: a
    reference and its footnote share a number even across pages."""
    whole = [replace(page, text=without_unclosed(page.text)) for page in pages]
    numbers: dict[str, int] = {}
    looks = cache(looks_of)
    for page, links in zip(whole, note_links(whole), strict=True):
        own = looks(page.styles).and_those_of(looks(sheets_in(page.text)))
        reader = _HtmlReader(page, links, numbers, own)
        reader.feed(page.text)
        reader.close()
        yield reader.finish()


class _Hidden:
    """The part of a page that no reader sees: an element with `hidden`, or whose own style says
    so, and everything in it."""

    def __init__(self) -> None:
        self._open: list[str] = []
        """The hidden element and those open inside it."""
        self._counts: Counter[str] = Counter()

    @property
    def is_open(self) -> bool:
        """Whether something hidden is being read."""
        return bool(self._open)

    def begin(self, tag: str, attributes: Mapping[str, str], looks: Looks) -> tuple[str, ...]:
        """Takes the begin of an element; returns what begins with it to be left behind. A paragraph
        whose end tag is omitted ends with the next one."""
        if tag in _EMPTY or tag in ("html", "body"):
            return ()
        if self._open and self._open[0] == "p" and tag in _BLOCKS:
            self._end_all()
        is_hidden = looks.hides(attributes) or (tag == "dialog" and "open" not in attributes)
        is_first = not self._open and (is_hidden or tag in _MEDIA)
        if self._open or is_first:
            self._open.append(tag)
            self._counts[tag] += 1
        return ("hidden",) if is_first and is_hidden else ()

    def end(self, tag: str) -> None:
        """Takes the end of an element; that of a block around a hidden part ends the part too."""
        if not self._open or tag in _EMPTY:
            return
        if not self._counts[tag]:
            if tag in _BLOCKS:
                self._end_all()
            return
        while self._open:
            ended = self._open.pop()
            self._counts[ended] -= 1
            if ended == tag:
                return

    def _end_all(self) -> None:
        self._open.clear()
        self._counts.clear()


class _Kinds:
    """What an e-book says that the open elements are."""

    def __init__(self, matter: str) -> None:
        self._page_matter = self._waiting = matter
        self._matter: list[str] = []
        """The open part that is no chapter, and nested elements with the same tag."""
        self._is_part = False
        """Whether the next heading is that of a part of the book."""
        self._groups = 0
        self._is_headed = False
        """Whether the open group of headings has its first one."""
        self._is_title = self._has_title = False

    @property
    def is_matter(self) -> bool:
        """Whether what is being read is no chapter."""
        return bool(self._matter or self._page_matter)

    def takes_title(self, items: Sequence[Item]) -> bool:
        """Whether the book's title may come here: once, and above all headings. What else is set
        like one is text."""
        takes = not self._has_title and all(item.kind != "heading" for item in items)
        self._has_title = self._has_title or takes
        return takes

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes the begin of a block."""
        kinds = kinds_of(attributes)
        if self._matter:
            self._matter += [tag] * (tag == self._matter[0])
        elif tag in _WHOLES and (matter := sorted(MATTER & kinds)):
            self._matter, self._waiting = [tag], matter[0]
        if tag in _WHOLES:
            self._is_part = bool(_PARTS & kinds)
        if tag in ("hgroup", "header"):
            self._groups += tag == "hgroup"
            self._is_headed = False
        below = self._is_headed and (tag == "p" or tag in _HEADINGS)
        self._is_title = below and bool(self._groups or {"title", "fulltitle"} & kinds)

    def end(self, tag: str) -> None:
        """Takes the end of a block."""
        self._groups = max(0, self._groups - (tag == "hgroup"))
        if self._matter and tag == self._matter[0]:
            self._matter.pop()
            self._waiting = self._waiting if self._matter else self._page_matter

    def matter_begun(self) -> str:
        """Returns what the part is whose first words these are; empty for words behind them."""
        kind, self._waiting = self._waiting, ""
        return kind

    def heading_ended(self) -> LineRole:
        """Returns what a heading is."""
        is_part, self._is_part, self._is_headed = self._is_part, False, True
        return "part" if is_part else ""

    def title_ended(self) -> bool:
        """Whether the block that ends is the title of the heading above it."""
        is_title, self._is_title = self._is_title, False
        return is_title


class _Empty:
    """Whether a paragraph without words is an empty line: it holds a break or a hard space, or the
    document counts all of them."""

    def __init__(self, every: bool) -> None:
        self._every = every
        self._shows = self._is_paragraph = False
        self._apart = 0
        """The number of open tables and entries of lists, in which nothing is an empty line."""

    def begin(self, tag: str) -> None:
        """Takes the begin of an element."""
        self._apart += tag in ("table", "li")
        if tag in _BLOCKS:
            self._is_paragraph = tag in ("p", "div")
            self._shows = self._every and tag == "p"
        elif tag in ("img", "svg", "hr"):
            self._shows = self._is_paragraph = False
        elif tag == "br":
            self._shows = self._is_paragraph

    def end(self, tag: str) -> None:
        """Takes the end of an element."""
        self._apart = max(0, self._apart - (tag in ("table", "li")))

    def take(self, data: str) -> None:
        """Takes text."""
        self._shows = self._shows or ("\xa0" in data and self._is_paragraph)

    def ends_empty(self) -> bool:
        """Whether the block that ends without words is an empty line."""
        shows, self._shows = self._shows and not self._apart, False
        return shows


class _PageNumber:
    """The number of a printed page that a book or a web page keeps among the words."""

    def __init__(self) -> None:
        self._tag = ""
        """The open element that is marked as one."""
        self._begins = 0

    def begin(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        """Takes the begin of an element, whose words are the runs from `at` on."""
        classes = attributes.get("class", "").lower().split()
        is_one = not _PAGE_CLASSES.isdisjoint(classes) or "pagebreak" in kinds_of(attributes)
        if is_one and not self._tag and tag not in _EMPTY:
            self._tag, self._begins = tag, at

    def ends(self, tag: str, runs: list[TextRun]) -> bool:
        """Takes the end of an element, and such a number out of the runs; returns whether there was
        one. Other words are text, however marked."""
        if not self._tag or tag != self._tag:
            return False
        self._tag = ""
        own = runs[self._begins :]
        words = "".join(run.text for run in own).strip()
        if not _PAGE_NUMBER.fullmatch(words) or any(run.note for run in own):
            return False
        del runs[self._begins :]
        return True


class _HtmlReader(HTMLParser):
    def __init__(
        self, page: HtmlPage, links: NoteLinks, numbers: dict[str, int], looks: Looks
    ) -> None:
        super().__init__(convert_charrefs=True)
        self._page = page
        self._links = links
        self._numbers = numbers
        """The numbers of the footnotes of all pages, by address."""
        self._looks = looks
        self._styled: list[tuple[str, bool, bool]] = []
        """The open elements whose class or style matters, and whether each is italic and bold."""
        self._looked: Counter[str] = Counter()
        """The number of such open elements by tag."""
        self._is_reading = False
        self._sign_at = -1
        """The index of the item that is the number of a footnote whose text
        follows in another element."""
        self._term = ""
        """The address of a footnote that is a term with its number, until its text begins."""
        self._hidden = _Hidden()
        self._front: list[str] = []
        """The part that is being skipped, and nested elements with the same tag."""
        self._block = "p"
        self._document = FootnotedText()
        self._runs: list[TextRun] = []
        self._silent = self._italic = self._bold = self._quote = self._sup = 0
        self._heading = 0
        self._in_title = self._in_head = self._is_book_title = False
        self._held: tuple[str, str, list[Item]] | None = None
        """The footnote being read: its tag, address and items."""
        self._noted: set[int] = set()
        """The item counts at which footnotes occurred."""
        self._is_blank = True
        """Whether no word of the block has been read yet."""
        self._nested = 0
        """The number of nested open elements with the footnote's tag."""
        self._lists = Lists()
        self._lines: dict[int, list[TextRun]] = {}
        """The lines of each numbered list that became one paragraph, by item index."""
        self._link: str | None = None
        """What the next `</a>` ends: nothing, or words that are skipped."""
        self._kinds = _Kinds(page.matter)
        self._empty = _Empty(page.empty_shows)
        self._printed = _PageNumber()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "title":
            self._in_title = True
        self._in_head = tag == "head" or (self._in_head and tag in _IN_HEAD)
        self._count(tag)
        if self._is_passed_over(tag, attributes):
            return
        self._document.left.update(self._hidden.begin(tag, attributes, self._looks))
        self._begin_inline(tag)
        if tag not in _BLOCKS and self._is_blank:
            self._hold(self._block, attributes)
        if tag == "a":
            self._begin_link(attributes)
        elif tag == "br":
            self._break_line()
        elif tag == "hr":
            self._end_block()
            self._put(Item("break"))
        elif tag in _BLOCKS:
            self._end_block()
            self._begin_block(tag, attributes)
        if tag in STYLED:
            self._begin_look(tag, attributes)
        self._printed.begin(tag, attributes, len(self._runs))

    def _begin_inline(self, tag: str) -> None:
        self._is_reading = tag in _READINGS or (self._is_reading and tag not in _END_READINGS)
        self._italic += tag in _ITALIC
        self._bold += tag in _BOLD
        self._sup += tag == "sup"
        if tag not in _BLOCKS:
            self._empty.begin(tag)
        self._quote_words(tag, "“")

    def _count(self, tag: str) -> None:
        """Counts an element that a reader would see and that is left behind."""
        kind = "foreign" if _is_case(tag) else _LEFT.get(tag)
        if kind is not None and not (self._silent or self._front):
            self._document.left[kind] += 1

    def _begin_look(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "p":
            self._end_look(tag)
        self._looked[tag] += 1
        italic, bold = self._looks.of(attributes)
        self._styled.append((tag, italic, bold))
        self._italic += italic
        self._bold += bold

    def _end_look(self, tag: str) -> None:
        """Ends the element and the unclosed elements inside it."""
        if not self._looked[tag]:
            return
        ended = ""
        while ended != tag:
            ended, italic, bold = self._styled.pop()
            self._looked[ended] -= 1
            self._italic = max(0, self._italic - italic)
            self._bold = max(0, self._bold - bold)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        self._in_head = self._in_head and tag != "head"
        if self._ends_what_is_passed_over(tag):
            return
        self._hidden.end(tag)
        if self._printed.ends(tag, self._runs):
            self._document.left["page number"] += 1
        self._italic = max(0, self._italic - (tag in _ITALIC))
        self._bold = max(0, self._bold - (tag in _BOLD))
        self._sup = max(0, self._sup - (tag == "sup"))
        self._empty.end(tag)
        self._quote_words(tag, "”")
        self._is_reading = self._is_reading and tag not in _END_READINGS
        if tag in STYLED:
            self._end_look(tag)
        if tag == "a":
            self._link = None
        elif tag in _BLOCKS:
            self._end_block()
            self._lists.end(tag)
            self._quote = max(0, self._quote - (tag == "blockquote"))
            self._kinds.end(tag)
            if self._held and tag == "dl" and self._held[0] in ("dt", "dd"):
                self._nested = 0
                self._end_held()
            elif self._held and tag == self._held[0]:
                self._end_held()
            self._block = ""

    def _is_passed_over(self, tag: str, attributes: dict[str, str]) -> bool:
        """Whether an element and its content are not prose."""
        if self._front:
            self._front += [tag] * (tag == self._front[0])
        elif tag in _BLOCKS and _FRONT & kinds_of(attributes) and not self._page.matter:
            self._end_block()
            self._document.left["front"] += 1
            self._front.append(tag)
        elif attributes.get("class") == CONTENTS:
            self._document.left["contents"] += 1
            self._end_block()
            self._front.append(tag)
        elif tag in _SILENT or _is_case(tag):
            self._silent += 1
        return bool(self._front or self._silent or self._in_head)

    def _ends_what_is_passed_over(self, tag: str) -> bool:
        """Whether the end of an element belongs to a skipped part."""
        if self._front:
            if tag == self._front[0]:
                self._front.pop()
            return True
        if tag in _SILENT or _is_case(tag):
            self._silent = max(0, self._silent - 1)
            return True
        return bool(self._silent or self._in_head)

    def handle_data(self, data: str) -> None:
        if self._in_title and not self._document.title:
            self._document.title = " ".join(data.split())
        if self._silent or self._front or self._in_head or self._is_reading:
            return
        if self._link is not None or self._is_unseen:
            return
        self._is_blank = self._is_blank and not data.strip()
        self._empty.take(data)
        self._runs.append(TextRun(data, bool(self._italic), bool(self._bold)))

    @property
    def _is_unseen(self) -> bool:
        """Whether no reader sees this: a footnote may wait in a hidden part until it is opened."""
        return self._hidden.is_open and self._held is None

    def finish(self) -> FootnotedText:
        """Returns the document, once the input is complete."""
        self._end_block()
        self._nested = 0
        self._end_held()
        items = self._document.items
        for at, lines in self._lines.items():
            items[at] = replace(items[at], runs=tuple(lines))
        self._document.notes = {
            number: runs for number, runs in self._document.notes.items() if runs
        }
        self._document.items = _without_headings_of_notes(items, self._noted)
        return self._document

    def _begin_block(self, tag: str, attributes: dict[str, str]) -> None:
        self._lists.begin(tag, attributes)
        self._quote += tag == "blockquote"
        self._heading = int(tag[1]) if tag[0] == "h" and tag[1:].isdecimal() else 0
        self._is_book_title = "title" in attributes.get("class", "").split() and tag == "p"
        self._block = tag
        self._kinds.begin(tag, attributes)
        self._empty.begin(tag)
        if self._held and tag == self._held[0]:
            if tag in UNCLOSED:
                self._end_held()
            else:
                self._nested += 1
        self._hold(tag, attributes)

    def _quote_words(self, tag: str, sign: str) -> None:
        """Says the mark that a browser shows around `<q>`."""
        if tag == "q":
            self._runs.append(TextRun(sign, bool(self._italic), bool(self._bold)))

    def _put_matter(self, item: Item) -> None:
        """Adds text that is no chapter, below a heading: its own, or what kind of text it is."""
        kind = self._kinds.matter_begun()
        if kind and item.kind == "heading":
            self._put(replace(item, role="matter"))
            return
        if kind:
            self._put(
                Item("heading", (TextRun(kind.replace("-", " ").capitalize()),), role="matter")
            )
        self._put(replace(item, kind="paragraph"))

    def _hold(self, tag: str, attributes: dict[str, str]) -> None:
        """Starts reading an element as a footnote if a footnote link leads to it."""
        if self._held or tag not in HOLDERS:
            return
        addresses = {self._page.address_of(id_) for id_ in ids_of(attributes)} & self._links.notes
        if tag == "dd":
            addresses |= {self._term} - {""}
        if tag in _BLOCKS and tag == self._block:
            self._term = ""
        if addresses:
            self._held, self._nested = (tag, addresses.pop(), []), 0
            if tag == "dd" and self._sign_at == len(self._document.items) - 1:
                del self._document.items[self._sign_at :]

    def _begin_link(self, attributes: dict[str, str]) -> None:
        """Turns a reference to a footnote into its number, and drops a link back from one."""
        note = self._links.references.get(self.getpos())
        if self._held:
            leads_back = "#" in attributes.get("href", "") or "backlink" in kinds_of(attributes)
            self._link = "back" if leads_back else None
        elif note is not None and _COMMENT.search(note):
            self._document.left["comment"] += 1
            self._link = "note"
        elif note is not None and self._is_unseen:
            self._link = "note"
        elif note is not None:
            self._runs.append(TextRun("", note=self._number(note)))
            self._is_blank = False
            self._link = "note"

    def _number(self, note: str) -> int:
        return self._numbers.setdefault(note, len(self._numbers) + 1)

    def _break_line(self) -> None:
        """Ends a line at one `<br>`, and a paragraph at two."""
        if self._runs and self._runs[-1].breaks:
            self._runs.pop()
            self._end_block()
        elif self._runs:
            self._runs.append(TextRun("", breaks=True))

    def _end_block(self) -> None:
        runs, self._runs = tuple(self._runs), []
        self._is_blank = True
        while runs and runs[-1].breaks:
            runs = runs[:-1]
        text = plain_text(runs)
        words = " ".join(text.split()) if len(text) < _LONG else text.strip()
        level, self._heading = self._heading, 0
        is_title, self._is_book_title = self._is_book_title, False
        shows_empty, is_titled = self._empty.ends_empty(), self._kinds.title_ended()
        if not words:
            if shows_empty and not (level or self._held):
                self._put(Item("blank"))
            return
        if self._kinds.is_matter and not self._held:
            self._put_matter(Item("heading" if level else "paragraph", runs, level or 1))
        elif is_titled and not self._held:
            self._put(Item("paragraph", runs, role="title"))
        elif is_title and self._kinds.takes_title(self._document.items):
            self._document.title = words
        elif is_ornament(words):
            self._put(Item("break"))
        elif level:
            self._put(Item("heading", runs, level, self._kinds.heading_ended()))
        else:
            kind: BlockKind = "quote" if self._quote else "paragraph"
            is_sign = self._block == "dt" and not self._held and _SIGN.fullmatch(words)
            before = len(self._document.items)
            self._put_prose(Item(kind, runs))
            if is_sign and len(self._document.items) > before:
                self._sign_at = before

    def _put_prose(self, item: Item) -> None:
        """Adds a paragraph. A numbered list becomes one paragraph with a line for each entry, so
        that no entry is taken for a chapter number."""
        if self._held:
            self._held[2].append(item)
            return
        items = self._document.items
        number, goes_on = self._lists.number_of(len(items))
        runs = (TextRun(number), *item.runs) if number else item.runs
        if goes_on:
            at = len(items) - 1
            lines = self._lines.setdefault(at, list(items[at].runs))
            lines += (TextRun("", breaks=True), *runs)
        else:
            items.append(replace(item, runs=runs))

    def _put(self, item: Item) -> None:
        if not self._is_unseen:
            (self._held[2] if self._held else self._document.items).append(item)

    def _end_held(self) -> None:
        """Ends the footnote that this element holds, but not one that merely contains it."""
        if self._held is None:
            return
        if self._nested:
            self._nested -= 1
            return
        tag, note, items = self._held
        self._held = None
        if tag == "dt" and not items:
            self._term = note
        elif not _COMMENT.search(note):
            self._document.notes[self._number(note)] = _join(items)
        self._noted.add(len(self._document.items))


def _is_case(tag: str) -> bool:
    """Whether an element of an e-book's `switch` is one of those that only some programs show; the
    others show its `default`."""
    return tag.rpartition(":")[2] == "case"


def kinds_of(attributes: Mapping[str, str]) -> set[str]:
    """Returns what an element is by the words of e-books (`epub:type`) and of accessible pages
    (`role`)."""
    role = attributes.get("role", "")
    return {
        *attributes.get("epub:type", "").lower().split(),
        *(word.removeprefix("doc-") for word in role.split() if word.startswith("doc-")),
    }


def _without_headings_of_notes(items: list[Item], noted: set[int]) -> list[Item]:
    """Returns the items without headings and breaks that precede only footnotes ("Notes"):
    footnotes move to the paragraphs that refer to them, so such a part would be empty.

    `noted` holds the item counts at which footnotes occurred.
    """
    result: list[Item] = []
    above = {at - 1 for at in noted}
    for at in range(len(items) - 1, -1, -1):
        item, after = items[at], result[-1] if result else None
        stands_alone = after is None or (after.kind == "heading" and after.level <= item.level)
        if at in above and stands_alone and _is_head(item):
            above.add(at - 1)
        else:
            result.append(item)
    return result[::-1]


def _is_head(item: Item) -> bool:
    refers = any(run.note for run in item.runs)
    return item.kind == "break" or (item.kind == "heading" and not refers)


def _join(items: list[Item]) -> Runs:
    runs: list[TextRun] = []
    for item in items:
        runs += [TextRun(" "), *item.runs] if runs else item.runs
    return tuple(runs)

"""HTML as a document: paragraphs, headings, emphasis, breaks and footnotes; no more of it."""

from __future__ import annotations

from html.parser import HTMLParser

from studio.exchange.forms.runs import Run, Runs, plain_text
from studio.exchange.readers.document import Document, Item, Kind

_BLOCKS = frozenset(
    [
        *("p", "div", "section", "article", "main", "header", "footer", "aside", "address", "pre"),
        *("li", "ul", "ol", "dl", "dt", "dd", "blockquote", "figure", "figcaption", "body", "html"),
        *("table", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"),
    ]
)
_SILENT = frozenset(
    ["script", "style", "head", "nav", "template", "noscript", "svg", "math", "object", "iframe"]
)
_ITALIC, _BOLD = frozenset(("em", "i", "cite", "dfn")), frozenset(("strong", "b"))
_BREAKS = frozenset(("* * *", "***", "#", "⁂", "◇", "◆"))


def document_of_markup(page: str) -> Document:
    """The document of a page of HTML or XHTML."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.finished()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._document = Document()
        self._runs: list[Run] = []
        self._silent = self._italic = self._bold = self._quote = self._sup = 0
        self._heading = 0
        self._in_title = False
        self._labels: dict[str, int] = {}
        self._held: list[tuple[str, str, list[Item]]] = []
        """Elements with an id that may turn out to be footnotes: tag, id, what is in them."""
        self._link: str | None = None
        """What ends at the next `</a>`: nothing, or words that are not taken."""
        self._is_book_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "title":
            self._in_title = True
        if tag in _SILENT:
            self._silent += 1
        if self._silent:
            return
        self._italic += tag in _ITALIC
        self._bold += tag in _BOLD
        self._sup += tag == "sup"
        if tag == "a":
            self._begin_link(known)
        elif tag == "br":
            self._break_line()
        elif tag == "hr":
            self._end_block()
            self._put(Item("break"))
        elif tag in _BLOCKS:
            self._end_block()
            self._begin_block(tag, known)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
            return
        if self._silent:
            return
        self._italic = max(0, self._italic - (tag in _ITALIC))
        self._bold = max(0, self._bold - (tag in _BOLD))
        self._sup = max(0, self._sup - (tag == "sup"))
        if tag == "a":
            self._link = None
        elif tag in _BLOCKS:
            self._end_block()
            self._quote = max(0, self._quote - (tag == "blockquote"))
            if self._held and tag == self._held[-1][0]:
                self._end_held()

    def handle_data(self, data: str) -> None:
        if self._in_title and not self._document.title:
            self._document.title = " ".join(data.split())
        if self._silent or self._link is not None:
            return
        self._runs.append(Run(data, bool(self._italic), bool(self._bold)))

    def finished(self) -> Document:
        """What was read, once nothing more comes."""
        self._end_block()
        while self._held:
            self._end_held()
        self._document.notes = {
            number: runs for number, runs in self._document.notes.items() if runs
        }
        return self._document

    def _begin_block(self, tag: str, known: dict[str, str]) -> None:
        self._quote += tag == "blockquote"
        self._heading = int(tag[1]) if tag[0] == "h" and tag[1:].isdecimal() else 0
        self._is_book_title = "title" in known.get("class", "").split() and tag == "p"
        if tag in ("aside", "li") and known.get("id"):
            self._held.append((tag, known["id"], []))

    def _begin_link(self, known: dict[str, str]) -> None:
        """A reference to a footnote becomes its number; a link back from one goes."""
        target = known.get("href", "").rpartition("#")[2] if "#" in known.get("href", "") else ""
        kind = f"{known.get('epub:type', '')} {known.get('role', '')}"
        if target and (self._sup or "noteref" in kind) and not self._held:
            number = self._labels.setdefault(target, len(self._labels) + 1)
            self._runs.append(Run("", note=number))
            self._link = "note"
        elif target and self._held and self._held[-1][1] in self._labels:
            self._link = "back"

    def _break_line(self) -> None:
        """One `<br>` ends a line, two a paragraph."""
        if self._runs and self._runs[-1].breaks:
            self._runs.pop()
            self._end_block()
        elif self._runs:
            self._runs.append(Run("", breaks=True))

    def _end_block(self) -> None:
        runs, self._runs = tuple(self._runs), []
        while runs and runs[-1].breaks:
            runs = runs[:-1]
        words = " ".join(plain_text(runs).split())
        level, self._heading = self._heading, 0
        is_title, self._is_book_title = self._is_book_title, False
        if not words:
            return
        if is_title and all(item.kind != "heading" for item in self._document.items):
            self._document.title = words
        elif words in _BREAKS:
            self._put(Item("break"))
        elif level:
            self._put(Item("heading", runs, level))
        else:
            kind: Kind = "quote" if self._quote else "paragraph"
            self._put(Item(kind, runs))

    def _put(self, item: Item) -> None:
        (self._held[-1][2] if self._held else self._document.items).append(item)

    def _end_held(self) -> None:
        """A block with an id that was referred to is a footnote; any other is prose after all."""
        _, id_, items = self._held.pop()
        if id_ in self._labels:
            self._document.notes[self._labels[id_]] = _joined(items)
        else:
            for item in items:
                self._put(item)


def _joined(items: list[Item]) -> Runs:
    runs: list[Run] = []
    for item in items:
        runs += [Run(" "), *item.runs] if runs else item.runs
    return tuple(runs)

"""Reads OpenDocument texts, zipped (`.odt`) or as one file of XML (`.fodt`): headings, emphasis
(also that of styles), lists with their numbers, footnotes and endnotes.

What a reader does not see, or what is no prose, is left behind and counted, as of a Word document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from studio.errors import StudioError, usage
from studio.exchange.forms.runs import Runs, TextRun, plain_text
from studio.exchange.readers.archive_guard import Archive, element_of
from studio.exchange.readers.document import (
    BlockKind,
    FootnotedText,
    Item,
    LeftBehind,
    settle_blanks,
    written_number,
)
from studio.messages import said
from studio.story.scene_marks import is_ornament

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _OFFICE, _STYLE = f"{_OASIS}text:1.0}}", f"{_OASIS}office:1.0}}", f"{_OASIS}style:1.0}}"
_DRAW, _TABLE = f"{_OASIS}drawing:1.0}}", f"{_OASIS}table:1.0}}"
_FO, _MANIFEST = f"{_OASIS}xsl-fo-compatible:1.0}}", f"{_OASIS}manifest:1.0}}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_MATH = "{http://www.w3.org/1998/Math/MathML}"
_ID = "{http://www.w3.org/XML/1998/namespace}id"

_LEVELS = 6
"""The number of heading levels in a text of the studio."""
_LIST_LEVELS = 10
_MOST_BASES = 20
_HEADING = re.compile(r"(?i)heading (?P<level>[1-9])")
_QUOTES = re.compile(r"(?i)quotations?|quote|intense quote|block ?text|block ?quot\w*")
"""Styles of a quotation, which some programs set in italics."""
_CONTENTS = re.compile(r"(?i)(?:contents|toc) (?:heading|\d+)")
_RULE = "Horizontal Line"
_EASTERN = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_EAST, _WEST = re.compile(f"[{_EASTERN}]"), re.compile(rf"[^\W\d_{_EASTERN}]")
_BUILT_IN = {"Emphasis": {"italic": True}, "Strong Emphasis": {"bold": True}}
"""What styles of every program look like, where a document does not say it."""
_FORMS = {
    "1": "decimal",
    "i": "lowerRoman",
    "I": "upperRoman",
    "a": "lowerLetter",
    "A": "upperLetter",
    "一": "chineseCounting",
    "壹": "chineseCounting",
    "일": "koreanCounting",
}
"""How numbers are written, by the first sign of what a document says of it."""
_PARAGRAPHS = frozenset((f"{_TEXT}p", f"{_TEXT}h"))
_SILENT = frozenset(
    [
        *(f"{_TEXT}{name}" for name in ("note-citation", "number", "script", "list-style")),
        *(f"{_OFFICE}{name}" for name in ("forms", "event-listeners", "annotation-end")),
        *(f"{_TABLE}{name}" for name in ("covered-table-cell", "title", "desc")),
    ]
)
"""Elements whose words no reader sees, or sees elsewhere too."""
_LEFT = {
    f"{_OFFICE}annotation": "comment",
    f"{_TEXT}ruby-text": "reading",
    f"{_DRAW}control": "form",
    f"{_OASIS}dr3d:1.0}}scene": "picture",
}
_INDEXES = frozenset(
    f"{_TEXT}{name}"
    for name in (
        *("table-of-content", "illustration-index", "table-index", "object-index"),
        *("user-index", "alphabetical-index", "bibliography"),
    )
)
_MEDIA = frozenset(
    f"{_DRAW}{name}" for name in ("plugin", "applet", "floating-frame", "object-ole")
)
_HOLDERS = frozenset(f"{_DRAW}{name}" for name in ("a", "g", "text-box"))
_SHAPES = frozenset(
    f"{_DRAW}{name}"
    for name in (
        *("frame", "custom-shape", "rect", "ellipse", "circle", "line", "polyline", "polygon"),
        *("regular-polygon", "path", "connector", "caption", "measure"),
    )
)
"""Drawings, which may hold text; one that holds none is a picture."""
_DEEPEST = 500
"""The most elements inside each other; a text of an office program has some dozens."""

TextLook = Mapping[str, bool]
"""Which of italic, bold, their forms for eastern letters, hidden and struck are on or off."""


def document_of_open_document(data: bytes, name: str) -> FootnotedText:
    """Returns the prose of an .odt or .fodt.

    Raises StudioError (exit 2) when the file is damaged, hostile, locked with a password, or an
    OpenDocument file of another kind, such as a table.
    """
    content, others, formulas = _open(data, name)
    body = content.find(f"{_OFFICE}body/{_OFFICE}text")
    if body is None:
        raise _refusal(name, said("is an OpenDocument file, but no text"))
    document = FootnotedText()
    for part in (content, *others):
        document.left["edge"] += sum(map(bool, map(_lines_in, _edges(part))))
    styles = _StyleSheets([*others, content])
    reader = _TextReader(document, styles, formulas)
    if not reader.read(body):
        raise _refusal(name, said("is nested deeper than any text"))
    settle_blanks(document)
    return document


def _open(data: bytes, name: str) -> tuple[Element, list[Element], frozenset[str]]:
    """Returns the content, the parts with styles, and the addresses of what is a formula."""
    if not data.startswith(b"PK"):
        try:
            return element_of(data, name), [], frozenset()
        except ValueError as error:
            raise _refusal(name, said("is damaged")) from error
    archive = Archive(data, name)
    formulas: set[str] = set()
    if archive.holds("META-INF/manifest.xml"):
        manifest = archive.xml("META-INF/manifest.xml")
        if manifest.find(f".//{_MANIFEST}encryption-data") is not None:
            raise _refusal(name, said("is locked with a password"))
        for entry in manifest.iter(f"{_MANIFEST}file-entry"):
            if "formula" in entry.get(f"{_MANIFEST}media-type", ""):
                formulas.add(entry.get(f"{_MANIFEST}full-path", "").strip("/"))
    others = [archive.xml("styles.xml")] if archive.holds("styles.xml") else []
    return archive.xml("content.xml"), others, frozenset(formulas)


def _refusal(name: str, what: str) -> StudioError:
    return usage(
        said("{name} {what}; it was not opened.", name=name, what=what),
        said("Save it again in the program it comes from, or as plain text."),
    )


def _edges(part: Element) -> Iterator[Element]:
    """Yields the headers and footers of a part."""
    for page in part.iter(f"{_STYLE}master-page"):
        yield from (e for e in page if e.tag.startswith((f"{_STYLE}header", f"{_STYLE}footer")))


def _lines_in(element: Element) -> int:
    """Returns the number of paragraphs with words in an element."""
    lines, is_open = 0, False
    for inner in element.iter():
        is_paragraph = inner.tag in _PARAGRAPHS
        is_open = is_open or is_paragraph
        words = (inner.text or "") + ("" if is_paragraph else inner.tail or "")
        if is_open and words.strip():
            lines, is_open = lines + 1, False
    return lines


# Styles


@dataclass(frozen=True, slots=True)
class _TextStyle:
    """What the styles of a paragraph or of characters say together."""

    names: tuple[str, ...] = ()
    """The names of the style and of those it is based on, as a writer sees them."""
    level: int | None = None
    """The heading level, from 1."""
    is_counted: bool = False
    """Whether the numbering of chapters applies to it."""
    look: TextLook = field(default_factory=dict)
    is_lined: bool = False
    """Whether a line is drawn above or below."""


class _StyleSheets:
    """The styles of a document, and how its lists and headings are numbered."""

    def __init__(self, parts: list[Element]) -> None:
        self._elements: dict[tuple[str, str], Element] = {}
        self._known: dict[tuple[str, str], _TextStyle] = {}
        self.lists: dict[str, Mapping[int, Element]] = {}
        self.outline: Mapping[int, Element] = {}
        for part in parts:
            for holder in (f"{_OFFICE}styles", f"{_OFFICE}automatic-styles"):
                for style in part.findall(f"{holder}/{_STYLE}style"):
                    key = style.get(f"{_STYLE}family", ""), style.get(f"{_STYLE}name", "")
                    self._elements[key] = style
                for style in part.findall(f"{holder}/{_TEXT}list-style"):
                    self.lists[style.get(f"{_STYLE}name", "")] = _levels_of(style)
                for style in part.findall(f"{holder}/{_TEXT}outline-style"):
                    self.outline = _levels_of(style)

    def style(self, family: str, name: str) -> _TextStyle:
        """Returns a style; the default one changes nothing, for it is how all prose looks."""
        key = family, name
        if key not in self._known:
            self._known[key] = self._combine(family, name)
        return self._known[key]

    def _combine(self, family: str, name: str) -> _TextStyle:
        chain: list[Element] = []
        names: list[str] = []
        while name and name != "Standard" and len(chain) < _MOST_BASES:
            element = self._elements.get((family, name))
            names.append(_show(name, element))
            if element is None:
                break
            chain.append(element)
            name = element.get(f"{_STYLE}parent-style-name", "")
        look = dict(_BUILT_IN.get(names[-1], {})) if len(names) > len(chain) else {}
        level: int | None = None
        is_counted = is_lined = False
        for base in reversed(names):
            heading = _HEADING.fullmatch(base)
            level = int(heading["level"]) if heading else level
        for element in reversed(chain):
            own = element.get(f"{_STYLE}default-outline-level")
            if own is not None:
                level = _number(own, 0) or None
                is_counted = level is not None
            list_name = element.get(f"{_STYLE}list-style-name")
            is_counted = is_counted and list_name != ""
            look |= _look_of(element.find(f"{_STYLE}text-properties"))
            is_lined = _has_line(element.find(f"{_STYLE}paragraph-properties"), is_lined)
        return _TextStyle(tuple(names), level, is_counted, look, is_lined)


def _show(name: str, element: Element | None) -> str:
    """Returns the name of a style as a writer sees it: `Heading 1` for `Heading_20_1`."""
    own = None if element is None else element.get(f"{_STYLE}display-name")
    return own or re.sub(r"_([0-9a-f]{2})_", lambda code: chr(int(code[1], 16)), name)


def _levels_of(style: Element) -> dict[int, Element]:
    return {_number(level.get(f"{_TEXT}level", ""), 0): level for level in style}


def _number(words: str, otherwise: int) -> int:
    is_one = words.isascii() and words.isdecimal() and len(words) < 5
    return int(words) if is_one else otherwise


def _look_of(about: Element | None) -> dict[str, bool]:
    """Returns which looks are said to be on, and which off."""
    if about is None:
        return {}
    look: dict[str, bool] = {}
    for name, own in (("", f"{_FO}font-style"), ("-east", f"{_STYLE}font-style-asian")):
        if value := about.get(own):
            look[f"italic{name}"] = value in ("italic", "oblique")
    for name, own in (("", f"{_FO}font-weight"), ("-east", f"{_STYLE}font-weight-asian")):
        if value := about.get(own):
            look[f"bold{name}"] = value == "bold" or value in ("600", "700", "800", "900")
    if value := about.get(f"{_TEXT}display"):
        look["hidden"] = value == "none"
    for own in ("text-line-through-style", "text-line-through-type"):
        if value := about.get(f"{_STYLE}{own}"):
            look["struck"] = value != "none"
    return look


def _has_line(about: Element | None, otherwise: bool) -> bool:
    if about is None:
        return otherwise
    sides = [about.get(f"{_FO}border{side}") for side in ("", "-top", "-bottom")]
    named = [side for side in sides if side is not None]
    return any(side not in ("none", "hidden", "") for side in named) if named else otherwise


# Numbers before headings and entries of lists


class _Numbering:
    """The numbers that a program puts before headings and entries of lists, of which a document
    holds only the form."""

    def __init__(self, styles: _StyleSheets) -> None:
        self._styles = styles
        self._outline = [0] * (_LIST_LEVELS + 1)
        self._counts: dict[str, list[int]] = {}
        """The counts of each list, by its id."""
        self._last: dict[str, str] = {}
        """The id of the last list of each style."""
        self._made = 0

    def of_heading(self, level: int, heading: Element) -> str:
        """Returns what stands before the next heading of a level, such as `Chapter 3`."""
        if heading.get(f"{_TEXT}is-list-header") == "true":
            return ""
        return self._next(self._outline, self._styles.outline, level, heading)

    def begin_list(self, element: Element, style: str) -> str:
        """Takes the begin of an outermost list and returns its id."""
        goes_on = element.get(f"{_TEXT}continue-list", "")
        if element.get(f"{_TEXT}continue-numbering") == "true":
            goes_on = goes_on or self._last.get(style, "")
        self._made += 1
        id_ = element.get(_ID) or f"list {self._made}"
        self._counts[id_] = self._counts.get(goes_on) or [0] * (_LIST_LEVELS + 1)
        self._last[style] = id_
        return id_

    def of_entry(self, id_: str, style: str, level: int, entry: Element) -> str:
        """Returns what stands before the next entry of a list; empty for one with bullets."""
        forms = self._styles.lists.get(style, {})
        if level > _LIST_LEVELS:
            return ""
        return self._next(self._counts[id_], forms, level, entry)

    def begin_level(self, id_: str, level: int) -> None:
        """Takes the begin of a list inside of an entry, which counts anew."""
        if level <= _LIST_LEVELS:
            self._counts[id_][level] = 0

    def _next(
        self, counts: list[int], forms: Mapping[int, Element], level: int, entry: Element
    ) -> str:
        form = forms.get(level)
        if form is None:
            return ""
        first = entry.get(f"{_TEXT}start-value") or ""
        counts[level] = counts[level] + 1 if counts[level] else _first(form)
        counts[level] = _number(first, counts[level])
        for deeper in range(level + 1, _LIST_LEVELS + 1):
            counts[deeper] = 0
        if not form.get(f"{_STYLE}num-format"):
            return ""
        return _words_of(form, forms, counts, level)


def _first(form: Element | None) -> int:
    return 1 if form is None else _number(form.get(f"{_TEXT}start-value", ""), 1)


def _words_of(form: Element, forms: Mapping[int, Element], counts: list[int], level: int) -> str:
    def number(at: int) -> str:
        own = forms.get(at, form).get(f"{_STYLE}num-format") or ""
        return written_number(counts[at] or _first(forms.get(at)), _FORMS.get(own[:1], ""))

    pattern = form.get(f"{_STYLE}num-list-format")
    if pattern is not None:
        for at in range(1, level + 1):
            pattern = pattern.replace(f"%{at}%", number(at))
        return pattern.strip()
    levels = _number(form.get(f"{_TEXT}display-levels", ""), 1)
    own = ".".join(number(at) for at in range(max(1, level - levels + 1), level + 1))
    before, behind = form.get(f"{_STYLE}num-prefix", ""), form.get(f"{_STYLE}num-suffix", "")
    return f"{before}{own}{behind}".strip()


# The text


@dataclass(slots=True)
class _OpenParagraph:
    """A paragraph whose element is still open."""

    style: _TextStyle
    level: int
    number: str
    """What stands before its words; of a list's entry for the first paragraph only."""
    is_entry: bool
    looks: list[TextLook]
    """What its style and the open spans say together, innermost last."""
    runs: list[TextRun] = field(default_factory=list)
    boxes: list[Item] = field(default_factory=list)
    """The text of the boxes that are anchored in it, which follows."""
    unseen: str = ""
    """Why the words before are left behind, so that words in a row count once."""
    holds: bool = False
    """Whether something of it is left behind, so that it is no empty line."""
    is_hidden: bool = False


@dataclass(slots=True)
class _OpenList:
    style: str
    id_: str
    entry: Element | None = None
    """The entry just begun, until its first paragraph."""


class _TextReader:
    """Walks through a text without recursion: a hostile document is deep."""

    def __init__(
        self, document: FootnotedText, styles: _StyleSheets, formulas: frozenset[str]
    ) -> None:
        self._document = document
        self._left: LeftBehind = document.left
        self._styles = styles
        self._formulas = formulas
        self._numbers = _Numbering(styles)
        self._places: list[_OpenParagraph | None] = [None]
        """The open paragraphs; None where what is open in one is no text of it, such as a box."""
        self._items: list[list[Item]] = [document.items]
        """Where paragraphs go: into the document, a box or a footnote."""
        self._lists: list[_OpenList] = []
        self._lines: dict[int, list[TextRun]] = {}
        """The lines of each numbered list that became one paragraph, by item index."""
        self._ends_at = -1
        """The number of items when the last numbered entry was complete."""
        self._has_title = False
        self._has_heading = False
        self._in_notes: list[int] = []
        """The numbers of the open footnotes; 0 for one inside of another."""
        self._begun: list[int] = []
        """How much was left behind when each open drawing began."""
        self._tables = 0

    def read(self, body: Element) -> bool:
        """Reads the whole text into the document; returns whether it is a text of common depth."""
        todo: list[tuple[Element, bool]] = [(child, False) for child in reversed(body)]
        depth = 0
        while todo:
            element, is_over = todo.pop()
            if is_over:
                depth -= 1
                self._end(element)
            elif self._begin(element):
                depth += 1
                if depth > _DEEPEST:
                    return False
                todo.append((element, True))
                self._say(element.text)
                todo += [(child, False) for child in reversed(element)]
                continue
            self._say(element.tail)
        for at, lines in self._lines.items():
            items = self._document.items
            items[at] = replace(items[at], runs=tuple(lines))
        return True

    def _begin(self, element: Element) -> bool:
        """Takes the begin of an element; returns whether its content is to be read."""
        tag = element.tag
        if tag in _SILENT or tag.startswith("{http://purl.org/dc/"):
            return False
        if tag in _LEFT:
            self._leave(_LEFT[tag])
            return False
        if tag in _PARAGRAPHS:
            self._begin_paragraph(element)
        elif tag == f"{_TEXT}span":
            self._begin_span(element)
        elif tag == f"{_TEXT}note":
            return self._begin_note()
        elif tag in (f"{_TEXT}list", f"{_TEXT}list-item", f"{_TEXT}list-header"):
            self._begin_list(element)
        elif tag.startswith(_DRAW):
            return self._begin_drawing(element)
        elif tag == f"{_TABLE}table":
            self._left["table"] += not self._tables
            self._tables += 1
        elif tag.startswith(_TEXT):
            return self._begin_other(element)
        return True

    def _begin_other(self, element: Element) -> bool:
        """Takes the begin of another element of the text: a sign, a field, a part."""
        tag, paragraph = element.tag, self._places[-1]
        if tag == f"{_TEXT}tracked-changes":
            for deletion in element.findall(f"{_TEXT}changed-region/{_TEXT}deletion"):
                texts = (child for child in deletion if child.tag != f"{_TEXT}change-info")
                self._left["deletion"] += any(map(_lines_in, texts))
            return False
        if tag in _INDEXES:
            self._left["contents"] += _lines_in(element)
            return False
        if _is_hidden(element):
            if tag == f"{_TEXT}hidden-paragraph" and paragraph is not None:
                paragraph.is_hidden = True
            else:
                self._leave("hidden")
            return False
        if tag == f"{_TEXT}s":
            self._say(" " * min(_number(element.get(f"{_TEXT}c", ""), 1), 200))
        elif tag == f"{_TEXT}tab":
            self._say("\t")
        elif tag == f"{_TEXT}line-break" and paragraph is not None:
            paragraph.runs.append(TextRun("", breaks=True))
        return True

    def _leave(self, kind: str) -> None:
        """Counts something that is left behind."""
        self._left[kind] += 1
        paragraph = self._places[-1]
        if paragraph is not None and kind != "comment":
            paragraph.holds = True

    def _end(self, element: Element) -> None:
        """Takes the end of an element whose content was read."""
        tag = element.tag
        if tag in _PARAGRAPHS:
            self._end_paragraph()
        elif tag == f"{_TEXT}span":
            self._end_span()
        elif tag == f"{_TEXT}note":
            self._end_note()
        elif tag == f"{_TEXT}list":
            self._lists.pop()
        elif tag.startswith(_DRAW):
            self._end_drawing(element)
        elif tag == f"{_TABLE}table":
            self._tables -= 1

    def _say(self, text: str | None) -> None:
        paragraph = self._places[-1]
        if not text or paragraph is None:
            return
        look = paragraph.looks[-1]
        unseen = "hidden" if look.get("hidden") else "struck" if look.get("struck") else ""
        if unseen and text.strip():
            self._left[unseen] += unseen != paragraph.unseen
            paragraph.unseen, paragraph.holds = unseen, True
        if unseen:
            return
        paragraph.unseen = "" if text.strip() else paragraph.unseen
        paragraph.runs.append(
            TextRun(text, _is_on("italic", look, text), _is_on("bold", look, text))
        )

    def _begin_paragraph(self, element: Element) -> None:
        style = self._styles.style("paragraph", element.get(f"{_TEXT}style-name", ""))
        is_heading = element.tag == f"{_TEXT}h"
        own = _number(element.get(f"{_TEXT}outline-level", ""), 1) if is_heading else 0
        level = own or style.level or 0
        is_heading = 0 < level <= _LEVELS and not self._in_notes
        entry = self._lists[-1] if self._lists else None
        number = ""
        if entry is not None and entry.entry is not None:
            number = self._numbers.of_entry(entry.id_, entry.style, len(self._lists), entry.entry)
            entry.entry = None
        elif is_heading and not self._lists and style.is_counted:
            number = self._numbers.of_heading(level, element)
        plain = is_heading or any(map(_QUOTES.fullmatch, style.names))
        look = {
            name: is_on
            for name, is_on in style.look.items()
            if not (plain and name.startswith(("italic", "bold")))
        }
        place = _OpenParagraph(style, level if is_heading else 0, number, bool(self._lists), [look])
        self._places.append(place)

    def _begin_span(self, element: Element) -> None:
        paragraph = self._places[-1]
        if paragraph is not None:
            style = self._styles.style("text", element.get(f"{_TEXT}style-name", ""))
            paragraph.looks.append({**paragraph.looks[-1], **style.look})

    def _end_span(self) -> None:
        paragraph = self._places[-1]
        if paragraph is not None and len(paragraph.looks) > 1:
            paragraph.looks.pop()

    def _begin_note(self) -> bool:
        """Begins a footnote or an endnote; one in words that nobody sees stays with them."""
        paragraph = self._places[-1]
        if paragraph is None or paragraph.looks[-1].get("hidden"):
            self._leave("hidden")
            return False
        number = 0 if self._in_notes else len(self._document.notes) + 1
        if number:
            self._document.notes[number] = ()
            paragraph.runs.append(TextRun("", note=number))
        self._in_notes.append(number)
        self._places.append(None)
        self._items.append([])
        return True

    def _end_note(self) -> None:
        self._places.pop()
        items, number = self._items.pop(), self._in_notes.pop()
        if not number:
            self._items[-1] += items
            return
        runs: list[TextRun] = []
        for item in items:
            if item.runs:
                runs += [TextRun(" "), *item.runs] if runs else item.runs
        self._document.notes[number] = tuple(runs)

    def _begin_list(self, element: Element) -> None:
        if element.tag != f"{_TEXT}list":
            if self._lists:
                is_entry = element.tag == f"{_TEXT}list-item"
                self._lists[-1].entry = element if is_entry else None
            return
        style = element.get(f"{_TEXT}style-name", "")
        if self._lists:
            above = self._lists[-1]
            style, id_ = style or above.style, above.id_
            self._numbers.begin_level(id_, len(self._lists) + 1)
        else:
            id_ = self._numbers.begin_list(element, style)
        self._lists.append(_OpenList(style, id_))

    def _begin_drawing(self, element: Element) -> bool:
        """Begins a box, which may hold text. What fills a frame is counted with it."""
        if element.tag not in _HOLDERS | _SHAPES:
            return False
        self._begun.append(self._left.total())
        self._places.append(None)
        self._items.append([])
        return True

    def _end_drawing(self, element: Element) -> None:
        """Ends a box: its text follows the paragraph that holds it, and one without is a picture or
        the like."""
        self._places.pop()
        items, is_empty = self._items.pop(), self._begun.pop() == self._left.total()
        if not items and is_empty and element.tag in _SHAPES:
            self._leave(self._kind_of(element))
        paragraph = self._places[-1]
        if paragraph is None:
            self._items[-1] += items
        else:
            paragraph.holds = paragraph.holds or bool(items) or not is_empty
            paragraph.boxes += items

    def _kind_of(self, element: Element) -> str:
        """Returns what a drawing without text is."""
        thing = element.find(f"{_DRAW}object")
        if thing is not None:
            address = thing.get(_LINK, "").removeprefix("./").strip("/")
            is_formula = address in self._formulas or thing.find(f"{_MATH}math") is not None
            return "formula" if is_formula else "picture"
        return "media" if any(child.tag in _MEDIA for child in element) else "picture"

    def _end_paragraph(self) -> None:
        paragraph = self._places.pop()
        assert paragraph is not None  # only paragraphs end here
        runs: Runs = tuple(paragraph.runs)
        words = plain_text(runs).strip()
        if paragraph.is_hidden:
            self._left["hidden"] += bool(words)
        elif any(map(_CONTENTS.fullmatch, paragraph.style.names)) and words:
            self._left["contents"] += 1
        elif words:
            self._put_words(paragraph, runs, " ".join(words.split()))
        elif _RULE in paragraph.style.names or paragraph.style.is_lined:
            self._put(Item("break"))
        elif paragraph.number and paragraph.level:
            self._put(Item("heading", (TextRun(paragraph.number),), paragraph.level))
        elif not (paragraph.holds or self._tables or paragraph.is_entry or self._in_notes):
            self._put(Item("blank"))
        self._items[-1] += paragraph.boxes

    def _put_words(self, paragraph: _OpenParagraph, runs: Runs, words: str) -> None:
        names, number = paragraph.style.names, paragraph.number
        is_in_text = len(self._items) == 1
        if "Title" in names and is_in_text and not (self._has_title or self._has_heading):
            self._document.title, self._has_title = words, True
        elif is_ornament(words) and not paragraph.level:
            self._put(Item("break"))
        elif paragraph.level:
            self._has_heading = True
            self._put(Item("heading", (*_before(number), *runs), paragraph.level))
        else:
            kind: BlockKind = "quote" if any(map(_QUOTES.fullmatch, names)) else "paragraph"
            self._put_entry(Item(kind, runs), number)

    def _put_entry(self, item: Item, number: str) -> None:
        """Adds a paragraph. A numbered list becomes one paragraph with a line for each entry, so
        that no entry is taken for a chapter number."""
        if not number:
            self._put(item)
            return
        items = self._items[-1]
        runs = (TextRun(f"{number} "), *item.runs)
        at = len(items) - 1
        if len(self._items) > 1:
            self._put(replace(item, runs=runs))
        elif self._ends_at == len(items):
            lines = self._lines.setdefault(at, list(items[at].runs))
            lines += (TextRun("", breaks=True), *runs)
        else:
            self._put(replace(item, runs=runs))
            self._ends_at = len(items)

    def _put(self, item: Item) -> None:
        self._items[-1].append(item)


def _before(number: str) -> Runs:
    """Returns the number of a heading and what parts it from the title."""
    if not number:
        return ()
    ends = "" if number.endswith((".", ":", ")")) or number[-1] in "章回节화장회" else ":"
    return (TextRun(f"{number}{ends} "),)


def _is_hidden(element: Element) -> bool:
    """Whether an element says that its content is not shown."""
    is_part = element.tag == f"{_TEXT}section"
    if is_part and element.get(f"{_TEXT}display") == "none":
        return True
    return element.get(f"{_TEXT}is-hidden") == "true"


def _is_on(name: str, look: TextLook, text: str) -> bool:
    """Whether a look is on for a text; eastern letters have one of their own."""
    east, west = bool(_EAST.search(text)), bool(_WEST.search(text))
    if east and not west:
        return look.get(f"{name}-east", False)
    return look.get(name, False) or (east and look.get(f"{name}-east", False))

"""Reads Word documents by way of mammoth, which knows Word's styles.

What mammoth skips or does not look at is first said in words that it reads: the document's XML is
made plain (`_Plain`). Emphasis and headings that come from a style become direct ones, hidden and
struck words go, fields and the words below readings come out of their shells.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from studio.errors import usage
from studio.exchange.readers.archive_guard import Archive
from studio.exchange.readers.document import (
    FootnotedText,
    LeftBehind,
    words_of_equation,
    written_number,
)
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
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_VML = "{urn:schemas-microsoft-com:vml}"
_GRAPHIC = "{http://schemas.openxmlformats.org/drawingml/2006/main}graphicData"
_LEFT = {
    f"{_W}comment": "comment",
    f"{_W}del": "deletion",
    f"{_W}altChunk": "foreign",
    f"{_W}subDoc": "foreign",
    f"{_M}oMath": "formula",
    f"{_OFFICE}OLEObject": "media",
    f"{_VML}textpath": "picture",
}
_TEXTS = ("document", "footnotes", "endnotes")
"""The parts of a document whose paragraphs come in."""
_MAIN = re.compile(r"[^/]+/document\d*\.xml")
_SHELLS = frozenset(f"{_W}{name}" for name in ("fldSimple", "dir", "bdo", "rubyBase"))
"""Elements whose content mammoth would skip with them."""
_NAMES = re.compile(r"(?i)heading (?P<level>[1-9])")
_OWN_NAMES = re.compile(r"(?i)(?:title|subtitle|toc .*|contents .*)")
"""Styles that say what their paragraphs are, whatever their outline level."""
_QUOTES = re.compile(r"(?i)(?:intense )?quote|block text")
"""Styles of a quotation, which Word sets in italics."""
_LEVELS = 6
_OFF = frozenset(("0", "false", "off", "none"))
_MOST_BASES = 20


def document_of_word(data: bytes, name: str) -> FootnotedText:
    """Returns the prose of a .docx with headings, emphasis and footnotes; comments are left behind,
    which mammoth does as long as no style of ours names them.

    Raises StudioError (exit 2) when the file is damaged or hostile, or mammoth is not installed.
    """
    archive = Archive(data, name)
    left: LeftBehind = Counter()
    for part in sorted(archive.names):
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
            io.BytesIO(_plain(data, left)),
            style_map=_STYLES,
            convert_image=mammoth.images.img_element(lambda image: {"src": ""}),
            include_embedded_style_map=False,
            external_file_access=False,
            ignore_empty_paragraphs=False,
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
    document = document_of_markup(str(page.value), empty_shows=True)
    document.left += left
    return document


def _reason(error: Exception) -> str:
    """Explains why mammoth failed, for readers who do not know mammoth."""
    if isinstance(error, KeyError):
        return said("its text refers to a part that is not in it")
    if isinstance(error, RecursionError):
        return said("it is nested deeper than any text")
    return " ".join(str(error).split()).rstrip(".")[:120] or type(error).__name__


def _left_behind(part: Element) -> LeftBehind:
    """Counts what mammoth skips in a part of the document, by Word's names."""
    left = Counter(
        kind
        for element in part.iter()
        if (kind := _LEFT.get(element.tag)) is not None
        and (kind != "deletion" or _holds_text(element))
    )
    if part.tag in (f"{_W}hdr", f"{_W}ftr"):
        left["edge"] += _holds_text(part)
    uris = (graphic.get("uri", "") for graphic in part.iter(_GRAPHIC))
    left["picture"] += sum(uri.endswith(("/chart", "/diagram")) for uri in uris)
    return left


def _holds_text(element: Element) -> bool:
    texts = (*element.iter(f"{_W}t"), *element.iter(f"{_W}delText"))
    return any((text.text or "").strip() for text in texts)


# The plain form of a document


def _plain(data: bytes, left: LeftBehind) -> bytes:
    """Returns the document with its texts made plain, and counts what is taken out of them."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        names = old.namelist()
        main = next((name for name in names if _MAIN.fullmatch(name)), "")
        folder = main.rpartition("/")[0]
        styles = _Styles.of(_parse(old, f"{folder}/styles.xml"))
        numbers = _Numbers.of(_parse(old, f"{folder}/numbering.xml"))
        texts = {f"{folder}/{text}.xml" for text in _TEXTS} | {main}
        for name in dict.fromkeys(names):
            part = _parse(old, name) if name in texts else None
            if part is None:
                new.writestr(name, old.read(name))
                continue
            _Plain(styles, numbers, left).make(part)
            new.writestr(name, ElementTree.tostring(part))
    return held.getvalue()


def _parse(archive: zipfile.ZipFile, name: str) -> Element | None:
    if name not in archive.NameToInfo:
        return None
    return ElementTree.fromstring(archive.read(name))  # parsed before, so no attack


@dataclass(frozen=True, slots=True)
class _Style:
    """What the styles of a paragraph or a run say together."""

    name: str = ""
    level: int | None = None
    """The outline level from 0; 9 is body text."""
    looks: frozenset[str] = frozenset()
    """Which of i, b, vanish, strike and dstrike are on."""
    numbering: tuple[str, int] | None = None


class _Styles:
    """The styles of a document, each with those it is based on."""

    def __init__(self, elements: Mapping[str, Element], default: str) -> None:
        self._elements = elements
        self._known: dict[str, _Style] = {}
        self._default = default

    @classmethod
    def of(cls, part: Element | None) -> _Styles:
        """Reads word/styles.xml, which may be missing."""
        every = [] if part is None else part.findall(f"{_W}style")
        elements = {style.get(f"{_W}styleId", ""): style for style in every}
        default = (
            style.get(f"{_W}styleId", "")
            for style in every
            if style.get(f"{_W}default") in ("1", "true") and style.get(f"{_W}type") == "paragraph"
        )
        return cls(elements, next(default, ""))

    def style(self, id_: str) -> _Style:
        """Returns a style; the default one changes nothing, for it is how all prose looks."""
        if id_ not in self._known:
            self._known[id_] = self._read_style(id_)
        return self._known[id_]

    def _read_style(self, id_: str) -> _Style:
        chain: list[Element] = []
        while id_ in self._elements and id_ != self._default and len(chain) < _MOST_BASES:
            chain.append(self._elements[id_])
            id_ = _value(chain[-1].find(f"{_W}basedOn"))
        names = [_value(style.find(f"{_W}name")) for style in chain]
        level: int | None = None
        looks: dict[str, bool] = {}
        numbering: tuple[str, int] | None = None
        for name, style in zip(reversed(names), reversed(chain), strict=True):
            heading = _NAMES.fullmatch(name)
            level = int(heading["level"]) - 1 if heading else level
            about = style.find(f"{_W}pPr")
            level = _outline(about, level)
            numbering = _numbering_of(about, numbering)
            looks |= _looks(style.find(f"{_W}rPr"))
        on = frozenset(look for look, is_on in looks.items() if is_on)
        return _Style(names[0] if names else "", level, on, numbering)


def _value(element: Element | None) -> str:
    return "" if element is None else element.get(f"{_W}val", "")


def _outline(about: Element | None, otherwise: int | None) -> int | None:
    own = None if about is None else about.find(f"{_W}outlineLvl")
    value = _value(own)
    return int(value) if value.isdecimal() and len(value) == 1 else otherwise


def _numbering_of(
    about: Element | None, otherwise: tuple[str, int] | None
) -> tuple[str, int] | None:
    own = None if about is None else about.find(f"{_W}numPr")
    if own is None:
        return otherwise
    id_, level = _value(own.find(f"{_W}numId")), _value(own.find(f"{_W}ilvl"))
    id_ = id_ or (otherwise[0] if otherwise else "")
    at = int(level) if level.isdecimal() and len(level) == 1 else otherwise[1] if otherwise else 0
    return (id_, at) if id_ not in ("", "0") else None


def _looks(about: Element | None) -> dict[str, bool]:
    """Returns which of the looks that matter are said to be on, and which off."""
    looks: dict[str, bool] = {}
    for look in ("i", "b", "vanish", "strike", "dstrike"):
        own = None if about is None else about.find(f"{_W}{look}")
        if own is not None:
            looks[look] = _value(own).lower() not in _OFF
    return looks


class _Numbers:
    """The numbers that Word puts before numbered paragraphs, of which it stores only the form."""

    def __init__(self, lists: Mapping[str, Mapping[int, tuple[int, str, str]]]) -> None:
        self._lists = lists
        self._counts: dict[str, list[int]] = {}

    @classmethod
    def of(cls, part: Element | None) -> _Numbers:
        """Reads word/numbering.xml, which may be missing."""
        if part is None:
            return cls({})
        abstract = {
            one.get(f"{_W}abstractNumId", ""): dict(map(_form_of, one.findall(f"{_W}lvl")))
            for one in part.findall(f"{_W}abstractNum")
        }
        lists = {
            one.get(f"{_W}numId", ""): abstract.get(_value(one.find(f"{_W}abstractNumId")), {})
            for one in part.findall(f"{_W}num")
        }
        return cls(lists)

    def next(self, numbering: tuple[str, int]) -> str:
        """Returns what stands before the next paragraph of a list, such as `Chapter 3`."""
        id_, level = numbering
        forms = self._lists.get(id_, {})
        if level not in forms:
            return ""
        counts = self._counts.setdefault(
            id_, [forms.get(at, (1, "", ""))[0] - 1 for at in range(9)]
        )
        counts[level] += 1
        for deeper in range(level + 1, 9):
            counts[deeper] = forms.get(deeper, (1, "", ""))[0] - 1
        words = forms[level][2]
        for at in range(level + 1):
            number = written_number(counts[at], forms.get(at, (1, "decimal", ""))[1])
            words = words.replace(f"%{at + 1}", number)
        return words.strip()


def _form_of(level: Element) -> tuple[int, tuple[int, str, str]]:
    start, at = _value(level.find(f"{_W}start")), level.get(f"{_W}ilvl", "0")
    form, words = _value(level.find(f"{_W}numFmt")), _value(level.find(f"{_W}lvlText"))
    prefix = words if form not in ("bullet", "none") else ""
    first = int(start) if start.isdecimal() and len(start) < 5 else 1
    return int(at) if at.isdecimal() and len(at) == 1 else 0, (first, form, prefix)


class _Plain:
    """Makes one part of a document plain."""

    def __init__(self, styles: _Styles, numbers: _Numbers, left: LeftBehind) -> None:
        self._styles = styles
        self._numbers = numbers
        self._left = left
        self._unseen = ""
        """Why the run before is left behind, so that runs in a row count once."""

    def make(self, part: Element) -> None:
        """Changes the part in place. Works without recursion: a hostile document is deep."""
        places: list[Element] = [part]
        while places:
            element = places.pop()
            self._unwrap(element)
            if element.tag == f"{_W}p":
                self._paragraph(element)
            places += element

    def _unwrap(self, element: Element) -> None:
        """Takes the content of what mammoth would skip out of its shells."""
        if not any(child.tag in _SHELLS or child.tag in _CHANGED for child in element):
            return
        queue, plain = list(element)[::-1], []
        while queue:
            child = queue.pop()
            if child.tag in _SHELLS:
                queue += list(child)[::-1]
            elif child.tag == f"{_W}sdt":
                inside = child.find(f"{_W}sdtContent")
                shows = inside is not None and not self._is_passed_over(child)
                queue += list(inside)[::-1] if inside is not None and shows else []
            elif child.tag == f"{_W}ruby":
                self._left["reading"] += 1
                base = child.find(f"{_W}rubyBase")
                queue += list(base)[::-1] if base is not None else []
            elif child.tag == f"{_MC}AlternateContent":
                queue += _alternative(child)[::-1]
            elif child.tag == f"{_W}drawing" and (boxes := list(child.iter(f"{_W}txbxContent"))):
                queue += boxes[::-1]
            elif child.tag == f"{_W}sym":
                plain.append(_symbol(child))
            elif child.tag != f"{_W}moveFrom":
                plain.append(child)
        element[:] = plain

    def _is_passed_over(self, control: Element) -> bool:
        """Whether a part of the document shows what is to be filled in, or is its list of
        contents."""
        about = control.find(f"{_W}sdtPr")
        if about is None:
            return False
        if about.find(f"{_W}showingPlcHdr") is not None:
            self._left["form"] += 1
            return True
        gallery = about.find(f"{_W}docPartObj/{_W}docPartGallery")
        is_contents = _value(gallery) == "Table of Contents"
        if is_contents:
            self._left["contents"] += sum(map(_holds_text, control.iter(f"{_W}p")))
        return is_contents

    def _equations(self, paragraph: Element) -> None:
        """Puts the words that fields keep in their instructions behind them."""
        instruction = ""
        for run in paragraph.findall(f"{_W}r"):
            instruction += "".join(text.text or "" for text in run.findall(f"{_W}instrText"))
            sign = run.find(f"{_W}fldChar")
            if sign is not None and sign.get(f"{_W}fldCharType") == "begin":
                instruction = ""
            elif sign is not None and (words := words_of_equation(instruction, self._left)):
                run.append(_words_element(words))
                instruction = ""

    def _paragraph(self, paragraph: Element) -> None:
        about = paragraph.find(f"{_W}pPr")
        id_ = _value(None if about is None else about.find(f"{_W}pStyle"))
        style = self._styles.style(id_)
        level = None if _OWN_NAMES.fullmatch(style.name) else _outline(about, style.level)
        is_heading = level is not None and level < _LEVELS
        self._unseen = ""
        self._equations(paragraph)
        self._runs(paragraph, style, is_heading)
        if _is_rule(paragraph, about):
            _clear(paragraph, f"{_W}r")
            paragraph.append(_make_run("* * *"))
        elif is_heading and level is not None:
            self._head(paragraph, about, level, _numbering_of(about, style.numbering))

    def _head(
        self,
        paragraph: Element,
        about: Element | None,
        level: int,
        numbering: tuple[str, int] | None,
    ) -> None:
        """Makes a paragraph a heading for mammoth, with the number that Word shows before it."""
        if about is None:
            about = Element(f"{_W}pPr")
            paragraph.insert(0, about)
        for name in ("pStyle", "numPr"):
            _clear(about, f"{_W}{name}")
        style = Element(f"{_W}pStyle", {f"{_W}val": f"Heading{level + 1}"})
        about.insert(0, style)
        number = self._numbers.next(numbering) if numbering else ""
        if number and _holds_text(paragraph):
            ends = "" if number.endswith((".", ":", ")")) or number[-1] in "章回节화장회" else ":"
            paragraph.insert(1, _make_run(f"{number}{ends} "))
        elif number:
            paragraph.insert(1, _make_run(number))

    def _runs(self, paragraph: Element, style: _Style, is_heading: bool) -> None:
        """Gives the runs of a paragraph the looks of its styles; takes out what nobody sees."""
        of_paragraph = style.looks
        if is_heading or _QUOTES.fullmatch(style.name):
            of_paragraph = of_paragraph - {"i", "b"}
        places: list[Element] = [paragraph]
        while places:
            holder = places.pop()
            for child in list(holder):
                if child.tag != f"{_W}r":
                    places += [child] if child.tag not in _NO_RUNS else []
                elif unseen := self._look(child, of_paragraph, is_heading):
                    holder.remove(child)
                    self._left[unseen] += unseen != self._unseen
                    self._unseen = unseen
                elif _holds_text(child):
                    self._unseen = ""

    def _look(self, run: Element, of_paragraph: frozenset[str], is_heading: bool) -> str:
        """Sets the looks that a run has from its styles; returns why it is left behind, if it
        is. A look that both the paragraph and the characters have by style is off, as Word
        toggles it."""
        about = run.find(f"{_W}rPr")
        id_ = _value(None if about is None else about.find(f"{_W}rStyle"))
        style = self._styles.style(id_) if id_ else _Style()
        own = _looks(about)
        on = {
            look: own.get(look, (look in of_paragraph) != (look in style.looks))
            for look in _TOGGLED
        }
        if on["vanish"] and _holds_text(run):
            return "hidden"
        if (on["strike"] or on["dstrike"]) and _holds_text(run):
            return "struck"
        for look in ("i",) if is_heading else ("i", "b"):
            if on[look] and look not in own:
                if about is None:
                    about = Element(f"{_W}rPr")
                    run.insert(0, about)
                SubElement(about, f"{_W}{look}")
        return ""


_TOGGLED = ("i", "b", "vanish", "strike", "dstrike")
_CHANGED = frozenset(
    (f"{_W}ruby", f"{_W}sdt", f"{_W}moveFrom", f"{_W}sym", f"{_W}drawing", f"{_MC}AlternateContent")
)
_NO_RUNS = frozenset(f"{_W}{name}" for name in ("pPr", "p", "del", "tbl"))


def _alternative(element: Element) -> list[Element]:
    """Returns what one of several forms of the same thing holds: the one for older programs, which
    mammoth reads, or else the paragraphs of a text box."""
    older = element.find(f"{_MC}Fallback")
    if older is not None and len(older):
        return list(older)
    choice = element.find(f"{_MC}Choice")
    boxes = [] if choice is None else list(choice.iter(f"{_W}txbxContent"))
    return boxes or ([] if choice is None else list(choice))


def _symbol(element: Element) -> Element:
    """Returns a sign of a symbol font as mammoth reads it, or the sign itself as text."""
    code = element.get(f"{_W}char", "")
    if not re.fullmatch("[0-9A-Fa-f]{4}", code) or code.upper().startswith("F0"):
        return element
    text = Element(f"{_W}t")
    text.text = chr(int(code, 16))
    return text


def _is_rule(paragraph: Element, about: Element | None) -> bool:
    """Whether a paragraph is nothing but a line across the page."""
    if _holds_text(paragraph):
        return False
    borders = None if about is None else about.find(f"{_W}pBdr")
    lined = borders is not None and any(
        _value(borders.find(f"{_W}{side}")) not in ("", "nil", "none")
        for side in ("top", "bottom", "between")
    )
    uris = any(shape.get(f"{_OFFICE}hr") in ("t", "true") for shape in paragraph.iter())
    return lined or uris


def _make_run(text: str) -> Element:
    run = Element(f"{_W}r")
    run.append(_words_element(text))
    return run


def _words_element(text: str) -> Element:
    words = Element(f"{_W}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
    words.text = text
    return words


def _clear(element: Element, tag: str) -> None:
    for child in element.findall(tag):
        element.remove(child)

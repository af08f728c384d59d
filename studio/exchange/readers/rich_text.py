"""Reads RTF, Scrivener's text format, as a document: paragraphs, emphasis
and footnotes, nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from studio.exchange.forms.runs import Runs, TextRun, merge, plain_text
from studio.exchange.readers.document import FootnotedText, Item, words_of_equation

_TOKEN = re.compile(
    r"\\(?:(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|'(?P<hex>[0-9a-fA-F]{2})|(?P<sign>.))"
    r"|(?P<brace>[{}])|(?P<end>[\r\n]+)|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_SILENT = frozenset(
    [
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "generator", "xe", "tc"),
        *("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"),
        *("listtable", "listoverridetable", "revtbl", "annotation", "atnid", "atnauthor"),
        *("nonesttables", "mmath"),
        "nonshppict",  # a copy of the picture for programs that cannot read the first
        "shprslt",  # a copy of the text box for programs that cannot read the first
    ]
)
_LEFT = {
    "pict": "picture",
    "shppict": "picture",
    "annotation": "comment",
    "shptxt": "frame",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "edge"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "edge"),
    "object": "media",
    "mmath": "formula",
}
"""Groups that are left behind and counted; a picture occurs in one of two."""
_UNSEEN = {
    "deleted": "deletion",
    "mvf": "deletion",
    "v": "hidden",
    "strike": "struck",
    "striked": "struck",
}
"""Marks of text that is left behind and counted."""
_CHARSETS = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    255: "cp437",
}
"""The encoding of the bytes in a font, by the font's `\\fcharset`; 0 and 1 are the document's."""
_OLD_SYSTEMS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
_WIDE = frozenset(("cp932", "cp949", "johab", "gb18030", "big5", "cp936", "cp950"))
"""Encodings with characters of two bytes, the second of which may be a plain letter."""
_STYLE_NAME = re.compile(r"(?i)heading (?P<level>[1-9])\b")
_CONTENTS_NAME = re.compile(r"(?i)(?:toc|contents) (?:heading|\d+)\b")
_ATTACHED = re.compile(r"\{\\NeXTGraphic[^{}]{0,500}\}(?:\\'ac|\xac)?")
"""Matches a picture as TextEdit writes it, with its placeholder character."""
_SIGNS = {"~": "\u00a0", "_": "\u2011", "-": ""}
_WORDS = {
    "tab": "\t",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "emspace": " ",
    "enspace": " ",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "zwbo": "\u200b",
    "zwnbo": "\u2060",
}
_ANCHOR = re.compile(r'HYPERLINK "scrivcmt://([\w-]+)"')
"""Matches a field that leads to a Scrivener comment or footnote."""
_MARKUP = re.compile(r"<!?\$Scr[^<>]{0,200}>")
"""Matches what Scrivener writes into a text for its styles and for keeping paragraphs together."""
_INLINE = re.compile(
    r"\\?\{\\{1,2}Scrv_(?P<begins>annot|fn)\b|\\{1,2}end_Scrv_(?P<ends>annot|fn) ?\\?\}"
)
"""Matches the ends of a remark or a footnote that Scrivener keeps among the words."""
_LEVELS = 6
"""The number of heading levels in a text of the studio."""


@dataclass(frozen=True, slots=True)
class _State:
    """The formatting state within one pair of braces."""

    italic: bool = False
    bold: bool = False
    silent: bool = False
    unseen: frozenset[str] = frozenset()
    """Why no reader sees the text: it is a tracked deletion, or hidden."""
    skip: int = 1
    """The number of replacement characters to skip after a `\\u`."""
    font: int | None = None
    """The font, which says how bytes are encoded; None for the document's own."""
    table: str = ""
    """The table being read, of fonts or styles."""
    instructs: bool = False
    """Whether the text is the instruction of a field."""


def document_of_rich_text(data: bytes, linked: Mapping[str, Runs] | None = None) -> FootnotedText:
    """Returns the document of an RTF file. Never raises: input that is not RTF is read as text.

    `linked` maps field ids to the footnotes that Scrivener keeps beside the file.
    """
    reader = _RtfReader(linked or {})
    text = _ATTACHED.sub(r"{\\pict }", _with_groups(_MARKUP.sub("", data.decode("latin-1"))))
    for match in _TOKEN.finditer(text):
        reader.take(match)
    return reader.finish()


def _with_groups(text: str) -> str:
    """Returns the text with Scrivener's remarks and footnotes among the words as groups of RTF; one
    without an end is left as it is."""
    pieces: list[str] = []
    at = 0
    begin: re.Match[str] | None = None
    for match in _INLINE.finditer(text):
        if match["begins"]:
            begin = match
        elif begin is not None and match["ends"] == begin["begins"]:
            inside = text[begin.end() : match.start()]
            words = inside.partition("=")[2] if match["ends"] == "fn" else ""
            group = rf"{{\footnote {words}}}" if match["ends"] == "fn" else r"{\annotation }"
            pieces += [text[at : begin.start()], group]
            at, begin = match.end(), None
    return "".join([*pieces, text[at:]])


class _RtfReader:
    def __init__(self, linked: Mapping[str, Runs]) -> None:
        self._document = FootnotedText()
        self._linked = linked
        self._fields: list[int] = []
        """The brace depths of the enclosing fields."""
        self._instruction = ""
        """The instruction of the innermost field."""
        self._anchor = ""
        """The id of the footnote to insert where the field ends."""
        self._runs: list[TextRun] = []
        self._states = [_State()]
        self._bytes = bytearray()
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        """The encodings of the fonts that have one of their own."""
        self._default_font: int | None = None
        self._styles = _StyleSheet()
        self._skips_group = False
        """Whether the next group says the same as the one behind it, without Unicode."""
        self._to_skip = 0
        self._starred = False
        self._note: tuple[int, list[TextRun]] | None = None
        """The footnote being read: its brace depth, and the runs that it interrupts."""
        self._in_contents = False
        """Whether the paragraph is a line of the list of contents."""
        self._level = 0
        """The heading level of the paragraph; 0 for none."""
        self._in_table = self._is_row = False
        """Whether a table is open, and whether the paragraph is one of its cells."""

    def take(self, match: re.Match[str]) -> None:
        """Processes one control word, symbol, brace or stretch of text."""
        if match["hex"]:
            if self._to_skip:
                self._to_skip -= 1
            else:
                self._bytes.append(int(match["hex"], 16))
            return
        text = self._flush_bytes(match["text"] or "")
        if match["brace"]:
            self._brace(match["brace"])
        elif match["word"]:
            self._word(match["word"], int(match["number"]) if match["number"] else None)
        elif match["sign"]:
            self._sign(match["sign"])
        elif text:
            anchor = _ANCHOR.search(text) if self._fields and self._state.silent else None
            self._anchor = anchor[1] if anchor else self._anchor
            skipped, self._to_skip = self._to_skip, 0
            self._say(text[skipped:])

    def finish(self) -> FootnotedText:
        """Returns the document, once the input is complete."""
        self._flush_bytes()
        while len(self._states) > 1:
            self._brace("}")
        self._end_paragraph()
        return self._document

    @property
    def _state(self) -> _State:
        return self._states[-1]

    def _brace(self, brace: str) -> None:
        self._to_skip = 0
        if brace == "{":
            self._states.append(self._state)
            if self._skips_group:
                self._skips_group = False
                self._set(silent=True)
        elif len(self._states) > 1:
            self._end_note()
            self._end_field()
            if self._states.pop().table == "stylesheet":
                self._styles.end()
        self._starred = False

    def _word(self, word: str, number: int | None) -> None:
        on = number != 0
        changes: dict[str, Callable[[], None]] = {
            "i": lambda: self._set(italic=on),
            "b": lambda: self._set(bold=on),
            "plain": lambda: self._set(italic=False, bold=False, unseen=frozenset(), font=None),
            "f": lambda: self._set(font=number),
            "af": lambda: self._set(font=number if number in self._fonts else self._state.font),
            "s": lambda: self._begin_style(number or 0),
            "upr": self._skip_next_group,
            **{mark: partial(self._hide, kind, on) for mark, kind in _UNSEEN.items()},
            "uc": lambda: self._set(skip=max(0, number or 0)),
            "par": self._end_paragraph,
            "page": self._end_paragraph,
            "sect": self._end_paragraph,
            **dict.fromkeys(("cell", "nestcell", "row", "nestrow"), self._end_cell),
            "pard": self._begin_plain,
            "intbl": self._begin_cell,
            "outlinelevel": lambda: self._begin_heading(number or 0),
            "field": self._begin_field,
            "footnote": self._begin_note,
            "line": lambda: self._runs.append(TextRun("", breaks=True)),
        }
        if word == "shptxt" or (word in _LEFT and not self._state.silent):
            self._document.left[_LEFT[word]] += 1
        if self._state.table:
            self._read_table(word, number or 0)
        if self._starred or word in _SILENT:
            # \\ud says in Unicode the same as the skipped group before it
            self._set(silent=word != "ud")
            self._set(instructs=word == "fldinst")
            self._set(table=word if word in ("fonttbl", "stylesheet") else self._state.table)
            self._starred = False
        elif word in ("ansicpg", "deff", *_OLD_SYSTEMS):
            self._read_head(word, number)
        elif word == "u" and number is not None:
            self._say(chr(number % 65536))
            self._to_skip = self._state.skip
        elif word in _WORDS:
            self._say(_WORDS[word])
        elif word in changes and not self._state.silent:
            changes[word]()

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._starred = True
        elif sign in "\\{}":
            self._say(sign)
        elif sign in "\r\n":
            self._end_paragraph()
        else:
            self._say(_SIGNS.get(sign, ""))

    def _set(self, **changes: bool | int | str | frozenset[str] | None) -> None:
        self._states[-1] = replace(self._state, **changes)  # type: ignore[arg-type]

    def _say(self, text: str) -> None:
        if text and self._state.table == "stylesheet":
            self._styles.name(text)
        if text and self._state.instructs:
            self._instruction += text
        if text and not (self._state.silent or self._state.unseen):
            self._runs.append(TextRun(text, self._state.italic, self._state.bold))

    def _flush_bytes(self, following: str = "") -> str:
        """Says the waiting bytes in the encoding of their font; returns the text behind them, of
        which a letter may be the second byte of the last character."""
        if not self._bytes:
            return following
        font = self._state.font if self._state.font is not None else self._default_font
        codec = self._fonts.get(-1 if font is None else font, self._codec)
        if codec in _WIDE and following[:1].isascii() and _ends_amid(bytes(self._bytes), codec):
            self._bytes += following[:1].encode()
            following = following[1:]
        data, self._bytes = bytes(self._bytes), bytearray()
        try:
            text = data.decode(codec)
        except (LookupError, UnicodeError):
            text = data.decode("cp1252", "replace")
        self._say(text)
        return following

    def _read_head(self, word: str, number: int | None) -> None:
        """Takes what the head of the document says of its bytes."""
        if word == "deff":
            self._default_font = number
        else:
            self._codec = _OLD_SYSTEMS.get(word, f"cp{number}")

    def _read_table(self, word: str, number: int) -> None:
        """Takes a control word of the table of fonts or of styles."""
        if self._state.table == "stylesheet":
            self._styles.take(word, number)
        elif word == "f":
            self._set(font=number)
        elif word == "fcharset" and number in _CHARSETS and self._state.font is not None:
            self._fonts[self._state.font] = _CHARSETS[number]
        elif word == "cpg" and self._state.font is not None:
            self._fonts[self._state.font] = f"cp{number}"

    def _begin_style(self, number: int) -> None:
        """Makes the paragraph a heading where its style is one."""
        if self._note is None:
            self._in_contents = self._styles.is_contents(number)
        level = self._styles.level(number)
        if self._note is None and level is not None:
            self._begin_heading(level)

    def _skip_next_group(self) -> None:
        self._skips_group = True

    def _begin_note(self) -> None:
        """Begins a footnote where its group begins; a nested footnote, or one outside any group,
        becomes part of the surrounding text."""
        if self._note is None and len(self._states) > 1:
            self._note = len(self._states), self._runs
            self._runs = []
            self._set(italic=False, bold=False)

    def _end_note(self) -> None:
        """Ends the footnote's group; the interrupted text resumes after its number."""
        if self._note is None or self._note[0] != len(self._states):
            return
        runs, self._runs = _with_pairs(self._runs), self._note[1]
        self._note = None
        self._put_note(runs)

    def _begin_field(self) -> None:
        self._fields.append(len(self._states))
        self._instruction = ""

    def _end_field(self) -> None:
        """Inserts the footnote that a field leads to after the field's text."""
        if not self._fields or self._fields[-1] != len(self._states):
            return
        self._fields.pop()
        instruction, self._instruction = self._instruction, ""
        self._say(words_of_equation(instruction, self._document.left))
        anchor, self._anchor = self._anchor, ""
        if self._note is None:
            self._put_note(self._linked.get(anchor, ()))

    def _put_note(self, runs: Runs) -> None:
        if plain_text(runs).strip():
            number = len(self._document.notes) + 1
            self._document.notes[number] = runs
            self._runs.append(TextRun("", note=number))

    def _end_paragraph(self) -> None:
        if self._note is not None:
            self._runs.append(TextRun(" "))
            return
        runs, self._runs = _with_pairs(self._runs), []
        words = plain_text(runs).strip()
        if words and self._in_contents:
            self._document.left["contents"] += 1
        elif words and self._level:
            self._document.items.append(Item("heading", runs, self._level))
        elif words:
            self._document.items.append(Item("paragraph", runs))
        elif not (self._in_table or self._state.silent):
            self._document.items.append(Item("blank"))
        self._in_table = self._in_table and self._is_row

    def _begin_plain(self) -> None:
        """Begins a body paragraph; those of a footnote belong to the paragraph around it."""
        if self._note is None:
            self._level, self._is_row, self._in_contents = 0, False, False

    def _begin_heading(self, number: int) -> None:
        """Begins a heading: Word and LibreOffice count levels from 0, and 9 is body text."""
        if self._note is None:
            self._level = number + 1 if 0 <= number < _LEVELS else 0

    def _begin_cell(self) -> None:
        self._document.left["table"] += not self._in_table
        self._in_table = self._is_row = True

    def _end_cell(self) -> None:
        """Ends a cell as a paragraph, including an unterminated cell at the end of a row."""
        self._begin_cell()
        self._end_paragraph()

    def _hide(self, kind: str, on: bool) -> None:
        unseen = self._state.unseen
        self._document.left[kind] += on and kind not in unseen
        self._set(unseen=unseen | {kind} if on else unseen - {kind})


class _StyleSheet:
    """Which paragraph styles are headings, by outline level, by name, or by the style that they are
    based on."""

    def __init__(self) -> None:
        self._levels: dict[int, int] = {}
        self._bases: dict[int, int] = {}
        self._contents: set[int] = set()
        self._style: int | None = None
        self._name = ""

    def take(self, word: str, number: int) -> None:
        """Takes a control word of the table."""
        if word == "s":
            self._style, self._name = number, ""
        elif word in ("cs", "ds", "ts"):
            self._style = None
        elif self._style is not None and word == "outlinelevel":
            self._levels[self._style] = number
        elif self._style is not None and word == "sbasedon":
            self._bases[self._style] = number

    def name(self, text: str) -> None:
        """Takes a piece of a style's name."""
        self._name += text

    def end(self) -> None:
        """Takes the end of a style."""
        if self._style is not None and _CONTENTS_NAME.match(self._name.strip()):
            self._contents.add(self._style)
        heading = _STYLE_NAME.match(self._name.strip())
        if heading and self._style is not None:
            self._levels.setdefault(self._style, int(heading["level"]) - 1)
        self._style, self._name = None, ""

    def is_contents(self, style: int) -> bool:
        """Whether a style is that of a line of the list of contents."""
        return style in self._contents

    def level(self, style: int) -> int | None:
        """Returns the outline level of a style, from 0; None for a style of body text."""
        seen: set[int] = set()
        while style not in self._levels and style in self._bases and style not in seen:
            seen.add(style)
            style = self._bases[style]
        return self._levels.get(style)


def _ends_amid(data: bytes, codec: str) -> bool:
    """Whether bytes end with the first half of a character."""
    try:
        data.decode(codec)
    except UnicodeDecodeError as error:
        return error.end == len(data) and error.start == len(data) - 1
    return False


def _with_pairs(runs: list[TextRun]) -> tuple[TextRun, ...]:
    """Joins surrogate pairs in the runs and drops lone halves."""
    return tuple(replace(run, text=_pair(run.text)) for run in merge(runs))


def _pair(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")

"""A row of the outline as text of a given width: the title keeps its room and counts give way; a
number next to a title that may repeat it, as `Chapter 2` or `第一卷`, is not said twice. Pure
functions; the first frame imports them (P5)."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import NamedTuple, get_args

from rich.cells import cell_len, set_cell_size

from studio.chapter_names import label_of, numbered_titles
from studio.i18n import _, chapter_called
from studio.story.review.scores import score_words
from studio.text.safe import safe_text
from studio.tui.views import signs
from studio.tui.views.outline.rows import NOTES, ChapterState, OutlineRow, VolumeItem

_EITHER = "제第*_`"
_CHAPTER, _VOLUME = frozenset("cC" + _EITHER), frozenset("vVbBpP" + _EITHER)
"""The first characters of titles that may contain their number, besides digits; marks of emphasis
included."""
_VOLUMES = (
    r"(?i)(?:volume|vol\.?|book|part)\s*(\d+)",
    r"제?\s*(\d+)\s*[권부]",
    r"第\s*([0-9零一二两三四五六七八九十]+)\s*[卷部]",
    r"(\d+)(?=\s*[:：.．—–-])",
)
_REST = r"(?:\s*[:：.．—–-]\s*(.*)|\s.*)?$"
"""What may follow the number: a separator and the rest of the title, or any other text."""


def chapter_beside_number(number: int, title: str) -> tuple[str, str]:
    """Returns the label for a chapter's number and its title, so that neither repeats the other.

    `Chapter 2` needs no number, and the title of `Chapter 3: The Lamp Room` is The Lamp Room. A
    title that is only the number gives way to the novel's own word for a chapter. A chapter that
    the author labels goes by her label.
    """
    if (label := label_of(number)) != str(number):
        if title.strip() not in {label, *numbered_titles(label)}:
            return label, title
        has_number = any(map(str.isdecimal, label))
        return "", (chapter_called(number) if has_number else "") or title
    if not _may_say_number(title, _CHAPTER):
        return str(number), title
    from studio.project.outline import numbered_heading

    numbered = numbered_heading(title)
    if numbered is None or numbered[0] != number:
        return str(number), title
    return (str(number), numbered[1]) if numbered[1] else ("", chapter_called(number) or title)


def volume_beside_number(number: int, title: str) -> tuple[str, str]:
    """Does the same for a volume; a title that spells its number, such as `第一卷：霜降以前`, stays
    whole."""
    if not _may_say_number(title, _VOLUME):
        return str(number), title
    matches = (re.match(form + _REST, title.strip()) for form in _VOLUMES)
    match = next(filter(None, matches), None)
    if match is None or number != _value(match[1]):
        return str(number), title
    return (str(number), match[2]) if match[2] and match[1].isdecimal() else ("", title)


def _value(numeral: str) -> int | None:
    from studio.story.form.numerals import value_of

    return value_of(numeral)


def _may_say_number(title: str, signs: frozenset[str]) -> bool:
    first = title.lstrip()[:1]
    return first in signs or first.isdecimal()


TITLE_ROOM = 16
"""The number of cells reserved for the title before anything to its right (DESIGN section 12)."""


class Glyphs(NamedTuple):
    """The glyphs for states, all one cell wide in every terminal."""

    states: dict[ChapterState, str]
    opened: str
    folded: str
    stale: str
    publication: str
    to_put_there: str


_STATES: tuple[ChapterState, ...] = get_args(ChapterState)
_SIGNS = (signs.PLANNED, signs.DRAFTING, signs.WAITING, signs.IN_BOOK, signs.DAMAGED)


def _glyphs(ascii_only: bool) -> Glyphs:
    states = (" ", *(sign.draw(ascii_only) for sign in _SIGNS))
    others = (signs.OPENED, signs.FOLDED, signs.STALE, signs.PUBLISHED, signs.TO_PUT_THERE)
    shapes = (sign.draw(ascii_only) for sign in others)
    return Glyphs(dict(zip(_STATES, states, strict=True)), *shapes)


UNICODE, ASCII = _glyphs(False), _glyphs(True)
_count = attrgetter("count")


class RowPart(NamedTuple):
    """A part of a row that is drawn in one style; the kind names the style."""

    text: str
    kind: str


def parts(row: OutlineRow, width: int, glyphs: Glyphs, is_open: bool) -> list[RowPart]:
    """Returns the parts of a row, which together fill exactly `width` cells."""
    number, title = _number_and_title(row)
    pieces = _head(row, number, glyphs, is_open)
    head_cells = sum(cell_len(part.text) for part in pieces)
    title = safe_text(title, keep_newlines=False).replace("\t", " ")
    if not title and row.chapter is not None and row.chapter.state == "empty":
        title = _("not planned yet")
    kind = "scene" if row.scene else "chapter" if row.chapter else "volume"
    room = max(0, width - head_cells)
    tail = _tail(row, glyphs, room - min(TITLE_ROOM, cell_len(title)))
    tail_cells = sum(cell_len(part.text) for part in tail)
    pieces = [*pieces, RowPart(_cut_to_room(title, room - tail_cells), kind), *tail]
    return pieces if head_cells + tail_cells < width else _fit(pieces, width)


def amount(count: int) -> str:
    """Formats a count in at most five characters: 950, 12.3k, 118k."""
    if count < 10_000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 100_000 else f"{count // 1000}k"


def _number_and_title(row: OutlineRow) -> tuple[str, str]:
    """Returns the label for the number of a row, if it has one, and the title that follows it."""
    if row.scene is not None:
        return str(row.scene.number), row.title
    if row.chapter is None:
        volume = row.volume
        is_notes = volume.number == NOTES
        return ("", row.title) if is_notes else volume_beside_number(volume.number, row.title)
    if row.chapter.kind != "chapter":
        return "", row.title
    return chapter_beside_number(row.chapter.number, row.title)


def _head(row: OutlineRow, number: str, glyphs: Glyphs, is_open: bool) -> list[RowPart]:
    fold = glyphs.opened if is_open else glyphs.folded
    if row.chapter is None:
        return [RowPart(f"{fold} {number}. " if number else f"{fold} ", "volume")]
    if row.scene is not None:
        state = glyphs.states[row.scene.state]
        return [
            RowPart("    ", "scene"),
            RowPart(state, row.scene.state),
            RowPart(f" {number} ", "number"),
        ]
    if row.chapter.kind != "chapter":
        return [
            RowPart(f"  {signs.ADDS.glyph} " if row.chapter.kind == "add" else "    ", "number")
        ]
    fold = fold if row.chapter.scenes else " "
    state = glyphs.states[row.chapter.state]
    return [
        RowPart(f" {fold}", "number"),
        RowPart(state, row.chapter.state),
        RowPart(f" {number:>{_digits(row.volume)}} " if number else " ", "number"),
    ]


def _digits(volume: VolumeItem) -> int:
    """Returns the digits of the largest chapter number, by which titles are aligned."""
    numbered = (item.number for item in reversed(volume.chapters) if item.kind == "chapter")
    return len(str(next(numbered, 1)))


def _tail(row: OutlineRow, glyphs: Glyphs, room: int) -> list[RowPart]:
    """Returns the parts that fit after the title: first the marks of a changed text and of
    publication, then the count, then the badge or score. A badge without room is shortened to a
    mark of one cell and never displaces the count."""
    item = row.scene or row.chapter
    if item is None:
        is_notes = row.volume.number == NOTES
        total = 0 if is_notes else sum(map(_count, row.volume.chapters))  # up to ten thousand (P7)
        words = f" {amount(total)}" if total else ""
        return [RowPart(words, "count")] if words and len(words) <= room else []
    count = [RowPart(f" {amount(item.count)}", "count")] if item.count else []
    if row.chapter is None or row.scene is not None:
        return _as_far(count, room)
    own_marks = [RowPart(f" {glyphs.stale}", "stale")] if row.chapter.stale else []
    if (is_changed := row.chapter.is_changed_there) is not None:
        words = glyphs.to_put_there if is_changed else glyphs.publication
        own_marks.append(RowPart(f" {words}", "stale" if is_changed else "published"))
    badge = safe_text(row.chapter.badge, keep_newlines=False)
    verdicts = [f" {badge}"] if badge else []
    if badge and badge not in (_(signs.BADGES[name][0]) for name in signs.SETTLED):
        verdicts.append(f" {signs.MARKED.glyph}")
    if not badge and row.chapter.score is not None:
        verdicts = [f" {score_words(row.chapter.score)}"]
    first = _as_far([*own_marks, *count], room)
    rest = room - sum(cell_len(part.text) for part in first)
    verdict = [RowPart(words, "score") for words in verdicts if cell_len(words) <= rest][:1]
    shown_marks = [part for part in first if part.kind != "count"]
    return [*(part for part in first if part.kind == "count"), *verdict, *shown_marks]


def _as_far(offered: list[RowPart], room: int) -> list[RowPart]:
    """Returns the leading parts that fit."""
    fitting: list[RowPart] = []
    for part in offered:
        room -= cell_len(part.text)
        if room < 0:
            break
        fitting.append(part)
    return fitting


def _cut_to_room(title: str, room: int) -> str:
    """Cuts or pads a title to exactly `room` cells."""
    if room <= 0:
        return ""
    if cell_len(title) > room:
        return set_cell_size(title, room - 1) + signs.CUT.glyph
    return set_cell_size(title, room)


def _fit(pieces: list[RowPart], width: int) -> list[RowPart]:
    """Returns the parts cut off at the width."""
    fitted, room = [], width
    for part in pieces:
        text = part.text if cell_len(part.text) <= room else set_cell_size(part.text, max(0, room))
        room -= cell_len(text)
        if text:
            fitted.append(RowPart(text, part.kind))
    return fitted
